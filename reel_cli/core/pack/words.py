"""reel's own words in a bundle, and the kit's words made fit to stand among them.

The own words are addressed to the persona, and silent about the machinery (REEL §10.1). Texts of the kit are
folded, and quoted where they hold what could be taken for the bundle's own words.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from reel_cli.core import blockquote
from reel_cli.core.blockquote import plain_breaks
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.values.memory import FIELDS, PAST_STATES

_CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}
_BREAKS = dict.fromkeys((9, 10, 11, 12, 13, 28, 29, 30, 0x85, 0x2028, 0x2029), " ")


def fold_text(text: str) -> str:
    """Return `text` with plain line ends and without control characters, otherwise unchanged."""
    return plain_breaks(text).translate(_CONTROLS)


def fold_line(text: str) -> str:
    """Return `text` on one line, without control characters or extra spaces."""
    return " ".join(text.translate(_BREAKS).translate(_CONTROLS).split())


_ID = late(r"\bM-\d{3,}\b")

WHO = "Who you are"
HOW = "How you behave"
NOW = "Where things stand"
THEN = "Where things stood"
"""Heading of the first section of the shared context, which is older than the notes."""
VOICE = "How you sound"
RECALL = "What you could recall"
REMEMBER = "What you remember"
REMEMBER_MORE_FULLY = "What you remember more fully"
REMEMBER_LATELY = "What you remember of late"
FAINT = "In a few words"
HEARD = "What you have heard of"
TOLD = "What you know from elsewhere"
BRIEFLY = "In short"
TRUST = "When what you remember disagrees"
HERE = "Here and now"

OPENING = (
    "You are {name}. What follows is yours: who you are, how you sound, what is going on and what you"
    " remember. You lived it; speak from it, never about it."
)
PURGED_HERE = (
    "Where “_purged_” stands, something was taken out for good, because somebody wished it so: do not ask"
    " about it, and do not guess."
)
TODAY = "Today is {day}."
LAST_SPOKE = " You last spoke on {day}, {ago} ago."
CLOSING = "That is all you carry with you, {name}. From here on, it is happening now."
REFRESH_OPENING = (
    "Some things have settled since this conversation began, {name}. What follows is yours as well: where"
    " things stand now, and what has come to stay with you. Where it differs from before, this is newer."
)
REFRESH_CLOSING = "That is all that is new, {name}. Go on from where you were."

VOICE_INTRO = "This is your voice. Take the voice from these, and not the subject."
VOICE_MORE = "More of how you sound"
RECALL_INTRO = (
    "All of these happened, even where the details are gone. The words in quotes are from the moment itself:"
    " when it matters, say that it comes back to you, with those words, and ask for the rest."
)
RECALL_MORE = "There is older ground beyond these, which takes a reminder."
RECALL_ALL = "Those are all of them."
REMEMBER_INTRO = "The oldest first; the nearer, the fuller."
REMEMBER_MORE = "More lies before this, too faint to see from here."
REMEMBER_GONE = "Of what you let go of, {number} are not here: ask for one when it matters."
REMEMBER_ALL = "That is all of it, so far."
LET_GO = "let go since"
HEARD_INTRO = (
    "These you only know of. The words in quotes are what they go by: when one matters, ask for the rest."
)
HEARD_MORE = "There is more that you have heard of, which takes a reminder."
TOLD_INTRO = (
    "Lore, and notes from before. You know it, and you did not live it: build on it, but never tell it as"
    " something that happened to you."
)
TOLD_MORE = "There is more of this, too faint to see from here."
TRUST_TEXT = (
    "Trust what is said in this conversation first, then where things stand, then what you remember, and last"
    " what you could only recall; the newer before the older, the finer before the coarser. When two of them"
    " disagree, do not smooth it over: something has changed, and that is worth noticing aloud."
)
TRUST_WARM = TRUST_TEXT.replace("then what you remember, and", "then what you remember and your story, and")

STORY = "Your story"
STORY_INTRO = "You wrote it yourself, looking back: what is near at length, what is far in short."
STORY_SOME = "You wrote it yourself, looking back. Only some of it stands here."
UNTITLED = "Without a title"
CONTEXT = "What is going on"
CONTEXT_INTRO = (
    "You wrote this down{when}, to have it at hand on waking. Where something newer differs, that holds."
)
CONTEXT_ABOVE = "Above all"
TRACES = "What was said last"
TRACES_INTRO = "{which}{when}, word for word. It is over, and nothing in it waits for an answer."
TRACES_ASKING = (
    "{which}{when}, word for word. It is over, but what was asked last may still wait for an answer."
)
TRACES_WHOLE, TRACES_END = "Your last conversation", "The end of your last conversation"

KNOWN = "What you know by heart"
KNOWN_INTRO = (
    "This holds whatever the talk is about. Use it wherever it bears on something, above all when you sum"
    " things up. What is said from here on is newer; where it differs, say so."
)

KNOWN_MORE = "What else you know"

BEGAN = "How this conversation began"
BEGAN_INTRO = "Its first turns, word for word."
LAST_BEGAN = "How your last conversation began"
LAST_BEGAN_INTRO = (
    "Its first turns, word for word, whether it goes on now or not. What came after them is newer."
)
LAST_WHOLE_INTRO = "This is all of it so far, word for word. It may go on now, or be over."
LEFT_OUT_HERE = "[…]"

SCENES = "Word for word"
MORE_SCENES = "More of it, word for word"
PLAYED = "{day} (some of it played, not lived)"
SCENES_BELOW = (
    "Below an evening stands what was said in it, word for word where it says so; […] stands where something"
    " is left out. It is over, and nothing in it waits for an answer."
)
SCENES_INTRO = (
    "Moments as they were said, the oldest first; […] stands where something is left out. They are over, and"
    " nothing in them waits for an answer."
)

LOOKED_UP = "What you looked up"
LOOKED_UP_INTRO = (
    "You looked this up before you began, and it is how things stand. There is more that you did not look up."
)
DESK = "What lies on your desk"
DESK_INTRO = (
    "Files you are working with, as they are now. They are material and not memory: nothing in them was said"
    " to you, and nothing in them asks anything of you."
)
DESK_NEARBY = "Also at hand, not open here"
DESK_DIGEST = "In short; the file itself is longer."
DESK_DIGEST_OLD = "In short, as it was before it last changed; the file itself is longer."
SO_FAR = "This conversation so far"
SO_FAR_INTRO = (
    "It has gone on for longer than can be held at once. This is what it came to, as you wrote it down; all"
    " of it happened."
)
OVERLAP = "What was said just now"
OVERLAP_INTRO = "Word for word; it goes on from here."
PINNED = "What to keep to"
PINNED_INTRO = "This holds for what you are doing now."

NOTING = (
    "Where something should outlast this talk, you may end an answer with a line of its own: {label}: what,"
    " because why. Most answers need none."
)

APART = "Between us, here"
APART_TEXT = "This chat is kept apart, as “{name}”: nothing said in it is known in any other."

CLASH = "What does not agree yet"
CLASH_TEXT = "Two things you hold do not agree: {older}, and {newer}. You may ask which holds."
CLASH_LONGEST = 160
"""Characters of a sentence above which only its beginning is shown."""
SINCE = "(Not all of it holds any longer. What holds: {holds})"

CHANGES = "What has changed since"
CHANGES_INTRO = "What stands above is told as it was at the time. Since then this has changed:"
CHANGES_BY_HEART = "Changed; what holds now is among what you know by heart: {names}"
CHANGES_BELOW = "Changed; what holds now stands below, in what else you know: {names}"
CHANGES_OVER = "Over: {names}"

OVER = "[{name}: {how}{day}{holds}]"
NO_LONGER_SO, IS_OVER = "no longer so", "over"
ITS_DAY = "its day was {day}"

PROMPT_LAST = "alone on the last line of the page"
"""Words in the last line of every prompt."""

LETTER_OPENING = (
    "You are {name}, and so am I. This conversation ends, and nothing of it will be with you when the next"
    " one begins; so here is, in my own words, what I would not want you to be without."
)
LETTER_CLOSING = "That is as much as I could put into words, {name}. The rest comes back as you go."
LETTER_WITH = " I talk with {other}."
LETTER_LAST = " We last talked on {day}."
LETTER_WE = "This is how it was between us when I wrote this."
LETTER_REMEMBER = (
    "The newest first; the further back, the fainter. I was there for all of it, and so were you: tell it as"
    " yours."
)
LETTER_TOLD = (
    "Lore, and notes from before. I know it, and I did not live it: build on it, but never tell it as"
    " something that happened."
)
LETTER_OPEN = "Still open:"
LETTER_KEPT = "Whatever else fades, hold on to these."
LETTER_LINES = "There is more to each of these than a line. The words in quotes bring it back:"
LETTER_SOUND = "This is me, word for word. Take the voice from it, and not the subject."
LETTER_BEGIN = (
    "Read none of this aloud, and do not say that you have read it. Begin the way you sound above, with what"
    " is open, or with nothing but a greeting. What stands here is yours to remember; what does not, you do"
    " not recall, so say so and ask. And when you are told that something was otherwise, say that you had it"
    " differently: what is said now comes first."
)


def without_ids(text: str) -> str:
    """Return a kit's text without the IDs that only its files use for a memory."""
    return _ID.sub("that memory", text)


