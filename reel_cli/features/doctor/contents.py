"""What a kit's own files get wrong: what cannot be read, what leads nowhere, what makes no sense."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import CORE_FILES, check_file
from reel_cli.core.files.ring_files import is_memory_file
from reel_cli.core.finding import Finding
from reel_cli.core.kit.snapshot import EVENTS, INDEX, Snapshot
from reel_cli.core.tape.events_file import has_marks, parse_events
from reel_cli.core.tape.session_file import read_front
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.memory import is_brought
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import session_path
from reel_cli.features.cards.checks import look_at_card
from reel_cli.features.doctor.kit_damage import KitDamage, find_damage, warn_of_anchor, warn_of_damage
from reel_cli.features.doctor.lists import look_at_lists
from reel_cli.features.doctor.settings import look_at_keys
from reel_cli.features.dream.context.checks import look_at_context
from reel_cli.features.review.waiting import Kind, list_proposals, list_tampered
from reel_cli.features.shelf.advice.checks import look_at_advice
from reel_cli.features.shelf.checks import look_at_shelf
from reel_cli.features.shelf.summaries.checks import look_at_summaries
from reel_cli.features.stream.checks import look_at_stream
from reel_cli.features.tables.checks import look_at_domain
from reel_cli.features.verify.verify import verify_tape
from reel_cli.features.verify.verify_history import Broken
from reel_cli.features.verify.verify_losses import prove_losses

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.values.settings import Settings

FOLDERS = (*(f.name for f in CORE_FILES if f.needed and f.path.endswith("/")), "review")
SHOWN = 5
SMALLEST_WINDOW = 1024
RINGS = ("ring", "kit.yaml")


MORE = "reel tape verify  lists them"


def look_at_damage(
    snapshot: Snapshot, kit: Path, repo: "Repository | None"
) -> tuple[KitDamage, list[Finding]]:
    """Look for files that are missing or damaged on the disk, and for exemplars that are active and gone."""
    try:
        damage = find_damage(kit, repo)
    except ReelError:
        # what is wrong with the repository is told of as that
        damage = KitDamage()
    told = [*warn_of_damage(damage)]
    told += [one for one in warn_of_anchor(snapshot) if one.path not in damage.missing]
    found = []
    for one in told:
        check = "tape" if one.path.startswith("tape/") else "file"
        found.append(Finding(check, one.text, one.mend, at=one.path))
    return damage, found


def look_at_contents(
    snapshot: Snapshot, repo: "Repository | None", *, deep: bool, damage: KitDamage | None = None
) -> list[Finding]:
    """Everything in the kit's files that is not as it should be, but for the `damage` that is known already.

    The tape is followed by its own chain; with `deep`, through all its versions as well.
    """
    known = damage or KitDamage()
    told = tuple(f"{path}{end}" for path in known.damaged for end in (" ", ":", ","))
    broken = [f for f in _unreadable(snapshot) if not f.what.startswith(told)]
    found = [*broken, *_settings(snapshot), *look_at_domain(snapshot), *look_at_shelf(snapshot)]
    found += look_at_summaries(snapshot)
    found += look_at_keys(snapshot.text("kit.yaml") or "")
    if not any(f.check == "file" for f in broken) and not lacks_rings(known):
        lost = [f for f in _lost(snapshot, repo) if not f.what.startswith(told)]
        found += [*lost, *_index(snapshot), *_memories(snapshot), *_disagreements(snapshot)]
        found += look_at_context(snapshot)
        found += look_at_lists(snapshot)
        found += look_at_stream(snapshot)
        found += look_at_advice(snapshot)
        found += look_at_card(snapshot, repo)
        # what points at a session that is gone would be told of once more for each pointer
        lacks = any(path.startswith("tape/") for path in (*known.missing, *known.damaged))
        tape = () if lost or lacks else list(_tape(snapshot, repo if deep else None))
        found += tape
        if repo is not None and not (deep or lost or lacks):
            found += [one for one in _tampered(snapshot, repo) if all(one.at not in two.what for two in tape)]
            found += _losses(repo)
    return found


def lacks_rings(damage: KitDamage) -> bool:
    """Return whether so much is missing or damaged that nothing else can be told of what is remembered."""
    return any(path.startswith(RINGS) for path in (*damage.missing, *damage.damaged))


def find_unreadable(snapshot: Snapshot) -> list[Finding]:
    """The files that cannot be read, without which nothing else can be told."""
    return list(_unreadable(snapshot))


def _unreadable(snapshot: Snapshot) -> Iterator[Finding]:
    if snapshot.read("kit.yaml") is None:
        yield Finding("file", "kit.yaml is missing", "git restore -- kit.yaml")
    paths = ["kit.yaml", *(path for folder in FOLDERS for path in snapshot.list(folder))]
    if _reads(snapshot):
        paths = [path for path in paths if not _is_memory(path)]
    for path in paths:
        try:
            check_file(path, snapshot.read(path) or b"")
        except ReelError as error:
            yield Finding("file", _plain(error), error.hint or f"mend the file, or  git restore -- {path}")
    for path in paths:
        try:
            data = snapshot.read(path) or b""
        except ReelError:
            # named above
            continue
        if not path.startswith("tape/") and has_marks(data):
            what = f"{path} holds the marks of a merge ( <<<<<<< and >>>>>>> )"
            yield Finding("file", what, "write it as it shall be, and take out the lines with the marks")
    try:
        parse_events(snapshot.read(EVENTS) or b"", EVENTS)
    except ReelError as error:
        yield Finding("file", _plain(error), error.hint or "")


def _reads(snapshot: Snapshot) -> bool:
    """Whether all memories can be read; they are needed later, and read once."""
    try:
        return len(snapshot.memories) >= 0
    except ReelError:
        return False


def _is_memory(path: str) -> bool:
    return path.startswith("ring3/") and is_memory_file(path.removeprefix("ring3/"))


def _settings(snapshot: Snapshot) -> Iterator[Finding]:
    try:
        settings = snapshot.settings
    except ReelError:
        # told of as a file that cannot be read
        return
    yield from _names(settings)
    least = sum(span.low for span in settings.ranges.values())
    if least + settings.live > WHOLE:
        what = (
            f"kit.yaml: the rings' smallest shares ({least // 100} %) and the conversation's "
            f"({settings.live // 100} %) are more than the window"
        )
        yield Finding("settings", what, "lower ranges or live in kit.yaml")
    if settings.live < WHOLE * 4 // 10:
        what = f"kit.yaml: only {settings.live // 100} % of the window stay for the conversation"
        yield Finding("settings", what, "40 % or more is usual: live in kit.yaml", hint_only=True)
    if settings.cap < SMALLEST_WINDOW:
        what = f"kit.yaml: {settings.cap:,} tokens hold no persona and no conversation"
        yield Finding("settings", what, "raise window or cap in kit.yaml")


def _names(settings: "Settings") -> Iterator[Finding]:
    try:
        told = getattr(get_tokenizer(settings.tokenizer), "told", "")
        if told:
            mend = "reel model set --tokenizer PATH  says where the file is"
            yield Finding("settings", told.rstrip("."), mend, hint_only=True)
    except ReelError as error:
        yield Finding("settings", _plain(error), error.hint or "")
    if settings.timezone is not None:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(settings.timezone)
        except (ZoneInfoNotFoundError, ValueError):
            what = f"kit.yaml: timezone {settings.timezone!r} is not a known zone"
            yield Finding("settings", what, "write it like  Europe/Helsinki")


def _index(snapshot: Snapshot) -> Iterator[Finding]:
    broken = snapshot.index.broken
    for number, _ in broken[:SHOWN]:
        what = f"{INDEX}, line {number}: this is not an index line, or its ID is taken"
        yield Finding("index", what, "mend the line by hand")
    if len(broken) > SHOWN:
        yield Finding(
            "index", f"{INDEX} has {len(broken) - SHOWN:,} more lines like that", "mend them by hand"
        )


def _memories(snapshot: Snapshot) -> Iterator[Finding]:
    memories = list(snapshot.memories.values())
    without = [
        memory.id
        for memory in memories
        if not memory.source and not memory.sessions and not is_brought(memory.tags)
    ]
    if without:
        names = ", ".join(without[:SHOWN]) + (
            f" and {len(without) - SHOWN:,} more" if len(without) > SHOWN else ""
        )
        what = f"no stretch of the tape stands behind {names}"
        yield Finding("source", what, "write  source: [SESSION#N-M]  where you know it", hint_only=True)


def _disagreements(snapshot: Snapshot) -> Iterator[Finding]:
    """What is held and does not agree, and waits for a word: how many pairs."""
    pairs = sum(one.kind is Kind.CONTRADICTION for one in list_proposals(snapshot))
    if pairs:
        many = "two things that are held do" if pairs == 1 else f"{pairs:,} pairs of things that are held do"
        what = f"{many} not agree, and wait for your word"
        yield Finding("review", what, "reel review", hint_only=True)


def _tape(snapshot: Snapshot, history: "Repository | None") -> Iterator[Finding]:
    yield from _tell_broken(verify_tape(snapshot, history).broken)


def _losses(repo: "Repository") -> Iterator[Finding]:
    """Yield the losses that history notes with another text than the one that was there."""
    try:
        yield from _tell_broken(prove_losses(repo))
    except ReelError:
        # what is wrong with the repository is told of as that
        return


def _tell_broken(broken: Sequence[Broken]) -> Iterator[Finding]:
    for one in broken[:SHOWN]:
        place = f"{one.path}, line {one.line:,}" if one.line else one.path
        yield Finding("tape", f"{place}: {one.what}", "reel tape verify  says since when")
    if len(broken) > SHOWN:
        yield Finding("tape", f"{len(broken) - SHOWN:,} more places like that", MORE)


def _tampered(snapshot: Snapshot, repo: "Repository") -> Iterator[Finding]:
    """Yield the changes made to the tape by hand, also where its chain was made anew."""
    try:
        waiting = list_tampered(snapshot, repo)
    except ReelError:
        # what is wrong with the repository is told of as that
        return
    for one in waiting[:SHOWN]:
        mend = f"reel review show {one.item}  shows it; reel tape verify  says since when"
        yield Finding("tape", one.what, mend, at=one.path)
    if len(waiting) > SHOWN:
        yield Finding("tape", f"{len(waiting) - SHOWN:,} more places like that", MORE)


def _lost(snapshot: Snapshot, repo: "Repository | None") -> Iterator[Finding]:
    """Yield the sessions that a commit took, or that no longer say which one they are."""
    yield from _taken(snapshot, repo)
    damaged = []
    for path in map(session_path, snapshot.sessions):
        try:
            read_front(snapshot.read(path) or b"", path)
        except ReelError as error:
            damaged.append((_plain(error), error.hint or ""))
    yield from (Finding("tape", what, mend) for what, mend in damaged[:SHOWN])
    if len(damaged) > SHOWN:
        yield Finding(
            "tape", f"{len(damaged) - SHOWN:,} more places like that", "reel tape verify  lists them"
        )


def _taken(snapshot: Snapshot, repo: "Repository | None") -> Iterator[Finding]:
    """Sessions that a commit took from the tape."""
    from reel_cli.features.record.lost_sessions import find_lost

    try:
        lost = find_lost(snapshot, repo) if repo is not None else ()
    except ReelError:
        # what is wrong with the repository is told of as that
        return
    yield from (Finding("tape", one.what, one.mend) for one in lost[:SHOWN])
    if len(lost) > SHOWN:
        yield Finding("tape", f"{len(lost) - SHOWN:,} more sessions like that", MORE)


def _plain(error: ReelError) -> str:
    return error.message.rstrip(".")
