"""The pages of the served kit: what is shown, what can be clicked, and the command each click runs."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.source import SESSION_ID
from reel_cli.features.serve.commands import Answer, run_command
from reel_cli.features.serve.finding import MOST, mark_matches, read_findings
from reel_cli.features.serve.reading import SIDES, ServedKit
from reel_cli.features.view.html import make_environment, read_style

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

    from reel_cli.terminal.context import Context

_HERE = Path(__file__).parent
_LINK = re.compile(rf"(?P<chat>{SESSION_ID.pattern})(?:-(?P<number>\d+))?")


def _let_hold(side: str, what: str) -> list[str]:
    return ["review", "accept", what, "--holds", side, "--yes"]


DEEDS: Mapping[str, Callable[[str], list[str]]] = {
    "forget": lambda what: ["forget", what, "--yes"],
    "restore": lambda what: ["restore", what],
    "pin": lambda what: ["memory", "pin", what],
    "undo": lambda _: ["undo", "--yes"],
    "redo": lambda _: ["redo", "--yes"],
    "accept": lambda what: ["review", "accept", what, "--yes"],
    **{side: partial(_let_hold, side) for side in SIDES},
    "reject": lambda what: ["review", "reject", what, "--yes"],
}
"""Commands that a click runs, by the name that its form has."""
PAGES = {"reel review": "/decide", "reel checkpoint": "/evening", "reel end": "/evening"}
"""Pages on which a command's work is done."""
BETWEEN = "Something else changed the kit since this page was shown. Nothing was done; look again."
BRIEF = ["--brief"]
NOTHING = "There is nothing of that name."
_NAMED_MEMORY = ("forget", "restore", "pin")


def make_site(context: "Context", *, read_only: bool) -> "Starlette":
    """Return the application that answers for the kit of this command."""
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    site = Site(context, read_only=read_only)

    async def tell_bug(_: "Request", error: Exception) -> "Response":
        return site.show_bug(error)

    async def style(_: "Request") -> "Response":
        return PlainTextResponse(read_style() + _static("more.css"), media_type="text/css")

    async def script(_: "Request") -> "Response":
        return PlainTextResponse(_static("page.js"), media_type="text/javascript")

    return Starlette(
        routes=[
            Route("/", site.show_now),
            Route("/life", site.show_life),
            Route("/known", site.show_sections),
            Route("/memory/{name}", site.show_memory),
            Route("/chats", site.show_chats),
            Route("/chat/{name}", site.show_chat),
            Route("/find", site.show_found),
            Route("/evening", site.show_evening),
            Route("/evening/record", site.record, methods=["POST"]),
            Route("/evening/read", site.read_reply, methods=["POST"]),
            Route("/evening/keep", site.keep_reply, methods=["POST"]),
            Route("/decide", site.show_decisions),
            Route("/do", site.carry_out, methods=["POST"]),
            Route("/tip", site.tell_tip),
            Route("/page.css", style),
            Route("/page.js", script),
        ],
        exception_handlers={Exception: tell_bug},
    )


def _static(name: str) -> str:
    return (_HERE / "static" / name).read_text("utf-8")


def lead_to(link: str) -> str:
    """Return the path of a memory, or of a chat and a message in it; "" leads nowhere."""
    if MEMORY_ID.fullmatch(link):
        return f"/memory/{link}"
    found = _LINK.fullmatch(link)
    return f"/chat/{found['chat']}#{link}" if found else ""


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


