"""Conversations gathered to be recorded: from files, folders, archives, standard input, or the newest chat.

While a large export is read, those that do not fit into memory are put aside in a file.
"""

import gc
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from sys import getsizeof
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, NoReturn, TypeAlias

from reel_cli.core.errors import NoSpeakerError, ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import MACHINE, moment
from reel_cli.core.shell import quote_path
from reel_cli.core.tape.format_rows import PASTED
from reel_cli.core.values.change import tell_many
from reel_cli.core.values.talk import Conversation, Kind, Message
from reel_cli.features.record.choice import ConversationOffer, offer
from reel_cli.terminal.input.given_text import find_typed, no_such_file, read_all

if TYPE_CHECKING:
    from reel_cli.core.tape.formats.open_source import FoundConversation, Intake
    from reel_cli.features.record.chat_apps import Chat
    from reel_cli.terminal.open_kit import OpenKit

IN_MEMORY = 160 * 1024 * 1024
"""Bytes kept in memory; more go to a file without a name, which nobody else can open."""
_BESIDE_TEXT = 160
"""Approximate bytes a message takes beside its text."""
_OF_MESSAGE = tuple(field.name for field in fields(Message))
_message_values = attrgetter(*_OF_MESSAGE)
_KIND = _OF_MESSAGE.index("kind")
_KINDS = {kind.value: kind for kind in Kind}
Place: TypeAlias = "Conversation | tuple[int, int]"
"""A stored conversation: itself, or the offset and length of it in the file."""
LARGEST_PASTE = 512 * 1024 * 1024
"""Maximum bytes of a paste."""
TRIED = 5
"""Number of files tried, newest first, before reel reports that none is a chat."""


class NoChatError(ReelError):
    """No chat app on this machine has a chat that could be recorded."""


class Spool:
    """Conversations by the place they were put at; all is gone when it is closed."""

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        """Begin empty; about `in_memory` bytes need no file."""
        self._room = in_memory
        self._end = 0

    @cached_property
    def _file(self) -> IO[bytes]:
        return TemporaryFile()  # closed by `close`

    def put(self, conversation: Conversation) -> Place:
        """Store a conversation; return its place."""
        texts = [message.text for message in conversation.messages]
        size = sum(map(getsizeof, texts)) + len(texts) * _BESIDE_TEXT
        if size <= self._room:
            self._room -= size
            return conversation
        about = {field.name: getattr(conversation, field.name) for field in fields(conversation)}
        outline = about | {"messages": [_message_values(m) for m in conversation.messages]}
        data = json.dumps(outline, ensure_ascii=False, check_circular=False).encode("utf-8", "surrogatepass")
        self._file.seek(self._end)
        self._file.write(data)
        place = self._end, len(data)
        self._end += len(data)
        return place

    def get(self, place: Place) -> Conversation:
        """Return the conversation at a place, unchanged."""
        if isinstance(place, Conversation):
            return place
        start, length = place
        self._file.seek(start)
        value: dict[str, Any] = json.loads(self._file.read(length).decode("utf-8", "surrogatepass"))
        messages = tuple(_message(values) for values in value["messages"])
        return Conversation(**{**value, "messages": messages, "problems": tuple(value["problems"])})

    def close(self) -> None:
        """Delete the file."""
        if "_file" in self.__dict__:
            self._file.close()


def _message(values: list[Any]) -> Message:
    """Return a message from its fields' values, in order."""
    values[_KIND] = _KINDS[values[_KIND]]
    return Message(*values)


class ChatOutlines:
    """All conversations in what was named: their outlines in memory, their text in a spool file."""

    def __init__(self) -> None:
        """Begin empty."""
        self.offered: list[ConversationOffer] = []
        self.remarks: list[str] = []
        """Items passed over while reading, one line each."""
        self._places: list[Place] = []
        self._spool = Spool()

    def add(self, conversation: "Conversation", source: str, place: str) -> None:
        """Add one; `source` is what was named, `place` the file it was in."""
        self.offered.append(offer(conversation, len(self.offered) + 1, source, place))
        self._places.append(self._spool.put(conversation))

    def conversation(self, item: ConversationOffer) -> "Conversation":
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
) -> ChatOutlines:
    """Read every source to its end, before anything is done with it.

    `on` (ISO 8601) is the day of those that tell none themselves, whatever their files are called.
    A text in a folder that is no chat of two, or a page, is passed over and named. Raises ReelError, with
    nothing kept, where one of the sources cannot be read or holds no message.
    """
    intakes = [(name, open_source(opened, name, format, by_name=on is None)) for name in sources]
    gathered, dated = ChatOutlines(), 0
    passed: list[ReelError] = []
    try:
        with (
            _without_collecting(),
            opened.console.progress("Reading", sum(intake.size for _, intake in intakes)) as advance,
        ):
            for name, intake in intakes:
                before = 0
                for taken in _each(opened, intake, name):
                    talk = taken.conversation
                    if (error := _refuse_among(opened, taken, name, many=intake.is_many)) is not None:
                        passed.append(error)
                        continue
                    if on is not None and talk.started is None:
                        talk = replace(talk, started=on)
                        dated += 1
                    gathered.add(talk, name, taken.place if taken.path else "")
                    advance(intake.done - before)
                    before = intake.done
                gathered.remarks += intake.remarks
        if not gathered.offered:
            _refuse_first(passed)
        gathered.remarks += [f"Passed over: {error.message}" for error in passed]
        if on is not None and not dated:
            refuse_day(gathered.offered)
    except BaseException:
        gathered.close()
        raise
    return gathered


