"""Packs and deltas made here, as git reads them."""

import os
import subprocess
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import StateError
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.git.storage.objects import AT_MOST_LOOSE, NewObjects
from reel_cli.core.git.storage.pack_file import BlobPack, object_id, render_delta, render_distance
from reel_cli.core.git.storage.trees import Folder, Item
from tests.support.kit_under_git import run

CONTENTS = [b"", b"\n", b"blob 3\0abc", os.urandom(300_000), b"a\r\n\0b", b"long " * 100_000, b"\n"]


def make_repository(folder: Path, *, sha256: bool = False) -> Repository:
    run(folder, "init", "-q", *(("--object-format=sha256",) if sha256 else ()), "r")
    found = find_repository(folder / "r")
    assert found is not None
    return found


def objects_folder(repo: Repository) -> Path:
    return repo.common_dir / "objects/pack"


def blob(repo: Repository, name: str) -> bytes:
    asked = ["git", "cat-file", "blob", name]
    return subprocess.run(asked, cwd=repo.root, capture_output=True, check=True).stdout


@pytest.mark.parametrize("sha256", [False, True])
def test_a_sealed_pack_is_one_that_git_finds_whole(tmp_path: Path, *, sha256: bool) -> None:
    repo = make_repository(tmp_path, sha256=sha256)
    pack = BlobPack(objects_folder(repo), sha256=sha256)
    pack.add(CONTENTS[:4])
    pack.add(CONTENTS[4:])
    names = [object_id("blob", data, sha256=sha256) for data in CONTENTS]
    assert pack.seal() == set(names)
    assert [blob(repo, name) for name in names] == CONTENTS
    assert run(repo.root, "fsck", "--strict", "--no-dangling") == ""
    [index] = objects_folder(repo).glob("*.idx")
    theirs = tmp_path / "theirs.idx"
    run(repo.root, "index-pack", "-o", str(theirs), str(index.with_suffix(".pack")))
    assert index.read_bytes() == theirs.read_bytes()
    assert len(list(objects_folder(repo).iterdir())) == 2


def test_several_threads_fill_one_pack(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    pack = BlobPack(objects_folder(repo), sha256=False)
    contents = [os.urandom(40) * (number % 700) for number in range(400)]

    def fill(part: list[bytes]) -> None:
        for at in range(0, len(part), 7):
            pack.add(part[at : at + 7])

    threads = [threading.Thread(target=fill, args=(contents[n::4] + contents[:9],)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = pack.seal()
    assert stored == {repo.blob_id(data) for data in contents}
    assert run(repo.root, "fsck", "--strict", "--no-dangling") == ""


@pytest.mark.parametrize(("folder_mode", "mode"), [(0o755, 0o444), (0o700, 0o400), (0o2775, 0o444)])
def test_who_may_look_into_the_folder_may_read_the_pack(tmp_path: Path, folder_mode: int, mode: int) -> None:
    repo = make_repository(tmp_path)
    objects_folder(repo).chmod(folder_mode)
    pack = BlobPack(objects_folder(repo), sha256=False)
    pack.add([b"said"])
    pack.seal()
    assert {file.stat().st_mode & 0o777 for file in objects_folder(repo).iterdir()} == {mode}


def test_of_a_pack_that_is_dropped_or_empty_nothing_is_left(tmp_path: Path) -> None:
    repo = make_repository(tmp_path)
    pack = BlobPack(objects_folder(repo), sha256=False)
    pack.add([b"said"])
    pack.drop()
    pack.drop()
    assert BlobPack(objects_folder(repo), sha256=False).seal() == frozenset()
    assert list(objects_folder(repo).iterdir()) == []


@pytest.mark.parametrize("place", [0, 20, -3])
def test_a_disk_that_gives_back_other_bytes_is_noticed(tmp_path: Path, place: int) -> None:
    repo = make_repository(tmp_path)
    pack = BlobPack(objects_folder(repo), sha256=False)
    pack.add([os.urandom(2_000_000)])
    [file] = objects_folder(repo).iterdir()
    with file.open("r+b") as disk:
        disk.seek(place, os.SEEK_SET if place >= 0 else os.SEEK_END)
        was = disk.read(1)
        disk.seek(-1, os.SEEK_CUR)
        disk.write(bytes([was[0] ^ 1]))
    if place == 0:
        # the head is written anew when it is known how many there are
        assert pack.seal()
        assert run(repo.root, "fsck", "--strict", "--no-dangling") == ""
        return
    with pytest.raises(StateError, match="other bytes"):
        pack.seal()
    assert list(objects_folder(repo).iterdir()) == []


# -- objects stored by another ------------------------------------------------------------------------


def apply_delta(base: bytes, delta: bytes) -> bytes:
    """Return git's reading of it, after git's documentation of the form."""

    def size(at: int) -> tuple[int, int]:
        found = shift = 0
        while True:
            byte = delta[at]
            found |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return found, at

    from_size, at = size(0)
    to_size, at = size(at)
    made = b""
    while at < len(delta):
        step, at = delta[at], at + 1
        if step & 0x80:
            values = [0] * 7
            for bit in range(7):
                if step >> bit & 1:
                    values[bit], at = delta[at], at + 1
            start = int.from_bytes(bytes(values[:4]), "little")
            length = int.from_bytes(bytes(values[4:]), "little") or 0x10000
            made += base[start : start + length]
        else:
            made += delta[at : at + step]
            at += step
    assert (from_size, to_size) == (len(base), len(made))
    return made


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400), st.binary(max_size=400), st.binary(max_size=300), st.integers(1, 900))
def test_a_delta_makes_the_one_of_the_other(one: bytes, other: bytes, middle: bytes, times: int) -> None:
    for base, data in ((one, other), (one * times + other, one * times + middle + other), (one, one)):
        assert apply_delta(base, render_delta(base, data)) == data


@given(st.integers(1, 1 << 40))
def test_a_distance_is_read_back(back: int) -> None:
    first, *rest = render_distance(back)
    found = first & 0x7F
    for byte in rest:
        found = ((found + 1) << 7) | (byte & 0x7F)
    assert found == back


@pytest.mark.parametrize("sha256", [False, True])
@pytest.mark.parametrize("count", [3, AT_MOST_LOOSE + 50])
def test_trees_stored_each_by_the_one_before_are_whole(tmp_path: Path, count: int, *, sha256: bool) -> None:
    repo = make_repository(tmp_path, sha256=sha256)
    objects = NewObjects(repo)
    blob_id = objects.add("blob", b"x")
    folder = Folder({b"z%03d" % number: Item("100644", blob_id) for number in range(2000)})
    contents: dict[str, bytes] = {}
    for number in range(count):
        folder.put(b"%03d.md" % (number * 7 % 500), Item("100644", blob_id))
        folder.drop(b"z%03d" % number)
        folder.made = objects.add("tree", folder.render(), like=folder.made)
        contents[folder.made] = folder.render()
    with (tmp_path / "scratch").open("x+b") as scratch:
        objects.write(Git(repo.root), scratch)
        assert scratch.seek(0, os.SEEK_END) < 60_000 * (1 + count // 40)
    told = subprocess.run(
        ["git", "cat-file", "--batch"],
        cwd=repo.root,
        input="".join(f"{name}\n" for name in contents).encode(),
        capture_output=True,
        check=True,
    ).stdout
    heads = (f"{name} tree {len(data)}\n".encode() + data + b"\n" for name, data in contents.items())
    assert told == b"".join(heads)
    assert run(repo.root, "fsck", "--strict", "--no-dangling") == ""
