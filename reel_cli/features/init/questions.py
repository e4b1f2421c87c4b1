"""Questions that every new kit needs: the author of its commits, and what to do next."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.shell import quote
from reel_cli.core.values.settings import Settings, is_hardly_name
from reel_cli.core.values.sizes import parse_tokens, render_tokens
from reel_cli.terminal.console import Console

if TYPE_CHECKING:
    from reel_cli.core.kit.creation import Place
    from reel_cli.features.init.plan import Choices

WINDOW_HELP = (
    "That is how much the model can read at once; its program or its page says so, such as 8k, 32k or 128k. "
    "Enter takes 8k, which fits nearly every model; to change it later:  reel config window 32k"
)


def find_author(console: Console, place: "Place", own: str | None) -> tuple[tuple[str, str], bool]:
    """Return the author of the commits, and whether the kit has to name it, as git does not.

    A name is enough: the one in git's settings, else one that is asked for.
    """
    from reel_cli.core.git import identity
    from reel_cli.core.git.identity import complete_identity, parse_identity

    try:
        return identity.author_identity(place.repository, own), False
    except StateError as error:
        unknown = isinstance(error, identity.UnknownAuthorError)
        found = parse_identity(complete_identity(identity.read_name(place.repository))) if unknown else None
        if found is not None:
            return found, True
        if not console.interactive:
            raise
    console.say("The kit keeps a history of its changes, with your name on them. Any name will do.")
    while True:
        name = console.ask("Your name:", meaning="It stands beside each change of the kit, as its author.")
        found = parse_identity(complete_identity(name)) if name else None
        if found is not None and not _is_meant(console, found[0]):
            continue
        if found is not None:
            return found, True
        console.say("A name has no < and >." if name else "Any name will do; it stays in your kit.")


def settle_user(
    console: Console, choices: "Choices", author: tuple[str, str], path: Path | None
) -> tuple["Choices", Sequence[str]]:
    """Return the choices with what the persona calls the person, asked or from git, and what to say of it.

    `path` is the new kit's folder; None where none is made.
    """
    from reel_cli.core.git.identity import EXAMPLE_NAME
    from reel_cli.core.values.settings import UNNAMED

    if choices.user is not None:
        return choices, ()
    called = choices.name or "the character"
    words = author[0].split()
    # a title is no name: `Dr. Lene Holm` is called Lene
    user = next((word for word in words if not is_hardly_name(word)), words[0]).strip(",;")
    example = author[0] == EXAMPLE_NAME
    if example:
        user = UNNAMED
    if console.interactive:
        meaning = f"{called} uses this name for you. Press Enter for the one in brackets, or type another."
        return replace(choices, user=ask_name(console, f"What should {called} call you?", user, meaning)), ()
    told = f"{called} calls you {user}, after your name in git."
    if example:
        told = f"{called} has no name for you: git has only the one of an example, {EXAMPLE_NAME}."
    way = "  --user NAME" if path is None else "  reel config user NAME"
    return replace(choices, user=user), (f"{told} To give another{in_folder(path)}:{way}",)


PERSONA_HELP = "The persona goes by this name. Press Enter for the one in brackets, or type another."


def ask_name(console: Console, question: str, usual: str, meaning: str = PERSONA_HELP) -> str:
    """Return a name that was asked for; an answer that looks like none is taken only on a yes.

    Raises ReelError for one that cannot be a name.
    """
    from reel_cli.core.values.settings import check_name

    while True:
        name = check_name(console.ask(question, usual, meaning=meaning))
        if name == usual or _is_meant(console, name):
            return name


def _is_meant(console: Console, name: str) -> bool:
    return not is_hardly_name(name) or console.confirm(f"Is “{name}” the name?", default=False)


WINDOW = "How much can your model hold at once (its context window)? Not sure: press Enter."


def ask_window(console: Console) -> int:
    """Return the size of the model's window in tokens; asks again if the answer is not a size."""
    usual = render_tokens(Settings(name="").window)
    while True:
        said = console.ask(WINDOW, usual)
        if said.strip("?").casefold() in ("", "help", "what", "no", "idk"):
            console.say(WINDOW_HELP)
            continue
        try:
            return parse_tokens(said)
        except ReelError as error:
            console.error(error.message, error.hint)


def in_folder(path: Path | None) -> str:
    """Return the words on where to run a command of a new kit: only the next step's line goes there."""
    return "" if path is None or path.resolve() == Path.cwd() else ", in its folder"


def next_step(path: Path, *, edit: bool = False) -> str:
    """Return the line that says how to go on with a new kit."""
    if edit:
        return f"Next:  {_go(path)}reel edit identity\nThen:  reel start"
    return f"Next:  {_go(path)}reel start"


def _go(path: Path) -> str:
    """Return what has to be typed before a command so that it runs in a kit."""
    return "" if path.resolve() == Path.cwd() else f"cd {quote(str(path))} && "
