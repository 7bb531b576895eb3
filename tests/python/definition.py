# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What a definition file is made of: Case, and the way to reach other definitions. See ../definitions/README.md."""
from __future__ import annotations

import dataclasses
import functools
import importlib.util
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

DEFINITIONS = pathlib.Path(__file__).resolve().parent.parent / "definitions"

# Every opset that the tool serves; a case that leaves `opsets` out is run at all of them.
OLDEST_OPSET, NEWEST_OPSET = 9, 26
ALL_OPSETS = range(OLDEST_OPSET, NEWEST_OPSET + 1)

SHAPES = ("symbolic", "static", "unranked")


class Tensors(list):
    """A list of tensors: as an input, SequenceConstruct makes it of graph inputs; as what `define` returns, its tensors become graph outputs by SequenceAt."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        super().__init__(map(np.asarray, arrays))


@dataclasses.dataclass
class Case:
    """One node with its inputs, and what is to be seen when the lowered model runs. README.md explains each field."""

    name: str
    inputs: Sequence[Any] = ()  # by position: numpy arrays, scalars or Tensors; None where an optional input is absent
    attributes: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    opsets: Sequence[int] = ALL_OPSETS

    # How near the result has to be. Whatever is not exact says why, in a sentence.
    rtol: float = 0.0
    atol: float = 0.0
    why: str = ""

    # What the model says of its inputs.
    constants: Sequence[int] = ()  # indices of inputs that are constants of the model
    constants_as: str = "initializer"  # or "node": Constant nodes
    shapes: Any = "symbolic"  # "symbolic", "static" or "unranked", or a list with one of them or a tuple of dimensions per input
    also: Sequence[Sequence[Any]] = ()  # more input lists for the same model (same constants, types and ranks)

    # What the model says of its outputs.
    outputs: int | None = None  # how many the node has; as many as `define` returns when left out
    absent_outputs: Sequence[int] = ()  # indices of outputs with an empty name
    output_shapes: Any = None  # as `shapes`, per output; the same kind as the inputs' when left out

    # The node.
    domain: str | None = None  # another spelling of the operator; the folder's and file's names when left out
    op_type: str | None = None
    overload: str = ""
    written_for: int | None = None  # the opset in whose words the node speaks; it then stands in a function that imports it

    # The command line.
    set: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # for --set DOMAIN::OP.name=value
    options: Sequence[str] = ()  # further arguments

    # What is expected.
    meaning: Mapping[str, Any] | None = None  # keywords for `define` instead of `attributes` and `set`
    define: Callable[..., Any] | None = None  # instead of the file's `define`
    expected: Sequence[Any] | None = None  # explicit arrays instead of a call (not together with `also`)
    refuse: str = ""  # the tool must exit with status 1 and a message that contains this
    cannot: Mapping[str, str] = dataclasses.field(default_factory=dict)  # "ort" or "openvino": why that runtime cannot run it; "kernel"

    def __post_init__(self) -> None:
        self.inputs = [as_array(value) for value in self.inputs]
        self.also = [[as_array(value) for value in values] for values in self.also]
        if (self.rtol or self.atol) and len(self.why.split()) < 3:
            raise ValueError(f"case {self.name}: a tolerance that is not zero needs a sentence in `why`")
        if isinstance(self.shapes, str) and self.shapes not in SHAPES:
            raise ValueError(f"case {self.name}: shapes is {self.shapes!r}, not one of {SHAPES}")
        if self.constants_as not in ("initializer", "node"):
            raise ValueError(f"case {self.name}: constants_as is {self.constants_as!r}, not 'initializer' or 'node'")
        if unknown := set(self.cannot) - {"ort", "openvino", "kernel"}:
            raise ValueError(f"case {self.name}: no runtime is called {unknown}")

    def input_lists(self) -> list[list[np.ndarray | None]]:
        return [list(self.inputs), *map(list, self.also)]


def as_array(value: Any) -> np.ndarray | Tensors | None:
    return value if value is None or isinstance(value, Tensors) else np.asarray(value)


@dataclasses.dataclass
class Definition:
    domain: str
    op_type: str
    module: ModuleType

    @property
    def name(self) -> str:
        return f"{self.domain}::{self.op_type}"

    def cases(self) -> Iterator[Case]:
        for case in self.module.cases():
            yield dataclasses.replace(case, domain=case.domain or self.domain, op_type=case.op_type or self.op_type)

    def expected(self, case: Case, inputs: Sequence[np.ndarray | None]) -> list[np.ndarray]:
        """What the operator gives for these inputs, as a list of arrays."""
        if case.expected is not None:
            return [np.asarray(value) for value in case.expected]
        define = case.define or self.module.define
        keywords = case.meaning if case.meaning is not None else {**case.attributes, **case.set}
        with np.errstate(all="ignore"):
            result = define(*inputs, **keywords)
        if isinstance(result, Tensors):
            return [result]
        return [np.asarray(value) for value in (result if isinstance(result, (tuple, list)) else (result,))]


@functools.lru_cache(maxsize=None)
def definition_of(domain: str, op_type: str) -> ModuleType:
    """The module tests/definitions/<domain>/<op_type>.py, for a definition that is the same as another or builds on it."""
    path = DEFINITIONS / domain / f"{op_type}.py"
    spec = importlib.util.spec_from_file_location(f"definitions.{domain}.{op_type}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def definition_files() -> list[pathlib.Path]:
    """What several definitions share has a name that begins with _, as some operators of PyTorch's have, too; but it defines no operator."""
    files = sorted(DEFINITIONS.glob("*/*.py"))
    return [path for path in files if not path.name.startswith("_") or re.search(r"^(def define\(|define = )", path.read_text(), re.MULTILINE)]


def all_definitions() -> list[Definition]:
    return [Definition(path.parent.name, path.stem, definition_of(path.parent.name, path.stem)) for path in definition_files()]
