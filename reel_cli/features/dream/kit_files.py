"""`story/` and `SHARED-CONTEXT.md` as kinds of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor
from reel_cli.features.dream.story.join import STORY_FILES, join_dream

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from reel_cli.core.files.kit_files import Retold
    from reel_cli.core.kit.kind_diff import KindDiff
    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
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


def _join(found: "KindJoin") -> "JoinedFiles | None":
    from reel_cli.core.kit.kind_join import JoinedFiles

    if found.path not in STORY_FILES:
        return None
    text = join_dream(found.path, *found.texts(), found.merge)
    told = "Both machines dreamt: the chapters, threads and facts of both stand in the story."
    return JoinedFiles({found.path: text.encode("utf-8") or None}, [told])


def _join_context(found: "KindJoin") -> "JoinedFiles | None":
    """Return the version that knows more of the tape; history has the other."""
    from reel_cli.core.kit.kind_join import JoinedFiles, text_in
    from reel_cli.features.dream.context.files import parse_context

    if found.both is None:
        return None
    mine, other = (parse_context(text_in(data)).known for data in found.both)
    here = mine is not None and (other is None or mine.place.order > other.place.order)
    told = (
        f"{found.path} was written on both machines: it is as {found.whose[0 if here else 1]} had it, which"
    )
    return JoinedFiles({found.path: found.both[0 if here else 1]}, [f"{told} knows more of what was said."])


STORY = KitFileKind(_check, join=_join, noted_twice=STORY_FILES, retold=_retold, reread="reel dream reground")
CONTEXT_FILE = KitFileKind(diff=_diff, join=_join_context)