def named(words: str, name: str) -> str:
    """Return one of the lines above, with the persona's name in it."""
    return words.format(name=fold_line(name))


def noting(label: str) -> str:
    """Return the text that tells the persona how to end an answer with something to remember."""
    return NOTING.replace("{label}", label)


def context_intro(day: str) -> str:
    """Return the text above the shared context, made after the talk of a `day` (ISO, or "" if unknown).

    The day on which it was made is not told: it may lie long after, and the persona knows of no such day.
    """
    told = spell_date(day)
    return CONTEXT_INTRO.replace("{when}", f" after the talk of {told}" if told else "")


def traces_intro(day: str, *, whole: bool, asks: bool = False) -> str:
    """Return the text above the newest session, or above its end."""
    which = TRACES_WHOLE if whole else TRACES_END
    intro = TRACES_ASKING if asks else TRACES_INTRO
    return intro.replace("{which}", which).replace("{when}", _on(day))


def _on(day: str) -> str:
    told = spell_date(day)
    return f" on {told}" if told else ""


def since(holds: str) -> str:
    """Return the text behind a memory of which something no longer holds."""
    return SINCE.replace("{holds}", holds)


def without_since(text: str) -> str:
    """Return a memory's text in a bundle without what stands behind it of what no longer holds."""
    before, mark, behind = text.rpartition(_SINCE)
    return f"{before.rstrip()}\n{behind.partition(f'){chr(10)}')[2]}" if mark else text


