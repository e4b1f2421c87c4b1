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
_BEGINS = r"(^\s*|[.,!?;:]\s*|\b(?:n|so|and|but|cos|if|tho|as|yes|yeah|then|that|bet|think) )"
_BEGINS_ANEW = r"(^\s*|[.!?;:]\s*|, (?=well)|\b(?:but|so|then) (?=well))"
"""Patterns of what stands before the first word of a clause, and of a sentence."""
_IS_BEHIND = (
    r"(?:an?|the|not|no|been|gone|done|called|ok|okay|fine|over|here|there|about|like|my|your|ur|his|our|their"
    r"|that|this|so|too|cos|because|kinda)"
)
_IS_AT_FIRST = (
    r"(?:all|now|being|just|still|only|really|very|always|never|pretty|supposed|\d[\d:.,]*|[a-z]+ing)"
)
_BEGINS_ITS = (
    r"(^\s*|[.!?;:]\s*"
    r"|\b(?:oh|ok|lol|yeah|no|yes|well|so|but|cos|because|if|when|that|think|know|sure|bet|hope),? )"
)
"""Patterns of what may follow `it's`, and of what `its` may have, too, unless a sentence begins with it."""
_DOES = (
    r"(?:be|have|get|go|see|take|make|do|need|come|try|tell|let|send|bring|ask|call|ring|find|meet|pay|never|not"
    r"|probably|prob|just|still|always|give|stay|keep|put|start|wait|know|say|eat|buy|write|text|think)"
)
_BY_SENSE: tuple[tuple[str, "re.Pattern[str]", str], ...] = tuple(
    (word, late(pattern), meant)
    for word, pattern, meant in (
        ("its", rf"(?i)(\b)its(?= {_IS_BEHIND}(?![\w-]))", "it's"),
        ("its", rf"(?i){_BEGINS_ITS}its(?= {_IS_AT_FIRST}(?![\w-]))", "it's"),
        (
            "id",
            rf"{_BEGINS}id(?= (?:{_DOES}|rather|like|love|hate|prefer|want|been|better|only|said|got)\b)",
            "i'd",
        ),
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
_WITH, _WITHOUT = late(r"(?i)\bw/(?!(?:o|out|c|e)\b)(?=[\s\w])\s*"), late(r"(?i)\bw/o(?:ut)?\b")
"""Patterns of `w/ milk` and `w/o milk`; `w/c` and `w/e` are of weeks."""
_FORMULA = late(r"[=\\{}\[\]`>^]|<(?!3)")
_FOREIGN = late(
    r"(?i)\b(?:und|der|das|ist|nicht|ich|ein|eine|mit|auf|et|les|une|est|pas|que|qui|je|dans|avec|los|las|el|por"
    r"|con|che|il|sono|per|não|uma|het|een|niet)\b"
)
"""Pattern of words of other languages, in which `im` and `dont` are words as they stand."""
_MOST_FOREIGN = 2


def has_informal(text: str) -> bool:
    """Return whether a text has any word that the table reads otherwise."""
    words = {*map(str.lower, _WORD.findall(text))}
    return not (words.isdisjoint(_TABLE) and words.isdisjoint(_SENSES)) or "w/" in text.lower()


@lru_cache(maxsize=2_048)
def write_out(text: str) -> str:
    """Return a text with informal words written out, and apostrophes where they were left out.

    A text of another language is returned as it is.
    """
    if not has_informal(text) or len(_FOREIGN.findall(text)) >= _MOST_FOREIGN:
        return text
    # line by line: a formula is one of its line, and a long text is looked through once
    return "".join(map(_write_line, text.splitlines(keepends=True)))


def _write_line(line: str) -> str:
    plain = _WITH.sub("with ", _WITHOUT.sub("without", line))
    for word, pattern, meant in _BY_SENSE:
        if word in plain.lower():
            plain = pattern.sub(rf"\g<1>{meant}", plain)
    formula = _FORMULA.search(plain) is not None
    return _WORD.sub(lambda found: _meant(found, formula=formula), plain)


def _meant(found: "re.Match[str]", *, formula: bool) -> str:
    word = found[0]
    meant = _TABLE.get(word.lower())
    if word.lower() == "wont" and found.string.startswith(" to ", found.end()):
        # `as he was wont to say`
        return word
    if meant is None or (word.isupper() and len(word) <= _ABBREVIATED) or word in ("Rn", "Tn"):
        return word
    if word.lower() in _LETTERS and (formula or not _is_by_itself(found)):
        return word
    return meant.upper() if word.isupper() and len(word) > 1 else meant


def _is_by_itself(found: "re.Match[str]") -> bool:
    """Return whether nothing but space and the signs of a sentence stands beside a letter."""
    text, (start, end) = found.string, found.span()
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return (not before or before.isspace()) and (not after or after.isspace() or after in ".,!?")
