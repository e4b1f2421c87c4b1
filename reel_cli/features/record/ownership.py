"""A chat that may belong to another kit than the one it would be recorded in: the signs, and the question."""

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.apart_kits import APART, home_of, list_apart, parse_apart
from reel_cli.core.kit.known_kits import list_kits, note_kit
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import NEVER, day_in_words, moment
from reel_cli.core.pack.recognize import find_bundle_chat, find_bundle_name
from reel_cli.core.tape.fork import list_forks
from reel_cli.core.tape.formats.pasted.speaker_lines import BOTS, People, fold_label
from reel_cli.core.tape.known_sessions import KnownSessions
from reel_cli.core.tape.tape_view import retracted, told_of_each
from reel_cli.core.tape.voices import is_same_name, other_voices, persona_names
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import ANOTHER, Conversation, Entry, Kind, Message
from reel_cli.features.record.apart_copies import ApartCopies, TapeSide
from reel_cli.features.record.find_session import KEY
from reel_cli.features.record.foreign_lines import tell_foreign_lines

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.features.record.choice import ConversationOffer
    from reel_cli.features.record.read_chats import ChatOutlines
    from reel_cli.terminal.open_kit import OpenKit

MOST_TIME = 1.0
"""Seconds that asking other kits may take."""
LARGEST = 64 * 1024 * 1024
"""Bytes above which a cache of another kit is not read."""
LEAST_WITHOUT = 2
"""Turns of others before a persona's first or after its last that show that it was not there; one is enough
where the person answered it, or the person was answered and the app does not show all to everyone."""
LEAST_ALIKE = 2
"""Messages in common that show that a chat without a key of its own is another kit's."""
FIRST = 6
"""Number of messages at the beginning of a chat that may hold its bundle."""
OPENED_BEFORE = timedelta(minutes=10)
"""Time before `reel start` within which its chat may have been opened."""
MOST_NAMED = 3
"""Maximum number of characters that a question names."""
DAY_ONLY = "T00:00:00"
"""Time of a chat that gives only its day."""
_CHARACTERS = frozenset({
    "sillytavern", "koboldai", "textgen", "markdown", "text", "messages", "telegram", "whatsapp",
    "characterai",
})  # fmt: skip
"""The formats in which the name of who answers is a character's, and no model's."""
_WITH_GUESTS = frozenset({"markdown", "text", "messages", "telegram", "whatsapp"})
"""The formats in which several people may speak to a persona, each under their own name."""
_HEARD_BY_ALL = frozenset({"sillytavern"})
"""The formats of apps in which every character of a group is shown all that was said."""
_NOBODY = People.named((), ())
SAME = "Record it here anyway?"
SHOWN = 6
"""Maximum number of chats for which the reason why they may not be this kit's is given one by one."""


class Reason(StrEnum):
    """Reasons why a chat may not be this kit's."""

    HELD = "held"
    APART = "apart"
    NAME = "name"
    OLDER = "older"
    ABSENT = "absent"
    MIXED = "mixed"


@frozen
class Doubt:
    """One reason why a chat may not be this kit's, as a sentence."""

    reason: Reason
    text: str


class OtherKits:
    """The other kits of this machine, each read at most once; one that cannot be read is passed over."""

    def __init__(self, kit: Path, repository: "Repository | None", kits: Iterable[Path]) -> None:
        """Ask these kits on behalf of the one in the folder `kit`."""
        self._own = kit.resolve()
        self._repository = repository
        self.folders = tuple(kits)
        self._unread = iter(self.folders)
        self._read: list[tuple[Path, KnownSessions]] = []
        self._stands: dict[Path, tuple[str, frozenset[str]] | None] = {}
        self._spent = 0.0

    def holder_of(self, conversation: Conversation) -> str | None:
        """Return the name and folder of a kit that holds a chat; None where none is known to."""
        for other, known in self._all():
            if _holds(known, conversation):
                standing = self._standing(other, known)
                if standing is not None and _holds(known, conversation, standing[1]):
                    return f"{standing[0]} ({other})"
        return None

    def _all(self) -> Iterator[tuple[Path, KnownSessions]]:
        yield from self._read
        while self._spent < MOST_TIME and (other := next(self._unread, None)) is not None:
            began = time.monotonic()
            known = None
            # a broken or missing kit is no reason to refuse a chat here
            with suppress(ReelError, OSError, ValueError):
                if other.resolve() != self._own and (other / "kit.yaml").is_file():
                    known = KnownSessions.read_only(other / ".reel" / "cache" / "tape.sqlite", LARGEST)
            self._spent += time.monotonic() - began
            if known is not None:
                self._read.append((other, known))
                yield other, known

    def _standing(self, other: Path, known: KnownSessions) -> tuple[str, frozenset[str]] | None:
        """Return what a kit is called and the sessions gone there; None for a copy of this kit.

        A chat kept apart is a copy that stands for itself.
        """
        if other not in self._stands:
            self._stands[other] = None
            with suppress(ReelError, OSError, ValueError):
                there = Snapshot(WorkTree(other), other.name)
                gone = frozenset(retracted(there) | known.names().difference(there.sessions))
                chat = _chat_of(there)
                if chat:
                    self._stands[other] = f"The chat kept apart “{chat}”", gone
                elif not _is_clone(self._repository, other):
                    self._stands[other] = f"{there.settings.name}'s kit", gone
        return self._stands[other]


