"""A page that a model writes while one watches: by the server that kit.yaml names, shown as it comes."""

from dataclasses import replace
from io import StringIO
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, UnusableError
from reel_cli.features.page.walk import checkpoint_walk
from reel_cli.features.serve.browser_words import leave_out_commands
from reel_cli.features.serve.evening import EveningStep
from reel_cli.features.serve.page_maker import BETWEEN, in_thread, read_form
from reel_cli.features.serve.shown_answer import GivenAnswer, write_answer
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from reel_cli.terminal.converse import ExchangeOptions, put_out
from reel_cli.terminal.plain_text import harmless
from reel_cli.terminal.transport_option import Parcel, Via, find_transport

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from reel_cli.features.serve.evening import EveningPages
    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit
    from reel_cli.terminal.transport_option import CarryResult

BROKEN = "The answer did not come."
NO_SERVER = "No model is named in the settings that could write it."


class WritingPages:
    """The page on which a model writes."""

    def __init__(self, make: "PageMaker", evening: "EveningPages") -> None:
        """Answer with pages that `make` makes; `evening` reads what was written."""
        self._make, self._evening = make, evening

    def list_routes(self) -> "Sequence[BaseRoute]":
        """Return its path."""
        from starlette.routing import Route

        return [Route("/evening/write", self.write, methods=["POST"])]

    async def write(self, request: "Request") -> "Response":
        """Let the model write; the answer grows with its words, and ends with how they were read."""
        form = await read_form(request)

        def begin(kit: "ServedKit") -> "Response":
            if str(form.get("tip", "")) != kit.tip:
                return self._evening.show_step(kit, EveningStep(note=BETWEEN))
            if not kit.server:
                return self._evening.show_step(kit, EveningStep(note=NO_SERVER))
            brief = bool(form.get("brief"))
            page = WrittenPage(self._make.root, kit.server, self._evening, brief=brief)
            return self._make.growing_page(kit, "writing.html", writing=page)

        return await in_thread(lambda: self._make.answer(begin))


class WrittenPage:
    """One page in the writing: its words as they come, and at their end how they were read."""

    def __init__(self, root: "Path", server: str, evening: "EveningPages", *, brief: bool) -> None:
        """Ask `server`; nothing is sent before the words are asked for."""
        self._root, self._server, self._evening, self._brief = root, server, evening, brief
        self._words: SimpleQueue[str | None] = SimpleQueue()
        self._left = Event()
        self._step = EveningStep()
        self._why = BROKEN
        self._said = StringIO()

    def __iter__(self) -> "Iterator[str]":
        """Yield the model's words; where nobody asks for more, the model is hung up on."""
        Thread(target=self._run, daemon=True).start()
        try:
            while (words := self._words.get()) is not None:
                yield harmless(words)
        finally:
            self._left.set()

    @property
    def said(self) -> str:
        """Return what was said of the way: where it went, and how much went along."""
        return leave_out_commands(self._said.getvalue())

    def finish(self) -> EveningStep:
        """Return the step at which the page is shown, with the reason where it did not come whole."""
        return replace(self._step, note=self._why)

    def _run(self) -> None:
        try:
            carried = self._carry()
            self._why = leave_out_commands(carried.why.message) if carried.why is not None else ""
        except ReelError as error:
            self._why = leave_out_commands(error.message)
        finally:
            self._words.put(None)

    def _carry(self) -> "CarryResult[None]":
        context = Context(self._root, Console(StringIO(), self._said))
        context.via = Via(self._server, yes=True)
        opened, manner = context.open_kit(), ExchangeOptions()
        walk = checkpoint_walk(opened, manner, None, brief=self._brief)
        asked = walk.due()
        text = put_out(opened, walk, asked, manner)
        parcel = Parcel(
            text,
            walk.command,
            walk.before(asked),
            walk.shape,
            walk.effort,
            self._hear,
            limited=walk.limited,
        )
        return find_transport().carry(opened, parcel, self._take)

    def _hear(self, words: str) -> None:
        if self._left.is_set():
            message = "Nobody watches any more."
            raise ReelError(message)
        self._words.put(words)

    def _take(self, reply: str) -> None:
        """Read what came, with what came before it; raises UnusableError that asks for what is missing."""
        whole = f"{write_answer(self._step.parts)}\n\n{reply}" if self._step.parts else reply
        self._step = self._evening.read(GivenAnswer(whole, brief=self._brief))
        read = self._step.read
        if read is not None and read.why and read.rest and read.missing:
            self._hear("\n\n")
            raise UnusableError(read.why, repair=read.rest)
