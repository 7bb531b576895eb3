# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Whether two models compute the same in ONNX Runtime."""
from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

from onnx_lower.command_line import arguments, in_python
from onnx_lower.errors import error_for
from onnx_lower.lowering import _as_argument
from onnx_lower.notebook import table
from onnx_lower.tool import run

_SAME, _DIFFERENT = 0, 7


@dataclass(frozen=True)
class Difference:
    """How a value differs between two models, over all runs."""

    name: str
    element_type: str
    same: bool
    elements: int
    differing: int
    """Elements beyond the tolerance."""
    largest_absolute: float
    largest_relative: float
    """To the element, or to the median size of the value's elements where that is larger."""
    tolerance: float
    """For largest_relative; 0 where elements have to be equal."""
    problem: Optional[str]
    """What is not a matter of numbers, such as another shape."""


@dataclass(frozen=True)
class FirstDifference:
    """The first node of the original after which the models differ."""

    node: str
    operator: str
    value: str
    """Its output, which differs."""
    lowered_by: Optional[str]
    difference: Optional[str]
    """What is different of the two nodes that make the value."""
    numbers: Difference


@dataclass(frozen=True)
class Verification:
    """What verify() found; it is true where the models compute the same."""

    same: bool
    message: str
    """What the tool says of it."""
    onnxruntime: str
    """The runtime's version."""
    original_as: Optional[str]
    """How the original was run, where the runtime does not load it as it is."""
    runs: int
    input_shapes: tuple[str, ...]
    outputs: tuple[Difference, ...]
    undetermined: tuple[str, ...]
    """Outputs that depend on random numbers, and are not compared."""
    first_difference: Optional[FirstDifference]

    def __bool__(self) -> bool:
        return self.same

    def __repr__(self) -> str:
        differing = [output.name for output in self.outputs if not output.same]
        told = "same" if self.same else f"{', '.join(differing)} differ, first after {self.first_difference.node}" if self.first_difference else "differ"
        return f"<Verification in ONNX Runtime {self.onnxruntime}: {told}>"

    def _repr_html_(self) -> str:
        rows = [
            [output.name, "same" if output.same else "differs", output.elements, output.differing, f"{output.largest_absolute:.3g}", f"{output.largest_relative:.3g}", output.problem]
            for output in self.outputs
        ]
        return table(self.message, ["output", "", "elements", "differing", "largest absolute", "relative", "problem"], rows)


def _verification_of(verified: Any, message: str) -> Verification:
    first = verified["first_difference"]
    return Verification(
        same=verified["same"],
        message=message,
        onnxruntime=verified["onnxruntime"],
        original_as=verified["original_as"],
        runs=verified["runs"],
        input_shapes=tuple(verified["input_shapes"]),
        outputs=tuple(Difference(**output) for output in verified["outputs"]),
        undetermined=tuple(verified["undetermined"]),
        first_difference=FirstDifference(**{**first, "numbers": Difference(**first["numbers"])}) if first else None,
    )


def _runtime_of_this_python() -> Optional[str]:
    """The folder with the library of the package onnxruntime that this Python would import; it is not imported."""
    found = importlib.util.find_spec("onnxruntime")
    for folder in (found.submodule_search_locations or []) if found else []:
        capi = Path(folder) / "capi"
        if any(capi.glob("libonnxruntime.so*")):
            return str(capi)
    return None


def verify(
    original: Union[str, os.PathLike[str]],
    output: Union[str, os.PathLike[str]],
    *,
    inputs: Union[None, str, os.PathLike[str], Mapping[str, Any]] = None,
    dim: Optional[Mapping[str, int]] = None,
    input_shape: Optional[Mapping[str, Sequence[Optional[int]]]] = None,
    input_value: Optional[Mapping[str, Any]] = None,
    seed: int = 0,
    runs: int = 3,
    onnxruntime: Union[None, str, os.PathLike[str]] = None,
    timeout: Optional[float] = None,
) -> Verification:
    """Runs two models in ONNX Runtime on the same inputs, and compares what they compute.

    Args:
        original: The path of the model that is right.
        output: The path of the one that was made of it.
        inputs: Arrays by the names of inputs, or the path of such a file (.npz); other inputs are drawn.
        dim: The sizes of dimensions that the inputs name.
        input_shape: The shapes of inputs, by name; None for a dimension that stays as it is declared.
        input_value: The values of inputs that are fixed in the output.
        seed: Draws other inputs.
        runs: On how many inputs both are run.
        onnxruntime: The library of ONNX Runtime, or its folder; by default that of this Python's package, else what the tool finds.
        timeout: Seconds after which the tool is stopped.

    Raises:
        Error: They cannot be compared: a model is not valid, or does not run, or there is no runtime. Other numbers are no error.
    """
    words = ["--verify", *arguments({"input_shape": input_shape, "dim": dim, "input_value": input_value, "seed": seed, "runs": runs})]
    library = onnxruntime if onnxruntime is not None else _runtime_of_this_python()
    if library is not None:
        words.append(f"--onnxruntime={os.fspath(library)}")
    with contextlib.ExitStack() as files:
        if isinstance(inputs, Mapping):
            import numpy

            folder = files.enter_context(tempfile.TemporaryDirectory(prefix="onnx-lower-"))
            arrays = os.path.join(folder, "inputs.npz")
            numpy.savez(arrays, **inputs)
            words.append(f"--verify-inputs={arrays}")
        elif inputs is not None:
            words.append(f"--verify-inputs={os.fspath(inputs)}")
        finished = run([*words, _as_argument(original), _as_argument(output)], timeout=timeout)
    verified = json.loads(finished.report)["verified"] if finished.report else None
    if verified is None or finished.exit_status not in (_SAME, _DIFFERENT):
        raise error_for(finished.exit_status, finished.messages, None)
    return _verification_of(verified, in_python(finished.messages.removeprefix("error: ")))