@dataclass(frozen=True)
class OwnerCheck:
    """The kit that chats are held against before they are recorded in it.

    `known` is what its tape holds, `last_start` when a session was last started here (ISO 8601, "" for not
    known), `apart` its chats that are kept apart.
    """

    snapshot: Snapshot
    known: KnownSessions
    others: OtherKits
    last_start: str
    apart: ApartCopies

    @cached_property
    def _names(self) -> Sequence[str]:
        return persona_names(self.snapshot)

    @cached_property
    def _chat(self) -> str:
        return _chat_of(self.snapshot)

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(told_of_each(self.snapshot, KEY).values()) | list_forks(self.snapshot).keys()

    def is_ours(self, conversation: Conversation) -> bool:
        """Return whether this tape holds a chat, or the persona answers in it under its name."""
        if _holds(self.known, conversation) or conversation.key in self._keys:
            return True
        return self._answers(_characters(conversation))

    def is_named(self, conversation: Conversation) -> bool:
        """Return whether the persona's name occurs in a chat that has answers, as it does in a bundle."""
        messages = conversation.messages
        answered = any(message.role == "assistant" for message in messages)
        return answered and any(self._naming.search(message.text.casefold()) for message in messages)

    @cached_property
    def _naming(self) -> re.Pattern[str]:
        """Pattern of the persona's names and first names: whole words, in scripts that have spaces."""
        names = {part for name in self._names for part in (name.casefold(), name.casefold().split()[0])}
        words = [rf"(?<!\w){re.escape(one)}(?!\w)" if one.isascii() else re.escape(one) for one in names]
        return re.compile("|".join(sorted(words, key=len, reverse=True)))

    def _answers(self, names: Iterable[str]) -> bool:
        return any(is_same_name(one, own) for one in names for own in self._names)

    def _is_in_group(self, conversation: Conversation) -> bool:
        """Return whether the persona answers in a chat in which others do as well."""
        return bool(self._others(conversation)) and self._answers(_characters(conversation))

    def _others(self, conversation: Conversation) -> Sequence[str]:
        """Return the labels of those who speak in a chat beside the persona and the person."""
        names = [fold_label(one) for one in _characters(conversation) if not self._answers([one])]
        return [*names, *_guests(conversation, self.snapshot.settings.user)]

    def _tell_absence(self, conversation: Conversation, heard: frozenset[str] = frozenset()) -> str:
        """Return from where to where the persona speaks, if others talked without it; "" if they did not.

        Texts in `heard` are on this tape already: of a recorded chat only what followed is asked about.
        """
        others = self._others(conversation)
        labels = [(fold_label(m.name or ""), m.role == "assistant") for m in conversation.said()]
        said = [who if answers or who in others else "" for who, answers in labels]
        own = [at for at, who in enumerate(said, 1) if who and who not in others and self._answers([who])]
        if not own:
            return ""
        before, after = said[: own[0] - 1], said[own[-1] :]
        if heard:
            texts = [message.text.strip() for message in conversation.said()]
            before, after = [], [said[at] for at in range(own[-1], len(said)) if texts[at] not in heard]
        parts = [[who in others for who in part] for part in (before, after)]
        # what others say to the persona's last words is no talk without it
        parts_alone = [parts[0], list(dropwhile(bool, parts[1]))]
        alone = _is_round if conversation.format in _HEARD_BY_ALL else _is_exchange
        if max(map(sum, parts)) < LEAST_WITHOUT and not any(map(alone, parts_alone)):
            return ""
        return (
            f"{self.snapshot.settings.name} speaks in it from message {own[0]} to {own[-1]} of {len(said)}, "
            "and others before or after. Recorded here, all of it is known here. A memory that reel share "
            "tells keeps to what was said in between."
        )

    def doubts(self, conversation: Conversation) -> Sequence[Doubt]:
        """Return the reasons why a chat may not be this kit's.

        Of one that its tape holds already: that a group went on without its persona.
        """
        fork_of = self.apart.holder_of(conversation)
        if fork_of is not None:
            what = f"It goes on in “{fork_of}”, a chat kept apart: what is said there stays there."
            return [Doubt(Reason.APART, what)]
        if _holds(self.known, conversation) or conversation.key in self._keys:
            if not self._is_in_group(conversation):
                return ()
            heard = TapeSide(self.snapshot, self.known).said_in(conversation)
            what = self._tell_absence(conversation, heard)
            return [Doubt(Reason.ABSENT, what)] if what else ()
        found: list[Doubt] = []
        # a group's chat is each of theirs who spoke in it
        holder = None if self._is_in_group(conversation) else self.others.holder_of(conversation)
        if holder is not None:
            found.append(Doubt(Reason.HELD, f"{holder} has this chat already."))
        name = self.snapshot.settings.name
        first = [message.text for message in conversation.messages[:FIRST]]
        bundle = next((told for told in map(find_bundle_name, first) if told), None)
        chat = next((told for told in map(find_bundle_chat, first) if told), "")
        if chat and chat.casefold() != self._chat.casefold():
            what = f"It begins with a bundle of “{chat}”, a chat kept apart: what is said there stays there."
            found.append(Doubt(Reason.APART, what))
        others = [bundle] if bundle is not None else _characters(conversation)
        if others and not self._answers(others):
            what = (
                f"It begins with a bundle of {bundle}" if bundle else f"It is a chat with {_all_of(others)}"
            )
            counts = "" if bundle else f" What they answer will not count as {name}'s own words."
            found.append(Doubt(Reason.NAME, f"{what}, and this kit is {name}.{counts}"))
        if what := tell_foreign_lines(conversation, self._names, self.others.folders):
            found.append(Doubt(Reason.MIXED, what))
        if self._is_in_group(conversation) and (what := self._tell_absence(conversation)):
            found.append(Doubt(Reason.ABSENT, what))
        # an app's file that names the persona leaves no doubt, however old it is
        named = bundle is None and self._answers(others)
        if (
            bundle is None
            and not named
            and self.last_start
            and _began_before(conversation, moment(self.last_start))
        ):
            day = day_in_words(moment(self.last_start).date())
            what = f"It began before the last  reel start  of {name} ({day}), so perhaps not with {name}."
            found.append(Doubt(Reason.OLDER, what))
        return found


