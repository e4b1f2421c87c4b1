"""`reel share`: memories that one persona tells another, kept in a kit of kind *shared* (REEL §12.1)."""
