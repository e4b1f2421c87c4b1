"""A chat in which maintenance was asked for: the prompt and the answer to it count as nothing said."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.pack.recognize import PROMPT_SIGNS, find_prompt
from reel_cli.core.values.talk import session_path
from tests.support.cli import Reel
from tests.support.faded_kit import Year, memory
from tests.support.kit_under_git import KitUnderGit
from tests.support.rewrite_replies import breath, whole

ANSWERS = {
    "fade": breath(1, 1) + whole(2, 2),
    "again": whole(1, 1) + whole(2, 2),
    "notes": "## My notes\n1. closed: it is done\n2. still\n\nAda",
    "whole": "## What must stay\n1. same\n2. keep whole, because it is where the lamp went out\n\nAda",
}
COMMANDS = {
    "again": ("consolidate", "--again", "--prompt"),
    **{only: ("maintain", "--only", only, "--prompt") for only in ("fade", "notes", "whole")},
}


@pytest.fixture
def kit(reel: Reel, tmp_path: Path) -> KitUnderGit:
    """A kit in which each of the prompts can be had."""
    memories = [
        memory(1, "L2", evening=1, marker="", immune=True),
        memory(2, "L1", evening=2),
        memory(3, "L1", evening=23),
    ]
    made = Year(memories, settings="window: 16k\n").make(tmp_path / "ada")
    note = "He asked me to keep an eye on the lamp, for it will not keep by itself. " * 60
    made.write(WORKING, f"## Active threads\n\n- {note}\n- {note}\n\n## Open loops\n\n".encode())
    made.git("commit", "-qam", "notes")
    reel.cwd = made.root
    return made


def record(reel: Reel, kit: KitUnderGit, messages: Sequence[tuple[str, str]]) -> str:
    """The session file that a chat becomes."""
    chat = [{"role": role, "content": text} for role, text in messages]
    (kit.root.parent / "chat.json").write_text(json.dumps(chat))
    told = reel("record", kit.root.parent / "chat.json", "--json").ok()
    (one,) = json.loads(told.out)["recorded"]
    return kit.read(session_path(one["session"])).decode()


@pytest.mark.parametrize(
    "wrapped", ["", "Here is what the program wants of you:\n\n"], ids=["bare", "wrapped"]
)
@pytest.mark.parametrize("state", ["known", "unknown"])
@pytest.mark.parametrize("what", sorted(COMMANDS))
def test_a_prompt_of_maintenance_and_its_answer_are_an_exchange(
    reel: Reel, kit: KitUnderGit, what: str, state: str, wrapped: str
) -> None:
    prompt = reel(*COMMANDS[what]).ok().out
    if state == "unknown":
        # another machine's chat, or a prompt of long ago
        shutil.rmtree(kit.root / ".reel" / "state")
    text = record(
        reel,
        kit,
        [
            ("user", "The harbour was quiet tonight."),
            ("assistant", "It was, and the lamp held."),
            ("user", f"{wrapped}{prompt}"),
            ("assistant", ANSWERS[what]),
            ("user", "Thank you. Good night."),
            ("assistant", "Good night, Bo."),
        ],
    )
    kinds = re.findall(r'"kind": "(\w+)"', text)
    said = ["said", "said", *(["said"] if wrapped else []), "exchange", "exchange", "said", "said"]
    assert kinds == said
    (numbers,) = [re.findall(r'"n": (\d+)', text)]
    assert numbers == [str(n) for n in range(1, len(said) - 1)]


@pytest.mark.parametrize("what", sorted(COMMANDS))
def test_a_prompt_is_found_whole_by_what_it_says_alone(reel: Reel, kit: KitUnderGit, what: str) -> None:
    prompt = reel(*COMMANDS[what]).ok().out.rstrip("\n")
    assert find_prompt(prompt) == (0, len(prompt))
    before, after = "Bo here.\n\n", "\n\nTake your time."
    assert find_prompt(f"{before}{prompt}{after}") == (len(before), len(before) + len(prompt))
    assert all(any(word in prompt.lower() for word in sign) for sign in PROMPT_SIGNS)