def _is_round(answers: Sequence[bool]) -> bool:
    """Return whether the person answers another in some turns, each another's answer or the person's.

    Beside the persona, another may well be the first to answer, or the last.
    """
    return True in answers and not all(answers[answers.index(True) :])


def _is_exchange(answers: Sequence[bool]) -> bool:
    """Return whether both the person and another speak in some turns: one answer may be a secret."""
    return True in answers and not all(answers)


def _began_before(conversation: Conversation, start: datetime) -> bool:
    """Return whether the person first spoke in a chat before a moment; False if the chat does not say."""
    spoken = next((m.time for m in conversation.said() if m.role == "user" and m.time), None)
    told = spoken or conversation.started or ""
    began = moment(told)
    if began == NEVER:
        return False
    if DAY_ONLY in told:
        return began.date() < start.date()
    # a chat is opened in its app before the bundle is fetched for it
    return began < start - (timedelta() if spoken else OPENED_BEFORE)


def _all_of(names: Sequence[str]) -> str:
    """Return the names as a list in a sentence, the first few of many."""
    told, more = names[:MOST_NAMED], len(names) - MOST_NAMED
    last = f"{more:,} other{'' if more == 1 else 's'}" if more > 0 else ""
    *first, end = [*told, *filter(None, [last])]
    return f"{', '.join(first)} and {end}" if first else end


