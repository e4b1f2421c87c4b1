"""Warnings about a kit, as `start`, `pack`, `status` and `doctor` say them: damage, a clone without guard."""

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import read_plain
from reel_cli.core.values.change import capital, unbroken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reel_cli.core.kit.kit_damage import KitDamage
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.bundle import Bundle
    from reel_cli.core.values.due import KitWarning
    from reel_cli.terminal.open_kit import OpenKit

STILL_USED = "; chats still begin with the text you approved last"
SHOWN = 5
"""Maximum number of warnings shown; more are counted."""
OWN = ".reel"
ALTERED = "altered.json"
"""The note of files of the tape that are not as recorded (`core/git/last_proof`)."""


def list_warnings(
    opened: "OpenKit", stamps: "Mapping[str, str]" = MappingProxyType({})
) -> "Sequence[KitWarning]":
    """Return what is missing or damaged in the kit, active exemplars that git lacks as well.

    `stamps` are those of folders for which they were just made.
    """
    from reel_cli.core.kit.kit_damage import find_damage, warn_of_damage

    if opened.past is not None:
        return ()
    damage = find_damage(opened.root, opened.repository, stamps=stamps)
    watch_tape(opened, damage)
    return [
        *_warn_of_approval(opened),
        *warn_of_damage(damage),
        *(one for one in warn_of_anchor(opened.overview) if one.path not in damage.missing),
    ]


def watch_tape(opened: "OpenKit", damage: "KitDamage") -> None:
    """Note which files of the tape are not as recorded: a story is held against them once they are."""
    altered = [path for path in (*damage.missing, *damage.damaged) if path.startswith("tape/")]
    if altered or (opened.state.folder / ALTERED).exists():
        # imported with the rest of proving only where the tape is or was altered
        from reel_cli.core.git.last_proof import watch_altered
        from reel_cli.core.moment import stamp

        watch_altered(opened.state, stamp(opened.now()), altered)


def note_altered(opened: "OpenKit") -> None:
    """Look at the files of the tape, and note those that are not as recorded."""
    if opened.past is None:
        from reel_cli.core.kit.kit_damage import find_damage

        watch_tape(opened, find_damage(opened.root, opened.repository, quick=True))


def look_at_altered(opened: "OpenKit") -> None:
    """Look whether files of the tape that were not as recorded are again; nearly free where none was."""
    if (opened.state.folder / ALTERED).exists():
        note_altered(opened)


def warn_of_anchor(snapshot: "Snapshot") -> "Sequence[KitWarning]":
    """Return a warning for each exemplar that ring1/active.yaml names and neither disk nor git has."""
    try:
        active = snapshot.active
    except ReelError:
        # reported as a file that cannot be read
        return ()
    from reel_cli.core.files.kit_files import restore_command
    from reel_cli.core.values.due import KitWarning

    found = []
    for slug in dict.fromkeys(filter(None, (active.anchor, *active.active))):
        path = f"ring1/{slug}.md"
        if snapshot.read(path) is None:
            what = "the example that is always there," if slug == active.anchor else "an example in use,"
            found.append(KitWarning("anchor", f"{what} {slug}, is gone", restore_command([path]), path))
    return found


def _warn_of_approval(opened: "OpenKit") -> "Iterator[KitWarning]":
    """Yield that the approval in force is not reel's, as far as this machine can tell."""
    from reel_cli.core.git.approvals import doubt_by_form
    from reel_cli.core.kit.approved_rings import note_approvals
    from reel_cli.core.kit.snapshot import IDENTITY
    from reel_cli.core.values.due import KitWarning

    repo = opened.repository
    if repo is None:
        return
    approvals = note_approvals(opened.root, repo)
    commit, form = approvals.commit, approvals.form
    doubt = doubt_by_form(repo, commit, form) if commit is not None else None
    if doubt is not None:
        yield KitWarning("approval", f"the text of who the persona is {doubt.what}", doubt.mend, IDENTITY)


def find_kit_warnings(opened: "OpenKit", bundle: "Bundle") -> "tuple[Sequence[KitWarning], Sequence[str]]":
    """Return what is missing or damaged, and the bundle's warnings that are not about the same file.

    A large folder that is as it was is not looked through again.
    """
    from reel_cli.core.kit.kit_damage import MISSING, find_damage, warn_of_damage

    if opened.past is not None:
        return (), bundle.warnings
    damage = find_damage(opened.root, opened.repository, quick=True)
    watch_tape(opened, damage)
    same = [
        told for told in bundle.warnings if any(told.startswith(f"{path} was ") for path in damage.missing)
    ]
    found = [
        replace(one, text=one.text + (STILL_USED if same and one.kind == MISSING else ""))
        for one in warn_of_damage(damage)
    ]
    return found, [told for told in bundle.warnings if told not in same]


def tell_kit_warnings(opened: "OpenKit", bundle: "Bundle") -> "Bundle":
    """Report in one line each what is missing or damaged, with the command that mends it.

    Returns the bundle without the warnings that are about the same missing file.
    """
    console = opened.console
    found, rest = find_kit_warnings(opened, bundle)
    for one in found[:SHOWN]:
        console.say(console.wrap(in_a_line(one), console.err))
    if len(found) > SHOWN:
        console.say(f"{len(found) - SHOWN:,} more files are damaged; which:  reel doctor")
    return replace(bundle, warnings=rest)


def list_owed(opened: "OpenKit") -> "Iterator[KitWarning]":
    """Yield what features know that a person should do before a chat (the port `warnings`)."""
    from reel_cli.core.ports import bring

    for warn in bring("warnings"):
        yield from warn(opened)


def in_a_line(one: "KitWarning") -> str:
    """Return a warning as one line on screen."""
    text = capital(unbroken(one.text))
    return f"{text}:  {one.mend}" if one.mend else f"{text}."


def mend_for(opened: "OpenKit", error: ReelError) -> str:
    """Return the hint for an error about a file that is damaged on the disk; "" for any other error."""
    from contextlib import suppress

    from reel_cli.core.files.kit_files import restore_command
    from reel_cli.core.kit.kit_damage import find_damage

    path, colon, _ = error.message.partition(":")
    path = path.partition(", line ")[0]
    by_hand = f"  ; or {error.hint}" if error.hint else ""
    if colon and " " not in path and opened.past is None and not any(n in by_hand for n in ("reel ", "git ")):
        with suppress(ReelError, OSError):
            if path in find_damage(opened.root, opened.repository).damaged:
                return f"put its last good text back:  {restore_command([path])}{by_hand}"
    return ""


def warnings_json(found: "Sequence[KitWarning]") -> list[dict[str, str]]:
    """Return warnings for a program."""
    return [{"kind": one.kind, "text": one.text, "mend": one.mend, "path": one.path} for one in found]


def note_fresh_clone(opened: "OpenKit") -> None:
    """Report in a line that the guard is off, the first time that reel works in a clone.

    It is the first time while there is no `.reel` yet; whoever asks looks through the kit, and that makes it.
    """
    if (opened.root / OWN).exists() or opened.repository is None or opened.repository.prefix:
        return
    try:
        config = read_plain(opened.repository.common_dir / "config").decode("utf-8", "replace")
        if "[remote " not in config:
            return
        from reel_cli.core.git.guard import look_at_guard

        if look_at_guard(opened.repository).on:
            return
    except (OSError, ReelError):
        # the doctor reports unreadable files
        return
    opened.console.say(
        "This clone has no guard yet, for git leaves hooks behind; to set it up:  reel doctor --guard on"
    )
