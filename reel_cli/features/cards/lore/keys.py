"""Messages about keys of a lorebook that cannot be phrases: they are kept, and exported again."""

from collections.abc import Sequence

from reel_cli.core.values.change import one_line
from reel_cli.features.cards.lore.book import LoreEntry
from reel_cli.features.cards.macros import clean_text

SHOWN = 40
"""A pattern is shown in so many letters."""


def tell_keys(entries: Sequence[LoreEntry], kept: str) -> list[str]:
    """Return messages about the keys of these entries that are not used; `kept` is the file with them."""
    held = [entry for entry in entries if entry.held]
    patterns = [key for entry in held for key in entry.patterns]
    told = []
    if patterns:
        first = one_line(clean_text(patterns[0]), SHOWN)
        which = "1 key is a pattern" if len(patterns) == 1 else f"{len(patterns):,} keys are patterns"
        whose = "its entry is" if len(patterns) == 1 else "their entries are"
        told.append(
            f"{which} ({first}). A pattern cannot be said in a chat, so {whose} found by other keys,"
            " or by name and words."
        )
    more = sum(entry.unquoted for entry in held)
    if more:
        told.append(
            f"{more:,} {'key is' if more == 1 else 'keys are'} too long for a phrase, or one too many."
        )
    double = sum(entry.doubled for entry in held)
    if double:
        told.append(f"{double:,} {'key stands' if double == 1 else 'keys stand'} twice, and count once.")
    if told:
        told[-1] += f" All keys stay in {kept}, and go out as they came."
    return told
