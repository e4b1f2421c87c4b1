"""Informal English as it is meant: `dont`, `u`, `n`, `gonna`, `tmrw`, `thurs`, `sept`.

Whoever types in small letters leaves out apostrophes and shortens words. Every check that reads a text for a
denial, a promise, a day or a number reads it through this table, so that they all know the same words. Words
that are also others (`its`, `well`, `ill`, `n`) are read by what stands beside them.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from reel_cli.core.frozen import late

if TYPE_CHECKING:
    import re

TOMORROW = (
    "tmrw",
    "tmr",
    "tmrrw",
    "tmoz",
    "tomoz",
    "2moro",
    "2morrow",
    "2mrw",
    "tomorow",
    "tommorow",
    "tommorrow",
)
YESTERDAY = ("yday", "ystday", "yest")
WEEKDAYS: Mapping[str, str] = {
    "weds": "wednesday", "tue": "tuesday", "tues": "tuesday", "thu": "thursday", "thur": "thursday",
    "thurs": "thursday",
}  # fmt: skip
"""Short weekdays that are no other word; the rest (`mon`, `wed`, `fri`, `sat`, `sun`) go by their place."""
MONTHS = frozenset(("feb", "apr", "aug", "sep", "oct", "nov"))
"""Short months that are no other word."""
_WITHOUT_MARK = """
im i'm; ive i've; youre you're; youve you've; youll you'll; youd you'd; theyre they're; theyve
they've; theyll they'll; theyd they'd; weve we've; hes he's; shes she's; itll it'll; thatll that'll;
thats that's; whats what's; theres there's; heres here's; wheres where's; whos who's; hows how's;
dont don't; didnt didn't; doesnt doesn't; wont won't; cant can't; isnt isn't; arent aren't; wasnt
wasn't; werent weren't; havent haven't; hasnt hasn't; hadnt hadn't; couldnt couldn't; wouldnt
wouldn't; shouldnt shouldn't; mustnt mustn't; neednt needn't; aint isn't; shouldve should've;
couldve could've; wouldve would've
"""
_SHORTENED = """
gonna going to; wanna want to; gotta got to; tryna trying to; dunno don't know; idk i don't know;
gimme give me; lemme let me; kinda kind of; sorta sort of; u you; ur your; urself yourself; r are; n
and; w with; b4 before; cos because; cuz because; coz because; tho though; thru through; pls please;
plz please; thx thanks; ppl people; rn right now; tn tonight; tonite tonight; 2nite tonight; 2day
today; defo definitely; obvs obviously; probs probably; abt about; msg message; msgd messaged; bday
birthday; xmas christmas; smth something; sth something; l8r later
"""
_TABLE: Mapping[str, str] = {
    **dict(
        entry.split(maxsplit=1) for entry in f"{_WITHOUT_MARK};{_SHORTENED}".replace("\n", " ").split(";")
    ),
    **dict.fromkeys(TOMORROW, "tomorrow"),
    **dict.fromkeys(YESTERDAY, "yesterday"),
}
_TABLE = {word: meant.strip() for word, meant in _TABLE.items()}
WITHOUT_MARK: Mapping[str, str] = {
    meant.strip(): word
    for word, meant in (entry.split(maxsplit=1) for entry in _WITHOUT_MARK.replace("\n", " ").split(";"))
    if word == meant.strip().replace("'", "")
} | {"it's": "its"}
"""Contractions as they are written without their apostrophe."""
_LETTERS = frozenset(("u", "r", "n", "w"))
_ABBREVIATED = 3
"""Letters up to which a word in capitals is an abbreviation: `TN`, `IM`, `RN`."""
_BEGINS = r"(^|[.,!?;:\n]\s*|\b(?:n|so|and|but|cos|if|tho|as|yes|yeah|then|that|bet|think) )"
_BEGINS_ANEW = r"(^|[.!?;:\n]\s*|, (?=well)|\b(?:but|so|then) (?=well))"
"""Patterns of what stands before the first word of a clause, and of a sentence."""
_DONE_TO = (
    r"(?:an?|the|not|no|now|been|being|all|just|so|too|still|only|really|very|my|your|ur|his|our|their|that|this"
    r"|like|about|gone|done|ok|okay|fine|over|called|here|there|cos|because|always|never|pretty|kinda|supposed"
    r"|\d[\d:.,]*|[a-z]+ing)"
)
_DOES = (
    r"(?:be|have|get|go|see|take|make|do|need|come|try|tell|let|send|bring|ask|call|ring|find|meet|pay|never|not"
    r"|probably|prob|just|still|always|give|stay|keep|put|start|wait|know|say|eat|buy|write|text|think)"
)
_BY_SENSE: tuple[tuple[str, "re.Pattern[str]", str], ...] = tuple(
    (word, late(pattern), meant)
    for word, pattern, meant in (
        ("its", rf"(?i)(\b)its(?= {_DONE_TO}(?!\w)|[.,!?;]|$)", "it's"),
        ("id", rf"{_BEGINS}id(?= [a-z])", "i'd"),
        ("ill", rf"{_BEGINS}ill(?= {_DOES}\b)", "i'll"),
        ("well", rf"{_BEGINS_ANEW}well(?= (?:be|have|get|go|see|meet|need|find|take|make)\b)", "we'll"),
        ("shell", rf"{_BEGINS}shell(?= {_DOES}\b)", "she'll"),
        ("hell", rf"{_BEGINS}hell(?= (?:be|have|get|come|go|never|need|do)\b)", "he'll"),
        (
            "were",
            rf"{_BEGINS_ANEW}were(?= (?:[a-z]+ing|gonna|not|off|all|at|in|on|moving|still|going)\b)",
            "we're",
        ),
        ("wed", rf"{_BEGINS}wed(?= (?:better|love|like|have|be|need|never)\b)", "we'd"),
    )
)
"""Words that are others too: the word, the place where it is a contraction, and that contraction."""
_SENSES = frozenset(word for word, _, _ in _BY_SENSE)
_WORD = late(r"\b[A-Za-z0-9]+\b(?!['’(])")
_WITH = late(r"\bw/(?=[\s\w])\s*")
_FORMULA = late(r"[=\\{}\[\]`<>^]")
_FOREIGN = late(
    r"(?i)\b(?:und|der|das|ist|nicht|ich|ein|eine|mit|auf|et|les|une|est|pas|que|qui|je|dans|avec|los|las|el|por"
    r"|con|che|il|sono|per|não|uma|het|een|niet)\b"
)
"""Pattern of words of other languages, in which `im` and `dont` are words as they stand."""
_MOST_FOREIGN = 2


def has_informal(text: str) -> bool:
    """Return whether a text has any word that the table reads otherwise."""
    words = {*map(str.lower, _WORD.findall(text))}
    return not (words.isdisjoint(_TABLE) and words.isdisjoint(_SENSES)) or "w/" in text


@lru_cache(maxsize=2_048)
def write_out(text: str) -> str:
    """Return a text with informal words written out, and apostrophes where they were left out.

    A text of another language is returned as it is.
    """
    if not has_informal(text) or len(_FOREIGN.findall(text)) >= _MOST_FOREIGN:
        return text
    plain = _WITH.sub("with ", text)
    for word, pattern, meant in _BY_SENSE:
        if word in plain.lower():
            plain = pattern.sub(rf"\g<1>{meant}", plain)
    return _WORD.sub(_meant, plain)


def _meant(found: "re.Match[str]") -> str:
    word = found[0]
    meant = _TABLE.get(word.lower())
    if meant is None or (word.isupper() and len(word) <= _ABBREVIATED) or word in ("Rn", "Tn"):
        return word
    if word.lower() in _LETTERS and not _is_by_itself(found):
        return word
    return meant.upper() if word.isupper() and len(word) > 1 else meant


def _is_by_itself(found: "re.Match[str]") -> bool:
    """Return whether a letter is a word of a sentence, and none of a formula or of code."""
    text, (start, end) = found.string, found.span()
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    apart = (not before or before.isspace()) and (not after or after.isspace() or after in ".,!?")
    return apart and not _FORMULA.search(text)
