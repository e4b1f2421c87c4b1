"""Rows of domain data that were asked for, on their way into a bundle."""

from collections.abc import Sequence
from typing import NamedTuple


class AskedRow(NamedTuple):
    """One row as it may be told: what it is called ("" for nothing), and what else it holds, by column.

    `id` is table and key, `quests/lantern`; `heading` is what the table is called.
    """

    id: str
    heading: str
    name: str
    parts: Sequence[tuple[str, str]]


class RequestedRows(NamedTuple):
    """The rows that were asked for, grouped by table, and notes for the person."""

    rows: Sequence[AskedRow] = ()
    told: Sequence[str] = ()
