"""`reel apart`: begin a chat that is kept apart from all others, and list those there are."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.terminal.options import AsJson, Sure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.apart.moved_chats import KnownOfChats
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("apart", epilog="Example:  reel apart roleplay")(apart)


def apart(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The chat to begin.")] = None,
    chats: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SESSION]...", help="Recorded chats that are to count there alone."),
    ] = None,
    yes: Sure = False,
    as_json: AsJson = False,
) -> None:
    """Begin a chat of which no other chat may know; alone, list them.

    It knows what the kit knows, now and later. What is said in it stays in it: add --chat NAME to any
    command to work with it.
    """
    opened: OpenKit = ctx.obj.open_kit()
    if name is None:
        _list(opened, as_json=as_json)
        return
    from reel_cli.features.apart.begin import begin_apart, require_new
    from reel_cli.features.apart.moved_chats import find_known, leave_to, plan_move
    from reel_cli.features.apart.view import show_folder

    console = opened.console
    chat, sessions = name.strip(), _meant(opened, chats or ())
    known = find_known(opened.snapshot, sessions)
    require_new(opened, chat, moving=" ".join(sessions))
    changes = plan_move(opened, sessions, known, chat) if sessions else ()
    if sessions and not (yes or _agreed(opened, chat, sessions, known)):
        return
    folder = begin_apart(opened, chat)
    if sessions:
        leave_to(opened, folder, sessions, changes)
    if as_json:
        console.result_json({"chat": folder.name, "path": str(folder)})
        return
    persona = opened.snapshot.settings.name
    told = (
        f"“{folder.name}” is kept apart, in {show_folder(folder)}."
        f" {persona} knows there what is known here; what is said there stays there."
    )
    console.result(console.wrap(told, console.out))
    if sessions:
        from reel_cli.features.verify.command_tape import say_retold

        say_retold(opened, sessions)
        if known.anchor:
            console.say("The example in every bundle is from it; take another:  reel example anchor NAME")
        console.say("Notes and facts that came from it stay here:  reel edit now")
    console.next_step(f"Next:  reel --chat {folder.name} start")
    console.next_step(f"After the chat:  reel --chat {folder.name} end")


def _meant(opened: "OpenKit", names: "Sequence[str]") -> "Sequence[str]":
    """Return the chats that are meant, each of which must count here."""
    if not names:
        return ()
    from reel_cli.core.tape.tape_view import read_session, require_standing
    from reel_cli.features.verify.sessions import meant_sessions

    found = tuple(dict.fromkeys(meant_sessions(opened.snapshot, [*names])))
    for session in found:
        read_session(opened.snapshot, session)
        require_standing(opened.snapshot, session)
    return found


def _agreed(opened: "OpenKit", chat: str, sessions: "Sequence[str]", known: "KnownOfChats") -> bool:
    from reel_cli.terminal.console import agreed

    memories, examples = opened.snapshot.memories, opened.snapshot.exemplars
    lines = [f"Known in “{chat}” alone from here on:"]
    lines += [f"  chat {session}" for session in sessions]
    lines += [
        f"  {name}, {memories[name].title if name in memories else 'a line in the index'}"
        for name in known.memories
    ]
    lines += [f"  the example “{examples[slug].title}”" for slug in known.examples]
    if known.proposals:
        lines.append(f"  what waits of it for your decision: {len(known.proposals):,}")
    return agreed(opened.console, "\n".join(lines), "Move them there?", "be moved")


def _list(opened: "OpenKit", *, as_json: bool) -> None:
    from reel_cli.features.apart.view import apart_json, show_apart

    if as_json:
        opened.console.result_json(apart_json(opened))
    else:
        show_apart(opened)
