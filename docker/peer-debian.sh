#!/usr/bin/env bash
# Programs that RNS is compared with, from Debian's packages, unpacked into a private directory: nothing is installed into the system and
# no root is needed. Prints the directory; in it, `run usr/sbin/slapd ARGUMENT...` starts a program with the libraries unpacked beside it.
#   usage: peer-debian.sh slapd|etcd [DIRECTORY]     (default: ${XDG_CACHE_HOME:-$HOME/.cache}/rns/PROGRAM-debian)
set -euo pipefail

fail() {
  printf 'peer-debian.sh: %s\n' "$*" >&2
  exit 1
}

program=${1:-}
case "$program" in
  slapd) package=slapd path=usr/sbin/slapd version=-VV ;;
  etcd) package=etcd-server path=usr/bin/etcd version=--version ;;
  *) printf 'usage: peer-debian.sh slapd|etcd [DIRECTORY]\n' >&2; exit 2 ;;
esac
root=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/rns/$program-debian}

# The package and the libraries that this machine lacks. The rest, of which some need root to be set up, is not needed to run it.
wanted_packages() {
  apt-get -s install --no-install-recommends "$package" 2> /dev/null | awk -v package="$package" '/^Inst / && ($2 == package || $2 ~ /^lib/) { print $2 }'
}

if [[ ! -x $root/run ]]; then
  for tool in apt-get dpkg-deb awk; do
    command -v "$tool" > /dev/null || fail "$program needs $tool: a Debian system, or one derived from it"
  done
  mapfile -t packages < <(wanted_packages)
  if (( ${#packages[@]} == 0 && EUID == 0 )); then
    apt-get -qq update >&2 || fail "no usable package index"
    mapfile -t packages < <(wanted_packages)
  fi
  # Nothing to install may also mean that it is there.
  (( ${#packages[@]} > 0 )) || packages=("$package")
  mkdir -p "${root%/*}"
  work=$(mktemp -d "$root.new.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/debs" "$work/tree"
  (cd "$work/debs" && apt-get -qq -o APT::Sandbox::User=root download "${packages[@]}" >&2) \
    || fail "$program cannot be fetched: the package index of this machine has no $package, or is old (apt-get update)"
  for deb in "$work"/debs/*.deb; do
    dpkg-deb -x "$deb" "$work/tree"
  done
  cat > "$work/tree/run" <<'RUN'
#!/usr/bin/env bash
root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
libraries=("$root"/usr/lib/*-linux-gnu*)
export LD_LIBRARY_PATH=${libraries[0]}
exec "$root/$1" "${@:2}"
RUN
  chmod +x "$work/tree/run"
  "$work/tree/run" "$path" "$version" > /dev/null 2>&1 || fail "what was unpacked of $program does not run here"
  dpkg-deb -f "$work/debs/$package"_*.deb Version > "$work/tree/VERSION"
  rm -rf "$root"
  mv "$work/tree" "$root"
fi
printf '%s\n' "$root"
