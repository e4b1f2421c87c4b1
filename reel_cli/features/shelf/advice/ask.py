"""Exchange about advice on what is at hand: the prompt, and all it has to show (MEMORY-MGMT §9)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Exchange
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.page.prompt.values import REPLY_SHARE
from reel_cli.features.shelf.advice.paths import LISTED
from reel_cli.features.shelf.advice.reply import render_advice_again, render_advice_prompt
from reel_cli.features.shelf.holdings import AtHand, Item
from reel_cli.features.shelf.hotness import render_hotness
from reel_cli.features.shelf.survey import stand, tokens_of

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.tokens.counter import Tokenizer

NAME = "shelf.advise"
"""Name under which the ask that waits for its reply is remembered: one at a time."""
COMMAND = "shelf advise"
MOST_FILES, MOST_MEMORIES = 150, 40
"""Maximum numbers of files and memories in a prompt, half of them the hottest, half the coldest."""
_TITLE, _ABOUT = 80, 120


@dataclass(frozen=True, slots=True)
class AdviceAsk(Exchange):
    """An ask for advice that was, or could be, handed out.

    `again` asks once more where an answer could not be used, "" where none was; `owed` says that it has
    not been handed out yet.
    """

    kind = "advice"
    name = NAME

    prompt: str
    ring0: str
    again: str = ""
    owed: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Return all that was handed out, none of which is an answer."""
        return (self.prompt, self.again) if self.again else (self.prompt,)


@dataclass(frozen=True, slots=True)
class AdviceSaid(Exchange):
    """Advice that was given in a chat; nothing was handed out for it."""

    name = f"{NAME}.said"

    prompt: str = ""
    ring0: str = ""


def make_advice_ask(
    snapshot: Snapshot, ring0: "Ring0", tokenizer: "Tokenizer", kit: Path, at_hand: AtHand
) -> AdviceAsk:
    """Return the ask about all that is at hand, or as much as the window has room for.

    Raises ReelError where nothing is, or the window has no room.
    """
    settings = snapshot.settings
    items = list(at_hand.items.values())
    if not items:
        message = "There is nothing to ask about: no file on the shelf, and no memory."
        raise ReelError(message, hint="put something there:  reel shelf add FILE")
    files = _both_ends([one for one in items if one.file is not None], MOST_FILES)
    memories = _both_ends([one for one in items if one.memory is not None], MOST_MEMORIES)
    lines = _lines(snapshot, files, memories, tokenizer, kit)

    def render(listed: Sequence[str]) -> str:
        left = len(items) - len(listed)
        more = [f"(and {left:,} more, which stay as they are)"] if left else []
        return render_advice_prompt(settings.name, settings.user, ring0.text, [*listed, *more])

    room = settings.cap - settings.cap * REPLY_SHARE // WHOLE
    while tokenizer.count(prompt := render(lines)) > room:
        if not lines:
            message = f"A {settings.cap:,}-token {settings.held_to} has no room for this prompt."
            raise ReelError(message, hint=settings.raised_by)
        # lines in the middle are asked about least
        third = max(1, len(lines) // 3)
        lines = lines[:third] + lines[2 * third :] if len(lines) > third * 2 else lines[: len(lines) // 2]
    return AdviceAsk(prompt, ring0.blob)


def _both_ends(items: Sequence[Item], most: int) -> list[Item]:
    """Return the hottest first; if too many, those of either end."""
    ordered = sorted(items, key=lambda one: (not one.factors.pinned, -one.factors.hotness, one.path))
    return ordered if len(ordered) <= most else [*ordered[: most // 2], *ordered[-(most - most // 2) :]]


def _lines(
    snapshot: Snapshot, files: Sequence[Item], memories: Sequence[Item], tokenizer: "Tokenizer", kit: Path
) -> list[str]:
    tree = snapshot.tree
    plain = [
        one.file
        for one in files
        if one.file is not None
        and (not one.file.held or not isinstance(tree, WorkTree) or tree.stamp(one.path) is not None)
    ]
    sizes: dict[str, str] = {}
    for standing in stand(snapshot, plain, kit=kit):
        tokens = tokens_of(snapshot, standing, tokenizer)
        told = f"{tokens:,} tokens" if tokens is not None else "no text" if standing.content else ""
        sizes[standing.file.path] = ", ".join(filter(None, (f"{standing.size:,} bytes", told)))
    told_files = [_line(one, one.path, sizes.get(one.path, "")) for one in files]
    told_memories = []
    for one in memories:
        if one.memory is not None:
            count = tokenizer.count(one.memory.body)
            told_memories.append(_line(one, one.name, f"a memory, {count:,} tokens"))
    return [*told_files, *told_memories]


def _line(item: Item, path: str, size: str) -> str:
    """Return a prompt's line on one thing: path, title, size, last use, hotness, and notes."""
    since = item.since
    used = (
        "never used yet"
        if since is None
        else "used lately"
        if since == 0
        else f"last used {since:,} talk{'' if since == 1 else 's'} ago"
    )
    about = one_line(item.about, _ABOUT) if item.file is not None else ""
    marks = (
        one_line(item.title, _TITLE),
        about,
        size,
        used,
        f"hotness {render_hotness(item.factors.hotness)}",
        "pinned" if item.factors.pinned else "",
        "must stay whole" if item.immune else "",
        "kept at hand" if item.factors.hot_listed else "",
        "" if item.factors.working else "set aside",
    )
    return LISTED.join((one_line(path), *(mark for mark in marks if mark)))


def ask_again(snapshot: Snapshot, ask: AdviceAsk, reason: str) -> AdviceAsk:
    """Return the ask, to be repeated in the same chat; `reason` is the sentence on what was wrong."""
    return replace(ask, again=render_advice_again(snapshot.settings.name, reason), owed=True)
