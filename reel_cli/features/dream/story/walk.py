"""Holding the story against the tape at the terminal: the chapter chosen, the prompt out, the reply in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.exchange.exchange import Answer, Handout, find_waiting
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.dream.context.walk import overview_of
from reel_cli.features.dream.plan_weave import Writer
from reel_cli.features.dream.story.choice import (
    FULLY,
    DoubtedChapter,
    by_doubt,
    chapters_since,
    doubt_all,
    find_chapter,
    parts_left,
    read_story,
)
from reel_cli.features.dream.story.plan import (
    NAME,
    ChapterRecheck,
    answer_regrounding,
    find_asked,
    make_regrounding,
)
from reel_cli.features.dream.story.source import SourcedChapter
from reel_cli.features.dream.waking.tape_models import models_seen, newest_model
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, hand_out, ring0_in_force
from reel_cli.terminal.offers import OfferResult, settle_offers

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

COMMAND = "dream reground"


@dataclass(frozen=True, slots=True)
class Choice:
    """The person's choice of what to check: a chapter, or all since a day; by default the worst chapter.

    `window` is in tokens, `model` what answers.
    """

    chapter: str = ""
    since: str = ""
    window: int | None = None
    model: str = ""

    @property
    def is_made(self) -> bool:
        """Return whether the person made a choice."""
        return bool(self.chapter or self.since)


def next_regrounding(opened: "OpenKit", choice: Choice) -> ChapterRecheck:
    """Return the chapter that waits for its reply, unless another is named; else that one, or the worst.

    Raises ReelError where there is none.
    """
    snapshot = opened.snapshot
    there = waiting(opened)
    if there is not None and not choice.is_made and _stands(snapshot, there):
        return there
    chapters = read_story(snapshot)
    if choice.chapter:
        chapter = find_chapter(chapters, choice.chapter)
    elif choice.since:
        chapter = chapters_since(snapshot, chapters, choice.since, _today(opened))[0]
    else:
        chapter = _worst(opened, chapters)
    return _made(opened, chapter, choice)


def _worst(opened: "OpenKit", chapters: Sequence[SourcedChapter]) -> SourcedChapter:
    for one in by_doubt(_doubts(opened, chapters)):
        if one.later or parts_left(opened.snapshot, one.chapter):
            return one.chapter
    message = "No chat is left of what the story is about."
    raise ReelError(message, hint="to see the chapters:  reel dream reground --list")


def waiting(opened: "OpenKit") -> ChapterRecheck | None:
    """Return the chapter that was handed out and waits for its reply."""
    return find_waiting(opened.state, ChapterRecheck, NAME)


def _made(opened: "OpenKit", chapter: SourcedChapter, choice: Choice) -> ChapterRecheck:
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    return make_regrounding(
        opened.snapshot, ring0_in_force(opened), counter, chapter, choice.window, choice.since
    )


def _stands(snapshot: "Snapshot", asked: ChapterRecheck) -> bool:
    try:
        find_asked(snapshot, asked)
    except StateError:
        return False
    return True


def _today(opened: "OpenKit") -> str:
    return opened.now().date().isoformat()


def _doubts(
    opened: "OpenKit", chapters: Sequence[SourcedChapter], fully: int = FULLY
) -> Sequence[DoubtedChapter]:
    with opened.console.progress("Compared with what was said", 2 * len(chapters)) as advance:
        return doubt_all(opened.snapshot, chapters, advance, fully=fully)


def as_handout(opened: "OpenKit", asked: ChapterRecheck, model: str = "") -> Handout:
    """Return the chapter as an exchange at the terminal; `model` answers it, if the person says so."""

    def read(snapshot: "Snapshot", reply: str) -> Answer:
        writer = Writer(model, newest_model(models_seen(overview_of(opened))), opened.context.answered_by)
        return answer_regrounding(snapshot, asked, reply, opened.now(), writer)

    return Handout(asked, COMMAND, read)


def settle_regrounding(
    opened: "OpenKit", asked: ChapterRecheck, reply: str, choice: Choice, manner: ExchangeOptions
) -> OfferResult:
    """Process a reply, and remember what comes next of this chapter or of those the person named."""
    settled = settle_offers(opened, as_handout(opened, asked, choice.model), reply, manner)
    if settled.kept and not manner.dry_run:
        opened.look_again()
        following = next_after(opened, asked, choice)
        if following is not None:
            hand_out(opened, following, COMMAND)
    return settled


def next_after(opened: "OpenKit", asked: ChapterRecheck, choice: Choice) -> ChapterRecheck | None:
    """Return the next check: the rest of the chapter, or another chapter; None if there is none."""
    snapshot = opened.snapshot
    more = Choice(since=asked.since, window=choice.window)
    try:
        chapters = read_story(snapshot)
        if not asked.over:
            same = (one for one in chapters if tuple(map(str, one.spans)) == asked.source)
            chapter = next(same, None)
        else:
            chapter = (
                chapters_since(snapshot, chapters, asked.since, _today(opened))[0] if asked.since else None
            )
        return _made(opened, chapter, more) if chapter is not None else None
    except ReelError:
        return None


def walk_of(
    opened: "OpenKit", choice: Choice, manner: ExchangeOptions
) -> ExchangeWalk[ChapterRecheck, OfferResult]:
    """Return the walk through a chapter at the terminal."""
    return ExchangeWalk(
        COMMAND,
        lambda: next_regrounding(opened, choice),
        lambda: next_regrounding(opened, choice),
        lambda asked, reply: settle_regrounding(opened, asked, reply, choice, manner),
        following=lambda settled: waiting(opened) if settled.kept else None,
        announce=_which,
        effort=opened.snapshot.settings.dream_effort,
    )


def _which(asked: ChapterRecheck) -> str:
    part = "" if asked.over else " (a part of it; the rest comes after)"
    return f"Chapter {asked.number:,}, {asked.title}, compared with what was said{part}."


def list_chapters(opened: "OpenKit", *, as_json: bool) -> None:
    """Show every chapter with what speaks against it."""
    chapters = read_story(opened.snapshot)
    found = _doubts(opened, chapters, len(chapters))
    if as_json:
        opened.console.result_json([_doubt_json(one) for one in found])
        return
    rows = [(f"{one.chapter.number:,}", one.chapter.title, _told(one)) for one in found]
    opened.console.result(opened.console.listing(rows, 2))
    opened.console.next_step("To compare one with what was said:  reel dream reground NUMBER")


def _told(one: DoubtedChapter) -> str:
    """Return a chapter's day, what speaks against it, and when it was last checked."""
    chapter = one.chapter
    against = [
        _few(len(one.unsaid), "quotation nobody said", "quotations nobody said"),
        _few(one.unborne, "detail that was not said", "details that were not said"),
        _few(len(one.later), "thing corrected since", "things corrected since"),
    ]
    told = ", ".join(part for part in against if part) or "nothing doubtful"
    writer = f", by {chapter.model}" if chapter.model else ""
    held = f"compared on {chapter.again}" if chapter.again else "never compared"
    return f"{chapter.sessions[0][:10]}{writer}: {told}; {held}"


def _few(number: int, one: str, many: str) -> str:
    return "" if not number else f"{number:,} {one if number == 1 else many}"


def _doubt_json(one: DoubtedChapter) -> dict[str, Any]:
    chapter = one.chapter
    return {
        "chapter": chapter.number,
        "title": chapter.title,
        "line": chapter.line,
        "source": [str(span) for span in chapter.spans],
        "model": chapter.model or None,
        "held": chapter.again or None,
        "unsaid": list(one.unsaid),
        "unborne": one.unborne,
        "put_right": len(one.later),
    }
