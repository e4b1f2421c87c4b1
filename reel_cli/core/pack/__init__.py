"""Packing a bundle into a token budget."""
