"""Pages written again: one prompt for many memories, each beside its source on the tape (REEL §6.2)."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.blockquote import set_apart
from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold, quotations
from reel_cli.core.exchange.consolidation import parse_consolidation
from reel_cli.core.exchange.lived_words import without_syntax
from reel_cli.core.exchange.pages import part_pages
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.schema import CONSOLIDATION, Schema, read_hints
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.resources import read_ask
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.tape.transcript import GAP, shorten, tell_entries
from reel_cli.core.values.artifact import Consolidation, Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory, where_of

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Counter

SHORTER = (
    "They have grown old, and there is less room for them. Write each shorter: keep what you would mind"
    " losing, and let the rest go. Go by what was really said, which stands beside each page, and never by"
    " the page alone."
)
ANEW = (
    "What they tell has moved away from what was really said. Go by what was said, which stands beside each"
    " page, wherever the page has it otherwise or leaves out what mattered."
)
WIDER = (
    "You can hold more of that time at once than when you first wrote them. Read again what was said, and"
    " write each page as you understand it today."
)
WHOLE_PARTS = ("happened", "changed", "matters", "unresolved", "marker")
MARKER_PARTS = ("marker",)


@frozen
class RewriteRequest:
    """One page as the prompt shows it: what it is called, how it stands, what was said, how long it may be.

    `day` is in words; `most` is in words, 0 for as long as it needs; `parts` are those of the reply.
    """

    title: str
    day: str
    text: str
    said: str
    most: int
    parts: tuple[str, ...]


@frozen
class Rewritten:
    """One page as it came back; `page` is None where it cannot be used, and `why` says why."""

    page: Consolidation | None
    reading: ReplyReading | None
    why: str = ""
    problems: tuple[Problem, ...] = ()


def render_rewriting(
    name: str, user: str, identity: str, purpose: str, wanted: Sequence[RewriteRequest]
) -> str:
    """Ask for pages to be written again, each beside its source, with ring 0 loaded (REEL §10.3)."""
    intro, _, outro = read_ask("rewrite").partition("\n---\n")
    before, _, after = intro.strip().partition("{{pages}}")
    rule = rule_beyond("\n".join(f"{one.text}\n{one.said}" for one in wanted))
    pages = "\n\n".join(_page(number, one, rule) for number, one in enumerate(wanted, start=1))
    keys = [key for key in WHOLE_PARTS if any(key in one.parts for one in wanted)]
    known = _part_texts()
    form = [f"# Page 1: {one_line(wanted[0].title)}"] + [
        f"## {known[key][0]}\n{known[key][1]}" for key in keys
    ]
    if len(wanted) > 1:
        form.append(f"# Page 2: {one_line(wanted[1].title)}\n…")
    frame = {"name": name, "user": user, "purpose": purpose}
    fill = {**frame, "identity": identity.strip()}
    after = _filled(f"{after.strip()}\n\n" + "\n".join(form) + f"\n\n{outro.strip()}\n", frame)
    return f"{_filled(before, fill).rstrip()}\n\n{pages}\n\n{after}"


def read_rewriting(  # noqa: PLR0913
    reply: str,
    titles: Sequence[str],
    parts: Sequence[Sequence[str]],
    *,
    prompt: str,
    names: Sequence[str],
    strangers: Sequence[str] = (),
) -> tuple[list[Rewritten], tuple[Problem, ...], bool]:
    """Return each rewritten page in prompt order, the reply's problems, and whether it is the prompt.

    `parts` are those each page was asked for; `names` those the reply may be signed with; `strangers` the
    titles of what was not asked for.
    """
    parted = part_pages(reply, titles, prompt, strangers)
    found = []
    for number, keys in enumerate(parts, start=1):
        told = tuple(p for p in parted.problems if p.field == f"page.{number}")
        text = parted.pages.get(number)
        if text is None:
            found.append(Rewritten(None, None, told[0].what if told else "it did not come back", told))
            continue
        reading, taken_out = without_syntax(read_reply(text, _schema(tuple(keys)), names=names))
        found.append(_rewritten(reading, keys, (*told, *taken_out)))
    whole = tuple(p for p in parted.problems if p.field == "page")
    return found, whole, parted.is_prompt


def _rewritten(reading: ReplyReading, keys: Sequence[str], told: tuple[Problem, ...]) -> Rewritten:
    if reading.is_prompt or not reading.values:
        return Rewritten(None, reading, "it holds none of the headings", told)
    if reading.missing:
        labels = ", ".join(f'"{spec.label}"' for spec in reading.missing)
        if reading.cut_off:
            return Rewritten(None, reading, f"it stops before {labels}", told)
        return Rewritten(None, reading, f"{labels} is missing", told)
    if "happened" in keys and reading.empty("happened"):
        return Rewritten(None, reading, '"What happened" is empty', told)
    page, problems = parse_consolidation(reading)
    if keys == MARKER_PARTS and not page.marker:
        return Rewritten(None, reading, '"In one breath" is empty', told)
    return Rewritten(page, reading, "", (*told, *reading.problems, *problems))


def _schema(keys: tuple[str, ...]) -> Schema:
    """Return the schema of a rewritten page; lines to find it by are read if present, and never required."""
    known = _part_texts()
    extra = () if keys == MARKER_PARTS else ("title", "anchors", "kind", "tags")
    whole = CONSOLIDATION.only((*keys, *extra))
    fields = tuple(
        replace(
            spec,
            hint=known.get(spec.key, ("", ""))[1],
            asked=spec.key in keys,
            required=spec.key in keys and (spec.key != "marker" or keys == MARKER_PARTS),
        )
        for spec in whole.fields
    )
    return replace(whole, fields=fields)


def _part_texts() -> Mapping[str, tuple[str, str]]:
    """Return each part's label and hint, by key."""
    return dict(zip(WHOLE_PARTS, read_hints("rewrite-parts").items(), strict=True))


