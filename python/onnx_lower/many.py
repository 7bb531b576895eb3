# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Lowers many models in one run of the tool."""
from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union

from onnx_lower.command_line import arguments, in_python
from onnx_lower.errors import Error, TimeLimitExceeded, error_for
from onnx_lower.lowering import _as_argument, _warn_of
from onnx_lower.notebook import table
from onnx_lower.report import report_of_line
from onnx_lower.rule_sources import RuleSource, rule_files
from onnx_lower.tool import run

StrPath = Union[str, "os.PathLike[str]"]

_DONE, _SOME_FAILED = 0, 5


@dataclass(frozen=True)
class ModelResult:
    """What became of one of many models. It is true where there is an output."""

    input: str
    output: str
    status: str
    """"lowered"; "unchanged": there was nothing to lower, and the output is a copy; "up_to_date": it was done earlier; or "failed"."""
    nodes_before: int
    nodes_after: int
    lowered: dict[str, int]
    """How many nodes of which operators (DOMAIN::OP) were lowered."""
    attached: dict[str, int]
    unlowered: dict[str, int]
    assumptions: tuple[str, ...]
    """What rules took for granted, which nothing in the model proves."""
    error: Optional[Error]
    """The exception that lower() would have raised for the model alone; None where it was lowered."""
    json: dict[str, Any] = field(default_factory=dict, repr=False)
    """The line of the results, as docs/scale.md describes it."""

    def __bool__(self) -> bool:
        return self.error is None

    def __repr__(self) -> str:
        told = str(self.error).partition("\n")[0] if self.error else f"{self.nodes_before} -> {self.nodes_after} nodes, {self.output}"
        return f"<ModelResult {self.input}: {self.status}, {told}>"


class Results(list[ModelResult]):
    """A result for each model, in the order in which they were given."""

    @property
    def failed(self) -> Results:
        return Results(result for result in self if not result)

    def __repr__(self) -> str:
        return f"<Results: {_counts(self)}>"

    def _repr_html_(self) -> str:
        # What failed stands first, since a long table is cut.
        rows = [
            [result.input, result.status.replace("_", " "), result.nodes_before, result.nodes_after, str(result.error) if result.error else "\n".join(result.assumptions)]
            for result in sorted(self, key=bool)
        ]
        return table(_counts(self), ["model", "what became of it", "nodes", "nodes after", "note"], rows)


def _counts(results: Iterable[ModelResult]) -> str:
    """ "40 models: 37 lowered, 2 unchanged, 1 failed" """
    names = {"lowered": "lowered", "unchanged": "unchanged", "up_to_date": "up to date", "failed": "failed"}
    counts = dict.fromkeys(names, 0)
    for result in results:
        counts[result.status] += 1
    total = sum(counts.values())
    told = ", ".join(f"{count} {names[status]}" for status, count in counts.items() if count)
    return f"{total} model{'' if total == 1 else 's'}" + (f": {told}" if told else "")


def _models_below(folder: str) -> Iterator[str]:
    """The .onnx files in a folder and those below it, relative to it. Links are followed; one that leads back up is not."""
    for parent, folders, files in os.walk(folder, followlinks=True):
        above = {os.path.realpath(path) for path in (parent, *map(str, Path(parent).parents))}
        folders[:] = sorted(name for name in folders if os.path.realpath(os.path.join(parent, name)) not in above)
        for name in sorted(files):
            if name.endswith(".onnx"):
                yield os.path.relpath(os.path.join(parent, name), folder)


def _places(models: Union[StrPath, Iterable[StrPath], Mapping[StrPath, StrPath]], output_dir: Optional[StrPath]) -> Iterator[tuple[str, str]]:
    """Inputs and outputs."""
    folder = "" if output_dir is None else os.fspath(output_dir)
    if isinstance(models, Mapping):
        for model, output in models.items():
            yield os.fspath(model), os.path.join(folder, os.fspath(output))
        return
    if output_dir is None:
        raise TypeError("lower_many() needs to know where the outputs go: output_dir='lowered', or a mapping of models to outputs")
    if isinstance(models, (bytes, bytearray, memoryview)):
        raise TypeError(f"lower_many() takes paths, not {type(models).__name__}; for a model in memory call lower()")
    for model in [models] if isinstance(models, (str, os.PathLike)) else models:
        path = os.fspath(model)
        if not os.path.isdir(path):
            yield path, os.path.join(folder, os.path.basename(path))
            continue
        below = list(_models_below(path))
        if not below:
            raise error_for(2, f"{path}: there is no .onnx file in this folder", None)
        for name in below:
            yield os.path.join(path, name), os.path.join(folder, name)


def _error_of(line: dict[str, Any]) -> Optional[Error]:
    message, status = line["error"], line["exit_status"]
    if message is None:
        return None
    if "signal" in line:
        if message.startswith("was stopped after"):
            return TimeLimitExceeded(in_python(message), -line["signal"])
        status = -line["signal"]
    return error_for(status, message, report_of_line(line, in_python) if status == 1 else None)


