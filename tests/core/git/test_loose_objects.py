"""Loose objects: they are read as git reads them, and other objects are left to git."""

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import StateError
from reel_cli.core.git import commit_tree
from reel_cli.core.git.commit_tree import CommitTree, NotLooseError, list_files, read_folder, read_loose
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.git.storage.trees import parse_tree, read_folders
from reel_cli.core.git.tracked_files import read_blobs
from tests.support.cli import git

FILES = {"kit.yaml": b"name: Ada\n", "tape/2026/a.md": b"said\n", "ring3/M-001.md": b"one\n", "ring3.md": b""}


def repository(place: Path, *, sha256: bool = False) -> Repository:
    place.mkdir()
    git(place, "init", "-q", "--template=", *(["--object-format=sha256"] if sha256 else []))
    found = find_repository(place)
    assert found is not None
    return found


def commit(place: Path, files: dict[str, bytes]) -> str:
    for path, data in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(data)
    git(place, "add", "-A")
    git(place, "commit", "-q", "--allow-empty", "-m", "x")
    return git(place, "rev-parse", "HEAD").strip()


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    found = repository(tmp_path / "ada")
    commit(found.root, FILES)
    return found


def head(repo: Repository) -> str:
    return repo.head() or ""


def object_file(repo: Repository, name: str) -> Path:
    return repo.common_dir / "objects" / name[:2] / name[2:]


def listed(repo: Repository) -> dict[str, str]:
    """The plain files of the last commit, as git tells them."""
    rows = (line.split("\t") for line in git(repo.root, "ls-tree", "-rz", "HEAD").split("\0") if line)
    return {name: about.split()[2] for about, name in rows if about.startswith("100")}


NAMES = st.lists(st.sampled_from(["a", "b.md", "ü", "x y", "ring3", '"']), min_size=1, max_size=3)
KITS = st.dictionaries(NAMES.map("/".join), st.binary(max_size=20), max_size=6)


def fits(files: dict[str, bytes]) -> bool:
    return not any(f"{other}/" in f"{path}/" for path in files for other in files if path != other)


@given(KITS.filter(fits), st.booleans())
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
def test_any_commit_is_listed_and_read_as_git_does(
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[str, bytes],
    sha256: bool,  # noqa: FBT001
) -> None:
    repo = repository(tmp_path_factory.mktemp("loose") / "ada", sha256=sha256)
    made = commit(repo.root, files)
    assert list_files(repo, made, "") == dict(sorted(listed(repo).items()))
    blobs = {path: read_loose(repo, blob, "blob") for path, blob in list_files(repo, made, "").items()}
    assert blobs == files
    for folder in {path.rpartition("/")[0] for path in files} | {"not/there"}:
        tree = read_folder(repo, made, folder)
        rows = git(repo.root, "ls-tree", "-z", f"HEAD:{folder}").split("\0") if folder != "not/there" else []
        names = [row.partition("\t")[2] for row in rows if row]
        told = None if tree is None else [*map(os.fsdecode, parse_tree(tree, sha256=sha256))]
        assert told == (names or None if folder else names)


def test_links_and_submodules_are_no_files(repo: Repository) -> None:
    (repo.root / "link").symlink_to("kit.yaml")
    git(repo.root, "add", "link")
    git(repo.root, "update-index", "--add", "--cacheinfo", f"160000,{head(repo)},sub")
    git(repo.root, "commit", "-qm", "y")
    assert sorted(list_files(repo, head(repo), "")) == sorted(FILES)
    assert (read_folder(repo, head(repo), "link"), read_folder(repo, head(repo), "sub")) == (None, None)


def test_what_is_loose_takes_no_process_and_what_is_packed_takes_one(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read() -> tuple[object, ...]:
        commit_tree._known_ids.cache_clear()
        with CommitTree(repo, head(repo)) as tree:
            files = {path: tree.read(path) for path in tree.ids}
        folders = read_folders(repo, Git(repo.root), head(repo), ["tape/2026/b.md", "new/c.md"])
        return files, folders, read_blobs(repo, head(repo), "ring3/")

    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nonexistent")
        before = read()
    assert before[0] == FILES
    assert sorted(before[1]) == ["", "tape", "tape/2026"]  # type: ignore[call-overload]
    git(repo.root, "gc", "-q")
    assert not object_file(repo, head(repo)).exists()
    assert read() == before


def replace_objects(repo: Repository) -> None:
    blob = listed(repo)["kit.yaml"]
    (repo.root / "other").write_bytes(b"name: Eve\n")
    git(repo.root, "replace", blob, git(repo.root, "hash-object", "-w", "other").strip())


def replace_packed(repo: Repository) -> None:
    replace_objects(repo)
    git(repo.root, "pack-refs", "--all")
    assert not any((repo.common_dir / "refs/replace").glob("*"))


@pytest.mark.parametrize("replace", [replace_objects, replace_packed])
def test_an_object_is_read_as_it_is_where_another_is_to_replace_it(
    repo: Repository, replace: Callable[[Repository], None]
) -> None:
    replace(repo)
    again = find_repository(repo.root)
    assert again is not None
    with pytest.raises(NotLooseError):
        list_files(again, head(again), "")
    with CommitTree(again, head(again)) as tree:
        assert tree.read("kit.yaml") == FILES["kit.yaml"]


def spoilt(data: bytes) -> dict[str, bytes]:
    whole = zlib.decompress(data)
    return {
        "cut off": data[:-4],
        "no zlib": b"mine",
        "empty": b"",
        "other words": zlib.compress(whole.replace(b"Ada", b"Eve")),
        "another kind": zlib.compress(whole.replace(b"blob", b"tree")),
        "another size": zlib.compress(whole + b"more"),
    }


@pytest.mark.parametrize(
    "how", ["cut off", "no zlib", "empty", "other words", "another kind", "another size"]
)
def test_what_does_not_hash_to_its_name_is_not_read(repo: Repository, how: str) -> None:
    blob = listed(repo)["kit.yaml"]
    place = object_file(repo, blob)
    data = spoilt(place.read_bytes())[how]
    place.chmod(0o600)
    place.write_bytes(data)
    with pytest.raises(NotLooseError):
        read_loose(repo, blob, "blob")
    if how in ("no zlib", "empty", "another kind"):
        # git, which is asked then, can do nothing with it either; of the others it makes what it can
        with CommitTree(repo, head(repo)) as tree, pytest.raises(StateError, match=r"kit\.yaml is missing"):
            tree.read("kit.yaml")


def test_what_is_too_large_is_left_to_git(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reel_cli.core.git.commit_tree.LARGEST_FILE", 200)
    made = commit(repo.root, {"large": b"a" * 201, "fits": b"a" * 200})
    assert len(read_loose(repo, listed(repo)["fits"], "blob")) == 200
    with pytest.raises(NotLooseError):
        read_loose(repo, listed(repo)["large"], "blob")
    assert made == head(repo)
