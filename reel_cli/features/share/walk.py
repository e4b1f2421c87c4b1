"""Taking a shared memory in, at the terminal: its prompt out, the reply in, one commit in each kit."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Answer, Handout, Offer, find_waiting
from reel_cli.core.kit.memory_numbers import highest_known, used_memory_numbers
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import format_id
from reel_cli.features.share.ask import (
    KIND,
    ShareAsk,
    TakenPage,
    ask_to_take,
    find_unheard,
    read_taking,
)
from reel_cli.features.share.files import LIVED, SharedMemory
from reel_cli.features.share.plan import find_own_stretch, make_taken, note_taken, plan_take
from reel_cli.features.share.policy import heard_by, how_known, may_know
from reel_cli.features.share.shared_kit import SharedKit, find_shared, read_shares, with_shared
from reel_cli.features.share.traces import answer_kind
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, ring0_in_force
from reel_cli.terminal.input.given_text import edit_text
from reel_cli.terminal.offers import OfferResult, settle_offers

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def require_shared(opened: "OpenKit") -> tuple[SharedKit, str]:
    """Return the shared kit that a kit belongs to, and its name there; ReelError where there is none."""
    shares = read_shares(opened.snapshot)
    shared = find_shared(opened.root, shares)
    if shared is None:
        name = opened.snapshot.settings.name
        message = f"{name}'s kit shares nothing yet, and nobody has told it anything."
        raise ReelError(message, hint="to tell another persona of a memory:  reel share M-004 --with KIT")
    return shared, shared.own_name(opened.root, shares.name, opened.snapshot.settings.name)


def require_open(opened: "OpenKit", shared_id: str) -> tuple[SharedKit, str, SharedMemory]:
    """Return a shared memory that this kit may take in; ReelError where it may not, or has."""
    shared, kit = require_shared(opened)
    one = shared.require(shared_id)
    name = opened.snapshot.settings.name
    if one.back:
        opened.state.drop_exchange(f"{KIND}.{shared_id}")
        message = f"{shared_id} was taken back on {one.back}; {name} is not told of it."
        raise ReelError(message, hint="reel share  lists what there is")
    if not may_know(one, kit, shared.groups):
        message = f"{shared_id} is not for {name}."
        if kit == one.giver:
            message = f"{shared_id} is {name}'s own memory {one.memory}."
        raise ReelError(message, hint="reel share  lists what there is")
    known = next((m for m, s in read_shares(opened.snapshot).taken.items() if s == shared_id), "")
    if known:
        message = f"{name} knows it already, as {known}."
        raise ReelError(message, hint=f"reel memory show {known}")
    return shared, kit, one


def taking_walk(
    opened: "OpenKit", shared_id: str, manner: ExchangeOptions
) -> ExchangeWalk[ShareAsk, OfferResult]:
    """Return the walk by which this kit takes a shared memory in."""

    def fresh() -> ShareAsk:
        shared, kit, one = require_open(opened, shared_id)
        return ask_to_take(one, kit, shared, opened.snapshot.settings, ring0_in_force(opened))

    def answered() -> ShareAsk:
        require_open(opened, shared_id)
        return find_waiting(opened.state, ShareAsk, f"{KIND}.{shared_id}") or fresh()

    return ExchangeWalk(
        f"share {shared_id}", answered, fresh, lambda ask, reply: _settle(opened, ask, reply, manner)
    )


def _settle(opened: "OpenKit", ask: ShareAsk, reply: str, manner: ExchangeOptions) -> OfferResult:
    """Read a reply, keep it if it is wanted, and note in the shared kit that it was taken in."""
    ring0 = ring0_in_force(opened)

    def read(snapshot: Snapshot, text: str) -> Answer:
        return _read(opened, snapshot, ask, text, ring0.text)

    while True:
        kind = answer_kind(ask.shared)
        handout = Handout(ask, f"share {ask.shared}", read, page=reply, declined=f"{kind}.md", refused=kind)
        settled = settle_offers(opened, handout, reply, manner)
        if not settled.edit:
            break
        reply = edit_text(opened.console, opened.state.folder / "reply.md", reply)
    if settled.kept and not manner.dry_run:
        note_in_shared(opened, ask.shared)
        if not manner.as_json:
            memory_id = str(settled.kept[0][0].told["memory"])
            opened.console.next_step(
                f"It is in the next bundle. To read it:  reel memory show {memory_id}"
                f"  ; to let go of it:  reel share {ask.shared} --back"
            )
    return settled


def note_in_shared(opened: "OpenKit", shared_id: str) -> None:
    """Note in the shared kit that this kit took a memory in; where that cannot be written, say so."""
    opened.look_again()
    shared, kit = require_shared(opened)
    one = shared.require(shared_id)
    memory_id = next((m for m, s in read_shares(opened.snapshot).taken.items() if s == shared_id), "")
    change = note_taken(one, kit, memory_id, how_known(one, kit, shared.kits), opened.now())
    try:
        shared.commit(opened, change)
    except ReelError as error:
        opened.console.say(f"That could not be noted in the shared kit: {error.message}")


def _read(opened: "OpenKit", snapshot: Snapshot, ask: ShareAsk, reply: str, identity: str) -> Answer:
    shared, kit = require_shared(opened)
    one = shared.require(ask.shared)
    settings = snapshot.settings
    page, why = read_taking(ask, settings, reply)
    if page is None:
        return Answer(refusal=why)
    heard = heard_by(one, kit, shared.kits)
    taken = TakenPage(ask, one, shared.teller_of(one), page, heard)
    made = make_taken(taken, _next_memory(opened, snapshot), opened.now(), heard)
    lived = ask.how == LIVED
    offer = Offer(
        id=ask.shared,
        title=made.title,
        heading=f"{settings.name} {'remembers' if lived else 'was told'}: {made.title}",
        shown=tuple(
            f"+ {line}"
            for text in (page.happened, page.matters)
            for line in text.splitlines()
            if line.strip()
        ),
        plan=partial(_plan, opened, taken),
        doubts=tuple(find_unheard(taken, settings, identity, opened.now())),
        told={"memory": made.id, "how": ask.how, "from": one.giver},
        bearer="what was said there" if lived else f"what {taken.teller} told",
    )
    return Answer(offers=(offer,))


def _plan(opened: "OpenKit", taken: TakenPage, snapshot: Snapshot) -> Change:
    """Return the change that keeps a page, from both kits as they then stand; ReelError if it may not be."""
    shared, kit, one = require_open(opened, taken.ask.shared)
    if how_known(one, kit, shared.kits) != taken.ask.how:
        message = "What was shared has changed since the prompt was made."
        raise ReelError(message)
    taken = replace(taken, one=one)
    heard = heard_by(one, kit, shared.kits)
    own = find_own_stretch(snapshot, heard, one.day)
    memory = make_taken(taken, _next_memory(opened, snapshot), opened.now(), heard, own)
    shares = with_shared(opened.root, read_shares(snapshot), shared, kit)
    return plan_take(snapshot, taken, memory, shares, get_tokenizer(snapshot.settings.tokenizer))


def _next_memory(opened: "OpenKit", snapshot: Snapshot) -> str:
    used = used_memory_numbers(opened.require_repository())
    return format_id(max(highest_known(snapshot), used) + 1)
