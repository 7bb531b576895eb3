# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What is right in a runtime that computes in a lower precision than the model says. It rounds the inputs: a threshold, a softmax of 10,000 and 10,001, or the sign of 1e-30 is another then, whatever the
runtime does. So besides the expected numbers those are right that the model computes, in full precision, of the rounded inputs, or of their neighbours in that precision, and what lies between."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import onnx
import onnxruntime

import seeds

# Of the runtimes that compute in a lower one, by their names in runtimes.py, whose classes say it as well.
PRECISIONS = {"rknn": np.float16}


def rounded(value: np.ndarray, precision: type) -> Iterator[np.ndarray]:
    """What may stand for it: the nearest, the next below and the next above."""
    if value.dtype.kind != "f" or value.dtype.itemsize <= np.dtype(precision).itemsize:
        return iter([value] * 3)
    with np.errstate(over="ignore"):
        nearest = value.astype(precision)
        return (of.astype(value.dtype) for of in (nearest, np.nextafter(nearest, precision(-np.inf)), np.nextafter(nearest, precision(np.inf))))


def with_nearby(seed: seeds.Seed, runnable: onnx.ModelProto, precision: type | None) -> seeds.Seed:
    """Computed by the ONNX Runtime beside this Python of a form of the model that it executes; where it does not, or where the outputs have other shapes then, only the expected numbers are right."""
    if precision is None:
        return seed
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    names = [declared.name for declared in seeds.asked_inputs(seed.model)]
    try:
        session = onnxruntime.InferenceSession(runnable.SerializeToString(), options, providers=["CPUExecutionProvider"])
        computed = [session.run(None, dict(zip(names, inputs))) for inputs in zip(*(rounded(value, precision) for value in seed.inputs))]
    except Exception:  # of several kinds, which ONNX Runtime does not say apart
        return seed
    nearby = [np.stack(found) if all(found_shape == expected.shape for found_shape in map(np.shape, found)) else None for found, expected in zip(zip(*computed), seed.outputs)]
    return dataclasses.replace(seed, nearby=nearby)
