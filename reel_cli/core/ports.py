"""Ports: values that features bring to the core, found in the table of features and imported when asked for.

The core names no feature. It asks a port, and the table says which features bring something to it:

| port | what is brought |
| --- | --- |
| `answers` | the `Schema` of a prompt's reply, so that an answer to another prompt is recognized |
| `checks` | the `Check`s of `reel doctor`, in a sequence (`core/kit/checkup.py`) |
| `mends` | a function from a `MendScope` to the `Change` that mends without a person's word, or None |
| `joins` | a function from an open kit to whether it joined what two machines recorded |
| `heard` | a function from a recording and what was said in it to that with more, and a problem |
| `let_go` | a function from a snapshot, a `Change` that forgets and stretches by memory to that with more |
| `promises` | a function from a turn to its sentences that promise something for a day, each with that day |
| `recorded` | a function from an open kit and the sessions just recorded: what to say of them |
| `restores` | a function from an open kit and names to what comes back; None for other names |
| `purged` | a function from an open kit, a `PurgeTarget` and a session or None: reach it outside the kit |
| `purge_reaches` | a function from the same: say beforehand, a line each, what that reaches and what not |
| `unfinished` | a function from a repository and its kit: finish what was stopped, return what to say |
| `secrets` | a function from texts to the secrets that they tell, each as its kind and its words |
| `warnings` | a function from an open kit to `KitWarning`s: what to know before a chat |
| `overview` | a function from a command's context: answer `reel` alone |
| `pulse` | a function that answers `reel status --pulse` |
| `imported` | a function from a memory that came from elsewhere to all that it says |
| `faces` | a function from a snapshot to the persona's picture, as PNG, or None |
| `beginnings` | a function that makes a kit from a character card, as `reel init --card` asks |
| `exports` | a function that adds commands to `reel export` |
| `memory_commands` | a function that adds commands to `reel memory` |
| `model_commands` | a function that adds commands to `reel model` |
| `transports` | a `Transport` that carries prompts where `--via` says (`terminal/transport_option.py`) |
| `tools` | the `Tool`s that a model may call by `reel mcp`, in a sequence (`core/exchange/tool.py`) |
| `handed_in` | the `HandInKind`s of what those hand in, in a sequence (`core/exchange/tool.py`) |
| `follows` | a function from a kit, a query, a moment's place and progress to its `ThreadPath`, or None |
| `gauges` | a function from a snapshot to the `CompressionGauge` that judges each shorter text |
| `measures` | a function from an open kit to `Measure`s of it, for `reel status --metrics` |
| `expansions` | a function from a kit, hits, `recall.topology` and progress to the hits in another order |
| `setting_rules` | a function from a snapshot with a setting set, and its path; refuses it with a ReelError |
| `page_rules` | a function from a snapshot, a chat and its messages since its page to a `Due`, or None |
| `courses` | a function from a kit, its snapshot, a memory's ID and progress to its `MemoryCourse` |
| `ties` | a function from a snapshot, its `Holdings` and rows of memories, newest first, to `Tie`s |
| `rests` | a function from a snapshot to the `RestingParts` that came of chats alone that were taken back |
| `sections` | a function from an open kit to the `KitSection`s that its web page shows |
| `happenings` | a function from an open kit to days (ISO 8601) by what happened on them, for its timeline |
| `findings` | a function from an open kit to what a close look finds (`terminal/decisions/decision.py`) |
| `second_looks` | a function from an open kit, a `Change` and its memories to what a model says of them |
| `known_facts` | a `FactReader`: a kit's facts as they are measured, and the times they were asked for |
| `sure_answers` | a function from notes, ranked turns, names and `says` to the fact that answers for sure |
| `marks` | a function from `Holdings`, `Writer` and a bundle's kind to its `load`, with old values marked |
| `upkeep` | a function that does by itself what is due, when a session began or ended: `(opened)` |
| `breaths` | a function that says to an open kit what can be put away; `ends=True` at a session's end |
| `names` | a function from a snapshot to what else the persona is called |
| `migrations` | the `Migration`s to newer protocol versions, in a sequence (`core/kit/migration.py`) |
| `tokenizers` | a function from a `Choice` that names a file to a tokenizer |

Kinds of kit file and of proposal, parts of the bundle, of the page and of `reel status` have columns of their
own in the table, so that a feature is not imported for what a kit or a page does not have:
`list_feature_files`, `bring_proposal_kind`, `list_bundle_parts`, `list_page_places`, `list_status_places`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from reel_cli.core.errors import UsageError

TABLE = "reel_cli.features.table"


class KitFile(NamedTuple):
    """A file or folder at the top of a kit, as a row of a table names it; nothing is imported for it.

    `path` is a file's name, or a folder's with a slash at its end. `kind` names the `KitFileKind` that reads
    and checks what lies there (`module:NAME`), "" where there is nothing to read.
    """

    path: str
    kind: str = ""
    free: bool = False
    """True if people put there what they like, so that reel cannot tell whether it is damaged."""
    needed: bool = False
    """True if a kit's state cannot be read without it."""
    packed: bool = False
    """True if every bundle holds it, so that the catalog watches the file."""
    put_back: bool = False
    """True if recording adds to it, so that it is restored if it is missing."""
    own_restore: bool = False
    """True if `reel restore` brings back deleted items of it in a way of its own."""
    by_hand: bool = True
    """True if a person's edit of it waits in `reel review`."""
    spoken_of: bool = False
    """Whether a chat may name what lies there, which is noted as use."""
    quotes: bool = False
    """Whether its fields hold what was said, in which a session's name stays when it gets another."""
    no_diff: Mapping[str, object] = MappingProxyType({})
    """Values of `reel diff --json`, by key, if neither moment has such a file."""
    opened: str = ""
    """A function from an open kit that has the file, called as a command opens it (`module:name`)."""
    waits: str = ""
    """The beginning of the names of waiting prompts for which `opened` is called without the file, too."""
    committed: str = ""
    """The same, called after a commit that wrote such a file, or the settings."""
    opens_as: str = ""
    """The word by which `reel edit` opens it; one that is not there begins with `KitFileKind.begin`."""
    why_kept: str = ""
    """The reason for which advice never lets go of it; "" for that of all other kit files."""

    @property
    def name(self) -> str:
        """Return the name of the file or folder, without the slash."""
        return self.path.removesuffix("/")


