#!/bin/sh
# Install a Chromium from Debian for tools/test_browser.sh where there is none; that takes root and apt-get.
# Where it cannot be installed, says why and exits with 3.
set -eu
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  if command -v "$name"; then exit 0; fi
done
why=
[ "$(id -u)" = 0 ] || why="only root may install packages"
command -v apt-get > /dev/null || why="there is no apt-get"
if [ -z "$why" ]; then
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  if apt-get -qq update > "$log" 2>&1 \
    && apt-get -qq install --yes --no-install-recommends chromium fonts-dejavu-core >> "$log" 2>&1; then
    command -v chromium
    exit 0
  fi
  why="apt-get says: $(tail -n 1 "$log")"
fi
echo "There is no Chromium, and none can be installed: $why."
exit 3
