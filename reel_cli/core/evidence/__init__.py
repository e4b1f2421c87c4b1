"""Claims compared with what was said."""
