"""oterm: its `store.db`, after an evening typed into its window."""

import json
from pathlib import Path

from clients.check import Check, Report
from clients.evening import check_evening, check_growth
from clients.kit import QUESTIONS, Kit
from clients.local_server import MODEL, serve_answers
from clients.workshop import Program

TYPIST = Path(__file__).with_name("oterm_typist.py")


def check_oterm(program: Program, report: Report) -> None:
    """Type the evening into oterm, and record its database."""
    kit = Kit(program.home / "kit")
    more = {"OTERM_DATA_DIR": str(program.home), "PYDANTIC_AI_NO_BANNER": "1"}
    with serve_answers() as server:
        endpoint = {"base_url": server.address, "api_key": "none"}
        config = {"splash-screen": False, "openaiCompatible": {"local": endpoint}}
        (program.home / "config.json").write_text(json.dumps(config))

        def ask(*questions: str) -> None:
            done = program.run(program.python, "-P", TYPIST, MODEL, *questions, more=more)
            assert done.code == 0, (done.out + done.err)[-600:]

        ask(*QUESTIONS)
        store = program.home / "store.db"
        session = check_evening(kit, report, "oterm", store)
        if session is not None:
            check_growth(kit, report, session, store, ask)


CHECK = Check(
    name="oterm",
    pinned=("oterm==0.26.1",),
    newest=("oterm",),
    install=lambda workshop, packages: workshop.install_python("oterm", *packages),
    version=lambda program: program.version("oterm"),
    run=check_oterm,
)
