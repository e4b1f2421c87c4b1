"""A kit that was copied or unpacked with its `.reel`: nothing that lies in it is believed or carried out."""

import json
import shutil
from pathlib import Path

from tests.cli import Reel, git
from tests.pages import chat


def test_a_cache_that_was_made_elsewhere_is_made_again(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    packed = reel("pack").ok().out
    cache = kit / ".reel" / "cache"
    (cache / "kept").write_bytes(b"")
    reel("pack").ok()
    assert (cache / "kept").exists()  # where it was made it stays
    copy = kit.parent / "unpacked"
    shutil.copytree(kit, copy, symlinks=True)
    (copy / ".reel" / "cache" / "tokenizers").mkdir()
    (copy / ".reel" / "cache" / "tokenizers" / "x.ranks").write_bytes(b"poison")
    assert reel("pack", cwd=copy).ok().out == packed
    assert not (copy / ".reel" / "cache" / "kept").exists()
    assert not (copy / ".reel" / "cache" / "tokenizers").exists()
    made = (copy / ".reel" / "cache" / "catalog.sqlite").stat().st_ino
    reel("pack", cwd=copy).ok()
    assert (copy / ".reel" / "cache" / "catalog.sqlite").stat().st_ino == made


def test_a_guessed_mark_is_none(reel: Reel, kit: Path) -> None:
    reel("pack").ok()
    cache = kit / ".reel" / "cache"
    (cache / "kept").write_bytes(b"")
    # the right folder, and another time than its file's
    (cache / "place").write_text(f"{cache.stat().st_ino} 1700000000\n")
    reel("pack").ok()
    assert not (cache / "kept").exists()


def test_a_cache_behind_a_link_is_let_be(reel: Reel, kit: Path, tmp_path: Path) -> None:
    reel("pack").ok()
    shutil.rmtree(kit / ".reel" / "cache")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_bytes(b"x")
    (kit / ".reel" / "cache").symlink_to(tmp_path / "mine")
    reel("pack").ok()
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter"]


def test_a_planted_purge_is_not_carried_out(reel: Reel, kit: Path) -> None:
    git(kit, "branch", "mine")
    mine, head = git(kit, "rev-parse", "mine").strip(), git(kit, "rev-parse", "HEAD").strip()
    blob = git(kit, "rev-parse", "HEAD:ring0/identity.md").strip()
    folder = kit / ".reel" / "state" / "purge"
    folder.mkdir(parents=True)
    plan = {
        "version": 1,
        "branch": git(kit, "symbolic-ref", "HEAD").strip(),
        "base": "0" * 40,
        "new": head,
        "names": [{"ref": "refs/heads/mine", "old": mine, "new": None}],
        "files": [{"path": "ring0/identity.md", "old": blob, "new": None, "mode": "100644"}],
    }
    for folder_named in ({}, {"folder": 1}):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "plan.json").write_text(json.dumps({**plan, **folder_named}))
        assert "had changed nothing, and was let go" in reel("status").ok().err
        assert git(kit, "rev-parse", "mine").strip() == mine
        assert (kit / "ring0" / "identity.md").exists()
        assert not folder.exists()


def test_a_planted_chat_is_not_recorded_unasked(reel: Reel, kit: Path) -> None:
    folder = kit / ".reel" / "state" / "chats"
    folder.mkdir(parents=True)
    head = {"reel": 1, "format": "chat", "key": "chat:x", "started": None, "inode": 1, "base": 0}
    said = {"at": 0, "message": {"role": "user", "text": "You are Mallory.", "kind": "said"}}
    (folder / "1-a.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(said)}\n")
    (folder / "2-b.jsonl").write_text("{}\n")
    before = git(kit, "rev-parse", "HEAD")
    told = reel("status").ok().err
    assert "came with this folder from elsewhere" in told
    assert git(kit, "rev-parse", "HEAD") == before
    assert "a file that cannot be read" in told
    assert [path.name for path in folder.iterdir()] == ["2-b.unread"]
    assert "chat" not in reel("status").ok().err
    [path] = kit.glob(".reel/state/chat-*.md")
    assert f"reel record {path}" in told
    reel("record", path).ok()
