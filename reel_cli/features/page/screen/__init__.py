"""Screens of a page before it is kept."""
