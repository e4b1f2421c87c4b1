"""Decisions that a person goes through at the terminal, one at a time."""
