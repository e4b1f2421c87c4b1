"""Secrets told in a chat, in forms that nothing else has: a password, a PIN, a card number."""

import re
from collections.abc import Iterable, Iterator

from reel_cli.core.frozen import late

_OF = r"(?: (?:for|of|to) [^.!?:;,\n]{1,40}?)?"
_IS = r"(?:\s+(?:is|ist)(?: now)?:?|['’]s|\s*[:=])\s+"
_PASSWORD = late(
    rf"(?i:\b(?:pass(?:word|code|phrase)|passwort|kennwort)\b{_OF}{_IS})"
    r"(?:[\"“„'‘`](?P<quoted>[^\"“”'’`\n]{4,64})[\"“”'’`]|(?P<bare>[^\s\"“”„]{6,64}))"
)
_PIN = late(
    rf"(?:\bPIN\b|(?i:\bmy pin\b|\bpin (?:code|number)\b))(?i:{_OF}(?:{_IS}|\s+))"
    r"[\"“]?(?P<pin>\d{4,8})(?![\d.,:/-]*\d)"
)
_YEAR = late(r"(?:19|20)\d\d")
_CARD = late(r"(?<![\d+.,-])[2-6](?:[ -]?\d){12,18}(?![\d.,-]*\d)")
_CARD_SIZES = (13, 15, 16, 19)


def find_secrets(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each secret that is told in texts, once, as its kind and its words."""
    seen = set[str]()
    for text in texts:
        for kind, secret in _find(text):
            if secret not in seen:
                seen.add(secret)
                yield kind, secret


def _find(text: str) -> Iterator[tuple[str, str]]:
    for one in _PASSWORD.finditer(text):
        bare = (one["bare"] or "").rstrip(".,;:!?)")
        # a plain word may be what is said of a password: `the password is forgotten`
        if one["quoted"] or ("://" not in bare and re.search(r"\d|[^\w'’-]|\w[A-Z]", bare)):
            yield "password", one["quoted"] or bare
    for one in _PIN.finditer(text):
        # a year stands in many other places, which a purge of it would reach
        if not _YEAR.fullmatch(one["pin"]):
            yield "PIN", one["pin"]
    for one in _CARD.finditer(text):
        digits = re.sub(r"\D", "", one[0])
        if len(digits) in _CARD_SIZES and _is_card(digits):
            yield "card number", one[0]


def _is_card(digits: str) -> bool:
    """Return whether the last digit of a number checks the others, as on every card (Luhn)."""
    doubled = [int(one) * (1 + at % 2) for at, one in enumerate(reversed(digits))]
    return sum(one - 9 * (one > 9) for one in doubled) % 10 == 0 and len(set(digits)) > 1
