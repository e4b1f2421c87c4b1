"""`SHARED-CONTEXT.md`: how things are now."""
