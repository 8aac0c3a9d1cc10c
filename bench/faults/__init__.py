"""Faults on purpose: nights that are killed, starved, refused, raced and lied to, and what the branch holds then."""