def _characters(conversation: Conversation) -> list[str]:
    """Return the names that answer in a chat, most frequent first; none for models and roles."""
    if conversation.format not in _CHARACTERS:
        return []
    names = Counter(m.name for m in conversation.said() if m.role == "assistant" and m.name)
    persons = {fold_label(m.name) for m in conversation.said() if m.role == "user" and m.name}
    named = BOTS if persons and all(_NOBODY.side(person) is None for person in persons) else frozenset()

    def is_character(folded: str) -> bool:
        unknown = _NOBODY.side(folded) is None or folded in named
        return unknown and folded != fold_label(conversation.model or "")

    return [one_line(name, 40) for name, _ in names.most_common() if is_character(fold_label(name))]


def mark_another(conversation: Conversation, names: Collection[str]) -> Conversation:
    """Return a chat in which nobody answers under one of the persona's names, with its answers marked."""
    others = _characters(conversation)
    if not others or any(is_same_name(one, own) for one in others for own in names):
        return conversation
    labels = frozenset(map(fold_label, others))
    return replace(conversation, messages=[_as_another(one, labels) for one in conversation.messages])


def mark_more(
    entries: tuple[Entry, ...], there: Sequence[Entry], names: Collection[str]
) -> tuple[Entry, ...]:
    """Return the new entries of a chat, those marked whose speaker's answers are marked in it already.

    `names` are the persona's, whose answers are its own: it may be called as that speaker by now.
    """
    told = {one.message.name for one in there if one.message.mark == ANOTHER}
    others = other_voices((*there, *entries), names) & told
    labels = frozenset(fold_label(one) for one in others if one)
    return tuple(replace(one, message=_as_another(one.message, labels)) for one in entries)


def _as_another(message: Message, labels: Collection[str]) -> Message:
    said = message.kind is Kind.SAID and message.role == "assistant"
    is_theirs = said and fold_label(message.name or "") in labels
    return replace(message, mark=ANOTHER) if is_theirs and message.mark is None else message


def _guests(conversation: Conversation, user: str) -> Sequence[str]:
    """Return the labels of other people in a chat; the person goes by the kit's name, or speaks most."""
    if conversation.format not in _WITH_GUESTS:
        return ()
    labels = Counter(fold_label(m.name) for m in conversation.said() if m.role == "user" and m.name)
    person = fold_label(user) if fold_label(user) in labels else next(iter(dict(labels.most_common(1))), "")
    return [one for one in labels if one != person and _NOBODY.side(one) is None]


def _holds(known: KnownSessions, conversation: Conversation, gone: frozenset[str] = frozenset()) -> bool:
    """Return whether one of a tape's sessions is this chat, not counting those that are `gone`."""
    key = conversation.key
    if key is not None and any(s not in gone for s in known.sure_of(key)):
        return True
    if len(conversation.said()) < LEAST_ALIKE:
        return False
    damaged = set(known.damaged)
    return any(session not in gone and session not in damaged for session in known.alike(conversation))


def _chat_of(snapshot: Snapshot) -> str:
    """Return the chat kept apart that a kit is of; "" for none."""
    with suppress(ReelError):
        text = snapshot.text(APART)
        return parse_apart(text).chat if text is not None else ""
    return ""


def _is_clone(repository: "Repository | None", other: Path) -> bool:
    """Return whether another kit is a copy of this one, with the same first commit."""
    from reel_cli.core.git.process import git_process
    from reel_cli.core.git.repository import find_repository

    theirs = find_repository(other)
    if repository is None or theirs is None:
        return False
    roots = [
        git_process(one.root, "rev-list", "--max-parents=0", "HEAD").stdout.split()
        for one in (repository, theirs)
    ]
    return bool(set(roots[0]) & set(roots[1])) and repository.prefix == theirs.prefix


def owner_check(opened: "OpenKit") -> "OwnerCheck":
    """Return what chats are held against, and note that this kit is one of this machine's."""
    note_kit(opened.root)
    own = opened.root.resolve()
    apart = [(chat, place) for chat, place in list_apart(home_of(opened.root)) if place.resolve() != own]
    folders = (*(place for _, place in apart), *list_kits())
    others = OtherKits(opened.root, opened.repository, dict.fromkeys(folders))
    copies = ApartCopies(TapeSide(opened.snapshot, opened.known), apart)
    return OwnerCheck(opened.snapshot, opened.known, others, opened.state.last_start(), copies)


