#!/bin/sh
# Brings the bitmap font with Japanese: Debian's package xfonts-efont-unicode, of which we take the
# files b10, b12, b14 and b16 (Latin at half width and all of JIS, in one file a size).
# It is unpacked below .venv, which needs no root. Without it a table works in the other languages,
# so this script always succeeds, and says what is missing.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh

package=xfonts-efont-unicode
sizes='10 12 14 16'
system=/usr/share/fonts/X11/misc
ours=.venv/share/companion/fonts

main() {
    ! have_fonts "$system" || return 0
    ! have_fonts "$ours" || return 0
    say "Fetching the font with Japanese ($package)"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    if { fetch || fetch_with_own_lists; } 2>/dev/null; then
        unpack
    elif may_be_root && apt_install "$package" 2>/dev/null; then
        return
    else
        say_missing
    fi
}

have_fonts() {
    for size in $sizes; do
        [ -s "$1/b$size.pcf.gz" ] || return 1
    done
}

fetch() {
    # Sandbox::User, because root's downloads run as a user who cannot write to our directory.
    (cd "$work" && apt-get -qq -o APT::Sandbox::User=root "$@" download "$package") >&2
}

# Where the system's package lists are missing, and only root may fetch them, fetch our own.
fetch_with_own_lists() {
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    set -- -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" \
        -o Acquire::Languages=none -o Acquire::Retries=1
    apt-get -qq -o APT::Sandbox::User=root "$@" update >&2 && fetch "$@"
}

unpack() {
    dpkg-deb -x "$work/$package"_*.deb "$work/unpacked"
    mkdir -p "$ours"
    cp "$work/unpacked/usr/share/doc/$package/copyright" "$ours/"
    for size in $sizes; do
        cp "$work/unpacked$system/b$size.pcf.gz" "$ours/"
    done
}

say_missing() {
    if command -v apt-get >/dev/null; then
        mend=$(apt_mend "$package")
    else
        mend="copy b10, b12, b14 and b16.pcf.gz of Debian's $package to $ours"
    fi
    say "Not to be had: the picture will refuse Japanese. To mend it: $mend"
}

main
