"""`reel domain`, and what the other commands know of tables: whole commands in real kits."""

import json
import subprocess
from pathlib import Path

import pytest

from reel_cli.features.tables.rows_file import write_rows
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.doc_pages import play_page, read_files
from tests.support.shelf import ready_made

COLUMNS = (
    "id",
    "title",
    "status:open/done/failed=open",
    "reward:number",
    "due:date",
    "secret:yes/no",
    "notes",
)
LINES = (
    ("lantern", "The lantern", "open", "30", "2026-03-09", "yes", "bring oil"),
    ("bridge", "Mend the bridge", "done", "12.5", "", "", ""),
    ("wolf", "The miller's wolf", "open", "80", "2026-04-01", "no", '"he lied", once'),
)
CSV = "id,title,status,reward,due,secret,notes\n"


@pytest.fixture
def quests(reel: Reel, kit: Path) -> Path:
    """A kit with a table of three quests."""
    rows = [
        dict(zip(("id", "title", "status", "reward", "due", "secret", "notes"), row, strict=True))
        for row in LINES
    ]

    def define() -> None:
        reel("domain", "define", "quests", *COLUMNS, "--required", "title").ok()
        reel("domain", "import", "quests", "-", stdin=json.dumps(rows)).ok()

    ready_made(kit, "three quests", define)
    return kit


def commits(kit: Path) -> list[str]:
    return git(kit, "log", "--format=%s").splitlines()


def rows(kit: Path) -> str:
    return (kit / "domain/quests.csv").read_text()


# -- changes --------------------------------------------------------------------------------------


def test_each_change_is_one_commit_and_touches_its_own_lines(reel: Reel, quests: Path) -> None:
    assert rows(quests) == (
        f"{CSV}bridge,Mend the bridge,done,12.5,,,\nlantern,The lantern,open,30,2026-03-09,yes,bring oil\n"
        'wolf,The miller\'s wolf,open,80,2026-04-01,no,"""he lied"", once"\n'
    )
    run = reel("domain", "put", "quests", "LANTERN", "status=Done", "reward=", "--json").ok()
    told = json.loads(run.out)
    assert {**told, "commit": None} == {
        "commit": None, "table": "quests", "added": [], "changed": ["lantern"], "same": 0, "taken": [],
    }  # fmt: skip
    assert git(quests, "show", "--format=", "--unified=0").splitlines()[-2:] == [
        "-lantern,The lantern,open,30,2026-03-09,yes,bring oil",
        "+lantern,The lantern,done,,2026-03-09,yes,bring oil",
    ]
    assert commits(quests)[:3] == [
        "domain: quests: a row, status, reward changed",
        "domain: quests: 3 rows added (standard input)",
        "domain: quests defined, with id, title, status, reward, due, secret, notes",
    ]
    assert "Reel-Op: domain" in git(quests, "log", "-1", "--format=%B")
    assert reel("domain", "put", "quests", "lantern", "status=done").ok().err == (
        "quests: nothing changes, 1 row as it was.\n"
    )
    reel("undo").ok()
    assert "lantern,The lantern,open,30" in rows(quests)
    assert git(quests, "status", "--porcelain") == ""


def test_dry_runs_change_nothing(reel: Reel, quests: Path) -> None:
    head = git(quests, "rev-parse", "HEAD")
    for words in (
        ("put", "quests", "new", "title=New"),
        ("define", "quests", "place"),
        ("define", "npcs", "id", "name"),
        ("drop", "quests", "wolf"),
        ("drop", "quests", "--whole"),
    ):
        assert "Nothing was changed (--dry-run)." in reel("domain", *words, "--dry-run").ok().err
    assert (git(quests, "rev-parse", "HEAD"), git(quests, "status", "--porcelain")) == (head, "")


