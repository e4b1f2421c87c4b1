"""`domain.store: sqlite`: the tables are a database, git has its dump, and nothing is lost between them."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.tables import store
from reel_cli.features.tables.database import (
    make_stored,
    open_database,
    read_stored,
    select_stored,
    write_stored,
)
from reel_cli.features.tables.query import parse_query
from reel_cli.features.tables.rows_file import key_of
from reel_cli.features.tables.schema_file import parse_schema
from reel_cli.features.tables.table import Value
from tests.support.cli import Reel, git
from tests.support.shelf import ready_made

CSV = "domain/quests.csv"


@pytest.fixture
def quests(reel: Reel, kit: Path) -> Path:
    """A kit that keeps a table of three quests in a database."""

    def make() -> None:
        columns = (
            "id",
            "title",
            "status:open/done/failed=open",
            "reward:number",
            "due:date",
            "secret:yes/no",
        )
        reel("domain", "define", "quests", *columns, "--required", "title").ok()
        reel("domain", "put", "quests", "lantern", "title=The lantern", "reward=30", "due=2026-03-09").ok()
        reel("domain", "put", "quests", "bridge", "title=Mend the bridge", "status=done", "secret=yes").ok()
        reel("domain", "put", "quests", "wolf", "title=The miller's wolf", "reward=12.5").ok()
        reel("config", "domain.store", "sqlite").ok()

    ready_made(kit, "quests in a database", make)
    return kit


def place(kit: Path) -> Path:
    return kit / ".reel/domain.sqlite"


def run(kit: Path, *statements: str) -> Sequence[tuple[object, ...]]:
    """Run statements as any other SQLite program would; return what the last one gives."""
    with closing(sqlite3.connect(place(kit))) as connection, connection:
        return [connection.execute(one).fetchall() for one in statements][-1]


def keys(reel: Reel, query: str = "quests") -> list[str]:
    return [row["id"] for row in json.loads(reel("domain", "find", query, "--json").ok().out)["rows"]]


def test_the_tables_move_into_a_database_and_back_with_nothing_lost(reel: Reel, quests: Path) -> None:
    before = (quests / CSV).read_bytes()
    assert run(quests, 'SELECT id, reward, secret FROM "quests" ORDER BY id') == [
        ("bridge", None, 1),
        ("lantern", 30, None),
        ("wolf", 12.5, None),
    ]
    assert git(quests, "status", "--porcelain") == ""
    assert "domain.sqlite" not in git(quests, "ls-files")
    reel("domain", "put", "quests", "wolf", "status=failed").ok()
    assert run(quests, "SELECT status FROM quests WHERE id = 'wolf'") == [("failed",)]
    done = reel("config", "domain.store", "csv").ok()
    assert "the database is removed" in done.err
    assert not place(quests).exists()
    assert (quests / CSV).read_bytes() == before.replace(
        b"wolf,The miller's wolf,open", b"wolf,The miller's wolf,failed"
    )
    reel("doctor").ok()


def test_a_row_put_in_by_another_program_has_the_defaults(reel: Reel, quests: Path) -> None:
    run(quests, "INSERT INTO quests (id, title) VALUES ('mine', 'Only here')")
    (row,) = json.loads(reel("domain", "find", "quests where id = 'mine'", "--json").ok().out)["rows"]
    assert row["status"] == "open"


def test_a_change_in_the_database_is_what_holds_and_gets_into_its_dump(reel: Reel, quests: Path) -> None:
    run(
        quests,
        "UPDATE quests SET reward = 80 WHERE id = 'wolf'",
        "DELETE FROM quests WHERE id = 'bridge'",
        "INSERT INTO quests (id, title, status) VALUES ('bell', 'The drowned bell', 'open')",
    )
    found = reel("domain", "find", "quests where reward > 50 or status = open order by id").ok()
    assert "3 rows changed in the database" in found.err
    assert [line.split()[0] for line in found.out.splitlines()[1:4]] == ["bell", "lantern", "wolf"]
    changed = git(quests, "diff", "--unified=0", CSV).splitlines()
    assert [line for line in changed if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        "-bridge,Mend the bridge,done,,,yes",
        "+bell,The drowned bell,open,,,",
        "-wolf,The miller's wolf,open,12.5,,",
        "+wolf,The miller's wolf,open,80,,",
    ]
    assert "domain/quests.csv" in reel("review").ok().out
    assert reel("domain", "find", "quests").ok().err.count("changed in the database") == 0
    reel("review", "accept", CSV, "--yes").ok()
    assert git(quests, "status", "--porcelain") == ""


def test_a_clone_and_a_lost_database_are_made_from_the_dump(reel: Reel, quests: Path) -> None:
    place(quests).unlink()
    assert keys(reel) == ["bridge", "lantern", "wolf"]
    assert run(quests, "SELECT count(*) FROM quests") == [(3,)]
    git(quests, "clone", "-q", ".", "../clone")
    clone = quests.parent / "clone"
    assert not place(clone).exists()
    found = reel("--kit", str(clone), "domain", "find", "quests where status = done").ok()
    assert "bridge" in found.out
    assert run(clone, "SELECT title FROM quests WHERE status = 'done'") == [("Mend the bridge",)]


def test_a_dump_that_is_edited_restored_or_taken_back_is_taken(reel: Reel, quests: Path) -> None:
    text = (quests / CSV).read_text()
    (quests / CSV).write_text(text.replace("12.5", "99"))
    assert keys(reel, "quests where reward = 99") == ["wolf"]
    assert run(quests, "SELECT reward FROM quests WHERE id = 'wolf'") == [(99,)]
    git(quests, "checkout", "-q", CSV)
    reel("domain", "put", "quests", "bell", "title=The bell").ok()
    assert run(quests, "SELECT count(*) FROM quests") == [(4,)]
    reel("undo", "--yes")
    assert keys(reel) == ["bridge", "lantern", "wolf"]
    assert run(quests, "SELECT id FROM quests ORDER BY id") == [("bridge",), ("lantern",), ("wolf",)]
    # the other spelling of a key is the same row
    (quests / CSV).write_text(text.replace("wolf,", "Wolf,"))
    assert keys(reel) == ["bridge", "lantern", "Wolf"]
    assert run(quests, "SELECT count(*) FROM quests") == [(3,)]


def test_a_row_that_one_side_let_go_of_and_the_other_changed_stays_and_is_named(
    reel: Reel, quests: Path
) -> None:
    """Memory Keep §II.1.2: with rows in a database nothing that a person wrote is decided in silence."""
    run(quests, "DELETE FROM quests WHERE id = 'lantern'")
    dump = quests / CSV
    dump.write_text(dump.read_text().replace("The lantern", "The green lantern"))

    told = " ".join(reel("status").ok().err.split())

    assert "quests: the database let go of the row lantern, which domain/quests.csv changed meanwhile" in told
    assert run(quests, "SELECT title FROM quests WHERE id = 'lantern'") == [("The green lantern",)]
    assert "let go of" not in reel("status").ok().err


def test_where_both_changed_a_cell_the_database_holds_and_the_file_is_kept(reel: Reel, quests: Path) -> None:
    run(quests, "UPDATE quests SET reward = 80, due = '2026-04-01' WHERE id = 'wolf'")
    mine = (quests / CSV).read_text().replace("wolf,The miller's wolf,open,12.5", "wolf,The wolf,open,7")
    (quests / CSV).write_text(mine)
    done = reel("domain", "get", "quests", "wolf").ok()
    assert "both changed wolf (reward)" in done.err
    kept = next((quests / ".reel/state/rejected").rglob("quests.csv"))
    assert kept.read_text() == mine
    # a cell that only one of them changed is as that one has it
    assert "wolf,The wolf,open,80,2026-04-01," in (quests / CSV).read_text()
    assert run(quests, "SELECT title, reward FROM quests WHERE id = 'wolf'") == [("The wolf", 80)]


@pytest.mark.parametrize("data", [b"half of it", b"SQLite format 3\0" + b"\1" * 500, b""])
def test_a_damaged_database_is_put_aside_and_made_again(reel: Reel, quests: Path, data: bytes) -> None:
    place(quests).write_bytes(data)
    found = reel("domain", "find", "quests").ok()
    assert "lantern" in found.out
    if data:
        assert "the old file is kept as .reel/domain-damaged-1.sqlite" in found.err
        assert (quests / ".reel/domain-damaged-1.sqlite").read_bytes() == data
    assert run(quests, "SELECT count(*) FROM quests") == [(3,)]


def test_a_table_that_another_program_rebuilt_is_put_aside(reel: Reel, quests: Path) -> None:
    run(quests, "ALTER TABLE quests DROP COLUMN due")
    assert "could not be used" in reel("domain", "find", "quests").ok().err
    assert run(quests, "SELECT due FROM quests WHERE id = 'lantern'") == [("2026-03-09",)]


@pytest.mark.parametrize(
    "statement",
    [
        'DROP TABLE "reel.dumps"',
        "UPDATE \"reel.dumps\" SET schema = 'columns: ['",
        "UPDATE \"reel.dumps\" SET dump = x'ff'",
    ],
)
def test_a_database_whose_rows_may_be_in_no_dump_is_put_aside_whole(
    reel: Reel, quests: Path, statement: str
) -> None:
    run(quests, "INSERT INTO quests (id, title) VALUES ('mine', 'Only here')", statement)
    done = reel("domain", "find", "quests").ok()
    assert "could not be used (its " in done.err
    kept = place(quests).with_name("domain-damaged-1.sqlite")
    with closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("SELECT title FROM quests WHERE id = 'mine'").fetchall() == [("Only here",)]
    assert keys(reel) == ["bridge", "lantern", "wolf"]
    assert reel("doctor").ok().out.startswith("No problem found")


def test_a_folder_in_the_database_s_place_is_put_aside(reel: Reel, quests: Path) -> None:
    place(quests).unlink()
    place(quests).mkdir()
    assert "could not be used" in reel("domain", "find", "quests").ok().err
    assert place(quests).is_file()


def test_a_cell_that_no_dump_can_hold_stays_and_is_named(reel: Reel, quests: Path) -> None:
    before = (quests / CSV).read_text()
    run(quests, "UPDATE quests SET title = 'The' || char(0) || 'wolf' WHERE id = 'wolf'")
    for words in (("domain", "find", "quests"), ("domain", "list")):
        assert "the row 'wolf' of the database has a control character" in reel(*words).ok().err
    assert "the row 'wolf' of the database has a control character" in reel("doctor").out
    reel("domain", "put", "quests", "bell", "title=The bell").ok()
    assert (quests / CSV).read_text() == before.replace("bridge", "bell,The bell,open,,,\nbridge", 1)
    assert run(quests, "SELECT hex(title) FROM quests WHERE id = 'wolf'") == [("54686500776F6C66",)]
    # nor does the way back lose it
    assert "domain.store csv" in reel("config", "domain.store", "csv").ok().out
    assert place(quests).exists()
    run(quests, "UPDATE quests SET title = 'The wolf' WHERE id = 'wolf'")
    reel("domain", "list").ok()
    assert not place(quests).exists()
    assert "wolf,The wolf,open" in (quests / CSV).read_text()


def test_a_row_that_no_dump_can_hold_is_in_no_answer_and_leaves_the_others(reel: Reel, quests: Path) -> None:
    run(
        quests,
        "INSERT INTO quests (id, title) VALUES ('WOLF', 'another wolf')",
        "UPDATE quests SET reward = 1e300 WHERE id = 'lantern'",
    )
    done = reel("domain", "find", "quests", "--json").ok()
    assert [(row["id"], row["reward"]) for row in json.loads(done.out)["rows"]] == [
        ("bridge", None), ("lantern", 30), ("wolf", 12.5),
    ]  # fmt: skip
    assert keys(reel, "quests where reward > 12") == ["lantern", "wolf"]
    run(quests, "DELETE FROM quests WHERE id = 'WOLF'", "UPDATE quests SET reward = 31 WHERE id = 'lantern'")
    assert keys(reel, "quests where reward = 31") == ["lantern"]


def test_a_cell_is_in_the_database_as_its_dump_writes_it(reel: Reel, quests: Path) -> None:
    run(quests, "INSERT INTO quests (id, title, reward) VALUES (' bell ', ' The bell ', 0.1 + 0.2)")
    assert keys(reel, "quests where title = 'The bell' and reward = 0.3") == ["bell"]
    assert run(quests, "SELECT id, title, reward FROM quests WHERE title LIKE '%bell%'") == [
        ("bell", "The bell", 0.3)
    ]
    run(quests, "UPDATE quests SET id = 'bell ' WHERE id = 'bell'")
    csv = (quests / CSV).read_text()
    (quests / CSV).write_text(csv.replace("bell,The bell,open,0.3,,\n", ""))
    assert "bell" not in keys(reel)
    assert run(quests, "SELECT count(*) FROM quests") == [(3,)]


def test_doctor_counts_the_rows_that_it_does_not_name(reel: Reel, quests: Path) -> None:
    rows = ", ".join(f"('q{number}', 'x' || char(0))" for number in range(7))
    run(quests, f"INSERT INTO quests (id, title) VALUES {rows}")  # noqa: S608
    assert ".reel/domain.sqlite has 2 more rows like that" in reel("doctor", "--json").out


def test_the_schema_holds_whoever_writes(reel: Reel, quests: Path) -> None:
    for wrong in ("status = 'don'", "reward = 'much'", "due = '3/12/2026'", "secret = 2", "title = NULL"):
        with pytest.raises(sqlite3.IntegrityError):
            run(quests, f"UPDATE quests SET {wrong} WHERE id = 'wolf'")  # noqa: S608
    reel("domain", "define", "quests", "giver", "reward:text").ok()
    assert run(quests, "SELECT reward, giver FROM quests WHERE id = 'wolf'") == [("12.5", None)]
    reel("domain", "drop", "quests", "--whole", "--yes").ok()
    assert run(quests, "SELECT name FROM sqlite_master WHERE name = 'quests'") == []
    reel("undo", "--yes").ok()
    assert run(quests, "SELECT count(*) FROM quests") == [(3,)]


def test_while_another_program_writes_nothing_is_lost(
    reel: Reel, quests: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reel_cli.features.tables.database.PATIENCE", 0.01)
    with closing(sqlite3.connect(place(quests))) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE quests SET reward = 5 WHERE id = 'wolf'")
        done = reel("domain", "put", "quests", "bell", "title=The bell").ok()
        assert "Another program is writing into it" in done.err
        other.execute("COMMIT")
    assert keys(reel) == ["bell", "bridge", "lantern", "wolf"]
    assert run(quests, "SELECT id, reward FROM quests WHERE id IN ('bell', 'wolf')") == [
        ("bell", None),
        ("wolf", 5),
    ]
    assert "wolf,The miller's wolf,open,5,," in (quests / CSV).read_text()


def test_what_is_purged_is_not_in_the_database_either(reel: Reel, quests: Path) -> None:
    reel("purge", "--match", "miller", "--confirm", "Ada").ok()
    assert "lantern" in keys(reel)
    assert b"miller" not in place(quests).read_bytes()


TABLE = parse_schema(
    "columns: {id: text, title: text, reward: number, due: date, secret: yes/no, status: [open, done]}\n",
    "quests",
)
CELLS = {
    "title": st.sampled_from([None, "The lantern", "lantern", "ÄRGER", "it's", "a\nb"]),
    "reward": st.sampled_from([None, 0, 1, 2.5, -3]),
    "due": st.sampled_from([None, "2026-03-09", "2026-04-01"]),
    "secret": st.sampled_from([None, True, False]),
    "status": st.sampled_from([None, "open", "done"]),
}
QUERIES = (
    *(
        "quests",
        "quests limit 2",
        "quests where reward > 0 order by reward desc, title",
        "quests where secret",
    ),
    *("quests where title contains ARGER or not secret", "quests where due is empty order by due"),
    *("quests where status in (open, done) and reward <= 2.5 order by status desc limit 3",),
    *("quests where title = LANTERN", "quests order by secret, id desc"),
)


@given(rows=st.lists(st.fixed_dictionaries(CELLS), max_size=6), query=st.sampled_from(QUERIES))
@settings(max_examples=60, deadline=None)
def test_the_database_answers_as_the_dump_does(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Value]], query: str
) -> None:
    path = tmp_path_factory.mktemp("db") / "domain.sqlite"
    named = [{"id": f"Q-{number}", **row} for number, row in enumerate(rows)]
    with open_database(path) as connection:
        make_stored(connection, TABLE)
        write_stored(connection, TABLE, named[::-1], ())
        assert read_stored(connection, TABLE).rows == {key_of(row["id"]): row for row in named}
    asked = parse_query(query, lambda _name: TABLE, ["quests"])
    values = [tuple(row[name] for name in TABLE.names) for row in named]
    places = {key_of(row["id"]): at for at, row in enumerate(named)}
    assert select_stored(path, TABLE, places, *store.compile_query(asked)) == list(
        store.select(values, asked)
    )
