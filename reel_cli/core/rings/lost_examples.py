"""Examples of which a purge took words: no bundle shows them until a person writes them anew."""

from collections.abc import Sequence

from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.memory import Exemplar

_NAMED = 3
_LONGEST = 40


def list_lost(snapshot: Snapshot) -> Sequence[Exemplar]:
    """Return the examples of which a purge took words, and that nobody took out of use."""
    if b"purge" not in (snapshot.read(EVENTS) or b""):
        return ()
    resting = snapshot.active.resting
    return [one for one in snapshot.exemplars.values() if one.lost_words and one.slug not in resting]


def retire_command(snapshot: Snapshot, lost: Sequence[Exemplar]) -> str:
    """Return the command that takes them out of use; the one in every bundle is first replaced by another."""
    now, names = snapshot.active, [one.slug for one in lost]
    others = [slug for slug in now.active if slug != now.anchor and slug not in names]
    if others and now.anchor in names:
        return f"reel example anchor {others[0]}"
    return f"reel example retire {' '.join(names)}"


def tell_lost(lost: Sequence[Exemplar]) -> str:
    """Return that a purge took words of these examples, and what follows, without a full stop."""
    names = name_some([f"“{one_line(one.title, _LONGEST)}”" for one in lost], _NAMED)
    return f"a purge took words of {names}, so no bundle shows {'it' if len(lost) == 1 else 'them'}"
