"""Replays of real days as consecutive nights, with everything checked after each of them from outside."""
