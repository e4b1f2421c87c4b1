"""`reel config`: the settings that differ from the defaults; one explained; one set."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.terminal.options import AsJson, DryRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.change import Change
    from reel_cli.features.settings.plan import SettingHelp
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit


_OF_THE_PAST = ("buffer.cycles", "buffer.share", "boot.story", "boot.traces")
"""Settings of how much of the past a bundle has."""
SIZES = ("window", "cap", "live")
"""Settings that may leave a bundle too little room."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("config", epilog="Example:  reel config window 32k")(config)


def config(
    ctx: typer.Context,
    key: Annotated[str | None, typer.Argument(metavar="[KEY]", help="A setting, like window.")] = None,
    value: Annotated[
        list[str] | None,
        typer.Argument(metavar="[VALUE]", help="Its new value;  default  takes it out of kit.yaml."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List every setting with its value.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Show the settings that differ from the usual; explain or set one."""
    from reel_cli.features.settings.plan import find_settings, list_changed, list_help

    opened: OpenKit = ctx.obj.open_kit()
    console, snapshot = opened.console, opened.snapshot
    if key is None:
        listed = list(list_help().values()) if every else list(list_changed(snapshot))
        if as_json:
            console.result_json([_as_json(snapshot, one) for one in listed])
            return
        rows = [(one.path, _now(snapshot, one), _usually(one)) for one in listed]
        console.result(console.listing(rows, 2))
        if not every:
            console.next_step("About one:  reel config window")
            console.next_step("All of them:  reel config --all")
        return
    found = find_settings(key, word=bool(value))
    if not value:
        if as_json:
            told = [_as_json(snapshot, one) for one in found]
            console.result_json(told[0] if len(told) == 1 else told)
            return
        console.result(_explain(console, snapshot, found))
        if len(found) == 1:
            console.next_step(f"Set it:  reel config {found[0].path} VALUE")
        return
    if len(found) > 1:
        from reel_cli.core.errors import UsageError

        message = f'"{key}" is a section with {len(found)} settings.'
        raise UsageError(message, hint=f"set one of them:  reel config {found[0].path} VALUE")
    _set(opened, found[0], " ".join(value), dry_run=dry_run, as_json=as_json)


def _set(opened: "OpenKit", setting: "SettingHelp", value: str, *, dry_run: bool, as_json: bool) -> None:
    from reel_cli.core.pack.ring0_limit import require_change_fits
    from reel_cli.core.rings.lost_header import require_name
    from reel_cli.features.settings.names import KEYS, list_earlier, list_places, plan_texts
    from reel_cli.features.settings.plan import DEFAULT, is_sound, plan_setting
    from reel_cli.terminal.change_report import as_sentence, report_commit

    console = opened.console
    is_author = setting.row.kind == "author"
    if not (dry_run or as_json) and (is_author or setting.path in KEYS) and not _is_meant(console, value):
        console.say("Nothing was changed.")
        return
    if is_author and value == DEFAULT:
        _require_git_name(opened)
    change = plan_setting(opened.snapshot, setting, value)
    changes = [change] if change else ()
    require_change_fits(opened.snapshot, opened.require_repository(), changes)
    require_name(opened.snapshot, opened.require_repository(), changes)
    before = opened.snapshot
    if change is not None and setting.path in KEYS and is_sound(before):
        change = change.also(plan_texts(before, before.after(change).settings))
    commit = None
    if change is not None and not dry_run:
        unnamed = is_author and opened.snapshot.settings.author is None
        if unnamed or not is_sound(opened.snapshot):
            # under the value that is replaced, or none, nothing can be committed where git knows no name
            opened.snapshot = opened.snapshot.after(change)
        commit = opened.commit_all([change])[0].commit
    if as_json:
        console.result_json({"commit": commit, **_as_json(opened.snapshot, setting)})
    elif change is None:
        console.say(f"{setting.path} has that value already, so nothing was changed.")
    else:
        report_commit(console, commit, f"Set: {change.told}", as_sentence(change.told))
        if commit is not None and setting.path in SIZES:
            _tell_no_room(opened)
    if change is not None and setting.path in KEYS and not as_json and not dry_run:
        after = before.after(change)
        earlier = list_earlier(opened.require_repository(), setting.path, after.settings)
        places = {old: found for old in earlier if (found := list_places(after, old))}
        _tell_texts(console, change, places, lived=bool(before.sessions))


def _is_meant(console: "Console", value: str) -> bool:
    """Return whether a name is meant as one: a person is asked where it is more likely a sentence."""
    from reel_cli.core.values.settings import is_hardly_name
    from reel_cli.features.settings.plan import DEFAULT

    name = value.partition("<")[0].strip()
    if value == DEFAULT or not console.interactive or not is_hardly_name(name):
        return True
    return console.confirm(f"Is “{name}” the name?", default=False)


def _tell_no_room(opened: "OpenKit") -> None:
    """Say at once where no bundle can be packed any more, which `reel start` would say tonight."""
    from reel_cli.core.pack.budget import NoRoomError
    from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit

    try:
        pack_kit(opened.root, BundleRequest(topped_up=False))
    except NoRoomError as error:
        opened.console.say(f"No chat can begin so: {error.message}")
        opened.console.next_step("To take it back:  reel undo")


def _require_git_name(opened: "OpenKit") -> None:
    """Raise UnknownAuthorError where git knows no name either: nothing could be kept any more."""
    from reel_cli.core.git.identity import GIVE_NAME, UnknownAuthorError, author_identity

    try:
        author_identity(opened.repository, None)
    except UnknownAuthorError as error:
        message = "git does not know your name, so the kit needs one of its own."
        raise UnknownAuthorError(message, hint=GIVE_NAME) from error


def _tell_texts(
    console: "Console", change: "Change", places: "Mapping[str, Sequence[str]]", *, lived: bool
) -> None:
    """Say in which texts the new name stands now, and in which an earlier one still does (`places`, by name).

    `lived` says that the kit has a chat; its texts are left as they are.
    """
    from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, WORKING

    put_right = [path for path in change.writes if path != "kit.yaml"]
    if put_right:
        console.say(f"The texts of the template have the new name as well: {', '.join(put_right)}.")
    for old, paths in places.items():
        console.say(f"“{old}” still stands in {', '.join(paths)}.")
    if places:
        if lived:
            console.say("Since there was a chat already, reel leaves these texts to you.")
        words = {IDENTITY: "identity", DIRECTIVES: "rules", WORKING: "now"}
        if word := next((words[path] for paths in places.values() for path in paths if path in words), ""):
            console.next_step(f"Open it:  reel edit {word}")


def _explain(console: "Console", snapshot: "Snapshot", found: "Sequence[SettingHelp]") -> str:
    """Return one setting with all there is to know, or each of a section in a line."""
    from reel_cli.core.values.setting_rows import SECTIONS
    from reel_cli.features.settings.plan import read_value

    if len(found) > 1:
        section = found[0].path.rpartition(".")[0]
        rows = [
            (one.path, _now(snapshot, one), _usually(one) if read_value(snapshot, one.path) else "")
            for one in found
        ]
        head = f"{SECTIONS.get(section, '')} {_unused(snapshot, found)}".strip()
        head = console.wrap(head, console.out)
        return f"{head}\n{console.listing(rows, 2)}".lstrip("\n")
    one = found[0]
    lines = [
        f"{one.path}: {_now(snapshot, one)}",
        f"{one.does} {_unused(snapshot, found)}".strip(),
        f"Write {one.written}.",
        f"{_usually(one).capitalize()}.",
    ]
    return "\n".join(console.wrap(line, console.out) for line in lines)


def _unused(snapshot: "Snapshot", found: "Sequence[SettingHelp]") -> str:
    """Return the sentence that says that settings have no effect where experience is gated; else ""."""
    if snapshot.settings.gated and all(one.path in _OF_THE_PAST for one in found):
        return "Of no effect here: past events are found by query only (experience: gated)."
    return ""


def _now(snapshot: "Snapshot", one: "SettingHelp") -> str:
    from reel_cli.core.values.change import unbroken
    from reel_cli.features.settings.plan import read_value

    return unbroken(read_value(snapshot, one.path) or one.default or "not set")


def _usually(one: "SettingHelp") -> str:
    return f"default {one.default}" if one.default else "no default"


def _as_json(snapshot: "Snapshot", one: "SettingHelp") -> dict[str, str | None]:
    from reel_cli.features.settings.plan import read_value

    given = read_value(snapshot, one.path)
    return {"key": one.path, "value": given or one.default, "default": one.default, "does": one.does}
