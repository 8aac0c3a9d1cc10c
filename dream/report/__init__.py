"""What people read afterwards: reports, status and accounts, made of values and nothing else."""
