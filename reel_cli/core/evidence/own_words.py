"""Words of one speaker: what they tell of themselves, and what of a text was never said."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import date_word
from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences, stem, stems, telling
from reel_cli.core.evidence.grounding.numbers import COUNTING, ORDINALS
from reel_cli.core.evidence.unspaced_clause import find_said
from reel_cli.core.frozen import late
from reel_cli.core.values.approval import BINDING, SILENCE
from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from reel_cli.core.evidence.grounding.source import Source

QUOTED_LINE = "the line it quotes"
"""Words in a reason for the line that a fact rests on."""
SAID: Mapping[str, str] = {
    "name": f"the name “{{}}” is not in {QUOTED_LINE}",
    "number": f"the number “{{}}” is not in {QUOTED_LINE}",
    "date": "“{}” is no {} that it speaks of",
}
"""Reasons why a detail was never said, by kind (`Claim`)."""
LENT = frozenset(
    one
    for one in map(
        stem,
        (
            *stems("name named call called age aged old year years turn turns user person own now currently"),
            *stems("live lives lived living work works working job day date time month week"),
            *map(stem, (*MONTHS, *WEEKDAYS, *COUNTING, *ORDINALS)),
        ),
    )
    # `May` is a small word by itself, and its stem the month of other languages
    if one != stem("may")
)
"""Words that only join what was said to who said it, and those that are looked up as days and numbers."""
NO = late(r"(?i)\b(?:no|nope|nah|not|never|none|nobody|nothing|hardly|neither|without|cannot)\b|n['’]t\b")
LIMITS = late(
    r"(?i)\b(?:no|nope|nah|not|never|none|nobody|nothing|hardly|neither|without|cannot|used to|almost|nearly"
    r"|quit\w*|stopped|gave up|no longer|any ?more|formerly|ex|was|were|until|except|only|but|ended|left|lost"
    r"|maybe|perhaps|might|if|unless|would|could|should|wish\w*|hop(?:e|es|ing)|plan\w*|want\w*|consider\w*"
    r"|think\w*|said|says)\b|n['’]t\b"
)
"""Words without which the rest of a value would say something else."""
OF_ANOTHER = late(
    r"(?i)\b(?:sisters?|brothers?|mothers?|fathers?|mum|mom|dad|parents?|friends?|wife|husband|partner|kids?"
    r"|child(?:ren)?|sons?|daughters?|family|fam|aunt|uncle|cousins?|grand\w+|niece|nephew|dogs?|cats?|pets?|pupp(?:y|ies)"
    r"|boss|colleagues?|neighbou?rs?|he|she|his|her|him|they|their|them|allerg\w*)\b"
)
"""Words for somebody else, whom words of two turns could be put together wrongly about."""


def sentences_around(words: str, source: "Source") -> Sequence[str]:
    """Return the sentences that hold these words; none where the words are of several places."""
    wanted = quote_key(even(words)).strip()
    texts = [even(one.turn.text) for one in source.said]
    every = [text[start:end].strip() for text in texts for start, end in sentences(text)]
    return [one for one in every if wanted and wanted in quote_key(one)]


def is_named(text: str, whose: str) -> bool:
    """Return whether a text has a name, whole."""
    name = even(whose).strip()
    return bool(name) and re.search(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", text) is not None


def missing_detail(value: str, source: "Source") -> str:
    """Return what a value has that nobody said, a name, a number or a day; "" for nothing."""
    from reel_cli.core.evidence.grounding.check import Stretch, find_ungrounded

    for one in find_ungrounded([Stretch(value, ((0, 1),))], source, most=0):
        if one.kind in SAID:
            claim = one_line(one.claim, 40)
            return SAID[one.kind].format(claim, date_word(claim))
    return ""


def says_words(value: str, said: str, source: "Source") -> str:
    """Return a value as turns say it: itself, or its words with other particles; "" where one is not said.

    `said` is the value or the part of it whose words are asked for. A value of nothing but small words has
    to have each of them there.
    """
    mine = telling(said)
    if mine and mine <= source.stems | LENT:
        return value
    text = "\n".join(one.turn.text for one in source.said)
    if mine or any(map(str.isdigit, said)):
        return find_said(value, text) if mine else value
    there = {*_WORD.findall(even(text).casefold())}
    return value if {*_WORD.findall(even(said).casefold())} <= there else ""


def without_idle_questions(evidence: str, value: str) -> str:
    """Return an evidence without questions that have no word of the value: they only lead up to it."""
    plain = even(evidence)
    parts = [plain[start:end].strip() for start, end in sentences(plain)]
    mine = telling(value)
    told = [one for one in parts if not one.rstrip('"”').endswith("?") or telling(one) & mine]
    return " ".join(told) if len(told) < len(parts) else evidence


def find_other_number(value: str, words: str) -> str:
    """Return the number of some words in place of the only one of a value, as it was said; "" for none."""
    from reel_cli.core.evidence.grounding.numbers import numbers

    claimed, said = ([one for one in numbers(text, text) if one.plain] for text in (even(value), even(words)))
    if len(claimed) != 1 or len(said) != 1 or claimed[0].values & said[0].values:
        return ""
    return even(words)[said[0].start : said[0].end]


def is_own_telling(words: str, other: str) -> bool:
    """Return whether a speaker tells something of their own life with these words, or promises something."""
    plain = even(words)
    if _PROMISES.search(plain):
        return True
    return bool(ONESELF.search(plain)) and not (ADDRESSED.search(plain) or is_named(plain, other))


def owes_deed(text: str) -> bool:
    """Return whether a text promises to do something; a silence, or what is not to be done, never ends.

    What is not to be done `till she is back` ends as a deed does.
    """
    plain = even(text)
    promised = BINDING.search(plain) or _PROMISES.search(plain)
    endless = NO.search(plain) and not _UNTIL.search(plain)
    return bool(promised) and not (SILENCE.search(plain) or endless)


_UNTIL = late(r"(?i)\b(?:until|till)\b")


def may_be_own(sentence: str, other: str) -> bool:
    """Return whether a sentence tells of nobody else, and asks nothing."""
    plain = even(sentence)
    return not ("?" in plain or ADDRESSED.search(plain) or _SOMEONE.search(plain) or is_named(plain, other))


def is_of_own_life(words: str, other: str) -> bool:
    """Return whether words given as of a speaker's own life ask nothing, and are not about the other."""
    plain = even(words)
    return not ("?" in plain or ADDRESSED.search(plain) or is_named(plain, other))


