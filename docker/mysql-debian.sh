#!/usr/bin/env bash
# A real MySQL server without Docker and without touching the system: Debian's packages, unpacked into a private directory.
# For tests and trials only: users rns and rns_control have passwords like their names, root has none, and only 127.0.0.1 is listened on.
set -euo pipefail

readonly PROGRAM="${0##*/}"
readonly PACKAGE=mysql-server-core
readonly SUITE=sid                                  # the only Debian suite that carries MySQL
readonly DEFAULT_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
readonly POLL_SECONDS=0.1
readonly FREE_PORT_ATTEMPTS=5
work=""                                             # of an install under way; removed however it ends

usage() {
  cat <<USAGE
MySQL from Debian's packages, in private directories: nothing is installed into the system, no root is needed.

usage: $PROGRAM install [--root DIR] [--mirror URL]
       $PROGRAM start   --data DIR [--port P] [--timeout S] [--root DIR] [-- MYSQLD-ARGUMENT...]
       $PROGRAM stop    --data DIR [--timeout S]
       $PROGRAM kill | pause | resume | status   --data DIR

  install   fetch and unpack MySQL; returns at once when that was done before; prints the version and the directory
  start     create the database on first use, start the server on 127.0.0.1, wait until it is ready, print its JDBC URL
  stop      shut down cleanly; after the timeout, kill
  kill      end the server with SIGKILL, as a crash would
  pause     freeze the server with SIGSTOP, as a hung machine would; resume lets it go on
  status    one line; exit code 0 running or paused, 3 stopped

  --root DIR     where MySQL is unpacked              (default: \${XDG_CACHE_HOME:-\$HOME/.cache}/rns/mysql-debian)
  --mirror URL   Debian mirror to fetch from          (default: the one in this machine's apt sources)
  --data DIR     everything one server writes: data, log (mysqld.log), pid file, port
  --port P       TCP port; 0 picks a free one         (default: the port of the last start, else a free one)
  --timeout S    seconds to wait for start or stop    (default: 120)

Arguments after -- go to mysqld and win over the defaults: binary log on, sync_binlog=1, innodb_flush_log_at_trx_commit=1.
Exit codes: 0 done, 1 failed, 2 usage, 3 stopped (status only).
USAGE
}

say() { printf '%s: %s\n' "$PROGRAM" "$*" >&2; }
fail() { say "$@"; exit 1; }
wrong_usage() { say "$@"; say "try: $PROGRAM --help"; exit 2; }

# ---------------------------------------------------------------------------------------------------------------- install

# Prints the mirror named in this machine's apt sources, if it runs Debian. Third-party repositories often use the release name
# too; only Debian itself has a suite NAME-updates, so an entry with that one is preferred.
machine_mirror() {
  local codename
  grep -qsx 'ID="\?debian"\?' /etc/os-release || return 0
  codename=$(sed -n 's/^VERSION_CODENAME="\?\([a-z]*\)"\?$/\1/p' /etc/os-release)
  local sources=() file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{sources,list}; do
    [[ -r $file ]] && sources+=("$file")
  done
  (( ${#sources[@]} )) || return 0
  awk -v codename="${codename:-sid}" '
    function judge(uri, suites, components) {
      if (uri == "" || (" " components " ") !~ / main /) return
      suites = " " suites " "
      if (index(suites, " " codename "-updates ")) { if (best == "") best = uri }
      else if (index(suites, " " codename " ") || suites ~ / (sid|unstable|testing|stable) /) { if (good == "") good = uri }
    }
    function paragraph_end() {
      if (types ~ /deb( |$)/ && !disabled) judge(uris, suites, components)
      types = uris = suites = components = ""; disabled = 0
    }
    FNR == 1 { paragraph_end() }
    /^[ \t]*#/ { next }
    /^deb[ \t]/ {                                   # one line: deb [options] URI SUITE COMPONENT...
      sub(/\[[^]]*\]/, "")
      rest = ""; for (i = 4; i <= NF; i++) rest = rest " " $i
      judge($2, $3, rest); next
    }
    /^[ \t]*$/ { paragraph_end(); next }            # deb822: paragraphs of fields
    { field = tolower($1); value = $0; sub(/^[^:]*:[ \t]*/, "", value) }
    field == "types:" { types = value }
    field == "uris:" { split(value, first, " "); uris = first[1] }
    field == "suites:" { suites = value }
    field == "components:" { components = value }
    field == "enabled:" { disabled = (tolower(value) == "no") }
    END { paragraph_end(); print best != "" ? best : good }
  ' "${sources[@]}"
}

# Writes a private apt configuration below directory $1 for mirror $2. It is read after the machine's own one (proxies and
# credentials still count), and takes nothing else from it: not its sources, pins, package states or hooks.
write_apt_configuration() {
  local apt=$1 mirror=$2 trust=""
  [[ -r $DEFAULT_KEYRING ]] && trust=" signed-by=$DEFAULT_KEYRING"
  mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,debs}
  : > "$apt/state/status"
  printf 'deb [target=Packages%s] %s %s main\n' "$trust" "$mirror" "$SUITE" > "$apt/sources.list"
  cat > "$apt/apt.conf" <<CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
CONF
}

# Reads package descriptions; prints the server's package and every library it needs, directly or not. What is not a library
# (perl for its scripts, configuration helpers) is left out: the server runs without.
server_and_libraries() {
  awk -v start="$PACKAGE" '
    BEGIN { RS = ""; FS = "\n" }
    {
      name = needs = ""
      for (i = 1; i <= NF; i++) {
        if ($i ~ /^Package: /) name = substr($i, 10)
        else if ($i ~ /^(Pre-)?Depends: /) { sub(/^[^:]*: /, "", $i); needs = needs "," $i }
      }
      depends[name] = needs
    }
    END {
      queue[last = 1] = start; seen[start] = 1
      for (at = 1; at <= last; at++) {
        print queue[at]
        count = split(depends[queue[at]], needed, ",")
        for (i = 1; i <= count; i++) {
          library = needed[i]; sub(/^ +/, "", library); sub(/[ |(:].*/, "", library)
          if (library ~ /^(lib|zlib)/ && !(library in seen)) { seen[library] = 1; queue[++last] = library }
        }
      }
    }'
}

fetch_and_unpack() {
  local apt=$1 target=$2 mirror=$3 packages deb
  write_apt_configuration "$apt" "$mirror"
  say "reading the package index of Debian $SUITE at $mirror"
  apt-get -c "$apt/apt.conf" -qq -o APT::Update::Error-Mode=any update >&2 \
    || fail "no usable package index at $mirror (see above); another mirror: --mirror URL"
  mapfile -t packages < <(apt-cache -c "$apt/apt.conf" dumpavail | server_and_libraries)
  (( ${#packages[@]} > 1 )) || fail "$mirror has no package $PACKAGE in $SUITE for this machine's architecture"
  say "fetching ${#packages[@]} packages"
  (cd "$apt/debs" && apt-get -c "$apt/apt.conf" -qq download "${packages[@]}" >&2) || fail "fetching from $mirror failed (see above)"
  say "unpacking"
  for deb in "$apt"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" \
      | tar -x -C "$target" --no-same-owner --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/bin
  done
}

install_mysql() {
  if [[ -e $root/VERSION ]]; then printf '%s in %s\n' "$(< "$root/VERSION")" "$root"; return; fi
  local tool
  for tool in apt-get apt-cache dpkg-deb flock awk tar; do
    command -v "$tool" > /dev/null || fail "needs $tool: a Debian system, or one derived from it"
  done
  mkdir -p "${root%/*}"
  exec 8> "$root.lock"
  flock 8                                           # a second installer waits here, then finds the work done
  if [[ ! -e $root/VERSION ]]; then
    work=$(mktemp -d "$root.new.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/tree"
    [[ -n $mirror ]] || mirror=$(machine_mirror)
    [[ -n $mirror ]] || fail "this machine's apt sources name no Debian mirror; name one: --mirror URL"
    fetch_and_unpack "$work/apt" "$work/tree" "$mirror"
    mysqld "$work/tree" --version | sed 's/^.*Ver \([^ ]*\).*/MySQL \1/' > "$work/VERSION" \
      || fail "the unpacked server does not run (see above)"
    mv "$work/VERSION" "$work/tree/VERSION"
    rm -rf "$root"
    mv "$work/tree" "$root"
  fi
  exec 8>&-
  printf '%s in %s\n' "$(< "$root/VERSION")" "$root"
}

# ----------------------------------------------------------------------------------------------------------------- server

# Fills the array `command` with the call of the server unpacked in $1: its own dynamic loader and libraries, then its files.
server_command() {
  local root=$1 loader libraries
  for loader in "$root"/usr/lib/*-linux-gnu*/ld-linux*.so.*; do break; done
  libraries=${loader%/*}
  [[ -x $loader ]] || fail "no MySQL in $root; run: $PROGRAM install"
  command=("$loader" --argv0 "$root/usr/sbin/mysqld" --library-path "$libraries" "$root/usr/sbin/mysqld" --no-defaults "--basedir=$root/usr"
    "--lc-messages-dir=$root/usr/share/mysql" "--character-sets-dir=$root/usr/share/mysql/charsets"
    "--plugin-dir=$root/usr/lib/mysql/plugin" --secure-file-priv=NULL)
  (( EUID != 0 )) || command+=(--user=root)
}

mysqld() { local command; server_command "$1"; shift; "${command[@]}" "$@"; }

url() { printf 'jdbc:mysql://127.0.0.1:%s/rns?user=rns&password=rns&sslMode=DISABLED&allowPublicKeyRetrieval=true\n' "$(< "$data/port")"; }

# Prints the pid of this data directory's server; fails when there is none. A pid left by a crash may belong to anyone by now,
# so the process must have our data directory among its arguments.
server_pid() {
  local pid
  [[ -s $data/mysqld.pid ]] && pid=$(< "$data/mysqld.pid") && [[ $pid =~ ^[0-9]+$ ]] || return 1
  grep -qszxF -e "--datadir=$data/data" "/proc/$pid/cmdline" && printf '%s' "$pid"
}

# Waits until the server of this data directory is gone, at most $1 seconds.
wait_gone() {
  local deadline=$(( SECONDS + $1 ))
  while server_pid > /dev/null; do
    (( SECONDS < deadline )) || return 1
    sleep "$POLL_SECONDS"
  done
}

port_in_use() { (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }

free_port() {
  local attempt candidate
  for (( attempt = 0; attempt < 100; attempt++ )); do
    candidate=$(( 20000 + RANDOM % 12000 ))         # below the range the kernel takes ports of outgoing connections from
    port_in_use "$candidate" || { printf '%s' "$candidate"; return; }
  done
  fail "no free port found between 20000 and 31999"
}

log_tail() { tail -n 15 "$data/mysqld.log" >&2; }

# The database and its users (rns, and rns_control for replication) are made while the data directory is: not in the binary log, so a replica can have them as well.
create_database() {
  rm -rf "$data/data.new"
  cat > "$data/create.sql" <<'SQL'
CREATE DATABASE rns;
CREATE USER 'rns'@'%' IDENTIFIED BY 'rns';
GRANT ALL PRIVILEGES ON rns.* TO 'rns'@'%';
CREATE USER 'rns_control'@'%' IDENTIFIED BY 'rns_control';
GRANT REPLICATION SLAVE, REPLICATION CLIENT, REPLICATION_SLAVE_ADMIN, GROUP_REPLICATION_ADMIN, GROUP_REPLICATION_STREAM, SYSTEM_VARIABLES_ADMIN, TRANSACTION_GTID_TAG, CONNECTION_ADMIN, SYSTEM_USER, PROCESS, RELOAD ON *.* TO 'rns_control'@'%';
GRANT SELECT ON performance_schema.* TO 'rns_control'@'%';
GRANT ALL PRIVILEGES ON rns.* TO 'rns_control'@'%';
SQL
  mysqld "$root" "--datadir=$data/data.new" --initialize-insecure "--init-file=$data/create.sql" >> "$data/mysqld.log" 2>&1 \
    || { log_tail; fail "could not create a database in $data (log above)"; }
  mv "$data/data.new" "$data/data"                  # a run killed before this line leaves nothing that looks complete
}

# Starts the server on port $1 and waits for it. Returns 0 ready, 1 port taken; everything else ends the program.
launch() {
  local port=$1 command logged=0 deadline
  shift
  server_command "$root"
  touch "$data/mysqld.log"
  logged=$(stat -c %s "$data/mysqld.log")
  command+=("--datadir=$data/data" "--pid-file=$data/mysqld.pid" "--port=$port" --bind-address=127.0.0.1 --socket= --mysqlx=OFF
    --log-bin=binlog --sync-binlog=1 --innodb-flush-log-at-trx-commit=1 "$@")
  # shellcheck disable=SC2016  # expanded by the inner shell: it knows the pid the server will have
  setsid bash -c 'echo $$ > "$1"; shift; exec "$@"' start "$data/mysqld.pid" "${command[@]}" < /dev/null >> "$data/mysqld.log" 2>&1 9>&- &
  local child=$!
  deadline=$(( SECONDS + timeout ))
  until tail -c "+$(( logged + 1 ))" "$data/mysqld.log" | grep -q 'ready for connections.* port: '; do
    if ! kill -0 "$child" 2> /dev/null; then
      if tail -c "+$(( logged + 1 ))" "$data/mysqld.log" | grep -q 'Bind on TCP/IP port: Address already in use'; then return 1; fi
      log_tail
      fail "the server ended while it started (log above, all of it in $data/mysqld.log)"
    fi
    if (( SECONDS >= deadline )); then
      kill -KILL "$child"; log_tail
      fail "the server was not ready after $timeout s and has been killed (log above); more time: --timeout S"
    fi
    sleep "$POLL_SECONDS"
  done
  echo "$port" > "$data/port"
}

start_server() {
  local argument attempt
  for argument in "$@"; do
    case "${argument//_/-}" in
      --datadir=* | --port=* | --pid-file=* | --log-error* | --no-defaults) wrong_usage "$argument is set by this program" ;;
    esac
  done
  [[ -e $root/VERSION ]] || fail "no MySQL in $root; run: $PROGRAM install"
  mkdir -p "$data"
  exec 9> "$data/lock"
  flock -w "$timeout" 9 || fail "another start in $data is still under way after $timeout s"
  if server_pid > /dev/null; then
    [[ -z $port || $port == 0 || $port == "$(< "$data/port")" ]] || fail "already running on port $(< "$data/port"), not $port"
    url; return
  fi
  if [[ -z $port && -s $data/port ]]; then port=$(< "$data/port"); fi
  if [[ ! -d $data/data ]]; then create_database; fi
  trap 'stop_server; exit 130' INT TERM
  if [[ ${port:-0} != 0 ]]; then
    launch "$port" "$@" || fail "port $port is in use on 127.0.0.1; another one: --port P, a free one: --port 0"
  else
    for (( attempt = 1; ; attempt++ )); do
      launch "$(free_port)" "$@" && break
      (( attempt < FREE_PORT_ATTEMPTS )) || fail "no free port in $attempt attempts"
    done
  fi
  url
}

stop_server() {
  local pid
  pid=$(server_pid) || { say "not running: $data"; return; }
  kill -TERM "$pid"
  kill -CONT "$pid"                                 # a paused server would never see the first signal
  wait_gone "$timeout" && return
  say "still there after $timeout s: killing it"
  kill -KILL "$pid"
  wait_gone 10 || fail "process $pid survives SIGKILL"
}

signal_server() {
  local pid
  pid=$(server_pid) || fail "not running: $data"
  kill "-$1" "$pid"
  [[ $1 != KILL ]] || wait_gone 10 || fail "process $pid survives SIGKILL"
}

show_status() {
  local pid state=running
  pid=$(server_pid) || { echo stopped; exit 3; }
  if grep -qs '^State:[[:space:]]*T' "/proc/$pid/status"; then state=paused; fi
  echo "$state pid $pid $(url)"
}

# ------------------------------------------------------------------------------------------------------------------- main

need_data() { [[ -n $data ]] || wrong_usage "needs --data DIR"; }

main() {
  local verb=${1:-} root="" mirror="" data="" port="" timeout=120
  case "$verb" in
    -h | --help | help) usage; return ;;
    install | start | stop | kill | pause | resume | status) shift ;;
    '') usage >&2; exit 2 ;;
    *) wrong_usage "no such command: $verb" ;;
  esac
  while (( $# )) && [[ $1 != -- ]]; do
    case "$1" in
      -h | --help) usage; return ;;
      --root | --mirror | --data | --port | --timeout)
        (( $# > 1 )) || wrong_usage "$1 needs a value"
        printf -v "${1#--}" '%s' "$2"; shift 2 ;;
      *) wrong_usage "no such option: $1" ;;
    esac
  done
  if (( $# )); then shift; [[ $verb == start ]] || wrong_usage "$verb takes no server arguments"; fi
  if [[ ! $port =~ ^[0-9]{0,5}$ ]] || (( 10#${port:-0} > 65535 )); then wrong_usage "--port must be 0 to 65535, not $port"; fi
  [[ $timeout =~ ^[1-9][0-9]{0,4}$ ]] || wrong_usage "--timeout must be 1 to 99999 seconds, not $timeout"
  [[ $verb == install ]] || need_data
  root=$(realpath -m -- "${root:-${XDG_CACHE_HOME:-$HOME/.cache}/rns/mysql-debian}")
  if [[ -n $data ]]; then data=$(realpath -m -- "$data"); fi
  case "$verb" in
    install) install_mysql ;;
    start) start_server "$@" ;;
    stop) stop_server ;;
    kill) signal_server KILL ;;
    pause) signal_server STOP ;;
    resume) signal_server CONT ;;
    status) show_status ;;
  esac
}

main "$@"
