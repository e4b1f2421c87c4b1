"""`reel end`: record the chat, hand out the prompt, take the page, keep it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import MACHINE
from reel_cli.core.values.change import tell_many
from reel_cli.features.record.chat_apps import newest_chat
from reel_cli.features.record.command_record import Format
from reel_cli.terminal.options import Brief, DryRun
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Conversation
    from reel_cli.features.record.plan import RecordPlan
    from reel_cli.features.record.read_chats import Latest
    from reel_cli.terminal.open_kit import OpenKit

MOST_COMPLETE = 5
"""Number of chats, newest first, found recorded with their pages after which no older one is read."""


@frozen
class ChosenChat:
    """A chat to record and its source's name; `named` says that the person gave that."""

    talk: "Conversation"
    name: str
    named: bool = False


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("end", cls=ExchangeCommand, epilog="Example:  reel end")(end)


def end(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[SOURCE|-]", help="The chat's file; else the newest chat."),
    ] = None,
    format: Format = "auto",  # noqa: A002
    on: Annotated[str | None, typer.Option(metavar="DATE", help="Day of a chat that has no date.")] = None,
    reply: Annotated[
        str | None, typer.Option(metavar="FILE|-", help="The model's page, if you have it already.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Take the newest chat and keep the page without asking.")
    ] = False,
    brief: Brief = False,
    dry_run: DryRun = False,
) -> None:
    """Record the chat you had, and keep what the persona writes about it."""
    from reel_cli.features.page.command_checkpoint import offer_memory
    from reel_cli.features.page.waiting_page import find_open, waits_short
    from reel_cli.features.page.walk import checkpoint_walk
    from reel_cli.features.record.choice import parse_on
    from reel_cli.features.record.latest_chat import is_newer_chat
    from reel_cli.terminal.converse import ExchangeOptions, converse

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    opened.require_repository()
    if on is not None and source is None:
        message = "--on gives the day of a chat that is named."
        raise UsageError(message, hint="name its file:  reel end FILE --on DATE")
    day = parse_on(on, opened.zone or MACHINE, opened.now()) if on is not None else None
    ctx.obj.ends = True
    session = find_open(opened) if source is None else None
    chosen, told = None, False
    if session is None or newest_chat() is not None:
        chosen = _choose(opened, source, format, on=day, yes=yes, dry_run=dry_run, known=session is None)
    elif console.interactive and not yes and reply is None and is_newer_chat(opened, session):
        newer = _ask_newer(opened, session, format, on=day, agreed=dry_run)
        if newer is None:
            _tell_nothing(opened)
            return
        chosen, reply, told = newer
    if chosen is not None:
        session = _record(opened, chosen, reply, on=day, dry_run=dry_run)
    elif session is not None and reply is None and not told:
        console.say(_tell_unwritten(opened, session))
    elif session is None:
        _tell_nothing(opened)
    if session is None:
        return
    opened, manner = ctx.obj.open_kit(), ExchangeOptions(yes=yes, dry_run=dry_run)
    # a short page that was asked for stays a short one, unless the chat went on
    short = brief or (chosen is None and waits_short(opened, session))
    walk = checkpoint_walk(opened, manner, session, brief=short)
    offer_memory(ctx.obj, converse(opened, walk, manner, prompt=False, reply=reply), manner)
    ctx.obj.open_kit().breathe(ends=True)
    _tell_secrets(ctx.obj.open_kit(), session)
    if reply is None and not opened.walks:
        opened.console.next_step(
            "Paste this into the chat. When you have the page:  reel checkpoint --reply FILE"
        )
    if not dry_run:
        ctx.obj.open_kit().keep_up()


def _tell_nothing(opened: "OpenKit") -> None:
    """Say that nothing was recorded, and which page of an earlier chat is due, as `reel` does."""
    from reel_cli.features.page.owed_pages import pages_owed

    opened.console.say("Nothing was recorded.")
    for owed in pages_owed(opened):
        if owed.mend and owed.mend != "reel end":
            opened.console.say(f"{owed.text[:1].upper()}{owed.text[1:]}.")
            opened.console.next_step(f"Next:  {owed.mend}")


def _tell_unwritten(opened: "OpenKit", session: str, *, later: bool = False) -> str:
    """Return the sentence about a page that is missing; `later`: another chat comes first."""
    from reel_cli.features.page.waiting_page import pending, tell_missing_page, tell_waiting_page

    waiting = pending(opened, "checkpoint", session)
    if waiting is None or not waiting.session:
        # a prompt that was printed before any chat is of none
        return tell_missing_page(opened, session)
    return tell_waiting_page(opened, waiting, later=later)


