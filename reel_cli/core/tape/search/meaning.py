"""The shape of a second opinion on ranked turns: how near their meaning is to a question's."""

import sqlite3
from collections.abc import Callable, Collection
from typing import Protocol

from reel_cli.core.tape.search.ranking import Overview, Ranked


class Meaning(Protocol):
    """Vectors of one kit's turns, kept beside the index and handed to `Index.use` by a feature."""

    def refresh(
        self, file: sqlite3.Connection, progress: Callable[[int, int], None] | None = None
    ) -> list[str]:
        """Update the vectors from the index; return the sessions that changed."""

    def join(
        self,
        file: sqlite3.Connection,
        overview: Overview,
        ranked: Ranked,
        text: str,
        allowed: Collection[int] | None,
    ) -> None:
        """Weigh the ranked turns of the sessions `allowed` (None: all) by their nearness to a question."""

    def close(self) -> None:
        """Close the file of the vectors."""
