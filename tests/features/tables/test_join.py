"""A table that two machines changed: what either wrote is there, cell by cell."""

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.tables.rows_file import join_rows, read_rows, write_rows
from reel_cli.features.tables.schema_file import parse_schema
from reel_cli.features.tables.table import Row, Value

SCHEMA = "key: id\ncolumns: {id: text, title: text, reward: number}\n"
TABLE = parse_schema(SCHEMA, "quests")
TABLES = st.dictionaries(
    st.sampled_from(["bell", "lantern", "Q-2", "Q-10"]),
    st.fixed_dictionaries(
        {"title": st.sampled_from([None, "A", "B", "two\nlines"]), "reward": st.sampled_from([None, 1, 2.5])}
    ),
)


def filed(rows: Mapping[str, Mapping[str, Value]]) -> str:
    puts: dict[Value, Row] = {key.casefold(): {"id": key, **row} for key, row in rows.items()}
    return write_rows(read_rows("", TABLE, "x"), puts)


def joined(ours: str, theirs: str, base: str) -> tuple[dict[Value, Row], list[str]]:
    found = join_rows("quests", SCHEMA, ours, theirs, base, "the other machine")
    assert found is not None
    made = read_rows(found[0], TABLE, "x")
    assert made.problems == []
    return made.by_key(), list(found[1])


@given(TABLES, TABLES, TABLES)
@settings(max_examples=80, deadline=None)
def test_each_cell_is_as_whoever_changed_it_had_it(
    base: Mapping[str, Mapping[str, Value]],
    ours: Mapping[str, Mapping[str, Value]],
    theirs: Mapping[str, Mapping[str, Value]],
) -> None:
    made, notes = joined(filed(ours), filed(theirs), filed(base))
    clashes = 0
    for key in {*base, *ours, *theirs}:
        was, here, there = base.get(key), ours.get(key), theirs.get(key)
        found = made.get(key.casefold())
        if here is None or there is None:
            left = here if there is None else there
            expected = None if left == was else left
            assert found == ({"id": key, **expected} if expected is not None else None)
            continue
        assert found is not None
        for name in ("title", "reward"):
            old = (was or {}).get(name)
            expected_cell = here[name] if there[name] == old else there[name]
            assert found[name] == expected_cell
            clashes += here[name] not in (there[name], old) and there[name] != old
    assert bool(notes) == bool(clashes)


def test_what_no_program_can_settle_is_a_persons_to_say() -> None:
    sound = filed({"bell": {"title": "A", "reward": 1}})
    for broken in ("id,title,reward\nbell,A,many\n", 'id,title,reward\n"bell\n', "id,prize\nbell,1\n"):
        assert join_rows("quests", SCHEMA, broken, sound, sound, "them") is None
        assert join_rows("quests", SCHEMA, sound, broken, sound, "them") is None
    assert join_rows("quests", "columns: nothing", sound, sound, sound, "them") is None


def test_both_changing_one_cell_is_said() -> None:
    base = filed({"bell": {"title": "A", "reward": 1}})
    made, notes = joined(base.replace("A,1", "B,2"), base.replace("A,1", "A,3"), base)
    assert made["bell"] == {"id": "bell", "title": "B", "reward": 3}
    assert notes == [
        "domain/quests.csv: both machines changed bell (reward); it is as the other machine had it."
    ]
