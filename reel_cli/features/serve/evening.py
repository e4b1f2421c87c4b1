"""The evening: a chat to record, the prompt for its page, the answer, and what it would change."""

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.features.serve.chats import BACK
from reel_cli.features.serve.commands import Answer
from reel_cli.features.serve.page_maker import Reverse, in_thread, read_form
from reel_cli.features.serve.shown_answer import (
    AnswerPart,
    GivenAnswer,
    ReadAnswer,
    field,
    name_parts,
    read_given,
    read_shown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit

BRIEF = ["--brief"]
_LONGEST_STEM = 200
"""Bytes of a file's name before its ending."""
ANOTHER = "You changed something after this was shown. Here is what would be kept now."


@frozen
class EveningStep:
    """A step of the evening: the answer and how it was read.

    `note` says why it is shown once more. `done` says how recording a chat went, `text` is the pasted chat
    where it went wrong, `reverse` takes back a new chat.
    """

    answer: GivenAnswer = GivenAnswer("")
    read: ReadAnswer | None = None
    note: str = ""
    done: Answer | None = None
    text: str = ""
    reverse: Reverse | None = None

    @property
    def may_insist(self) -> bool:
        """Return whether a chat was refused that a person may have recorded all the same."""
        return self.done is not None and not self.done.ok and "--yes" in self.done.said

    @property
    def parts(self) -> "Sequence[AnswerPart]":
        """Return the answer's lines as the person left them, or as they came."""
        return self.answer.parts or (self.read.parts if self.read is not None else ())

    @property
    def told(self) -> str:
        """Return how many lines the answer has, and how many of them are left out."""
        shown = [line for part in self.parts if not part.says_nothing for line in part.lines]
        left_out = sum(not line.kept for line in shown)
        told = f"{len(shown):,} line{'' if len(shown) == 1 else 's'}"
        return f"{told}, {left_out:,} left out" if left_out else told

    @property
    def name(self) -> str:
        """Return the name of the lines as they were shown first."""
        return self.answer.name if self.answer.parts else name_parts(self.parts)


class EveningPages:
    """The pages of the evening."""

    def __init__(self, make: "PageMaker") -> None:
        """Answer with pages that `make` makes."""
        self._make = make

    def list_routes(self) -> "Sequence[BaseRoute]":
        """Return the paths of the evening."""
        from starlette.routing import Route

        return [
            Route("/evening", self.show),
            Route("/evening/record", self.record, methods=["POST"]),
            Route("/evening/read", self.read_reply, methods=["POST"]),
            Route("/evening/keep", self.keep_reply, methods=["POST"]),
            # an address that was only typed, or comes back from the history, has nothing to do
            Route("/evening/{step}", self.lead_back),
        ]

    def show(self, _: "Request") -> "Response":
        """Show the next step of the evening: the chat to record, or the prompt and a box for the answer."""
        return self._make.answer(self.show_step)

    def lead_back(self, _: "Request") -> "Response":
        """Lead to the evening whoever comes to one of its steps without a form."""
        from starlette.responses import RedirectResponse

        return RedirectResponse("/evening", 303)

    async def record(self, request: "Request") -> "Response":
        """Record a chat that was picked, pasted or dropped."""
        form = await read_form(request)
        name, given = await _read_chat(form)
        # a file that was sent lies in a temporary one until then
        await form.close()
        pasted = "" if name else given.decode("utf-8", "replace")
        day, offered = field(form, "day").strip(), field(form, "chat")
        options = ["--on", day] if re.fullmatch(r"\d{4}-\d\d-\d\d", day) else []
        # asked for once it was refused, as one that may belong to another kit
        options += ["--yes"] if form.get("same") else []

        def write() -> Answer:
            if offered:
                # no path comes from outside: it is one that the page offered
                if offered not in dict(self._make.open_kit().offers):
                    return Answer(1, "", "That chat is recorded already, or is not there any more.")
                return self._make.run(["record", offered])
            if not given.strip():
                return Answer(1, "", "Nothing was pasted, and no file was chosen.")
            if not name:
                return self._make.run(["record", "-", *options], pasted)
            with TemporaryDirectory() as folder:
                file = Path(folder, name)
                file.write_bytes(given)
                return self._make.run(["record", str(file), *options])

        def tell(kit: "ServedKit", done: Answer) -> "Response":
            new = kit.new_chats
            reverse = replace(BACK, what=new[0]) if done.ok and len(new) == 1 else None
            return self.show_step(
                kit, EveningStep(done=done, text="" if done.ok else pasted, reverse=reverse)
            )

        return await self._make.write(form, write, tell)

    async def read_reply(self, request: "Request") -> "Response":
        """Read an answer, and show what it would change; nothing is changed yet."""
        form = await read_form(request)
        given = read_given(form)

        def show(kit: "ServedKit") -> "Response":
            if form.get("step") == "shorter":
                return self.show_step(kit, EveningStep(GivenAnswer(given.text, brief=True)))
            return self.show_step(kit, self.read(given))

        return await in_thread(lambda: self._make.answer(show))

    async def keep_reply(self, request: "Request") -> "Response":
        """Keep an answer as it was shown; where it would change something else, show that first."""
        form = await read_form(request)
        given, seen = read_given(form), field(form, "digest")

        def write() -> Answer:
            if not re.fullmatch(r"[0-9a-f]{16}", seen):
                return Answer(1, "", ANOTHER)
            return self._run(given, "--seen", seen)

        def tell(kit: "ServedKit", done: Answer) -> "Response":
            if done.ok:
                return self._make.page(kit, "kept.html", kept=read_shown(done), done=done)
            step = self.read(given)
            shown = step.read.digest if step.read is not None else ""
            return self.show_step(kit, replace(step, note=done.plain if shown in ("", seen) else ANOTHER))

        return await self._make.write(form, write, tell)

    def read(self, given: GivenAnswer) -> EveningStep:
        """Return the step at which an answer is shown."""
        return EveningStep(given, read_shown(self._run(given, "--dry-run")))

    def show_step(self, kit: "ServedKit", step: EveningStep = EveningStep()) -> "Response":  # noqa: B008 (frozen)
        """Return the page of a step."""
        prompt = ""
        if kit.owes_a_page:
            asked = self._make.run(["checkpoint", "--prompt", *_manner(step.answer)])
            prompt = asked.out if asked.ok else ""
        return self._make.page(kit, "evening.html", prompt=prompt, step=step)

    def _run(self, given: GivenAnswer, *options: str) -> Answer:
        return self._make.run(["checkpoint", *_manner(given), "--reply", "-", *options, "--json"], given.text)


def _manner(given: GivenAnswer) -> list[str]:
    """Return the options for the page that was asked for."""
    return BRIEF if given.brief else []


def _file_name(given: str) -> str:
    """Return the name of a chosen file, of which its reader may know who speaks, and when; never a path."""
    place = Path("".join(one for one in Path(given).name if one >= " "))
    # a long name is cut in the middle: it may begin with its day, and ends with what it is
    stem = place.stem.encode("utf-8", "replace")[:_LONGEST_STEM].decode("utf-8", "ignore")
    name = stem + place.suffix[:20]
    return name if name.strip(". ") else "chat.txt"


async def _read_chat(form: "FormData") -> tuple[str, bytes]:
    """Return a chosen file's name and bytes; no name for what was pasted."""
    from starlette.datastructures import UploadFile

    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return _file_name(file.filename), await file.read()
    return "", str(form.get("text", "")).encode()
