"""Traces of a shared memory beside itself: prompts that told it, and what waits or was settled about it."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.front_matter import set_yaml_fields
from reel_cli.core.files.ledger_file import without_queries
from reel_cli.core.files.private import read_plain
from reel_cli.core.files.review_file import SETTLED, parse_proposal, read_settled
from reel_cli.core.files.state import State
from reel_cli.core.files.tree import is_proposal_file
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.memory import Memory
from reel_cli.features.share.ask import KIND

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

_LEAST_WORDS = 4
"""A passage of fewer words may be said of anything."""
_ANSWER = "declined-"
_ANSWER_FILE = re.compile(rf"{_ANSWER}(\w+-\d+)")
_WORD = re.compile(r"\w+")
_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")


def list_passages(texts: Iterable[str]) -> Sequence[str]:
    """Return the sentences of some texts that are long enough to be known again, as their folded words."""
    parts = (_words(part) for text in texts for part in _END.split(text))
    return [part for part in dict.fromkeys(parts) if part.count(" ") >= _LEAST_WORDS - 1]


def memory_texts(memories: Iterable[Memory]) -> Sequence[str]:
    """Return the texts of memories that tell what they are about."""
    return [text for one in memories for text in (one.title, one.body, one.marker, one.tag)]


def asked_of(state: State) -> Sequence[str]:
    """Return the shared memories whose prompts wait for a reply, or whose answer was declined or refused."""
    prefix = f"{KIND}."
    waiting = [name.removeprefix(prefix) for name in state.exchanges() if name.startswith(prefix)]
    return list(dict.fromkeys([*waiting, *(shared_id for shared_id, _ in _list_answers(state))]))


def _list_answers(state: State) -> Sequence[tuple[str, Path]]:
    """Return the answers that were declined or refused, each with the shared memory it is about."""
    files = (*state.folder.glob(f"{_ANSWER}*.md"), *state.folder.glob(f"refused/{_ANSWER}*.md"))
    return [(found[1], path) for path in files if (found := _ANSWER_FILE.match(path.name))]


def drop_prompts(opened: "OpenKit", shared_ids: Iterable[str], passages: Sequence[str]) -> None:
    """Forget the prompts that ask for shared memories, and all others that tell of them.

    A reply to such a prompt is taken for another's, or for none. Parts of replies that came already are kept
    where a refused reply is.
    """
    shared_ids = list(shared_ids)
    own = {f"{KIND}.{one}" for one in shared_ids}
    state = opened.state
    waiting = state.exchanges()
    asked = [str(waiting[name].get("text") or "") for name in own.intersection(waiting)]
    _drop_answers(state, shared_ids, [*passages, *list_passages(asked)])
    found = [n for n, value in state.exchanges().items() if n in own or _tells(_strings(value), passages)]
    for name in found:
        for reply in state.exchanges()[name].get("replies") or ():
            if name not in own and isinstance(reply, str) and reply.strip():
                state.keep_refused(reply)
        state.drop_exchange(name)
    others = len(set(found) - own)
    if others:
        prompts = "1 prompt that waited" if others == 1 else f"{others} prompts that waited"
        opened.console.say(f"{prompts} told of it and can no longer be answered; ask for a new one.")


def clean_journal(snapshot: Snapshot, names: Collection[str]) -> Mapping[str, bytes | None]:
    """Return what changes in `journal/`: queries that brought these memories name what they are about."""
    writes: dict[str, bytes | None] = {}
    for path in snapshot.list("journal"):
        # one that cannot be read is left to the doctor
        with suppress(ReelError):
            lines = (snapshot.text(path) or "").splitlines()
            kept = without_queries(lines, names)
            if kept != lines:
                writes[path] = "".join(f"{line}\n" for line in kept).encode()
    return writes


def forget_queries(state: State, names: Collection[str]) -> None:
    """Take the queries that brought these memories out of what is not in the journal yet."""
    kept = iter(without_queries(state.pending_touches(), names))
    state.rename(lambda _: next(kept), lambda text: text)


def answer_kind(shared_id: str) -> str:
    """Return how the files with answers about a shared memory begin that were declined or refused."""
    return f"{_ANSWER}{shared_id}"


def _drop_answers(state: State, shared_ids: Iterable[str], passages: Sequence[str]) -> None:
    """Delete the answers about shared memories that were not kept, and all others with their words."""
    for shared_id, path in _list_answers(state):
        if shared_id in shared_ids:
            path.unlink(missing_ok=True)
    for path in (*state.folder.glob("*.md"), *state.folder.glob("refused/*.md")):
        with suppress(OSError):
            if path.is_file() and _tells([read_plain(path).decode("utf-8", "replace")], passages):
                path.unlink()


def clean_review(
    snapshot: Snapshot, mine: Iterable[str], passages: Sequence[str]
) -> Mapping[str, bytes | None]:
    """Return what leaves `review/`: proposals about these memories, and decisions that quote them."""
    known = set(mine)
    writes: dict[str, bytes | None] = {}
    for path in filter(is_proposal_file, snapshot.list("review")):
        # one that cannot be read is left to the review
        with suppress(ReelError):
            one = parse_proposal(snapshot.text(path) or "", path)
            told = (one.title, one.text, one.why, *(side.says for side in one.sides))
            if known.intersection((one.memory, *(side.where for side in one.sides))) or _tells(
                told, passages
            ):
                writes[path] = None
    with suppress(ReelError):
        text = snapshot.text(SETTLED) or ""
        gone = [key for key, value in read_settled(text).items() if _settles(value, known, passages)]
        if gone:
            writes[SETTLED] = set_yaml_fields(text, dict.fromkeys(gone)).encode()
    return writes


def _settles(value: object, known: set[str], passages: Sequence[str]) -> bool:
    told = list(_strings(value))
    return any(text.partition(":")[0] in known for text in told) or _tells(told, passages)


def _tells(texts: Iterable[str], passages: Sequence[str]) -> bool:
    """Return whether one of the texts has one of the passages in it."""
    padded = [f" {passage} " for passage in passages]
    return bool(padded) and any(passage in f" {_words(text)} " for text in texts for passage in padded)


def _strings(value: object) -> Iterable[str]:
    """Yield all strings in a value of JSON or YAML."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _strings(one)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(fold(text)))
