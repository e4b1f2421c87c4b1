"""Text as a person gives it: in a file, on standard input, in an editor, by keys, or as a model's reply."""
