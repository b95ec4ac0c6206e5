"""Builds `mayfly-inbox` for PyPI: a wheel per system that carries the executable, and an sdist that names the systems.

    python3 build_wheel.py VERSION OUT TARGET=FOLDER...

FOLDER has the executable and its LICENSES.txt. Equal input makes equal files.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import sys
import tarfile
import zipfile
from pathlib import Path

# glibc 2.28 and macOS 13.5 are the oldest for which Node 24 is built.
TAGS = {
    "linux-x64": "manylinux_2_28_x86_64",
    "linux-arm64": "manylinux_2_28_aarch64",
    "darwin-arm64": "macosx_13_0_arm64",
    "win-x64": "win_amd64",
}

HERE = Path(__file__).parent
EXECUTABLE_MODE = 0o100755
FILE_MODE = 0o100644


def metadata(version: str) -> bytes:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    lines = [
        "Metadata-Version: 2.1",
        "Name: mayfly-inbox",
        f"Version: {version}",
        "Summary: The Mayfly service: disposable inboxes for automated tests, without Node",
        "License: MIT",
        "Requires-Python: >=3.9",
        "Description-Content-Type: text/markdown",
    ]
    return ("\n".join(lines) + "\n\n" + readme).encode()


def build_wheel(version: str, target: str, folder: Path, out: Path) -> Path:
    tag = f"py3-none-{TAGS[target]}"
    name = f"mayfly_inbox-{version}"
    program = "mayfly.exe" if target.startswith("win") else "mayfly"
    files = {
        # pip copies this folder to where the environment has its commands.
        f"{name}.data/scripts/{program}": ((folder / program).read_bytes(), EXECUTABLE_MODE),
        f"{name}.dist-info/LICENSES.txt": ((folder / "LICENSES.txt").read_bytes(), FILE_MODE),
        f"{name}.dist-info/METADATA": (metadata(version), FILE_MODE),
        f"{name}.dist-info/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: mayfly\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
            FILE_MODE,
        ),
    }
    record = f"{name}.dist-info/RECORD"
    lines = [f"{path},sha256={digest(content)},{len(content)}" for path, (content, _) in files.items()]
    files[record] = ("\n".join([*lines, f"{record},,", ""]).encode(), FILE_MODE)
    wheel = out / f"{name}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, (content, mode) in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_sdist(version: str, out: Path) -> Path:
    """The sdist has no source. pip takes it only where no wheel fits, and its backend then says what to do."""
    name = f"mayfly_inbox-{version}"
    files = {
        "PKG-INFO": metadata(version),
        "README.md": (HERE / "README.md").read_bytes(),
        "no_wheel.py": (HERE / "no_wheel.py").read_bytes(),
        "pyproject.toml": (HERE / "pyproject.toml").read_bytes(),
    }
    sdist = out / f"{name}.tar.gz"
    with open(sdist, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, content in files.items():
                entry = tarfile.TarInfo(f"{name}/{path}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return sdist


def main() -> None:
    version, out, *targets = sys.argv[1:]
    Path(out).mkdir(parents=True, exist_ok=True)
    print(build_sdist(version, Path(out)).name)
    for given in targets:
        target, folder = given.split("=", 1)
        print(build_wheel(version, target, Path(folder), Path(out)).name)


if __name__ == "__main__":
    main()
