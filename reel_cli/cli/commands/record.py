"""`reel record`: put conversations on the tape."""

import sys
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.cli.context import Context, OpenKit
from reel_cli.cli.options import AsJson, DryRun, Format
from reel_cli.errors import ReelError

if TYPE_CHECKING:
    from reel_cli.flows.record import Recorded
    from reel_cli.model.tape import Conversation

LARGEST_SOURCE = 512 * 1024 * 1024
"""In bytes."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(
        "record", epilog="Example:  reel record ~/.lmstudio/conversations/1700000000000.conversation.json"
    )(record)


def record(
    ctx: typer.Context,
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE...|-", help="Chat files, or - for stdin.")],
    format: Format = "auto",  # noqa: A002
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="The recorded session that this continues.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Put conversations on the tape; what is there already is not added twice."""
    opened: OpenKit = ctx.obj.open_kit()
    if not dry_run:
        opened.require_repository()
    read = [(name, talk) for name in sources for talk in read_conversations(opened, name, format)]
    if session is not None and len(read) > 1:
        message = f"--session names one session, but there are {len(read)} conversations here."
        raise ReelError(message, hint="record them one at a time")
    recorded = []
    for name, talk in read:
        found = record_one(ctx.obj, talk, session=session, dry_run=dry_run)
        recorded.append((name, found))
        if not as_json and not dry_run:
            show_recorded(opened, found, name)
        elif not as_json:
            opened.console.result(
                f"{found.title or Path(name).name}: {found.state.value}, {found.added:,} of "
                f"{found.messages:,} messages would be added ({found.session})."
            )
    if as_json:
        opened.console.result_json({"recorded": [_as_json(name, found) for name, found in recorded]})
    elif dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
    elif any(found.change is not None for _, found in recorded):
        opened.console.next_step("Next:  reel checkpoint")


def read_conversations(opened: OpenKit, name: str, format: str) -> "list[Conversation]":  # noqa: A002
    """The conversations in one source; ReelError saying what was seen where there is none."""
    from reel_cli.tape.formats import read_source  # noqa: PLC0415

    settings = opened.snapshot.settings
    if name == "-":
        if opened.console.interactive:
            opened.console.say("Paste the chat; Ctrl-D on a line of its own ends it.")
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        filename = None
    else:
        path = Path(name).expanduser()
        if path.is_dir():
            message = f"{name} is a folder."
            raise ReelError(message, hint="name the chat's file in it")
        if not path.is_file():
            message = f"There is no file {name}."
            raise ReelError(message, hint="name a chat's file, or - to paste it")
        if path.stat().st_size > LARGEST_SOURCE:
            message = f"{path.name} is larger than {LARGEST_SOURCE // 2**20} MB."
            raise ReelError(message)
        data = path.read_bytes()
        filename = path.name
    users = () if settings.user == "You" else (settings.user,)
    talks = read_source(
        data,
        filename=filename,
        format=format,
        user_names=users,
        persona_names=(settings.name,),
        zone=opened.now().tzinfo or UTC,
    )
    for talk in talks:
        _refuse_one_voice(talk, settings.name)
    return talks


def _refuse_one_voice(talk: "Conversation", persona: str) -> None:
    """A paste in which the persona's lines were taken for the person's must not go on the tape."""
    alone = talk.format in ("markdown", "text") and all(m.role == "user" for m in talk.said())
    if alone and any(f"\n{persona}:" in f"\n{m.text}" for m in talk.said()):
        message = f"Only one speaker was found in it, though {persona} speaks in it as well."
        raise ReelError(message, hint="write the turns as  You: …  and  Assistant: …  and record it again")


def record_one(
    context: Context, talk: "Conversation", *, session: str | None = None, dry_run: bool = False
) -> "Recorded":
    """Record one conversation as its own commit, on the kit as it stands now."""
    from reel_cli.flows.record import plan_recording  # noqa: PLC0415

    opened = context.open_kit()
    found = plan_recording(
        opened.snapshot,
        talk,
        handed=opened.state.handed_out(),
        now=opened.now(),
        zone=opened.zone,
        session=session,
    )
    if found.change is not None and not dry_run:
        opened.commit(found.change)
    return found


def show_recorded(opened: OpenKit, found: "Recorded", name: str) -> None:
    """Say in a line what became of one source."""
    shown = found.title or ("the pasted chat" if name == "-" else Path(name).name)
    said = f"{found.messages:,} message{'' if found.messages == 1 else 's'}"
    lines = {
        "new": f"Recorded {shown} as {found.session}, {said}.",
        "known": f"{shown} is on the tape already ({found.session}); nothing was added.",
        "grown": f"{shown} has grown: {found.added:,} added to {found.session}, now {said}.",
        "corrected": f"{shown} was edited since: {found.added:,} added to {found.session}; "
        "what stood there is kept.",
    }
    opened.console.result(lines[found.state])
    if found.taken_back:
        opened.console.say(
            f"{found.session} was taken back earlier. To let it stand again:  "
            f"reel tape retract {found.session} --undo"
        )
    for problem in found.problems:
        opened.console.say(f"  {problem}")


def _as_json(name: str, found: "Recorded") -> dict[str, object]:
    return {
        "session": found.session,
        "source": name,
        "format": found.format,
        "state": found.state.value,
        "added": found.added,
        "messages": found.messages,
    }
