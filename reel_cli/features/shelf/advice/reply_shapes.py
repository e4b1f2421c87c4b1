"""The shapes in which advice comes: an object in JSON or YAML, a tool call, or lines in what was said."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from reel_cli.core.exchange.reader.cleaning import is_fence
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.trees import DEEPEST, Pairs, Tree, loses_nothing, parse_json, parse_yaml
from reel_cli.core.frozen import late
from reel_cli.features.shelf.advice.advice import SIGNS

MANIFEST = {"keep": "hot", "evict": "cold"}
"""The lists of hot.yml and cold.yml, each with the field of an advice that it is; each entry has a reason."""
KEYS = {"hot": "hot", "cold": "cold", "triggergc": "trigger_gc", "why": "why"} | MANIFEST
"""The fields of an advice, by their squashed names."""
_BESIDE = ("path", "why", "reason", "suggestedaction", "action", "since", "touches", "lasttouch")
"""Fields of one thing that may stand on lines of their own."""
_CALLED = ("arguments", "args", "input", "parameters", "params", "toolinput")
_TRIES = 20
_UNPACKED = 4
"""Maximum depth to which arguments that came as JSON in a string are unpacked."""
_OBJECT = late(r"\{(?=\s{0,80}(?://|/\*|[\"'“‘]|[A-Za-z_][\w.]{0,60}\s{0,8}:))")
_ALIAS = late(r"[&*!][\w.-]+")
_YAML_KEY = late(
    r"(?P<indent>[ \t]{0,24})(?:-[ \t]+)?[*_`\"']{0,3}(?P<key>memory[._]advise|hot|cold|trigger_gc|why"
    r"|(?:keep|evict)(?=[*_`\"']{0,3}[ \t]*:[*_`]{0,2}[ \t]*$))"
    r"[*_`\"']{0,3}[ \t]*:[*_`]{0,2}(?:[ \t]+(?P<value>.*))?[ \t]*",
    re.IGNORECASE,
)
_ITEM = late(r"(?P<indent>[ \t]{0,24})(?:[-*•+]|\d{1,3}[.)])[ \t]+(?P<text>.*)")
_PART = late(
    r"[ \t]{0,24}[*_`\"']{0,3}(?P<key>[A-Za-z][A-Za-z_ ]{0,24}?)[*_`\"']{0,3}[ \t]*:(?:[ \t]+(?P<value>.*))?"
)
_CALL = late(r"memory[._]advise[ \t]*\(\s{0,80}(?=\w{2,12}[ \t]*=)")
_ARGUMENT = late(r"[\s,]{0,80}(?P<key>\w{2,12})[ \t]*=[ \t]*")
_PLAIN = late(r"\"((?:[^\"\\\n]|\\.){0,4000})\"|'((?:[^'\\\n]|\\.){0,4000})'|(\w{1,12})")
_LINE = late(
    r"[ \t>]{0,12}(?:[-*•+][ \t]+|\d{1,3}[.)][ \t]+)?[*_]{0,3}"
    r"(?:(?P<keep>keep(?:ing)? at hand)|(?P<go>let(?:ting)? go)|(?P<why>because|why))"
    r"[*_]{0,3}[ \t]*:[*_]{0,3}[ \t]*(?P<text>\S.*)",
    re.IGNORECASE,
)
_ABOUT = late(
    r"[`\"“*_]{0,3}(?P<path>[^`\"”\n]{1,400}?)[`\"”*_]{0,3}"
    r"(?:[ \t]+(?:—|–|-{1,2}|→)[ \t]+|:[ \t]+)(?P<why>.*)"
)
_LAST = late(r"(?P<why>.*?)[ \t]*[(\[][ \t]*(?P<action>[A-Za-z][\w ,-]{2,40})[ \t]*[)\]][ \t.]*")
_SCALAR = late(r"[|>][+-]?\d?")


@dataclass(slots=True)
class Shape:
    """The fields of an advice as they came; `cut` where it breaks off, `lines` where it is a talk's."""

    fields: dict[str, Tree] = field(default_factory=dict)
    cut: bool = False
    lines: bool = False


def find_objects(text: str) -> Shape | None:
    """Return the advice in a text's objects or calls: the last, or its parts put together."""
    found: Shape | None = None
    for one in (*_from_json(text), *_from_calls(text)):
        apart = found is not None and not found.fields.keys() & one.fields.keys()
        if found is not None and apart:
            found = Shape({**found.fields, **one.fields}, found.cut or one.cut)
        elif found is None or not one.cut or found.cut:
            found = one
    return found or _from_yaml(text)