@pytest.mark.parametrize(
    ("words", "told", "hint"),
    [
        (("put", "quests", "x"), "quests, title is empty, but has to be filled in.", "say it as  title=…"),
        (("put", "quests", "lantren", "reward=1"), "title is empty", "did you mean lantern?"),
        (("put", "quests", "x", "tilte=X"), "There is no column 'tilte' in quests.", "did you mean title?"),
        (("put", "quests", "title=X"), "This row has no id, which is the key of quests.", None),
        (("put", "quests", "x", "reward=some"), "quests, reward: 'some' is not a number", None),
        (("put", "quest", "x"), "There is no table 'quest'.", "did you mean quests?"),
        (("get", "quests", "lantren"), "There is no 'lantren' in quests.", "did you mean lantern?"),
        (("drop", "quests"), "Name rows by their keys, or give --whole", None),
        (("define", "quests", "--drop", "id"), "id is the key of quests and cannot be removed.", None),
        (("define", "../x", "id"), "'../x' is not a name for a table.", None),
        (("define", "con", "id"), "'con' is not a name for a table.", None),
        (("define", "npcs"), "The table npcs has no columns.", None),
        (("define", "quests", "level:nubmer"), "There is no type 'nubmer'.", "did you mean number?"),
        (
            ("define", "quests", "reward:date"),
            "domain/quests.csv, line 2, reward: '12.5' is not a date",
            None,
        ),
        (("define", "quests", "status:open/failed"), "line 2, status: 'done' is none of open, failed", None),
        (
            ("define", "quests", "--required", "due"),
            "domain/quests.csv, line 2, due: is empty, but has to be",
            "correct those",
        ),
        (("define", "quests", "--key", "status"), "cannot be the key of quests", None),
    ],
)
def test_what_does_not_fit_is_refused_whole(
    reel: Reel, quests: Path, words: tuple[str, ...], told: str, hint: str | None
) -> None:
    before = (rows(quests), git(quests, "rev-parse", "HEAD"))
    run = reel("domain", *words)
    assert run.code in (1, 2)
    assert told in run.err
    assert hint is None or hint in run.err
    assert (rows(quests), git(quests, "rev-parse", "HEAD")) == before


def test_a_schema_that_changes_takes_its_rows_along(reel: Reel, quests: Path) -> None:
    path = quests / "domain/quests.yaml"
    path.write_text(path.read_text().replace("  reward:", "  # in silver\n  reward:"))
    reel(
        "domain", "define", "quests", "level:number=1", "reward=5", "--drop", "secret", "--untold", "notes"
    ).ok()
    assert rows(quests).splitlines()[:2] == [
        "id,title,status,reward,due,notes,level",
        "bridge,Mend the bridge,done,12.5,,,1",
    ]
    assert "  # in silver\n  reward: {type: number, default: 5}\n" in path.read_text()
    assert commits(quests)[:2] == [
        "domain: quests: column level added; columns reward, notes changed; column secret taken out",
        "edit: by hand",
    ]
    refused = reel("domain", "drop", "quests", "--whole")
    assert (
        refused.code,
        "Nothing was changed: without a terminal, reel cannot ask whether this should go." in refused.err,
    ) == (1, True)
    asked = reel("domain", "drop", "quests", "lantern", stdin="\n", tty=True).ok()
    shown = "".join(part for _, part in asked.screen)
    assert ("  - " in shown, "Take it out of quests? [y/N]" in shown) == (True, True)
    assert "Nothing was changed." in shown
    assert "quests: 3 rows\n" in reel("domain", "drop", "quests", "--whole", stdin="n\n", tty=True).ok().err
    assert (quests / "domain").exists()
    reel("domain", "drop", "quests", "--whole", "--yes").ok()
    assert not (quests / "domain").exists()
    reel("undo").ok()
    assert rows(quests).count("\n") == 4


def test_a_table_made_for_rows_that_are_there_has_to_fit_them(reel: Reel, quests: Path) -> None:
    (quests / "domain/leads.csv").write_text("id,name\n1,Ada\n2,\n")
    run = reel("domain", "define", "leads", "id:number", "name", "--required", "name")
    assert (run.code, "domain/leads.csv, line 3, name: is empty" in run.err) == (1, True)
    run = reel("domain", "define", "leads", "id:number")
    assert (run.code, "the table leads has no column 'name'" in run.err) == (1, True)
    reel("domain", "define", "leads", "id:number", "name").ok()
    assert json.loads(reel("domain", "find", "leads where id = 1", "--json").ok().out)["rows"] == [
        {"id": 1, "name": "Ada"}
    ]


VISITS: list[dict[str, object]] = [
    {"Nr": 1, "Next visit": "2026-04-03", "Paid": True, "9 lives?": 4.5, "Where": "a", "Phone": "0170"},
    {"Nr": 2, "Paid": False, "9 lives?": -1, "Where": "b", "Next visit": None},
]


