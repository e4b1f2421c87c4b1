"""`reel recall`: find a moment again, and tell it as one remembers it."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.terminal.options import AsJson, At, Copy, DryRun, Prompt, Reply, Yes
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reel_cli.features.recall.moments import Moment
    from reel_cli.features.recall.recall import Recollection
    from reel_cli.features.recall.recall_answer import RecallAnswer, RecallRequest
    from reel_cli.terminal.open_kit import OpenKit

LONGEST_LINE = 1 << 16
"""Bytes above which a line of queries is cut."""


NAMED = 3
"""Number of words named that no message has."""
PROMOTIONS = ("memory", "exemplar")
_EMPTY = "Nothing is recorded yet, so there is nothing to find. When a chat is over:  reel end"
_TAKEN_BACK = "Every recorded chat was taken back, so there is nothing to find."


class _Recall(ExchangeCommand):
    """The command as it is typed: a bare `--promote` makes a memory."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401
        """Parse the arguments, with what a bare `--promote` leaves unsaid."""
        end = args.index("--") if "--" in args else len(args)
        if "--promote" in args[:end]:
            after = args.index("--promote") + 1
            if after >= end or args[after] not in PROMOTIONS:
                args = [*args[:after], PROMOTIONS[0], *args[after:]]
        return super().parse_args(ctx, args)


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(
        "recall",
        cls=_Recall,
        epilog="Example:  reel recall what did the residency want from me  --since 2026-02",
    )(recall)


def recall(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="QUERY...", help="What to remember; - reads one query a line, for programs."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, metavar="N", help="At most N moments.")
    ] = None,
    tokens: Annotated[int | None, typer.Option(min=1, metavar="N", help="At most N tokens in all.")] = None,
    tag: Annotated[str, typer.Option(metavar="TAG", help="Only moments of memories with this tag.")] = "",
    origin: Annotated[
        Literal["stage", "chain"] | None,
        typer.Option(case_sensitive=False, help="Only what came from STAGE or CHAIN records."),
    ] = None,
    since: Annotated[
        str, typer.Option(metavar="WHEN", help="From this day (2026-02-10, 2026-02) or chat on.")
    ] = "",
    until: Annotated[
        str, typer.Option(metavar="WHEN", help="Until the end of this day; or before this chat.")
    ] = "",
    session: Annotated[str, typer.Option(metavar="ID", help="Only this chat.")] = "",
    thread: Annotated[
        bool, typer.Option("--thread", help="Also what led to the moment and what came of it, in order.")
    ] = False,
    copy: Copy = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show why each was found, how certain it is, and what was skipped."),
    ] = False,
    as_json: AsJson = False,
    promote: Annotated[
        Literal["memory", "exemplar"] | None,
        typer.Option(
            help="Keep the moment as a memory, or as an example of how the persona sounds (exemplar)."
        ),
    ] = None,
    hit: Annotated[
        int, typer.Option("--hit", min=1, metavar="N", help="Number of the moment to promote.")
    ] = 1,
    title: Annotated[str, typer.Option(metavar="TITLE", help="The title of the example.")] = "",
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    at: At = None,
) -> None:
    """Find a moment again, in what was said and in what is remembered."""
    from reel_cli.features.recall.open_recollection import note_recalls, open_recollection, tell_troubles
    from reel_cli.features.recall.recall_answer import RecallRequest, clearest
    from reel_cli.features.recall.recall_query import Scope

    words = " ".join(query or []).strip()
    scope = Scope(tag=tag.strip(), origin=origin or "", since=since, until=until, session=session)
    lines = words == "-"
    wish = RecallRequest(
        limit=limit,
        tokens=tokens,
        nearest=explain,
        apart=as_json or lines,
        scope=scope,
        resume=True,
        thread=thread,
        asker="user",
    )
    if promote is None and (prompt or reply is not None or yes or dry_run or hit > 1 or title):
        message = "--prompt, --reply, --yes, --dry-run, --hit and --title go with --promote."
        raise UsageError(message, hint="reel recall QUERY --promote")
    if lines and (promote or copy):
        message = "Many queries at once are for programs; nothing can be copied or kept."
        raise UsageError(message, hint="ask one query by itself")
    if promote is not None and at is not None:
        message = "--at looks back and changes nothing, so it does not go with --promote."
        raise UsageError(message, hint="leave out  --at")
    opened: OpenKit = ctx.obj.open_kit()
    if at is None:
        wish = replace(wish, today=opened.now().date())
    if promote is not None:
        from reel_cli.features.recall.promote_walk import PromoteRequest, promote_moment
        from reel_cli.terminal.converse import ExchangeOptions

        asked = PromoteRequest(words, wish, hit, title, prompt=prompt, reply=reply)
        promote_moment(opened, promote, asked, ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run))
        return
    if not words and opened.console.interactive and not as_json:
        words = opened.console.ask("What are you looking for?").strip()
    if not words:
        message = "Say what to look for."
        raise UsageError(message, hint="reel recall what did the residency want from me")
    opened.look_back(at)
    with open_recollection(opened) as recollection:
        if lines:
            _answer_lines(opened, recollection, wish, explain=explain)
            return
        found = recollection.recall(words, wish)
        tell_troubles(opened, recollection.told)
        near = {} if as_json or copy or found.known else recollection.nearest_words(found)
        more = 0
        if not (as_json or explain or limit or tokens):
            few = clearest(found)
            more = len(found.moments) - len(few)
            shown = recollection.only(found, *few)
            found = replace(shown, known=found.known, standing=found.standing)
        note_recalls(opened, recollection, [found], asked=True)
    if as_json:
        opened.console.result_json({**answer_json(found, explain=explain), **opened.told_then()})
    else:
        _show(opened, found, empty=_why_empty(opened, recollection), copy=copy, explain=explain, more=more)
        for word, meant in near.items():
            _offer_word(opened, words, word, meant)


