"""The account of a night as one HTML file that needs nothing else and asks nobody for anything."""
