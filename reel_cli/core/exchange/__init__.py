"""Asking a model: prompts, reply schemas, exchanges under way."""
