"""Keeping a conversation at the terminal: snapshot, prompt out, reply in, one commit, its new beginning."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.kit.memory_numbers import highest_known
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.features.stream.ask import (
    NAME,
    KeepOptions,
    StreamAsk,
    make_stream_ask,
    print_of_stream,
)
from reel_cli.features.stream.plan import (
    KeptNow,
    SiftReading,
    kept_parts,
    plan_keep,
    read_sifted,
    refusal_of,
    require_same,
    rest_prompt,
)
from reel_cli.features.stream.stretch import find_stretch
from reel_cli.features.stream.view import make_beginning, report_keep, show_keep
from reel_cli.terminal.converse import (
    WHOLE_ANSWER,
    ExchangeOptions,
    ExchangeWalk,
    ask_for_rest,
    hand_out,
    refuse,
    ring0_in_force,
)
from reel_cli.terminal.full_view import show_in_full

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Conversation
    from reel_cli.terminal.open_kit import OpenKit

COMMAND = "keep"
EMPTY_CHAT = "A new, empty chat has the most room for it."


# -- the snapshot ----------------------------------------------------------------------------------


def take_snapshot(
    opened: "OpenKit",
    source: str | None,
    format: str,  # noqa: A002
    *,
    yes: bool,
) -> str | None:
    """Put the conversation on the tape as it stands: the one named, else the one that is followed.

    Returns its session; None where neither is there, so that the newest on the tape is meant; "" where the
    one that was named may be another kit's and the person declines it. Raises ReelError where the one that
    was named cannot be recorded.
    """
    from reel_cli.core.values.change import tell_many
    from reel_cli.features.record.record_chats import record_one
    from reel_cli.features.watch.gauge_view import live_stream

    name = source
    if name is None:
        if live_stream(opened) is None:
            return None
        noted = opened.state.stream() or {}
        if "session" in noted:
            # a paste is recorded as it comes
            pasted = str(noted["session"])
            return pasted if pasted in standing_sessions(opened.snapshot) else None
        name = str(noted["path"])
    try:
        talk = _conversation(opened, name, format)
        if source is not None and not _is_own(opened, talk, source, yes=yes):
            return ""
        found = record_one(opened.context, talk)
    except (ReelError, OSError) as error:
        if source is not None:
            raise
        why = error.message if isinstance(error, ReelError) else f"{error.strerror or error}."
        opened.console.say(f"{Path(name).name} could not be recorded just now: {why}")
        return None
    opened.look_again()
    if found.added:
        told = tell_many(found.added, "message") if found.state == "new" else f"{found.added:,} more"
        opened.console.say(
            f"Recorded: {told} of {one_line(found.title, 60) or 'the chat'} ({found.session})."
        )
    return found.session


def _is_own(opened: "OpenKit", talk: "Conversation", source: str, *, yes: bool) -> bool:
    """Return whether a named chat may be recorded here, asking if it may be another kit's."""
    from reel_cli.core.shell import quote_path
    from reel_cli.features.record.ownership import SAME, may_record

    command = f"reel record {quote_path(source)} --yes"
    asked = may_record(opened, talk, question=SAME, command=command, agreed=yes, named=True)
    if asked is False:
        opened.console.say("Nothing was recorded.")
    return asked is not False


def _conversation(opened: "OpenKit", name: str, format: str) -> "Conversation":  # noqa: A002
    from reel_cli.features.record.read_chats import read_conversations

    talks = list(read_conversations(opened, name, format))
    if len(talks) != 1:
        message = f"{name} holds {len(talks):,} conversations; sum up one at a time."
        raise ReelError(message, hint="record them with  reel record FILE  then  reel keep")
    return talks[0]


# -- the exchange ----------------------------------------------------------------------------------


def waiting_ask(opened: "OpenKit") -> StreamAsk | None:
    """Return the ask that was handed out and waits for its reply."""
    return find_waiting(opened.state, StreamAsk, NAME)


def fresh_ask(opened: "OpenKit", session: str | None, wished: KeepOptions) -> StreamAsk:
    """Return the ask, made anew from the kit as it is."""
    snapshot = opened.snapshot
    counter = get_tokenizer(snapshot.settings.tokenizer)
    stretch = find_stretch(snapshot, session)
    return make_stream_ask(snapshot, ring0_in_force(opened), counter, stretch, wished)


def to_hand_out(opened: "OpenKit", session: str | None, wished: KeepOptions) -> StreamAsk:
    """Return the ask to hand out: a partly answered one that still fits, else a new one."""
    waiting = waiting_ask(opened)
    if (
        waiting is not None
        and waiting.seen == print_of_stream(opened.snapshot)
        and session in (None, waiting.span.session)
    ):
        # wishes for a prompt that was not used still hold
        wished = waiting.wished.then(wished)
        if waiting.replies:
            return replace(waiting, wished=wished)
    ask = fresh_ask(opened, session, wished)
    if ask.passed_over:
        opened.console.say(f"There was no room to ask about {', '.join(ask.passed_over)} as well.")
    return ask


