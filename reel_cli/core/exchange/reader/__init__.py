"""The lenient reader of model replies."""
