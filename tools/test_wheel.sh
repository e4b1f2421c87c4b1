#!/bin/sh
# Run the suite against the built wheel, alone in a clean environment and outside the checkout: a file that was
# not shipped, or a dependency that was not named, shows here.
#   sh tools/test_wheel.sh PYTHON [WORK]       WORK: where tools/install_wheel.sh has been already
set -eu
unset PYTHONPATH
checkout=$(cd "$(dirname "$0")/.." && pwd)
work=${2:-$(mktemp -d)}
trap 'rm -rf "$work"' EXIT INT TERM
[ -d "$work/venv" ] || sh "$checkout/tools/install_wheel.sh" "$1" "$work"

# the tests, what they read, and nothing of the package itself; with their times, by which pytest knows what
# it has compiled of them
mkdir "$work/outside"
cp -Rp "$checkout/tests" "$checkout/kits" "$checkout/docs" "$checkout/bench" "$checkout/tools" "$checkout/demo" "$work/outside/"
cp "$checkout/pyproject.toml" "$checkout/README.md" "$work/outside/"
REEL_SHARED_DATA=${REEL_SHARED_DATA:-$checkout/../shared/data}
# hypothesis keeps its tables of Unicode here
HYPOTHESIS_STORAGE_DIRECTORY=$checkout/.hypothesis
REEL_FEWER_EXAMPLES=${REEL_FEWER_EXAMPLES-1}
export REEL_SHARED_DATA HYPOTHESIS_STORAGE_DIRECTORY REEL_FEWER_EXAMPLES
cd "$work/outside"
"$work/venv/bin/python" -c 'import reel_cli, sys; sys.exit("outside" in reel_cli.__file__)'
PATH="$work/venv/bin:$PATH" "$work/venv/bin/python" -m pytest -n auto
