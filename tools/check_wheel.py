"""Compare an installed wheel with the checkout: every tracked file shipped as it is, every module imports.

A module that is imported inside a function must be found as well, unless it belongs to an extra.

PYTHON tools/check_wheel.py CHECKOUT       PYTHON: the environment that holds the wheel and no more
"""

import ast
import filecmp
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import reel_cli

NOT_SHIPPED = (".gitignore",)
"""Names of tracked files that a wheel leaves out."""

EXTRAS = {
    *("anyio", "mcp", "mcp_types"),
    *("multipart", "starlette", "uvicorn"),
    *("numpy", "tokenizers", "wordllama"),
}
"""Packages that an extra of pyproject.toml brings; the wheel alone may be without them."""


def list_packages(module: Path) -> Iterator[str]:
    """Yield the packages that a module imports, inside its functions too."""
    for node in ast.walk(ast.parse(module.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def list_tracked_files(checkout: Path) -> list[str]:
    """Return the files that the wheel must hold, by their paths in the checkout."""
    done = subprocess.run(
        ["git", "-C", checkout, "ls-files", "-z", "reel_cli", "templates"], check=True, capture_output=True
    )
    names = [name for name in done.stdout.decode().split("\0") if name]
    return [name for name in names if Path(name).name not in NOT_SHIPPED]


def main() -> int:
    """Print what is missing and return 1, or return 0."""
    package = Path(reel_cli.__file__).parent
    checkout = Path(sys.argv[1]).resolve()
    if package.is_relative_to(checkout):
        sys.stderr.write(f"this is the checkout's own package: {package}\n")
        return 1
    tracked = list_tracked_files(checkout)
    missing = []
    for name in tracked:
        shipped = package / name.removeprefix("reel_cli/")
        if not shipped.is_file() or not filecmp.cmp(shipped, checkout / name, shallow=False):
            missing.append(f"not shipped as it is: {name}")
    for name in (name for name in tracked if name.endswith(".py") and not name.startswith("templates/")):
        parts = Path(name).with_suffix("").parts
        module = ".".join(part for part in parts if part != "__init__")
        if module == "reel_cli.__main__":
            continue  # the console script is run by the tests
        try:
            import_module(module)
        except (ImportError, OSError) as problem:
            missing.append(f"cannot import {module}: {problem}")
        missing += [
            f"{name} imports {package}, which nothing installs"
            for package in sorted(set(list_packages(checkout / name)) - EXTRAS)
            if package not in sys.stdlib_module_names and find_spec(package) is None
        ]
    sys.stderr.write("".join(f"{line}\n" for line in missing))
    sys.stdout.write(f"{len(tracked)} files compared, {len(missing)} missing\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
