"""The face: what a person types and what they see."""
