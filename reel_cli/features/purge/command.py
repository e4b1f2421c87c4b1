"""`reel purge`: take what was said out of the kit and its history, for good."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.ports import bring
from reel_cli.core.shell import join, quote
from reel_cli.core.values.change import name_some, one_line
from reel_cli.terminal.options import AsJson, DryRun

if TYPE_CHECKING:
    from reel_cli.features.purge.aim import Aim
    from reel_cli.features.purge.plan import PurgeResult
    from reel_cli.features.purge.survey import Survey
    from reel_cli.terminal.open_kit import OpenKit

FROM_STDIN = "-"
LONGEST = 1 << 16
FACTS = 5
_NO = ("", "n", "no", "q", "quit")


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("purge", epilog='Example:  reel purge --match "+358 40 123 4567" --dry-run')(purge)


def purge(
    ctx: typer.Context,
    session: Annotated[str | None, typer.Argument(metavar="[SESSION]", help="A chat to erase whole.")] = None,
    match: Annotated[
        str | None,
        typer.Option("--match", metavar="TEXT|-", help="Text to erase wherever it stands; - asks for it."),
    ] = None,
    any_case: Annotated[bool, typer.Option("--any-case", help="--match ignores case.")] = False,
    confirm: Annotated[
        str | None, typer.Option("--confirm", metavar="NAME", help="The kit's name: erase without asking.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show all that it changes, not only the first of each.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Erase a session, or a text, from every file and every commit, for good.

    Nothing brings it back: this is for secrets, and for people who ask. To let go of a memory, and be able to
    have it back, there is reel forget.
    """
    from reel_cli.features.purge.preview import explain
    from reel_cli.features.purge.survey import survey
    from reel_cli.features.purge.view import (
        nowhere,
        show_done,
        survey_as_json,
    )
    from reel_cli.features.purge.written_files import remember_files

    if (session is None) == (match is None):
        message = "Name what to purge: a chat, or a text."
        raise UsageError(message, hint='reel purge SESSION  or  reel purge --match "TEXT"')
    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    repository = opened.require_repository()
    aim = _aim(opened, session, match, any_case=any_case)
    found = survey(opened.snapshot, repository, opened.root, opened.state, aim, opened.now())
    if not found.found:
        raise nowhere(found, by_text=match is not None)
    if dry_run:
        if as_json:
            console.result_json(survey_as_json(found))
            return
        explain(opened, found, console.out, _again(session, match, any_case=any_case, every=every))
        console.say("Nothing was changed (--dry-run).")
        return
    if not _is_confirmed(opened, found, confirm, _again(session, match, any_case=any_case, every=every)):
        console.say("Nothing was changed.")
        return
    let_go = False
    if confirm is None and found.came:
        let_go = console.confirm(f"Let go of what came of it, too ({found.came.count()})?", default=False)
    wrote, came = opened.state.written(), opened.state.recorded_from()
    done = _do(opened, aim)
    remember_files(opened.state, wrote, came, aim)
    if let_go:
        _let_go(opened, found)
    if as_json:
        console.result_json({**survey_as_json(found), **_as_json(done)})
    else:
        show_done(opened, found, done, let_go=let_go)
        if match is not None:
            _offer_gaps(opened, ask=confirm is None)
        _tell_examples(opened)
    for reach in bring("purged"):
        reach(opened, aim.wanted, aim.session)


def _again(session: str | None, match: str | None, *, any_case: bool, every: bool) -> str:
    """Return the command that shows all that a purge changes; "" where that is shown."""
    if every:
        return ""
    what = [session] if session is not None else ["--match", match or ""]
    return join(["reel", "purge", *what, *(["--any-case"] if any_case else []), "--dry-run", "--all"])


def _is_confirmed(opened: "OpenKit", found: "Survey", confirm: str | None, again: str) -> bool:
    """Return whether the kit's name was given or is typed; ReelError for another name.

    `again` is the command that shows all that is purged.
    """
    from reel_cli.features.purge.preview import explain

    console, name = opened.console, opened.snapshot.settings.name
    if confirm is not None:
        if not _is_name(confirm, name):
            message = f"{confirm} is not this kit's name; nothing was changed."
            raise ReelError(message, hint=f"it is  --confirm {quote(name)}  as kit.yaml has it")
        return True
    if not console.interactive:
        message = "Nothing was purged: a purge cannot be undone, and without a terminal reel cannot ask you."
        raise ReelError(message, hint=f"look first with --dry-run; to purge it, add  --confirm {quote(name)}")
    explain(opened, found, console.err, again)
    console.say("To purge it, type the kit's name. Enter alone changes nothing.")
    try:
        while not _is_name(typed := console.ask(f"The kit's name ({name}):"), name):
            if typed in _NO:
                return False
            console.say(f"“{one_line(typed, 40)}” is not the name; it is “{name}”, as kit.yaml has it.")
    except EOFError:
        return False
    return True


def _is_name(typed: str, name: str) -> bool:
    """Return whether a kit's name was typed; who listens hears no capitals."""
    return " ".join(typed.casefold().split()) == " ".join(name.casefold().split())


def _aim(opened: "OpenKit", session: str | None, match: str | None, *, any_case: bool) -> "Aim":
    from reel_cli.features.purge.aim import aim_at_session, aim_at_text

    if session is not None:
        if any_case:
            message = "--any-case goes with --match."
            raise UsageError(message)
        _require_no_memory(opened, session)
        return aim_at_session(opened.snapshot, opened.require_repository(), session)
    text = match or ""
    if match == FROM_STDIN:
        if opened.console.interactive:
            from getpass import getpass

            text = getpass("The text to purge (it is not shown): ")
        else:
            text = sys.stdin.read(LONGEST) if sys.stdin is not None else ""
    return replace(aim_at_text(text, any_case=any_case), hidden=match == FROM_STDIN)


