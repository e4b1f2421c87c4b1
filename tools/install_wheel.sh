#!/bin/sh
# Build the wheel from the sdist and install it, with what the tests need, in a clean environment of its own:
#   sh tools/install_wheel.sh PYTHON WORK      makes WORK/venv
set -eu
unset PYTHONPATH
checkout=$(cd "$(dirname "$0")/.." && pwd)
python=$checkout/$1
work=$2

"$python" -m build --quiet --outdir "$work/dist" "$checkout"
"$python" -m venv --without-pip "$work/venv"
cd "$checkout"
"$python" -m pip --python "$work/venv/bin/python" install --quiet --no-compile "$work"/dist/*.whl --group test
# as in the Makefile: without the packages' own tests
"$work/venv/bin/python" -m compileall -qq -x '/(tests|f2py|lexers)/' "$work/venv/lib" || true
