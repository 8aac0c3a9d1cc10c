"""A PostgreSQL database that is asked one SELECT at a time: what it may say, who asks it, and within which bounds."""
