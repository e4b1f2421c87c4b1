"""Promotion of a moment that was recalled: to a memory, through an exchange, or to an example."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.files.exemplar_file import exemplar_path
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.memory.exemplars import plan_add
from reel_cli.features.page.ask import ask_rest
from reel_cli.features.recall.kit_recall import note_recalls, open_recollection, tell_troubles
from reel_cli.features.recall.promote import ask_promotion, draft_example
from reel_cli.terminal.exchange_walk import (
    ExchangeOptions,
    hand_out_page,
    pending,
    ring0_in_force,
    settle,
    walk,
)
from reel_cli.terminal.given_text import read_given

if TYPE_CHECKING:
    from reel_cli.features.recall.moments import Moment
    from reel_cli.features.recall.recall import RecallRequest
    from reel_cli.terminal.context import OpenKit


@dataclass(frozen=True, slots=True)
class PromoteRequest:
    """The moment that is meant: the query's `hit`-th; no query if a prompt waits for its reply."""

    query: str
    wish: "RecallRequest"
    hit: int = 1
    title: str = ""
    prompt: bool = False
    reply: str | None = None


def promote_moment(opened: "OpenKit", what: str, asked: PromoteRequest, manner: ExchangeOptions) -> None:
    """Make the moment a `memory` or an `exemplar`."""
    if not manner.dry_run:
        opened.require_repository()
    if what == "memory":
        _memory(opened, asked, manner)
        return
    if asked.prompt or asked.reply is not None:
        message = "An exemplar is taken as it was said; there is nothing to ask a model."
        raise UsageError(message, hint="leave out --prompt and --reply")
    _exemplar(opened, asked, manner)


def _memory(opened: "OpenKit", asked: PromoteRequest, manner: ExchangeOptions) -> None:
    waiting = pending(opened, "promote", None)
    if not asked.query:
        if waiting is None:
            message = "No moment waits for its page."
            raise UsageError(message, hint="say which moment:  reel recall QUERY --promote")
        ask = waiting
    else:
        moment = find_moment(opened, asked, manner)
        if not manner.as_json and asked.reply is None:
            opened.console.say(f"{moment.text}\n")
        tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
        fresh = ask_promotion(opened.snapshot, ring0_in_force(opened), tokenizer, moment)
        ask = find_waiting(opened.state, Ask, fresh.name) or fresh
    if asked.reply is not None:
        settle(opened, ask, read_given(asked.reply), manner)
        return
    ask = ask_rest(ask, opened.snapshot) if ask.replies else ask
    if asked.prompt or not opened.walks:
        if not manner.dry_run:
            hand_out_page(opened, ask)
        opened.console.result(ask.prompt)
        return
    if opened.sends or opened.console.confirm("Make this moment a memory?"):
        walk(opened, ask, manner)


def _exemplar(opened: "OpenKit", asked: PromoteRequest, manner: ExchangeOptions) -> None:
    if not asked.query:
        message = "Say which moment."
        raise UsageError(message, hint="reel recall QUERY --promote exemplar")
    console = opened.console
    draft = draft_example(opened.snapshot, find_moment(opened, asked, manner))
    draft = replace(draft, title=asked.title or draft.title)
    if not (manner.yes or manner.dry_run):
        if not console.interactive:
            message = "Nobody is here to say whether this should be kept."
            raise ReelError(message, hint="add --yes to keep it without a review, or --dry-run to look only")
        console.say(f"{draft.text}\n")
        if not asked.title:
            draft = replace(draft, title=console.ask("What is it called?", draft.title))
        if not console.confirm("Put this into the pool?"):
            console.say("The kit is as it was.")
            return
    change, slug = plan_add(opened.snapshot, draft, added=opened.now().date().isoformat())
    told = f"{change.told[:1].upper()}{change.told[1:]}."
    if manner.dry_run:
        console.result((change.writes[exemplar_path(slug)] or b"").decode())
        console.say(f"{told} Nothing was changed (--dry-run).")
        return
    applied = opened.commit(change.also({}, ("Reel-Session", draft.source.partition("#")[0])))
    if manner.as_json:
        console.result_json({"commit": applied.commit, "exemplar": slug})
        return
    console.result(f"{told} Committed {applied.commit[:7]}.")
    console.next_step(f"To use it:  reel exemplar activate {slug}")


def find_moment(opened: "OpenKit", asked: PromoteRequest, manner: ExchangeOptions) -> "Moment":
    """Return the moment that is meant; raises ReelError if nothing is certain enough."""
    with open_recollection(opened) as recollection:
        wish = replace(asked.wish, limit=max(asked.hit, asked.wish.limit or 0))
        found = recollection.recall(asked.query, wish)
        tell_troubles(opened, recollection.told)
        if asked.hit > len(found.moments):
            if found.moments:
                message = f"Only {len(found.moments)} moments were found."
                raise ReelError(message, hint=f"see them with  reel recall {asked.query}")
            message = "Nothing certain enough was found, so nothing is made of it."
            raise ReelError(message, hint=f"see what came near:  reel recall {asked.query} --explain")
        chosen = found.moments[asked.hit - 1]
        if not manner.dry_run:
            note_recalls(opened, recollection, [recollection.only(found, chosen)])
    return chosen
