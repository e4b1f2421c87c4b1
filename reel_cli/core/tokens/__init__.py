"""Exact token counts, offline."""
