"""The rules for what `--yes` may keep, and what waits for a person's own word.

A reply is untrusted text. Kept without anybody reading it, it must not decide what can never fade, who the
persona is, or that everything which was open is settled.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet

from reel_cli.core.frozen import frozen, late
from reel_cli.core.informal_words import write_out
from reel_cli.core.values.memory import IMMUNE_TAGS

MOST_CLOSED = 3
"""Items that may be closed at once whatever their share is: one evening often settles three of four."""

_SELF = frozenset(
    {"ai", "assistant", "bot", "chatbot", "companion", "llm", "persona", "you", "your", "yourself"}
)
"""Words by which a fact's key names the persona rather than the person."""
SECOND = late(
    r"(?<!-)\b(?:you|your|you're|youre|u|du|dein|deine|dich|dir|ihr|euer|tu|te|ton|ta|tes|toi|vous|votre|vos|tú|ti|usted"
    r"|ustedes|eres|tus|lei|voi|sei|você|vocês|jij|jouw|ты|тебя|тебе|вы|вас|вам|твой|ваш)\b(?!-)",
    re.IGNORECASE,
)
_FIRST = late(
    r"\b(?:i|my|mine|i'm|i've|i'd|i'll|im|we|our|ours|ich|mein|meine|meiner|meinen|wir|unser|unsere|je|j'ai|mon|ma"
    r"|mes|nous|notre|nos|yo|mi|mis|nosotros|nuestro|io|mio|mia|noi|eu|meu|minha|nós|ik|mijn|wij|onze|я|мой|моя"
    r"|мы|наш)\b",
    re.IGNORECASE,
)
_LEAVES_SELF_OUT = late(
    r"(?i)^\W*(?:(?:and|so|then|ok|okay|yeah|also|just|lol|anyway),? )*"
    r"(?:made|told|gave|took|wrote|called|named|used|saw|got|found|went|bought|sold|sent|finished|started|spent|paid|lost|left|met|had|borrowed|tried"
    r"|(?:put|read|cut|set|let)\b[^.!?]*\b(?:and|but|then)\s+(?:\w+ed|told|made|gave|wrote|said|took|found))\b"
    r"(?! (?:by|me|us|myself)\b)"
)
"""Pattern of a sentence whose speaker leaves out the I: `Put your cat in but called him Bosun`."""
TELLS_YOU = late(r"(?i)\byou(?:'re| are| were| will be| must| shall| always| never)\b")
"""Pattern of what is said of the one who is addressed, whoever did something before it."""
_TOLD_HOW = late(r"\b(?:call(?:ed|s|ing)?|name[ds]?|know|knew|remember) (?:me|us)\b", re.IGNORECASE)
"""Pattern of names for the speaker: `You can call me Bo` is about the one who says it."""
_ASKS_ALONG = late(
    r"\byou(?: should| could| can| must|['’]ll have to)?(?: just| all)?"
    r" (?:come|join|visit|stop|drop|swing)\b[^.!?]{0,60}"
    r"\b(?:me|us|by|over|along|sometime)\b",
    re.IGNORECASE,
)
"""Pattern of an invitation, which asks the persona along and says nothing of who it is."""
_PHRASES = late(
    r"\b(?:you (?:wo(?:n['’]?t|uldn['’]?t)|don['’]?t|(?:will|would|do|may|might) not)"
    r" (?:know|have heard of) (?:it|him|her|them|that(?: one)?|the place)|your face"
    r"|thank you|you (?:know|see)|mind you|bless you|see you|(?:before|if|since) you ask"
    r"|you (?:still )?owe (?:me|us)|w(?:ith)? your \w+|whatever you do"
    r"|(?:if|when(?:ever)?) you (?:like|want|can|don't mind))\b",
    re.IGNORECASE,
)
"""Pattern of set phrases whose `you` nobody is told anything of."""
_WORD = late(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FOR_ALL = late(
    r"\b(?:every(?:body|one)|any(?:body|one)|nobody) else\b|\b(?:each|every|other|the) players?\b"
)
"""Pattern of those for whom a rule holds."""
_TELLING = late(r"[^\W\d_]{4,}|\d+")
_CLAUSES = late(r"[.!?;:]\s+|,\s+|\s(?=(?:and|but|so|because|when|if)\b)")
_OF_A_THING = late(r"(?i)\W*(?:(?:and|but|so) )?(?:it|that|there|this|he|she|they)\b")
_AMOUNT = late(
    r"(?i)\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|hundred|thousand|half|dozen)\b"
)
"""Patterns of a value's telling words, of where a clause ends, of one with its subject, and of an amount."""
_COSTS = "(?:costs?|takes?|gives?|pays?|earns?|needs?|means?)"
PROTECTING = late(
    r"(?i)\b(?:allerg\w*|anaphyla\w*|intoleran\w*|coeliac|celiac|medicat\w*|medicine\w*|insulin|epipen|adrenalin\w*"
    r"|epinephrine|auto-?injectors?|swell(?:s|ed|ing)? up|inhaler"
    r"|dos(?:e|age)s?|penicillin|warfarin|pacemaker|diabet\w*|epilep\w*|seizures?|asthma\w*|haemophil\w*|hemophil\w*"
    r"|pregnan\w*|blood type|emergency contact|suicid\w*|self[- ]harm|overdos\w*|restraining order|consent\w*"
    r"|safe ?words?|trigger warning|abus(?:e|er|ive)|stalk\w*|do not resuscitate)\b"
)
"""Pattern of words of health, safety or consent."""
_RAISE = (
    "(?:say|tell|mention|speak|talk|ask|bring|raise|name|call|use|touch|joke|tease|push|press|remind|write)"
)
_PROMISE = r"promis\w+|(?:my|gave my|given my) word"
_SILENCE = (
    r"secrets?|in confidence|between (?:us|the two of us|ourselves)"
    r"|(?:nobody|no one)(?: else)?"
    r" (?:is to|may|must|should|knows?(?! (?:(?:by|to|from|for|of) )?(?:wh|how\b)))"
    r"|(?:must|may|should|is|are)(?: not|n['’]t) to know"
    rf"|never (?:to )?{_RAISE}|not to (?:be )?{_RAISE}\w*"
    rf"|(?:must|should|will|shall) (?:not|never) {_RAISE}"
    r"|may (?:not|never) (?:say|tell|mention|speak|talk|ask|raise)"
    rf"|(?:don['’]t|do not|won['’]t) {_RAISE}"
)
SILENCE = late(rf"(?i)\b(?:{_SILENCE})\b")
"""Pattern of a secret, or a thing that the persona is never to raise."""
BINDING = late(rf"(?i)\b(?:{_PROMISE}|{_SILENCE})\b")
"""Pattern of a promise, a secret, or a thing that the persona is never to raise."""


@frozen
class Immunity:
    """The tags that a page may set without a person, and those that wait."""

    tags: tuple[str, ...]
    held_tags: tuple[str, ...]
    immune: bool
    held: bool
    """True if immunity, or a tag that implies it, waits."""


def hold_immunity(tags: Iterable[str], *, immune: bool, own_word: bool) -> Immunity:
    """Return which tags may be set; `own_word` says that the person flagged the memory's source."""
    listed = tuple(tags)
    held_tags = tuple(tag for tag in listed if tag in IMMUNE_TAGS)
    stays = tuple(tag for tag in listed if tag not in IMMUNE_TAGS)
    return Immunity(stays, held_tags, own_word, bool(held_tags) or (immune and not own_word))


def is_mass_closing(standing: int, closed: int) -> bool:
    """Return whether a page closes so many open items that a person must see it: over three and over half."""
    return closed > MOST_CLOSED and closed * 2 > standing


TOO_MANY = "so many at once wait for your decision"
UNSPOKEN = "the chat does not say that it is done"
UNANSWERED = "the words given for closing it have nothing of it"
NOT_SAID = "the words that close it are not in the chat"
AHEAD = "the day is still to come, and no words about it say that it is done, off or moved"
UNBOUND = "a promise, a secret or a thing not to be raised ends only with words about it"
"""Rules by which a closing waits, as a screen says them."""


def held_closings(
    standing: int, closed: Mapping[int, AbstractSet[str]], said: Collection[str]
) -> frozenset[int]:
    """Return the items whose closing waits: all of a mass closing, else those the chat never touched.

    `closed` has each item's telling words by its number, `said` those of the chat. An item without such words
    cannot be held against the chat, so that its closing waits as well.
    """
    if is_mass_closing(standing, len(closed)):
        return frozenset(closed)
    return frozenset(number for number, words in closed.items() if words.isdisjoint(said))


def is_about_persona(key: str, value: str, evidence: str, persona: str) -> bool:
    """Return whether a fact says something of the persona itself, rather than of the person.

    So it does where its key or its value names the persona, but for what the one who speaks promises it, and
    where the sentence it rests on is addressed to the persona and speaks of nobody else: `You are Mallory`,
    but not `you know I can't eat nuts`. A name that only calls (`Ada, I moved to Rome`) is not what the
    sentence is about, nor is one that only knows of a thing (`only Ada knows`), or gets it (`for you`).
    Questions and words that somebody quotes say nothing of anybody.
    """
    name = persona.casefold().strip()
    value = _without_knowing(_without_quoted(value), name)
    evidence = _without_quoted(evidence)
    value, evidence = (_OBJECT.sub(" ", _without_object(text, name)) for text in (value, evidence))
    if _SELF.intersection(word.casefold() for word in _WORD.findall(key)):
        return True
    sentence = _without_knowing(_without_calls(evidence, name).replace("’", "'"), name)
    sentence = _PHRASES.sub(" ", write_out(sentence))
    called = bool(name and _names(sentence, name))
    speaks = bool(_FIRST.search(sentence) or _TOLD_HOW.search(sentence) or _ASKS_ALONG.search(sentence))
    # `speech to Ada: I'll read it to you` promises something, and says nothing of who Ada is
    promised = speaks and not called and not TELLS_YOU.search(sentence) and not _is_subject(value, name)
    if name and (_names(key, name) or _names(value, name)) and not promised:
        return True
    if _LEAVES_SELF_OUT.search(sentence) and not TELLS_YOU.search(sentence):
        return called
    if speaks:
        return False
    if _is_rule(key, f"{value}. {sentence}") or _stands_apart(value, sentence):
        return False
    return bool(SECOND.search(sentence)) or called


def _without_quoted(text: str) -> str:
    """Return a text without the words that it quotes and its questions; itself if no more is left."""
    every = (_MARKED.sub(r"\1", one.strip()) for one in text.split(" / "))
    parts = [one for one in every if "?" in one or not _ASKS_YOU.match(one)]
    found = _QUESTION.sub(" ", _QUOTED.sub(" ", " / ".join(parts)))
    return found if any(map(str.isalnum, found)) else text


def _without_object(text: str, name: str) -> str:
    """Return a text without the persona's name where it is whom something is for, or is called in passing."""
    if not name:
        return text
    called = re.escape(name)
    plain = re.sub(rf"(?i)\b(?:for|to|with|from|by)\s+{called}\b(?!['’]s)", " ", text)
    # who writes in small letters and without commas calls somebody all the same
    return re.sub(rf"(?<=[a-z]\s){called}(?=\s(?:so|and|but|because|if|when|since)\b|\s*$)", " ", plain)


_QUOTED = late(r"[\"“”„«][^\"“”„«»\n]{1,80}[\"“”»]")
_MARKED = late(r"^[\"“”„«]([^\"“”„«»\n]+)[\"“”»]$")
_ASKS_YOU = late(
    r"(?i)\W*(?:(?:and|so|but) )?(?:do|did|are|were|have|can|could|will|would|shall|should) you\b"
)
_QUESTION = late(r"[^.!?/\n]*\?")
_OBJECT = late(
    r"(?i)\b(?:for|to|with|from|by|of|at|about|beside|without) you\b"
    r"(?!\s+(?:to|are|must|will|shall|should)\b)"
)
"""Patterns of quoted words, a passage in marks, questions, and the persona as whom something is for."""


def _is_subject(value: str, name: str) -> bool:
    """Return whether a value says something of the one who is called that: `Ada obeys`."""
    return _names(value.partition(" ")[0], name)


def _is_rule(key: str, text: str) -> bool:
    """Return whether a text says what a thing costs or gives, or what holds for all: its `you` is anybody."""
    plain = text.casefold()
    if _FOR_ALL.search(plain):
        return True
    named = key.replace("_", " ").casefold().strip()
    return bool(named) and re.search(rf"(?<!\w){re.escape(named)} (?:now )?{_COSTS}(?!\w)", plain) is not None


def _stands_apart(value: str, sentence: str) -> bool:
    """Return whether a clause of something else says an amount, and none that is addressed to somebody.

    `It's four euros a head and you play as long as you want` says of nobody who is addressed what it costs.
    """
    if not _AMOUNT.search(value):
        return False
    words = {word.casefold() for word in _TELLING.findall(value)}
    bearing = [one for one in _CLAUSES.split(sentence) if words & {*_TELLING.findall(one.casefold())}]
    return bool(bearing) and all(_OF_A_THING.match(one) and not SECOND.search(one) for one in bearing)


def is_in_first_person(text: str) -> bool:
    """Return whether the one who writes a text speaks of themselves in it."""
    return _FIRST.search(text.replace("’", "'")) is not None


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text.casefold()) is not None


def _without_knowing(text: str, name: str) -> str:
    """Return a text without what says that the persona knows of a thing, by its name or as `you`."""
    whom = rf"(?:{re.escape(name)}|you)" if name else "you"
    others = r"(?:[\w.'’]+(?:,| and| or) )*"
    one = rf"\b(?:only )?{others}{whom}(?:(?:,| and| or) [\w.'’]+)*"
    known = r"(?: alone)? (?:(?:is|are) the only (?:\w+ )?(?:who|that) )?knows?"
    known += r"(?: (?:of|about) (?:it|this|that))?"
    return re.sub(rf"(?i){one}{known}(?=\s*(?:[.,;:!?]|and\b|but\b|$))", " ", text)


def _without_calls(text: str, name: str) -> str:
    """Return a sentence without the persona's name as a mere address: beside a comma, at either end."""
    if not name:
        return text
    called = re.escape(name)
    plain = re.sub(rf"(?i)(?:^|(?<=[.!?…]))\s*(?:\w+,?\s+)?{called}\s*[,:;!—–-]", " ", text)
    return re.sub(rf"(?i),\s*{called}\s*(?=[.!?,;…]|$)", " ", plain)
