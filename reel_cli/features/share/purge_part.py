"""A purge in the kit that shared something: what was shared of it is taken back, as far as that reaches."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.git.process import run_git
from reel_cli.core.git.repository import find_repository
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.core.values.source import parse_source
from reel_cli.features.share.files import SharedMemory, Shares
from reel_cli.features.share.shared_kit import OP, SharedKit, named_kit, read_shares
from reel_cli.features.share.view import show_folder
from reel_cli.features.share.withdrawal import carry_out, plan_back

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

_ANEW = f"{OP}: the history begins anew\n\nSomething was purged.\n\nReel-Op: {OP}\n"


def reach_takers(opened: "OpenKit", wanted: PurgeTarget, session: str | None) -> None:
    """Take back what this kit shared of something that was purged, and say where it may still be."""
    opened.look_again()
    shares = read_shares(opened.snapshot)
    shared = named_kit(opened.root, shares)
    if shared is None:
        return
    say = opened.console.say
    if not shared.there:
        say(f"The shared kit {shares.shared} is not here: what was shared of it could not be taken back.")
        return
    own = _list_own(opened, shared, shares)
    for one in own:
        if not one.back and _tells(one, wanted, session):
            _take_back(opened, SharedKit(shared.root), one)
    if own:
        _begin_anew(opened, shared.root)


def foretell_reach(opened: "OpenKit", wanted: PurgeTarget, session: str | None) -> Iterator[str]:
    """Yield a line for each memory that a purge takes back, with who may know it."""
    shares = read_shares(opened.snapshot)
    shared = named_kit(opened.root, shares)
    if shared is None or not shared.there:
        return
    for one in _list_own(opened, shared, shares):
        if not one.back and _tells(one, wanted, session):
            yield f"It was shared as {one.id} with {', '.join(one.audience)}; that is taken back too."


def _list_own(opened: "OpenKit", shared: SharedKit, shares: Shares) -> list[SharedMemory]:
    """Return what this kit shared."""
    kit = shared.own_name(opened.root, shares.name, opened.snapshot.settings.name)
    return [one for one in shared.memories.values() if one.giver == kit]


def _tells(one: SharedMemory, wanted: PurgeTarget, session: str | None) -> bool:
    """Return whether a shared memory is of a purged session, or holds a purged text."""
    spans = map(parse_source, one.source)
    if session is not None and any(span is not None and span.session == session for span in spans):
        return True
    texts = (one.title, one.told, *(line.text for line in one.said))
    return any(wanted.stands_in(text) for text in texts)


def _take_back(opened: "OpenKit", shared: SharedKit, one: SharedMemory) -> None:
    say = opened.console.say
    plan = plan_back(shared, one, ())
    failed = carry_out(opened, plan)
    say(f"It was shared as {one.id}; that is taken back too.")
    for line in failed:
        say(line)
    for taker, folder in plan.takers:
        name = shared.kits[taker].name
        say(
            f"{name}'s history still tells of it, in {name}'s words:"
            f"  reel --kit {show_folder(folder)} purge --match -"
        )
    for name in plan.absent:
        say(f"{name}'s kit is not here: it goes there when that kit is next used, and stays in its history.")


def _begin_anew(opened: "OpenKit", root: Path) -> None:
    """Drop the history of the shared kit, which has what was purged; its files stay as they are."""
    from reel_cli.core.git.identity import author_identity

    say = opened.console.say
    place = show_folder(root)
    repository = find_repository(root)
    if repository is None or repository.prefix:
        say(f"The history around {place} may still have it; reel does not rewrite what is not its own.")
        return
    name, mail = author_identity(opened.require_repository(), opened.snapshot.settings.author)
    who = ("-c", f"user.name={name}", "-c", f"user.email={mail}")
    try:
        head = run_git(root, "rev-parse", "HEAD").decode("ascii").strip()
        made = run_git(root, *who, "commit-tree", f"{head}^{{tree}}", "-m", _ANEW).decode("ascii").strip()
        # refused where another kit has written there meanwhile
        run_git(root, "update-ref", "HEAD", made, head)
        run_git(root, "reflog", "expire", "--expire=now", "--all")
        run_git(root, "gc", "-q", "--prune=now")
        other = run_git(root, "for-each-ref", f"--no-contains={made}", "--format=%(refname:short)")
        remotes = run_git(root, "remote").decode("utf-8", "replace").split()
    except ReelError as error:
        say(f"The history of {place} may still have it: {error.message}")
        return
    say(f"The history of the shared kit ({place}) begins anew, without it.")
    if names := other.decode("utf-8", "replace").split():
        say(f"Other branches and tags there may still have it: {', '.join(names)}.")
    for remote in remotes:
        say(f"For {remote}:  git -C {place} push --force --all {remote}")
