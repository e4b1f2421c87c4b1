"""The JSON Schema and the docs page of `kit.yaml`, from the table of settings."""

import ast
import inspect
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from reel_cli.core.files.settings_file import FORMS
from reel_cli.core.tokens.counter import KNOWN
from reel_cli.core.values import settings
from reel_cli.core.values.setting_rows import SECTIONS, WORDS, Kind, Row
from reel_cli.core.values.settings import (
    EXPERIENCE,
    PAGE_POLICIES,
    STORES,
    TOPOLOGIES,
    WHOLE,
    Every,
    Range,
    Settings,
    list_settings,
)
from reel_cli.core.values.sizes import parse_days
from reel_cli.features.table import FEATURES

_SHARE = r"(0?\.[0-9]+|0|1|1\.0|100%|[0-9]{1,2}(\.[0-9]+)?%)"
_ADDRESS = r"^https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$"
_ONE_OR_MORE = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_DEFINED: Mapping[Kind, Mapping[str, Any]] = {
    "size": {
        "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^[0-9][0-9,_]*[kKmM]?$"}]
    },
    "share": {
        "anyOf": [
            {"type": "number", "minimum": 0, "maximum": 1},
            {"type": "string", "pattern": r"^(100|[0-9]{1,2})(\.[0-9]+)?%$"},
        ]
    },
    "range": {
        "anyOf": [
            {"type": "array", "items": {"$ref": "#/$defs/share"}, "minItems": 2, "maxItems": 2},
            {"type": "string", "pattern": f"^{_SHARE} *[-–] *{_SHARE}$"},
        ]
    },
    "lines": _ONE_OR_MORE,
    "age": {"type": "string", "pattern": "^[0-9]{1,4} ?(d|days?|w|weeks?|m|months?|y|years?)$"},
    "count": {"type": "integer", "minimum": 0},
    "every": {
        "anyOf": [
            {"$ref": "#/$defs/age"},
            {"type": "string", "pattern": "^[0-9]{1,4} ?sessions?$"},
            {"enum": ["never", "off", "no", "false", "", False]},
        ]
    },
    "flag": {"enum": ["yes", "no", "on", "off", "", True, False]},
}
"""How a value is written, of the kinds that many settings share; YAML's own reading of `off` among it."""
_WRITTEN: Mapping[Kind, Mapping[str, Any]] = {
    **{kind: {"$ref": f"#/$defs/{kind}"} for kind in _DEFINED},
    "text": {"type": "string"},
    "protocol": {"type": "string", "pattern": r"^([Rr][Ee][Ee][Ll][/ ]?)?[Vv]?1(\.[0-9]+)*$"},
    "author": {"type": "string", "pattern": r"^[^<>\n]*[^<>\s][^<>\n]* <[^<>\s]+>$"},
    "hosts": {"$ref": "#/$defs/lines"},
    "tokenizer": {
        "anyOf": [
            {"enum": [*KNOWN]},
            {"type": "string", "pattern": r"[./\\~]"},
            {
                "type": "object",
                "properties": {
                    "file": {"type": "string", "minLength": 1},
                    "like": {"type": "string", "minLength": 1},
                    "margin": {"$ref": "#/$defs/share"},
                },
                "required": ["margin"],
            },
        ]
    },
    "embeddings": {
        "type": ["string", "boolean"],
        "anyOf": [
            {"enum": ["off", "static", "no", "", False]},
            {"pattern": _ADDRESS, "type": "string"},
        ],
    },
    "server": {"type": ["string", "boolean"]},
    "adapter": {"type": ["string", "null"]},
    "label": {"type": ["string", "null"]},
    "experience": {"enum": [*EXPERIENCE]},
    "effort": {
        "anyOf": [{"type": "null"}, {"enum": [False]}, {"type": "string", "pattern": "^[A-Za-z]{0,16}$|^~$"}]
    },
    "store": {"enum": [*STORES]},
    "topology": {"enum": [*TOPOLOGIES, False]},
    "policy": {"enum": [*PAGE_POLICIES]},
}
_TOGETHER: Mapping[Kind, str] = {
    "lines": "a text, or a list of them",
    "hosts": "a host, or a list of them",
    "range": "two shares, like [0.05, 0.08]",
    "tokenizer": "a name, a file, or {file, like, margin}",
}
"""How the kinds are written that the parser has no one form for."""


class Setting(NamedTuple):
    """One setting as the schema and the page describe it, with its default as YAML has it."""

    path: str
    row: Row
    does: str
    default: object
    """None where there is none."""


def walk_settings() -> Iterator[Setting]:
    """Yield each setting of the table, in its order; of a field that is a mapping one for each key."""
    does = _sentences()
    usual = Settings(name="")
    for name, row in list_settings().items():
        default = getattr(usual, name)
        if not isinstance(default, Mapping):
            silent = name == "name" or row.like or (row.kind == "size" and not default)
            yield Setting(
                row.path, row, _plain(does[name], row), None if silent else _yaml(default, row.kind)
            )
            continue
        keys = "|".join(map(re.escape, default))
        parts = re.split(rf"(?m)^ *({keys}): ", does[name])[1:]
        told = dict(zip(parts[::2], parts[1::2], strict=True))
        for key, value in default.items():
            yield Setting(f"{row.path}.{key}", row, _plain(told[key], row), _yaml(value, row.kind))


