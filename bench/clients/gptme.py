"""gptme: `conversation.jsonl`, with its own system lines and local times."""

from clients.check import Check, Report
from clients.evening import check_evening, check_growth, check_times
from clients.kit import QUESTIONS, Kit
from clients.local_server import MODEL, serve_answers
from clients.workshop import Program

PROMPT = b"\x1b[?2004h"
"""Sign of its prompt, which makes the terminal tell pasted text from typed."""


def check_gptme(program: Program, report: Report) -> None:
    """Type the evening into gptme, and record its log."""
    kit = Kit(program.home / "kit")
    logs = program.home / "logs"
    with serve_answers() as server:
        more = {"OPENAI_BASE_URL": server.address, "OPENAI_API_KEY": "none", "GPTME_LOGS_HOME": str(logs)}

        def ask(*questions: str) -> None:
            flags = ["--tools", "none", "--model", f"local/{MODEL}", "--name", "evening"]
            program.type_lines("gptme", *flags, lines=[*questions, "/exit"], ready=PROMPT, more=more)

        ask(*QUESTIONS)
        log = logs / "evening/conversation.jsonl"
        session = check_evening(kit, report, "gptme", log)
        if session is None:
            return
        check_times(kit, report, session)
        check_growth(kit, report, session, log, ask)


CHECK = Check(
    name="gptme",
    pinned=("gptme==0.35.1",),
    newest=("gptme",),
    install=lambda workshop, packages: workshop.install_python("gptme", *packages),
    version=lambda program: program.version("gptme"),
    run=check_gptme,
)
