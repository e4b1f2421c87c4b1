"""Ring 2 over its range: an exchange that lets notes go, each on record, none for good (REEL §4.3, §6.5)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Exchange, Handout, Offer
from reel_cli.core.exchange.lived_words import read_lived_reply
from reel_cli.core.exchange.open_ask import match_items
from reel_cli.core.exchange.prompts import number_notes
from reel_cli.core.exchange.schema import CHECKPOINT
from reel_cli.core.files import working_file
from reel_cli.core.files.commit_message import CLOSED, FORGOT, NOTE, SHORTER, Forgotten, render_forgotten
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.pack.words import quote_said
from reel_cli.core.resources import read_ask
from reel_cli.core.values.artifact import Delta, Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import Item
from reel_cli.features.fading.plan import OP
from reel_cli.features.page.notes.working_notes import parse_notes

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.values.holdings import Counter


KIND = "tidying"
REASON = 200
"""Characters of a note that are stored in the ledger of losses."""
TITLE = "Where things stand"
WORDS = 70
"""Words that are equated to 100 tokens."""


def render_tidying(  # noqa: PLR0913
    name: str, user: str, identity: str, notes: str, *, words: int, most: int
) -> str:
    """Ask which of the numbered notes may go, with ring 0 loaded; `words` they have, `most` would do."""
    intro, _, outro = read_ask("tidy").partition("\n---\n")
    values = {
        "name": name,
        "user": user,
        "identity": identity.strip(),
        "notes": notes,
        "words": f"{words:,}",
        "most": f"{most:,}",
    }
    whole = f"{intro.strip()}\n\n{outro.strip()}\n"
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], whole)


def read_tidying(
    reply: str, items: Sequence[Item], *, prompt: str, names: Sequence[str]
) -> tuple[Delta | None, tuple[Problem, ...], bool]:
    """Return the changes to the notes, the problems, and whether the reply is the prompt pasted back.

    None where the reply holds nothing about them. What it adds that was not asked for is named and left.
    """
    whole = CHECKPOINT.only(("notes",))
    schema = replace(whole, fields=tuple(replace(spec, hint="") for spec in whole.fields))
    reading = read_lived_reply(reply, schema, prompt=prompt, names=names)
    if reading.is_prompt or not reading.text("notes"):
        return None, reading.problems, reading.is_prompt
    delta = parse_notes(reading.text("notes"), items)
    problems = [Problem("notes", f"this matches no note: {line}") for line in delta.unmatched]
    problems += [Problem("notes", f"this was not asked for and is left out: {line}") for line in delta.new]
    return delta, (*reading.problems, *problems), False


def over_range(snapshot: Snapshot, counter: "Counter") -> tuple[int, int] | None:
    """Return the tokens of ring 2 and the most its range allows, if it is over it; else None."""
    size = counter.count(working_file.read_body(snapshot.text(WORKING) or ""))
    most = snapshot.settings.ranges["2"].tokens(snapshot.settings.cap)[1]
    return (size, most) if size > most else None


@dataclass(frozen=True, slots=True)
class TidyAsk(Exchange):
    """A prompt that asks which notes may go: those of ring 2, as it numbers them."""

    kind = KIND
    name = f"{OP}.{KIND}"

    prompt: str
    ring0: str
    items: tuple[Item, ...]


class Tidier:
    """An exchange that asks which notes of one kit may go, and reads the reply."""

    def __init__(self, repo: "Repository", ring0: "Ring0", counter: "Counter", op: str) -> None:
        """Keep the values; `op` is the commits' operation, and the command that takes the reply."""
        self._repo = repo
        self._ring0 = ring0
        self._counter = counter
        self._op = op

    def make(self, snapshot: Snapshot) -> TidyAsk | None:
        """Return the prompt, if ring 2 is over its range and has notes to go through."""
        over = over_range(snapshot, self._counter)
        text = snapshot.text(WORKING) or ""
        items = tuple(working_file.read_items(text))
        if over is None or not items:
            return None
        settings = snapshot.settings
        body = working_file.read_body(text)
        prompt = render_tidying(
            settings.name,
            settings.user,
            self._ring0.text,
            number_notes(body, items, lambda part: quote_said(part, settings.people)),
            words=len(body.split()),
            most=over[1] * WORDS // 100,
        )
        return TidyAsk(prompt, self._ring0.blob, items)

    def hand(self, asked: TidyAsk) -> Handout:
        """Return the prompt with the way its reply is read."""

        def read(snapshot: Snapshot, reply: str) -> Answer:
            return self._read(snapshot, reply, asked.prompt, asked.ring0, asked.items)

        return Handout(asked, self._op, read)

    def _read(self, snapshot: Snapshot, reply: str, prompt: str, ring0: str, items: Sequence[Item]) -> Answer:
        if not reply.strip():
            return EMPTY
        names = (snapshot.settings.name,)
        delta, problems, is_prompt = read_tidying(reply, items, prompt=prompt, names=names)
        if is_prompt:
            return NO_ANSWER
        if delta is None:
            return Answer(refusal="That reply names none of the notes.", problems=problems)
        text = snapshot.text(WORKING) or ""
        edit, more = self._edit(text, delta, items)
        problems = (*problems, *more)
        if not edit.closed and not edit.changed:
            if delta.unmatched and not delta.still:
                return Answer(
                    refusal="That reply does not say clearly what becomes of the notes.", problems=problems
                )
            return Answer(problems=problems, nothing="Nothing changes in the notes.")
        counts = {"closed": len(edit.closed), "changed": len(edit.changed)}
        before, after = self._size(text), self._size(working_file.apply_edit(text, edit))
        offer = Offer(
            id=WORKING,
            title=TITLE,
            heading=f"{TITLE}: {counts['closed']:,} let go, {counts['changed']:,} shorter,"
            f" {before:,} to {after:,} tokens",
            shown=(
                *(f"closed: {one_line(item.text)}" for item in edit.closed),
                *(f"changed: “{one_line(i.text)}” to “{one_line(words)}”" for i, words in edit.changed),
            ),
            plan=lambda now: self._plan(now, delta, items, ring0),
            told={
                **counts,
                "standing": len(working_file.read_items(text)),
                "tokens_before": before,
                "tokens_after": after,
            },
        )
        return Answer((offer,), problems=problems)

    def _size(self, text: str) -> int:
        return self._counter.count(working_file.read_body(text))

    def _edit(
        self, text: str, delta: Delta, items: Sequence[Item]
    ) -> tuple[working_file.Edit, Sequence[Problem]]:
        """Return the edit of the notes as they are now; a change that makes a note longer is dropped."""
        now = match_items(items, working_file.read_items(text))
        closed = [now[number] for number in delta.closed if number in now]
        changed, problems = [], []
        for number, words in delta.changed:
            if number not in now:
                continue
            if self._counter.count(words) < self._counter.count(now[number].text):
                changed.append((now[number], words))
            else:
                told = f"{number} would not get shorter and stays as it is: {one_line(words, 80)}"
                problems.append(Problem("notes", told))
        return working_file.Edit(closed=closed, changed=changed), problems

    def _plan(self, snapshot: Snapshot, delta: Delta, items: Sequence[Item], ring0: str) -> Change:
        text = snapshot.text(WORKING) or ""
        edit, _ = self._edit(text, delta, items)
        if not edit.closed and not edit.changed:
            message = "The notes were changed after the prompt was made; none of these is there any more."
            raise ReelError(message)
        blob = self._repo.blob_id(text.encode())
        count = self._counter.count
        losses = [
            Forgotten(WORKING, NOTE, CLOSED, count(item.text), 0, "", blob, one_line(item.text, REASON))
            for item in edit.closed
        ]
        losses += [
            Forgotten(
                *(WORKING, NOTE, SHORTER, count(item.text), count(words), "", blob),
                f"in fewer words: {one_line(item.text)}",
            )
            for item, words in edit.changed
        ]
        trailers = [(FORGOT, render_forgotten(loss)) for loss in losses]
        trailers += [("Reel-Tokenizer", self._counter.name), ("Reel-Ring0", ring0)]
        what = _in_words(len(edit.closed), "let go") or _in_words(len(edit.changed), "in fewer words")
        fresh = working_file.apply_edit(text, edit)
        return Change(self._op, what, {WORKING: fresh.encode()}, tuple(trailers))


def _in_words(number: int, done: str) -> str:
    """Return how many notes, and what became of them; "" for none."""
    return "" if not number else f"a note {done}" if number == 1 else f"{number:,} notes {done}"
