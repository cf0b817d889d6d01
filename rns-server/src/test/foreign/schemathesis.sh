#!/usr/bin/env bash
# schemathesis, which tests a service against its OpenAPI document, from PyPI in a private directory: nothing is installed into the
# system and no root is needed. Prints the path of its program.
#   usage: schemathesis.sh [DIRECTORY]     (default: ${XDG_CACHE_HOME:-$HOME/.cache}/rns/schemathesis)
set -euo pipefail

root=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/rns/schemathesis}
readonly root VERSION=4.32.5

fail() {
  printf 'schemathesis.sh: %s\n' "$*" >&2
  exit 1
}

if [[ "$("$root/bin/st" --version 2> /dev/null)" != *" $VERSION" ]]; then
  command -v python3 > /dev/null || fail "needs Python 3.10 or newer"
  rm -rf "$root"
  python3 -m venv "$root" >&2 || fail "python3 has no venv; on Debian: apt-get install python3-venv"
  "$root/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$VERSION" >&2 || { rm -rf "$root"; fail "fetching failed (see above)"; }
fi
printf '%s\n' "$root/bin/st"
