"""Changes that a page would make, as a person is shown it before it is kept."""

import re
from collections.abc import Sequence
from itertools import takewhile

from reel_cli.core.exchange.open_ask import count_parts, list_rest
from reel_cli.core.exchange.schema import COUNTED
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import frozen
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import name_some
from reel_cli.features.page.plan import PagePlan
from reel_cli.features.page.proposals import HEADING as TO_DECIDE
from reel_cli.features.page.read_page import Page
from reel_cli.terminal.open_kit import OpenKit

_NOTED_IN = re.compile(r"\s*\(noted [^()]{1,40}\)(?=”)")
"""Pattern of the day of a note inside quotation marks."""
_KIND_OF_FACT = re.compile(r"^[\w -]{1,30}, (?=[^:]{1,40}: )")
_NAMED = 4
"""Number of missing parts that are named."""
_OF_ITSELF = frozenset(("shifted",))
"""Parts of a page in which the persona looks at itself: what is odd there changes nothing that is kept."""
_REVIEW = "reel review"
_LATER = 3
"""Number of things to decide later that are named in short."""


def show_page(opened: OpenKit, page: Page, keeping: PagePlan, *, unread: bool, whole: bool = False) -> None:
    """Show what a page would change: the `whole`, or what tells it in short.

    Of a page that is `unread`, all that waits for a decision is told as well.
    """
    console = opened.console
    got, asked = count_parts(page.ask.parts, page.reading)
    left = [f"“{spec.label}”" for spec in list_rest(page.ask, page.reading) if spec.key in COUNTED]
    came = "" if got == asked else f": {got} of {asked} parts, without {name_some(left, _NAMED)}"
    if came or keeping.brief or whole or not console.interactive:
        console.say(f"The {'short ' if keeping.brief else ''}page was read{came}.")
    show_sections(opened, keeping, whole=whole)
    # there nobody can ask for every word
    show_problems(opened, keeping, whole=whole, read=not unread)
    if whole:
        console.say()


def list_short(keeping: PagePlan) -> Sequence[str]:
    """Return the lines that tell a page in short, each with its heading."""
    return [
        f"{heading.removesuffix(f', in  {_REVIEW}')}: {_without_days(line).strip()}"
        for heading, lines in keeping.shown
        for line in (lines if heading == TO_DECIDE else keeping.short.get(heading, lines))
    ]


def list_caught(keeping: PagePlan) -> Sequence[str]:
    """Return the names of the facts that a short page's chat changes and that wait for a decision."""
    lines = [line for heading, lines in keeping.shown if heading == TO_DECIDE for line in lines]
    return [found["name"] for line in lines if (found := _FACT.match(line)) is not None]


_FACT = re.compile(r"a fact: [^:,]{1,40}, (?P<name>[^:]{1,80}): ")


@frozen
class EditedPage:
    """The lines and doubts of a page as it was shown in short."""

    lines: Sequence[str] = ()
    doubts: Sequence[str] = ()


def show_edited(opened: OpenKit, before: EditedPage, now: EditedPage) -> None:
    """Show what an edit changed of a page that was just told; v tells all of it.

    A doubt that is new is left to `show_problems`.
    """
    console = opened.console
    gone = [one for one in before.lines if one not in now.lines]
    new = [one for one in now.lines if one not in before.lines]
    settled = [one for one in before.doubts if one not in now.doubts]
    if not (gone or new or settled):
        if before.doubts == now.doubts:
            console.say("Your edit changes nothing of what was shown. v shows every word.")
        return
    console.say("Changed by your edit:")
    for word, lines in (("was", gone), ("now", new)):
        for line in lines:
            console.say(f"  {word}: {line}")
    for doubt in settled:
        console.say(f"  no longer worth a look: {doubt}")


def show_problems(opened: OpenKit, keeping: PagePlan, *, whole: bool, read: bool = True) -> None:
    """Show what is doubted of a page, where anything is."""
    if told := list_doubts(keeping, whole=whole, read=read):
        if whole:
            opened.console.say()
        opened.console.say("Worth a look:")
        for what in told:
            opened.console.say(f"  {what}")


def list_doubts(keeping: PagePlan, *, whole: bool, read: bool = True) -> Sequence[str]:
    """Return what is doubted, each once; in short, not what nobody can tell.

    Where somebody `read` the page in the chat, what waits for a decision of its own is left out as well.
    """
    # two parts of a page may say the same
    return list(
        dict.fromkeys(
            _in_words(one)
            for one in keeping.problems
            if whole or not (one.quiet or (read and (one.field in _OF_ITSELF or one.waits)))
        )
    )


def show_sections(opened: OpenKit, keeping: PagePlan, *, whole: bool) -> None:
    """Show what a page would change, under its headings."""
    console = opened.console
    for heading, lines in keeping.shown:
        told = lines if whole else keeping.short.get(heading, lines)
        if not told:
            continue
        if heading == TO_DECIDE and not whole and console.interactive:
            many = "1 thing" if len(told) == 1 else f"{len(told):,} things"
            console.say(f"{many} to decide later:  reel review")
            for line in told[:_LATER]:
                console.say(f"  {line}")
            if len(told) > _LATER:
                console.say(f"  and {len(told) - _LATER:,} more")
            continue
        if whole:
            console.say()
        console.say(heading)
        for line in told:
            console.say(f"  {line if whole else _without_days(line)}")


def _without_days(line: str) -> str:
    """Return a line without the days on which its notes were made, which a bundle has for the persona."""
    return _NOTED_IN.sub("", without_day(line))


def _in_words(problem: Problem) -> str:
    """Return a problem as a person is told it: a fact by its name, without its kind."""
    return _KIND_OF_FACT.sub("", problem.what) if problem.field == "facts" else problem.what


def count_short(keeping: PagePlan, heading: str, lines: Sequence[str]) -> int:
    """Return how many of a section's lines are shown until a person asks for all."""
    short = keeping.short.get(heading, lines)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(lines, short, strict=False)))
