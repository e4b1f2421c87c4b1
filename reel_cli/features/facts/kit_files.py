"""`facts.yaml` and a kit's own adapters as kinds of kit file."""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.facts.files import FACT_KEYS, parse_facts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from reel_cli.core.files.kit_files import Retold
    from reel_cli.core.git.text_merge import Merge
    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tape.erasure.target import PurgeTarget
    from reel_cli.core.values.holdings import FactRow, OldValue
    from reel_cli.core.values.review import Side


MOST_TOLD = 12
"""So many facts from one stretch are told."""


JOINED = "Facts were noted on both sides; those of both stand."
"""Notice about facts that both sides noted: two machines, or a kit and a chat of it that is kept apart."""


def _check(_path: str, text: str) -> None:
    parse_facts(text)


def _known(_path: str) -> "Sequence[str]":
    return [f"*.{key}" for key in FACT_KEYS]


def _rows(snapshot: "Snapshot") -> "tuple[Sequence[FactRow], Sequence[tuple[str, str]]]":
    """Return the facts for a bundle, and those that rest."""
    from reel_cli.core.tape.tape_view import standing_sessions
    from reel_cli.features.facts.pending.waiting_changes import with_waiting_changes
    from reel_cli.features.facts.plan import list_facts
    from reel_cli.features.facts.policy import fact_id
    from reel_cli.features.facts.statement import rows_of

    standing = list_facts(snapshot)
    rows = rows_of(standing.held, snapshot.settings.user, standing_sessions(snapshot))
    told = with_waiting_changes(snapshot, rows, standing.held)
    return told, [(fact_id(one.fact), one.why) for one in standing.resting]


def _old_values(snapshot: "Snapshot") -> "Sequence[OldValue]":
    from reel_cli.features.facts.replaced.old_values import list_old_values

    return list_old_values(snapshot)


def _purge(_path: str, data: bytes, wanted: "PurgeTarget", session: str | None) -> bytes:
    from reel_cli.features.facts.purge import purge_facts

    return wanted.replace_bytes(data if session is None else purge_facts(data, session))[0]


def _purged_lines(data: bytes, _wanted: "PurgeTarget", session: str | None) -> "Sequence[int]":
    from reel_cli.features.facts.purge import lines_of_facts

    return [] if session is None else lines_of_facts(data, session)


def _retold(
    snapshot: "Snapshot", struck: "Mapping[str, Collection[int]]", *, whole: bool
) -> "Sequence[Retold]":
    from reel_cli.features.facts.purge import find_facts

    return find_facts(snapshot, struck, whole=whole)


def _diff(start: "Snapshot", end: "Snapshot", changed: "Collection[str]") -> "KindDiff":
    from reel_cli.features.facts.files import compare_facts

    return compare_facts(start, end, changed)


def join_facts(ours: str, theirs: str, base: str, merge: "Merge") -> str:
    """Return the facts of both sides, the other's first, "" for none; ReelError where one cannot be read."""
    from reel_cli.core.git.text_merge import ITEMS, join_pieces

    for text in (ours, theirs):
        parse_facts(text)
    return join_pieces(ITEMS, ours, theirs, base, merge)


def _join(found: "KindJoin") -> "JoinedFiles":
    from reel_cli.core.kit.kind_join import JoinedFiles

    text = join_facts(*found.texts(), found.merge)
    return JoinedFiles({found.path: text.encode("utf-8") or None}, [JOINED])


def _told(snapshot: "Snapshot", session: str, first: int, last: int) -> "Sequence[str]":
    """Return what is known by heart from a stretch, a sentence each."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.values.change import one_line
    from reel_cli.core.values.talk import parse_source
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.policy import current_facts

    try:
        known = current_facts(read_facts(snapshot))
    except ReelError:
        return []
    numbers = {session: range(first, last + 1)}
    found = [one for one in known if (source := parse_source(one.source)) and source.meets(numbers)]
    told = [f"Known by heart from it: {one.category}, {one.key}: {one_line(one.value, 80)}." for one in found]
    return told[:MOST_TOLD]


def _stands(snapshot: "Snapshot", side: "Side") -> bool:
    from reel_cli.features.facts.pending.fact_sides import stands_as_fact

    return stands_as_fact(snapshot, side)


def _hold(snapshot: "Snapshot", side: "Side", today: str) -> "Mapping[str, bytes]":
    from reel_cli.features.facts.pending.fact_sides import hold_instead

    return hold_instead(snapshot, side, today)


def _hold_both(snapshot: "Snapshot", sides: "Sequence[Side]") -> "Mapping[str, bytes]":
    from reel_cli.features.facts.pending.fact_sides import hold_both

    return hold_both(snapshot, sides)


def _sides(snapshot: "Snapshot") -> "Sequence[Side]":
    from reel_cli.core.errors import ReelError
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.pending.fact_sides import side_of
    from reel_cli.features.facts.policy import current_facts

    try:
        return [side_of(one) for one in current_facts(read_facts(snapshot))]
    except ReelError:
        # the page's screen says that the file cannot be read
        return ()


def _changes(snapshot: "Snapshot") -> "Sequence[tuple[Side, Side]]":
    from reel_cli.core.errors import ReelError
    from reel_cli.features.facts.pending.waiting_changes import list_waiting_sides

    try:
        return list_waiting_sides(snapshot)
    except ReelError:
        # the page's screen says that the file cannot be read
        return ()


def _give_way(snapshot: "Snapshot", side: "Side", words: str, today: str) -> "Mapping[str, bytes]":
    from reel_cli.features.facts.pending.fact_sides import put_instead

    return put_instead(snapshot, side, words, today)


def _let_go(snapshot: "Snapshot", name: str) -> tuple[str, str] | None:
    from reel_cli.core.errors import ReelError
    from reel_cli.core.values.talk import PURGED
    from reel_cli.features.facts.plan import history_of
    from reel_cli.features.facts.view import command_of, with_own_source

    try:
        found = history_of(snapshot, name)
    except ReelError:
        return None
    last = found[-1]
    whole = last.dropped and PURGED not in f"{last.key} {last.value}"
    return (last.value, command_of(with_own_source(found))) if whole else None


def _has(snapshot: "Snapshot", name: str) -> bool:
    from reel_cli.core.errors import ReelError
    from reel_cli.features.facts.fact import Fact
    from reel_cli.features.facts.files import read_noted
    from reel_cli.features.facts.policy import current_facts, fact_name

    category, _, key = name.partition("/")
    try:
        held = current_facts(read_noted(snapshot))
    except ReelError:
        return False
    return fact_name(Fact(category, key, "")) in map(fact_name, held)


FACTS_FILE = KitFileKind(
    _check,
    rows=_rows,
    old_values=_old_values,
    diff=_diff,
    join=_join,
    noted_twice=("facts.yaml",),
    told=_told,
    purge=_purge,
    purged_lines=_purged_lines,
    retold=_retold,
    stands=_stands,
    hold=_hold,
    hold_both=_hold_both,
    sides=_sides,
    changes=_changes,
    give_way=_give_way,
    let_go=_let_go,
    has=_has,
    known=_known,
)


def _check_adapter(path: str, text: str) -> None:
    from reel_cli.features.facts.adapters import parse_adapter

    if path.endswith(".yaml"):
        parse_adapter(text, PurePosixPath(path).stem, path)


ADAPTERS = KitFileKind(_check_adapter, known=lambda _path: ("categories.*", "look"))
