"""The words of a page on whether anything shifted, without their verdict and keys."""

import re

KEY = re.compile(r"^[ \t]*(?:- )?[a-z][a-z_ ]{1,20}:[ ]+")
"""A key that a structured reply puts before each of its values, at the beginning of a line."""


def drop_verdict(text: str) -> str:
    """Return the drift's description without its final one-word verdict and leading keys."""
    lines = [KEY.sub("", line) for line in text.strip().splitlines()]
    if len(lines) > 1 and len(lines[-1].split()) <= 2:
        lines.pop()
    return " ".join(" ".join(lines).split())
