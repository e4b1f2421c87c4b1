"""`reel record --watch`: the hands and eyes around `features/watch/policy.py`."""

import json
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.shell import quote_path
from reel_cli.core.tape.format_rows import GROWING
from reel_cli.core.values.change import tell_many
from reel_cli.features.record.chat_apps import (
    LM_STUDIO_FILES,
    as_mark,
    in_home,
    lm_studio_folders,
    mark,
    newest_chats,
    sillytavern_folders,
    walk_chats,
)
from reel_cli.features.record.choice import offer
from reel_cli.features.record.read_chats import read_conversations
from reel_cli.features.record.record_chats import record_one
from reel_cli.features.record.record_view import as_json_row
from reel_cli.features.record.source_files import note_sources
from reel_cli.features.watch.gauge_view import LiveGauge
from reel_cli.features.watch.policy import Mark, Watch

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Conversation
    from reel_cli.features.record.plan import RecordPlan
    from reel_cli.terminal.open_kit import OpenKit

PULSE = 1.0
"""Seconds between looks at the folder; more if looking takes long."""
NAP = 0.1
"""Seconds within which the end is noticed."""
BREATH = 3600.0
"""Seconds between looks at the files on the shelf (MEMORY-MGMT §8)."""
SHARE = 50
"""Divisor of the time: looking takes at most this part of it."""
ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


def watch_chats(  # noqa: PLR0913
    opened: "OpenKit",
    named: Sequence[str],
    *,
    idle: float,
    format: str,  # noqa: A002
    present: bool,
    as_json: bool,
) -> None:
    """Record chats as they go on, until the person ends it; what waits then is recorded first.

    `named` are folders or files; where there are none, those that were followed last, else the folders of LM
    Studio and SillyTavern. `idle` is in seconds; `present` takes in the newest chat as it stands, too. Raises
    ReelError where there is nothing to follow, StateError where the kit would not take the last of it.
    """
    followed = opened.state.following()
    last = [Path(name) for name in followed[0]] if followed is not None else []
    usual = [*(folder for folder in lm_studio_folders() if folder.is_dir()), *sillytavern_folders()]
    places = [Path(name).expanduser() for name in named] or last or usual
    for place in places if named else ():
        if not place.exists():
            message = f"There is no folder {place}."
            raise ReelError(message, hint="name the folder where your app keeps its chats")
    if not places:
        message = f"LM Studio's folder was not found: {in_home(lm_studio_folders()[0])}."
        raise ReelError(
            message,
            hint="name the folder where your app keeps its chats, or - for what you paste:"
            "  reel record --watch DIR",
        )
    kept = [str(place.resolve()) for place in places] if named or last else []
    follower = Follower(opened, places, idle=idle, format=format, as_json=as_json, remember=kept)
    with ending() as ended:
        follower.begin(time.monotonic(), present=present)
        for now in _beats(ended, follower):
            follower.beat(now)
        follower.end(time.monotonic())


