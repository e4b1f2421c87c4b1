"""A persona's preference: what it keeps, learnt from what was kept and let go (REEL §12.2)."""
