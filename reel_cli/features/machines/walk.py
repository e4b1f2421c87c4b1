"""A merge of two machines settled at the terminal: joined, committed, and told of."""

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.values.change import Change
    from reel_cli.features.machines.merging import MergeUnderWay
    from reel_cli.features.machines.plan import JoinPlan
    from reel_cli.terminal.open_kit import OpenKit


def join_machines(opened: "OpenKit", *, dry_run: bool = False) -> bool:
    """Settle a merge under way, and say what became of each side's names; whether the kit is another now.

    Where the last commit is a merge that left something out, it is joined anew. Raises StateError, with
    nothing changed, where a file is in conflict that only the person can settle.
    """
    from reel_cli.features.machines.merging import find_merge, is_merging

    repository = opened.repository
    if repository is None:
        return False
    if not is_merging(repository):
        return _join_anew(opened, dry_run=dry_run)
    merge = find_merge(repository)
    if merge is None:
        opened.console.say("The merge was finished already.")
        return False
    joined = _plan(opened, merge)
    if dry_run:
        _tell_plan(opened, joined.change)
        return False
    stashed = (repository.git_dir / "MERGE_AUTOSTASH").exists()
    change = conclude_merge(opened, merge, joined)
    _tell(opened, change)
    if stashed:
        opened.console.say("What you had not committed before the pull comes back with  git stash pop")
    return True


def take_in(opened: "OpenKit", merge: "MergeUnderWay", summary: str, whose: tuple[str, str]) -> "JoinPlan":
    """Conclude a merge that reel itself began, under a summary of its own; return its plan.

    Of a file that only a person could settle, this side's text stays; the plan's `yours` names it. Raises as
    `join_machines` does, with the merge still under way. `whose` are the words for both sides.
    """
    from reel_cli.core.git.commit_tree import CommitTree

    joined = _plan(opened, merge, whose=whose)
    ours = CommitTree(opened.require_repository(), merge.ours)
    change = replace(joined.change, summary=summary)
    settled = replace(
        joined,
        change=change,
        files={**joined.files, **{path: ours.read(path) for path in joined.yours}},
        yours=(),
    )
    change = conclude_merge(opened, merge, settled)
    _rename_waiting(opened, change)
    return joined


def conclude_merge(opened: "OpenKit", merge: "MergeUnderWay", joined: "JoinPlan") -> "Change":
    """Commit a join as the end of the merge under way; return its change."""
    from reel_cli.core.change.transaction import unbroken
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.identity import author_identity
    from reel_cli.core.values.source import JOINED
    from reel_cli.features.machines.merging import conclude

    repository = opened.require_repository()
    change = joined.change.also({}, (JOINED, f"{merge.ours} {merge.theirs}"))
    conclude(
        repository,
        opened.root,
        merge,
        joined.files,
        joined.yours,
        change,
        when=opened.context.now(),
        identity=author_identity(repository, _author(CommitTree(repository, merge.ours))),
        unbroken=unbroken,
        waiting=lambda: opened.console.say("Another reel command is working on this kit; waiting for it."),
    )
    opened.context.done.append(joined.change.done)
    return change


def _join_anew(opened: "OpenKit", *, dry_run: bool) -> bool:
    """Make good what a merge that was concluded by hand left out, where it is the last commit."""
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.history import read_log
    from reel_cli.core.values.source import JOINED
    from reel_cli.features.machines.merging import is_half_done, last_merge
    from reel_cli.features.machines.plan import JOIN, plan_anew
    from reel_cli.features.record.lost_sessions import find_lost, has_committed_marks

    repository = opened.require_repository()
    merge = None if is_half_done(repository) else last_merge(repository)
    if merge is None or read_log(repository, limit=1)[0].op == JOIN:
        return False
    head = repository.head()
    lost = [one for one in find_lost(opened.snapshot, repository) if one.commit.id == head]
    if not lost and not has_committed_marks(opened.snapshot):
        return False
    # names on the tape stay: the other side's names are renumbered
    theirs = CommitTree(repository, merge.theirs)
    turned = all(theirs.ids.get(one.path) == one.blob for one in lost) and bool(lost)
    joined = _plan(opened, merge, turned=turned)
    change = plan_anew(joined, opened.snapshot)
    if change is not None and dry_run:
        _tell_plan(opened, change)
    elif change is not None:
        sides = (merge.theirs, merge.ours) if turned else (merge.ours, merge.theirs)
        change = change.also({}, (JOINED, " ".join(sides)))
        opened.commit_all([change])
        _tell(opened, change)
        return True
    return False


def _tell_plan(opened: "OpenKit", change: "Change") -> None:
    for note in change.notes:
        opened.console.say(note)
    opened.console.say(f"Would commit: {change.line}")


def _plan(
    opened: "OpenKit",
    merge: "MergeUnderWay",
    *,
    turned: bool = False,
    whose: tuple[str, str] | None = None,
) -> "JoinPlan":
    """Return the join of both sides; if turned, the other side's items are renumbered."""
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.text_merge import merge_texts
    from reel_cli.core.kit.memory_numbers import used_memory_numbers
    from reel_cli.features.machines.merging import require_mergeable
    from reel_cli.features.machines.plan import WHOSE, NoCommonSide, plan_join

    repository = opened.require_repository()
    require_mergeable(repository, merge)
    return plan_join(
        NoCommonSide() if merge.base is None else CommitTree(repository, merge.base),
        CommitTree(repository, merge.theirs if turned else merge.ours),
        CommitTree(repository, merge.ours if turned else merge.theirs),
        merge_texts,
        used=used_memory_numbers(repository, merge.theirs),
        whose=whose or (WHOSE[::-1] if turned else WHOSE),
    )


def _author(side: "CommitTree") -> str | None:
    """Return the author in this side's kit.yaml; the one on disk may be in conflict."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.files.settings_file import parse_settings

    try:
        text = (side.read("kit.yaml") or b"").decode("utf-8", "replace")
        return parse_settings(text, fallback_name="").author
    except ReelError:
        return None


def _tell(opened: "OpenKit", change: "Change") -> None:
    """Apply the new names to what waits here, and show what was done."""
    _rename_waiting(opened, change)
    for note in change.notes:
        opened.console.say(note)
    opened.console.say("What two machines recorded is joined now.")
    if (opened.require_repository().common_dir / "refs/remotes").is_dir():
        opened.console.say("Next:  git push")


def _rename_waiting(opened: "OpenKit", change: "Change") -> None:
    """Apply the new names to what waits on this machine."""
    from reel_cli.core.tape.retelling import retell_entry
    from reel_cli.core.values.source import NewNames, parse_renumbered

    pairs = (parse_renumbered(value) for _, value in change.trailers)
    names = NewNames(dict(pair for pair in pairs if pair is not None))
    opened.state.rename(lambda line: retell_entry(line, names), names.text)
