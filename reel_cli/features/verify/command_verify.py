"""`reel tape verify`: the proof that every recorded word is still there."""

from typing import TYPE_CHECKING

import typer

from reel_cli.core.errors import ExitCode
from reel_cli.core.values.change import tell_many
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from reel_cli.features.verify.verify import Verdict
    from reel_cli.features.verify.verify_history import Broken
    from reel_cli.terminal.open_kit import OpenKit

SHOWN = 20
"""Maximum number of broken items shown one by one; more are counted, and are in the JSON."""


def verify(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Prove that every word ever recorded is still there, letter for letter."""
    from reel_cli.core.git.last_proof import last_proof, make_proof, note_verified
    from reel_cli.core.moment import stamp
    from reel_cli.features.verify.verify import as_json as told
    from reel_cli.features.verify.verify import verify_tape
    from reel_cli.terminal.kit_warnings import note_altered

    opened: OpenKit = ctx.obj.open_kit(reading=True)
    verdict = verify_tape(opened.snapshot, opened.repository, last_proof(opened.state))
    if opened.unfinished is not None and not verdict.proven:
        # half a purge is not tampering, but cannot be told from it before it is finished
        raise opened.unfinished
    now = stamp(opened.context.now())
    head = opened.repository.head() if opened.repository is not None else None
    # the proof stays noted until everything is well again
    proof = make_proof(now, head, verdict.tape) if verdict.proven and head else None
    note_verified(opened.state, now, len(verdict.broken), proof, mended=_last_put_back(verdict))
    if verdict.broken:
        # once it is put back, what was told of it meanwhile is held against it again
        note_altered(opened)
    if as_json:
        opened.console.result_json(told(verdict))
    else:
        _show_verdict(opened, verdict)
    if not verdict.proven:
        raise typer.Exit(int(ExitCode.ATTENTION))


def _show_verdict(opened: "OpenKit", verdict: "Verdict") -> None:
    console = opened.console
    # as on every screen: retracted sessions are proven too, and counted separately
    gone, unsaid = verdict.taken_back
    sessions, messages = verdict.sessions - gone, verdict.messages - unsaid
    count = f"{tell_many(sessions, 'chat')}, {tell_many(messages, 'message')}"
    if gone:
        mixed = "taken back or purged" if verdict.purged else "taken back"
        how = "purged" if verdict.purged == gone else mixed
        count += f", and {gone:,} {how} with {tell_many(unsaid, 'message')}"
    through = f", through {tell_many(verdict.commits, 'commit')}" if verdict.commits else ""
    if verdict.proven:
        text = f"{count}: every word is as it was recorded{through}."
        if not verdict.sessions:
            text = f"Nothing is recorded yet{through.replace(', through', '; looked through')}."
        console.result(console.wrap(text, console.out))
        if verdict.sources:
            text = f"{tell_many(verdict.sources, 'pointer')} and {tell_many(verdict.anchors, 'phrase')}"
            console.result(console.wrap(f"{text} of the memories match the words they name.", console.out))
    else:
        things = tell_many(len(verdict.broken), "thing")
        is_ = "is" if len(verdict.broken) == 1 else "are"
        text = f"{things} {is_} not as recorded ({count}{through}):"
        console.result(console.wrap(text, console.out))
        for one in verdict.broken[:SHOWN]:
            console.result("\n".join(["", *(_lines(opened, one))]), steps=True)
        if len(verdict.broken) > SHOWN:
            more = len(verdict.broken) - SHOWN
            console.result(f"\nand {more:,} more:  reel tape verify --json", steps=True)
    for one in verdict.mended[:SHOWN]:
        console.say(_tell_mended(one))
    for note in verdict.notes:
        console.say(note)


def _tell_mended(one: "Broken") -> str:
    """Return a sentence on something that was altered and put back."""
    by = f" by {one.commit.short} ({one.commit.time[:10]})" if one.commit is not None else ""
    # another change may have broken it since, so nothing is said of how it is now
    back = f"by {one.put_back.short} ({one.put_back.time[:10]})" if one.put_back is not None else "since"
    return f"{one.path}: {one.what}{by}, and put back {back}."


def _last_put_back(verdict: "Verdict") -> str:
    """Return when something that was altered was put back last (ISO 8601); "" for never."""
    from reel_cli.core.moment import moment

    commits = [one.put_back or one.commit for one in verdict.mended]
    return max((one.time for one in commits if one is not None), key=moment, default="")


def _lines(opened: "OpenKit", one: "Broken") -> list[str]:
    console = opened.console
    place = f"{one.path}, line {one.line:,}" if one.line else one.path
    told = [f"{place}: {one.what}"]
    if one.commit is not None:
        told.append(f"  in {one.commit.short}, {one.commit.time[:10]}, {one.commit.subject}")
    if one.put_back is not None:
        told.append(f"  put back in {one.put_back.short}, {one.put_back.time[:10]}, {one.put_back.subject}")
    # a file in conflict belongs to neither side, and no git command mends it
    half_done = opened.context.half_done if one.commit is None else None
    mend = half_done[1] if half_done else one.mend
    if mend:
        told.append(f"  {mend}")
    return [
        console.wrap(line.strip(), console.out, "  " if line.startswith(" ") else "", "  ") for line in told
    ]
