# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""File systems, and kernels, that cannot do what a run asks of them first: the result is the same, or the run says what could not be done and leaves nothing.

No test can mount such a file system. The kernel answers as it would there, by a filter (seccomp) that a process may put on its own system calls."""
from __future__ import annotations

import ctypes
import dataclasses
import errno
import mmap
import os
import pathlib
import platform
import struct
from collections.abc import Callable

import external_tensors as external
import numpy as np
import onnx
import pytest
import tool
from onnx import helper, numpy_helper

pytestmark = pytest.mark.on_disk

NUMBERS = {
    "x86_64": {"openat": 257, "linkat": 265, "access": 21, "fdatasync": 75, "fchmod": 91, "rename": 82, "fallocate": 285, "lseek": 8, "madvise": 28, "pread64": 17},
    "aarch64": {"openat": 56, "linkat": 37, "access": 48, "fdatasync": 83, "fchmod": 52, "rename": 38, "fallocate": 47, "lseek": 62, "madvise": 233, "pread64": 67},
}[platform.machine()]


@dataclasses.dataclass(frozen=True)
class Refused:
    """Of a system call: those with `value` in the bits `mask` of an argument."""
    call: str
    error: int
    argument: int = 0
    mask: int = 0
    value: int = 0


def refuse(*calls: Refused) -> Callable[[], None]:
    """What a process does before it becomes the program whose calls are refused."""
    load, jump_if_equal, bitwise_and, answer = 0x20, 0x15, 0x54, 0x06
    code = b""

    def add(operation: int, number: int, skipped_if_not: int = 0) -> None:
        nonlocal code
        code += struct.pack("=HBBI", operation, 0, skipped_if_not, number)

    for call in calls:
        add(load, 0)  # the call's number
        add(jump_if_equal, NUMBERS[call.call], 4)
        add(load, 16 + 8 * call.argument)
        add(bitwise_and, call.mask)
        add(jump_if_equal, call.value, 1)
        add(answer, 0x00050000 | call.error)
    add(answer, 0x7FFF0000)  # whatever else there is goes on
    held = ctypes.create_string_buffer(code)
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)

    def install(held: ctypes.Array = held) -> None:
        no_new_privileges, seccomp, filtered = 38, 22, 2
        if libc.prctl(no_new_privileges, 1, 0, 0, 0) != 0 or libc.prctl(seccomp, filtered, program, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")

    return install


NO_NAMELESS_FILES = Refused("openat", errno.EOPNOTSUPP, 2, os.O_TMPFILE, os.O_TMPFILE)
NO_LINKS = Refused("linkat", errno.EPERM)
NO_PROC = Refused("access", errno.ENOENT, 2 if platform.machine() == "aarch64" else 1, 0xFFFFFFFF if platform.machine() != "aarch64" else 0, 0)
NO_HOLES = Refused("lseek", errno.EINVAL, 2, 0xFFFFFFFF, os.SEEK_DATA)
NO_POPULATE = Refused("madvise", errno.EINVAL, 2, 0xFFFFFFFF, 22)  # MADV_POPULATE_READ, of Linux 5.14


def save(path: pathlib.Path, elements: int, data: str | None = None) -> onnx.ModelProto:
    weights = np.arange(elements, dtype=np.int32)
    node = helper.make_node("cstThreshold", ["x"], ["y"], domain="rknn_cst", threshold=0.5, value=20.0)
    made = external.model_of([numpy_helper.from_array(weights, "v"), numpy_helper.from_array(weights, "w")], [node], imports=[helper.make_opsetid("rknn_cst", 1)])
    onnx.save(made, path, **({"save_as_external_data": True, "location": data, "size_threshold": 0} if data else {}))
    return made


def assert_written(path: pathlib.Path, elements: int) -> None:
    model = onnx.load(path)
    assert not any(node.domain for node in model.graph.node)
    for tensor in model.graph.initializer[:2]:
        assert np.array_equal(numpy_helper.to_array(tensor), np.arange(elements, dtype=np.int32))


@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.parametrize("refused", [(NO_NAMELESS_FILES,), (NO_NAMELESS_FILES, NO_LINKS), (NO_PROC,), (NO_PROC, NO_LINKS)])
def test_without_nameless_files_or_links(tmp_path: pathlib.Path, refused: tuple, existing: bool) -> None:
    given, out = tmp_path / "in.onnx", tmp_path / "out" / "out.onnx"
    save(given, 10)
    out.parent.mkdir()
    if existing:
        out.write_bytes(b"old")
        out.chmod(0o640)
    before = os.umask(0o022)
    result = tool.run([given, "-o", out, "--external-data", "split"], preexec_fn=refuse(*refused))
    os.umask(before)
    assert result.status == tool.DONE, result
    assert_written(out, 10)
    assert out.stat().st_mode & 0o7777 == (0o640 if existing else 0o644)
    assert {path.name for path in out.parent.iterdir()} <= {"out.onnx", "out.onnx.data"}


@pytest.mark.parametrize(("refused", "existing", "said"), [
    (NO_LINKS, False, "cannot be named"),
    (Refused("fdatasync", errno.EIO), True, "cannot be synced"),
    (Refused("fchmod", errno.EPERM), True, "cannot be given its old permissions"),
    (Refused("rename", errno.EBUSY), True, "cannot be replaced"),
    (Refused("fallocate", errno.ENOSPC), False, "cannot be written"),
])
def test_what_cannot_be_done_is_said(tmp_path: pathlib.Path, refused: Refused, existing: bool, said: str) -> None:
    given, out = tmp_path / "in.onnx", tmp_path / "out.onnx"
    save(given, 1 << 20)
    if existing:
        save(out, 1)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = tool.run([given, "-o", out], preexec_fn=refuse(refused))
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert f"{out}: {said}" in result.stderr and os.strerror(refused.error) in result.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("refused", [(Refused("fallocate", errno.EOPNOTSUPP),), (NO_HOLES,), (NO_POPULATE,)])
@pytest.mark.parametrize("mode", ["keep", "split", "embed"])
def test_what_only_saves_time_or_space_may_be_refused(tmp_path: pathlib.Path, refused: tuple, mode: str) -> None:
    given, out = tmp_path / "in.onnx", tmp_path / "out" / "out.onnx"
    out.parent.mkdir()
    elements = (1 << 19) + 5
    save(given, elements, "in.data")
    with open(tmp_path / "in.data", "r+b") as data:
        data.truncate(8 * elements + 64 * mmap.PAGESIZE)  # a hole
    result = tool.run([given, "-o", out, "--external-data", mode], preexec_fn=refuse(*refused))
    assert result.status == tool.DONE, result
    assert_written(out, elements)


def test_data_that_cannot_be_read(tmp_path: pathlib.Path) -> None:
    given, out = tmp_path / "in.onnx", tmp_path / "out" / "out.onnx"
    out.parent.mkdir()
    save(given, 1 << 20, "in.data")
    # Of blocks of this size only: a program that is linked dynamically reads the heads of its libraries.
    result = tool.run([given, "-o", out], preexec_fn=refuse(NO_POPULATE, Refused("pread64", errno.EIO, 2, 0xFFFFFFFF, 1 << 18)))
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert f"{tmp_path / 'in.data'}: cannot be read" in result.stderr
    assert not list(out.parent.iterdir())
