"""Words of a chat behind a change that waits: whether they bear its value, and how the two differ.

A value is written by a page. A bundle and a screen may say of a chat only what its own words bear.
"""

from contextlib import suppress

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.own_words import LENT, NO
from reel_cli.core.evidence.unspaced_clause import shares_words
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import parse_source
from reel_cli.features.facts.evidence.fact_evidence import LIGHT
from reel_cli.features.facts.evidence.kept_value import find_lost
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import EXTRACTION, PERSON

_NUMBER = late(r"\d+(?:[.,:/]\d+)*")
_LONGEST = 200
"""Number of characters of a chat's words that are quoted."""


def quote_chat(snapshot: Snapshot, fact: Fact) -> str:
    """Return what its chat says in place of a known value; "" where it does not speak of that.

    It is the value where the chat bears it in full, and else the chat's own words.
    """
    words = fact.evidence
    if fact.dropped:
        return one_line(words, _LONGEST) if words and names_fact(fact, words) else ""
    if fact.origin == EXTRACTION and not words:
        # a value that is written as it was said has no words beside it
        return one_line(fact.value, _LONGEST)
    if fact.origin != PERSON and bears_value(fact, f"{words} {_read_turns(snapshot, fact)}"):
        return one_line(fact.value, _LONGEST)
    return one_line(words, _LONGEST)


def bears_value(fact: Fact, words: str) -> bool:
    """Return whether words have all that a fact's value says: its numbers, names, denials and other words."""
    if find_lost(fact.value, words, (fact.key,)):
        return False
    said = telling(words) | telling(fact.key) | LENT
    return telling(fact.value) <= said or shares_words(fact.value, words)


def says_value(fact: Fact, words: str) -> bool:
    """Return whether words bear a fact's value, and deny nothing that it does not."""
    denied = NO.search(even(words)) is not None and NO.search(even(fact.value)) is None
    return not denied and bears_value(fact, words)


def names_fact(fact: Fact, words: str) -> bool:
    """Return whether words name the thing that a fact is about."""
    mine = telling(f"{fact.key.replace('_', ' ')} {fact.value}") - LENT - LIGHT
    text = f"{fact.key} {fact.value}"
    return not mine or not mine.isdisjoint(telling(words)) or shares_words(text, words)


def tell_doubt(fact: Fact) -> str:
    """Return why a change that waits is doubted, as a clause; "" where its chat bears it."""
    words = one_line(fact.evidence, 120)
    if fact.dropped:
        return f"“{words}” does not name it" if words and not names_fact(fact, words) else ""
    if fact.origin != PERSON or not words or says_value(fact, words):
        return ""
    return tell_difference(fact.value, words) or f"the chat says only “{words}”"


def tell_difference(value: str, words: str) -> str:
    """Return the numbers that a page's value has otherwise than a chat's words; "" where none differ."""
    mine, theirs = (dict.fromkeys(_NUMBER.findall(even(text))) for text in (value, words))
    page, chat = [one for one in mine if one not in theirs], [one for one in theirs if one not in mine]
    return f"the page says {' and '.join(page)}, the chat says {' and '.join(chat)}" if page and chat else ""


def _read_turns(snapshot: Snapshot, fact: Fact) -> str:
    """Return the messages that a fact names as its source; "" where they cannot be read."""
    source = parse_source(fact.source)
    if source is None:
        return ""
    with suppress(ReelError):
        shown = read_session(snapshot, source.session).shown()
        return "\n".join(
            one.message.text for one in shown if source.first <= (one.number or 0) <= source.last
        )
    return ""
