#!/bin/sh
# Makes sure of what pip cannot install, with apt where it may: `system.sh java` or `system.sh browser`.
set -u

# install PACKAGE: with apt, as root or where sudo asks for no password.
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
    found=$(java_version)
    [ -n "$found" ] && [ "$found" -ge 17 ]
}

has_browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
} >/dev/null

case "$1" in
java)
    has_java && exit 0
    # An older Java by JAVA_HOME would still be the one that Spark takes.
    install openjdk-17-jre-headless && has_java && exit 0
    echo "Wordkin needs Java 17 or newer for Spark: install the package openjdk-17-jre-headless" \
        "(or any newer JRE) and put java on the PATH, or set JAVA_HOME." >&2
    exit 2
    ;;
browser)
    has_browser || { install chromium && has_browser; } ||
        echo "the report is not looked at in a browser: install Chromium for these tests" >&2
    exit 0
    ;;
*)
    echo "system.sh: java or browser, not '$1'" >&2
    exit 2
    ;;
esac
