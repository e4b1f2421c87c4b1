"""A fact of a reply in the words that it is noted in."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reel_cli.core.evidence.grounding.lexicon import even, quote_key, telling
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.own_words import OF_ANOTHER, is_named
from reel_cli.core.frozen import late
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.facts.evidence.fact_clause import whole_words
from reel_cli.features.facts.evidence.fact_context import FactContext
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.evidence.key_meaning import OWNER
from reel_cli.features.facts.evidence.statement_evidence import bears_statement, has_details
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import EXTRACTION, OWN, PERSONA, read_category
from reel_cli.features.facts.reply import ToldFact

LONGEST_STATEMENT = 240
_IDENTITY = "identity"
_NAME_KEY = late(r"(?i)(?:my |your |user(?:'s)? )?(?:(?:full|first|given|real|nick) ?)?name(?: to call)?")


def word_fact(context: FactContext, one: ToldFact, borne: FactSupport, *, own: bool) -> Fact:
    """Return a fact of a reply as it is noted, with its source and the words it rests on."""
    kind = one.category if one.category in context.kinds else read_category(one.category)
    source = f"{borne.session or context.session.id}#{borne.place}"
    fact = Fact(
        OWN if own else kind, one.key, borne.value, f"{one.sure / WHOLE:g}", source, borne.day,
        origin=EXTRACTION, said_by=PERSONA if own else "",
    )  # fmt: skip
    speakers = (borne.speaker or context.settings.user, context.settings.name)
    near = None if borne.session else context.heard.near(borne)
    return _worded(fact, one, borne, speakers[::-1] if own else speakers, near)


def _worded(
    fact: Fact, one: ToldFact, borne: FactSupport, speakers: tuple[str, str], near: Source | None
) -> Fact:
    """Return a fact with its statement, where the words bear it, and the words where they are needed.

    `speakers` are the one who said it, and the other; `near` are the turns around.
    """
    stated, words = one_line(one.statement), borne.words
    if borne.wider:
        # the turns around say the rest, and stand with it
        words = f"{borne.wider} / {borne.words}"
    if (
        stated
        and len(stated) <= LONGEST_STATEMENT
        and has_details(stated, fact.value)
        and bears_statement(stated, borne, one.key, speakers, near)
    ):
        return replace(fact, statement=stated, evidence=words)
    if borne.speaker:
        # a bundle gives what has no statement to the user
        quoted = one_line(whole_words(borne), LONGEST_STATEMENT - len(borne.speaker))
        return replace(fact, statement=f"{borne.speaker}: “{quoted}”", evidence=borne.words)
    as_said = " / " not in borne.words and " ".join(fact.value.split()).casefold() in borne.words.casefold()
    return fact if as_said else replace(fact, evidence=words)


def user_names(context: FactContext, told: Iterable[ToldFact]) -> tuple[str, ...]:
    """Return the names that the user gave: those known by heart, and those that a reply quotes from them.

    The kit may have none (`You`), or another than the one that is said.
    """
    known = (one for name, one in context.standing.items() if name[0] == _IDENTITY)
    found = [one.value for one in known if _is_name(one.key)]
    users = (one.message.text for one in context.session.shown() if one.message.role == "user")
    said = [quote_key(even(text)) for text in users]
    for one in told:
        words = quote_key(even(one.evidence)).strip()
        if read_category(one.category) != _IDENTITY or not _is_name(one.key) or not words:
            continue
        own = OF_ANOTHER.search(one.evidence) is None and is_named(one.evidence, one.value)
        if own and any(words in text for text in said):
            found.append(one.value)
    return tuple(dict.fromkeys(found))


def _is_name(key: str) -> bool:
    return _NAME_KEY.fullmatch(" ".join(key.replace("_", " ").split())) is not None


def of_whom(one: ToldFact, speakers: Sequence[str]) -> ToldFact:
    """Return a fact that is given as who the user is, and is of somebody else, among what is the case.

    `Wren's age` may be that of a neighbour, or of somebody in a tale. `speakers` are the names of the two.
    """
    if read_category(one.category) != _IDENTITY:
        return one
    key = OWNER.match(even(one.key))
    subject = _SUBJECT.match(even(one.statement))
    owner = key["who"] if key is not None else subject[0] if subject is not None else ""
    both = telling(" ".join(speakers))
    theirs = telling(owner) - both
    if not theirs or any(is_named(one.statement, who) for who in speakers):
        return one
    return replace(one, category="context")


_SUBJECT = late(r"(?!(?:The|This|That|It|He|She|They|My|Her|His|Their|There|Now|A|An|I)\b)[A-Z][\w-]+")
