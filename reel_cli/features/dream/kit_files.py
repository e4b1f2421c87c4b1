"""`story/` and `SHARED-CONTEXT.md` as kinds of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind, Retold
from reel_cli.features.dream.cursor_file import CURSOR, CURSOR_KEYS, parse_cursor
from reel_cli.features.dream.story.join import STORY_FILES, finished_relive, join_dream

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.core.kit.snapshot import Snapshot


def _check(path: str, text: str) -> None:
    if path == CURSOR:
        parse_cursor(text)


def _known(path: str) -> "Sequence[str]":
    return (*CURSOR_KEYS, "heard.**", "read.**") if path == CURSOR else ()


def _retold(
    snapshot: "Snapshot", struck: "Mapping[str, Collection[int]]", *, whole: bool
) -> "Sequence[Retold]":
    """Return the chapters whose source on the tape holds what is struck: message numbers, by session.

    Those of a story that was laid aside are among them, and its facts.
    """
    from reel_cli.features.dream.earlier_story import PAST
    from reel_cli.features.dream.story.files import HISTORY
    from reel_cli.features.dream.story.source import parse_sourced
    from reel_cli.features.facts.files import FACTS
    from reel_cli.features.facts.purge import list_retold

    del whole  # a chapter is a model's own words: it stays, whatever is purged
    laid_aside = [path for path in snapshot.list(PAST) if path.endswith((".md", ".yaml"))]
    found = [
        Retold(path, chapter.line, chapter.title)
        for path in (HISTORY, *(path for path in laid_aside if path.endswith(_name(HISTORY))))
        for chapter in parse_sourced(snapshot.text(path) or "")
        if any(span.meets(struck) for span in chapter.spans)
    ]
    for path in (path for path in laid_aside if path.endswith(_name(FACTS))):
        found += list_retold(path, snapshot.text(path) or "", struck)
    return found


def _name(path: str) -> str:
    return f"/{path.rpartition('/')[2]}"


def _diff(start: "Snapshot", end: "Snapshot", _changed: "Collection[str]") -> "KindDiff":
    """Return the parts that say something else; "" where there was, or is, no such part."""
    from reel_cli.core.kit.kinds import KindDiff, tell_passage
    from reel_cli.features.dream.context.files import HEADINGS
    from reel_cli.features.dream.context.shared_context import PARTS, SharedContext
    from reel_cli.features.dream.context.state import read_shared

    before, after = (read_shared(side) or SharedContext() for side in (start, end))
    pairs = {HEADINGS[key]: (before.parts.get(key, ""), after.parts.get(key, "")) for key in PARTS}
    found = {heading: pair for heading, pair in pairs.items() if pair[0] != pair[1]}
    lines = [line for heading, pair in found.items() for line in tell_passage(heading, *pair)]
    value = {heading: {"before": was, "after": now} for heading, (was, now) in found.items()}
    return KindDiff("context", value, "How things are now", lines)


def _join(found: "KindJoin") -> "JoinedFiles | None":
    from reel_cli.core.kit.kind_join import JoinedFiles, text_in

    if found.path not in STORY_FILES:
        return None
    cursors = [text_in(data) for data in found.sides(CURSOR)]
    here = finished_relive(cursors[0], cursors[1], cursors[2])
    if here is not None:
        return _one_relive(found, cursors[1 if here else 0], here=here)
    text = join_dream(found.path, *found.texts(), found.merge)
    told = "Both machines dreamt: the chapters, threads and facts of both stand in the story."
    return JoinedFiles({found.path: text.encode("utf-8") or None}, [told])


def _one_relive(found: "KindJoin", other: str, *, here: bool) -> "JoinedFiles":
    """Return a file of the relive that counts; the other side's is laid aside as a story from before is.

    `other` is the cursor of that one.
    """
    from reel_cli.core.kit.kind_join import JoinedFiles
    from reel_cli.features.dream.earlier_story import PAST

    kept, aside = (found.ours, found.theirs) if here else (found.theirs, found.ours)
    day, number = parse_cursor(other).started[:10], 1
    while not all(found.is_free(f"{PAST}/{day}-{number}{_name(path)}", b"") for path in STORY_FILES):
        number += 1
    files = {found.path: kept}
    if aside is not None:
        files[f"{PAST}/{day}-{number}{_name(found.path)}"] = aside
    whose = found.whose[0 if here else 1]
    told = "Both machines lived the past again: the story is that of"
    return JoinedFiles(
        files, [f"{told} {whose}, which came to its end; the other lies in {PAST}/{day}-{number}/."]
    )


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


STORY = KitFileKind(
    _check, join=_join, noted_twice=STORY_FILES, retold=_retold, reread="reel dream reground", known=_known
)
CONTEXT_FILE = KitFileKind(diff=_diff, join=_join_context)
