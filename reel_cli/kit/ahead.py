"""Storing what is planned while more is being planned: bytes in git that nothing names yet."""

import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

from reel_cli.errors import ReelError
from reel_cli.kit.git import Repository
from reel_cli.kit.git_objects import store_blobs
from reel_cli.kit.git_process import Git
from reel_cli.kit.private import state_folder
from reel_cli.model.change import Change

AT_LEAST = 4 * 1024 * 1024
"""So many bytes go to git at once; fewer are left to the transaction."""


class StoredAhead:
    """Puts the new bytes of changes into git in the background; a transaction then finds them there.

    It only saves time: what it could not store, or what is gone again, the transaction stores.
    """

    def __init__(self, repo: Repository, kit: Path) -> None:
        """Begin with nothing."""
        self._repo = repo
        self._kit = kit
        self._begin()

    def _begin(self) -> None:
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._queue: SimpleQueue[list[bytes] | None] = SimpleQueue()
        self._stored: set[str] = set()
        self._workers: list[threading.Thread] = []

    def put(self, change: Change) -> None:
        """Take the new bytes of a change in, and store them as soon as enough have gathered."""
        for data in change.writes.values():
            if data is not None:
                self._waiting.append(data)
                self._bytes += len(data)
        if self._bytes < AT_LEAST:
            return
        if len(self._workers) < (os.cpu_count() or 1):
            self._workers.append(threading.Thread(target=self._work, daemon=True))
            self._workers[-1].start()
        self._queue.put(self._waiting)
        self._waiting, self._bytes = [], 0

    def finish(self) -> frozenset[str]:
        """Wait until all that was begun is stored; return its blobs' ids, and begin anew."""
        for _ in self._workers:
            self._queue.put(None)
        for worker in self._workers:
            worker.join()
        stored = frozenset(self._stored)
        self._begin()
        return stored

    def _work(self) -> None:
        while (contents := self._queue.get()) is not None:
            names = [self._repo.blob_id(data) for data in contents]
            with (
                suppress(OSError, ReelError),
                tempfile.TemporaryFile(dir=state_folder(self._kit)) as file,
            ):
                store_blobs(Git(self._repo.root), contents, names, file)
                self._stored.update(names)
            del contents
