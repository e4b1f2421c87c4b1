"""`reel model detect`: what is loaded, with which length, and what that means for the kit."""

import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.values.settings import Settings
from reel_cli.features.detection import detect as detecting
from reel_cli.features.detection.detect import Overflow, tell_fit
from reel_cli.features.models import model_files
from reel_cli.features.wire import address
from reel_cli.features.wire.address import parse_address
from reel_cli.features.wire.server_models import LoadedModel, look
from tests.support.chat_server import KOBOLDCPP, LITELLM, LMSTUDIO, LMSTUDIO_V0, OLLAMA, TABBY, serve_chats
from tests.support.cli import Reel, git

NONE_LOADED = {"/api/v1/models": {"models": LMSTUDIO["/api/v1/models"]["models"][:2]}}


@pytest.fixture(autouse=True)
def _nobody_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the programs that run on this machine from the tests."""
    for app in address.KNOWN:
        monkeypatch.setitem(address.KNOWN, app, "http://127.0.0.1:9/v1")


def settings_of(kit: Path) -> str:
    return (kit / "kit.yaml").read_text()


def test_it_shows_what_is_loaded_and_sets_the_window(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve_chats() as lmstudio, serve_chats() as ollama:
        monkeypatch.setitem(address.KNOWN, "lmstudio", f"{lmstudio.address}/v1")
        monkeypatch.setitem(address.KNOWN, "ollama", f"{ollama.address}/v1")
        ollama.knows = OLLAMA
        shown = reel("model", "detect").ok()
        assert "LM Studio: qwen3-8b, 32,768 tokens" in shown.out
        assert "Ollama: llama3.2:3b, 4,096 tokens" in shown.out
        assert "holds 4,096: Ollama leaves out what is too long" in shown.out
        assert "{" not in lmstudio.paths[0]
        several = reel("model", "detect", "--set", "--yes")
        assert (several.code, "Several models are loaded." in several.err) == (2, True)
        dry = reel("model", "detect", "lmstudio", "--set", "--dry-run").ok()
        assert "would be packed for 32,768 tokens" in dry.err
        assert reel("model", "detect", "lmstudio", "--set").code == 1
        asked = reel("model", "detect", "lmstudio", "--set", stdin="n\n", tty=True).ok()
        assert "Nothing was changed." in asked.err
        before = settings_of(kit)
        done = reel("model", "detect", "--model", "llama3.2:3b", "--set", "--yes", "--json").ok()
        found: dict[str, Any] = json.loads(done.out)
        assert found["set"]["window"] == 4096
        assert git(kit, "rev-parse", "HEAD").strip() == found["set"]["commit"]
        assert "window: 4k" in settings_of(kit)
        assert before != settings_of(kit)
        again = reel("model", "detect", "--model", "llama3.2:3b", "--set").ok()
        assert "packed for 4,096 tokens already" in again.err
        assert reel("model", "detect", "--model", "gone").code == 1
        outside = reel("model", "detect", "--json", cwd=kit.parent).ok()
        servers = json.loads(outside.out)["servers"]
        assert [(one["app"], one["loaded"][0]["context"]) for one in servers] == [
            ("LM Studio", 32768),
            ("Ollama", 4096),
        ]
        assert {path.rpartition("/")[2] for path in lmstudio.paths} == {"models"}


def test_nobody_answers(reel: Reel, kit: Path, tmp_path: Path) -> None:
    home = Path.home()
    folder = home / ".lmstudio" / "models" / "maker" / "qwen"
    folder.mkdir(parents=True)
    for name in ("qwen3-8b-Q4.gguf", "mmproj-qwen.gguf", "big-00002-of-00003.gguf"):
        (folder / name).write_bytes(b"GGUF" + bytes(1 << 20))
    (folder / "fake.gguf").write_bytes(b"<!DOCTYPE" + bytes(1 << 20))
    (folder / "loop").symlink_to(folder)
    (folder / "gone.gguf").symlink_to(tmp_path / "gone")
    shown = reel("model", "detect").ok()
    assert "No server of LM Studio, Ollama or KoboldCpp answers on this machine." in shown.out
    assert "  ~/.lmstudio/models/maker/qwen/qwen3-8b-Q4.gguf  (1 MB)" in shown.out
    assert shown.out.count(".gguf") == 1
    assert "reel model set --tokenizer '~/.lmstudio/models/maker/qwen/qwen3-8b-Q4.gguf'" in shown.err
    assert [file.size for file in model_files.find_model_files()] == [(1 << 20) + 4]
    named = reel("model", "detect", "ollama")
    assert (named.code, named.out) == (1, "")
    assert "Ollama could not be asked: nothing answers at http://127.0.0.1:" in named.err
    assert reel("model", "detect", "--set", "--yes").code == 1


@pytest.mark.parametrize(
    ("knows", "shown"),
    [
        (LMSTUDIO_V0, "LM Studio: qwen3-8b, 16,384 tokens"),
        (KOBOLDCPP, "KoboldCpp: koboldcpp/Mistral-7B.Q4_K_M, 12,288 tokens"),
        ({"/v1/models": {"data": [{"id": "a"}]}}, " lists a, and does not say which is loaded."),
        ({"/v1/models": {"data": []}}, ": no model is loaded."),
        (LITELLM, " lists local, openrouter/*, and does not say which is loaded."),
        ({"/v1/models": TABBY["/v1/models"]}, "TabbyAPI: no model is loaded."),
        (NONE_LOADED, "LM Studio: no model is loaded."),
    ],
)  # fmt: skip
def test_an_address_is_asked_for_what_it_is(reel: Reel, knows: dict[str, Any], shown: str) -> None:
    with serve_chats() as server:
        server.knows = knows
        assert shown in reel("model", "detect", server.address).ok().out


def test_a_llama_cpp_without_an_alias_is_known_by_one_name() -> None:
    # 2026.10: `model_alias` repeats the file's name
    names = {"model_path": "/m/a.gguf", "model_alias": "a.gguf"}
    with serve_chats() as server:
        server.knows = {"/props": {"default_generation_settings": {"n_ctx": 8192}, **names}}
        assert look(parse_address(server.address, "WHERE")).there == ["a.gguf"]


def test_what_an_app_does_with_what_is_too_long() -> None:
    eight = LoadedModel("LM Studio", "qwen3-8b", 8192, 8192)
    small, large = Settings("Ada", window=8192, cap=8192), Settings("Ada", window=32768, cap=32768)
    assert "cuts the middle out of a bundle" in tell_fit(eight, large)[0]
    assert "LM Studio stops there." in tell_fit(eight, large, Overflow.STOP)[0]
    assert "the oldest first" in tell_fit(eight, large, Overflow.ROLL)[0]
    assert "as is its default" in tell_fit(eight, small)[0]
    assert "as your last chat there has it" in tell_fit(eight, None, Overflow.CUT_MIDDLE)[0]
    assert tell_fit(eight, small, Overflow.STOP) == []
    assert tell_fit(LoadedModel("KoboldCpp", "m", 8192), small) == []
    assert "does not say" in tell_fit(LoadedModel("Ollama", "m"), small)[0]


def test_the_policy_is_read_from_the_newest_chat() -> None:
    folder = Path.home() / ".lmstudio" / "conversations"
    folder.mkdir(parents=True)
    chat = folder / "1.conversation.json"
    assert detecting._policy() == ""
    for fields, policy in (
        ([{"key": "llm.prediction.contextOverflowPolicy", "value": "stopAtLimit"}], "stopAtLimit"),
        ([{"key": "llm.prediction.contextOverflowPolicy", "value": ["x"]}], ""),
        ("none", ""),
    ):
        chat.write_text(json.dumps({"messages": [], "perChatPredictionConfig": {"fields": fields}}))
        assert detecting._policy() == policy
    chat.write_bytes(b"\xff{")
    assert detecting._policy() == ""
