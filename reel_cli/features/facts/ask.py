"""Exchange about facts: the stretch of tape that is searched, and its prompt."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.exchange.exchange import Exchange
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Session, SourceRange
from reel_cli.features.facts.adapters import adapter_of, known_categories
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.policy import ABOUT, category_of, current_facts, is_aside, is_nameless
from reel_cli.features.facts.reply import FactRequest, render_facts_prompt
from reel_cli.features.facts.rounds import turns_of
from reel_cli.features.page.prompt.values import REPLY_SHARE

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.features.facts.fact import Fact

NAME = "fact.extract"
"""Name under which the ask that waits for its reply is remembered: one at a time."""
MOST_KNOWN, MOST_NAMED = 16, 30
"""Numbers of facts that a prompt names as known: with their values, and by their keys alone.

What is told again changes nothing.
"""


_LASTS = ("identity", "relationships", "history")
"""Kinds of facts that what is said of them seldom changes."""


@frozen
class FactsAsk(Exchange):
    """An ask for facts that was, or could be, handed out: the stretch of tape, and its prompt."""

    kind = "facts"
    name = NAME

    span: SourceRange
    prompt: str
    ring0: str


def wanted_of(snapshot: "Snapshot", said: str = "") -> FactRequest:
    """Return the kinds of fact, and the facts held already.

    Those that what was `said` may have changed come first, those of the present before what has happened;
    newer ones stand before older ones.
    """
    # what rests is known all the same, but for what is not sure
    sure = [
        one
        for one in current_facts(read_facts(snapshot))
        if not (is_aside(one, snapshot.settings.facts_sure) or is_nameless(one))
    ]
    people = telling(f"{snapshot.settings.name} {' '.join(snapshot.settings.people)}")
    touched = _touched(sure, said, people)
    # of two that are touched alike the one noted last
    order = sorted(enumerate(sure), key=lambda one: (touched[one[0]], one[1].when, one[0]), reverse=True)
    first = [one for _, one in order]
    known = [f"{category_of(one)} | {one.key} | {one.value}" for one in first[:MOST_KNOWN]]
    keys = [one.key for one in first[MOST_KNOWN : MOST_KNOWN + MOST_NAMED]]
    adapter = adapter_of(snapshot)
    kinds = [
        f"{one} ({about})" if (about := adapter.categories.get(one) or ABOUT.get(one)) else one
        for one in known_categories(snapshot)
    ]
    return FactRequest(kinds, adapter.look and f"Look above all for this: {adapter.look}", known, keys)


def _touched(facts: "Sequence[Fact]", said: str, people: frozenset[str]) -> Sequence[float]:
    """Return how much what was said speaks of each fact: the sentences with its name, then its words.

    A word counts less the more facts have it and the more often it was said.
    """
    plain = even(said)
    told = [telling(plain[start:end]) for start, end in sentences(plain)]
    spoken = Counter(word for words in told for word in words)
    mine = [telling(f"{one.key} {one.value}") - people for one in facts]
    held = Counter(word for words in mine for word in words)
    found: list[float] = []
    for one, words in zip(facts, mine, strict=True):
        key = telling(one.key) - people
        near = sum(bool(key) and key <= there for there in told)
        weight = sum(
            1 / (held[word] * (1 + math.log(spoken[word]))) for word in sorted(words & spoken.keys())
        )
        goes_on = weight > 0 and category_of(one) not in _LASTS
        found.append(math.log1p(near) + _OF_WORDS * weight + goes_on)
    return found


_OF_WORDS = 0.6
"""Weight of the words of a fact against the sentences that have its name."""


def make_facts_ask(
    snapshot: "Snapshot",
    ring0: "Ring0",
    tokenizer: "Tokenizer",
    gone: Sequence[SourceRange],
    session: str | None = None,
) -> FactsAsk | None:
    """Return the next stretch to search, of a session or of the oldest that has one, or None.

    A session that is named and was gone through is gone through again. Raises ReelError where there is no
    such session, or no room.
    """
    for name in [session] if session else standing_sessions(snapshot):
        lived = read_session(snapshot, name)
        turns = turns_of(lived, gone) or (turns_of(lived) if session else [])
        if turns:
            return _ask_from(snapshot, ring0, tokenizer, lived, turns[0])
    return None


def _ask_from(
    snapshot: "Snapshot", ring0: "Ring0", tokenizer: "Tokenizer", session: Session, first: int
) -> FactsAsk:
    """Return the ask for as many messages as the window holds, from one of them on."""
    from reel_cli.features.page.ask_memory import LEAST_TRANSCRIPT, fill_stretch

    settings = snapshot.settings
    when = f" on {day_in_words(talk_day(snapshot, session))}"
    wanted = wanted_of(snapshot, "\n".join(one.message.text for one in session.shown()))

    def render(said: str) -> str:
        return render_facts_prompt(settings.name, settings.user, ring0.text, said, when, wanted)

    frame = tokenizer.count(render(""))
    room = settings.cap - settings.cap * REPLY_SHARE // WHOLE - frame
    if room < LEAST_TRANSCRIPT:
        message = f"A {settings.cap:,}-token {settings.held_to} has no room for this:"
        message += f" the prompt alone needs {frame:,}."
        raise ReelError(message, hint=settings.raised_by)
    entries = [entry for entry in session.shown() if (entry.number or 0) >= first]
    batch, said = fill_stretch(session.id, entries, room, tokenizer, snapshot)
    numbers = [entry.number or 0 for entry in batch]
    return FactsAsk(SourceRange(session.id, min(numbers), max(numbers)), render(said), ring0.blob)
