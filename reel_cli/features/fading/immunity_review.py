"""The immunity review: the persona proposes what must stay, a person decides each (REEL §6.7)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Exchange, Handout, LeftItem, Offer
from reel_cli.core.files.commit_message import MUST_STAY
from reel_cli.core.files.review_file import render_proposal, review_path
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import Memory
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.features.fading.fading import Step
from reel_cli.features.fading.immunity import plan_word
from reel_cli.features.fading.immunity_reply import ImmunityEntry, read_keeping_whole, render_keeping_whole
from reel_cli.features.fading.plan import OP

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.values.holdings import Counter

KIND = "immunity"
MOST = 40
"""Maximum number of memories reviewed in one paste."""
REPLY_SHARE = 4
"""Divisor of the window: this part is left for the reply."""


@dataclass(frozen=True, slots=True)
class ImmunityAsk(Exchange):
    """A prompt that asks which memories must stay, as it tells them."""

    kind = KIND
    name = f"{OP}.{KIND}"

    prompt: str
    ring0: str
    memories: tuple[ImmunityEntry, ...]


class ImmunityReview:
    """An exchange that asks which memories of one kit must stay, and reads the reply."""

    def __init__(self, ring0: "Ring0", counter: "Counter", op: str) -> None:
        """Keep `op`, the operation the commits belong to, and the command that takes the reply."""
        self._ring0 = ring0
        self._counter = counter
        self._op = op

    def make(self, snapshot: Snapshot, steps: Sequence[Step] = ()) -> ImmunityAsk | None:
        """Return the prompt: the immune memories, then those that `steps` would take furthest.

        None where there is nothing to ask.
        """
        chosen: list[Memory] = []
        room = snapshot.settings.cap * (REPLY_SHARE - 1) // REPLY_SHARE
        room -= self._counter.count(self._render(snapshot, []))
        for memory in _candidates(snapshot, steps)[:MOST]:
            room -= self._counter.count(self._render(snapshot, [memory])) - self._counter.count(
                self._render(snapshot, [])
            )
            if room < 0:
                break
            chosen.append(memory)
        if not chosen:
            return None
        told = tuple(_told(memory) for memory in chosen)
        return ImmunityAsk(self._render(snapshot, chosen), self._ring0.blob, told)

    def _render(self, snapshot: Snapshot, chosen: Sequence[Memory]) -> str:
        settings = snapshot.settings
        return render_keeping_whole(
            settings.name, settings.user, self._ring0.text, [_told(m) for m in chosen]
        )

    def hand(self, asked: ImmunityAsk) -> Handout:
        """Return the prompt with the way its reply is read."""

        def read(snapshot: Snapshot, reply: str) -> Answer:
            return self._read(snapshot, reply, asked)

        return Handout(asked, self._op, read)

    def _read(self, snapshot: Snapshot, reply: str, asked: ImmunityAsk) -> Answer:
        if not reply.strip():
            return EMPTY
        words, problems, is_prompt = read_keeping_whole(reply, asked.memories, asked.prompt)
        if is_prompt:
            return NO_ANSWER
        if any(problem.field == "reply" for problem in problems):
            return Answer(refusal="That reply names none of the memories.", problems=problems)
        offers: list[Offer] = []
        left: list[LeftItem] = []
        for word in words:
            name, title = asked.memories[word.number - 1].id, asked.memories[word.number - 1].title
            memory = snapshot.memories.get(name)
            if memory is None or memory.immune == word.immune:
                why = (
                    "it is no longer there" if memory is None else "it was changed after the prompt was made"
                )
                left.append(LeftItem(name, f"{title} ({name})", why, again=False, done=memory is not None))
                continue
            what = "must stay" if word.immune else "may fade after all"
            offers.append(
                Offer(
                    id=name,
                    title=f"{title} ({name})",
                    heading=f"{title} ({name}) {what}",
                    shown=(f"because {word.reason}",),
                    plan=_planner(name, word.reason, asked.ring0, immune=word.immune),
                    told={"immune": word.immune, "why": word.reason},
                )
            )
        nothing = "" if offers or left else "Nothing changes in what must stay."
        return Answer(tuple(offers), tuple(left), problems, nothing=nothing)


def proposal_name(memory_id: str) -> str:
    """Return the name of a proposal about a memory in `review/`."""
    return f"whole-{memory_id}"


def plan_proposals(
    snapshot: Snapshot, asked: ImmunityAsk, offers: Sequence[Offer], op: str, made: str
) -> Change:
    """Plan the persona's proposals as files in `review/`, where a person decides each; `made` is ISO 8601.

    What was proposed of the same memory before is replaced.
    """
    writes: dict[str, bytes | None] = {}
    for offer in offers:
        proposal = Proposal(
            proposal_name(offer.id),
            ReviewKind.IMMUNITY,
            "",
            made,
            snapshot.memories[offer.id].title,
            f"{offer.told['why']}\n",
            memory=offer.id,
            immune=bool(offer.told["immune"]),
        )
        writes[review_path(proposal.id)] = render_proposal(proposal).encode()
    what = "a suggestion" if len(offers) == 1 else f"{len(offers):,} suggestions"
    trailers = (("Reel-Ring0", asked.ring0),)
    return Change(op, f"{what}{MUST_STAY}", writes, trailers)


def _planner(name: str, reason: str, ring0: str, *, immune: bool) -> Callable[[Snapshot], Change]:
    """Return a function that plans one grant or revocation on the kit as it is then."""

    def plan(snapshot: Snapshot) -> Change:
        change = plan_word(snapshot, name, reason, immune=immune)
        if change is None:
            message = "It was changed after the prompt was made."
            raise ReelError(message)
        settled = {
            path: None for path in [review_path(proposal_name(name))] if snapshot.read(path) is not None
        }
        return change.also(settled, ("Reel-Ring0", ring0))

    return plan


def _candidates(snapshot: Snapshot, steps: Sequence[Step]) -> list[Memory]:
    memories = snapshot.memories
    immune = [m for m in memories.values() if m.immune]
    soon = [memories[s.id] for s in steps if s.id in memories and s.after in ("stub", "L4")]
    return list({m.id: m for m in (*sorted(immune, key=lambda m: m.order), *soon)}.values())


def _told(memory: Memory) -> ImmunityEntry:
    try:
        day = day_in_words(date.fromisoformat(memory.order[0][:10]))
    except ValueError:
        day = ""
    return ImmunityEntry(
        memory.title, day, memory.marker or memory.body, memory.immune, memory.immune_reason, memory.id
    )