class PartRow(NamedTuple):
    """A part of the bundle, as a row of a table names it, imported when something calls for it.

    `place` is that of its `BundlePart` (`module:NAME`). A `path` that the kit has calls for it (a folder with
    a slash at its end), and so does a field of the `BundleRequest` that is `asked`, or one of the `Settings`
    that is on.
    """

    place: str
    path: str = ""
    asked: str = ""
    setting: str = ""


class PagePlace(NamedTuple):
    """A feature's part of the page, as a row of the table names it.

    `place` names its `PagePart` (`module:NAME`), `keys` are those of its fields. A page is planned without
    importing it where none of them was asked for, unless the kit has the file `path`. `told` is what `--json`
    says of a page without it.
    """

    place: str
    keys: Sequence[str]
    path: str = ""
    told: Mapping[str, object] = MappingProxyType({})


class StatusPlace(NamedTuple):
    """A feature's part of `reel status`, as a row of the table names it.

    `place` names its `StatusPart` (`module:NAME`). It is imported only where one of `files` is in the kit;
    without any, always. `empty` is what `--json` says else.
    """

    place: str
    files: Sequence[str] = ()
    empty: Mapping[str, object] = MappingProxyType({})


def bring(port: str, is_there: Callable[[str], bool] | None = None) -> Iterator[Any]:
    """Import and yield what each feature brings to a port, in the table's order.

    With `is_there`, which says of a path whether a kit has it, only what features bring one of whose files or
    folders it has.
    """
    for feature in table().FEATURES:
        places = feature.brings.get(port, ())
        if places and is_there is not None and not any(is_there(file.name) for file in feature.files):
            continue
        for place in places:
            yield resolve(feature.name, place)


def is_brought(port: str) -> bool:
    """Return whether a feature brings something to a port; nothing is imported for it."""
    return any(feature.brings.get(port) for feature in table().FEATURES)


def bring_one(port: str, feature: str) -> Any:  # noqa: ANN401 (what is brought is the port's to know)
    """Import and return what one feature brings to a port; UsageError where that was taken away.

    `feature` is how it is called on screen.
    """
    found = next(bring(port), None)
    if found is None:
        message = f"This reel was installed without {feature}."
        raise UsageError(message, hint="reel --help  lists what it can do")
    return found


def bring_proposal_kind(kind: str) -> Any:  # noqa: ANN401 (what is brought is the port's to know)
    """Import and return the `ProposalKind` of a `ReviewKind`; None where no feature has it."""
    for feature in table().FEATURES:
        if kind in feature.proposals:
            return resolve(feature.name, feature.proposals[kind])
    return None


def list_feature_files() -> Iterator[tuple[str, KitFile]]:
    """Yield the kit files of each feature, with the feature's name, in the table's order."""
    for feature in table().FEATURES:
        yield from ((feature.name, file) for file in feature.files)


def list_page_places() -> Iterator[tuple[str, PagePlace]]:
    """Yield each feature's parts of the page, with the feature's name, in the table's order."""
    for feature in table().FEATURES:
        yield from ((feature.name, place) for place in feature.pages)


def list_openings() -> Iterator[str]:
    """Yield the words by which the prompts of features are known, in the table's order."""
    for feature in table().FEATURES:
        yield from feature.openings


def list_status_places() -> Iterator[tuple[str, StatusPlace]]:
    """Yield each feature's parts of `reel status`, with the feature's name, in the table's order."""
    for feature in import_module(TABLE).FEATURES:
        yield from ((feature.name, place) for place in feature.status)


def resolve(feature: str, place: str) -> Any:  # noqa: ANN401 (what is brought is the port's to know)
    """Import and return what a feature has at a place, written `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"reel_cli.features.{feature}.{module}"), name)


def list_bundle_parts() -> Iterator[tuple[str, PartRow]]:
    """Yield the parts of the bundle of each feature, with the feature's name, in the table's order."""
    for feature in table().FEATURES:
        yield from ((feature.name, part) for part in feature.parts)


def table() -> Any:  # noqa: ANN401 (the core names no type of the table's)
    """Import the table of features."""
    return import_module(TABLE)
