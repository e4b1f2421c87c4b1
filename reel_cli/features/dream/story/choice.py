"""Choice of the chapter to check against the tape, of the stretches left, and of what chapters quote."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.said_words import find_on_tape
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.quote_marks import QUOTED
from reel_cli.core.tape.session_file import read_said
from reel_cli.core.tape.tape_view import read_session, retracted
from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import Ranges, holds, to_ranges
from reel_cli.core.values.talk import PURGED, SourceRange, session_order, session_path
from reel_cli.features.dream.batch_checks import Checks, quotations_of
from reel_cli.features.dream.cursor_file import read_cursor
from reel_cli.features.dream.later_corrections import Later, find_later
from reel_cli.features.dream.plan_dream import first_session
from reel_cli.features.dream.story.files import HISTORY, stands_in
from reel_cli.features.dream.story.source import SourcedChapter, parse_sourced
from reel_cli.features.dream.word_print import find_printed

FULLY = 5
_QUOTE_WEIGHS = 3
_AMENDED_WORDS = re.compile(r"(?m)^> \*\*Amended [^*]*\*\* “(.*?)”: ")


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
    names = (snapshot.settings.name, snapshot.settings.user)
    quoted = {chapter.number: list(_quoted(chapter, *names)) for chapter in chapters}
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


def _quoted(chapter: SourcedChapter, persona: str, user: str) -> Sequence[tuple[str, Sequence[str]]]:
    return [
        (quote, parts)
        for quote, parts in quotations_of(chapter.told, persona, user)
        if PURGED not in quote and _is_open(chapter, quote)
    ]


@dataclass(frozen=True, slots=True)
class DoubtedChapter:
    """A chapter and what speaks against it: quotations nobody said, details its stretch does not bear.

    `later` is what was put right in what it tells of, and the story does not know yet.
    """

    chapter: SourcedChapter
    unsaid: tuple[str, ...]
    unborne: int
    later: tuple[Later, ...]

    @property
    def weight(self) -> int:
        """Return how much speaks against the chapter."""
        return _QUOTE_WEIGHS * len(self.unsaid) + self.unborne


def read_story(snapshot: Snapshot) -> Sequence[SourcedChapter]:
    """Return the chapters of the story that name their source; raises ReelError if there are none."""
    chapters = [chapter for chapter in parse_sourced(snapshot.text(HISTORY) or "") if chapter.spans]
    if not chapters:
        message = "There is no story yet to compare with what was said."
        raise ReelError(message, hint="first write it:  reel dream start")
    return chapters


def find_chapter(chapters: Sequence[SourcedChapter], wanted: str) -> SourcedChapter:
    """Return the chapter with a number, or a word of its title; raises ReelError for none or several."""
    plain = wanted.strip().casefold()
    found = [one for one in chapters if str(one.number) == plain or one.title.casefold() == plain]
    found = found or [one for one in chapters if plain and plain in one.title.casefold()]
    if len(found) != 1:
        few = "No chapter" if not found else f"{len(found):,} chapters"
        message = f"{few} of the story can be meant by {wanted!r}."
        raise ReelError(message, hint="to see their numbers:  reel dream reground --list")
    return found[0]


def chapters_since(
    snapshot: Snapshot, chapters: Sequence[SourcedChapter], since: str, today: str
) -> Sequence[SourcedChapter]:
    """Return the chapters about a day or a session, or later ones.

    Those that were held against the tape today are left out. Raises ReelError where none is left.
    """
    first = session_order(first_session(snapshot, since))
    found = [one for one in chapters if any(session_order(session) >= first for session in one.sessions)]
    left = [one for one in found if one.again != today or held_of(snapshot, one)]
    if not left:
        message = f"No chapter is about {since} or later."
        if found:
            message = "All these chapters were compared with what was said today."
        raise ReelError(message, hint="to check one again, give its number:  reel dream reground --list")
    return left


def held_of(snapshot: Snapshot, chapter: SourcedChapter) -> bool:
    """Return whether a round through the chapter's stretch has begun and is not over."""
    return bool(chapter.held) and bool(parts_left(snapshot, chapter))


