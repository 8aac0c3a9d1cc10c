"""The way in for new statements: evidence, quotes, what code can tell of entailment, and the judge."""
