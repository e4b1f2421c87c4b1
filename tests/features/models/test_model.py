"""`reel model`: a text's tokens counted by a model's own file, and what a kit is packed for."""

import json
import os
import shutil
from pathlib import Path

import pytest

from reel_cli.core.tokens import choice
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.models import model_file
from tests.support.cli import Reel
from tests.support.gguf_files import by_score, byte_pairs, write_gguf

KITS = Path(__file__).resolve().parents[3] / "kits"


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """Each test begins as a new process would."""
    model_file._kept_once.cache_clear()
    choice.settle(None)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    entries = byte_pairs(
        "llama-bpe", **{"tokenizer.chat_template": "{% for m %}<|im_start|>{{ m }}<|im_end|>"}
    )
    return write_gguf(tmp_path / "Small-1B.gguf", entries)


@pytest.mark.wheel
def test_tokens_of_any_text_without_a_kit(reel: Reel, model: Path) -> None:
    assert reel("model", "tokens", stdin="Hello there\n").ok().out == "3\n"
    run = reel("model", "tokens", "--tokenizer", model, "--ids", stdin=" the\r\n\r\n").ok()
    expected = " ".join(map(str, get_tokenizer(str(model)).ids(" the\r\n\r\n")))
    assert (run.out, run.err) == (f"{expected}\n", "")
    assert expected.count(" ") == 4, "no line end may be trimmed, none added at the beginning"
    (reel.cwd / "a.txt").write_bytes("\ufeffHello\r\n".encode())
    as_it_is = len(get_tokenizer("o200k_base").ids("\ufeffHello\r\n"))
    assert reel("model", "tokens", "a.txt").ok().out == f"{as_it_is}\n"
    assert reel("model", "tokens", "--ids", stdin="").ok().out == "\n"
    found = json.loads(reel("model", "tokens", "--ids", "--json", stdin="Hi").ok().out)
    assert found == {"tokens": 1, "tokenizer": "o200k_base", "ids": [12194]}
    more = reel("model", "tokens", "--tokenizer", "o200k_base", "--margin", "8%", stdin="Hi " * 100).ok()
    assert (int(more.out), int(reel("model", "tokens", stdin="Hi " * 100).ok().out)) == (110, 101)


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "told"),
    [
        (["none.txt"], b"", 1, "Error: There is no file none.txt.\n"),
        (["."], b"", 1, "Error: . is not a file.\n"),
        ([], b"\xff\xfe\x00", 1, "Error: What came on standard input is not a text in UTF-8.\n"),
        (["--tokenizer", "abacus"], b"", 1, "Error: There is no tokenizer called 'abacus'.\n"),
        (["--tokenizer", "none.gguf"], b"", 1, "Error: There is no model file "),
        (["--tokenizer", "//host/share/m.gguf"], b"", 1, "Error: //host/share/m.gguf is on another machine"),
        (
            ["--tokenizer", "m.gguf", "--like", "qwen2"],
            b"",
            2,
            "Error: Rules that are only like a model's need",
        ),
        (["--margin", "a lot"], b"", 2, "Error: --margin a lot is not a margin.\n"),
    ],
)
def test_what_cannot_be_counted_is_told(
    reel: Reel, arguments: list[str], stdin: bytes, code: int, told: str
) -> None:
    run = reel("model", "tokens", *arguments, stdin=stdin)
    assert (run.code, run.out) == (code, "")
    assert run.err.startswith(told)


