"""The case as STL files to print, and its pictures, from hardware/case.scad.

    python -m scripts.case

It needs OpenSCAD, and a screen for the pictures (`sudo apt install openscad xvfb xauth`). Each file
says in its head from what it was made, so that a test can tell an old one.
"""

from __future__ import annotations

import hashlib
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

from scripts.wires import HARDWARE
from scripts.wiring import PICTURES, SOURCE

DRAWING = HARDWARE / "case.scad"
FOLDER = HARDWARE / "case"

PRINTED = {
    "base": ("base", "zero"),
    "lid": ("lid", "zero"),
    "clip": ("clip", "zero"),
    "base-b": ("base", "b"),
    "lid-b": ("lid", "b"),
}
"""The name of each file to print: which part, for which model of the Pi."""

VIEWS = {"case-closed": ("closed", "45,0,20"), "case-open": ("open", "50,0,20")}
"""The name of each picture: which part, and from where it is seen, in degrees."""

HEAD = 80
"""Bytes at the beginning of a binary STL that are free for words."""


def mark(part: str, model: str = "zero") -> str:
    """What tells a file that is up to date from an old one."""
    source = f"{DRAWING.read_text(encoding='utf-8')}\n{part} {model}"
    return hashlib.sha256(source.encode()).hexdigest()[:40]


def head(part: str, model: str) -> bytes:
    """The first bytes of an STL file."""
    return f"tabletop companion {part} {mark(part, model)}".encode().ljust(HEAD)


def print_part(name: str, part: str, model: str) -> None:
    """Write one STL file."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "part.stl"
        openscad(part, model, "--export-format", "binstl", "-o", str(made))
        data = made.read_bytes()
    (FOLDER / f"{name}.stl").write_bytes(head(part, model) + in_order(data[HEAD:]))


def in_order(data: bytes) -> bytes:
    """The triangles of a binary STL in an order of their own: OpenSCAD's is another at each run."""
    triangles = []
    for values in struct.iter_unpack("<12fH", data[4:]):
        normal, a, b, c = values[:3], values[3:6], values[6:9], values[9:12]
        first = min((a, b, c), (b, c, a), (c, a, b))
        triangles.append(struct.pack("<12fH", *normal, *first[0], *first[1], *first[2], values[12]))
    return data[:4] + b"".join(sorted(triangles))


def picture(name: str, part: str, view: str) -> None:
    """Write one picture."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "picture.png"
        look = ["--viewall", "--autocenter", f"--camera=0,0,0,{view},500"]
        openscad(
            part, "zero", "--imgsize=1800,1300", "--colorscheme=Tomorrow", *look, "-o", str(made)
        )
        with Image.open(made) as drawn:
            said = PngInfo()
            said.add_text(SOURCE, mark(part))
            small = _cropped(drawn.convert("RGB")).quantize(64)
            small.save(PICTURES / f"{name}.png", optimize=True, pnginfo=said)


def _cropped(drawn: Image.Image) -> Image.Image:
    """What is drawn with a little air around it, at half its size."""
    air = Image.new("RGB", drawn.size, drawn.getpixel((0, 0)))
    left, top, right, bottom = ImageChops.difference(drawn, air).getbbox() or (0, 0, *drawn.size)
    cut = drawn.crop((left - 40, top - 40, right + 40, bottom + 40))
    return cut.resize((cut.width // 2, cut.height // 2), Image.Resampling.LANCZOS)


def openscad(part: str, model: str, *options: str) -> None:
    """Run OpenSCAD on the drawing. Raises CalledProcessError with what it said."""
    which = ["-D", f'part="{part}"', "-D", f'model="{model}"']
    screen = ["xvfb-run", "-a"] if shutil.which("xvfb-run") else []
    subprocess.run([*screen, "openscad", "-q", *which, *options, str(DRAWING)], check=True)


def main() -> int:
    """Write everything; gives the exit code."""
    if not shutil.which("openscad"):
        print("OpenSCAD is missing: sudo apt install openscad xvfb xauth", file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    for name, (part, model) in PRINTED.items():
        print_part(name, part, model)
        print(f"hardware/case/{name}.stl")
    for name, (part, view) in VIEWS.items():
        picture(name, part, view)
        print(f"hardware/pictures/{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
