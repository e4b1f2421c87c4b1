"""Asking for facts at the terminal: the prompt out, the reply in, what is borne kept."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.exchange.handout import Answer, Handout
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.facts.ask import (
    COMMAND,
    NAME,
    FactsAsk,
    make_facts_ask,
)
from reel_cli.features.facts.plan_reply import answer_facts
from reel_cli.features.facts.rounds import list_rounds
from reel_cli.terminal.exchange_walk import Manner, hand_out, ring0_in_force
from reel_cli.terminal.given_text import read_given
from reel_cli.terminal.offers import settle_offers, walk_offers

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.context import OpenKit


def extract_facts(
    opened: "OpenKit", session: str | None, manner: Manner, *, prompt: bool, reply: str | None
) -> None:
    """The whole exchange, as it was called: the prompt out, a reply in, or both at the terminal."""
    if reply is not None:
        waiting = find_waiting(opened.state, FactsAsk, NAME)
        if waiting is None or session not in (None, waiting.span.session):
            waiting = _fresh(opened, session)
        settle_offers(opened, _handout(opened, waiting, manner), read_given(reply), manner)
        return
    handout = _handout(opened, _fresh(opened, session), manner)
    if prompt or not opened.walks:
        if not manner.dry_run:
            hand_out(opened, handout.ask, handout.command)
        opened.console.result(handout.prompt)
        return
    walk_offers(opened, handout, manner)


def _fresh(opened: "OpenKit", session: str | None) -> FactsAsk:
    """The ask for the next stretch; ReelError where there is none."""
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    gone = [one.span for one in list_rounds(opened.repository)]
    ask = make_facts_ask(opened.snapshot, ring0_in_force(opened), counter, gone, session)
    if ask is None:
        message = f"{session} holds nothing that you said." if session else "Everything was gone through."
        raise ReelError(message, hint="to go through one again:  reel fact extract SESSION")
    return ask


def _handout(opened: "OpenKit", ask: FactsAsk, manner: Manner) -> Handout:
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)

    def read(snapshot: "Snapshot", reply: str) -> Answer:
        return answer_facts(snapshot, ask, reply, counter, opened.now(), unattended=manner.yes)

    return Handout(ask, COMMAND, read)
