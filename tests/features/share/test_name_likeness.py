"""Words that must not reach a kit by its name or its place, and steps that were left by halves."""

import json
from pathlib import Path

from tests.features.share.kits import TOLD, make_kits, take
from tests.support.cli import Reel, git

HEARD = "Ada told me that Bo painted his boat bottle green over Easter, with two coats."


def begin(reel: Reel, folder: Path, name: str) -> None:
    """Make a kit of another persona."""
    reel("init", folder, "--template", "companion", "--name", name, "--user", "Bo", cwd=folder.parent).ok()


def test_taken_back_from_the_last_one_no_word_stays(reel: Reel, kit: Path) -> None:
    make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    reel("share", "M-001", "--back", "--with", "vera", "--yes").ok()
    assert TOLD not in (kit.parent / "shared/memories/S-001.yaml").read_text()
    assert "Ada shares nothing" in reel("share").ok().out


def test_it_is_taken_back_by_the_path_that_it_was_shared_by(reel: Reel, kit: Path) -> None:
    """REEL §12.1: what shares a memory takes it back, and of what was taken back none comes back."""
    make_kits(reel, kit)
    reel("share", "M-001", "--with", "../vera", "--yes").ok()
    take(reel, kit.parent / "vera", "S-001", HEARD)
    reel("share", "M-001", "--back", "--with", "../vera", "--yes").ok()
    assert "Ada shares nothing" in reel("share").ok().out
    listed = reel("restore", cwd=kit.parent / "vera").ok().out
    assert "can come back" not in listed
    assert "what was taken back by who told it stays away" in listed


def test_a_telling_that_was_killed_between_its_commits_goes_on_and_can_be_taken_back(
    reel: Reel, kit: Path
) -> None:
    make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    git(kit, "reset", "-q", "--hard", "HEAD~1")
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    files = [path.name for path in (kit.parent / "shared/memories").iterdir()]
    assert files == ["S-001.yaml"]
    git(kit, "reset", "-q", "--hard", "HEAD~1")
    assert "Taken back: The boat" in reel("share", "M-001", "--back", "--yes").ok().out


def test_a_taking_back_that_was_killed_names_it_when_it_is_done_again(reel: Reel, kit: Path) -> None:
    make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    reel("share", "M-001", "--back", "--yes").ok()
    git(kit, "reset", "-q", "--hard", "HEAD~1")
    assert "Taken back: S-001." in reel("share", "M-001", "--back", "--yes").ok().out
    assert "S-001" not in (kit / "shares.yaml").read_text()


def test_programs_read_json_where_nothing_changes(reel: Reel, kit: Path) -> None:
    _, vera = make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    again = reel("share", "M-001", "--with", "vera", "--json", "--yes").ok()
    assert json.loads(again.out) == {"id": "S-001", "with": [], "commit": None}
    take(reel, vera, "S-001", HEARD).ok()
    told = reel("share", "S-001", "--back", "--json", "--dry-run", cwd=vera).ok()
    assert json.loads(told.out)["taken_back_from"] == ["Vera"]
    assert HEARD in reel("pack", cwd=vera).ok().out


def test_kits_that_changed_places_keep_what_was_told_them_and_hear_nothing_else(
    reel: Reel, kit: Path
) -> None:
    mara, vera = make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    reel("share", "M-001", "--back", "--yes").ok()
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    git(vera, "revert", "--no-edit", "HEAD")
    away = mara.rename(mara.parent / "away")
    vera.rename(mara)
    away.rename(vera)
    assert "S-002 is not for Vera" in reel("share", "S-002", "--prompt", cwd=mara).err


def test_another_persona_in_the_place_of_one_hears_nothing(reel: Reel, kit: Path) -> None:
    _, vera = make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    vera.rename(vera.parent / "elsewhere")
    begin(reel, vera, "Zed")
    refused = reel("share", "S-001", "--prompt", cwd=vera)
    assert "S-001 is not for Zed" in refused.err
    assert TOLD not in refused.out
    # told of something of its own, it is not taken for the other
    reel("share", "M-001", "--with", "Zed", "--yes").ok()
    members = (kit.parent / "shared/shared.yaml").read_text()
    assert "Vera" in members
    assert "Zed" in members


def test_a_name_that_is_one_kits_folder_and_anothers_persona_is_asked_about(reel: Reel, kit: Path) -> None:
    make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    begin(reel, kit.parent / "nurse", "vera")
    assert "could be several kits" in reel("share", "M-001", "--with", "vera", "--yes").err
    away = kit.parent / "away"
    away.mkdir()
    begin(reel, away / "vera", "Quinn")
    typed = reel("--kit", kit, "share", "M-001", "--with", "vera", "--yes", cwd=away)
    assert "could be several kits" in typed.err


def test_a_name_of_a_group_and_of_a_kit_is_asked_about(reel: Reel, kit: Path) -> None:
    make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    members = kit.parent / "shared/shared.yaml"
    members.write_text(members.read_text().replace("groups: {}", "groups:\n  vera: [ada]"))

    refused = reel("share", "M-001", "--with", "vera", "--yes")

    assert "“vera” could be several kits: the group, " in refused.err


def test_a_persona_called_like_the_person_was_not_there(reel: Reel, kit: Path) -> None:
    make_kits(reel, kit)
    begin(reel, kit.parent / "bo", "Bo")
    reel("share", "M-001", "--with", "Bo", "--yes").ok()
    assert "Halcyon" not in (kit.parent / "shared/memories/S-001.yaml").read_text()


def test_a_name_taken_out_of_the_list_is_not_given_to_another(reel: Reel, kit: Path) -> None:
    _, vera = make_kits(reel, kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    members = kit.parent / "shared/shared.yaml"
    members.write_text(members.read_text().replace("vera:", "gone:"))
    vera.rename(kit.parent / "elsewhere")
    begin(reel, vera, "Zed")
    reel("share", "M-001", "--with", "Zed", "--yes").ok()
    assert "vera-2:" in members.read_text()
