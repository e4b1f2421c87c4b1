"""Resources of `reel mcp`: a kit's bundle, index and facts, and the prompts for a page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.exchange.tool import Argument, check_arguments
from reel_cli.core.pack.build_bundle import pack_kit
from reel_cli.core.tape.tape_view import read_session
from reel_cli.features.page.walk import PageWalk, checkpoint_walk, consolidation_walk
from reel_cli.features.start.persona_view import show_facts, show_index
from reel_cli.terminal.bundle_view import note_handed_out
from reel_cli.terminal.converse import ExchangeOptions, hand_out

if TYPE_CHECKING:
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit

HAND_IN = "When the page is written, hand it in with the tool {tool}, if you have it."
SESSION = Argument("session", "string", "Which recorded session, like 2026-02-10-1; else the newest.", 40)


@dataclass(frozen=True, slots=True)
class Readable:
    """A resource: its address, its name, its description, and the function that makes it."""

    uri: str
    name: str
    what: str
    read: "Callable[[OpenKit], str]"


@dataclass(frozen=True, slots=True)
class PromptResource:
    """A prompt: its name, what it is for, the tool its answer goes to, and the walk that has it."""

    name: str
    what: str
    tool: str
    walk: "Callable[[OpenKit, str], PageWalk]"


def read(context: "Context", uri: str) -> str:
    """Return the resource at an address, from the kit as it is now; raises ReelError if there is none."""
    found = next((one for one in READABLE if one.uri == uri), None)
    if found is None:
        message = "There is nothing to read at that address."
        raise ReelError(message, hint=f"known are: {', '.join(one.uri for one in READABLE)}")
    return found.read(context.open_kit())


def prompt(context: "Context", name: str, given: Mapping[str, object]) -> str:
    """Return a prompt's text, which is recorded as handed out.

    Raises ReelError where there is none of that name, or nothing to ask for.
    """
    found = next((one for one in ASKING if one.name == name), None)
    if found is None:
        message = "There is no prompt of that name."
        raise UsageError(message, hint=f"known are: {', '.join(one.name for one in ASKING)}")
    arguments = check_arguments((SESSION,), given)
    session = str(arguments.get("session", "")).strip()
    opened = context.open_kit()
    if session:
        read_session(opened.snapshot, session)
    walk = found.walk(opened, session)
    ask = walk.due()
    text = f"{walk.text(ask).rstrip()}\n\n{HAND_IN.format(tool=found.tool)}\n"
    # the chat's record knows it by this
    hand_out(opened, ask, walk.command, text)
    return text


def _bundle(opened: "OpenKit") -> str:
    bundle = pack_kit(opened.root)
    note_handed_out(opened, bundle)
    return bundle.text


READABLE: Sequence[Readable] = (
    Readable("reel://bundle", "bundle", "Who the persona is, how it sounds and what it remembers.", _bundle),
    Readable(
        "reel://index",
        "index",
        "What could be recalled, a line each.",
        lambda opened: show_index(opened.root),
    ),
    Readable("reel://facts", "facts", "What is known by heart.", lambda opened: show_facts(opened.root)),
)
"""Every resource of the server."""
ASKING: Sequence[PromptResource] = (
    PromptResource(
        "checkpoint",
        "Ask the persona for its page at the end of a chat.",
        "submit_checkpoint",
        lambda opened, session: checkpoint_walk(opened, ExchangeOptions(), session or None, prompt=True),
    ),
    PromptResource(
        "consolidate",
        "Ask for the memory of a recorded conversation.",
        "submit_consolidation",
        lambda opened, session: consolidation_walk(opened, ExchangeOptions(), [session] if session else []),
    ),
)
"""Every prompt of the server."""
