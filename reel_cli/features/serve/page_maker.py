"""The way every page is answered: of the kit as it lies there now, one request at a time."""

import re
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.source import SESSION_ID
from reel_cli.features.serve.browser_words import word_for_browser
from reel_cli.features.serve.commands import Answer, run_command
from reel_cli.features.serve.finding import mark_matches
from reel_cli.features.serve.gate import MOST_BYTES
from reel_cli.features.serve.reading import ServedKit
from reel_cli.features.view.html import make_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit

_HERE = Path(__file__).parent
_LINK = re.compile(rf"(?P<chat>{SESSION_ID.pattern})(?:-(?P<number>\d+))?")
_MONTH = re.compile(r"month-(?P<year>\d{4})-\d\d")
PAGES: "Mapping[str, str]" = {
    "reel review": "/decide",
    "reel doctor": "/decide/look",
    "reel checkpoint": "/evening",
    "reel end": "/evening",
}
"""Pages on which a command's work is done."""


@frozen
class Reverse:
    """The button that takes a click back: where its form goes, its deed, what it is about, and its words.

    `always` says that it is right also where the click left the kit's history as it was.
    """

    words: str
    deed: str = ""
    what: str = ""
    action: str = "/do"
    always: bool = False


CHANGE = "change"
"""The object of an undo that takes back what its page shows, and no edit by hand that came since."""
UNDO, REDO = Reverse("Take it back", "undo", CHANGE), Reverse("Do it again", "redo", always=True)
MENU = (
    *(("/", "Now"), ("/evening", "After a chat"), ("/life", "Life"), ("/known", "Known")),
    *(("/who", "Who it is"), ("/find", "Find"), ("/decide", "Decide"), ("/chats", "Chats")),
)
WRITING = ("/evening",)
"""Pages of the menu that only change something."""
BETWEEN = "Something was changed elsewhere since this page was shown, so nothing was done. Look again."
NOTHING = "There is nothing of that name."


def lead_to(link: str) -> str:
    """Return the path of a memory, of a month, or of a chat and a message in it; "" leads nowhere."""
    if MEMORY_ID.fullmatch(link):
        return f"/memory/{link}"
    if month := _MONTH.fullmatch(link):
        return f"/life?year={month['year']}#{link}"
    found = _LINK.fullmatch(link)
    return f"/chat/{found['chat']}#{link}" if found else ""


class PageMaker:
    """Pages of one kit, of which one request is answered at a time, as at a terminal."""

    def __init__(self, context: "Context", *, read_only: bool, ending: Event | None = None) -> None:
        """Answer for the kit that `context` finds."""
        self._context = context
        self.root = context.kit_root()
        self.read_only = read_only
        self.ending = ending or Event()
        """Set once the server ends, so that no answer goes on."""
        self._lock = Lock()
        self._templates = make_environment(lead_to, ServedKit.address_of, _HERE / "templates")
        self._templates.filters["marked"] = mark_matches
        self._templates.filters["worded"] = word_for_browser
        self._templates.globals["page_of"] = self._page_of
        self._templates.globals["pages"] = [one for one in MENU if not (read_only and one[0] in WRITING)]

    def open_kit(self) -> ServedKit:
        """Return the kit as it lies there now."""
        return ServedKit(self._context)

    def open_to_write(self) -> "OpenKit":
        """Return the kit as a command that changes it has it."""
        return self._context.open_kit()

    def run(self, arguments: "Sequence[str]", given: str = "") -> Answer:
        """Run a command of `reel` on the kit, with `given` on its standard input."""
        if any("\0" in word for word in arguments):
            # no process can be given it
            return Answer(2, "", NOTHING)
        return run_command(self.root, arguments, given)

    def answer(self, make: "Callable[[ServedKit], Response]") -> "Response":
        """Return the page that is made of the kit as it lies there now."""
        with self._lock:
            try:
                return make(self.open_kit())
            except ReelError as error:
                return self._trouble(error)

    async def write(
        self,
        form: "FormData",
        change: "Callable[[], Answer]",
        tell: "Callable[[ServedKit, Answer], Response]",
    ) -> "Response":
        """Carry out a change on the kit as it was shown; else show that something came between."""

        def make(kit: ServedKit) -> "Response":
            if str(form.get("tip", "")) != kit.tip:
                return tell(kit, Answer(1, "", BETWEEN))
            had = frozenset(kit.opened.snapshot.sessions)
            done = change()
            after = self.open_kit()
            after.changed = after.tip != kit.tip
            after.new_chats = [one for one in after.opened.snapshot.sessions if one not in had]
            return tell(after, done)

        return await in_thread(lambda: self.answer(make))

    def page(self, kit: ServedKit, template: str, **values: Any) -> "Response":  # noqa: ANN401 (the template's)
        """Return a page of the kit."""
        from starlette.responses import HTMLResponse

        told = self._templates.get_template(template).render(kit=kit, read_only=self.read_only, **values)
        return HTMLResponse(told)

    def growing_page(self, kit: ServedKit, template: str, **values: Any) -> "Response":  # noqa: ANN401
        """Return a page of the kit that is sent as it is made: its template waits for some of the values."""
        from starlette.responses import StreamingResponse

        told = self._templates.get_template(template).generate(kit=kit, read_only=self.read_only, **values)
        return StreamingResponse(told, media_type="text/html")

    def done_page(
        self, kit: ServedKit, done: Answer, back: str, reverse: Reverse | None = UNDO
    ) -> "Response":
        """Return the page that tells what came of a click, with the way back to where it was clicked.

        Where nothing was changed there is nothing to take back: `reel undo` would take the change before it.
        """
        right = done.ok and reverse is not None and (kit.changed or reverse.always)
        return self.page(kit, "done.html", done=done, back=back, reverse=reverse if right else None)

    def missing(self, kit: ServedKit) -> "Response":
        """Return the page for a name that nothing has."""
        missing = self.done_page(kit, Answer(1, "", NOTHING), "/")
        missing.status_code = 404
        return missing

    def show_bug(self, error: Exception) -> "Response":
        """Show that a request came upon a bug; the terminal has the rest."""
        told = ReelError(
            f"reel has a bug here ({type(error).__name__}).",
            hint="Nothing was changed by looking; please report it.",
        )
        return self._trouble(told)

    def _page_of(self, command: str) -> str:
        """Return the path of the page that does what a command does; "" for none."""
        words = " ".join(command.split()[:2])
        return "" if self.read_only else PAGES.get(words, "")

    def _trouble(self, error: ReelError) -> "Response":
        from starlette.responses import HTMLResponse

        return HTMLResponse(self._templates.get_template("trouble.html").render(error=error), status_code=500)


async def read_form(request: "Request") -> "FormData":
    """Return the form of a request; only its whole size is limited, which the gate does."""
    return await request.form(max_part_size=MOST_BYTES)


async def in_thread(work: "Callable[[], Response]") -> "Response":
    """Return what `work` returns, done beside the server's own thread."""
    from starlette.concurrency import run_in_threadpool

    return await run_in_threadpool(work)
