# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Attributes of nodes within a function that stays, which refer to the function's own: each call may give another value."""
from __future__ import annotations

import pathlib

import numpy as np
import onnx
import pytest

import runtimes
import tool
from compare import assert_equal

X = np.random.default_rng(5).normal(size=(2, 3, 4)).astype(np.float32)
IMAGE = np.random.default_rng(6).normal(size=(1, 2, 5, 5)).astype(np.float32)
BYTES = np.arange(50, dtype=np.uint8).reshape(1, 2, 5, 5)
NUMBERS = np.array([0.25, 7], np.float32)

KEPT = [
    # domain and node; what the two calls give; the inputs; the opset of the model and options
    ("", "Mod <fmod : int = @p> (a, b)", ("1", "0"), [np.int32([7, -7, 5]), np.int32([3, 3, -3])], 13, ["--target-opset", 9]),
    ("", "Softmax <axis : int = @p> (a)", ("1", "0"), [X], 13, ["--target-opset", 9]),
    ("", "Softmax <axis : int = @p> (a)", ("1", "0"), [X.astype(np.float16)], 13, ["--target-opset", 9]),
    # Each has the name of another one of the node's.
    ("com.microsoft", "FusedGemm <activation = \"Relu\", alpha : float = @beta, beta : float = @alpha> (a, b, c)", ("alpha = 2.0, beta = 3.0", "alpha = 0.5, beta = 1.0"),
     [X[0], X[1].T.copy(), X[0, :, 0]], 17, []),
    ("", "Flatten <axis : int = @p> (a)", ("-1", "1"), [X], 13, ["--target-opset", 9]),
    ("", "GridSample <mode : string = @p> (a, b)", ('"bilinear"', '"nearest"'), [IMAGE, np.float32([[[[0.3, -0.2], [0.9, 0.1]]]])], 16, ["--target-opset", 20]),
    ("", "GroupNormalization <num_groups : int = @p> (a, b, c)", ("1", "2"), [IMAGE, np.float32([1, 2]), np.float32([0, 1])], 21, ["--target-opset", 17]),
    ("com.microsoft", "FusedGemm <activation = \"Relu\", beta : float = @p> (a, b, c)", ("2.0", "0.5"), [X[0], X[1].T.copy(), X[0, :, 0]], 17, []),
    ("com.microsoft", "ConvTransposeWithDynamicPads <strides : ints = @p> (a, b)", ("[2, 2]", "[1, 1]"), [IMAGE, IMAGE.reshape(2, 1, 5, 5)], 17, []),
    ("com.microsoft", "QLinearConcat <axis : int = @p> (a, b, c, a, b)", ("1", "0"), [np.float32(0.5), np.uint8(3), np.uint8([[1, 2], [3, 4]])], 17, ["--attach"]),
    ("rknn_cst", "cstThreshold <threshold : float = @p, value = 20.0> (a)", ("0.5", "1.5"), [NUMBERS], 8, ["--attach"]),
    ("rknn_cst", "cstThreshold <threshold : float = @p, value = 20.0> (a)", ("0.5", "1.5"), [NUMBERS], 13, ["--attach"]),
    ("mct_quantizers", "ActivationPOTQuantizer <num_bits = 4, signed : int = @p, threshold = 2.0> (a)", ("1", "0"), [X], 17, []),
]


def model_of(domain: str, node: str, values: tuple[str, ...], inputs: list, opset: int) -> bytes:
    def typed(array: np.ndarray, name: str) -> str:
        kind = onnx.helper.tensor_dtype_to_string(onnx.helper.np_dtype_to_tensor_dtype(array.dtype)).removeprefix("TensorProto.").lower()
        return f"{kind}[{','.join(map(str, array.shape))}] {name}" if array.ndim else f"{kind} {name}"

    names = "abc"[: len(inputs)]
    taken = ", ".join(names)
    arguments = ", ".join(typed(array, name) for array, name in zip(inputs, names))
    imports = f'"" : {opset}' + (f', "{domain}" : 1' if domain else "")
    attributes = "p" if "@p" in node else "alpha, beta"
    calls = "  ".join(f"y{index} = d.F <{value if '=' in value else f'p = {value}'}> ({taken})" for index, value in enumerate(values))
    made = ", ".join(f"y{index}" for index in range(len(values)))
    text = f'<ir_version: 8, opset_import: [{imports}, "d" : 1]> g ({arguments}) => ({made}) {{ {calls} }}'
    prefix = f"{domain}." if domain else ""
    return onnx.parser.parse_model(f'{text} <domain: "d", opset_import: [{imports}]> F <{attributes}> ({taken}) => (y) {{ y = {prefix}{node} }}').SerializeToString()


@pytest.mark.parametrize("domain, node, values, inputs, opset, options", KEPT)
def test_a_function_that_stays_does_what_each_call_says(domain: str, node: str, values: tuple, inputs: list, opset: int, options: list) -> None:
    """The numbers are those of the model without functions, or the node is refused; a value that is not known is no zero, and no default."""
    given = model_of(domain, node, values, inputs, opset)
    feed = dict(zip("abc", map(np.asarray, inputs)))
    result = tool.lower(given, ["--keep", "d::F", *options])
    if result.status != tool.DONE:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert "cannot be lowered" in result.stderr
        return
    wanted = runtimes.in_onnxruntime(tool.lowered(given, [option for option in options if option != "--attach"]))(feed)
    computed = runtimes.in_onnxruntime(result.stdout)(feed)
    for name, value in wanted.items():
        assert_equal(name, computed[name], value, 1e-3 if value.dtype == np.float16 else 1e-6)


def test_a_cast_to_a_type_that_only_the_calls_know(tmp_path: pathlib.Path) -> None:
    """The constant has a type in each call, and none in the function."""
    rule = tmp_path / "rule.onnxtxt"
    rule.write_text('<domain: "acme", opset_import: ["" : 18]>\nTwice (x) => (y) {\n  two = onnx_lower.ConstantLike <value = 2> (x)\n  y = Mul (x, two)\n}\n')
    text = """<ir_version: 8, opset_import: ["" : 18, "d" : 1]>
        g () => (float[2] y, int64[1] z) { y = d.F <p = float[2] {1, 2}> ()  z = d.F <p = int64[1] {3}> () }
        <domain: "d", opset_import: ["" : 18, "acme" : 1]> F <p> () => (y) { c = Constant <value : tensor = @p> ()  y = acme.Twice (c) }"""
    lowered = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--keep", "d::F", "--rules", str(rule)])
    got = runtimes.in_onnxruntime(lowered)({})
    assert_equal("y", got["y"], np.float32([2, 4]))
    assert_equal("z", got["z"], np.int64([6]))
