"""A reply to a page's prompt: read, shown, and kept after a person's word."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.evidence.phrases import PhraseMatch
from reel_cli.core.exchange.open_ask import Ask, count_parts, find_answered, list_rest, read_replies
from reel_cli.core.exchange.schema import COUNTED
from reel_cli.core.files.checkpoint_file import session_of_checkpoint
from reel_cli.core.files.working_file import without_day
from reel_cli.core.ports import bring_one, is_brought
from reel_cli.core.shell import from_here, quote_path
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import name_some
from reel_cli.features.page.owed_pages import find_at_once
from reel_cli.features.page.plan import PagePlan, digest_plan, plan_page
from reel_cli.features.page.plan_checkpoint import PageTerms
from reel_cli.features.page.proposals import HEADING as TO_DECIDE
from reel_cli.features.page.purged_words import without_purged
from reel_cli.features.page.read_page import (
    Page,
    choose_nearest,
    limit_to_reply,
    read_page,
    tell_home,
    tell_parts,
)
from reel_cli.features.page.waiting_page import command_of, find_open, is_stopped, tell_waiting_page
from reel_cli.terminal.converse import ExchangeOptions, hand_out, problems_json, remember
from reel_cli.terminal.input.given_text import edit_text, read_given
from reel_cli.terminal.open_kit import OpenKit

_KEYS = {
    "y": "keep it (Enter does the same)",
    "v": "show every word that would be kept, then ask again",
    "c": "have a model hold it against the chat: copies a prompt, reads the answer, then asks again",
    "e": "change the page in your editor first",
    "n": "keep nothing; the page is laid aside, and another answer can come later",
    "q": "decide later; the page waits",
}
_NOTED_IN = re.compile(r"\s*\(noted [^()]{1,40}\)(?=”)")
"""Pattern of the day of a note inside quotation marks."""
_KIND_OF_FACT = re.compile(r"^[\w -]{1,30}, (?=[^:]{1,40}: )")
_NAMED = 4
"""Number of missing parts that are named."""
_OF_ITSELF = frozenset(("shifted",))
"""Parts of a page in which the persona looks at itself: what is odd there changes nothing that is kept."""


def settle(opened: OpenKit, ask: Ask, reply: str, manner: ExchangeOptions) -> PagePlan | None:
    """Read a reply and keep it, after the person has seen what it would do; None where they declined.

    Raises ReelError with the repair prompt handed out where the reply cannot be used.
    """
    opened.require_memories()
    reply = _with_waiting(opened, ask, reply)
    ask = find_answered(ask, (opened.snapshot.settings.name,), reply)
    handed, ask = ask, replace(limit_to_reply(opened.snapshot, ask, reply), stopped="")
    if handed.name != ask.name and not manner.dry_run:
        opened.state.drop_exchange(handed.name)
    ask, reply = _without_purged(opened, ask, reply, manner)
    settled: dict[str, bool] = {}
    before: Sequence[str] = ()
    while True:
        page = _read(opened, ask, reply, manner)
        ask = page.ask
        with _unlost(opened, ask, reply, manner):
            phrases, problems = _settle_phrases(opened, page, manner, settled)
            keeping = _plan(opened, page, phrases, manner)
            keeping = replace(keeping, problems=(*keeping.problems, *problems))
            lines = _list_short(keeping)
            if before and opened.console.interactive and not manner.as_json:
                _show_edited(opened, before, lines)
                _show_problems(opened, keeping, whole=False)
            else:
                _show(opened, page, keeping, manner, whole=manner.dry_run)
            before = lines
            told = {**tell_parts(page), "digest": digest_plan(page, keeping)}
            if manner.dry_run:
                if page.home is not None:
                    opened.console.say(tell_home(opened.snapshot, page.ask, page.home, page.reply))
                opened.console.say("Nothing was changed (--dry-run).")
                _report(opened, keeping, None, manner, told)
                return keeping
            if manner.seen not in ("", told["digest"]):
                message = "This is not the page that was shown: the answer or the kit is another by now."
                raise ReelError(message, hint="look at it again with  --dry-run --json")
            answer = _decide(opened, page, keeping, manner)
        if answer == "e":
            # the whole page, including what came earlier
            reply = edit_text(
                opened.console, opened.state.folder / "reply.md", "\n\n".join((*ask.replies, reply))
            )
            ask = replace(ask, replies=())
            continue
        if answer in {"n", "q"}:
            (_decline if answer == "n" else _defer)(opened, ask, reply)
            return None
        commit = _keep(opened, keeping, reply, manner)
        _drop_answered(opened, ask)
        opened.context.waiting = ""
        _report(opened, keeping, commit, manner, told)
        return keeping


def _plan(opened: OpenKit, page: Page, phrases: Sequence[PhraseMatch], manner: ExchangeOptions) -> PagePlan:
    tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
    with opened.console.waiting("Holding the page against the tape"):
        # where nobody can be asked, the screen shows what --yes then keeps
        unread = _is_unread(opened, manner)
        terms = PageTerms(
            opened.now(), tokenizer, _highest(opened), unread, opened.repository, opened.context.answered_by
        )
        return plan_page(opened.snapshot, page, phrases, terms)


def _is_unread(opened: OpenKit, manner: ExchangeOptions) -> bool:
    """Return whether nobody is asked about a page before it is kept."""
    return manner.yes or not (manner.seen or manner.dry_run or opened.console.interactive)


def _with_waiting(opened: OpenKit, ask: Ask, reply: str) -> str:
    """Return the page that waits at its question, where a reply is a part of it; else the reply."""
    if not is_stopped(ask):
        return reply
    page, alone = read_given(ask.stopped), replace(ask, replies=())
    given, whole = (read_replies(alone, (opened.snapshot.settings.name,), text) for text in (reply, page))
    if not given.values or not given.missing:
        return reply
    if any(given.text(key) != whole.text(key) for key in given.values):
        return reply
    opened.console.say(tell_waiting_page(opened, ask))
    return page


def _without_purged(opened: OpenKit, ask: Ask, reply: str, manner: ExchangeOptions) -> tuple[Ask, str]:
    """Return the ask and the reply without what may be purged from the chat, unless a person says no."""
    cut, rest, words = without_purged(opened.snapshot, ask, reply)
    if not words:
        return ask, reply
    console = opened.console
    named, it = name_some([f"“{one}”" for one in words], _NAMED), "it" if len(words) == 1 else "them"
    console.say(f"The page has {named}, and the chat does not: this may be what you purged from it.")
    asks = not (manner.yes or manner.seen or manner.dry_run) and console.interactive
    if asks and not console.confirm(f"Leave {it} out of the page?"):
        return ask, reply
    if not asks:
        console.say(f"The page is read without {it}.")
    return cut, rest


def _read(opened: OpenKit, ask: Ask, reply: str, manner: ExchangeOptions) -> Page:
    """Return the page that a reply is; raises ReelError where it is refused."""
    with opened.console.waiting("Reading the page"):
        page = read_page(opened.snapshot, ask, reply)
    unasked = manner.yes or not (manner.seen or opened.console.interactive)
    if page.home is not None and not page.refusal and unasked and not manner.dry_run:
        # nobody is here to say that it is the page of this chat all the same
        page = replace(page, refusal=tell_home(opened.snapshot, page.ask, page.home, page.reply))
    if page.refusal:
        from reel_cli.features.page.refusal import refuse_page

        refuse_page(opened, page, manner)
    return page


def _keep(opened: OpenKit, keeping: PagePlan, reply: str, manner: ExchangeOptions) -> str | None:
    """Commit a page and return the commit; where the kit refuses it, the reply lies in a file."""
    try:
        # with --yes nobody was shown what is doubted
        day = opened.now().date().isoformat()
        change = keeping.change if manner.yes else keeping.seen(opened.snapshot, day)
        return opened.commit(change).commit
    except StateError:
        if opened.console.interactive:
            # the reply may be gone from the clipboard by now, or have been typed in the editor
            opened.console.say(f"The page is kept in {opened.state.hand_out('page', reply)}")
        raise


def _decline(opened: OpenKit, ask: Ask, reply: str) -> None:
    """Keep a page that the person declined in a file, and its prompt for another reply."""
    from reel_cli.terminal.input.reply_input import later

    path = _put_aside(opened, ask, reply)
    command = command_of(opened.snapshot, ask)
    hand_out(opened, replace(ask, replies=()), command)
    opened.console.say(f"The kit is as it was. The page is in {from_here(path)}")
    opened.console.say(f"The prompt waits for another reply:  {later(opened, command)}")


def _defer(opened: OpenKit, ask: Ask, reply: str) -> None:
    """Keep a page for later, neither kept nor declined."""
    way = _set_waiting(opened, ask, reply)
    opened.console.say("The kit is as it was, and the page is not lost.")
    opened.console.next_step(f"To go on with it:  {way}")


def _set_waiting(opened: OpenKit, ask: Ask, reply: str) -> str:
    """Keep a page in a file until it is decided on, and return the command that shows it again."""
    path = _put_aside(opened, ask, reply)
    noted = hand_out(opened, replace(ask, replies=(), stopped=str(path)), ask.command)
    if noted and opened.context.ends and find_open(opened) == ask.session:
        last = ask.session == standing_sessions(opened.snapshot)[-1]
        at_once = last or find_at_once(opened) == ask.session
        return "reel end" if at_once else f"reel checkpoint --session {ask.session}"
    return f"{_takes_page(ask)} --reply {quote_path(from_here(path))}"


def _put_aside(opened: OpenKit, ask: Ask, reply: str) -> Path:
    """Keep a page that is not in the kit, with what came of it earlier, and return its file."""
    return opened.state.keep_refused("\n\n".join((*ask.replies, reply)))


@contextmanager
def _unlost(opened: OpenKit, ask: Ask, reply: str, manner: ExchangeOptions) -> Iterator[None]:
    """Keep the page in a file before a person is asked: it was pasted, and may be nowhere else.

    Whatever ends the question, Ctrl-C or a closed window, the next `reel end` goes on with it.
    """
    if manner.dry_run or not opened.console.interactive:
        yield
        return
    waits = opened.context.waiting
    try:
        way = _set_waiting(opened, ask, reply)
    except (OSError, StateError):
        # on a read-only disk a person is asked all the same
        yield
        return
    opened.context.waiting = f"the page is not lost. To go on with it:  {way}"
    try:
        yield
    except ReelError:
        # it cannot be kept as it is, so that the prompt waits for another
        remember(opened, ask)
        opened.context.waiting = waits
        raise


def _takes_page(ask: Ask) -> str:
    """Return the command that takes a page of the same chat, whichever chat is recorded meanwhile."""
    if ask.op == "consolidate":
        return f"reel consolidate {ask.session}".rstrip()
    session = f" --session {ask.session}" if ask.session else ""
    return f"reel checkpoint{session}{' --brief' if ask.brief else ''}"


def _drop_answered(opened: OpenKit, ask: Ask) -> None:
    """Forget a prompt that is answered, and those of its kind that were handed out for the session before.

    The page that waited at its question is in the kit now, and no longer in a file of its own.
    """
    stopped = opened.state.exchanges().get(ask.name, {}).get("stopped")
    if stopped:
        opened.state.drop_refused(Path(str(stopped)))
    opened.state.drop_exchange(ask.name)
    for name, value in opened.state.exchanges().items() if ask.op == "checkpoint" else ():
        if (value.get("op"), value.get("session")) == (ask.op, ask.session):
            opened.state.drop_exchange(name)


def _settle_phrases(
    opened: OpenKit, page: Page, manner: ExchangeOptions, settled: dict[str, bool]
) -> tuple[list[PhraseMatch], list[Problem]]:
    """Return the lines to find a page by; a person is asked once for each, and `settled` notes the answer."""
    console = opened.console
    if manner.yes or manner.seen or manner.dry_run or not console.interactive:
        return choose_nearest(page, opened.snapshot.settings.anchor_similarity)
    kept: list[PhraseMatch] = []
    for phrase in page.phrases:
        if phrase.found is not None:
            kept.append(phrase.found)
        elif phrase.nearest is None:
            if not settled.setdefault(phrase.claimed, False):
                settled[phrase.claimed] = True
                console.say(f'"{phrase.claimed}" was not said; it is left out.')
        else:
            if phrase.claimed not in settled:
                # without a person, a line that is so little alike is dropped
                alike = phrase.nearest.likeness >= opened.snapshot.settings.anchor_similarity
                so = "quite so" if alike else "so; what comes nearest is another"
                console.say(f"The page quotes a line that was not said {so}:")
                console.say(f'  on the page  "{phrase.claimed}"')
                console.say(f'  really said  "{phrase.nearest.text}"   (message {phrase.nearest.number})')
                settled[phrase.claimed] = console.confirm("Take what was really said?", default=alike)
            if settled[phrase.claimed]:
                kept.append(phrase.nearest)
    return kept, []


def _highest(opened: OpenKit) -> Callable[[], int]:
    def highest() -> int:
        from reel_cli.core.kit.memory_numbers import highest_known, used_memory_numbers

        known = highest_known(opened.snapshot)
        if opened.repository is None:
            return known
        return max(known, used_memory_numbers(opened.repository))

    return highest


def _show(
    opened: OpenKit, page: Page, keeping: PagePlan, manner: ExchangeOptions, *, whole: bool = False
) -> None:
    """Show what a page would change: the `whole`, or what tells it in short."""
    if manner.as_json:
        return
    console = opened.console
    got, asked = count_parts(page.ask.parts, page.reading)
    left = [f"“{spec.label}”" for spec in list_rest(page.ask, page.reading) if spec.key in COUNTED]
    came = "" if got == asked else f": {got} of {asked} parts, without {name_some(left, _NAMED)}"
    if came or keeping.brief or whole or not console.interactive:
        console.say(f"The {'short ' if keeping.brief else ''}page was read{came}.")
    _show_sections(opened, keeping, whole=whole)
    # there nobody can ask for every word
    _show_problems(opened, keeping, whole=whole, read=not _is_unread(opened, manner))
    if whole:
        console.say()


def _list_short(keeping: PagePlan) -> Sequence[str]:
    """Return the lines that tell a page in short, each with its heading."""
    return [
        f"{heading.removesuffix(f', in  {REVIEW}')}: {_without_days(line).strip()}"
        for heading, lines in keeping.shown
        for line in (lines if heading == TO_DECIDE else keeping.short.get(heading, lines))
    ]


def _show_edited(opened: OpenKit, before: Sequence[str], now: Sequence[str]) -> None:
    """Show what an edit changed of a page that was just told; v tells all of it."""
    console = opened.console
    gone = [one for one in before if one not in now]
    new = [one for one in now if one not in before]
    if not (gone or new):
        console.say("Your edit changes nothing of what was shown. v shows every word.")
        return
    console.say("Changed by your edit:")
    for word, lines in (("was", gone), ("now", new)):
        for line in lines:
            console.say(f"  {word}: {line}")


REVIEW = "reel review"
LATER = 3
"""Number of things to decide later that are named in short."""


def _show_problems(opened: OpenKit, keeping: PagePlan, *, whole: bool, read: bool = True) -> None:
    if told := _list_doubts(keeping, whole=whole, read=read):
        if whole:
            opened.console.say()
        opened.console.say("Worth a look:")
        for what in told:
            opened.console.say(f"  {what}")


def _list_doubts(keeping: PagePlan, *, whole: bool, read: bool = True) -> Sequence[str]:
    """Return what is doubted, each once; in short, not what nobody can tell.

    Where somebody `read` the page in the chat, what waits for a decision of its own is left out as well.
    """
    # two parts of a page may say the same
    return list(
        dict.fromkeys(
            _in_words(one)
            for one in keeping.problems
            if whole or not (one.quiet or (read and (one.field in _OF_ITSELF or one.waits)))
        )
    )


def _show_sections(opened: OpenKit, keeping: PagePlan, *, whole: bool) -> None:
    console = opened.console
    for heading, lines in keeping.shown:
        told = lines if whole else keeping.short.get(heading, lines)
        if not told:
            continue
        if heading == TO_DECIDE and not whole and console.interactive:
            many = "1 thing" if len(told) == 1 else f"{len(told):,} things"
            console.say(f"{many} to decide later:  reel review")
            for line in told[:LATER]:
                console.say(f"  {line}")
            if len(told) > LATER:
                console.say(f"  and {len(told) - LATER:,} more")
            continue
        if whole:
            console.say()
        console.say(heading)
        for line in told:
            console.say(f"  {line if whole else _without_days(line)}")


def _without_days(line: str) -> str:
    """Return a line without the days on which its notes were made, which a bundle has for the persona."""
    return _NOTED_IN.sub("", without_day(line))


def _in_words(problem: Problem) -> str:
    """Return a problem as a person is told it: a fact by its name, without its kind."""
    return _KIND_OF_FACT.sub("", problem.what) if problem.field == "facts" else problem.what


def _decide(opened: OpenKit, page: Page, keeping: PagePlan, manner: ExchangeOptions) -> str:
    checked = bool(keeping.memories) and is_brought("second_looks")
    if checked and opened.sends and opened.snapshot.settings.second_look and not manner.seen:
        _have_checked(opened, keeping)
    if manner.yes or manner.seen:
        return "y"
    if not opened.console.interactive:
        message = "Nothing was kept: without a terminal, reel cannot ask you."
        raise ReelError(message, hint="add --yes to keep it without a question, or --dry-run to only look")
    check = "c has a model check it, " if checked else ""
    question = f"Keep this? (v shows every word, {check}e edits)"
    keys = ["y", "v", *(["c"] if checked else []), "e", "n"]
    foreign = "" if page.home is None else tell_home(opened.snapshot, page.ask, page.home, page.reply)
    default, meanings = "y", {key: _KEYS[key] for key in (*keys, "q")}
    if _list_doubts(keeping, whole=False):
        # what is doubted is not kept by pressing Enter
        default, meanings["y"] = "", "keep it, with what is worth a look"
    if keeping.doubts:
        # nothing asks about these again
        meanings["y"] = "keep it; what is worth a look in the memory is right"
        opened.console.say("y says that what is worth a look in the memory is right. e changes it first.")
    if foreign:
        default, meanings["y"] = "n", "keep it as the page of this chat all the same"
        opened.console.say(foreign)
    while True:
        answer = opened.console.choose(question, keys, default, meanings)
        if answer == "v":
            from reel_cli.terminal.full_view import show_in_full

            _show_sections(opened, keeping, whole=True)
            opened.console.say()
            show_in_full(opened, keeping.change)
            _show_problems(opened, keeping, whole=True)
            opened.console.say(foreign)
        elif answer == "c":
            _have_checked(opened, keeping)
        else:
            return answer


def _have_checked(opened: OpenKit, keeping: PagePlan) -> None:
    """Have a model hold the page's memories against the chat, and show what it says."""
    look_again = bring_one("second_looks", "its doctor")
    try:
        lines = look_again(opened, keeping.change, [memory.id for memory in keeping.memories])
    except ReelError as error:
        opened.console.say(error.message)
        return
    for line in lines:
        opened.console.say(f"  {line}")


