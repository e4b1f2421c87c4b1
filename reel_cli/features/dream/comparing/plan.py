"""`dream compare`: three ways to begin, the same questions to each, and a sheet blind to which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.budget import name_window, plan_budget
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.features.dream.comparing.beginnings import Startup, make_startup
from reel_cli.features.dream.comparing.comparison import FEW, STARTS, Comparison, Start, shuffle
from reel_cli.features.dream.comparing.key_file import render_key
from reel_cli.features.dream.comparing.material import CONTEXT, gather
from reel_cli.features.dream.comparing.rating_sheet import render_page, render_sheet
from reel_cli.features.dream.comparing.reply import PASTE_BELOW, read_answers, render_questions
from reel_cli.features.dream.cursor_file import read_cursor

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.values.holdings import Counter

LEAST = 100
"""Tokens below which there is too little for summaries and a story to differ."""
CHATS = tuple(range(1, len(STARTS) + 1))
SHEET, KEY, PAGE = "sheet.csv", "key.txt", "to-rate.md"


def chat_file(number: int) -> str:
    """Return the file with the prompt of a chat."""
    return f"chat-{number}.md"


def answers_file(number: int) -> str:
    """Return the file that the answers of a chat are pasted into."""
    return f"answers-{number}.md"


@dataclass(frozen=True, slots=True)
class ComparisonFiles:
    """A comparison that is ready: `files` by name, and `notes` on what a person should know of it."""

    comparison: Comparison
    startup: Startup
    window: int
    files: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def prompts(self) -> Sequence[str]:
        """Return the three prompts, in the order of the chats."""
        return [self.files[chat_file(number)] for number in CHATS]


def lay_out_comparison(  # noqa: PLR0913 (what is asked, of whom, how large, in which order)
    snapshot: Snapshot,
    ring0: "Ring0",
    counter: "Counter",
    questions: Sequence[str],
    *,
    window: int | None = None,
    seed: int | None = None,
) -> ComparisonFiles:
    """Return the prompts, the files for the answers, the sheet and the key; writes nothing.

    Raises ReelError where there is no story or nothing to summarise yet, or where the window has no room.
    """
    settings = snapshot.settings
    ask = render_questions(settings.name, settings.user, questions)
    stuff = gather(snapshot, ring0, ask)
    if not stuff.chapters:
        message = "There is no story yet, so there is nothing to compare."
        raise ReelError(message, hint="have it written first:  reel dream start")
    if not stuff.points:
        message = "There are no memories, notes or facts yet that a summary could be made of."
        raise ReelError(message, hint="make some first:  reel end, or  reel consolidate")
    budget = plan_budget(settings, window)
    startup = make_startup(stuff, budget.room, counter.count)
    bare = startup.whole[Start.IDENTITY]
    if bare + LEAST > budget.room or (
        startup.room < LEAST and min(startup.held[Start.SUMMARIES], startup.held[Start.STORY]) > startup.room
    ):
        message = (
            f"Who {settings.name} is and the questions need {bare:,} tokens;"
            f" a window of {name_window(budget.cap)} leaves {budget.room:,} for all of it."
        )
        raise ReelError(message, hint="take a larger window, such as  --window 32k, or fewer questions")
    comparison = shuffle(questions, startup.texts, startup.whole, seed)
    files = {chat_file(n): startup.texts[comparison.chats[n - 1]] for n in CHATS}
    files |= {answers_file(n): PASTE_BELOW.format(chat=chat_file(n)) + "\n\n" for n in CHATS}
    files |= {SHEET: render_sheet(comparison), KEY: render_key(comparison)}
    return ComparisonFiles(
        comparison, startup, budget.cap, files, tuple(_notes(snapshot, stuff.context, startup, questions))
    )


def _notes(snapshot: Snapshot, context: str, startup: Startup, questions: Sequence[str]) -> list[str]:
    notes = []
    if not snapshot.memories:
        notes.append("There are no memories yet; the summaries are made of notes and facts only.")
    notes += _uneven(snapshot)
    if not context.strip():
        notes.append(f"There is no {CONTEXT} yet; the third beginning is the story alone.")
    if startup.room < LEAST:
        notes.append(f"Summaries or story hold no more than {startup.room:,} tokens: too little to tell.")
    summaries, story = startup.held[Start.SUMMARIES], startup.held[Start.STORY]
    if story <= startup.room < summaries:
        notes.append(
            f"All of the story is in it ({story:,} tokens);"
            " of the summaries there is as much, and the rest is left out."
        )
    elif startup.room < startup.story_room:
        notes.append(
            f"All of the summaries are in it ({summaries:,} tokens);"
            f" the story has its own room, {startup.own[Start.STORY]:,}."
        )
    if len(questions) < FEW:
        count = f"{len(questions)} question" + ("" if len(questions) == 1 else "s")
        notes.append(f"{count} can give no more than a hint; {FEW} or more tell better.")
    return notes


def _uneven(snapshot: Snapshot) -> list[str]:
    """Return notes on what only one of the two can know: sessions without a memory, or not dreamt yet."""
    remembered = {session for memory in snapshot.memories.values() for session in memory.sessions}
    cursor = read_cursor(snapshot)
    standing = standing_sessions(snapshot)
    found = []
    for known, told in (
        (remembered, "no memory yet, which is to the story's advantage"),
        (
            cursor.read if cursor is not None else standing,
            "not been dreamt yet, which is to the summaries' advantage",
        ),
    ):
        lacking = sum(1 for session in standing if session not in known)
        if lacking and lacking < len(standing):
            count = "1 chat has" if lacking == 1 else f"{lacking:,} chats have"
            found.append(f"{count} {told}.")
    return found


def read_chat(
    comparison: Comparison, number: int, pasted: str, prompt: str, name: str
) -> tuple[dict[int, str], list[int]]:
    """Return a chat's answers by question, and the questions without one; `pasted` is its answers file.

    `prompt` is what the chat began with, `name` the persona's. Raises ReelError where it is the prompt.
    """
    reply = pasted.replace(PASTE_BELOW.format(chat=chat_file(number)), "", 1)
    found = read_answers(reply, comparison.questions, prompt, (name,))
    return found, [q for q in range(1, len(comparison.questions) + 1) if q not in found]


def lay_out_answers(
    comparison: Comparison, pasted: Mapping[int, str], prompts: Mapping[int, str], name: str
) -> str:
    """Return the page with all answers to rate, each question's in its own order.

    `pasted` and `prompts` are the files' texts by the chat's number. Raises ReelError naming every answer
    that is missing.
    """
    found: dict[tuple[int, Start], str] = {}
    missing: list[str] = []
    for number in CHATS:
        try:
            told, lacking = read_chat(
                comparison, number, pasted.get(number, ""), prompts.get(number, ""), name
            )
        except ReelError as error:
            message = f"{answers_file(number)}: {error.message}"
            raise ReelError(message, hint=error.hint) from None
        if lacking:
            missing.append(f"{answers_file(number)}: {tell_lacking(comparison, lacking)}")
        found.update({(q, comparison.chats[number - 1]): text for q, text in told.items()})
    if missing:
        message = f"Answers are missing ({'; '.join(missing)})."
        raise ReelError(
            message,
            hint="ask for them in that chat, and paste each below its heading, like  ## Question 2",
        )
    return render_page(comparison, found)


def tell_lacking(comparison: Comparison, numbers: Sequence[int]) -> str:
    """Return the questions without an answer, in words."""
    if len(numbers) == len(comparison.questions):
        return "all of them"
    return f"question{'s' if numbers[1:] else ''} {', '.join(map(str, numbers))}"
