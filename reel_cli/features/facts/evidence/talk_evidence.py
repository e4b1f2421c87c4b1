"""Words of a talk that a fact is held against: the user's, the persona's own, and those of others there."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from reel_cli.core.evidence.grounding.intentions import only_intended, tells_done
from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences, spelt_out, telling
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.own_words import (
    ADDRESSED,
    LENT,
    NO,
    ONESELF,
    PROPOSES_BOTH,
    is_named,
    is_of_own_life,
    is_own_deed,
    is_own_telling,
    is_saying_of_ones_own,
    is_whole,
    leaves_self_out,
    may_be_own,
    missing_detail,
    sentences_around,
    tells_beside_address,
    tells_of_no_other,
    tells_own_part,
)
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.tape.voices import other_users, other_voices
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.facts.evidence.details.earlier_talk import EarlierTalk
from reel_cli.features.facts.evidence.details.pronouns import brings_up
from reel_cli.features.facts.evidence.fact_answer import HEDGED, MOST_WORDS, agrees
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.evidence.key_meaning import OWNER, lacks_meaning, names_another
from reel_cli.features.facts.evidence.promised_things import promises_of_thing
from reel_cli.features.facts.evidence.spoken_turns import BETWEEN
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.reply import ToldFact

_END = late(r"[.!?]")
_NAMES = late(r"\b[A-Z][\w-]+")
_PART = late(r"(?i)[,;:]\s+|\s(?=(?:but|so|because)\s)")
_AFTER_DEED = late(r"([.!?…]\*)[ \t]+(?=\S)")
_LEFT_TO_THE_OTHER = late(r"(?i)\bshall (?:i|he|she|it|they|the|there|my|his|her|their)\b[^?]*\?")
"""Pattern of a question that leaves something of the persona's tale to the one who answers."""
_OFFERS = late(r"(?i)\b(?:shall|should|may) i\b|\b(?:want|like) me to\b")
_ACCEPTS = late(
    r"(?i)\W*(?:(?:oh|ah|well)\W+)?(?:yes|yeah|yep|please|do\b|go on|go ahead|ok(?:ay)?\b|sure|gladly|grand"
    r"|thanks?\b|that would|i['’]d like that|of course)"
)
"""Patterns of a question that offers to do something, and of an answer that accepts it."""
_PROMISED = late(r"(?i)\b(?:you (?:shall|will|['’]ll) have|you['’]ll have|my word|word of honour)\b")
"""Pattern of a promise that is told of the one who gets it."""
_WILL = late(r"(?i)\b(?:i (?:will|shall|promise)|i['’]ll)\b(?! (?:have|be)\b)")
"""Pattern of a promise by the one who says it."""
_ASKS_YOU = late(r"(?i)\W*(?:and |but |so )?you (?!(?:are|were)\b)\w+")
_BEFORE, _AFTER = 4, 1
"""Turns before and after those that support a fact, which may say what it is of."""
_DAY = 10
_LEAST_WORDS = 2
"""Telling words of an evidence by which a sentence is found that has them in another order."""


