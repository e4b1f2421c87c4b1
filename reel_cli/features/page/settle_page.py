"""A reply to a page's prompt: read, shown, and kept after a person's word."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.evidence.phrases import PhraseMatch
from reel_cli.core.exchange.open_ask import Ask, find_answered, read_replies
from reel_cli.core.files.checkpoint_file import session_of_checkpoint
from reel_cli.core.ports import bring_one, is_brought
from reel_cli.core.shell import from_here, quote_path
from reel_cli.core.tape.erasure.purged_chats import has_purges
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import name_some
from reel_cli.features.page.owed_pages import find_at_once
from reel_cli.features.page.plan import PagePlan, digest_plan, plan_page
from reel_cli.features.page.plan_checkpoint import PageTerms
from reel_cli.features.page.read_page import (
    Page,
    choose_nearest,
    limit_to_reply,
    read_page,
    tell_home,
    tell_parts,
)
from reel_cli.features.page.screen.page_view import (
    EditedPage,
    count_short,
    list_caught,
    list_doubts,
    list_short,
    show_edited,
    show_page,
    show_problems,
    show_sections,
)
from reel_cli.features.page.waiting_page import command_of, find_open, is_stopped, tell_waiting_page
from reel_cli.terminal.converse import ExchangeOptions, hand_out, problems_json, remember
from reel_cli.terminal.input.given_text import edit_text, read_given
from reel_cli.terminal.open_kit import OpenKit

_KEYS = {
    "y": "keep it",
    "v": "show every word that would be kept, then ask again",
    "c": "have a model hold it against the chat: copies a prompt, reads the answer, then asks again",
    "e": "change the page in your editor first",
    "n": "drop it; the page is laid aside, and another answer can come later",
    "q": "decide later; the page waits",
}
_NAMED = 4
"""Number of purged words that are named."""


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
    before = EditedPage()
    while True:
        page = _read(opened, ask, reply, manner)
        ask = page.ask
        with _unlost(opened, ask, reply, manner):
            phrases, problems = _settle_phrases(opened, page, manner, settled)
            keeping = _plan(opened, page, phrases, manner)
            keeping = replace(keeping, problems=(*keeping.problems, *problems))
            now = EditedPage(list_short(keeping), list_doubts(keeping, whole=False))
            if before.lines and opened.console.interactive and not manner.as_json:
                show_edited(opened, before, now)
                show_problems(opened, keeping, whole=False)
            elif not manner.as_json:
                show_page(opened, page, keeping, unread=_is_unread(opened, manner), whole=manner.dry_run)
            before = now
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
    with opened.console.waiting("Comparing the page with the chat"):
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
    if not has_purges(opened.snapshot):
        return ask, reply
    from reel_cli.features.page.purged_words import without_purged

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
    opened.console.say("The kit is as it was.")
    again = f"{_takes_page(ask)} --reply {quote_path(from_here(path))}"
    opened.console.say(f"To look at this page again:  {again}")
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
    if list_doubts(keeping, whole=False):
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

            show_sections(opened, keeping, whole=True)
            opened.console.say()
            show_in_full(opened, keeping.change)
            show_problems(opened, keeping, whole=True)
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
                    {"what": heading, "lines": list(lines), "short": count_short(keeping, heading, lines)}
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
            caught = list_caught(keeping)
            also = (
                f" It says otherwise of {name_some(caught, _NAMED)}: decide in  reel review" if caught else ""
            )
            opened.console.next_step(f"A short page asks for no facts.{also}")
            opened.console.next_step(f"To ask for the rest of it later:  reel checkpoint --session {session}")
        opened.console.next_step(following)
