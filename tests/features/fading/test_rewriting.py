"""Memories written again, from real replies of many tempers: what is kept, and what stays as it was."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from reel_cli.core.exchange.exchange import Answer, Handout
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.fading.ask import Request, RewriteAsk, UnaskedMemory
from reel_cli.features.fading.rewrite_exchange import Rewriter, list_again
from tests.support.cli import CHECKOUT, Reel
from tests.support.shelf import take_over

REPLIES = CHECKOUT / "tests" / "fixtures" / "rewritings"
WINDOW = 16_384
ASKED = {
    "meridian": (("M-011", "L2"), ("M-013", "L2"), ("M-006", "L3")),
    "ada": (
        ("M-009", "L3"),
        ("M-010", "L3"),
        ("M-012", "L3"),
        ("M-013", "L2"),
        ("M-015", "L2"),
        ("M-016", "L2"),
    ),
}


@dataclass(frozen=True)
class Bench:
    """One example kit, ready to be asked of."""

    root: Path
    snapshot: Snapshot
    rewriter: Rewriter

    def ask(self, kit: str) -> Handout:
        requests = [Request(name, level, "200 days old") for name, level in ASKED[kit]]
        asked, unasked = self.rewriter.make(
            self.snapshot, requests, op="maintain", purpose="shorter", window=WINDOW
        )
        assert unasked == []
        assert asked is not None
        return self.rewriter.hand(asked)


def _bench(reel: Reel, kit: str) -> Bench:
    return _open(take_over(reel, reel.cwd / kit, kit))


def _open(root: Path) -> Bench:
    repo = find_repository(root)
    assert repo is not None
    snapshot = Snapshot(WorkTree(root), root.name)
    counter = get_tokenizer(snapshot.settings.tokenizer)
    return Bench(root, snapshot, Rewriter(repo, read_in_force(snapshot, repo), counter, "maintain"))


def _read(bench: Bench, kit: str, temper: str) -> Answer:
    reply = (REPLIES / f"{kit}-shorter--{temper}.txt").read_text(encoding="utf-8")
    return bench.ask(kit).read(bench.snapshot, reply)


ALL = ["M-011", "M-013", "M-006"]


@pytest.mark.parametrize(
    ("temper", "offered", "left"),
    [
        ("strong", ALL, {}),
        ("terse", ALL, {}),
        ("chatty", ALL, {}),
        ("json", ALL, {}),
        ("yaml", ALL, {}),
        ("thinking", ALL, {}),
        ("sloppy", ALL, {}),
        ("halfway", ["M-013"], {"M-011": "it holds none of the headings", "M-006": "it did not come back"}),
    ],
)
def test_every_temper_is_read(reel: Reel, temper: str, offered: list[str], left: dict[str, str]) -> None:
    answer = _read(_bench(reel, "meridian"), "meridian", temper)

    assert answer.refusal == ""
    assert [offer.id for offer in answer.offers] == offered
    assert {one.id: one.why for one in answer.left} == left


@pytest.mark.parametrize(
    ("temper", "left"),
    [
        ("strong", {}),
        ("bold", {}),
        (
            "sloppy",
            {
                "M-010": "it was written together with another; each has to stand by itself",
                "M-012": "it was written together with another; each has to stand by itself",
                "M-013": "it is about page 5, Seven people and a dog",
                "M-015": "it is about page 4, Under the light there is no light",
            },
        ),
    ],
)
def test_merged_and_swapped_pages_leave_their_memories_alone(
    reel: Reel, temper: str, left: dict[str, str]
) -> None:
    answer = _read(_bench(reel, "ada"), "ada", temper)

    assert {one.id: one.why for one in answer.left} == left
    assert [offer.id for offer in answer.offers] == [name for name, _ in ASKED["ada"] if name not in left]


def test_what_was_said_word_for_word_is_no_memory(reel: Reel) -> None:
    answer = _read(_bench(reel, "ada"), "ada", "copy")

    whys = {one.id: one.why for one in answer.left}
    assert {name for name, why in whys.items() if why.startswith("it only repeats what was said")} == {
        *("M-012", "M-013", "M-015", "M-016")
    }


def test_a_page_that_grew_is_left(reel: Reel) -> None:
    answer = _read(_bench(reel, "ada"), "ada", "grows")

    assert answer.offers == ()
    assert all("grew" in one.why or "has at most" in one.why for one in answer.left)


def test_a_memory_edited_after_the_prompt_stays_as_it_is(reel: Reel) -> None:
    bench = _bench(reel, "meridian")
    handout = bench.ask("meridian")
    file = bench.root / "ring3" / "M-013.md"
    file.write_text(file.read_text() + "\nBy hand.\n")
    reply = (REPLIES / "meridian-shorter--strong.txt").read_text(encoding="utf-8")

    answer = handout.read(_open(bench.root).snapshot, reply)

    assert [offer.id for offer in answer.offers] == ["M-011", "M-006"]
    assert [(one.id, one.why, one.again) for one in answer.left] == [
        ("M-013", "it was changed after the prompt was made", False)
    ]


def test_a_kept_page_falls_one_level_and_history_says_so(reel: Reel) -> None:
    bench = _bench(reel, "meridian")
    offer = _read(bench, "meridian", "strong").offers[0]

    change = offer.plan(bench.snapshot)

    assert change.subject == "maintain: M-011, page to digest"
    keys = [key for key, _ in change.trailers if key != "Reel-Compression"]
    assert keys == ["Reel-Forgot", "Reel-Session", "Reel-Memory", "Reel-Tokenizer", "Reel-Ring0"]
    data = change.writes["ring3/M-011.md"]
    assert data is not None
    after = bench.snapshot.after(change)
    fallen, before = after.memories["M-011"], bench.snapshot.memories["M-011"]
    assert (fallen.level, fallen.source, fallen.tags, fallen.anchor, fallen.uid) == (
        *("L2", before.source, before.tags, before.anchor, before.uid),
    )
    # "In one breath" that came with the shorter page is kept too
    assert fallen.marker != before.marker
    assert fallen.marker.startswith("A second order reached me and not the van")
    assert f'- "{before.anchor}"' in fallen.body
    assert offer.told["tokens_before"] > offer.told["tokens_after"] > 0


def test_every_prompt_carries_ring_0_the_page_and_what_was_said(reel: Reel) -> None:
    bench = _bench(reel, "meridian")
    handout = bench.ask("meridian")

    assert bench.snapshot.text("ring0/identity.md") is not None
    assert "You are Meridian, coordinator" in handout.prompt
    for name, _ in ASKED["meridian"]:
        memory = bench.snapshot.memories[name]
        assert memory.body.strip() in handout.prompt
        assert memory.anchor in handout.prompt
    assert not any(word in handout.prompt for word in ("M-011", "ring 3", "token", "consolidat"))


def test_what_the_persona_keeps_steers_how_its_pages_are_shortened(reel: Reel) -> None:
    """Compression is tuned to the persona by what it kept (REEL §12.2)."""
    root = _bench(reel, "ada").root
    line = "What you have kept before: what is emotional; Marta and kiln. Let what goes be something else."
    assert line not in _open(root).ask("ada").prompt
    for value, said in (("what is emotional; Marta and kiln", True), ("none", False)):
        reel("config", "maintain.keeps", value, cwd=root).ok()
        assert (line in _open(root).ask("ada").prompt) is said


def test_a_memory_whose_source_is_not_on_the_tape_is_not_asked_for(reel: Reel) -> None:
    bench = _bench(reel, "meridian")
    file = bench.root / "ring3" / "M-013.md"
    text = file.read_text()
    file.write_text(text.replace("2026-02-21-1", "2026-02-28-1"))
    bench = _open(bench.root)

    asked, unasked = bench.rewriter.make(
        bench.snapshot, [Request("M-013", "L2", "old")], op="maintain", purpose="shorter", window=WINDOW
    )

    assert asked is None
    assert unasked == [UnaskedMemory("M-013", "the chat it was made from is not in this kit")]


def test_what_does_not_fit_waits_for_the_next_paste(reel: Reel) -> None:
    bench = _bench(reel, "ada")
    requests = list_again(bench.snapshot, None)

    asked, unasked = bench.rewriter.make(
        bench.snapshot, requests, op="consolidate", purpose="wider", window=6_000
    )

    assert asked is not None
    first = [page["id"] for page in asked.stored["pages"]]
    assert [*first, *asked.stored["rest"]] == [request.id for request in requests]
    assert unasked == []
    counter = get_tokenizer("o200k_base")
    assert counter.count(asked.prompt) <= 6_000


def test_what_is_left_over_is_asked_for_again_by_itself(reel: Reel) -> None:
    bench = _bench(reel, "meridian")
    handout = bench.ask("meridian")

    again = handout.repeat(bench.snapshot, ["M-006"])

    assert again is not None
    assert [page["id"] for page in again.ask.stored["pages"]] == ["M-006"]
    assert again.ask.name == handout.ask.name


def test_a_prompt_is_the_same_after_it_was_put_by(reel: Reel) -> None:
    bench = _bench(reel, "meridian")
    handout = bench.ask("meridian")

    loaded = RewriteAsk.load(handout.ask.stored)

    assert loaded is not None
    assert (loaded.prompt, loaded.stored) == (handout.prompt, handout.ask.stored)
    assert RewriteAsk.load({"kind": "rewriting"}) is None
