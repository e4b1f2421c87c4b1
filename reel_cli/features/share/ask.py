"""The exchange by which a kit takes a shared memory in: its prompt, its reply, and what nobody told it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded, told
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.exchange.consolidation import parse_consolidation
from reel_cli.core.exchange.exchange import Exchange
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words
from reel_cli.core.pack.words import quote_page, tell_turn
from reel_cli.core.stage_chain import remove_syntax, scene_tags
from reel_cli.core.values.artifact import Consolidation, Problem
from reel_cli.features.share.files import LIVED, TOLD, Line, SharedMemory
from reel_cli.features.share.policy import heard_by, how_known
from reel_cli.features.share.reply import TellingPrompt, read_telling, render_telling
from reel_cli.features.share.shared_kit import SharedKit

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.values.settings import Settings

KIND = "share"
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_HELD = frozenset({Claim.QUOTE, Claim.NAME, Claim.NUMBER, Claim.DATE})
"""Kinds of detail that an account in other words must have from its source."""


@dataclass(frozen=True, slots=True)
class ShareAsk(Exchange):
    """A prompt that asks for one shared memory in the taker's own words.

    `shared` is its ID, `kit` the taker's name in the shared kit, `text` what the prompt told, `how` told
    or lived.
    """

    kind = KIND

    shared: str
    kit: str
    how: str
    text: str
    prompt: str
    ring0: str

    @property
    def name(self) -> str:
        """Return the name it is remembered by."""
        return f"{KIND}.{self.shared}"

    def is_sound(self) -> bool:
        """Return whether it is about a shared memory."""
        return bool(self.shared and self.kit) and self.how in (TOLD, LIVED)


def text_for(one: SharedMemory, kit: str, shared: SharedKit) -> str:
    """Return what a kit may hear of a shared memory: the words it was there for, else what is told."""
    heard = heard_by(one, kit, shared.kits)
    if not heard:
        return quote_page(remove_syntax(one.told), ())
    names = tuple(dict.fromkeys(line.who for line in heard))
    also = scene_tags(line.text for line in heard)
    return "\n\n".join(tell_turn(line.who, remove_syntax(line.text, also) or "…", names) for line in heard)


def title_for(one: SharedMemory, kit: str, shared: SharedKit) -> str:
    """Return what a kit may know a shared memory by.

    The giver's title tells also what was said without the others who were there.
    """
    lived = how_known(one, kit, shared.kits) == LIVED
    return f"With {shared.teller_of(one)}" if lived else one.title


def ask_to_take(
    one: SharedMemory, kit: str, shared: SharedKit, settings: "Settings", ring0: "Ring0"
) -> ShareAsk:
    """Return the prompt by which a kit takes a shared memory in."""
    how = how_known(one, kit, shared.kits)
    text = text_for(one, kit, shared)
    shown = TellingPrompt(
        name=settings.name,
        teller=shared.teller_of(one),
        identity=ring0.text,
        title=title_for(one, kit, shared),
        day=in_words(one.day),
        text=text,
        lived=how == LIVED,
    )
    return ShareAsk(one.id, kit, how, text, render_telling(shown), ring0.blob)


@frozen
class TakenPage:
    """A page that a kit wrote of a shared memory: the exchange it answers, and who told it.

    `heard` are the messages that its persona was there for.
    """

    ask: ShareAsk
    one: SharedMemory
    teller: str
    page: Consolidation
    heard: Sequence[Line] = ()


def read_taking(ask: ShareAsk, settings: "Settings", reply: str) -> tuple[Consolidation | None, str]:
    """Return a reply as a page; None with the reason why none of it can be used."""
    reading = read_telling(reply, prompt=ask.prompt, names=(settings.name,))
    if reading.is_prompt:
        return None, "That is the prompt itself, not the answer to it."
    if not reading.values:
        return None, "That reply has none of the headings."
    if reading.empty("happened") or not reading.text("happened"):
        return None, 'That reply leaves "What happened" empty.'
    return parse_consolidation(reading)[0], ""


def find_unheard(taken: TakenPage, settings: "Settings", identity: str, now: datetime) -> Sequence[Problem]:
    """Return the quotations, names, numbers and dates of a page that nobody told."""
    one, teller, page = taken.one, taken.teller, taken.page
    who = " ".join(dict.fromkeys((settings.name, settings.user, teller, *(line.who for line in taken.heard))))
    title = f"With {teller}" if taken.ask.how == LIVED else one.title
    told_on = f"{teller} told {settings.name} on {day_in_words(now.date())}: {title}, {in_words(one.day)}."
    told_by = [(line.who, remove_syntax(line.text)) for line in taken.heard] or [(teller, taken.ask.text)]
    turns = [Turn(0, name, text, read_day(one.day)) for name, text in told_by]
    turns.append(Turn(0, teller, told_on, now.date()))
    source = Source([look_at_turn(turn) for turn in turns], f"{who} {identity}", who)
    texts = (page.happened, page.matters, page.marker)
    parts = [" ".join(part.split()) for text in texts for part in _PARAGRAPH.split(text) if part.strip()]
    found = find_ungrounded([Stretch(part, ((0, 1),), told=True) for part in parts], source)
    return [Problem(f"grounding.{one.kind.value}", told(one)) for one in found if one.kind in _HELD]


def read_day(text: str) -> date | None:
    """Return an ISO day; None where the text is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def in_words(text: str) -> str:
    """Return an ISO day in words; "" where the text is none."""
    day = read_day(text)
    return day_in_words(day) if day is not None else ""
