"""Settings by their paths: value, default and help of each, and the change that sets one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.files.settings_file import FORMS, LEAVE_OUT, parse_settings, render_limit
from reel_cli.core.files.yaml_edit import drop_value, set_value
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_flow, render_scalar
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.adapter_text import find_adapter
from reel_cli.core.moment import find_zone
from reel_cli.core.ports import bring
from reel_cli.core.resources import read_kit_schema
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.price import parse_price
from reel_cli.core.values.setting_rows import SECTIONS, WORDS, Row
from reel_cli.core.values.settings import LONGEST_NAME, Settings, is_name, list_settings

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

KIT = "kit.yaml"
OP = "config"
DEFAULT = "default"
"""The value that takes a setting out of the file."""
_SHOWN = 80
"""Characters of a value that are told in a line."""
_PLAIN = late(r"[A-Za-z0-9](?:[A-Za-z0-9 ._%/+-]*[A-Za-z0-9._%/+])?")
"""Values that need no quotation marks in YAML, whatever stands around them."""
_TOGETHER = {
    "lines": "one text, or a list like [one, two]",
    "hosts": "one host, or a list like [one, two]",
    "range": "two shares, like [0.05, 0.08]",
    "tokenizer": "a name, a file, or {file: model.gguf, like: llama-bpe, margin: 8%}",
}
"""How values are written of kinds that may be more than one."""
_CONTROL = late(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@frozen
class SettingHelp:
    """A setting as it is explained: its place, what it does, how it is written, its default (None: none)."""

    path: str
    row: Row
    does: str
    default: str | None

    @property
    def written(self) -> str:
        """Return how its value is written, and its limits."""
        kind = self.row.kind
        form = FORMS[kind].what if kind in FORMS else _TOGETHER[kind]
        limit = f", {render_limit(self.row.limit, kind)}" if self.row.limit else ""
        return f"{form}{limit}"


def list_help() -> Mapping[str, SettingHelp]:
    """Return every setting by its path, in the table's order."""
    schema = json.loads(read_kit_schema())
    found: dict[str, SettingHelp] = {}
    for row in list_settings().values():
        described = _describe(schema, row.path)
        keys = described.get("properties") if row.path not in WORDS else None
        for key, one in (keys or {"": described}).items():
            path = f"{row.path}.{key}" if key else row.path
            default = render_plain(one["default"]) if "default" in one else None
            found[path] = SettingHelp(path, row, one.get("description", ""), default)
    return found


