"""Advice that the persona gave in a chat, pointed out when the chat is recorded."""

from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.terminal.open_kit import OpenKit


def tell_of_advice(opened: "OpenKit", sessions: "Sequence[str]") -> None:
    """Report in a line where the persona gave advice about files at hand; it is not followed by itself."""
    from reel_cli.core.values.talk import session_path
    from reel_cli.features.shelf.advice.advice import SIGNS

    for session in sessions:
        text = (opened.snapshot.read(session_path(session)) or b"").lower()
        if not any(sign.encode() in text for sign in SIGNS):
            continue
        from reel_cli.features.shelf.advice.plan_reply import find_said

        with suppress(ReelError):
            where = find_said(opened.snapshot, session, quick=True).where
            told = "The persona gave advice about what is at hand"
            opened.console.next_step(f"{told}:  reel shelf advise --from {where}")
