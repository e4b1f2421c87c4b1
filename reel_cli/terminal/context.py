"""The composition root: finds the kit, wires clock and git together, finishes what a stop interrupted."""

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError, UsageError
from reel_cli.core.files.private import drop_foreign_cache, holds_foreign_prompts
from reel_cli.core.shell import quote_path
from reel_cli.core.tokens.choice import settle
from reel_cli.terminal.console import Console
from reel_cli.terminal.open_kit import INDEX_HELD, OpenKit

if TYPE_CHECKING:
    from reel_cli.core.tape.known_sessions import KnownSessions
    from reel_cli.terminal.clipboard import ClipboardWatch
    from reel_cli.terminal.transport_option import Via

REBASED = "git rebase --abort  then  git pull --no-rebase"
JOINS = "to join what two machines recorded:  reel doctor --fix"
"""The one next step while a merge is under way."""
HALF_DONE = {
    "MERGE_HEAD": ("A merge", JOINS),
    "rebase-merge": ("A rebase", REBASED),
    "rebase-apply": ("A rebase", REBASED),
}
"""Files that git keeps while two machines are half joined: the name, and the one next step."""
EARLIEST, LATEST = 1971, 9997
"""The years the clock may show: days and zones are counted from it, in both directions."""
FOREIGN_PROMPTS = (
    "Prompts under way were noted in another folder or by an older reel, so they are not used."
    " The next change keeps them aside in .reel/state/elsewhere; ask for the page again."
)


