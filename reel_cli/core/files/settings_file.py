"""`kit.yaml`, read by the table of settings: values, defaults and refusals from each row."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_scalar
from reel_cli.core.tokens.choice import Choice, parse_choice, render_margin
from reel_cli.core.values.change import unbroken
from reel_cli.core.values.setting_rows import SECTIONS, WORDS, Kind, Limit, Row
from reel_cli.core.values.settings import (
    EXPERIENCE,
    PAGE_POLICIES,
    PROTOCOL,
    STORES,
    TOPOLOGIES,
    WHOLE,
    Every,
    Range,
    Settings,
    list_settings,
    read_version,
)
from reel_cli.core.values.sizes import parse_days, parse_tokens

_ADDRESS = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/-]*)?")
"""Pattern of an address without name, password or query: it is shown, and the kit that holds it may be
shared."""
_SESSIONS = re.compile(r"([0-9]{1,4}) ?sessions?", re.ASCII)
_NEVER = ("never", "off", "no", "false")
"""Texts that mean never; YAML reads a bare `off` as no, and reel reads strings."""
_YES, _NO = ("yes", "true", "on"), ("no", "false", "off")
LEAVE_OUT = "write it like that, or delete the line: then reel takes its default"
_LONGEST_EFFORT = 16
_LONGEST_LABEL = 30

_USUAL = Settings(name="")


class Form(NamedTuple):
    """One way of writing a value: its name in errors and docs, and its reader.

    The reader raises ValueError or ReelError where the text makes no sense; then `refused`, the end of
    "kit.yaml: cap is 'lots', which …", is said ("is not" and the name, where it is empty) with `hint`.
    """

    what: str
    read: Callable[[str], object]
    refused: str = ""
    hint: str = LEAVE_OUT


def parse_settings(text: str, *, fallback_name: str) -> Settings:
    """Type `kit.yaml`; what it does not say has the protocol's default.

    Raises ReelError for a value that makes no sense, StateError for a newer major version.
    """
    fields = parse_mapping(text, "kit.yaml")
    later = _check_protocol(_text(fields.get("protocol", ""), "protocol") or PROTOCOL)
    sections = _sections(fields)
    found: dict[str, object] = {"name": unbroken(fallback_name)}
    for name, row in list_settings().items():
        if row.path in sections:
            passed = later and row.others == "refused"
            lenient = row._replace(others="passed over") if passed else row
            found[name] = _read_keys(sections[row.path], lenient, getattr(_USUAL, name))
            continue
        above, _, key = row.path.rpartition(".")
        value = sections.get(above, {}).get(key, "")
        if (read := _read_leniently(value, row) if later else _read(value, row)) is not None:
            found[name] = read
        elif row.like in found:
            found[name] = found[row.like]
    settings = Settings(**found)  # type: ignore[arg-type]
    _check_together(settings)
    return settings


def find_lost_name(before: bytes | None, after: bytes | None) -> str:
    """Return the persona's name in a `kit.yaml` that a later text of it lacks; "" where none is lost."""
    try:
        had, has = (parse_mapping((data or b"").decode(), "kit.yaml").get("name") for data in (before, after))
    except (ReelError, UnicodeDecodeError):
        return ""
    return had.strip() if isinstance(had, str) and after is not None and not has else ""


_LATER_WORD = re.compile(r"[a-z][a-z_-]{2,30}")


def _read_leniently(value: Plain, row: Row) -> object | None:
    """Return a setting's value in a kit of a later version; None for a word that this version has not.

    It stays in the file, and the default holds (REEL §11.2).
    """
    try:
        return _read(value, row)
    except ReelError:
        if isinstance(value, str) and _LATER_WORD.fullmatch(value.strip()):
            return None
        raise


def unread_words(text: str) -> list[tuple[str, str]]:
    """Return the settings whose words are not read, each with its word; none for a broken file."""
    try:
        sections = _sections(parse_mapping(text, "kit.yaml"))
    except ReelError:
        return []
    found = []
    for row in list_settings().values():
        above, _, key = row.path.rpartition(".")
        value = sections.get(above, {}).get(key, "")
        try:
            _read(value, row)
        except ReelError:
            found.append((row.path, str(value)))
    return found


def _sections(fields: Mapping[str, Plain]) -> Mapping[str, Mapping[str, Plain]]:
    """Return the mappings of a settings file by their paths, the whole file's as ""; only those it has."""
    found: dict[str, Mapping[str, Plain]] = {"": fields}
    for path in SECTIONS:
        above, _, key = path.rpartition(".")
        value = found.get(above, {}).get(key, "")
        if value == "":
            continue
        if isinstance(value, str) and path in WORDS:
            value = {WORDS[path]: value}
        if not isinstance(value, dict):
            message = f"kit.yaml: {path} should hold `name: value` lines, indented."
            raise ReelError(message)
        found[path] = value
    return found


