#!/bin/sh
# Check the built wheel, alone in a clean environment and outside the checkout: every file was shipped as it is,
# every module can be imported with the dependencies that are named, and the tests pass that find shipped files, run
# the installed program or need a package to be absent. The rest of the suite runs the same code in the checkout.
#   sh tools/test_wheel.sh PYTHON [WORK]       WORK: where tools/install_wheel.sh has been already
set -eu
unset PYTHONPATH
checkout=$(cd "$(dirname "$0")/.." && pwd)
work=${2:-$(mktemp -d)}
trap 'rm -rf "$work"' EXIT INT TERM
[ -d "$work/venv" ] || sh "$checkout/tools/install_wheel.sh" "$1" "$work"

# the tests, what they read, and nothing of the package itself; nor what Python compiles of them, which comes and
# goes while the whole suite runs in the checkout
mkdir "$work/outside"
tar -C "$checkout" --exclude __pycache__ -cf - tests kits docs bench tools demo pyproject.toml README.md \
  | tar -C "$work/outside" -xpf -
REEL_SHARED_DATA=${REEL_SHARED_DATA:-$checkout/../shared/data}
# hypothesis keeps its tables of Unicode here
HYPOTHESIS_STORAGE_DIRECTORY=$checkout/.hypothesis
REEL_FEWER_EXAMPLES=${REEL_FEWER_EXAMPLES-10}
export REEL_SHARED_DATA HYPOTHESIS_STORAGE_DIRECTORY REEL_FEWER_EXAMPLES
cd "$work/outside"
"$work/venv/bin/python" tools/check_wheel.py "$checkout"
# templates, kits, prompts, schemas, adapters and token tables; the README, the demo and whole sessions; `reel mcp`
# and the tokenizer of a model without their packages. What else these files test is the same code in the checkout.
PATH="$work/venv/bin:$PATH" "$work/venv/bin/python" -m pytest -n 2 -m wheel \
  tests/test_docs.py tests/test_transcripts.py tests/core/test_resources.py tests/features/init/test_init.py \
  tests/features/init/test_new_kit.py tests/core/files/test_settings_file.py tests/core/tokens/test_bpe.py \
  tests/features/facts/test_adapters.py tests/features/mcp/test_mcp_server.py tests/features/models/test_model.py \
  tests/features/view/test_view.py
