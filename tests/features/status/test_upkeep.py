"""Upkeep that is due by pressure, by schedule and by age; and clocks that run backwards."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.change.transaction import apply_change
from reel_cli.core.moment import days_since, stamp
from reel_cli.core.values.bundle import Share
from reel_cli.core.values.change import Change
from reel_cli.features.history.backup import Backup
from reel_cli.features.status.upkeep import Fading, UpkeepFacts, list_upkeep, not_known
from tests.support.kit_under_git import IDENTITY, KitUnderGit, make_kit, run

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
DAY = timedelta(days=1)
FITS: Mapping[str, Share] = {ring: Share(100, 50, 200) for ring in "01234"}


def over(ring: str) -> Mapping[str, Share]:
    return {**FITS, ring: Share(1_201, 50, 1_200)}


@pytest.fixture
def lived(tmp_path: Path) -> KitUnderGit:
    """A kit in which the first of three sessions was a month ago."""
    kit = make_kit(tmp_path / "ada")
    record(kit, "2026-01-30-1", "2026-02-10-1", "2026-02-25-1")
    return kit


def record(kit: KitUnderGit, *sessions: str) -> None:
    kit.apply({f"tape/{name[:4]}/{name}.md": b"---\n---\n" for name in sessions}, op="record")


def maintain(kit: KitUnderGit, when: datetime, *, op: str = "maintain", notes: tuple[str, ...] = ()) -> None:
    snapshot = kit.snapshot()
    path = "ring4/index.md"
    change = Change(op, "a step", {path: (snapshot.read(path) or b"") + b"\n"}, notes=notes)
    apply_change(kit.repo, kit.root, change, snapshot.seen(), when=when, identity=IDENTITY)


def due(
    kit: KitUnderGit,
    now: datetime | None = NOW,
    rings: Mapping[str, Share] = FITS,
    *,
    cold: bool = False,
    passed: str = "",
    backup: Backup | None = None,
    fading: Fading = not_known,
    every: str = "",
) -> list[tuple[str, str]]:
    (kit.root / "kit.yaml").write_text(f'name: Ada\nmaintain:\n  every: "{every}"\n')
    around = UpkeepFacts(now, kit.repo, backup, passed, fading)
    found = list_upkeep(kit.snapshot(), rings, around, cold=cold)
    return [(one.what, one.why) for one in found]


def test_working_notes_over_their_range_also_while_young(lived: KitUnderGit) -> None:
    told = ("notes", "the notes take 1,201 tokens; their share is 1,200 at most")
    assert due(lived, rings=over("2"), cold=True) == [told]


def test_while_young_the_past_is_not_looked_through(lived: KitUnderGit) -> None:
    assert due(lived, NOW + 99 * DAY, over("3"), cold=True) == []


@pytest.mark.parametrize(
    ("ready", "told"),
    [
        (None, ["memories take 1,201 tokens; their share is 1,200 at most"]),
        (2, ["memories take 1,201 tokens; their share is 1,200 at most; 2 are ready to fade"]),
        (1, ["memories take 1,201 tokens; their share is 1,200 at most; 1 is ready to fade"]),
        (0, []),
    ],
)
def test_pressure_is_due_unless_nothing_can_recede(
    lived: KitUnderGit, ready: int | None, told: list[str]
) -> None:
    assert [why for _, why in due(lived, NOW - 5 * DAY, over("3"), fading=lambda _: ready)] == told


def test_what_is_ready_is_not_asked_where_nothing_is_due(lived: KitUnderGit) -> None:
    def fading(_: object) -> int:
        raise AssertionError

    assert due(lived, NOW - 5 * DAY, fading=fading) == []


def test_the_first_time_comes_a_month_after_the_first_session(lived: KitUnderGit) -> None:
    first = datetime(2026, 1, 30, tzinfo=UTC)
    assert due(lived, first + 30 * DAY - timedelta(seconds=1)) == []
    assert due(lived, first + 30 * DAY) == [("maintenance", "never done, in 3 chats")]


def test_the_next_time_comes_a_month_after_the_last(lived: KitUnderGit) -> None:
    maintain(lived, NOW)
    maintain(lived, NOW + DAY)
    record(lived, "2026-03-05-1")
    assert due(lived, NOW + 31 * DAY - timedelta(seconds=1)) == []
    assert due(lived, NOW + 31 * DAY) == [("maintenance", "last done 30 days ago")]
    assert due(lived, NOW + 31 * DAY, every="6m") == []
    all_of_it = (
        "memories take 1,201 tokens; their share is 1,200 at most; 5 are ready to fade; last done 30 days ago"
    )
    assert due(lived, NOW + 31 * DAY, over("3"), fading=lambda _: 5) == [("maintenance", all_of_it)]


def test_a_schedule_may_count_sessions(lived: KitUnderGit) -> None:
    assert due(lived, every="4 sessions") == []
    assert due(lived, every="3 sessions") == [("maintenance", "never done, in 3 chats")]
    maintain(lived, NOW)
    assert due(lived, NOW + 99 * DAY, every="1 session") == []
    # recorded later than the maintenance, whatever day it was had
    record(lived, "2025-12-24-1")
    assert due(lived, every="2 sessions") == []
    assert due(lived, every="1 session") == [("maintenance", "1 chat since it was last done")]


def test_never_is_never(lived: KitUnderGit) -> None:
    assert due(lived, NOW + 999 * DAY, every="never") == []


def test_without_history_or_a_clock_there_is_no_schedule(lived: KitUnderGit) -> None:
    assert list_upkeep(lived.snapshot(), FITS, UpkeepFacts(NOW + 99 * DAY), cold=False) == []
    assert due(lived, None) == []


def test_a_commit_that_only_speaks_of_it_is_none(lived: KitUnderGit) -> None:
    maintain(lived, NOW, op="memory", notes=("Reel-Op: maintain",))
    (lived.root / "mine.txt").write_text("mine\n")
    run(lived.root, "add", "mine.txt")
    run(lived.root, "commit", "-qm", "mine\n\nReel-Op: maintain\n\nwas said above\n")
    assert due(lived) == [("maintenance", "never done, in 3 chats")]


def test_another_kits_maintenance_in_the_same_repository_is_none(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "-b", "main")
    run(tmp_path, "config", "user.name", "Bo")
    run(tmp_path, "config", "user.email", "bo@example.org")
    one, other = (make_kit(tmp_path / name, enclosing=tmp_path) for name in ("one", "two"))
    for kit in (one, other):
        record(kit, "2026-01-01-1")
    maintain(other, NOW)
    assert due(one) == [("maintenance", "never done, in 1 chat")]
    assert due(other) == []


def test_a_pass_that_let_nothing_go_counts_as_this_machine_notes_it(lived: KitUnderGit) -> None:
    maintain(lived, NOW - 40 * DAY)
    assert due(lived) == [("maintenance", "last done 40 days ago")]
    assert due(lived, passed=stamp(NOW - 2 * DAY)) == []
    assert due(lived, passed=stamp(NOW - 35 * DAY)) == [("maintenance", "last done 35 days ago")]
    maintain(lived, NOW - DAY)
    assert due(lived, passed=stamp(NOW - 35 * DAY)) == []
    assert due(lived, passed="yesterday") == []


def test_sessions_are_counted_from_a_pass_that_let_nothing_go(lived: KitUnderGit) -> None:
    passed = stamp(NOW)
    assert due(lived, NOW + DAY, passed=passed, every="1 session") == []
    snapshot = lived.snapshot()
    change = Change("record", "one more", {"tape/2026/2026-03-02-1.md": b"---\n---\n"})
    apply_change(lived.repo, lived.root, change, snapshot.seen(), when=NOW + DAY, identity=IDENTITY)
    assert due(lived, NOW + DAY, passed=passed, every="1 session") == [
        ("maintenance", "1 chat since it was last done")
    ]


def test_a_clock_that_was_ahead_does_not_put_it_off_for_ever(lived: KitUnderGit) -> None:
    maintain(lived, datetime(2099, 5, 4, tzinfo=UTC))
    assert due(lived) == []
    record(lived, "2026-03-01-1")
    told = ("maintenance", "last done on 4 May 2099, a date that is still to come")
    assert due(lived) == [told]
    maintain(lived, NOW)
    record(lived, "2026-03-01-2")
    assert due(lived) == []


def test_a_clock_that_is_behind_does_not_ask_for_it_every_day(lived: KitUnderGit) -> None:
    maintain(lived, NOW)
    behind = datetime(1970, 1, 1, tzinfo=UTC)
    assert due(lived, behind) == []
    record(lived, "2026-03-01-1")
    assert due(lived, behind)[0][0] == "maintenance"
    maintain(lived, behind)
    assert due(lived, behind) == []
    assert due(lived, NOW) == [("maintenance", "last done 20,513 days ago")]
    maintain(lived, NOW)
    assert due(lived, NOW) == []


def test_sessions_dated_ahead_of_the_clock_do_not_put_the_first_time_off(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    record(kit, "2099-01-01-1", "2099-01-02-1")
    assert due(kit) == [("maintenance", "never done, in 2 chats")]
    record(kit, "2026-02-25-1")
    assert due(kit) == []


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> KitUnderGit:
    kit = make_kit(tmp_path_factory.mktemp("once") / "ada")
    record(kit, "2026-01-30-1")
    return kit


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    now=st.datetimes(datetime(1971, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    waited=st.timedeltas(timedelta(0), timedelta(days=400)),
)
def test_whatever_the_clock_says_it_is_due_after_its_time_and_not_before(
    once: KitUnderGit, now: datetime, waited: timedelta
) -> None:
    passed = stamp(now)
    assert due(once, now, passed=passed) == []
    later = due(once, now + waited, passed=passed)
    assert bool(later) is (waited >= timedelta(days=30))


BACKUP = "2026-01-30T20:00:00Z"


@pytest.mark.parametrize(
    ("backup", "told"),
    [
        (None, []),
        (Backup(BACKUP, "a", 29, current=False), []),
        (Backup(BACKUP, "a", 30, current=True), []),
        (Backup(BACKUP, "a", 30, current=False), ["the last one is 30 days old, and there is more since"]),
        (Backup(BACKUP, "a", None, current=True), []),
        (
            Backup(BACKUP, "a", None, current=False),
            ["the last one has a date that is still to come, and there is more since"],
        ),
    ],
)
def test_a_backup_is_due_where_one_was_ever_made(
    lived: KitUnderGit, backup: Backup | None, told: list[str]
) -> None:
    assert due(lived, NOW - 5 * DAY, backup=backup) == [("backup", why) for why in told]


@pytest.mark.parametrize(
    ("passed", "days"),
    [
        (timedelta(hours=23), 0),
        (timedelta(days=1), 1),
        (timedelta(days=-1), 0),
        (timedelta(days=-1, seconds=-1), None),
    ],
)
def test_days_since_a_moment(passed: timedelta, days: int | None) -> None:
    assert days_since(NOW - passed, NOW) == days