def _report(
    opened: OpenKit,
    keeping: PagePlan,
    commit: str | None,
    manner: ExchangeOptions,
    told: Mapping[str, Any],
) -> None:
    if manner.as_json:
        from reel_cli.core.files.index_file import render_line

        opened.console.result_json(
            {
                "commit": commit,
                "checkpoint": keeping.checkpoint,
                "memories": [memory.id for memory in keeping.memories],
                "index": [render_line(line) for line in keeping.index],
                "problems": problems_json(keeping.problems),
                "changed": [
                    {"what": heading, "lines": list(lines), "short": _count_short(keeping, heading, lines)}
                    for heading, lines in keeping.shown
                ],
                **keeping.told,
                **told,
                "review": sorted(path for path in keeping.change.writes if path.startswith("review/")),
            }
        )
    elif commit is not None:
        following = f"Next time:  {manner.begins}   (to take this page back:  reel undo)"
        if keeping.doubts and opened.console.interactive and not manner.yes:
            # `PagePlan.seen` settled them
            opened.console.say("You kept what was doubted, so reel takes it as right and does not ask again.")
        if opened.console.interactive and not keeping.brief:
            opened.console.result(f"Kept. {following}")
            return
        opened.console.result("Kept.")
        if keeping.brief:
            session = session_of_checkpoint(keeping.checkpoint or "")
            opened.console.next_step(
                f"It is a short page. To ask for the rest of it later:  reel checkpoint --session {session}"
            )
        opened.console.next_step(following)


def _count_short(keeping: PagePlan, heading: str, lines: Sequence[str]) -> int:
    """Return how many of a section's lines are shown until a person asks for all."""
    short = keeping.short.get(heading, lines)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(lines, short, strict=False)))
