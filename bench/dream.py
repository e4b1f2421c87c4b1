"""A dream over a long history: what each step takes in time and memory, and whether the length matters.

    python bench/dream.py [--runs 5] [--sessions 551] [--megabytes 119] [--days 12] [--keep FOLDER]

The history is made of the text of the shared data (REEL_SHARED_DATA, else ../shared/data) as `record.py`
makes it, on as few days as the document behind dreaming tells of; a second one is of a tenth the sessions.
Whole commands are run: `dream start --dry-run` (planning), `dream next --prompt`, and `dream next --reply …
--yes` with a reply that quotes the tape word for word, amends, and adds threads and facts: at the beginning,
in the middle and near the end, where the story of the batches before is written at once, by the program's
own code. The tenth is measured in turn with the whole, with as many batches behind it. What is written
goes to bench/results-dream.md.
"""

import argparse
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from record import REEL, make_talk, real_texts
from timing import Compared, Taken, compare, run

from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor, render_cursor
from reel_cli.features.dream.dream import Chapter, Status, Thread
from reel_cli.features.dream.story.files import HISTORY, REMEMBER, add_chapter
from reel_cli.features.dream.story.missed_file import MISSED, add_threads
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, add_facts

FIRST = date(2026, 1, 26)
NEAR = 1.3
MOST_MEMORY = 100.0
Row = tuple[str, str, str, bool]
"""A measure, its goal, the figure, and whether the goal is met."""