class Site:
    """The pages of one kit, of which one request is answered at a time, as at a terminal."""

    def __init__(self, context: "Context", *, read_only: bool) -> None:
        """Answer for the kit that `context` finds."""
        self._context = context
        self._root = context.kit_root()
        self._read_only = read_only
        self._lock = Lock()
        self._templates = make_environment(lead_to, ServedKit.address_of, _HERE / "templates")
        self._templates.filters["marked"] = mark_matches
        self._templates.globals["page_of"] = self._page_of

    # -- what is shown --------------------------------------------------------------------------

    def show_now(self, request: "Request") -> "Response":
        """Show where things stand, what waits, and what the next chat begins with."""
        asked, place = (request.query_params.get(name, "") for name in ("window", "place"))
        return self._answer(
            lambda kit: self._page(
                kit, "now.html", asked=asked, place=place, bundle=kit.read_bundle(asked, place)
            )
        )

    def show_life(self, request: "Request") -> "Response":
        """Show the months of a year."""
        asked = request.query_params.get("year", "")
        return self._answer(lambda kit: self._page(kit, "life.html", page=kit.read_year(asked)))

    def show_sections(self, _: "Request") -> "Response":
        """Show what features tell of the kit: threads, facts, the story."""
        return self._answer(lambda kit: self._page(kit, "known.html", sections=kit.reader.sections))

    def show_memory(self, request: "Request") -> "Response":
        """Show one memory, with what can be done about it."""
        name = request.path_params["name"]

        def show(kit: ServedKit) -> "Response":
            found = kit.find_memory(name)
            return self._page(kit, "memory.html", one=found) if found else self._missing(kit)

        return self._answer(show)

    def show_chats(self, _: "Request") -> "Response":
        """List the chats, the newest first."""
        return self._answer(lambda kit: self._page(kit, "chats.html", chats=kit.list_chats()))

    def show_chat(self, request: "Request") -> "Response":
        """Show one chat, word for word."""
        name = request.path_params["name"]

        def show(kit: ServedKit) -> "Response":
            chat = kit.read_chat(name)
            return self._page(kit, "chat.html", chat=chat) if chat else self._missing(kit)

        return self._answer(show)

    def show_found(self, request: "Request") -> "Response":
        """Show the moments that a question finds."""
        asked = request.query_params.get("q", "").strip()[:500]

        def show(kit: ServedKit) -> "Response":
            if not asked:
                return self._page(kit, "find.html", asked=asked, found=None)
            done = run_command(self._root, ["recall", "--json", "--explain", "-n", str(MOST), "--", asked])
            return self._page(kit, "find.html", asked=asked, found=read_findings(kit, done))

        return self._answer(show)

    def show_evening(self, _: "Request") -> "Response":
        """Show the next step of the evening: the chat to record, or the prompt and a box for the answer."""
        return self._answer(self._evening)

    def show_decisions(self, _: "Request") -> "Response":
        """Show what waits for a decision, a card each."""

        def show(kit: ServedKit) -> "Response":
            cards = [(one, self._tell(["review", "show", one.item])) for one in kit.list_cards()]
            return self._page(kit, "decide.html", cards=cards)

        return self._answer(show)

    def tell_tip(self, _: "Request") -> "Response":
        """Tell the commit that the kit is at, so that an open page learns of a change outside it."""
        from starlette.responses import PlainTextResponse

        return PlainTextResponse(ServedKit(self._context).tip)

    # -- what is clicked ------------------------------------------------------------------------

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
                if offered not in dict(ServedKit(self._context).offers):
                    return Answer(1, "", "That chat is recorded already, or is not there any more.")
                return run_command(self._root, ["record", offered])
            if not given.strip():
                return Answer(1, "", "Nothing was pasted, and no file was chosen.")
            if not name:
                return run_command(self._root, ["record", "-", *options], pasted)
            with TemporaryDirectory() as folder:
                file = Path(folder, name)
                file.write_bytes(given)
                return run_command(self._root, ["record", str(file), *options])

        def tell(kit: ServedKit, done: Answer) -> "Response":
            return self._evening(kit, EveningStep(done=done, text="" if done.ok else pasted))

        return await self._write(form, write, tell)

    async def read_reply(self, request: "Request") -> "Response":
        """Read an answer, and show what it would change; nothing is changed yet."""
        form = await request.form()
        reply, options = str(form.get("reply", "")), _manner(form)

        def read(kit: ServedKit) -> "Response":
            if form.get("step") == "shorter":
                return self._evening(kit, EveningStep(reply=reply, brief=True))
            done = run_command(self._root, ["checkpoint", *options, "--reply", "-", "--dry-run"], reply)
            return self._evening(kit, EveningStep(reply=reply, read=done, brief=bool(options)))

        return await _in_thread(lambda: self._answer(read))

    async def keep_reply(self, request: "Request") -> "Response":
        """Keep an answer as it was shown."""
        form = await request.form()
        reply, options = str(form.get("reply", "")), _manner(form)

        def write() -> Answer:
            return run_command(self._root, ["checkpoint", *options, "--reply", "-", "--yes"], reply)

        def tell(kit: ServedKit, done: Answer) -> "Response":
            if done.ok:
                return self._page(kit, "done.html", done=done, back="/", reverse="undo")
            return self._evening(kit, EveningStep(reply=reply, read=done, brief=bool(options)))

        return await self._write(form, write, tell)

    async def carry_out(self, request: "Request") -> "Response":
        """Do what a button says, and tell what came of it."""
        form = await request.form()
        deed, what = str(form.get("deed", "")), str(form.get("what", ""))
        named = [f"--as={name}"] if deed == "accept" and (name := str(form.get("by", "")).strip()) else []

        def write() -> Answer:
            if deed not in DEEDS or (deed in _NAMED_MEMORY and not MEMORY_ID.fullmatch(what)):
                return Answer(2, "", "This cannot be done here.")
            if what.startswith("-"):
                return Answer(2, "", NOTHING)
            return run_command(self._root, [*DEEDS[deed](what), *named])

        back = lead_to(what) or ("/decide" if deed in ("accept", "reject", *SIDES) else "/")
        reverse = "redo" if deed == "undo" else "undo"
        return await self._write(
            form, write, lambda kit, done: self._page(kit, "done.html", done=done, back=back, reverse=reverse)
        )

    def _page_of(self, command: str) -> str:
        """Return the path of the page that does what a command does; "" for none."""
        words = " ".join(command.split()[:2])
        return "" if self._read_only else PAGES.get(words, "")

    # -- how it is answered ---------------------------------------------------------------------

    def _evening(self, kit: ServedKit, step: EveningStep | None = None) -> "Response":
        step = step or EveningStep()
        prompt = ""
        if kit.owes_a_page:
            asked = run_command(self._root, ["checkpoint", "--prompt", *(BRIEF if step.brief else [])])
            prompt = asked.out if asked.ok else ""
        return self._page(kit, "evening.html", prompt=prompt, step=step)

    async def _write(
        self,
        form: "FormData",
        write: Callable[[], Answer],
        tell: Callable[[ServedKit, Answer], "Response"],
    ) -> "Response":
        """Carry out a change on the kit as it was shown; else show that something came between."""

        def answer(kit: ServedKit) -> "Response":
            if str(form.get("tip", "")) != kit.tip:
                return tell(kit, Answer(1, "", BETWEEN))
            done = write()
            return tell(ServedKit(self._context), done)

        return await _in_thread(lambda: self._answer(answer))

    def _answer(self, make: Callable[[ServedKit], "Response"]) -> "Response":
        """Return the page that is made of the kit as it lies there now."""
        with self._lock:
            try:
                return make(ServedKit(self._context))
            except ReelError as error:
                return self._trouble(error)

    def show_bug(self, error: Exception) -> "Response":
        """Show that a request came upon a bug; the terminal has the rest."""
        told = ReelError(
            f"reel has a bug here ({type(error).__name__}).",
            hint="Nothing was changed by looking; please report it.",
        )
        return self._trouble(told)

    def _trouble(self, error: ReelError) -> "Response":
        from starlette.responses import HTMLResponse

        return HTMLResponse(self._templates.get_template("trouble.html").render(error=error), status_code=500)

    def _page(self, kit: ServedKit, template: str, **values: Any) -> "Response":  # noqa: ANN401 (the template's)
        from starlette.responses import HTMLResponse

        told = self._templates.get_template(template).render(kit=kit, read_only=self._read_only, **values)
        return HTMLResponse(told)

    def _missing(self, kit: ServedKit) -> "Response":
        missing = self._page(kit, "done.html", done=Answer(1, "", NOTHING), back="/", reverse="")
        missing.status_code = 404
        return missing

    def _tell(self, arguments: list[str]) -> str:
        return run_command(self._root, arguments).told


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


async def _in_thread(work: Callable[[], "Response"]) -> "Response":
    from starlette.concurrency import run_in_threadpool

    return await run_in_threadpool(work)
