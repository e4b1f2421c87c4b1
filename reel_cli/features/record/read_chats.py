"""Conversations from what a person names on the command line: files, folders, archives, standard input."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from reel_cli.core.errors import ReelError
from reel_cli.features.record.choice import Offered, offer
from reel_cli.features.record.spool import Place, Spool
from reel_cli.terminal.standard_input import read_all

if TYPE_CHECKING:
    from reel_cli.core.tape.formats.open_source import Intake
    from reel_cli.core.values.talk import Conversation
    from reel_cli.terminal.context import OpenKit

LARGEST_PASTE = 512 * 1024 * 1024
"""Maximum bytes of a paste."""


class Gathered:
    """All conversations in what was named: their outlines in memory, their text in a spool file."""

    def __init__(self) -> None:
        """Begin empty."""
        self.offered: list[Offered] = []
        self.remarks: list[str] = []
        """Items passed over while reading, one line each."""
        self._places: list[Place] = []
        self._spool = Spool()

    def add(self, conversation: "Conversation", source: str, place: str) -> None:
        """Add one; `source` is what was named, `place` the file it was in."""
        self.offered.append(offer(conversation, len(self.offered) + 1, source, place))
        self._places.append(self._spool.put(conversation))

    def conversation(self, item: Offered) -> "Conversation":
        """Return the whole conversation of an outline."""
        return self._spool.get(self._places[item.number - 1])

    def close(self) -> None:
        """Delete the spooled texts."""
        self._places.clear()
        self._spool.close()
        gc.unfreeze()


def gather(
    opened: "OpenKit",
    sources: Sequence[str],
    format: str,  # noqa: A002
    *,
    on: str | None = None,
) -> Gathered:
    """Read every source to its end, before anything is done with it.

    `on` (ISO 8601) is the day of those that tell none themselves, whatever their files are called.
    Raises ReelError, with nothing kept, where one of them cannot be read or holds no message.
    """
    intakes = [(name, open_source(opened, name, format, by_name=on is None)) for name in sources]
    gathered, dated = Gathered(), 0
    try:
        with (
            _without_collecting(),
            opened.console.progress("Reading", sum(intake.size for _, intake in intakes)) as advance,
        ):
            for name, intake in intakes:
                before = 0
                for taken in intake:
                    talk = taken.conversation
                    refuse_one_voice(talk, opened.snapshot.settings.name)
                    if on is not None and talk.started is None:
                        talk = replace(talk, started=on)
                        dated += 1
                    gathered.add(talk, name, taken.place if taken.path else "")
                    advance(intake.done - before)
                    before = intake.done
                gathered.remarks += intake.remarks
        if on is not None and not dated:
            refuse_day(gathered.offered)
    except BaseException:
        gathered.close()
        raise
    return gathered


def refuse_day(offered: Sequence[Offered]) -> NoReturn:
    """Raise ReelError: none of these needs a day."""
    day = (offered[0].started or "")[:10]
    message = f"The chat tells its own day ({day}); --on is for one that tells none."
    if len(offered) > 1:
        message = f"All {len(offered):,} chats tell their own day; --on is for those that tell none."
    raise ReelError(message, hint="leave out  --on")


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause the garbage collector while much that is kept comes in; it would scan that repeatedly.

    What is there then it passes over from then on, until the collected is let go (`Gathered.close`).
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was:
            gc.enable()


def open_source(
    opened: "OpenKit",
    name: str,
    format: str,  # noqa: A002
    *,
    by_name: bool = True,
) -> "Intake":
    """Return one source, ready to be read; raises ReelError, saying what it is, if it is no chat.

    `by_name`: the day with which a file's name begins is that of a chat which tells none.
    """
    from reel_cli.core.tape.formats.open_source import open_intake

    what: Path | bytes
    if name == "-":
        if opened.console.interactive:
            opened.console.say("Paste the chat; Ctrl-D on a line of its own ends it.")
        what = read_all(LARGEST_PASTE + 1)
        if len(what) > LARGEST_PASTE:
            message = f"What came on standard input is larger than {LARGEST_PASTE >> 20} MB."
            raise ReelError(message, hint="save it as a file and name that")
    else:
        what = Path(name).expanduser()
        if not what.exists():
            message = f"There is no file {name}."
            raise ReelError(message, hint="name a chat's file, or - to paste it")
        _refuse_the_kit(what, opened.root)
    settings = opened.snapshot.settings
    return open_intake(
        what,
        format=format,
        user_names=() if settings.user == "You" else (settings.user,),
        persona_names=(settings.name,),
        zone=opened.now().tzinfo or UTC,
        by_name=by_name,
    )


def read_conversations(opened: "OpenKit", name: str, format: str) -> "Iterator[Conversation]":  # noqa: A002
    """Yield one source's conversations, one at a time; raises ReelError if it cannot be read."""
    for taken in open_source(opened, name, format):
        refuse_one_voice(taken.conversation, opened.snapshot.settings.name)
        yield taken.conversation


def _refuse_the_kit(path: Path, root: Path) -> None:
    """Raise ReelError for a part of this kit, so that the tape is not recorded again as a chat."""
    place, tape = path.resolve(), root.resolve() / "tape"
    if place in (tape.parent, tape) or tape in place.parents:
        message = f"{path} is part of this kit, not a chat."
        raise ReelError(message, hint="name the file or folder that your chat app wrote")


def refuse_one_voice(talk: "Conversation", persona: str) -> None:
    """Raise ReelError for a paste whose persona's lines were taken for the person's."""
    alone = talk.format in ("markdown", "text") and all(m.role == "user" for m in talk.said())
    if alone and any(f"\n{persona}:" in f"\n{m.text}" for m in talk.said()):
        message = f"Only one speaker was found in it, though {persona} speaks in it as well."
        raise ReelError(message, hint="write the turns as  You: …  and  Assistant: …  and record it again")
