"""A chat over the wire: messages out, the reply in as it is written, tried again where that may help."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from reel_cli.core.tape.formats.finish import split_reasoning
from reel_cli.features.wire.address import Address
from reel_cli.features.wire.connection import AnswerStream, Patience, ask, read_json, told_why
from reel_cli.features.wire.wire_error import WireError, find_too_long

LONGEST_LINE = 1 << 20
"""Bytes above which an event of a stream is refused."""
PATIENCE = Patience()
_HEADING = re.compile(r"(?m)^#{1,6} ")
_UNSHAPED = (400, 404, 422, 501)
"""Status codes of servers that do not know a field that not every server knows."""

_TOO_LONG = "length"
"""Reason for the end of a reply that reached a limit."""
_NOTHING = "its answer broke off"
_ALL_THOUGHT = "thinking took all the tokens of its answer"
_NEWER_LIMIT = "max_completion_tokens"
"""Name of the limit at servers that refuse the usual one."""

Message = dict[str, str]
"""`role` and `content`, as OpenAI has them."""


class _SilentStreamError(WireError):
    """A stream that ended before its first event: some servers say what is wrong only to a plain question."""


class _OnlyThoughtError(WireError):
    """A reply whose thinking took all the tokens it was allowed."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply: its text, whether it was cut off, and how many tokens were read for it (0: unknown).

    `thought` is what the server gave as the thinking before it; `broken` says that it broke off, and
    `effortless` that the server did not take how deeply it should think. `model` is what the server says
    that answered ("": it does not say).
    """

    text: str
    cut: bool = False
    read: int = 0
    thought: str = ""
    broken: bool = False
    effortless: bool = False
    model: str = ""


class ReplyForm(NamedTuple):
    """Fields that not every server knows: the JSON Schema of a reply that is JSON, and `reasoning_effort`.

    `most` is the most tokens of the reply (0: the server's own), `limit` the name it goes by. `streamed` asks
    for the words as they are written.
    """

    shape: Mapping[str, Any] | None = None
    effort: str = ""
    most: int = 0
    limit: str = "max_tokens"
    streamed: bool = True

    def plainer(self) -> "ReplyForm | None":
        """Return the form without one of its fields; None if it has none."""
        if self.effort:
            return self._replace(effort="")
        if self.shape is not None:
            return self._replace(shape=None)
        if self.most and self.limit != _NEWER_LIMIT:
            return self._replace(limit=_NEWER_LIMIT)
        return ReplyForm() if self.most else None


class ReplyProgress(NamedTuple):
    """The progress of a reply: how many characters it has, and how many of thinking.

    `words` are those that have just come.
    """

    said: int
    thought: int
    words: str = ""


PLAIN = ReplyForm()
"""The form with none of them."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Callbacks for progress: the text written so far, and another try with its reason."""

    written: Callable[[ReplyProgress], None]
    again: Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Server:
    """A server that is asked for replies."""

    address: Address
    model: str
    key: str = ""
    patience: Patience = PATIENCE

    def reply(self, messages: Sequence[Message], listener: Listener, form: ReplyForm = PLAIN) -> Reply:
        """Return the reply to these messages. WireError where none can be had.

        A server that refuses a field of the form is asked again without it. A reply that breaks off each time
        is given as far as it came, without its last, unfinished part.
        """
        longest = ""
        left = form
        waits = iter(self.patience.waits)
        while True:
            try:
                found = self._once(messages, listener, left)
                return replace(found, effortless=left.effort != form.effort)
            except _SilentStreamError:
                left = left._replace(streamed=False)
            except _OnlyThoughtError as error:
                left = left._replace(most=0)
                listener.again(error.why, 0)
            except WireError as error:
                longest = max(longest, error.came, key=len)
                plainer = left.plainer() if error.status in _UNSHAPED else None
                if plainer is not None:
                    left = plainer
                    continue
                # a server that broke off may be gone for a moment
                passing = error.passing or (bool(longest) and not error.status)
                wait = next(waits, None) if passing and not error.final else None
                if wait is None and passing and longest:
                    return Reply(longest, cut=True, broken=True)
                if wait is None:
                    raise
                if error.wait is not None:
                    if error.wait > self.patience.longest_wait:
                        message = f"{error.why}; it asks to wait {error.wait:g} s"
                        raise WireError(message) from None
                    wait = error.wait
                listener.again(error.why, wait)
                self.patience.sleep(wait)

    def _once(self, messages: Sequence[Message], listener: Listener, form: ReplyForm) -> Reply:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": list(messages),
            **({"stream": True, "stream_options": {"include_usage": True}} if form.streamed else {}),
        }
        if form.shape is not None:
            named = {"name": "reply", "strict": True, "schema": form.shape}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        if form.effort:
            body["reasoning_effort"] = form.effort
        if form.most:
            body[form.limit] = form.most
        written = _PartialReply(listener)
        try:
            with ask(
                self.address, f"{self.address.path}/chat/completions", body, self.key, self.patience
            ) as incoming:
                if incoming.is_stream:
                    silent = True
                    for event in events(incoming):
                        silent = False
                        written.take(event)
                        if written.over:
                            break
                    if silent and form.streamed:
                        raise _SilentStreamError(_NOTHING)
                else:
                    written.take_whole(read_json(incoming.whole()))
        except WireError as error:
            error.came = written.text
            # the answer may come whole next time
            error.passing = error.passing or (bool(written.text) and not error.status)
            raise
        reply = written.reply(limited=bool(form.most))
        if form.most and reply.cut and not split_reasoning(reply.text)[0].strip():
            raise _OnlyThoughtError(_ALL_THOUGHT)
        return reply


