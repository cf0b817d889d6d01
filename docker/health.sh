#!/usr/bin/env bash
# Exit code 0 when the service answers a query: GET /rns/health says 200. Needs nothing but bash.
set -euo pipefail

exec 3<> "/dev/tcp/127.0.0.1/${1:-8080}"
printf 'GET /rns/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 5 version code reason <&3
printf '%s\n' "$version $code $reason"
[[ $code == 200 ]]
