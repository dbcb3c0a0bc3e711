#!/bin/sh
# Sets the project up in .venv.
#
#   scripts/setup.sh play        what a table needs
#   scripts/setup.sh dev         and what tests and checks need besides
#   scripts/setup.sh hardware    and what draws the wiring pictures
#
# Run it as often as you like: when nothing has changed it only compares check sums.
# The system's Python is never touched. PYTHON=/path/to/python chooses another one.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh

oldest=3.11

main() {
    case ${1:-play} in
        play | dev | hardware) ;;
        *) fail "'$1' is not a set-up; there are play, dev and hardware." ;;
    esac
    choice=$(choose_python)
    python=${choice% *}
    version=${choice##* }
    make_venv
    stage play requirements/runtime.txt requirements/build.txt
    stage apart requirements/apart.txt
    [ "${1:-play}" = play ] || stage "$1" "requirements/$1.txt"
}

# --- Which Python ----------------------------------------------------------------------------

# The one that was asked for, the one in use already, or the first that will do.
choose_python() {
    if [ -n "${PYTHON:-}" ]; then
        real_python "$PYTHON" && return
        fail "PYTHON=$PYTHON does not run, or is not a 64-bit Python $oldest or newer."
    fi
    for name in .venv/bin/python python3 python3.14 python3.13 python3.12 python3.11; do
        real_python "$name" && return
    done
    fail "This needs a 64-bit Python $oldest or newer, and found none." \
        "If you have one: PYTHON=/path/to/python make play"
}

# Prints where the Python behind a name, link, shim or virtual environment really is, and its
# version. 64 bits, because the packages come ready built for these only.
real_python() {
    "$1" - "$oldest" 2>/dev/null <<'END'
import os, sys
oldest = tuple(int(part) for part in sys.argv[1].split("."))
if sys.version_info < oldest or sys.maxsize < 2**32:
    sys.exit(1)
print(os.path.realpath(sys._base_executable), "%d.%d" % sys.version_info[:2])
END
}

# --- The virtual environment -------------------------------------------------------------------

# Made anew when its Python is another one now, or when the directory was moved, for scripts in it
# carry their full path.
make_venv() {
    made="$choice in $PWD"
    [ "$(cat .venv/made 2>/dev/null)" != "$made" ] || return 0
    have_venv_module || install_venv_module
    say "Making .venv with Python $version ($python)"
    "$python" -m venv --clear --prompt companion .venv
    echo "$made" >.venv/made
}

have_venv_module() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null
}

# Debian keeps these two modules of Python in a package of their own.
install_venv_module() {
    package=python$version-venv
    case $python in
        /usr/bin/*) ;;
        *) fail "$python lacks the modules venv and ensurepip." \
            "Choose another: PYTHON=/path/to/python make play" ;;
    esac
    if may_be_root; then
        say "Installing $package, which Python needs to make .venv"
        apt_install "$package" || true
    fi
    have_venv_module || fail "Python's own module venv is missing. Install it, and start again:" \
        "$(apt_mend "$package")"
}

# --- Packages ----------------------------------------------------------------------------------

# stage NAME FILE...: installs what the files pin, and the project, unless nothing has changed.
stage() {
    name=$1
    shift
    wanted=$(cat .venv/made pyproject.toml "$@" | cksum)
    [ "$(cat ".venv/stage-$name" 2>/dev/null)" != "$wanted" ] || return 0
    say "Installing packages into .venv ($name)"
    alone=
    [ "$name" != apart ] || alone=--no-deps
    for file in "$@"; do
        pip_install --require-hashes --only-binary :all: $alone -r "$file"
    done
    if [ "$name" = play ]; then
        # The build tools are pinned and installed by now, so pip need not fetch others.
        pip_install --no-deps --no-build-isolation -e .
        scripts/fonts.sh
    fi
    echo "$wanted" >".venv/stage-$name"
}

pip_install() {
    .venv/bin/python -m pip --disable-pip-version-check --no-input install --quiet "$@" >&2 ||
        fail "pip could not install the packages, see above. Is there a network?" \
            "Start again when it is mended: nothing done so far is lost."
}

main "$@"
