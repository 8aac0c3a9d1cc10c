"""What condensing saves, what it costs, and what can still be found: `python -m bench.condense`."""