def main() -> int:
    """Measure, print, write the report; 1 where a goal is missed."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--runs", type=int, default=5)
    reader.add_argument("--sessions", type=int, default=551)
    reader.add_argument("--megabytes", type=float, default=119)
    reader.add_argument("--days", type=int, default=12)
    reader.add_argument("--keep", type=Path, help="keep the two kits in this folder, and use them again")
    reader.add_argument("--dry", action="store_true", help="do not write the report")
    asked = reader.parse_args()
    os.environ |= {"PYTHONPATH": str(HERE.parent), "REEL_NOW": "2026-03-01T20:00:00+00:00"}
    for who in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{who}_NAME": "Bo", f"GIT_{who}_EMAIL": "bo@example.org"}
    with tempfile.TemporaryDirectory() as folder:
        place = asked.keep or Path(folder)
        size = int(asked.megabytes * 1e6)
        whole = have_kit(place / "whole", asked.sessions, size, asked.days)
        tenth = have_kit(place / "tenth", max(2, asked.sessions // 10), size // 10, asked.days)
        rows: list[Row] = []
        for row in measure(Path(folder), whole, tenth, asked.runs):
            print(f"{row[0]:<72} {row[2]:<44} goal {row[1]:<10} {'ok' if row[3] else 'MISSED'}", flush=True)
            rows.append(row)
        if not asked.dry:
            place = HERE / "results-dream.md"
            # what `kill_dream.py` wrote stays below
            _, mark, kept = _text(place).partition("\n## ")
            place.write_text(report(rows, whole, asked.days) + mark + kept, encoding="utf-8")
    return int(not all(met for *_, met in rows))


def have_kit(kit: Path, sessions: int, size: int, days: int) -> Path:
    """A kit with such a history on its tape, made where there is none yet."""
    if not (kit / "kit.yaml").exists():
        kit.parent.mkdir(parents=True, exist_ok=True)
        run([*REEL, "init", str(kit), "--name", "Ada"], kit.parent)
        export = kit.parent / "export.json"
        apart(partial(write_history, export, sessions, size, days))
        run([*REEL, "record", str(export)], kit)
        export.unlink()
    return kit


def apart(work: Callable[[], None]) -> None:
    """Do it in a process of its own: what this one holds counts as the peak of those it starts."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def write_history(path: Path, sessions: int, size: int, days: int) -> None:
    """An export of so many conversations of so many bytes of tape in all, on so many days."""
    texts = real_texts()
    draw = random.Random(1)  # noqa: S311 (a seeded draw)
    with path.open("w", encoding="utf-8") as file:
        for number in range(sessions):
            talk = make_talk(texts, draw, number, size // sessions, 1, 400)
            day = FIRST + timedelta(days=number * days // sessions)
            talk["created_at"] = f"{day}T{7 + number % 15:02}:{number % 60:02}:00+00:00"
            file.write("," if number else "[")
            json.dump(talk, file, ensure_ascii=False)
        file.write("]")


# -- a reply --------------------------------------------------------------------------------------


def answer(prompt: str, number: int, more: str = "", earlier: str = "") -> str:
    """A reply as a good model writes it: about a thousand words, six quotations, and what to add beside.

    `more` is a paragraph of its own, `earlier` are words of the story that it amends.
    """
    key = re.search(r"Copy this: (\S+)", prompt)
    assert key is not None
    draw = random.Random(number)  # noqa: S311 (a seeded draw)
    said = prompt.rsplit("=== What was said ===", maxsplit=1)[-1]
    sentences = re.findall(r"(?m)^(?:Ada|user|Bo|You): ([A-Z][^.\n\"“”*]{30,110}\.)", said)
    assert len(sentences) > 12, prompt[:2000]
    parts: list[str] = []
    for at in range(12):
        one, other = draw.sample(sentences, 2)
        quoted = f'"{one}"' if at % 2 else "it came back to what had been asked before"
        parts.append(
            f"What carried that hour was this: {quoted} I had an answer too early, and it took me"
            f" until the evening to see why. I went over it again, and it seemed to say: {other.lower()}"
            " So we let it stand for a while, the way one leaves a kettle to cool, and spoke of other things,"
            " and when we came back to it neither of us needed the long way round any more."
        )
    told = "\n\n".join([*parts, more]).rstrip()
    amended = f'\n\nAmend "{earlier}": it was lighter than I made it then.' if earlier else ""
    facts = "\n".join(
        f"person | matter {number}.{at} | {draw.choice(sentences)} | likely |" for at in range(4)
    )
    return (
        f"## Which stretch\n{key[1]}\n\n## The story goes on\nThe hour of {number}\n\n{told}{amended}\n\n"
        f"## What was missed\nnew: {FIRST} · both · what came of {draw.choice(sentences)[:60].lower()}\n"
        f"new: {FIRST} · Ada · to ask again about number {number}\n\n## How we remember\n"
        f"Ask on the day itself; {draw.choice(sentences)}\n\n## What to hold on to\n{facts}\n\nAda\n"
    )


def go_forward(kit: Path, batches: int) -> None:
    """Have a dream come as far as so many batches bring it: a commit with the story they would have written.

    A session of such a history takes about a batch, so one is marked as read for each.
    """
    text = (kit / CURSOR).read_text(encoding="utf-8")
    cursor = parse_cursor(text)
    read = dict(cursor.read)
    sessions = sorted((kit / "tape").rglob("2*.md"), key=lambda path: _order(path.stem))
    # as far as the history goes: a short one has as much story behind it, and something left to read
    marked = sessions[: min(batches, len(sessions) - 6)]
    for path in marked:
        read[path.stem] = ((1, path.read_text(encoding="utf-8").count('\n<!-- {"n": ')),)
    texts = {path: _text(kit / path) for path in (HISTORY, REMEMBER, MISSED, FACTS)}
    base = random.Random(5)  # noqa: S311 (a seeded draw)
    pool = [text for text in real_texts() if 40 < len(text) < 400 and '"' not in text]
    for number in range(cursor.batch + 1, batches + 1):
        paragraphs = [" ".join(base.sample(pool, 4)) for _ in range(10)]
        chapter = Chapter(f"The hour of {number}", "\n\n".join(paragraphs))
        about: dict[str, object] = {"batch": number, "read": [], "on": "2026-03-01"}
        texts[HISTORY] = add_chapter(texts[HISTORY], HISTORY, chapter, about)
        proposal = Chapter(f"{number}", base.choice(pool)[:160])
        texts[REMEMBER] = add_chapter(texts[REMEMBER], REMEMBER, proposal, about)
        threads = [
            Thread(2 * number + at, Status.OPEN, str(FIRST), "both", base.choice(pool)) for at in (-1, 0)
        ]
        texts[MISSED] = add_threads(texts[MISSED], threads, [], "2026-03-01")
        facts = [Fact("person", f"matter {number}.{at}", base.choice(pool)[:120]) for at in range(4)]
        texts[FACTS] = add_facts(texts[FACTS], facts)
    texts[CURSOR] = render_cursor(replace(cursor, batch=batches, read=read), text)
    for name, data in texts.items():
        (kit / name).write_text(data, encoding="utf-8")
    for words in (("add", "-A"), ("commit", "-q", "-m", "so far")):
        subprocess.run(["git", *words], cwd=kit, check=True)


def _order(session: str) -> tuple[str, int]:
    return session[:10], int(session[11:])


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


# -- what is measured -----------------------------------------------------------------------------


def measure(work: Path, whole: Path, tenth: Path, runs: int) -> Iterator[Row]:
    """Each thing measured."""
    here, there = _copy(whole, work / "here"), _copy(tenth, work / "there")
    peaks: list[float] = []
    planned = run([*REEL, "dream", "start", "--dry-run"], here)
    yield "dream start --dry-run, the first time (each session is looked at)", "none set", show(planned), True
    plan = compare(
        lambda: run([*REEL, "dream", "start", "--dry-run"], here),
        lambda: run([*REEL, "dream", "start", "--dry-run"], there),
        runs=runs,
        warm=1,
    )
    yield ratio("dream start --dry-run, from then on: the whole history : a tenth", plan)
    peaks += [planned.peak, plan.first.peak]
    for kit in (here, there):
        run([*REEL, "dream", "start", "--yes"], kit)
    sessions = len(list((whole / "tape").rglob("2*.md")))
    places = {"at the beginning": 0, "in the middle": sessions // 2, "near the end": sessions - 20}
    for when, batches in places.items():
        if batches:
            apart(partial(go_forward, here, batches))
            apart(partial(go_forward, there, batches))
        for row, taken in at_a_place(here, there, when, runs):
            yield row
            peaks += taken
    most = max(peaks)
    yield "peak memory of any of these", f"< {MOST_MEMORY:.0f} MB", f"{most:.0f} MB", most < MOST_MEMORY


def at_a_place(here: Path, there: Path, when: str, runs: int) -> Iterator[tuple[Row, list[float]]]:
    """The prompt and the reply at one place of the dream, on the whole and on the tenth in turn."""
    both = compare(lambda: prompt_in(here), lambda: prompt_in(there), runs=runs, warm=1)
    yield ratio(f"dream next --prompt, {when}: the whole history : a tenth", both), [both.first.peak]
    numbers = iter(range(10_000))
    both = compare(
        lambda: reply_in(here, next(numbers)), lambda: reply_in(there, next(numbers)), runs=runs, warm=1
    )
    yield ratio(f"dream next --reply, {when}: the whole history : a tenth", both), [both.first.peak]
    taken = reply_in(here, 0, 'She said "that the heron never did come back to us" once.')
    what = f"dream next --reply, {when}, with a quotation that is nowhere on the tape"
    yield (what, "none set", show(taken), True), [taken.peak]


def reply_in(kit: Path, number: int, more: str = "") -> Taken:
    """One reply taken in, and back."""
    prompt = subprocess.run(
        [*REEL, "dream", "next", "--prompt"], cwd=kit, check=True, capture_output=True, text=True
    ).stdout
    reply = kit.parent / "reply.md"
    reply.write_text(answer(prompt, number, more, _words_of(kit)), encoding="utf-8")
    taken = run([*REEL, "dream", "next", "--reply", str(reply), "--yes"], kit)
    # the next answers the same stretch, so that what is compared stays alike
    subprocess.run(["git", "reset", "-q", "--hard", "HEAD~1"], cwd=kit, check=True)
    return taken


def prompt_in(kit: Path) -> Taken:
    """One prompt, made anew."""
    for path in (kit / ".reel/state").rglob("dream.batch*"):
        path.unlink()
    return run([*REEL, "dream", "next", "--prompt"], kit)


def _words_of(kit: Path) -> str:
    """Some words in the middle of the story so far."""
    paragraphs = [p for p in _text(kit / HISTORY).split("\n\n") if len(p.split()) > 20]
    return " ".join(re.findall(r"\w+", paragraphs[len(paragraphs) // 2])[:7]) if paragraphs else ""


def _copy(source: Path, target: Path) -> Path:
    shutil.copytree(source, target)
    # copies have times of their own: what is known of files is known of these very files
    run([*REEL, "status"], target)
    return target


def ratio(what: str, both: Compared) -> Row:
    """Two commands run in turn, as a row."""
    figure = f"{both.cpu:.2f} (wall {both.wall:.2f}; {show(both.first)} : {show(both.second)})"
    return what, f"<= {NEAR}", figure, both.cpu <= NEAR


def show(taken: Taken) -> str:
    """Return what a command took."""
    return f"{taken.cpu:.2f} s, {taken.peak:.0f} MB"


def report(rows: Sequence[Row], whole: Path, days: int) -> str:
    """The page of results."""
    files = list((whole / "tape").rglob("2*.md"))
    size = sum(path.stat().st_size for path in files) / 1e6
    about = (
        f"`python bench/dream.py` on {platform.system()}, Python {platform.python_version()}: {len(files):,}"
        f" sessions, {size:.0f} MB of tape, {days} days; beside it, in turn, a history of a tenth, with as"
        " many batches behind it. Processor time and peak memory of whole commands, the median; a ratio is"
        " the median of pairs. (Wall time says the same on a machine that has nothing else to do.)"
    )
    told = [
        f"| {what} | {goal} | {figure} | {'met' if met else 'missed'} |" for what, goal, figure, met in rows
    ]
    head = ["# Dreaming over a long history", "", about, "", "| what | goal | measured | |"]
    return "\n".join([*head, "| --- | --- | --- | --- |", *told, ""])


if __name__ == "__main__":
    sys.exit(main())
