"""Files of what can be made again: made where they are missing, and anew where they cannot be used."""

import sqlite3
from pathlib import Path
from threading import Barrier, Thread

import pytest

from reel_cli.core.cache_file import CacheTables

TABLES = CacheTables(0x5245454C, 2, "CREATE TABLE kept (name TEXT); CREATE INDEX names ON kept (name);")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".reel" / "cache" / "some.sqlite"


def put(path: Path, tables: CacheTables, name: str) -> str | None:
    file, why = tables.open(path)
    file.execute("INSERT INTO kept VALUES (?)", (name,))
    file.close()
    return why


def names(path: Path) -> list[str]:
    file, _ = TABLES.open(path)
    found = [name for (name,) in file.execute("SELECT name FROM kept")]
    file.close()
    return found


def test_it_is_made_where_it_is_missing_and_for_its_owner_alone(path: Path) -> None:
    assert put(path, TABLES, "one") is None
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    assert names(path) == ["one"]
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (TABLES._replace(version=3), "another version of reel made it"),
        (TABLES._replace(application=1), "it was not reel's"),
    ],
)
def test_that_of_another_version_or_program_is_made_anew(path: Path, other: CacheTables, why: str) -> None:
    put(path, other, "theirs")
    assert put(path, TABLES, "ours") == why
    assert names(path) == ["ours"]


def test_a_damaged_one_is_made_anew(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all, but long enough for a header of one" * 4)
    assert put(path, TABLES, "ours") == "file is not a database"
    assert names(path) == ["ours"]


def test_one_that_another_writes_to_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reel_cli.core.cache_file.PATIENCE", 0.01)
    put(path, TABLES, "theirs")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError):
        TABLES.open(path)
    writer.execute("COMMIT")
    writer.close()
    assert names(path) == ["theirs"]


def test_a_link_is_not_followed(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="link"):
        TABLES.open(path)


def test_two_that_make_it_at_once_have_the_same_one(path: Path) -> None:
    start, problems = Barrier(4), list[Exception]()

    def run(name: str) -> None:
        start.wait()
        try:
            put(path, TABLES, name)
        except (OSError, sqlite3.Error) as error:
            problems.append(error)

    threads = [Thread(target=run, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert sorted(names(path)) == [*"abcd"]
