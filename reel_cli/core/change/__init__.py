"""The one transaction that applies changes, and edits made by hand."""
