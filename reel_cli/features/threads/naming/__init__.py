"""Names of threads as people give them: their file, the question on the page, the proposal."""
