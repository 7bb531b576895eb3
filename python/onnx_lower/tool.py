# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Finds the program onnx-lower and the kernel library, and runs the program."""
from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Optional

from onnx_lower.errors import TimeLimitExceeded, UsageError

_PACKAGE = Path(__file__).resolve().parent
_SECONDS_BETWEEN_CALLS = 0.1
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


class _Worker(threading.Thread):
    """Starts a process, reads what it writes and waits for its end, as `work` says.

    KeyboardInterrupt comes into the main thread, between any two steps. In a thread of its own no step is left out: whatever
    becomes of the call, its descriptors are closed and its process is waited for.
    """

    def __init__(self, work: Callable[[_Worker], None], ends_by: int = signal.SIGKILL) -> None:
        super().__init__(name="onnx-lower", daemon=True)
        self._work = work
        self._ends_by = ends_by
        self._lock = threading.Lock()
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._is_stopped = False
        self._has_begun = False
        self._ended = threading.Event()
        self._problem: Optional[BaseException] = None

    def run(self) -> None:
        with self._lock:
            self._has_begun = not self._is_stopped
        try:
            if self._has_begun:
                self._work(self)
        except BaseException as problem:  # it belongs to the call
            self._problem = problem
        finally:
            self._ended.set()

    def start_process(self, arguments: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([executable(), *arguments], **options)
        with self._lock:
            self._process = process
            if self._is_stopped:
                process.send_signal(self._ends_by)
        return process

    def stop(self) -> None:
        """Ends the process, if there is one, and waits until nothing of it is left."""
        with self._lock:
            self._is_stopped = True
            if self._process is not None:
                self._process.send_signal(self._ends_by)
            has_begun = self._has_begun
        if has_begun:
            self._ended.wait()

    def finish(self, timeout: Optional[float], meanwhile: Optional[Callable[[], None]] = None) -> bool:
        """Does the work; returns whether it had to be stopped since it took longer than `timeout`. Calls `meanwhile`, without a timeout, some times a second."""
        try:
            self.start()
            while meanwhile is not None and not self._ended.wait(_SECONDS_BETWEEN_CALLS):
                meanwhile()
            is_late = not self._ended.wait(timeout)
            if is_late:
                self.stop()
        except BaseException:  # KeyboardInterrupt, say, and perhaps another one before the process has ended
            while not self._ended.is_set():
                with contextlib.suppress(KeyboardInterrupt):
                    self.stop()
                    break
            raise
        if self._problem is not None:
            raise self._problem
        return is_late


def _check_timeout(timeout: Optional[float]) -> None:
    if timeout is not None and not 0 < timeout <= threading.TIMEOUT_MAX:
        raise UsageError(f"timeout={timeout}: it takes seconds, more than 0 and at most {threading.TIMEOUT_MAX:.0f}, or None for no limit", 2)


def run(
    arguments: Sequence[str],
    *,
    stdin: Optional[BinaryIO] = None,
    stdout: Optional[BinaryIO] = None,
    cwd: Optional[str] = None,
    timeout: Optional[float] = None,
    on_line: Optional[Callable[[str], None]] = None,
    meanwhile: Optional[Callable[[], None]] = None,
    ends_by: int = signal.SIGKILL,
) -> Finished:
    """Runs the tool to its end, with its report coming through a pipe, so that nothing of a run is left on the disk whatever becomes of it.

    Args:
        on_line: Gets each line of the report when it comes, in another thread; the report is empty then.
        meanwhile: Is called some times a second.
        ends_by: The signal that ends the tool where the call is interrupted.
    """
    _check_timeout(timeout)
    finished: list[Finished] = []

    def work(worker: _Worker) -> None:
        read_end, write_end = os.pipe()
        with contextlib.ExitStack() as files:
            try:
                report = files.enter_context(open(read_end, "rb"))
                messages = files.enter_context(tempfile.TemporaryFile())
                process = worker.start_process(
                    [*arguments, "--report", f"/dev/fd/{write_end}", "--color", "never"],
                    stdin=stdin or subprocess.DEVNULL,
                    stdout=stdout or subprocess.DEVNULL,
                    stderr=messages,
                    cwd=cwd,
                    pass_fds=[write_end],
                )
            finally:
                os.close(write_end)
            # To the end of the process, which alone holds the other end.
            text = b""
            if on_line is None:
                text = report.read()
            else:
                for line in report:
                    on_line(line.decode())
            status = process.wait()
            messages.seek(0)
            finished.append(Finished(status, text.decode(), messages.read().decode(errors="replace").rstrip("\n")))

    is_late = _Worker(work, ends_by).finish(timeout, meanwhile)
    if is_late and finished[0].exit_status < 0:
        raise TimeLimitExceeded(f"onnx-lower was stopped after {timeout} s", finished[0].exit_status)
    return finished[0]


def output_of(arguments: Sequence[str], stdin: Optional[BinaryIO] = None) -> subprocess.CompletedProcess[str]:
    """Runs the tool for what it prints."""
    completed: list[subprocess.CompletedProcess[str]] = []

    def work(worker: _Worker) -> None:
        with worker.start_process(arguments, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            printed, messages = (text.decode(errors="replace") for text in process.communicate())
        completed.append(subprocess.CompletedProcess(process.args, process.returncode, printed, messages))

    _Worker(work).finish(None)
    return completed[0]
