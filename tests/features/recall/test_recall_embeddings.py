"""`reel recall` with embeddings in kit.yaml: used where they are to be had, one line where they are not."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Reel
from tests.support.embedding_server import EmbeddingServer, serve_embeddings
from tests.support.lived_kit import LETTER, live

NUMPY = "the arithmetic of embeddings is an extra: pip install 'reel-cli[semantic]'"
VECTORS = ".reel/cache/vectors.sqlite"


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    return live(reel, kit)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with serve_embeddings() as running:
        yield running


def embed(kit: Path, setting: str) -> None:
    with (kit / "kit.yaml").open("a") as file:
        file.write(f"recall:\n  embeddings: {setting}\n  model: m\n")


def asked(reel: Reel, query: str) -> tuple[dict[str, Any], list[str]]:
    done = reel("recall", "--json", query).ok()
    found: dict[str, Any] = json.loads(done.out)
    return found, done.err.splitlines()


def test_embeddings_are_asked_for_where_the_kit_says_so(
    reel: Reel, lived: Path, server: EmbeddingServer
) -> None:
    pytest.importorskip("numpy", reason=NUMPY)
    embed(lived, server.address)
    found, said = asked(reel, "penicillin")
    assert said == []
    assert found["hits"][0]["session"] == LETTER
    assert any("penicillin never, the doctor said so again" in text for text in server.texts)
    assert server.texts[-1] == "penicillin"
    server.asked.clear()
    asked(reel, "the doctor")
    assert server.texts == ["the doctor"]
    assert (lived / VECTORS).stat().st_mode & 0o777 == 0o600


def test_nothing_is_asked_for_where_it_does_not(reel: Reel, lived: Path) -> None:
    assert asked(reel, "penicillin")[1] == []
    assert not (lived / VECTORS).exists()
    code = "import sys, reel_cli.features.recall.recall; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "urllib.request", "reel_cli.features.recall.embeddings.semantic"} & set(
        loaded.split()
    )


def test_a_server_that_is_not_there_is_said_and_words_decide(reel: Reel, lived: Path) -> None:
    pytest.importorskip("numpy", reason=NUMPY)
    plain, _ = asked(reel, "penicillin")
    with serve_embeddings() as gone:
        address = gone.address
    embed(lived, address)
    found, said = asked(reel, "penicillin")
    assert found == plain
    assert said == ["127.0.0.1 gave no embeddings, so words alone were searched: nothing answers there."]


def test_numpy_missing_is_said_and_words_decide(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, _ = asked(reel, "penicillin")
    embed(lived, "http://localhost:1/v1")
    monkeypatch.setitem(sys.modules, "numpy", None)
    found, said = asked(reel, "penicillin")
    assert found == plain
    assert said == [
        (
            "localhost gave no embeddings, so words alone were searched: "
            "numpy is not installed:  pip install numpy."
        )
    ]


def test_another_machine_is_not_asked_because_a_kit_says_so(
    reel: Reel, lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy", reason=NUMPY)
    monkeypatch.delenv("REEL_EMBEDDINGS_HOST", raising=False)
    embed(lived, "http://embeddings.invalid/v1")
    _, said = asked(reel, "penicillin")
    assert said == [
        (
            "embeddings.invalid gave no embeddings, so words alone were searched: it is not this machine; "
            "set REEL_EMBEDDINGS_HOST=embeddings.invalid to send it what was said."
        )
    ]


def test_no_proxy_hears_what_was_said(
    reel: Reel, lived: Path, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy", reason=NUMPY)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    embed(lived, server.address)
    assert asked(reel, "penicillin")[1] == []
    assert server.texts


@pytest.mark.parametrize("setting", ["ftp://localhost/v1", "http://ada:secret@localhost/v1", "sometimes"])
def test_a_setting_that_is_none_is_refused(reel: Reel, lived: Path, setting: str) -> None:
    embed(lived, setting)
    done = reel("recall", "penicillin")
    assert done.code == 1
    assert "kit.yaml: recall.embeddings is" in done.err