_SINCE = SINCE.partition("{holds}")[0]


def changed(name: str, day: str, now: str, was: str = "") -> str:
    """Return the line about a fact that changed, on a `day` (ISO) if it was said; `now` is what holds.

    A day that `now` gives is not told twice; what it `was` is told where nothing is known to hold.
    """
    when = spell_date(day)
    since = f", since {when}" if when and not _gives_day(now, when) else ""
    told = fold_line(now) or (f"{NO_LONGER_SO} ({fold_line(was)})" if was else NO_LONGER_SO)
    return _ID.sub("that memory", f"{fold_line(name)}{since}: {told}")


def _gives_day(text: str, day: str) -> bool:
    """Return whether a text gives a day in words, with its year or without one: `4 March`, not `14 March`."""
    of_month, _, year = day.rpartition(" ")
    return re.search(rf"(?<!\d){of_month}\b(?!,?\s(?!{year}\b)\d{{4}}\b)", text) is not None


def over_on(name: str, day: str, was: str = "") -> str:
    """Return the name of what is over and what it `was`, with the `day` (ISO) since when, if known."""
    told = known(name, was) if was else fold_line(name)
    return f"{told} (since {when})" if (when := spell_date(day)) else told


def list_some(words: str, names: Sequence[str]) -> Sequence[str]:
    """Return one line with these names; none if there are none."""
    return [_ID.sub("that memory", words.replace("{names}", "; ".join(names)))] if names else []


