"""What the service knows: a database for questions, and folders as the truth behind it."""
