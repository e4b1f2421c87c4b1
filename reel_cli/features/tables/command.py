"""`reel domain`: the tables of what the persona's work is about."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.values.change import capital
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.options import AsJson, At, DryRun, Sure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.change import Change
    from reel_cli.features.tables.plan import RowsPut
    from reel_cli.features.tables.table import Table
    from reel_cli.features.tables.tables import QueryResult

Name = Annotated[str, typer.Argument(metavar="TABLE", help="Which table; see  reel domain list")]
Asked = Annotated[
    list[str],
    typer.Argument(metavar="FILTER", help="A table, and which rows: 'quests where status = \"open\"'"),
]
Columns = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[COLUMN…]",
        help="name:type=default. Types: text, number, date, yes/no, or choices like open/done.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    domain = typer.Typer(
        epilog="Example:  reel domain find 'quests where status = \"open\" order by due'",
        help="Tables the persona works with: quests, leads, patients.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, command, example in (
        ("list", list_, "list"),
        ("define", define, "define quests id title status:open/done=open reward:number due:date"),
        ("put", put, 'put quests lantern title="The lantern" reward=30'),
        ("get", get, "get quests lantern"),
        ("find", find, "find 'quests where status = \"open\" order by due limit 5'"),
        ("import", import_, "import quests quests.csv"),
        ("export", export, "export quests --out quests.csv"),
        ("drop", drop, "drop quests lantern"),
    ):
        domain.command(name, epilog=f"Example:  reel domain {example}")(command)
    app.add_typer(domain, name="domain")


def list_(
    ctx: typer.Context,
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help="Show this one's columns.")] = None,
    as_json: AsJson = False,
    at: At = None,
) -> None:
    """List the tables, or show the columns of one."""
    from reel_cli.features.tables.tables import find_table, list_tables, read_table, tell_problems
    from reel_cli.features.tables.view import table_json, tell_column

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    console, snapshot = opened.console, opened.snapshot
    names = [find_table(snapshot, table).name] if table else list_tables(snapshot)
    tables = []
    for name in names:
        try:
            found = find_table(snapshot, name)
            tables.append((found, read_table(snapshot, found)))
        except ReelError as error:
            if table:
                raise
            console.say(f"{name} cannot be read. {error.message}")
    if as_json:
        told = [table_json(found, len(rows.sound)) for found, rows in tables]
        console.result_json({**told[0], **opened.told_then()} if table else told)
        return
    for found, rows in tables:
        if rows.problems:
            console.say(tell_problems(found.name, rows.problems))
    if not names:
        console.say("There are no tables yet.")
        console.next_step("Make one:  reel domain define quests id title status:open/done")
        return
    if table:
        found, rows = tables[0]
        head = f"{found.name}: {_rows(len(rows.sound))}"
        lines = [(column.name, tell_column(column, found)) for column in found.columns]
        console.result(f"{head}\n{console.listing(lines, 1)}")
        return
    if not tables:
        return
    listed = [(found.name, _rows(len(rows.sound)), ", ".join(found.names)) for found, rows in tables]
    console.result(console.listing(listed, 2))


def define(
    ctx: typer.Context,
    table: Name,
    columns: Columns = None,
    key: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The key column; else the first."),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(metavar="TITLE", help="The table's title in a bundle; if not given, its name."),
    ] = None,
    required: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column that must be filled in. May be repeated."),
    ] = None,
    optional: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="A column that may be empty. May be repeated.")
    ] = None,
    untold: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column that never goes into a bundle. May be repeated."),
    ] = None,
    told: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column that may go into a bundle. May be repeated."),
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Remove it, with all it holds. May be repeated."),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Fit it to a CSV or JSON file, for import."),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make a table, or change its columns; rows that are there must fit."""
    from reel_cli.features.tables.define import TableRequest, plan_define
    from reel_cli.features.tables.tables import list_tables, read_table
    from reel_cli.features.tables.view import table_json, tell_column

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    wanted = TableRequest(
        *(columns or (), key, title, required or (), optional or (), untold or (), told or (), drop or ()),
        like=_guess(opened, table, like) if like else None,
    )
    new = table not in list_tables(opened.snapshot)
    change, made = plan_define(opened.snapshot, table, wanted)
    commit = _commit(opened, change, dry_run=dry_run)
    if as_json:
        count = len(read_table(opened.snapshot.after(change) if change else opened.snapshot, made).sound)
        console.result_json({**table_json(made, count), "commit": commit})
        return
    lines = [(column.name, tell_column(column, made)) for column in made.columns]
    console.result(f"{made.name}\n{console.listing(lines, 1)}")
    if _tell(opened, change, commit, "The table is like that already.") and new:
        into = (
            f"import {made.name} {like if like != '-' else 'FILE'}"
            if like
            else f"put {made.name} KEY column=value"
        )
        console.next_step(f"To add rows:  reel domain {into}")