def _why_empty(opened: "OpenKit", recollection: "Recollection") -> str:
    """Return why there is nothing to find in a kit; "" where there is."""
    if recollection.standing or recollection.pointers.all:
        return ""
    return _TAKEN_BACK if opened.snapshot.sessions else _EMPTY


def answer_json(found: "RecallAnswer", *, explain: bool = False) -> dict[str, Any]:
    """Return an answer as JSON values (public contract)."""
    from reel_cli.core.values.search import ENDED_FACT

    name, text = found.known or ("", "")
    over = name.startswith(ENDED_FACT)
    known = {"id": name.removeprefix(ENDED_FACT).removeprefix("fact "), "text": text} if name else None
    value: dict[str, Any] = {
        "query": found.query,
        "known": None if over else known,
        "over": known if over else None,
        "hits": [_hit_json(moment, explain=explain) for moment in found.moments],
        "standing": [
            {"session": one.session, "message": one.message, "text": one.text} for one in found.standing
        ],
        "discarded": found.discarded,
        "confidence": round(found.confidence, 4),
        "left_out": found.left,
        "unsure": bool(found.lacking),
    }
    if found.thread:
        value["thread"] = found.thread
        value["course"] = found.course
    if explain:
        value["threshold"] = round(found.threshold, 4)
        value["terms"] = dict(found.terms)
        value["nearest"] = [_hit_json(moment, explain=True) for moment in found.passed]
    return value


def _hit_json(moment: "Moment", *, explain: bool) -> dict[str, Any]:
    span = moment.span
    value: dict[str, Any] = {
        "session": moment.session,
        "message": moment.message,
        "span": list(span) if span else None,
        "speaker": moment.speaker,
        "time": moment.time,
        "score": round(moment.hit.score, 4),
        "confidence": round(moment.hit.confidence, 4),
        "text": moment.text,
    }
    if moment.reason:
        value["reason"] = moment.reason
    if explain:
        value["terms"] = list(moment.hit.terms)
        value["through"] = moment.hit.note or moment.hit.lead
    return value


def _answer_lines(
    opened: "OpenKit", recollection: "Recollection", wish: "RecallRequest", *, explain: bool
) -> None:
    """Answer each line of standard input with a line of JSON, as soon as it is there."""
    import json

    from reel_cli.features.recall.open_recollection import note_recalls, tell_troubles

    tell_troubles(opened, recollection.told)
    said = len(recollection.told)
    answers = []
    try:
        for query in _lines():
            found = recollection.recall(query, wish)
            tell_troubles(opened, recollection.told[said:])
            said = len(recollection.told)
            # in ASCII, so that no character can be taken for a line's end
            opened.console.result(json.dumps(answer_json(found, explain=explain)), whole=True)
            opened.console.flush()
            answers.append(found)
    finally:
        note_recalls(opened, recollection, answers)


