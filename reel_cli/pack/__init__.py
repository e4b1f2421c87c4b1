"""Packing: a budget, what to load into it, and how it is written."""
