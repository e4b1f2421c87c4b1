"""`reel edit`: a text of the kit in the person's editor, and what to do next."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.files.kit_files import find_kind, list_kit_files

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

SHOWN = 10
"""Maximum number of changed lines shown."""
_BROUGHT = {file.opens_as: file.path for file in list_kit_files() if file.opens_as}
"""Paths of the kit files of features, by the word that opens each."""
WHAT = ("identity", "rules", "voice", "now", "settings", *_BROUGHT)
"""The texts that can be opened, by the words for them."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("edit", epilog="Example:  reel edit identity")(edit)


def edit(
    ctx: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar=f"{'|'.join(WHAT)}|MEMORY", help="Which text; a memory by ID or title."),
    ],
) -> None:
    """Edit identity, rules, voice, now, threads, settings or a memory."""
    from reel_cli.core.kit.snapshot import IDENTITY
    from reel_cli.features.settings.text_edit import find_fault
    from reel_cli.terminal.input.given_text import find_editor, installed_editor

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    what = " ".join(words)
    path = _find(opened, what)
    place = opened.root / path
    named = bool(os.environ.get("VISUAL") or os.environ.get("EDITOR"))
    usual = installed_editor()
    way = f"name yours:  export EDITOR={usual}" if usual else ""
    try:
        command = find_editor() if named or console.interactive else ()
    except ReelError as error:
        console.say(error.message)
        command, way = (), error.hint or way
    begun = _begin_text(place, path)
    if not command:
        console.result(str(place))
        if begun:
            console.say(begun.decode())
        console.next_step(f"Open this file in any editor{', or ' if way else '.'}{way}")
        return
    before = _read(place)
    _tell_head(opened, path, before)
    while True:
        code = _run(opened, command, path, begun)
        after = _read(place)
        if code != 0:
            console.say(f"{command[0]} ended with an error; {path} is as it was saved.")
        if after == (begun or before):
            if begun:
                place.unlink()
            console.say(f"Nothing was saved in {path}.")
            if not begun and (wrong := find_fault(opened, path, after, before)) is not None:
                raise ReelError(wrong.message, hint=f"put it back:  reel restore {path}")
            return
        if (wrong := find_fault(opened, path, after, before)) is None:
            break
        if not _offer(opened, what, path, before, wrong):
            return
    _show_lines(opened, begun or before, after)
    _tell_next(opened, path)
    _tell_stale(opened, path, before or b"", after or b"")
    if path == IDENTITY and opened.repository is not None:
        _tell_left_behind(opened, before or b"", after or b"")


def _run(opened: "OpenKit", command: Sequence[str], path: str, begun: bytes) -> int:
    """Open a text in the editor and return its exit code; one that is `begun` is there from now on.

    Where the person stops before it opens, nothing of it is left.
    """
    from reel_cli.core.change.edited_texts import settle_texts
    from reel_cli.core.kit.snapshot import IDENTITY
    from reel_cli.terminal.input.given_text import run_editor

    place = opened.root / path
    before = _read(place)
    if begun and before is None:
        place.write_bytes(begun)
    try:
        code = run_editor(opened.console, command, place)
    except KeyboardInterrupt:
        if begun and before is None and _read(place) == begun:
            place.unlink()
        raise
    settle_texts(opened.root, opened.repository, whole=True)
    if _read(place) != (begun if before is None else before):
        opened.context.stays = f"what you saved in {path}"
    if path == IDENTITY:
        opened.note_seen_doubt()
    return code


def _tell_head(opened: "OpenKit", path: str, text: bytes | None) -> None:
    """Say which lines of a memory or an example are a person's, and where the threads of the notes stand."""
    if path == _BROUGHT.get("threads"):
        opened.console.say("Here you name what recurs in chats. The Active threads are in:  reel edit now")
    if path.startswith(("ring1/", "ring3/")) and (text or b"").startswith(b"---"):
        opened.console.say(
            "Change the title and the text below the second ---; leave the other lines as they are."
        )


def _tell_stale(opened: "OpenKit", path: str, before: bytes, after: bytes) -> None:
    """Say which notes still have a day that was put right in a memory."""
    from reel_cli.core.kit.snapshot import WORKING

    if not path.startswith("ring3/"):
        return
    from reel_cli.core.values.change import one_line
    from reel_cli.features.contradictions.notes import find_stale

    texts = [text.decode("utf-8", "replace").partition("\n---\n")[2] for text in (before, after)]
    memory = opened.snapshot.memories.get(path.removeprefix("ring3/").removesuffix(".md"))
    day = memory.order[0] if memory is not None and memory.sessions else ""
    for note in find_stale(opened.snapshot.text(WORKING) or "", texts[0], texts[1], day):
        says = one_line(note, 80).rstrip(".")
        opened.console.next_step(f"A note still says “{says}”. To change it:  reel edit now")


