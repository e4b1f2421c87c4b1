"""Fields in a JSON object or in tags, wherever in a reply they stand (REEL §6.2)."""

from dataclasses import field

from reel_cli.core.exchange.reader.labels import SECTION, Names
from reel_cli.core.exchange.reader.sections import HOLE, Entry
from reel_cli.core.exchange.reader.trees import DEEPEST, Pairs, Tree, parse_json
from reel_cli.core.frozen import late, mutable

_OBJECT = late(r"\{(?=\s{0,80}(?://|/\*|[\"'“‘]|[A-Za-z_]\w{0,60}\s{0,8}:))")
_TAG = late(
    r"<(?P<close>/)?(?P<name>[A-Za-z][\w -]{0,60}?)[ \t]*"
    r"(?:(?:name|id|label|title|key)=[\"'](?P<label>[^\"'<>\n]{1,80})[\"'][ \t]*)?(?P<empty>/)?>"
)
_CHILD = late(
    r"</?(?P<name>[A-Za-z][\w-]{0,40})[ \t]*"
    r"(?:(?:id|n|key|name|number)=[\"']?(?P<id>[\w -]{1,40})[\"']?[ \t]*)?>"
)
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
_RAW = late(r"<|&(?!(?:amp|lt|gt|quot|apos);)")
_CDATA = late(r"<!\[CDATA\[|\]\]>")
_FENCE_ABOVE = late(r"(?m)^[ \t]{0,40}(?:`{3,}|~{3,})[\w+-]{0,40}\s{0,80}\[?\s{0,80}\Z")
_FENCE_BELOW = late(r"\s{0,80}[\])]?\s{0,80}(?:`{3,}|~{3,})[ \t]*(?=\n|$)")
_RETRIES = 20


@mutable
class Islands:
    """The fields found, the text left when they are taken out, keys that name nothing."""

    entries: list[Entry] = field(default_factory=list)
    rest: str = ""
    unknown: list[str] = field(default_factory=list)
    cut: bool = False
    sure: bool = False
    """True if at least one of them has an unambiguous name."""

    @property
    def keys(self) -> set[str]:
        """Return the fields answered."""
        return {entry.key for entry in self.entries}


def read_json(text: str, names: Names) -> Islands:
    """Return every field in a JSON object, wherever in the text the object is."""
    found = Islands()
    left: list[str] = []
    at = kept = fruitless = 0
    while opened := _OBJECT.search(text, at):
        parsed = parse_json(text, opened.start())
        before = len(found.entries)
        _walk(parsed.tree, names, found, 0)
        if len(found.entries) > before:
            left.append(text[kept : _before_fence(text, opened.start())])
            at = kept = _after_fence(text, max(parsed.end, opened.end()))
            found.cut = parsed.cut
        else:
            fruitless += parsed.cut
            at = opened.end() if parsed.cut and fruitless <= _RETRIES else max(parsed.end, opened.end())
    found.rest = f"\n{HOLE}\n".join([*left, text[kept:]])
    return found


def _before_fence(text: str, at: int) -> int:
    """Return the start of a fence line directly above, or `at`."""
    found = _FENCE_ABOVE.search(text, max(0, at - 200), at)
    return found.start() if found else at


def _after_fence(text: str, at: int) -> int:
    """Return the end of a fence line directly below, or `at`."""
    found = _FENCE_BELOW.match(text, at)
    return found.end() if found else at


def _walk(tree: Tree, names: Names, found: Islands, depth: int) -> None:
    """Collect the fields of a tree, also those inside wrappers (`checkpoint: {…}`)."""
    if isinstance(tree, str) or depth > DEEPEST:
        return
    if isinstance(tree, list):
        for part in tree:
            _walk(part, names, found, depth + 1)
        return
    labelled = _labelled(tree, names)
    if labelled:
        found.sure = True
        found.entries.append(Entry(labelled[0], labelled[1], "json", explicit=True))
        return
    unknown: list[str] = []
    before = len(found.entries)
    for key, value in tree.items:
        keys, strong = names.find(key)
        if keys and keys[0] != SECTION:
            found.sure |= strong
            found.entries.append(Entry(keys[0], value, "json", explicit=True, merged=keys[1:]))
        elif isinstance(value, str):
            unknown.append(key)
        else:
            _walk(value, names, found, depth + 1)
    if len(found.entries) > before:
        found.unknown.extend(unknown)


def _labelled(tree: Pairs, names: Names) -> tuple[str, Tree] | None:
    """Return a field given as {"heading": "What happened", "text": "…"}."""
    if len(tree.items) != 2 or any(names.find(key)[0] for key, _ in tree.items[1:]):
        return None
    (_, label), (_, value) = tree.items
    keys, strong = names.find(label) if isinstance(label, str) else ((), False)
    return (keys[0], value) if strong else None


def read_tags(text: str, names: Names) -> Islands:
    """Return every field between tags of its name (`<what_happened>…</what_happened>`)."""
    found = Islands()
    left: list[str] = []
    kept = closed = 0
    opened: tuple[str, str, int, int] | None = None
    """(field, tag, where the tag begins, where its text begins)"""
    for tag in _TAG.finditer(text):
        keys, strong = names.find(tag["label"] or tag["name"])
        known = bool(keys) and keys[0] != SECTION
        if tag["close"]:
            if opened and tag["name"].strip() == opened[1]:
                _take(found, text, opened, tag.start())
                left.append(text[kept : opened[2]])
                kept, opened = tag.end(), None
                closed += 1
            continue
        if not known or tag["empty"] or (opened and not strong):
            continue
        if opened:
            _take(found, text, opened, tag.start())
            left.append(text[kept : opened[2]])
            kept = tag.start()
        found.sure |= strong
        opened = (keys[0], tag["name"].strip(), tag.start(), tag.end())
    if opened:
        _take(found, text, opened, len(text))
        left.append(text[kept : opened[2]])
        kept = len(text)
        found.cut = closed > 0
    found.rest = f"\n{HOLE}\n".join([*left, text[kept:]])
    return found


def _take(found: Islands, text: str, opened: tuple[str, str, int, int], end: int) -> None:
    body = _CDATA.sub("", text[opened[3] : end]).strip()
    child = _CHILD.match(body)
    if child and f"</{child['name']}>" in body:
        told = _CHILD.sub(lambda tag: f"\n{tag['id']}: " if tag["id"] else "\n", body)
        body = "\n".join(part for part in told.split("\n") if part.strip())
    if not _RAW.search(body):
        for entity, char in _ENTITIES:
            body = body.replace(entity, char)
    found.entries.append(Entry(opened[0], body, "xml"))
