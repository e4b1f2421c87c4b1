"""`reel memory threads`: what came up again and again, on kits with a past."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.threads.clusters import cut_clusters
from reel_cli.features.threads.lattice import FILE, Lattice
from reel_cli.features.threads.phases import BESIDE, Phase, follow_phases
from reel_cli.features.threads.picture import MOST_TOLD
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.survey import find_sentence, open_lattice, survey_threads
from reel_cli.features.threads.terms import WordForms, count_terms, plain_form, read_terms
from tests.support.cli import Reel
from tests.support.embedding_server import serve_embeddings
from tests.support.shelf import take_over


@pytest.fixture
def meridian(reel: Reel, tmp_path: Path) -> Path:
    return take_over(reel, tmp_path / "kit", "meridian")


def snapshot(root: Path) -> Snapshot:
    return Snapshot(WorkTree(root), root.name)


def threads(reel: Reel, *name: str) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(reel("memory", "threads", *name, "--json").ok().out)["threads"]
    return told


def test_the_people_and_places_of_a_game_are_its_threads(reel: Reel, meridian: Path) -> None:
    told = reel("memory", "threads").ok()
    names = [line.split()[0] for line in told.out.splitlines()]
    assert {"Calder", "Dara", "Holm", "gate"} <= set(names)
    assert "reel memory threads Calder" in told.err


def test_a_thread_is_told_by_its_newest_chat_also_where_that_has_no_page(reel: Reel, meridian: Path) -> None:
    chat = meridian / "chat.md"
    chat.write_text("Ruth: Dara is back at the gate, Dara with her dog.\n\nMeridian: Dara, then.\n")
    reel("record", str(chat), "--on", "2026-02-22", "--yes").ok()
    line = next(line for line in reel("memory", "threads").ok().out.splitlines() if line.startswith("Dara"))
    assert "to 2026-02-22" in line
    assert "last: “Dara is back at the gate" in line


@pytest.mark.parametrize(
    ("first", "second", "third", "matter"),
    [
        (
            "Ich habe die Werkstatt gesehen. Ich mag die Werkstatt, und ich habe Zeit.",
            "Ich habe gestern nicht gearbeitet. Ich war in der Werkstatt, in der kleinen Werkstatt.",
            "Ich habe Angst um die Werkstatt. Ich verkaufe die Werkstatt nicht, ich habe es gesagt.",
            "Werkstatt",
        ),
        (
            "Eu gosto que a oficina fique aberta. Que oficina linda, que bom.",
            "Acho que a oficina vai fechar. Que pena, que oficina tão boa.",
            "Disse que não vendo a oficina, que é minha, que a oficina fica.",
            "oficina",
        ),
    ],
)
def test_no_thread_is_named_by_a_word_that_joins_others(
    reel: Reel, kit: Path, first: str, second: str, third: str, matter: str
) -> None:
    for day, words in enumerate((first, second, third), 20):
        (kit / "chat.md").write_text(f"Bo: {words}\n\nAda: {words}\n", encoding="utf-8")
        reel("record", "chat.md", "--on", f"2026-02-{day}", "--yes").ok()
    (kit / "chat.md").unlink()
    assert [one["name"].casefold() for one in threads(reel)] == [matter.casefold()]


def test_one_thread_is_told_from_its_beginning(reel: Reel, meridian: Path) -> None:
    """SRIP-11 §I: store less and keep the thread over very long tapes, by a net of linked nodes."""
    told = reel("memory", "threads", "dara").ok().out.splitlines()
    assert told[0] == "Dara: 2025-07-15 to 2025-12-19, 4 chats"
    assert told[1].split()[0] == "2025-07-15"
    assert "The tin (M-003)" in told[1]
    assert "Meridian was steady in all of them." in reel("memory", "threads", "dara").ok().err
    assert "(M-010)" in told[-1]


def test_any_word_that_two_chats_have_can_be_followed(reel: Reel, meridian: Path) -> None:
    listed = threads(reel)
    assert "bridge" not in [one["name"] for one in listed]
    assert len(threads(reel, "bridge")[0]["sessions"]) > 1
    refused = reel("memory", "threads", "zeppelin")
    assert refused.code == 1
    assert '"zeppelin" does not come up in two chats.' in refused.err


def test_the_json_names_chats_memories_phases_and_weight(reel: Reel, meridian: Path) -> None:
    one = next(one for one in threads(reel) if one["name"] == "Dara")
    assert one["memories"] == ["M-003", "M-006", "M-009", "M-010"]
    assert one["sessions"] == sorted(one["sessions"])
    assert one["weight"] >= len(one["sessions"])
    assert set(one["phases"]) == set(one["sessions"])
    # four ribs, and a cluster has five at least
    assert one["clusters"] == []


def test_one_thread_tells_each_field_of_its_ribs(reel: Reel, meridian: Path) -> None:
    """Text, vector, phase, density, entropy, lineage and time of a rib point (SRIP-11 §IV)."""
    assert all("rib_points" not in one for one in threads(reel))
    (one,) = threads(reel, "Dara")
    assert [rib["id"] for rib in one["rib_points"]] == one["ribs"]
    for rib in one["rib_points"]:
        assert rib["summary"]
        assert rib["centroid"]["kind"] == "lexical"
        assert "dara" in rib["centroid"]["terms"] or len(rib["centroid"]["terms"]) == 12
        assert rib["phase"] == one["phases"][rib["session"]]
        assert [parent < rib["id"] for parent in rib["lineage"]] == [True]
        coherence = 1 - rib["entropy"]
        assert rib["retention"] == pytest.approx(rib["density"] * coherence / rib["entropy"], abs=1e-5)
        assert rib["created_at"][:10] >= rib["session"][:10]


def test_the_centroid_is_of_embeddings_where_the_kit_has_them(reel: Reel, meridian: Path) -> None:
    """A mean vector, and entropy by the cosines of cycles (SRIP-11 §III.1, §IV)."""
    (lexical,) = threads(reel, "Dara")
    with serve_embeddings() as server:
        with (meridian / "kit.yaml").open("a") as settings:
            settings.write(f"recall: {{embeddings: '{server.address}'}}\n")
        (one,) = threads(reel, "Dara")
        for rib, by_words in zip(one["rib_points"], lexical["rib_points"], strict=True):
            assert rib["centroid"]["kind"] == "embeddings"
            assert rib["centroid"]["model"].startswith(server.address)
            assert 0 < sum(value**2 for value in rib["centroid"]["vector"]) <= 1.001
            assert rib["centroid"]["terms"] == by_words["centroid"]["terms"]
            assert 0 <= rib["entropy"] < by_words["entropy"]
            coherence = 1 - rib["entropy"]
            assert rib["retention"] == pytest.approx(
                rib["density"] * coherence / max(0.01, rib["entropy"]), abs=1e-4
            )
    # a server that is gone leaves the words
    (one,) = threads(reel, "Dara")
    assert [rib["centroid"] for rib in one["rib_points"]] == [
        rib["centroid"] for rib in lexical["rib_points"]
    ]


def test_a_cluster_has_five_to_ten_ribs_and_says_what_they_share(reel: Reel, meridian: Path) -> None:
    """Theme, phases and cohesion of a cluster (SRIP-11 §IV)."""
    by_name = {one["name"]: one for one in threads(reel)}
    for one in by_name.values():
        sizes = [len(cluster["ribs"]) for cluster in one["clusters"]]
        assert sum(sizes) == (len(one["ribs"]) if len(one["ribs"]) >= 5 else 0)
        assert all(5 <= size <= 10 for size in sizes)
        assert all(sum(cluster["phases"].values()) == len(cluster["ribs"]) for cluster in one["clusters"])
    assert by_name["gate"]["clusters"][0]["theme"] == "Calder, list"
    told = reel("memory", "threads", "gate", "--explain").ok().out.splitlines()
    assert "7 ribs in 1 cluster" in told
    assert "6 stable" in told[-1]
    assert "with Calder, list" in told[-1]
    assert "4 ribs, too few for a cluster" in reel("memory", "threads", "dara", "--explain").ok().out
    assert "needs the name of a thread" in reel("memory", "threads", "--explain").err


@pytest.mark.parametrize(
    ("count", "sizes"), [(4, []), (5, [5]), (10, [10]), (11, [5, 6]), (34, [8, 9, 8, 9])]
)
def test_ribs_are_shared_out_evenly_among_clusters(count: int, sizes: list[int]) -> None:
    ribs = [RibPoint(f"c{n}", (1, 2), (1, 4), {"lease": 2, "flat": 1}, 9, 0.5, 0.5, 1) for n in range(count)]
    found = cut_clusters("flat", ["flat"], ribs, {}, lambda _term: 1.0)
    assert [len(one.ribs) for one in found] == sizes
    assert all(one.theme == ("lease",) and one.cohesion == 1.0 for one in found)


def test_the_picture_is_svg_that_names_every_thread(reel: Reel, meridian: Path) -> None:
    drawn = ET.fromstring(reel("memory", "threads", "--svg").ok().out)  # noqa: S314 (our own output)
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    # its days begin on 8 July; each named month is within them
    assert {"Calder", "Dara", "8 Jul 2025", "Aug", "Jan 2026", "21 Feb 2026"} <= set(texts)
    assert "Mar" not in texts
    told = drawn.find("{http://www.w3.org/2000/svg}desc")
    assert told is not None
    assert "Calder in 5 chats" in (told.text or "")
    # a band from day to day, and what is light is said anew for a dark screen
    sizes = {float(one.get("r", "")) for one in drawn.iter("{http://www.w3.org/2000/svg}circle")}
    assert len(sizes) > 3
    assert len([*drawn.iter("{http://www.w3.org/2000/svg}polygon")]) > 6
    style = drawn.find("{http://www.w3.org/2000/svg}style")
    assert style is not None
    assert "prefers-color-scheme: dark" in (style.text or "")


def test_the_picture_tells_a_stranger_who_talked_and_of_what(reel: Reel, meridian: Path) -> None:
    drawn = ET.fromstring(reel("memory", "threads", "--svg").ok().out)  # noqa: S314 (our own output)
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "Ruth and Meridian: what came up again and again"
    # the page's own sentence where that names the thread, else the page's title, else a passage of the chat
    assert "15 Jul: It was Dara, nine hours on the rig with no dinner." in texts
    assert "3 Sep: Yes, and what yes costs" in texts
    assert "29 Jul: “…on the tops from Aldhouse, told by Callum from the van…”" in texts
    # what came up with it, and only the phases that there were
    assert "Gareth, clock" in texts
    assert {"steady", "in thought"} <= set(texts)
    assert texts.count("unsure") == texts.count("finding itself") == 0
    # two tellings stand side by side below a band
    assert max(len(text or "") for text in texts[1:]) <= MOST_TOLD + 8


@pytest.mark.parametrize(
    ("text", "most", "told"),
    [
        ("We ate. The flat is ours! It rained.", 40, "The flat is ours!"),
        ("We ate.\nThe flats are dear", 40, "The flats are dear"),
        ("Nobody said it.", 40, "Nobody said it."),
        ("", 40, ""),
        ("One two three four five six seven eight the flat nine ten eleven", 30, "…eight the flat nine ten…"),
        ("昨天下雨。我们去了灯塔。", 40, "我们去了灯塔。"),
    ],
)
def test_the_sentence_that_names_a_thread(text: str, most: int, told: str) -> None:
    assert find_sentence(text, "灯塔" if "灯" in text else "flat", most) == told


def test_a_kit_without_pages_writes_its_threads_as_they_were_said(reel: Reel, kit: Path) -> None:
    for day in range(1, 13):
        text = "Trans archives? Trans archives! Then the Hebrides." if day < 6 else "Plum jam again."
        said = Conversation("messages", [Message("user", text), Message("assistant", "I see.")])
        path = kit / session_path(f"2026-01-{day:02}-1")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(render_session(path.stem, said))
    (one,) = threads(reel)
    assert (one["name"], one["memories"]) == ("Trans archives", [])
    assert [set(cluster["theme"].split(", ")) for cluster in one["clusters"]] == [{"Hebrides"}]


def test_an_empty_kit_has_no_thread(reel: Reel, kit: Path) -> None:
    assert "No matter came up in three chats yet." in reel("memory", "threads").ok().err


def test_the_lattice_is_the_same_however_it_came_about(reel: Reel, meridian: Path) -> None:
    """Derived, and rebuilt from committed files (SRIP-11 §IV, Storage)."""
    chats = {path.stem: "" for path in sorted(meridian.glob("tape/2*/*.md"))}

    def read(name: str) -> bytes:
        return (meridian / "tape" / name[:4] / f"{name}.md").read_bytes()

    stores: list[list[tuple[object, ...]]] = []
    for order in (sorted(chats), sorted(chats, reverse=True)):
        store = Lattice(meridian / f"{len(stores)}.sqlite")
        for name in order:
            # chat by chat, each beside those that are known
            known = {row[0] for row in store.rows() if isinstance(row[0], str) and len(row) == 2}
            store.refresh(dict.fromkeys([*known, name], ""), read, "hybrid", frozenset())
        stores.append(store.rows())
    assert stores[0] == stores[1]


def test_a_damaged_lattice_is_made_anew(reel: Reel, meridian: Path) -> None:
    before = reel("memory", "threads").ok().out
    (meridian / FILE).write_bytes(b"no database at all" * 400)
    assert reel("memory", "threads").ok().out == before


def test_a_chat_that_was_taken_back_is_in_no_thread(reel: Reel, meridian: Path) -> None:
    with open_lattice(meridian, snapshot(meridian)) as lattice:
        before = next(one for one in survey_threads(lattice, snapshot(meridian)) if one.thread.name == "Dara")
    reel("tape", "retract", before.thread.chats[0], "--yes").ok()
    with open_lattice(meridian, snapshot(meridian)) as lattice:
        found = survey_threads(lattice, snapshot(meridian), "Dara")
    assert before.thread.chats[0] not in found[0].thread.chats


def test_ribs_are_cut_every_ten_cycles_within_a_chat(reel: Reel, meridian: Path) -> None:
    """A rib point condenses 10 cycles, with density, entropy and retention (SRIP-11 §III.1 and §III.2)."""
    with open_lattice(meridian, snapshot(meridian)) as lattice:
        ribs = lattice.list_ribs()
    assert ribs
    for rib in ribs:
        first, last = rib.cycles
        assert 1 <= last - first + 1 < 14
        assert 0 <= rib.density <= 1
        assert 0 <= rib.entropy <= 1
        assert rib.retention == pytest.approx(rib.density * (1 - rib.entropy) / max(0.01, rib.entropy))
        assert rib.messages[0] <= rib.middle <= rib.messages[1]


@pytest.mark.parametrize(
    ("signs", "phases"),
    [
        ("ffs", "ffs"),
        ("ssxs", "ssrs"),
        ("sxxs", "srxr"),
        ("fx", "fs"),
        ("sf", "ss"),
    ],
)
def test_a_phase_goes_over_into_one_beside_it(signs: str, phases: str) -> None:
    """Phases: forming, stable, reflection, fragmenting, and which go with which (SRIP-11 §III.4)."""
    by_letter = {"f": Phase.FORMING, "s": Phase.STABLE, "r": Phase.REFLECTION, "x": Phase.FRAGMENTING}
    found = follow_phases([by_letter[sign] for sign in signs])
    assert found == [by_letter[phase] for phase in phases]
    assert all(later in BESIDE[earlier] for earlier, later in pairwise(found))


def test_terms_are_words_that_name_a_matter() -> None:
    assert count_terms("The flats, the flat's door and another flat.")["flat"] == 3
    assert "yesterday" not in count_terms("Yesterday I always thought of the food drive.")
    assert count_terms("the food drive")["food drive"] == 1
    assert count_terms("昨天我们去了灯塔。")["灯塔"] == 1
    assert plain_form("Puppies") == "puppy"
    assert count_terms("a food-drive, food;drive food--drive\nfood\ndrive")["food drive"] == 1


def test_the_terms_are_the_same_however_few_words_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stretch that was let go is read again; one of the older half comes back as it was."""
    text = "The harbor's old light-house, then Harbor lights; 灯塔 at the harbor,\nlight house. " * 3
    whole = read_terms(text, WordForms(frozenset({"light"})))
    assert {"harbor", "house", "灯塔"} == set(whole.single)
    monkeypatch.setattr("reel_cli.features.threads.terms._MOST_KNOWN", 2)
    few = WordForms(frozenset({"light"}))
    assert [read_terms(text, few) for _ in range(3)] == [whole] * 3
    assert len(few) <= 2
