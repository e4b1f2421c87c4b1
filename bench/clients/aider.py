"""aider: `.aider.chat.history.md`, where headings and quotations in answers look as its own marks do."""

from clients.check import Check, Report
from clients.evening import NEXT, check_evening, check_times
from clients.kit import QUESTIONS, Kit
from clients.local_server import MODEL, serve_answers
from clients.workshop import Program

FLAGS = (
    *("--no-git", "--yes-always", "--no-check-update", "--analytics-disable", "--no-show-model-warnings"),
    *("--no-stream", "--no-pretty", "--no-fancy-input", "--no-show-release-notes", "--chat-mode", "ask"),
)


def check_aider(program: Program, report: Report) -> None:
    """Have the evening with aider, its commands among it, and record its history."""
    kit = Kit(program.home / "kit")
    with serve_answers() as server:

        def ask(*lines: str) -> None:
            flags = [
                "--model",
                f"openai/{MODEL}",
                "--openai-api-base",
                server.address,
                "--openai-api-key",
                "none",
            ]
            done = program.run("aider", *FLAGS, *flags, said="".join(f"{line}\n" for line in lines))
            assert done.code == 0, done.err

        ask(QUESTIONS[0], "/tokens", f"/ask {QUESTIONS[1]}", "/exit")
        history = program.home / ".aider.chat.history.md"
        session = check_evening(kit, report, "aider", history)
        if session is None:
            return
        check_times(kit, report, session)
        ask(NEXT[0], "/exit")
        rows = kit.record(history)
        report.same(
            "the file goes on with another chat: a session of its own", [row["added"] for row in rows], [0, 2]
        )
        report.same(
            "which is the new one alone",
            kit.said(rows[-1]["session"]),
            [("user", NEXT[0]), ("assistant", NEXT[1])],
        )


CHECK = Check(
    name="aider",
    pinned=("aider-chat==0.86.2",),
    newest=("aider-chat",),
    install=lambda workshop, packages: workshop.install_python("aider", *packages),
    version=lambda program: program.version("aider-chat"),
    run=check_aider,
)