class TalkEvidence:
    """The turns of both speakers of a session, in which the words for a fact are looked up."""

    def __init__(
        self, session: Session, user: str, personas: Sequence[str], *, unattended: bool = False
    ) -> None:
        """Take a session, and what the user and the persona are called, the kit's name for it first.

        `unattended`: nobody reads what is kept. The words of others who answer in it are not the persona's.
        """
        shown, day, persona = session.shown(), session.id[:10], personas[0]
        self._session = session
        others, users = other_voices(shown, personas), other_users(shown, user)
        told = [entry for entry in shown if entry.message.name not in others]
        self._user, self._persona, self._read = user, persona, not unattended
        self._users = users
        self._theirs = UserTurns(_as_spoken(shown, "", others | users), user, persona, day)
        self._others = [
            (name, UserTurns(_as_spoken(shown, name, others | users, user), name, persona, day))
            for name in sorted(users)
        ]
        self._own = UserTurns(told, persona, user, day, role="assistant")
        self._shown, self._started = shown, day
        self._texts = {entry.number: one_line(entry.message.text) for entry in shown}
        self._whole = {entry.number: entry.message.text for entry in shown}
        self._told = [part for entry in told if entry.message.role == "assistant" for part in _told_in(entry)]
        self._told_keys = [quote_key(one) for one in self._told]
        self._user_keys = [quote_key(even(one.message.text)) for one in shown if one.message.role == "user"]

    def bears(
        self, value: str, evidence: str, *, as_own: bool = False, about: str = ""
    ) -> tuple[FactSupport, bool]:
        """Return what supports a fact, and whether the persona told it of itself, or of its own life.

        In a chat of several it may be what somebody else there said, who is then its `speaker`; `about` is
        what else the fact says, and whom it names is asked first. So is one whom the user quotes, and whom
        the fact names.
        """
        borne, own = self._bears_of_two(value, evidence, as_own=as_own)
        for name, turns in self._others:
            if borne.why or is_named(about, name):
                theirs = turns.bears(value, evidence)
                if not theirs.why or (theirs.words and not borne.words):
                    return replace(theirs, speaker=name), False
        if borne.quoted and not as_own:
            two = f"{self._user} {self._persona}".split()
            names = [one for one in _NAMES.findall(even(about)) if one not in two]
            return self._theirs.bears_quoted(value, evidence, names) or borne, own
        return borne, own

    def bears_as_written(
        self, told: ToldFact, before: EarlierTalk, standing: Iterable[Fact], *, as_own: bool
    ) -> FactSupport | None:
        """Return what supports a value as it is written, whose quotation alone does not; None for none.

        What is given `as_own` is told by the persona of its life, promised or offered, and not said again
        after the user.
        """
        value, evidence, key = told.value, told.evidence, told.key
        known = before.known_about(key, value, standing)
        if not as_own:
            return self._theirs.bears_as_written(value, evidence, key, known, before.stems)
        if (offer := self._find_offer(value, evidence)) is not None:
            return offer
        found = self._own.bears_as_written(value, evidence, key, known, before.stems)
        parts = [part for part in BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
        if found is None or any(Tape(self._shown).find(one) is None for one in parts):
            return None
        return found if self.is_of_its_own(key, found) else None

    def is_of_its_own(self, key: str, found: FactSupport) -> bool:
        """Return whether the persona told of itself, or of its own life, what supports a fact."""
        if not self._own.has(found.number):
            # somebody else answers there
            return False
        # what is promised is often a thing that the user spoke of: `I will ask how the vet went`
        if not _WILL.search(found.words) and self._repeats(found.value, found):
            return False
        sentence = " ".join(sentences_around(found.words, self._own.source_at(found.number))) or found.words
        own = is_own_telling(found.words, self._user) or _PROMISED.search(sentence)
        # `You said the word and I went on` tells a part of its own
        part = tells_own_part(found.value, sentence, self._user)
        # `he` is somebody whom the name says, or whom the persona brought up just before
        is_whom = _NAMES.search(key) or self._names_last(key, found, sentence)
        is_told = is_of_own_life if is_whom else tells_of_no_other
        return bool(own or part or is_told(sentence, self._user))

    def _names_last(self, key: str, found: FactSupport, sentence: str) -> bool:
        """Return whether a value has the last name up to a sentence, which the persona brought up itself.

        What the name and the value name was spoken of there, too.
        """
        said = [one for one in self._shown if (one.number or 0) <= found.number]
        near = [one for one in said if (one.number or 0) >= found.number - _BEFORE]
        about = telling(key) & telling(found.value)
        if not about <= telling(" ".join(one.message.text for one in near)):
            return False
        told = even(" ".join(one_line(one.message.text) for one in near if one.message.role != "user"))
        before = told[: max(0, told.rfind(one_line(sentence)))]
        turns = ((one.message.role, even(one.message.text)) for one in said)
        return brings_up(found.value, before, sentence, turns)

    def source_of_user(self, number: int) -> Source:
        """Return the index of the user's turn that is this message."""
        return self._theirs.source_at(number)

    def says_all(self, value: str, near: int, *, own: bool) -> bool:
        """Return whether everything in a value was said near a message, by either speaker."""
        return (self._own if own else self._theirs).says_all(value, near)

    def _find_offer(self, value: str, evidence: str) -> FactSupport | None:
        """Return the support of what the persona offered to do, and the user said yes to; None for none."""
        parts = [key for part in BETWEEN.split(evidence) if (key := quote_key(even(part)).strip())]
        for entry, after in pairwise(self._shown):
            if entry.message.role == "user" or after.message.role != "user" or not entry.number:
                continue
            answer = next(iter(_told_in(after)), "")
            if not _ACCEPTS.match(answer) or NO.search(answer) or HEDGED.search(answer):
                continue
            for offer in (one for one in _told_in(entry) if one.endswith("?") and _OFFERS.search(one)):
                said = quote_key(offer).strip()
                day = read_day(entry.message.time or self._started)
                source = Source(
                    [look_at_turn(Turn(entry.number, self._persona, offer, day))], me=self._persona
                )
                if (
                    any(part in said or said in part for part in parts)
                    and telling(value) <= telling(offer) | LENT
                    and bool(NO.search(value)) == bool(NO.search(offer))
                    and not missing_detail(value, source)
                ):
                    on = (entry.message.time or self._started)[:_DAY]
                    return FactSupport(entry.number, on, "", value, words=offer, source=source)
        return None

    def _bears_of_two(self, value: str, evidence: str, *, as_own: bool) -> tuple[FactSupport, bool]:
        """Return what in the user's words or the persona's supports a fact, and whether it is the persona's.

        `as_own` says that it is given as such: then it may be about somebody in the persona's life, unless
        the user said the same, and waits where nobody reads it. Where the persona's words bear it and do not
        say whose it is, the support is `near`, with the reason.
        """
        borne = self._theirs.bears(value, evidence)
        mine = self._own.bears(value, evidence) if borne.why or as_own else None
        if mine is None or not (
            borne.why or borne.answered or (" / " in f"{borne.words} {mine.words}" and not mine.why)
        ):
            # the persona's words may stand beside a question of the user's
            return borne, False
        if mine.unsaid and as_own and (sentence := self._find_telling(evidence)):
            mine = self._own.bears(value, sentence)
        words = mine.words.rpartition(" / ")[2]
        # the persona may only say again what the user told; a name alone is anybody's to say
        retold = not as_own and len(telling(value) - LENT) >= _LEAST_WORDS and self._repeats(value, mine)
        if mine.why or retold:
            nearer = as_own and (borne.unsaid or not mine.unsaid)
            if mine.wrong and not (borne.near or borne.unsaid):
                # whoever said it: a number of the value is another in those words
                nearer, mine = True, replace(mine, near=0)
            return (mine if nearer else borne), False
        own = is_own_telling(words, self._user) or leaves_self_out(self._sentence(mine, words), self._user)
        turn = self._texts.get(mine.number, "")
        if own or (as_own and agrees(mine.words.rpartition(" / ")[0], words, turn)):
            return mine, True
        around = sentences_around(words, mine.source) if mine.source is not None else ()
        told, before = around or [words], self._texts.get(mine.number - 1, "")
        if as_own and (
            tells_beside_address(value, told, self._user)
            or promises_of_thing(told, _sentences(self._whole.get(mine.number, "")), before)
        ):
            return mine, True
        sentence = " ".join(around) or words
        if as_own and (self._promises(mine, words) or is_saying_of_ones_own(sentence, value)):
            return mine, True
        again = self._repeats(value, mine)
        if as_own and not again and is_own_deed(value, self._whole.get(mine.number, ""), self._user):
            return mine, True
        tells = as_own and not again and is_of_own_life(sentence, self._user)
        if tells and (
            self._read or tells_of_no_other(sentence, self._user) or is_whole(value, _sentences(sentence))
        ):
            return mine, True
        if not (tells or (around and may_be_own(" ".join(around), self._user))):
            told = f"“{one_line(words, 60)}” is not about {self._persona}"
            return (replace(borne, why=told) if as_own else borne), False
        return replace(mine, why=borne.why, near=mine.number, number=0), True

    def _repeats(self, value: str, mine: FactSupport) -> bool:
        """Return whether all of a value was said by the user before the persona did.

        What the persona left to the user (`Shall he be alive?`) is the persona's all the same.
        """
        before = [
            one for one in self._shown if one.message.role == "user" and (one.number or 0) < mine.number
        ]
        words = telling(value) - LENT
        if not words:
            # `Monday works`, to a question of Monday, is for the answer's other words to say
            return bool(telling(value) & telling(self._texts.get(mine.number - 1, "")))
        if not words <= frozenset(stem for one in before for stem in telling(one.message.text)):
            return False
        asked = self._texts.get(mine.number - 2, "")
        left = before and words <= telling(before[-1].message.text) and before[-1].number == mine.number - 1
        return not (left and _LEFT_TO_THE_OTHER.search(even(asked)))

    def _promises(self, mine: FactSupport, words: str) -> bool:
        """Return whether words say again what the user proposed just before, and leave nothing open."""
        turn, before = self._texts.get(mine.number, ""), self._texts.get(mine.number - 1, "")
        plain, said = even(words), _sentences(turn)
        # a deed between asterisks says no to nothing
        spoken = [one for one in said if not one.startswith("*")]
        near = [plain, *spoken[:1], *(one for one in spoken if telling(one) & telling(plain))]
        if any(NO.search(one) or HEDGED.search(one) or "?" in one for one in near):
            return False
        wanted = telling(words.partition(".")[0])
        asked = _sentences(before)
        return bool(wanted) and any(PROPOSES_BOTH.search(one) and wanted <= telling(one) for one in asked)

    def says_nothing_of(
        self, key: str, borne: FactSupport, stood: Fact | None = None, *, protects: bool
    ) -> str:
        """Return why the words for a fact are not about what its name says; "" where they may be.

        They are the turn with the one before it, those before a bare question that it answers, and the other
        turns in which the value is spoken of. Those with a word of what `stood` under the name are about it.
        """
        names = f"{self._user} {self._persona} {borne.speaker}"
        if protects and (owner := names_another(key, borne.words, names)):
            return f"“{one_line(borne.words, 60)}” is said of the one who speaks, not of {owner}"
        texts = [] if borne.source is None else [one.turn.text for one in borne.source.said]
        if not borne.session:
            near = range(self._begins(borne), borne.number + 1)
            mine = telling(borne.value)
            told = self._texts.items()
            texts += [text for number, text in told if number in near or mine & telling(text)]
        known = stood is not None and telling(stood.value) & telling(" ".join(texts)) - LENT
        if known or not lacks_meaning(key, borne.value, texts, protects=protects):
            return ""
        name = key if OWNER.match(even(key)) else f"the {key}"
        return f"“{one_line(borne.words, 60)}” does not say that it is {name}"

    def _begins(self, borne: FactSupport) -> int:
        """Return the message that the words of a fact go back to, by questions that name next to nothing.

        `From hazelnuts?` asks about what was said before it.
        """
        first = (borne.first or borne.number) - 1
        least = first - _BEFORE
        while first > least:
            asked = self._texts.get(first, "")
            if not asked.endswith("?") or len(telling(asked)) > 1 or ADDRESSED.search(asked):
                break
            first -= 1
        return first

    def find_plan(self, key: str, borne: FactSupport, *, own: bool) -> str:
        """Return the words that leave to come what a fact tells as done; "" where it may have been done.

        Whoever said them may say in another turn that it was.
        """
        if borne.source is None:
            return ""
        told = borne.value if tells_done(borne.value) else f"{key} {borne.value}"
        who = borne.speaker or (self._persona if own else self._user)
        turns = [one.turn for one in borne.source.said if not borne.around or one.turn.number == borne.number]
        numbers = {0 if borne.session else one.number for one in turns}
        others = [one for one in self._shown if self._speaker(one) == who and one.number not in numbers]
        elsewhere = [one.message.text for one in others]
        since = [one.message.text for one in others if (one.number or 0) > max(numbers)]
        said = [one.text for one in turns]
        if not (found := only_intended(told, said, elsewhere, since)):
            return ""
        # `I failed the theory` says of `failed with 41` what the name says
        if (
            told == borne.value
            and borne.around
            and not only_intended(f"{key} {told}", said, elsewhere, since)
        ):
            return ""
        every = [one for text in said for one in _sentences(text)]
        whole = next((one for one in every if spelt_out(one) == one_line(found)), one_line(found))
        parts = [part for part in _PART.split(whole) if only_intended(told, [part])]
        return (whole if len(whole.split()) <= MOST_WORDS else next(iter(parts), whole)).strip(" -")

    def near(self, borne: FactSupport) -> Source:
        """Return the turns around those that support a fact, as far as they may name what those point to.

        What the other speaker tells of themselves there is left out.
        """
        who = next((self._speaker(one) for one in self._shown if one.number == borne.number), self._user)
        first, last = (borne.first or borne.number) - _BEFORE, borne.number + _AFTER
        said = [
            look_at_turn(
                Turn(
                    entry.number,
                    self._speaker(entry),
                    entry.message.text if self._speaker(entry) == who else _addressed(entry),
                    read_day(entry.message.time or self._started),
                )
            )
            for entry in self._shown
            if entry.number and first <= entry.number <= last
        ]
        named = f"{self._user} {self._persona} {borne.speaker}".strip()
        return Source(said, known=named, who=named, me=self._persona)

    def _speaker(self, entry: Entry) -> str:
        """Return who said a message: one of the two, or another user by name."""
        if entry.message.role != "user":
            return self._persona
        name = entry.message.name
        return name if name in self._users and name is not None else self._user

    def without_asked(self, evidence: str) -> str:
        """Return an evidence without what the persona asked or told the user: their `you` is the user.

        What names the persona, or speaks of it as I, stays.
        """
        # quotations of two places stand beside one another
        every = even(evidence).split(" / ")
        parts = [plain[start:end].strip() for plain in every for start, end in sentences(plain)]
        told = [one for one in parts if not self._asked_of_user(one)]
        return " ".join(told) if told and len(told) < len(parts) else evidence

    def _asked_of_user(self, sentence: str) -> bool:
        # `you tell me before, not after` asks something of the user
        oneself = ONESELF.search(sentence) and not _ASKS_YOU.match(sentence)
        if oneself or is_named(sentence, self._persona):
            return False
        key = quote_key(sentence).strip(' "')
        theirs = any(key in one for one in self._user_keys)
        return bool(key) and not theirs and any(key in one for one in self._told_keys)

    def _find_telling(self, evidence: str) -> str:
        """Return the persona's sentence that has the words of an evidence in another order; "" for none."""
        wanted = telling(evidence)
        if len(wanted) < _LEAST_WORDS:
            return ""
        return next((one for one in self._told if wanted <= telling(one) and not one.endswith("?")), "")

    def _sentence(self, borne: FactSupport, words: str) -> str:
        """Return the sentence that begins with words of a turn; "" where none does."""
        before, found, after = self._texts.get(borne.number, "").partition(words)
        if not found or before.rstrip()[-1:] not in ("", ".", "!", "?"):
            return ""
        return found + (after[: end.end()] if (end := _END.search(after)) else after)


def _as_spoken(
    entries: Sequence[Entry], speaker: str, others: Collection[str], user: str = ""
) -> Sequence[Entry]:
    """Return a talk as one of its users has it: the words of all other users are an answer to theirs.

    `speaker` is the one, "" for the kit's user, whose name the others then hear as `user`. Only a name by
    which somebody is told from the two of the kit stays.
    """
    found: list[Entry] = []
    for entry in entries:
        message = entry.message
        name = message.name if message.name in others else None
        role = message.role
        if role == "user" and (name or "") != speaker:
            role, name = "assistant", name or user
        same = (role, name) == (message.role, message.name)
        found.append(entry if same else replace(entry, message=replace(message, role=role, name=name)))
    return found


def _addressed(entry: Entry) -> str:
    """Return what of a message is a question, or tells nothing of its speaker."""
    return " ".join(one for one in _told_in(entry) if one.endswith("?") or not ONESELF.search(one))


def _told_in(entry: Entry) -> Sequence[str]:
    return _sentences(entry.message.text)


def _sentences(told: str) -> Sequence[str]:
    # a deed between asterisks ends a sentence, too
    text = _AFTER_DEED.sub(r"\1\n\n", even(told))
    return [one_line(text[start:end]) for start, end in sentences(text)]