def _result_of(line: dict[str, Any]) -> ModelResult:
    return ModelResult(
        input=line["input"],
        output=line["output"],
        status=line["status"],
        nodes_before=line.get("nodes_before", 0),
        nodes_after=line.get("nodes_after", 0),
        lowered=line.get("lowered", {}),
        attached=line.get("attached", {}),
        unlowered=line.get("unlowered", {}),
        assumptions=tuple(map(in_python, line.get("assumptions", ()))),
        error=_error_of(line),
        json=line,
    )


class _Progress:
    """A line on stderr that says how far a run is. In a terminal and in a notebook it is one line, which changes; elsewhere a line is written at times."""

    _SECONDS_BETWEEN_LINES = 10.0

    def __init__(self, total: int, is_wanted: bool) -> None:
        self._stream = sys.stderr if is_wanted else None
        self._total = total
        self._start = self._last = time.monotonic()
        self._shown = ""
        # Jupyter's stream is no terminal, and a carriage return begins its line anew, too.
        self._is_one_line = self._stream is not None and (self._stream.isatty() or type(self._stream).__module__.startswith("ipykernel"))

    def _text(self, done: int, failed: int) -> str:
        text = f"{done} of {self._total} models" + (f", {failed} failed" if failed else "")
        if 0 < done < self._total:
            left = (time.monotonic() - self._start) / done * (self._total - done)
            text += f", about {left:.0f} s left" if left < 120 else f", about {left / 60:.0f} min left"
        return text

    def show(self, results: Mapping[int, ModelResult]) -> None:
        if self._stream is None:
            return
        text = self._text(len(results), sum(not result for result in results.values()))
        if self._is_one_line:
            if text != self._shown:
                self._stream.write("\r" + text.ljust(len(self._shown)))
                self._stream.flush()
                self._shown = text
        elif time.monotonic() - self._last >= self._SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            self._stream.write(text + "\n")
            self._stream.flush()

    def end(self, results: Mapping[int, ModelResult]) -> None:
        if self._stream is None:
            return
        text = f"{_counts(results.values())}; {time.monotonic() - self._start:.1f} s"
        begin = "\r" if self._is_one_line else ""
        self._stream.write(f"{begin}{text.ljust(len(self._shown))}\n")
        self._stream.flush()


def lower_many(
    models: Union[StrPath, Iterable[StrPath], Mapping[StrPath, StrPath]],
    output_dir: Optional[StrPath] = None,
    *,
    progress: bool = False,
    jobs: Optional[int] = None,
    force: bool = False,
    timeout: Optional[float] = None,
    rules: Iterable[RuleSource] = (),
    **options: Any,
) -> Results:
    """Lowers many models, several at once, in one run of the tool; what is up to date is not done again.

        results = onnx_lower.lower_many(["a.onnx", "zoo/"], "lowered", target="tensorrt", progress=True)
        for result in results.failed:
            print(result.input, result.error)

    Args:
        models: Paths of models, and of folders, in which all models are found; or a mapping of models to outputs.
        output_dir: Where the outputs go, each under its model's name; those of a folder keep their tree. With a mapping, what the outputs are relative to.
        progress: Say on stderr how far the run is.
        jobs: Models at once; by default as many as there are CPUs to use.
        force: Do also what is up to date.
        timeout: Seconds after which a model is stopped; it counts as failed.
        rules: As lower() takes them.
        options: Those of lower(), for all models: target, set, keep and the others.

    Returns:
        A result for each model, in the order of `models`. A model that fails stops no other one, and is raised nowhere: its result is false, and has as
        `error` the exception that lower() would have raised. Where a whole run must not go on with a failed model, say so:

            if results.failed: raise results.failed[0].error

    Raises:
        Error: The run as a whole failed, and nothing was done: an option makes no sense, a rule is not valid, two models would have the same output.
    """
    places = list(_places(models, output_dir))
    words = arguments({**options, "jobs": jobs, "force": force, "timeout": timeout})
    if not places:
        return Results()
    results: dict[int, ModelResult] = {}

    def take(text: str) -> None:
        line = json.loads(text)
        results[line["id"]] = _result_of(line)

    shown = _Progress(len(places), progress)
    with rule_files(rules) as files, tempfile.TemporaryFile() as manifest:
        for number, (model, output) in enumerate(places):
            manifest.write(json.dumps({"id": number, "input": _as_argument(model), "output": _as_argument(output)}).encode() + b"\n")
        manifest.seek(0)
        finished = run(
            ["--manifest=-", *words, *(f"--rules={file}" for file in files)], stdin=manifest, on_line=take, meanwhile=(lambda: shown.show(results)) if progress else None, ends_by=signal.SIGTERM
        )
    if finished.exit_status not in (_DONE, _SOME_FAILED):
        raise error_for(finished.exit_status, finished.messages, None)
    shown.end(results)
    _warn_of(finished.messages)
    return Results(results[number] for number in range(len(places)))
