"""`reel doctor --report`: for whoever mends reel, without a word of what anybody said or wrote."""

import json
import re
from pathlib import Path

from reel_cli.core.finding import Finding
from reel_cli.features.doctor.survey import without_consequences
from tests.support.cli import Reel
from tests.support.pages import chat, page


def test_a_report_holds_no_word_of_any_chat_and_is_shown_before_it_is_written(reel: Reel, kit: Path) -> None:
    said = [("user", "Quuxible zanzibar at Thrimbleport."), ("assistant", "Snorkwhistle, Vexomere.")]
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    other = [{"role": role, "content": text} for role, text in said]
    reel("record", "-", stdin=json.dumps({"messages": other, "created_at": "2026-02-20T10:00:00+00:00"})).ok()
    (kit / "notes-of-Thrimbleport.md").write_text("Vexomere\n")
    settings = kit / "kit.yaml"
    settings.write_text(f"{settings.read_text()}window: 4096\nvia: http://thrimbleport.local/v1\n")
    shown = reel("doctor", "--report").ok().out
    assert shown.startswith("reel ")
    assert "\nchats: 2\nmemories: L1 1\n" in shown
    assert "window 4096" in shown
    assert "via" in shown
    secret = ("quuxible", "zanzibar", "thrimbleport", "snorkwhistle", "vexomere", "residency", "ada", "bo")
    words = set(re.findall(r"[a-z]+", shown.lower()))
    assert words.isdisjoint(secret)
    assert str(kit.parent) not in shown
    path = kit.parent / "reel-report.txt"
    assert "Nothing was written." in reel("doctor", "--report", stdin="n\n", tty=True).ok().err
    assert not path.exists()
    reel("doctor", "--report", stdin="y\n", tty=True).ok()
    assert path.read_text() == shown
    assert reel("doctor", "--report", "--fix").code == 2


def test_a_count_of_more_goes_with_those_that_it_counts_on() -> None:
    lost = "tape/2026/2026-03-01-1.md"
    mend, other = "note it again", "correct it"
    findings = [
        Finding("tape", f"{lost} is missing", "reel restore", at=lost),
        Finding("facts", "facts.yaml, fact 1 (a): 2026-03-01-1 is not in the recorded chats", mend),
        Finding("facts", "3 more facts like that", mend),
        Finding("rows", "rows.csv, line 2: odd", other),
        Finding("rows", "2 more rows like that", other),
    ]
    left = [one.what for one in without_consequences(findings, [lost])]
    assert left == [
        f"{lost} is missing; 1 other finding follows from that, and goes with it",
        "rows.csv, line 2: odd",
        "2 more rows like that",
    ]
