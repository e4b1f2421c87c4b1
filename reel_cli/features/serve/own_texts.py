"""The texts that a person writes, in the browser: who it is, its rules, how it sounds, where things stand."""

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.front_matter import split
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.hand_edits import put_back
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, WORKING
from reel_cli.features.serve.browser_words import leave_out_commands
from reel_cli.features.serve.commands import Answer
from reel_cli.features.serve.page_maker import BETWEEN, NOTHING, UNDO, read_form
from reel_cli.features.serve.shown_answer import field
from reel_cli.features.settings.text_edit import EditOutcome, find_fault, settle_edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit
    from reel_cli.terminal.open_kit import OpenKit

OUTCOMES = {
    EditOutcome.SAVED: "Saved. The next chat begins with it.",
    EditOutcome.KEPT: "Saved. The next chat begins with it.",
    EditOutcome.WAITS: "Saved. It counts once you approve it, under Decide; until then the old one is used.",
}
SAME = "Nothing was changed: the text is as it was."


@frozen
class OwnText:
    """A text that a person writes: its name in a form, its title, and all of its file.

    `mark` names what the file holds.
    """

    name: str
    title: str
    path: str
    text: str

    @property
    def words(self) -> str:
        """Return what a person reads of it: without the fields at its top."""
        try:
            return split(self.text, self.path).body
        except ReelError:
            return self.text

    @property
    def mark(self) -> str:
        """Return the name of what the file holds."""
        return hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest()[:16]


class OwnTextPages:
    """The page of these texts."""

    def __init__(self, make: "PageMaker") -> None:
        """Answer with pages that `make` makes."""
        self._make = make

    def list_routes(self) -> "Sequence[Route]":
        """Return the paths, and what answers each."""
        from starlette.routing import Route

        return [
            Route("/who", self.show),
            Route("/who/edit", self.save, methods=["POST"]),
            Route("/face.png", self.show_face),
        ]

    def show(self, _: "Request") -> "Response":
        """Show the texts, each with a box to edit it."""
        return self._make.answer(self._show)

    def show_face(self, _: "Request") -> "Response":
        """Show the picture that came with the persona's card."""
        from starlette.responses import Response

        def show(kit: "ServedKit") -> "Response":
            face = kit.face
            return Response(face, media_type="image/png") if face else self._make.missing(kit)

        return self._make.answer(show)

    async def save(self, request: "Request") -> "Response":
        """Save an edited text as `reel edit` does; what cannot be saved stays in its box."""
        form = await read_form(request)
        name, text, mark = (field(form, one) for one in ("name", "text", "mark"))

        def change() -> Answer:
            opened = self._make.open_to_write()
            found = next((one for one in list_texts(opened) if one.name == name), None)
            if found is None:
                return Answer(2, "", NOTHING)
            return save_text(opened, found, text) if found.mark == mark else Answer(1, "", BETWEEN)

        def tell(kit: "ServedKit", done: Answer) -> "Response":
            if done.ok:
                # an edit that waits is taken back without a change of the history
                waits = done.out == OUTCOMES[EditOutcome.WAITS]
                return self._make.done_page(
                    kit, done, "/who", replace(UNDO, what="", always=True) if waits else UNDO
                )
            return self._show(kit, done, name, text)

        return await self._make.write(form, change, tell)

    def _show(
        self, kit: "ServedKit", done: Answer | None = None, name: str = "", draft: str = ""
    ) -> "Response":
        texts = list_texts(kit.opened)
        return self._make.page(kit, "who.html", texts=texts, done=done, edited=name, draft=draft)


def list_texts(opened: "OpenKit") -> "Sequence[OwnText]":
    """Return the texts that are there."""
    from reel_cli.core.files.exemplar_file import exemplar_path

    snapshot = opened.snapshot
    anchor = snapshot.active.anchor
    wanted = (
        ("identity", "Identity", IDENTITY),
        ("rules", "Its rules", DIRECTIVES),
        ("voice", "How it sounds, in every chat", exemplar_path(anchor) if anchor is not None else ""),
        ("now", "Where things stand", WORKING),
    )
    found = [(name, title, path, snapshot.text(path) if path else None) for name, title, path in wanted]
    return [OwnText(name, title, path, text) for name, title, path, text in found if text is not None]


def save_text(opened: "OpenKit", found: OwnText, text: str) -> Answer:
    """Save an edited text; what waits for an approval waits, the rest is committed."""
    if "\r\n" in found.text:
        # a browser sends one kind of line ending
        text = text.replace("\n", "\r\n")
    if text == found.text:
        return Answer(0, SAME, "")
    data = text.encode("utf-8", "replace")
    fault = find_fault(opened, found.path, data, found.text.encode())
    if fault is not None:
        return Answer(1, "", leave_out_commands("\n".join(filter(None, (fault.message, fault.hint)))))
    try:
        put_back(
            opened.require_repository(),
            opened.root,
            found.path,
            data,
            seen=found.text.encode(),
            when=opened.now(),
        )
        return Answer(0, OUTCOMES[settle_edit(opened, found.path)], "")
    except ReelError as error:
        return Answer(1, "", leave_out_commands("\n".join(filter(None, (error.message, error.hint)))))
