"""How the core reads its own kit files; `kit_files.CORE_FILES` names them."""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.files import front_matter
from reel_cli.core.files.checkpoint_file import KEYS, find_unread_words, read_checkpoint
from reel_cli.core.files.exemplar_file import ACTIVE_KEYS, EXEMPLAR_KEYS, parse_active, parse_exemplar
from reel_cli.core.files.index_file import find_unread_lines
from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.core.files.ledger_file import find_unread_acts
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.review_file import (
    PROPOSAL_KEYS,
    SETTLED,
    SETTLED_KEYS,
    find_unread_kind,
    read_settled,
)
from reel_cli.core.files.settings_file import parse_settings

_MEMORY = re.compile(r"ring3/M-[^/]*\.md")
_EXEMPLAR = re.compile(r"ring1/[^/]*\.md")
_FRONT = re.compile(r"ring0/[^/]*\.md|ring2/working\.md")
_ACTIVE = "ring1/active.yaml"


def _check_settings(_path: str, text: str) -> None:
    parse_settings(text, fallback_name="the kit")


def _check_front(path: str, text: str) -> None:
    if _FRONT.fullmatch(path):
        front_matter.split(text, path)


def _check_voice(path: str, text: str) -> None:
    if path == _ACTIVE:
        parse_active(text, path)
    elif _EXEMPLAR.fullmatch(path):
        parse_exemplar(text, path, later=True)


def _check_memory(path: str, text: str) -> None:
    if _MEMORY.fullmatch(path):
        parse_memory(text, path)


def _check_review(path: str, text: str) -> None:
    if path == SETTLED:
        read_settled(text)


def _check_page(path: str, text: str) -> None:
    read_checkpoint(text, path)


def _known_of_voice(path: str) -> Sequence[str]:
    return ACTIVE_KEYS if path == _ACTIVE else EXEMPLAR_KEYS if _EXEMPLAR.fullmatch(path) else ()


def _known_of_page(_path: str) -> Sequence[str]:
    return (*KEYS, "measured.**")


def _known_of_review(path: str) -> Sequence[str]:
    return SETTLED_KEYS if path == SETTLED else PROPOSAL_KEYS


def _unread_of_review(path: str, text: str) -> Iterator[tuple[int, str]]:
    return iter(()) if path == SETTLED else find_unread_kind(text, path)


SETTINGS = KitFileKind(_check_settings)
RING_0 = RING_2 = KitFileKind(_check_front)
RING_1 = KitFileKind(_check_voice, known=_known_of_voice)
RING_3 = KitFileKind(_check_memory)
RING_4 = KitFileKind(unread=find_unread_lines)
CHECKPOINTS = KitFileKind(_check_page, known=_known_of_page, unread=find_unread_words)
REVIEW = KitFileKind(_check_review, known=_known_of_review, unread=_unread_of_review)
JOURNAL = KitFileKind(unread=find_unread_acts)
