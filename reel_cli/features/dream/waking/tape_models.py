"""Models through which the persona spoke, according to the tape (Dream Weaver §6.9)."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.blocks import read_front_fields
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tape.tape_view import standing_sessions, told_of_each
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, Kind, session_order, session_path
from reel_cli.features.dream.dream import Cursor

_END = re.compile(rb'"bytes": (0|[1-9]\d*), "hash": "[0-9a-f]{32}"\} -->')
_MODEL = re.compile(rb'"role": "assistant", .*"kind": "said", "model": ("(?:[^"\\]|\\.)*")')
LONGEST = 80
"""A name has at most so many characters."""
TRIED = 3
"""A model with fewer answers than this in a session where another has more was only tried."""


def models_said(data: bytes, path: str) -> tuple[list[str], str]:
    """Return the models that a session's answers name, and the one that its front matter names.

    They are in the order in which each spoke last; one only tried is left out. What nobody knows is []
    and "". Raises StateError naming `path` and the line where the file is damaged.
    """
    front, at = read_front_fields(data, path)
    said: list[str] = []
    while at < len(data):
        line = data.find(b"\n", at + 1)
        end = _END.search(data, at, line) if line > 0 else None
        if end is None or end.end() != line:
            said = _parsed(data, path)
            break
        found = _MODEL.search(data, at, end.start())
        if found:
            said.append(_decode(found[1]))
        at = line + 1 + int(end[1]) + 1
        if data[at - 1 : at] != b"\n":
            said = _parsed(data, path)
            break
    return _spoke(said), one_line(front.get("model", ""), LONGEST)


@lru_cache(maxsize=256)
def _decode(text: bytes) -> str:
    return str(json.loads(text))


def _parsed(data: bytes, path: str) -> list[str]:
    return [_model_of(entry) for entry in parse_session(data, path).entries if _model_of(entry)]


def _model_of(entry: Entry) -> str:
    said = entry.message.kind is Kind.SAID and entry.message.role == "assistant"
    return (entry.message.model or "") if said else ""


def _spoke(said: Iterable[str]) -> list[str]:
    counts: dict[str, int] = {}
    for name in said:
        plain = one_line(name, LONGEST)
        if plain:
            # moved to the end: the order is that of each one's last answer
            counts[plain] = counts.pop(plain, 0) + 1
    most = max(counts.values(), default=0)
    return [name for name, count in counts.items() if count == most or count >= TRIED]


_BETWEEN = re.compile(r"[\s._-]+")


@dataclass(frozen=True, slots=True)
class ModelSpan:
    """Consecutive sessions through one model: its name, the first and the last of them, how many there are.

    A session of which nobody knows the model ends no run and counts for none.
    """

    model: str
    first: str
    last: str
    sessions: int


@dataclass(frozen=True, slots=True)
class NewModel:
    """A model that came after the last dream: its name, the one before, its first session, how many."""

    model: str
    before: str
    since: str
    sessions: int


def models_seen(snapshot: Snapshot) -> tuple[ModelSpan, ...]:
    """Return the models that spoke, oldest first, without repetition; () if the tape names none.

    From a `Glance`, what is in each session is read once and kept. A model that was learnt of after a session
    was recorded counts where its messages name none. Raises StateError where a session cannot be read.
    """
    names = {session_path(session): session for session in snapshot.sessions}
    notes = snapshot.note("models", names, lambda path: models_said(snapshot.tree.read(path) or b"", path))
    spoke = {names[path]: note for path, note in notes.items()}
    later = told_of_each(snapshot, "model")
    runs: list[list[str]] = []
    folded = ""
    for session in sorted(standing_sessions(snapshot), key=session_order):
        said, front = spoke[session]
        whole = one_line(later[session], LONGEST) if later.get(session) else front
        for model in said or ([whole] if whole else []):
            if plain_model(model) != folded:
                folded = plain_model(model)
                runs.append([model])
            if runs[-1][-1] != session:
                runs[-1].append(session)
    return tuple(ModelSpan(model, sessions[0], sessions[-1], len(sessions)) for model, *sessions in runs)


@lru_cache(maxsize=256)
def plain_model(name: str) -> str:
    """Return a model's name without app-specific parts: the provider, the case, the file type."""
    bare = name.casefold().replace("\\", "/").rstrip("/").rpartition("/")[2]
    bare = bare.removesuffix(".gguf").removesuffix(":latest").removesuffix(":free")
    return "-".join(part for part in _BETWEEN.split(bare) if part) or name.casefold()


def newest_model(seen: Sequence[ModelSpan]) -> str:
    """Return the model that spoke last; "" if the tape names none."""
    return seen[-1].model if seen else ""


def new_model(seen: Sequence[ModelSpan], cursor: Cursor | None) -> NewModel | None:
    """Return the present model if no dreamt session was through it (Dream Weaver §6.9), else None.

    None where nothing was dreamt, or nobody knows through which model the sessions were that were dreamt of.
    """
    if cursor is None or not cursor.read or not seen:
        return None
    upto = max(map(session_order, cursor.read))
    before = [run for run in seen if session_order(run.first) <= upto]
    if not before or any(plain_model(run.model) == plain_model(seen[-1].model) for run in before):
        return None
    first = next(at for at, run in enumerate(seen) if _same(run, seen[-1]))
    sessions = sum(run.sessions for run in seen if _same(run, seen[-1]))
    return NewModel(seen[-1].model, seen[first - 1].model, seen[first].first, sessions)


def _same(one: ModelSpan, other: ModelSpan) -> bool:
    return plain_model(one.model) == plain_model(other.model)
