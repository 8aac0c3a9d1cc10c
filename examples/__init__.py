"""An invented organisation, and a demonstration that dreams over it."""
