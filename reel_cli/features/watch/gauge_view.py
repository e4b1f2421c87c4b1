"""The gauge at the terminal: how full the window is while a chat is followed."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.moment import moment, stamp
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
from reel_cli.core.pack.recognize import find_bundle
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.core.values.fullness import Fullness
from reel_cli.features.record.read_chats import read_conversations
from reel_cli.features.watch.gauge import Gauge, GaugeReading, same_beginning
from reel_cli.terminal.folding import columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.values.talk import Conversation, Message
    from reel_cli.features.watch.policy import Mark
    from reel_cli.terminal.open_kit import OpenKit

KEEP = "reel keep"
LARGEST = 32 << 20
"""Bytes above which a file is an export and no chat that continues."""
TRIES = 4
"""Number of attempts to read a file: apps take a moment to save."""
BARS = (24, 10)
"""Widths of the bar in cells: the widest that fits is used."""
TITLE = 40
LIVELY_HOURS = 3
"""Hours since it was last written to in which a chat counts as active."""


class LiveGauge:
    """The gauges of the chats that are followed; the one that changed last is shown."""

    def __init__(self, opened: "OpenKit", format: str) -> None:  # noqa: A002
        """Show on the kit's console; `format` as for recording."""
        self._opened = opened
        self._console = opened.console
        self._format = format
        self._gauges: dict[str, Gauge] = {}
        self._read_last: dict[str, Sequence[Message]] = {}
        self._marks: dict[str, Mark] = {}
        self._tries: dict[str, int] = {}
        self._told: dict[str, str] = {}
        self._full: Fullness | None = None
        self._aside: int | None = None

    def begin(self, found: "Mapping[str, Mark]") -> None:
        """Mark present files as seen, and show the chat that was written to last."""
        self._marks = dict(found)
        newest = max(found, key=lambda path: found[path].mtime_ns, default=None)
        if newest is not None and found[newest].size <= LARGEST:
            self._read(newest)

    def beat(self, found: "Mapping[str, Mark] | None") -> None:
        """Look at what has changed since, and keep the line on the terminal up to date."""
        for path, seen in (found or {}).items():
            if self._marks.get(path) == seen:
                continue
            self._tries[path] = self._tries.get(path, 0) + 1
            if seen.size > LARGEST or self._read(path) or self._tries[path] >= TRIES:
                self._marks[path], self._tries[path] = seen, 0
        if self._full is not None and self._console.redraws:
            self._console.live(line_of(self._full, columns(self._console.err)))

    def _read(self, path: str) -> bool:
        """Read one chat and show how full it is; False where it could not be read just now."""
        try:
            talks = list(read_conversations(self._opened, path, self._format))
        except (ReelError, OSError):
            # an app that is saving leaves half a file for a moment; recording reports the rest
            return False
        if len(talks) == 1:
            self._show(path, talks[0])
        return True

    def _show(self, path: str, talk: "Conversation") -> None:
        # only reading a file shows whether somebody edited it further up
        same = same_beginning(self._read_last.get(path, ()), talk.messages)
        self._read_last[path] = talk.messages
        seen = self.gauge(path).look(talk.messages, same)
        title = one_line(talk.title or Path(path).name, TITLE)
        self._full = seen.full
        line = line_of(seen.full)
        if not self._console.redraws and self._told.get(path) != line:
            self._told[path] = line
            self._console.say(f"{self._time()}  {title}: {line}")
        self.tell(title, seen)
        self._opened.state.save_stream(note_of(path, title, seen.full, stamp(self._opened.now())))

    def gauge(self, name: str) -> Gauge:
        """Return the gauge of one chat, made when it is first asked for."""
        if name not in self._gauges:
            settings = self._opened.snapshot.settings
            counter = get_tokenizer(settings.tokenizer)
            lines = self._opened.snapshot.index.lines.values()
            self._gauges[name] = Gauge(settings, counter, lines, aside=self._beside)
        return self._gauges[name]

    def _beside(self) -> int:
        """Return the tokens of the bundle if the chat itself has none: that of the last one made."""
        if self._aside is None:
            counter = get_tokenizer(self._opened.snapshot.settings.tokenizer)
            handed = next(
                (text for text in self._opened.state.handed_out("bundle") if find_bundle(text)), None
            )
            try:
                self._aside = (
                    counter.count(handed)
                    if handed
                    else pack_kit(self._opened.root, BundleRequest(boot=False)).tokens
                )
            except ReelError:
                self._aside = 0
        return self._aside

    def tell(self, title: str, seen: GaugeReading) -> None:
        """Show what is new: a phrase that came up, a message too large, a window that is nearly full."""
        from reel_cli.terminal.clipboard import can_copy

        console, full = self._console, seen.full
        for line in seen.named:
            # in double quotes for any shell, without characters that a shell would interpret
            phrase = "".join(c for c in line.anchor if c not in '"$`\\!')
            console.say(f"{self._time()}  “{line.anchor}” came up: {line.description}.")
            copy = " --copy" if can_copy() else ""
            console.next_step(f'To bring the moment back:  reel recall "{phrase}"{copy}')
        if seen.large:
            console.say(
                f"{self._time()}  {title}: one message takes {seen.large:,} tokens, more than the whole"
                f" {full.held_to} of {full.cap:,}. The model sees only a part of it; the tape has all."
            )
        if seen.crossed:
            console.say(
                f"{self._time()}  {title}: the {full.held_to} is {full.percent} % full ({full.tokens:,} of"
                f" {full.cap:,} tokens). What comes next may push out what was said first."
            )
            console.next_step(f"Next:  {KEEP}")

    def _time(self) -> str:
        return f"{self._opened.now():%H:%M}"


def line_of(full: Fullness, width: int = 0) -> str:
    """Return how full it is, on one line; with a bar and as much as fits if there is a `width`."""
    share, of = f"{full.percent} %", f"{full.tokens:,} of {full.cap:,} tokens"
    parts = f"(bundle {full.bundle:,}, {tell_many(full.said, 'message')} {full.turns:,})"
    if not width:
        return f"{share} full, {of} {parts}"
    forms = (
        *(f"{_bar(full, cells)} {share:>5}  {of}  {parts}" for cells in BARS),
        *(f"{_bar(full, cells)} {share:>5}  {of}" for cells in BARS),
        f"{share}  {of}",
    )
    return next((form for form in forms if len(form) < width), share)


def _bar(full: Fullness, cells: int) -> str:
    done = min(cells, full.tokens * cells // full.cap)
    return f"[{'#' * done}{'.' * (cells - done)}]"


def note_of(path: str, title: str, full: Fullness, when: str) -> dict[str, Any]:
    """Return the record of the chat that goes on."""
    return {"path": str(Path(path).absolute()), "title": title, "when": when, "full": list(full)}


def live_stream(opened: "OpenKit") -> tuple[str, Fullness] | None:
    """Return the title of the chat that goes on, and how full it was last; None if there is none."""
    noted = opened.state.stream()
    try:
        if noted is None:
            return None
        since = (opened.now() - moment(str(noted["when"]))).total_seconds()
        full = Fullness(*map(int, noted["full"]))
        title, there = one_line(str(noted["title"]), TITLE), Path(str(noted["path"])).is_file()
    except (KeyError, OSError, TypeError, ValueError):
        return None
    return (title, full) if there and 0 <= since <= LIVELY_HOURS * 3600 and full.cap > 0 else None
