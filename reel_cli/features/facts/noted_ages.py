"""Ages among the facts: one that was told a year ago no longer holds."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import read_day
from reel_cli.core.tape.tape_view import retracted
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, read_facts
from reel_cli.features.facts.policy import category_of, current_facts, is_aside, is_own

A_YEAR = 365
"""Days after which somebody is a year older."""
_NAMES = late(r"(?i)(?:.*[\W_])?(?:age|alter|edad|âge|idade|età|возраст|年齢|年龄|나이)(?:[\W_].*)?")
_OF_AGE = late(
    r"(?i)\d+[\s-]*(?:years?|yrs?)[\s-]+old\b|\d+ (?:Jahre alt|ans|años|anos|anni)\b"
    r"|\d+\s*(?:лет|год|歳|岁|歲)"
)

_YEAR = late(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_INTRODUCED = late(r"(?P<who>[^\d,]+), \d{1,3}")
"""Pattern of a name with an age behind it, like `Maria, 52`; `Elm Street, 52` is built alike."""
_A_NAME = late(r"(?i)(?:.*[\W_])?name")


def list_passed_ages(snapshot: Snapshot, today: date) -> Sequence[tuple[str, str, str]]:
    """Return the ages in bundles that are a year old: name, value, and the day of each (ISO 8601).

    Empty where facts cannot be read. The persona's own age may be that of a tale, and is none.
    """

    def look(_path: str) -> list[list[str]]:
        return [[one.key, one.value, day.isoformat()] for one, day in _ages(snapshot)]

    if not snapshot.peek(FACTS, 1):
        return ()
    try:
        known = " ".join((str(snapshot.settings.facts_sure), *sorted(retracted(snapshot))))
        found = snapshot.note(f"ages {known}", [FACTS], look)[FACTS]
    except ReelError:
        return ()
    return [
        (key, value, day) for key, value, day in found if (today - date.fromisoformat(day)).days >= A_YEAR
    ]


def _ages(snapshot: Snapshot) -> Iterator[tuple[Fact, date]]:
    for one in current_facts(read_facts(snapshot)):
        day = read_day(one.source) or read_day(one.when)
        if day is None or is_own(one) or is_aside(one, snapshot.settings.facts_sure):
            continue
        # a year of birth, or an age on a day of a year, stays as it is
        named = _NAMES.fullmatch(one.key) and re.search(r"\d", one.value) and not _YEAR.search(one.value)
        if named or _is_introduced(one, snapshot.settings.user) or _OF_AGE.search(one.value):
            yield one, day


def _is_introduced(one: Fact, user: str) -> bool:
    """Return whether a fact is a name and an age: the user's, or of somebody whom its own name tells."""
    found = _INTRODUCED.fullmatch(one.value) if category_of(one) == "identity" else None
    if found is None:
        return False
    who = telling(found["who"])
    return bool(_A_NAME.fullmatch(one.key)) or (bool(who) and who <= telling(f"{user} {one.key}"))
