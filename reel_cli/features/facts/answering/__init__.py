"""The answer to a question among the facts of a kit."""
