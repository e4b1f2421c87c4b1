"""Erasure of text: finding it, recognizing it and keeping it out of later recordings."""