class Follower:
    """One watch over folders and files: `begin`, a `beat` now and then, `end`."""

    def __init__(  # noqa: PLR0913
        self,
        opened: "OpenKit",
        places: Sequence[Path],
        *,
        idle: float,
        format: str,  # noqa: A002
        as_json: bool = False,
        remember: Sequence[str] | None = None,
    ) -> None:
        """Follow `places`; a chat is recorded when it has been quiet for `idle` seconds.

        `remember` are the folders to follow the next time, where none is named; None leaves that as it is.
        """
        self.watch = Watch(idle)
        self.took = 0.0
        """Seconds that the last look took."""
        self._opened = opened
        self._context = opened.context
        self._console = opened.console
        self._places = places
        self._format = format
        self._as_json = as_json
        self._sessions: set[str] = set()
        self._others: set[str] = set()
        self._remember = remember
        self._earlier: frozenset[str] = frozenset()
        """Files that were written while nothing was followed."""
        self._since = 0
        self._fresh = False
        self._added = 0
        self._stuck: StateError | OSError | None = None
        self._breathed = 0.0
        self._gauge = LiveGauge(opened, format)

    def begin(self, now: float, *, present: bool) -> None:
        """Mark all present files as seen."""
        found = self._look() or {}
        self._breathed = now
        self._earlier = frozenset(self._written_since(found))
        self.watch.begin(now, found, [*self._earlier, *(self._newest(found) if present else ())])
        where = ", ".join(in_home(place) for place in self._places)
        quiet = f"{self.watch.idle:,.0f} seconds" if self.watch.idle != 1 else "a second"
        self._console.say(f"Following {tell_many(len(self.watch), 'chat')} in {where}.")
        self._console.say(f"A chat is recorded when it was quiet for {quiet}. Ctrl-C ends it.")
        if self._remember and self._fresh:
            self._console.say("From now on  reel record --watch  follows it without being told.")
        self._gauge.begin(found)

    def beat(self, now: float) -> None:
        """Look, and record what has fallen quiet."""
        was_away = self.watch.away
        found = self._look()
        self.watch.look(now, found)
        if self.watch.away != was_away:
            gone = "is not there any more; waiting for it to come back" if self.watch.away else "is back"
            self._console.say(f"{self._time()}  {in_home(self._places[0])} {gone}.")
        for path in self.watch.due(now):
            self._take(path, now)
        began = time.monotonic()
        self._gauge.beat(found)
        self._exhale(now)
        self.took += time.monotonic() - began

    def end(self, now: float) -> None:
        """Look a last time, record what waits, and say what was recorded in all.

        Raises StateError where the kit would not take it.
        """
        if self._console.err.isatty():
            self._console.say()  # off the line on which the terminal wrote ^C
        self.watch.look(now, self._look())
        self._stuck = None
        for path in self.watch.waiting():
            self._take(path, now, last=True)
        self._note_read(self.watch.waiting())
        if self._stuck is not None:
            raise self._stuck
        for path in self.watch.waiting():
            self._console.say(
                f"{Path(path).name} was not complete yet; later:  reel record {quote_path(path)}"
            )
        for path, why in self.watch.faults().items():
            self._console.say(f"Not recorded: {Path(path).name}. {why}")
        if not self._sessions:
            self._console.say("Nothing new was said.")
            return
        told = f"{tell_many(self._added, 'message')} in {tell_many(len(self._sessions), 'chat')}"
        self._console.say(f"Recorded {told}.")
        self._console.next_step("Next:  reel end")

    # -- between two watches -------------------------------------------------------------------

    def _written_since(self, found: Mapping[str, Mark]) -> Sequence[str]:
        """Return the files that were written since the same was followed last; remembers what is followed."""
        if self._remember is None:
            return ()
        state = self._opened.state
        before = state.following()
        newest = max((one.mtime_ns for one in found.values()), default=0)
        same = before is not None and list(before[0]) == list(self._remember)
        self._since, self._fresh = before[1] if before is not None and same else newest, not same
        with suppress(StateError, OSError):
            state.save_following(self._remember, self._since)
        return sorted(path for path, one in found.items() if one.mtime_ns > self._since)

    def _note_read(self, waiting: Sequence[str]) -> None:
        """Remember how far everything is read: up to what still waits."""
        if self._remember is None:
            return
        marks = {path: one.mtime_ns for path, one in (self._look() or {}).items()}
        open_ = [marks[path] - 1 for path in waiting if path in marks]
        since = min(open_, default=max(marks.values(), default=self._since))
        with suppress(StateError, OSError):
            self._opened.state.save_following(self._remember, max(since, self._since))

    # -- looking -------------------------------------------------------------------------------

    def _look(self) -> Mapping[str, Mark] | None:
        """Return every chat file with its mark; None if none of the places exists."""
        began = time.monotonic()
        there = [place for place in self._places if place.exists()]
        ours = set(lm_studio_folders())
        found: dict[str, Mark] = {}
        for place in there:
            if place.is_dir():
                # in LM Studio's own folder, only its conversations
                files = walk_chats(place, LM_STUDIO_FILES if place in ours else GROWING)
                found.update((str(path), as_mark(status)) for path, status in files)
            elif (seen := mark(place)) is not None:
                found[str(place)] = seen
        self.took = time.monotonic() - began
        return found if there else None

    def _newest(self, found: Mapping[str, Mark]) -> Sequence[str]:
        apps = [str(chat.path) for chat in newest_chats() if str(chat.path) in found]
        return apps[:1] or sorted(found, key=lambda path: found[path].mtime_ns)[-1:]

    # -- recording -----------------------------------------------------------------------------

    def _take(self, path: str, now: float, *, last: bool = False) -> None:
        """Read one file and record what is new in it, or let it wait."""
        seen = mark(Path(path))
        if seen is None:
            self.watch.drop(path)
            return
        try:
            talks = list(read_conversations(self._opened, path, self._format))
        except (ReelError, OSError) as error:
            # an app that is saving leaves half a file for a moment
            why = error.message if isinstance(error, ReelError) else error.strerror or str(error)
            if self.watch.unreadable(path, now, why):
                self._tell(path, why)
            return
        if mark(Path(path)) != seen and not last:
            return  # written to while it was read: the next look sees that
        if not last and any(_unanswered(talk) for talk in talks) and self.watch.wait_for_answer(path):
            return
        if all(self._record(path, talk, now) for talk in talks):
            self.watch.settle(path, seen)

    def _is_anothers(self, path: str, talk: "Conversation") -> bool:
        """Return whether a chat may belong to another kit; it is then named and left out, without asking."""
        from reel_cli.features.record.ownership import Reason, owner_check

        check = owner_check(self._context.open_kit())
        if path in self._earlier and not check.is_ours(talk):
            # nobody meant it to be followed, and nothing in it says whose it is
            return True
        found = [doubt for doubt in check.doubts(talk) if doubt.reason is not Reason.OLDER]
        told = " ".join(doubt.text for doubt in found)
        # one program holds many characters: each is told of once
        told_of = told if all(doubt.reason is Reason.NAME for doubt in found) else path
        if found and told_of not in self._others:
            self._others.add(told_of)
            same = f"To record it anyway:  reel record {quote_path(path)} --yes"
            self._tell(path, f"{told} It was left out. {same}")
        return bool(found)

    def _record(self, path: str, talk: "Conversation", now: float) -> bool:
        """Record one conversation; return False if it has to wait."""
        try:
            if self._is_anothers(path, talk):
                return True
            found = record_one(self._context, talk)
            note_sources(self._context.open_kit(), [(path, "")])
        except (StateError, OSError) as error:
            # another reel at work, an unfinished merge, a full disk: tried again until it succeeds
            self._stuck = error
            if self.watch.try_later(path, now):
                why = error.message if isinstance(error, StateError) else f"{error.strerror or error}."
                self._tell(path, f"{why} reel tries again; the chat itself is safe.")
            return False
        except ReelError as error:
            # before the persona has answered, it may hold only text from reel
            if not _unanswered(talk):
                self._tell(path, error.message)
            return True
        if found.taken_back:
            self._tell(path, f"{found.session} was taken back, so nothing is added to it.")
        elif found.added:
            self._announce(path, talk, found)
        return True

    def _announce(self, path: str, talk: "Conversation", found: "RecordPlan") -> None:
        self._sessions.add(found.session)
        self._added += found.added
        if self._as_json:
            row = as_json_row(offer(talk, 1, path), found)
            self._console.result(json.dumps(row, ensure_ascii=False), whole=True)
        else:
            shown = found.called
            more = {
                "new": f"{tell_many(found.added, 'message')}, recorded as {found.session}",
                "grown": f"{found.added:,} more {'message' if found.added == 1 else 'messages'}",
            }.get(found.state, f"edited; {tell_many(found.added, 'message')} added, what stood there is kept")
            if found.branched:
                added = tell_many(found.added, "message")
                more = f"went on in another branch; {added} added, the other one is kept"
            line = f"{self._time()}  {shown}: {more}"
            self._console.result(self._console.wrap(line, self._console.out))
        self._console.flush()

    def _exhale(self, now: float) -> None:
        """Show once an hour that something on the shelf can be put away, if so."""
        if now - self._breathed < BREATH:
            return
        self._breathed = now
        self._context.open_kit().breathe(ends=False)

    def _tell(self, path: str, what: str) -> None:
        """Report something about one file, once until it changes."""
        if self.watch.tell(path, what):
            self._console.say(f"{self._time()}  {Path(path).name}: {what}")

    def _time(self) -> str:
        return f"{self._opened.now():%H:%M}"


def _unanswered(talk: "Conversation") -> bool:
    """Return whether the person spoke last, so that an answer may be on its way."""
    return talk.said()[-1].role == "user"


@dataclass(slots=True)
class EndFlag:
    """The flag that the end was asked for; no lock, since a signal handler sets it."""

    asked: bool = False


def _beats(ended: EndFlag, follower: Follower) -> Iterator[float]:
    """Yield the times at which to look, until it is ended."""
    while True:
        until = time.monotonic() + max(PULSE, follower.took * SHARE)
        while time.monotonic() < until:
            if ended.asked:
                return
            time.sleep(NAP)
        yield time.monotonic()


@contextmanager
def ending() -> Iterator[EndFlag]:
    """Turn the first Ctrl-C, or a polite end from outside, into a flag; the second one stops at once."""
    ended = EndFlag()

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        if ended.asked:
            raise KeyboardInterrupt
        ended.asked = True

    if threading.current_thread() is not threading.main_thread():
        yield ended
        return
    numbers = [getattr(signal, name) for name in ENDINGS if hasattr(signal, name)]
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
