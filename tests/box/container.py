"""A Debian in a container with its own systemd, in which the package is installed and runs.

Needs root, systemd-nspawn and mmdebstrap. The Debian root is made once and kept in pytest's cache;
what a test changes lies in memory above it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

PACKAGES = (
    *("systemd-sysv", "init-system-helpers", "udev"),
    *("python3", "python3-spidev", "xfonts-efont-unicode"),  # what ours asks for
)
PATIENCE = 60.0
"""Seconds for anything to come true."""
ENVIRONMENT = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]


def what_is_missing() -> str:
    """Why this machine cannot do it, "" where it can."""
    if os.geteuid() != 0:
        return "containers need root"
    missing = [tool for tool in ("mmdebstrap", "systemd-nspawn") if shutil.which(tool) is None]
    return f"{' and '.join(missing)} missing" if missing else ""


def debian_root(release: str, cache: Path) -> Path:
    """The root of a small Debian, made if it is not there yet."""
    packages = ",".join(PACKAGES)
    root = cache / f"{release}-{crc32(packages.encode()):08x}"
    if not root.exists():
        unfinished = root.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        include = f"--include={packages}"
        command = ["mmdebstrap", "--quiet", "--variant=minbase", include, release, str(unfinished)]
        subprocess.run(command, check=True, timeout=900)
        unfinished.rename(root)
    return root


def until(true: Callable[[], object], why: str) -> None:
    """Wait until something is true; fails after a minute."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, why
        time.sleep(0.1)


class Container:
    """A booted container; `leader` is its first process as the host numbers it."""

    def __init__(self, leader: int) -> None:
        self._enter = ["nsenter", "--target", str(leader), "--all", *ENVIRONMENT]
        self.files = Path(f"/proc/{leader}/root")
        """Its files, as the host sees them."""

    def run(self, *command: str, user: str = "root", expect: int | None = 0) -> str:
        """What a command prints there; fails if it ends with another code than expected."""
        as_user = [] if user == "root" else ["runuser", "--user", user, "--"]
        done = subprocess.run(
            [*self._enter, *as_user, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert expect in (None, done.returncode), f"{command}: {done.stdout}"
        return done.stdout

    def write(self, path: str, text: str) -> None:
        """Put a file there."""
        file = self.files / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def copy(self, file: Path, path: str) -> None:
        """Bring a file of the host there."""
        shutil.copy(file, self.files / path.lstrip("/"))


@contextmanager
def booted(root: Path, log: Path, *bind: str) -> Iterator[Container]:
    """A container that has started; `bind` is host's and container's path with a colon between."""
    command = [
        *("systemd-nspawn", "--quiet", "--boot", "--console=pipe", "--register=no", "--keep-unit"),
        *("--volatile=overlay", "--private-network", f"--directory={root}"),
        *("--capability=CAP_BPF", "--system-call-filter=bpf"),  # by which devices are forbidden
        *(f"--machine=companion-{os.getpid()}", *(f"--bind={one}" for one in bind)),
    ]
    # systemd does without the old kind of control groups from 256 on.
    environment = {**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
    with (
        log.open("w") as out,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment
        ) as nspawn,
    ):
        try:
            container = Container(_leader(nspawn, log))
            state = "systemctl", "is-system-running"
            until(
                lambda: container.run(*state, expect=None).strip() in ("running", "degraded"),
                "it does not boot",
            )
            yield container
        finally:
            nspawn.terminate()  # which powers the container off
            _end(nspawn)


def _leader(nspawn: subprocess.Popen[bytes], log: Path) -> int:
    """The container's first process; systemd-nspawn has others before it, for a moment."""
    children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")
    found: list[str] = []

    def is_there() -> bool:
        assert nspawn.poll() is None, log.read_text()
        found[:] = [child for child in children.read_text().split() if _name(child) == "systemd"]
        return bool(found)

    until(is_there, "no first process")
    return int(found[0])


def _name(process: str) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:  # it has ended
        return ""


def _end(nspawn: subprocess.Popen[bytes]) -> None:
    try:
        nspawn.wait(20)
    except subprocess.TimeoutExpired:
        nspawn.kill()
