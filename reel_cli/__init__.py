"""Keep an AI persona alive across context windows, in a git-backed kit of plain text."""

__version__ = "0.1.0"