class _PartialReply:
    """A reply as far as it came."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._parts: list[str] = []
        self._thoughts: list[str] = []
        self._said = self._thought = self._read = 0
        self._why = ""
        self._half = ""
        self._model = ""
        self.over = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def take(self, event: Any) -> None:  # noqa: ANN401 (whatever a server says)
        """Apply one event of a stream; None at its end."""
        if event is None:
            self.over = True
            return
        self._take(event, "delta")

    def take_whole(self, answer: Any) -> None:  # noqa: ANN401
        """Apply an answer that came in one piece."""
        self._take(answer, "message")
        self._why = self._why or "stop"

    def _take(self, event: Any, where: str) -> None:  # noqa: ANN401
        if not isinstance(event, Mapping):
            message = "its answer is not a reply"
            raise WireError(message, passing=True)
        if event.get("error"):
            told = told_why(event)
            if (long := find_too_long(told)) is not None:
                raise long
            message = f"it broke off with an error{f': {told}' if told else ''}"
            raise WireError(message, passing=True)
        if isinstance(event.get("model"), str):
            self._model = event["model"] or self._model
        usage = event.get("usage")
        if isinstance(usage, Mapping) and isinstance(usage.get("prompt_tokens"), int):
            self._read = usage["prompt_tokens"]
        choices = event.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(first, Mapping):
            if where == "message":
                message = "its answer is not a reply"
                raise WireError(message, passing=True)
            return
        part = first.get(where)
        if isinstance(part, Mapping):
            words, thought = part.get("content"), part.get("reasoning_content") or part.get("reasoning")
            words, thought = (one if isinstance(one, str) else "" for one in (words, thought))
            words, thought = self._mend(words), whole_letters(thought)
            self._parts.append(words)
            self._thoughts.append(thought)
            self._said += len(words)
            self._thought += len(thought)
            self._listener.written(ReplyProgress(self._said, self._thought, words))
        if isinstance(first.get("finish_reason"), str):
            self._why = first["finish_reason"]

    def _mend(self, words: str) -> str:
        """Return words with whole characters only: half of one waits for the other, or is replaced."""
        words, self._half = self._half + words, ""
        if words and "\ud800" <= words[-1] <= "\udbff":
            words, self._half = words[:-1], words[-1]
        return whole_letters(words)

    def reply(self, *, limited: bool = False) -> Reply:
        """Return the whole reply; raises WireError if it is not over, or empty."""
        if not self.over and not self._why:
            message = "its answer broke off"
            raise WireError(message, passing=True, came=self.text)
        if limited and not self.text.strip() and self._why == _TOO_LONG:
            raise _OnlyThoughtError(_ALL_THOUGHT)
        if not self.text.strip():
            message = "its answer is empty" + (": all of it was thinking" if self._thought else "")
            hint = "load the model with a longer context, so that it has room" if self._thought else ""
            raise WireError(message, hint=hint)
        thought = "".join(self._thoughts).strip()
        return Reply(self.text, self._why == _TOO_LONG, self._read, thought, model=self._model)


def whole_letters(words: str) -> str:
    """Return the words with surrogate halves joined, or a mark in place of a lone one."""
    try:
        words.encode()
    except UnicodeEncodeError:
        return words.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return words


def events(incoming: AnswerStream) -> Iterator[Any]:
    """Yield the events of a stream, each as JSON; None for the one that ends it."""
    rest = b""
    for piece in incoming.pieces():
        *lines, rest = (rest + piece).split(b"\n")
        if len(rest) > LONGEST_LINE:
            message = "what it sends is not a stream of text"
            raise WireError(message, final=True)
        for line in lines:
            yield from _event(line)
    yield from _event(rest)


def _event(line: bytes) -> Iterator[Any]:
    name, colon, value = line.strip().partition(b":")
    if name != b"data" or not colon:
        return  # a comment that keeps the line alive, an event's name, or nothing
    value = value.strip()
    if value == b"[DONE]":
        yield None
    elif value:
        yield read_json(value)


def in_turns(messages: Sequence[Message]) -> list[Message]:
    """Return messages in turns: chat templates want the user first, and nobody twice in a row."""
    found: list[Message] = []
    for one in messages:
        if found and found[-1]["role"] == one["role"]:
            found[-1] = {**one, "content": f"{found[-1]['content']}\n\n{one['content']}"}
            continue
        if one["role"] == "assistant" and (not found or found[-1]["role"] == "system"):
            found.append({"role": "user", "content": "[…]"})
        found.append(dict(one))
    return found


def whole_parts(text: str) -> str:
    """Return a reply that was cut off, without the unfinished part under its last heading."""
    heads = [found.start() for found in _HEADING.finditer(text)]
    return text[: heads[-1]] if heads else text[: text.rfind("\n") + 1]
