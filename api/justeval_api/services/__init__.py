"""What the routes translate to: one file a resource, over database, folders, jobs and workers."""
