"""What people did to agents' pull requests, made into lessons that wait until they repeat."""
