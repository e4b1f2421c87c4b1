"""Recall by embeddings, an extra."""