@pytest.mark.parametrize(
    "text",
    [
        "Nr;Next visit;Paid;9 lives?;Where;Phone\n1;3.4.2026;yes;4,5;a;0170\n2;;no;-1;b;\n",
        json.dumps(VISITS),
    ],
)
def test_a_table_can_be_made_like_a_file(reel: Reel, kit: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "visits").write_text(text)
    made = reel("domain", "define", "visits", "--like", tmp_path / "visits", "--untold", "phone", "note").ok()
    assert made.out.splitlines()[1:] == [
        *("nr              number; the key", "next-visit      date", "paid            yes/no"),
        *("column-9-lives  number", "where_          text", "phone           text; never in a bundle"),
        "note            text",
    ]
    assert made.err.splitlines()[-1] == f"To add rows:  reel domain import visits {tmp_path / 'visits'}"
    reel("domain", "import", "visits", tmp_path / "visits").ok()
    told = json.loads(reel("domain", "find", "visits where phone is not empty", "--json").ok().out)["rows"]
    assert told == [
        {"nr": 1, "next-visit": "2026-04-03", "paid": True, "column-9-lives": 4.5, "where_": "a",
         "phone": "0170", "note": None}
    ]  # fmt: skip
    again = reel("domain", "define", "visits", "--like", tmp_path / "visits")
    assert (again.code, "There is a table visits already." in again.err) == (1, True)


def test_a_file_without_a_key_is_no_model_for_a_table(reel: Reel, kit: Path) -> None:
    for text, told in (
        ("name,town\nBo,x\nBo,y\n,x\n", "no column is filled in and different in each row"),
        ("a b,A-B\n1,2\n", "two columns are called A-B."),
        ("id,?!\n1,2\n", "'?!' is not a name for a column."),
        ("[1]", "no column is filled in"),
    ):
        run = reel("domain", "define", "leads", "--like", "-", stdin=text)
        assert (run.code, told in run.err) == (1, True), run.err
    assert not (kit / "domain").exists()


def test_a_kit_made_from_a_kit_has_its_tables(reel: Reel, quests: Path) -> None:
    reel("init", "twin", "--template", str(quests), cwd=quests.parent).ok()
    assert (quests.parent / "twin/domain/quests.csv").read_text() == rows(quests)


def test_hand_edits_and_other_commands_live_together(reel: Reel, quests: Path) -> None:
    path = quests / "domain/quests.csv"
    path.write_text(rows(quests) + "zinc,The zinc mine,open,,,,\n")
    reel("domain", "put", "quests", "lantern", "reward=31").ok()
    assert commits(quests)[:2] == ["domain: quests: a row, reward changed", "edit: by hand"]
    assert "zinc" in rows(quests)
    assert json.loads(reel("domain", "get", "quests", "zinc", "--json").ok().out)["title"] == "The zinc mine"


# -- what comes in -----------------------------------------------------------------------------------


