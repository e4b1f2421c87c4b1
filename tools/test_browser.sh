#!/bin/sh
# Run the tests of the page in a real browser, and install what they need first.
#   sh tools/test_browser.sh PYTHON [PYTEST OPTIONS]
# Exits with 3 where they could not be run, and says why; never as though they had been.
set -eu
checkout=$(cd "$(dirname "$0")/.." && pwd)
cd "$checkout"
python=$1
shift
sh tools/install_browser.sh
if ! "$python" -m pip install --quiet --group browser; then
  echo "The packages of the group \"browser\" cannot be installed."
  exit 3
fi
exec "$python" -m pytest "$@" tests/features/serve/test_browser.py