def _require_no_memory(opened: "OpenKit", named: str) -> None:
    """Raise ReelError for a memory, naming the chat that it quotes, and for words that name no chat."""
    from reel_cli.core.values.memory import MEMORY_ID, where_of
    from reel_cli.core.values.talk import SESSION_ID

    if not MEMORY_ID.fullmatch(named):
        if not SESSION_ID.fullmatch(named):
            message = f"{named} is no chat. A word is purged with --match."
            raise ReelError(
                message, hint=f"look first:  {join(['reel', 'purge', '--match', named, '--dry-run'])}"
            )
        return
    memory = opened.snapshot.memories.get(named)
    line = opened.snapshot.index.lines.get(named)
    spans = (
        where_of(memory) if memory is not None else [line.where] if line is not None and line.where else []
    )
    chats = list(dict.fromkeys(span.session for span in spans))
    if memory is None and line is None:
        message = f"There is no memory {named}."
        raise ReelError(message, hint="see them with  reel memory list")
    if not chats:
        message = f"{named} was not made of a chat, and only a chat or a text is purged."
        raise ReelError(message, hint=f"let go of it:  reel forget {named}")
    it = "the chat it was made of" if len(chats) == 1 else f"one of the {len(chats)} chats it was made of"
    message = f"{named} is a memory, and only a chat or a text is purged. If you purge {it}, what {named}"
    message += " quotes of that goes for good; its other words stay, in older commits even if you forget it."
    raise ReelError(message, hint=f"look first:  reel purge {chats[0]} --dry-run")


def _do(opened: "OpenKit", aim: "Aim") -> "PurgeResult":
    from reel_cli.core.git.identity import author_identity
    from reel_cli.features.purge.plan import purge_kit

    console = opened.console
    repository = opened.require_repository()
    if console.interactive:
        console.say("Rewriting the whole history and checking it; this may take a while.")
    done = purge_kit(
        opened.snapshot,
        repository,
        opened.root,
        aim,
        now=opened.now(),
        identity=author_identity(repository, opened.snapshot.settings.author),
        waiting=lambda: console.say("Another reel command is working on this kit; waiting for it."),
    )
    opened.context.done.append(f"purged {done.name}")
    return done


def _let_go(opened: "OpenKit", found: "Survey") -> None:
    """Forget the memories and close the notes that came of a purged chat, as the purge left them."""
    from reel_cli.features.forgetting.chat_traces import plan_letting_go

    opened.look_again()
    left = found.came.after_cut(opened.snapshot, lambda text: found.aim.wanted.replace(text)[0])
    if left:
        opened.commit_all([plan_letting_go(opened, left, whole=True)])


def _offer_gaps(opened: "OpenKit", *, ask: bool) -> None:
    """Name the notes and facts that only point at what is gone, and let go of the notes where wished."""
    from reel_cli.core.kit.known_facts import read_known
    from reel_cli.core.values.talk import PURGED
    from reel_cli.features.forgetting.chat_traces import find_gaps, plan_letting_go

    opened.look_again()
    console = opened.console
    known = read_known(opened.snapshot)
    facts = [fact for fact in known.held if PURGED in f"{fact.key} {fact.value}"]
    if gaps := find_gaps(opened.snapshot):
        console.say(gaps.told("Still points at what is gone"))
        if ask and console.confirm(f"Let go of {gaps.it()}, too?", default=False):
            opened.commit(plan_letting_go(opened, gaps, subject="let go of notes that lost something"))
            console.say(f"Let go. To bring {gaps.it()} back:  reel undo")
        else:
            for command in gaps.commands():
                console.next_step(command)
    if facts:
        named = name_some([fact.key or fact.id for fact in facts], FACTS)
        console.say(f"Facts that lost something are still in every bundle: {named}.")
        console.next_step(f"To let one go:  {join(['reel', 'fact', 'drop', facts[0].id])}")
    for fact_id, kind, key, value in known.nameless:
        lost, left = ("value", key) if PURGED in value else ("name", value)
        console.say(f"The fact “{one_line(left, 60)}” ({kind}) lost its {lost}, so no bundle has it.")
        if lost == "name":
            console.next_step(f"To keep it by another name:  reel fact add {kind} NAME {quote(value)}")
        console.next_step(f"To let it go:  {join(['reel', 'fact', 'drop', fact_id])}")


def _tell_examples(opened: "OpenKit") -> None:
    """Name the examples that lost words, and the command that takes them out of use."""
    from reel_cli.core.rings.lost_examples import list_lost, retire_command, tell_lost
    from reel_cli.core.values.change import capital

    opened.look_again()
    if lost := list_lost(opened.snapshot):
        opened.console.say(f"{capital(tell_lost(lost))}.")
        command = retire_command(opened.snapshot, lost)
        opened.console.next_step(f"To be told of this no more:  {command}")


def _as_json(done: "PurgeResult") -> dict[str, Any]:
    return {
        "purge": done.name,
        "commit": done.commit,
        "rewritten": done.rewritten,
        "kept": list(done.kept),
        "left": [{"path": trace.where, "lines": list(trace.lines)} for trace in done.left],
        "otherwise": list(done.leftovers.forms),
        "unsearched": list(done.leftovers.sealed),
    }
