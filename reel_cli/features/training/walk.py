"""Samples to train a model on: what there is, what of it is taken, and the files."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.training.policy import (
    SHARES,
    SampleKind,
    choose,
    fills_all,
    has_enough,
    hold_back,
    list_unmet,
    plan_counts,
)
from reel_cli.terminal.export_file import write_export
from reel_cli.terminal.folding import columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.features.training.policy import Plan, Sample
    from reel_cli.features.training.survey import SampleSurvey
    from reel_cli.terminal.open_kit import OpenKit

TRAIN, VALIDATION = "train.jsonl", "validation.jsonl"
"""File names of the two parts, as `datasets` names them, so that a folder loads as it is."""
LABELS = {
    SampleKind.SOLO: "without memory",
    SampleKind.LOADED: "with memory loaded",
    SampleKind.CONSOLIDATION: "keeping a memory",
    SampleKind.CHECKPOINT: "looking at itself",
    SampleKind.RETRIEVAL: "reminded of a moment",
    SampleKind.CONTRADICTION: "told otherwise",
}
"""Names of the kinds on screen."""
MOST_SHARE = 50
WIDE = 62
"""Columns of the whole table."""


def export_training(  # noqa: PLR0913 (what is taken, where it goes, how it is told)
    opened: "OpenKit",
    out: Path | None,
    *,
    window: int | None,
    validation: int,
    seed: int,
    every: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Gather the samples, choose by their shares, and write them where a folder is given."""
    from reel_cli.core.git.revisions import require_history
    from reel_cli.features.recall.open_recollection import open_recollection
    from reel_cli.features.training.recalls import ChatRecalls
    from reel_cli.features.training.samples import gather
    from reel_cli.features.training.survey import Source

    if not 0 <= validation <= MOST_SHARE:
        message = f"Between 0 and {MOST_SHARE} percent can be held back for validation."
        raise UsageError(message, hint="reel export training --validation 10")
    if out is not None:
        _refuse_place(out, force=force)
    repository, _ = require_history(opened.repository, opened.root.resolve().name)
    source = Source(opened.snapshot, opened.root, repository, window)
    with open_recollection(opened) as recollection:
        source.recalls = ChatRecalls(opened.snapshot, recollection, opened.state.pending_touches())
        with opened.console.progress("Going through the chats", source.steps) as advance:
            gathered = gather(source, advance)
    there = gathered.count()
    if not gathered.samples:
        message = "There is nothing yet to train a model on."
        raise ReelError(message, hint="record some chats first:  reel record FILE")
    plan = plan_counts(there)
    taken = choose(gathered.samples, there if every else plan.counts, seed)
    train, held = hold_back(taken, validation * WHOLE // 100, seed)
    files = {TRAIN: train, **({VALIDATION: held} if held else {})}
    if out is not None:
        _write(opened, out, files, force=force)
    if as_json:
        told = _as_json(gathered, taken, files, out)
        opened.console.result_json(told)
        return
    _show(opened, gathered, plan, taken, every=every)
    _tell_files(opened, files, out, validation)


def render_lines(samples: "Sequence[Sample]") -> bytes:
    """Return samples as JSON lines of chat messages, without other line ends inside."""
    lines = []
    for sample in samples:
        messages = [{"role": role, "content": text} for role, text in sample.messages]
        line = json.dumps({"messages": messages}, ensure_ascii=False)
        for separator in ("\x85", "\u2028", "\u2029"):
            line = line.replace(separator, f"\\u{ord(separator):04x}")
        lines.append(f"{line}\n")
    return "".join(lines).encode()


def _refuse_place(out: Path, *, force: bool) -> None:
    """Raise ReelError if a folder cannot be written to as asked, before anything is read."""
    from reel_cli.core.kit.output_place import check_output

    check_output(out)
    if out.exists() and not out.is_dir():
        message = f"{out} is a file; training data is a folder with two files."
        raise ReelError(message, hint="name a folder:  reel export training --out training")
    if not out.absolute().parent.is_dir():
        message = f"There is no folder {out.parent}."
        raise ReelError(message, hint="name a folder in one that is there")
    there = [name for name in (TRAIN, VALIDATION) if (out / name).exists()]
    if there and not force:
        message = f"{out / there[0]} is there already."
        raise ReelError(message, hint="take another folder, or --force to put this in its place")


def _write(opened: "OpenKit", out: Path, files: "Mapping[str, Sequence[Sample]]", *, force: bool) -> None:
    try:
        out.mkdir(mode=0o700, exist_ok=True)
        if VALIDATION not in files:
            # from an earlier export, whose sessions may be in the training file now
            (out / VALIDATION).unlink(missing_ok=True)
    except OSError as error:
        message = f"{out} cannot be written to: {error.strerror or error}."
        raise ReelError(message, hint="name a folder in one that you can write to") from None
    for name, samples in files.items():
        write_export(opened, out / name, render_lines(samples), force=force)


def _show(
    opened: "OpenKit", gathered: "SampleSurvey", plan: "Plan", taken: "Sequence[Sample]", *, every: bool
) -> None:
    """Show what there is of each kind, what is taken, what is refused and missing."""
    console = opened.console
    there = gathered.count()
    rows: list[tuple[str, ...]] = [("", "there", "taken", "share", "meant", "tokens")]
    for kind in SampleKind:
        count, tokens = _of(taken, kind)
        low, high = SHARES[kind]
        share = f"{100 * count / len(taken):.0f} %" if count else "–"
        meant = f"{low / 100:.0f}–{high / 100:.0f} %"
        rows.append((LABELS[kind], f"{there[kind]:,}", f"{count:,}", share, meant, f"{tokens:,}"))
    taken_of = {kind: _of(taken, kind)[0] for kind in SampleKind if there[kind]}
    total = sum(sample.tokens for sample in taken)
    rows.append(("", f"{len(gathered.samples):,}", f"{len(taken):,}", "", "", f"{total:,}"))
    if console.out.isatty() and columns(console.out) < WIDE:
        # on a narrow terminal only the counts
        rows = [row[:3] for row in rows]
    console.result(console.table(rows[0], rows[1:], right=range(1, 6)))
    if not every and plan.scarce is not None:
        scarce = f"there is too little of “{LABELS[plan.scarce]}”"
        if has_enough(plan.scarce, taken_of):
            left = ", ".join(f"“{LABELS[kind]}”" for kind, count in taken_of.items() if count < there[kind])
            scarce = f"what is left is all of {left}"
        console.say(f"More would be one-sided: {scarce}. --all  takes everything.")
    if unmet := list_unmet(taken_of):
        named = ", ".join(f"“{LABELS[kind]}”" for kind in unmet)
        whole = fills_all(kind for kind in SampleKind if there[kind])
        few = "there are too few samples for that" if whole else "other kinds are missing"
        why = "" if every else f": {few}"
        console.say(f"Not in the share that is meant, {named}{why}.")
    for kind in SampleKind:
        for what in gathered.lacking.get(kind, ()):
            console.say(f"Lacking for “{LABELS[kind]}”: {what}.")
    if cleaned := [
        f"“{LABELS[one]}” {gathered.cleaned[one]:,}" for one in SampleKind if gathered.cleaned[one]
    ]:
        console.say(f"Scene tags and message headers were taken out of samples: {', '.join(cleaned)}.")
    for (kind, why), count in sorted(gathered.refused.items()):
        console.say(f"Left out of “{LABELS[kind]}”: {count:,} ({why})")


def _tell_files(
    opened: "OpenKit", files: "Mapping[str, Sequence[Sample]]", out: Path | None, validation: int
) -> None:
    console = opened.console
    if out is None:
        console.next_step("Nothing was written. To write it:  reel export training --out training")
        return
    told = ", ".join(f"{name} ({len(samples):,})" for name, samples in files.items())
    console.say(f"Wrote {out}: {told}.")
    if validation and VALIDATION not in files:
        console.say("Nothing could be set aside for validation: it would be all of the chats, or none.")
    console.say(
        "These files are as intimate as the kit: what was said stands in them word for word, and a model "
        "trained on them can say it to anyone. Only you can read them; think before you upload them."
    )


def _of(samples: "Sequence[Sample]", kind: SampleKind) -> tuple[int, int]:
    tokens = [sample.tokens for sample in samples if sample.kind is kind]
    return len(tokens), sum(tokens)


def _as_json(
    gathered: "SampleSurvey",
    taken: "Sequence[Sample]",
    files: "Mapping[str, Sequence[Sample]]",
    out: Path | None,
) -> dict[str, Any]:
    there = gathered.count()
    kinds = {}
    for kind in SampleKind:
        count, tokens = _of(taken, kind)
        kinds[kind.value] = {
            "there": there[kind],
            "taken": count,
            "tokens": tokens,
            "lacking": gathered.lacking.get(kind, []),
            "cleaned": gathered.cleaned[kind],
            "refused": {why: number for (of, why), number in gathered.refused.items() if of is kind},
        }
    return {
        "folder": str(out) if out is not None else None,
        "beyond_share": [
            kind.value for kind in list_unmet({k: _of(taken, k)[0] for k in SampleKind if there[k]})
        ],
        "kinds": kinds,
        "samples": {name.partition(".")[0]: len(samples) for name, samples in files.items()},
        "sessions": {
            name.partition(".")[0]: sorted({session for sample in samples for session in sample.sessions})
            for name, samples in files.items()
        },
        "tokens": sum(sample.tokens for sample in taken),
    }