def may_record(  # noqa: PLR0913 (the chat, what to ask, and what was said already)
    opened: "OpenKit",
    talk: "Conversation",
    *,
    question: str,
    command: str,
    agreed: bool,
    named: bool,
) -> bool | None:
    """Return whether to record a chat, None where nothing speaks against it.

    `agreed` says that the person has said so already; `named` that they named its file, and then its age
    alone is only told. `command` records it all the same. Raises ReelError where nobody is there to ask.
    """
    doubts, console = owner_check(opened).doubts(talk), opened.console
    if not doubts and console.interactive and not agreed and has_one_voice(talk):
        console.say("Nobody answers in it: all of it is of one speaker.")
        return console.confirm("Record it all the same?", default=False)
    if not doubts:
        return None
    told = agreed or (named and all(doubt.reason is Reason.OLDER for doubt in doubts))
    if not told and not console.interactive:
        message = " ".join(doubt.text for doubt in doubts)
        raise ReelError(message, hint=f"to record it here anyway:  {command}")
    for doubt in doubts:
        console.say(console.wrap(doubt.text, console.err))
    if told and not agreed:
        console.say("You named it, so it counts all the same.")
    if told:
        return True if agreed else None
    return console.confirm(question, default=False)


def has_one_voice(talk: "Conversation") -> bool:
    """Return whether a text holds several turns, and all of them by the same side."""
    said = list(talk.said())
    return talk.format in ("markdown", "text") and len(said) > 1 and len({one.role for one in said}) == 1


def may_record_each(
    opened: "OpenKit", gathered: "ChatOutlines", chosen: "Sequence[ConversationOffer]", *, agreed: bool
) -> "tuple[Sequence[ConversationOffer], dict[int, str]]":
    """Return those of many chats to record, and why the others are refused, by their numbers.

    What another kit holds, or another character speaks in, is asked about once for all, and left out on a no;
    it is refused where nobody is there to ask. So is what does not name the persona in an export or a folder
    of which all was chosen, if some of it does; if none does, only a person is asked. `agreed` says that the
    person has said yes already. That some are older than the last start is only told, as it is of a file
    that is named: an export is.
    """
    console, check = opened.console, owner_check(opened)
    sizes = Counter(item.source for item in gathered.offered)
    older: list[tuple[ConversationOffer, str]] = []
    strangers: dict[int, str] = {}
    unnamed: dict[int, str] = {}
    named = 0
    with console.progress("Looking", len(chosen)) as advance:
        for item in chosen:
            advance(1)
            talk = gathered.conversation(item)
            doubts = check.doubts(talk)
            is_named = check.is_named(talk)
            named += is_named
            if any(doubt.reason is not Reason.OLDER for doubt in doubts):
                strangers[item.number] = " ".join(doubt.text for doubt in doubts)
                continue
            together = sizes[item.source] > 1 or Path(item.source).is_dir()
            if together and not (is_named or check.is_ours(talk)):
                unnamed[item.number] = f"{check.snapshot.settings.name} is not named in it."
            if doubts:
                older.append((item, doubts[0].text))
    if (named or (console.interactive and not agreed)) and len(chosen) == len(gathered.offered):
        strangers |= unnamed
        older = [(item, told) for item, told in older if item.number not in unnamed]
    if older:
        few = _name(older[0][0]) if len(older) == 1 else f"{len(older):,} of these chats"
        console.say(console.wrap(f"{few} {older[0][1].removeprefix('It ')}", console.err))
    refused = strangers and not agreed and not console.interactive
    if not strangers or refused:
        return [item for item in chosen if item.number not in strangers], strangers
    for item in [item for item in chosen if item.number in strangers][:SHOWN]:
        told = f"{_name(item)}: {strangers[item.number]}"
        console.say(console.wrap(told, console.err, "", "  "))
    if len(strangers) > SHOWN:
        console.say(f"and {len(strangers) - SHOWN:,} more like these")
    which = "it" if len(strangers) == 1 else f"these {len(strangers):,}"
    if agreed or console.confirm(f"Record {which} here anyway?", default=False):
        return chosen, {}
    rest = [item for item in chosen if item.number not in strangers]
    if rest:
        console.say(f"Left out: {len(strangers):,} of {len(chosen):,}.")
    return rest, {}


def _name(item: "ConversationOffer") -> str:
    return f"“{one_line(item.title, 40)}”" if item.title else one_line(item.place or item.opening, 60)
