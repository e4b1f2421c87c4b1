"""Contradictions between a new page and the rings."""
