"""A page at the terminal: which prompt waits, its reply read and shown, and kept after a person's word."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from reel_cli.core.errors import ReelError, StateError, UnusableError
from reel_cli.core.evidence.phrases import PhraseMatch
from reel_cli.core.exchange.open_ask import Ask, with_parts_of, with_reach_of
from reel_cli.core.files.private import write_private
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.features.page.ask import ask_rest
from reel_cli.features.page.plan import (
    Page,
    PagePlan,
    choose_nearest,
    count_parts,
    limit_to_reply,
    plan_page,
    read_page,
)
from reel_cli.features.page.plan_memory import highest_known, render_lines
from reel_cli.terminal.clipboard import watch_for
from reel_cli.terminal.converse import ExchangeOptions, carry_exchange, copy_repair, hand_out, problems_json
from reel_cli.terminal.given_text import edit_text
from reel_cli.terminal.kept_in_full import show_in_full
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.via import Before, find_transport, follows


def pending(opened: OpenKit, op: str, session: str | None) -> Ask | None:
    """Return the newest prompt of this kind that was handed out and waits for its reply."""
    for value in opened.state.exchanges().values():
        ask = Ask.load(value)
        if ask is not None and ask.op == op and session in (None, ask.session, ask.session or session):
            return ask
    return None


def resume(opened: OpenKit, fresh: Ask, waiting: Ask | None) -> Ask:
    """Return the fresh ask, with the numbers and the kept parts of the prompt that was handed out."""
    if waiting is None or waiting.session not in ("", fresh.session):
        # no prompt was handed out, so no flag was asked about
        return replace(fresh, flags=())
    fresh = with_reach_of(fresh, waiting)
    if waiting.name != fresh.name:
        # it was handed out while the chat went on; now its session is known
        opened.state.drop_exchange(waiting.name)
    fresh = with_parts_of(fresh, waiting)
    parts = waiting.parts if fresh.span is not None else fresh.parts
    return replace(
        fresh,
        items=waiting.items,
        replies=waiting.replies,
        prompt=waiting.prompt,
        parts=parts,
    )


def hand_out_page(opened: OpenKit, ask: Ask) -> None:
    """Remember a page's prompt, so that the reply may come tomorrow and the chat's record knows it.

    Raises StateError while memories are missing: a page about less than the whole would be asked for.
    """
    opened.require_memories()
    hand_out(opened, ask, ask.command)


def settle(opened: OpenKit, ask: Ask, reply: str, manner: ExchangeOptions) -> PagePlan | None:
    """Read a reply and keep it, after the person has seen what it would do; None where they declined.

    Raises ReelError with the repair prompt handed out where the reply cannot be used.
    """
    opened.require_memories()
    handed, ask = ask, limit_to_reply(opened.snapshot, ask, reply)
    if handed.name != ask.name and not manner.dry_run:
        opened.state.drop_exchange(handed.name)
    while True:
        page = read_page(opened.snapshot, ask, reply)
        if page.refusal:
            _refuse(opened, page, manner)
        phrases, problems = _settle_phrases(opened, page, manner)
        tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
        keeping = plan_page(
            opened.snapshot,
            page,
            phrases,
            now=opened.now(),
            tokenizer=tokenizer,
            highest_number=_highest(opened),
            unattended=manner.yes,
            repository=opened.repository,
        )
        keeping = replace(keeping, problems=(*keeping.problems, *problems))
        _show(opened, page, keeping, manner)
        if manner.dry_run:
            opened.console.say("Nothing was changed (--dry-run).")
            _report(opened, keeping, None, manner)
            return keeping
        answer = _decide(opened, keeping, manner)
        if answer == "e":
            # all of the page, also what came through earlier
            reply = edit_text(opened.state.folder / "reply.md", "\n\n".join((*ask.replies, reply)))
            ask = replace(ask, replies=())
            continue
        if answer == "n":
            path = opened.state.folder / "declined.md"
            write_private(path, "\n\n".join((*ask.replies, reply)).encode("utf-8", "replace"))
            hand_out_page(opened, replace(ask, replies=()))
            opened.console.say(f"The kit is as it was. The page lies in {path}")
            opened.console.say(f"The prompt waits for another reply:  reel {ask.command} --reply FILE")
            return None
        try:
            applied = opened.commit(keeping.change)
        except StateError:
            if opened.console.interactive:
                # it may be gone from the clipboard by now, or have been typed in the editor
                opened.console.say(f"The page is kept in {opened.state.hand_out('page', reply)}")
            raise
        _drop_answered(opened, ask)
        opened.context.waiting = ""
        _report(opened, keeping, applied.commit, manner)
        return keeping


def _drop_answered(opened: OpenKit, ask: Ask) -> None:
    """Forget a prompt that is answered, and those of its kind that were handed out for the session before."""
    opened.state.drop_exchange(ask.name)
    for name, value in opened.state.exchanges().items() if ask.op == "checkpoint" else ():
        if (value.get("op"), value.get("session")) == (ask.op, ask.session):
            opened.state.drop_exchange(name)


def walk(
    opened: OpenKit, ask: Ask, manner: ExchangeOptions, *, in_chat: bool = False, first: str = ""
) -> PagePlan | None:
    """Guide a person through it: carry the prompt, take the reply, keep it.

    `in_chat` says that the prompt is meant for the chat it is about; `first` is the prompt that it asks for
    the rest of.
    """
    hand_out_page(opened, ask)
    before: Before | None = None
    if in_chat:
        before = _chat_before(opened, ask.session)
    elif first and ask.replies:
        before = follows(first, "\n\n".join(ask.replies))

    opened.context.watch = watch_for(opened, ask) if manner.watch else None
    return carry_exchange(
        opened, ask, ask.command, lambda asked, reply: settle(opened, asked, reply, manner), before=before
    )


def _chat_before(opened: OpenKit, session: str) -> Before:
    """Return the chat that a prompt is meant for: the bundle, and the session's messages that fit."""

    def messages(room: int) -> Sequence[dict[str, str]]:
        return find_transport().gather_chat(opened, session, room)

    return messages


