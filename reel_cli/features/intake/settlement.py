"""The answers of one page about what to keep, settled one after the other on the kit as it then stands."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.evidence.phrases import Tape, find_claim
from reel_cli.core.tape.tape_view import speaker
from reel_cli.core.values.change import Change, one_line
from reel_cli.features.facts.policy import fact_name
from reel_cli.features.intake.entry import (
    FACTS,
    LONGEST,
    MODEL,
    NOWHERE,
    REEL,
    Candidate,
    DecidedCandidate,
    Decision,
    Queue,
)
from reel_cli.features.intake.files import INTAKE, IntakeEdit, edit_intake
from reel_cli.features.intake.known_candidates import list_known
from reel_cli.features.intake.noticed_words import find_own
from reel_cli.features.intake.queue import UNSAID, list_standing, passed_over
from reel_cli.features.intake.reply import MOST_FURTHER, Answer
from reel_cli.features.intake.settle import IntakeOutcome, settle_one

if TYPE_CHECKING:
    from reel_cli.core.exchange.page_part import PageAnswer
    from reel_cli.core.kit.snapshot import Snapshot

KNOWN = "known by heart already"
"""Reason for something that a fact says."""
NOTED = "named on the page"
"""Reason for something that a page brings up and gives no reason for."""


class Settlement:
    """A page's decisions so far, with the files they change and the problems."""

    def __init__(
        self, page: "PageAnswer", snapshot: "Snapshot", queue: Queue, facts: dict[tuple[str, str], str]
    ) -> None:
        """Begin on the kit with all else of the page in it; `facts` are the values that the page noted."""
        self._page, self._snapshot, self._queue, self._facts = page, snapshot, queue, facts
        self._later = snapshot
        self.settled: dict[int, Decision] = {}
        """Decisions by their place in the queue."""
        self.passed: list[DecidedCandidate] = []
        self.fresh: list[Candidate] = []
        self.done: list[IntakeOutcome] = []
        self.problems: list[tuple[int | str, str]] = []
        self.quiet: set[tuple[int | str, str]] = set()
        """Those of `problems` that only who asks for every word is shown."""

    @property
    def decided(self) -> tuple[DecidedCandidate, ...]:
        """Return all that was decided: what waited, then what the page brought up."""
        waited = (DecidedCandidate(self._queue.waiting[at], told) for at, told in self.settled.items())
        return (*waited, *self.passed)

    @property
    def writes(self) -> Mapping[str, bytes | None]:
        """Return the files that the decisions change, the queue's own aside."""
        return {path: data for one in self.done for path, data in one.writes.items()}

    def edit(self) -> IntakeEdit:
        """Return the queue's file with all of it."""
        text = self._snapshot.text(INTAKE) or ""
        keep = self._snapshot.settings.intake_keep
        return edit_intake(text, self.settled, self.fresh, self.passed, keep, sorted(self.dropped))

    @property
    def dropped(self) -> Collection[int]:
        """Return the places in the queue of what a page has seen and left."""
        passed = passed_over(self._snapshot, self._queue)
        return {at for at, one in enumerate(self._queue.waiting) if one in passed} - self.settled.keys()

    def settle_asked(self, answers: Sequence[Answer], noticed: Sequence[tuple[str, str]]) -> None:
        """Settle the answers about what the prompt asked, by its numbers."""
        places = {one.key: at for at, one in enumerate(self._queue.waiting)}
        page = self._page
        own = {one.key: one for one in find_own(page.snapshot, page.session, self._queue)}
        stand = {one.key for one in list_standing(self._snapshot, self._queue)}
        for answer in answers:
            key = noticed[answer.number - 1]
            at = places.get(key)
            if at is None and (one := own.pop(key, None)) is not None:
                self._pass(one, self._settle(one, answer))
            elif at is None:
                self.problems.append((answer.number, "it was decided, or taken out, meanwhile"))
            elif key not in stand:
                self.problems.append((answer.number, f"{UNSAID}; nothing is made of it"))
                self.settled[at] = Decision(NOWHERE, UNSAID, REEL, self._page.ask.session)
            elif decision := self._settle(self._queue.waiting[at], answer):
                self.settled[at] = decision

    def _pass(self, one: Candidate, decision: Decision | None) -> None:
        """Note something the queue did not have as decided; undecided, as waiting if there is room."""
        if decision is not None:
            self.passed.append(DecidedCandidate(one, decision))
        elif one.by != REEL and self._has_room():
            self.fresh.append(one)

    def settle_known(self) -> None:
        """Settle what no prompt asks about any more, for a fact says it already."""
        known = list_known(self._snapshot, self._queue.waiting)
        for at, one in enumerate(self._queue.waiting):
            if one.key in known and at not in self.settled:
                self.settled[at] = Decision(FACTS, KNOWN, REEL, self._page.ask.session)

    def settle_further(self, answers: Sequence[Answer], noticed: Sequence[tuple[str, str]]) -> None:
        """Settle what the page brings up by itself, as far as the chat has its words (Memory Keep §II.3.1).

        What was asked about, or decided before, is not taken twice. What has no place yet waits.
        """
        tape = Tape(self._page.session.shown())
        waiting = {one.key: at for at, one in enumerate(self._queue.waiting)}
        known = {*noticed, *(one.candidate.key for one in self._queue.decided)}
        for answer in [one for one in answers if one.where != NOWHERE][:MOST_FURTHER]:
            one = self._find(tape, answer)
            if one is None:
                self.problems.append((_quoted(answer.words), "nobody said that in this chat; left out"))
                continue
            if any(one.source == source and _overlaps(one.key[1], words) for source, words in known):
                continue
            known.add(one.key)
            decision = self._settle(one, answer)
            at = waiting.get(one.key)
            if at is None:
                self._pass(one, decision)
            elif decision is not None:
                self.settled[at] = decision

    def _has_room(self) -> bool:
        waits = len(self._queue.waiting) - len(self.settled) + len(self.fresh)
        return waits < self._snapshot.settings.intake_most

    def _find(self, tape: Tape, answer: Answer) -> Candidate | None:
        """Return the words as they were said, with who said them and where; None where nobody did."""
        found = find_claim(tape, answer.words)
        session = self._page.session
        entry = session.numbered().get(found.number) if found is not None else None
        if found is None or entry is None:
            return None
        settings = self._snapshot.settings
        words = " ".join(found.text.split())
        if len(words) > LONGEST:
            cut = words.rfind(" ", 0, LONGEST)
            words = words[: cut if cut > 0 else LONGEST]
        who = speaker(entry, user=settings.user, persona=settings.name)
        when = entry.message.time or session.id[:10]
        why = answer.why or NOTED
        return Candidate(f"{session.id}#{found.number}", words, who, when, why, MODEL, answer.where)

    def _settle(self, one: Candidate, answer: Answer) -> Decision | None:
        """Return where it went; None where it waits, for a reason that is among the problems."""
        page = self._page
        result = settle_one(
            self._later,
            one,
            answer,
            page.now,
            counter=page.counter,
            highest_number=page.highest_number,
            facts=self._facts,
            unattended=page.unattended,
        )
        quiet = [(_quoted(one.words), note) for note in result.quiet]
        self.problems += [*quiet, *((_quoted(one.words), note) for note in result.notes)]
        self.quiet.update(quiet)
        if not result.where:
            return None
        self._later = self._later.after(Change("", "", result.writes))
        self.done.append(result)
        if result.fact is not None:
            self._facts[fact_name(result.fact)] = result.fact.value
        return Decision(result.where, result.why, MODEL, page.ask.session)


def _quoted(words: str) -> str:
    """Return the words that a problem is about: a person never saw the prompt's numbers."""
    return f"“{one_line(words, 40)}”"


def _overlaps(words: str, others: str) -> bool:
    """Return whether one of two texts is part of the other."""
    return words in others or others in words
