# What the scripts here share. Read by them with ".", from the project's directory.

say() {
    printf '%s\n' "$*" >&2
}

# fail LINE...: says why and ends.
fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

may_be_root() {
    [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# The one command that a person has to type where we may not.
apt_mend() {
    mend="sudo apt-get install $1"
    [ -n "$(apt-cache show "$1" 2>/dev/null)" ] || mend="sudo apt-get update && $mend"
    echo "$mend"
}

# Shows what apt says only when it fails.
apt_install() {
    apt_says=$(apt_try "$1" 2>&1) || { say "$apt_says"; return 1; }
}

# Package lists may be missing or too old, as on an image just written: then fetch them and retry.
apt_try() {
    apt_get_install "$1" || { as_root apt-get -qq update && apt_get_install "$1"; }
}

apt_get_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$1"
}