def test_rules_nobody_knows_are_chosen_with_a_margin(reel: Reel, tmp_path: Path) -> None:
    model = write_gguf(tmp_path / "new.gguf", byte_pairs("tomorrow-bpe"))
    run = reel("model", "tokens", "--tokenizer", model, stdin="Hello")
    assert run.code == 1
    assert "new.gguf splits text by rules called 'tomorrow-bpe', which reel does not know" in run.err
    chosen = run.err.rpartition("say so:  ")[2].split()
    assert chosen[0::2] == ["--like", "--margin"]
    assert float(chosen[3].rstrip("%")) >= 5
    text = "Hello the 123, and Hello.\n" * 20
    raw = reel("model", "tokens", "--tokenizer", model, *chosen, "--ids", stdin=text).ok().out.split()
    counted = int(reel("model", "tokens", "--tokenizer", model, *chosen, stdin=text).ok().out)
    margin = round(float(chosen[3].rstrip("%")) * 100)
    assert counted == -(-len(raw) * (10_000 + margin) // 10_000)
    reel("init", "ada", "--tokenizer", model, *chosen).ok()
    kit = reel.cwd / "ada"
    (kit / "kit.yaml").write_text(f"name: Ada\nwindow: 8k\ntokenizer: {model}\n")
    assert "say so:  --like" in reel("pack", cwd=kit).err
    reel("model", "set", *chosen, cwd=kit).ok()
    assert "rules called" not in reel("pack", cwd=kit).ok().err
    wrong = reel("model", "tokens", "--tokenizer", model, "--like", "no-such", "--margin", "5%", stdin="a")
    assert "There are no rules called 'no-such' to be like." in wrong.err


def test_what_a_kit_is_packed_for_is_set_and_shown(reel: Reel, kit: Path, model: Path) -> None:
    path = kit / "kit.yaml"
    path.write_text(path.read_text().replace("user: ", "# mine\nuser: ") + "idle: as it is  # too\n")
    before = path.read_text()
    dry = reel("model", "set", "--tokenizer", model, "--window", "16k", "--dry-run").ok()
    assert path.read_text() == before
    assert "Nothing was changed (--dry-run)." in dry.err
    reel("model", "set", "--tokenizer", model, "--window", "16k").ok()
    changed = before.replace("window: 8k", "window: 16k").replace(
        "tokenizer: o200k_base", f"tokenizer: {model}"
    )
    assert path.read_text() == f"{changed}template: {{fixed: 10, message: 5}}\n"
    log = reel("log", "--json").ok().out
    assert json.loads(log)[0]["subject"] == (
        "model: window 16k, tokens counted by Small-1B.gguf, 15 tokens for the chat template"
    )
    found = json.loads(reel("model", "--json").ok().out)
    assert (found["window"], found["cap"], found["live"], found["room"]) == (16384, 16384, 8192, 8177)
    assert found["file"] == {
        "path": str(model), "vocabulary": 286, "kind": "gpt2", "rules": "llama-bpe", "context": 4096,
        "template": "chatml",
    }  # fmt: skip
    run = reel("model").ok()
    assert "The window is larger than this model was made for" in run.err
    shown = run.out
    assert "chat template      15, then 5 for each message" in shown
    assert "its vocabulary     286 tokens, rules llama-bpe" in shown
    # in the kit its tokenizer is the default
    assert reel("model", "tokens", stdin="Hello").ok().out == f"{get_tokenizer(str(model)).count('Hello')}\n"
    again = reel("model", "set", "--window", "16k").ok()
    assert "It is set so already; nothing was changed." in again.err
    reel("model", "set", "--template", "none").ok()
    assert "template" not in path.read_text()
    reel("undo").ok()
    assert "template: {fixed: 10, message: 5}" in path.read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ([], 2, "Name what to set."),
        (["--template", "none-such"], 1, "There is no chat template called 'none-such' here."),
        (["--template", "auto"], 1, "The tokenizer says nothing of a chat template that reel knows."),
        (["--template", "9000"], 1, "That leaves a bundle no room."),
        (["--window", "8k", "--cap", "16k"], 1, "kit.yaml: cap (16,384) is above window (8,192)."),
        (["--window", "many"], 1, "'many' is not a window size."),
        (["--tokenizer", "abacus"], 1, "There is no tokenizer called 'abacus'."),
    ],
)
def test_what_cannot_be_set_changes_nothing(
    reel: Reel, kit: Path, arguments: list[str], code: int, told: str
) -> None:
    before = (kit / "kit.yaml").read_bytes()
    run = reel("model", "set", *arguments)
    assert (run.code, told in run.err) == (code, True)
    assert (kit / "kit.yaml").read_bytes() == before


