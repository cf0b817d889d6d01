#!/usr/bin/env bash
# Turns the domain1 of an unpacked GlassFish into one that serves nothing but RNS. Run once, before the first start.
# usage: prepare-domain.sh GLASSFISH-DIR
set -euo pipefail

readonly DOMAIN=${1:?usage: prepare-domain.sh GLASSFISH-DIR}/glassfish/domains/domain1
readonly SETTINGS=$DOMAIN/config/domain.xml
readonly MODULES=$1/glassfish/modules

# The guard: staged by the build, else from beside this script, in an installation or a checkout. Without it GlassFish's own
# pages and services could be reached beside the service.
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
for guard in "$MODULES/rns-guard.jar" "$here/../rns-guard.jar" "$here/../rns-guard/target/rns-guard.jar"; do
  [[ ! -e $guard ]] || break
done
[[ -e $guard ]] || { echo "prepare-domain.sh: found no rns-guard.jar" >&2; exit 1; }
[[ $guard -ef $MODULES/rns-guard.jar ]] || cp "$guard" "$MODULES/rns-guard.jar"

# Replaces $1 by $2 (a sed expression's two halves) wherever it is in file $3; fails when it is nowhere, so that a GlassFish
# whose files look different breaks the build, not the service.
must_replace() {
  grep -q -- "$1" "$3" || { echo "prepare-domain.sh: no $1 in $3" >&2; exit 1; }
  sed -i "s#$1#$2#" "$3"
}

# No administration by HTTP, which has no password and lets whoever reaches it run code as this server; no remote JMX. The
# listener stays, disabled: without one GlassFish would offer its administration on the listener of the service. With a
# virtual server whose listener is disabled it does not start.
must_replace ' protocol="admin-listener"' ' enabled="false" address="127.0.0.1"&' "$SETTINGS"
must_replace '<virtual-server id="__asadmin" network-listeners="admin-listener"' '<virtual-server id="__asadmin"' "$SETTINGS"
must_replace '<jmx-connector' '& enabled="false"' "$SETTINGS"

# No HTTPS by GlassFish: everybody has the key that its archive brings. The guard has TLS.
must_replace 'network-listeners="http-listener-1,http-listener-2"' 'network-listeners="http-listener-1"' "$SETTINGS"
must_replace '<network-listener port="[0-9]*" protocol="http-listener-2".*</network-listener>' '' "$SETTINGS"

# The guard stands before the container, and answers everything that is not below /rns.
must_replace '<http default-virtual-server="server"' '& comet-support-enabled="true" xpowered-by="false"' "$SETTINGS"
must_replace '<jvm-options>-Djava.awt.headless=true' '<jvm-options>-Dproduct.name=</jvm-options>\n        &' "$SETTINGS"
must_replace '<jvm-options>-Djava.awt.headless=true' \
  '<jvm-options>-Dorg.glassfish.grizzly.http.STRICT_HEADER_NAME_VALIDATION_RFC_9110=true</jvm-options>\n        &' "$SETTINGS"
# Of a body that nobody reads yet, each connection holds as much as one read takes.
must_replace '<jvm-options>-Djava.awt.headless=true' \
  '<jvm-options>-Dorg.glassfish.grizzly.nio.transport.TCPNIOTransport.max-receive-buffer-size=16384</jvm-options>\n        &' "$SETTINGS"
# Remote objects and messaging: the service has none. Messaging listens on port 7676 of all addresses, unless switched off.
must_replace '<iiop-listener' '& enabled="false"' "$SETTINGS"
must_replace '<admin-service auth-realm-name="admin-realm" type="das-and-server"' \
  '<jms-service type="DISABLE" default-jms-host="none"><jms-host name="none" lazy-init="true"/></jms-service>\n      &' "$SETTINGS"

# Bodies that do not come and answers that nobody reads: half a minute is the default.
must_replace '<transport name="tcp"' '& read-timeout-millis="20000" write-timeout-millis="20000"' "$SETTINGS"

# A write holds its thread until it is durable: five threads, as delivered, would be five writers.
must_replace '<thread-pool name="http-thread-pool" max-queue-size="4096"' '& min-thread-pool-size="16" max-thread-pool-size="200"' "$SETTINGS"

# The heap follows the container's memory limit.
must_replace '-Xmx512m' '-XX:MaxRAMPercentage=60' "$SETTINGS"

# The log goes to the container's standard error, not into a file as well.
must_replace 'GlassFishLogHandler.enabled=true' 'GlassFishLogHandler.enabled=false' "$DOMAIN/config/logging.properties"

mkdir -p "$DOMAIN/autodeploy"
