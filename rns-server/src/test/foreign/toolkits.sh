#!/usr/bin/env bash
# SOAP toolkits for the tests in private directories: packages of Debian, unpacked, of npm and of Maven Central. Nothing is installed
# into the system and no root is needed. Prints a line per toolkit; fails if one cannot be had (tests of it are then skipped).
#   usage: toolkits.sh [zeep|gsoap|php|node|cxf]...     (default: all, below ${XDG_CACHE_HOME:-$HOME/.cache}/rns/toolkits)
set -euo pipefail

readonly ROOT=${XDG_CACHE_HOME:-$HOME/.cache}/rns/toolkits
readonly NODE_SOAP_VERSION=1.13.0
readonly SYSTEM_PYTHON=/usr/bin/python3
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
readonly here
work=""                                             # of an installation under way; removed however it ends

complain() { printf 'toolkits.sh: %s\n' "$*" >&2; }

needs() { # TOOL...
  local tool
  for tool in "$@"; do
    command -v "$tool" > /dev/null || { complain "needs $tool"; return 1; }
  done
}

# These packages and what they need, as far as this machine has not got it.
missing_packages() { # PACKAGE...
  apt-get -s install --no-install-recommends "$@" 2> /dev/null | awk '/^Inst / { print $2 }'
}

# Unpacks packages with all they need into $work/tree.
unpack_packages() { # PACKAGE...
  local packages deb
  needs apt-get dpkg-deb awk || return
  mapfile -t packages < <(missing_packages "$@")
  if (( ${#packages[@]} == 0 && EUID == 0 )); then
    apt-get -qq update >&2 || return
    mapfile -t packages < <(missing_packages "$@")
  fi
  (( ${#packages[@]} > 0 )) || { complain "the package index of this machine has no $*; try: apt-get update"; return 1; }
  mkdir "$work/debs"
  (cd "$work/debs" && apt-get -qq -o APT::Sandbox::User=root download "${packages[@]}" >&2) || return
  for deb in "$work"/debs/*.deb; do
    dpkg-deb -x "$deb" "$work/tree" || return
  done
}

# Writes the program $work/tree/NAME, which runs with the unpacked libraries; the rest of it is read from standard input.
program() { # NAME
  {
    # shellcheck disable=SC2016 # expanded when the program runs
    printf '%s\n' '#!/usr/bin/env bash' 'root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")' \
      'libraries=("$root"/usr/lib/*-linux-gnu*)' 'export LD_LIBRARY_PATH=${libraries[0]}'
    cat
  } > "$work/tree/$1"
  chmod +x "$work/tree/$1"
}

make_zeep() {
  if "$SYSTEM_PYTHON" -c 'import zeep' 2> /dev/null; then
    program python3 <<< 'exec /usr/bin/python3 "$@"'
    return
  fi
  needs "$SYSTEM_PYTHON" && unpack_packages python3-zeep || return
  program python3 <<'PYTHON'
PYTHONPATH=$root/usr/lib/python3/dist-packages exec /usr/bin/python3 "$@"
PYTHON
  "$work/tree/python3" -c 'import zeep' >&2
}

make_gsoap() {
  needs g++ && unpack_packages gsoap libgsoap-dev || return
  # A prefix of our own: generated names do not change with the documents.
  { cat "$work/tree/usr/share/gsoap/WS/typemap.dat"; printf '\nrns = "http://schemas.ogf.org/rns/2009/12/rns"\n'; } > "$work/tree/typemap.dat"
  program wsdl2h <<'WSDL2H'
exec "$root/usr/bin/wsdl2h" -t "$root/typemap.dat" "$@"
WSDL2H
  program soapcpp2 <<'SOAPCPP2'
exec "$root/usr/bin/soapcpp2" -I "$root/usr/share/gsoap/import" "$@"
SOAPCPP2
  # Linked into the program that is compiled, so that it runs without the library.
  program g++ <<'COMPILER'
exec g++ -I "$root/usr/include" -I "$root/usr/share/gsoap/plugin" "$@" "${libraries[0]}"/libgsoap++.a
COMPILER
  "$work/tree/wsdl2h" -V > /dev/null 2>&1
}

make_php() {
  if [[ $(php -r 'echo class_exists("SoapClient");' 2> /dev/null) == 1 ]]; then
    program php <<< 'exec php -d soap.wsdl_cache_enabled=0 "$@"'
    return
  fi
  unpack_packages php-cli php-soap || return
  program php <<'PHP'
extensions=("$root"/usr/lib/php/2*) programs=("$root"/usr/bin/php?.?)
exec "${programs[0]}" -n -d extension_dir="${extensions[0]}" -d extension=soap.so -d soap.wsdl_cache_enabled=0 "$@"
PHP
  [[ $("$work/tree/php" -r 'echo class_exists("SoapClient");') == 1 ]]
}

make_node() {
  needs node npm || return
  npm install --silent --no-audit --no-fund --prefix "$work/tree" "soap@$NODE_SOAP_VERSION" >&2 || return
  NODE_PATH=$work/tree/node_modules node -e 'require("soap")' >&2
}

make_cxf() {
  needs mvn && mvn -q -B -ntp -f "$here/cxf.xml" dependency:copy-dependencies -DoutputDirectory="$work/tree" >&2
}

install() { # TOOLKIT
  if [[ ! -d $ROOT/$1 ]]; then
    mkdir -p "$ROOT"
    work=$(mktemp -d "$ROOT/$1.new.XXXXXX")
    mkdir "$work/tree"
    if ! "make_$1"; then
      rm -rf "$work"
      complain "no $1 here (see above): its test will be skipped"
      return 1
    fi
    mv -T "$work/tree" "$ROOT/$1" 2> /dev/null || true     # another run may have been faster
    rm -rf "$work"
  fi
  printf '%s: %s\n' "$1" "$ROOT/$1"
}

trap '[[ -z $work ]] || rm -rf "$work"' EXIT
failed=0
(( $# > 0 )) || set -- zeep gsoap php node cxf
for toolkit in "$@"; do
  [[ $toolkit =~ ^(zeep|gsoap|php|node|cxf)$ ]] || { complain "no toolkit '$toolkit'"; exit 2; }
  install "$toolkit" || failed=1
done
exit "$failed"
