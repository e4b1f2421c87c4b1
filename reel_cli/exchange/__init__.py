"""Asks and replies: what a model is asked, and what is made of whatever it answers."""
