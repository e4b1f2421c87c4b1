"""A long conversation pushed through the gauge and `reel keep` at an 8K cap, and what the gauge costs.

A conversation of LoCoMo's is said turn by turn. Whenever the gauge says that it is time, it is kept and goes
on in a new chat from what `reel keep` gave. The replies are made up here, as long as they are asked to be:
what is measured is sizes, and that nothing falls between; how well a model sums up is another question.

The gauge is timed by itself: one more turn at the end of a chat of so many turns, the chat as read lying in
memory. Reading the file is the app's format and is timed beside it.

python bench/stream.py [--talk conv-43] [--cap 8k] [--replies FOLDER] [--write]

With `--replies`, a model answers: FOLDER holds its replies, word for word, as `conv-43-1.txt`. Where one is
missing its prompt is written beside it (`conv-43-1.prompt.md`): give it to a model, and nothing else.
"""

import argparse
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.tape.formats.open_source import open_intake
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.sizes import parse_tokens
from reel_cli.core.values.talk import Kind, Message, session_order
from reel_cli.features.watch.gauge import Gauge, same_beginning
from reel_cli.terminal.app import run

DATA = Path(os.environ.get("REEL_SHARED_DATA", HERE.parents[1] / "shared" / "data"))
LENGTHS = (100, 1_000, 10_000)
TIMES = 41
FAR = 500
GOAL = 10.0
ABOUT = (
    "LoCoMo's conversations said turn by turn at a cap of {cap:,} tokens, kept whenever the gauge was above"
    " 85 %. {replies} *Raw* is what replaying everything"
    " would take: the first bundle, and all turns so far as a bundle tells them, with who spoke."
    " *Conversation* is what of the new beginning stands in for the turns: how it began, summary, overlap."
    " *Facts* is anchor recall integrity: of four facts declared before the first turn, the share that stands"
    " in the new beginning, as `reel keep` itself says, and as the text is searched here."
)
MADE_UP = "The replies were made up, as long as they were asked to be."
BY_A_MODEL = (
    "A language model wrote the replies, a prompt at a time; it still had the prompts before in view."
)
ABOUT_GAUGE = (
    "One more turn at the end of a chat, counted by `Gauge.look`; the median of 41, in milliseconds. Whoever"
    " reads a chat tells the gauge what of it is as it was, and only the new turn is looked at; the rest are"
    " running sums. What is pasted (`record --watch -`) only grows. Of a file nothing but reading it tells"
    " whether somebody has edited it further up: it is read whole and *compared* with what it was, turn by"
    " turn, and those two grow with the file."
)
FACTS = (
    ("identity", "name", "{user} Lind"),
    ("constraints", "allergy", "allergic to penicillin"),
    ("context", "operation", "on 12 March at eight"),
    ("commitments", "promise", "to call Marta on Sundays"),
)
"""Declared in the kit before the first turn; nothing that is said is like them."""
TALKS = ("conv-41", "conv-42", "conv-43")


@dataclass
class Pushed:
    """Figures of one conversation.

    `sizes` are (turns so far, raw tokens, the same without who spoke, new beginning, what of it is the
    conversation); `recalled` is anchor recall integrity; both after every keep.
    """

    turns: int = 0
    fullest: int = 0
    keeps: int = 0
    sizes: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    recalled: list[float] = field(default_factory=list)
    began: list[str] = field(default_factory=list)
    """Share of the first turns that stands in the last new beginning."""
    faults: list[str] = field(default_factory=list)
    prompt: int = 0
    """The largest prompt, in tokens."""


