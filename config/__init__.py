"""Typed settings and organisations; the only reader of the environment. Importing this loads nothing heavy."""
