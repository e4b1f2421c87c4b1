"""The evening: a chat to record, the prompt for its page, the answer, and what it would change."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.features.serve.commands import Answer
from reel_cli.features.serve.page_maker import in_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit

BRIEF = ["--brief"]


@frozen
class EveningStep:
    """A step of the evening: the answer that was pasted (for a `brief` page) and how it was read.

    `done` says how recording a chat went, `text` is the pasted chat where it went wrong.
    """

    reply: str = ""
    read: Answer | None = None
    done: Answer | None = None
    text: str = ""
    brief: bool = False


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
        ]

    def show(self, _: "Request") -> "Response":
        """Show the next step of the evening: the chat to record, or the prompt and a box for the answer."""
        return self._make.answer(self._evening)

    async def record(self, request: "Request") -> "Response":
        """Record a chat that was picked, pasted or dropped."""
        async with request.form() as form:
            name, given = await _read_chat(form)
        pasted = "" if name else given.decode("utf-8", "replace")
        day, offered = str(form.get("day", "")).strip(), str(form.get("chat", ""))
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
            return self._evening(kit, EveningStep(done=done, text="" if done.ok else pasted))

        return await self._make.write(form, write, tell)

    async def read_reply(self, request: "Request") -> "Response":
        """Read an answer, and show what it would change; nothing is changed yet."""
        form = await request.form()
        reply, options = str(form.get("reply", "")), _manner(form)

        def read(kit: "ServedKit") -> "Response":
            if form.get("step") == "shorter":
                return self._evening(kit, EveningStep(reply=reply, brief=True))
            done = self._make.run(["checkpoint", *options, "--reply", "-", "--dry-run"], reply)
            return self._evening(kit, EveningStep(reply=reply, read=done, brief=bool(options)))

        return await in_thread(lambda: self._make.answer(read))

    async def keep_reply(self, request: "Request") -> "Response":
        """Keep an answer as it was shown."""
        form = await request.form()
        reply, options = str(form.get("reply", "")), _manner(form)

        def write() -> Answer:
            return self._make.run(["checkpoint", *options, "--reply", "-", "--yes"], reply)

        def tell(kit: "ServedKit", done: Answer) -> "Response":
            if done.ok:
                return self._make.page(kit, "done.html", done=done, back="/", reverse="undo")
            return self._evening(kit, EveningStep(reply=reply, read=done, brief=bool(options)))

        return await self._make.write(form, write, tell)

    def _evening(self, kit: "ServedKit", step: EveningStep | None = None) -> "Response":
        step = step or EveningStep()
        prompt = ""
        if kit.owes_a_page:
            asked = self._make.run(["checkpoint", "--prompt", *(BRIEF if step.brief else [])])
            prompt = asked.out if asked.ok else ""
        return self._make.page(kit, "evening.html", prompt=prompt, step=step)


def _manner(form: "FormData") -> list[str]:
    """Return the options for the page that was asked for."""
    return BRIEF if form.get("brief") else []


async def _read_chat(form: "FormData") -> tuple[str, bytes]:
    """Return a chosen file's name and bytes; no name for what was pasted."""
    from starlette.datastructures import UploadFile

    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return re.sub(r"[^\w. -]", "_", Path(file.filename).name)[-100:] or "chat.txt", await file.read()
    return "", str(form.get("text", "")).encode()