def _read_keys(fields: Mapping[str, Plain], row: Row, usual: Mapping[str, object]) -> Mapping[str, object]:
    """Read a setting for each key; the keys that are not given have their defaults."""
    found = {**usual}
    for key, value in fields.items():
        path = f"{row.path}.{key}"
        if key not in usual:
            if row.others == "refused":
                message = f"kit.yaml: {path} is not one of {', '.join(usual)}."
                raise ReelError(message, hint=row.hint or None)
            if row.others == "passed over":
                continue
        if (read := _read(value, row._replace(path=path))) is not None or row.others == "kept":
            found[key] = found.get(key, ()) if read is None else read
    return found


def _read(value: Plain, row: Row) -> object | None:
    """Return a setting's value, typed; None where it is left out."""
    if value == "":
        return None
    if row.kind in _LARGER:
        found = _LARGER[row.kind](value, row.path)
        return found if not row.among else _among(found, row)
    text = _text(value, row.path)
    if not text:
        return None
    form = FORMS[row.kind]
    try:
        found = form.read(text)
    except (ReelError, ValueError):
        refused = form.refused or f"is not {form.what}"
        message = f"kit.yaml: {row.path} is {text!r}, which {refused}."
        raise ReelError(message, hint=form.hint) from None
    if row.limit and isinstance(found, int):
        _check_limit(found, row.limit, row)
    return found


def _check_limit(value: int, limit: Limit, row: Row) -> None:
    if value < limit.low or (limit.high and value >= limit.high):
        message = f"kit.yaml: {row.path} must be {render_limit(limit, row.kind)}: {limit.why}."
        raise ReelError(message, hint=limit.hint)


def render_limit(limit: Limit, kind: Kind) -> str:
    """Return the values within a limit, as text: `from 0.4 to below 1`, `at least 1`."""
    low, high = (f"{bound / (WHOLE if kind == 'share' else 1):g}" for bound in limit[:2])
    return f"from {low} to below {high}" if limit.high else f"at least {low}"


def _among(found: object, row: Row) -> object:
    for one in found if isinstance(found, tuple) else ():
        if one not in row.among:
            message = f"kit.yaml: {row.path} names {one!r}, which is not one of {', '.join(row.among)}."
            raise ReelError(message, hint=row.hint)
    return found


def _text(value: Plain, path: str) -> str:
    if not isinstance(value, str):
        message = f"kit.yaml: {path} should be one value on its line."
        raise ReelError(message)
    return value.strip()


def _check_protocol(protocol: str) -> bool:
    """Return whether the kit is of a later minor version; refuse a later major one."""
    version = read_version(protocol)
    if version is None:
        message = f"kit.yaml: {protocol!r} is not a protocol this reel knows."
        raise ReelError(message, hint=f"write  protocol: {PROTOCOL}")
    if version[0] > 1:
        message = f"This kit is of protocol version {protocol}; this reel knows {PROTOCOL}."
        raise StateError(message, hint="update reel:  pip install --upgrade reel-cli")
    return version > (1, 0)


def _check_together(settings: Settings) -> None:
    """Refuse settings that each make sense and contradict one another."""
    window, cap, ages = settings.window, settings.cap, settings.ages
    if cap > window:
        message = f"kit.yaml: cap ({cap:,}) is above window ({window:,})."
        raise ReelError(message, hint="lower cap, or raise window if the model can hold more")
    if not ages["L1"] <= ages["L2"] <= ages["L3"]:
        told = ", ".join(f"{level} {days:,} days" for level, days in ages.items())
        message = f"kit.yaml: ages should grow from L1 to L3; they are {told}."
        raise ReelError(message, hint="one that is not given has its default: 30d, 6m, 2y")
    base, least, most = settings.reply_base, settings.reply_min, settings.reply_max
    if (most and least > most) or (base and (base < least or (most and base > most))):
        message = "kit.yaml: behavior.token_policy should have min, base and max in that order of size."
        raise ReelError(message, hint="write it like  token_policy: {base: 900, min: 400, max: 1200}")


def _read_tokenizer(value: Plain, path: str) -> str | None:
    """Return the tokenizer on one line; `file`, `like` and `margin` may be separate keys."""
    if not isinstance(value, dict):
        return _text(value, path) or None
    what, like = (_text(value.get(key, ""), f"{path}.{key}") for key in ("file", "like"))
    margin = _read(value.get("margin", ""), Row(f"{path}.margin", "share"))
    if like and margin is None:
        message = f"kit.yaml: {path}.like wants a margin, for it is only near."
        raise ReelError(
            message, hint="write it like  tokenizer: {file: model.gguf, like: llama-bpe, margin: 8%}"
        )
    if not what:
        # a name close to that of an encoding that needs no file
        what, like = like or _USUAL.tokenizer, ""
    return str(Choice(what, like, margin if isinstance(margin, int) else 0))


def render_tokenizer(tokenizer: str) -> str:
    """Return a setting for `tokenizer:`, as it is written on its line."""
    choice = parse_choice(tokenizer)
    if not choice.like and not choice.margin:
        return render_scalar(choice.what)
    fields = {"file": choice.what, "like": choice.like} if choice.is_file else {"like": choice.what}
    fields["margin"] = render_margin(choice.margin)
    written = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items() if value]
    return "{" + ", ".join(written) + "}"


