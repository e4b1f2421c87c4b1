"""The review of a reply's facts: which are noted, refused or waiting, and how a person is told so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reel_cli.core.evidence.own_words import QUOTED_LINE, without_idle_questions
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.features.facts.evidence.fact_clause import DENIED, ELSE
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.held_facts import part_facts
from reel_cli.features.facts.plan import newly_resting, without_too_many
from reel_cli.features.facts.reply import ToldFact


@dataclass(frozen=True, slots=True)
class FactReview:
    """The assessment of a reply: the new facts, the refused ones with reasons, and notes."""

    facts: tuple[Fact, ...] = ()
    refused: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    rests: tuple[Fact, ...] = ()
    waits: tuple[Fact, ...] = ()
    """Changes of what protects somebody, and facts about the persona if nobody reviewed them."""
    clashes: tuple[Fact, ...] = ()
    """Those of `facts` that contradict what they replace."""
    aside: tuple[Fact, ...] = ()
    """Facts that nobody can tell; they are noted, and go into no bundle."""
    ended: tuple[Fact, ...] = ()
    """Facts that end, since one of `facts` has the same under the right name."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return all its problems."""
        return (*self.refused, *self.notes)


def settle_review(
    snapshot: Snapshot,
    review: FactReview,
    unread: Mapping[Fact, str] | None,
    noted: Sequence[Fact],
    counter: Counter,
) -> FactReview:
    """Return a review without the facts that wait or have no room; `unread` are the words of each, by fact.

    They are None where somebody reads the review before it is kept.
    """
    made, waits = review.facts, review.waits
    if unread is not None:
        # what the persona told of itself is its own, whether or not it has its name in it
        theirs = [one for one in made if not one.said_by]
        told = {one: without_idle_questions(words, one.value) for one, words in unread.items()}
        _, about = part_facts(theirs, told, snapshot.settings.name)
        made, waits = tuple(one for one in made if one not in about), (*about, *waits)
    kept, full = without_too_many(snapshot, noted, made, counter)
    rests = newly_resting(snapshot, noted, kept)
    refused = [problem_of(one, "not kept: the facts' share is full") for one in full]
    notes = [problem_of(one, "set aside from now on, so that there is room") for one in rests]
    clashes = tuple(one for one in review.clashes if one in kept)
    return replace(
        review, facts=tuple(kept), refused=(*review.refused, *refused), notes=(*review.notes, *notes),
        rests=tuple(rests), waits=tuple(waits), clashes=clashes,
    )  # fmt: skip


def is_against(why: str) -> bool:
    """Return whether a reason is that the chat speaks against a fact, and not that nobody can tell.

    It has another number or day, denies it, or tells it of somebody else.
    """
    return why.endswith((DENIED, ELSE)) or why.startswith(OTHER)


OTHER = "its words say “"
"""The beginning of a reason: the chat has another number or day than a fact."""


def notes_of(one: ToldFact, borne: FactSupport) -> list[Problem]:
    """Return what of a fact was left out, and whether its year was guessed.

    That it is kept in the words that were said is seen where it is shown.
    """
    notes: list[Problem] = []
    if borne.left_out:
        other = _other_number(borne.left_out, borne.words, one.value)
        said = f"; it says “{other}”" if other else ""
        left = problem_of(one, f"kept without “{borne.left_out}”, which “{borne.words}” does not say{said}")
        # what only nobody said is seen where the fact is shown; a wrong number is not
        notes.append(replace(left, quiet=not other))
    if borne.open_year:
        what = f"the year was not said; “{one.value}” was assumed, check it"
        notes.append(problem_of(one, what))
    return notes


def _other_number(left: str, words: str, value: str) -> str:
    """Return the number that words have in place of one that was left out of a value; "" for none."""
    mine, theirs = (dict.fromkeys(_NUMBER.findall(text)) for text in (left, words))
    others = [one for one in theirs if one not in _NUMBER.findall(value)]
    return others[0] if others and any(one not in theirs for one in mine) else ""


_NUMBER = late(r"['’]?\d+(?:[.,:]\d+)*")


def with_line(why: str, words: str) -> str:
    """Return a reason with the line that it is about, in place of `the line it quotes`."""
    return why.replace(QUOTED_LINE, f"“{one_line(words, 60)}”") if words else why


def problem_of(one: ToldFact | Fact, what: str) -> Problem:
    """Return a note on a fact, which is named by its kind and key, or else by its value."""
    name = ", ".join(part for part in (one_line(one.category, 30), one_line(one.key, 40)) if part)
    return Problem("facts", f"{name or f'“{one_line(one.value, 40)}”'}: {what}")