def test_a_new_kit_remembers_its_model(reel: Reel, model: Path, tmp_path: Path) -> None:
    reel("init", "ada", "--tokenizer", os.path.relpath(model, reel.cwd), "--window", "8k").ok()
    text = (reel.cwd / "ada/kit.yaml").read_text()
    assert f"tokenizer: {model}\ntemplate: {{fixed: 10, message: 5}}\n" in text
    home = Path.home()
    shutil.copy(model, home / "of mine.gguf")
    reel("init", "bea", "--tokenizer", home / "of mine.gguf", "--like", "qwen2", "--margin", "7.5%").ok()
    assert (
        'tokenizer: {file: "~/of mine.gguf", like: "qwen2", margin: "7.5%"}'
        in (reel.cwd / "bea/kit.yaml").read_text()
    )
    bundle = json.loads(reel("pack", "--json", cwd=reel.cwd / "bea").ok().out)
    assert bundle["tokenizer"] == "~/of mine.gguf like qwen2 +7.5%"
    plain = len(get_tokenizer("~/of mine.gguf like qwen2").ids(bundle["text"]))
    assert bundle["tokens"] == -(-plain * 10_750 // 10_000)
    assert bundle["tokens"] <= bundle["cap"] - bundle["live"] - bundle["template"]


def test_the_file_is_read_once_and_anew_when_it_changes(
    reel: Reel, kit: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reel_cli.features.models import gguf

    reel("model", "set", "--tokenizer", model).ok()
    count = int(reel("model", "tokens", stdin="Hello the 123").ok().out)
    (kept,) = (kit / ".reel/cache/tokenizers").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    first = reel("pack").ok()
    with monkeypatch.context() as patch:
        patch.setattr(gguf, "read_header", None)
        model_file._kept_once.cache_clear()
        assert reel("pack").ok().out == first.out
    # it has moved: what was kept of it counts on, and that is said
    moved = model.rename(model.with_name("moved.gguf"))
    run = reel("pack").ok()
    assert (run.out, f"{model} is gone; tokens" in run.err) == (first.out, True)
    assert int(reel("model", "tokens", stdin="Hello the 123").ok().out) == count
    assert "is gone; tokens" in reel("doctor").out
    # half a file in its place
    model.write_bytes(moved.read_bytes()[:900])
    run = reel("model", "tokens", stdin="Hello the 123").ok()
    assert (int(run.out), "is cut off in its header" in run.err) == (count, True)
    # another model in its place
    write_gguf(model, by_score())
    run = reel("model", "tokens", stdin="Hello the 123").ok()
    assert (int(run.out) == count, run.err) == (False, "")
    bundle = json.loads(reel("pack", "--json").ok().out)
    assert bundle["tokens"] == get_tokenizer(str(model)).count(bundle["text"])
    assert get_tokenizer(str(model)) is get_tokenizer(str(model))
    # what was kept is damaged, or foreign
    for data in (kept.read_bytes()[:-9], b"REELBPE1", b""):
        kept.write_bytes(data)
        model_file._kept_once.cache_clear()
        assert reel("model", "tokens", stdin="Hello the 123").ok().out == run.out


def test_without_the_file_and_without_what_was_kept(reel: Reel, kit: Path, model: Path) -> None:
    reel("model", "set", "--tokenizer", model).ok()
    model.unlink()
    shutil.rmtree(kit / ".reel/cache")
    shutil.rmtree(Path.home() / ".cache", ignore_errors=True)
    model_file._kept_once.cache_clear()
    run = reel("pack")
    assert (run.code, run.out) == (1, "")
    assert run.err == (
        f"Error: There is no model file {model}.\n"
        "Hint: say where it is with --tokenizer; in a kit:  reel model set --tokenizer PATH\n"
    )


def test_where_nothing_can_be_kept_it_is_counted_all_the_same(
    reel: Reel, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    expected = get_tokenizer(str(model)).count("Hello the")
    assert reel("model", "tokens", "--tokenizer", model, stdin="Hello the").ok().out == f"{expected}\n"


def test_nothing_is_kept_through_a_link(reel: Reel, kit: Path, model: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    reel("pack").ok()
    (kit / ".reel/cache/tokenizers").symlink_to(elsewhere)
    reel("model", "set", "--tokenizer", model).ok()
    reel("pack").ok()
    assert list(elsewhere.iterdir()) == []
    assert list((Path.home() / ".cache/reel/tokenizers").iterdir())


@pytest.mark.parametrize("name", ["llama-bpe", "llama-spm"])
def test_a_bundle_keeps_its_promises_whatever_counts(reel: Reel, shared_data: Path, name: str) -> None:
    file = shared_data / "gguf" / f"ggml-vocab-{name}.gguf"
    reel("init", "mine", "--template", KITS / "ada", "--tokenizer", file).ok()
    reel.cwd = reel.cwd / "mine"
    count = get_tokenizer(str(file)).count
    for more in (["--window", "8k"], ["--window", "16k", "--live", "0.7", "--boot"]):
        bundle = json.loads(reel("pack", *more, "--json").ok().out)
        assert bundle["tokens"] == count(bundle["text"]) == sum(item["tokens"] for item in bundle["loaded"])
        assert bundle["tokens"] <= bundle["cap"] - bundle["live"]
        assert (reel.cwd / "ring0/identity.md").read_text().strip() in bundle["text"]
    shutil.rmtree(reel.cwd / ".reel/cache")
    assert json.loads(reel("pack", *more, "--json").ok().out) == bundle


@pytest.mark.wheel
def test_a_hugging_face_tokenizer(reel: Reel, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    vocabulary = {"[UNK]": 0, "hello": 1, "there": 2, "<|end|>": 3}
    path.write_text(
        json.dumps(
            {
                "version": "1.0",
                "added_tokens": [
                    {"id": 3, "content": "<|end|>", "single_word": False, "lstrip": False, "rstrip": False,
                     "normalized": False, "special": True}
                ],
                "pre_tokenizer": {"type": "Whitespace"},
                "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
            }
        )
    )  # fmt: skip
    run = reel("model", "tokens", "--tokenizer", path, "--ids", stdin="hello there <|end|>")
    try:
        import tokenizers  # noqa: F401
    except ImportError:
        assert (run.code, run.out) == (1, "")
        assert run.err == (
            "Error: tokenizer.json needs the package tokenizers, which is not installed.\n"
            "Hint: pip install 'reel-cli[tokenizers]' , or take the model's .gguf\n"
        )
        return
    assert run.ok().out == "1 2 0 0 0\n"
    path.write_text("{}")
    run = reel("model", "tokens", "--tokenizer", path, stdin="a")
    assert (run.code, "is not a tokenizer.json of Hugging Face's." in run.err) == (1, True)
