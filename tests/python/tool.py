# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Runs the tool under test: the program named by the environment variable ONNX_LOWER, else build/onnx-lower."""
from __future__ import annotations

import dataclasses
import functools
import json
import os
import pathlib
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from temporary_files import IN_MEMORY

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
TESTDATA = REPOSITORY / "testdata"
TOOL = pathlib.Path(os.environ.get("ONNX_LOWER", REPOSITORY / "build" / "onnx-lower")).resolve()

# Built with AddressSanitizer, whose shadow and quarantine are memory that is not the tool's own.
SANITIZED = TOOL.parent.name == "build-asan"

DONE, NOT_LOWERED, WRONG_USAGE, INVALID_INPUT, FILE_ERROR, SOME_FAILED, NEEDS_LOWERING = range(7)
DIFFERENT = 7


@dataclasses.dataclass
class Run:
    status: int
    stdout: bytes
    stderr: str

    def __str__(self) -> str:
        return f"exit status {self.status}, stderr:\n{self.stderr}"


def shown_in_terminal(leader: int) -> str:
    """All that was written to a pseudo-terminal, of which the other end is closed here."""
    shown = b""
    try:
        while part := os.read(leader, 65536):
            shown += part
    except OSError:
        pass
    os.close(leader)
    return shown.decode()


def run(arguments: Sequence[object], *, stdin: bytes = b"", cwd: os.PathLike | None = None, timeout: float = 60, within: Sequence[str] = (), **options) -> Run:
    """One run, by the command `within` where there is one. A death by signal shows as a negative status, which no test expects."""
    command = [*within, str(TOOL), *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, timeout=timeout, **options)
    return Run(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


def lower(model: bytes, arguments: Sequence[object] = (), **options) -> Run:
    """Lowers a model given as bytes to bytes, through stdin and stdout."""
    return run(["-", "-o", "-", *arguments], stdin=model, **options)


class Unlowered(AssertionError):
    """A model that was to be lowered was not."""


def lowered(model: bytes, arguments: Sequence[object] = (), **options) -> bytes:
    result = lower(model, arguments, **options)
    if result.status != DONE:
        raise Unlowered(str(result))
    return result.stdout


def lower_together(models: Sequence[bytes], arguments: Sequence[object] = (), options: Sequence[Mapping[str, object]] | None = None) -> list[Run]:
    """Each as `lower` does it, by one run for all: to start the program takes longer than to lower a small model. `options` are each model's own, by their names in a manifest."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        folder = pathlib.Path(name)
        for number, model in enumerate(models):
            (folder / f"{number}.onnx").write_bytes(model)
        own = [{} for _ in models] if options is None else options
        lines = "".join(json.dumps({"id": number, "input": f"{number}.onnx", **given}) + "\n" for number, given in enumerate(own))
        done = run(["--manifest", "-", "--output-dir", "lowered", "--force", "-j", 1, *arguments], stdin=lines.encode(), cwd=folder)
        results = {result["id"]: result for result in map(json.loads, done.stdout.splitlines())}
        if done.status not in (DONE, SOME_FAILED) or len(results) != len(models):
            raise AssertionError(f"the run as a whole: {done}")
        outputs = [folder / "lowered" / f"{number}.onnx" for number in range(len(models))]
        return [
            Run(results[number]["exit_status"], output.read_bytes() if output.exists() else b"", results[number]["error"] or "") for number, output in enumerate(outputs)
        ]


def assert_clean_refusal(result: Run, status: int | None = None) -> None:
    """A failure as a user may see it: a documented status, a message, and no trace of a crash."""
    if status is None:
        assert result.status in (NOT_LOWERED, WRONG_USAGE, INVALID_INPUT, FILE_ERROR), str(result)
    else:
        assert result.status == status, str(result)
    assert result.stderr.strip(), "failed without a message"
    for crash in ("Sanitizer", "runtime error:", "terminate called", "std::"):
        assert crash not in result.stderr, str(result)


@functools.lru_cache(maxsize=1)
def built_in_rules() -> frozenset[tuple[str, str]]:
    """The operators that have a rule, as (domain, operator)."""
    result = run(["--list-rules", "--json"])
    assert result.status == DONE, str(result)
    listed = json.loads(result.stdout)
    return frozenset((rule["domain"] or "ai.onnx", rule["op_type"]) for rule in (listed["rules"] if isinstance(listed, dict) else listed))
