"""Types into oterm's own window, in oterm's environment: a chat on the local endpoint, and the questions.

python oterm_typist.py MODEL QUESTION ...

A chat that is there already is gone on with. Keys and clicks come from Textual's own driver of programs.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from oterm.app.chat_edit import ChatEdit
from oterm.app.oterm import app
from oterm.store.store import Store
from textual.widgets import Button, Select, TextArea

if TYPE_CHECKING:
    from textual.pilot import Pilot

Value = TypeVar("Value")
KEYS = {" ": "space", "?": "question_mark", ",": "comma", ".": "full_stop"}


async def until(pilot: "Pilot[None]", holds: Callable[[], Value | Awaitable[Value]], what: str) -> Value:
    """Wait until something is so, and return it."""
    for _ in range(400):
        await pilot.pause(0.05)
        held = holds()
        value = await held if isinstance(held, Awaitable) else held
        if value:
            return value
    sys.exit(f"{what} did not come")


async def make_chat(pilot: "Pilot[None]", model: str) -> None:
    """Make a chat in the dialog for it."""
    await pilot.press("ctrl+n")
    await until(
        pilot, lambda: isinstance(app.screen, ChatEdit) and app.screen.query("#provider-select"), "the dialog"
    )
    dialog = app.screen
    dialog.query_one("#provider-select", Select).value = "openai-compat/local"
    await until(pilot, lambda: model in dialog.models, "the list of models")
    await pilot.click("#model-select Input")
    await pilot.press(*model, "tab")
    await until(pilot, lambda: not dialog.query_one("#save-btn", Button).disabled, "the model")
    dialog.query_one(".system", TextArea).load_text("You are Ada.")
    await pilot.click("#save-btn")


async def type_all(model: str, questions: list[str]) -> None:
    """Type the questions, each once the one before is answered."""
    async with app.run_test(size=(120, 50)) as pilot:
        await until(pilot, lambda: app.query("#empty-state"), "the window")
        store = await Store.get_store()
        if not await store.get_chats():
            await make_chat(pilot, model)
        [chat] = await until(pilot, store.get_chats, "the chat")
        there = len(await store.get_messages(chat.id))
        await until(pilot, lambda: app.screen.query("#prompt"), "the prompt")
        for number, text in enumerate(questions, 1):
            app.screen.query_one("#prompt").focus()
            await pilot.pause()
            await pilot.press(*(KEYS.get(key, key) for key in text), "enter")

            while len(await store.get_messages(chat.id)) < there + 2 * number:
                await pilot.pause(0.1)


asyncio.run(type_all(sys.argv[1], sys.argv[2:]))