def _tell_left_behind(opened: "OpenKit", before: bytes, after: bytes) -> None:
    """Say once what is still the template's, and put it away where a person wants that."""
    from reel_cli.core.kit.snapshot import DIRECTIVES, WORKING
    from reel_cli.features.settings.first_examples import find_left_behind, put_away

    left = find_left_behind(opened.snapshot, opened.require_repository(), before, after)
    if left is None:
        return
    console, name = opened.console, opened.snapshot.settings.name
    console.say(f"{left.told} still fit {name} as it was before this text.")
    if not console.interactive:
        ways = ["rules", "now"] if left.paths else []
        console.next_step(f"Change them:  {'    '.join(f'reel edit {way}' for way in (*ways, 'voice'))}")
        return
    if console.confirm("Put them away? Plain rules and notes take their place, and examples rest."):
        counts = put_away(opened, left)
        way = (
            "To take that back:  reel undo"
            if counts
            else "The rules count once you approve them:  reel review"
        )
        console.say(f"Put away. {way}")
        return
    ways = [
        f"reel edit {word}" for word, text in (("rules", DIRECTIVES), ("now", WORKING)) if text in left.paths
    ]
    if left.examples:
        ways.append(f"reel example retire {' '.join(left.examples)}")
    console.say("They stay. To change them any day:")
    for one in ways:
        console.next_step(f"  {one}")


def _find(opened: "OpenKit", what: str) -> str:
    """Return the kit path of the text; raises UsageError for another word, ReelError where there is none."""
    from reel_cli.core.files.exemplar_file import exemplar_path
    from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, WORKING

    paths = {"identity": IDENTITY, "rules": DIRECTIVES, "now": WORKING, "settings": "kit.yaml", **_BROUGHT}
    # as they are called on the page and on other screens
    paths |= {"notes": WORKING}
    if what in paths:
        path = paths[what]
    elif what == "voice":
        anchor = opened.snapshot.active.anchor
        if anchor is None:
            message = "No example is in every bundle yet, so there is none to edit."
            raise ReelError(message, hint="choose one:  reel example list")
        path = exemplar_path(anchor)
    else:
        path = _find_memory(opened, what)
    if what not in _BROUGHT and not (opened.root / path).is_file():
        message = f"{path} is missing."
        raise ReelError(message, hint=f"bring it back:  reel restore {path}")
    return path


def _begin_text(place: Path, path: str) -> bytes:
    """Return the text that a file begins with which is not there yet; b"" for one that is."""
    kind = find_kind(path)
    return kind.begin.encode() if kind is not None and not place.exists() else b""


def _find_memory(opened: "OpenKit", what: str) -> str:
    """Return the kit path of the memory that is meant; raises UsageError where nothing is."""
    from reel_cli.core.nearest import nearest
    from reel_cli.core.rings.read_memory import is_memory_id, meant_memory
    from reel_cli.core.values.memory import memory_path

    titles = {memory.title.casefold() for memory in opened.snapshot.memories.values()}
    near = None if what.casefold() in titles else nearest(what, WHAT)
    name = None if near else meant_memory(opened.snapshot, what)
    if name is not None and name in opened.snapshot.memories:
        return memory_path(name)
    if name is not None:
        message = f"Of {name} only its line in the index is left, so there is no text to edit."
        raise ReelError(message, hint=f"bring it back first:  reel restore {name}")
    if is_memory_id(what):
        message = f"There is no memory {what}."
        raise UsageError(message, hint="see them with  reel memory list")
    if what.casefold() in ("fact", "facts"):
        message = "Facts are not edited as a text."
        raise UsageError(
            message, hint='see them with  reel fact list  , or note one:  reel fact add CATEGORY KEY "VALUE"'
        )
    if what.casefold() in ("memory", "memories"):
        message = "A memory is edited by its ID or its title."
        raise UsageError(message, hint="see them with  reel memory list")
    message = f'There is no text called "{what}" to edit.'
    others = f"{', '.join(WHAT)}, or a memory by its ID or title"
    raise UsageError(message, hint=f"did you mean  reel edit {near}" if near else f"one of {others}")


def _read(place: Path) -> bytes | None:
    """Return the file's bytes; None where it was deleted."""
    try:
        return place.read_bytes()
    except FileNotFoundError:
        return None


