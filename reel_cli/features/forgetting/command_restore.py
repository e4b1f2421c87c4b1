"""`reel restore`: bring back what was let go."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.frozen import late
from reel_cli.core.values.memory import MEMORY_ID, Level
from reel_cli.terminal.options import AsJson, DryRun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reel_cli.features.forgetting.plan_restore import Back, RestorePlan
    from reel_cli.features.forgetting.restore_files import FilesBack
    from reel_cli.terminal.open_kit import OpenKit


_PATH = late(r"/|\.[A-Za-z0-9]{1,8}$")
"""Names that are those of files, whatever a memory is called."""

_MEMORY = late(r"^(?:\./)?ring3/(M-\d+)(?:\.md)?$")
_UNENDED = late(r"^(?:\./)?ring\d/[^/.]+$")
"""Paths of the kit's texts whose ending was left out."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("restore", epilog="Example:  reel restore M-004 --level L1")(restore)


def restore(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID|TITLE|PATH...]",
            help="Which ones, like M-004, or a file of the kit; without any, what can come back is listed.",
        ),
    ] = None,
    level: Annotated[
        Level | None,
        typer.Option(
            case_sensitive=False, help="As it last was at this level; otherwise as before it last faded."
        ),
    ] = None,
    earlier: Annotated[
        bool,
        typer.Option("--earlier", help="Its text as it was before it was last written again."),
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Bring back a memory that faded or was forgotten, or a missing file.

    It is then pinned, so that it does not fade again. A path like shelf/plan.md or summaries/plan.md brings
    back that file, ring2/working.md the notes that were closed. A file that is missing or damaged on the disk
    comes back as last committed, by its path, its ID or its folder; "." brings back all that is missing.
    """
    from reel_cli.core.errors import UsageError
    from reel_cli.core.git.history import read_log
    from reel_cli.core.kit.snapshot import WORKING
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.forgetting.plan_restore import plan_restore

    opened: OpenKit = ctx.obj.open_kit(mending=True)
    console = opened.console
    repository = opened.require_repository()
    if not names:
        _list_what_can_come_back(opened, aside=level is not None or earlier or dry_run or as_json)
        return
    names = _meant(opened, names)
    if _restore_files(opened, names, aside=level is not None or earlier, dry_run=dry_run, as_json=as_json):
        return
    _require_files(opened, names)
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    if any(name.removeprefix("./") == WORKING for name in names):
        if len(names) > 1 or level is not None or earlier:
            message = f"{WORKING} is brought back whole; --level is for memories."
            raise UsageError(message, hint=f"reel restore {WORKING}")
        from reel_cli.features.forgetting.restore_notes import plan_restore_notes

        planned = plan_restore_notes(opened.snapshot, repository, counter, read_log(repository))
    elif (files := _plan_files(opened, names, level=level is not None, earlier=earlier)) is not None:
        planned = files
        earlier = False
    elif earlier:
        if level is not None:
            message = "--earlier is for a memory at the level it has now, so it does not go with --level."
            raise UsageError(message, hint="leave out one of --earlier and --level")
        from reel_cli.features.forgetting.restore_earlier import plan_earlier

        planned = plan_earlier(opened.snapshot, repository, counter, read_log(repository), names)
    else:
        planned = plan_restore(
            opened.snapshot,
            repository,
            counter,
            read_log(repository),
            names,
            level=level.value if level is not None else None,
            now=opened.now(),
        )
    commit = None if dry_run else opened.commit(planned.change).commit
    if as_json:
        console.result_json(_as_json(planned, commit, earlier=earlier))
        return
    for item in planned.items:
        told = _told_earlier(item, back=bool(commit)) if earlier else _told(item, back=bool(commit))
        console.result(console.wrap(told, console.out))
    if dry_run:
        console.say("Nothing was changed (--dry-run).")
        return
    if earlier:
        _say_later(opened, planned)
    else:
        _say_next(opened, planned)


def _list_what_can_come_back(opened: "OpenKit", *, aside: bool) -> None:
    """Show the files that are missing or damaged, then what was let go, each with the command for it.

    `aside`: options were given that need a name, so that is refused.
    """
    from reel_cli.core.errors import UsageError
    from reel_cli.core.kit.kit_damage import find_damage, warn_of_damage
    from reel_cli.features.forgetting.hand_removals import find_gone
    from reel_cli.features.forgetting.loss_table import show_forgotten
    from reel_cli.terminal.kit_warnings import in_a_line

    if aside:
        message = "Say what is to be brought back."
        raise UsageError(message, hint="reel restore  alone lists what can come back")
    console = opened.console
    repository = opened.require_repository()
    lost = [*warn_of_damage(find_damage(opened.root, repository)), *find_gone(opened.snapshot, repository)]
    for warning in lost:
        console.result(console.wrap(in_a_line(warning), console.out), steps=True)
    show_forgotten(opened, None, "", as_json=False, beside=bool(lost))


def _meant(opened: "OpenKit", names: list[str]) -> list[str]:
    """Return the IDs of the memories whose titles are named; any other name unchanged, a file's above all."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.nearest import settle_names
    from reel_cli.core.rings.read_memory import is_memory_id, meant_memory, name_kind, titles_for

    # a memory's file is its ID, and a text is often named without its ending
    names = [_MEMORY.sub(r"\1", one) for one in names]
    names = [
        one if not _UNENDED.search(one) or (opened.root / one).exists() else f"{one}.md" for one in names
    ]

    def exact(name: str) -> bool:
        return bool(_PATH.search(name)) or is_memory_id(name) or (opened.root / name).exists()

    try:
        titles = titles_for(opened.snapshot, " ".join(names))
    except ReelError:
        # the file to restore may be the one that cannot be read
        return names
    if not any(map(exact, names)) and (gone := _find_by_last_title(opened, " ".join(names), titles)):
        return [gone]
    settled = settle_names(names, titles, name_kind(titles, " ".join(names)), exact=exact)
    return [one if exact(one) else meant_memory(opened.snapshot, one) or one for one in settled]


def _find_by_last_title(opened: "OpenKit", wanted: str, titles: "Mapping[str, str]") -> str:
    """Return the ID of a memory that was let go with its line, by its whole title; "" where none had it.

    `titles` are those of what the kit has, which come first.
    """
    from reel_cli.core.errors import ReelError
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.history import read_log
    from reel_cli.features.forgetting.plan_restore import losses_of
    from reel_cli.features.history.log import title_in

    asked, repository = wanted.strip(' “”"').casefold(), opened.require_repository()
    head = repository.head()
    if head is None or any(title.casefold() == asked for title in titles.values()):
        return ""
    with CommitTree(repository, head) as tree:
        for loss in losses_of(opened.snapshot, repository, read_log(repository)):
            name = loss.forgot.id
            if loss.back is not None or loss.withdrawn or name in titles or not MEMORY_ID.fullmatch(name):
                continue
            with suppress(ReelError):
                if title_in(tree.read_blob(loss.forgot.was), name).casefold() == asked:
                    return name
    return ""


def _require_files(opened: "OpenKit", names: list[str]) -> None:
    """Raise ReelError for a path that no file of the kit has, where one beside it may be meant."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.nearest import nearest

    for name in names:
        place = opened.root / name
        if "/" not in name or place.exists() or not place.parent.is_dir():
            continue
        folder = name.rpartition("/")[0]
        near = nearest(place.name, [one.name for one in place.parent.iterdir() if one.is_file()])
        if near is not None and folder.startswith("ring") and not MEMORY_ID.fullmatch(place.stem):
            message = f"This kit has no file {name}, and none of that name was lost."
            raise ReelError(message, hint=f"did you mean  reel restore {folder}/{near}")


def _restore_files(opened: "OpenKit", names: list[str], *, aside: bool, dry_run: bool, as_json: bool) -> bool:
    """Restore files that are missing or damaged; return whether the names mean such files.

    `aside`: an earlier text or a level is asked for, which a missing file cannot be held against.
    """
    from reel_cli.core.errors import StateError
    from reel_cli.core.files.kit_files import restore_command
    from reel_cli.core.kit.hand_edits import put_back_all
    from reel_cli.core.kit.kit_damage import find_damage
    from reel_cli.core.kit.snapshot import WORKING
    from reel_cli.core.shell import quote
    from reel_cli.features.forgetting.restore_files import (
        find_lost_files,
        name_restorable,
        plan_marks,
        plan_restore_files,
        require_lost,
    )

    repository = opened.require_repository()
    damage = find_damage(opened.root, repository)
    paths, sound = find_lost_files(opened.snapshot, repository, damage, names)
    if not paths:
        if not aside:
            # deleted items of the working notes come back only while the file itself is sound
            require_lost(repository, [name for name in names if name.removeprefix("./") != WORKING])
        return False
    if aside:
        message = f"{paths[0]} is missing or damaged on the disk."
        raise StateError(message, hint=f"bring it back first:  {restore_command(paths)}")
    planned = plan_restore_files(opened.snapshot, repository, paths)
    commit = None
    if not dry_run:
        # kit.yaml, which holds the zone, may be the damaged file
        put_back_all(repository, opened.root, planned.put, opened.context.now())
        opened.look_again()
        if planned.change is not None:
            for path in planned.change.writes:
                # the commit is made on the files just put back
                opened.snapshot.read(path)
        change = plan_marks(opened.snapshot, planned)
        commit = opened.commit(change).commit if change is not None else None
    if as_json:
        opened.console.result_json(_files_json(planned, commit))
    else:
        _tell_files(opened, planned, dry_run=dry_run)
    if sound:
        opened.console.say(f"Neither missing nor damaged, and left as it was: {', '.join(sound)}")
        if more := name_restorable(sound):
            opened.console.next_step(
                f"For more of what faded or was closed:  reel restore {' '.join(map(quote, more))}"
            )
    return True


def _tell_files(opened: "OpenKit", planned: "FilesBack", *, dry_run: bool) -> None:
    """Report which files are back, as of when, and where their former content is kept."""
    from reel_cli.core.git.tape_history import name_commits

    console = opened.console
    would = "would be" if dry_run else ""
    whole = [item for item in planned.items if not item.before]
    if len(whole) == 1:
        console.result(f"{whole[0].path} {would or 'is'} back as it was last kept.")
    elif whole:
        first = whole[0].path
        console.result(f"{len(whole):,} files {would or 'are'} back as last kept, the first {first}.")
    for item in planned.items:
        if item.before:
            named = name_commits(opened.require_repository(), [item.before])[item.before]
            told = f"{item.path} {would or 'is'} back as it was before {named.time[:10]} ({named.short})."
            console.result(console.wrap(told, console.out))
    if not dry_run and any(item.seen is not None for item in planned.items):
        console.say(f"What lay there is kept in {opened.state.folder / 'rejected'}")
    if dry_run:
        console.say("Nothing was changed (--dry-run).")


def _files_json(planned: "FilesBack", commit: str | None) -> dict[str, Any]:
    files = [{"path": item.path, "before_commit": item.before or None} for item in planned.items]
    return {"commit": commit, "restored": [], "pinned": [], "files": files}


def _plan_files(opened: "OpenKit", names: list[str], *, level: bool, earlier: bool) -> "RestorePlan | None":
    """Return the plan for restoring files of a feature; None if memories are meant."""
    from reel_cli.core.ports import bring

    plans = (plan(opened, names, level=level, earlier=earlier) for plan in bring("restores"))
    return next((found for found in plans if found is not None), None)


def _told(item: "Back", *, back: bool) -> str:
    from reel_cli.core.rings.losses import ON_SHELF, SUMMED_UP
    from reel_cli.features.history.lives import FORMS

    how = "is back" if back else "would come back"
    if item.after == ON_SHELF:
        return f"{item.id} {how} on the shelf{', as it was' if back else ''}."
    if item.after == SUMMED_UP:
        return f"{item.id} {how}{', as it was' if back else ''}."
    if item.after not in FORMS:
        return f"{how[:1].upper()}{how[1:]} where things stand: {item.title}"
    before = f"; it was {FORMS[item.before]}" if item.before != "dormant" else ""
    return f"{item.title} ({item.id}) {how} as {FORMS[item.after]} of {item.tokens_after:,} tokens{before}."


def _told_earlier(item: "Back", *, back: bool) -> str:
    how = "has" if back else "would have"
    sizes = f"{item.tokens_before:,} → {item.tokens_after:,} tokens"
    return f"{item.title} ({item.id}) {how} its earlier words again, {sizes}."


def _say_later(opened: "OpenKit", planned: "RestorePlan") -> None:
    """Show how to bring back the words that were there until now, for any of them."""
    same = [item.id for item in planned.items if item.before == item.after]
    fell = [item.id for item in planned.items if item.before != item.after]
    if same:
        opened.console.next_step(f"To have the later text again:  reel restore {' '.join(same)} --earlier")
    if fell:
        opened.console.next_step(f"To have the later text again:  reel restore {' '.join(fell)}")


def _say_next(opened: "OpenKit", planned: "RestorePlan") -> None:
    ids = _pinned(planned)
    if not ids:
        opened.console.next_step("It is in the next bundle:  reel start")
        return
    them = "It is" if len(ids) == 1 else "They are"
    opened.console.say(
        f"{them} pinned, and fade{'s' if len(ids) == 1 else ''} only after  reel memory unpin {' '.join(ids)}"
    )
    lines = [item.id for item in planned.items if item.after == "stub" and item.more]
    if lines:
        opened.console.next_step(
            f"Only the line is back so far; for more of it:  reel restore {' '.join(lines)}"
        )
    else:
        opened.console.next_step(f"Read it:  reel memory show {ids[0]}")


def _as_json(planned: "RestorePlan", commit: str | None, *, earlier: bool) -> dict[str, Any]:
    return {
        "commit": commit,
        "restored": [
            {
                "id": item.id,
                "title": item.title,
                "from": item.before,
                "to": item.after,
                "tokens_before": item.tokens_before,
                "tokens_after": item.tokens_after,
                "was": item.was,
                "before_commit": item.commit,
            }
            for item in planned.items
        ],
        "pinned": [] if earlier else _pinned(planned),
    }


def _pinned(planned: "RestorePlan") -> list[str]:
    """Return what came back and is pinned: memories and lines, not notes."""
    return [item.id for item in planned.items if MEMORY_ID.fullmatch(item.id)]