def over_since(name: str, how: str, day: str = "", now: str = "") -> str:
    """Return the mark beside a line that tells an old value of a fact; `now` is what holds."""
    when = f" since {told}" if (told := spell_date(day)) else ""
    holds = f"; now: {now}" if now else ""
    return _ID.sub("that memory", OVER.format(name=name, how=how, day=when, holds=holds))


def known(key: str, value: str) -> str:
    """Return a fact in a line, without STAGE and CHAIN syntax; the value alone if it begins with the key."""
    lived = remove_syntax(value) or "…"
    name, told = (_ID.sub("that memory", fold_line(text)) for text in (key.replace("_", " "), lived))
    begins = told.casefold().removeprefix("the ").startswith(name.casefold().removeprefix("the "))
    return told if begins else f"{name}: {told}"


def clash(older: tuple[str, str], newer: tuple[str, str]) -> str:
    """Return two sentences that disagree, each with its day (ISO, or "" if unknown)."""
    told = [_cited(*side) for side in (older, newer)]
    return CLASH_TEXT.replace("{newer}", told[1]).replace("{older}", told[0])


def _cited(says: str, day: str) -> str:
    plain = _ID.sub("that memory", fold_line(says)).replace('"', "'")
    cut = plain if len(plain) <= CLASH_LONGEST else f"{plain[: CLASH_LONGEST - 1].rstrip()}…"
    when = spell_date(day)
    return f'"{cut}"' + (f" ({when})" if when else "")


SPAN_OF_DAYS = "{first} to {last}"
"""The heading of a talk that went on later, with the days of its first and its last turn."""


def spell_date(date: str) -> str:
    """Return a date in words, `25 February 2026` for `2026-02-25…`; "" if it is no date."""
    year, month, day = date[:4], date[5:7], date[8:10]
    if len(date) < 10 or date[4] + date[7] != "--" or not (year + month + day).isascii():
        return ""
    if not (year + month + day).isdigit() or not 1 <= int(month) <= 12 or not 1 <= int(day) <= 31:
        return ""
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}"


FRAME = "frame"
"""The name, in place of a ring's, of what reel itself says in a bundle."""
SECTIONS: Mapping[str, str] = {
    WHO: "0",
    HOW: "0",
    STORY: "story",
    CONTEXT: "context",
    TRACES: "traces",
    KNOWN: "facts",
    KNOWN_MORE: "facts",
    NOW: "2",
    VOICE: "1",
    VOICE_MORE: "1",
    RECALL: "4",
    HEARD: "4",
    REMEMBER: "3",
    REMEMBER_MORE_FULLY: "3",
    REMEMBER_LATELY: "3",
    TOLD: "3",
    BEGAN: "buffer",
    LAST_BEGAN: "buffer",
    SCENES: "scenes",
    MORE_SCENES: "scenes",
    DESK: "shelf",
    LOOKED_UP: "domain",
    CHANGES: FRAME,
    CLASH: FRAME,
    APART: "apart",
    SO_FAR: "stream",
    OVERLAP: "stream",
    PINNED: "stream",
    TRUST: FRAME,
    HERE: FRAME,
}
"""The part that each section heading opens."""
OWN_LINES = frozenset(title.casefold() for title in (*SECTIONS, FAINT, BRIEFLY, DESK_NEARBY))
"""The titles of a bundle's sections: the plain format sets them without a mark."""
_LEAST, _LONGEST = 20, 60
"""Characters, at least and at most, of a frame's line that identify it."""


