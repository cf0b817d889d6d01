#!/usr/bin/env bash
# The Python toolkit zeep from Debian's packages, unpacked into a private directory: nothing is installed into the system and no
# root is needed. Prints the path of a python3 that has it.
#   usage: zeep-debian.sh [DIRECTORY]     (default: ${XDG_CACHE_HOME:-$HOME/.cache}/rns/zeep-debian)
set -euo pipefail

root=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/rns/zeep-debian}
readonly root SYSTEM_PYTHON=/usr/bin/python3

fail() {
  printf 'zeep-debian.sh: %s\n' "$*" >&2
  exit 1
}

wanted_packages() {
  apt-get -s install --no-install-recommends python3-zeep 2> /dev/null | awk '/^Inst / { print $2 }'
}

if "$SYSTEM_PYTHON" -c 'import zeep' 2> /dev/null; then
  printf '%s\n' "$SYSTEM_PYTHON"
  exit
fi
if [[ ! -x $root/python3 ]]; then
  for tool in "$SYSTEM_PYTHON" apt-get dpkg-deb awk; do
    command -v "$tool" > /dev/null || fail "needs $tool: a Debian system, or one derived from it, with its own Python 3"
  done
  mapfile -t packages < <(wanted_packages)
  if (( ${#packages[@]} == 0 && EUID == 0 )); then
    apt-get -qq update >&2 || fail "no usable package index"
    mapfile -t packages < <(wanted_packages)
  fi
  (( ${#packages[@]} > 0 )) || fail "the package index of this machine has no python3-zeep; try: apt-get update"
  mkdir -p "${root%/*}"
  work=$(mktemp -d "$root.new.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/debs" "$work/tree"
  (cd "$work/debs" && apt-get -qq -o APT::Sandbox::User=root download "${packages[@]}" >&2) || fail "fetching failed (see above)"
  for deb in "$work"/debs/*.deb; do
    dpkg-deb -x "$deb" "$work/tree"
  done
  cat > "$work/tree/python3" <<'PYTHON'
#!/usr/bin/env bash
root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
libraries=("$root"/usr/lib/*-linux-gnu*)
export PYTHONPATH=$root/usr/lib/python3/dist-packages LD_LIBRARY_PATH=${libraries[0]}
exec /usr/bin/python3 "$@"
PYTHON
  chmod +x "$work/tree/python3"
  "$work/tree/python3" -c 'import zeep' >&2 || fail "what was unpacked does not run (see above)"
  rm -rf "$root"
  mv "$work/tree" "$root"
fi
printf '%s\n' "$root/python3"
