"""States of working memory that were so for long: where one ends, the page's memory keeps it (REEL §4.3)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import StateError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.exchange.open_ask import Ask, list_asked, match_items
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import session_of_checkpoint
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import Git
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.talks import last_talk_day
from reel_cli.core.values.artifact import Checkpoint
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import PAST_STATES, Item, Memory
from reel_cli.features.page.notes.note_likeness import says_no_more, session_day

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.git.storage.object_reader import ObjectReader

PAST_STATE = "Reel-Past-State"
"""The trailer of a state that a page put into a memory."""
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

    What is only told with more words goes on. `held` are items whose closing waits for a person.
    """
    ended = dict(_find_ended(snapshot, checkpoint, ask, held))
    if repository is None or not ended or not _are_enough(snapshot, ask.session):
        return ()
    from reel_cli.core.git.storage.object_reader import ObjectReader

    with suppress(StateError), ObjectReader(repository.root) as objects:
        return _choose(snapshot, ask.session, _stood_since(objects, _list_versions(repository), ended))
    return ()


def find_earlier_states(
    snapshot: Snapshot, repository: "Repository | None", session: str
) -> Sequence[PastState]:
    """Return what a chat's checkpoints ended before the chat had a memory that could keep it."""
    paged = any(path.startswith(f"checkpoints/{session}.") for path in snapshot.checkpoints)
    if repository is None or not paged or not _are_enough(snapshot, session):
        return ()
    standing = _read_states(snapshot.text(WORKING) or "")
    from reel_cli.core.git.storage.object_reader import ObjectReader

    stood: dict[str, PastWords] = {}
    with suppress(StateError), ObjectReader(repository.root) as objects:
        versions = list(_list_versions(repository))
        for place, version in enumerate(versions[:-1]):
            if version.session != session or version.kept:
                continue
            before, after = (_read_version(objects, one) for one in (versions[place + 1], version))
            gone = {key: before[key] for key in before.keys() - after.keys() - standing.keys()}
            ended = {
                key: (section, words)
                for key, (section, words) in gone.items()
                if not any(_goes_on(section, words, *other) for other in after.values())
            }
            stood |= _stood_since(objects, versions[place + 1 :], ended)
    own = [memory.body for memory in snapshot.memories.values() if session in memory.sessions]
    return [one for one in _choose(snapshot, session, stood) if not any(one.line in body for body in own)]


def keep_past_states(memory: Memory, text: str, past: Sequence[PastState]) -> str:
    """Return the file of a memory with these states below its own sections."""
    lines = "\n".join(f"- {one.line}" for one in past)
    if PAST_STATES in split_sections(memory.body):
        return f"{text.rstrip()}\n{lines}\n"
    return f"{text.rstrip()}\n\n## {PAST_STATES}\n\n{lines}\n"


def _choose(snapshot: Snapshot, session: str, stood: "Mapping[str, PastWords]") -> Sequence[PastState]:
    until = last_talk_day(snapshot, session)
    if until is None:
        return ()
    found = []
    for section, words, since in stood.values():
        if until - since >= timedelta(days=LEAST_DAYS) and _pages(snapshot, since, until) >= LEAST_PAGES:
            found.append(PastState(section, one_line(words, LONGEST), since, until))
    return sorted(found, key=lambda one: (one.since, one.words))[:MOST]


def _are_enough(snapshot: Snapshot, session: str) -> bool:
    """Return whether there are pages enough up to a chat for anything to have stood through them."""
    until = last_talk_day(snapshot, session)
    return until is not None and _pages(snapshot, date.min, until) >= LEAST_PAGES