def _refuse_among(
    opened: "OpenKit", taken: "FoundConversation", source: str, *, many: bool
) -> ReelError | None:
    """Return the error for what is no chat, naming its file, where it is one of `many`; raises it else."""
    in_folder = many and taken.path is not None and Path(source).is_dir()
    try:
        refuse_one_voice(taken.conversation, opened.snapshot.settings.name)
        refuse_page(opened, taken.conversation, str(taken.path) if in_folder else source)
    except ReelError as error:
        if not many:
            raise
        told = error.message.partition(". ")[0].removeprefix("That ").rstrip(".")
        message = f"{taken.place} {told}." if told.startswith("looks") else f"{taken.place}: {told}."
        return ReelError(
            message, hint=error.hint if in_folder else "unpack the archive, and name the file itself"
        )
    return None


def _refuse_first(passed: Sequence[ReelError]) -> None:
    """Raise the first of these errors, if there is one."""
    if passed:
        raise passed[0]


def refuse_day(offered: Sequence[ConversationOffer]) -> NoReturn:
    """Raise ReelError: none of these needs a day."""
    day = (offered[0].started or "")[:10]
    message = f"The chat tells its own day ({day}); --on is for one that tells none."
    if len(offered) > 1:
        message = f"All {len(offered):,} chats tell their own day; --on is for those that tell none."
    raise ReelError(message, hint="leave out  --on")


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause the garbage collector while much that is kept comes in; it would scan that repeatedly.

    What is there then it passes over from then on, until the collected is let go (`ChatOutlines.close`).
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
        what = read_all(LARGEST_PASTE + 1)
        if len(what) > LARGEST_PASTE:
            message = f"What came on standard input is larger than {LARGEST_PASTE >> 20} MB."
            raise ReelError(message, hint="save it as a file and name that")
    else:
        found = find_typed(name)
        if found is None:
            raise no_such_file(name, "name a chat's file, or - to paste it")
        what = found
        _refuse_the_kit(what, opened.root)
    settings = opened.snapshot.settings
    return open_intake(
        what,
        format=format,
        user_names=() if settings.user == "You" else (settings.user,),
        persona_names=(settings.name,),
        zone=opened.zone or MACHINE,
        by_name=by_name,
    )


def read_conversations(opened: "OpenKit", name: str, format: str) -> "Iterator[Conversation]":  # noqa: A002
    """Yield one source's conversations, one at a time; raises ReelError if it cannot be read."""
    for taken in _each(opened, open_source(opened, name, format), name):
        refuse_one_voice(taken.conversation, opened.snapshot.settings.name)
        refuse_page(opened, taken.conversation, name)
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


PARTS_OF_A_PAGE = 2
"""Headings of a page, below one that stands where a chat has its title, from which a text is a page."""


def refuse_page(opened: "OpenKit", talk: "Conversation", source: str) -> None:
    """Raise ReelError for a page: its headings were taken for names of speakers, or it quotes a few turns.

    The hint hands it in where a chat waits for its page.
    """
    if talk.format not in PASTED:
        return
    headings = {line for m in talk.said() for line in m.text.splitlines() if line.startswith("#")}
    quotes = _is_part(talk.title or "") and sum(map(_is_part, headings)) >= PARTS_OF_A_PAGE
    if quotes or all(_is_part(m.name or "") for m in talk.said()):
        raise _page_error(opened, source)


def _each(opened: "OpenKit", intake: "Intake", source: str) -> "Iterator[FoundConversation]":
    """Yield what a source holds; raises ReelError for a page that is given as a chat, where nobody speaks."""
    try:
        yield from intake
    except NoSpeakerError as error:
        headings = {line for line in error.text.splitlines() if line.startswith("#")}
        if sum(map(_is_part, headings)) > PARTS_OF_A_PAGE:
            raise _page_error(opened, source) from None
        if not _is_page_due(opened):
            raise
        # nobody speaks in a refusal either
        way = f"reel checkpoint --reply {quote_path(source)}"
        hint = f"if it is the model's answer, a page waits for it:  {way}   (if a chat, {error.hint})"
        raise NoSpeakerError(error.message, error.text, hint=hint) from None


