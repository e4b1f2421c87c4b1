"""Shared kits that were edited, lost or purged, and kits that are not what they say."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.features.share import overdue_memories
from tests.features.share.kits import BOAT, EVENING, TOLD, answer, keep, make_kits, take
from tests.support.cli import Reel, git

HEARD = "Ada told me that Bo painted his boat bottle green over Easter, with two coats."


@pytest.fixture
def vera(reel: Reel, kit: Path) -> Path:
    """Vera's kit, which took in a memory of Ada's."""
    _, vera = make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    return vera


@pytest.fixture
def shared(vera: Path) -> Path:
    """The shared kit."""
    return vera.parent / "shared"


def test_a_purge_of_the_words_reaches_the_shared_kit_and_who_took_them_in(
    reel: Reel, kit: Path, vera: Path, shared: Path
) -> None:
    done = reel("purge", "--match", "two coats", "--confirm", "Ada").ok()
    assert "It was shared as S-001; that is taken back too." in done.err
    assert "reel --kit ../vera purge --match -" in done.err
    assert "boat" not in reel("pack", cwd=vera).ok().out
    every = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=shared, capture_output=True, check=True
    )
    assert b"two coats" not in every.stdout
    assert b"S-001" in every.stdout
    assert git(shared, "status", "--porcelain") == ""
    assert "Ada shares nothing" in reel("share").ok().out


def test_a_purge_names_the_tags_of_the_shared_kit_that_it_leaves(
    reel: Reel, vera: Path, shared: Path
) -> None:
    git(shared, "tag", "easter")
    done = reel("purge", "--match", "two coats", "--confirm", "Ada").ok()
    assert "Other branches and tags there may still have it: easter." in done.err


def test_a_purge_of_the_session_reaches_them(reel: Reel, vera: Path, shared: Path) -> None:
    before = reel("purge", "2026-02-20-1", "--dry-run").ok()
    assert "It was shared as S-001 with vera; that is taken back too." in before.out
    done = reel("purge", "2026-02-20-1", "--confirm", "Ada").ok()
    assert "that is taken back too" in done.err
    assert "boat" not in reel("pack", cwd=vera).ok().out
    assert TOLD not in (shared / "memories/S-001.yaml").read_text()


def test_a_purge_of_something_else_takes_nothing_back(reel: Reel, vera: Path) -> None:
    done = reel("purge", "--match", EVENING[0][1], "--confirm", "Ada").ok()
    assert "taken back" not in done.err
    assert HEARD in reel("pack", cwd=vera).ok().out


def test_without_the_shared_kit_a_purge_says_what_it_did_not_reach(
    reel: Reel, vera: Path, shared: Path
) -> None:
    shared.rename(shared.parent / "away")
    done = reel("purge", "--match", "two coats", "--confirm", "Ada").ok()
    assert "The shared kit ../shared is not here" in done.err
    assert HEARD in reel("pack", cwd=vera).ok().out


@pytest.mark.parametrize(
    "broken",
    ["title: [", "with: [vera]\n", "- a\n- b\n", "title: x\nfrom: ada\nmemory: M-001\nsaid: no\n", "\0"],
)
def test_a_broken_file_is_named_and_takes_nothing_away(
    reel: Reel, vera: Path, shared: Path, broken: str
) -> None:
    (shared / "memories/S-001.yaml").write_text(broken)
    packed = reel("pack", cwd=vera).ok()
    assert HEARD in packed.out
    listed = reel("share", cwd=vera).ok()
    assert "S-001.yaml" in listed.err
    assert "S-001.yaml" in reel("doctor", cwd=vera).out
    refused = reel("share", "M-001", "--back", "--yes")
    assert refused.code == 1
    assert "S-001.yaml" in refused.err


@pytest.mark.parametrize("broken", ["kind: persona\n", "kits: [", "kind: shared\nkits: none\n", ""])
def test_a_broken_list_of_kits_takes_nothing_away(reel: Reel, vera: Path, shared: Path, broken: str) -> None:
    (shared / "shared.yaml").write_text(broken)
    assert HEARD in reel("pack", cwd=vera).ok().out
    assert reel("share", cwd=vera).code == 1
    assert "shared" in reel("doctor", cwd=vera).out


def test_a_folder_in_the_list_is_believed_only_if_that_kit_says_the_same(
    reel: Reel, kit: Path, vera: Path, shared: Path
) -> None:
    members = shared / "shared.yaml"
    # another kit is named in Vera's place
    members.write_text(members.read_text().replace("../vera", "../mara"))
    before = git(kit.parent / "mara", "rev-parse", "HEAD")
    reel("share", "M-001", "--back", "--yes").ok()
    assert git(kit.parent / "mara", "rev-parse", "HEAD") == before
    # Vera's own kit knows its name, and that it was taken back
    assert "boat" not in reel("pack", cwd=vera).ok().out


def test_the_shares_file_is_read_with_care(reel: Reel, vera: Path) -> None:
    (vera / "shares.yaml").write_text("shared: ../shared\ntaken: {M-001: ../../etc}\n")
    assert HEARD in reel("pack", cwd=vera).ok().out
    assert "shares.yaml" in reel("doctor", cwd=vera).out


def test_what_was_taken_in_and_edited_by_hand_is_taken_back_as_well(reel: Reel, vera: Path) -> None:
    path = vera / "ring3/M-001.md"
    path.write_text(path.read_text().replace("two coats", "three coats"))
    reel("share", "M-001", "--back", "--yes").ok()
    assert "boat" not in reel("pack", cwd=vera).ok().out
    # the person's own words are in the history
    assert "three coats" in git(vera, "log", "-p", "--", "ring3/M-001.md")


def test_who_has_something_to_hear_is_told_before_a_chat(reel: Reel, kit: Path, vera: Path) -> None:
    reel("share", "M-001", "--back", "--yes").ok()
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    started = reel("start", cwd=vera).ok()
    assert "Ada has something to tell, “The boat”:  reel share S-002" in " ".join(started.err.split(" "))


def test_telling_twice_and_two_kits_of_one_name(reel: Reel, kit: Path, vera: Path) -> None:
    again = reel("share", "M-001", "--with", "Vera", "--yes").ok()
    assert "Vera may know it already." in again.out
    reel("init", "vera2", "--template", "companion", "--name", "Vera", cwd=kit.parent).ok()
    assert "could be several kits" in reel("share", "M-001", "--with", "Vera", "--yes").err
    assert "own memory" in reel("share", "M-001", "--with", ".", "--yes").err
    assert "No kit or group is called" in reel("share", "M-001", "--with", "Zora", "--yes").err
    assert reel("share", "S-001", "--with", "mara", "--yes").code != 0


def test_a_stub_of_what_was_told_goes_too_and_a_shorter_form_is_still_known_as_told(
    reel: Reel, vera: Path
) -> None:
    reel("forget", "M-001", "--yes", cwd=vera).ok()
    assert "Bo's boat (Ada told me)" in (vera / "ring4/index.md").read_text()
    reel("restore", "M-001", cwd=vera).ok()
    assert "shared: S-001" in (vera / "ring3/M-001.md").read_text()
    reel("forget", "M-001", "--yes", cwd=vera).ok()
    reel("share", "M-001", "--back", "--yes").ok()
    assert "boat" not in (vera / "ring4/index.md").read_text()
    assert reel("tape", "verify", cwd=vera).code == 0


def test_an_answer_that_waits_is_refused_once_it_was_taken_back(reel: Reel, kit: Path, vera: Path) -> None:
    reel("share", "M-001", "--back", "--yes").ok()
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    reel("share", "S-002", "--prompt", cwd=vera).ok()
    reel("share", "M-001", "--back", "--yes").ok()
    assert take(reel, vera, "S-002", HEARD).code == 1
    assert "boat" not in reel("pack", cwd=vera).ok().out


def test_an_answer_can_be_edited_before_it_is_kept(
    reel: Reel, kit: Path, vera: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reel("share", "S-001", "--back", "--yes", cwd=vera).ok()
    monkeypatch.setenv("EDITOR", "sed -i s/bottle/moss/")
    (vera / "reply.md").write_text(answer(HEARD, sign="Vera"))
    done = reel("share", "S-001", cwd=vera, stdin="f reply.md\ne\nq\n", tty=True)
    assert "moss green over Easter" in done.err
    assert "moss" not in reel("pack", cwd=vera).ok().out


def test_a_note_that_all_was_settled_hides_nothing(
    reel: Reel, vera: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overdue_memories, "_YOUNG", -(10**15))
    for _ in range(2):
        assert HEARD in reel("pack", cwd=vera).ok().out
    away = vera.rename(vera.parent / "elsewhere")
    reel("share", "M-001", "--back", "--yes").ok()
    away.rename(vera)
    assert "boat" not in reel("pack", cwd=vera).ok().out
    reel("undo", "--yes", cwd=vera).ok()
    assert "boat" not in reel("pack", cwd=vera).ok().out


def test_a_folder_of_the_person_s_own_is_left_alone(reel: Reel, kit: Path) -> None:
    make_kits(reel, kit)
    own = kit.parent / "shared"
    own.mkdir()
    (own / "recipes.txt").write_text("flour\n")
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    assert [path.name for path in own.iterdir()] == ["recipes.txt"]
    assert "S-001" in reel("share", cwd=kit.parent / "vera").ok().out
    assert "something to tell" in reel("start", cwd=kit.parent / "vera").ok().err


def test_kits_in_one_repository_share_in_it(reel: Reel, kit: Path) -> None:
    house = kit.parent / "house"
    house.mkdir()
    git(house, "init", "-q", "-b", "main")
    for name in ("Ada", "Vera"):
        reel("init", name.lower(), "--template", "companion", "--name", name, "--user", "Bo", cwd=house).ok()
    keep(house / "ada", replace(BOAT, source=(), sessions=()))
    reel("share", "M-001", "--with", "vera", "--yes", cwd=house / "ada").ok()
    assert not (house / "shared/.git").exists()
    assert "shared/memories/S-001.yaml" in git(house, "ls-files")
    take(reel, house / "vera", "S-001", HEARD).ok()
    reel("share", "M-001", "--back", "--yes", cwd=house / "ada").ok()
    assert "boat" not in reel("pack", cwd=house / "vera").ok().out


def test_a_link_out_of_the_shared_kit_is_not_followed(
    reel: Reel, kit: Path, vera: Path, shared: Path
) -> None:
    outside = kit.parent / "outside.yaml"
    outside.write_text("title: x\nfrom: ada\nmemory: M-001\nback: 2026-03-01\n")
    (shared / "memories/S-001.yaml").unlink()
    (shared / "memories/S-001.yaml").symlink_to(outside)
    assert HEARD in reel("pack", cwd=vera).ok().out


def test_a_memory_that_only_the_list_calls_shared_stays(reel: Reel, vera: Path) -> None:
    keep(
        vera, replace(BOAT, id="M-002", title="The lamp", source=(), sessions=(), marker="The lamp went out.")
    )
    shares = vera / "shares.yaml"
    # as two machines that both made M-001 may leave it
    shares.write_text(shares.read_text().replace("M-001: S-001", "M-002: S-001"))
    reel("share", "M-001", "--back", "--yes").ok()
    packed = reel("pack", cwd=vera).ok().out
    assert "The lamp went out." in packed or "The lamp" in packed
    assert (vera / "ring3/M-002.md").exists()
    assert not (vera / "ring3/M-001.md").exists()
    assert HEARD not in packed


def test_two_memories_at_once_are_not_read_as_one_title(reel: Reel, kit: Path, shared: Path) -> None:
    before = git(shared, "rev-parse", "HEAD")
    refused = reel("share", "M-001", "M-002", "--with", "mara", "--yes")
    assert (refused.code, "One at a time: M-001, M-002." in refused.err) == (2, True)
    assert git(shared, "rev-parse", "HEAD") == before
    assert (kit / "ring3/M-001.md").is_file()


def test_what_was_taken_back_is_offered_by_nothing_and_in_no_cache(
    reel: Reel, vera: Path, shared: Path
) -> None:
    """REEL §12.1: taken back everywhere by one word."""
    reel("pack", cwd=vera).ok()
    reel("recall", "boat", cwd=vera)
    own = take(reel, vera, "S-001", HEARD)
    assert own.code == 1
    reel("share", "M-001", "--back", "--yes").ok()
    caches = [path for path in (vera / ".reel/cache").rglob("*") if path.is_file()]
    assert [path.name for path in caches if b"bottle" in path.read_bytes()] == []
    for level in ((), ("--level", "L1")):
        refused = reel("restore", "M-001", *level, cwd=vera)
        assert (refused.code, "was taken back" in refused.err) == (1, True)
    assert reel("restore", "ring3/M-001.md", cwd=vera).code == 1
    for asked in (("restore",), ("log", "--forgotten")):
        listed = reel(*asked, cwd=vera).ok().out
        assert ("taken back" in listed, "reel restore M-001" in listed) == (True, False)
    why = reel("why", "M-001", cwd=vera).ok()
    assert "took it back" in why.out
    assert "restore" not in why.out + why.err
    assert "boat" not in why.out.casefold()
    page = vera.parent / "vera.html"
    reel("view", page, cwd=vera).ok()
    assert "boat" not in page.read_text().casefold()


def test_what_a_person_let_go_of_in_their_own_kit_comes_back(reel: Reel, vera: Path) -> None:
    reel("share", "S-001", "--back", "--yes", cwd=vera).ok()
    assert "reel restore M-001" in reel("log", "--forgotten", cwd=vera).ok().out
