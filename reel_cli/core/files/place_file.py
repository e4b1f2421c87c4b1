"""A place's file: the fields a bundle is pasted into, and what each of them holds."""

from collections.abc import Mapping

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import Plain, parse_mapping
from reel_cli.core.nearest import nearest
from reel_cli.core.values.change import one_line
from reel_cli.core.values.place import CHARACTERS, COUNTS, PARTS, REST, Place, Slot

FOLDER = "places"
LONGEST_TITLE, LONGEST_NOTE, MOST_FIELDS, MOST = 80, 400, 12, 100_000_000
_KEYS = ("title", "fields", "limit", "count", "window", "note")
_FIELD_KEYS = ("name", "limit", "holds")
PLACE_KEYS = (*_KEYS, *(f"fields.*.{key}" for key in _FIELD_KEYS))
"""The places of the keys that are read."""


def parse_place(text: str, name: str, where: str) -> Place:
    """Read one; ReelError naming `where` and what is wrong with it.

    Without `fields` it has one, with the place's own title and `limit`.
    """
    given = parse_mapping(text, where)
    _require_known(given, _KEYS, where)
    title = _line(given.get("title", name), LONGEST_TITLE, f"{where}: title")
    fields = given.get("fields", [])
    if fields and ("limit" in given or not isinstance(fields, list)):
        message = f"{where}: `fields` should be a list, and each of them has its own `limit`."
        raise ReelError(message, hint="write each as  - name: Instructions  and below it  limit: 8000")
    listed: list[Plain] = fields if isinstance(fields, list) and fields else [{"name": title, **_own(given)}]
    if len(listed) > MOST_FIELDS:
        message = f"{where} has {len(listed)} fields; {MOST_FIELDS} are the most."
        raise ReelError(message)
    count = given.get("count", CHARACTERS)
    if count not in COUNTS:
        message = f"{where}: count is {_shown(count)}, which is no way to count."
        raise ReelError(message, hint=f"the ways there are: {', '.join(COUNTS)}")
    slots = [_slot(field, f"{where}, field {number}") for number, field in enumerate(listed, 1)]
    for part in (*PARTS, REST):
        if sum(part in slot.holds for slot in slots) > 1:
            message = f"{where}: more than one field holds {part}."
            raise ReelError(message, hint="name each part once; what does not fit goes where there is room")
    return Place(
        name,
        title,
        slots,
        str(count),
        _number(given["window"], f"{where}: window") if "window" in given else None,
        _line(given.get("note", ""), LONGEST_NOTE, f"{where}: note"),
    )


def _own(given: Mapping[str, Plain]) -> dict[str, Plain]:
    return {"limit": given["limit"]} if "limit" in given else {}


def _slot(field: Plain, where: str) -> Slot:
    if not isinstance(field, dict) or not field.get("name"):
        message = f"{where} has no name."
        raise ReelError(message, hint="write it as  - name: Instructions")
    _require_known(field, _FIELD_KEYS, where)
    holds = field.get("holds", [])
    if not isinstance(holds, list):
        message = f"{where}: `holds` should be a list."
        raise ReelError(message, hint="write it as  holds: [identity, directives]")
    for part in holds:
        if part not in (*PARTS, REST):
            message = f"{where}: a bundle has no part called {_shown(part)}."
            raise ReelError(message, hint=f"the parts: {', '.join(PARTS)}; or {REST}")
    return Slot(
        _line(field["name"], LONGEST_TITLE, f"{where}: name"),
        _number(field["limit"], f"{where}: limit") if "limit" in field else None,
        tuple(str(part) for part in holds),
    )


def _require_known(given: Mapping[str, Plain], known: tuple[str, ...], where: str) -> None:
    for key in given:
        if key not in known:
            near = nearest(key, known)
            message = f"{where}: {_shown(key)} means nothing there."
            raise ReelError(message, hint=f"did you mean {near}?" if near else f"it has {', '.join(known)}")


def _line(value: Plain, most: int, where: str) -> str:
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if (value and not text) or len(text) > most:
        message = f"{where} should be a text of at most {most} characters."
        raise ReelError(message)
    return one_line(text, most)


def _number(value: Plain, where: str) -> int:
    digits = value.replace(",", "").replace("_", "") if isinstance(value, str) else ""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(MOST))) or int(digits) == 0:
        message = f"{where} is {_shown(value)}, which is no number from 1 on."
        raise ReelError(message, hint="write it in digits:  1500")
    return int(digits)


def _shown(value: Plain) -> str:
    return repr(one_line(value, 40)) if isinstance(value, str) else "not a text"