def _tell_secrets(opened: "OpenKit", session: str) -> None:
    """Name the secrets that a person told in a chat, since bundles quote it, and how to erase them."""
    from reel_cli.core.ports import bring
    from reel_cli.core.shell import join
    from reel_cli.core.tape.talks import split_talks
    from reel_cli.core.tape.tape_view import read_session

    if session not in opened.snapshot.sessions:
        return
    # what was told on an earlier evening was named then
    [*_, talk] = [[], *split_talks(read_session(opened.snapshot, session).shown())]
    texts = [one.message.text for one in talk if one.message.role == "user"]
    for kind, secret in (one for find in bring("secrets") for one in find(texts)):
        command = join(["reel", "purge", "--match", secret])
        opened.console.next_step(
            f"A {kind} was told in this chat, and may stand in bundles. To erase it for good:  {command}"
        )


def _offer_page(opened: "OpenKit", session: str) -> str:
    """Return whether a person decides now on a page that came (y), gives a newer chat (n), or leaves (q).

    A page that has not come yet is not offered: a chat that they had since comes first.
    """
    from reel_cli.features.page.waiting_page import is_stopped, pending

    waiting = pending(opened, "checkpoint", session)
    if waiting is None or not is_stopped(waiting):
        return "n"
    meanings = {"y": "show that page again", "n": "no; first a chat that you had since", "q": "leave"}
    return opened.console.choose("Decide on it now?", list(meanings), "y", meanings)


def _ask_newer(
    opened: "OpenKit",
    session: str,
    format: str,  # noqa: A002
    *,
    on: str | None,
    agreed: bool,
) -> "tuple[ChosenChat | None, str | None, bool] | None":
    """Ask for a chat that a person had since; they may go on with the page of the session instead.

    Return that chat, the source of that page's reply where they gave it, and whether the page was named and
    is shown next. None where they leave.
    """
    from reel_cli.core.tape.tape_view import chat_of
    from reel_cli.features.record.ask_chat import THE_PAGE

    console, chat = opened.console, chat_of(opened.snapshot, session)
    console.say(_tell_unwritten(opened, session, later=True))
    answer = _offer_page(opened, session)
    if answer != "n":
        return (None, None, True) if answer == "y" else None
    console.say("If you had a chat since, give that one first.")
    earlier = f"go on with the page of {chat}"
    chosen, page = _ask_for_chat(opened, format, on=on, agreed=agreed, earlier=earlier)
    if chosen is None and not page:
        return None
    if not page or page == THE_PAGE:
        return chosen, None, False
    console.say(f"That is a page, so it is taken as the one of {chat}.")
    return None, page, False


def _record(
    opened: "OpenKit",
    chosen: "ChosenChat",
    reply: str | None,
    *,
    on: str | None,
    dry_run: bool,
) -> str | None:
    """Record the chat; return its session, or None where no page of it is to be asked for."""
    from reel_cli.core.shell import quote_path
    from reel_cli.features.page.kept_pages import new_messages
    from reel_cli.features.page.waiting_page import move_page
    from reel_cli.features.record.other_day import leave_day
    from reel_cli.features.record.record_chats import record_one
    from reel_cli.features.record.record_view import show_recorded, tell_day_kept
    from reel_cli.features.record.source_files import note_sources
    from reel_cli.features.record.unrecorded_chats import note_recorded

    console, context = opened.console, opened.context
    talk, name, again = chosen.talk, chosen.name, chosen.named
    left = leave_day(context, talk, on) if on is not None and not dry_run else ""
    with console.waiting("Recording"):
        found = record_one(context, talk, again=again, dry_run=dry_run)
    if not dry_run:
        note_sources(opened, [(name, "")])
    if not again and not dry_run:
        note_recorded(opened, Path(name))
    command = f"reel end {quote_path(name)}"
    show_recorded(opened, found, name, told=not again and not dry_run, dry_run=dry_run, command=command)
    if on is not None:
        tell_day_kept(opened, [(talk, found)], on)
    if found.taken_back:
        return None
    if dry_run:
        console.say("Nothing was changed (--dry-run).")
        return None
    context.waiting = "its page can come later:  reel end"
    if left and move_page(context.open_kit(), left, found.session) and reply is None:
        console.say(_tell_unwritten(context.open_kit(), found.session, later=not opened.walks))
    if reply is None and new_messages(context.open_kit().snapshot, found.session) == 0:
        console.say(
            f"{found.session} has its page already. For another page of it:"
            f"  reel checkpoint --session {found.session}"
        )
        return None
    return found.session


