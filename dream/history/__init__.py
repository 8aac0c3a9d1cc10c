"""What was said in past sessions, kept beside the memory: a line each, what is worth reading of it, and all of it."""