def parts_of(snapshot: Snapshot, spans: Sequence[SourceRange]) -> dict[str, Ranges]:
    """Return the shown messages of some stretches, by session, without retracted ones."""
    gone = retracted(snapshot)
    parts: dict[str, Ranges] = {}
    for session in sorted({span.session for span in spans}, key=session_order):
        if session in gone or session not in snapshot.sessions:
            continue
        mine = tuple((span.first, span.last) for span in spans if span.session == session)
        shown = (entry.number or 0 for entry in read_session(snapshot, session).shown())
        ranges = to_ranges(number for number in shown if holds(mine, number))
        if ranges:
            parts[session] = ranges
    return parts


def parts_left(snapshot: Snapshot, chapter: SourcedChapter) -> Mapping[str, Ranges]:
    """Return the parts of a chapter's stretch that are still to be checked; all if no round has begun."""
    parts = parts_of(snapshot, chapter.spans)
    held: dict[str, list[tuple[int, int]]] = {}
    for span in chapter.held:
        held.setdefault(span.session, []).append((span.first, span.last))
    left: dict[str, Ranges] = {}
    for session, ranges in parts.items():
        known = tuple(held.get(session, ()))
        numbers = (n for first, last in ranges for n in range(first, last + 1) if not holds(known, n))
        if found := to_ranges(numbers):
            left[session] = found
    return left


def doubt_all(
    snapshot: Snapshot,
    chapters: Sequence[SourcedChapter],
    advance: Callable[[float], None] | None = None,
    *,
    fully: int = FULLY,
) -> Sequence[DoubtedChapter]:
    """Return each chapter with what speaks against it; calls `advance` twice for each.

    Held fully against their stretches are those that a quick look finds most against, `fully` of them: enough
    to choose by. Where the numbers are shown beside one another it has to be all of them.
    """
    later = find_later(snapshot, read_cursor(snapshot))
    unsaid = find_unsaid(snapshot, chapters, advance)
    found: list[DoubtedChapter] = []
    for chapter in chapters:
        mine = tuple(one for one in later if one.session in chapter.sessions)
        looked = len(_unheard(snapshot, chapter))
        found.append(DoubtedChapter(chapter, tuple(unsaid[chapter.number]), looked, mine))
        if advance is not None:
            advance(1)
    for place in sorted(range(len(found)), key=lambda at: _rank(found[at]))[:fully]:
        found[place] = replace(found[place], unborne=_count_unborne(snapshot, found[place].chapter))
    return found


def _unheard(snapshot: Snapshot, chapter: SourcedChapter) -> set[str]:
    """Return a chapter's names and numbers that none of its sessions has: a quick look by words."""
    told = QUOTED.sub(" ", chapter.told)
    marked = {
        word[0].casefold()
        for word in re.finditer(r"\w+", told)
        if word[0][0].isdigit() or (word[0][0].isupper() and told[: word.start()].rstrip(" ")[-1:].isalnum())
    }
    marked = {word for word in marked if not _is_amended(chapter, word)}
    for session in chapter.sessions:
        if not marked:
            break
        path = session_path(session)
        data = snapshot.tree.read(path)
        if data is not None:
            _, said = read_said(data, path)
            words = b"\n\n".join(said).decode("utf-8", "replace").casefold()
            marked.difference_update(re.findall(r"\w+", words))
    return marked


def _count_unborne(snapshot: Snapshot, chapter: SourcedChapter) -> int:
    """Return how many details of a chapter its stretch does not bear, without those that were amended."""
    checks = Checks(snapshot, parts_of(snapshot, chapter.spans))
    problems = checks.claims([chapter.told], ())
    return sum(
        one.field != "grounding.quote" and not _is_amended(chapter, claim)
        for one, claim in zip_longest(problems, checks.unborne[: len(problems)], fillvalue="")
        if not isinstance(one, str)
    )


def _is_amended(chapter: SourcedChapter, claim: str) -> bool:
    """Return whether a detail stands in words of the chapter that were amended."""
    return any(stands_in(old, claim) for old in _AMENDED_WORDS.findall(chapter.amended))


def by_doubt(found: Sequence[DoubtedChapter]) -> Sequence[DoubtedChapter]:
    """Return the chapters in the order in which to check them.

    First where something was put right, then those that never were, the one with most against it at the
    front; then those for which it is longest ago.
    """
    return sorted(found, key=_rank)


def _rank(one: DoubtedChapter) -> tuple[bool, str, int, int]:
    return not one.later, one.chapter.again, -one.weight, one.chapter.number
