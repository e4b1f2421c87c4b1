"""The check of a fact against what was said of it."""
