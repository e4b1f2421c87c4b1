"""`reel model`: model files and their tokenizers."""
