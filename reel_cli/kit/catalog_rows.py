"""Rings 3 and 4 as the catalog keeps them: a row each, brought up to date file by file, read as far as needed."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import batched
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.kit.catalog_store import CatalogUnusable, Store, checksum, verify
from reel_cli.kit.ring_files import Look, is_memory_file, look_at, look_into
from reel_cli.model.holdings import Counter, LineRow, MemoryRow, Writing

if TYPE_CHECKING:
    from collections.abc import Callable

    from reel_cli.kit.snapshot import Snapshot
