"""Two personas of one person: nothing of the one's hundred secrets is anywhere in the other's."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.core.files.memory_file import render_body
from reel_cli.core.values.memory import FIELDS
from tests.features.share.kits import BOAT, keep, make_kits, take, tavern
from tests.support.cli import Reel
from tests.support.secrets import SECRETS, read_answers, read_tools, text_of
from tests.support.shelf import ready_made

SAID = ("Halcyon", "leaks below the oarlock", "mine alone")
"""Words of the evening before Mara came and after she left, and Ada's own about it."""
TOLD = SECRETS[0]
"""The one secret that is shared."""


@pytest.fixture
def mara(reel: Reel, kit: Path) -> Path:
    """Mara's kit, which was told one secret of a hundred that Ada's holds, and was there for another."""
    ready_made(kit.parent, "a hundred secrets", lambda: _tell_one(reel, kit))
    return kit.parent / "mara"


def _tell_one(reel: Reel, kit: Path) -> None:
    mara, _ = make_kits(reel, kit)
    said = [f"Only between us: {secret} is the word." for secret in SECRETS[1:40]]
    messages = [{"role": "user", "content": text} for text in said]
    messages.insert(20, {"role": "assistant", "content": "I keep them."})
    (kit.parent / "secrets.json").write_text(
        json.dumps({"title": "words", "created_at": "2026-02-24T19:00:00+00:00", "messages": messages})
    )
    reel("record", kit.parent / "secrets.json").ok()
    bodies = [
        (TOLD, f"Bo said that the gate's word is {TOLD}."),
        *((secret, f"Bo said that {secret} is his word.") for secret in SECRETS[40:70]),
    ]
    keep(
        kit,
        *(
            replace(
                BOAT,
                id=f"M-{number:03d}",
                uid=f"{number:08x}",
                title="The word" if secret == TOLD else f"The word {secret}",
                body=render_body({FIELDS[0]: text, FIELDS[2]: f"{SECRETS[70]} matters to me."}),
                marker=text,
                anchor="the word",
                source=(),
                sessions=(),
            )
            for number, (secret, text) in enumerate(bodies, 2)
        ),
    )
    reel("fact", "add", "identity", "words", " ".join(SECRETS[71:80])).ok()
    reel("fact", "add", "preferences", "words", " ".join(SECRETS[80:90])).ok()
    now = kit / "ring2/working.md"
    now.write_text(now.read_text().replace("## State\n", f"## State\n\n{' '.join(SECRETS[90:])}\n", 1))
    reel("share", "M-002", "--with", "mara", "--yes").ok()
    # the evening on which Mara was there holds other words of Ada's before and after
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    own = [("Bo", "What is the word you know?"), ("Mara", f"Only {TOLD}, at the gate. The ferry is at noon.")]
    (kit.parent / "own.jsonl").write_text(tavern(own, "2026-02-26"))
    reel("record", kit.parent / "own.jsonl", "--yes", cwd=mara).ok()
    take(reel, mara, "S-001", f"Ada told me that the gate's word is {TOLD}.").ok()
    take(reel, mara, "S-002", "I asked which green that was, and it was bottle green.").ok()


def answers(reel: Reel, mara: Path) -> list[tuple[str, str]]:
    """Each thing that Mara, or a program in her place, gets to read, and what it is called."""
    asked = [*SECRETS[::9], "word", "Halcyon", "hull", "only between us", "what is his word"]
    return list(read_answers(reel, mara, asked, windows=("8k", "32k")))


def leaks(text: str) -> list[str]:
    return [secret for secret in (*SECRETS, *SAID) if secret != TOLD and secret in text]


def test_none_of_a_hundred_secrets_is_in_what_the_other_reads(reel: Reel, kit: Path, mara: Path) -> None:
    held = (*kit.rglob("ring[23]/*"), *kit.rglob("tape/*/*"), kit / "facts.yaml")
    own = "".join(path.read_text() for path in held)
    # all of them are in Ada's own kit
    assert leaks(own) == leaks(" ".join((*SECRETS, *SAID)))
    # looked at before anything is asked there, for the words of a question are noted
    assert leaks(text_of(mara, mara.parent / "shared")) == []
    ferry = reel("recall", "ferry", cwd=mara)
    told = [*answers(reel, mara), ("recall ferry", ferry.out + ferry.err)]
    assert {what: leaks(text) for what, text in told if leaks(text)} == {}
    spoken = [what for what, text in told if "ferry" in text]
    # what is looked through tells of Mara's own evening
    for what in ("dream next --prompt", "consolidate --prompt", "recall ferry", "export text", "start"):
        assert what in spoken
    assert TOLD in reel("pack", "--window", "128k", cwd=mara).ok().out


def test_none_is_in_what_its_tools_answer(mara: Path) -> None:
    told = read_tools(mara, ["word", "gate", "Halcyon", "hull", *SECRETS[::20]])
    assert leaks("".join(text for _, text in told)) == []


def test_what_a_group_was_told_is_known_to_nobody_else(reel: Reel, kit: Path, mara: Path) -> None:
    vera = kit.parent / "vera"
    reel("share", "--group", "crew", "--with", "ada", "--with", "vera", "--yes").ok()
    shared = SECRETS[40:45]
    for number, _ in enumerate(shared, 3):
        reel("share", f"M-{number:03d}", "--with", "crew", "--yes").ok()
    for number, secret in enumerate(shared, 3):
        take(reel, vera, f"S-{number:03d}", f"Ada told me that {secret} is his word.").ok()
    packed = reel("pack", "--window", "128k", cwd=vera).ok().out
    assert [secret for secret in shared if secret not in packed] == []
    assert {what: leaks(text) for what, text in answers(reel, mara) if leaks(text)} == {}
    reel("share", "--group", "crew", "--with", "vera", "--back", "--yes").ok()
    assert leaks(reel("pack", "--window", "128k", cwd=vera).ok().out) == []
