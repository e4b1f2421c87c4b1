"""The choice of facts for a bundle, against the rule that it follows, written out."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.render import MARKDOWN, PLAIN, Style, Writer
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.holdings import FactRow
from reel_cli.features.facts.choice import (
    ChosenRows,
    add_rows,
    choose_rows,
    in_turn,
    order_facts,
    write_rows,
)
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import EXTRACTION, fact_id
from reel_cli.features.facts.statement import rows_of
from tests.features.facts.test_bundle import packed, with_facts

COUNT = get_tokenizer("o200k_base").count
VALUES = (
    "Jana",
    "sells bread in the harbour",
    "日本の町",
    "is allergic to latex, since 2019",
    "…",
    "ends.\n",
)


@st.composite
def some_rows(draw: st.DrawFn, most: int = 14) -> Sequence[FactRow]:
    """Rows in the order of a bundle, by kind; ranks are in any order."""
    kinds = sorted(
        draw(
            st.lists(
                st.sampled_from(["commitments", "constraints", "context", "identity", "own"]),
                max_size=most,
            )
        )
    )
    ranks = draw(st.permutations(range(len(kinds))))
    flags = st.booleans()
    return [
        FactRow(
            f"{kind}/{place}",
            kind,
            draw(st.sampled_from(["", "sister", "day"])),
            draw(st.sampled_from(VALUES)),
            draw(st.sampled_from([True, False, False])),
            ranks[place],
            settled=draw(flags),
        )
        for place, kind in enumerate(kinds)
    ]


def size(rows: Sequence[FactRow], chosen: Collection[str], writer: Writer) -> int:
    return sum(unit.tokens for unit in write_rows(rows, chosen, writer))


def add_plainly(
    rows: Sequence[FactRow],
    chosen: set[str],
    turn: Sequence[FactRow],
    room: int,
    writer: Writer,
) -> set[str]:
    """Add each row in turn with which the whole fits, written and counted anew each time."""
    for row in turn:
        if size(rows, {*chosen, row.id}, writer) <= room:
            chosen = {*chosen, row.id}
    return chosen


def choose_plainly(
    rows: Sequence[FactRow], must: set[str], share: int, room: int, writer: Writer
) -> tuple[Sequence[FactRow], set[str]]:
    settled = [row for row in rows if row.settled]
    there = {row.id for row in settled if row.id in must}
    most = min(share * 75 // 100, room) if len(settled) < len(rows) else room
    old = there
    for row in in_turn(settled, must):
        if size(rows, {*old, row.id}, writer) > most or size(rows, {*must, *old, row.id}, writer) > room:
            break
        old = {*old, row.id}
    rows = [row._replace(settled=row.id in old) for row in rows]
    known = {row.id for row in settled}
    turn = [
        *in_turn((row for row in rows if row.id not in known), must),
        *in_turn((row for row in rows if row.id in known and row.id not in old), must),
    ]
    return rows, add_plainly(rows, {*must, *old}, turn, room, writer)


@given(some_rows(), st.integers(0, 200), st.integers(0, 200), st.sampled_from([MARKDOWN, PLAIN]))
@settings(max_examples=300)
def test_the_choice_is_that_of_the_rule_written_out(
    rows: Sequence[FactRow], share: int, room: int, style: Style
) -> None:
    writer = Writer(style, COUNT)
    must = {row.id for row in rows if row.must}
    told, chosen = choose_rows(rows, must, share, room, writer)
    assert (told, chosen) == choose_plainly(rows, must, share, room, writer)
    assert size(told, chosen, writer) <= max(room, size(rows, must, writer))
    out = [*in_turn((row for row in told if row.id not in chosen), ())]
    more = add_rows(told, chosen, out, room + 100, writer)
    assert more == add_plainly(told, chosen, out, room + 100, writer)


@given(some_rows(), st.randoms(use_true_random=False))
def test_the_tokens_of_a_growing_choice_are_those_of_its_text(
    rows: Sequence[FactRow], chance: Random
) -> None:
    writer = Writer(MARKDOWN, COUNT)
    turn = [*rows]
    chance.shuffle(turn)
    held = ChosenRows(rows, (), writer)
    for place, row in enumerate(turn, 1):
        assert held.add(row, 10_000)
        units = write_rows(rows, {one.id for one in turn[:place]}, writer)
        assert held.tokens == COUNT("".join(unit.text for unit in units))


def test_each_row_is_written_a_few_times_however_many_there_are() -> None:
    written = 0

    def count(text: str) -> int:
        nonlocal written
        written += 1
        return COUNT(text)

    rows = [
        FactRow(
            f"context/{place}", "context", "", f"thing {place}", must=False, rank=place, settled=place % 3 > 0
        )
        for place in range(500)
    ]
    choose_rows(rows, (), 4_000, 4_000, Writer(MARKDOWN, count))
    assert written < 5 * len(rows)


def said(category: str, key: str, value: str, day: str, said_by: str = "") -> Fact:
    return Fact(category, key, value, "0.9", f"{day}-1#3", day, origin=EXTRACTION, said_by=said_by)


DROPS = said("constraints", "eye drops", "right eye, four times daily, until 19 August", "2026-07-25")
CARER = said("relationships", "Mary Fahy", "carer until 31 July, hip", "2026-07-25")
TRIP = said("own", "holiday", "Ada goes ten days in October to Porthgarrow", "2026-06-14", "persona")
BORN = said("history", "first game", "drawn, and the talk went on until 14 June", "2026-06-14")
RANG = said("commitments", "the surgery", "I rang the surgery on Thursday the 7th", "2026-05-23")
RENT = said("context", "loan", "35 a week until March 2028", "2026-05-16")


SHIFT = said("relationships", "Gaz", "a mentor; off, last shift 12th July", "2026-06-17")
LOURDES = said("relationships", "Father Teodor", "in Lourdes with a bus, until the 20th", "2026-08-09")
GOES = replace(
    said("relationships", "gran", "Edith, 91 on 14 May", "2026-05-03"),
    statement="Gran is Edith, 91 on 14 May 2026, who lives in Larch House; Hanneke goes every Saturday",
)
HOME = said("identity", "home", "Larch House; the door ends in green, party on 14 May", "2026-05-03")
LIMIT = said("constraints", "sesame", "cannot have it; goes to the clinic on 14 May", "2026-05-03")
CLINIC = said("commitments", "clinic", "goes to the clinic on 14 May", "2026-05-03")
TOOTH = said("own", "tooth", "the word before the twenty-first is tooth", "2026-07-02", "persona")


@pytest.mark.parametrize(
    ("fact", "mark"),
    [
        (DROPS, "[over since 19 August 2026]"),
        (CARER, "[over since 31 July 2026]"),
        (SHIFT, "[over since 12 July 2026]"),
        (LOURDES, "[over since 20 August 2026]"),
        (TOOTH, "[its day was 21 July 2026]"),
        (TRIP, "[over]"),
        # what came of it is told
        (RANG, ""),
        (BORN, ""),
        (RENT, ""),
        # a birthday or a visit in a fact that tells more ends neither somebody nor a home nor a limit
        (GOES, ""),
        (HOME, ""),
        (LIMIT, ""),
        (CLINIC, "[over since 14 May 2026]"),
    ],
)
def test_a_fact_that_is_over_by_its_own_words_says_so_and_yields(fact: Fact, mark: str) -> None:
    evenings = ["2026-07-25-1", "2026-11-21-1"]
    (row,) = rows_of([fact], "Bo", evenings)
    assert row.value.endswith(f" {mark}") if mark else "[" not in row.value
    assert not (mark and row.must)
    # before that day it stands as it was said, and a day beside the chats counts as well
    (before,) = rows_of([fact], "Bo", [fact.source[:12]])
    assert "[" not in before.value
    assert mark in packed(with_facts([fact]), day="2026-11-28").text


def test_what_protects_somebody_stands_together_however_new_it_is() -> None:
    facts = [
        said("identity", "name", "Bo Marsh", "2026-01-01"),
        said("constraints", "penicillin", "allergic to penicillin", "2026-01-01"),
        said("relationships", "Gherkin", "the cat next door", "2026-02-01"),
        said("constraints", "warfarin", "3 mg at eight", "2026-11-01"),
        said("relationships", "Lorna", "new mentor", "2026-11-01"),
    ]
    rows = rows_of(facts, "Bo", [f"2026-{month:02d}-01-1" for month in range(1, 12)])
    text = "".join(one.text for one in write_rows(rows, {row.id for row in rows}, Writer(MARKDOWN, COUNT)))
    told = [
        "## What you know by heart",
        "penicillin",
        "warfarin",
        "Gherkin",
        "## What else you know",
        "Lorna",
    ]
    assert sorted(told, key=text.index) == told
    assert text.count("### Constraints") == 1


def test_who_the_user_is_comes_before_the_cat() -> None:
    facts = [
        said("relationships", "Gherkin", "Tom, 9", "2026-05-05"),
        said("identity", "work", "a trainee at the station, in the second year of three", "2026-05-05"),
        said("context", "home", "a shared house with three others, in the east of the town", "2026-05-05"),
    ]
    assert [one.key for one in order_facts(facts)][-1] == "Gherkin"


def test_people_and_promises_come_before_trifles_also_where_they_are_new() -> None:
    trifles = [said("context", f"fare {n}", f"5 euro from {n} June", "2026-05-05") for n in range(1, 25)]
    people = [
        said("relationships", "mother", "Nora Noone, 87", "2026-08-16"),
        said("relationships", "children", "Cathal in Perth and Sinead at home", "2026-11-01"),
        said("commitments", "the debt", "300 to Philomena", "2026-11-21"),
        said("own", "wedding promise", "I promised to tell all of it", "2026-11-21", "persona"),
    ]
    facts = [*trifles, *people]
    rows = rows_of(facts, "Bo", [f"2026-{month:02d}-01-1" for month in range(1, 12)])
    writer = Writer(MARKDOWN, COUNT)
    _, chosen = choose_rows(rows, (), 300, 300, writer)
    assert {fact_id(one) for one in people} <= chosen
    assert len(chosen) > len(people)
    order = [one.key for one in order_facts(facts) if one in people]
    assert order[:2] == ["mother", "children"]
