"""A kit whose experience is gated: its past comes into a bundle only where somebody asks for it."""

import re
import shutil
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.pack.contract import ContractError
from reel_cli.core.pack.draft import BundleDraft
from reel_cli.core.pack.loading import Loader
from reel_cli.core.pack.some_holdings import GATED
from reel_cli.core.pack.unit import TRUST
from tests.core.pack.test_contract import BARE, KIT, unit
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.installed_features import is_installed
from tests.support.kits_at_random import Files
from tests.support.pages import chat

CLOSED = Files({**KIT.files, "kit.yaml": b"name: Ada\nuser: Bo\nwindow: 32k\nexperience: gated\n"})
PAST = ("3", "scenes", "buffer", "story", "traces")
"""The parts that tell of past events."""


@pytest.mark.parametrize("wish", [BARE, BARE._replace(boot=True), BARE._replace(since={"newest": "0"})])
def test_no_kind_of_bundle_has_anything_of_the_past(wish: BundleRequest) -> None:
    """Memory Keep §II.1.1: put only core, directives and the stream into a prompt."""
    if wish.boot and not is_installed("dream"):
        return
    bundle = pack_snapshot(CLOSED.snapshot(), wish)
    assert not {one.ring for one in bundle.loaded}.intersection(PAST)
    for words in ("He counts bucket", "turn 3", "We built it in the rain"):
        assert words not in bundle.text
    # the line that points at a memory stays, and so does where things stand
    assert "the kiln" in bundle.text
    assert {"2", "4"} <= {one.ring for one in bundle.loaded}
    left = [one.id for one in bundle.left_out if (one.ring, one.reason) == ("3", GATED)]
    assert sorted(left) == ["M-001", "M-002", "M-003"]
    if wish.boot:
        assert "The kiln is cold" in bundle.text
        assert any("experience: gated" in told for told in bundle.warnings)


def test_the_usual_kit_is_packed_as_ever() -> None:
    assert "He counts bucket 1" in pack_snapshot(KIT.snapshot(), BARE).text


