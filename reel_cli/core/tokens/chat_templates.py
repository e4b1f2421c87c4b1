"""Token overhead of a model's chat template, recognized by its marks.

A template is a program, and no program out of a file is run here: the numbers were counted once for the
usual templates, with a system prompt, the marks being one token each, and are rounded up. What a template
adds of its own beyond that (tools, a date) is not seen.
"""

from typing import NamedTuple


class TemplateCost(NamedTuple):
    """A template's name, the mark it is known by, and its tokens: once a prompt, and for each message."""

    name: str
    mark: str
    fixed: int
    message: int


KNOWN = (
    # the first match is taken, so special templates come before those they are made from
    TemplateCost("llama3.1", "Cutting Knowledge Date", 40, 5),
    TemplateCost("llama3", "<|start_header_id|>", 12, 5),
    TemplateCost("granite", "<|start_of_role|>", 12, 5),
    TemplateCost("chatml", "<|im_start|>", 10, 5),
    TemplateCost("gemma4", "<|turn>", 12, 5),
    TemplateCost("gemma", "<start_of_turn>", 12, 5),
    TemplateCost("command-r", "<|START_OF_TURN_TOKEN|>", 8, 3),
    TemplateCost("harmony", "<|channel|>", 100, 6),
    TemplateCost("deepseek", "<｜User｜>", 4, 2),
    TemplateCost("glm4", "[gMASK]", 6, 2),
    TemplateCost("phi3", "<|end|>", 8, 4),
    TemplateCost("llama2", "<<SYS>>", 24, 8),
    TemplateCost("mistral", "[INST]", 12, 8),
    TemplateCost("zephyr", "<|user|>", 24, 12),
)
"""The templates whose overhead is known."""


def recognise(template: str) -> str:
    """Return the name of a chat template, "" if it is not a known one."""
    return next((wrapping.name for wrapping in KNOWN if wrapping.mark in template), "")


def find_wrapping(name: str) -> TemplateCost | None:
    """Return the template of this name."""
    return next((wrapping for wrapping in KNOWN if wrapping.name == name), None)
