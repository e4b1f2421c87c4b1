"""Signs of what may be worth keeping, one module a language."""