def find_lines(text: str) -> Shape | None:
    """Return the advice in lines: `Keep at hand: path — why`, `Let go: path — why (archive)`."""
    kept: dict[str, list[Tree]] = {}
    why = ""
    for line in text.split("\n"):
        if len(line) > 2_000 or not (said := _LINE.fullmatch(line)):
            continue
        if said["why"]:
            why = said["text"]
        else:
            kept.setdefault("hot" if said["keep"] else "cold", []).append(said["text"])
    if not kept:
        return None
    fields: dict[str, Tree] = {**kept, **({"why": why} if why else {})}
    return Shape(fields, lines=True)


def has_advice(text: str) -> bool:
    """Return whether a text may hold advice; quick, and never wrongly False."""
    folded = text.lower()
    if not any(sign in folded for sign in SIGNS):
        return False
    return (find_objects(text) or find_lines(text)) is not None


def line_hint(line: str, actions: AbstractSet[str]) -> dict[str, str]:
    """Return an item in one line, `path — why (action)`; the action only if it is one of these (squashed)."""
    plain = line.strip().lstrip("-*•+ \t")
    about = _ABOUT.fullmatch(plain)
    path, why = (about["path"], about["why"]) if about else (plain, "")
    last = _LAST.fullmatch(why if about else path)
    action = last["action"] if last and squash(last["action"]) in actions else ""
    if last and action:
        path, why = (path, last["why"]) if about else (last["why"], "")
    return {"path": path.strip(' `"“”*_'), "why": why.strip(), "action": action}


# -- objects --------------------------------------------------------------------------------------


def _from_json(text: str) -> Iterator[Shape]:
    at = fruitless = 0
    while (opened := _OBJECT.search(text, at)) and fruitless <= _TRIES:
        parsed = parse_json(text, opened.start())
        fields = _advice_in(parsed.tree)
        if fields:
            # an object that continues at the end of the text was cut, unless only its braces are missing
            yield Shape(fields, parsed.cut or parsed.in_list)
            at = max(parsed.end, opened.end())
            continue
        fruitless += parsed.cut
        at = opened.end() if parsed.cut else max(parsed.end, opened.end())


def _advice_in(tree: Tree, depth: int = 0, unpacked: int = 0) -> dict[str, Tree]:
    """Return the fields of an advice, in whatever they are wrapped in."""
    if depth > DEEPEST or isinstance(tree, str):
        return {}
    if isinstance(tree, list):
        return next((found for one in tree if (found := _advice_in(one, depth + 1, unpacked))), {})
    own = _own(tree)
    # a named entry has a reason too
    if own.keys() - {"why"} or (own and depth and not any(squash(key) == "path" for key, _ in tree.items)):
        return own
    for key, value in tree.items:
        inner = value
        packed = isinstance(value, str) and squash(key) in _CALLED and value.lstrip()[:1] == "{"
        if isinstance(value, str) and packed and unpacked < _UNPACKED:
            inner = parse_json(value, value.index("{")).tree
            unpacked += 1
        found = _advice_in(inner, depth + 1, unpacked)
        if found:
            return found
    return own if len(tree.items) == 1 else {}


def _own(tree: Pairs) -> dict[str, Tree]:
    """Return the fields of a mapping itself; of a repeated one, the last.

    A list of a manifest is there under its own name, too.
    """
    items = [(squash(key), value) for key, value in tree.items]
    listed = {key: value for key, value in items if key in MANIFEST and isinstance(value, list)}
    fields = {KEYS[key]: value for key, value in items if key in KEYS and key not in MANIFEST}
    return {**{MANIFEST[key]: value for key, value in listed.items()}, **fields, **dict.fromkeys(listed, "")}


def _from_calls(text: str) -> Iterator[Shape]:
    """Yield the advice in calls: `memory.advise(hot=[…], why="…")`."""
    for called in _CALL.finditer(text):
        at, fields = called.end(), dict[str, Tree]()
        cut = True
        while argument := _ARGUMENT.match(text, at):
            at = argument.end()
            if text[at : at + 1] in ("[", "{"):
                parsed = parse_json(text, at)
                value: Tree = parsed.tree
                at = max(parsed.end, at + 1)
            elif plain := _PLAIN.match(text, at):
                value, at = plain[1] or plain[2] or plain[3] or "", plain.end()
            else:
                break
            if squash(argument["key"]) in KEYS:
                fields[KEYS[squash(argument["key"])]] = value
        cut = not text[at : at + 80].lstrip(" \t\r\n,").startswith(")")
        if fields:
            yield Shape(fields, cut)