def _is_part(line: str) -> bool:
    from reel_cli.core.exchange.reader.labels import names_of
    from reel_cli.core.exchange.schema import COMBINED

    return bool(names_of(COMBINED).find(line.strip("#* :"))[1])


class PageGivenError(ReelError):
    """The refusal of a page that was given as a chat, where a chat waits for one."""


def _page_error(opened: "OpenKit", source: str) -> ReelError:
    """Return the error for a page that was given as a chat; its hint hands it in where one is due."""
    message = "That looks like a page, not a chat."
    if not _is_page_due(opened):
        message = "That looks like a page, not a chat. No chat waits for a page."
        return ReelError(message, hint="record the chat first that it tells of:  reel record FILE")
    way = f"reel checkpoint --reply {quote_path(source)}"
    return PageGivenError(message, hint=f"hand it in as the page:  {way}")


def _is_page_due(opened: "OpenKit") -> bool:
    from reel_cli.features.page.kept_pages import without_checkpoint
    from reel_cli.features.page.waiting_page import pending

    asked = pending(opened, "checkpoint", None)
    return bool(asked and asked.session) or without_checkpoint(opened.snapshot) is not None


@frozen
class Latest:
    """The newest chat: its file, everything in it, and which of that it is."""

    chat: "Chat"
    gathered: ChatOutlines
    item: "ConversationOffer"
    name: str
    """Name and place of the chat."""
    ago: str

    @property
    def told(self) -> str:
        """Return the chat's name, place, length and age."""
        return f"{self.name}, {tell_many(self.item.messages, 'message')}, {self.ago}"

    @property
    def line(self) -> str:
        """Return that it is the newest chat, in a line."""
        return f"Newest chat: {self.told}."


def gather_latest(opened: "OpenKit", format: str) -> Latest:  # noqa: A002
    """Read the newest chat there is, as `newest_first` does."""
    return next(newest_first(opened, format))


def _is_with_another(opened: "OpenKit", gathered: ChatOutlines) -> bool:
    """Return whether another character answers in the only chat of a file."""
    from reel_cli.features.record.ownership import Reason, owner_check

    doubts = owner_check(opened).doubts(gathered.conversation(gathered.offered[0]))
    return any(doubt.reason is Reason.NAME for doubt in doubts)


def newest_first(opened: "OpenKit", format: str) -> Iterator[Latest]:  # noqa: A002
    """Read the chats there are, the newest first, each as it is asked for.

    A file in which nothing was said yet is passed over, and told. Raises ReelError saying where it looked
    where there is none, or why the newest cannot be read.
    """
    from reel_cli.features.record.chat_apps import (
        SILLYTAVERN,
        SILLYTAVERN_HOMES,
        in_home,
        newest_chats,
        places,
    )

    fault: ReelError | None = None
    found = failed = 0
    for chat in newest_chats():
        if failed == TRIED:
            break
        try:
            gathered = gather(opened, [str(chat.path)], format)
        except ReelError as error:
            failed += 1
            fault = fault or error
            opened.console.say(f"{chat.path.name} in {chat.app} is passed over: {error.message}")
            continue
        if chat.app == SILLYTAVERN and _is_with_another(opened, gathered):
            # it is where all characters live, so the newest chat says nothing of this one
            gathered.close()
            continue
        item = max(gathered.offered, key=lambda one: (moment(one.touched or ""), -one.number))
        what = f'"{item.title}"' if item.title else chat.path.name
        found += 1
        yield Latest(chat, gathered, item, f"{what} in {chat.app}", chat.ago(opened.now()))
    if found:
        return
    if fault is not None:
        raise NoChatError(fault.message, hint=fault.hint)
    give = "paste the chat:  reel end -   or name its file:  reel end FILE"
    there = [place for place in places() if place.folder.is_dir()]
    if there:
        looked = ", ".join(f"{in_home(place.folder)} ({place.app})" for place in there)
        message = f"There is no chat yet in {looked}."
        raise NoChatError(message, hint=give)
    apps = dict.fromkeys(place.app for place in places())
    message = f"No chat of {', '.join(apps)} or {SILLYTAVERN} was found here."
    usual, tavern = in_home(places()[0].folder), in_home(Path.home() / SILLYTAVERN_HOMES[0])
    raise NoChatError(message, hint=f"{give}   (looked for in {usual}, {tavern} and the like)")
