"""The limit of ring 0, held where it is written: identity and directives leave room for the rest.

They are in every bundle whole (Memory Keep §I.1), so one that is too long would otherwise be found out only
at the next pack. A kit that is over the limit already keeps what it has; it may only not get worse.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, SIZED
from reel_cli.core.pack.budget import name_window, plan_budget
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.settings import Settings, require_short_directives
from reel_cli.core.values.sizes import render_tokens

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.change import Change

_PARTS = 3, 4
"""Share of a bundle's room that ring 0 may take; voice, working memory and memories need the rest."""
_NO_LIMIT = ("merge", "purge")
"""Operations that are never refused for it: they join what two machines have, or take something out."""
_LARGEST = 1 << 40


class Ring0Text(NamedTuple):
    """Identity and directives, as text without front matter."""

    identity: str
    directives: str

    @classmethod
    def read(cls, files: Mapping[str, bytes | None]) -> "Ring0Text":
        """Return the texts of these files; "" for what is missing or cannot be read."""
        return cls(*(_body(path, files.get(path)) for path in (IDENTITY, DIRECTIVES)))


class _Size(NamedTuple):
    """Tokens of ring 0, and by how many it exceeds its two limits (none: 0)."""

    identity: int
    directives: int
    most: int
    over: int
    rules_over: int


def require_ring0_fits(
    text: Ring0Text, settings: Settings, was: tuple[Ring0Text, Settings] | None = None, *, new: bool = False
) -> None:
    """Refuse a ring 0 that takes more than its part of a bundle, or whose directives are over their limit.

    `was` is the ring 0 that it replaces, with its settings: what is over already is only refused where it
    gets worse. `new` is for a kit that is being made, whose window is an option; one of which no bundle could
    be packed is not made, whatever it replaces. Raises ReelError.
    """
    size = _measure(text, settings)
    if new and not fits_at_all(text, settings):
        was = None
    before = _measure(*was) if was is not None and (size.over or size.rules_over) else None
    if size.rules_over > (before.rules_over if before else 0):
        require_short_directives(size.directives, settings.directives_limit)
    if size.over <= (before.over if before else 0):
        return
    budget = plan_budget(settings)
    rules = f" and the rules {size.directives:,}" if size.directives else ""
    message = (
        f"The identity takes {size.identity:,} tokens{rules}. At a {budget.held_to} of"
        f" {name_window(budget.cap)} they may take {size.most:,} together, three quarters of what a bundle"
        " holds."
    )
    raise ReelError(
        message, hint=f"shorten {'it' if new else IDENTITY}, or {_larger(size, settings, new=new)}"
    )


def fits_at_all(text: Ring0Text, settings: Settings) -> bool:
    """Return whether a bundle can be packed with this ring 0, however little else is in it."""
    size = _measure(text, settings)
    return size.identity + size.directives < plan_budget(settings).room


def require_change_fits(snapshot: "Snapshot", repository: "Repository", changes: "Sequence[Change]") -> None:
    """Refuse changes after which ring 0 does not fit any more, by its text or by the settings; ReelError.

    What is not written is as approved. Settings that cannot be read are for others to refuse, and where they
    could not be read before, the change that mends them is none to refuse.
    """
    writes = {
        path: data
        for change in changes
        if change.op not in _NO_LIMIT
        for path, data in change.writes.items()
        if path in SIZED
    }
    if not writes:
        return
    from reel_cli.core.kit.approved_rings import read_in_force
    from reel_cli.core.values.change import Change as Planned

    by_hand = any(snapshot.read(path) == data for path, data in writes.items())
    try:
        settings = snapshot.after(Planned("", "", writes)).settings
        approved = read_in_force(snapshot, repository)
        # an edit by hand lies on the disk already when it is approved
        known = _committed(snapshot.name, repository) if by_hand else (approved, snapshot.settings)
    except ReelError:
        known = None
    if known is None:
        return
    fresh = Ring0Text.read(writes)
    planned = Ring0Text(
        fresh.identity if IDENTITY in writes else approved.identity,
        fresh.directives if DIRECTIVES in writes else approved.directives,
    )
    require_ring0_fits(planned, settings, (Ring0Text(known[0].identity, known[0].directives), known[1]))


def _committed(name: str, repository: "Repository") -> "tuple[Ring0, Settings] | None":
    """Return ring 0 and the settings of the last commit; None where there is none."""
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.kit.approved_rings import read_in_force
    from reel_cli.core.kit.snapshot import Snapshot

    head = repository.head()
    if head is None:
        return None
    with CommitTree(repository, head) as tree:
        last = Snapshot(tree, name)
        return read_in_force(last, repository, head), last.settings


def _body(path: str, data: bytes | None) -> str:
    try:
        return front_matter.split((data or b"").decode(), path).body.strip()
    except (UnicodeDecodeError, ReelError):
        return ""


def _measure(text: Ring0Text, settings: Settings) -> _Size:
    count = get_tokenizer(settings.tokenizer).count
    identity, directives = (count(part.strip()) if part.strip() else 0 for part in text)
    most = max(plan_budget(settings).room, 0) * _PARTS[0] // _PARTS[1]
    over = max(identity + directives - most, 0)
    return _Size(identity, directives, most, over, max(directives - settings.directives_limit, 0))


def _larger(size: _Size, settings: Settings, *, new: bool) -> str:
    """Return the words that raise what a bundle holds far enough: of the window, or of a cap below it."""
    from dataclasses import replace

    enough = 1024
    while enough < _LARGEST:
        room = plan_budget(replace(settings, window=enough, cap=enough)).room
        if room * _PARTS[0] // _PARTS[1] >= size.identity + size.directives:
            break
        enough *= 2
    told = render_tokens(enough)
    if new:
        return f"choose a larger one:  --window {told}"
    if settings.cap >= settings.window:
        return f"take a larger window:  reel config window {told}"
    if enough <= settings.window:
        return f"raise the cap:  reel config cap {told}"
    return f"raise both:  reel model set --window {told} --cap {told}"
