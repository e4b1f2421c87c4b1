"""Claims about one subject that cannot both hold."""