def _find_ended(
    snapshot: Snapshot, checkpoint: Checkpoint, ask: Ask, held: Sequence[Item]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield by its key the section and words of what a checkpoint closes or replaces."""
    text, delta = snapshot.text(WORKING) or "", checkpoint.delta
    items = working_file.read_items(text)
    now = {
        n: one for n, one in match_items(list_asked(ask.numbered, items), items).items() if one not in held
    }
    changed = dict(delta.changed)
    for number, item in now.items():
        words = without_day(item.text)
        if number in delta.closed or (
            number in changed and not _goes_on(item.section, words, item.section, changed[number])
        ):
            yield _key(item.section, words), (item.section, words)
    state = working_file.read_section(text, _STATE).strip()
    if state and delta.state and not _goes_on(_STATE, state, _STATE, delta.state):
        yield _key(_STATE, state), (_STATE, state)


def _goes_on(section: str, words: str, other_section: str, other: str) -> bool:
    """Return whether what stood in a section goes on: the other has its words, all of them."""
    return section == other_section and says_no_more(words, other)


class _Version(NamedTuple):
    """A version of working memory: its blob, the day of its chat or commit, and the chat of its page.

    `kept` where that page put what it ended into a memory.
    """

    blob: str
    day: date
    session: str
    kept: bool


class PastWords(NamedTuple):
    """The words that held all along, their section, and the day since which they stood."""

    section: str
    words: str
    since: date


def _stood_since(
    objects: "ObjectReader", versions: Iterable[_Version], ended: Mapping[str, tuple[str, str]]
) -> Mapping[str, PastWords]:
    """Return since which day each stands in working memory without a break, up to the newest version.

    A note to which words were added is followed to those without; the words of both held all along.
    """
    now = {key: key for key in ended}
    newer: Collection[str] = ended.keys()
    found: dict[str, PastWords] = {}
    for version in versions:
        there = _read_version(objects, version)
        for key, (section, words) in ((key, found.get(key, (*ended[key], 0))[:2]) for key in list(now)):
            if now[key] not in there:
                fresh = {other: one for other, one in there.items() if other not in newer}
                before = next(
                    (
                        other
                        for other, one in fresh.items()
                        if _goes_on(*one, section, words) or _goes_on(section, words, *one)
                    ),
                    None,
                )
                if before is None:
                    del now[key]
                    continue
                now[key] = before
            older = there[now[key]][1]
            found[key] = PastWords(section, older if says_no_more(older, words) else words, version.day)
        if not now:
            break
        newer = there.keys()
    return found


def _list_versions(repository: "Repository") -> Iterator[_Version]:
    """Yield the versions of working memory, newest first."""
    kept, session = (
        f"%(trailers:key={key},valueonly,separator=%x20)" for key in (PAST_STATE, "Reel-Session")
    )
    listed = Git(repository.root)(
        *("log", "--topo-order", "--raw", "--no-abbrev", "--no-renames"),
        *(f"--format=%x01%as %x01{session}%x01{kept}", "HEAD", "--", f"{repository.prefix}{WORKING}"),
    )
    when, chat, held = date.min, "", ""
    for line in listed.decode("utf-8", "replace").splitlines():
        if line.startswith("\x01"):
            day, chat, held = (part.strip() for part in line[1:].split("\x01", 2))
            when = session_day(chat) or date.fromisoformat(day)
        elif line.startswith(":"):
            yield _Version(line.split()[3], when, chat, bool(held))


def _read_version(objects: "ObjectReader", version: _Version) -> Mapping[str, tuple[str, str]]:
    return _read_states(objects.read(version.blob)[1].decode("utf-8", "replace"))


def _read_states(text: str) -> Mapping[str, tuple[str, str]]:
    """Return by their keys the sections and words of all items and of the state in working memory."""
    items = ((one.section, without_day(one.text)) for one in working_file.read_items(text))
    state = (_STATE, working_file.read_section(text, _STATE).strip())
    return {_key(*one): one for one in (*items, state) if one[1]}


def _key(section: str, words: str) -> str:
    return f"{section}\0{fold(words).rstrip('.')}"


def _pages(snapshot: Snapshot, since: date, until: date) -> int:
    """Return the number of sessions after a day, up to another, that have a page."""
    paged = {session_of_checkpoint(path) for path in snapshot.checkpoints}
    days = (session_day(session) for session in paged)
    return sum(day is not None and since < day <= until for day in days)
