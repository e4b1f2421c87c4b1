"""The commands of every feature, registered by name so that only the one asked for is imported."""

from dataclasses import dataclass

DAILY = "Daily"
HELD = "What is held"
PAST = "The past"
WORD = "Your word"
OUTSIDE = "Outside"


@dataclass(frozen=True, slots=True)
class Command:
    """A command's panel in the help, and the module of `features/` whose `register` adds it to the app."""

    panel: str
    module: str


COMMANDS: dict[str, Command] = {
    "init": Command(DAILY, "init.command"),
    "start": Command(DAILY, "start.command_start"),
    "end": Command(DAILY, "record.command_end"),
    "pack": Command(DAILY, "start.command_pack"),
    "record": Command(DAILY, "record.command_record"),
    "checkpoint": Command(DAILY, "page.command_checkpoint"),
    "recall": Command(DAILY, "recall.command"),
    "status": Command(DAILY, "status.command"),
    "maintain": Command(DAILY, "fading.command"),
    "log": Command(DAILY, "history.command_log"),
    "memory": Command(HELD, "memory.command_memory"),
    "exemplar": Command(HELD, "memory.command_exemplar"),
    "fact": Command(HELD, "facts.command"),
    "domain": Command(HELD, "tables.command"),
    "shelf": Command(HELD, "shelf.command"),
    "tape": Command(PAST, "verify.command_tape"),
    "consolidate": Command(PAST, "page.command_consolidate"),
    "dream": Command(PAST, "dream.command"),
    "keep": Command(PAST, "stream.command"),
    "review": Command(WORD, "review.command"),
    "forget": Command(WORD, "forgetting.command_forget"),
    "restore": Command(WORD, "forgetting.command_restore"),
    "undo": Command(WORD, "history.command_undo"),
    "doctor": Command(WORD, "doctor.command"),
    "why": Command(WORD, "history.command_why"),
    "diff": Command(WORD, "history.command_diff"),
    "purge": Command(WORD, "purge.command"),
    "chat": Command(OUTSIDE, "chat.command"),
    "model": Command(OUTSIDE, "models.command"),
    "import": Command(OUTSIDE, "cards.command"),
    "export": Command(OUTSIDE, "export.command"),
    "mcp": Command(OUTSIDE, "mcp.command"),
    "backup": Command(OUTSIDE, "history.command_backup"),
}
"""Every command, in the order of the help."""