def _describe(schema: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    for key in path.split("."):
        ways = [schema, *schema.get("anyOf", ())]
        schema = next(one["properties"][key] for one in ways if key in one.get("properties", {}))
    return schema


def render_plain(value: object) -> str:
    """Return a value as it is written in kit.yaml."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return render_flow([str(one) for one in value])
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {render_plain(one)}" for key, one in value.items()) + "}"
    return str(value)


_LIKE_AN_END = 0.8
"""Likeness from which a word may be the last part of a setting's path: `lang` is not `shelf.long`."""


def find_settings(asked: str, *, word: bool = False) -> Sequence[SettingHelp]:
    """Return the setting of this path, those of this section, or the one that ends so.

    With `word`, a section that may be a word alone is the setting that the word is then. Raises UsageError
    with the nearest where there is none, and with all where several end so.
    """
    from reel_cli.core.nearest import nearest

    known = list_help()
    key = asked.strip().strip(".")
    if key in known:
        return [known[key]]
    if key in WORDS and word:
        return [known[f"{key}.{WORDS[key]}"]]
    if found := [one for path, one in known.items() if path.startswith(f"{key}.")]:
        return found
    ends = [one for path, one in known.items() if path.endswith(f".{key}")]
    if len(ends) == 1:
        return ends
    above, _, last = key.rpartition(".")
    row = next((one for one in list_settings().values() if one.path == above and one.others == "kept"), None)
    if row is not None and last:
        return [SettingHelp(key, row, SECTIONS[above], None)]
    if ends:
        message = f'Several settings are called "{asked}": {", ".join(one.path for one in ends)}.'
        raise UsageError(message, hint=f"say which:  reel config {ends[0].path}")
    near = nearest(key, [*known, *SECTIONS])
    by_end = {path.rpartition(".")[2]: path for path in known}
    last_near = nearest(key, list(by_end), _LIKE_AN_END)
    hint = near or (by_end[last_near] if last_near else "")
    message = f'No setting is called "{asked}".'
    raise UsageError(
        message, hint=f"did you mean  reel config {hint}" if hint else "all of them:  reel config --all"
    )


def read_value(snapshot: "Snapshot", path: str) -> str | None:
    """Return the value that kit.yaml gives a setting, as text; None where it does not."""
    value: Plain | None = parse_mapping(snapshot.text(KIT) or "", KIT)
    above = ""
    for key in path.split("."):
        if isinstance(value, str) and WORDS.get(above) == key:
            return value
        value = value.get(key) if isinstance(value, dict) else None
        above = f"{above}.{key}".strip(".")
    return None if value is None or value == "" else render_plain(value)


def value_of(settings: Settings, path: str) -> object:
    """Return a setting's value, typed."""
    rows = list_settings().items()
    # a section's own table (`boot`) does not hold the settings that stand beside it (`boot.always`)
    for name, row in rows:
        if row.path == path:
            return getattr(settings, name)
    for name, row in rows:
        value = getattr(settings, name)
        if isinstance(value, Mapping) and path.startswith(f"{row.path}."):
            return value.get(path.removeprefix(f"{row.path}."))
    return None


def list_changed(snapshot: "Snapshot") -> Iterator[SettingHelp]:
    """Yield each setting that differs from its default."""
    usual, own = Settings(name=""), snapshot.settings
    for path, one in list_help().items():
        if read_value(snapshot, path) is not None and value_of(own, path) != value_of(usual, path):
            yield one


def plan_setting(snapshot: "Snapshot", setting: SettingHelp, value: str) -> Change | None:
    """Return the change that sets one setting, or takes it out for `default`; None if it is so already.

    All other settings stay as they are, and all other characters of the file. Raises ReelError, in the words
    of the table, for a value that makes no sense, and UsageError for one that would fail only later.
    """
    path, before = setting.path, snapshot.text(KIT) or ""
    keys, was = path.split("."), read_value(snapshot, path)
    if setting.row.kind == "author" and value != DEFAULT:
        from reel_cli.core.git.identity import complete_identity

        value = complete_identity(value)
    _require_value(setting, value)
    if value == DEFAULT and path != "name":
        text = before if was is None else drop_value(before, _typed_path(snapshot, keys), KIT)
        told = f"{path} as usual"
    else:
        text = set_value(before, _typed_path(snapshot, keys), _render(setting.row, value), KIT)
        told = f"{path} {one_line(value, _SHOWN)}"
    try:
        planned = check_settings(text, snapshot.name)
    except ReelError as error:
        if error.hint != LEAVE_OUT:
            raise
        # the value is not in the file yet
        hint = f"nothing was changed; what it takes:  reel config {path}"
        raise ReelError(error.message.removeprefix(f"{KIT}: "), hint=hint) from None
    if path == "adapter" and planned.adapter:
        find_adapter(snapshot, planned.adapter)
    if path == "dream.price" and planned.dream_price:
        parse_price(planned.dream_price)
    if is_sound(snapshot):
        _require_rest(snapshot.settings, planned, setting)
        same = value_of(snapshot.settings, path) == value_of(planned, path)
        # the default in so many words stays what it is when what it follows changes
        if same and (value != DEFAULT or text == before):
            return None
    _require_room(planned)
    before_it = one_line(was or setting.default or "not set", _SHOWN)
    change = Change(OP, f"{told}, was {before_it}", {KIT: text.encode()})
    for rule in bring("setting_rules"):
        rule(snapshot.after(change), path)
    return change


def is_sound(snapshot: "Snapshot") -> bool:
    """Return whether the settings can be read as they stand, and what they name as the author commits."""
    from reel_cli.core.git.identity import parse_identity

    try:
        author = check_settings(snapshot.text(KIT) or "", snapshot.name).author
    except ReelError:
        return False
    return author is None or parse_identity(author) is not None


def check_settings(text: str, name: str) -> Settings:
    """Return the settings that a text gives; raises ReelError, in the table's words, where one is wrong."""
    settings = parse_settings(text, fallback_name=name)
    if settings.timezone is not None:
        find_zone(settings.timezone)
    return settings


def _typed_path(snapshot: "Snapshot", keys: Sequence[str]) -> Sequence[str]:
    """Return the keys that lead to a value, where a section may be a word alone."""
    section = ".".join(keys[:-1])
    word = parse_mapping(snapshot.text(KIT) or "", KIT).get(section)
    return keys[:-1] if isinstance(word, str) and word and WORDS.get(section) == keys[-1] else keys


def _render(row: Row, value: str) -> str:
    if row.kind in _TOGETHER and value[:1] in ("[", "{"):
        parse_mapping(f"value: {value}\n", f"the value of {row.path}")
        return value
    return value if _PLAIN.fullmatch(value) else render_scalar(value)


def _require_value(setting: SettingHelp, value: str) -> None:
    """Raise UsageError for a value that is read without a word and fails, or spoils a screen, later."""
    path, what = setting.path, setting.written
    fits = bool(value.strip()) and not _CONTROL.search(value)
    if path in ("name", "user"):
        what = f"a name of at most {LONGEST_NAME} characters, on one line"
        fits = is_name(value)
    elif setting.row.kind == "author" and value != DEFAULT:
        from reel_cli.core.git.identity import parse_identity

        fits = parse_identity(value) is not None
    if not fits:
        message = f"kit.yaml: {path} is {value!r}, which is not {what}."
        hint = None if path == "name" else f"as usual:  reel config {path} {DEFAULT}"
        if setting.row.kind == "author":
            from reel_cli.core.git.identity import NAME_YOURSELF

            hint = f"a name is enough:  {NAME_YOURSELF}"
        raise UsageError(message, hint=hint)


def _require_rest(before: Settings, planned: Settings, setting: SettingHelp) -> None:
    """Raise ReelError where the edit would change another setting than it should."""
    follows = [row.path for row in list_settings().values() if row.like]
    other = [
        path
        for path in list_help()
        if path not in (setting.path, *follows) and value_of(before, path) != value_of(planned, path)
    ]
    if other:
        message = f"kit.yaml is written in a form in which {setting.path} cannot be set without {other[0]}."
        raise ReelError(message, hint="set it by hand:  reel edit settings")


def _require_room(planned: Settings) -> None:
    from reel_cli.core.kit.model_choice import look_at_model

    if look_at_model(planned).room == 0:
        message = "That leaves a bundle no room."
        raise ReelError(
            message, hint=f"take a larger {planned.held_to}, or a smaller share for the conversation (live)"
        )
