"""Words of dates: months, weekdays, seasons, and the small numbers and ordinals that count days."""

from reel_cli.core.evidence.grounding.lexicon import UNDER_TWENTY
from reel_cli.core.moment import MONTHS as MONTH_NAMES

MONTHS = tuple(map(str.lower, MONTH_NAMES))
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11), "winter": (12, 2)}
TO_TWELVE = UNDER_TWENTY[1:13]
SMALL = {word: number for number, word in enumerate(TO_TWELVE, 1)} | {
    "a": 1,
    "an": 1,
    "couple": 2,
    "couple of": 2,
    "few": 3,
}
ONES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
TEENS = (
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
