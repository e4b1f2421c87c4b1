"""Signs of what may be worth keeping: the reasons, their weights, and the rules of one language."""

from collections.abc import Mapping, Sequence
from re import IGNORECASE, MULTILINE, Pattern
from typing import NamedTuple

from reel_cli.core.frozen import late

REMEMBER, CORRECTION = "asked to be remembered", "a correction"
REMIND = "asked to be reminded"
HEALTH = "something about health or limits"
PROMISE, APPOINTMENT = "a promise", "an appointment"
WHO, LIFE = "something about who they are", "something that happened in their life"
DECISION, FEELING, HABIT = "a decision", "a strong feeling", "a habit or a taste"
WEIGHTS: Mapping[str, int] = {
    REMEMBER: 10,
    REMIND: 10,
    CORRECTION: 9,
    HEALTH: 9,
    PROMISE: 8,
    WHO: 8,
    LIFE: 8,
    APPOINTMENT: 8,
    DECISION: 7,
    FEELING: 5,
    HABIT: 4,
}
"""Weight of each reason for which something may be worth keeping."""
REASONS: Mapping[str, str] = {
    "remember": REMEMBER,
    "correction": CORRECTION,
    "health": HEALTH,
    "promise": PROMISE,
    "who": WHO,
    "life": LIFE,
    "decision": DECISION,
    "feeling": FEELING,
    "habit": HABIT,
}
"""The reasons for which each language has signs, by the names in its rules."""
FOR_A_DAY = frozenset((REMEMBER, REMIND, PROMISE, APPOINTMENT))
"""The reasons for which something is brought up again on a day that it names."""


class Sign(NamedTuple):
    """One reason, and what shows it; where it has `cues`, it needs one of them in small letters.

    It shows nothing in a clause that `denied` matches, or in a sentence that `retold` does.
    """

    why: str
    cues: Sequence[str]
    told: Pattern[str]
    denied: Pattern[str] | None = None
    retold: Pattern[str] | None = None


class Rules(NamedTuple):
    """The signs of one language, and what makes an appointment: an expected event, and a day that is to come.

    `events` are cues of `event`, none where it is always tried. `over` matches words before a day, and `past`
    a sentence, that put the event in the past. `sentence` is one
    sentence, where full stops also stand inside it. `will` matches more words with which somebody says that
    they will do something; they are a promise only for a day that is named. `denied` matches a clause that
    says what is not done, perhaps done, or done always, and `retold` a sentence with another one's words, or
    with a perhaps that commas part from it.
    """

    signs: Sequence[Sign]
    events: Sequence[str]
    event: Pattern[str]
    day: Pattern[str]
    over: Pattern[str] | None = None
    past: Pattern[str] | None = None
    sentence: Pattern[str] | None = None
    will: Pattern[str] | None = None
    denied: Pattern[str] | None = None
    retold: Pattern[str] | None = None


def make_sign(why: str, cues: str, *told: str) -> Sign:
    """Return a sign of the alternatives `told`; its cues stand between slashes."""
    return Sign(why, cues.split("/") if cues else (), late("|".join(told), IGNORECASE | MULTILINE))


def make_rules(  # noqa: PLR0913 (the patterns of a language)
    *, event: str, day: str, past: str, will: str, denied: str, retold: str, **told: str
) -> Rules:
    """Return the rules of a language: `told` has the pattern of each reason, by its name in `REASONS`."""
    return Rules(
        [make_sign(REASONS[name], "", pattern) for name, pattern in told.items()],
        (),
        late(event, IGNORECASE),
        late(day, IGNORECASE),
        past=late(past, IGNORECASE),
        will=late(will, IGNORECASE),
        denied=late(denied, IGNORECASE),
        retold=late(retold, IGNORECASE),
    )
