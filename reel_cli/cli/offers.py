"""An exchange about several things at the terminal: prompt out, reply in, each change decided by itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from reel_cli.cli.context import OpenKit
from reel_cli.cli.exchange import Manner, copy_prompt, problems_json, wait_for_reply
from reel_cli.errors import ExitCode, ReelError, StateError
from reel_cli.flows.handout import Handout, Left, Offer


class Limit(Protocol):
    """How much of what is offered may be kept without a separate yes."""

    def beyond(self, offer: Offer) -> str:
        """Why an offer may not be kept without one; "" where it may."""

    def spend(self, offer: Offer) -> None:
        """It was kept."""


@dataclass
class Settled:
    """What became of a reply: what was kept, in which commits, and what stays as it was."""

    kept: list[tuple[Offer, str]] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    stopped: bool = False


def hand_out_several(opened: OpenKit, handout: Handout) -> None:
    """Remember a prompt, so that its reply may come tomorrow."""
    try:
        opened.state.save_exchange(handout.name, handout.stored)
        opened.state.hand_out("prompt", handout.prompt)
    except (OSError, StateError):
        opened.console.say("The kit cannot be written, so this prompt is not remembered.")
        return
    command = f"reel {handout.command} --reply FILE"
    opened.context.waiting = f"the prompt waits; when you have the answer:  {command}"


def walk_offers(
    opened: OpenKit, handout: Handout, manner: Manner, limit: Limit | None = None
) -> Settled | None:
    """Take a person through it: copy the prompt, wait for the reply, decide; None for later."""
    hand_out_several(opened, handout)
    copy_prompt(opened, handout.prompt)
    while (reply := wait_for_reply(opened, handout.command)) is not None:
        try:
            return settle_offers(opened, handout, reply, manner, limit)
        except ReelError as error:
            if error.exit_code is not ExitCode.MENDABLE:
                raise
            opened.console.error(error.message, error.hint)
    return None


def settle_offers(
    opened: OpenKit, handout: Handout, reply: str, manner: Manner, limit: Limit | None = None
) -> Settled:
    """Read a reply and keep of it what is wanted, each a commit of its own.

    What stays as it was is asked for again by itself. Raises ReelError where nothing of the reply can be
    used, or nobody is there to decide.
    """
    answer = handout.read(opened.snapshot, reply)
    if answer.refusal:
        if manner.as_json:
            what = [{"field": "reply", "what": answer.refusal}, *problems_json(answer.problems)]
            opened.console.result_json({"problems": what, "repair": handout.prompt})
        raise ReelError(answer.refusal, hint="copy the model's whole answer, and only that")
    if not manner.yes and not manner.dry_run and not opened.console.interactive and answer.offers:
        message = "Nobody is here to say whether this should be kept."
        raise ReelError(message, hint="add --yes to keep it without a review, or --dry-run to look only")
    settled = Settled(left=list(answer.left))
    for place, offer in enumerate(answer.offers):
        _show(opened, offer, manner)
        why = "" if manner.dry_run else _decide(opened, offer, manner, limit)
        if why == _STOP:
            settled.stopped = True
            settled.left += [
                Left(o.id, o.heading, "not decided yet", again=False) for o in answer.offers[place:]
            ]
            break
        if why:
            settled.left.append(Left(offer.id, offer.heading, why, again=why != _DECLINED))
            continue
        settled.kept.append((offer, "" if manner.dry_run else _keep(opened, offer)))
        if limit is not None:
            limit.spend(offer)
    _finish(opened, handout, settled, manner)
    _report(opened, handout, settled, manner, problems_json(answer.problems))
    return settled


_DECLINED = "you left it as it was"
_STOP = "stop"


def _keep(opened: OpenKit, offer: Offer) -> str:
    applied = opened.commit_all([offer.plan(opened.snapshot)])
    opened.console.say(f"  kept, in commit {applied[0].commit[:7]}")
    return applied[0].commit


def _decide(opened: OpenKit, offer: Offer, manner: Manner, limit: Limit | None) -> str:
    """Why an offer is not kept; "" where it is."""
    over = limit.beyond(offer) if limit is not None else ""
    if manner.yes:
        if offer.doubts:
            return f"its source does not bear it: {offer.doubts[0].what}"
        return over
    if over:
        opened.console.say(f"  {over[:1].upper()}{over[1:]}.")
    usual = "n" if offer.doubts or over else "y"
    answer = opened.console.choose("Keep this? (q stops here)", ["y", "n", "q"], usual)
    return {"y": "", "q": _STOP}.get(answer, _DECLINED)


def _finish(opened: OpenKit, handout: Handout, settled: Settled, manner: Manner) -> None:
    """Remember what is left to ask for, or that nothing is."""
    if manner.dry_run or settled.stopped:
        return
    again = [one.id for one in settled.left if one.again]
    following = handout.repeat(opened.snapshot, again) if again else None
    if following is None:
        opened.state.drop_exchange(handout.name)
        opened.context.waiting = ""
    else:
        hand_out_several(opened, following)


def _show(opened: OpenKit, offer: Offer, manner: Manner) -> None:
    if manner.as_json:
        return
    console = opened.console
    console.say()
    console.say(offer.heading)
    for line in offer.shown:
        console.say(f"  {line}")
    if offer.doubts:
        console.say("  What was said does not bear this:")
        for doubt in offer.doubts:
            console.say(f"    {doubt.what}")


def _report(
    opened: OpenKit, handout: Handout, settled: Settled, manner: Manner, problems: Sequence[dict[str, str]]
) -> None:
    console = opened.console
    again = [one for one in settled.left if one.again]
    if manner.as_json:
        console.result_json(_as_json(opened, handout, settled, problems))
    else:
        if settled.left:
            console.say()
        for one in settled.left:
            console.say(f"Stays as it was: {one.title}. {one.why[:1].upper()}{one.why[1:]}.")
        if manner.dry_run:
            console.say("Nothing was changed (--dry-run).")
        elif again:
            console.next_step(f"To ask for the rest:  reel {handout.command} --prompt")
    if not settled.kept and settled.left and not settled.stopped and not console.interactive:
        message = "None of it was kept; everything is as it was."
        raise ReelError(message, hint=f"ask again:  reel {handout.command} --prompt")


def _as_json(
    opened: OpenKit, handout: Handout, settled: Settled, problems: Sequence[dict[str, str]]
) -> dict[str, Any]:
    waiting = opened.state.exchanges().get(handout.name, {}) if settled.left else {}
    return {
        "commit": next((commit for _, commit in reversed(settled.kept) if commit), None),
        "kept": [{"id": o.id, **o.told, "commit": commit or None} for o, commit in settled.kept],
        "left": [{"id": one.id, "why": one.why} for one in settled.left],
        "problems": list(problems),
        "repair": waiting.get("prompt", "") if any(one.again for one in settled.left) else "",
    }