def _lines() -> "Iterator[str]":
    """Yield the lines of standard input, each up to a sensible length."""
    stream = sys.stdin.buffer if sys.stdin is not None else None
    while stream is not None and (line := stream.readline(LONGEST_LINE)):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE)
        yield line.decode("utf-8", "replace").removeprefix("\ufeff")


def _show(
    opened: "OpenKit", found: "RecallAnswer", *, empty: str, copy: bool, explain: bool, more: int
) -> None:
    console = opened.console
    block = found.text
    _say_missing(opened)
    _say_unsure(opened, found)
    if not found.moments and found.known is None:
        console.say(_nothing(found, empty=empty, explain=explain))
        if not block:
            if explain:
                _explain(opened, found)
            elif found.passed and not (empty or found.left):
                # beside the result, so that a program reads none
                near = found.passed[0].text.split("\n")
                console.say("\n" + "\n".join(console.wrap(line, console.err, hang="  ") for line in near))
            return
    if copy:
        from reel_cli.features.recall.recall_answer import as_lived

        _copy(opened, as_lived(found).text)
    else:
        if found.known is not None:
            from reel_cli.core.kit.known_facts import tell_to_person

            known = (found.known[0], tell_to_person(opened.snapshot, found.known[1]))
            block = replace(found, known=known).text
        lines = "\n".join(console.wrap(line, console.out, hang="  ") for line in block.split("\n"))
        console.result(lines, strong=matches(found))
    if explain:
        _explain(opened, found)
    elif not copy:
        _say_ways_on(opened, found, more)


def _say_missing(opened: "OpenKit") -> None:
    """Say which recorded chats are not in the kit's folder, so that nothing in them was found."""
    from reel_cli.core.files.kit_files import restore_command
    from reel_cli.core.kit.kit_damage import list_missing
    from reel_cli.core.values.change import name_some
    from reel_cli.core.values.talk import session_of

    if opened.past is not None or opened.then is not None:
        return
    missing = list_missing(opened.root, opened.repository, under=("tape/",))
    chats = [(path, session) for path in missing if (session := session_of(path)) is not None]
    if not chats:
        return
    named = name_some([session for _, session in chats], NAMED)
    files, were = ("The file", "was") if len(chats) == 1 else ("The files", "were")
    console = opened.console
    told = f"{files} of {named} {'is' if len(chats) == 1 else 'are'} missing, and {were} not searched."
    console.say(console.wrap(told, console.err))
    console.next_step(f"To bring back what is missing:  {restore_command([path for path, _ in chats])}")


def _say_ways_on(opened: "OpenKit", found: "RecallAnswer", more: int) -> None:
    """Say below an answer how to see more, to paste it and to keep it."""
    from reel_cli.features.recall.moments import first_of_chat
    from reel_cli.terminal.clipboard import can_copy

    console = opened.console
    console.say()
    if found.thread:
        console.say(_order_told(found))
    if more:
        others = "1 other moment is" if more == 1 else f"{more:,} other moments are"
        why = "less certain, or came by another way" if found.led else "less certain"
        console.say(f"{others} {why}; to see more, add  -n {len(found.moments) + more}")
    if can_copy():
        console.next_step("To paste it, add  --copy")
    if opened.then is None and (number := first_of_chat(found.moments)):
        which = f" --hit {number}" if number > 1 else ""
        console.next_step(f"To keep it as a memory, add  --promote{which}")


def _say_unsure(opened: "OpenKit", found: "RecallAnswer") -> None:
    """Say above moments that are unsure which words of the query, as typed, no message has."""
    import re

    from reel_cli.core.values.change import name_some

    if not found.lacking:
        return
    typed = (re.search(rf"(?i)\b{re.escape(word)}\b", found.query) for word in found.lacking)
    words = [f"“{at[0] if at else word}”" for word, at in zip(found.lacking, typed, strict=True)]
    opened.console.say(f"Unsure, since no message has {name_some(words, NAMED)}. The nearest:")


