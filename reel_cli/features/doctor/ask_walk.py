"""`reel doctor --ask`: the persona itself holds memories against what was said."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.memory_check import hold_all_against_tape
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.finding import Finding
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import capital
from reel_cli.core.values.memory import Level, memory_path, where_of
from reel_cli.features.doctor.ask import (
    MOST_PAGES,
    CheckAsk,
    CheckedReply,
    ask_own_word,
    find_without_model,
    hear,
    list_doubtful,
)
from reel_cli.features.doctor.settle import plan_cleared
from reel_cli.features.doctor.view import finding_json
from reel_cli.features.fading.ask import snapshot_blob
from reel_cli.terminal.converse import (
    ExchangeOptions,
    ExchangeWalk,
    converse,
    problems_json,
    refuse,
    ring0_in_force,
)

if TYPE_CHECKING:
    from reel_cli.core.evidence.memory_check import Note
    from reel_cli.terminal.open_kit import OpenKit


COMMAND = "doctor --ask"
_KEYS = {"y": "make it again", "n": "leave it as it is", "q": "stop here"}
_NOTHING = "No memory looks doubtful."
_NAME_ONE = "to check one anyway, name it:  reel doctor --ask ID"


def ask_own_words(  # noqa: PLR0913
    opened: "OpenKit",
    names: Sequence[str],
    *,
    prompt: bool,
    reply: str | None,
    dry_run: bool,
    as_json: bool,
) -> bool:
    """Hand out the prompt or take its reply, or on a terminal both; return whether nothing serious was found.

    `names` are the memories to ask about; with none, those that look doubtful without a model, and after them
    the others. Raises ReelError where there is nothing to ask about, or nothing of the reply
    can be used.
    """
    doubting = _DoubtExchange(opened, dry_run=dry_run, as_json=as_json)
    wanted = list(dict.fromkeys(name.upper() for name in names))
    if reply is None and not wanted and not prompt and not doubting.next_ones:
        opened.console.result(_NOTHING)
        opened.console.next_step(_NAME_ONE[:1].upper() + _NAME_ONE[1:])
        return True
    walk = ExchangeWalk(
        COMMAND,
        lambda: doubting.waiting(wanted) or doubting.ask(wanted),
        lambda: doubting.ask(wanted),
        doubting.settle,
    )
    printed = prompt or (as_json and opened.console.interactive and not opened.sends)
    return converse(opened, walk, ExchangeOptions(dry_run=dry_run), prompt=printed, reply=reply) is not False


class _DoubtExchange:
    """The exchange, for one kit as it stands."""

    def __init__(self, opened: "OpenKit", *, dry_run: bool, as_json: bool) -> None:
        self._opened = opened
        self._dry_run = dry_run
        self._as_json = as_json

    @cached_property
    def _notes(self) -> "Mapping[str, Note]":
        opened = self._opened
        memories = len(opened.snapshot.list("ring3"))
        with opened.console.progress("Comparing memories with what was said", memories) as advance:
            return hold_all_against_tape(opened.snapshot, opened.root, advance)

    @cached_property
    def doubtful(self) -> Sequence[str]:
        """Return the memories that look doubtful without a model."""
        return list_doubtful(self._opened.snapshot, self._opened.repository, self._notes)

    @cached_property
    def next_ones(self) -> Sequence[str]:
        """Return the memories to ask about: doubtful ones, else the newest, each once while it is unchanged.

        Where every one was looked at, they are the doubtful ones again.
        """
        snapshot, looked = self._opened.snapshot, self._opened.state.close_look()
        fresh = [name for name in self.doubtful if looked.get(name) != snapshot_blob(snapshot, name)]
        newest = (one.id for one in reversed([*snapshot.memories.values()]) if where_of(one))
        others = (name for name in newest if looked.get(name) != snapshot_blob(snapshot, name))
        return fresh or [*islice(others, MOST_PAGES)] or self.doubtful

    def waiting(self, wanted: Sequence[str]) -> CheckAsk | None:
        """Return the prompt that waits for its reply, if it is about these."""
        asked = find_waiting(self._opened.state, CheckAsk, CheckAsk.name)
        if asked is None or not {one.id for one in asked.entries}.issuperset(wanted):
            return None
        return asked

    def ask(self, wanted: Sequence[str]) -> CheckAsk:
        """Return the prompt about these memories, or about the next ones."""
        opened = self._opened
        named = wanted or self.next_ones
        if not named:
            raise ReelError(_NOTHING, hint=_NAME_ONE)
        counter = get_tokenizer(opened.snapshot.settings.tokenizer)
        asked, unasked = ask_own_word(opened.snapshot, ring0_in_force(opened), counter, named)
        if asked is None:
            message = f"Nothing can be asked about {unasked[0].id}: {unasked[0].why}."
            raise ReelError(message, hint="see the memories with  reel memory list")
        for one in unasked:
            opened.console.say(f"{one.id} is left out: {one.why}.")
        return asked

    def settle(self, asked: CheckAsk, reply: str) -> bool:
        """Show what a reply says beside what is found without a model; whether none of it is serious.

        What the rules doubt of a memory is settled where all of it was said. On a terminal, what is doubted
        can be made again from what was said.
        """
        opened = self._opened
        heard, problems, refusal = hear(opened.snapshot, asked, reply)
        if refusal:
            what = [Problem("reply", refusal), *problems]
            manner = ExchangeOptions(as_json=self._as_json)
            refuse(opened, refusal, what, manner, repair=asked.prompt)
        names = [one.id for one in asked.entries]
        settled = [] if self._dry_run else self._settle_cleared(heard)
        notes = hold_all_against_tape(opened.snapshot, opened.root) if settled else self._notes
        if not self._dry_run:
            opened.state.save_close_look(
                {one.id: one.blob for one, told in zip(asked.entries, heard, strict=True) if not told.why}
            )
            opened.state.drop_exchange(asked.name)
            opened.context.waiting = ""
        found = find_without_model(opened.snapshot, opened.root, opened.repository, notes, names)
        if self._as_json:
            self._report(heard, found, problems, settled)
        else:
            self._show(heard, found, problems)
            for doubt in settled:
                opened.console.say(f"Settled by that: {doubt}")
            if settled:
                opened.console.next_step("To take it back:  reel undo")
            if opened.console.interactive and not self._dry_run:
                self._offer(heard)
            self._say_more(asked, heard)
        return all(one.hint_only for one in found)

    def _settle_cleared(self, heard: Sequence[CheckedReply]) -> list[str]:
        """Settle what the rules doubt of memories of which all was said; return each doubt in words."""
        opened = self._opened
        day = opened.now().date().isoformat()
        change = plan_cleared(opened.snapshot, [one.id for one in heard if one.clear], day)
        if change is None or opened.repository is None:
            return []
        opened.commit(change)
        opened.look_again()
        return [*change.notes]

    def _report(
        self,
        heard: Sequence[CheckedReply],
        found: Sequence[Finding],
        problems: "Sequence[Problem]",
        settled: Sequence[str],
    ) -> None:
        own = [one for entry in heard for one in entry.findings]
        self._opened.console.result_json(
            {
                "findings": [finding_json(one) for one in (*found, *own)],
                "asked": [
                    {
                        "id": one.id,
                        "clear": one.clear,
                        "doubts": len(one.findings),
                        "why": one.why or None,
                        "remarks": list(one.remarks),
                    }
                    for one in heard
                ],
                "settled": list(settled),
                "problems": problems_json(problems),
            }
        )

    def _show(
        self, heard: Sequence[CheckedReply], found: Sequence[Finding], problems: "Sequence[Problem]"
    ) -> None:
        console = self._opened.console
        for place, one in enumerate(heard):
            if place:
                console.result("")
            console.heading(f"{one.title} ({one.id})", console.out)
            lines = [*_without_model(found, one.id), *self._own(one)]
            for line in lines:
                end = "" if line.rstrip('"').endswith((".", "!", "?", "…")) else "."
                console.result(console.wrap(f"{line}{end}", console.out, "  ", "  "))
            if one.findings:
                console.result(console.wrap(one.findings[0].mend, console.out, "    ", "  "), steps=True)
        for problem in problems:
            console.say(f"{capital(problem.what)}.")

    def _own(self, one: CheckedReply) -> Iterator[str]:
        name = self._opened.snapshot.settings.name
        for finding in one.findings:
            yield _placed(finding)
        if one.clear:
            yield f"All of it was said, according to {name}"
        elif one.why:
            yield f"Nothing can be told from {name}'s answer: {one.why}"
        yield from one.remarks

    def _offer(self, heard: Sequence[CheckedReply]) -> None:
        """Ask of each memory that is doubted whether it shall be made again, and go on to that."""
        opened = self._opened
        doubted = [one for one in heard if one.findings and self._can_be_made(one.id)]
        if not doubted or opened.repository is None:
            return
        chosen: list[str] = []
        for one in doubted:
            question = f"Make {one.id} again from what was said? (q stops here)"
            word = opened.console.choose(question, list(_KEYS), "n", _KEYS)
            if word == "q":
                break
            if word == "y":
                chosen.append(one.id)
        if not chosen:
            opened.console.say("Nothing was changed.")
            return
        from reel_cli.features.fading.exchange.exchanges import Matter
        from reel_cli.features.fading.exchange.walks import walk_exchanges
        from reel_cli.features.fading.maintenance_pass import Pass

        if walk_exchanges(Pass(opened, chosen), Matter.ANEW, beyond_limit=False):
            opened.console.next_step(f"To go on with it:  reel maintain --only anew {' '.join(chosen)}")

    def _can_be_made(self, name: str) -> bool:
        memory = self._opened.snapshot.memories.get(name)
        return memory is not None and memory.level is not Level.L4

    def _say_more(self, asked: CheckAsk, heard: Sequence[CheckedReply]) -> None:
        console = self._opened.console
        if self._dry_run:
            console.say("Nothing was changed (--dry-run).")
        again = [one.id for one in heard if one.why and one.id in self._opened.snapshot.memories]
        if again:
            console.next_step(f"To ask again:  reel doctor --ask {' '.join(again)}")
        if asked.rest:
            rest = " ".join(asked.rest)
            console.next_step(f"There was no room to ask about the rest:  reel doctor --ask {rest}")


def _without_model(found: Sequence[Finding], name: str) -> Iterator[str]:
    path = memory_path(name)
    for one in found:
        if one.where.partition(":")[0] == path:
            yield _placed(one)


def _placed(one: Finding) -> str:
    """Return a finding's text for below a heading that already names the memory."""
    path = one.where.partition(":")[0]
    told = one.what.removeprefix(f"{path}, ").removeprefix(f"{path}: ")
    return capital(told)
