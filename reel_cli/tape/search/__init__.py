"""Finding a moment again: a local index of what was said, its ranking, and how sure to be."""
