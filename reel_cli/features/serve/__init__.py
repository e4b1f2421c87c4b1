"""`reel serve`: a kit as a page in the browser, on this machine alone."""