@pytest.mark.parametrize("ring", ["3", "scenes"])
def test_the_contract_catches_a_memory_that_sneaks_in(ring: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory Keep §II.2: refuse a prompt with anything else in it, above all whole stores."""
    real = Loader.load

    def load(self: Loader) -> BundleDraft:
        made = real(self)
        name = "M-001" if ring == "3" else "2026-02-10-1#1"
        made.marks[f"{ring}:{name}"] = "told"
        at = next(place for place, one in enumerate(made.units) if one.ring == "4")
        before = at if ring == "scenes" else next(p for p, one in enumerate(made.units) if one.id == TRUST)
        made.units.insert(before + 1, unit(ring, name, "- He counts bucket 1.\n"))
        return made

    monkeypatch.setattr(Loader, "load", load)
    with pytest.raises(ContractError) as caught:
        pack_snapshot(CLOSED.snapshot(), BARE)
    assert "was not chosen" in caught.value.message


@pytest.mark.needs("tables")
def test_no_table_is_loaded_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    some = pack_snapshot(CLOSED.snapshot(), BARE._replace(rows=("quests where id = lantern",)))
    assert "The lantern" in some.text
    halves = ("quests where id = lantern", "quests where id != lantern")
    every = ("quests where id != nothing",)
    for filters in (("quests",), ("quests limit 2",), ("quests order by title",), every, halves):
        with pytest.raises(ReelError) as caught:
            pack_snapshot(CLOSED.snapshot(), BARE._replace(rows=filters))
        assert "That is the whole table quests" in caught.value.message
        # the limit that is named is no whole table again (Memory Keep §II.2)
        assert caught.value.hint == "ask for some of it, like  quests where …  or  quests limit 1"
    usual = {**CLOSED.files, "kit.yaml": CLOSED.files["kit.yaml"] + b"domain: {with: quests}\n"}
    bundle = pack_snapshot(Files(usual).snapshot(), BARE)
    assert "The lantern" not in bundle.text
    assert any("the whole table quests" in told for told in bundle.warnings)
    # a row of it may still be asked for
    one = pack_snapshot(Files(usual).snapshot(), BARE._replace(rows=("quests where id = lantern",)))
    assert "The lantern" in one.text
    assert [unit.id for unit in one.loaded if unit.ring == "domain"] == ["quests/lantern"]
    # and the contract itself holds where the filter was let through
    from reel_cli.features.tables import bundle as rows

    monkeypatch.setattr(rows, "_refuse_whole", lambda *_, **__: None)
    with pytest.raises(ContractError):
        pack_snapshot(CLOSED.snapshot(), BARE._replace(rows=("quests",)))


@pytest.mark.needs("tables")
def test_no_setting_asks_for_a_whole_table(reel: Reel, kit: Path) -> None:
    """Memory Keep §II.2: what every bundle would leave out again is not set."""
    reel("domain", "define", "quests", "title", "status:open/done").ok()
    for title in ("the lantern", "the boat"):
        reel("domain", "put", "quests", title, "status=open").ok()
    reel("config", "domain.with", "quests").ok()
    refused = reel("config", "experience", "gated")
    assert (refused.code, refused.err.splitlines()) == (
        1,
        [
            "Error: domain.with asks for the whole table quests, and a gated kit loads none whole.",
            "Hint: change that first:  reel config domain.with default",
        ],
    )
    reel("config", "domain.with", "default").ok()
    reel("config", "experience", "gated").ok()
    refused = reel("config", "domain.with", "quests")
    assert "That is the whole table quests" in refused.err
    assert "domain" not in (kit / "kit.yaml").read_text()
    reel("config", "domain.with", "quests limit 1").ok()


def test_a_lived_kit_says_so_and_finds_by_query(reel: Reel) -> None:
    """Memory Keep §I.4: retrieve past events when they matter, never all of them."""
    kit = reel.cwd / "ada"
    shutil.copytree(CHECKOUT / "kits/ada", kit)
    git(kit, "init", "-q")
    git(kit, "add", "-A")
    git(kit, "commit", "-qm", "as it is")
    one = ("--kit", "ada")
    memory = next(line for line in (kit / "ring3/M-016.md").read_text().splitlines()[20:] if len(line) > 40)
    assert memory[:40] in reel(*one, "pack").ok().out
    done = reel(*one, "config", "experience", "gated").ok()
    assert "experience gated, was loaded" in done.out
    packed = reel(*one, "pack", "--explain").ok()
    assert memory[:40] not in packed.out
    assert "found by query only (experience: gated)" in packed.err
    assert "experience: gated" in reel(*one, "status").ok().out
    assert reel(*one, "recall", "--", memory[:40]).ok().out
    assert memory[:40] not in reel(*one, "export", "letter").ok().out
    reel(*one, "config", "experience", "default").ok()
    assert memory[:40] in reel(*one, "pack").ok().out


def test_a_word_that_is_neither_is_refused(reel: Reel, kit: Path) -> None:
    with (kit / "kit.yaml").open("a") as file:
        file.write("experience: closed\n")
    done = reel("pack")
    assert (done.code, "which is not loaded or gated" in done.err) == (1, True)


@pytest.mark.needs("facts")
def test_what_happened_is_no_fact_of_every_bundle_and_is_found_by_query(reel: Reel, kit: Path) -> None:
    """Memory Keep §I.4: past events are retrieved when they matter, also those that are known by heart."""
    for category, key, value in (
        ("history", "wedding", "married Ines in 2011"),
        ("history", "allergy", "penicillin, since 2009"),
        ("identity", "trade", "cooper"),
    ):
        reel("fact", "add", category, key, value).ok()
    reel("record", "-", stdin="Bo: Good evening.\nAda: Good evening, Bo.\n").ok()
    assert "married Ines in 2011" in reel("pack").ok().out
    reel("config", "experience", "gated").ok()
    packed = reel("pack", "--explain").ok()
    assert "married Ines" not in packed.out
    assert "penicillin" in packed.out
    assert "cooper" in packed.out
    assert "found by query only (experience: gated)" in packed.err
    assert "married Ines in 2011" in reel("recall", "wedding").ok().out
    assert "found by query only" in reel("fact", "list").ok().out


@pytest.mark.needs("stream")
def test_how_the_chat_began_is_named_among_what_is_left_out(reel: Reel, kit: Path) -> None:
    """SRIP-11 §III.5a: where the first cycles are not in a bundle, nobody has to find that out."""
    reel("record", "-", stdin=chat()).ok()
    assert "Of no effect" not in reel("config", "buffer").ok().out
    reel("config", "experience", "gated").ok()
    shown = reel("pack", "--explain").ok().err
    assert re.search(rf"\n  how it began: \S+#1-\d+ \({re.escape(GATED)}\)\n", shown)
    for name in ("buffer", "buffer.cycles"):
        told = " ".join(reel("config", name).ok().out.split())
        assert "Of no effect here: past events are found by query only (experience: gated)." in told
