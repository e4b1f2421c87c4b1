"""Reply policy in a kit's `behavior`: how long replies may be, and how list-like (SRIP-11 §III.5d).

It steers what prompts and chats ask for and what a server may write. The block itself is in no prompt; a
limit is told in a sentence, so that a reply is not cut in the middle of one.
"""

import re

from reel_cli.core.values.settings import WHOLE, Settings

NO_PENALTY = WHOLE * 8 // 10
"""Tolerance from which lists are as good as sentences."""
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")


def list_penalty(tolerance: int) -> int:
    """Return the penalty for a list, of `WHOLE`: none from a tolerance of 0.8 on, else the rest."""
    return 0 if tolerance >= NO_PENALTY else WHOLE - tolerance


def list_share(text: str) -> int:
    """Return the share of a text's lines that are list items, of `WHOLE`."""
    lines = [line for line in text.splitlines() if line.strip()]
    return sum(bool(_ITEM.match(line)) for line in lines) * WHOLE // len(lines) if lines else 0


def is_too_much_of_a_list(text: str, settings: Settings) -> bool:
    """Return whether a text that was to be prose is more of a list than is tolerated."""
    tolerance = settings.list_tolerance
    # from half of the lines where none is welcome, to all of them just below no penalty
    return list_penalty(tolerance) > 0 and list_share(text) > WHOLE // 2 + tolerance * 6 // 10


def reply_limit(settings: Settings, usual: int) -> int:
    """Return the most tokens asked of a reply; `usual` applies without a policy."""
    wanted = settings.reply_base or usual
    wanted = min(wanted, settings.reply_max) if settings.reply_max else wanted
    return max(wanted, settings.reply_min)


def has_policy(settings: Settings) -> bool:
    """Return whether the kit sets the length of replies."""
    return bool(settings.reply_base or settings.reply_min or settings.reply_max)


def wire_limit(settings: Settings, usual: int) -> int:
    """Return the most tokens that a server may write; 0 if the kit sets nothing."""
    return reply_limit(settings, usual) if has_policy(settings) else 0


def words_of(tokens: int) -> int:
    """Return the words that so many tokens are about, to the nearest ten."""
    return max(10, round(tokens * 3 / 40) * 10)


_NO_LIST = WHOLE * 2 // 10
"""Tolerance below which even a short list is unwelcome."""


def _on_lists(tolerance: int, against: str) -> list[str]:
    """Return the sentence on lists for a tolerance; none for the usual one. `against` asks for sentences."""
    if not list_penalty(tolerance):
        return ["A list is welcome where it says a thing sooner."]
    if tolerance > WHOLE // 2:
        return ["Sentences come first; a short list may stand where it says a thing sooner."]
    if tolerance == WHOLE // 2:
        return []
    return [f"{against} Not even a short one." if tolerance < _NO_LIST else against]


def chat_manner(settings: Settings, usual: int) -> str:
    """Return what a chat over a wire says of the form of answers; "" if the kit sets nothing."""
    told = _on_lists(settings.list_tolerance, "Answer in sentences, without lists.")
    if most := wire_limit(settings, usual):
        told.append(f"Keep an answer below {words_of(most):,} words.")
    return " ".join(told)


def manner_of(settings: Settings, usual: int) -> str:
    """Return a prompt's text on how to write; "" if the kit sets nothing."""
    told = _on_lists(
        settings.list_tolerance, "Write in sentences; no lists, but where one thing a line is asked for."
    )
    if has_policy(settings):
        words = words_of(reply_limit(settings, usual))
        told.append(f"All of it together may have about {words:,} words.")
    return "".join(f" {one}" for one in told)
