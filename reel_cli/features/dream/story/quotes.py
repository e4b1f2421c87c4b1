"""Quotations in the story that nobody said: looked for in a chapter's own days, then on the whole tape."""

from collections.abc import Callable, Mapping, Sequence

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.erasure.target import MARK
from reel_cli.core.values.change import one_line
from reel_cli.features.dream.batch_checks import find_on_tape, quotations_of
from reel_cli.features.dream.story.source import SourcedChapter
from reel_cli.features.dream.word_print import find_printed


def find_unsaid(
    snapshot: Snapshot,
    chapters: Sequence[SourcedChapter],
    advance: Callable[[float], None] | None = None,
) -> Mapping[int, Sequence[str]]:
    """Return unsaid quotations by the chapter's number; calls `advance` for each chapter.

    What was amended already is not among them, nor what a purge took a word of; what lost its quotation marks
    when it was woven is, as long as it stands there. The tape is read once, and
    where every quotation is of its chapter's own days only those days are.
    """
    quoted = {chapter.number: list(_quoted(chapter)) for chapter in chapters}
    missing: dict[str, None] = {}
    for chapter in chapters:
        mine = [part for _, parts in quoted[chapter.number] for part in parts]
        near = [session for session in chapter.sessions if session in snapshot.sessions]
        said = find_on_tape(snapshot, mine, near) if mine else frozenset()
        missing.update(dict.fromkeys(part for part in mine if part not in said))
        if advance is not None:
            advance(1)
    gone = set(missing) - find_on_tape(snapshot, list(missing), snapshot.sessions) if missing else set()
    return {
        chapter.number: [
            *(quote for quote, parts in quoted[chapter.number] if not gone.isdisjoint(parts)),
            *(words for words in find_printed(chapter.unsaid, chapter.told) if _is_open(chapter, words)),
        ]
        for chapter in chapters
    }


def _is_open(chapter: SourcedChapter, quote: str) -> bool:
    """Return whether the quotation was not amended yet."""
    return one_line(quote, 150).rstrip("…") not in chapter.amended


def _quoted(chapter: SourcedChapter) -> Sequence[tuple[str, Sequence[str]]]:
    return [
        (quote, parts)
        for quote, parts in quotations_of(chapter.told)
        if MARK not in quote and _is_open(chapter, quote)
    ]