def _read_lines(value: Plain, path: str) -> tuple[str, ...]:
    """Return one text, or a list of them."""
    told = [value] if isinstance(value, str) else value
    if not isinstance(told, list) or not all(isinstance(one, str) for one in told):
        message = f"kit.yaml: {path} should be a list of texts."
        raise ReelError(message)
    return tuple(one for one in told if isinstance(one, str) and one.strip())


def _read_hosts(value: Plain, path: str) -> tuple[str, ...]:
    return tuple(host.lower() for host in _read_lines(value, path))


def _read_range(value: Plain, path: str) -> Range:
    bounds = value if isinstance(value, list) else str(value).replace("–", "-").split("-")
    try:
        low, high = (parse_share(str(bound)) for bound in bounds)
    except ValueError:
        message = f"kit.yaml: {path} should be two shares, like [0.05, 0.08]."
        raise ReelError(message, hint=LEAVE_OUT) from None
    if low > high:
        message = f"kit.yaml: {path} should have its lowest share first, like [0.05, 0.08]."
        raise ReelError(message, hint=LEAVE_OUT)
    return Range(low, high)


def _read_embeddings(text: str) -> str:
    if text.lower() in ("off", "no", "false"):
        return "off"
    if text != "static" and not _ADDRESS.fullmatch(text):
        raise ValueError(text)
    return text


def _read_label(text: str) -> str | None:
    """Return the label of intake lines; raises ReelError if it is not a word or two."""
    plain = " ".join(text.rstrip(":").split())
    if len(plain) > _LONGEST_LABEL or not all(char.isalnum() or char in " '-" for char in plain):
        raise ValueError(text)
    return plain or None


def _read_effort(text: str) -> str:
    """Return the word for a depth of thinking, "" for none; servers have words of their own."""
    plain = text.lower()
    if plain in ("none", "null", "~", *_NO):
        return ""
    if not (plain.isascii() and plain.isalpha() and len(plain) <= _LONGEST_EFFORT):
        raise ValueError(text)
    return plain


def _read_every(text: str) -> Every:
    """Return an interval as (days, sessions), with 0 for the one that does not apply."""
    if text in _NEVER:
        return Every(0, 0)
    if sessions := _SESSIONS.fullmatch(text):
        return Every(0, int(sessions[1]))
    return Every(parse_days(text), 0)


def _read_flag(text: str) -> bool:
    """Read a yes or no, however YAML writes it."""
    if text.lower() not in (*_YES, *_NO):
        raise ValueError(text)
    return text.lower() in _YES


def _read_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(text)
    return int(text)


def parse_share(text: str) -> int:
    """Read `0.5` or `50%` as a share of `WHOLE`; ValueError when it is neither, or not from 0 to 1."""
    plain = text.strip()
    percent = plain.endswith("%")
    value = float(plain.rstrip("%")) / (100 if percent else 1)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return round(value * WHOLE)


def _one_of(words: Sequence[str]) -> Callable[[str], str]:
    """Return a reader of one of these words, ignoring case."""
    return lambda text: words[words.index(text.lower())]


def _unless(*off: str) -> Callable[[str], str]:
    """Return a reader of something that is switched on by naming it."""
    return lambda text: "" if text.lower() in off else text


_LARGER: Mapping[Kind, Callable[[Plain, str], object]] = {
    "lines": _read_lines,
    "hosts": _read_hosts,
    "range": _read_range,
    "tokenizer": _read_tokenizer,
}
"""The readers of what may be more than one value on its line; each refuses in its own words."""
FORMS: Mapping[Kind, Form] = {
    "text": Form("one line", unbroken),
    "protocol": Form("a protocol", str),
    "author": Form("Name <mail>", str),
    "size": Form("a size like 900, 8k or 32768", parse_tokens),
    "share": Form("a share like 0.5 or 50%", parse_share),
    "count": Form("a whole number", _read_count),
    "age": Form("an age like 30d, 6m or 2y", parse_days),
    "every": Form(
        "30d, 4w, 10 sessions or never",
        _read_every,
        "says neither how often nor never",
        "write it as 30d, 4w, 10 sessions or never",
    ),
    "flag": Form("yes or no", _read_flag, "is neither yes nor no", "write it as yes or no"),
    "embeddings": Form(
        "off, static or an address",
        _read_embeddings,
        hint="an address looks like http://localhost:1234/v1",
    ),
    "server": Form("a server, or off", _unless("paste", *_NEVER)),
    "adapter": Form("an adapter, or none", _unless("none", "null", "~", *_NO)),
    "experience": Form("loaded or gated", _one_of(EXPERIENCE)),
    "effort": Form(
        "a word like high, or none",
        _read_effort,
        "is no word like low, medium or high",
        "write it like  dream: {effort: high}",
    ),
    "store": Form("csv or sqlite", _one_of(STORES)),
    "topology": Form("off, expand or phase", _one_of(TOPOLOGIES)),
    "policy": Form("turns, per_section, per_cycle, hybrid or structural", _one_of(PAGE_POLICIES)),
    "label": Form("a word or two", _read_label, "is no word or two", "write it like  intake: {label: Merke}"),
}
"""Each format of a value, by the name in a row's kind."""
