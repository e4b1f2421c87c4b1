"""One exchange at the terminal: its prompt out, by hand or over a wire, and its reply in, in one walk."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from reel_cli.core.errors import ExitCode, ReelError, StateError, UnusableError
from reel_cli.core.exchange.exchange import Asked, Exchange, find_waiting
from reel_cli.core.files.kit_files import restore_command
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.approved_rings import Ring0, note_approvals, read_in_force
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.terminal.input.given_text import read_given
from reel_cli.terminal.transport_option import Before, Parcel, find_transport, follows

if TYPE_CHECKING:
    from reel_cli.terminal.input.reply_input import Turn
    from reel_cli.terminal.open_kit import OpenKit

Taken = TypeVar("Taken")

WHOLE_ANSWER = "copy the model's whole answer, and only that"
NOT_KEPT = "free some space on the disk, or see who owns the kit's folder; then give the whole answer again"
GO_ON = "Go on with the next?"
LONG_PROMPT = 4
"""A prompt is long from this part of the window on: a quarter."""
SHORT_INSTEAD = "Ask for a short page instead?"


@frozen
class ExchangeOptions:
    """The options with which a person runs an exchange."""

    yes: bool = False
    as_json: bool = False
    dry_run: bool = False
    watch: bool = False
    """True to wait for the reply on the clipboard."""
    goes_on: bool = False
    """True if a kept conversation continues by itself, so that its beginning is not handed out."""
    seen: str = ""
    """The digest of what a program showed a person, who said yes to that; "" where none did."""
    begins: str = "reel start"
    """The command with which the persona wakes up the next time."""


def _own_prompt(asked: Asked) -> str:
    return asked.prompt


def _nothing(_: object) -> None:
    return None


def _unasked(_: object) -> str:
    return ""


@frozen
class ExchangeWalk(Generic[Asked, Taken]):
    """A feature's exchange, as it goes at the terminal.

    `command` is how a reply is given. `answered` returns the exchange that a given reply belongs to, `due`
    the one whose prompt goes out; both raise ReelError where there is none. `settle` reads a reply and
    keeps what it gives. `text` is the prompt to paste: the exchange's own, or what asks for the rest of its
    answer. `following` returns the exchange that comes after a settled one, if any.

    A person is asked the `question` before a prompt goes out, where it is not "", and before a following
    one at least whether to go on; `announce` is a line that goes before it, or "". `before` returns the chat
    that goes along over a wire; `shape` is the JSON Schema of a reply that is JSON, `effort` how deeply a
    model should think; the kit's length of pages holds for a reply that is `limited`. `judge` returns why a
    copied text is not the answer. `shorter` returns what asks for less, where a reply did not come; None
    where there is no such exchange. `drops` says in a word or two how a person can do without a reply, or
    with what came of it ("" where they cannot), and `drop` does that: it returns the exchange that is asked
    for instead, None where that ends it. `finish` returns what keeps an answer of which all has come; None
    where something is to be asked.
    """

    command: str
    answered: Callable[[], Asked]
    due: Callable[[], Asked]
    settle: Callable[[Asked, str], Taken]
    text: Callable[[Asked], str] = _own_prompt
    following: Callable[[Taken], Asked | None] = _nothing
    question: Callable[[Asked], str] = _unasked
    announce: Callable[[Asked], str] = _unasked
    before: Callable[[Asked], Before | None] = _nothing
    shape: Mapping[str, Any] | None = None
    judge: Callable[[Asked, str], str] | None = None
    shorter: Callable[[Asked], Asked | None] = _nothing
    drops: Callable[[Asked], str] = _unasked
    drop: Callable[[Asked], Asked | None] = _nothing
    finish: Callable[[Asked], Callable[[], Taken | None] | None] = _nothing
    effort: str = ""
    limited: bool = False


def converse(
    opened: "OpenKit",
    walk: ExchangeWalk[Asked, Taken],
    manner: ExchangeOptions,
    *,
    prompt: bool,
    reply: str | None,
) -> Taken | None:
    """Run an exchange as its command was called; None if no reply was taken."""
    if reply is not None:
        text = read_given(reply)
        if reply != "-":
            opened.state.note_recorded_from([Path(reply)])
        return walk.settle(walk.answered(), text)
    asked = walk.due()
    if not prompt and (finish := walk.finish(asked)) is not None:
        return finish()
    if prompt or not opened.walks:
        opened.console.result(put_out(opened, walk, asked, manner), whole=True)
        return None
    question = walk.question(asked)
    if question and not opened.console.confirm(question):
        return None
    return walk_through(opened, walk, asked, manner)


def put_out(
    opened: "OpenKit", walk: ExchangeWalk[Asked, Taken], asked: Asked, manner: ExchangeOptions
) -> str:
    """Return the prompt to paste, remembered so that its reply may come tomorrow."""
    if told := walk.announce(asked):
        opened.console.say(told)
    text = walk.text(asked)
    if not manner.dry_run:
        hand_out(opened, asked, walk.command, text)
    return text


def walk_through(
    opened: "OpenKit", walk: ExchangeWalk[Asked, Taken], asked: Asked, manner: ExchangeOptions
) -> Taken | None:
    """Guide a person through it and what follows: carry the prompt, take the reply, settle it.

    Returns the last reply's result; None for later.
    """
    from reel_cli.terminal.input.reply_input import Turn

    while True:
        taken = _carry_exchange(opened, walk, asked, put_out(opened, walk, asked, manner), manner)
        if taken is Turn.DROP:
            instead = walk.drop(_as_waiting(opened, asked))
            if instead is None:
                return None
            asked = instead
            continue
        if isinstance(taken, Turn):
            asked = walk.shorter(_as_waiting(opened, asked)) or asked
            if (finish := walk.finish(asked)) is not None:
                return finish()
            continue
        following = None if taken is None or manner.dry_run else walk.following(taken)
        if following is None or not go_on(opened, manner, walk.question(following) or GO_ON):
            return taken
        asked = following


def hand_out(opened: "OpenKit", asked: Exchange, command: str, prompt: str = "") -> bool:
    """Remember an exchange whose prompt goes out; where the kit cannot be written, one line says so.

    `prompt` is the text that goes out, where it is not the exchange's own but asks for the rest. Return
    whether it is remembered.
    """
    try:
        remember(opened, asked, prompt)
    except StateError:
        # a kit on a read-only disk asks too
        opened.console.say("The kit cannot be written, so reel will not know this prompt again.")
        return False
    from reel_cli.terminal.input.reply_input import later

    opened.context.waiting = f"the prompt waits; when you have the answer:  {later(opened, command)}"
    return True


def remember(opened: "OpenKit", asked: Exchange, prompt: str = "") -> None:
    """Store an exchange and its texts, by which a chat's record knows it; StateError if that fails."""
    try:
        # the exchange last: on a disk that fills up meanwhile, nothing of the reply is kept
        for text in dict.fromkeys((asked.prompt, prompt or asked.prompt)):
            opened.state.hand_out("prompt", text)
        opened.state.save_exchange(asked.name, asked.stored)
    except OSError as error:
        message = f"What came through cannot be kept: {error.strerror or error}."
        raise StateError(message, hint="check who owns the kit's folder") from None


