"""Final steps for conversations of every format: hidden reasoning split off, broken characters mended."""

import re
from collections.abc import Sequence
from dataclasses import replace

from reel_cli.core.blockquote import FENCE_LINE, cut_out
from reel_cli.core.tape.formats.source import Notes, Source
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_SURROGATE = re.compile("[\ud800-\udfff]")
_OPENED = re.compile(r"(?m)^[ \t]*<(think|thinking|reasoning|thinking-content-[0-9a-f]{32})>[ \t]*")
_ORPHAN = re.compile(r"(?m)(?<![`'\"])</(?:think|thinking)>[ \t]*$")
_PLAIN_MODEL = re.compile(r"[A-Za-z0-9._:/@-]{1,80}")
_NAME, _TITLE, _KEY = 120, 200, 200


def finish(conversation: Conversation, source: Source) -> Conversation:
    """Return the conversation with reasoning apart, no lone surrogates, and names on one line."""
    notes = Notes()
    messages = conversation.messages
    everything = "".join([m.text for m in messages])
    unbroken, tagged = _is_unbroken(everything), "<" in everything
    if not unbroken or tagged or not _are_plain(messages):
        whole: list[Message] = []
        for message in messages:
            # fast path: most messages are plain
            if unbroken and message.name is message.model is None and "<" not in message.text:
                whole.append(message)
            else:
                whole += _split(_mend(message, notes), notes)
        messages = whole
    kept = _without_blank(messages, notes)
    title, key = conversation.title, conversation.key
    return replace(
        conversation,
        messages=tuple(kept),
        key=_mend_text(key, notes)[:_KEY] if key else None,
        title=one_line(_mend_text(title, notes), _TITLE) or None if title else None,
        model=one_line(_mend_text(conversation.model, notes), _NAME) or None if conversation.model else None,
        started=conversation.started or next((m.time for m in kept if m.time), None),
        problems=(*source.notes.lines(), *conversation.problems, *notes.lines()),
    )


def _are_plain(messages: Sequence[Message]) -> bool:
    """Return whether the messages have no names, and only model names that need no mending."""
    models = {m.model for m in messages} - {None}
    return {m.name for m in messages} <= {None} and all(_PLAIN_MODEL.fullmatch(m or "") for m in models)


def _is_unbroken(text: str) -> bool:
    """Return whether the text has no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")  # far quicker than a search
    except UnicodeEncodeError:
        return False
    return True


def _mend_text(text: str, notes: Notes) -> str:
    if _is_unbroken(text):
        return text
    notes.add("half of a character (a lone surrogate) was replaced by \ufffd")
    return _SURROGATE.sub("\ufffd", text)


def _mend(message: Message, notes: Notes) -> Message:
    text, name, model = _mend_text(message.text, notes), message.name, message.model
    if text is message.text and name is None and (model is None or _PLAIN_MODEL.fullmatch(model)):
        return message
    return replace(
        message,
        text=text,
        name=one_line(_mend_text(name, notes), _NAME) or None if name else None,
        model=one_line(_mend_text(model, notes), _NAME) or None if model else None,
    )


def _without_blank(messages: Sequence[Message], notes: Notes) -> list[Message]:
    kept = [m for m in messages if m.text and not m.text.isspace()]
    if len(kept) == len(messages):
        return kept
    for message in messages:
        if message.kind is Kind.SAID and not message.text.strip():
            notes.add("a message without text was left out", message.role)
    return kept


def _split(message: Message, notes: Notes) -> list[Message]:
    """Return an answer, and after it the reasoning from its `<think>` tags."""
    if (
        message.role != "assistant"
        or message.kind not in {Kind.SAID, Kind.VERSION}
        or "<" not in message.text
    ):
        return [message]
    said, thoughts = split_reasoning(message.text)
    if not thoughts:
        return [message]
    if not said.strip():
        notes.add("an answer holds hidden reasoning and nothing else")
    apart = [replace(message, text=thought, kind=Kind.REASONING) for thought in thoughts if thought]
    return [replace(message, text=said), *apart] if said.strip() else apart


def split_reasoning(text: str) -> tuple[str, list[str]]:
    """Return what was said, and the reasoning blocks.

    A block opens at the start of a line outside a code fence; without its end, it takes all that
    follows. A closing tag without an opening one (some templates keep that to themselves) ends
    reasoning that began with the text.
    """
    said, blocks = cut_out(text, _OPENED, lambda opened: f"</{opened[1]}>")
    if not blocks:
        orphan = _ORPHAN.search(text)
        if not orphan or len(FENCE_LINE.findall(text, 0, orphan.start())) % 2:
            return text, []
        return text[orphan.end() :].lstrip(), [text[: orphan.start()].strip()]
    return said, [inner.strip() for _, inner in blocks]
