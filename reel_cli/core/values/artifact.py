"""Artifacts of the protocol in a model's reply, read and typed."""

from dataclasses import field
from enum import StrEnum

from reel_cli.core.frozen import frozen


@frozen
class Problem:
    """A part of a reply that is missing, ambiguous or not supported by the tape."""

    field: str
    what: str
    waits: bool = False
    """True where it is of something that waits for a decision of its own, which gives the reason again."""
    quiet: bool = False
    """True where nobody can tell, so that only who asks for every word is shown it."""


@frozen
class Consolidation:
    """The five fields of REEL §6.2, and what has defaults: title, tags, immunity, marker, tag.

    `anchors` are the phrases as the model gave them, not yet held against the tape.
    """

    happened: str
    changed: str
    matters: str
    unresolved: tuple[str, ...]
    anchors: tuple[str, ...]
    title: str = ""
    tags: tuple[str, ...] = ()
    immune: bool = False
    immune_reason: str = ""
    marker: str = ""
    tag: str = ""
    asked_as: tuple[str, ...] = ()
    """Questions or topics that may lead back to it, in other words than were said."""


class Verdict(StrEnum):
    """Answers of the persona on whether a thing holds."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    UNSURE = "unsure"


@frozen
class Delta:
    """The change of working memory by a checkpoint; numbers are those the prompt gave the items.

    `still`, `closed` and `changed` refer to items of ring 2 by number or, where the reply gave none, by text.
    """

    still: tuple[int, ...] = ()
    closed: tuple[int, ...] = ()
    changed: tuple[tuple[int, str], ...] = ()
    new: tuple[str, ...] = ()
    state: str = ""
    unmatched: tuple[str, ...] = ()
    """Lines that name no item that exists; shown, and they change nothing."""
    settled_by: tuple[tuple[int, str], ...] = field(default=(), compare=False)
    """The words behind `closed`, by the item's number: what is to have been said that settles it."""


@frozen
class Checkpoint:
    """A self-assessment (REEL §6.6), typed; `given` keeps each field's own words."""

    coherence: Verdict
    coherence_text: str
    calibration: str
    drift: Verdict
    drift_text: str
    paper: bool
    """True if a change of ring 0 is suggested."""
    paper_text: str
    show: tuple[str, ...] = ()
    """Exchanges worth showing again: first lines, as given."""
    rest: tuple[str, ...] = ()
    """Examples to rest, as given."""
    delta: Delta = Delta()
    open_loops: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    timestamp: str = ""
    short: bool = False
    """True for the checkpoint of a short page: what the persona says nothing of is blank, not unsure."""
    given: dict[str, str] = field(default_factory=dict)
