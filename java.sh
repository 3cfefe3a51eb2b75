#!/bin/sh
# Makes sure that Spark finds Java 17 or newer: installs it where apt may, else says what to do.
set -u

version() {
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 |
        sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
}

enough() {
    found=$(version)
    [ -n "$found" ] && [ "$found" -ge 17 ]
}

enough && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "installing Java 17 (openjdk-17-jre-headless) …"
    apt-get update -qq >/dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        openjdk-17-jre-headless >/dev/null 2>&1
    unset JAVA_HOME
    enough && exit 0
fi
echo "Wordkin needs Java 17 or newer for Spark: install the package openjdk-17-jre-headless" \
    "(or any newer JRE) and put java on the PATH, or set JAVA_HOME." >&2
exit 2
