"""The table of features: one row each, with its commands and what it brings to the ports of the core.

A feature is taken away by deleting its folder and its row. Nothing here imports a feature: modules are named,
and imported when they are asked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from reel_cli.core.frozen import frozen
from reel_cli.core.ports import KitFile, PagePlace, PartRow, StatusPlace


@frozen
class Feature:
    """A folder of `features/`, by name.

    `commands` gives for each command the module whose `register` adds it to the app; `brings` gives for each
    port of `core/ports.py` the places, written `module:name`, that the core reads. `files` are the kit files
    that are the feature's, `parts` its parts of the bundle, `pages` its parts of the page, `settings` its
    sections of `kit.yaml`, `status` its parts of `reel status`. `openings` are words near the beginning of
    each kind of prompt it makes, in lower case, by which a prompt is recognized in a chat. `proposals` gives
    for each `ReviewKind` that is the feature's the place of its `ProposalKind`. `needs` names the features
    without which it cannot work; they may be imported, and with one of them it is taken away too.
    """

    name: str
    commands: Mapping[str, str] = field(default_factory=dict)
    brings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    files: Sequence[KitFile] = ()
    parts: Sequence[PartRow] = ()
    pages: Sequence[PagePlace] = ()
    settings: Sequence[str] = ()
    status: Sequence[StatusPlace] = ()
    needs: Sequence[str] = ()
    openings: Sequence[str] = ()
    proposals: Mapping[str, str] = field(default_factory=dict)


_DECISIONS = "decisions: it is on record"
"""The reason for which advice keeps what was decided."""

_NO_SHELF = dict.fromkeys(("added", "changed", "dropped", "noted", "summed_up", "unsummed"), ())

FEATURES: Sequence[Feature] = (
    Feature(
        "start",
        {"start": "command_start", "pack": "command_pack"},
        files=[KitFile("places/", "kit_files:PLACES")],
        parts=[PartRow("scenes:ScenesPart", path="tape/")],
    ),
    Feature("init", {"init": "command"}),
    Feature(
        "record",
        {"record": "command_record", "end": "command_end"},
        {"checks": ["checks:CHECKS"], "mends": ["checks:mend_sessions"]},
    ),
    Feature(
        "verify", {"tape": "command_tape"}, {"checks": ["checks:CHECKS"], "mends": ["checks:mend_notes"]}
    ),
    Feature(
        "watch",
        status=[StatusPlace("status_part:LIVE", [".reel/state/stream.json"], empty={"stream": None})],
    ),
    Feature(
        "page",
        {"checkpoint": "command_checkpoint", "consolidate": "command_consolidate"},
        {
            "warnings": ["owed_pages:pages_owed"],
            "tools": ["mcp_tools:TOOLS"],
            "handed_in": ["mcp_tools:KINDS"],
        },
        proposals={"closing": "closing:CLOSINGS"},
        settings=["behavior", "checkpoint", "index"],
        openings=[
            "write the page you will",
            "write a short page of your",
            "did not come through; the rest is kept",
        ],
    ),
    Feature("recall", {"recall": "command"}, {"tools": ["mcp_tools:TOOLS"]}, settings=["recall"]),
    Feature(
        "fading",
        {"maintain": "command"},
        {"checks": ["attachment:CHECKS"]},
        proposals={"immunity": "immunity_proposal:IMMUNITY"},
        settings=["prune", "maintain", "ages"],
        openings=[
            "pages of your journal are to be written again",
            "your notes are to be gone through again",
            "which of your memories must stay",
        ],
    ),
    Feature(
        "forgetting",
        {"forget": "command_forget", "restore": "command_restore"},
        {
            "tools": ["mcp_tools:TOOLS"],
            "handed_in": ["mcp_tools:KINDS"],
            "checks": ["checks:CHECKS"],
            "mends": ["checks:mend_lines"],
            "rests": ["resting_parts:find_resting"],
        },
    ),
    Feature("preference", brings={"checks": ["offer:CHECKS"], "findings": ["offer:find_offer"]}),
    Feature(
        "purge",
        {"purge": "command"},
        {"unfinished": ["swap:finish_stopped"], "secrets": ["told_secrets:find_secrets"]},
    ),
    Feature(
        "history",
        {
            "log": "command_log",
            "undo": "command_undo",
            "redo": "command_redo",
            "diff": "command_diff",
            "why": "command_why",
            "backup": "command_backup",
        },
    ),
    Feature("review", {"review": "command"}, {"checks": ["checks:CHECKS"]}),
    Feature("contradictions", proposals={"contradiction": "settle:CONTRADICTIONS"}),
    Feature(
        "status",
        {"status": "command"},
        {"upkeep": ["due_upkeep:keep_up"]},
        status=[StatusPlace("status_part:DUE", ["ring1/"])],
    ),
    Feature("help", {"help": "command"}),
    Feature("settings", {"config": "command_config", "edit": "command_edit"}),
    Feature("migrate", {"migrate": "command"}, {"checks": ["checks:CHECKS"]}),
    Feature("view", {"view": "command"}, needs=["home"]),
    Feature("serve", {"serve": "command"}, needs=["home", "settings", "view"]),
    Feature("home", {"kits": "command_kits"}, {"overview": ["overview:show"]}),
    Feature(
        "memory",
        {"memory": "command_memory", "example": "command_exemplar"},
        {
            "tools": ["mcp_tools:TOOLS"],
            "handed_in": ["mcp_tools:KINDS"],
            "findings": ["doubts:find_doubtful_memories"],
            "checks": ["checks:CHECKS"],
        },
        proposals={"exemplar": "exemplar_proposal:EXAMPLES"},
    ),
    Feature(
        "threads",
        brings={
            "memory_commands": ["command:register"],
            "follows": ["follow:follow_moment"],
            "sections": ["section:show_section"],
            "expansions": ["edges.expand:expand_hits"],
            "courses": ["find_course:find_course"],
            "ties": ["bundle:find_ties"],
            "checks": ["naming.checks:CHECKS"],
        },
        proposals={"thread": "naming.proposal:THREADS"},
        files=[
            KitFile(
                "threads.yaml",
                "kit_files:THREADS_FILE",
                opens_as="threads",
                no_diff={"threads": {}},
                why_kept=_DECISIONS,
            )
        ],
        settings=["pack"],
        pages=[PagePlace("naming.page_part:THREAD_PART", ["thread"])],
    ),
    Feature(
        "compression",
        brings={
            "gauges": ["gauge:Gauge"],
            "measures": ["measures:list_measures"],
            "page_rules": ["policies:find_page_due"],
        },
        needs=["threads"],
    ),
    Feature(
        "doctor",
        {"doctor": "command"},
        {
            "checks": ["checks:CHECKS"],
            "findings": ["mends:find_mends"],
            "second_looks": ["second_look:look_again"],
        },
        openings=["pages of your journal are to be held against"],
    ),
    Feature(
        "facts",
        {"fact": "command"},
        {
            "answers": ["reply:FACTS"],
            "checks": ["checks:CHECKS"],
            "known_facts": ["rounds:KNOWN"],
            "sure_answers": ["answering.fact_search:find_sure"],
            "warnings": ["checks:clashing_facts"],
            "marks": ["replaced.bundle_marks:BundleMarks"],
            "sections": ["view:show_section"],
            "happenings": ["view:list_days"],
        },
        [
            KitFile(
                "facts.yaml",
                "kit_files:FACTS_FILE",
                needed=True,
                packed=True,
                no_diff={"facts": {}},
                why_kept=_DECISIONS,
            ),
            KitFile("adapters/", "kit_files:ADAPTERS"),
        ],
        [PartRow("bundle:FactsPart", path="facts.yaml")],
        proposals={"fact": "pending.held_facts:HELD_FACTS"},
        settings=["facts", "adapter"],
        pages=[PagePlace("page_part:FACTS_PART", ["facts"], path="facts.yaml")],
        status=[
            StatusPlace("status_part:SEARCH", ["checkpoints/"]),
            StatusPlace("status_part:AGES", ["facts.yaml"]),
        ],
        openings=["once more only for what has to be known by heart"],
    ),
    Feature(
        "intake",
        brings={
            "tools": ["mcp_tools:TOOLS"],
            "handed_in": ["mcp_tools:KINDS"],
            "heard": ["noticed_words:listen"],
            "let_go": ["queue:let_go"],
            "promises": ["detection:find_promises"],
            "checks": ["checks:CHECKS"],
        },
        files=[
            KitFile(
                "intake.yaml",
                "kit_files:INTAKE_FILE",
                put_back=True,
                quotes=True,
                no_diff={"intake": {"waiting": {"before": 0, "after": 0}, "decided": {}}},
            )
        ],
        pages=[
            PagePlace(
                "page_part:INTAKE_PART",
                ["intake"],
                path="intake.yaml",
                told={"intake": {"decided": [], "waiting": 0}},
            )
        ],
        settings=["intake"],
        needs=["facts", "stream", "tables"],
        status=[StatusPlace("status_part:WAITING", ["intake.yaml"], empty={"intake": {"waiting": 0}})],
    ),
    Feature(
        "tables",
        {"domain": "command"},
        {"checks": ["checks:CHECKS"], "setting_rules": ["bundle:require_no_whole_table"]},
        files=[
            KitFile(
                "domain/",
                "kit_files:DOMAIN",
                no_diff={"domain": []},
                opened="settle_store:settle_store",
                committed="settle_store:settle_store",
            )
        ],
        parts=[PartRow("bundle:RowsPart", asked="rows", setting="domain_with")],
        settings=["domain"],
    ),
    Feature(
        "shelf",
        {"shelf": "command"},
        {
            "tools": ["mcp_tools:TOOLS"],
            "handed_in": ["mcp_tools:KINDS"],
            "checks": ["checks:CHECKS", "summaries.checks:CHECKS", "advice.checks:CHECKS"],
            "mends": ["checks:mend_pages"],
            "breaths": ["collecting.view:breathe_out"],
            "recorded": ["advice.said_view:tell_of_advice"],
            "restores": ["collecting.restore:plan_files"],
            "findings": ["collecting.decision:find_collectable"],
        },
        files=[
            KitFile(
                "shelf/",
                "kit_files:SHELF_FOLDER",
                spoken_of=True,
                free=True,
                own_restore=True,
                no_diff={"shelf": _NO_SHELF},
            ),
            KitFile("archive/", "kit_files:ARCHIVE", free=True, own_restore=True),
            KitFile("summaries/", "kit_files:SUMMARIES_FOLDER", own_restore=True),
            KitFile("hot.yml", "kit_files:MANIFEST"),
            KitFile("cold.yml", "kit_files:MANIFEST"),
            KitFile("memory_actions.yml", "kit_files:MANIFEST", why_kept=_DECISIONS),
            KitFile("session-log.md", "kit_files:SESSION_LOG", why_kept="events: it only grows"),
        ],
        parts=[PartRow("bundle:ShelfPart", path="shelf/")],
        settings=["shelf"],
        openings=[
            "which of your papers stay within reach",
            "what you said of your papers could not be used",
            "write down what these papers come to",
        ],
        status=[StatusPlace("status_part:ON_DESK", ["shelf/", "archive/"])],
    ),
    Feature(
        "dream",
        {"dream": "command"},
        {
            "answers": ["context.reply:CONTEXT", "reply:DREAM", "story.reply:REGROUND"],
            "checks": ["context.checks:CHECKS", "story.checks:CHECKS"],
            "pulse": ["pulse.pulse_view:status_pulse"],
            "sections": ["story.section:show_story"],
            "happenings": ["story.section:list_days"],
        },
        [
            KitFile("story/", "kit_files:STORY"),
            KitFile("SHARED-CONTEXT.md", "kit_files:CONTEXT_FILE", no_diff={"context": {}}),
        ],
        [PartRow("waking.bundle:WakingPart", asked="boot", setting="boot_always")],
        settings=["dream", "boot"],
        pages=[PagePlace("context.page_part:CONTEXT_PART", ["now", "hours", "person", "blocked", "next"])],
        openings=[
            "live it once more: read again, word for word",
            "hold your story against what was said, line by line",
            "as though it were the first thing said between you today",
            "leave yourself what can be read in ten seconds",
        ],
        needs=["facts"],
        status=[
            StatusPlace("pulse.status_part:DREAM_DUE", ["story/", "tape/"]),
            StatusPlace("pulse.status_part:DREAMING", ["story/"], empty={"dream": None}),
        ],
    ),
    Feature(
        "stream",
        {"keep": "command"},
        {"answers": ["reply:SIFT_WITH_ROWS"], "checks": ["checks:CHECKS"]},
        [KitFile("stream.md", "kit_files:STREAM")],
        [
            PartRow("beginning:BeginningPart", path="tape/", asked="stream"),
            PartRow("bundle:StreamPart", asked="stream"),
        ],
        settings=["keep", "buffer"],
        openings=["have talked for longer than you can hold at once"],
        needs=["tables"],
    ),
    Feature("chat", {"chat": "command"}, needs=["wire", "stream"]),
    Feature(
        "share",
        {"share": "command"},
        {
            "checks": ["checks:CHECKS"],
            "warnings": ["offer_notice:find_untold"],
            "purged": ["purge_part:reach_takers"],
            "purge_reaches": ["purge_part:foretell_reach"],
        },
        files=[
            KitFile(
                "shares.yaml",
                "kit_files:SHARES_FILE",
                opened="overdue_memories:settle_overdue",
                waits="share.",
            )
        ],
        openings=["has something to tell you that you were", "you were there too when this was"],
    ),
    Feature(
        "cards",
        {"import": "command"},
        {
            "checks": ["checks:CHECKS"],
            "imported": ["lore.imported_memories:tell_memory"],
            "beginnings": ["card_kit:begin_with_card"],
            "exports": ["command_export:register"],
            "names": ["kept_card:list_names"],
            "faces": ["kept_card:read_face"],
        },
        files=[
            KitFile("card/", "kit_files:KEPT", free=True),
            KitFile("lore/", "kit_files:KEPT", free=True),
        ],
    ),
    Feature("export", {"export": "command"}, {"exports": ["command:register_own"]}),
    Feature("training", brings={"exports": ["command:register"]}),
    Feature("mcp", {"mcp": "command"}, settings=["mcp"]),
    Feature("machines", brings={"joins": ["walk:join_machines"]}),
    Feature(
        "apart",
        {"apart": "command"},
        {
            "checks": ["checks:CHECKS"],
            "purged": ["purge_part:name_copies"],
            "purge_reaches": ["purge_part:foretell_copies"],
        },
        files=[KitFile("apart.yaml", "kit_files:APART_FILE", opened="home_news:catch_up")],
        parts=[PartRow("bundle:ApartPart", path="apart.yaml")],
        needs=["machines"],
    ),
    Feature("models", {"model": "command"}, {"tokenizers": ["model_file:load_file"]}),
    Feature("wire", brings={"transports": ["server_transport:SERVERS"]}, settings=["via"]),
    Feature("detection", brings={"model_commands": ["command:register"]}, needs=["wire", "models"]),
)

PAGE: Sequence[str] = (
    *("0", "1", "trust", "story", "3", "pages", "settled", "standing", "recalled", "yielding", "lately"),
    *("changed", "facts", "4", "scenes", "shelf", "domain", "varies", "context", "2", "buffer", "traces"),
    *("clash", "apart", "stream"),
)
"""The order of a bundle's parts on the page, between its first and its last words; a number is a ring.

