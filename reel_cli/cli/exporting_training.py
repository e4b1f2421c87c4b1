"""Samples to train a model on: written as two files, and told of."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.cli.exporting import write_export
from reel_cli.errors import ReelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reel_cli.cli.context import OpenKit
    from reel_cli.model.training import Plan, Refused, Sample

TRAIN, VALIDATION = "train.jsonl", "validation.jsonl"
SHOWN = 5
"""So many refused samples are named one by one."""


def export_training(opened: "OpenKit", out: Path, *, every: bool, force: bool, as_json: bool) -> None:
    """Write `train.jsonl` and `validation.jsonl` into a folder; with `every`, whatever the proportions."""
    from reel_cli.flows.training import gather_samples  # noqa: PLC0415
    from reel_cli.kit.ring0 import read_in_force  # noqa: PLC0415
    from reel_cli.model.training import SHARES, held_back, share_out, spread  # noqa: PLC0415
    from reel_cli.tokens import get_tokenizer  # noqa: PLC0415

    ring0 = read_in_force(opened.snapshot, opened.repository)
    tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
    found = gather_samples(opened.snapshot, ring0, opened.repository, tokenizer)
    of_kind = {kind: [one for one in found.samples if one.kind == kind] for kind in SHARES}
    plan = share_out({kind: len(samples) for kind, samples in of_kind.items()})
    take = {kind: len(samples) for kind, samples in of_kind.items()} if every else plan.take
    chosen = [one for kind, samples in of_kind.items() for one in spread(samples, take[kind])]
    if not chosen:
        message = "There is nothing to train on yet: no session on the tape has an answer in it."
        raise ReelError(message, hint="record a chat first:  reel record")
    later = held_back(found.sessions)
    files = {
        TRAIN: [one for one in chosen if not later.intersection(one.sessions)],
        VALIDATION: [one for one in chosen if later.issuperset(one.sessions)],
    }
    if not out.is_dir():
        message = f"There is no folder {out}."
        raise ReelError(message, hint="make it first; two files are written into it")
    for name, samples in files.items():
        write_export(opened, out / name, _lines(samples), force=force)
    counts = {kind: {"taken": take[kind], "there": len(of_kind[kind])} for kind in SHARES}
    if as_json:
        opened.console.result_json({
            "files": {str(out / name): len(samples) for name, samples in files.items()},
            "kinds": {kind: {**told, "lacking": plan.lacking.get(kind, 0)} for kind, told in counts.items()},
            "refused": [
                {"kind": one.sample.kind, "session": one.sample.sessions[0], "why": one.why}
                for one in found.refused
            ],
        })  # fmt: skip
        return
    _tell(opened, plan, counts, found.refused, every=every)
    for name, samples in files.items():
        opened.console.say(f"Wrote {out / name}: {len(samples):,} sample{'' if len(samples) == 1 else 's'}.")


def _lines(samples: "Iterable[Sample]") -> bytes:
    """One JSON object a line, each with the same keys, so that any loader reads them as one table."""
    rows = (
        {
            "messages": [{"role": role, "content": text} for role, text in one.messages],
            "kind": one.kind,
            "session": one.sessions[0],
        }
        for one in samples
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "replace")


def _tell(
    opened: "OpenKit",
    plan: "Plan",
    counts: "dict[str, dict[str, int]]",
    refused: "Sequence[Refused]",
    *,
    every: bool,
) -> None:
    """Say what was taken, what there is, and what the kit lacks for the protocol's proportions."""
    from reel_cli.model.training import SHARES  # noqa: PLC0415

    console = opened.console
    rows = []
    for kind, (least, most) in SHARES.items():
        lack = plan.lacking.get(kind, 0)
        rows.append(
            (
                kind,
                f"{counts[kind]['taken']:,}",
                f"of {counts[kind]['there']:,}",
                f"{least}–{most} %",
                f"{lack:,} more needed" if lack and not every else "",
            )
        )
    console.say(console.table(("kind", "taken", "there are", "share", ""), rows, right=(1,)))
    if every:
        console.say("All there is was taken, whatever the proportions.")
    elif plan.lacking:
        console.say("As long as some are lacking, the others weigh more than their share.")
    for one in refused[:SHOWN]:
        console.say(f"Left out, {one.sample.kind} of {one.sample.sessions[0]}: {one.why}.")
    if len(refused) > SHOWN:
        console.say(f"{len(refused) - SHOWN:,} more were left out for such reasons.")
