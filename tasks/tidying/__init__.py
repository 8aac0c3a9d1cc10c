"""Putting a memory in order: what is nominated, what is ruled of it, and the operations that follow."""
