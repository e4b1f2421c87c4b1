"""Model files on this machine, in the folders where apps put them."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reel_cli.features.record.chat_apps import LM_STUDIO, in_home

FOLDERS = (
    *(f"{place}/models" for place in LM_STUDIO),
    ".cache/llama.cpp",
    ".cache/huggingface/hub",
    "jan/models",
    ".local/share/Jan/data/models",
    ".local/share/nomic.ai/GPT4All",
    "models",
    "Models",
)
"""Folders, below the home folder, in which apps keep models."""
MAGIC = b"GGUF"
DEEPEST = 6
MOST_ENTRIES = 20_000
"""A folder with more than this in it is not walked to its end."""
_SMALLEST = 1 << 20
"""Bytes below which a file holds only a vocabulary, not a model."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model's file: where it is, as a person writes it, and how large it is."""

    shown: str
    size: int


def find_model_files() -> Sequence[ModelFile]:
    """Return the GGUF files in the usual folders, newest first; of a split one, the first part."""
    found: dict[Path, tuple[float, ModelFile]] = {}
    for path in _candidates():
        try:
            real = path.resolve(strict=True)
            status = real.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size < _SMALLEST or real in found:
                continue
            with real.open("rb") as file:
                if file.read(len(MAGIC)) != MAGIC:
                    continue
        except (OSError, RuntimeError):
            continue
        found[real] = (status.st_mtime, ModelFile(in_home(path), status.st_size))
    return [file for _, file in sorted(found.values(), key=lambda one: -one[0])]


def _candidates() -> Iterator[Path]:
    seen = 0
    for top in dict.fromkeys(Path.home() / folder for folder in FOLDERS):
        for here, folders, files in os.walk(top):
            if len(Path(here).relative_to(top).parts) >= DEEPEST:
                folders.clear()
            for name in sorted(files):
                seen += 1
                if seen > MOST_ENTRIES:
                    return
                low = name.lower()
                # vision parts and later parts of a model have no vocabulary of their own
                is_part = "-of-" in low and "-00001-of-" not in low
                if low.endswith(".gguf") and not low.startswith("mmproj") and not is_part:
                    yield Path(here) / name
