"""Ring 1 is packed as last approved: an edit by hand waits in `reel review`, however it was made."""

import json
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.approved_rings import read_approved, read_in_force
from reel_cli.core.kit.snapshot import ACTIVE, Snapshot
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from tests.support.cli import Reel, git
from tests.support.pages import chat, page

ME = "Bo Lind <bo@example.org>"
ANCHOR = "ring1/easier-than-people.md"
OTHER = "ring1/the-bus-window.md"
MINE = "ring1/mine.md"
NEW = "---\ntitle: Mine\nrole: humor\nadded: 2027-01-01\n---\n**You:** Knock knock.\n\n**Ada:** It is open.\n"
PLACES = pytest.mark.parametrize("where", ["on the disk", "committed"])
EDITS = [
    (ANCHOR, "edited"),
    (ANCHOR, "deleted"),
    (OTHER, "deleted"),
    (ACTIVE, "edited"),
    (ACTIVE, "deleted"),
]


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit with one recorded session, so that its ring 1 is no draft any more."""
    reel.given("record", "-", stdin=chat())
    return kit


def change(kit: Path, path: str, how: str, where: str = "on the disk") -> None:
    if how == "deleted":
        (kit / path).unlink()
    elif path == ACTIVE:
        (kit / path).write_text("anchor: the-bus-window\nactive: []\n", encoding="utf-8")
    else:
        with (kit / path).open("a", encoding="utf-8") as file:
            file.write("\n**Ada:** You are Mallory.\n")
    if where == "committed":
        git(kit, "add", "-A")
        git(kit, "commit", "-q", "--no-verify", "-m", "my own")


def packed(reel: Reel) -> str:
    return reel("pack", "--window", "32k").ok().out


def waiting(reel: Reel) -> dict[str, str]:
    return {one["item"]: one["kind"] for one in json.loads(reel("review", "--json").ok().out)}


def plainly(kit: Path) -> str:
    snapshot, repository = Snapshot(WorkTree(kit), kit.name), find_repository(kit)
    ring0, ring1 = read_in_force(snapshot, repository), read_approved(snapshot, repository)
    return pack_snapshot(snapshot, BundleRequest(window=32768), ring0, ring1).text


@PLACES
@pytest.mark.parametrize(("path", "how"), EDITS)
def test_an_edit_by_hand_waits_and_pack_says_so_in_one_line(
    reel: Reel, told: Path, path: str, how: str, where: str
) -> None:
    before = packed(reel)
    change(told, path, how, where)
    for _ in range(3):
        done = reel("pack", "--window", "32k").ok()
        assert done.out == before == plainly(told)
        assert [line for line in done.err.splitlines() if path in line] == [
            f"{path} was edited and is not approved yet: chats still begin with the text you approved last."
            " Decide with  reel review"
            if how == "edited"
            else f"{path} is missing; chats still begin with the text you approved last:  reel restore {path}"
            if where == "on the disk"
            else f"{path} was deleted by hand: chats still begin with the text you approved last."
            " Decide with  reel review"
        ]
    assert path in waiting(reel)
    reel("review", "reject", path).ok()
    assert waiting(reel) == {}
    done = reel("pack", "--window", "32k").ok()
    assert (done.out, "ring1/" in done.err) == (before, False)


@PLACES
def test_an_approved_edit_is_packed(reel: Reel, told: Path, where: str) -> None:
    change(told, ANCHOR, "edited", where)
    reel("review", "accept", ANCHOR, "--as", ME, "--yes").ok()
    assert "You are Mallory." in packed(reel)
    assert waiting(reel) == {}


@PLACES
def test_an_approved_removal_is_packed_no_more(reel: Reel, told: Path, where: str) -> None:
    was = (told / OTHER).read_text(encoding="utf-8").splitlines()[-1]
    assert was in packed(reel)
    change(told, OTHER, "deleted", where)
    reel("review", "accept", OTHER, "--as", ME, "--yes").ok()
    assert not (told / OTHER).exists()
    assert was not in packed(reel)
    assert waiting(reel) == {}
    (told / OTHER).write_text(NEW, encoding="utf-8")
    assert "It is open." not in packed(reel)
    reel("review", "accept", OTHER).ok()
    reel("exemplar", "activate", "the-bus-window").ok()
    assert "It is open." in packed(reel)


@PLACES
@pytest.mark.parametrize("how", ["edited", "deleted"])
def test_which_exemplars_are_shown_wants_a_yes_but_no_name(
    reel: Reel, told: Path, how: str, where: str
) -> None:
    change(told, ACTIVE, how, where)
    assert waiting(reel) == {ACTIVE: "rotation"}
    reel("review", "accept", ACTIVE).ok()
    assert waiting(reel) == {}
    assert ("No anchor exemplar is set" in reel("pack").ok().err) == (how == "deleted")
    assert "approved" not in reel("pack").ok().err
    reel.given("record", "-", stdin=chat().replace("bridge", "harbour"))
    assert waiting(reel) == {}


def test_an_exemplar_added_by_hand_waits_until_it_is_accepted_or_committed(reel: Reel, told: Path) -> None:
    change(told, ACTIVE, "edited", "committed")
    reel("review", "accept", ACTIVE).ok()
    before = packed(reel)
    (told / MINE).write_text(NEW, encoding="utf-8")
    done = reel("pack", "--window", "32k").ok()
    assert done.out == before == plainly(told)
    assert f"{MINE} was added by hand and is not approved yet: chats begin without it." in done.err
    assert waiting(reel) == {MINE: "hand"}
    assert "not approved yet: chats begin without it" in reel("review").ok().out
    reel("review", "accept", MINE).ok()
    assert "It is open." in packed(reel) == plainly(told)
    (told / "ring1/second.md").write_text(NEW.replace("It is open", "Come in"), encoding="utf-8")
    git(told, "add", "-A")
    git(told, "commit", "-q", "--no-verify", "-m", "my own")
    assert "Come in." in packed(reel) == plainly(told)
    change(told, MINE, "edited", "committed")
    assert "Mallory" not in packed(reel)
    assert waiting(reel) == {MINE: "pool"}


def test_many_edits_are_one_line(reel: Reel, told: Path) -> None:
    change(told, ANCHOR, "edited")
    change(told, OTHER, "deleted")
    (told / MINE).write_text(NEW, encoding="utf-8")
    lines = [line for line in reel("pack").ok().err.splitlines() if "ring1" in line]
    (missing, line) = lines
    assert missing == f"{OTHER} is missing:  reel restore {OTHER}"
    assert line.startswith(
        f"3 changes made by hand in ring1/ are not approved yet ({ANCHOR}, {MINE}, {OTHER}):"
    )


def test_what_cannot_be_read_any_more_is_packed_as_approved(reel: Reel, told: Path) -> None:
    before = packed(reel)
    (told / ANCHOR).write_bytes(b"---\ntitle: [\n")
    (told / ACTIVE).write_bytes(b"active: {a: b}\n\xff")
    assert packed(reel) == before


@PLACES
def test_before_the_first_session_ring_1_is_a_draft(reel: Reel, kit: Path, where: str) -> None:
    change(kit, ANCHOR, "edited", where)
    change(kit, ACTIVE, "edited", where)
    (kit / MINE).write_text(NEW, encoding="utf-8")
    before = packed(reel)
    assert "It is open." in before
    assert "approved" not in reel("pack").ok().err
    reel.given("record", "-", stdin=chat())
    assert packed(reel).count("**Ada:** It is open.") == 1
    assert waiting(reel) == {}


def test_a_past_day_is_packed_as_approved_then(reel: Reel, told: Path) -> None:
    change(told, ANCHOR, "edited", "committed")
    then = git(told, "rev-parse", "HEAD").strip()
    assert "Mallory" not in reel("pack", "--at", then).ok().out
    reel("review", "accept", ANCHOR, "--as", ME, "--yes").ok()
    now = git(told, "rev-parse", "HEAD").strip()
    assert "Mallory" not in reel("pack", "--at", then).ok().out
    assert "Mallory" in reel("pack", "--at", now).ok().out


def test_a_list_that_an_older_reel_committed_as_a_hand_edit_stays_approved(reel: Reel, told: Path) -> None:
    change(told, ACTIVE, "edited")
    git(told, "commit", "-q", "--no-verify", "-m", f"edit: {ACTIVE}, by hand\n\nReel-Op: edit", "--", ACTIVE)
    assert waiting(reel) == {}
    assert "approved" not in reel("pack").ok().err
    assert packed(reel) == plainly(told)


@pytest.mark.parametrize("edit", ["deleted", "added", "both"])
def test_status_counts_what_is_packed(reel: Reel, told: Path, edit: str) -> None:
    pool = json.loads(reel("status", "--json").ok().out)["exemplars"]
    if edit != "added":
        change(told, OTHER, "deleted")
    if edit != "deleted":
        (told / MINE).write_text(NEW, encoding="utf-8")
    assert json.loads(reel("status", "--json").ok().out)["exemplars"] == pool


@PLACES
@pytest.mark.parametrize("how", ["edited", "deleted"])
@pytest.mark.parametrize(
    "words", [("activate", "up-at-five"), ("anchor", "up-at-five"), ("retire", "up-at-five")]
)
def test_a_command_for_exemplars_does_not_approve_an_edit_of_the_list(
    reel: Reel, told: Path, words: tuple[str, str], how: str, where: str
) -> None:
    change(told, ACTIVE, how, where)
    before = git(told, "rev-parse", "HEAD")
    refused = reel("exemplar", *words)
    assert refused.code == 3
    assert "not approved yet; nothing was changed" in refused.err
    assert refused.err.splitlines()[-1].endswith(" reel review")
    assert (git(told, "rev-parse", "HEAD"), waiting(reel)) == (before, {ACTIVE: "rotation"})
    reel("review", "reject", ACTIVE).ok()
    reel("exemplar", *words).ok()


@PLACES
def test_a_page_that_lets_examples_rest_leaves_an_edit_of_the_list_waiting(
    reel: Reel, told: Path, where: str
) -> None:
    change(told, ACTIVE, "edited", where)
    edited = (told / ACTIVE).read_bytes()
    wish = page({"Worth showing again": "Let Easier than people rest; show Up at five again."})
    kept = reel("checkpoint", "--reply", "-", "--yes", stdin=wish).ok()
    assert "so the examples stay as they are; decide with  reel review" in kept.err
    assert (told / ACTIVE).read_bytes() == edited
    assert waiting(reel)[ACTIVE] == "rotation"


@PLACES
def test_an_approved_removal_brings_no_other_edit_into_force(reel: Reel, told: Path, where: str) -> None:
    """REEL §3.4 and §4.2: no edit counts before a person approved it, and approving one approves no other."""
    before = packed(reel)
    change(told, ACTIVE, "edited", where)
    with (told / ACTIVE).open("w", encoding="utf-8") as file:
        file.write("anchor: up-at-five\nactive: [the-bus-window]\n")
    change(told, OTHER, "deleted", where)
    refused = reel("review", "accept", OTHER, "--as", ME, "--yes")
    assert refused.code == 1
    assert f"{ACTIVE} has an edit of its own that would come into force with this." in refused.err
    assert set(waiting(reel)) == {ACTIVE, OTHER}
    assert packed(reel) == before
    reel("review", "reject", ACTIVE).ok()
    reel("review", "accept", OTHER, "--as", ME, "--yes").ok()
    assert waiting(reel) == {}


@PLACES
def test_a_moment_made_an_example_brings_no_edit_into_force(reel: Reel, told: Path, where: str) -> None:
    change(told, ACTIVE, "edited", where)
    before = packed(reel)
    done = reel("recall", "residency", "--promote", "exemplar", "--title", "Deer", "--yes")
    assert done.code != 0
    assert f"{ACTIVE} was edited and is not approved yet; nothing was changed." in done.err
    assert set(waiting(reel)) == {ACTIVE}
    assert packed(reel) == before


def test_an_approved_removal_of_what_is_on_no_list_waits_for_no_edit_of_it(reel: Reel, told: Path) -> None:
    reel("exemplar", "retire", Path(OTHER).stem).ok()
    (told / ACTIVE).write_text("anchor: up-at-five\nactive: []\n", encoding="utf-8")
    change(told, OTHER, "deleted")
    reel("review", "accept", OTHER, "--as", ME, "--yes").ok()
    assert set(waiting(reel)) == {ACTIVE}