def report_refusal(opened: OpenKit, page: Page, repair: str, manner: ExchangeOptions) -> None:
    """Show what is wrong with a reply, for a program or a person."""
    if manner.as_json:
        opened.console.result_json({"problems": problems_json(page.problems), "repair": repair})
        return
    if not page.reading.values:
        return  # the sentence that follows says so, and the list would name every part
    for problem in page.problems[:12]:
        opened.console.say(f"  {problem.what}")


def _refuse(opened: OpenKit, page: Page, manner: ExchangeOptions) -> None:
    missing = [key for key in page.missing if key in page.ask.parts]
    repair = ""
    hint: str | None = None if opened.context.wired else "copy the model's whole answer, and only that"
    if page.reading.cut_off and not page.reading.values:
        hint = "ask again, with more room for the answer (a longer response length)"
    if "in the kit already" in page.refusal or "about session" in page.refusal:
        which = "ID" if page.ask.op == "consolidate" else "--session ID"
        hint = f"to say which session it is about:  reel {page.ask.command} {which} --reply FILE"
    if missing and page.reading.values and not page.reading.is_prompt:
        waiting = replace(page.ask, replies=(*page.ask.replies, page.reply))
        repair = ask_rest(waiting, opened.snapshot).prompt
        if not manner.dry_run:
            opened.state.save_exchange(waiting.name, waiting.stored)
            opened.state.hand_out("prompt", repair)
            copied = copy_repair(opened, repair)
        else:
            copied = None
        hint = f"to ask for the rest, paste into the chat what this prints:  reel {page.ask.command} --prompt"
        if copied:
            hint = "a short request for the rest was copied; paste it into the chat"
    report_refusal(opened, page, repair, manner)
    # where nothing was heard at all, the same is asked once more
    again = repair or ("" if page.reading.values else page.ask.prompt)
    raise UnusableError(page.refusal, hint=hint, repair=again)


def _settle_phrases(
    opened: OpenKit, page: Page, manner: ExchangeOptions
) -> tuple[list[PhraseMatch], list[Problem]]:
    console = opened.console
    if manner.yes or manner.dry_run or not console.interactive:
        return choose_nearest(page, opened.snapshot.settings.anchor_similarity)
    kept: list[PhraseMatch] = []
    for phrase in page.phrases:
        if phrase.found is not None:
            kept.append(phrase.found)
        elif phrase.nearest is None:
            console.say(f'"{phrase.claimed}" was not said; it is left out.')
        else:
            console.say("One line to find it by was not said quite so:")
            console.say(f'  on the page  "{phrase.claimed}"')
            console.say(f'  really said  "{phrase.nearest.text}"   (message {phrase.nearest.number})')
            if console.confirm("Take what was really said?"):
                kept.append(phrase.nearest)
    return kept, []


def _highest(opened: OpenKit) -> Callable[[], int]:
    def highest() -> int:
        known = highest_known(opened.snapshot)
        if opened.repository is None:
            return known
        from reel_cli.core.kit.memory_numbers import used_memory_numbers

        return max(known, used_memory_numbers(opened.repository))

    return highest


def _show(opened: OpenKit, page: Page, keeping: PagePlan, manner: ExchangeOptions) -> None:
    if manner.as_json:
        return
    console = opened.console
    got, asked = count_parts(page.ask.parts, page.reading)
    console.say(f"Read the page: {got} of {asked} parts.")
    for heading, lines in keeping.shown:
        console.say()
        console.say(heading)
        for line in lines:
            console.say(f"  {line}")
    if keeping.problems:
        console.say()
        console.say("Worth a look:")
        for problem in keeping.problems:
            console.say(f"  {problem.what}")
    console.say()


def _decide(opened: OpenKit, keeping: PagePlan, manner: ExchangeOptions) -> str:
    if manner.yes:
        return "y"
    if not opened.console.interactive:
        message = "Nobody is here to say whether this should be kept."
        raise ReelError(message, hint="add --yes to keep it without a review, or --dry-run to look only")
    show_in_full(opened, keeping.change)
    return opened.console.choose("Keep all this? (e edits the page)", ["y", "e", "n"], "y")


def _report(opened: OpenKit, keeping: PagePlan, commit: str | None, manner: ExchangeOptions) -> None:
    if manner.as_json:
        opened.console.result_json(
            {
                "commit": commit,
                "checkpoint": keeping.checkpoint,
                "memories": [memory.id for memory in keeping.memories],
                "index": render_lines(keeping.index),
                "problems": problems_json(keeping.problems),
                "changed": [{"what": heading, "lines": list(lines)} for heading, lines in keeping.shown],
                **keeping.told,
                "review": sorted(path for path in keeping.change.writes if path.startswith("review/")),
            }
        )
    elif commit is not None:
        opened.console.result(f"Committed {commit[:7]}.")
        opened.console.next_step(f"Next time:  {manner.begins}")
