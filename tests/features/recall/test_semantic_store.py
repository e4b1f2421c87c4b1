"""The file of vectors: kept, emptied for another model, remade where it is damaged or foreign."""

import os
import sqlite3
from pathlib import Path

import pytest

from reel_cli.features.recall.embeddings.store import KEY_BYTES, Block, VectorFile

ONE, TWO = b"1" * KEY_BYTES, b"2" * KEY_BYTES
BLOCK = Block(ONE + TWO, bytes([1, 2]), b"abcdef")
"""Two turns, of one piece and of two, in two dimensions."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".reel" / "cache" / "vectors.sqlite"


def filled(path: Path, model: str = "m") -> None:
    kept = VectorFile(path, model)
    kept.write("2026-02-10-1", "stamp", BLOCK, 2)
    kept.close()


def content(path: Path, model: str = "m") -> tuple[dict[str, str], int, Block | None]:
    kept = VectorFile(path, model)
    try:
        return kept.stamps(), kept.dimensions, kept.read("2026-02-10-1")
    finally:
        kept.close()


NOTHING: tuple[dict[str, str], int, None] = ({}, 0, None)


def test_what_was_kept_is_there_again(path: Path) -> None:
    filled(path)
    assert content(path) == ({"2026-02-10-1": "stamp"}, 2, BLOCK)
    assert dict(BLOCK.by_key(2)) == {ONE: b"ab", TWO: b"cdef"}


def test_only_its_owner_reads_it(path: Path) -> None:
    filled(path)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    content(path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_session_is_forgotten(path: Path) -> None:
    filled(path)
    kept = VectorFile(path, "m")
    kept.remove("2026-02-10-1")
    assert (kept.stamps(), kept.read("2026-02-10-1")) == ({}, None)
    kept.close()


def test_another_models_vectors_are_thrown_away(path: Path) -> None:
    filled(path)
    assert content(path, "another") == NOTHING
    assert content(path, "m") == NOTHING


@pytest.mark.parametrize("junk", [b"not a database", b"", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_broken_file_is_made_anew(path: Path, junk: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(junk)
    assert content(path) == NOTHING
    filled(path)
    assert content(path)[2] == BLOCK


def test_a_foreign_database_is_made_anew(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE sessions (id)")
    foreign.close()
    assert content(path) == NOTHING


def test_a_file_that_breaks_while_it_is_open_loses_nothing_but_itself(path: Path) -> None:
    filled(path)
    kept = VectorFile(path, "m")
    path.write_bytes(b"\xff" * path.stat().st_size)
    kept.write("2026-02-11-1", "later", BLOCK, 2)
    assert kept.read("2026-02-11-1") == BLOCK
    kept.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("vectors", b"abc"),
        ("keys", b"1"),
        ("pieces", bytes([1, 0])),
        ("pieces", bytes([1, 9])),
        ("keys", None),
    ],
)
def test_what_makes_no_sense_is_not_there(path: Path, column: str, value: bytes | None) -> None:
    filled(path)
    with sqlite3.connect(path) as file:
        file.execute(f"UPDATE sessions SET {column} = ?", (value,))  # noqa: S608
    file.close()
    assert content(path)[2] is None


@pytest.mark.parametrize("value", ["x", "-2", "99999", "9" * 30, ""])
def test_a_length_that_makes_no_sense_is_none(path: Path, value: str) -> None:
    filled(path)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE kept SET value = ? WHERE name = 'dimensions'", (value,))
    file.close()
    assert content(path)[1:] == (0, None)


def test_a_link_is_not_followed(path: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"mine")
    path.parent.mkdir(parents=True)
    path.symlink_to(elsewhere)
    filled(path)
    assert elsewhere.read_bytes() == b"mine"
    assert path.is_symlink()


@pytest.mark.skipif(
    os.name == "nt" or os.geteuid() == 0, reason="whoever may write anywhere has no locked folder"
)
def test_where_nothing_can_be_written_vectors_live_in_memory(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    kept = VectorFile(tmp_path / ".reel" / "cache" / "vectors.sqlite", "m")
    kept.write("2026-02-10-1", "stamp", BLOCK, 2)
    assert kept.read("2026-02-10-1") == BLOCK
    kept.close()
    tmp_path.chmod(0o700)
