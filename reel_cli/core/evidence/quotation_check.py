"""Quotations of a text held against the tape: said so, said otherwise, by another, in pieces, or never."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.phrases import PhraseMatch, Tape
from reel_cli.core.evidence.quotation import SPOKEN
from reel_cli.core.evidence.quoted_words import QuotedWords, QuoteForm, count_words, find_quoted_words
from reel_cli.core.evidence.said_words import Utterance, find_utterances, says_itself
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry

LEFT_OUT = "[…]"
"""Sign in a text for words that were given as said and that nobody said."""
MOST_TOLD = 12
_NEARLY = 9_000
"""Likeness in ten-thousandths below which a quotation is no misquotation but has words of its own."""
_SOUGHT = 100
"""Maximum number of unsaid quotations for which the nearest said one is looked for; that takes long."""
_GAP = late(r"\s*(?:\.\.\.|…|\[[^\]\n]*\]|\s/\s)\s*")
_SENTENCE = late(r"(?<=[.!?…])\s+")
_EDGE = " ,;:"
_PIECE = 3
"""Words from which a sentence of a quotation is looked for alone."""
_PART = late(r"[^.!?\n]*\[…\][^.!?\n]*(?:[.!?]+[\"”»’)]*|(?=\n)|\Z)[ \t]*")
_SENTENCE_END = late(r"(?<=[.!?…])[\"”»’]?\s+|\n")
_LEAD, _BEHIND, _NEAR_DAYS = 200, 80, 2
_ANSWERS = late(r"(?i)\b(?:answered|replied|responded|said back|shot back)\b[^.!?]*\Z")
_ANSWERED = late(r"(?i)\s*,?\s*(?:\w+\s+)?(?:answered|replied|responded)\b")
_DAYS = frozenset((*MONTHS, *WEEKDAYS))
_HUSK = frozenset((
    "i", "you", "he", "she", "we", "they", "it", "me", "him", "her", "us", "them", "my", "his", "their",
    "and", "then", "but", "so", "that", "this", "the", "a", "an", "on", "in", "at", "to", "of", "for",
    "again", "once", "also", "too", "only", "just", "had", "has", "have", "s", "ll", "d", "ve", "m", "re",
))  # fmt: skip
"""Words that tell nothing beside a quotation that is left out."""
_SAYING = late(rf"(?:{SPOKEN})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MendedText:
    """A text with its quotations as they were said, and what was found; `unsaid` are those left out.

    `pointed` are the words that the problems are about, as they stand in the text afterwards.
    """

    text: str
    problems: tuple[Problem, ...] = ()
    unsaid: tuple[str, ...] = ()
    pointed: tuple[str, ...] = ()


class QuotationCheck:
    """A stretch of tape and the tape around it, ready to be asked who said what."""

    def __init__(self, snapshot: Snapshot, entries: Sequence[Entry], texts: Iterable[str] = ()) -> None:
        """Look for what was misquoted among `entries`; `texts` are what will be asked about, where known.

        The tape is gone through once for all of `texts`.
        """
        settings = snapshot.settings
        self._snapshot = snapshot
        self._names = (settings.name, settings.user)
        self._nearly = max(_NEARLY, settings.anchor_similarity)
        self._tape = Tape(entries)
        self._utterances: dict[str, Sequence[Utterance]] = {}
        self._sought = 0
        quoted = [one.inside for text in texts for one in self._quotations(text)]
        self._look({piece for inside in quoted for piece in (*split_gaps(inside), *_sentences_of(inside))})

    def mend(self, text: str) -> MendedText:
        """Return a text with each quotation as it was said, and without those that nobody said."""
        problems: list[Problem] = []
        unsaid: list[str] = []
        pointed: list[str] = []
        made: list[str] = []
        at = 0
        for one in self._quotations(text):
            new, told, pointing = self._settle(one, text[one.start : one.end])
            made += [text[at : one.start], new]
            at = one.end
            if told:
                problems.append(Problem("quote", told))
                pointed.append(pointing)
                if LEFT_OUT in new:
                    unsaid.append(one.inside)
        made.append(text[at:])
        whole = "".join(made)
        if unsaid:
            whole = self._without_husks(whole)
        if len(problems) > MOST_TOLD:
            more = f"{len(problems) - MOST_TOLD:,} more quotations like that"
            problems = [*problems[:MOST_TOLD], Problem("quote", more)]
        return MendedText(whole, tuple(problems), tuple(unsaid), tuple(pointed))

    def find_stitched(self, text: str) -> list[Problem]:
        """Return what a text puts together that was said on different days.

        So it is where words stand beside a day on which something else was said, or as an answer to words of
        another day.
        """
        days = {date.fromisoformat(session[:10]) for session in self._snapshot.sessions}
        today = max(days, default=None)
        problems: list[Problem] = []
        last: tuple[QuotedWords, frozenset[str]] | None = None
        for one in self._quotations(text):
            places = self._places(one.inside)
            said = frozenset(place.session[:10] for place in places)
            if not said:
                last = None
                continue
            shown, when = one_line(one.inside, 80), _day_words(min(said))
            named = self._named_day(text[: one.start], today, days) if one.attributed else None
            between = text[last[0].end : one.start] if last is not None else ""
            behind = text[one.end : one.end + _BEHIND]
            # after a full stop, `I answered` begins the next sentence
            ends = one.inside.rstrip().endswith(".")
            answers = _ANSWERS.search(between) or (not ends and _ANSWERED.match(behind))
            if named is not None and named.isoformat() not in said and not self._speaks_of(places, named):
                problems.append(
                    Problem(
                        "scene", f"“{shown}” was said on {when}, and not on {_day_words(named.isoformat())}"
                    )
                )
            elif last is not None and answers and _is_close(between) and said.isdisjoint(last[1]):
                told = f"“{shown}” was said on {when}, and answers nothing of another day"
                problems.append(Problem("scene", told))
            last = (one, said)
        return problems[:MOST_TOLD]

    def _named_day(self, before: str, today: date | None, days: Collection[date]) -> date | None:
        """Return the day of a session that is named before a quotation, in its sentence; None for none."""
        sentence = split_sentences(_SENTENCE_END, even(before[-_LEAD:]))[-1]
        whens = [when for when in dates(sentence, today) if when.kind == "day" and when.spans]
        if len(whens) != 1:
            return None
        found = [
            day
            for day in days
            for first, _ in whens[0].spans
            if (day.month, day.day) == (first.month, first.day)
        ]
        return found[0] if len(found) == 1 else None

    def _speaks_of(self, places: Sequence[Utterance], day: date) -> bool:
        """Return whether one of these messages was said within two days of a day, or speaks of it."""
        for place in places:
            on = date.fromisoformat(place.session[:10])
            if abs((on - day).days) <= _NEAR_DAYS:
                return True
            said = read_session(self._snapshot, place.session).numbered().get(place.number)
            told = dates(even(said.message.text), on, said=True) if said is not None else ()
            if any(first <= day <= until for when in told for first, until in when.spans):
                return True
        return False

    def mark_proposals(self, text: str) -> str:
        """Return advice with words that nobody said yet in single quotation marks."""
        made: list[str] = []
        at = 0
        for one in self._quotations(text):
            proposed = one.form is QuoteForm.MARKS and not self.stands(one.inside)
            made += [text[at : one.start], f"‘{one.inside}’" if proposed else text[one.start : one.end]]
            at = one.end
        return "".join((*made, text[at:]))

    def stands(self, words: str) -> bool:
        """Return whether a quotation was said in one message, letter for letter, by anybody."""
        return bool(self._places(words))

    def _quotations(self, text: str) -> Sequence[QuotedWords]:
        return find_quoted_words(text, *self._names)

    def _settle(self, one: QuotedWords, whole: str) -> tuple[str, str, str]:
        """Return what stands in a quotation's place, and the problem with the words it points at, if any."""
        shown = one_line(one.inside, 80)
        places = self._places(one.inside)
        if places:
            return self._by_speaker(one, whole, places)
        if pieces := self._pieces(one.inside):
            return self._in_pieces(one, whole, pieces)
        near = self._nearest(one.inside)
        if near is not None and near.likeness >= self._nearly:
            said = self._places(near.text)
            if not one.speaker or any(place.speaker == one.speaker for place in said):
                now = _redressed(one, whole, near.text)
                told = f"“{shown}” was said otherwise; now “{one_line(near.text, 80)}”"
                return now, told, near.text
        if one.is_open:
            return f"‘{one.inside}’" if one.form is QuoteForm.MARKS else whole, "", ""
        return _emptied(one, whole), f"“{shown}” was never said like that; it is left out", one.inside

    def _by_speaker(self, one: QuotedWords, whole: str, places: Sequence[Utterance]) -> tuple[str, str, str]:
        """Return the quotation as it stands, if the one who is named said it.

        Of a he or she it is told where the persona alone said it, as words of its own; it stays, since nobody
        is named.
        """
        if one.third and says_itself(self._snapshot, one.inside, places):
            told = f"“{one_line(one.inside, 80)}” was said by {places[0].speaker}"
            return whole, told, one.inside
        if not one.speaker or any(place.speaker == one.speaker for place in places):
            return whole, "", ""
        if one.speaker not in self._names or not all(place.speaker in self._names for place in places):
            return whole, "", ""
        told = f"“{one_line(one.inside, 80)}” was said by {places[0].speaker}, not by {one.speaker}"
        return _emptied(one, whole), f"{told}; it is left out", one.inside

    def _in_pieces(
        self, one: QuotedWords, whole: str, pieces: Sequence[tuple[str, Sequence[Utterance]]]
    ) -> tuple[str, str, str]:
        """Return the words of several messages as so many quotations, without those of another speaker."""
        kept = [
            (piece, places)
            for piece, places in pieces
            if not one.speaker or any(place.speaker == one.speaker for place in places)
        ]
        where = " and ".join(dict.fromkeys(str(places[0]) for _, places in pieces))
        told = f"“{one_line(one.inside, 80)}” joins what was said at {where}"
        if not kept:
            return _emptied(one, whole), f"{told}; it is left out", one.inside
        parted = " … ".join(_redressed(one, whole, piece) for piece, _ in kept)
        if len(kept) < len(pieces):
            return (
                f"{parted} {LEFT_OUT}",
                f"{told}, not all of it by {one.speaker}; that is left out",
                one.inside,
            )
        return parted, f"{told}; now each is a quotation of its own", kept[0][0]

    def _places(self, words: str) -> Sequence[Utterance]:
        """Return the messages that have a quotation, all of its parts between gaps in one of them."""
        parts = split_gaps(words)
        found = [self._said(part) for part in parts]
        if not found:
            return ()
        return [one for one in found[0] if all(one in others for others in found[1:])]

    def _pieces(self, words: str) -> Sequence[tuple[str, Sequence[Utterance]]]:
        """Return the parts of a quotation, each said whole in another message; () where one was not said."""
        parts = split_gaps(words)
        for pieces in (parts, _sentences_of(words)):
            if len(pieces) > 1 and all(count_words(piece) >= _PIECE for piece in pieces):
                found = [(piece, self._said(piece)) for piece in pieces]
                if all(places for _, places in found):
                    return found
        return ()

    def _said(self, words: str) -> Sequence[Utterance]:
        """Return every message with these words: in the stretch, else anywhere on the tape."""
        bare = words.strip(_EDGE).rstrip(".!?")
        if bare not in self._utterances:
            self._look([bare])
        return self._utterances[bare]

    def _look(self, phrases: Iterable[str]) -> None:
        wanted = [bare for one in phrases if (bare := one.strip(_EDGE).rstrip(".!?")) not in self._utterances]
        found = find_utterances(self._snapshot, wanted) if wanted else {}
        self._utterances |= {bare: found.get(bare, ()) for bare in wanted}

    def _nearest(self, words: str) -> PhraseMatch | None:
        self._sought += 1
        return self._tape.nearest(words) if self._sought <= _SOUGHT else None

    def _without_husks(self, text: str) -> str:
        """Return the text without sentences that said only that something was said, by whom and when."""
        plain = _PART.sub(self._without_husk, text)
        return re.sub(r"\n{3,}", "\n\n", re.sub(r"(?m)[ \t]+$", "", plain)).strip("\n")

    def _without_husk(self, found: re.Match[str]) -> str:
        """Return a sentence, or what stands between its neighbors where it says nothing."""
        if not self._says_nothing(found[0]):
            return found[0]
        # the marks that end the sentence before, and the space that parts it from the one behind, stay
        ends = found.string[: found.start()].endswith((".", "!", "?", "…"))
        marks = re.match(r"[\"”»’)]*", found[0]) if ends else None
        kept = marks[0] if marks else ""
        apart = found[0][len(kept) :][:1].isspace() and found[0][-1:].isspace()
        return f"{kept} " if apart else kept

    def _says_nothing(self, sentence: str) -> bool:
        names = {word for name in self._names for word in name.casefold().split()}
        words = re.findall(r"[^\W_]+", _SAYING.sub(" ", sentence.replace(LEFT_OUT, " ")).casefold())
        return all(word in _HUSK or word in names or word in _DAYS or word.isdigit() for word in words)


