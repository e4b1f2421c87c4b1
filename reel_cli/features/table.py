"""The table of features: one row each, with its commands and what it brings to the ports of the core.

A feature is taken away by deleting its folder and its row. Nothing here imports a feature: modules are named,
and imported when they are asked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Feature:
    """A folder of `features/`, by name.

    `commands` gives for each command the module whose `register` adds it to the app; `brings` gives for each
    port of `core/ports.py` the places, written `module:name`, that the core reads.
    """

    name: str
    commands: Mapping[str, str] = field(default_factory=dict)
    brings: Mapping[str, Sequence[str]] = field(default_factory=dict)


FEATURES: Sequence[Feature] = (
    Feature("start", {"start": "command_start", "pack": "command_pack"}),
    Feature("init", {"init": "command"}),
    Feature("record", {"record": "command_record", "end": "command_end"}),
    Feature("watch"),
    Feature("page", {"checkpoint": "command_checkpoint", "consolidate": "command_consolidate"}),
    Feature("recall", {"recall": "command"}),
    Feature("fading", {"maintain": "command"}),
    Feature("forgetting", {"forget": "command_forget", "restore": "command_restore"}),
    Feature("purge", {"purge": "command"}),
    Feature(
        "history",
        {
            "log": "command_log",
            "undo": "command_undo",
            "diff": "command_diff",
            "why": "command_why",
            "backup": "command_backup",
        },
    ),
    Feature("verify", {"tape": "command_tape"}),
    Feature("review", {"review": "command"}),
    Feature("contradictions"),
    Feature("status", {"status": "command"}),
    Feature("memory", {"memory": "command_memory", "exemplar": "command_exemplar"}),
    Feature("doctor", {"doctor": "command"}),
    Feature("facts", {"fact": "command"}, {"answers": ["reply:FACTS"]}),
    Feature("intake"),
    Feature("tables", {"domain": "command"}),
    Feature("shelf", {"shelf": "command"}),
    Feature(
        "dream",
        {"dream": "command"},
        {"answers": ["context.reply:CONTEXT", "reply:DREAM", "story.reply:REGROUND"]},
    ),
    Feature("stream", {"keep": "command"}, {"answers": ["reply:SIFT_WITH_ROWS"]}),
    Feature("chat", {"chat": "command"}),
    Feature("cards", {"import": "command"}),
    Feature("lore", brings={"imported": ["page:tell_memory"]}),
    Feature("export", {"export": "command"}),
    Feature("training"),
    Feature("mcp", {"mcp": "command"}),
    Feature("machines"),
    Feature("models", {"model": "command"}, {"tokenizers": ["model_file:load_file"]}),
    Feature("wire"),
)

PANELS: Mapping[str, Sequence[str]] = {
    "Daily": (
        *("init", "start", "end", "pack", "record", "checkpoint", "recall", "status", "maintain", "log"),
    ),
    "What is held": ("memory", "exemplar", "fact", "domain", "shelf"),
    "The past": ("tape", "consolidate", "dream", "keep"),
    "Your word": ("review", "forget", "restore", "undo", "doctor", "why", "diff", "purge"),
    "Outside": ("chat", "model", "import", "export", "mcp", "backup"),
}
"""The panels of the help, each with its commands in order."""

_MODULES = {
    name: f"reel_cli.features.{feature.name}.{module}"
    for feature in FEATURES
    for name, module in feature.commands.items()
}
COMMANDS: Mapping[str, str] = {
    name: _MODULES[name] for names in PANELS.values() for name in names if name in _MODULES
}
"""The module of every command, in the order of the help."""
