"""`intake.yaml`: what was said and waits to be decided, and what was decided; changed entry by entry.

An entry that moves takes its own lines along, and what a person wrote between entries stays where it is.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_scalar
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line
from reel_cli.features.intake.entry import PLACES, Candidate, DecidedCandidate, Decision, Queue

INTAKE = "intake.yaml"
WAITING, DECIDED = "waiting", "decided"
HEAD = "# What was said that may be worth keeping: what waits is asked on the next page.\n"
_MEND = "each entry of waiting needs  source: 2026-02-10-1#3  and  words: …"
_CANDIDATE = ("source", "who", "when", "words", "why", "by", "where")
_DECISION = ("where", "why", "by", "page")
LISTS = (WAITING, DECIDED)
OVERFLOW = "overflow"
FILE_KEYS = (*LISTS, OVERFLOW)
ENTRY_KEYS = tuple(dict.fromkeys((*_CANDIDATE, *_DECISION)))
_OVERFLOW = re.compile(rf"(?m)^{OVERFLOW}[ \t]*:.*\n?")
_SESSION = re.compile(r"\d{4}-\d\d-\d\d-\d{1,9}")
_KEY = re.compile(r"([A-Za-z_][\w-]*):(?:[ \t]|$)")


def parse_intake(text: str) -> Queue:
    """Return the queue; skips keys that are not reel's.

    Raises ReelError with the line where the file is none, or an entry that waits says not what, or where.
    """
    fields = parse_mapping(text, INTAKE)
    waiting: list[Candidate] = []
    for at, told in enumerate(_entries(text, fields, WAITING)):
        candidate = _candidate(told)
        if candidate.place is None or not candidate.words.strip():
            _refuse(text, WAITING, at, "names no message of the tape, or no words")
        if candidate.where not in ("", *PLACES):
            candidate = replace(candidate, where="")
        waiting.append(candidate)
    decided = [
        DecidedCandidate(_candidate(told), Decision(*(_text(told, key) for key in _DECISION)))
        for told in _entries(text, fields, DECIDED)
    ]
    full = _text(fields, OVERFLOW).strip()
    return Queue(tuple(waiting), tuple(decided), full if _SESSION.fullmatch(full) else "")


def _candidate(told: Mapping[str, Plain]) -> Candidate:
    return Candidate(**{key: _text(told, key) for key in _CANDIDATE if key in told} | _least(told))


def _least(told: Mapping[str, Plain]) -> dict[str, str]:
    return {"source": _text(told, "source").strip(), "words": _text(told, "words")}


def _text(told: Mapping[str, Plain], key: str) -> str:
    value = told.get(key, "")
    return value if isinstance(value, str) else ""


def _entries(text: str, fields: Mapping[str, Plain], name: str) -> Sequence[dict[str, Plain]]:
    value = fields.get(name, "")
    if value == "":
        return ()
    if not isinstance(value, list):
        message = f"{INTAKE}: {name} should be a list."
        raise ReelError(message, hint=_MEND)
    found: list[dict[str, Plain]] = []
    for at, one in enumerate(value):
        if not isinstance(one, dict):
            _refuse(text, name, at, "is no `key: value` entry")
        else:
            found.append(one)
    return found


def _refuse(text: str, name: str, at: int, why: str) -> None:
    """Raise an error that names the wrong entry of a file, and its line."""
    line = dict(enumerate(entry_lines(text, name))).get(at, 1)
    message = f"{INTAKE}, line {line}: this entry of {name} {why}."
    raise ReelError(message, hint=_MEND)


def entry_lines(text: str, name: str) -> Sequence[int]:
    """Return the line of the file, from 1, of each entry of a list; none for a list on one line."""
    section = next((one for one in _sections(text) if one.name == name), None)
    return [first + 1 for first, _ in section.items] if section is not None else []


# -- changing it -------------------------------------------------------------------------------------


@frozen
class IntakeEdit:
    """The file as it is after, and how many old decisions left it."""

    text: str
    gone: int = 0


def edit_intake(  # noqa: PLR0913 (each is a list of the file, or what leaves it)
    text: str,
    settled: Mapping[int, Decision],
    fresh: Sequence[Candidate],
    passed: Sequence[DecidedCandidate],
    keep: int,
    dropped: Collection[int] = (),
) -> IntakeEdit:
    """Return the file with waiting entries decided (by place), new ones, and ones decided at once.

    `dropped` are the places of waiting entries that leave it undecided. Of what is decided the newest `keep`
    stay. Raises ReelError where the file cannot be read.
    """
    text = _spread(text)
    found = {section.name: section for section in _sections(text)}
    told = _entries(text, parse_mapping(text, INTAKE), WAITING)
    lines = text.splitlines(keepends=True)
    moved: list[list[str]] = []
    out = [found[WAITING].items[at] for at in dropped]
    for at, decision in settled.items():
        first, end = found[WAITING].items[at]
        moved.append(_moved(lines[first:end], told[at], decision))
        out.append((first, end))
    moved += [_rendered({**_told(one.candidate), **_decision(one.decision)}) for one in passed]
    old = found[DECIDED].items if DECIDED in found else []
    gone = max(0, len(old) + len(moved) - keep)
    out += old[:gone]
    added = {WAITING: [_rendered(_told(one)) for one in fresh], DECIDED: moved[max(0, gone - len(old)) :]}
    return IntakeEdit(_rewritten(lines, found, out, added), gone)


def raw_entries(text: str, name: str) -> Sequence[Sequence[str]]:
    """Return the lines of each entry of a list, as they stand there but not indented."""
    text = _spread(text)
    lines = text.splitlines(keepends=True)
    section = next((one for one in _sections(text) if one.name == name), None)
    return [_bare(lines[first:end]) for first, end in (section.items if section is not None else ())]


def join_entries(text: str, out: Collection[int], added: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """Return the file without some waiting entries, by place, and with other entries' lines."""
    text = _spread(text)
    found = {section.name: section for section in _sections(text)}
    spans = [span for at, span in enumerate(found[WAITING].items) if at in out] if WAITING in found else []
    return _rewritten(text.splitlines(keepends=True), found, spans, added)


