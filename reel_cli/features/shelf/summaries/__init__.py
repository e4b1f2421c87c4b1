"""`reel shelf summarize`: summaries with links to their sources."""
