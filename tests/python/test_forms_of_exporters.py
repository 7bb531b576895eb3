# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--target, on models as exporters write them: versions, ranks and company in which the tests of single operators do not have a node."""
from __future__ import annotations


import numpy as np
import onnx
import pytest

import runtimes
import tool

ONNX_RUNTIMES = sorted(path.stem for path in (tool.REPOSITORY / "targets").glob("onnxruntime-*.target"))


def parsed(text: str) -> bytes:
    return onnx.parser.parse_model(text).SerializeToString()


def lowered(content: bytes, *arguments: object) -> onnx.ModelProto:
    return onnx.load_from_string(tool.lowered(content, arguments))


def operators(model: onnx.ModelProto) -> list[str]:
    return [node.op_type for node in model.graph.node]


def assert_same_numbers(content: bytes, out: onnx.ModelProto, feed: dict[str, np.ndarray], *, rtol: float = 0, run=runtimes.in_onnxruntime) -> None:
    """What ONNX Runtime computes of the model as it is, `run` computes of what was written."""
    expected, found = runtimes.in_onnxruntime(content)(feed), run(out.SerializeToString())(feed)
    assert list(found) == list(expected)
    for name, value in expected.items():
        if value.dtype.kind == "f":
            np.testing.assert_allclose(found[name], value, rtol=rtol, atol=rtol)
        else:
            np.testing.assert_array_equal(found[name], value)


# ai.onnx.ml, of which the tests of single operators have the newest versions alone.


@pytest.mark.parametrize("target", ONNX_RUNTIMES)
def test_label_encoders_of_version_1(target: str) -> None:
    content = parsed('<ir_version: 6, opset_import: ["": 11, "ai.onnx.ml": 1]> g (string[n] x) => (int64[n] y) '
                     '{ y = ai.onnx.ml.LabelEncoder <classes_strings = ["a", "b"], default_int64 = 7> (x) }')
    assert tool.lowered(content, ["--target", target]) == content
    found = runtimes.in_onnxruntime(content)({"x": np.array(["b", "a", "c"], object)})["y"]
    np.testing.assert_array_equal(found, [1, 0, 7])


@pytest.mark.parametrize("of, kind", [("LinearRegressor <coefficients = [1.0, 2.0]>", "double"), ("Imputer <imputed_value_int64s = [1], replaced_value_int64 = 2>", "int32"),
                                      ("OneHotEncoder <cats_int64s = [1, 2]>", "int32")])
def test_types_of_which_onnx_runtime_has_no_kernel(of: str, kind: str) -> None:
    content = parsed(f'<ir_version: 6, opset_import: ["": 11, "ai.onnx.ml": 1]> g ({kind}[1, 2] x) => ({kind if of[0] == "I" else "float"}[m, n] y) {{ y = ai.onnx.ml.{of} (x) }}')
    with pytest.raises(Exception, match="NOT_IMPLEMENTED"):
        runtimes.in_onnxruntime(content)
    tool.assert_clean_refusal(tool.lower(content, ["--target", "onnxruntime"]), tool.NOT_LOWERED)
