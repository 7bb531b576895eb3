# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Runs programs, and kills each when it enters or leaves a system call for so many times: reads lines of JSON, [command, count or null], and answers each with
[exit status, the number of each system call that was entered, and -1 for what else stopped the program]. Imports little, so that a fork of it is cheap."""
from __future__ import annotations

import ctypes
import json
import os
import signal
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
TRACEME, TRACE_SYSCALLS, SET_OPTIONS, GET_SYSCALL_INFO = 0, 24, 0x4200, 0x420E
TELL_SYSCALLS_APART = 1  # from other stops; without it there is no information on them


class SyscallInfo(ctypes.Structure):
    _fields_ = [("op", ctypes.c_uint8), ("arch", ctypes.c_uint32), ("instruction", ctypes.c_uint64), ("stack", ctypes.c_uint64),
                ("number", ctypes.c_uint64), ("arguments", ctypes.c_uint64 * 6)]
    ENTRY = 1


def traced(command: list[str]) -> int:
    process = os.fork()
    if process == 0:
        try:
            LIBC.ptrace(TRACEME, 0, None, None)
            os.execve(command[0], command, {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})  # which does not work on a traced process
        finally:
            os._exit(127)
    return process


def run_and_kill(command: list[str], stop: int | None) -> tuple[int, list[int]]:
    process = traced(command)
    calls = []
    _, status = os.waitpid(process, 0)
    LIBC.ptrace(SET_OPTIONS, process, None, TELL_SYSCALLS_APART)
    while os.WIFSTOPPED(status):
        info = SyscallInfo()
        entered = LIBC.ptrace(GET_SYSCALL_INFO, process, ctypes.sizeof(info), ctypes.addressof(info)) > 0 and info.op == info.ENTRY
        if len(calls) == stop:
            os.kill(process, signal.SIGKILL)
        elif LIBC.ptrace(TRACE_SYSCALLS, process, None, None) != 0:
            raise OSError(ctypes.get_errno(), "ptrace")
        calls.append(info.number if entered else -1)
        _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), calls


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run_and_kill(*json.loads(line))), flush=True)
