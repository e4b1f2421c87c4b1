"""A bundle as other programs take a system prompt: LM Studio's preset, Ollama's Modelfile."""

import re

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, render_json

_MODEL = re.compile(r"[A-Za-z0-9][\w./:@+-]*")
_FENCE = re.compile(r'"{3,}')


def render_preset(name: str, slug: str, text: str, window: int) -> str:
    """Return an LM Studio preset: the text as system prompt, `window` tokens as context length."""
    fields: list[Json] = [{"key": "llm.prediction.systemPrompt", "value": text}]
    load: list[Json] = [{"key": "llm.load.contextLength", "value": window}]
    preset: dict[str, Json] = {
        "identifier": f"@local:{slug}",
        "name": name,
        "changed": False,
        "operation": {"fields": fields},
        "load": {"fields": load},
    }
    return render_json(preset, indent=2).decode() + "\n"


def render_modelfile(model: str, text: str, window: int) -> tuple[str, bool]:
    """Return an Ollama Modelfile, and whether the text had to be altered for it.

    Three straight quotation marks in a row would end the text early; they become typographic ones. ReelError
    where `model` is neither a model's name nor a file's.
    """
    if not _MODEL.fullmatch(model):
        message = f"{model!r} is no name of a model."
        raise ReelError(message, hint="as  ollama list  has it, like  llama3.1:8b")
    safe = _FENCE.sub(lambda found: "”" * len(found[0]), text.rstrip("\n"))
    # the text ends before the closing marks on a line of its own, whatever its last letter is
    made = f'FROM {model}\nPARAMETER num_ctx {window}\nSYSTEM """{safe}\n"""\n'
    return made, safe != text.rstrip("\n")
