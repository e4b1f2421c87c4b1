"""A comparison at the terminal: where its folder is, what to do with it, what the marks amount to."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import name_some
from reel_cli.core.values.sizes import parse_tokens
from reel_cli.features.dream.comparing.chats_walk import walk_chats
from reel_cli.features.dream.comparing.comparison import PAIRS, STARTS, Measure
from reel_cli.features.dream.comparing.folder import (
    check_place,
    put_page,
    read_sheet,
    read_text,
    write_folder,
)
from reel_cli.features.dream.comparing.intervals import LEVEL, Estimate
from reel_cli.features.dream.comparing.key_file import parse_key
from reel_cli.features.dream.comparing.marks import (
    MEASURES,
    NAMES,
    PROTOCOL,
    ComparisonResult,
    in_words,
    judged_json,
    take_marks,
)
from reel_cli.features.dream.comparing.plan import (
    CHATS,
    KEY,
    PAGE,
    SHEET,
    ComparisonFiles,
    answers_file,
    chat_file,
    lay_out_answers,
    lay_out_comparison,
)
from reel_cli.features.dream.comparing.reply import read_questions
from reel_cli.terminal.converse import ring0_in_force
from reel_cli.terminal.input.given_text import read_given

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit

NAMED = 6
"""Maximum number of missing marks named; more are counted."""


# -- the beginning: prompts, a sheet, a key ------------------------------------------------------


def begin_comparison(  # noqa: PLR0913 (as a person can type it)
    opened: "OpenKit", source: str, out: Path | None, window: str | None, seed: int | None, *, as_json: bool
) -> None:
    """Make the folder of a comparison; the kit stays as it is."""
    console = opened.console
    questions = read_questions(read_given(source))
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    size = parse_tokens(window) if window is not None else None
    if out is not None:
        check_place(opened.root, out)
    laid = lay_out_comparison(
        opened.snapshot, ring0_in_force(opened), counter, questions, window=size, seed=seed
    )
    place = opened.root.resolve()
    folder = out if out is not None else place.parent / f"{place.name}-compare-{laid.comparison.name}"
    write_folder(opened.root, folder, laid.files)
    opened.state.note_written(folder)
    opened.context.stays = f"what is in {_shown(folder)}"
    opened.context.waiting = f"go on with  reel dream compare --answers {_shown(folder)}"
    _remember(opened, laid)
    if as_json:
        console.result_json(_laid_json(laid, folder, counter.name))
        return
    _tell(console, laid, _shown(folder))
    if console.interactive and console.confirm("Go through the three chats now?"):
        console.say()
        lay_out(opened, folder, as_json=False)
        return
    console.next_step(f"When the answers are in:  reel dream compare --answers {_shown(folder)}")


def _remember(opened: "OpenKit", laid: ComparisonFiles) -> None:
    """Keep the prompts in mind, so that a chat that began with one is known when it is recorded."""
    try:
        for prompt in laid.prompts:
            opened.state.hand_out("bundle", prompt)
    except (OSError, StateError):
        # a kit on a read-only disk is compared too; the prompts are known by their build
        return


def _tell(console: "Console", laid: ComparisonFiles, shown: str) -> None:
    count = len(laid.comparison.questions)
    asked = f"{count} question" + ("" if count == 1 else "s")
    console.result(console.wrap(f"Wrote {shown}: {asked}, for three new chats.", console.out))
    startup = laid.startup
    rows = [
        (f"{PROTOCOL[start]}  {NAMES[start]}", f"{startup.whole[start]:,}", f"{startup.own[start]:,}")
        for start in STARTS
    ]
    console.say(console.table(("begins with", "tokens", "beside identity"), rows, right=(1, 2)))
    console.say(
        "Of B and C there is as much as whole sentences allow; A is who it is, and smaller by nature."
    )
    for note in laid.notes:
        console.say(note)
    console.say()
    console.say(
        f"1. Paste {', '.join(chat_file(n) for n in CHATS)} each into a new chat with the same model."
    )
    console.say(f"2. Paste each answer whole into {', '.join(answers_file(n) for n in CHATS)}.")
    console.say(f"Leave {KEY} closed: it says which is which.")


def _laid_json(laid: ComparisonFiles, folder: Path, tokenizer: str) -> dict[str, object]:
    startup = laid.startup
    return {
        "comparison": laid.comparison.name,
        "seed": laid.comparison.seed,
        "folder": str(folder),
        "chats": [chat_file(n) for n in CHATS],
        "answers": [answers_file(n) for n in CHATS],
        "sheet": SHEET,
        "key": KEY,
        "questions": list(laid.comparison.questions),
        "window": laid.window,
        "tokenizer": tokenizer,
        "tokens": {start.value: startup.whole[start] for start in STARTS},
        "beside_identity": {start.value: startup.own[start] for start in STARTS},
        "room": startup.room,
        "story_room": startup.story_room,
        "notes": list(laid.notes),
    }


# -- the middle: the answers, in an order that tells nothing -----------------------------------------


def lay_out(opened: "OpenKit", folder: Path, *, as_json: bool) -> None:
    """Write the page to rate from, once all answers are in."""
    key = read_text(folder, KEY) if folder.is_dir() else None
    if key is None:
        message = f"There is no comparison in {folder}."
        raise ReelError(message, hint="begin one:  reel dream compare --questions FILE")
    comparison = parse_key(key)
    console = opened.console
    name = opened.snapshot.settings.name
    opened.context.stays = f"what is in {_shown(folder)}"
    opened.context.waiting = f"go on with  reel dream compare --answers {_shown(folder)}"
    if console.interactive and not as_json and not walk_chats(console, folder, comparison, name):
        console.next_step(f"To go on:  reel dream compare --answers {_shown(folder)}")
        return
    pasted = {n: read_text(folder, answers_file(n)) or "" for n in CHATS}
    prompts = {n: read_text(folder, chat_file(n)) or "" for n in CHATS}
    put_page(folder, PAGE, lay_out_answers(comparison, pasted, prompts, name))
    if as_json:
        told = {"comparison": comparison.name, "page": str(folder / PAGE), "sheet": str(folder / SHEET)}
        console.result_json({**told, "answers": len(comparison.questions) * len(STARTS)})
        return
    shown = _shown(folder)
    count = len(comparison.questions) * len(STARTS)
    console.result(console.wrap(f"Wrote {shown}/{PAGE}: {count} answers, in a hidden order.", console.out))
    console.say(f"Read it, or give it to somebody else to read, and put the marks into {SHEET}.")
    console.say(f"A rater needs {PAGE} and {SHEET} only.")
    console.next_step(f"Then:  reel dream compare --ratings {shown}/{SHEET}")


# -- the end: what the marks amount to -----------------------------------------------------------------


def end_comparison(console: "Console", files: Sequence[Path], folder: Path | None, *, as_json: bool) -> None:
    """Take one sheet a person, and show means and differences with their intervals."""
    places = [path.resolve() for path in files]
    for place, path in enumerate(files):
        if places[place] in places[:place]:
            message = f"{path} is given twice."
            raise ReelError(message, hint="give one sheet for each person")
    sheets = [(str(path), read_sheet(path)) for path in files]
    folders = list(
        dict.fromkeys([*([folder] if folder is not None else []), *(path.parent for path in files)])
    )
    keys = [text for one in folders if (text := read_text(one, KEY)) is not None]
    laid_out = any((one / PAGE).is_file() for one in folders)
    judged = take_marks(sheets, keys, laid_out=laid_out)
    if as_json:
        console.result_json(judged_json(judged))
        return
    _show(console, judged)


def _show(console: "Console", judged: ComparisonResult) -> None:
    verdict = judged.verdict
    for place, measure in enumerate(Measure):
        if place:
            console.result("")
        means = [
            (f"{PROTOCOL[start]}  {NAMES[start]}", *_cells(verdict.means[measure][start], signed=False))
            for start in reversed(STARTS)
        ]
        apart = [
            (
                f"{PROTOCOL[one]} − {PROTOCOL[other]}",
                *_cells(verdict.differences[measure][one, other], signed=True),
            )
            for one, other in PAIRS
        ]
        head = (MEASURES[measure], "mean", f"{LEVEL:.0%} interval", "n")
        console.result(console.table(head, [*means, *apart], right=(1, 3)))
        console.result(console.wrap(in_words(verdict.differences[measure]), console.out))
    console.result("")
    chats = enumerate(judged.comparison.chats, start=1)
    notes = [", ".join(f"{chat_file(n)} was {PROTOCOL[start]}" for n, start in chats) + "."]
    if judged.missing:
        notes.append(
            f"Marks that are missing: {name_some(judged.missing, NAMED)};"
            " each mean is of those that there are."
        )
    for note in (*notes, *judged.notes):
        console.result(console.wrap(note, console.out))


def _cells(found: Estimate | None, *, signed: bool) -> tuple[str, str, str]:
    if found is None:
        return "–", "–", "0"
    mean = _number(found.mean, signed=signed)
    if found.low is None or found.high is None:
        return mean, "–", str(found.n)
    span = f"{_number(found.low, signed=signed)} to {_number(found.high, signed=signed)}"
    return mean, span, str(found.n)


def _number(value: float, *, signed: bool) -> str:
    told = f"{abs(value):.2f}"
    if float(told) == 0 or (value > 0 and not signed):
        return told
    return f"{'+' if value > 0 else '−'}{told}"


def _shown(folder: Path) -> str:
    """Return the folder in the form that is easiest to type from here."""
    try:
        return os.path.relpath(folder)
    except ValueError:
        return str(folder)