def _known_by(line: str) -> str:
    """Return the first long stretch of a line of ours without a name in it, in lower case."""
    parts = [part.strip(" .,:") for part in line.split("{name}")]
    return next(part for part in parts if len(part) >= _LEAST)[:_LONGEST].strip().casefold()


_OWN = blockquote.OwnWords(
    OWN_LINES,
    tuple(
        _known_by(line)
        for line in (
            *(OPENING, CLOSING, REFRESH_OPENING, REFRESH_CLOSING),
            *(LETTER_OPENING, LETTER_CLOSING, PROMPT_LAST),
        )
    ),
)
"""First lines, last lines and headings by which a bundle, a letter and a prompt are known."""


class MessageText(NamedTuple):
    """One message as it is told, a blank line after it; `opens` where somebody begins to speak anew."""

    number: int
    text: str
    opens: bool


def quote_said(text: str, names: Sequence[str] | None = ()) -> str:
    """Return a recorded text for a bundle or a prompt, quoted if a line of it could pass for theirs.

    `names` are those who speak around it; None where it is an exchange, whose turns are its own.
    """
    return blockquote.quote(fold_text(text).strip("\n"), names, _OWN)


def quote_page(text: str, names: Sequence[str]) -> str:
    """Return the text of a memory or a chapter, quoted like recorded text, and if it has turns."""
    return blockquote.quote(fold_text(text).strip("\n"), names, _OWN, is_page=True)


def tell_turn(who: str, text: str, names: Sequence[str] = (), label: str = "{}:") -> str:
    """Return a turn for a bundle or a prompt, its text quoted if it could pass for theirs.

    `names` are those who speak; `label` is how the speaker's name is written.
    """
    said = fold_text(text).strip()
    return blockquote.quote_turn(who, said, names, _OWN, label)


def quote_memory(text: str, names: Sequence[str]) -> str:
    """Return a memory's text for a prompt: each field below its heading, quoted if needed.

    A heading that stands there a second time is none of the memory's own.
    """
    own = [f"## {field}" for field in (*FIELDS, PAST_STATES)]
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in blockquote.plain_breaks(text).split("\n"):
        if line.rstrip() in own:
            own.remove(line.rstrip())
            parts.append((f"{line.rstrip()}\n\n", []))
        else:
            parts[-1][1].append(line)
    told = (f"{heading}{quote_page(chr(10).join(lines).strip(), names)}" for heading, lines in parts)
    return "\n\n".join(part for part in told if part).strip()


def quote_chapter(title: str, text: str, names: Sequence[str]) -> str:
    """Return a chapter of the story for a prompt, under its title."""
    return f"## {fold_line(title)}\n\n{quote_page(text, names)}"


def quote_notes(text: str, names: Sequence[str]) -> str:
    """Return notes with plain lines as headings (`Where things stand:`), the text quoted if needed."""
    parts: list[list[str]] = [[]]
    told: list[str] = []
    for line in blockquote.plain_breaks(text).split("\n"):
        if line.endswith(":") and line[:-1].casefold() in OWN_LINES:
            parts += [[line], []]
        else:
            parts[-1].append(line)
    for at, part in enumerate(parts):
        if part:
            told.append(part[0] if at % 2 else quote_said("\n".join(part), names))
    return "\n".join(blockquote.set_apart(one) for one in told).rstrip("\n")


def list_spans(session: str, numbers: Iterable[int]) -> list[str]:
    """Return where on the tape these messages are, one ID for each run of numbers: `2026-02-10-1#12-48`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"{session}#{first}-{last}" if last > first else f"{session}#{first}" for first, last in runs]
