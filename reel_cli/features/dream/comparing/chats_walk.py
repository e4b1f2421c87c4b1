"""Going through the three chats of a comparison: a prompt to the clipboard, the answers back from it."""

from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.features.dream.comparing.folder import put_page, read_text
from reel_cli.features.dream.comparing.plan import CHATS, answers_file, chat_file, read_chat, tell_lacking
from reel_cli.features.dream.comparing.reply import PASTE_BELOW
from reel_cli.terminal import clipboard
from reel_cli.terminal.console import find_key
from reel_cli.terminal.menu import PROMPT, say_keys

if TYPE_CHECKING:
    from reel_cli.features.dream.comparing.comparison import Comparison
    from reel_cli.terminal.console import Console


def walk_chats(console: "Console", folder: Path, comparison: "Comparison", name: str) -> bool:
    """Guide a person through the chats with missing answers; return whether all are complete now."""
    return all(_Chat(folder, comparison, number, name).walk(console) for number in CHATS)


class _Chat:
    """One chat: its prompt, the answers so far, the questions that have none."""

    def __init__(self, folder: Path, comparison: "Comparison", number: int, name: str) -> None:
        self._folder, self._comparison, self._number, self._name = folder, comparison, number, name
        self._prompt = read_text(folder, chat_file(number)) or ""
        self._held = read_text(folder, answers_file(number)) or ""
        try:
            self._lacking = self._lacking_in(self._held)
        except ReelError:
            # the prompt was pasted in place of the answers
            self._held, self._lacking = "", self._lacking_in("")

    def walk(self, console: "Console") -> bool:
        """Copy the prompt and wait until every question has an answer; False for later."""
        if not self._lacking:
            return True
        console.say(f"Chat {self._number} of {len(CHATS)}.")
        name, answers = chat_file(self._number), answers_file(self._number)
        how = clipboard.copy(self._prompt) if self._prompt else None
        if how:
            console.say(
                f"{clipboard.copied(how)} {name}. Paste it into a new chat, wait for the answers, copy them."
            )
            if how == clipboard.BY_TERMINAL:
                console.say("(If pasting brings nothing, open the file.)")
        else:
            console.say(f"Open {self._folder / name} and paste it into a new chat; then copy the answers.")
        keys = (*clipboard.keys(), ("f", f"they are in {answers} now"), ("q", "later"))
        say_keys(console, keys)
        while self._lacking:
            try:
                said = console.ask(PROMPT).casefold()
            except EOFError:
                said = "q"
            said = find_key(said, dict(keys)) or said
            if said == "q":
                return False
            if said not in ("", "f"):
                say_keys(console, keys)
                continue
            pasted = read_text(self._folder, answers) if said else clipboard.paste()
            if not pasted or not pasted.strip():
                console.say(f"The clipboard cannot be read, or is empty. Paste into {answers}, then f.")
                continue
            try:
                lacking = self._take(pasted, from_file=bool(said))
            except ReelError as error:
                console.error(error.message, error.hint)
                continue
            if lacking:
                told = tell_lacking(self._comparison, lacking)
                console.say(f"Answers are missing: {told}. Ask for them there.")
        console.say(f"Kept in {answers}.")
        return True

    def _take(self, pasted: str, *, from_file: bool) -> list[int]:
        """Keep what brings more answers than there were; the questions that have none yet."""
        # a repeated part comes alone and belongs to the answer before it
        alone = from_file or not self._lacking_in(pasted)
        whole = pasted if alone else f"{self._held.rstrip()}\n\n{pasted.strip()}\n"
        lacking = self._lacking_in(whole)
        if not from_file and len(lacking) >= len(self._lacking):
            return lacking
        if not from_file:
            head = PASTE_BELOW.format(chat=chat_file(self._number))
            self._held = whole if head in whole else f"{head}\n\n{whole}"
            put_page(self._folder, answers_file(self._number), self._held)
        self._lacking = lacking
        return lacking

    def _lacking_in(self, pasted: str) -> list[int]:
        return read_chat(self._comparison, self._number, pasted, self._prompt, self._name)[1]
