"""Web servers as probes: what a GET of an allowed path answers."""
