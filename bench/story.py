"""Quality of a story that a model wrote: quotations on the tape, tokens a session, events it supports.

    python bench/story.py KIT [--judged FILE]

KIT is a kit that has dreamt. FILE has a line an event, as somebody judged it who had the story and the list
of events and nothing else: its number, then `yes`, `part` or `no`. Quotations are looked up letter for
letter, case and the shape of quotation marks aside; words that an amendment names are the story's own.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.talk import session_path
from reel_cli.features.dream.story.files import HISTORY, parse_chapters

_ABOUT = re.compile(r"(?m)^> .*?“[^”]+”:")
_QUOTED = re.compile(r'"([^"\n]+)"|“([^”\n]+)”')
_SHAPES = str.maketrans("’‘“”", "''\"\"")


def main() -> int:
    """Print the figures; 1 where a quotation stands nowhere."""
    parser = argparse.ArgumentParser(description="What a story is worth.")
    parser.add_argument("kit", type=Path)
    parser.add_argument("--judged", type=Path)
    asked = parser.parse_args()
    snapshot = Snapshot(WorkTree(asked.kit), asked.kit.resolve().name)
    sessions = standing_sessions(snapshot)
    said = _plain(
        "\n".join(
            entry.message.text
            for session in sessions
            for path in (session_path(session),)
            for entry in parse_session(snapshot.read(path) or b"", path).shown()
        )
    )
    chapters = [chapter.text for chapter in parse_chapters(snapshot.text(HISTORY) or "")]
    story = _ABOUT.sub("> ", "\n".join(chapters))
    quoted = [_plain(one or other) for one, other in _QUOTED.findall(story)]
    astray = [words for words in quoted if words.strip(".,;:!?") not in said]
    counter = get_tokenizer(snapshot.settings.tokenizer)
    tokens = sum(map(counter.count, chapters))
    print(f"quotations that stand on the tape: {len(quoted) - len(astray):,} of {len(quoted):,}")
    for words in astray:
        print(f"  nowhere: {words}")
    print(
        f"tokens: {tokens:,} for {len(sessions):,} sessions, {tokens / max(1, len(sessions)):.0f} a session"
    )
    if asked.judged:
        marks = Counter(re.findall(r"(?m)^\d+\W+(yes|part|no)\b", asked.judged.read_text(encoding="utf-8")))
        total = marks.total()
        print(f"events: {total}; borne {marks['yes']}, in part {marks['part']}, not {marks['no']}")
    return 1 if astray else 0


def _plain(text: str) -> str:
    return " ".join(text.translate(_SHAPES).lower().split())


if __name__ == "__main__":
    sys.exit(main())
