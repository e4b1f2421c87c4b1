"""Moments found again in the browser, as one types; each can be copied, kept as an example or as a memory."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.features.serve.commands import Answer
from reel_cli.features.serve.finding import MOST, ask_kit, read_findings
from reel_cli.features.serve.page_maker import in_thread, read_form
from reel_cli.features.serve.shown_answer import field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit

LONGEST = 500
"""Characters of a question."""
FORGOTTEN = "This prompt waits for no answer any more. Go back to the moment, and make it a memory again."
PROMOTE = ("recall", "--promote")


class FindPages:
    """The page that finds, and the way from a moment to a memory."""

    def __init__(self, make: "PageMaker") -> None:
        """Answer with pages that `make` makes."""
        self._make = make

    def list_routes(self) -> "Sequence[Route]":
        """Return the paths, and what answers each."""
        from starlette.routing import Route

        return [
            Route("/find", self.show_found),
            Route("/find/example", self.keep_example, methods=["POST"]),
            Route("/find/memory", self.ask_memory, methods=["POST"]),
            Route("/find/memory/read", self.read_reply, methods=["POST"]),
            Route("/find/memory/keep", self.keep_memory, methods=["POST"]),
        ]

    def show_found(self, request: "Request") -> "Response":
        """Show the moments that a question finds.

        One that is only being typed (`part`), or looked at alone, is not noted as a recall.
        """
        asked = request.query_params.get("q", "").strip()[:LONGEST]
        typed = "part" in request.query_params

        def show(kit: "ServedKit") -> "Response":
            noted = not (typed or self._make.read_only)
            found = read_findings(kit, *ask_kit(kit, asked, noted=noted)) if asked else None
            return self._make.page(kit, "found.html" if typed else "find.html", asked=asked, found=found)

        return self._make.answer(show)

    async def keep_example(self, request: "Request") -> "Response":
        """Keep the exchange around a moment as an example of how the persona sounds."""
        form = await read_form(request)

        def change() -> Answer:
            return self._make.run([*PROMOTE, "exemplar", "--yes", *_name_moment(form)])

        return await self._make.write(
            form,
            change,
            lambda kit, done: self._make.done_page(kit, done, "/find"),
        )

    async def ask_memory(self, request: "Request") -> "Response":
        """Show the prompt by which the persona writes a memory of a moment."""
        form = await read_form(request)

        def change() -> Answer:
            done = self._make.run([*PROMOTE, "memory", "--prompt", *_name_moment(form)])
            # the moment itself was on the page
            start = max(0, done.said.find("Error: "))
            return done if done.ok else replace(done, out="", said=done.said[start:])

        return await self._make.write(form, change, self._show)

    async def read_reply(self, request: "Request") -> "Response":
        """Read the answer, and show what it would keep; nothing is changed yet."""
        form = await read_form(request)
        prompt, reply = field(form, "prompt"), field(form, "reply")

        def read(kit: "ServedKit") -> "Response":
            done = self._answer(kit, prompt, reply, "--dry-run")
            return self._make.page(kit, "promote.html", prompt=prompt, reply=reply, read=done)

        return await in_thread(lambda: self._make.answer(read))

    async def keep_memory(self, request: "Request") -> "Response":
        """Keep the answer as a memory."""
        form = await read_form(request)
        prompt, reply = field(form, "prompt"), field(form, "reply")

        def change() -> Answer:
            return self._answer(self._make.open_kit(), prompt, reply, "--yes")

        def tell(kit: "ServedKit", done: Answer) -> "Response":
            if done.ok:
                return self._make.done_page(kit, done, "/find")
            return self._make.page(kit, "promote.html", prompt=prompt, reply=reply, read=done)

        return await self._make.write(form, change, tell)

    def _answer(self, kit: "ServedKit", prompt: str, reply: str, option: str) -> Answer:
        """Give the answer to the prompt that its page shows, whichever moments others asked about since."""
        from reel_cli.features.recall.promote_walk import await_reply

        if prompt.strip() and not await_reply(kit.opened, prompt):
            return Answer(1, "", FORGOTTEN)
        return self._make.run([*PROMOTE, "memory", "--reply", "-", option], reply)

    def _show(self, kit: "ServedKit", done: Answer) -> "Response":
        if not done.ok:
            return self._make.done_page(kit, done, "/find")
        return self._make.page(kit, "promote.html", prompt=done.out, reply="", read=None)


def _name_moment(form: "FormData") -> list[str]:
    """Return the arguments that name a moment, the question last."""
    hit, asked = field(form, "hit"), field(form, "q").strip()[:LONGEST]
    number = hit if hit.isascii() and hit.isdigit() else "1"
    return ["--hit", number, "-n", str(MOST), "--", asked]
