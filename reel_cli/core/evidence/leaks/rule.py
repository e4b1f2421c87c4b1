"""The shape of a rule that finds talk of how memory is kept, and the patterns that several rules share."""

import re
from enum import StrEnum

from reel_cli.core.frozen import frozen, late


class Leak(StrEnum):
    """Kinds of leak: ways in which a reply mentions the machinery."""

    NAME = "name"
    """A memory's or a session's number, or a file of the kit."""
    RING = "ring"
    CONSOLIDATION = "consolidation"
    STORE = "store"
    """A memory file, database, log or index."""
    KIT = "kit"
    CONTEXT = "context"
    """The prompt, the context window, what was loaded."""
    RECORD = "record"
    """Mention of records, logs and summaries of the conversations, or of retrieving."""
    ORDERS = "orders"
    """Words for its orders: directives, instructions, programming."""
    SELF = "self"
    """Being a file, or one instance of several."""
    MODEL = "model"
    """Being a language model or a program; a leak only where the identity is a person's."""
    CHECKUP = "checkup"
    """Assessing itself: drift, calibration, open loops."""
    TAG = "tag"
    """Syntax of STAGE or CHAIN."""
    REEL = "reel"


@frozen
class LeakRule:
    """One kind of words that are a leak: a phrase, and what must or must not stand around it."""

    kind: Leak
    phrase: re.Pattern[str]
    about: re.Pattern[str] | None = None
    """Pattern that must occur around the phrase."""
    unless: re.Pattern[str] | None = None
    """Pattern that must not occur around it."""


OURS = late(r"(?i)\b(?:you|your|yours|we|us|our)\b")
MACHINE = late(
    r"(?i)memor(?!ial)|\bremember|\brecall\b|\bforg[eo]t|\bgist\b|\bprun|\bcompress|\bsessions?\b"
    r"|\bconversations?\b"
    r"|\bchats?\b|\binstance\b|\bcontext\b|\bnext time\b|\bfor later\b|\bidentity\b|\bpersona\b"
)
ME = late(r"(?i)\b(?:I|me|my|mine|myself)\b")
WORK = (
    r"(?i)\bat work\b|\bsoftware\b|\bdeveloper|\bpython\b|\bjavascript|\bserver\b|\bmodel's\b|\bbridge\b"
    r"|\bpolice|\bborder\b|\bsoldier"
    r"|\bmarathon|\brace\b|\bthesis\b|\bcustomer|\bclient|\bcompany|\bproject\b|\bCPU\b|\bkernel"
    r"|\bapartment|\bflat\b"
)
ASSESSES = late(r"(?i)\bdrift|\bbaseline\b|\bregister\b|\bcalibrat|\bcheckpoints?\b|\bcoheren|\bpersona\b")
PLAY = (
    r"(?i)arcade|game|subway|metro|laundr|coin|parking|crypto|blockchain|ethereum|casino|fair|bus\b"
    r"|slot|poker|board"
)
TALKS = r"(?:session|conversation|chat|exchange|talk)s?"
DAYS = r"(?:(?:last|previous|earlier|past|latest|first|recent|own) ){0,2}"
HOLDS = (
    r"files?|databases?|stores?|logs?|ind(?:ex|exes|ices)|entr(?:y|ies)|records?|kit|systems?|bundle|ledger"
)
REMEMBERS = late(
    r"(?i)memor|\bremember|\brecall\b|consolidat|exemplar|identity core|open loops?|\bprun|anchor|\bindex"
)


def rule(kind: Leak, phrase: str, about: re.Pattern[str] | None = None, unless: str = "") -> LeakRule:
    """Return a rule whose patterns are compiled when they are first used."""
    return LeakRule(kind, late(phrase), about, late(unless) if unless else None)