def walk_of(
    opened: "OpenKit",
    session: str | None,
    wished: KeepOptions,
    manner: ExchangeOptions,
    *,
    prompt: bool = False,
) -> ExchangeWalk[StreamAsk, KeptNow | None]:
    """Return the walk of a keep at the terminal; `prompt` says that its prompt is only printed."""
    by_hand = opened.walks and not prompt and not opened.over_wire

    def answered() -> StreamAsk:
        ask = waiting_ask(opened) or fresh_ask(opened, session, wished)
        return replace(ask, wished=ask.wished.then(wished) if ask.wished != wished else wished)

    return ExchangeWalk(
        COMMAND,
        answered,
        lambda: to_hand_out(opened, session, wished),
        lambda asked, reply: settle_ask(opened, asked, reply, manner),
        lambda asked: _text(opened, asked),
        announce=lambda asked: EMPTY_CHAT if by_hand and not asked.replies else "",
    )


def _text(opened: "OpenKit", ask: StreamAsk) -> str:
    """Return the prompt to paste next: the ask's own, or the one for the rest of its answer."""
    if not ask.replies:
        return ask.prompt
    *earlier, last = ask.replies
    count = get_tokenizer(opened.snapshot.settings.tokenizer).count
    found = read_sifted(opened.snapshot, replace(ask, replies=tuple(earlier)), last, count)
    return rest_prompt(opened.snapshot, found) if found.missing else ask.prompt


def settle_ask(opened: "OpenKit", ask: StreamAsk, reply: str, manner: ExchangeOptions) -> KeptNow | None:
    """Process a reply: keep the conversation, or keep the complete parts and ask for the rest.

    None where the person declined. Raises ReelError where it cannot be used as it is.
    """
    snapshot = opened.snapshot
    require_same(snapshot, ask)
    tokenizer = get_tokenizer(snapshot.settings.tokenizer)
    found = read_sifted(snapshot, ask, reply, tokenizer.count, unattended=manner.yes)
    if why := refusal_of(found):
        _refuse(opened, found, reply, why, manner)
    now = plan_keep(snapshot, found, now=opened.now(), tokenizer=tokenizer, first_number=_highest(opened) + 1)
    # the required parts of the new beginning are packed before anything is kept
    make_beginning(opened, now.kept)
    show_keep(opened, found, now, manner)
    if manner.dry_run:
        report_keep(opened, found, now, None, manner)
        opened.console.say("Nothing was changed (--dry-run).")
        return now
    if not _wanted(opened, now, manner):
        hand_out(opened, ask, COMMAND)
        opened.console.say("Nothing was changed.")
        if manner.goes_on:
            return None
        opened.console.next_step(f"The prompt waits for another reply:  reel {COMMAND} --reply FILE")
        return None
    commit = opened.commit_all([now.change])[0].commit
    opened.state.drop_exchange(NAME)
    opened.context.waiting = ""
    report_keep(opened, found, now, commit, manner)
    return now


def _wanted(opened: "OpenKit", now: "KeptNow", manner: ExchangeOptions) -> bool:
    if manner.yes:
        return True
    if not opened.console.interactive:
        message = "Nothing was kept: without a terminal, reel cannot ask you."
        raise ReelError(message, hint="add --yes to keep it without a question, or --dry-run to only look")
    show_in_full(opened, now.change)
    meanings = {"y": "keep it", "n": "drop it; another answer can come later"}
    return opened.console.choose("Keep all this?", ["y", "n"], "y", meanings) == "y"


def _refuse(opened: "OpenKit", found: SiftReading, reply: str, why: str, manner: ExchangeOptions) -> NoReturn:
    """Refuse a reply; of one that came in part, what came through is kept, and the rest asked for."""
    repair, hint = found.ask.prompt, None if opened.context.wired else WHOLE_ANSWER
    if found.missing:
        # a summary that is too long is asked for again in the same chat, under the same prompt's name
        repair = rest_prompt(opened.snapshot, found)
        hint = ask_for_rest(opened, kept_parts(found, reply), COMMAND, repair, manner)
    problems = [Problem("reply", why), *found.problems]
    refuse(opened, why, problems, manner, repair=repair, hint=hint)


def _highest(opened: "OpenKit") -> int:
    known = highest_known(opened.snapshot)
    if opened.repository is None:
        return known
    from reel_cli.core.kit.memory_numbers import used_memory_numbers

    return max(known, used_memory_numbers(opened.repository))
