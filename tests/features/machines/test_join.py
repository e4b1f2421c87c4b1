"""Merge of two machines' copies of one kit: nothing said on either is missing, and no pointer is wrong."""

from collections.abc import Iterator

from hypothesis import given, settings

from reel_cli.core.files.ledger_file import read_ledger
from reel_cli.core.git.text_merge import merge_texts
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.source import parse_renumbered
from reel_cli.core.values.talk import Event, SourceRange, session_path
from reel_cli.features.machines.plan import JoinPlan, plan_join
from tests.support.two_machines import Files, Life, lives


def join(base: Life, ours: Life, theirs: Life) -> JoinPlan:
    return plan_join(Files(base.files), Files(ours.files), Files(theirs.files), merge_texts)


def joined_files(joined: JoinPlan, ours: Life) -> dict[str, bytes]:
    found = {**ours.files, **joined.files}
    return {path: data for path, data in found.items() if data is not None}


def said(files: dict[str, bytes], name: str) -> list[tuple[str, str]]:
    path = session_path(name)
    return [
        (entry.message.role, entry.message.text)
        for entry in parse_session(files[path], path, proven=True).entries
    ]


def passage(files: dict[str, bytes], span: SourceRange) -> list[tuple[str, str]]:
    return said(files, span.session)[span.first - 1 : span.last]


def names_of(joined: JoinPlan) -> dict[str, str]:
    return dict(pair for _, value in joined.change.trailers if (pair := parse_renumbered(value)))


def snapshot(files: dict[str, bytes]) -> Snapshot:
    return Snapshot(Files(files), "ada")


def events_of(files: dict[str, bytes]) -> list[Event]:
    return parse_events(files.get(EVENTS, b""), EVENTS)


def sides(ours: Life, theirs: Life, joined: JoinPlan) -> Iterator[tuple[Life, dict[str, str]]]:
    yield ours, names_of(joined)
    yield theirs, {}


@settings(max_examples=100, deadline=None)
@given(lives())
def test_two_lives_made_one(parted: tuple[Life, Life, Life]) -> None:
    base, ours, theirs = parted
    joined = join(base, ours, theirs)
    files = joined_files(joined, ours)
    whole = snapshot(files)
    assert (joined.yours, whole.index.broken) == ([], ())
    for life, names in sides(ours, theirs, joined):
        before = snapshot(life.files)
        for name in life.sessions:
            known = said(life.files, name)
            kept = (names.get(name, name), name)
            assert any(session_path(n) in files and said(files, n)[: len(known)] == known for n in kept)
        by_uid = {memory.uid: memory for memory in whole.memories.values()}
        for memory in before.memories.values():
            here = by_uid[memory.uid]
            assert here.body == memory.body
            assert [passage(files, span) for span in here.source] == [
                passage(life.files, span) for span in memory.source
            ]
            assert all(session_path(session) in files for session in here.sessions)
        lines = [
            (line.description, passage(files, line.where) if line.where else None)
            for line in whole.index.lines.values()
        ]
        for line in before.index.lines.values():
            there = (line.description, passage(life.files, line.where) if line.where else None)
            assert there in lines
        had = snapshot(base.files)
        events = [(event.at, event.text, event.session) for event in events_of(files)]
        old = [(event.at, event.text, event.session) for event in events_of(base.files)]
        for event in events_of(life.files):
            told = (event.at, event.text, event.session)
            now = told[2] if told in old else names.get(told[2] or "", told[2])
            assert (*told[:2], now) in events
        ledger = [(entry.at, entry.session, entry.on) for entry in read_ledger(whole)]
        fresh = set(read_ledger(before)) - set(read_ledger(had))
        for entry in fresh:
            assert (
                entry.at,
                names.get(entry.session, entry.session),
                names.get(entry.on, entry.on),
            ) in ledger
        assert {(entry.at, entry.session, entry.on) for entry in read_ledger(had)} <= set(ledger)
        for path in before.checkpoints:
            session = path.removeprefix("checkpoints/").rpartition(".yaml")[0].rpartition(".")[0]
            name = session if path in had.checkpoints else names.get(session, session)
            pages = [other for other in whole.checkpoints if other.startswith(f"checkpoints/{name}.")]
            assert life.files[path] in [files[other] for other in pages]
        working = files["ring2/working.md"].splitlines()
        assert set(life.files["ring2/working.md"].splitlines()) <= set(working)
    uids = [memory.uid for memory in whole.memories.values()]
    assert len(uids) == len(set(uids))


@settings(max_examples=40, deadline=None)
@given(lives())
def test_what_the_other_machine_has_keeps_its_name(parted: tuple[Life, Life, Life]) -> None:
    base, ours, theirs = parted
    joined = join(base, ours, theirs)
    files = joined_files(joined, ours)
    for name in theirs.sessions:
        path = session_path(name)
        assert files[path].startswith(theirs.files[path])
    for name, memory in snapshot(theirs.files).memories.items():
        assert snapshot(files).memories[name].uid == memory.uid


@settings(max_examples=40, deadline=None)
@given(lives())
def test_the_same_again_changes_nothing(parted: tuple[Life, Life, Life]) -> None:
    base, ours, theirs = parted
    joined = join(base, ours, theirs)
    files = joined_files(joined, ours)
    again = plan_join(Files(theirs.files), Files(files), Files(theirs.files), merge_texts)
    assert joined_files(again, Life("ours", [files])) == files
    assert names_of(again) == {}
