# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Rules as a caller gives them: paths, texts, and functions of onnx or onnxscript."""
from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Union

if TYPE_CHECKING:
    import onnx


class ScriptFunction(Protocol):
    """What onnxscript.script makes of a Python function."""

    def to_function_proto(self) -> onnx.FunctionProto: ...


RuleSource = Union[str, "os.PathLike[str]", "onnx.FunctionProto", ScriptFunction]
"""A folder, an .onnxtxt file or an .onnx file with functions, by its path; a rule's text; a FunctionProto; an onnxscript function."""


def _is_text(source: str) -> bool:
    # A rule has a body in braces and, when it is read from a file, lines.
    return "\n" in source or "{" in source


def _functions(source: Any) -> Sequence[onnx.FunctionProto]:
    """Of an onnxscript function that one and those that it calls; of a FunctionProto itself."""
    if not hasattr(source, "to_function_proto"):
        return [source]
    called: dict[str, Any] = getattr(getattr(source, "function_ir", None), "get_called_functions", dict)()
    return [source.to_function_proto(), *(function.to_function_proto() for function in called.values())]


def _write(source: Any, folder: Path, number: int) -> str:
    if isinstance(source, str):
        path = folder / f"rule_{number}.onnxtxt"
        path.write_text(source, encoding="utf-8")
        return str(path)
    import onnx

    functions = _functions(source)
    if not all(isinstance(function, onnx.FunctionProto) for function in functions):
        raise TypeError(f"a rule is a path, a rule's text, a FunctionProto or an onnxscript function, not {type(source).__name__}")
    name = re.sub(r"[^\w.-]", "_", f"{functions[0].domain}.{functions[0].name}")
    path = folder / f"rule_{number}_{name}.onnx"
    path.write_bytes(onnx.ModelProto(functions=functions).SerializeToString())
    return str(path)


@contextlib.contextmanager
def rule_files(rules: Iterable[RuleSource]) -> Iterator[list[str]]:
    """The rules as files and folders, in their order; those that are made for it go when the context ends."""
    if isinstance(rules, (str, os.PathLike)) or not isinstance(rules, Iterable):
        rules = [rules]
    with contextlib.ExitStack() as stack:
        folder: Union[Path, None] = None
        files = []
        for number, rule in enumerate(rules):
            if isinstance(rule, os.PathLike) or (isinstance(rule, str) and not _is_text(rule)):
                files.append(os.fspath(rule))
                continue
            if folder is None:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="onnx-lower-rules-")))
            files.append(_write(rule, folder, number))
        yield files