What changes least stands first, what changes each evening last. `pages` are memories told at length, each
with its scenes below it. Where not all scenes fit, `settled` are those of earlier evenings, and `yielding`
the same in a small window. `standing` are facts known by then, `recalled` the index in a small window,
`lately` the memories of the last evenings, `changed` what is otherwise now than told before it, `varies` the
exemplars beside the anchor.
"""
ROOM: Sequence[str] = (
    *("apart", "facts", "stream", "clash", "story", "domain", "shelf", "1", "4", "buffer", "scenes"),
)
"""The order in which parts are given room, after what must be there; "1" are the exemplars beside the anchor,
"4" index and memories."""

DIFF_NOW: Sequence[str] = ("context", "facts", "intake")
"""The kit files of features that `reel diff` tells of behind what is going on, by `KindDiff.key`; the others
stand behind how the persona sounds, in the order of their rows."""

PANELS: Mapping[str, Sequence[str]] = {
    "Every day": ("start", "end", "recall", "review"),
    "Now and then": (
        *("init", "status", "undo", "redo", "log", "memory", "fact", "forget", "restore", "edit"),
        *("config", "doctor", "backup", "view", "help"),
    ),
    "Workshop": (
        *("why", "diff", "example", "maintain", "dream", "shelf", "domain"),
        *("pack", "record", "checkpoint", "consolidate", "keep", "tape", "chat", "model", "import"),
        *("kits", "serve", "share", "apart", "export", "mcp", "migrate", "purge"),
    ),
}
"""The panels of the help, each with its commands in order."""
SHORT: Sequence[str] = ("Every day", "Now and then")
"""The panels that are shown unless all are asked for."""
ALIASES: Mapping[str, str] = {"search": "recall", "exemplar": "example"}
"""Other names of commands, which no help lists."""

_MODULES = {
    name: f"reel_cli.features.{feature.name}.{module}"
    for feature in FEATURES
    for name, module in feature.commands.items()
}
COMMANDS: Mapping[str, str] = {
    name: _MODULES[name] for names in PANELS.values() for name in names if name in _MODULES
}
"""The module of every command, in the order of the help."""