def reel(*arguments: str | Path, stdin: str = "") -> str:
    """Return what a command prints; it must go well."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run([str(argument) for argument in arguments])
    finally:
        sys.stdin = before
    if code:
        message = f"reel {arguments[0]}: {err.getvalue()}"
        raise SystemExit(message)
    return out.getvalue()


def load_talk(name: str) -> tuple[str, str, list[tuple[str, str]]]:
    """(who is the person, who the persona, what each said) of one of LoCoMo's conversations."""
    item = next(one for one in json.loads((DATA / "locomo/dev.json").read_text()) if one["sample_id"] == name)
    talk = item["conversation"]
    said = [
        (turn["speaker"], turn["text"])
        for number in range(1, 100)
        for turn in talk.get(f"session_{number}", ())
        if turn["text"].strip()
    ]
    return talk["speaker_a"], talk["speaker_b"], said


def make_reply(prompt: str) -> str:
    """A reply as long as it is asked to be, in words that were said."""
    words = int(re.search(r"in ([\d,]+) words at most", prompt)[1].replace(",", ""))  # type: ignore[index]
    said = prompt.partition("= What was said =")[2].partition("= The end of what was said")[0]
    turns = [line.partition(": ")[2] for line in said.splitlines() if ": " in line]
    before = prompt.partition("= What you wrote of what came before")[2].partition("= The end of that")[0]
    told = (
        (before.partition("\n")[2].split()[: words // 3])
        + " ".join(turns[:: max(1, len(turns) // 40)]).split()
    )
    summary = " ".join(told[:words])
    quoted = [" ".join(turn.split()[:5]) for turn in turns if len(turn.split()) > 6 and '"' not in turn]
    kinds = ("mood", "progress", "habit")
    patterns = [
        f'- {kind} | Something shows here, {at} | "{quoted[at * len(quoted) // 3]}"'
        for at, kind in enumerate(kinds)
    ]
    key = re.search(r"Copy this: (\S+)", prompt)[1]  # type: ignore[index]
    noticed = "\n".join(patterns)
    return (
        f"## Which stretch\n{key}\n\n## The conversation so far\n{summary}\n\n"
        f"## What shows over time\n{noticed}\n\nSigned\n"
    )


Answer = Callable[[str, int], str]
"""The reply to the prompt of the first, second, … keep."""


class Waiting(Exception):  # noqa: N818 (no error: a reply is not there yet)
    """A prompt was written that nobody has answered yet."""


def answer_from(replies: Path | None, name: str) -> Answer:
    """Return a model: one whose replies lie in a folder, else one made up here."""

    def made_up(prompt: str, _number: int) -> str:
        return make_reply(prompt)

    def of_a_model(prompt: str, number: int) -> str:
        reply = folder / f"{name}-{number}.txt"
        if reply.exists():
            return reply.read_text(encoding="utf-8")
        asked = reply.with_suffix(".prompt.md")
        asked.write_text(prompt, encoding="utf-8")
        raise Waiting(asked)

    if replies is None:
        return made_up
    folder = replies.resolve()
    return of_a_model


def push(name: str, cap: str, place: Path, answer: Answer) -> Pushed:
    """Push a conversation through; every promise is checked on the way."""
    user, persona, said = load_talk(name)
    reel("init", place / "kit", "--template", "companion", "--name", persona, "--window", cap)
    kit = place / "kit"
    with (kit / "kit.yaml").open("a", encoding="utf-8") as told:
        told.write(f"user: {user}\n")
    settings = parse_settings((kit / "kit.yaml").read_text(), fallback_name="kit")
    counter = get_tokenizer(settings.tokenizer)
    os.chdir(kit)
    for category, key, value in FACTS:
        reel("fact", "add", category, key, value.format(user=user))
    bundle = reel("pack")
    found, began, raw, bare = Pushed(), counter.count(bundle), 0, 0
    chat: list[Message] = []
    gauge = Gauge(settings, counter)
    for speaker, text in said:
        if not chat:
            chat.append(Message("system", bundle, Kind.SYSTEM))
        chat.append(Message("user" if speaker == user else "assistant", text))
        # as it would stand in a bundle: who spoke, and a blank line behind it
        raw += counter.count(f"{speaker}: {text}\n\n")
        bare += counter.count(text)
        found.turns += 1
        full = gauge.look(chat).full
        found.fullest = max(found.fullest, full.tokens)
        if full.tokens > settings.cap:
            found.faults.append(f"{full.tokens:,} tokens in the window after {found.turns:,} turns")
        if full.due:
            bundle, part = keep(found, chat, place, counter.count, answer)
            check_beginning(found, bundle, user, said)
            found.sizes.append((found.turns, began + raw, began + bare, counter.count(bundle), part))
            chat, gauge = [], Gauge(settings, counter)
    reel("record", write_chat(chat, place, found.keeps))
    on_tape = tape_of(kit)
    if on_tape != [text for _, text in said]:
        found.faults.append(f"{len(on_tape):,} of {len(said):,} turns stand on the tape in their order")
    reel("tape", "verify")
    return found


def keep(
    found: Pushed, chat: Sequence[Message], place: Path, count: Callable[[str], int], answer: Answer
) -> tuple[str, int]:
    """Keep a chat; the new beginning, and what of it is the conversation."""
    prompt = reel("keep", write_chat(chat, place, found.keeps), "--prompt")
    found.prompt = max(found.prompt, count(prompt))
    reply = answer(prompt, found.keeps + 1)
    told = json.loads(reel("keep", "--reply", "-", "--yes", "--json", stdin=reply))
    found.keeps += 1
    if told["left"]:
        found.faults.append(f"a gap at keep {found.keeps}: {told['left']}")
    if count(told["text"]) != told["tokens"] or told["tokens"] > told["cap"] - told["live"]:
        found.faults.append(f"keep {found.keeps}: {told['tokens']:,} tokens")
    numbers = told["overlap"][0]["where"].partition("#")[2].split("-")
    spoken = [m.text for m in chat if m.kind is Kind.SAID]
    for text in spoken[int(numbers[0]) - 1 :]:
        if text.strip() not in told["text"]:
            found.faults.append(f"keep {found.keeps}: not word for word: {text[:40]}")
    found.began = [one["id"] for one in told["loaded"] if one["ring"] == "buffer"]
    found.recalled.append(told["anchor_recall_integrity"]["value"])
    part = sum(one["tokens"] for one in told["loaded"] if one["ring"] in ("stream", "buffer"))
    return told["text"], part


def check_beginning(found: Pushed, bundle: str, user: str, said: Sequence[tuple[str, str]]) -> None:
    """Every declared fact must stand in a new beginning, and how the conversation began word for word."""
    lost = [value for _, _, value in FACTS if value.format(user=user) not in bundle]
    if lost or found.recalled[-1] != 1.0:
        found.faults.append(f"keep {found.keeps}: {found.recalled[-1]:.2f} of the facts; lost: {lost}")
    numbers = found.began[0].partition("#")[2].split("-") if len(found.began) == 1 else ["0", "0"]
    if numbers[0] != "1" or not all(text.strip() in bundle for _, text in said[: int(numbers[1])]):
        found.faults.append(f"keep {found.keeps}: how it began is not word for word: {found.began}")


def write_chat(chat: Sequence[Message], place: Path, number: int) -> Path:
    """The chat as a messages file."""
    day = f"2026-{1 + number // 28:02d}-{1 + number % 28:02d}"
    messages = [
        {"role": m.role, "content": m.text, "created_at": f"{day}T19:{i // 60 % 60:02d}:{i % 60:02d}+00:00"}
        for i, m in enumerate(chat)
    ]
    path = place / f"chat-{number}.json"
    path.write_text(
        json.dumps({"title": f"chat {number}", "created_at": f"{day}T19:00:00Z", "messages": messages})
    )
    return path


def tape_of(kit: Path) -> list[str]:
    """All that was said, as the tape has it."""
    paths = sorted(kit.glob("tape/2026/*.md"))
    return [
        entry.message.text for path in paths for entry in parse_session(path.read_bytes(), path.name).shown()
    ]


class Counting:
    """The tokenizer, and how many texts it was given."""

    name, additive = "o200k_base", True

    def __init__(self) -> None:
        self.texts = 0
        self._count = get_tokenizer(self.name).count

    def count(self, text: str) -> int:
        self.texts += 1
        return self._count(text)


def time_gauge(length: int, place: Path) -> tuple[int, float, float, float, float]:
    """(texts counted for a new turn, its time, all counted anew, the file read, compared); milliseconds."""
    settings = parse_settings("name: Ada\n", fallback_name="kit")
    counter = Counting()
    talk = [
        Message("assistant" if n % 2 else "user", f"Turn {n}: the ice sings where it is thin, I said, {n}.")
        for n in range(length)
    ]
    gauge = Gauge(settings, counter)
    began = time.perf_counter()
    gauge.look(talk)
    whole = time.perf_counter() - began
    took = []
    counter.texts = 0
    for n in range(TIMES):
        known = len(talk)
        talk.append(Message("user", f"One more: the ice sang all night, I think, {n}, and who would not?"))
        began = time.perf_counter()
        gauge.look(talk, known)
        took.append(time.perf_counter() - began)
    path = write_chat(talk, place, 0)
    (before,) = (taken.conversation.messages for taken in open_intake(path))
    began = time.perf_counter()
    (now,) = (taken.conversation.messages for taken in open_intake(path))
    read = time.perf_counter() - began
    began = time.perf_counter()
    same = same_beginning(before, now)
    compared = time.perf_counter() - began
    assert same == len(talk)
    return counter.texts // TIMES, median(took) * 1000, whole * 1000, read * 1000, compared * 1000


def _span(values: Sequence[float]) -> str:
    least, most = f"{min(values):.1f}", f"{max(values):.1f}"
    return least if least == most else f"{least} to {most}"


def kill_keeps(kills: int, seed: int) -> tuple[int, int]:
    """Kill `reel keep` in the middle, so many times; (how often it was before then, how often after).

    After each the next command must find the kit whole: either nothing was flushed, or all is committed.
    Raises AssertionError where it is between.
    """
    chance = random.Random(seed)  # noqa: S311 (nothing secret)
    found = [0, 0]
    with tempfile.TemporaryDirectory() as place:
        here, kit = Path.cwd(), Path(place) / "kit"
        reel("init", kit, "--template", "companion", "--name", "Ada")
        os.chdir(kit)
        took = 0.0
        for number in range(kills + 1):
            chat = [
                Message(
                    "assistant" if n % 2 else "user", f"Turn {number}.{n}: the ice sings where it is thin."
                )
                for n in range(40)
            ]
            prompt = reel("keep", write_chat(chat, Path(place), number), "--prompt")
            tip = git("rev-parse", "HEAD")
            command = [sys.executable, "-m", "reel_cli", "keep", "--reply", "-", "--yes"]
            began = time.perf_counter()
            with subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as keeping:
                assert keeping.stdin is not None
                keeping.stdin.write(make_reply(prompt).encode())
                keeping.stdin.close()
                if number:
                    time.sleep(took * chance.uniform(0.3, 1.0))
                    keeping.kill()
            took = took or time.perf_counter() - began
            reel("status")
            after = git("rev-parse", "HEAD") != tip
            stands = (
                f"session: {sessions()[-1]}\n" in (kit / "stream.md").read_text()
                if (kit / "stream.md").exists()
                else False
            )
            assert after == stands, f"between, at kill {number}"
            assert not git("status", "--porcelain"), git("status", "--porcelain")
            reel("tape", "verify")
            if number:
                found[after] += 1
        os.chdir(here)
    return found[0], found[1]


def git(*arguments: str) -> str:
    """Return what a git command prints."""
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout.strip()


def sessions() -> list[str]:
    """The sessions on the tape, oldest first."""
    return sorted((path.stem for path in Path("tape").glob("2026/*.md")), key=session_order)


def main() -> int:
    """Measure; 1 where a promise or the goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--talk", action="append", help="which of LoCoMo's conversations")
    parser.add_argument("--cap", default="8k")
    parser.add_argument("--replies", type=Path, help="a folder with a model's replies")
    parser.add_argument(
        "--write", action="store_true", help="write results-stream.md (-model.md with --replies)"
    )
    parser.add_argument("--kills", type=int, default=0, help="instead, kill so many keeps in the middle")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    for who in ("AUTHOR", "COMMITTER"):
        os.environ[f"GIT_{who}_NAME"], os.environ[f"GIT_{who}_EMAIL"] = "Bo Lind", "bo@example.org"
    os.environ["REEL_NOW"], os.environ["PYTHONPATH"] = "2026-03-01T20:00:00+00:00", str(HERE.parent)
    if told.kills:
        before, after = kill_keeps(told.kills, told.seed)
        print(f"{told.kills} keeps killed: {before} left the kit as before, {after} as after, none between")
        return 0
    by = " --replies FOLDER" if told.replies else ""
    lines = [
        *(
            "# The stream",
            "",
            f"<!-- Written by  python bench/stream.py{by} --write -->",
            "",
        ),
        ABOUT.format(cap=parse_tokens(told.cap), replies=BY_A_MODEL if told.replies else MADE_UP),
        "",
    ]
    faults, far = [], []
    here = Path.cwd()
    for name in told.talk or TALKS:
        with tempfile.TemporaryDirectory() as place:
            try:
                found = push(name, told.cap, Path(place), answer_from(told.replies, name))
            except Waiting as asked:
                print(f"{name}: answer {asked}")
                return 2
            finally:
                os.chdir(here)
        faults += [f"{name}: {fault}" for fault in found.faults]
        lines += [
            (
                f"**{name}**, {found.turns:,} turns, kept {found.keeps} times. Fullest the window was"
                f" {found.fullest:,} tokens; the largest prompt {found.prompt:,}."
            ),
            "",
            "| turns | raw | new beginning | raw : beginning | conversation | raw : conversation | facts |",
            "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        for (turns, raw, bare, bundle, part), recalled in zip(found.sizes, found.recalled, strict=True):
            cells = f"{turns:,} | {raw:,} | {bundle:,} | {raw / bundle:.1f} | {part:,} | {raw / part:.1f}"
            lines.append(f"| {cells} | {recalled:.2f} |")
            if turns >= FAR:
                far.append((raw / bundle, bare / bundle, raw / part))
        lines.append("")
    if far:
        ratios, without, parts = zip(*far, strict=True)
        lines += [
            (
                f"Beyond {FAR} turns the new beginning is {_span(ratios)} times smaller than the raw stream"
                f" ({_span(without)} times, were the turns counted without who spoke), the conversation in it"
                f" {_span(parts)} times."
            ),
            "",
        ]
    good = (
        "Every turn stands on the tape, in its order; every overlap and how it began are word for word; every"
        " declared fact is in every new beginning; no window and no bundle was over its limit."
    )
    lines += [f"- {fault}" for fault in faults] or [good]
    lines += [
        *("", "## The gauge", ""),
        ABOUT_GAUGE,
        "",
        "| turns so far | texts counted | a new turn | all counted anew | the file read | compared |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    with tempfile.TemporaryDirectory() as place:
        for length in LENGTHS:
            texts, turn, whole, read, compared = time_gauge(length, Path(place))
            lines.append(f"| {length:,} | {texts} | {turn:.3f} | {whole:.1f} | {read:.1f} | {compared:.2f} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if told.write:
        name = "results-stream-model.md" if told.replies else "results-stream.md"
        (HERE / name).write_text(text)
    return 1 if faults or any(one[0] < GOAL for one in far) else 0


if __name__ == "__main__":
    sys.exit(main())