def _sentences() -> Mapping[str, str]:
    """Return the text below each field of `Settings`, by the field's name."""
    source = ast.parse(inspect.getsource(settings))
    table = next(one for one in source.body if isinstance(one, ast.ClassDef) and one.name == "Settings")
    return {
        field.target.id: below.value.value
        for field, below in zip(table.body, table.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    }


def _plain(text: str, row: Row) -> str:
    among = f" Any of: {', '.join(row.among)}." if row.among else ""
    return " ".join(text.split()) + among


def _yaml(value: object, kind: Kind) -> object:
    """Return a default as `kit.yaml` would have it."""
    if isinstance(value, Range):
        return [value.low / WHOLE, value.high / WHOLE]
    if isinstance(value, Every):
        return _age(value.days)
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, int) and kind in ("share", "age"):
        return value / WHOLE if kind == "share" else _age(value)
    return value


def _age(days: int) -> str:
    """Return days in the longest unit that gives a small number: `6m` for 183, `2y` for 730."""
    for unit, length in (("y", 365), ("m", 365.25 / 12)):
        number = round(days / length)
        if number > 1 and parse_days(f"{number}{unit}") == days:
            return f"{number}{unit}"
    return f"{days}d"


def render_schema() -> str:
    """Return the JSON Schema of `kit.yaml`, as it ships."""
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kit.yaml",
        "description": "The settings of one kit. Everything but the name may be left out and then has the "
        "protocol's default.",
        "type": "object",
        "properties": {},
    }
    for setting in walk_settings():
        above, _, key = setting.path.rpartition(".")
        into = _section(schema, above)
        into["properties"][key] = _describe(setting)
        if setting.row.path == above and setting.row.others != "passed over":
            kept = setting.row.others == "kept"
            into["additionalProperties"] = dict(_WRITTEN[setting.row.kind]) if kept else False
    schema["$defs"] = _DEFINED
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _section(schema: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the description of a section, made where there is none yet."""
    if not path:
        return schema
    above, _, key = path.rpartition(".")
    into: dict[str, Any] = _section(schema, above)["properties"]
    kind = ["object", "string", "boolean"] if path in WORDS else "object"
    into.setdefault(key, {"description": SECTIONS[path], "type": kind, "properties": {}})
    found: dict[str, Any] = into[key]
    return found


def _describe(setting: Setting) -> dict[str, Any]:
    row = setting.row
    found = {"description": setting.does, **_WRITTEN[row.kind]}
    if row.path == "name":
        found["minLength"] = 1
    if row.among:
        found["anyOf"] = [{"enum": [*row.among]}, {"type": "array", "items": {"enum": [*row.among]}}]
        del found["$ref"]
    if row.limit and row.kind == "share":
        low, high = row.limit.low, row.limit.high
        # in percent a bound is told by its tens
        tens = "".join(str(ten) for ten in range(low * 10 // WHOLE, high * 10 // WHOLE))
        found["anyOf"] = [
            {"type": "number", "minimum": low / WHOLE, "exclusiveMaximum": high / WHOLE},
            {"type": "string", "pattern": rf"^[{tens}][0-9](\.[0-9]+)?%$"},
        ]
        del found["$ref"]
    elif row.limit:
        found |= {"minimum": row.limit.low}
    if setting.default is not None:
        found["default"] = setting.default
    if row.cites:
        found["$comment"] = row.cites
    return found


_INTRODUCTION = """\
`reel config` shows what differs from the defaults, `reel config KEY` explains a setting, and
`reel config KEY VALUE` sets it. Everything but the name may be left out. Each setting has its type
and its default. The types are written so:
"""


def render_page() -> str:
    """Return the docs page of the settings: the kit's own, then each feature's."""
    owners = {path: feature.name for feature in FEATURES for path in feature.settings}
    types = _shared_types()
    groups: dict[str, list[str]] = {name: [] for name in ["", *owners.values()]}
    for setting in walk_settings():
        groups[owners.get(setting.path.partition(".")[0], "")].append(_render_line(setting, types))
    parts = [
        "# Settings: `kit.yaml`\n",
        "<!-- Made by tools/make_docs.py from reel_cli/core/values/settings.py. -->\n",
        _INTRODUCTION,
        *(f"- {kind}: {form}" for kind, form in types.items()),
        "",
    ]
    for name, lines in groups.items():
        parts += [f"## {name or 'The kit'}\n", *lines, ""]
    return "\n".join(parts)


def _render_line(setting: Setting, types: Mapping[Kind, str]) -> str:
    path, row, does, default = setting
    plain = default if isinstance(default, str) else json.dumps(default)
    if isinstance(default, bool):
        plain = "yes" if default else "no"
    shown = f", `{plain}`" if default is not None and plain else ""
    kind = row.kind if row.kind in types else _form(row.kind)
    return f"- `{path}` ({kind}{shown}): {does}".replace("<", "\\<")


def _shared_types() -> Mapping[Kind, str]:
    """Return how the values are written of each type that several settings have."""
    counts = Counter(setting.row.kind for setting in walk_settings())
    return {kind: _form(kind) for kind, count in counts.items() if count > 1}


def _form(kind: Kind) -> str:
    return FORMS[kind].what if kind in FORMS else _TOGETHER[kind]