def _choose(
    opened: "OpenKit",
    source: str | None,
    format: str,  # noqa: A002
    *,
    on: str | None,
    yes: bool,
    dry_run: bool,
    known: bool,
) -> "ChosenChat | None":
    """Return the chat to record; None if the person declines.

    `known` says that one which is recorded already is offered too.
    """
    from reel_cli.features.record.read_chats import NoChatError

    if source is not None:
        return _choose_named(opened, source, format, on=on, agreed=yes or dry_run)
    try:
        return _choose_newest(opened, format, yes=yes, dry_run=dry_run, known=known)
    except NoChatError as error:
        if yes or not opened.console.interactive:
            raise
        opened.console.say(error.message)
    return _ask_for_chat(opened, format, on=on, agreed=dry_run)[0]


def _ask_for_chat(
    opened: "OpenKit",
    format: str,  # noqa: A002
    *,
    on: str | None,
    agreed: bool,
    earlier: str = "",
) -> "tuple[ChosenChat | None, str]":
    """Return the chat that a person names or pastes; or THE_PAGE where they want the `earlier` page instead.

    In its place stands the source of that page's reply, where they gave that.
    """
    from reel_cli.features.record.ask_chat import THE_PAGE, ask_chat
    from reel_cli.features.record.read_chats import PageGivenError
    from reel_cli.terminal.input.given_text import lay_input, read_given

    while (answer := ask_chat(opened, earlier)) is not None:
        if answer == THE_PAGE:
            return None, THE_PAGE
        try:
            pasted = read_given(answer) if answer == "-" else ""
            if pasted:
                lay_input(pasted)
            return _choose_named(opened, answer, format, on=on, agreed=agreed), ""
        except PageGivenError as error:
            if earlier:
                if pasted:
                    lay_input(pasted)
                return None, answer
            opened.console.error(error.message, error.hint)
        except ReelError as error:
            opened.console.error(error.message, error.hint)
    return None, ""


def _choose_named(
    opened: "OpenKit",
    source: str,
    format: str,  # noqa: A002
    *,
    on: str | None,
    agreed: bool,
) -> "ChosenChat | None":
    """Return the chat that a person named; None if they do not want it here."""
    from reel_cli.core.shell import quote_path
    from reel_cli.features.record.offer_chats import choose_chat
    from reel_cli.features.record.ownership import SAME, may_record
    from reel_cli.features.record.read_chats import gather
    from reel_cli.features.record.retracted_chat import may_record_anew

    given = gather(opened, [source], format, on=on)
    try:
        for remark in given.remarks:
            opened.console.say(remark)
        several = len(given.offered) > 1
        item = choose_chat(opened, given, source, agreed=agreed) if several else given.offered[0]
        if item is None:
            return None
        talk = given.conversation(item)
    finally:
        given.close()
    dated = f" --on {on[:10]}" if on is not None else ""
    command = f"reel end {quote_path(source)}{dated} --yes"
    asked = may_record(opened, talk, question=SAME, command=command, agreed=agreed, named=True)
    if asked is False or not may_record_anew(opened, talk, agreed=agreed):
        return None
    return ChosenChat(talk, source, named=True)