def tells_beside_address(value: str, told: Sequence[str], other: str) -> bool:
    """Return whether sentences tell a value of their speaker, though they address the other as well.

    `I made this for you` and `a game where you build, and I love it` do; `you love my bread` and
    `I hear you moved` do not, and no question does.
    """
    mine = telling(value)
    clauses = [clause for one in told for clause in _stated(one) if telling(clause) & mine]
    if not clauses:
        return False
    clause = max(clauses, key=lambda one: len(telling(one) & mine))
    first = next((found.start() for found in _WORD.finditer(clause) if telling(found[0]) & mine), 0)
    before = [found[0] for found in _SUBJECT.finditer(clause[: first + 1])]
    if before:
        return ONESELF.fullmatch(before[-1]) is not None
    spoken = ONESELF.search(" ".join(told)) is not None
    return spoken and not (ADDRESSED.search(clause) or is_named(clause, other))


def tells_own_part(value: str, sentence: str, other: str) -> bool:
    """Return whether a sentence has a clause of what its speaker did, and a value no word of the others.

    `You gave the word and I talked on` tells of both, and `talked on when asked to stop` is the speaker's.
    """
    mine = telling(value) - LENT
    clauses = [one for one in _stated(sentence) if _WORD.search(one)]
    subjects = [_SUBJECT.search(one) for one in clauses]
    if not any(one is not None and one[0] == "I" for one in subjects):
        return False
    theirs = (
        clause
        for clause, one in zip(clauses, subjects, strict=True)
        if one is None or not ONESELF.fullmatch(one[0])
    )
    return bool(mine) and not any(telling(one) & mine or is_named(one, other) for one in theirs)


def _stated(sentence: str) -> Sequence[str]:
    """Return the clauses of a sentence that ask nothing: `I can send it, is that all right?` has one."""
    clauses = _CLAUSE.split(even(sentence))
    if not sentence.rstrip().endswith("?"):
        return clauses
    return () if _ASKS.match(sentence) else clauses[:-1]