def with_overflow(text: str, session: str) -> str:
    """Return the file with the newest session of which something had no room."""
    line = f"{OVERFLOW}: {_value(session)}\n"
    return _OVERFLOW.sub(line, text, count=1) if _OVERFLOW.search(text) else text + line


def _rewritten(
    lines: Sequence[str],
    found: "Mapping[str, _Section]",
    out: Sequence[tuple[int, int]],
    added: Mapping[str, Sequence[Sequence[str]]],
) -> str:
    """Return the file's lines without some of them, and with entries added to their lists."""
    edits: list[tuple[int, int, list[str]]] = [(first, end, []) for first, end in out]
    made = list(lines)
    end = [] if "".join(lines).strip() else [HEAD]
    for name in (WAITING, DECIDED):
        section = found.get(name)
        indent = section.dash if section is not None else ""
        fresh = [f"{indent}{line}" if line.strip() else line for one in added.get(name, ()) for line in one]
        if section is not None:
            edits.append((section.last, section.last, fresh))
        elif fresh or name == WAITING:
            end += [f"{name}:\n", *fresh]
    for first, last, put in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        made[first:last] = put
    return "".join([*made, *end]) if "".join(lines).strip() else "".join(end)


def _told(one: Candidate) -> dict[str, Plain]:
    told: dict[str, Plain] = {
        key: value for key in _CANDIDATE if (value := one_line(getattr(one, key))) or key == "words"
    }
    return told


def _decision(one: Decision) -> dict[str, Plain]:
    return {key: value for key in _DECISION if (value := one_line(getattr(one, key)))}


def _rendered(told: Mapping[str, Plain]) -> list[str]:
    lines = [f"  {render_scalar(key)}: {_value(value)}\n" for key, value in told.items()]
    return [f"- {lines[0][2:]}", *lines[1:]] if lines else []


