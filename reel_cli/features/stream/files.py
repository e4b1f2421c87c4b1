"""`stream.md`: what the conversation goes on from, once it was kept."""

import re
from typing import NoReturn

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.markdown import heading_lines, split_sections
from reel_cli.core.files.yaml_text import render_flow, render_scalar
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.talk import SESSION_ID, parse_source
from reel_cli.features.stream.stream import KeptConversation

STREAM_FILE = "stream.md"
SO_FAR, TO_KEEP_TO = "The conversation so far", "To keep to"
_MEND = "take the file back from history:  reel restore stream.md"
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(.*)")


def parse_stream(text: str) -> KeptConversation:
    """Read the file. Raises ReelError where it cannot be one."""
    document = front_matter.split(text, STREAM_FILE)
    session, upto = document.text("session"), document.text("upto")
    if not SESSION_ID.fullmatch(session) or not _is_number(upto):
        _refuse("it does not say which messages its summary stands for")
    keeps, overlap = document.text("keeps") or "1", document.text("overlap")
    if not _is_number(keeps) or not (overlap == "" or _is_number(overlap)):
        _refuse("keeps and overlap are numbers")
    spans = [parse_source(item) for item in document.items("whole")]
    sections = split_sections(document.body)
    if not sections.get(SO_FAR, "").strip():
        _refuse(f"nothing stands under “{SO_FAR}”")
    pinned = (_ITEM.fullmatch(line) for line in sections.get(TO_KEEP_TO, "").splitlines())
    return KeptConversation(
        session=session,
        upto=int(upto),
        summary=sections[SO_FAR].strip("\n"),
        at=document.text("at"),
        keeps=int(keeps),
        whole=tuple(span for span in spans if span is not None),
        pinned=tuple(found[1].strip() for found in pinned if found and found[1].strip()),
        overlap=int(overlap) if overlap else None,
        noticed=tuple(item for item in document.items("noticed") if MEMORY_ID.fullmatch(item)),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _refuse(why: str) -> NoReturn:
    message = f"{STREAM_FILE} cannot be read: {why}."
    raise ReelError(message, hint=_MEND)


def render_stream(kept: KeptConversation, before: str = "") -> str:
    """Return the file; foreign keys and sections of `before` stay.

    The summary stands last: whatever a model wrote in it, it hides nothing else.
    """
    fields = {
        "session": kept.session,
        "upto": str(kept.upto),
        "at": render_scalar(kept.at),
        "keeps": str(kept.keeps),
        "whole": render_flow([str(span) for span in kept.whole]),
        "overlap": str(kept.overlap) if kept.overlap is not None else None,
        "noticed": render_flow(kept.noticed) if kept.noticed else None,
    }
    pinned = "".join(f"- {one_line(line)}\n" for line in kept.pinned)
    parts = [f"## {TO_KEEP_TO}\n\n{pinned}"] if pinned else []
    head = front_matter.render({key: value for key, value in fields.items() if value is not None}, "")
    if before.strip():
        document = front_matter.split(before, STREAM_FILE)
        parts = [*_foreign(document.body), *parts]
        kept_head = f"---\n{document.raw}---\n" if document.raw else "---\n---\n"
        head = front_matter.set_fields(kept_head, fields, STREAM_FILE)
    parts.append(f"## {SO_FAR}\n\n{kept.summary.strip()}\n")
    return head + "\n" + "\n".join(parts)


def _foreign(body: str) -> list[str]:
    """Return a person's own sections, as they stand."""
    lines = body.splitlines(keepends=True)
    heads = heading_lines(body)
    ends = [*(first for _, first, _ in heads[1:]), len(lines)] if heads else []
    return [
        "".join(lines[first:end]).rstrip("\n") + "\n"
        for (name, first, _), end in zip(heads, ends, strict=True)
        if name not in (SO_FAR, TO_KEEP_TO)
    ]
