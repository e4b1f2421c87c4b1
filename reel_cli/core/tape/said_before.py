"""Test of whether words were said on the tape: words that reel's handouts quote count as said too."""

import re
from collections.abc import Callable

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.own_words import is_piece_of
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.talk import Kind, session_path

_WORD = re.compile(r"\w+")
_TELLING = 4
"""Number of a text's longest words that rule out most sessions without parsing them."""


def said_before(snapshot: Snapshot) -> Callable[[str], bool]:
    """Return a test of whether a text is something said in a session, or a piece of it.

    The newest session is looked at first. What was taken back since, or marked otherwise, was said all the
    same.
    """
    held: dict[str, list[str]] = {}

    def was_said(text: str) -> bool:
        words = sorted(set(_WORD.findall(text)), key=len)[-_TELLING:]
        marks = [word.encode("utf-8", "surrogateescape") for word in words]
        for session in reversed(snapshot.sessions):
            data = snapshot.read(session_path(session)) or b""
            if not all(mark in data for mark in marks):
                continue
            if session not in held:
                held[session] = _said_in(data, session)
            if any(is_piece_of(text, whole) for whole in held[session]):
                return True
        return False

    return was_said


def _said_in(data: bytes, session: str) -> list[str]:
    try:
        parsed = parse_session(data, session_path(session))
    except ReelError:
        return []
    return [entry.message.text for entry in parsed.entries if entry.message.kind is Kind.SAID]
