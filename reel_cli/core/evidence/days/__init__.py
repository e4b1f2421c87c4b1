"""Days in a text: which they are, whether they have passed, and what they were called."""