_ASKS = late(
    r"(?i)\W*(?:(?:and|so|but|or|well),? )*(?:do|does|did|have|has|had|are|is|was|were|am|can|could|will"
    r"|would|should|shall|may|might|wh\w+|how)\b"
)
_CLAUSE = late(r"(?i)[,;:.!?]\s+|\s+[-–—]\s+|\s+(?=(?:and|but|so|because|where|which)\s)")
_WORD = late(r"[\w'-]+")
_SUBJECT = late(r"(?i)\b(?:i|i'[a-z]+|we|we'[a-z]+|my|our|you|you'[a-z]+|he|she|they|he's|she's|they're)\b")


def is_own_deed(value: str, text: str, other: str) -> bool:
    """Return whether a turn tells a value between asterisks as what its speaker does, not the other."""
    wanted = even(value).casefold().strip(" .,;*")
    for deed in _DEED.finditer(even(text)):
        before, found, _ = deed[1].casefold().partition(wanted)
        if wanted and found and not (ADDRESSED.search(before) or is_named(before, other)):
            return True
    return False


_DEED = late(r"(?<![*\w])\*(?=[^*\s])([^*]+?)(?<=[^\s*])\*(?![*\w])")
"""Pattern of what a turn tells as done, in a role-play: between single asterisks."""


def is_saying_of_ones_own(sentence: str, value: str) -> bool:
    """Return whether a sentence tells what somebody in its speaker's life says: `My aunt used to say …`."""
    found = _OWN_ONES_SAYING.search(even(sentence))
    return found is not None and telling(value) <= telling(even(sentence)[found.end() :])


_OWN_ONES_SAYING = late(
    r"(?i)\b(?:my|our)(?: [\w'-]+){1,3}?(?: used to| would| always| often| once)?"
    r" (?:says?|said|(?:told|taught) (?:me|us))\b"
)


def is_whole(value: str, told: Sequence[str]) -> bool:
    """Return whether a value is one of these sentences with its subject, or begins one that has no other."""
    wanted, *every = (" ".join(_WORD.findall(even(one).casefold())) for one in (value, *told))
    begun = (one.removeprefix(wanted) for one in every if one.startswith(wanted))
    whole = any(one and wanted.startswith(one) for one in every)
    return bool(wanted) and (whole or any(not _ONE_PERSON.search(rest) for rest in begun))


PROPOSES_BOTH = late(
    r"(?i)\b(?:(?:can|could|shall|should|will|would|may|might) (?:we|you)|let'?s|next \w+,? (?:we|you)"
    r"|we(?:'ll| will| should| could| can| must)|how about|what about)\b"
)
"""Pattern of a sentence that proposes something to both, or to the other."""


def tells_of_no_other(sentence: str, other: str) -> bool:
    """Return whether a sentence asks nothing, and is of neither the other nor one person besides."""
    plain = even(sentence)
    return is_of_own_life(plain, other) and not _ONE_PERSON.search(plain)


_ONE_PERSON = late(r"(?i)\b(?:he|she)\b")


def leaves_self_out(sentence: str, other: str) -> bool:
    """Return whether a sentence tells of its speaker without saying I: `Started to learn it today.`."""
    plain = even(sentence)
    return _WITHOUT_I.match(plain) is not None and may_be_own(plain, other)


_WITHOUT_I = late(
    r"(?:(?:Just|Finally|Recently|Also) )?"
    r"(?i:been (?:\w+ing|to)|had (?:an?|the|that|this|some)|(?:started|began) (?:to \w+|\w+ing)"
    r"|finished \w+ing|went (?:to|on|for|back|home)|took (?:an?|the|up)(?! (?:while|bit|lot|long))"
    r"|moved (?:to|into)|signed up|joined|bought|quit|met|visited|tried)\b(?! by\b)"
)
"""Pattern of a sentence's beginning with a verb whose subject can only be the speaker."""
_SOMEONE = late(r"(?i)\b(?:he|she|they)\b")
ONESELF = late(r"(?i)\b(?:i|i'[a-z]+|me|my|mine|myself|we|we'[a-z]+|our|ours)\b")
ADDRESSED = late(r"(?i)\b(?:you|your|yours|you'[a-z]+)\b")
_PROMISES = late(
    r"(?i)\b(?:i'll|i will|i shall|i shan't|i promised?|i owe|i'm going to|i won't"
    r"|you'll be the first to|you can(?: always)? count on me)\b"
)