def _value(value: Plain) -> str:
    return render_scalar(value) if isinstance(value, str) else json.dumps(value)


def _bare(lines: Sequence[str]) -> list[str]:
    """Return an entry's lines, not indented."""
    lead = len(lines[0]) - len(lines[0].lstrip(" ")) if lines else 0
    return [f"{line[lead:].rstrip()}\n" if line[:lead].isspace() or not lead else line for line in lines]


def _moved(lines: Sequence[str], told: Mapping[str, Plain], decision: Decision) -> list[str]:
    """Return a decided entry, in its own lines if each of its keys has one."""
    fresh = _decision(decision)
    bare = [line.rstrip("\n") for line in _bare(lines)]
    own = [f"  {bare[0][2:]}", *bare[1:]] if bare and bare[0].startswith("- ") else []
    keys = [found[1] if line[:2] == "  " and (found := _KEY.match(line[2:])) else "" for line in own]
    beside = [line for key, line in zip(keys, own, strict=True) if not key]
    noted = all(not line.strip() or line.lstrip().startswith("#") for line in beside)
    if not own or not keys[0] or not noted or [key for key in keys if key] != list(told):
        return _rendered({**told, **fresh})
    for key, value in fresh.items():
        line = f"  {key}: {_value(value)}"
        if key in keys:
            own[keys.index(key)] = line
        else:
            own.append(line)
            keys.append(key)
    return [f"- {own[0][2:]}\n", *(f"{line}\n" for line in own[1:])]


# -- where its entries stand ---------------------------------------------------------------------------


@frozen
class _Section:
    """A list of the file: the first and one behind the last line of each entry, and where it ends."""

    name: str
    items: Sequence[tuple[int, int]]
    last: int
    dash: str
    flow: bool = False


def _sections(text: str) -> Sequence[_Section]:
    """Return the two lists by their lines, in file order; `parse_yaml` has read them before."""
    import yaml

    lines = text.splitlines(keepends=True)
    root = yaml.compose(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    found: list[_Section] = []
    for place, (key, value) in enumerate(pairs):
        if key.value not in (WAITING, DECIDED):
            continue
        head = key.start_mark.line
        end = pairs[place + 1][0].start_mark.line if place + 1 < len(pairs) else len(lines)
        if not isinstance(value, yaml.SequenceNode):
            found.append(_Section(key.value, (), head + 1, ""))
            continue
        if value.flow_style:
            found.append(_Section(key.value, (), value.end_mark.line + 1, "", flow=True))
            continue
        starts = [_dash_line(lines, node.start_mark.line, head) for node in value.value]
        ends = [*starts[1:], end]
        items = [(first, _trimmed(lines, first, stop)) for first, stop in zip(starts, ends, strict=True)]
        found.append(_Section(key.value, items, items[-1][1], " " * value.start_mark.column))
    return found


def _dash_line(lines: Sequence[str], line: int, head: int) -> int:
    while line > head + 1 and not lines[line].lstrip().startswith("-"):
        line -= 1
    return line


def _trimmed(lines: Sequence[str], first: int, stop: int) -> int:
    """Return where an entry ends, without the comments and blank lines behind it."""
    while stop > first + 1 and (not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#")):
        stop -= 1
    return stop


def _spread(text: str) -> str:
    """Return the file with one entry a line in its lists, even if a person wrote it otherwise."""
    fields = parse_mapping(text, INTAKE)
    if text and not text.endswith("\n"):
        text += "\n"
    for name in (WAITING, DECIDED):
        section = next((one for one in _sections(text) if one.name == name and one.flow), None)
        if section is None:
            continue
        lines = text.splitlines(keepends=True)
        head = next(at for at, line in enumerate(lines) if re.match(rf"[\"']?{name}[\"']?[ \t]*:", line))
        entries = [line for one in _entries(text, fields, name) for line in _rendered(one)]
        text = "".join([*lines[:head], f"{name}:\n", *entries, *lines[section.last :]])
    return text
