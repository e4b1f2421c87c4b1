"""`python bench/chat_recall.py`: what of the past comes to mind in a chat by itself (`reel chat`).

python bench/chat_recall.py [--data DIR] [--talks 3] [--write]

Of LoCoMo's talks: how often something comes to mind over what the person says in the last six sessions, if
only questions look for it and if every turn did; and whether the evidence for LoCoMo's own questions does.
"""

import argparse
import os
import statistics
import sys
import tempfile
from datetime import UTC
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from recall import make_kit, read_locomo

from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.chat.chat_recall import come_to_mind, look_up
from reel_cli.features.recall.recall import Recollection

ROOM = 819
"""In tokens: a tenth of an 8K window, what may come to mind at once."""
LAST = 6


def main() -> int:
    """Measure, print, and write bench/results-comes-to-mind.md where that is wished."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("REEL_SHARED_DATA", "../shared/data"))
    )
    parser.add_argument("--talks", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    count = get_tokenizer("o200k_base").count
    turns = asked = whole = 0
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, kit in enumerate(read_locomo(options.data)[: options.talks]):
            root = make_kit(Path(folder) / str(number), kit)
            with Recollection(root, UTC) as kept:
                for session in kept.standing[-LAST:]:
                    path = next(root.glob(f"tape/**/{session}.md"))
                    for entry in parse_session(path.read_bytes(), path.name).shown():
                        if entry.message.role != "user":
                            continue
                        text = entry.message.text
                        turns += 1
                        asked += bool(come_to_mind(kept, text, (), tokens=ROOM, count=count, before=session))
                        whole += bool(look_up(kept, text, tokens=ROOM, before=session).moments)
                for question in kit.asked:
                    brought = come_to_mind(kept, question.text, (), tokens=ROOM, count=count)
                    shown = {(m.session, t.number) for one in brought for m in one.moments for t in m.turns}
                    found.append(len(question.evidence & shown) / len(question.evidence))
    rows = (
        ("over what the person says, looked for by questions", f"{asked} of {turns} turns"),
        ("the same, if every turn looked for something", f"{whole} of {turns} turns"),
        ("evidence of LoCoMo's questions, when asked", f"{statistics.mean(found):.2f} ({len(found):,})"),
    )
    how = (
        f"LoCoMo's first {options.talks} talks, at most {ROOM} tokens, three moments a turn, by words alone."
    )
    lines = [
        "# What comes to mind in a chat, measured",
        "",
        f"`python bench/chat_recall.py --talks {options.talks} --write`: {how}",
        "",
        "| what comes to mind | measured |",
        "| --- | --- |",
        *(f"| {what} | {figure} |" for what, figure in rows),
        "",
    ]
    print("\n".join(lines))
    if options.write:
        (HERE / "results-comes-to-mind.md").write_text("\n".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
