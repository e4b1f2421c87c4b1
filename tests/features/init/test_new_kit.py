"""First commit of a new kit: names, settings, what is kept of a template."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.exemplar_file import parse_active, parse_exemplar
from reel_cli.core.files.front_matter import split
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.files.working_file import read_items, read_section
from reel_cli.core.values.memory import SECTIONS
from reel_cli.core.values.settings import LONGEST_NAME, Settings, check_name
from reel_cli.core.values.sizes import parse_tokens, render_tokens
from reel_cli.features.init.plan import Choices, NewKit, name_from, plan_init
from reel_cli.features.init.template import DEFAULT, Template, fill_in, list_templates, read_template

names = st.text(
    st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"]),
    min_size=1,
    max_size=30,
).filter(lambda name: "{{" not in name)


def plan(template: str = DEFAULT, **chosen: object) -> NewKit:
    choices = replace(Choices(name="Ada", user="Bo"), **chosen)  # type: ignore[arg-type]
    return plan_init(read_template(template), choices, ratified_by="Bo Lind <bo@example.org>")


def text(new: NewKit, path: str) -> str:
    data = new.change.writes[path]
    assert data is not None
    return data.decode()


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("ada", "Ada"),
        ("kits/ada-lovelace/", "Ada Lovelace"),
        ("mary_ann", "Mary Ann"),
        ("McCoy", "McCoy"),
        ("éva", "Éva"),
        ("dr.house", "Dr.house"),
        ("o'neil", "O'neil"),
        ("kit2", "Otto"),
        ("2026", "Otto"),
        ("-", "Otto"),
        ("a" * 90, "Otto"),
        ("/", "Otto"),
    ],
)
def test_a_folder_that_looks_like_a_name_names_the_persona(folder: str, name: str) -> None:
    assert name_from(Path(folder), "Otto") == name


@pytest.mark.parametrize(
    "name", ["", " ", " Ada", "Ada\n", "A\x1b[31m", "A\u202eB", "{{user}}", "x" * (LONGEST_NAME + 1)]
)
def test_what_cannot_stand_on_one_line_is_no_name(name: str) -> None:
    with pytest.raises(ReelError, match="cannot be a name"):
        check_name(name)


@settings(max_examples=100, deadline=None)
@given(name=names, user=names)
def test_any_name_reads_back_from_every_file_it_stands_in(name: str, user: str) -> None:
    new = plan(name=name, user=user)
    kept = parse_settings(text(new, "kit.yaml"), fallback_name="?")
    assert (kept.name, kept.user) == (name, user)
    assert text(new, "ring0/identity.md").startswith(f"You are {name}, {user}'s friend.")
    assert new.change.subject == f"init: {name}, from the companion template"


@settings(max_examples=100, deadline=None)
@given(name=st.text(), user=st.text())
def test_a_name_put_in_is_never_read_again(name: str, user: str) -> None:
    given_files = {"a.md": b"{{name}} and {{user}}, {{other}} {name}"}
    try:
        expected = f"{name} and {user}, {{{{other}}}} {{name}}".encode()
    except UnicodeEncodeError:
        return
    assert fill_in(given_files, {"name": name, "user": user}) == {"a.md": expected}


@settings(max_examples=100, deadline=None)
@given(tokens=st.integers(1, 10**9))
def test_a_window_reads_back_as_it_was_written(tokens: int) -> None:
    assert parse_tokens(render_tokens(tokens)) == tokens


@pytest.mark.parametrize(
    ("tokens", "shown"), [(8192, "8k"), (131072, "128k"), (1048576, "1m"), (32000, "32000"), (1, "1")]
)
def test_a_window_is_written_short(tokens: int, shown: str) -> None:
    assert render_tokens(tokens) == shown


@pytest.mark.wheel
@pytest.mark.parametrize("template", [name for name, _ in list_templates()])
def test_each_template_teaches_by_a_whole_example(template: str) -> None:
    new = plan(template)
    # a placeholder in front matter or YAML could break it for some names
    shipped = read_template(template)
    assert not [
        path for path, data in shipped.files.items() if b"{{" in split(data.decode(), path).raw.encode()
    ]
    assert not [path for path, data in shipped.files.items() if path.endswith(".yaml") and b"{{" in data]
    working = text(new, "ring2/working.md")
    assert all(read_section(working, section) for section in SECTIONS)
    assert len(read_items(working)) >= 2
    assert text(new, "ring0/directives.md").strip()
    pool = [
        parse_exemplar(text(new, p), p)
        for p in new.change.writes
        if p.startswith("ring1/") and p.endswith(".md")
    ]
    active = parse_active(text(new, "ring1/active.yaml"), "ring1/active.yaml")
    assert set(active.active) == {exemplar.slug for exemplar in pool}
    if template != "blank":
        assert len(pool) in (2, 3)
        assert len({exemplar.role for exemplar in pool}) == len(pool)
        assert active.anchor in active.active
        assert all(e.text.startswith("**Bo:** ") and "**Ada:** " in e.text for e in pool)


def test_the_default_template_comes_first_and_has_a_name_of_its_own() -> None:
    assert list_templates()[0][0] == DEFAULT
    assert plan(name=None).settings.name == read_template(DEFAULT).persona == "Ada"


def test_a_kit_from_a_template_is_a_draft_and_one_taken_over_is_not() -> None:
    assert plan().change.trailers == ()
    folder = Template(
        "old", "", "Nell", {"kit.yaml": b"", "ring0/identity.md": b"Hi.\n"}, Settings(name="Nell")
    )
    taken = plan_init(folder, Choices(), ratified_by="Bo Lind <bo@example.org>")
    assert taken.change.trailers == (("Reel-Ratified-By", "Bo Lind <bo@example.org>"),)
    assert taken.change.writes["kit.yaml"] == b""
    assert taken.settings.name == "Nell"


def test_a_smaller_window_takes_the_cap_down_with_it() -> None:
    files = {"kit.yaml": b"cap: 12k # mine\nwindow: 16k\n", "ring0/identity.md": b"Hi.\n"}
    folder = Template("old", "", "Nell", files, Settings(name="Nell", window=16384, cap=12288))
    for window, expected in ((8192, b"window: 8k\n"), (32768, b"cap: 12k # mine\nwindow: 32k\n")):
        new = plan_init(folder, Choices(window=window), ratified_by="x <y>")
        assert new.change.writes["kit.yaml"] == expected
