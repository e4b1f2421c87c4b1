"""Resources of `reel mcp`: the bundle and its parts, what is open and due, and the prompts for a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.exchange.tool import Argument, check_arguments
from reel_cli.core.files.working_file import read_items
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
from reel_cli.core.pack.resting_parts import find_resting, standing_working
from reel_cli.core.rings.read_memory import is_memory_id, memory_name
from reel_cli.core.tape.tape_view import read_session
from reel_cli.features.page.walk import PageWalk, checkpoint_walk, consolidation_walk
from reel_cli.features.start.noted_days import list_noted, tell_noted, tell_today
from reel_cli.features.start.persona_view import show_facts, show_index
from reel_cli.terminal.bundle_view import note_handed_out, note_start
from reel_cli.terminal.converse import ExchangeOptions, hand_out

if TYPE_CHECKING:
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit

HAND_IN = "When the page is written, hand it in with the tool {tool}, if you have it."
SESSION = Argument("session", "string", "Which recorded session, like 2026-02-10-1; else the newest.", 40)
CUE = Argument("cue", "string", "What the chat will be about; it chooses examples.", 400)
MEMORY = "reel://memory/"
NOTHING_OPEN, NOTHING_DUE = "Nothing is open.", "Nothing is due."


@dataclass(frozen=True, slots=True)
class Readable:
    """A resource: its address, its name, its title, its description, and the function that makes it.

    The address of a template ends in a name in braces.
    """

    uri: str
    name: str
    title: str
    what: str
    read: "Callable[[OpenKit, str], str]"


@dataclass(frozen=True, slots=True)
class PromptResource:
    """A prompt: its name, its title, what it is for, what it takes, and the function that makes it."""

    name: str
    title: str
    what: str
    argument: Argument
    make: "Callable[[OpenKit, str], str]"


def read(context: "Context", uri: str) -> str:
    """Return the resource at an address, from the kit as it is now; raises ReelError if there is none."""
    found = next((one for one in READABLE if one.uri == uri), None)
    name = uri.removeprefix(MEMORY) if uri.startswith(MEMORY) else ""
    if is_memory_id(name):
        found = MEMORY_BY_ID
    if found is None:
        message = "There is nothing to read at that address."
        known = (*READABLE, MEMORY_BY_ID)
        raise ReelError(message, hint=f"known are: {', '.join(one.uri for one in known)}")
    return found.read(context.open_kit(), name)


def prompt(context: "Context", name: str, given: Mapping[str, object]) -> str:
    """Return a prompt's text, which is recorded as handed out.

    Raises ReelError where there is none of that name, or nothing to ask for.
    """
    found = next((one for one in ASKING if one.name == name), None)
    if found is None:
        message = "There is no prompt of that name."
        raise UsageError(message, hint=f"known are: {', '.join(one.name for one in ASKING)}")
    arguments: Mapping[str, Any] = check_arguments((found.argument,), given)
    return found.make(context.open_kit(), arguments.get(found.argument.name, "").strip())


def _ask(opened: "OpenKit", session: str, walk_to: "Callable[[], PageWalk]", tool: str) -> str:
    if session:
        read_session(opened.snapshot, session)
    walk = walk_to()
    ask = walk.due()
    text = f"{walk.text(ask).rstrip()}\n\n{HAND_IN.format(tool=tool)}\n"
    # the chat's record knows it by this
    hand_out(opened, ask, walk.command, text)
    return text


def _ask_page(opened: "OpenKit", session: str) -> str:
    return _ask(
        opened,
        session,
        lambda: checkpoint_walk(opened, ExchangeOptions(), session or None, prompt=True),
        "submit_checkpoint",
    )


def _ask_memory(opened: "OpenKit", session: str) -> str:
    return _ask(
        opened,
        session,
        lambda: consolidation_walk(opened, ExchangeOptions(), [session] if session else []),
        "submit_consolidation",
    )


def _begin(opened: "OpenKit", cue: str) -> str:
    """Return what a chat begins with today, as `reel start` copies it; noted as handed out."""
    today, day = tell_today(opened, _noted(opened)), opened.now().date().isoformat()
    bundle = pack_kit(opened.root, BundleRequest(cue=cue, today=today, day=day))
    note_handed_out(opened, bundle)
    note_start(opened)
    return bundle.text


def _noted(opened: "OpenKit") -> Sequence[str]:
    today = opened.now().date()
    return tell_noted(list_noted(opened.overview, today), today)


def _bundle(opened: "OpenKit", _name: str) -> str:
    bundle = pack_kit(opened.root)
    note_handed_out(opened, bundle)
    return bundle.text


def _loops(opened: "OpenKit", _name: str) -> str:
    snapshot = opened.snapshot
    items = read_items(standing_working(snapshot, snapshot.text(WORKING) or ""))
    return "\n".join(f"- {one.text}" for one in items if one.section == "Open loops") or NOTHING_OPEN


def _due(opened: "OpenKit", _name: str) -> str:
    """Return what was noted for today, and what the kit needs, each with its command."""
    from reel_cli.features.status.command import tell_due
    from reel_cli.features.status.survey import read_due
    from reel_cli.features.status.upkeep import gather_facts

    found = read_due(opened.root, gather_facts(opened))
    lines = [*_noted(opened), *(opened.console.steps(tell_due(opened, one)) for one in found)]
    return "\n".join(f"- {line}" for line in lines) or NOTHING_DUE


def _memory(opened: "OpenKit", name: str) -> str:
    from reel_cli.features.memory.command_memory import tell_memory

    rests = find_resting(opened.snapshot)
    if memory_name(name) in rests.lines | rests.memories:
        message = f"The chat that {memory_name(name)} is of was taken back, so it is told to no model."
        raise ReelError(message)
    return tell_memory(opened, name)


READABLE: Sequence[Readable] = (
    Readable(
        "reel://bundle",
        "bundle",
        "Who the persona is",
        "Who the persona is, how it sounds and what it remembers.",
        _bundle,
    ),
    Readable(
        "reel://index",
        "index",
        "What it could recall",
        "What could be recalled, a line each.",
        lambda opened, _name: show_index(opened.root),
    ),
    Readable(
        "reel://facts",
        "facts",
        "What it knows",
        "What is known by heart.",
        lambda opened, _name: show_facts(opened.root),
    ),
    Readable("reel://loops", "loops", "Open loops", "What is open between the two, a line each.", _loops),
    Readable("reel://due", "due", "What is due", "What was noted for today, and what the kit needs.", _due),
)
"""Every resource of the server that has an address of its own."""
MEMORY_BY_ID = Readable(
    f"{MEMORY}{{id}}", "memory", "A memory", "One memory, like M-004, with where it is from.", _memory
)
"""The resource that has an address for each memory."""
ASKING: Sequence[PromptResource] = (
    PromptResource(
        "evening",
        "Begin an evening",
        "Who you are, what you remember and where things stand, to begin a chat with.",
        CUE,
        _begin,
    ),
    PromptResource(
        "checkpoint",
        "End with a page",
        "Ask the persona for its page at the end of a chat.",
        SESSION,
        _ask_page,
    ),
    PromptResource(
        "consolidate",
        "Ask for a memory",
        "Ask for the memory of a recorded conversation.",
        SESSION,
        _ask_memory,
    ),
)
"""Every prompt of the server."""
