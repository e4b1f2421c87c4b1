"""The kit's files: where bytes come from, and each format read and written."""
