"""An exchange about several things at the terminal: prompt out, reply in, each change decided by itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Handout, LeftItem, Offer
from reel_cli.core.files.private import write_private
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import capital
from reel_cli.terminal.console import Console
from reel_cli.terminal.converse import WHOLE_ANSWER, ExchangeOptions, hand_out, problems_json, refuse
from reel_cli.terminal.full_view import show_in_full
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.refused_reply import ASK_AGAIN, tell_refused

_KEYS = {
    "y": "keep it",
    "e": "edit the answer first",
    "n": "leave it as it was",
    "q": "stop here; the rest is not decided",
}


class Limit(Protocol):
    """The limit on what may be kept without a separate confirmation."""

    def beyond(self, offer: Offer) -> str:
        """Return why an offer needs a separate confirmation; "" if it does not."""

    def spend(self, offer: Offer) -> None:
        """Count an offer that was kept."""


@dataclass
class OfferResult:
    """The result of a reply: what was kept, in which commits, and what stays as it was.

    `stopped` where the person left before the end, `edit` where they want to change the answer first;
    `beyond` where something would be over the limit.
    """

    kept: list[tuple[Offer, str]] = field(default_factory=list)
    left: list[LeftItem] = field(default_factory=list)
    stopped: bool = False
    edit: bool = False
    beyond: bool = False
    nothing: str = ""

    @property
    def again(self) -> list[str]:
        """Return the IDs of what another reply may do better."""
        return [one.id for one in self.left if one.again]


def read_answer(opened: OpenKit, handout: Handout, reply: str, manner: ExchangeOptions) -> Answer:
    """Return a reply, read; raises ReelError if nothing of it can be used."""
    answer = handout.read(opened.snapshot, reply)
    if answer.refusal:
        problems = [Problem("reply", answer.refusal), *answer.problems]
        if answer not in (EMPTY, NO_ANSWER) and not manner.dry_run:
            tell_refused(opened, reply, handout.refused)
        hint = ASK_AGAIN if answer.asks_again else WHOLE_ANSWER
        refuse(opened, answer.refusal, problems, manner, repair=handout.prompt, hint=hint)
    return answer


def settle_offers(
    opened: OpenKit, handout: Handout, reply: str, manner: ExchangeOptions, limit: Limit | None = None
) -> OfferResult:
    """Read a reply and keep of it what is wanted, each a commit of its own.

    What stays as it was is asked for again by itself. Raises ReelError where nothing of the reply can be
    used, or nobody is there to decide.
    """
    answer = read_answer(opened, handout, reply, manner)
    if not manner.yes and not manner.dry_run and not opened.console.interactive and answer.offers:
        message = "Nothing was kept: without a terminal, reel cannot ask you."
        raise ReelError(message, hint="add --yes to keep it without a question, or --dry-run to only look")
    if not manner.dry_run:
        opened.context.waiting = f"the prompt waits:  reel {handout.command} --reply FILE"
    settled = OfferResult(left=list(answer.left), nothing=answer.nothing)
    for place, offer in enumerate(answer.offers):
        _show(opened, offer, manner)
        stays = _settle(opened, offer, manner, limit, settled, page=handout.page)
        if settled.edit:
            return settled
        if settled.stopped:
            settled.left += [
                LeftItem(o.id, o.title, "not decided yet", again=False) for o in answer.offers[place:]
            ]
            break
        if stays is not None:
            settled.left.append(stays)
    if not manner.dry_run:
        _finish(opened, handout, settled)
    _report(opened, handout, settled, manner, problems_json(answer.problems))
    return settled


def _settle(  # noqa: PLR0913 (an offer, and all that it is decided by)
    opened: OpenKit,
    offer: Offer,
    manner: ExchangeOptions,
    limit: Limit | None,
    settled: OfferResult,
    *,
    page: str = "",
) -> LeftItem | None:
    """Keep one offer, where it is wanted; else what stays, and why."""
    over = limit.beyond(offer) if limit is not None else ""
    if manner.yes or manner.dry_run:
        if offer.doubts:
            return LeftItem(offer.id, offer.title, f"{offer.bearer} does not bear it", doubts=offer.doubts)
        if over:
            settled.beyond = True
            return LeftItem(offer.id, offer.title, over, again=False)
    else:
        if over:
            opened.console.say(f"  {capital(over)}.")
        _show_in_full(opened, offer)
        usual = "n" if offer.doubts or over else "y"
        keys = ["y", "e", "n", "q"] if page else ["y", "n", "q"]
        edits = "e edits the answer, " if page else ""
        meanings = {key: _KEYS[key] for key in keys}
        answer = opened.console.choose(f"Keep this? ({edits}q stops here)", keys, usual, meanings)
        settled.stopped, settled.edit = answer == "q", answer == "e"
        if answer != "y":
            return LeftItem(offer.id, offer.title, "you left it as it was", again=False)
    # the person may have taken time, and another window may have changed the kit
    opened.look_again()
    try:
        change = offer.plan(opened.snapshot)
    except StateError:
        raise
    except ReelError as error:
        why = error.message.rstrip(".")
        return LeftItem(offer.id, offer.title, f"{why[:1].lower()}{why[1:]}", again=False)
    commit = "" if manner.dry_run else opened.commit_all([change])[0].commit
    if commit and not manner.as_json:
        opened.console.say(f"  kept, in commit {commit[:7]}")
    settled.kept.append((offer, commit))
    if limit is not None:
        limit.spend(offer)
    return None


def _show_in_full(opened: OpenKit, offer: Offer) -> None:
    """Show what else keeping an offer would put into the kit."""
    try:
        change = offer.plan(opened.snapshot)
    except ReelError:
        # the reason why it cannot be kept is given once it is wanted
        return
    show_in_full(opened, change)


def _finish(opened: OpenKit, handout: Handout, settled: OfferResult) -> None:
    """Remember what is left to ask for, if anything; the same prompt where its reply may come again."""
    if settled.stopped or settled.beyond:
        return
    if handout.page and not settled.kept:
        hand_out(opened, handout.ask, handout.command)
        return
    following = handout.repeat(opened.snapshot, settled.again)
    if following is None:
        opened.state.drop_exchange(handout.ask.name)
        opened.context.waiting = ""
    else:
        hand_out(opened, following.ask, following.command)


def _show(opened: OpenKit, offer: Offer, manner: ExchangeOptions) -> None:
    console = opened.console
    # the person who decides must see it, whoever else reads the answer
    if manner.as_json and (manner.yes or manner.dry_run or not console.interactive):
        return
    console.say()
    console.say(offer.heading)
    for line in offer.shown:
        console.say(f"  {line}")
    if offer.doubts:
        console.say(f"  {capital(offer.bearer)} does not say this:")
        for doubt in offer.doubts:
            console.say(f"    {doubt.what}")


def _report(
    opened: OpenKit,
    handout: Handout,
    settled: OfferResult,
    manner: ExchangeOptions,
    problems: Sequence[dict[str, Any]],
) -> None:
    console = opened.console
    if manner.as_json:
        console.result_json(_as_json(opened, handout, settled, problems))
    else:
        _tell(opened, handout, settled, manner)
    unsettled = [one for one in settled.left if not one.done]
    if not settled.kept and unsettled and not console.interactive and not manner.dry_run:
        message = "None of it was kept; nothing was changed."
        raise ReelError(message, hint=_way_on(handout, settled))


def _tell(opened: OpenKit, handout: Handout, settled: OfferResult, manner: ExchangeOptions) -> None:
    """Show the person the result: what stays and why, and the next step."""
    console = opened.console
    if settled.nothing:
        console.say(settled.nothing)
    if settled.left:
        console.say()
    tell_left(console, settled.left)
    if handout.page and settled.left and not settled.kept and not manner.dry_run:
        path = opened.state.folder / handout.declined
        write_private(path, handout.page.encode("utf-8", "replace"))
        console.say(f"Nothing was changed. The answer is in {path}")
    if manner.dry_run:
        console.say("Nothing was changed (--dry-run).")
    elif handout.page and settled.left and not settled.kept and not settled.stopped:
        console.next_step(f"To give another answer:  reel {handout.command} --reply FILE")
    elif settled.again or settled.beyond or settled.stopped:
        console.next_step(_way_on(handout, settled))


def _way_on(handout: Handout, settled: OfferResult) -> str:
    """Return the command that goes on from here."""
    if settled.beyond:
        return f"To keep more in this pass:  reel {handout.command} --reply FILE --beyond-limit"
    if settled.stopped:
        return f"To go on with the same answer:  reel {handout.command} --reply FILE"
    return f"To ask for the rest:  reel {handout.command} --prompt{handout.options}"


def left_json(left: Sequence[LeftItem]) -> list[dict[str, Any]]:
    """Return what stays as it was, as JSON."""
    return [
        {"id": one.id, "title": one.title, "why": one.why, "problems": problems_json(one.doubts)}
        for one in left
    ]


def tell_left(console: Console, left: Sequence[LeftItem]) -> None:
    """Report what stays as it was, and why."""
    for one in left:
        why = f"{capital(one.why)}."
        console.say(f"{'Is so already' if one.done else 'Stays as it was'}: {one.title}. {why}")


def _as_json(
    opened: OpenKit, handout: Handout, settled: OfferResult, problems: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    waiting = opened.state.exchanges().get(handout.ask.name, {}) if settled.again else {}
    return {
        "commit": next((commit for _, commit in reversed(settled.kept) if commit), None),
        "kept": [{"id": o.id, "title": o.title, **o.told, "commit": c or None} for o, c in settled.kept],
        "left": left_json(settled.left),
        "problems": list(problems),
        "repair": waiting.get("prompt", ""),
    }
