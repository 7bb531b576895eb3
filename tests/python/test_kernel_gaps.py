# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the tool takes ONNX Runtime to have no kernel for: a type that it has learned, or a type that it has not and a rule makes, is to change
targets/default.target."""
from __future__ import annotations

import re

import numpy as np
import onnx
import onnxruntime
import pytest

import tool
from onnx import TensorProto, helper

OPSET = 18
DEFAULT = (tool.REPOSITORY / "targets" / "default.target").read_text()
GAPS = {
    op: {name.upper() for name in re.findall(r"\w+", types)}
    for op, types in re.findall(r"^(\w+) +not dtype\(\w+\) (?:==|in) (.*)$", DEFAULT.partition("ONNX Runtime has no kernel for these element types.")[2], re.MULTILINE)
}
assert "Where" in GAPS
TYPES = {
    op: ("FLOAT16", "FLOAT", "DOUBLE") if op != "Where" else ("FLOAT16", "FLOAT", "DOUBLE", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "BOOL", "STRING")
    for op in GAPS
}


@pytest.mark.parametrize("op", GAPS)
def test_exactly_these_types_have_no_kernel(op: str) -> None:
    assert {name for name in TYPES[op] if not has_kernel(op, getattr(TensorProto, name))} == GAPS[op]


def has_kernel(op: str, element_type: int) -> bool:
    inputs = [("c", TensorProto.BOOL), ("x", element_type), ("z", element_type)] if op == "Where" else [("x", element_type)]
    node = helper.make_node(op, [name for name, _ in inputs], ["y"])
    values = [helper.make_tensor_value_info(name, kind, [2]) for name, kind in inputs]
    graph = helper.make_graph([node], "g", values, [helper.make_tensor_value_info("y", element_type, [2])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    except Exception as error:
        assert "NOT_IMPLEMENTED" in str(error), error
        return False
    return True


@pytest.mark.parametrize("element_type", ["int16", "uint16", "uint64", "bool"])
@pytest.mark.parametrize("opset", [9, 16, 22])
def test_a_rule_may_choose_between_values_of_any_type(element_type: str, opset: int, tmp_path) -> None:
    (tmp_path / "rule.onnxtxt").write_text('<domain: "d", opset_import: ["" : 16]>\nChoose (c, x, z) => (y) { y = Where (c, x, z) }\n')
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(element_type))
    values = [helper.make_tensor_value_info("c", TensorProto.BOOL, [2, 1])] + [helper.make_tensor_value_info(name, kind, [3]) for name in "xz"]
    graph = helper.make_graph([helper.make_node("Choose", ["c", "x", "z"], ["y"], domain="d")], "g", values, [helper.make_tensor_value_info("y", kind, [2, 3])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("d", 1)], ir_version=8)
    onnx.save(model, tmp_path / "in.onnx")
    result = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--rules", tmp_path / "rule.onnxtxt"])
    assert result.status == tool.DONE, str(result)
    session = onnxruntime.InferenceSession(tmp_path / "out.onnx", providers=["CPUExecutionProvider"])
    largest = True if element_type == "bool" else np.iinfo(element_type).max
    feed = {"c": np.array([[True], [False]]), "x": np.array([0, 1, largest], element_type), "z": np.array([largest, 0, 1], element_type)}
    y = session.run(None, feed)[0]
    assert y.dtype == feed["x"].dtype
    np.testing.assert_array_equal(y, np.where(feed["c"], feed["x"], feed["z"]))
