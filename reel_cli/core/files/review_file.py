"""`review/<id>.md`: one proposal that waits for a person's word."""

from collections.abc import Iterator, Mapping

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.yaml_text import parse_mapping, render_scalar
from reel_cli.core.values.change import one_line, unbroken
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.review import Proposal, ReviewKind, Side
from reel_cli.core.values.settings import HANDED_IN, PROPOSED

SETTLED = "review/settled.yaml"
"""Path of the decisions about contradictions, so that a settled one is not raised again."""
SETTLED_KEYS = ("*.word", "*.day", "*.doubt", "*.older", "*.newer")
_SIDES = ("older", "newer")
PROPOSAL_KEYS = (
    *("kind", "title", "session", "made", "role", "source", "why", "op", "where", "asked"),
    *("memory", "immune", "tags"),
    *(f"{side}{end}" for side in _SIDES for end in ("", "_says", "_day")),
)
_KNOWN = frozenset(kind.value for kind in ReviewKind if kind is not ReviewKind.HAND)


def review_path(proposal_id: str) -> str:
    """Return the kit path of a proposal."""
    return f"review/{proposal_id}.md"


def render_proposal(proposal: Proposal) -> str:
    """Return the file: who proposed what, then the text itself."""
    fields = {
        "kind": proposal.kind.value,
        "title": render_scalar(proposal.title),
        "session": render_scalar(proposal.session),
        "made": render_scalar(proposal.made),
    }
    for key in ("role", "source", "why", "op", "where", "asked"):
        value: str = getattr(proposal, key)
        if value:
            fields[key] = render_scalar(value)
    if proposal.kind is ReviewKind.IMMUNITY:
        fields |= {"memory": proposal.memory, "immune": "yes" if proposal.immune else "no"}
        if proposal.tags:
            fields["tags"] = render_scalar(", ".join(proposal.tags))
    for name, side in zip(_SIDES, proposal.sides, strict=False):
        fields[name] = render_scalar(side.where)
        fields[f"{name}_says"] = render_scalar(side.says)
        if side.day:
            fields[f"{name}_day"] = render_scalar(side.day)
    return front_matter.render(fields, proposal.text)


def parse_proposal(text: str, path: str) -> Proposal:
    """Read one proposal; ReelError naming the file where its kind is unknown."""
    document = front_matter.split(text, path)
    kind = document.text("kind")
    if kind not in _KNOWN:
        message = f"{path}: a proposal of kind {kind!r} is not known."
        raise ReelError(message)
    name = path.rpartition("/")[2].removesuffix(".md")
    sides: tuple[Side, ...] = ()
    if kind == ReviewKind.CONTRADICTION.value:
        texts = ([document.text(f"{side}{end}").strip() for end in ("", "_says", "_day")] for side in _SIDES)
        sides = tuple(Side(*told) for told in texts)
        if not all(side.where and side.says for side in sides):
            message = f"{path}: a contradiction needs older, older_says, newer and newer_says."
            raise ReelError(message)
    memory, immune = document.text("memory").strip(), document.text("immune").strip()
    if kind == ReviewKind.IMMUNITY.value and not (MEMORY_ID.fullmatch(memory) and immune in ("yes", "no")):
        message = f"{path}: what must stay needs memory (like M-004) and immune (yes or no)."
        raise ReelError(message)
    op = document.text("op").strip()
    if kind == ReviewKind.HANDED_IN.value and op not in (*HANDED_IN, *PROPOSED):
        message = f"{path}: what was handed in needs op, one of {', '.join((*HANDED_IN, *PROPOSED))}."
        raise ReelError(message)
    return Proposal(
        id=name,
        kind=ReviewKind(kind),
        session=document.text("session"),
        made=document.text("made"),
        title=unbroken(document.text("title") or name),
        text=document.body,
        role=document.text("role"),
        source=document.text("source"),
        why=document.text("why"),
        sides=sides,
        memory=memory,
        immune=immune == "yes",
        tags=tuple(tag for part in document.text("tags").strip("[] ").split(",") if (tag := part.strip())),
        op=op,
        where=document.text("where"),
        asked=document.text("asked"),
    )


def find_unread_kind(text: str, path: str) -> Iterator[tuple[int, str]]:
    """Yield the kind or operation of a proposal that reel does not know, with its line."""
    from reel_cli.core.files.unread_fields import LONGEST_WORD, find_line

    document = front_matter.split(text, path)
    kind, op = document.text("kind"), document.text("op").strip()
    if kind not in _KNOWN:
        yield find_line(text, path, "kind"), f"the kind {one_line(kind, LONGEST_WORD)}"
    elif kind == ReviewKind.HANDED_IN.value and op not in (*HANDED_IN, *PROPOSED):
        yield find_line(text, path, "op"), f"the operation {one_line(op, LONGEST_WORD)}"


def pair_key(one: str, other: str) -> str:
    """Return the key of two sentences that disagree, independent of their order and place."""
    # packing reads what is pending and needs no hash
    import hashlib

    folded = sorted(" ".join(text.split()).casefold().rstrip(" .,;!…") for text in (one, other))
    return hashlib.sha256("\0".join(folded).encode()).hexdigest()[:16]


def read_settled(text: str) -> Mapping[str, object]:
    """Return the settled contradictions by `pair_key`; raises ReelError if the file is unreadable."""
    return parse_mapping(text, SETTLED)


def doubt_key(owner: str, kind: str, claim: str) -> str:
    """Return the key of a doubt about one detail of a memory, wherever in it the detail stands."""
    import hashlib

    folded = " ".join(claim.split()).casefold().strip(" .,;!…")
    return hashlib.sha256(f"{owner}\0{kind}\0{folded}".encode()).hexdigest()[:16]


RIGHT = "it is right"
"""Word of a person who settles a doubt."""


def settle_doubt(text: str, key: str, doubt: str, day: str, word: str = RIGHT) -> str:
    """Return the file with one more doubt that is settled; `word` says by whom, a person's if not given."""
    fields = (("word", word), ("day", day), ("doubt", doubt))
    value = "".join(f"\n  {name}: {render_scalar(told)}" for name, told in fields)
    return front_matter.set_yaml_fields(text, {key: value})


def settle(text: str, proposal: Proposal, word: str, day: str) -> str:
    """Return the file with one more settled; `word` says what was decided, `day` when."""
    older, newer = proposal.sides
    fields = (
        ("word", word),
        ("day", day),
        ("older", f"{older.where}: {older.says}"),
        ("newer", f"{newer.where}: {newer.says}"),
    )
    value = "".join(f"\n  {key}: {render_scalar(told)}" for key, told in fields)
    return front_matter.set_yaml_fields(text, {pair_key(older.says, newer.says): value})
