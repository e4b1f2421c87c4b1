"""`reel keep`: a conversation that outgrows its window."""
