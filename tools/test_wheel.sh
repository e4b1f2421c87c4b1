#!/bin/sh
# Build the wheel from the sdist, install it alone in a clean environment, and run the suite outside the
# checkout: a file that was not shipped, or a dependency that was not named, shows here.
set -eu
unset PYTHONPATH
python=$1
checkout=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

"$checkout/$python" -m build --quiet --outdir "$work/dist" "$checkout"
"$checkout/$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --upgrade 'pip>=25.1'
"$work/venv/bin/python" -m pip install --quiet "$work"/dist/*.whl
(cd "$checkout" && "$work/venv/bin/python" -m pip install --quiet --group test)

# the tests, what they read, and nothing of the package itself
mkdir "$work/outside"
cp -R "$checkout/tests" "$checkout/kits" "$checkout/docs" "$checkout/bench" "$checkout/tools" "$checkout/demo" "$work/outside/"
cp "$checkout/pyproject.toml" "$checkout/README.md" "$work/outside/"
REEL_SHARED_DATA=${REEL_SHARED_DATA:-$checkout/../shared/data}
export REEL_SHARED_DATA
cd "$work/outside"
"$work/venv/bin/python" -c 'import reel_cli, sys; sys.exit("outside" in reel_cli.__file__)'
PATH="$work/venv/bin:$PATH" "$work/venv/bin/python" -m pytest -n auto