def _choose_newest(
    opened: "OpenKit",
    format: str,  # noqa: A002
    *,
    yes: bool,
    dry_run: bool,
    known: bool,
) -> "ChosenChat | None":
    """Return the newest chat, or on a no the newest one before it that is not recorded; None for none.

    What was taken back is passed over, and so is a chat that is recorded and lacks no page; the newest of
    each is told. Where the newest is recorded and those that are `known` are not looked at, none is returned:
    an older one was passed over before. Raises NoChatError where all that was looked at is recorded.
    """
    from reel_cli.core.tape.continuation import State
    from reel_cli.features.record.read_chats import NoChatError, newest_first
    from reel_cli.features.record.record_chats import record_one

    offered, passed = 0, _PassedOver(opened, asks=opened.console.interactive and not yes)
    for latest in newest_first(opened, format):
        talk = latest.gathered.conversation(latest.item)
        alone = len(latest.gathered.offered) == 1
        latest.gathered.close()
        with opened.console.waiting("Looking"):
            plan = record_one(opened.context, talk, dry_run=True)
        if plan.state is State.KNOWN and not (known or plan.taken_back):
            return None
        if passed.take(latest, plan):
            if len(passed.complete) == MOST_COMPLETE:
                break
            continue
        if not offered:
            passed.tell_before()
        offered += 1
        answer = _offer(opened, latest, talk, plan, alone=alone, yes=yes, dry_run=dry_run)
        if answer == "y":
            return ChosenChat(talk, str(latest.chat.path))
        if answer == "q":
            _tell_nothing(opened)
            raise typer.Exit
    if passed.complete and not offered:
        raise NoChatError(passed.complete[0])
    passed.tell_gone()
    if not known:
        return None
    # older ones were not looked at
    more = " among the newest; name its file" if len(passed.complete) == MOST_COMPLETE else ""
    opened.console.say(f"There is no {'other ' if offered else ''}chat left to record{more}.")
    return None


class _PassedOver:
    """The chats that are not offered: taken back, or, where a person is asked, with nothing new in them."""

    def __init__(self, opened: "OpenKit", *, asks: bool) -> None:
        """Begin with none."""
        self._opened, self._asks = opened, asks
        self._gone = ""
        self.complete: list[str] = []

    def take(self, latest: "Latest", plan: "RecordPlan") -> bool:
        """Return whether a chat is passed over, and keep the sentence about it."""
        from reel_cli.core.tape.continuation import State
        from reel_cli.features.page.due import lacks_page

        if plan.taken_back:
            how = "Purged" if plan.purged else "Taken back"
            self._gone = self._gone or f"{how} earlier, so passed over: {latest.told}."
            return True
        if not self._asks or plan.state is not State.KNOWN or lacks_page(self._opened.snapshot, plan.session):
            return False
        self.complete.append(f"Nothing new in {latest.told}.")
        return True

    def tell_before(self) -> None:
        """Say before the first offer why the newest chat is not it."""
        if self.complete:
            self._opened.console.say(self.complete[0])
        if not self._asks:
            self.tell_gone()

    def tell_gone(self) -> None:
        """Say which chat was taken back; a person who is offered another need not be told each evening."""
        if self._gone:
            self._opened.console.say(self._gone)


def _offer(
    opened: "OpenKit",
    latest: "Latest",
    talk: "Conversation",
    plan: "RecordPlan",
    *,
    alone: bool,
    yes: bool,
    dry_run: bool,
) -> str:
    """Return the person's answer to whether to record a chat: y, n, or q to record none."""
    from reel_cli.core.shell import quote_path
    from reel_cli.features.record.ownership import may_record
    from reel_cli.features.record.unrecorded_chats import is_reported

    console = opened.console
    if not console.interactive:
        console.say(latest.line)
    command = f"reel end {quote_path(str(latest.chat.path))} --yes" if alone else "reel record --latest --yes"
    asked = may_record(
        opened,
        talk,
        question=f"Record {latest.told}, all the same?",
        command=command,
        agreed=dry_run,
        # what  reel start  has said of a chat need not be asked again
        named=is_reported(opened, latest.chat.path),
    )
    if asked is not None and not dry_run:
        return "y" if asked else "n"
    if not (yes or console.interactive) and plan.change is not None:
        message = "Nothing was recorded: without a terminal, reel cannot ask whether this is the chat."
        raise ReelError(message, hint="add --yes to take the newest, or name its file")
    if yes or not console.interactive:
        if console.interactive:
            console.say(latest.line)
        return "y"
    meanings = {
        "y": "yes, this chat",
        "n": "no; an earlier one is offered",
        "q": "leave, nothing is recorded",
    }
    return console.choose(_ask_to_record(latest, plan), list(meanings), "y", meanings)


def _ask_to_record(latest: "Latest", plan: "RecordPlan") -> str:
    """Return the question for a chat; of one that is on the tape in part, it names only what is new."""
    if plan.state.value == "new":
        return f"Record {latest.told}?"
    if not plan.added:
        return f"Ask for the page of {latest.told}?" if plan.change is None else f"Record {latest.told}?"
    return f"Record {tell_many(plan.added, 'new message')} of {latest.name}, {latest.ago}?"
