import json
import os
import sqlite3
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ExitCode, ReelError
from reel_cli.core.tape.format_rows import FORMATS
from reel_cli.core.tape.formats import containers, source
from reel_cli.core.tape.formats.containers import look_into
from reel_cli.core.tape.formats.open_source import open_intake
from reel_cli.core.tape.formats.registry import KNOWN


def chatgpt(key: str, *said: str, at: float = 1.75e9) -> dict[str, object]:
    """A conversation as ChatGPT exports it; the two sides take turns."""
    mapping: dict[str, object] = {}
    for number, text in enumerate(said):
        message = {
            "author": {"role": "assistant" if number % 2 else "user"},
            "create_time": at + number,
            "content": {"content_type": "text", "parts": [text]},
        }
        parent = f"{key}{number - 1}" if number else None
        mapping[f"{key}{number}"] = {"id": f"{key}{number}", "parent": parent, "message": message}
    leaf = f"{key}{len(said) - 1}" if said else None
    return {"title": key, "create_time": at, "conversation_id": key, "current_node": leaf, "mapping": mapping}


def claude(key: str, text: str) -> dict[str, object]:
    return {"uuid": key, "name": key, "chat_messages": [{"uuid": "m", "sender": "human", "text": text}]}


def lmstudio(text: str) -> bytes:
    version = {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": text}]}
    chat = {
        "name": text,
        "createdAt": 1_700_000_000_000,
        "messages": [{"versions": [version], "currentlySelected": 0}],
    }
    return json.dumps(chat).encode()


def as_json(*conversations: object) -> bytes:
    return json.dumps(conversations).encode()


def taken(what: Path | bytes, format: str = "auto") -> list[tuple[str, str, str]]:  # noqa: A002
    """Where each conversation was, its key, and what was said last in it."""
    found = open_intake(what, format=format)
    return [(t.place, t.conversation.key or "", t.conversation.said()[-1].text) for t in found]


def remarks(what: Path | bytes) -> tuple[str, ...]:
    intake = open_intake(what)
    assert list(intake)
    return intake.remarks


def refusal(what: Path | bytes, format: str = "auto") -> ReelError:  # noqa: A002
    with pytest.raises(ReelError) as error:
        list(open_intake(what, format=format))
    assert error.value.message.isprintable()
    return error.value


def folder(top: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(data)
    return top


def archive(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return path


EXPORT = {
    "conversations.json": as_json(chatgpt("one", "hi", "Hello."), chatgpt("two", "rain?")),
    "user.json": b'{"id": "user-1", "email": "bo@example.org"}',
    "message_feedback.json": b"[]",
    "shared_conversations.json": b'[{"id": "x", "conversation_id": "one", "title": "one"}]',
    "chat.html": b"<html></html>",
}
ONE_AND_TWO = [("chatgpt:one", "Hello."), ("chatgpt:two", "rain?")]


def test_a_file_a_folder_a_zip_and_its_bytes_give_the_same(tmp_path: Path) -> None:
    unpacked = folder(tmp_path / "export", EXPORT)
    deeper = folder(tmp_path / "deeper", {f"chatgpt-2026/{name}": data for name, data in EXPORT.items()})
    packed = archive(tmp_path / "export.zip", EXPORT)
    nested = archive(tmp_path / "nested.zip", {f"a/b/{name}": data for name, data in EXPORT.items()})
    for what in (unpacked, unpacked / "conversations.json", deeper, packed, nested, packed.read_bytes()):
        assert [row[1:] for row in taken(what)] == ONE_AND_TWO
    assert taken(unpacked)[0][0] == "conversations.json"
    assert taken(packed)[0][0] == "export.zip: conversations.json"
    assert [t.path for t in open_intake(packed)] == [packed, packed]
    assert [t.path for t in open_intake(unpacked)] == [unpacked / "conversations.json"] * 2
    assert remarks(packed) == ("Passed over, as no chats: .json (3), .html (1).",)


def test_numbered_parts_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    names = [f"conversations-{n:03}.json" for n in (10, 2, 0, 1)] + [
        "conversations-100.json",
        "conversations-9.json",
    ]
    files = {name: as_json(chatgpt(name, "hi")) for name in names}
    files["export_manifest.json"] = b'{"version": 1}'
    found = taken(archive(tmp_path / "export.zip", files))
    assert [place.removeprefix("export.zip: conversations-") for place, _, _ in found] == [
        *("000.json", "001.json", "002.json", "9.json", "010.json", "100.json")
    ]


def test_what_stands_beside_the_chats_of_claude_is_told_in_one_line(tmp_path: Path) -> None:
    others = {f"{name}.json": b"[]" for name in ("projects", "memories", "users")}
    empty = {"uuid": "e", "name": "", "chat_messages": []}
    chats = as_json(claude("c", "hi"), empty, empty | {"uuid": "f"})
    packed = archive(tmp_path / "data.zip", {"conversations.json": chats} | others)
    assert taken(packed) == [("data.zip: conversations.json", "claude:c", "hi")]
    assert remarks(packed) == (
        "2 conversations without a message were left out.",
        "Passed over, as no chats: memories.json, projects.json, users.json.",
    )


def test_a_folder_of_chats_with_other_things_in_it(tmp_path: Path) -> None:
    files = {
        "1700000000001.conversation.json": lmstudio("one"),
        "work/1700000000002.conversation.json": lmstudio("two"),
        ".hidden/1700000000003.conversation.json": lmstudio("three"),
        "work/broken.conversation.json": lmstudio("cut")[:-9],
        "notes.md": b"**You:** hi\n\n**Ada:** Hello.\n",
        "user-files/picture.png": b"\x89PNG\r\n\x1a\n",
        "old.zip": b"PK",
    }
    top = folder(tmp_path / "conversations", files)
    (top / "link.json").symlink_to(top / "1700000000001.conversation.json")
    (top / "loop").symlink_to(top)
    assert [row[2] for row in taken(top)] == ["one", "two"]
    assert remarks(top) == (
        "Left out: work/broken.conversation.json cannot be read: it stops in the middle, at line 1.",
        "Passed over, as no chats: .json (1), .md (1), .png (1).",
        "Not looked at: links (2), archives, which can be named by themselves (1).",
    )


def test_a_program_s_own_files_in_a_folder_are_no_chats(tmp_path: Path) -> None:
    for folder in ("venv", "venv/lib", "node_modules"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "talk.txt").write_text("Bo: Hello.\nAda: Hello, Bo.\n")
    (tmp_path / "venv/pyvenv.cfg").write_text("home = /usr/bin\n")
    (tmp_path / "mine.txt").write_text("Bo: Is it you?\nAda: It is.\n")
    found = look_into(tmp_path)
    assert [one.label for one in found.plain] == ["mine.txt"]
    assert found.refused["folders of a program's own files"] == 2


def test_what_a_kit_keeps_is_no_chat_and_a_folder_of_ones_own_in_it_is_read(tmp_path: Path) -> None:
    said = b"**Tomas:** hi\n\n**Ada:** Hello.\n"
    files = {
        "ada/kit.yaml": b"name: Ada\n",
        "ada/tape/2026/2026-01-01-1.md": said,
        "ada/ring1/soup.md": said,
        "ada/chats/one.md": said,
        "ring1/two.md": said,
    }
    top = folder(tmp_path / "writing", files)
    places = [taken.place for taken in open_intake(top, format="markdown")]
    assert places == ["ada/chats/one.md", "ring1/two.md"]
    with pytest.raises(ReelError) as error:
        open_intake(top / "ada" / "tape" / "2026")
    assert error.value.message == "2026 is part of a kit, not a chat."
    with pytest.raises(ReelError) as error:
        open_intake(top / "ada" / "ring1" / "soup.md")
    assert error.value.message == "soup.md is part of a kit, not a chat."


def test_plain_texts_are_taken_only_where_nothing_else_is(tmp_path: Path) -> None:
    files = {
        "a.md": b"**You:** hi\n\n**Ada:** Hello.\n",
        "b.txt": b"You: rain?\nAda: Yes.\n",
        "README.md": b"# About\n\nNothing is said here.\n",
        "settings.json": b'{"theme": "dark"}',
    }
    top = folder(tmp_path / "texts", files)
    assert [(row[0], row[2]) for row in taken(top)] == [("a.md", "Hello."), ("b.txt", "Yes.")]
    assert remarks(top) == ("Passed over, as no chats: settings.json, README.md.",)
    assert [row[0] for row in taken(top, "text")][:2] == ["a.md", "b.txt"]


def test_a_named_format_takes_only_what_is_of_it(tmp_path: Path) -> None:
    files = {"1.conversation.json": lmstudio("one"), "conversations.json": EXPORT["conversations.json"]}
    top = folder(tmp_path / "mixed", files)
    assert [row[2] for row in taken(top, "lmstudio")] == ["one"]
    assert [row[1:] for row in taken(top, "chatgpt")] == ONE_AND_TWO
    refused = refusal(top, "claude")
    assert refused.message == "mixed/ holds 2 files: .json (2); none is read by --format claude."
    assert refused.hint == "leave out --format, and reel tells by itself what each file is"
    with pytest.raises(ReelError) as error:
        open_intake(top, format="chatgtp")
    assert error.value.exit_code == ExitCode.USAGE


def test_where_nothing_is_a_chat_it_is_said_what_was_seen(tmp_path: Path) -> None:
    files = {f"{n}.png": b"x" for n in range(8)} | {
        "a.html": b"",
        "b.json": b"{}",
        "c.json": b"[]",
        "Makefile": b"",
    }
    packed = archive(tmp_path / "pictures.zip", files)
    error = refusal(packed)
    assert error.message == (
        "pictures.zip holds 12 files: .png (8), .json (2), without extension (1), .html (1); "
        "none is a chat reel knows."
    )
    assert error.hint == KNOWN
    (tmp_path / "empty").mkdir()
    assert refusal(tmp_path / "empty").message == "empty/ holds no file that could be a chat."


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("e1.docx", {"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w:document/>"}),
        ("e1.odt", {"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b"<office/>"}),
        ("e1.pages", {"Index/Document.iwa": b"..", "Metadata/Properties.plist": b".."}),
        ("e1", {"index.xml": b"<sl:document/>", "QuickLook/Preview.pdf": b"%PDF"}),
    ],
)
def test_an_office_document_is_to_be_saved_as_plain_text(
    tmp_path: Path, name: str, files: dict[str, bytes]
) -> None:
    error = refusal(archive(tmp_path / name, files))
    assert error.message == f"{name} is an office document, not a plain text."
    assert error.hint == "save it as plain text (.txt) in its program, and name that file"


@pytest.mark.parametrize(
    "files",
    [
        {"[Content_Types].xml": b"<Types/>", "notes/plan.xml": b"<plan/>"},
        {"Index/Documents/plan.xml": b"<plan/>"},
        {"mimetype": b"application/epub+zip", "OEBPS/one.xhtml": b"<p/>"},
    ],
)
def test_another_archive_is_no_office_document(tmp_path: Path, files: dict[str, bytes]) -> None:
    assert "office document" not in refusal(archive(tmp_path / "plan.zip", files)).message


def test_an_archive_with_only_an_archive_says_to_unpack_it(tmp_path: Path) -> None:
    inner = archive(tmp_path / "inner.zip", EXPORT)
    assert refusal(archive(tmp_path / "outer.zip", {"inner.zip": inner.read_bytes()})).hint == (
        "unpack it, and name what was inside"
    )
    data = bytearray(archive(tmp_path / "locked.zip", {"conversations.json": b"[]"}).read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(data)
    assert refusal(tmp_path / "locked.zip").hint == "unpack it with its password, and name the folder"
    empty = archive(tmp_path / "silent.zip", {"conversations.json": as_json(chatgpt("one"))})
    assert refusal(empty).message == "silent.zip holds no message."
    assert refusal(tmp_path / "gone").message.startswith("There is no file ")
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe").message == "pipe is neither a file nor a folder."


@pytest.mark.parametrize("first", ["short", "long"])
def test_a_conversation_that_stands_there_twice_comes_once(tmp_path: Path, first: str) -> None:
    short, long = chatgpt("one", "hi"), chatgpt("one", "hi", "Hello.")
    order = (
        [long, chatgpt("two", "rain?"), short] if first == "long" else [short, chatgpt("two", "rain?"), long]
    )
    again = "1 conversation stands there again; the longest or newest copy was taken."
    whole = folder(tmp_path / "a", {"conversations.json": as_json(*order)}) / "conversations.json"
    assert sorted(row[1:] for row in taken(whole)) == ONE_AND_TWO
    assert remarks(whole) == (again,)
    parts = archive(
        tmp_path / "parts.zip",
        {f"conversations-{n}.json": as_json(one) for n, one in enumerate(order)},
    )
    assert sorted(row[1:] for row in taken(parts)) == ONE_AND_TWO
    assert remarks(parts) == (again,)


def test_of_copies_with_the_same_messages_the_newest_is_taken(tmp_path: Path) -> None:
    copies = as_json(chatgpt("one", "new", at=1.76e9), chatgpt("one", "old"))
    assert [row[2] for row in taken(folder(tmp_path, {"x.json": copies}) / "x.json")] == ["new"]


def test_a_cut_off_export_is_refused_and_a_cut_off_part_left_out(tmp_path: Path) -> None:
    whole = as_json(*(chatgpt(f"c{n}", "hi") for n in range(50)))
    at = whole.index(b'"title": "c30"')
    alone = folder(tmp_path, {"conversations.json": whole[:at]}) / "conversations.json"
    for what in (alone, archive(tmp_path / "one.zip", {"conversations.json": whole[:at]})):
        error = refusal(what)
        assert error.message == "conversations.json cannot be read: it stops in the middle, at line 1."
        assert (
            error.hint
            == "30 entries are whole before that, and nothing was taken; export or download it again"
        )
    files = {"conversations-0.json": as_json(chatgpt("a", "hi")), "conversations-1.json": whole[:at]}
    packed = archive(tmp_path / "two.zip", files)
    assert [row[1] for row in taken(packed)] == ["chatgpt:a"]
    assert remarks(packed) == (
        "Left out: conversations-1.json cannot be read: it stops in the middle, at line 1.",
    )


def test_a_fault_in_the_middle_of_a_long_file_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "WHOLE", 100)
    whole = as_json(*(chatgpt(f"c{n}", "hi") for n in range(20)))
    at = whole.index(b'"title": "c15"')
    packed = archive(tmp_path / "x.zip", {"conversations.json": whole[:at] + b"oops" + whole[at:]})
    assert refusal(packed).message == "conversations.json cannot be read: line 1 is not JSON."


# archives that mean harm ------------------------------------------------------------------------


def test_names_that_lead_out_links_and_locked_files_are_not_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    chat = as_json(chatgpt("bad", "bad"))
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("good/conversations.json", EXPORT["conversations.json"])
        for name in ("../up.json", "/etc/up.json", "a/../../up.json", "C:/up.json", "a\\..\\up.json"):
            packed.writestr(name, chat)
        link = zipfile.ZipInfo("link.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
        packed.writestr("locked.json", chat)
        packed.writestr("__MACOSX/good/._conversations.json", b"\0\5\26\7")
    data = bytearray(path.read_bytes())
    entry = data.index(b"locked.json", data.index(b"PK\x01\x02")) - 46
    data[entry + 8] |= 1
    path.write_bytes(data)
    before = sorted(tmp_path.rglob("*"))
    assert [row[1:] for row in taken(path)] == ONE_AND_TWO
    assert remarks(path) == (
        "Not looked at: names that lead out of the archive (5), links (1), files locked with a password (1).",
    )
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_with_one_name_the_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("conversations.json", as_json(chatgpt("one", "first")))
        packed.writestr("conversations.json", as_json(chatgpt("one", "last")))
    assert [row[2] for row in taken(path)] == ["last"]
    assert remarks(path) == ("Not looked at: files whose name stands there twice (1).",)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "_STEEP_FROM", 1024 * 1024)
    bomb = archive(tmp_path / "bomb.zip", {"conversations.json": b"[" + b" " * (8 * 1024 * 1024)})
    assert refusal(bomb).message == (
        "bomb.zip: conversations.json unpacks to far more than any chat, and was not read."
    )
    monkeypatch.setattr(containers, "LARGEST_FILE", 10_000)
    monkeypatch.setattr(containers, "_STEEPEST", 10**9)
    assert refusal(bomb).message == "bomb.zip: conversations.json is larger than 0 MB."


def test_what_a_member_says_of_its_size_is_not_believed(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", {"conversations.json": EXPORT["conversations.json"]})
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (5).to_bytes(4, "little")
    path.write_bytes(data)
    assert refusal(path).message == "x.zip: conversations.json cannot be unpacked: the archive is damaged."


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.zip", EXPORT)
    data = path.read_bytes()
    path.write_bytes(data[:-40])
    assert "cut off or damaged" in refusal(path).message
    assert "cut off or damaged" in refusal(data[:300]).message
    broken = bytearray(data)
    broken[60:70] = b"\xff" * 10
    path.write_bytes(broken)
    assert "cannot be unpacked" in refusal(path).message


def test_thousands_of_members_are_fine(tmp_path: Path) -> None:
    files = {f"{1_700_000_000_000 + n}.conversation.json": lmstudio(str(n)) for n in range(3000)}
    assert len(taken(archive(tmp_path / "x.zip", files))) == 3000


def test_a_database_in_an_archive_is_read_and_nothing_is_left_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    database = tmp_path / "webui.db"
    history = {
        "currentId": "a",
        "messages": {
            "q": {"id": "q", "parentId": None, "childrenIds": ["a"], "role": "user", "content": "rain?"},
            "a": {"id": "a", "parentId": "q", "childrenIds": [], "role": "assistant", "content": "Yes."},
        },
    }
    with sqlite3.connect(database) as made:
        made.execute(
            "CREATE TABLE chat (id TEXT, title TEXT, chat TEXT, created_at INTEGER, updated_at INTEGER)"
        )
        made.execute(
            "INSERT INTO chat VALUES ('c', 'T', ?, 1750000000, 1750000001)",
            [json.dumps({"history": history})],
        )
    made.close()
    packed = archive(tmp_path / "x.zip", {"data/webui.db": database.read_bytes()})
    for what in (database, packed, database.read_bytes()):
        assert [row[2] for row in taken(what)] == ["Yes."]
    assert list(place.iterdir()) == []


# any bytes --------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_mutated_archive_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    whole = bytearray(archive(tmp_path / "x.zip", EXPORT).read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.sampled_from([0, 0, 1, 30]))
    try:
        found = list(
            open_intake(
                bytes(whole[: len(whole) - cut]), format=data.draw(st.sampled_from(["auto", *FORMATS]))
            )
        )
    except ReelError as error:
        found, said = [], error.message
    else:
        said = " ".join(t.conversation.said()[0].text for t in found)
    assert said.isprintable() or found
    assert said


def test_it_can_be_read_again_and_tells_how_far_it_is(tmp_path: Path) -> None:
    packed = archive(tmp_path / "x.zip", EXPORT)
    intake = open_intake(packed)
    first = [t.conversation.key for t in intake]
    assert intake.done == intake.size > 0
    told = intake.remarks
    assert [t.conversation.key for t in intake] == first
    assert intake.remarks == told
