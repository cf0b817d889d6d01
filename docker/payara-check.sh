#!/usr/bin/env bash
# Deploys the WAR on Payara and asks it by every entrance: WSDL, SOAP 1.1 and 1.2 (by JAX-WS, too), REST, metrics, command line.
# usage: RNS_DB_URL=... RNS_DB_USER=... RNS_DB_PASSWORD=... docker/payara-check.sh [PORT-BASE]
# Needs a build (mvn package), Maven, unzip, curl and a Java in JAVA_HOME. Everything it writes is in a temporary directory.
set -euo pipefail

readonly VERSION=6.2025.9
base=${1:-29500}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
payara=$work/payara6
service=http://127.0.0.1:$((base + 80))/rns
: "${RNS_DB_URL:?where the database is}"

asadmin() { AS_JAVA=${JAVA_HOME:-} "$payara/bin/asadmin" --port $((base + 48)) "$@"; }

finish() {
  local code=$?
  ((code == 0)) || tail -n 40 "$payara/glassfish/domains/rns/logs/server.log" >&2 || true
  asadmin stop-domain rns > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT

expect() { # WHAT WANTED COMMAND...
  local what=$1 wanted=$2 said
  shift 2
  said=$("$@") || { printf '%s: failed\n' "$what" >&2; return 1; }
  [[ $said == *"$wanted"* ]] || { printf '%s: no %s in %s\n' "$what" "$wanted" "$said" >&2; return 1; }
  printf '%s: well\n' "$what"
}

soap() { # CONTENT-TYPE NAMESPACE
  # The foreign header sends the message through JAX-WS.
  curl -sS -m 30 -H "Content-Type: $1; charset=utf-8" --data-binary "<s:Envelope xmlns:s='$2'><s:Header><f:x xmlns:f='urn:f'/></s:Header>
<s:Body><r:query xmlns:r='http://schemas.ggf.org/rns/2006/05/rns'><r:entry-pattern>/payara/j</r:entry-pattern></r:query></s:Body></s:Envelope>" \
    "$service/services/rns"
}

mvn -q -B -ntp org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy \
  "-Dartifact=fish.payara.distributions:payara:$VERSION:zip" "-DoutputDirectory=$work"
unzip -q "$work/payara-$VERSION.zip" -d "$work"
asadmin create-domain --portbase "$base" --nopassword rns > /dev/null
# No cluster: it would look for others in the network. Listeners on loopback only: the service is open.
sed -i -e 's#<hazelcast-config-specific-configuration></#<hazelcast-config-specific-configuration enabled="false"></#' \
  -e '/<network-listener /{s# address="[^"]*"##; s#<network-listener #&address="127.0.0.1" #}' \
  "$payara/glassfish/domains/rns/config/domain.xml"
RNS_ACCESS=open asadmin start-domain rns > /dev/null
asadmin deploy --contextroot rns "$root/rns-server/target/rns.war" > /dev/null
expect "Payara $VERSION, health" serving curl -sS --fail --retry 60 --retry-delay 1 --retry-all-errors "$service/health" 2> /dev/null
rns() { "$root/rns" "$@" --server "$service"; }
rns rm -r /payara > /dev/null 2>&1 || true
rns mkdir /payara > /dev/null
rns add /payara/j http://example.org/j > /dev/null
expect "list" j rns ls /payara
expect "query" http://example.org/j rns query /payara/j
expect "SOAP 1.1 by JAX-WS" queryResponse soap text/xml http://schemas.xmlsoap.org/soap/envelope/
expect "SOAP 1.2 by JAX-WS" queryResponse soap application/soap+xml http://www.w3.org/2003/05/soap-envelope
expect "WSDL" definitions curl -sS "$service/services/rns?wsdl"
expect "REST" http://example.org/j curl -sS "$service/names/payara/j"
expect "metrics" 'rns_serving 1' curl -sS "$service/metrics"
rns rm -r /payara > /dev/null
