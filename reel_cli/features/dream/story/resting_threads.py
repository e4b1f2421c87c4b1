"""Dropped threads that go out: those that are not of a chat alone that was taken back."""

from collections.abc import Sequence

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.dream.dream import Thread
from reel_cli.features.dream.story.missed_file import MISSED, parse_threads
from reel_cli.features.dream.story.retracted_words import RetractedWords


def list_standing(snapshot: Snapshot, path: str = MISSED) -> Sequence[Thread]:
    """Return the threads of a file, each as the chats that count left it; those of no such chat rest."""
    words = RetractedWords(snapshot)
    threads = parse_threads(snapshot.text(path) or "", words.are_of if words.gone else None)
    return [one for one in threads if not words.are_of(one.text, one.day)]
