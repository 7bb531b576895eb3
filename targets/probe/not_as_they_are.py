# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Of onnx's node tests, all of them: how many the ONNX Runtime beside this Python does not run rightly as they are, and how many of these it does after --target onnxruntime.

    python targets/probe/not_as_they_are.py build/onnx-lower

Element types that NumPy has none of go in by a Cast from float and come out by one to float."""
from __future__ import annotations

import collections
import copy
import pathlib
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import runtimes
import seeds

RANDOM = seeds.RANDOM - {"Dropout", "StringNormalizer"}


def with_casts(model: onnx.ModelProto) -> onnx.ModelProto:
    model = copy.deepcopy(model)
    before, after = [], []
    for values, is_input in ((model.graph.input, True), (model.graph.output, False)):
        for value in values:
            kind = value.type.tensor_type.elem_type if value.type.HasField("tensor_type") else 0
            if kind in (TensorProto.UNDEFINED, TensorProto.STRING, *seeds.NATIVE):
                continue
            name, value.name = value.name, f"{value.name}_float"
            value.type.tensor_type.elem_type = TensorProto.FLOAT
            if is_input:
                before.append(helper.make_node("Cast", [value.name], [name], to=kind))
            else:
                after.append(helper.make_node("Cast", [name], [value.name], to=TensorProto.FLOAT))
    nodes = [*before, *model.graph.node, *after]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def in_numpy(value: object) -> object:
    if isinstance(value, list):
        return [in_numpy(element) for element in value]
    if value is None:
        return None
    array = numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)
    return array if seeds.is_native(array) else array.astype(np.float32)


def is_same(found: object, expected: object, rtol: float, atol: float) -> bool:
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(is_same(one, other, rtol, atol) for one, other in zip(found, expected))
    if expected is None or found is None:
        return expected is found
    array = np.asarray(expected)
    return runtimes.same(found, array.astype("U") if array.dtype == object else array, rtol, atol)


def is_right(model: onnx.ModelProto, inputs: Iterable, outputs: Iterable, rtol: float, atol: float) -> bool:
    try:
        asked = with_casts(model)
        session = onnxruntime.InferenceSession(asked.SerializeToString(), providers=["CPUExecutionProvider"])
        results = session.run(None, {declared.name: in_numpy(value) for declared, value in zip(asked.graph.input, inputs)})
        return all(is_same(one, in_numpy(other), max(rtol, 1e-3), max(atol, 1e-6)) for one, other in zip(results, outputs, strict=True))
    except Exception:
        return False


def main() -> None:
    from onnx.backend.test.case.node import collect_testcases

    warnings.simplefilter("ignore")
    onnxruntime.set_default_logger_severity(4)
    count: collections.Counter = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder, "in.onnx"), pathlib.Path(folder, "out.onnx")
        for case in collect_testcases(None):
            test = (*case.data_sets[0], case.rtol, case.atol)
            if any(node.op_type in RANDOM for node in case.model.graph.node):
                count["random"] += 1
            elif is_right(case.model, *test):
                count["right as it is"] += 1
            else:
                given.write_bytes(case.model.SerializeToString())
                done = subprocess.run([sys.argv[1], given, "-o", made, "-q", "--target", "onnxruntime"], capture_output=True, check=False)
                right = done.returncode == 0 and is_right(onnx.load(made), *test)
                count["right with --target" if right else "refused by the tool" if done.returncode else "not right with --target"] += 1
    print(sum(count.values()), dict(count))


if __name__ == "__main__":
    main()
