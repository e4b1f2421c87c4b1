"""States of working memory that were so for long: where one ends, the page's memory keeps it (REEL §4.3)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reel_cli.core.errors import StateError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.exchange.open_ask import Ask, match_items
from reel_cli.core.files import working_file
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import Git
from reel_cli.core.git.storage.object_reader import ObjectReader
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.artifact import Checkpoint
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_likeness import is_same_matter, nearly_same, says_no_more, session_day

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

LEAST_DAYS, LEAST_PAGES = 14, 4
"""Days and pages through which something must have stood unchanged to have been so for long."""
MOST = 3
"""Number of states that one memory takes; those that stood longest."""
LONGEST = 300
"""Characters of a state that are told."""
_STATE = "State"
_KINDS = {"Active threads": "went on", "Open loops": "was open", _STATE: "was so"}
"""How a state is told of, by its section."""


@frozen
class PastState:
    """Something that stood in a section of working memory, unchanged, from one day until another."""

    section: str
    words: str
    since: date
    until: date

    @property
    def line(self) -> str:
        """Return it as a memory tells it."""
        days = f"From {day_in_words(self.since)} to {day_in_words(self.until)}"
        return f"{days} this {_KINDS[self.section]}: {self.words}"

    @property
    def trailer(self) -> str:
        """Return where it stood and when, without its words."""
        return f'"{WORKING}" {self.section} {self.since} to {self.until}'


def find_past_states(
    snapshot: Snapshot,
    repository: "Repository | None",
    checkpoint: Checkpoint,
    ask: Ask,
    held: Sequence[Item] = (),
) -> Sequence[PastState]:
    """Return what a checkpoint ends that was so for long, the longest first; none without a history.

    What is only told in more words goes on. `held` are items whose closing waits for a person.
    """
    until = session_day(ask.session)
    if repository is None or until is None:
        return ()
    ended = {_key(*one): one for one in _find_ended(snapshot, checkpoint, ask, held)}
    found = []
    for key, since in _stood_since(repository, ended).items() if ended else ():
        if until - since >= timedelta(days=LEAST_DAYS) and _pages(snapshot, since, until) >= LEAST_PAGES:
            section, words = ended[key]
            found.append(PastState(section, one_line(words, LONGEST), since, until))
    return sorted(found, key=lambda one: (one.since, one.words))[:MOST]


def _find_ended(
    snapshot: Snapshot, checkpoint: Checkpoint, ask: Ask, held: Sequence[Item]
) -> Iterator[tuple[str, str]]:
    """Yield the section and the words of what a checkpoint closes, or replaces by something else."""
    text, delta = snapshot.text(WORKING) or "", checkpoint.delta
    items = working_file.read_items(text)
    now = {n: item for n, item in match_items(ask.items or items, items).items() if item not in held}
    for number in delta.closed:
        if number in now:
            yield now[number].section, without_day(now[number].text)
    for number, words in delta.changed:
        if number in now:
            old = without_day(now[number].text)
            if not (says_no_more(old, words) or is_same_matter(old, words)):
                yield now[number].section, old
    state = working_file.read_section(text, _STATE).strip()
    if state and delta.state and not nearly_same(state, delta.state) and not says_no_more(state, delta.state):
        yield _STATE, state


def _stood_since(repository: "Repository", keys: Iterable[str]) -> dict[str, date]:
    """Return since which day each stands in working memory without a break, up to the newest commit."""
    left, found = set(keys), dict[str, date]()
    with suppress(StateError), ObjectReader(repository.root) as objects:
        for blob, day in _list_versions(repository):
            left &= _read_keys(objects.read(blob)[1].decode("utf-8", "replace"))
            if not left:
                break
            found |= dict.fromkeys(left, day)
    return found


def _list_versions(repository: "Repository") -> Iterator[tuple[str, date]]:
    """Yield the versions of working memory, newest first: the blob, and the day of its chat or commit."""
    fields = "%x01%as %(trailers:key=Reel-Session,valueonly,separator=%x20)"
    listed = Git(repository.root)(
        *("log", "--topo-order", "--raw", "--no-abbrev", "--no-renames", f"--format={fields}", "HEAD"),
        *("--", f"{repository.prefix}{WORKING}"),
    )
    when = date.min
    for line in listed.decode("utf-8", "replace").splitlines():
        if line.startswith("\x01"):
            day, _, session = line[1:].partition(" ")
            when = session_day(session.strip()) or date.fromisoformat(day)
        elif line.startswith(":"):
            yield line.split()[3], when


def _read_keys(text: str) -> set[str]:
    """Return the keys of all items and of the state that a version of working memory has."""
    state = working_file.read_section(text, _STATE)
    return {_key(one.section, one.text) for one in working_file.read_items(text)} | {_key(_STATE, state)}


def _key(section: str, words: str) -> str:
    return f"{section}\0{fold(without_day(words)).rstrip('.')}"


def _pages(snapshot: Snapshot, since: date, until: date) -> int:
    """Return the number of sessions after a day, up to another, that have a page."""
    paged = {PurePosixPath(path).stem.rpartition(".")[0] for path in snapshot.checkpoints}
    days = (session_day(session) for session in paged)
    return sum(day is not None and since < day <= until for day in days)