@dataclass(eq=False, repr=False)
class Context:
    """The common state of every command."""

    kit_option: Path | None
    console: Console
    chat_option: str | None = None
    """The chat kept apart to work with, by name; None for the kit itself."""
    done: list[str] = field(default_factory=list)
    """The commits this command has made so far, each in a person's words."""
    watch: "ClipboardWatch | None" = None
    """Watcher for a reply on the clipboard, if the person asked for it."""
    half_done: tuple[str, str] | None = None
    """The merge or rebase that is under way in the kit that was opened: its name, and what ends it."""
    opened: "OpenKit | None" = None
    """The kit that this command opened last."""
    warned: set[tuple[str, ...]] = field(default_factory=set)
    """The warnings about the kit's state that this command has said."""
    waiting: str = ""
    """A line about unfinished work, shown if the person stops here."""
    ends: bool = False
    """True if this is `reel end`, which goes on with a page that did not come."""
    back_to: str = ""
    """Words for the question that is asked again where a reply is left for later."""
    stays: str = ""
    """Words for what stays if this is stopped, though no change holds it."""
    via: "Via | None" = None
    """Transport of this command's prompts; None if it has no exchange."""
    agreed: str = ""
    """The other machine that the person agreed to send prompts to."""
    limits: dict[tuple[str, str], int] = field(default_factory=dict)
    """Lengths that servers named when they refused what is too long, by address and model."""
    effortless: set[tuple[str, str]] = field(default_factory=set)
    """Servers that took no depth of thinking in this run, by address and model."""
    answered_by: str = ""
    """The model that wrote the reply that is being read, as its server calls it; "" where no server did."""
    known_sessions: "dict[Path, KnownSessions]" = field(default_factory=dict)
    """The indexes of tapes that this command has read, by kit; opening a kit again brings its up to date."""
    chats: bool = False
    """True if the chat runs here, over the wire, so that there is no other to paste anything into."""
    ended: int = 0
    """The signal that ends this command from outside, where one does."""
    takes_up: bool = True
    """True if interrupted chats are put on the tape when the kit is opened."""
    wired: bool = False
    """True while a prompt is sent over a wire, so that nothing is to be pasted."""
    pasted: bool = False
    """True once a reply was given where another can be given at once, and less be asked for with a key."""
    failed: bool = False
    """True if the command ended with an error or by Ctrl-C."""
    farewell: bool = False
    """True if a walk that Ctrl-C ended has said itself what it kept."""

    def now(self) -> datetime:
        """Return the time, with its zone; `REEL_NOW` (ISO 8601) stands in for the clock."""
        fixed = os.environ.get("REEL_NOW")
        if fixed:
            moment = _parse_moment(fixed)
            if moment is None:
                message = f"REEL_NOW is {fixed!r}, which is not a time."
                raise UsageError(message, hint="write it as 2026-03-01T20:00:00+00:00")
            return moment
        return datetime.now().astimezone()

    def kit_root(self, *, mending: bool = False) -> Path:
        """Return the kit to work on: `--kit` (or `$REEL_KIT`), else the nearest kit.yaml at or above.

        A command that is `mending` takes a kit whose kit.yaml is missing as well. With `--chat` it is the kit
        of that chat, which is kept apart.
        """
        root = self._named_root(mending=mending)
        return root if self.chat_option is None else self._apart_root(root, self.chat_option)

    def _apart_root(self, root: Path, chat: str) -> Path:
        from reel_cli.core.kit.apart_kits import find_apart, home_of, list_apart

        home = home_of(root)
        found = find_apart(home, chat)
        if found is None or not (found / "kit.yaml").is_file():
            message = f"No chat “{chat}” is kept apart here."
            known = ", ".join(name for name, _ in list_apart(home))
            raise ReelError(message, hint=f"there is: {known}" if known else "to begin one:  reel apart NAME")
        return found

    def _named_root(self, *, mending: bool) -> Path:
        """Return the kit that `--kit`, `$REEL_KIT` or this folder names."""
        if self.kit_option is not None:
            if not (self.kit_option / "kit.yaml").is_file():
                if mending and lacks_settings(self.kit_option):
                    return self.kit_option.absolute()
                self._refuse_without_settings(self.kit_option)
                message = f"{self.kit_option} is not a kit: it has no kit.yaml."
                raise ReelError(message, hint="make one with  reel init ada --template companion")
            return self.kit_option.absolute()
        here = Path.cwd()
        for place in (here, *here.parents):
            if (place / "kit.yaml").is_file():
                if place != here:
                    from reel_cli.terminal.steps import steps_in_folder

                    self.console.steps = steps_in_folder(Path(os.path.relpath(place)))
                return place
        for place in (here, *here.parents):
            if mending and lacks_settings(place):
                return place
            self._refuse_without_settings(place)
        message = "There is no kit here: no kit.yaml in this folder or above it."
        below = [place.parent.name for place in here.glob("*/kit.yaml")]
        if len(below) == 1:
            raise ReelError(message, hint=f"go to the one in this folder:  cd {quote_path(below[0])}")
        lacking = (
            [] if below else [p.parent for p in sorted(here.glob("*/ring0")) if lacks_settings(p.parent)]
        )
        if lacking:
            message = f"{lacking[0].name} is a kit whose kit.yaml is missing."
            way = f"cd {quote_path(lacking[0].name)} && reel restore kit.yaml"
            raise StateError(message, hint=f"bring it back:  {way}")
        hint = "go to your kit's folder, or make one:  reel init ada --template companion"
        raise ReelError(message, hint="to see the kits in this folder:  reel" if below else hint)

    def _refuse_without_settings(self, place: Path) -> None:
        """Raise StateError for a kit without kit.yaml, with the way to restore it."""
        if lacks_settings(place):
            message = f"{place.absolute().name} is a kit whose kit.yaml is missing."
            raise StateError(message, hint="bring it back:  reel restore kit.yaml")

    def open_kit(self, *, joining: bool = False, reading: bool = False, mending: bool = False) -> "OpenKit":
        """Open the kit for this command; finishes first what a stopped command had begun.

        A merge under way is noticed, but where it is what the command is about (`joining`). A command that
        only reads goes on where that cannot be finished yet, and says so. One that is `mending` opens a kit
        whose kit.yaml is missing.
        """
        from reel_cli.core.change.edited_texts import settle_texts
        from reel_cli.core.git.git_folder import ForeignRepositoryError
        from reel_cli.core.git.repository import find_repository

        root = self.kit_root(mending=mending)
        settle(root)
        opened = self.opened = OpenKit(context=self, root=root, repository=None)
        try:
            opened.repository = find_repository(root)
        except ForeignRepositoryError as error:
            opened.foreign = error
        drop_foreign_cache(root, make=opened.repository is not None)
        if holds_foreign_prompts(root):
            self.warn(FOREIGN_PROMPTS)
        if opened.repository is not None and not joining:
            place = opened.repository.git_dir
            marks = (told for mark, told in HALF_DONE.items() if os.path.lexists(place / mark))
            self.half_done = next(marks, None)
        try:
            self._finish_stopped(opened)
        except StateError as error:
            if not reading:
                raise
            self.warn(error.message, *((f"Hint: {error.hint}",) if error.hint else ()))
            opened.unfinished = error
        else:
            settle_texts(root, opened.repository)
            self._settle_files(opened)
        return opened

    def warn(self, *lines: str) -> None:
        """Say something about the kit's state, unless this command has said it already."""
        if lines not in self.warned:
            self.warned.add(lines)
            for line in lines:
                self.console.say(line)

    def _settle_files(self, opened: "OpenKit") -> None:
        """Have features settle what other kits changed since, where a kit has such a file."""
        if opened.repository is None or self.half_done is not None:
            return
        from reel_cli.core.ports import list_feature_files, resolve

        for feature, file in list_feature_files():
            waits = file.waits and opened.root.glob(f".reel/state/exchanges/{file.waits}*")
            if file.opened and ((opened.root / file.path).exists() or any(waits)):
                resolve(feature, file.opened)(opened)

    def _finish_stopped(self, opened: "OpenKit") -> None:
        """Finish or discard what a stopped command had begun, and say what came of it."""
        if opened.repository is not None and opened.state.has_intent():
            from reel_cli.core.change.transaction import recover

            found = recover(opened.repository, opened.root)
            for path in found.kept:
                self.console.say(
                    f"{path} was edited meanwhile; your text is in the file, reel's is in the history."
                )
            if found.pending:
                self.warn(INDEX_HELD)
        if opened.repository is not None and opened.state.has_purge():
            from reel_cli.core.ports import bring

            for finish in bring("unfinished"):
                self.console.say(finish(opened.repository, opened.root))
        if (
            opened.repository is not None
            and self.takes_up
            and self.half_done is None
            and opened.state.has_chats()
        ):
            from reel_cli.features.watch.unfinished_chats import take_up_chats

            take_up_chats(opened)


def lacks_settings(place: Path) -> bool:
    """Return whether a folder is a kit but for its kit.yaml, which is missing."""
    settings = place / "kit.yaml"
    return (
        (place / "ring0").is_dir()
        and any((place / own).is_dir() for own in ("tape", ".reel"))
        and not settings.is_file()
    )


def _parse_moment(text: str) -> datetime | None:
    """Read a moment in ISO 8601, in UTC where it names no zone; None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return known if EARLIEST <= known.year <= LATEST else None
