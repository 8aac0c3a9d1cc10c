"""The formats that sessions are read from: one module each, found by the registry."""
