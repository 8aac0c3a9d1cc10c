"""Many organisations in one night, under a real Prefect server and embedded, beside Prefect runs that do nothing."""
