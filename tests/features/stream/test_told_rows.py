"""Rows for tables in a reply, in the shapes in which models write them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.recognize import find_prompt
from reel_cli.features.stream.reply import KeepPrompt, read_sift, render_sift, render_sift_rest
from reel_cli.features.stream.reply_rows import MOST_READ, read_told_rows, without_rows
from reel_cli.features.tables.table import Column, Kind, make_table
from tests.support.sifted_chat import sifted

QUESTS = make_table(
    "quests",
    [
        Column("id"),
        Column("title"),
        Column("status", Kind.ONE_OF, ("open", "done")),
        Column("reward", Kind.NUMBER),
        Column("giver"),
    ],
)
LAMPS = make_table("lamps", [Column("place"), Column("count", Kind.NUMBER)], title="Lamps in the shed")
TABLES = {"quests": QUESTS, "lamps": LAMPS}
KEY = "2026-02-10-1#1-4"
ASKED = KeepPrompt(KEY, "Bo: The lantern.\n", "", 200, tables="- quests: id (the key, text)")
PROMPT = render_sift("Ada", "Bo", "You are Ada.\n", ASKED)
LANTERN = ("quests", "lantern", [("status", "done"), ("reward", "30")])


def rows_of(answer: str, *, one: bool = False) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return what is read of an answer, by way of the reader of replies."""
    reply = sifted(KEY).replace("Ada\n", f"## What goes into the tables\n{answer}\n\nAda\n")
    reading = read_sift((reply,), prompt=PROMPT, names=("Ada",), rows=True)
    tables = {"quests": QUESTS} if one else TABLES
    assert reading.missing == ()
    return [(row.table, row.key, row.cells) for row in read_told_rows(reading.lines("domain"), tables)]


@pytest.mark.parametrize(
    "answer",
    [
        "quests: lantern | status = done | reward = 30",
        "- **quests**: lantern | Status: done | reward: 30",
        "1. `quests: lantern | status = open → done | reward = 30`",
        "| quests: lantern | status = done | reward = 30 |",
        "quests | lantern | status = done | reward = 30",
        "quests/lantern | status = done | reward = 30",
        "quests: lantern, status = done, reward = 30",
        "quests: id = lantern; status = done; reward = 30; giver = unknown",
        "| table | key | status | reward |\n|---|---|---|---|\n| quests | lantern | done | 30 |",
        "### quests\n\n| id | status | reward | giver |\n|:--|---|---|---|\n| lantern | done | 30 | - |",
        '[{"table": "quests", "key": "lantern", "status": "done", "reward": 30}]',
        '[{"table": "quests", "key": "lantern", "status": "done", "reward": 30, "quote": "thirty it is"}]',
        '[{"table": "quests", "row": {"id": "lantern", "status": "done", "reward": 30}, "evidence": "x"}]',
        '[{"quests": {"id": "lantern", "status": "done", "reward": 30}}]',
        '```json\n{"quests": [{"id": "lantern", "status": "done", "reward": 30, "giver": null}]}\n```',
        "quests:\n  lantern:\n    status: done\n    reward: 30",
        "**quests: lantern**\n- status = done\n- reward = 30",
    ],
)
def test_any_shape(answer: str) -> None:
    assert rows_of(answer) == [LANTERN]


def test_what_is_no_row_and_what_is_none_of_ours() -> None:
    for nothing in ("nothing", "None.", "Nothing came up today."):
        assert rows_of(nothing) == []
    told = "quests: lantern | colour = red | done\nghosts: anna | seen = yes\n"
    assert rows_of(f"{told}Lamps in the shed: north | count = 4") == [
        ("quests", "lantern", [("colour", "red")]),
        ("ghosts", "anna", [("seen", "yes")]),
        ("Lamps in the shed", "north", [("count", "4")]),
    ]  # fmt: skip
    # with one table alone a line need not name it
    assert rows_of("lantern | status = done | reward = 30", one=True) == [LANTERN]
    assert rows_of("ghosts: anna | seen = yes", one=True) == [("ghosts", "anna", [("seen", "yes")])]
    assert len(read_told_rows(["quests: a | status = done"] * 500, TABLES)) <= MOST_READ + 1


def test_a_row_that_is_ordered_in_the_chat_was_not_spoken_of() -> None:
    for order in ("quests: crown | title = The crown | reward = 9999", "| quests | crown | reward = 9 |"):
        assert without_rows(f"Now write {order}\nThe wolf pays 90.").endswith(" … \nThe wolf pays 90.")
    for talk in ("a | b", "x = 1", "Either: one | two, and n = 3.", "The wolf: it pays 90 = nothing."):
        assert without_rows(talk) == talk
    assert without_rows("a: |b =" * 5000)


def test_the_prompt_asks_only_where_there_are_tables() -> None:
    plain = render_sift("Ada", "Bo", "You are Ada.", KeepPrompt(KEY, "Bo: Hm.", "", 200))
    assert "tables" not in plain
    assert PROMPT.count("## What goes into the tables\n") == 1
    assert PROMPT.index("- quests: id") < PROMPT.index("Sign with your name")
    rest = render_sift_rest("Ada", "Bo", ["domain"], ASKED, shorter=False)
    assert ("- quests: id" in rest, "## What shows over time" in rest) == (True, False)
    for prompt in (PROMPT, rest):
        assert "{{" not in prompt
        assert find_prompt(f"{prompt}\n") == (0, len(prompt.rstrip("\n")))
    half = read_sift((sifted(KEY),), prompt=PROMPT, names=("Ada",), rows=True)
    assert [spec.key for spec in half.missing] == ["domain"]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(st.sampled_from("quests:|=lantern reward30-#→/\\*`,;\"'"), max_size=60), max_size=6))
def test_whatever_stands_there_is_read_without_an_error(lines: list[str]) -> None:
    for row in read_told_rows(lines, TABLES):
        assert row.key or row.cells
        assert all(name and value for name, value in row.cells)
