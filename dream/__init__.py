"""The mechanisms of a night, useful under any scheduler."""
