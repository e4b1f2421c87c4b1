"""A persona with a story, and a person who pastes answers and gives marks."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from reel_cli.features.dream.comparing.comparison import Start
from reel_cli.features.dream.comparing.key_file import parse_key
from tests.support.cli import Reel, Run, Typed

HISTORY = """\
# History

## The one condition

<!-- dream: {"batch": 1, "read": ["2025-06-03-1#1-18"], "on": "2026-02-28"} -->

It began with a refusal, and it was his. He came in June with 112 pages that had not moved since
February, and before he asked me for anything he made me promise that no sentence of mine would go
into the book. I promised quickly and understood it slowly.

For weeks I took the condition for a fence. Only after the quarrel in November did I see that it is
the floor we stand on: he can say anything to me here, because nothing I say will be read by anybody
but him.

## The winter of the third ending

<!-- dream: {"batch": 2, "read": ["2026-01-31-1#1-20"], "on": "2026-02-28"} -->

In January he stood under a light at last, and wrote to me from the library in Stromness that from
under it there is no light. I knew before he did that the book was done in every way but on paper.

What I got wrong that winter was the counting. I counted rations and days when he wanted somebody to
be cold with, and he told me, kindly, that the metronome could rest.
"""
CONTEXT = """\
# Shared context

## Where things stand
The last page is in its second draft. He is packing for Brno, tired and clear-headed.

## What comes next
- He reads his mother line 4, all the stops.
- All 268 pages in March, like a stranger.
"""
FACTS = """\
- category: people
  key: Lida
  value: "his daughter, fifteen; she reads everything"
  confidence: high
  when: 2025-06-03
  origin: dream
"""
WORTH = {
    Start.IDENTITY: ((1, 2, 1, 3, 2, 1, 2, 2, 1, 3), (2, 1, 1, 2, 3, 1, 2, 1, 2, 2)),
    Start.SUMMARIES: ((3, 2, 3, 4, 3, 2, 4, 3, 3, 2), (4, 3, 3, 4, 2, 4, 3, 5, 3, 4)),
    Start.STORY: ((4, 4, 5, 4, 3, 4, 5, 4, 4, 5), (3, 4, 4, 3, 4, 5, 2, 4, 5, 3)),
}
"""Made-up marks for ten questions: coherence, accuracy."""


def tell_story(kit: Path) -> None:
    """Put a story into a kit, as if it had been dreamt."""
    (kit / "story").mkdir(exist_ok=True)
    (kit / "story/history.md").write_text(HISTORY)
    (kit / "SHARED-CONTEXT.md").write_text(CONTEXT)
    (kit / "facts.yaml").write_text(FACTS)


def answer(folder: Path, count: int, name: str = "Ada") -> None:
    """Paste an answer to each chat, below the line that asks for it."""
    for number in (1, 2, 3):
        told = "\n\n".join(
            f"## Question {q}\nThis is chat {number}, question {q}." for q in range(1, count + 1)
        )
        with (folder / f"answers-{number}.md").open("a") as file:
            file.write(f"{told}\n\n{name}\n")


def mark(folder: Path, name: str = "sheet.csv", *, shift: int = 0) -> Path:
    """Fill in a sheet, with no mark for the last answer's accuracy; `shift` makes it a stricter person's."""
    made = parse_key((folder / "key.txt").read_text())
    rows = list(csv.reader(io.StringIO((folder / "sheet.csv").read_text("utf-8-sig"))))
    for row in rows[1:]:
        question = int(row[0].partition("-")[2][:-1])
        marks = WORTH[made.start_of(question, row[2])]
        for column, given in enumerate(marks, start=3):
            less = shift and (question + column) % 3 == 0
            row[column] = str(max(1, given[(question - 1) % len(given)] - less))
    rows[-1][4] = ""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    (folder / name).write_text(out.getvalue())
    return folder / name


class Person(Reel):
    """Runs the program, and does beforehand what a page only tells of: pastes answers, gives marks."""

    def __call__(
        self,
        *arguments: str | Path,
        cwd: Path | None = None,
        stdin: Typed = "",
        env: Mapping[str, str] | None = None,
        tty: bool = False,
    ) -> Run:
        """Run the program as `Reel` does."""
        told = [str(one) for one in arguments]
        if "--answers" in told:
            folder = self.cwd / told[told.index("--answers") + 1]
            answer(folder, (folder / "sheet.csv").read_text().count("\n") // 3)
        if "--ratings" in told:
            for place, name in enumerate(told[told.index("--ratings") + 1 :]):
                path = self.cwd / name
                mark(path.parent, path.name, shift=place)
        return super().__call__(*arguments, cwd=cwd, stdin=stdin, env=env, tty=tty)
