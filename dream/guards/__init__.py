"""The rules in code that refuse an operation, each with a stable name, whatever a model says."""
