"""Changes that a person made by hand: how they are found and undone."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from reel_cli.core.errors import StateError
from reel_cli.core.files.commit_message import RATIFIED_BY
from reel_cli.core.git.repository import init_repository
from reel_cli.core.kit.hand_edits import (
    EditKind,
    list_uncommitted,
    put_back,
    read_steps,
    with_ratified,
)
from tests.support.kit_under_git import KitUnderGit, make_kit, run

WHEN = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
A = "ring1/a.md"


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


def by_hand(kit: KitUnderGit, path: str, data: bytes | None, message: str = "mine") -> None:
    if data is None:
        (kit.root / path).unlink()
    else:
        kit.write(path, data)
    kit.git("add", "-A")
    kit.git("commit", "-q", "-m", message)


def baseline(kit: KitUnderGit, path: str = A) -> bytes | None:
    """The text last vouched for; a file added by hand counts as it was added."""
    steps = with_ratified(kit.repo, read_steps(kit.repo, ["ring1/"]))[path]
    vouched = next((step for step in steps if step.vouched), None)
    blob = vouched.after if vouched else steps[-1].before or steps[-1].after
    return None if blob is None else run(kit.root, "cat-file", "blob", blob).encode()


def put(kit: KitUnderGit, path: str, data: bytes | None, seen: bytes | None) -> Path | None:
    return put_back(kit.repo, kit.root, path, data, seen=seen, when=WHEN)


# -- not committed --------------------------------------------------------------------------


def test_every_way_a_file_can_differ(kit: KitUnderGit) -> None:
    kit.write("kit.yaml", b"name: Bo\n")
    kit.write("ring2/new.md", b"new\n")
    kit.write("ring2/ünï code.md", b"new\n")
    kit.write("ring2/staged.md", b"new\n")
    kit.git("add", "ring2/staged.md")
    (kit.root / "ring0/identity.md").unlink()
    kit.git("rm", "-q", "--cached", "ring4/index.md")
    kit.write(".reel/state/x", b"")
    assert dict(list_uncommitted(kit.repo)) == {
        "kit.yaml": EditKind.CHANGED,
        "ring0/identity.md": EditKind.GONE,
        "ring2/new.md": EditKind.NEW,
        "ring2/staged.md": EditKind.NEW,
        "ring2/ünï code.md": EditKind.NEW,
        "ring4/index.md": EditKind.NEW,
    }


def test_the_rest_of_an_enclosing_repository_is_not_the_kits(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    kit = make_kit(tmp_path / "personas/ada", enclosing=tmp_path)
    (tmp_path / "notes.txt").write_bytes(b"mine")
    (tmp_path / "personas/ada.md").write_bytes(b"mine")
    kit.write("ring2/new.md", b"new\n")
    assert dict(list_uncommitted(kit.repo)) == {"ring2/new.md": EditKind.NEW}


# -- commits by hand --------------------------------------------------------------------------


def test_what_reel_wrote_is_vouched_for_and_what_came_by_hand_is_not(kit: KitUnderGit) -> None:
    kit.apply({A: b"one\n"}, op="exemplar")
    assert baseline(kit) == b"one\n"
    by_hand(kit, A, b"two\n")
    by_hand(kit, A, b"three\n", "edit: by hand\n\nReel-Op: edit")
    assert baseline(kit) == b"one\n"
    kit.apply({"ring2/working.md": b"x\n"})
    assert baseline(kit) == b"one\n"
    kit.apply({A: b"three\n"}, (RATIFIED_BY, "Bo <bo@example.org>"), op="review")
    assert baseline(kit) == b"three\n"


def test_what_was_ratified_once_is_not_vouched_for_when_it_comes_back_by_hand(kit: KitUnderGit) -> None:
    kit.apply({A: b"one\n"}, op="exemplar")
    by_hand(kit, A, b"two\n")
    kit.apply({A: b"two\n"}, (RATIFIED_BY, "Bo <bo@example.org>"), op="review")
    kit.apply({A: b"three\n"}, (RATIFIED_BY, "Bo <bo@example.org>"), op="review")
    by_hand(kit, A, b"two\n")
    assert baseline(kit) == b"three\n"


def test_a_removal_by_hand_is_vouched_for_once_it_is_ratified(kit: KitUnderGit) -> None:
    kit.apply({A: b"one\n"}, op="exemplar")
    by_hand(kit, A, None)
    assert baseline(kit) == b"one\n"
    before = kit.git("rev-parse", "HEAD")
    kit.apply({A: None}, (RATIFIED_BY, "Bo <bo@example.org>"), op="review")
    assert kit.git("rev-parse", "HEAD") != before
    assert baseline(kit) is None


def test_what_first_came_by_hand_counts_as_it_came(kit: KitUnderGit) -> None:
    by_hand(kit, A, b"one\n")
    assert baseline(kit) == b"one\n"
    by_hand(kit, A, b"two\n")
    assert baseline(kit) == b"one\n"


# -- putting back -----------------------------------------------------------------------------


def test_a_file_is_put_back_on_the_disk_and_in_the_index(kit: KitUnderGit) -> None:
    was = kit.read("kit.yaml")
    kit.write("kit.yaml", b"name: Bo\n")
    kit.git("add", "kit.yaml")
    copy = put(kit, "kit.yaml", was, b"name: Bo\n")
    assert copy is not None
    assert copy.read_bytes() == b"name: Bo\n"
    assert copy.stat().st_mode & 0o077 == 0
    assert kit.status() == []
    assert kit.locks() == []


def test_twice_in_the_same_second_keeps_both_texts(kit: KitUnderGit) -> None:
    was = kit.read("kit.yaml")
    copies = []
    for text in (b"name: Bo\n", b"name: Cy\n"):
        kit.write("kit.yaml", text)
        copies.append(put(kit, "kit.yaml", was, text))
    assert [copy.read_bytes() for copy in copies if copy] == [b"name: Bo\n", b"name: Cy\n"]


def test_a_new_file_goes_with_the_folders_it_alone_was_in(kit: KitUnderGit) -> None:
    kit.write("domain/birds/swift.md", b"x\n")
    put(kit, "domain/birds/swift.md", None, b"x\n")
    assert not (kit.root / "domain").exists()
    assert (kit.root / "ring2").exists()


def test_what_was_edited_meanwhile_is_left_alone(kit: KitUnderGit) -> None:
    was = kit.read("kit.yaml")
    kit.write("kit.yaml", b"name: Cy\n")
    with pytest.raises(StateError, match="was edited meanwhile"):
        put(kit, "kit.yaml", was, b"name: Bo\n")
    assert kit.read("kit.yaml") == b"name: Cy\n"


def test_nothing_is_put_back_through_a_link(kit: KitUnderGit, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"name: Bo\n")
    (kit.root / "kit.yaml").unlink()
    (kit.root / "kit.yaml").symlink_to(outside)
    with pytest.raises(StateError):
        put(kit, "kit.yaml", b"name: Ada\n", b"name: Bo\n")
    assert outside.read_bytes() == b"name: Bo\n"


def test_nothing_is_put_back_while_a_merge_is_under_way(kit: KitUnderGit) -> None:
    was = kit.read("kit.yaml")
    kit.write("kit.yaml", b"name: Bo\n")
    (kit.repo.git_dir / "MERGE_HEAD").write_text(kit.git("rev-parse", "HEAD"))
    with pytest.raises(StateError, match="A merge is under way"):
        put(kit, "kit.yaml", was, b"name: Bo\n")
    assert kit.read("kit.yaml") == b"name: Bo\n"


def test_before_the_first_commit_a_file_can_be_taken_out(tmp_path: Path) -> None:
    repo = init_repository(tmp_path)
    (tmp_path / "kit.yaml").write_bytes(b"name: Ada\n")
    (tmp_path / "x.md").write_bytes(b"x\n")
    run(tmp_path, "add", "x.md")
    put_back(repo, tmp_path, "x.md", None, seen=b"x\n", when=WHEN)
    assert dict(list_uncommitted(repo)) == {"kit.yaml": EditKind.NEW}
