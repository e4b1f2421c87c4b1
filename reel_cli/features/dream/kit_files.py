"""`story/` and `SHARED-CONTEXT.md` as kinds of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from reel_cli.core.files.kit_files import Retold
    from reel_cli.core.kit.kind_diff import KindDiff
    from reel_cli.core.kit.snapshot import Snapshot


def _check(path: str, text: str) -> None:
    if path == CURSOR:
        parse_cursor(text)


def _retold(
    snapshot: "Snapshot", struck: "Mapping[str, Collection[int]]", *, whole: bool
) -> "Sequence[Retold]":
    del whole  # a chapter is a model's own words: it stays, whatever is purged
    from reel_cli.features.dream.story.retold import find_chapters

    return find_chapters(snapshot, struck)


def _diff(start: "Snapshot", end: "Snapshot", changed: "Collection[str]") -> "KindDiff":
    from reel_cli.features.dream.context.diff import compare_context

    return compare_context(start, end, changed)


STORY = KitFileKind(_check, retold=_retold, reread="reel dream reground")
CONTEXT_FILE = KitFileKind(diff=_diff)