def put(
    ctx: typer.Context,
    table: Name,
    words: Annotated[
        list[str], typer.Argument(metavar="[KEY] COLUMN=VALUE…", help="The row's key, then its values.")
    ],
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Add a row or change it; nothing behind = empties a column."""
    from reel_cli.features.tables.plan import plan_put

    opened: OpenKit = ctx.obj.open_kit()
    _keep(opened, plan_put(opened.snapshot, table, words), dry_run=dry_run, as_json=as_json)


def get(
    ctx: typer.Context,
    table: Name,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The row's key.")],
    as_json: AsJson = False,
    at: At = None,
) -> None:
    """Show one row."""
    from reel_cli.features.tables.tables import as_json as row_json
    from reel_cli.features.tables.tables import find_row, find_table, read_table
    from reel_cli.features.tables.view import show_row

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    found = find_table(opened.snapshot, table)
    row = find_row(read_table(opened.snapshot, found), key)
    if as_json:
        opened.console.result_json(row_json(row))
        return
    opened.console.result(show_row(opened.console, found, row))


def find(ctx: typer.Context, asked: Asked, as_json: AsJson = False, at: At = None) -> None:
    """Show the rows that a filter asks for."""
    from reel_cli.features.tables.tables import as_json as row_json
    from reel_cli.features.tables.view import show_rows

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    console = opened.console
    found = _ask(opened, asked)
    table = found.query.table
    if as_json:
        rows = [row_json(row) for row in found.rows]
        console.result_json({"table": table.name, "rows": rows, **opened.told_then()})
        return
    if found.rows:
        console.result(show_rows(console, table, found.rows))
    console.say(f"{_rows(len(found.rows))}." if found.rows else "No row matches that.")


def import_(
    ctx: typer.Context,
    table: Name,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="CSV as a spreadsheet saves it, or JSON.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Remove rows that the file does not have.")
    ] = False,
    known_only: Annotated[
        bool, typer.Option("--known-only", help="Skip columns that the table does not have.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Import rows from a file, each by its key: all of them, or none."""
    from reel_cli.features.tables.import_rows import SHOWN, BadRowsError, plan_import
    from reel_cli.features.tables.row_file import read_rows_given

    opened: OpenKit = ctx.obj.open_kit()
    text = read_rows_given(opened.console, file)
    shown = "standard input" if file == "-" else Path(file).name
    try:
        planned = plan_import(opened.snapshot, table, text, shown, replace_all=replace, known_only=known_only)
    except BadRowsError as error:
        if as_json:
            problems = [{"line": p.line, "column": p.column, "what": p.words} for p in error.problems]
            opened.console.result_json({"commit": None, "table": table, "problems": problems})
        else:
            for problem in error.problems[1:SHOWN]:
                opened.console.say(f"{shown}, {problem.words}")
        raise
    _keep(opened, planned, dry_run=dry_run, as_json=as_json)


def export(
    ctx: typer.Context,
    asked: Asked,
    format: Annotated[  # noqa: A002
        Literal["csv", "json", "jsonl"] | None,
        typer.Option(help="The format; if not given, by the file's name, or csv."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this file instead of printing.")
    ] = None,
    at: At = None,
) -> None:
    """Write rows for a spreadsheet (CSV) or a program (JSON)."""
    from reel_cli.features.tables.view import export_rows
    from reel_cli.terminal.bundle_view import write_out

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    found = _ask(opened, asked)
    ending = out.suffix.casefold().removeprefix(".") if out is not None else ""
    form = format or (ending if ending in ("json", "jsonl") else "csv")
    text = export_rows(found, form, for_file=out is not None)
    if out is None:
        opened.console.result(text, whole=True)
        return
    write_out(opened, out, text)
    opened.console.say(f"Wrote {_rows(len(found.rows))} to {out}")


def drop(
    ctx: typer.Context,
    table: Name,
    keys: Annotated[list[str] | None, typer.Argument(metavar="[KEY…]", help="The rows' keys.")] = None,
    whole: Annotated[bool, typer.Option("--whole", help="Remove the whole table.")] = False,
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Take rows out of a table, or the table away; reel undo brings them back."""
    from reel_cli.features.tables.plan import plan_drop_rows, plan_drop_table
    from reel_cli.features.tables.view import tell_changes
    from reel_cli.terminal.console import agreed

    opened: OpenKit = ctx.obj.open_kit()
    if bool(keys) == whole:
        message = "Name rows by their keys, or give --whole for the whole table."
        raise UsageError(message, hint=f"reel domain drop {table} KEY")
    opened.require_repository()
    sure = yes or dry_run
    if keys:
        planned = plan_drop_rows(opened.snapshot, table, keys)
        question = f"Take {'it' if len(planned.taken) == 1 else 'them'} out of {planned.table.name}?"
        if sure or agreed(opened.console, "\n".join(tell_changes(planned)), question, "leave the table"):
            _keep(opened, planned, dry_run=dry_run, as_json=as_json)
        return
    change, count = plan_drop_table(opened.snapshot, table)
    if not sure and not agreed(opened.console, f"{table}: {_rows(count)}", "Remove the table?", "go"):
        return
    commit = _commit(opened, change, dry_run=dry_run)
    if as_json:
        opened.console.result_json({"commit": commit, "table": table, "rows": count})
        return
    if _tell(opened, change, commit, ""):
        opened.console.next_step("To bring it back:  reel undo")


# -- asking, and keeping ------------------------------------------------------------------


def _guess(opened: OpenKit, table: str, file: str) -> "Table":
    from reel_cli.features.tables.guess_schema import guess_table
    from reel_cli.features.tables.row_file import read_rows_given

    return guess_table(table, read_rows_given(opened.console, file), Path(file).name)


def _ask(opened: OpenKit, words: "Sequence[str]") -> "QueryResult":
    from reel_cli.features.tables.tables import ask, tell_problems
    from reel_cli.terminal.pointing import pointing

    with pointing(opened.console):
        found = ask(opened.snapshot, " ".join(words))
    if found.problems:
        opened.console.say(tell_problems(found.query.table.name, found.problems))
    return found


def _keep(opened: OpenKit, planned: "RowsPut", *, dry_run: bool, as_json: bool) -> None:
    """Commit what is put in or taken out, and say it."""
    from reel_cli.features.tables.view import put_json, tell_changes, tell_put

    commit = _commit(opened, planned.change, dry_run=dry_run)
    if as_json:
        opened.console.result_json(put_json(planned, commit))
        return
    if planned.change is None:
        opened.console.say(f"{planned.table.name}: nothing changes, {tell_put(planned)}.")
        return
    for line in tell_changes(planned):
        opened.console.result(opened.console.wrap(line, opened.console.out, hang="    "))
    done = "" if commit else " Nothing was changed (--dry-run)."
    opened.console.say(f"{planned.table.name}: {tell_put(planned)}.{done}")


def _commit(opened: OpenKit, change: "Change | None", *, dry_run: bool) -> str | None:
    opened.require_repository()
    if change is None or dry_run:
        return None
    return opened.commit(change).commit


def _tell(opened: OpenKit, change: "Change | None", commit: str | None, otherwise: str) -> bool:
    """Report what became of a change; return whether it was committed."""
    if change is None:
        opened.console.say(otherwise)
    elif commit is None:
        opened.console.say("Nothing was changed (--dry-run).")
    else:
        told = capital(change.told)
        opened.console.say(f"{told}.")
    return commit is not None


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"
