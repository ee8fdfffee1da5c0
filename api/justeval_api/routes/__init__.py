"""The routes of `/api/v1`, one file a resource. A route translates; nothing is computed here."""
