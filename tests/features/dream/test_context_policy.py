"""Conditions under which the shared context is out of date."""

from dataclasses import replace

import pytest

from reel_cli.features.dream.context.shared_context import (
    ContextBasis,
    Freshness,
    Place,
    SharedContext,
    Tape,
    judge_context,
    parse_place,
)

FIRST = Place("2026-02-10-1", 48, "2026-02-10T20:00:00+01:00")
CONTEXT = SharedContext(known=ContextBasis(FIRST))


def at(text: str, said: str = "") -> Place:
    place = parse_place(text, said)
    assert place is not None
    return place


@pytest.mark.parametrize(
    ("tape", "fresh"),
    [
        (Tape(None), Freshness.FRESH),
        (Tape(FIRST), Freshness.FRESH),
        (Tape(at("2026-02-09-3#900")), Freshness.FRESH),
        (Tape(at("2026-02-10-1#60", "2026-02-12T19:59:00+01:00")), Freshness.FRESH),
        (Tape(at("2026-02-10-1#60", "2026-02-12T20:01:00+01:00")), Freshness.STALE),
        (Tape(at("2026-02-12-1#2"), later=1), Freshness.FRESH),
        (Tape(at("2026-02-13-1#2"), later=1), Freshness.STALE),
        (Tape(at("2026-02-10-2#2"), later=1), Freshness.FRESH),
        (Tape(at("2026-02-10-10#2"), later=2), Freshness.STALE),
        (Tape(at("2026-02-10-2#2"), later=1, dreamt=FIRST), Freshness.FRESH),
        (Tape(at("2026-02-10-2#2"), later=1, dreamt=at("2026-02-10-2#2")), Freshness.STALE),
    ],
)
def test_a_file_is_held_against_the_tape(tape: Tape, fresh: Freshness) -> None:
    assert judge_context(CONTEXT, tape) is fresh
    # a story asks for nothing more where there is a file
    assert judge_context(CONTEXT, replace(tape, has_story=True)) is fresh


def test_who_never_dreamt_is_not_bothered() -> None:
    tape = Tape(FIRST, later=400)
    assert judge_context(None, tape) is Freshness.NONE
    assert judge_context(None, replace(tape, has_story=True)) is Freshness.STALE
    assert judge_context(None, Tape(None, has_story=True)) is Freshness.NONE
    assert judge_context(SharedContext(), tape) is Freshness.STALE


@pytest.mark.parametrize("text", ["", "2026-02-10-1", "2026-02-10-1#0", "x#3", "2026-02-10-1#3-4", "#3"])
def test_what_is_no_place(text: str) -> None:
    assert parse_place(text) is None


def test_a_time_that_is_none_is_the_day_of_the_session() -> None:
    assert at("2026-02-10-1#3", "yesterday").when == at("2026-02-10-2#1").when