def _offer_word(opened: "OpenKit", query: str, word: str, meant: str) -> None:
    """Say which word of the chats a word was perhaps meant to be, with the command that looks for that."""
    import re

    from reel_cli.core.evidence.grounding.lexicon import STOP
    from reel_cli.core.shell import quote

    if meant.casefold() in STOP:
        # nobody looks for `does`
        return
    # a word that begins a sentence of the chats has a capital there
    meant = meant.lower() if re.search(rf"\b{re.escape(word)}\b", query) else meant
    opened.console.say(f"Nothing has “{word}”; did you mean “{meant}”?")
    again = re.sub(rf"(?i)\b{re.escape(word)}\b", meant, query)
    opened.console.next_step(f"If so:  reel recall {quote(again)}")


def _order_told(found: "RecallAnswer") -> str:
    """Return in which order a thread's moments, and those after them, are told."""
    order = f"n the order in which “{found.thread}” came up"
    if found.course == len(found.moments):
        return f"I{order}."
    return f"The first {found.course} are i{order}; then comes what else was found."


def matches(found: "RecallAnswer") -> "Callable[[str], bool]":
    """Return a function that says of a word whether it, or another form of it, was searched for and found."""
    from reel_cli.core.tape.search.forms import match_words

    return match_words(word for moment in found.moments for term in moment.hit.terms for word in term.split())


def _copy(opened: "OpenKit", block: str) -> None:
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.terminal import clipboard

    how = clipboard.copy(block)
    if how is None:
        message = f"It could not be copied: {clipboard.why_not(block)}."
        raise ReelError(message, hint="print it without --copy")
    size = get_tokenizer(opened.snapshot.settings.tokenizer).count(block)
    unsure = "; if pasting brings nothing, leave out --copy" if how == clipboard.BY_TERMINAL else ""
    opened.console.say(f"{clipboard.copied(how)} {size:,} tokens. Paste it into the chat{unsure}.")


def _nothing(found: "RecallAnswer", *, empty: str, explain: bool) -> str:
    """Return why there is no answer, in a sentence or two; `empty` is the text if no session counts."""
    if empty:
        return empty
    if found.left:
        return "What was found does not fit into that many tokens; allow more with  --tokens"
    if not found.passed:
        return "Nothing was found."
    nearest = found.passed[0]
    if not explain:
        return "Nothing certain enough was found. The nearest, though unsure:"
    when = f" was on {nearest.heading}" if nearest.heading else f" is “{nearest.words}”"
    return f"Nothing certain enough was found. The nearest{when}."


def _explain(opened: "OpenKit", found: "RecallAnswer") -> None:
    """Show, on stderr, what led to what was found, and what was passed over."""
    console = opened.console
    console.say()
    if found.terms:
        words = ", ".join(f"{word} ({times:,})" for word, times in found.terms.items())
        console.say(f"Words looked for, and in how many messages each is: {words}")
    if found.lifted:
        console.say(f"What is tagged {found.lifted} counts for more, because the query mentions it.")
    sure = [moment.hit.confidence for moment in found.moments]
    if not (found.lifted or found.thread) and sure != sorted(sure, reverse=True):
        console.say("In order of what fits best, its threads counted; how certain each is, words alone say.")
    for number, moment in enumerate(found.moments, start=1):
        console.say(f"{number}. {_told_of(moment)}")
    if found.left:
        console.say(f"{found.left:,} more were certain enough, but did not fit.")
    if found.passed:
        console.say(f"Not certain enough (below {_percent(found.threshold)}):")
        for moment in found.passed:
            console.say(f"- {_told_of(moment)}")
            console.say(f"  {_glimpse(moment)}")


def _told_of(moment: "Moment") -> str:
    where = f"{moment.session}, message {moment.message}" if moment.session else "not in a recorded chat"
    from reel_cli.features.recall.remembered_answer import said_terms

    by = moment.hit.note or moment.hit.lead
    said = said_terms(moment)
    own = [term for term in moment.hit.terms if term in said]
    lent = [term for term in moment.hit.terms if term not in said]
    words = f"; by {', '.join(own)}" if own else ""
    through = f"; through {by}" + (f", which alone has {', '.join(lent)}" if lent else "") if by else ""
    return f"{where}: {_percent(moment.hit.confidence)} certain{words}{through}"


def _glimpse(moment: "Moment") -> str:
    from reel_cli.features.recall.moments import clip

    turn = next((turn for turn in moment.turns if turn.number == moment.message), None)
    said = f"{turn.who}: {turn.text}" if turn is not None else moment.words
    return " ".join(clip(said, moment.hit.terms, 160).split())


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"
