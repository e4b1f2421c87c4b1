"""`reel migrate`: a kit brought to a newer version of the protocol (REEL §11.1)."""
