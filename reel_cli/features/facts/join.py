"""`facts.yaml` of two machines made one: the facts of both."""

from reel_cli.core.git.piece_merge import ITEMS, Merge, join_pieces
from reel_cli.features.facts.files import parse_facts


def join_facts(ours: str, theirs: str, base: str, merge: Merge) -> str:
    """Return the facts of both sides, the other's first, "" for none; ReelError where one cannot be read."""
    for text in (ours, theirs):
        parse_facts(text)
    return join_pieces(ITEMS, ours, theirs, base, merge)
