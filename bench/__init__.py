"""What measures the pipeline and breaks it on purpose; prints tables, and asserts nothing on time."""
