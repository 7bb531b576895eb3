# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Where a runtime is wrong against the definition of an operator, or the definition leaves open what comes out: a difference that is none of ours.

Each has a proof: a model as text with inputs, for which ONNX Runtime still gives what is wrong, and what would be right. test_edge_models.py asks it.
"""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx

from edge_models.models import EdgeModel

INF, NAN = np.inf, np.nan
MOST = np.finfo(np.float32).max


@dataclasses.dataclass
class KnownDifference:
    operators: str  # a regular expression
    reason: str
    applies: Callable[[EdgeModel, str], bool]  # what has to be true of the model and of what was found
    proof: str = ""  # a graph, to which imports are added
    opset: int = 17
    inputs: dict[str, Any] = dataclasses.field(default_factory=dict)
    gives: Any = None  # an array, or what it complains of
    right: Any = None


def inputs_of(model: EdgeModel) -> list[np.ndarray]:
    return [value for value in (model.case.inputs if model.case is not None else [value for feeds in model.feeds for value in feeds.values()]) if isinstance(value, np.ndarray)]


def is_finite(model: EdgeModel) -> bool:
    return all(np.isfinite(value).all() for value in inputs_of(model) if value.dtype.kind == "f")


def is_number(model: EdgeModel) -> bool:
    return not any(np.isnan(value).any() for value in inputs_of(model) if value.dtype.kind == "f")


def opset_of(model: EdgeModel) -> int:
    return next(entry.version for entry in model.proto.opset_import if entry.domain == "")


def attribute(model: EdgeModel, name: str) -> Any:
    return model.case.attributes.get(name) if model.case is not None else None


KNOWN_DIFFERENCES = [
    KnownDifference(
        "AffineGrid",
        "an axis of one place has its corner at -1, as onnx's reference says; ONNX Runtime has it at 1",
        lambda model, found: attribute(model, "align_corners") == 1 and bool((model.case.inputs[1][2:] == 1).any()),
        "g (float[1, 2, 3] t, int64[4] s) => (float[?, ?, ?, ?] y) { y = AffineGrid <align_corners = 1> (t, s) }",
        20,
        {"t": np.float32([[[1, 0, 0], [0, 1, 0]]]), "s": np.int64([1, 1, 1, 2])},
        np.float32([[[[-1, 1], [1, 1]]]]),
        np.float32([[[[-1, -1], [1, -1]]]]),
    ),
    KnownDifference(
        "Clip",
        "what is infinite stays so where no bound is given, as the function of the operator's schema says; ONNX Runtime takes the largest finite number for the bound",
        lambda model, found: opset_of(model) >= 11 and len(model.case.inputs) < 3 or any(value is None for value in model.case.inputs),
        "g (float[2] x, float low) => (float[2] y) { y = Clip (x, low) }",
        17,
        {"x": np.float32([1, INF]), "low": np.array(0, np.float32)},
        np.float32([1, MOST]),
        np.float32([1, INF]),
    ),
    KnownDifference(
        "OneHot",
        "below opset 11 what is outside of 0 to depth - 1 gives a row of nothing but off; ONNX Runtime counts negative indices from the end there as well",
        lambda model, found: opset_of(model) < 11 and bool((model.case.inputs[0] < 0).any()),
        "g (int64[1] i, int64[1] d, float[2] v) => (float[?, ?] y) { y = OneHot (i, d, v) }",
        9,
        {"i": np.int64([-1]), "d": np.int64([2]), "v": np.float32([0, 1])},
        np.float32([[0, 1]]),
        np.float32([[0, 0]]),
    ),
    KnownDifference(
        "MaxPool|com.microsoft::MaxpoolWithMask|com.microsoft::NhwcMaxPool",
        "whether what is no number is the largest is not said, and ONNX Runtime's kernels with and without dilations have it otherwise; nor does the largest of none but -inf come out as that",
        lambda model, found: not is_finite(model),
        "g (float[1, 1, 2] x) => (float[1, 1, 1] y) { y = MaxPool <kernel_shape = [2]> (x) }",
        17,
        {"x": np.float32([[[-INF, -INF]]])},
        np.float32([[[-MOST]]]),
        np.float32([[[-INF]]]),
    ),
    KnownDifference(
        "aten::.*(max|min|dist|norm|ptp|range).*",
        "the greatest and the least of numbers and what is none is the latter in PyTorch; ONNX Runtime's ReduceMax and ReduceMin drop it unless it comes first",
        lambda model, found: not is_number(model),
        "g (float[2] x) => (float y) { y = ReduceMin <keepdims = 0> (x) }",
        17,
        {"x": np.float32([1, NAN])},
        np.float32(1),
        np.float32(NAN),
    ),
    KnownDifference(
        "Celu",
        "the function of the operator's schema divides by alpha first, which overflows next to the end of the type; ONNX Runtime's kernel does not",
        lambda model, found: "inf" in found,
        "g (float[1] x) => (float[1] y) { y = Celu <alpha = 0.5> (x) }",
        17,
        {"x": np.float32([MOST])},
        np.float32([MOST]),
        np.float32([INF]),
    ),
    KnownDifference(
        "AveragePool",
        "a window shorter than its stride needs no padding to be as large as SAME says; up to opset 18 ONNX Runtime reckons that it is less than none",
        lambda model, found: str(attribute(model, "auto_pad")).startswith("SAME"),
        'g (float[1, 1, 4] x) => (float[1, 1, ?] y) { y = AveragePool <kernel_shape = [1], strides = [2], auto_pad = "SAME_LOWER"> (x) }',
        11,
        {"x": np.float32([[[1, 2, 3, 4]]])},
        "padding values must be non-negative",
        np.float32([[[1, 3]]]),
    ),
    KnownDifference(
        "Scatter(Elements|ND)",
        "the smaller and the larger of a number and what is none is the latter, as of Min and Max; ONNX Runtime drops it where it is the one that is there",
        lambda model, found: attribute(model, "reduction") in ("min", "max") and not is_number(model),
        'g (float[1] x, int64[1] i, float[1] u) => (float[1] y) { y = ScatterElements <reduction = "min"> (x, i, u) }',
        18,
        {"x": np.float32([NAN]), "i": np.int64([0]), "u": np.float32([1])},
        np.float32([1]),
        np.float32([NAN]),
    ),
    KnownDifference(
        "com.microsoft::CDist",
        "what is infinite is infinitely far from what is not; the kernel takes the difference of infinite squares",
        lambda model, found: not is_finite(model),
        "g (float[1, 1] a, float[1, 1] b) => (float[1, 1] y) { y = com.microsoft.CDist <metric = \"euclidean\"> (a, b) }",
        17,
        {"a": np.float32([[INF]]), "b": np.float32([[1]])},
        np.float32([[NAN]]),
        np.float32([[INF]]),
    ),
    KnownDifference(
        ".*(GridSample|grid_sampler).*",
        "a point beyond the border is moved to it, where an infinite neighbour has the weight 0, as in PyTorch; ONNX Runtime moves each of its neighbours to the border, which is the same but for that",
        lambda model, found: "nan" in found and not np.isfinite(model.case.inputs[0]).all(),
        'g (float[1, 1, 1, 2] x, float[1, 1, 1, 2] p) => (float[?, ?, ?, ?] y) { y = GridSample <padding_mode = "border", align_corners = 1> (x, p) }',
        20,
        {"x": np.float32([[[[1, INF]]]]), "p": np.float32([[[[-3, -1]]]])},
        np.float32([[[[1]]]]),
        np.float32([[[[NAN]]]]),
    ),
    KnownDifference(
        "Slice",
        "an end behind the dimension is its last place where the step is negative, as in NumPy; ONNX Runtime takes the largest integers for an end before the first one",
        lambda model, found: any(value.dtype.kind == "i" and bool(np.isin(value, [2**31 - 1, 2**63 - 1]).any()) for value in inputs_of(model)[2:3]),
        "g (float[3] x, int64[1] s, int64[1] e, int64[1] a, int64[1] t) => (float[?] y) { y = Slice (x, s, e, a, t) }",
        17,
        {"x": np.float32([1, 2, 3]), "s": np.int64([1]), "e": np.int64([2**31 - 1]), "a": np.int64([0]), "t": np.int64([-1])},
        np.float32([2, 1]),
        np.zeros(0, np.float32),
    ),
    KnownDifference(
        "(Blackman|Hamming|Hann)Window",
        "a window of double has the digits of double; ONNX Runtime executes the function of the operator's schema, which computes in float",
        lambda model, found: attribute(model, "output_datatype") == onnx.TensorProto.DOUBLE,
        "g (int64 n) => (double[a] y) { y = HammingWindow <output_datatype = 11> (n) }",
        17,
        {"n": np.array(2)},
        np.array([float.fromhex("0x1.642c8p-4"), 1]),
        np.array([25 / 46 - 21 / 46, 1]),
    ),
]  # fmt: skip


def in_openvino(model: EdgeModel, found: str) -> str:
    if any(not value.size for value in inputs_of(model)):
        return "OpenVINO loses the sizes of tensors without elements in some arrangements of nodes, and divides by 0 in others"
    if found.startswith("AssertionError") and not is_finite(model):
        return "OpenVINO's kernels do not say what they make of what is infinite or no number, and it does not take the original, which would show it"
    if re.search(r"np\.u?int8\((127|-128|255|0)\), not np", found):
        return "OpenVINO keeps sums and products of 8 bits between the ends of their type, where ONNX's wrap"
    return ""


def is_of(known: KnownDifference, found: str) -> bool:
    """Whether what was found is of the kind that the proof shows: a complaint, other elements, or another shape."""
    if isinstance(known.gives, str):
        return known.gives in found
    return (": shape (" if known.gives.shape != known.right.shape else "values differ") in found


def known_difference(model: EdgeModel, stage: str, found: str) -> str:
    """Why it is none of ours; empty where nothing says so."""
    if stage.endswith("in OpenVINO") and (reason := in_openvino(model, found)):
        return reason
    for known in KNOWN_DIFFERENCES:
        if re.fullmatch(known.operators, model.kind) and is_of(known, found) and known.applies(model, found):
            return known.reason
    return ""


def proof(known: KnownDifference) -> bytes:
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {known.opset}, "com.microsoft" : 1]> {known.proof}').SerializeToString()
