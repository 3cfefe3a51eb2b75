#!/bin/sh
# Checks for what pip cannot install, and installs it with apt if it may:
#     system.sh java       Java for Spark; required
#     system.sh browser    Chromium for the tests of the report and the web game; optional
#     system.sh postgres   PostgreSQL's server for the tests of the web game; optional
set -u

# install PACKAGE: with apt, as root or if sudo needs no password.
install() {
    command -v apt-get >/dev/null || return 1
    as_root=""
    if [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null || return 1
        as_root="sudo -n"
    fi
    echo "installing $1 …"
    $as_root apt-get update -qq >/dev/null 2>&1
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        "$1" >/dev/null 2>&1
}

java_version() {
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 |
        sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
}

has_java() {
    version=$(java_version)
    [ -n "$version" ] && [ "$version" -ge 17 ]
}

has_browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
} >/dev/null

has_postgres() {
    ls /usr/lib/postgresql/*/bin/postgres || command -v postgres
} >/dev/null 2>&1

case "$1" in
java)
    has_java && exit 0
    # Checked again: if JAVA_HOME names an older Java, Spark would still use that one.
    install openjdk-17-jre-headless && has_java && exit 0
    echo "Wordkin needs Java 17 or newer for Spark: install the package openjdk-17-jre-headless" \
        "(or any newer JRE) and put java on the PATH, or set JAVA_HOME." >&2
    exit 2
    ;;
browser)
    has_browser || { install chromium && has_browser; } ||
        echo "Chromium is not installed: the tests that open pages in it are skipped" >&2
    exit 0
    ;;
postgres)
    has_postgres || { install postgresql && has_postgres; } ||
        echo "PostgreSQL is not installed: the tests of the web game with it are skipped" >&2
    exit 0
    ;;
*)
    echo "system.sh: java, browser or postgres, not '$1'" >&2
    exit 2
    ;;
esac
