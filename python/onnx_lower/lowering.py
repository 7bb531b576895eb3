# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Lowers and checks models: paths, bytes and ModelProtos."""
from __future__ import annotations

import html
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, Optional, TypeVar, Union

from onnx_lower.command_line import Settings, arguments, in_python
from onnx_lower.errors import UsageError, error_for
from onnx_lower.message_file import write_model
from onnx_lower.report import Report, Verdicts, parse_report
from onnx_lower.rule_sources import RuleSource, rule_files
from onnx_lower.tool import output_of, run

if TYPE_CHECKING:
    import onnx

Model = TypeVar("Model", str, Path, bytes, "onnx.ModelProto")


class LoweringWarning(UserWarning):
    """A model was lowered, and the tool warns of something: an assumption that nothing proves, a setting that fits no node."""


@dataclass(frozen=True)
class Result(Generic[Model]):
    """What lower() made."""

    model: Model
    """The lowered model, of the kind that was given: for a path, the path of the output."""
    report: Report

    def _told_model(self) -> str:
        model: Any = self.model
        return repr(model) if isinstance(model, (str, Path)) else f"<{type(model).__name__} of {_size_of(model):,} bytes>"

    def __repr__(self) -> str:
        return f"Result(model={self._told_model()}, report={self.report!r})"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self._told_model())}</p>{self.report._repr_html_()}"


def _size_of(model: Any) -> int:
    return len(model) if isinstance(model, bytes) else int(model.ByteSize())


def _is_model_proto(model: object) -> bool:
    # Whoever has one has imported onnx; nobody else has to have it.
    onnx_module = sys.modules.get("onnx")
    return onnx_module is not None and isinstance(model, onnx_module.ModelProto)


def _in_one_piece(model: Any) -> Any:
    """Other objects that hold bytes as bytes; a model of another kind as it is."""
    return bytes(model) if isinstance(model, (bytearray, memoryview)) else model


def _as_argument(path: Union[str, os.PathLike[str]]) -> str:
    """The path as the tool takes it: neither an option, nor standard input."""
    text = os.fspath(path)
    return os.path.join(".", text) if text.startswith("-") else text


def _warn_of(messages: str) -> None:
    """Passes on what the tool warns of, as of the line that calls this module; indented lines belong to the warning above them."""
    level = 1
    while str(sys._getframe(level - 1).f_globals.get("__name__")).startswith(f"{__package__}."):
        level += 1
    for warning in re.findall(r"^warning: (.*(?:\n .*)*)", messages, re.MULTILINE):
        warnings.warn(in_python(warning), LoweringWarning, stacklevel=level)


def _report_of(
    words: Sequence[str],
    rules: Iterable[RuleSource],
    timeout: Optional[float],
    *,
    accepted: Sequence[int] = (0,),
    stdin: Optional[BinaryIO] = None,
    stdout: Optional[BinaryIO] = None,
    cwd: Optional[str] = None,
) -> Report:
    with rule_files(rules) as files:
        if cwd is not None:
            files = [os.path.abspath(file) for file in files]
        finished = run([*words, *(f"--rules={file}" for file in files)], stdin=stdin, stdout=stdout, cwd=cwd, timeout=timeout)
    report = parse_report(finished.report, finished.messages, in_python) if finished.report and finished.exit_status >= 0 else None
    if report is None or finished.exit_status not in accepted:
        raise error_for(finished.exit_status, finished.messages, report)
    _warn_of(finished.messages)
    return report


def _content_as_file(model: Any, file: BinaryIO) -> bool:
    """Writes the bytes or the ModelProto; returns whether it is small enough for protobuf."""
    small = write_model(model, file) if _is_model_proto(model) else file.write(model) >= 0
    file.seek(0)
    return small


def _lowered_through_files(model: Any, options: Sequence[str], rules: Iterable[RuleSource], base_dir: str, timeout: Optional[float]) -> tuple[Any, Report]:
    """Of a model in memory. The files have no names, so that they are gone when the process is, whatever ends it."""
    with tempfile.TemporaryFile() as content, tempfile.TemporaryFile() as lowered:
        if _content_as_file(model, content):
            report = _report_of(["-", "-o", "-", *options], rules, timeout, stdin=content, stdout=lowered, cwd=base_dir)
            lowered.seek(0)
            result = lowered.read()
            return (type(model).FromString(result) if _is_model_proto(model) else result), report
        import onnx

        # Such a model cannot be parsed from one file, so its tensors come back in a second one.
        with tempfile.TemporaryDirectory(prefix="onnx-lower-") as folder:
            output = os.path.join(folder, "lowered.onnx")
            report = _report_of(["-", "-o", output, *options, "--external-data=split"], rules, timeout, stdin=content, cwd=base_dir)
            return onnx.load(output), report


