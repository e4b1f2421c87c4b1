"""Readers of programs that work on files as they talk: their sessions hold far more than what was said."""
