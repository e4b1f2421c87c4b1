"""The pages of the served kit: what is shown, what can be clicked, and the command each click runs."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.features.history.undo_edit import plan_edit_undo
from reel_cli.features.serve.changes import ChangePages
from reel_cli.features.serve.chats import ChatPages
from reel_cli.features.serve.commands import Answer
from reel_cli.features.serve.decisions import SIDES, DecisionPages
from reel_cli.features.serve.evening import EveningPages
from reel_cli.features.serve.find import FindPages
from reel_cli.features.serve.followers import list_followers
from reel_cli.features.serve.last_step import list_last_steps
from reel_cli.features.serve.life import LifePages
from reel_cli.features.serve.other_day import OtherDayPages
from reel_cli.features.serve.own_texts import OwnTextPages
from reel_cli.features.serve.page_maker import CHANGE, NOTHING, REDO, UNDO, PageMaker, lead_to
from reel_cli.features.serve.reading import ServedKit
from reel_cli.features.serve.shown_answer import field
from reel_cli.features.serve.writing import WritingPages
from reel_cli.features.view.html import read_style

if TYPE_CHECKING:
    from threading import Event

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from reel_cli.terminal.context import Context

_HERE = Path(__file__).parent


def _let_hold(side: str, what: str) -> list[str]:
    return ["review", "accept", what, "--holds", side, "--yes"]


DEEDS: Mapping[str, Callable[[str], list[str]]] = {
    "forget": lambda what: ["forget", what, "--yes"],
    "restore": lambda what: ["restore", what],
    "pin": lambda what: ["memory", "pin", what],
    "unpin": lambda what: ["memory", "unpin", what],
    "immune": lambda what: ["memory", "immune", what],
    "mortal": lambda what: ["memory", "immune", what, "--off"],
    "earlier": lambda what: ["restore", what, "--earlier"],
    "undo": lambda _: ["undo", "--yes"],
    "redo": lambda _: ["redo", "--yes"],
    "accept": lambda what: ["review", "accept", what, "--yes"],
    **{side: partial(_let_hold, side) for side in SIDES},
    "reject": lambda what: ["review", "reject", what, "--yes"],
}
"""Commands that a click runs, by the name that its form has."""
EDITED = "A text was edited by hand since, so nothing was taken back. Decide about it first."
_NAMED_MEMORY = ("forget", "restore", "pin", "unpin", "immune", "mortal", "earlier")
_DECIDED = ("accept", "reject", *SIDES)
_MORE: Mapping[str, tuple[str, str, str]] = {
    "accept": ("by", "--as", r".+"),
    "immune": ("why", "--why", r".+"),
    "restore": ("level", "--level", r"L[1-4]"),
}
"""By the name of a command, the field of its form that goes along, with its option and its pattern."""


def make_site(context: "Context", *, read_only: bool, ending: "Event | None" = None) -> "Starlette":
    """Return the application that answers for the kit of this command, until `ending` is set."""
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    make = PageMaker(context, read_only=read_only, ending=ending)
    site = Site(make)
    evening = EveningPages(make)

    async def tell_bug(_: "Request", error: Exception) -> "Response":
        return make.show_bug(error)

    async def style(_: "Request") -> "Response":
        return PlainTextResponse(
            read_style() + _static("more.css") + _static("evening.css"), media_type="text/css"
        )

    async def script(_: "Request") -> "Response":
        told = "\n".join(map(_static, ("page.js", "evening.js", "life.js", "then.js", "find.js")))
        return PlainTextResponse(told, media_type="text/javascript")

    return Starlette(
        routes=[
            Route("/", site.show_now),
            *LifePages(make).list_routes(),
            *OtherDayPages(make).list_routes(),
            *OwnTextPages(make).list_routes(),
            Route("/known", site.show_sections),
            *ChatPages(make).list_routes(),
            Route("/chat/{name}", site.show_chat),
            *FindPages(make).list_routes(),
            *evening.list_routes(),
            *WritingPages(make, evening).list_routes(),
            *DecisionPages(make).list_routes(),
            Route("/do", site.carry_out, methods=["POST"]),
            *ChangePages(make).list_routes(),
            Route("/page.css", style),
            Route("/page.js", script),
        ],
        exception_handlers={Exception: tell_bug},
    )


def _static(name: str) -> str:
    return (_HERE / "static" / name).read_text("utf-8")


class Site:
    """The pages of one kit, apart from the evening's."""

    def __init__(self, make: "PageMaker") -> None:
        """Answer with pages that `make` makes."""
        self._make = make

    # -- what is shown --------------------------------------------------------------------------

    def show_now(self, request: "Request") -> "Response":
        """Show where things stand, what waits, and what the next chat begins with."""
        asked, place = (request.query_params.get(name, "") for name in ("window", "place"))

        def show(kit: ServedKit) -> "Response":
            steps = () if self._make.read_only else list_last_steps(kit)
            bundle = kit.read_bundle(asked, place)
            return self._make.page(kit, "now.html", asked=asked, place=place, bundle=bundle, steps=steps)

        return self._make.answer(show)

    def show_sections(self, _: "Request") -> "Response":
        """Show what features tell of the kit: threads, facts, the story."""
        return self._make.answer(lambda kit: self._make.page(kit, "known.html", sections=kit.reader.sections))

    def show_chat(self, request: "Request") -> "Response":
        """Show one chat, word for word."""
        name = request.path_params["name"]

        def show(kit: ServedKit) -> "Response":
            chat = kit.read_chat(name)
            if chat is None:
                return self._make.missing(kit)
            return self._make.page(kit, "chat.html", chat=chat, follows=list_followers(kit, name))

        return self._make.answer(show)

    # -- what is clicked ------------------------------------------------------------------------

    async def carry_out(self, request: "Request") -> "Response":
        """Do what a button says, and tell what came of it."""
        form = await request.form()
        deed, what = str(form.get("deed", "")), str(form.get("what", ""))
        name, option, pattern = _MORE.get(deed, ("", "", ""))
        told = " ".join(field(form, name).split())
        more = [f"{option}={told}"] if told else []

        def write() -> Answer:
            wrong = bool(told) and not re.fullmatch(pattern, told)
            if deed not in DEEDS or wrong or (deed in _NAMED_MEMORY and not MEMORY_ID.fullmatch(what)):
                return Answer(2, "", "This cannot be done here.")
            if what.startswith("-"):
                return Answer(2, "", NOTHING)
            if what == CHANGE and plan_edit_undo(self._make.open_to_write()) is not None:
                return Answer(1, "", EDITED)
            if deed == "immune" and not more:
                return Answer(2, "", "Say why it must never go.")
            done = self._make.run([*DEEDS[deed](what), *more])
            # the card has shown what would change
            return replace(done, said="") if deed in _DECIDED and done.ok and done.out.strip() else done

        back = lead_to(what) or ("/decide" if deed in _DECIDED else "/")
        # an edit by hand is taken back, and had again, without a change of the history
        reverse = REDO if deed == "undo" else UNDO
        reverse = replace(UNDO, what="", always=True) if deed == "redo" else reverse
        return await self._make.write(
            form, write, lambda kit, done: self._make.done_page(kit, done, back, reverse)
        )