def lower(
    model: Model,
    output: Optional[Union[str, os.PathLike[str]]] = None,
    *,
    rules: Iterable[RuleSource] = (),
    set: Settings = (),
    keep: Union[str, Iterable[str]] = (),
    read_as: Optional[Mapping[str, str]] = None,
    without: Union[str, Iterable[str]] = (),
    attach: Union[bool, str, Iterable[str]] = False,
    allow_unlowered: bool = False,
    fold: bool = False,
    input_shape: Optional[Mapping[str, Sequence[Optional[int]]]] = None,
    dim: Optional[Mapping[str, int]] = None,
    input_value: Optional[Mapping[str, Any]] = None,
    target: Union[None, str, Iterable[str]] = None,
    allow_narrowing: bool = False,
    unroll: Optional[int] = None,
    target_opset: Optional[int] = None,
    ir_version: Optional[int] = None,
    external_data: Optional[str] = None,
    allow_external_paths: bool = False,
    base_dir: Union[str, os.PathLike[str]] = ".",
    timeout: Optional[float] = None,
) -> Result[Model]:
    """Lowers a model.

    Args:
        model: A path, the bytes of an .onnx file, or a ModelProto. The result is of the same kind; what is given stays as it is.
        output: The path to write to, for a model that is a path; it may be the same one. A failed call writes nothing.
        rules: Rules that go before the built-in ones: paths, texts, FunctionProtos, onnxscript functions.
        set: Attributes that the export lost: {"rknn_cst::cstThreshold.threshold": 0.1} or ["node:NAME.threshold=0.1"].
        keep: Domains and operators (DOMAIN or DOMAIN::OP) whose nodes are left alone.
        read_as: Operators that are read as other ones: {"NMS": "TRT::EfficientNMS_TRT"}, as where one was exported without its domain.
        without: Operators and domains of which the result may have no node, whatever the target takes.
        attach: True, or the operators whose nodes stay and get a model-local function each.
        allow_unlowered: Return what could be done, also when some nodes could not be lowered.
        fold: Put constants in the place of what is known before the model runs, and its branch in that of an If whose condition is known.
        input_shape: The shapes that inputs shall have, by name; None for a dimension that stays as it is declared.
        dim: The sizes of dimensions that the model's inputs name.
        input_value: The values that inputs are fixed to, by name: {"sr": 16000}; a list or an array for a tensor with dimensions. They become constants, and are no inputs any more.
        target: Where the result has to run: names that targets() lists ("onnxruntime-1.17"), or paths of target files; all of them must take it.
        allow_narrowing: Compute in float what is double, and in int32 what is int64, where a target takes nothing wider.
        unroll: How many steps of an RNN, GRU, LSTM, Scan or Loop are written one by one for a target that lacks the operator; 64 by default, 0 for never.
        target_opset: The version of ai.onnx that the result imports; by default the model's own. The IR version is lowered with it.
        ir_version: The IR version of the result, for a reader that knows only older ones.
        external_data: "keep", "embed" or "split"; the last for paths only.
        allow_external_paths: Read external data also outside of the model's folder.
        base_dir: The folder to which the locations of external data are relative, for a model that is no path.
        timeout: Seconds after which the tool is stopped.

    Returns:
        The model and the report. Of a ModelProto of 2 GiB and more, which protobuf does not write, all tensors are in the result itself, also
        those that were external data.

    Raises:
        LoweringError: Some nodes cannot be lowered; its report says which, and why.
        Error: Something else, by its subclasses; UsageError, for example.
    """
    given: Any = _in_one_piece(model)
    options: list[str] = arguments(
        {
            "set": set,
            "keep": keep,
            "read_as": read_as,
            "without": without,
            "attach": attach,
            "allow_unlowered": allow_unlowered,
            "fold": fold,
            "input_shape": input_shape,
            "dim": dim,
            "input_value": input_value,
            "target": target,
            "allow_narrowing": allow_narrowing,
            "unroll": unroll,
            "target_opset": target_opset,
            "ir_version": ir_version,
            "external_data": external_data,
            "allow_external_paths": allow_external_paths,
        }
    )
    if isinstance(given, (str, os.PathLike)):
        if output is None:
            raise TypeError("lower() of a path needs an output: lower('in.onnx', 'out.onnx')")
        report = _report_of([_as_argument(given), "-o", _as_argument(output), *options], rules, timeout)
        lowered: Any = os.fspath(output) if isinstance(given, str) else Path(output)
        return Result(lowered, report)
    if output is not None:
        raise TypeError("output is for a model that is a path; a model in memory is returned as Result.model")
    if not isinstance(given, bytes) and not _is_model_proto(given):
        raise TypeError(f"a model is a path, bytes or a ModelProto, not {type(given).__name__}")
    if external_data == "split":
        raise UsageError('external_data="split" puts a file beside the output: it is for a model that is a path', 2)
    lowered, report = _lowered_through_files(given, options, rules, os.fspath(base_dir), timeout)
    return Result(lowered, report)


