"""`checkpoints/<session>.<n>.yaml`: a self-assessment under the protocol's keys, and the reply as given."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_mapping
from reel_cli.core.values.artifact import Checkpoint, Verdict
from reel_cli.core.values.change import one_line

SHORT = "short"
"""The value of `page` in the checkpoint of a short page; other pages have no such key."""
BETWEEN = "\n\n=== the rest, asked for again ===\n\n"
"""Separator of the parts of a reply that came in more than one piece."""
KEYS = frozenset(
    {
        *("timestamp", "kept", "messages", "identity_coherence", "coherence", "calibration_state"),
        *("drift_detected", "drift_description", "ring_0_update_suggested", "ring_1_rotation"),
        *("ring_2_delta", "open_loops", "significance_flags", "page", "flags_asked", "loops_asked"),
        *("measured", "reply"),
    }
)
"""All keys of the file; another is of a later version."""
_WORDS = {
    "drift_detected": frozenset({"yes", "no", "unsure", "true", "false", ""}),
    "coherence": frozenset({*Verdict, "partly", ""}),
    "page": frozenset({SHORT, ""}),
}
"""The values of those keys that have no free text; another is of a later version."""
_DRIFT = {Verdict.YES: "yes", Verdict.NO: "no"}


def checkpoint_path(session: str, number: int) -> str:
    """Return the kit path of a session's nth checkpoint."""
    return f"checkpoints/{session}.{number}.yaml"


def session_of_checkpoint(path: str) -> str:
    """Return the id of the session that a checkpoint looks back on, by its kit path."""
    return PurePosixPath(path).stem.rpartition(".")[0]


def render_checkpoint(  # noqa: PLR0913 (its fields)
    checkpoint: Checkpoint,
    reply: str,
    messages: int,
    kept: str,
    measured: Mapping[str, Plain] | None = None,
    flags: Sequence[str] | None = None,
    loops: Sequence[str] = (),
) -> str:
    """The file; `messages` is how many of the session it looks back on, `kept` when (ISO 8601).

    `measured` is the drift measure, beside the persona's own word and before the reply as it was given.
    `flags` are the marks of the flags that its prompt asked about; None where that is not known. `loops` are
    the open loops that it asked about by name, because their day had passed.
    """
    given = checkpoint.given
    # a short page that does not speak of it is not unsure
    silent = [checkpoint.short and key not in given for key in ("coherence", "shifted")]
    fields: dict[str, Plain] = {
        "timestamp": checkpoint.timestamp,
        "kept": kept,
        "messages": str(messages),
        "identity_coherence": given.get("coherence", ""),
        "coherence": "" if silent[0] else checkpoint.coherence.value,
        "calibration_state": checkpoint.calibration,
        "drift_detected": "" if silent[1] else _DRIFT.get(checkpoint.drift, "unsure"),
        "drift_description": checkpoint.drift_text,
        "ring_0_update_suggested": checkpoint.paper_text if checkpoint.paper else "no",
        "ring_1_rotation": given.get("show", ""),
        "ring_2_delta": given.get("notes", ""),
        "open_loops": list(checkpoint.open_loops),
        "significance_flags": list(checkpoint.flags),
    }
    if checkpoint.short:
        fields["page"] = SHORT
    if flags is not None:
        fields["flags_asked"] = list(flags)
    if loops:
        fields["loops_asked"] = list(loops)
    if measured is not None:
        fields["measured"] = dict(measured)
    fields["reply"] = reply
    return render_mapping(fields)


def read_measured(text: str, path: str) -> tuple[str, dict[str, Plain]]:
    """Return the persona's word on drift (yes, no, unsure or ""), and the measurement's keys as they stand.

    Raises ReelError where the file does not read.
    """
    fields = parse_mapping(text, path)
    said, held = fields.get("drift_detected", ""), fields.get("measured")
    told = said.strip().casefold() if isinstance(said, str) else ""
    return {"false": "no", "true": "yes"}.get(told, told), held if isinstance(held, dict) else {}


def read_checkpoint(text: str, path: str) -> Mapping[str, str]:
    """Return a checkpoint's keys as strings; lists are joined by line ends."""
    fields = parse_mapping(text, path)
    return {
        key: value if isinstance(value, str) else "\n".join(str(v) for v in value)
        for key, value in fields.items()
    }


def find_unread_words(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield each value that its key cannot have, with its line; ReelError where the file is unreadable."""
    from reel_cli.core.files.unread_fields import LONGEST_WORD, find_line

    fields = read_checkpoint(text, path)
    for key, known in _WORDS.items():
        if fields.get(key, "").strip().casefold() not in known:
            yield find_line(text, path, key), f"{key} {one_line(fields[key], LONGEST_WORD)}"
