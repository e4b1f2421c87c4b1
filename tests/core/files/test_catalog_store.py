"""A command opens its kit's catalog once, and whatever happens to the file, it never uses another one's."""

import sqlite3
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from reel_cli.core.cache_file import discard
from reel_cli.core.command_scope import command_scope
from reel_cli.core.files.catalog_store import Store, open_store
from tests.support.cli import Reel

if TYPE_CHECKING:
    from collections.abc import Callable


def use(kit: Path) -> Store:
    """Return the catalog after one use of it."""
    store = open_store(kit)
    store.keep("a name", "a stamp", "a value")
    store.close(keep=True)
    return store


def is_open(store: Store) -> bool:
    try:
        store.connection.total_changes  # noqa: B018 (raises where it is closed)
    except sqlite3.ProgrammingError:
        return False
    return True


def test_a_command_keeps_its_connection_and_closes_it_at_the_end(tmp_path: Path) -> None:
    with command_scope():
        first, second = use(tmp_path), use(tmp_path)
        assert second.connection is first.connection
        assert is_open(first)
    assert not is_open(first)
    # outside a command each use closes it
    assert not is_open(use(tmp_path))


def test_what_one_use_drops_the_next_does_not_see(tmp_path: Path) -> None:
    with command_scope():
        use(tmp_path)
        store = open_store(tmp_path)
        store.begin()
        store.keep("another", "a stamp", "a value")
        store.close(keep=False)
        again = open_store(tmp_path)
        assert again.recall("another", "a stamp") is None
        assert again.recall("a name", "a stamp") == "a value"
        again.close(keep=True)


def test_two_uses_at_once_have_two_connections(tmp_path: Path) -> None:
    with command_scope():
        one, other = open_store(tmp_path), open_store(tmp_path)
        assert one.connection is not other.connection
        other.close(keep=True)
        one.close(keep=True)
        assert is_open(other)
        assert not is_open(one)


def test_a_catalog_in_the_place_of_another_is_opened_anew(tmp_path: Path) -> None:
    kit, other = tmp_path / "ada", tmp_path / "other"
    for folder in (kit, other):
        folder.mkdir()
    newer = open_store(other)
    newer.keep("a name", "a stamp", "another value")
    newer.close(keep=True)
    with command_scope():
        newer.path.replace(use(kit).path)
        store = open_store(kit)
        assert store.recall("a name", "a stamp") == "another value"
        discard(store.path)
        store.close(keep=True)
        again = open_store(kit)
        assert again.recall("a name", "a stamp") is None
        again.close(keep=True)


def test_a_catalog_that_was_replaced_while_it_was_open_is_not_used_for_the_new_one(tmp_path: Path) -> None:
    with command_scope():
        first = open_store(tmp_path)
        discard(first.path)
        second = use(tmp_path)
        first.close(keep=True)
        again = open_store(tmp_path)
        assert again.connection is second.connection
        again.close(keep=True)


def test_another_thread_opens_its_own(tmp_path: Path) -> None:
    found: list[Store] = []
    with command_scope():
        first = use(tmp_path)
        thread = Thread(target=lambda: found.append(use(tmp_path)))
        thread.start()
        thread.join()
        assert found[0].connection is not first.connection
        assert not is_open(found[0])


def test_a_command_within_a_command_closes_only_its_own(tmp_path: Path) -> None:
    with command_scope():
        outer = use(tmp_path)
        with command_scope():
            inner = use(tmp_path)
        assert (is_open(outer), is_open(inner)) == (True, False)
        assert use(tmp_path).connection is outer.connection


def test_a_command_opens_the_catalog_once(reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reel("status").ok()
    opened: list[sqlite3.Connection] = []
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def count(*args: object, **named: object) -> sqlite3.Connection:
        opened.append(connect(*args, **named))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", count)
    reel("status").ok()
    assert len(opened) == 1
    with pytest.raises(sqlite3.ProgrammingError):
        opened[0].execute("SELECT 1")