def _page(number: int, one: RewriteRequest, rule: str) -> str:
    when = f" ({one.day})" if one.day else ""
    if one.parts == MARKER_PARTS:
        size = f'Wanted: only "In one breath", in at most {one.most} words.'
    elif one.most:
        size = f"Wanted: all the headings, in at most {one.most} words together."
    else:
        size = "Wanted: all the headings, as long as it needs."
    said = set_apart(one.said.strip() or "(nothing of it is left)")
    return (
        f"{rule} Page {number}: {one_line(one.title)}{when} {rule}\n{size}\n\n"
        f"The page as it stands:\n\n{one.text.strip()}\n\n"
        f"What was said:\n\n{said}\n{rule} The end of page {number} {rule}"
    )


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values.get(found[1], found[0]), text)


LEAST_SOURCE = 300
"""Tokens of source text below which a page waits for the next paste."""
LONGER_WORD = 4
"""Letters of a word below which it does not show which message a page is about."""


@frozen
class SourceExcerpt:
    """A memory's source: each message as told, its tokens, how much it has to do with the memory."""

    units: tuple[tuple[str, int, int], ...]

    @property
    def tokens(self) -> int:
        """Return the token count of all units."""
        return sum(tokens for _, tokens, _ in self.units)


def tell_source(snapshot: Snapshot, memory: Memory, counter: "Counter") -> SourceExcerpt | None:
    """Return the messages a memory was made of; None if none of them is on this tape."""
    about = {word for word in fold(memory.body).split() if len(word) >= LONGER_WORD}
    phrases = [fold(phrase) for phrase in (memory.anchor, *quotations(memory.body)) if phrase]
    found: list[tuple[str, int, int]] = []
    for span in where_of(memory):
        try:
            shown = read_session(snapshot, span.session).shown()
        except ReelError:
            continue
        entries = [e for e in shown if not span.last or span.first <= (e.number or 0) <= span.last]
        if not entries:
            continue
        for _, unit in tell_entries(snapshot, span.session, entries):
            plain = fold(unit)
            shared = len(about.intersection(plain.split()))
            anchored = any(phrase in plain for phrase in phrases)
            found.append((unit, counter.count(unit) + 1, shared + 1000 * anchored))
    return SourceExcerpt(tuple(found)) if found else None


def share_out(sources: Sequence[SourceExcerpt], left: int, counter: "Counter") -> list[str]:
    """Return the source text of each memory: all of it if there is room, else its most relevant messages.

    Each is sure of `LEAST_SOURCE`, and `left` is the room beyond that, in tokens. Those that need little
    get it whole; the rest of the room is shared by the others.
    """
    room = [min(source.tokens, LEAST_SOURCE) for source in sources]
    left += sum(room)
    waiting = sorted(range(len(sources)), key=lambda at: sources[at].tokens)
    for place, at in enumerate(waiting):
        room[at] = min(sources[at].tokens, left // (len(waiting) - place))
        left -= room[at]
    return [_excerpt(source, room[at], counter) for at, source in enumerate(sources)]


def _excerpt(source: SourceExcerpt, room: int, counter: "Counter") -> str:
    if source.tokens <= room:
        chosen = set(range(len(source.units)))
    else:
        gap = counter.count(GAP)
        chosen = set()
        left = room
        for at in sorted(range(len(source.units)), key=lambda i: (-_worth(source.units[i]), i)):
            _, tokens, _ = source.units[at]
            if tokens + gap <= left:
                chosen.add(at)
                left -= tokens + gap
    if not chosen:
        best = max(range(len(source.units)), key=lambda i: _worth(source.units[i]))
        return shorten(source.units[best][0], room, counter).rstrip("\n")
    told: list[str] = []
    for at, (unit, _, _) in enumerate(source.units):
        if at in chosen:
            told.append(unit)
        elif not told or told[-1] != GAP:
            told.append(GAP)
    return "".join(told).rstrip("\n")


def _worth(unit: tuple[str, int, int]) -> float:
    """Return the relevance of a message to the page, relative to its length."""
    _, tokens, score = unit
    return score / math.sqrt(tokens + 20)
