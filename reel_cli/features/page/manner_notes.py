"""A manner as the catalog's notes hold it: plain JSON and back."""

from typing import Any

from reel_cli.features.page.style import Mean, WritingStyle


def dump_manner(manner: WritingStyle) -> list[Any]:
    """Return a manner as plain JSON."""
    traits = {key: list(mean) for key, mean in manner.traits.items()}
    return [manner.replies, manner.words, traits, dict(manner.counts)]


def load_manner(note: list[Any]) -> WritingStyle:
    """Return the manner that `dump_manner` wrote."""
    replies, words, traits, counts = note
    return WritingStyle(replies, words, {key: Mean(*mean) for key, mean in traits.items()}, counts)