# -- YAML -----------------------------------------------------------------------------------------


def _from_yaml(text: str) -> Shape | None:
    """Return a text's last YAML advice, read as YAML if valid, else line by line."""
    found: Shape | None = None
    for lines in _stretches(text.split("\n")):
        block = "\n".join(lines)
        tree = parse_yaml(block)
        fields = _advice_in(tree) if tree is not None and loses_nothing(block, tree) else {}
        fields = fields or {**_by_line(lines)}
        if fields.keys() & {"hot", "cold"} or ("why" in fields and "trigger_gc" in fields):
            apart = found is not None and not found.fields.keys() & fields.keys()
            found = Shape({**(found.fields if found is not None and apart else {}), **fields})
    return found


def _stretches(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield each run of lines that begins with one of the keys and continues like YAML."""
    run: list[str] = []
    for line in lines:
        key = len(line) < 4_000 and _YAML_KEY.fullmatch(line)
        goes_on = not line.strip() or line[0] in " \t" or line.startswith("#") or _ITEM.match(line)
        if is_fence(line) or (run and not (key or goes_on)):
            if run:
                yield run
            run = []
        elif run or key:
            run.append(line)
    if run:
        yield run


@dataclass(slots=True)
class _Lines:
    """The state of reading line by line."""

    fields: dict[str, Tree] = field(default_factory=dict)
    section: str = ""
    indent: int = 0
    item: Pairs | None = None
    aliased: bool = False
    """True if something is an alias of something else, as YAML allows."""

    def open(self, key: str, value: str, indent: int) -> None:
        """Start a field of the advice."""
        self.item = None
        self.aliased |= bool(_ALIAS.fullmatch(value))
        if key in ("hot", "cold"):
            self.section, self.indent = key, indent
            self.fields[key] = [value] if value and value not in ("[]", "none", "nothing") else []
        else:
            self.section = ""
            self.fields[key] = value

    def start(self, text: str) -> None:
        """Start one thing of a list."""
        part = _PART.fullmatch(text)
        self.item = None
        listed = self.fields[self.section]
        if part and isinstance(listed, list):
            self.item = Pairs([(part["key"], _value(part["value"]))])
            listed.append(self.item)
        elif isinstance(listed, list):
            listed.append(text)

    def go_on(self, line: str) -> None:
        """Add a line below: another part of the thing, or more of the last one."""
        part = _PART.fullmatch(line)
        known = part and squash(part["key"]) in _BESIDE
        if self.item is not None and part and known:
            self.item.items.append((part["key"], _value(part["value"])))
        elif self.item is not None and line.strip():
            key, value = self.item.items[-1]
            self.item.items[-1] = (key, f"{value} {line.strip()}".strip())
        elif not self.section and self.fields and line.strip():
            key = next(reversed(self.fields))
            self.fields[key] = f"{self.fields[key]} {line.strip()}".strip()


def _by_line(lines: Sequence[str]) -> Mapping[str, Tree]:
    """Return block YAML that a colon or a quotation mark in a reason has broken, by line."""
    made = _Lines()
    for line in lines:
        key = _YAML_KEY.fullmatch(line) if len(line) < 4_000 else None
        name = KEYS.get(squash(key["key"]), "") if key else ""
        deeper = bool(key and made.section and len(key["indent"]) > made.indent)
        item = _ITEM.fullmatch(line) if len(line) < 4_000 else None
        if key and not name and not deeper:
            continue
        if key and name and not deeper and not (item and made.section):
            made.open(name, _value(key["value"]), len(key["indent"]))
            if squash(key["key"]) in MANIFEST:
                made.fields[squash(key["key"])] = ""
        elif item and made.section:
            made.start(item["text"])
        else:
            made.go_on(line)
    return {} if made.aliased else made.fields


def _value(text: str | None) -> str:
    """Return a scalar without the marks of a block or of quotation."""
    plain = (text or "").strip().removesuffix(",")
    if _SCALAR.fullmatch(plain):
        return ""
    if len(plain) > 1 and plain[0] in "\"'" and plain[-1] == plain[0]:
        return plain[1:-1]
    return plain
