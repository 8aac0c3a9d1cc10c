"""The model port and its adapters, one retry policy, and the ledger."""
