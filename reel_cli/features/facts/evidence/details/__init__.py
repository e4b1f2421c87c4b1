"""The names, numbers, days and words of a value, looked up where they were said."""