def _offer(opened: "OpenKit", what: str, path: str, before: bytes | None, wrong: ReelError) -> bool:
    """Show what is wrong and return whether to open the text again; it is put back where that is wanted.

    Raises the error, with the ways out, where nobody is there to ask.
    """
    from reel_cli.core.kit.hand_edits import put_back
    from reel_cli.core.rings.lost_header import find_lost_header
    from reel_cli.core.shell import quote
    from reel_cli.features.settings.text_edit import find_bundle

    console = opened.console
    ways = f"reel edit {quote(what)}"
    back = f"reel restore {path}" if before is not None else f"rm {quote(path)}"
    saved = _read(opened.root / path)
    if find_lost_header(path, before, saved) is not None or find_bundle(path, saved) is not None:
        # it can be read, so that nothing is damaged
        back = f"reel review reject {path}"
    if not console.interactive:
        raise ReelError(wrong.message, hint=f"open it again:  {ways}  ; or put it back:  {back}")
    console.error(wrong.message, wrong.hint)
    meanings = {"edit": "edit it again", "back": "put it back", "leave": "leave it so"}
    answer = console.choose("Edit it again, put it back, or leave it so?", list(meanings), "edit", meanings)
    if answer == "edit":
        return True
    if answer == "leave":
        console.say(f"{path} stays as you saved it, and cannot be used so.")
        console.next_step(f"Open it again:  {ways}    Put it back:  {back}")
        return False
    seen = _read(opened.root / path)
    copy = put_back(
        opened.require_repository(), opened.root, path, before, seen=seen, when=opened.context.now()
    )
    console.say(f"{path} is as it was.")
    if copy is not None:
        console.say(f"Your text of it is kept in {copy.relative_to(opened.root)}")
    return False


def _show_lines(opened: "OpenKit", before: bytes | None, after: bytes | None) -> None:
    """Show what changed, as the review does; a text that is another in most of its lines, as it reads now."""
    from reel_cli.terminal.decisions.changed_words import mark_changes

    console = opened.console
    old, new = (
        [line for line in (data or b"").decode("utf-8", "replace").splitlines() if line.strip()]
        for data in (before, after)
    )
    lines = _changed_lines(old, new)
    gone = sum(line.startswith(("was: ", "removed: ")) for line in lines)
    if new and len(lines) > SHOWN and gone > len(old) / 2:
        # so many lines one after the other would be read for both texts at once
        console.result("It now reads:")
        lines = [line.strip() for line in new]
    for line in mark_changes(lines[:SHOWN]):
        console.result(console.wrap(line, console.out, "  ", "  "))
    if len(lines) > SHOWN:
        more = "1 more line" if len(lines) == SHOWN + 1 else f"{len(lines) - SHOWN:,} more lines"
        console.result(f"  and {more}")


def _changed_lines(old: "Sequence[str]", new: "Sequence[str]") -> list[str]:
    """Return the lines that changed, each behind the word for it: `was` and `now`, or `new`, or `removed`."""
    from difflib import SequenceMatcher

    told: list[str] = []
    for kind, *at in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        words = ("was", "now") if kind == "replace" else ("removed", "new")
        for word, run in zip(words, (old[at[0] : at[1]], new[at[2] : at[3]]), strict=True):
            told += [f"{word}: {line.strip()}" for line in run]
    return told


def _tell_next(opened: "OpenKit", path: str) -> None:
    """Commit the edit where nobody has to approve it, and say what comes next."""
    from reel_cli.core.git.identity import NAME_YOURSELF, UnknownAuthorError
    from reel_cli.features.settings.text_edit import EditOutcome, settle_edit

    console = opened.console
    counts = f"It counts {'at once.' if path in _BROUGHT.values() else 'from the next  reel start'}"
    try:
        outcome = settle_edit(opened, path)
    except UnknownAuthorError as error:
        # the change was just shown, so that it is kept has to be said with what is missing
        message = "Your text is saved, and is kept in the history once git knows your name."
        raise UnknownAuthorError(message, hint=f"{NAME_YOURSELF}  and then  reel review") from error
    if outcome is EditOutcome.WAITS:
        console.next_step(f"Saved. {_why_waiting(opened)}, so it counts once you approve it:  reel review")
        return
    if outcome is EditOutcome.KEPT:
        console.result("Kept.")
    console.next_step(counts if opened.repository is not None else f"Saved. {counts}")


def _why_waiting(opened: "OpenKit") -> str:
    """Return why a text needs a person's approval before it counts."""
    if opened.snapshot.sessions:
        return "Chats were held with the earlier text"
    return "This text is in every chat"
