"""An invented production and what a memory says of it: what nights verify, correct and take away of 500 entries."""
