"""What Prefect runs, and the command line; the only importer of Prefect."""
