"""LiteLLM's proxy: several models and none of them loaded, and llama.cpp's error as it passes it on."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from clients.check import Check, Report
from clients.kit import EVENING, QUESTIONS, Kit
from clients.llamacpp import CHECK as LLAMACPP
from clients.llamacpp import CONTEXT, answers, free_port, serve_model
from clients.local_server import ANSWERS, MODEL, serve_answers
from clients.random_model import write_model
from clients.workshop import CannotInstallError, Program

SETTINGS = {
    "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}


@contextmanager
def serve_proxy(program: Program, models: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Run the proxy with these models: by their names, what they are called at which address."""
    rows = [
        {
            "model_name": name,
            "litellm_params": {
                "model": f"openai/{model}",
                "api_base": address,
                "api_key": "none",
                "max_retries": 0,
            },
        }
        for name, (model, address) in models.items()
    ]
    config = program.home / "config.yaml"
    config.write_text(json.dumps({"model_list": rows, "router_settings": {"num_retries": 0}}))
    port = free_port()
    command = ("litellm", "--config", config, "--host", "127.0.0.1", "--port", str(port))
    ready = f"http://127.0.0.1:{port}/health/liveliness"
    with program.start(*command, ready=lambda: answers(ready), more=SETTINGS):
        yield f"http://127.0.0.1:{port}/v1"


def check_litellm(program: Program, report: Report) -> None:
    """Put the proxy before a server that answers and, where it can be had, before llama.cpp's."""
    kit = Kit(program.home / "kit")
    with ExitStack() as running:
        server = running.enter_context(serve_answers())
        rows = dict.fromkeys(("local", "other"), (MODEL, server.address))
        via = running.enter_context(serve_proxy(program, rows))
        check_models(kit, report, via)
        check_chat(kit, report, via)
    try:
        llamacpp = LLAMACPP.install(program.workshop, LLAMACPP.newest)
    except CannotInstallError as error:
        report.untried.append(
            f"the error of a chat that is too long: llama.cpp's server is not there ({error})"
        )
        return
    model = write_model(llamacpp.home / "random.gguf")
    with (
        serve_model(llamacpp, model) as address,
        serve_proxy(program, {"tiny": (model.name, f"{address}/v1")}) as via,
    ):
        before = kit.sessions()
        done = kit.reel("chat", "--via", via, "--model", "tiny", said=f"{'the rope is wet ' * 4000}\n")
        report.show(
            "the limit is named in a chat that is too long for the server behind it",
            done.code and f"{CONTEXT:,}" in done.err,
            done.err,
        )
        report.same("and no session is left", kit.sessions(), before)


def check_models(kit: Kit, report: Report, via: str) -> None:
    """Ask what is there, and chat with none and with a wrong one."""
    told = kit.reel("model", "detect", via)
    report.show(
        "`reel model detect` names the models, and says that none is said to be loaded",
        told.code == 0 and "local, other" in told.out and "no model is loaded" not in told.out,
        told.out + told.err,
    )
    before = kit.sessions()
    for words, sentence in (
        ((), "of several models one has to be named"),
        (("--model", "nobody"), "a model that it does not list is refused"),
    ):
        done = kit.reel("chat", "--via", via, *words, said=f"{QUESTIONS[0]}\n")
        report.show(sentence, done.code and "--model local" in done.err, done.err)
    report.same("and no session is left by either", kit.sessions(), before)


def check_chat(kit: Kit, report: Report, via: str) -> None:
    """Have the evening through a pipe."""
    before = kit.sessions()
    done = kit.reel("chat", "--via", via, "--model", "local", said="".join(f"{one}\n" for one in QUESTIONS))
    report.same("a piped chat prints its answers alone", done.out.split(), " ".join(ANSWERS.values()).split())
    [session] = sorted({*kit.sessions()} - {*before}) or [""]
    report.same("and is recorded word for word", session and kit.said(session), EVENING)
    report.show(
        "the next command has the address and the model", f"--via {via} --model local" in done.err, done.err
    )


CHECK = Check(
    name="LiteLLM",
    pinned=("litellm[proxy]==1.108.7",),
    newest=("litellm[proxy]",),
    install=lambda workshop, packages: workshop.install_python("litellm", *packages),
    version=lambda program: program.version("litellm"),
    run=check_litellm,
)