def ring0_in_force(opened: "OpenKit") -> Ring0:
    """Return ring 0 for prompts; says in one line if an edit is not approved yet."""
    repo = opened.repository
    approvals = note_approvals(opened.root, repo) if repo is not None else None
    ring0 = read_in_force(opened.snapshot, repo, approvals=approvals)
    for path in ring0.waiting:
        state, way = "was edited and is not approved yet", "Decide with  reel review"
        if opened.snapshot.read(path) is None:
            state, way = "is missing", f"Bring it back:  {restore_command([path])}"
        opened.console.say(f"{path} {state}; the last approved text was used. {way}")
    return ring0


def problems_json(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """Return problems as JSON values; `quiet` stands only beside what a screen does not show by itself."""
    return [
        {"field": one.field, "what": one.what, **({"quiet": True} if one.quiet else {})} for one in problems
    ]


def _carry(
    opened: "OpenKit",
    parcel: Parcel,
    take: Callable[[str], Taken],
    choices: Callable[[], tuple[bool, str]],
    asked: Exchange,
) -> "Taken | Turn | None":
    """Send a prompt and pass each reply to `take`, over the wire or by hand, until one can be used.

    What cannot be had over the wire is left to be pasted. None for later. Raises ReelError where nobody is
    here to do that. `choices` says whether less can be asked for, and how one can do without ("" where that
    is no way). Of the exchange that is `asked`, part of the answer may be there.
    """
    from reel_cli.terminal.input.reply_input import Turn, ask_again, wait_for_reply

    came = begun = bool(asked.replies)
    while opened.over_wire:
        opened.context.wired = True
        try:
            carried = find_transport().carry(opened, parcel, take)
        finally:
            opened.context.wired = False
        if carried.why is None:
            return carried.taken
        if not opened.console.interactive:
            opened.console.release(carried.held)
            raise ReelError(
                carried.why.message,
                hint=carried.why.hint or f"to paste it instead:  {_prints(parcel.command, asked)}",
            )
        opened.console.error(carried.why.message, carried.why.hint)
        came |= carried.tries > 0
        if opened.console.confirm("Ask the model again?"):
            parcel = parcel if carried.left is None else carried.left
            continue
        if came and choices()[0] and opened.console.confirm(SHORT_INSTEAD):
            return Turn.SHORTER
        parcel = carried.left or parcel
        if opened.context.chats:
            opened.console.say(
                f"What came is kept. To ask for the rest later:  {ask_again(opened, parcel.command)}"
            )
            return None
        opened.console.say(f"{'What came so far is kept. ' if came else ''}You can paste it instead:")
        break
    lead = _copy_prompt(opened, parcel.prompt, asked)
    wait, shown = partial(wait_for_reply, opened, parcel.command, begun=begun), parcel.prompt
    while (reply := wait(choices(), lead=lead, prompt=shown)) is not None:
        lead = ""
        if isinstance(reply, Turn):
            return reply
        opened.context.pasted = True
        try:
            return take(reply)
        except ReelError as error:
            if error.exit_code is not ExitCode.MENDABLE:
                raise
            # the walk goes on: nothing failed for the person
            _say_refusal(opened, error)
            if isinstance(error, UnusableError):
                shown = error.repair or shown
    return None


def _say_refusal(opened: "OpenKit", error: ReelError) -> None:
    opened.console.say(error.message)
    if error.hint:
        opened.console.say(f"Hint: {error.hint}")
    if isinstance(error, UnusableError) and error.kept:
        opened.console.say(error.kept)


def _carry_exchange(
    opened: "OpenKit", walk: ExchangeWalk[Asked, Taken], asked: Asked, text: str, manner: ExchangeOptions
) -> "Taken | Turn | None":
    """Send an exchange's prompt, or `text` for the rest of its answer, and settle each reply; None for later.

    A reply is settled with the exchange as it then is: what came of it in part was noted.
    """

    def waiting() -> Asked:
        return _as_waiting(opened, asked)

    def judge(copied: str) -> str:
        return walk.judge(waiting(), copied) if walk.judge is not None else ""

    before = walk.before(asked)
    if before is None and text != asked.prompt:
        before = follows(asked.prompt, "\n\n".join(asked.replies))
    opened.context.watch = None
    if manner.watch:
        from reel_cli.terminal.clipboard import ClipboardWatch

        opened.context.watch = ClipboardWatch(opened.console, judge)
    return _carry(
        opened,
        Parcel(text, walk.command, before, walk.shape, walk.effort, limited=walk.limited),
        lambda reply: walk.settle(waiting(), reply),
        lambda: (walk.shorter(waiting()) is not None, walk.drops(waiting())),
        asked,
    )


def _as_waiting(opened: "OpenKit", asked: Asked) -> Asked:
    """Return an exchange as it then is: with what came of its reply in part."""
    found = find_waiting(opened.state, type(asked), asked.name)
    # with --dry-run nothing is remembered
    return found if found is not None and found.prompt == asked.prompt else asked.as_waiting()


def _prints(command: str, asked: Exchange) -> str:
    """Return the command that prints an exchange's prompt, or what asks for the rest of its answer."""
    return f"reel {command} --prompt{' --brief' if asked.brief else ''}"


def _copy_prompt(opened: "OpenKit", prompt: str, asked: Exchange) -> str:
    """Copy an exchange's prompt, or the text for the rest, and report how, and where else it is.

    Where the answer comes back by the clipboard too, return the line that says all of it, which is to be
    shown with the keys; "" where everything was shown.
    """
    from reel_cli.terminal import clipboard

    console = opened.console
    size = get_tokenizer(opened.snapshot.settings.tokenizer).count(prompt)
    how = clipboard.copy(prompt)
    path = _from_here(opened.state.hand_out("prompt", prompt))
    # how long it is matters where it takes much of the chat's room
    long = f" ({size:,} tokens)" if size * LONG_PROMPT > opened.snapshot.settings.window else ""
    what = f"{'short ' if asked.brief else ''}prompt{long}"
    if how:
        if how != clipboard.BY_TERMINAL and clipboard.keys() and not opened.context.watch:
            return f"Copied the {what}. Paste it into the chat, copy the answer, press Enter."
        console.say(f"{clipboard.copied(how)} the {what}: paste it into the chat, then copy the answer.")
        if how == clipboard.BY_TERMINAL:
            console.say("If pasting brings nothing, s shows the prompt here, to copy by hand.")
    else:
        why = clipboard.why_not(prompt)
        told = "No clipboard here. " if why == clipboard.NOWHERE else f"Not copied: {why}. "
        if (told,) in opened.context.warned:
            told = ""
        opened.context.warned.add((told,))
        console.say(f"{told}The {what} is in {path}; s shows it.")
    return ""


def _from_here(path: Path) -> Path:
    """Return a path as it is typed in the folder one is in, where that is above it."""
    try:
        return path.relative_to(Path.cwd())
    except (OSError, ValueError):
        return path


def refuse(  # noqa: PLR0913 (a reply's faults, and how it is asked for once more)
    opened: "OpenKit",
    why: str,
    problems: Sequence[Problem],
    manner: ExchangeOptions,
    *,
    repair: str,
    hint: str | None = WHOLE_ANSWER,
    told: Mapping[str, Any] = MappingProxyType({}),
    kept: str = "",
) -> NoReturn:
    """Refuse a reply, for a program or a person; `repair` is the prompt that asks once more.

    `told` are further values for a program, `kept` says where the reply lies.
    """
    if manner.as_json:
        opened.console.result_json({"problems": problems_json(problems), "repair": repair, **told})
    raise UnusableError(why, hint=hint, repair=repair, kept=kept)


def ask_for_rest(
    opened: "OpenKit", waiting: Exchange, command: str, repair: str, manner: ExchangeOptions
) -> str:
    """Keep what came through of a reply, and hand out the request for the rest; return a hint on how.

    `waiting` is the exchange with that part of its reply. The hint is NOT_KEPT where the kit cannot be
    written.
    """
    if manner.dry_run:
        return "without --dry-run, what came is kept and you are asked for the rest"
    if not hand_out(opened, waiting, command, repair):
        return NOT_KEPT
    opened.context.stays = "what came of the answer"
    how = copy_repair(opened, repair)
    if how:
        from reel_cli.terminal import clipboard

        # at a question no command can be typed; its key shows the same
        way = "s shows it" if opened.context.pasted else f"this prints it:  {_prints(command, waiting)}"
        if how == clipboard.BY_TERMINAL:
            told = "the terminal was asked to copy a short request for the rest: paste it into the same chat"
            return f"{told}; if pasting brings nothing, {way}"
        return "a short request for the rest was copied: paste it into the same chat"
    if opened.context.pasted:
        # the question stands below, and its key shows it
        return "to ask for the rest, paste into the same chat what s shows"
    return f"to ask for the rest, paste into the same chat what this prints:  {_prints(command, waiting)}"


def copy_repair(opened: "OpenKit", repair: str) -> str | None:
    """Copy a request for the rest, where a person is to paste it; how, or None where it was not copied."""
    if opened.context.wired or not opened.console.interactive:
        return None
    from reel_cli.terminal import clipboard

    return clipboard.copy(repair)


def go_on(opened: "OpenKit", manner: "ExchangeOptions", question: str = GO_ON) -> bool:
    """Return whether to go on with the next of several: ask, unless prompts are sent without asking."""
    via = opened.context.via
    if manner.yes and not manner.dry_run and not manner.as_json and via is not None and via.sends:
        return True
    return opened.console.interactive and opened.console.confirm(question)
