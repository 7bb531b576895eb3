# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Finds the program onnx-lower and the kernel library, and runs the program."""
from __future__ import annotations

import functools
import importlib.metadata
import os
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Optional

from onnx_lower.errors import TimeLimitExceeded

_PACKAGE = Path(__file__).resolve().parent
_KERNELS = "libonnx_lower_kernels.so"


@functools.lru_cache(maxsize=None)
def _installed_executable() -> Optional[str]:
    try:
        files = importlib.metadata.files("onnx-lower") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found = [Path(str(file.locate())) for file in files if file.name == "onnx-lower"]
    # `pip install --target` moves what it has installed, and its record tells the old places.
    found.append(_PACKAGE.parent / "bin" / "onnx-lower")
    return next((str(file.resolve()) for file in found if file.is_file()), None)


def executable() -> str:
    """The path of the program: the one that the environment variable ONNX_LOWER names, else the one that was installed with this package."""
    path = os.environ.get("ONNX_LOWER") or _installed_executable()
    if path is None:
        raise FileNotFoundError(
            "the program onnx-lower, which belongs to this package, is not installed beside it: install the package with pip, "
            "or name the program in the environment variable ONNX_LOWER"
        )
    return path


def kernel_library() -> str:
    """The path of the library of native kernels, for onnxruntime.SessionOptions.register_custom_ops_library."""
    path = _PACKAGE / _KERNELS
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is not there: this installation of onnx-lower has no native kernels (they come with the wheels for glibc; "
            "the wheels for musl, and builds with ONNX_LOWER_KERNELS=OFF, do without)"
        )
    return str(path)


@dataclass(frozen=True)
class Finished:
    """A run of the tool that has ended."""

    exit_status: int
    """Negative: the signal that ended it."""
    report: str
    messages: str


def run(
    arguments: Sequence[str],
    *,
    stdin: Optional[BinaryIO] = None,
    stdout: Optional[BinaryIO] = None,
    cwd: Optional[str] = None,
    timeout: Optional[float] = None,
) -> Finished:
    """Runs the tool to its end, with its report coming through a pipe, so that nothing of a run is left on the disk whatever becomes of it."""
    read_end, write_end = os.pipe()
    with open(read_end, "rb") as report, tempfile.TemporaryFile() as messages:
        try:
            process = subprocess.Popen(
                [executable(), *arguments, "--report", f"/dev/fd/{write_end}", "--color", "never"],
                stdin=stdin or subprocess.DEVNULL,
                stdout=stdout or subprocess.DEVNULL,
                stderr=messages,
                cwd=cwd,
                pass_fds=[write_end],
            )
        finally:
            os.close(write_end)
        timed_out = threading.Event()

        def stop() -> None:
            timed_out.set()
            process.kill()

        timer = threading.Timer(timeout, stop) if timeout is not None else None
        try:
            if timer is not None:
                timer.start()
            text = report.read()  # to the end of the process, which alone holds the other end
            status = process.wait()
        except BaseException:  # KeyboardInterrupt, say
            process.kill()
            process.wait()
            raise
        finally:
            if timer is not None:
                timer.cancel()
        if timed_out.is_set() and status < 0:
            raise TimeLimitExceeded(f"onnx-lower was stopped after {timeout} s", status)
        messages.seek(0)
        return Finished(status, text.decode(), messages.read().decode(errors="replace").rstrip("\n"))


def output_of(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs the tool for what it prints."""
    return subprocess.run([executable(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