def _is_close(between: str) -> bool:
    return "\n" not in between and len(between) <= _BEHIND


def _day_words(day: str) -> str:
    return day_in_words(date.fromisoformat(day))


def split_gaps(quotation: str) -> list[str]:
    """Return the parts of a quotation that must have been said: it may leave out something in between."""
    return [part for part in _GAP.split(quotation) if any(map(str.isalnum, part))]


def list_parts(quotation: str) -> list[str]:
    """Return the parts of a quotation between its gaps, and its sentences, each as it is looked for."""
    sentences = [one for one in _sentences_of(quotation) if count_words(one) >= _PIECE]
    return [bare for one in (*split_gaps(quotation), *sentences) if (bare := one.strip(_EDGE).rstrip(".!?"))]


def _sentences_of(quotation: str) -> list[str]:
    found = [
        part for one in split_gaps(quotation) for part in split_sentences(_SENTENCE, one) if part.strip()
    ]
    return found if len(found) > 1 else []


def _redressed(one: QuotedWords, whole: str, words: str) -> str:
    """Return words in the marks of a quotation."""
    if one.form is QuoteForm.BLOCK:
        return f"> {words}\n"
    at = whole.index(one.inside) if one.inside in whole else 1
    return f"{whole[:at]}{words}{whole[at + len(one.inside) :]}"


def _emptied(one: QuotedWords, whole: str) -> str:
    """Return what stands in the place of a quotation that is left out."""
    return f"{LEFT_OUT}\n" if one.form is QuoteForm.BLOCK and whole.endswith("\n") else LEFT_OUT