def test_an_import_is_whole_or_not_at_all(reel: Reel, quests: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "quests.csv"
    sheet.write_text("id,title,reward,due\nnew,New,1,\nlantern,Lantern,many,\nash,,2,\nnew,Again,,\n")
    before = (rows(quests), git(quests, "rev-parse", "HEAD"))
    run = reel("domain", "import", "quests", sheet)
    assert (run.code, run.out) == (1, "")
    assert run.err.splitlines() == [
        "quests.csv, line 4, title: is empty, but has to be filled in",
        "quests.csv, line 5, id: 'new' is the key of line 2 as well",
        (
            "Error: quests.csv, line 3, reward: 'many' is not a number: write it like 4.5 or -12, without"
            " spaces or thousands' marks (3 rows do not fit)."
        ),
        "Hint: nothing was imported; correct the file",
    ]
    told = json.loads(reel("domain", "import", "quests", sheet, "--json").out)
    assert [problem["line"] for problem in told["problems"]] == [3, 4, 5]
    assert (rows(quests), git(quests, "rev-parse", "HEAD")) == before


@pytest.mark.parametrize(
    "data",
    [
        "ID;Title;Reward;Due\nash;Äsh;4,5;3.4.2026\n".encode("cp1252"),
        "ID\tTitle\tReward\tDue\nash\tÄsh\t4,5\t3.4.2026\n".encode("utf-16"),
        '\ufeffsep=;\r\n"ID";"Title";"Reward";"Due"\r\nash;Äsh;4.5;"2026-04-03"\r\n'.encode(),
        b'{"id": "ash", "Title": "\\u00c4sh", "reward": 4.5, "due": "2026-04-03"}\n',
        b'[{"id": "ash", "title": "\\u00c4sh", "reward": "4.5", "due": "3.4.2026", "status": null}]',
    ],
)
def test_files_come_in_as_spreadsheets_and_programs_save_them(
    reel: Reel, quests: Path, tmp_path: Path, data: bytes
) -> None:
    (tmp_path / "in").write_bytes(data)
    reel("domain", "import", "quests", tmp_path / "in").ok()
    assert rows(quests).splitlines()[1] == "ash,Äsh,open,4.5,2026-04-03,,"


def test_what_is_no_table_is_refused_in_plain_words(reel: Reel, quests: Path, tmp_path: Path) -> None:
    before = rows(quests)
    place = tmp_path / "in.csv"
    for data, told in (
        (b"PK\x03\x04rest", "is a workbook, not a CSV file."),
        (b"", "in.csv is empty."),
        (b"id,title,prize\nx,X,1\n", "the table quests has no column 'prize'."),
        (b"title\nX\n", "there is no column id, the key of quests."),
        (b'id,title\n"x,X\n', "line 2: a quotation mark is never closed."),
        (b"id,title\nx,=1\x1b[2J\n", "title: '=1 [2J' has a control character in it."),
        (b'{"id": "x", "id": "y"}', "an object has the same name twice."),
        (b'[{"id": "x", "title": ["a"]}]', "row 1, title: '[\"a\"]' is not a text."),
        (b'[{"id": NaN}]', "NaN is no number."),
        (b"[" * 100_000, "in.csv"),
        (b'[{"id": 1' + b"0" * 5000 + b"}]", "in.csv"),
        (b"[1]", "row 1: this is not a row; a row is an object, like {…}."),
        (b'{"id": "x"\n', "this is not JSON"),
    ):
        place.write_bytes(data)
        run = reel("domain", "import", "quests", place)
        assert (run.code, told in run.err) == (1, True), (data[:30], run.err)
    assert rows(quests) == before
    reel("domain", "import", "quests", "-", "--known-only", stdin="id,title,prize\nash,Ash,9\n").ok()
    assert "ash,Ash,open,,,,\n" in rows(quests)


def test_replace_takes_out_what_the_file_has_not(reel: Reel, quests: Path) -> None:
    text = "id,title\nlantern,The lantern\nash,Ash\n"
    told = json.loads(reel("domain", "import", "quests", "-", "--replace", "--json", stdin=text).ok().out)
    assert (told["added"], told["changed"], told["same"], told["taken"]) == (
        ["ash"],
        [],
        1,
        ["bridge", "wolf"],
    )
    assert rows(quests).count("\n") == 3


def test_what_goes_out_comes_back_and_is_no_formula(reel: Reel, quests: Path, tmp_path: Path) -> None:
    reel("domain", "put", "quests", "calc", "title==HYPERLINK(1)", "notes=-2+3\ntwo lines", "reward=-4").ok()
    assert "calc,'=HYPERLINK(1),open,-4,,,\"'-2+3\ntwo lines\"" in rows(quests)
    before = rows(quests)
    for name in ("out.csv", "out.json", "out.jsonl"):
        reel("domain", "export", "quests", "--out", tmp_path / name).ok()
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
    assert (tmp_path / "out.csv").read_text("utf-8-sig") == before
    assert json.loads((tmp_path / "out.json").read_text())[1]["title"] == "=HYPERLINK(1)"
    assert reel("domain", "export", "quests where reward < 0").ok().out == before.splitlines(keepends=True)[
        0
    ] + ("calc,'=HYPERLINK(1),open,-4,,,\"'-2+3\ntwo lines\"\n")
    reel("domain", "drop", "quests", "calc", "lantern", "--yes").ok()
    for name in ("out.csv", "out.json", "out.jsonl"):
        reel("domain", "import", "quests", tmp_path / name).ok()
        assert rows(quests) == before
        reel("undo").ok()
    assert reel("domain", "export", "quests", "--out", quests / "domain/quests.csv").code == 1


# -- asking -------------------------------------------------------------------------------------------


def test_a_filter_that_is_none_is_pointed_at(reel: Reel, quests: Path) -> None:
    run = reel("domain", "find", "quests where statsu = open")
    assert (run.code, run.out) == (1, "")
    assert run.err == (
        "quests where statsu = open\n             ^\nError: There is no column 'statsu' in quests.\n"
        "Hint: did you mean status?\n"
    )
    long = f"quests where {' or '.join(['title = x'] * 20)} or status = opne"
    shown = reel("pack", "--with", long, env={"COLUMNS": "50"}).err.splitlines()
    assert max(map(len, shown[:2])) < 50
    assert shown[0][shown[1].index("^") :].startswith("opne")
    assert reel("start", "--with", "quests; drop table quests").code == 1
    assert (quests / "domain/quests.csv").exists()


def test_find_get_and_list_tell_people_and_programs(reel: Reel, quests: Path) -> None:
    found = reel("domain", "find", "quests where status = open order by reward desc")
    assert found.out.splitlines() == [
        "id       title              status  reward  due         secret  notes",
        'wolf     The miller\'s wolf  open        80  2026-04-01  no      "he lied", once',
        "lantern  The lantern        open        30  2026-03-09  yes     bring oil",
    ]
    assert found.err == "2 rows.\n"
    narrow = reel("domain", "find", "quests where secret", tty=True, env={"COLUMNS": "40"})
    assert narrow.out.splitlines()[:3] == ["The lantern", "  id: lantern", "  status: open"]
    told = json.loads(reel("domain", "find", "quests where not due is empty", "--json").ok().out)
    assert [row["id"] for row in told["rows"]] == ["lantern", "wolf"]
    assert told["rows"][0]["secret"] is True
    assert reel("domain", "list").out == ("quests  3 rows  id, title, status, reward, due, secret, notes\n")
    listed = json.loads(reel("domain", "list", "quests", "--json").ok().out)
    assert (listed["key"], listed["columns"][2]["one_of"]) == ("id", ["open", "done", "failed"])
    reel("domain", "drop", "quests", "wolf", "--yes", env={"REEL_NOW": "2026-03-05T20:00:00+00:00"}).ok()
    then = json.loads(reel("domain", "find", "quests", "--json", "--at", "2026-03-02").ok().out)
    assert (len(then["rows"]), sorted(then)) == (3, ["at", "rows", "table"])


# -- a bundle -----------------------------------------------------------------------------------------


def test_rows_enter_a_bundle_only_when_they_are_asked_for(reel: Reel, quests: Path) -> None:
    assert "lantern" not in reel("pack").ok().out
    reel("domain", "define", "quests", "--title", "What is to do", "--untold", "notes").ok()
    bundle = json.loads(reel("pack", "--with", 'quests where status = "open"', "--json").ok().out)
    assert bundle["text"].count("lantern") == 1
    assert (
        "## What you looked up\n\nYou looked this up before you began, and it is how things stand. There is"
        " more that you did not look up.\n\n### What is to do\n\n"
        "- **The lantern**: status open; reward 30; due 9 March 2026; secret yes\n"
        "- **The miller's wolf**: status open; reward 80; due 1 April 2026; secret no\n\n"
    ) in bundle["text"]
    listed = [(item["id"], item["resolution"]) for item in bundle["loaded"] if item["ring"] == "domain"]
    assert listed == [("quests/lantern", "whole"), ("quests/wolf", "whole")]
    assert bundle["rings"]["domain"]["tokens"] <= bundle["rings"]["domain"]["max"] == 8192 // 20
    assert "what was looked up" in reel("pack", "--with", "quests", "--explain").ok().err
    assert "3 rows looked up" in reel("start", "--with", "quests").ok().err


def test_no_sign_that_turns_the_writing_reaches_a_bundle_or_a_screen(reel: Reel, quests: Path) -> None:
    """Memory Keep §I.5: keep job data apart with a schema, and look up only what is asked for."""
    turned = "pay \u202e03\u202c \u2066coins\u2069\u200f now"
    reel("domain", "define", "quests", "--title", "Quests \u202ehere").ok()
    reel("domain", "put", "quests", "lantern", "title=The \u202elantern\u202c", f"notes={turned}").ok()
    bundle = reel("pack", "--with", "quests where id = lantern").ok().out
    assert "- **The lantern**: status open; " in bundle
    assert "notes pay 03 coins now" in bundle
    shown = reel("domain", "get", "quests", "lantern").ok()
    for text in (bundle, shown.out, reel("domain", "find", "quests").ok().out):
        assert not {"\u202e", "\u202c", "\u2066", "\u2069"} & set(text)
    # the table keeps what was written
    assert turned in (quests / "domain/quests.csv").read_text()


def test_a_kit_asks_for_its_usual_rows_and_never_stumbles_over_them(reel: Reel, quests: Path) -> None:
    with (quests / "kit.yaml").open("a") as file:
        file.write('domain:\n  share: 1%\n  with: [quests where secret, "monsters where big"]\n')
    bundle = json.loads(reel("pack", "--with", "quests where id = wolf", "--json").ok().out)
    assert [item["id"] for item in bundle["loaded"] if item["ring"] == "domain"] == ["quests/wolf"]
    assert [(i["id"], i["reason"]) for i in bundle["left_out"] if i["ring"] == "domain"] == [
        ("quests/lantern", "no room in the share of rows")
    ]
    assert bundle["warnings"] == [
        "kit.yaml, domain.with: 'monsters where big' was ignored. There is no table 'monsters'."
    ]
    found = json.loads(reel("doctor", "--json").out)
    assert [one["evidence"] for one in found["findings"] if one["check"] == "domain"] == [
        "kit.yaml: domain.with, 'monsters where big': There is no table 'monsters'"
    ]


def test_settings_that_make_no_sense_are_refused(reel: Reel, quests: Path) -> None:
    before = (quests / "kit.yaml").read_text()
    for told, what in (
        ("with: {a: b}", "kit.yaml: domain.with should be a list of texts."),
        ("with: [[a]]", "kit.yaml: domain.with should be a list of texts."),
        ("share: much", "kit.yaml: domain.share is 'much', which is not a share like 0.5 or 50%."),
    ):
        (quests / "kit.yaml").write_text(f"{before}domain: {{{told}}}\n")
        run = reel("pack")
        assert (run.code, what in run.err) == (1, True), run.err
    (quests / "kit.yaml").write_text(f"{before}domain: {{share: 90%, with: quests}}\n")
    bundle = json.loads(reel("pack", "--json").ok().out)
    assert bundle["rings"]["domain"]["max"] == bundle["cap"] * 30 // 100
    assert sum(item["ring"] == "domain" for item in bundle["loaded"]) == 3


def test_a_refresh_has_only_rows_that_are_new(reel: Reel, quests: Path) -> None:
    reel("pack", "--with", "quests").ok()
    reel("domain", "put", "quests", "wolf", "reward=90").ok()
    bundle = json.loads(reel("pack", "--with", "quests", "--since-last", "--json").ok().out)
    assert [item["id"] for item in bundle["loaded"] if item["ring"] == "domain"] == ["quests/wolf"]
    assert [(i["id"], i["reason"]) for i in bundle["left_out"] if i["ring"] == "domain"] == [
        ("quests/bridge", "in this conversation already"), ("quests/lantern", "in this conversation already"),
    ]  # fmt: skip


def test_what_a_bundle_had_then_can_be_seen(reel: Reel, quests: Path) -> None:
    git(quests, "tag", "then")
    reel("domain", "put", "quests", "lantern", "reward=31").ok()
    now, then = (reel("pack", "--with", "quests limit 2", *at).ok().out for at in ((), ("--at", "then")))
    assert ("reward 31" in now, "reward 30" in then) == (True, True)


def test_what_two_filters_ask_for_is_told_once_and_by_table(reel: Reel, quests: Path) -> None:
    reel("domain", "define", "npcs", "name").ok()
    reel("domain", "put", "npcs", "Marta").ok()
    asked = ("quests where id = wolf", "npcs", "quests order by id")
    words = [word for text in asked for word in ("--with", text)]
    bundle = json.loads(reel("pack", *words, "--json").ok().out)
    assert [item["id"] for item in bundle["loaded"] if item["ring"] == "domain"] == [
        *("quests/wolf", "quests/bridge", "quests/lantern", "npcs/Marta"),
    ]
    assert bundle["text"].count("### Quests") == bundle["text"].count("### Npcs") == 1


# -- what can be wrong with it ---------------------------------------------------------------------------


def test_rows_broken_by_hand_are_named_left_out_and_kept(reel: Reel, quests: Path) -> None:
    path = quests / "domain/quests.csv"
    path.write_text(rows(quests).replace("open,30", "opne,30").replace("wolf,", "bridge,"))
    run = reel("domain", "find", "quests", "--json")
    assert [row["id"] for row in json.loads(run.out)["rows"]] == ["bridge"]
    first = "domain/quests.csv, line 3, status: 'opne' is none of open, done, failed (did you mean open?)"
    assert run.err == f"{first}. That row is left out (2 rows in all; reel doctor names them).\n"
    found = json.loads(reel("doctor", "--json").out)["findings"]
    assert [(one["where"], one["evidence"]) for one in found if one["check"] == "domain"] == [
        ("domain/quests.csv:3", first),
        ("domain/quests.csv:4", "domain/quests.csv, line 4, id: 'bridge' is the key of line 2 as well"),
    ]
    refused = reel("review", "accept", "domain/quests.csv")
    assert (refused.code, "line 3, status: 'opne'" in refused.err) == (1, True)
    assert reel("pack", "--with", "quests").ok().err.startswith(first)
    assert reel("domain", "import", "quests", "-", stdin="id\nwolf\n").code == 1
    path.write_text(
        rows(quests).replace("opne", "open").replace("bridge,The", "wolf,The").replace("30", "33")
    )
    assert "reward" not in reel("review", "accept", "domain/quests.csv").ok().err
    assert commits(quests)[0] == "edit: domain/quests.csv, by hand"


def test_a_broken_schema_stops_its_own_table_alone(reel: Reel, quests: Path) -> None:
    reel("domain", "define", "npcs", "id", "name").ok()
    (quests / "domain/quests.yaml").write_text("key: id\ncolumns: {id: text, title: sometext}\n")
    (quests / "domain/stray.csv").write_text("id\n1\n")
    (quests / "domain/NPCs.yaml").write_text("columns: {id: text}\n")
    (quests / "domain/.~lock.quests.csv#").write_text(",bo,desk;")
    assert reel("domain", "find", "npcs").ok().err == "No row matches that.\n"
    listed = reel("domain", "list").ok()
    assert listed.out == "npcs  0 rows  id, name\n"
    assert listed.err == "quests cannot be read. domain/quests.yaml: There is no type 'sometext'.\n"
    run = reel("domain", "find", "quests")
    assert (run.code, run.err.splitlines()[0]) == (
        1, "Error: domain/quests.yaml: There is no type 'sometext'.",
    )  # fmt: skip
    told = {one["where"]: one["evidence"] for one in json.loads(reel("doctor", "--json").out)["findings"]}
    assert "no type 'sometext'" in told["domain/quests.yaml"]
    assert "no schema for it" in told["domain/stray.csv"]
    assert "NPCs" in told["domain/NPCs.yaml"]
    assert "lock" not in reel("review", "--json").out
    (told_once,) = reel("pack").ok().err.splitlines()
    assert "no type 'sometext':  reel restore domain/quests.yaml" in told_once.lower()
    reel("domain", "drop", "quests", "--whole", "--yes").ok()


def test_links_and_strange_files_are_refused(reel: Reel, quests: Path, tmp_path: Path) -> None:
    path = quests / "domain/quests.csv"
    kept = path.read_bytes()
    (tmp_path / "secret.csv").write_text("id,title\nx,Secret\n")
    path.unlink()
    path.symlink_to(tmp_path / "secret.csv")
    run = reel("domain", "find", "quests")
    assert (run.code, "Secret" in run.out + run.err) == (3, False)
    path.unlink()
    path.write_bytes(kept + b"x,\xff\xfe,,,,,\n")
    assert "line 5: this is not UTF-8 text" in reel("domain", "find", "quests").err
    path.write_bytes(b"<<<<<<< HEAD\n" + kept + b"=======\n>>>>>>> x\n")
    found = json.loads(reel("doctor", "--json").out)["findings"]
    assert any("marks of a merge" in one["evidence"] and "domain/" in one["evidence"] for one in found)


def test_without_git_tables_can_be_read_and_not_changed(reel: Reel, quests: Path) -> None:
    subprocess.run(["rm", "-rf", quests / ".git"], check=True)
    assert len(json.loads(reel("domain", "find", "quests", "--json").ok().out)["rows"]) == 3
    run = reel("domain", "put", "quests", "x", "title=X")
    assert (run.code, "has no history (git) yet" in run.err) == (3, True)
    assert "lantern" in reel("pack", "--with", "quests").ok().out


def test_an_edit_meanwhile_is_noticed(reel: Reel, quests: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def meanwhile(*given: object, **named: object) -> str:
        path = quests / "domain/quests.csv"
        path.write_text(path.read_text() + "ash,Ash,open,,,,\n")
        return write_rows(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("reel_cli.features.tables.plan.write_rows", meanwhile)
    head = git(quests, "rev-parse", "HEAD")
    run = reel("domain", "put", "quests", "lantern", "reward=1")
    assert (run.code, git(quests, "rev-parse", "HEAD")) == (3, head)
    assert "ash,Ash" in rows(quests)


# -- the others -------------------------------------------------------------------------------------------


def test_diff_counts_rows(reel: Reel, quests: Path) -> None:
    start = git(quests, "rev-parse", "HEAD").strip()
    reel(
        "domain", "import", "quests", "-", stdin="id,title,reward\nash,Ash,1\nwolf,The wolf,80\noak,Oak,2\n"
    ).ok()
    reel("domain", "drop", "quests", "bridge", "--yes").ok()
    reel("domain", "define", "npcs", "id", "name").ok()
    told = json.loads(reel("diff", start, "--json").ok().out)["domain"]
    assert told == [
        {"table": "npcs", "added": 0, "changed": 0, "lost": 0, "became": "new"},
        {"table": "quests", "added": 2, "changed": 1, "lost": 1, "became": ""},
    ]
    assert (
        "Domain data\n  npcs: new\n  quests: 2 rows added, 1 row changed, 1 row lost\n"
        in reel("diff", start).out
    )


def test_purge_reaches_into_cells_and_leaves_a_table(reel: Reel, quests: Path) -> None:
    reel(
        "domain", "put", "quests", "ash", 'title=Say "hi, Bo" now', "notes==12 345 678", "reward=12345678"
    ).ok()
    for text in ('"hi, Bo"', "12 345 678", "12345678"):
        reel("purge", "--match", text, "--confirm", "Ada").ok()
    assert "ash,Say _purged_ now,open,_purged_,,,=_purged_" in rows(quests).replace("'=", "=")
    row = json.loads(reel("domain", "get", "quests", "ash", "--json").ok().out)
    assert (row["title"], row["reward"]) == ("Say _purged_ now", None)
    for old in ("hi, Bo", "12345678", "12 345 678"):
        assert (
            subprocess.run(
                ["git", "grep", "-q", old, *git(quests, "rev-list", "--all").split()], cwd=quests, check=False
            ).returncode
            == 1
        )


def test_two_machines_are_made_one_row_by_row(reel: Reel, quests: Path) -> None:
    other = quests.parent / "laptop"
    git(quests.parent, "clone", "-q", str(quests), str(other))
    reel("domain", "put", "quests", "ash", "title=Ash").ok()
    reel("domain", "put", "quests", "lantern", "reward=31", "notes=here").ok()
    reel("domain", "drop", "quests", "wolf", "--yes").ok()
    there = {"cwd": other}
    reel("domain", "put", "quests", "asp", "title=Asp", **there).ok()  # type: ignore[arg-type]
    reel("domain", "put", "quests", "lantern", "reward=32", "status=done", **there).ok()  # type: ignore[arg-type]
    git(quests, "remote", "add", "other", str(other))
    subprocess.run(
        ["git", "pull", "-q", "--no-rebase", "other", "main"], cwd=quests, check=False, capture_output=True
    )
    run = reel("doctor", "--fix").ok()
    assert "both machines changed lantern (reward); it is as the other machine had it" in run.err + run.out
    assert rows(quests) == (
        f"{CSV}ash,Ash,open,,,,\nasp,Asp,open,,,,\nbridge,Mend the bridge,done,12.5,,,\n"
        "lantern,The lantern,done,32,2026-03-09,yes,here\n"
    )
    assert git(quests, "status", "--porcelain") == ""


def test_the_page_on_tables_happens_as_shown(reel: Reel, request: pytest.FixtureRequest) -> None:
    page = CHECKOUT / "docs/tables.md"
    for _, name, text in read_files(page.read_text()):
        (reel.cwd / name).write_text(text)
    update = bool(request.config.getoption("--update-transcripts"))
    assert play_page(page, reel, reel.cwd, update=update) == []


def test_no_tag_of_a_table_reaches_a_bundle(reel: Reel, kit: Path) -> None:
    """REEL §5: a cell is told as it was lived, and brings no syntax of a scene."""
    reel("domain", "define", "t", "name:text", "note:text").ok()
    reel("domain", "put", "t", "name=a", 'note=[STAGE:SCENE place="x"] the pump runs').ok()
    told = reel("pack", "--with", "t").ok().out
    assert ("the pump runs" in told, "[STAGE" in told) == (True, False)
