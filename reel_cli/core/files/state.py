"""`.reel/state`: what is momentary — prompts handed out, touches not yet in the journal."""

import json
import os
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import OWNER_FILE, is_own, read_json, read_plain, state_folder, write_private

HANDED_KEPT = 60
"""Maximum number of handed-out texts kept for recognising them in a chat."""
MODELS_KEPT = 8
"""Number of models that are remembered as loaded."""
CHATS_KEPT = 20
"""Number of chat files in apps that are remembered as looked at."""
CHATS = "chats"
"""The folder of chats over the wire that are not on the tape yet."""
WRITTEN = "written.json"
"""The list of files outside the kit that have words of it."""
RECORDED_FROM = "recorded-from.json"
"""The list of files that chats were recorded from."""
WRITTEN_KEPT = 200
LAST_START = "last_start"
"""The file that says when a session was last started."""


class State:
    """The momentary files of one kit; losing them loses convenience, never memory."""

    def __init__(self, kit: Path) -> None:
        """Keep below `kit/.reel/state`; nothing is made until something is written."""
        self.kit = kit
        self.folder = kit / ".reel" / "state"

    @property
    def is_own(self) -> bool:
        """Return whether the state was written in this folder, and did not come with a copy of it."""
        return is_own(self.folder)

    def note(self, name: str) -> object:
        """Read what was noted in a file here; None where it is missing, damaged, or a stranger's."""
        return read_json(self.folder / name) if self.is_own else None

    def has_intent(self) -> bool:
        """Return whether an interrupted command left a transaction to finish or discard."""
        return os.path.lexists(self.folder / "txn")

    def has_purge(self) -> bool:
        """Return whether an interrupted command left a purge to finish or discard."""
        return os.path.lexists(self.folder / "purge")

    def has_chats(self) -> bool:
        """Return whether there are chats that the tape may not have: open ones, or interrupted ones."""
        try:
            with os.scandir(self.folder / CHATS) as found:
                return any(entry.name.endswith(".jsonl") for entry in found)
        except OSError:
            return False

    # -- texts handed out ------------------------------------------------------------------

    def hand_out(self, kind: str, text: str) -> Path:
        """Remember a text that was handed out (`bundle`, its `field`, or `prompt`), and return its file."""
        return self._store("handed", kind, text)

    def keep_refused(self, text: str, kind: str = "reply") -> Path:
        """Keep a reply that was refused, so that a person has it back, and return its file."""
        return self._store("refused", kind, text)

    def drop_refused(self, path: Path) -> None:
        """Delete the file of a reply that was kept for later; one that lies elsewhere is a person's own."""
        if path.parent == self.folder / "refused":
            path.unlink(missing_ok=True)

    def _store(self, place: str, kind: str, text: str) -> Path:
        """Write a text to a folder of the newest such texts, and return its file."""
        state_folder(self.kit)
        folder = self.folder / place
        data = text.encode("utf-8", "replace")
        path = folder / f"{kind}-{len(data)}-{zlib.crc32(data):08x}.md"
        write_private(path, data, sync=False)
        for old in sorted(folder.glob("*.md"), key=lambda p: p.stat().st_mtime_ns)[:-HANDED_KEPT]:
            old.unlink(missing_ok=True)
        return path

    def handed_out(self, kind: str = "*") -> Sequence[str]:
        """Return every remembered text, or those of one kind, newest first."""
        if not self.is_own:
            return []
        files = sorted(
            self.folder.glob(f"handed/{kind}-*.md"), key=lambda p: p.stat().st_mtime_ns, reverse=True
        )
        return [read_plain(file).decode("utf-8", "replace") for file in files if file.is_file()]

    # -- exchanges under way ---------------------------------------------------------------

    def save_exchange(self, name: str, value: Mapping[str, Any]) -> None:
        """Remember an exchange whose reply is awaited."""
        state_folder(self.kit)
        write_private(
            self.folder / "exchanges" / f"{name}.json",
            json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace"),
        )

    def exchanges(self) -> dict[str, dict[str, Any]]:
        """Return the exchanges under way by name, newest first; a damaged one is passed over."""
        found: dict[str, dict[str, Any]] = {}
        if not self.is_own:
            return found
        files = sorted(self.folder.glob("exchanges/*.json"), key=lambda p: p.stat().st_mtime_ns, reverse=True)
        for file in files:
            value = read_json(file)
            if isinstance(value, dict):
                found[file.stem] = value
        return found

    def drop_exchange(self, name: str) -> None:
        """Forget an exchange that is settled."""
        (self.folder / "exchanges" / f"{name}.json").unlink(missing_ok=True)

    # -- the last bundle -------------------------------------------------------------------

    def save_last_pack(self, fingerprint: Mapping[str, str]) -> None:
        """Remember what the last bundle told, for a refresh."""
        state_folder(self.kit)
        write_private(self.folder / "last_pack.json", json.dumps(dict(fingerprint)).encode(), sync=False)

    def last_pack(self) -> dict[str, str] | None:
        """Return the record of the last bundle; None if there is none."""
        value = self.note("last_pack.json")
        return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else None

    def save_last_start(self, at: str) -> None:
        """Remember when a session was last started (ISO 8601)."""
        state_folder(self.kit)
        write_private(self.folder / LAST_START, at.encode(), sync=False)

    def last_start(self) -> str:
        """Return when a session was last started; "" where that is not known."""
        if not self.is_own:
            return ""
        try:
            return (self.folder / LAST_START).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ""

    def last_bundle(self) -> tuple[str, str]:
        """Return the bundle that was handed out last, and when a session was last started; "" for unknown."""
        return next(iter(self.handed_out("bundle")), ""), self.last_start()

    def save_seen_doubt(self, mark: str) -> None:
        """Remember the page whose doubt of being the same a person has looked at."""
        state_folder(self.kit)
        write_private(self.folder / "seen_doubt.json", json.dumps(mark).encode(), sync=False)

    def seen_doubt(self) -> str:
        """Return the mark of the page whose doubt was looked at last; "" for none."""
        value = self.note("seen_doubt.json")
        return value if isinstance(value, str) else ""

    def save_close_look(self, looked: Mapping[str, str]) -> None:
        """Remember memories that a model held against what was said, each with its content's hash."""
        state_folder(self.kit)
        data = json.dumps({**self.close_look(), **looked})
        write_private(self.folder / "close_look.json", data.encode(), sync=False)

    def close_look(self) -> dict[str, str]:
        """Return the memories that a model looked at, each with the hash of its content then."""
        value = self.note("close_look.json")
        return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}

    # -- models ----------------------------------------------------------------------------

    def save_models(self, seen: Mapping[str, tuple[int, int]]) -> None:
        """Remember models that an app had loaded, the latest last; see `models`. Raises nothing."""
        known = self.models()
        rest = {name: sizes for name, sizes in known.items() if name not in seen}
        fresh = {**rest, **seen}
        if not seen or list(fresh.items()) == list(known.items()):
            return
        try:
            state_folder(self.kit)
            data = json.dumps(dict(list(fresh.items())[-MODELS_KEPT:]), ensure_ascii=False)
            write_private(self.folder / "models.json", data.encode("utf-8", "replace"), sync=False)
        except (OSError, StateError):
            return

    def models(self) -> dict[str, tuple[int, int]]:
        """Return the models that an app had loaded, the latest last: their context, and what they can take.

        Both in tokens; 0 where the app did not say.
        """
        value = self.note("models.json")
        return {
            str(name): (sizes[0], sizes[1])
            for name, sizes in (value.items() if isinstance(value, dict) else ())
            if isinstance(sizes, list) and [type(size) for size in sizes] == [int, int]
        }

    # -- chats in the apps -------------------------------------------------------------------

    def save_app_chats(self, looked: Mapping[str, tuple[int, int, int, str]]) -> None:
        """Remember chat files that were looked at; see `app_chats`. The last ones are kept."""
        state_folder(self.kit)
        data = json.dumps(dict(list(looked.items())[-CHATS_KEPT:]), ensure_ascii=False)
        write_private(self.folder / "app_chats.json", data.encode("utf-8", "replace"), sync=False)

    def app_chats(self) -> dict[str, tuple[int, int, int, str]]:
        """Return the chat files that were looked at, by path.

        Of each: its size and time (ns) then, how often it was reported, and what of it was not recorded
        ("" for nothing).
        """
        value = self.note("app_chats.json")
        found: dict[str, tuple[int, int, int, str]] = {}
        for path, kept in value.items() if isinstance(value, dict) else ():
            if isinstance(kept, list) and [type(one) for one in kept] == [int, int, int, str]:
                found[str(path)] = (kept[0], kept[1], kept[2], kept[3])
        return found

    def save_following(self, folders: Sequence[str], since: int) -> None:
        """Remember what is followed: named folders (none for the usual), and how far it was read (ns)."""
        state_folder(self.kit)
        data = json.dumps({"folders": list(folders), "since": since}, ensure_ascii=False)
        write_private(self.folder / "following.json", data.encode("utf-8", "replace"), sync=False)

    def following(self) -> tuple[Sequence[str], int] | None:
        """Return what was followed last, as `save_following` was given it; None if nothing was."""
        value = self.note("following.json")
        folders, since = (
            (value.get("folders"), value.get("since")) if isinstance(value, dict) else (None, None)
        )
        if not isinstance(folders, list) or type(since) is not int:
            return None
        return [folder for folder in folders if isinstance(folder, str)], since

    # -- the chat that goes on ---------------------------------------------------------------

    def save_stream(self, value: Mapping[str, Any]) -> None:
        """Remember which chat goes on, and how full it is; where nothing can be written, nothing is."""
        try:
            state_folder(self.kit)
            data = json.dumps(dict(value), ensure_ascii=False).encode("utf-8", "replace")
            write_private(self.folder / "stream.json", data, sync=False)
        except (OSError, StateError):
            return

    def stream(self) -> dict[str, Any] | None:
        """Return the record of the chat that was followed last; None if there is none."""
        value = self.note("stream.json")
        return value if isinstance(value, dict) else None

    # -- files watched where they lie ---------------------------------------------------------

    def allow_watched(self, paths: Iterable[str]) -> None:
        """Remember that files outside the kit may be read here, by their paths as sidecars have them."""
        known = self.watched()
        fresh = known | frozenset(paths)
        if fresh != known:
            state_folder(self.kit)
            value = {"folder": self._folder_mark(), "paths": sorted(fresh)}
            data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
            write_private(self.folder / "watched.json", data)

    def watched(self) -> frozenset[str]:
        """Return the files outside the kit that a person had it watch, here and in this very folder.

        A kit that was unpacked from somewhere brings no leave to read anything.
        """
        value = read_json(self.folder / "watched.json")
        if not isinstance(value, dict) or value.get("folder") != self._folder_mark():
            return frozenset()
        paths = value.get("paths")
        return frozenset(map(str, paths if isinstance(paths, list) else ()))

    def _folder_mark(self) -> int:
        return self.kit.stat().st_ino

    # -- the last backup -------------------------------------------------------------------

    def save_backup(self, at: str, file: str, commit: str) -> None:
        """Remember when the history was last backed up, into which file, up to which commit."""
        state_folder(self.kit)
        value = {"at": at, "file": file, "commit": commit}
        write_private(
            self.folder / "backup.json", json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        )

    def last_backup(self) -> dict[str, str] | None:
        """Return the last backup's `at` (ISO 8601), `file` and `commit`; None where none is known of."""
        value = self.note("backup.json")
        if not isinstance(value, dict) or not all(
            isinstance(value.get(k), str) for k in ("at", "file", "commit")
        ):
            return None
        return {key: value[key] for key in ("at", "file", "commit")}

    # -- files outside the kit ---------------------------------------------------------------

    def note_written(self, path: Path) -> None:
        """Remember a file, or a folder, with words of the kit that was written where a person asked.

        Where nothing can be written, nothing is remembered.
        """
        self._add(WRITTEN, self.written(), [path])

    def keep_written(self, paths: Iterable[Path]) -> None:
        """Remember these files, and no others."""
        self._save_paths(WRITTEN, list(paths))

    def written(self) -> Sequence[Path]:
        """Return the remembered files and folders, oldest first, but for those that are gone.

        One whose parent folder is missing too may be on a disk that is not here now.
        """
        return self._paths(WRITTEN)

    def note_recorded_from(self, paths: Sequence[Path]) -> None:
        """Remember files that chats were recorded from; where nothing can be written, nothing is."""
        self._add(RECORDED_FROM, self.recorded_from(), paths)

    def keep_recorded_from(self, paths: Iterable[Path]) -> None:
        """Remember these files that chats were recorded from, and no others."""
        self._save_paths(RECORDED_FROM, list(paths))

    def recorded_from(self) -> Sequence[Path]:
        """Return the remembered files that chats were recorded from, oldest first, as `written` does."""
        return self._paths(RECORDED_FROM)

    def _add(self, name: str, known: Sequence[Path], paths: Sequence[Path]) -> None:
        fresh = list(dict.fromkeys(path.parent.resolve() / path.name for path in paths))
        if fresh and list(known[-len(fresh) :]) != fresh:
            among = frozenset(fresh)
            self._save_paths(name, [*(one for one in known if one not in among), *fresh])

    def _paths(self, name: str) -> Sequence[Path]:
        value = self.note(name)
        paths = [Path(one) for one in value if isinstance(one, str)] if isinstance(value, list) else []
        return [path for path in paths if os.path.lexists(path) or not path.parent.is_dir()]

    def _save_paths(self, name: str, paths: Sequence[Path]) -> None:
        try:
            state_folder(self.kit)
            data = json.dumps([str(path) for path in paths[-WRITTEN_KEPT:]])
            write_private(self.folder / name, data.encode(), sync=False)
        except (OSError, StateError):
            return

    # -- touches ---------------------------------------------------------------------------

    def note_line(self, line: str) -> None:
        """Note attention without a commit, as one journal line; where nothing can be written, nothing is.

        What is the same as the last note but for its time and ID is not noted twice in a row.
        """
        pending = self.pending_touches()
        if pending and _what_of(pending[-1]) == _what_of(line):
            return
        try:
            state_folder(self.kit)
            path = self.folder / "touches.jsonl"
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            # do not wait for a pipe, and do not follow a link
            flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            descriptor = os.open(path, flags, OWNER_FILE)
            try:
                os.write(descriptor, f"{line}\n".encode())
            finally:
                os.close(descriptor)
        except (OSError, StateError):
            return

    def pending_touches(self) -> Sequence[str]:
        """Return the noted touches not yet in the journal, one JSON line each."""
        if not self.is_own:
            return []
        try:
            text = read_plain(self.folder / "touches.jsonl").decode("utf-8")
        except (OSError, ValueError):
            return []
        return text.splitlines()

    def drop_touches(self, count: int) -> None:
        """Remove the first `count` touches: the journal has them now."""
        if not count:
            return
        rest = self.pending_touches()[count:]
        path = self.folder / "touches.jsonl"
        if rest:
            write_private(path, ("\n".join(rest) + "\n").encode())
        else:
            path.unlink(missing_ok=True)

    # -- other names -----------------------------------------------------------------------

    def rename(self, tell_line: Callable[[str], str], tell: Callable[[str], str]) -> None:
        """Rename sessions in pending touches and in open exchanges."""
        pending = self.pending_touches()
        told = [tell_line(line) for line in pending]
        if told != list(pending):
            write_private(self.folder / "touches.jsonl", ("\n".join(told) + "\n").encode())
        for name, value in self.exchanges().items():
            there = {key: value.get(key) for key in ("session", "span")}
            fresh = {key: tell(text) for key, text in there.items() if isinstance(text, str)}
            if fresh.items() - there.items():
                self.save_exchange(name, {**value, **fresh})


def _what_of(line: str) -> object:
    """Return the action, target and session of a journal line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return line
    return (value.get("do"), value.get("on"), value.get("session")) if isinstance(value, dict) else line
