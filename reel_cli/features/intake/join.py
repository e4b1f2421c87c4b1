"""Merge of the intake queues of two machines: nothing asked twice, no decision lost."""

from reel_cli.features.intake.files import DECIDED, WAITING, join_entries, parse_intake, raw_entries


def join_intake(ours: str, theirs: str, base: str) -> str:
    """Return the other side's file with this one's additions; what either decided waits no more.

    Raises ReelError where one of them cannot be read.
    """
    mine, others, old = (parse_intake(text) for text in (ours, theirs, base))
    was = {one.key for one in old.waiting}
    here, there = ({one.key for one in side.waiting} for side in (mine, others))
    done, settled = ({one.candidate.key for one in side.decided} for side in (mine, others))
    out = [at for at, one in enumerate(others.waiting) if one.key in done or one.key in was - here]
    waits = [
        raw
        for one, raw in zip(mine.waiting, raw_entries(ours, WAITING), strict=True)
        if one.key not in was | there | settled
    ]
    decided = [
        raw
        for one, raw in zip(mine.decided, raw_entries(ours, DECIDED), strict=True)
        if one.candidate.key not in settled
        and one.candidate.key not in {before.candidate.key for before in old.decided}
    ]
    return join_entries(theirs, out, {WAITING: waits, DECIDED: decided})
