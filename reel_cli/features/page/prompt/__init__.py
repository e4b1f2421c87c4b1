"""The prompt of a page: its values, and what it has room for."""