def check(
    model: Union[str, os.PathLike[str], bytes, onnx.ModelProto],
    *,
    rules: Iterable[RuleSource] = (),
    set: Settings = (),
    keep: Union[str, Iterable[str]] = (),
    read_as: Optional[Mapping[str, str]] = None,
    without: Union[str, Iterable[str]] = (),
    attach: Union[bool, str, Iterable[str]] = False,
    fold: bool = False,
    input_shape: Optional[Mapping[str, Sequence[Optional[int]]]] = None,
    dim: Optional[Mapping[str, int]] = None,
    input_value: Optional[Mapping[str, Any]] = None,
    target: Union[None, str, Iterable[str]] = None,
    allow_narrowing: bool = False,
    unroll: Optional[int] = None,
    target_opset: Optional[int] = None,
    ir_version: Optional[int] = None,
    allow_external_paths: bool = False,
    base_dir: Union[str, os.PathLike[str]] = ".",
    timeout: Optional[float] = None,
) -> Report:
    """Says what lower() would do, and writes nothing. `Report.complete` tells whether every node can be lowered; the options are those of lower().

    Raises:
        Error: The model cannot be judged: it is not valid, a file is not there, or the options make no sense. That nodes cannot be lowered is no error.
    """
    words = arguments(
        {
            "set": set,
            "keep": keep,
            "read_as": read_as,
            "without": without,
            "attach": attach,
            "fold": fold,
            "input_shape": input_shape,
            "dim": dim,
            "input_value": input_value,
            "target": target,
            "allow_narrowing": allow_narrowing,
            "unroll": unroll,
            "target_opset": target_opset,
            "ir_version": ir_version,
            "allow_external_paths": allow_external_paths,
        }
    )
    words.append("--check")
    model = _in_one_piece(model)
    if isinstance(model, (str, os.PathLike)):
        if os.path.isdir(model):
            raise UsageError(f"{os.fspath(model)}: is a folder, and a model file is expected", 2)
        return _report_of([_as_argument(model), *words], rules, timeout, accepted=(0, 1, 6))
    if not isinstance(model, bytes) and not _is_model_proto(model):
        raise TypeError(f"a model is a path, bytes or a ModelProto, not {type(model).__name__}")
    with tempfile.TemporaryFile() as content:
        _content_as_file(model, content)
        return _report_of(["-", *words], rules, timeout, accepted=(0, 1, 6), stdin=content, cwd=os.fspath(base_dir))


def new_rule(
    model: Union[str, os.PathLike[str], bytes, onnx.ModelProto], operator: str, output_dir: Union[str, os.PathLike[str]] = ".", *, rules: Iterable[RuleSource] = ()
) -> list[str]:
    """Writes the beginning of a rule for the nodes of an operator (DOMAIN::OP) in a model, to be filled in, and a test beside it; returns their paths.

    Raises:
        Error: The model has no such node that is to be lowered, or a file of that name is there already.
    """
    given = _in_one_piece(model)
    with rule_files(rules) as files, tempfile.TemporaryFile() as content:
        is_path = isinstance(given, (str, os.PathLike))
        if not is_path:
            _content_as_file(given, content)
        words = [f"--new-rule={operator}", f"--output-dir={os.fspath(output_dir)}", *(f"--rules={file}" for file in files)]
        done = output_of([_as_argument(given) if is_path else "-", *words], stdin=content)
    if done.returncode != 0:
        raise error_for(done.returncode, done.stderr.rstrip("\n"), None)
    return re.findall(r"^  (.+): (?:the rule|its test); ", done.stderr, re.MULTILINE)


def where(model: Union[str, os.PathLike[str], bytes, onnx.ModelProto], **options: Any) -> Verdicts:
    """Says which targets take the model, by their names: as it is, after lowering, or not and why. The options are those of check().

        {name: verdict.verdict for name, verdict in onnx_lower.where("exported.onnx").items()}

    A notebook shows the result as a table. With `target`, those that it names are asked, and of several "all of these", too. Raises what check() raises.
    """
    return Verdicts((verdict.target, verdict) for verdict in check(model, **options).targets)
