"""`reel memory` and `reel exemplar`."""
