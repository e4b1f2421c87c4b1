"""`kit.yaml`, typed: how often the past is looked through, how much may recede, and from what age on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.values.settings import Settings, parse_days


def read(text: str) -> Settings:
    return parse_settings(text, fallback_name="Ada")


def every(text: str) -> tuple[int, int]:
    found = read(f"maintain:\n  every: {text}\n")
    return found.maintain_every_days, found.maintain_every_sessions


def test_what_is_not_said_has_its_default() -> None:
    found = read("")
    assert (found.maintain_every_days, found.maintain_every_sessions) == (30, 0)
    assert found.loss_limit == 2_500
    assert found.ages == {"L1": 30, "L2": 183, "L3": 730}
    assert read("maintain:\nages:\n") == found


@pytest.mark.parametrize(
    ("text", "days", "sessions"),
    [
        ("30d", 30, 0),
        ("1 day", 1, 0),
        ("4w", 28, 0),
        ("6 months", 183, 0),
        ("1y", 365, 0),
        ("10 sessions", 0, 10),
        ("1 session", 0, 1),
        ("never", 0, 0),
        ("off", 0, 0),
        ("no", 0, 0),
        ('""', 30, 0),
    ],
)
def test_how_often_is_a_time_a_number_of_sessions_or_never(text: str, days: int, sessions: int) -> None:
    assert every(text) == (days, sessions)


@pytest.mark.parametrize("text", ["30", "soon", "d", "-3d", "3.5d", "12345d", "10 session s", "٣d", "[30d]"])
def test_how_often_is_refused_where_it_makes_no_sense(text: str) -> None:
    with pytest.raises(ReelError):
        every(text)


def test_what_is_refused_is_told_with_the_mend() -> None:
    with pytest.raises(ReelError) as refused:
        every("soon")
    assert str(refused.value) == "kit.yaml: maintain.every is 'soon', which says neither how often nor never."
    assert refused.value.hint == "write it as 30d, 4w, 10 sessions or never"
    with pytest.raises(ReelError, match=r"maintain\.loss_limit is '2', which is not a share"):
        read("maintain:\n  loss_limit: 2\n")


def test_when_a_dream_is_due_may_be_set_or_turned_off() -> None:
    usual = read("dream:\n")
    assert (usual.dream_every_days, usual.dream_every_sessions) == (7, 0)
    assert (usual.dream_threshold, usual.dream_over) == (3_000, 10)
    found = read("dream: {every: 20 sessions, threshold: 0.5, over: 4}\n")
    assert (found.dream_every_days, found.dream_every_sessions) == (0, 20)
    assert (found.dream_threshold, found.dream_over) == (5_000, 4)
    off = read("dream: {every: never}\n")
    assert (off.dream_every_days, off.dream_every_sessions) == (0, 0)
    with pytest.raises(ReelError) as refused:
        read("dream:\n  over: 0\n")
    assert refused.value.hint == "to be asked for no dreams, write  dream: {every: never}"
    with pytest.raises(ReelError, match=r"dream\.every is 'weekly', which says neither"):
        read("dream: {every: weekly}\n")


def test_the_limit_of_loss_is_a_share() -> None:
    assert read("maintain:\n  loss_limit: 10%\n").loss_limit == 1_000
    assert read("maintain:\n  loss_limit: 0\n").loss_limit == 0


def test_an_age_that_is_not_given_has_its_default() -> None:
    assert read("ages: {L1: 2w}\n").ages == {"L1": 14, "L2": 183, "L3": 730}
    assert read("ages:\n  L1: 30d\n  L2: 6m\n  L3: 2y\n").ages == read("").ages


def test_ages_that_shrink_are_refused() -> None:
    with pytest.raises(ReelError) as refused:
        read("ages:\n  L1: 1y\n")
    assert str(refused.value) == (
        "kit.yaml: ages should grow from L1 to L3; they are L1 365 days, L2 183 days, L3 730 days."
    )
    assert refused.value.hint == "one that is not given has its default: 30d, 6m, 2y"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ages:\n  L4: 9y\n", "ages.L4 is not one of L1, L2, L3"),
        ("ages:\n  L1: soon\n", "ages.L1 is 'soon', which is not an age like 30d, 6m or 2y"),
        ("ages: 30d\n", "ages should hold"),
    ],
)
def test_ages_that_make_no_sense_are_refused(text: str, told: str) -> None:
    with pytest.raises(ReelError, match=told):
        read(text)


def test_a_warm_start_has_its_shares() -> None:
    assert read("").boot == {"story": 1_500, "context": 500, "traces": 500}
    assert read("boot: {story: 20%, traces: 0}\n").boot == {"story": 2_000, "context": 500, "traces": 0}
    assert read("boot:\n").boot == read("").boot
    with pytest.raises(ReelError, match=r"boot\.story is 'much', which is not a share"):
        read("boot: {story: much}\n")


@pytest.mark.parametrize(
    ("text", "always"), [("yes", True), ("On", True), ("true", True), ("no", False), ("", False)]
)
def test_a_warm_start_may_be_usual(text: str, always: bool) -> None:  # noqa: FBT001
    assert read(f"boot:\n  always: {text}\n").boot_always is always
    with pytest.raises(ReelError, match=r"boot\.always is 'often', which is neither yes nor no"):
        read("boot: {always: often}\n")


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 9_999), st.integers(0, 9_999))
def test_longer_never_reads_as_shorter(one: int, other: int) -> None:
    low, high = sorted((one, other))
    for unit in ("d", "w", "m", "y"):
        assert parse_days(f"{low}{unit}") <= parse_days(f"{high} {unit}")
    assert parse_days(f"{one}d") <= parse_days(f"{one}w") <= parse_days(f"{one}m") <= parse_days(f"{one}y")


def test_what_facts_may_take_and_when_they_are_asked_for() -> None:
    usual = read("")
    assert (usual.facts_share, usual.facts_most, usual.facts_sure) == (800, 30, 7_000)
    assert (usual.facts_asked, usual.facts_early, usual.facts_every) == (True, 3, 10)
    told = read("facts: {share: 5%, most: 20, sure: 0.8, ask: off, early: 0, every: 12}\n")
    assert (told.facts_share, told.facts_most, told.facts_sure) == (500, 20, 8_000)
    assert (told.facts_asked, told.facts_early, told.facts_every) == (False, 0, 12)
    with pytest.raises(ReelError, match=r"facts\.most is 'many', which is not a whole number"):
        read("facts: {most: many}\n")
    with pytest.raises(ReelError, match="cap is 'lots', which is not a size like 8k or 32768") as refused:
        read("cap: lots\n")
    assert refused.value.hint == "write it so, or leave the line out and it is as usual"


def test_a_quotation_that_is_not_closed_is_told_of_where_it_begins() -> None:
    text = 'name: Ada\nuser: "Bo\nwindow: 8k\ntimezone: "Europe/Oslo"\n'
    with pytest.raises(ReelError, match="line 2: this quotation mark is never closed"):
        read(text)
    with pytest.raises(ReelError, match="line 3: mapping values are not allowed"):
        read('name: "Ada\n  Lind"\nuser: : Bo\n')
