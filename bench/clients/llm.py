"""`llm`: its log database, with a bundle as system prompt and one pasted in front of the first message."""

import json

from clients.check import Check, Report
from clients.evening import check_evening, check_growth, check_times
from clients.kit import QUESTIONS, Kit
from clients.local_server import ANSWERS, MODEL, serve_answers
from clients.workshop import Program


def check_llm(program: Program, report: Report) -> None:
    """Have the evening with `llm`, and record its log."""
    kit = Kit(program.home / "kit")
    bundle = kit.reel("pack", "--window", "8k").out
    with serve_answers() as server:
        more = {"LLM_USER_PATH": str(program.home), "OPENAI_API_KEY": "none"}
        (program.home / "extra-openai-models.yaml").write_text(
            json.dumps([{"model_id": "harbour", "model_name": MODEL, "api_base": server.address}])
        )

        def ask(*words: str) -> None:
            done = program.run("llm", *words, more=more)
            assert done.code == 0, done.err

        ask("-m", "harbour", "-s", bundle, QUESTIONS[0])
        ask("-c", QUESTIONS[1])
        log = program.home / "logs.db"
        session = check_evening(kit, report, "llm", log)
        if session is None:
            return
        check_times(kit, report, session)
        report.show(
            "the bundle that was its system prompt counts as nobody's words",
            bundle.strip()[:200] in server.chats[0][0]["content"] and "system" not in dict(kit.said(session)),
            server.chats[0][0],
        )
        check_growth(kit, report, session, log, lambda words: ask("-c", words))
        ask("-m", "harbour", f"{bundle}\n\n{QUESTIONS[1]}")
        [new] = [row for row in kit.record(log) if row["session"] != session]
        report.same(
            "a bundle pasted in front of the first message is left out of what was said",
            kit.said(new["session"]),
            [("user", QUESTIONS[1]), ("assistant", ANSWERS[QUESTIONS[1]])],
        )
        shown = kit.reel("tape", "list").out.splitlines()[-1]
        report.show("and the chat is called by what was said", QUESTIONS[1] in shown, shown)


CHECK = Check(
    name="llm",
    pinned=("llm==0.36",),
    newest=("llm",),
    install=lambda workshop, packages: workshop.install_python("llm", *packages),
    version=lambda program: program.version("llm"),
    run=check_llm,
    quick=True,
)
