"""What a kit's `behavior` asks of replies: how long they may be, and how much of a list (SRIP-11 §III.5d).

It steers what prompts ask for, and is never itself in a prompt.
"""

import re

from reel_cli.core.values.settings import WHOLE, Settings

NO_PENALTY = WHOLE * 8 // 10
"""From this tolerance on lists are as good as sentences."""
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")


def list_penalty(tolerance: int) -> int:
    """What speaks against a list, of `WHOLE`: nothing from 0.8 on, else the less it is tolerated the more."""
    return 0 if tolerance >= NO_PENALTY else WHOLE - tolerance


def list_share(text: str) -> int:
    """How much of a text is list items, of `WHOLE`, by lines."""
    lines = [line for line in text.splitlines() if line.strip()]
    return sum(bool(_ITEM.match(line)) for line in lines) * WHOLE // len(lines) if lines else 0


def is_too_much_of_a_list(text: str, settings: Settings) -> bool:
    """Whether a text that was to be told in sentences is more of a list than is tolerated."""
    return list_share(text) * list_penalty(settings.list_tolerance) > WHOLE * WHOLE // 2


def reply_limit(settings: Settings, usual: int) -> int:
    """How many tokens a reply is asked to have at most, where `usual` would be without a policy."""
    wanted = settings.reply_base or usual
    wanted = min(wanted, settings.reply_max) if settings.reply_max else wanted
    return max(wanted, settings.reply_min)


def has_policy(settings: Settings) -> bool:
    """Whether the kit says how long replies are to be."""
    return bool(settings.reply_base or settings.reply_min or settings.reply_max)


def words_of(tokens: int) -> int:
    """About so many words are that many tokens, to the nearest ten."""
    return max(10, round(tokens * 3 / 40) * 10)


def manner_of(settings: Settings, usual: int) -> str:
    """What a prompt says of how to write: nothing where the kit says nothing of it."""
    told = []
    penalty = list_penalty(settings.list_tolerance)
    if not penalty:
        told.append("A list is welcome where it says a thing sooner.")
    elif penalty > WHOLE // 2:
        told.append("Write in sentences; no lists, but where one thing a line is asked for.")
    if has_policy(settings):
        words = words_of(reply_limit(settings, usual))
        told.append(f"All of it together may have about {words:,} words.")
    return "".join(f" {one}" for one in told)
