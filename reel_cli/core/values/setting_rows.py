"""Rows of the table of settings: where each stands in `kit.yaml`, how it is written, what it may be."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "text", "protocol", "author", "size", "share", "range", "count", "age", "every", "flag", "lines", "hosts",
    "tokenizer", "embeddings", "server", "adapter", "label", "experience", "effort", "store", "topology",
    "policy",
]  # fmt: skip
"""Formats of a setting: the parser has a reader for each, and the schema a definition."""


class Limit(NamedTuple):
    """The values a setting may have: from `low` on, and below `high` where that is not 0; and why."""

    low: int
    high: int
    why: str
    hint: str


class Row(NamedTuple):
    """A setting's place in `kit.yaml`, and the values that it may have.

    `path` is where it stands (`facts.share`), `kind` how it is written, `cites` the section of the protocol
    it comes from. `like` names the setting that it follows where it is left out; `among` are the only texts
    that a list may hold. A field that is a mapping has a setting for each key, with the keys of its default;
    any others are passed over, refused or kept.
    """

    path: str
    kind: Kind
    cites: str = ""
    limit: Limit | None = None
    like: str = ""
    among: Sequence[str] = ()
    hint: str = ""
    others: Literal["passed over", "refused", "kept"] = "passed over"


SECTIONS: Mapping[str, str] = {
    "template": "Tokens that the model's chat template adds.",
    "ranges": "Each ring's share of the cap, lowest and highest.",
    "checkpoint": "The persona's assessment of itself, and when it is asked for.",
    "prune": "The time after which unused memories go to sleep.",
    "maintain": "Maintenance passes: how often memories are checked, and how much may recede at once.",
    "dream": "The conditions under which a dream is due, and how it is dreamt.",
    "ages": (
        "The age at which a memory may recede, by how fully it is kept: d, w, m and y are days, weeks, "
        "months and years."
    ),
    "index": "The number of index lines that a session adds, its memory's own among them.",
    "pack": "The order in which memories get room.",
    "recall": "Means of finding a moment, beside its words.",
    "via": "Sending prompts to a server instead of pasting them; a word alone is the server.",
    "start": "The end of the bundle that  reel start  copies.",
    "boot": ("Warm starts (reel pack --boot): the story, SHARED-CONTEXT.md and the last messages, verbatim."),
    "behavior": "The form of replies: it steers what prompts ask for, and is never itself in a prompt.",
    "behavior.token_policy": (
        "Length of pages that prompts ask for, in tokens: base, within min and max. Without base it follows "
        "the cap."
    ),
    "facts": "Facts known by heart (facts.yaml), which go into every bundle.",
    "intake": (
        "Statements that may be worth keeping (intake.yaml): which wait, and which a page asks about."
    ),
    "domain": "Rows of domain data in bundles, as with reel pack --with.",
    "keep": "Conversations that outgrow the cap and continue with  reel keep.",
    "buffer": "The beginning of a conversation: its first turns, word for word in every bundle.",
    "shelf": (
        "Files the persona is working with, as listed by  reel shelf, and the handling of advice about them."
    ),
    "shelf.keep": (
        "Files that must be kept, by kind; advice against it is overridden. You may add kinds of your own to "
        "these."
    ),
    "mcp": "The rights of a model that uses the tools of reel mcp.",
    "directives": "The limit of ring0/directives.md.",
}
"""The sections of `kit.yaml`, each with what its settings are about."""
WORDS: Mapping[str, str] = {"via": "to"}
"""The sections that may be a word alone, each with the setting that the word is then."""
