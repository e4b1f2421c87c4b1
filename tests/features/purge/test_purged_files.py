"""Checkpoints whose session was purged."""

from reel_cli.core.files.checkpoint_file import read_measured
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.values.talk import PURGED
from reel_cli.features.purge.purged_files import purge_checkpoint

HELD = """\
timestamp: "2026-02-25T20:00:00Z"
kept: "2026-02-25T20:00:00Z"
messages: "6"
calibration_state: Brisk.
drift_detected: "yes"
ring_0_update_suggested: "no"
open_loops:
  - the ticket
significance_flags: []
measured:
  replies: "3"
  words: "41"
  standing: far
  from_earlier: "1.62"
  moved:
    - says “lamp” more often
  of_later: {what: a lamp, none: []}
reply: all of it
"""


def test_its_measure_stays_a_mapping_with_its_numbers_and_without_words() -> None:
    path = "checkpoints/2026-02-25-1.1.yaml"
    left = purge_checkpoint(HELD.encode(), path).decode()
    assert parse_mapping(left, path) == {
        "timestamp": "2026-02-25T20:00:00Z",
        "kept": "2026-02-25T20:00:00Z",
        "messages": "6",
        "calibration_state": PURGED,
        "drift_detected": "yes",
        "ring_0_update_suggested": "no",
        "open_loops": [PURGED],
        "significance_flags": [],
        "measured": {
            "replies": "3",
            "words": "41",
            "standing": "far",
            "from_earlier": "1.62",
            "moved": [PURGED],
            "of_later": {"what": PURGED, "none": []},
        },
        "reply": PURGED,
    }
    assert read_measured(left, path)[1]["replies"] == "3"
    assert purge_checkpoint(left.encode(), path).decode() == left
