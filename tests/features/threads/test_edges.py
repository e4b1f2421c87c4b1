"""Typed edges: between what was said again and again, and between the pages that tell of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.values.memory import Level, Memory
from reel_cli.features.threads.edges.edge import Matters, drop_parts, find_shared, tell_shared
from reel_cli.features.threads.edges.mentions import find_mention
from reel_cli.features.threads.lattice import FILE
from tests.features.threads.test_threads import meridian, threads  # noqa: F401 (a fixture)
from tests.support.cli import Reel

KNOWN = Matters({"dara": 4, "tin": 2, "pump": 2, "gate": 7, "food": 9, "food drive": 3}, 20)


def page(number: int, chat: str, body: str) -> Memory:
    return Memory(f"M-{number:03d}", "A page", Level.L1, body, sessions=(chat,))


def edges(reel: Reel, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = threads(reel, name)[0]["edges"]
    return found


@pytest.mark.usefixtures("meridian")
def test_every_edge_of_a_thread_has_a_type_a_whole_weight_and_a_reason(reel: Reel) -> None:
    """Typed edges `follows`, `transforms`, `belongs_to`, `continuity` (SRIP-11 §IV, Graph Store)."""
    one = threads(reel, "Dara")[0]
    nodes = {*one["ribs"], *one["memories"], *(cluster["id"] for cluster in one["clusters"])}
    assert {edge["type"] for edge in one["edges"]} >= {"follows", "belongs_to", "continuity"}
    for edge in one["edges"]:
        assert {edge["from"], edge["to"]} <= nodes
        assert type(edge["weight"]) is int
        assert edge["weight"] > 0
        assert edge["reason"].endswith(".")


@pytest.mark.usefixtures("meridian")
def test_the_ribs_of_a_thread_follow_one_another_without_a_gap(reel: Reel) -> None:
    """Phase lineage is tracked through `follows` or `transforms` (SRIP-11 §II)."""
    one = threads(reel, "Dara")[0]
    steps = {(e["from"], e["to"]) for e in one["edges"] if e["type"] in ("follows", "transforms")}
    assert set(zip(one["ribs"], one["ribs"][1:], strict=False)) <= steps


def test_edges_are_the_same_when_the_lattice_is_built_anew(reel: Reel, meridian: Path) -> None:  # noqa: F811
    before = edges(reel, "Calder")
    (meridian / FILE).unlink()
    assert edges(reel, "Calder") == before


def test_another_phase_makes_the_next_time_a_transformation(reel: Reel, meridian: Path) -> None:  # noqa: F811
    chats = threads(reel, "Dara")[0]["sessions"]
    for number, chat in enumerate(chats[1:3], start=1):
        folder = meridian / "checkpoints"
        folder.mkdir(exist_ok=True)
        (folder / f"{chat}.{number}.yaml").write_text("coherence: partly\n")
    shown = reel("memory", "threads", "Dara").ok()
    assert "steady" in shown.out
    assert "Steady, in thought: how sure of itself Meridian was in that chat." in " ".join(shown.err.split())
    reasons = [edge["reason"] for edge in edges(reel, "Dara") if edge["type"] == "transforms"]
    assert "The next time that Dara came up; steady before, in thought then." in reasons


def test_a_page_that_was_replaced_leads_to_the_one_that_holds(reel: Reel, meridian: Path) -> None:  # noqa: F811
    path = meridian / "ring3" / "M-003.md"
    path.write_text(path.read_text().replace("---\n", '---\nno_longer: "Dara runs the rig now"\n', 1))
    (meridian / "review").mkdir(exist_ok=True)
    (meridian / "review" / "settled.yaml").write_text(
        'aa:\n  word: "“Dara runs…” holds now"\n  day: 2026-01-01\n'
        '  older: "M-003: Dara waits at the door"\n  newer: "M-010: Dara runs the rig now"\n'
    )
    told: dict[str, Any] = json.loads(reel("why", "M-003", "--json").ok().out)
    step = next(step for step in told["went_on_in"] if step["id"] == "M-010")
    assert step["reason"]
    found = [e for e in edges(reel, "Dara") if (e["from"], e["to"]) == ("M-003", "M-010")]
    assert "What holds instead: “Dara runs the rig now”." in [edge["reason"] for edge in found]


def test_pages_that_wait_for_a_decision_contradict_each_other(reel: Reel, meridian: Path) -> None:  # noqa: F811
    (meridian / "review").mkdir(exist_ok=True)
    (meridian / "review" / "2026-01-01-1-contradiction-1.md").write_text(
        "---\nkind: contradiction\ntitle: Dara\nsession: 2025-12-19-1\nmade: 2026-01-01T00:00:00Z\n"
        "older: M-003\nolder_says: Dara waits\nnewer: M-010\nnewer_says: Dara runs the rig\n---\n"
    )
    found = [edge for edge in edges(reel, "Dara") if edge["type"] == "contradicts"]
    assert [(edge["from"], edge["to"]) for edge in found] == [("M-003", "M-010")]
    assert found[0]["reason"] == "The two do not agree: “Dara waits” · “Dara runs the rig”."


def test_why_says_for_what_reason_another_memory_is_there(reel: Reel, meridian: Path) -> None:  # noqa: F811
    path = meridian / "ring3" / "M-013.md"
    path.write_text(
        path.read_text().replace("## Retrieval", "- As I wrote in M-003, she knew.\n\n## Retrieval", 1)
    )
    shown = " ".join(reel("why", "M-013").ok().out.split())
    assert "- “The tin” (M-003). M-013 speaks of that time: “As I wrote in M-003, she knew”." in shown


@pytest.mark.parametrize(
    ("body", "by_day", "words"),
    [
        ("It was so in M-007 too.", False, "It was so in M-007 too"),
        ("M-0071 is another.", True, ""),
        ("See 2026-02-03-1, message 4.", False, "See 2026-02-03-1, message 4"),
        ("I knew of it since 3 February.", True, "I knew of it since 3 February"),
        ("I knew of it since 3 February.", False, ""),
        ("Two days ago he was stuck.", True, "Two days ago he was stuck"),
        ("On the weekend of 3 February he ran.", True, ""),
        ("In March all was well.", True, ""),
        ('## Retrieval anchors\n\n- "we met on 3 February"', True, ""),
    ],
)
def test_names_by_which_a_page_speaks_of_an_earlier_one(body: str, *, by_day: bool, words: str) -> None:
    """`causes` stands only where a page itself names the earlier evening."""
    found = find_mention(
        page(9, "2026-02-05-1", body), ("M-007", "2026-02-03-1"), ["2026-02-03-1"], by_day=by_day
    )
    assert found == words


def test_one_matter_that_many_chats_have_joins_nothing() -> None:
    assert find_shared([{"gate"}, {"gate"}], KNOWN) == {}
    assert find_shared([{"tin"}, {"tin"}], KNOWN) == {(0, 1): ["tin"]}
    assert find_shared([{"gate", "dara"}, {"gate", "dara"}], KNOWN) == {(0, 1): ["dara", "gate"]}
    assert KNOWN.weigh(["tin", "gate"]) == 3


def test_a_node_is_joined_to_those_it_shares_most_with() -> None:
    """Continuity runs between the nearest in meaning (SRIP-11 §II, continuity vector)."""
    nodes = [{"tin", "pump"}, {"tin"}, {"pump"}, {"tin"}, {"tin", "pump", "dara"}]
    assert sorted(earlier for earlier, later in find_shared(nodes, KNOWN) if later == 4) == [0, 2, 3]


def test_a_reason_names_the_rarest_matters_as_the_pages_write_them() -> None:
    assert drop_parts(["food", "food drive"]) == ["food drive"]
    texts = ["Dara's tin, the pump and the gate"]
    assert tell_shared(["gate", "dara", "tin"], KNOWN, texts) == "Both speak of tin, Dara and gate."
