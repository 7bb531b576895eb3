# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the elementwise operators share: special values, every type, no element at all, a scalar, mixed types."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from definition import Case

SPECIAL = [0, -0.0, 1e-30, -1e-8, 1e-4, 0.3, -0.7, 1, -1, 2.5, -3, 10, -20, 88, 100, 1e10, -1e19, 3e38, np.inf, -np.inf, np.nan]
PAIRS = [0, -0.0, 1e-30, 0.3, -0.7, 1, 2.5, -3, 10, 1e30, np.inf, -np.inf, np.nan]
INTEGERS = np.array([[-7, -2, -1, 0], [1, 2, 5, 11]])

# One version of ai.onnx for each change that the bodies meet.
SOME_OPSETS = (9, 11, 12, 13, 15, 18, 21, 26)

TOLERANCES = {"float32": (4e-6, 1e-7), "float64": (1e-12, 1e-14), "float16": (2e-3, 1e-3)}
# OpenVINO 2026.4 on a CPU: comparisons, Select and conversions to bool of NaN are those of another number.
NO_NAN = "it compares NaN as if it were a number"

WHY = "The runtime's elementary functions, and the steps between them, round."


def result_type(*inputs: np.ndarray) -> np.dtype:
    """Of PyTorch's floating-point operators: that of the floating-point inputs with a dimension before that of numbers, float32 for integers."""
    floats = [array.dtype for array in inputs if array.dtype.kind == "f"]
    with_dimension = [array.dtype for array in inputs if array.dtype.kind == "f" and array.ndim > 0]
    if with_dimension or (floats and all(array.ndim == 0 for array in inputs)):
        return np.result_type(*(with_dimension or floats))
    return np.dtype(np.float32) if not floats or floats == [np.dtype(np.float64)] else np.result_type(*floats)


def rounded(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """The function in double, its result rounded once; integers give float32."""

    def define(*inputs: np.ndarray) -> np.ndarray:
        kind = result_type(*inputs)
        return np.asarray(function(*(array.astype(kind).astype(np.float64) for array in inputs))).astype(kind)

    return define


def unary_cases(values: Sequence[float] = SPECIAL, *, dtypes: Sequence[str] = ("float32", "float64", "float16"), integers: bool = True,
                tolerances: dict | None = None, exact: bool = False, openvino: str = "", opsets: Sequence[int] = range(9, 27)) -> Iterator[Case]:
    def tolerance(dtype: str) -> dict:
        if exact:
            return {}
        rtol, atol = {**TOLERANCES, **(tolerances or {})}.get(dtype, TOLERANCES["float32"])
        return {"rtol": rtol, "atol": atol, "why": WHY}

    some = [opset for opset in SOME_OPSETS if opset in opsets]
    cannot = {"openvino": openvino} if openvino else {}  # with the special values
    for dtype in dtypes:
        with np.errstate(over="ignore"):
            array = np.asarray(values).astype(dtype)
        yield Case(dtype, inputs=[array], also=[[np.zeros(0, dtype)]], opsets=opsets if dtype == "float32" else some,
                   cannot=cannot, **tolerance(dtype))
    yield Case("scalar", inputs=[np.float32(0.25)], opsets=some[-3:], **tolerance("float32"))
    if integers:
        for dtype in ("int64", "int32"):
            yield Case(dtype, inputs=[INTEGERS.astype(dtype)], opsets=some, cannot=cannot, **tolerance("float32"))


def grid(values: Sequence[float], dtype: str) -> list[np.ndarray]:
    first, second = np.meshgrid(values, values)
    with np.errstate(over="ignore"):
        return [first.ravel().astype(dtype), second.ravel().astype(dtype)]


def binary_cases(values: Sequence[float] = PAIRS, *, dtypes: Sequence[str] = ("float32", "float64", "float16"), integers: Sequence[str] = ("int64", "int32"),
                 tolerances: dict | None = None, exact: bool = False, mixed: bool = True, openvino: str = "",
                 opsets: Sequence[int] = range(9, 27)) -> Iterator[Case]:
    def tolerance(dtype: str) -> dict:
        if exact:
            return {}
        rtol, atol = {**TOLERANCES, **(tolerances or {})}.get(dtype, TOLERANCES["float32"])
        return {"rtol": rtol, "atol": atol, "why": WHY}

    some = [opset for opset in SOME_OPSETS if opset in opsets]
    cannot = {"openvino": openvino} if openvino else {}  # with the special values
    for dtype in dtypes:
        yield Case(dtype, inputs=grid(values, dtype), also=[[np.zeros(0, dtype), np.zeros(0, dtype)]],
                   opsets=opsets if dtype == "float32" else some, cannot=cannot, **tolerance(dtype))
    yield Case("broadcast", inputs=[np.float32([[1], [2], [-3]]), np.float32([0.5, 2])], opsets=some, **tolerance("float32"))
    for dtype in integers:
        first, second = (array.astype(dtype) for array in np.meshgrid([-7, -2, 0, 1, 5], [-3, -1, 1, 2, 4]))
        yield Case(dtype, inputs=[first, second], opsets=some, **tolerance("float32"))
    if mixed:
        yield Case("number", inputs=[np.float32([0.5, 2, 7]), np.float64(1.5)], constants=[1], opsets=some, **tolerance("float32"))
        yield Case("half-and-number", inputs=[np.float16([0.5, 2, 7]), np.float64(1.5)], constants=[1], opsets=some, **tolerance("float16"))
        yield Case("float-and-double", inputs=[np.float32([0.5, 2, 7]), np.float64([1.5, 1, 3])], opsets=some, **tolerance("float32"))
        yield Case("integer-and-number", inputs=[np.int64([1, 2, 7]), np.float64(1.5)], constants=[1], opsets=some, **tolerance("float32"))
