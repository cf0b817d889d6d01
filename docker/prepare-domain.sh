#!/usr/bin/env bash
# Turns the domain1 of an unpacked GlassFish into one that fits a container. Run once, while the image is built.
# usage: prepare-domain.sh GLASSFISH-DIR
set -euo pipefail

readonly DOMAIN=${1:?usage: prepare-domain.sh GLASSFISH-DIR}/glassfish/domains/domain1
readonly SETTINGS=$DOMAIN/config/domain.xml

# Replaces $1 by $2 (a sed expression's two halves) wherever it is in file $3; fails when it is nowhere, so that a GlassFish
# whose files look different breaks the build, not the service.
must_replace() {
  grep -q -- "$1" "$3" || { echo "prepare-domain.sh: no $1 in $3" >&2; exit 1; }
  sed -i "s#$1#$2#" "$3"
}

# Administration only from inside the container; no remote JMX.
must_replace '<network-listener port="4848"' '& address="127.0.0.1"' "$SETTINGS"
must_replace '<jmx-connector' '& enabled="false"' "$SETTINGS"

# A write holds its thread until it is durable: five threads, as delivered, would be five writers.
must_replace '<thread-pool name="http-thread-pool" max-queue-size="4096"' '& min-thread-pool-size="16" max-thread-pool-size="200"' "$SETTINGS"

# The heap follows the container's memory limit.
must_replace '-Xmx512m' '-XX:MaxRAMPercentage=60' "$SETTINGS"

# The log goes to the container's standard error, not into a file as well.
must_replace 'GlassFishLogHandler.enabled=true' 'GlassFishLogHandler.enabled=false' "$DOMAIN/config/logging.properties"

mkdir -p "$DOMAIN/autodeploy"
