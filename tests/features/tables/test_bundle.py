"""Promises of a bundle with rows of domain data, for kits, tables and windows of every size."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.pack.render import MARKDOWN, Writer, style_of
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle
from reel_cli.features.tables.bundle import LONG_ROW, NO_SHARE, AskedRow, look_up
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.schema_file import render_schema
from reel_cli.features.tables.sheet import render_rows
from reel_cli.features.tables.table import Row, Table
from tests.support.kits_at_random import WINDOWS, Files, body, kits, rings_on_page
from tests.support.tables import filled

FORMS = st.sampled_from(["markdown", "text"])
COUNT = get_tokenizer("o200k_base").count


def with_table(kit: Files, table: Table, rows: Sequence[Row], share: str = "") -> Files:
    extra = {
        "domain/things.yaml": render_schema(table).encode(),
        "domain/things.csv": render_rows([table.names, *(tuple(row.values()) for row in rows)]).encode(),
    }
    if share:
        extra["kit.yaml"] = kit.files["kit.yaml"] + f"domain: {{share: {share}}}\n".encode()
    return Files({**kit.files, **extra})


def packed(kit: Files, wish: BundleRequest) -> Bundle | None:
    try:
        return pack_snapshot(kit.snapshot(), wish)
    except NoRoomError:
        return None


@given(kits(), filled(30), WINDOWS, st.one_of(st.none(), st.integers(1_000, 9_500)), FORMS)
@settings(max_examples=25, deadline=None)
def test_the_promises_hold_with_rows(
    kit: Files, case: tuple[Table, Sequence[Row]], window: int, live: int | None, form: str
) -> None:
    table, rows = case
    kit = with_table(kit, table, rows)
    wish = BundleRequest(window=window, live=live, form=form, rows=("things order by id",))
    bundle = packed(kit, wish)
    if bundle is None:
        return
    counted = get_tokenizer(bundle.tokenizer).count(bundle.text)
    assert (bundle.tokens, bundle.tokens <= bundle.cap - bundle.live) == (counted, True)
    assert sum(item.tokens for item in bundle.loaded) == bundle.tokens
    share = bundle.rings["domain"]
    assert share.tokens <= share.max == bundle.cap // 20
    for path in ("ring0/identity.md", "ring0/directives.md", "ring2/working.md"):
        text = body(kit, path)
        assert text in bundle.text or not text.strip()
    loaded = [item.id for item in bundle.loaded if item.ring == "domain"]
    out = [item.id for item in bundle.left_out if item.ring == "domain"]
    assert sorted([*loaded, *out]) == sorted(
        f"things/{' '.join(tell_value(row['id']).split())[:80]}" for row in rows
    ) or any(len(tell_value(row["id"])) > 70 or not tell_value(row["id"]).isprintable() for row in rows)
    order = rings_on_page(bundle)
    assert order == sorted(order, key=["0", "1", "3", "4", "domain", "beside", "2"].index)
    assert pack_snapshot(kit.snapshot(), wish).text == bundle.text


@given(kits(), filled(12), WINDOWS, st.integers(1_000, 8_000), st.integers(0, 1_500))
@settings(max_examples=20, deadline=None)
def test_with_less_room_nothing_comes_back(
    kit: Files, case: tuple[Table, Sequence[Row]], window: int, live: int, less: int
) -> None:
    kit = with_table(kit, *case, share="30%")
    wish = BundleRequest(window=window, live=live, rows=("things",))
    bundle, tighter = packed(kit, wish), packed(kit, wish._replace(live=live + less))
    if bundle is None or tighter is None:
        return
    ranks = {"whole": 3, "marker": 2, "tag": 1}
    here = {(i.ring, i.id): ranks[i.resolution] for i in bundle.loaded if i.ring in ("1", "domain")}
    there = {(i.ring, i.id): ranks[i.resolution] for i in tighter.loaded if i.ring in ("1", "domain")}
    assert all(here.get(key, 0) >= rank for key, rank in there.items())


@given(kits(), filled(6), WINDOWS)
@settings(max_examples=20, deadline=None)
def test_nothing_is_there_that_was_not_asked_for(
    kit: Files, case: tuple[Table, Sequence[Row]], window: int
) -> None:
    bundle = packed(kit, BundleRequest(window=window))
    assert packed(with_table(kit, *case), BundleRequest(window=window)) == bundle


@given(filled(6))
@settings(max_examples=25, deadline=None)
def test_what_is_never_told_is_in_no_bundle(case: tuple[Table, Sequence[Row]]) -> None:
    table, rows = case
    kit = Files({"kit.yaml": b"name: Ada\n", "ring0/identity.md": b"I am Ada.\n"})
    wide = BundleRequest(window=131072, rows=("things",))
    told = pack_snapshot(with_table(kit, table, rows, "30%").snapshot(), wide)
    bare = [{c.name: row[c.name] if c.told else None for c in table.columns} for row in rows]
    bare = [{**now, "id": row["id"]} for now, row in zip(bare, rows, strict=True)]
    if any(c.required and not c.told for c in table.columns):
        return
    assert pack_snapshot(with_table(kit, table, bare, "30%").snapshot(), wide).text == told.text


def row(key: str, *parts: tuple[str, str], heading: str = "Quests") -> AskedRow:
    return AskedRow(f"{heading.lower()}/{key}", heading, key.title(), parts)


def test_rows_are_lines_below_their_table_s_name() -> None:
    rows = [
        row(
            "wolf",
            ("reward", "80"),
            ("due", "2026-04-01"),
            ("log", "2026-04-01: paid"),
            ("seen with", "M-004"),
        ),
        row("bell"),
        row("tam", ("says", "# No!\n\nNever."), heading="People"),
    ]
    found = look_up(rows, 500, 500, Writer(MARKDOWN, COUNT))
    assert "".join(unit.text for unit in found.units).split("\n\n", 2)[2] == (
        "### Quests\n\n- **Wolf**: reward 80; due 1 April 2026;"
        " log 2026-04-01: paid; seen with that memory\n- **Bell**\n\n"
        "### People\n\n- **Tam**: says # No! Never.\n\n"
    )
    assert found.tokens == COUNT("".join(unit.text for unit in found.units))
    plain = look_up(rows, 500, 500, Writer(style_of("text"), COUNT))
    assert "“Quests”\n\n• Wolf: reward 80;" in "".join(unit.text for unit in plain.units)


@pytest.mark.parametrize("share", [0, 30, 45, 60, 80, 120, 400])
def test_a_row_too_long_for_the_share_is_passed_over_and_the_first_that_finds_no_room_ends_it(
    share: int,
) -> None:
    rows = [row("a", ("says", "word " * 60)), row("b", ("reward", "3")), row("c", ("reward", "4")), row("d")]
    found = look_up(rows, share, 10_000, Writer(MARKDOWN, COUNT))
    loaded = [unit.id for unit in found.units]
    told = {reason: list(ids) for ids, reason in found.left}
    assert found.tokens <= share
    assert sorted([*loaded, *told[LONG_ROW], *told[NO_SHARE]]) == [one.id for one in rows]
    assert loaded == [one.id for one in rows if one.id not in told[LONG_ROW]][: len(loaded)]
    assert not found.squeezed
    assert look_up(rows, share, found.tokens, Writer(MARKDOWN, COUNT)).units == found.units
    if found.tokens:
        assert look_up(rows, share, found.tokens - 1, Writer(MARKDOWN, COUNT)).squeezed


def test_a_key_is_not_told_where_a_row_has_a_name() -> None:
    kit = Files({"kit.yaml": b"name: Ada\nwindow: 1024\n", "ring0/identity.md": b"I am Ada.\n"})
    kit = Files({**kit.files, "domain/q.yaml": b"columns: {id: text, name: text}\n"})
    kit = Files(
        {**kit.files, "domain/q.csv": b"id,name\n" + b"".join(b"%d,The %d\n" % (n, n) for n in range(99))}
    )
    bundle = pack_snapshot(kit.snapshot(), BundleRequest(rows=("q",)))
    ids = [item.id for item in bundle.loaded if item.ring == "domain"]
    assert ids == [f"q/{n}" for n in range(len(ids))]
    assert ids
    assert not re.search(r"\bq/|\bM-\d", bundle.text)
