"""Two things that are told of the same subject and cannot both hold now (REEL §3.5)."""
