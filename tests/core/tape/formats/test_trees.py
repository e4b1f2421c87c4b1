from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.formats.trees import lay_out, newest_leaf
from reel_cli.core.values.talk import Kind, Message


def user(text: str) -> Message:
    return Message("user", text)


def ada(text: str, kind: Kind = Kind.SAID) -> Message:
    return Message("assistant", text, kind)


def laid(
    parents: dict[str, str | None], leaf: str, nodes: dict[str, list[Message]]
) -> list[tuple[object, ...]]:
    return [(m.kind.value, m.text, m.road) for m in lay_out(parents, leaf, nodes.__getitem__)]


def test_roads_stand_beside_what_was_said_instead() -> None:
    parents = {"q": None, "a": "q", "b": "q", "q2": "b", "c": "q2", "edit": "b", "d": "edit", "late": "c"}
    nodes = {name: [user(name) if name in {"q", "q2", "edit", "late"} else ada(name)] for name in parents}
    assert laid(parents, "c", nodes) == [
        ("said", "q", None),
        ("said", "b", None),
        ("version", "a", 1),
        ("said", "q2", None),
        ("version", "edit", 2),
        ("version", "d", 2),
        ("said", "c", None),
        ("version", "late", 3),
    ]


def test_what_led_to_an_answer_follows_it_on_every_road() -> None:
    parents = {"q": None, "think": "q", "tool": "think", "a": "tool", "rethink": "q", "again": "rethink"}
    nodes = {
        "q": [user("q"), Message("user", "[image]", Kind.ATTACHMENT)],
        "think": [ada("hm", Kind.REASONING)],
        "tool": [Message("tool", "call", Kind.TOOL)],
        "a": [ada("a")],
        "rethink": [ada("hmm", Kind.REASONING)],
        "again": [ada("again")],
    }
    assert laid(parents, "a", nodes) == [
        ("said", "q", None),
        ("attachment", "[image]", None),
        ("said", "a", None),
        ("reasoning", "hm", None),
        ("tool", "call", None),
        ("version", "again", 1),
        ("reasoning", "hmm", 1),
    ]


def test_a_road_without_messages_takes_no_number() -> None:
    parents = {"root": None, "empty": "root", "q": "root", "other": "root"}
    nodes: dict[str, list[Message]] = {"root": [], "empty": [], "q": [user("q")], "other": [user("other")]}
    assert laid(parents, "q", nodes) == [("said", "q", None), ("version", "other", 1)]


def test_the_newest_leaf_is_the_latest_and_of_equals_the_last() -> None:
    parents = {"q": None, "a": "q", "b": "q", "c": "q"}
    times = {"a": 3.0, "b": 3.0, "c": 1.0, "q": 9.0}
    assert newest_leaf(parents, times.__getitem__) == "b"
    assert newest_leaf(parents, lambda _: 0.0) == "c"
    assert newest_leaf({"x": "y", "y": "x"}, lambda _: 0.0) == "y"
    assert newest_leaf({}, lambda _: 0.0) is None


NAMES = "abcdefghij"
GRAPHS = st.dictionaries(st.sampled_from(NAMES), st.none() | st.sampled_from(NAMES + "?"), min_size=1)


@settings(max_examples=100, deadline=None)
@given(GRAPHS, st.data())
def test_any_graph_of_parents_keeps_every_message_once(
    graph: dict[str, str | None], data: st.DataObject
) -> None:
    leaf = data.draw(st.sampled_from(sorted(graph)))
    kinds = {name: data.draw(st.sampled_from(["user", "assistant", "tool"])) for name in graph}
    nodes = {
        name: [Message(role, name, Kind.TOOL if role == "tool" else Kind.SAID)]
        for name, role in kinds.items()
    }
    found = lay_out(graph, leaf, nodes.__getitem__)
    assert Counter(m.text for m in found) == Counter(list(graph))
    shown = [m.text for m in found if m.kind is Kind.SAID]
    above: list[str] = []
    at: str | None = leaf
    while at is not None and at in graph and at not in above:
        above.append(at)
        at = graph[at]
    assert shown == [name for name in reversed(above) if kinds[name] != "tool"]
    roads: dict[int, list[str]] = {}
    for message in found:
        if message.road is not None:
            roads.setdefault(message.road, []).append(message.text)
    assert sorted(roads) == list(range(1, len(roads) + 1))
    on_roads = [name for road in roads.values() for name in road]
    assert sorted(on_roads) == sorted(set(graph) - set(above))
    assert lay_out(graph, leaf, nodes.__getitem__) == found


def test_a_long_road_and_many_forks_are_quick() -> None:
    long: dict[str, str | None] = {str(n): str(n - 1) if n else None for n in range(50_000)}
    assert len(lay_out(long, "0", lambda name: [user(name)])) == 50_000
    wide: dict[str, str | None] = {"0": None} | {str(n): "0" for n in range(1, 50_000)}
    assert lay_out(wide, "7", lambda name: [user(name)])[-1].road == 49_998
