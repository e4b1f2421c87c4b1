"""A memory held against what was said: quotations, names, numbers, dates, yes and no (REEL §10.5)."""
