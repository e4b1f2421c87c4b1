from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.formats.trees import Road, Walk, latest_below, walk

NAMES = st.sampled_from("abcdefgh")


def test_a_chat_without_roads_is_its_path() -> None:
    assert walk({"a": None, "b": "a", "c": "b"}, "c") == Walk(["a", "b", "c"], {})


def test_roads_stand_by_what_they_are_an_alternative_to_and_are_numbered_as_they_were_begun() -> None:
    parents = {"a": None, "b": "a", "B": "a", "c": "b", "C": "B", "D": "B", "E": "c", "f": None}
    found = walk(parents, "c")
    assert found.path == ["a", "b", "c"]
    assert found.roads == {
        "a": [Road(4, ["f"])],
        "b": [Road(1, ["B", "C"]), Road(2, ["D"])],
        "c": [Road(3, ["E"])],
    }


def test_a_road_keeps_its_number_as_the_chat_grows() -> None:
    parents: dict[str, str | None] = {"a": None, "b": "a", "B": "a"}
    before = walk(parents, "b").roads["b"]
    after = walk(parents | {"c": "b", "C": "b", "B2": "B"}, "c").roads
    assert [road.number for road in before] == [road.number for road in after["b"]] == [1]
    assert after["c"] == [Road(2, ["C"])]


def test_a_circle_is_cut_where_the_way_to_the_end_closes_it() -> None:
    assert walk({"a": "c", "b": "a", "c": "b"}, "b") == Walk(["c", "a", "b"], {}, loops=True)
    assert walk({"a": "a"}, "a") == Walk(["a"], {}, loops=True)


def test_the_latest_below_is_the_last_child_of_the_last_child() -> None:
    assert latest_below({"a": None, "b": "a", "c": "a", "d": "c", "e": "b"}, "a") == "d"
    assert latest_below({"a": "b", "b": "a"}, "a") in {"a", "b"}


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(NAMES, st.none() | NAMES, min_size=1), st.data())
def test_whatever_the_links_every_message_is_in_one_place(
    parents: dict[str, str | None], data: st.DataObject
) -> None:
    current = data.draw(st.sampled_from(sorted(parents)))
    found = walk(parents, current)
    roads = [road for beside in found.roads.values() for road in beside]
    assert found.path[-1] == current
    assert sorted([*found.path, *(name for road in roads for name in road.ids)]) == sorted(parents)
    assert sorted(road.number for road in roads) == list(range(1, len(roads) + 1))
    assert set(found.roads) <= set(found.path)
    assert latest_below(parents, current) in parents
