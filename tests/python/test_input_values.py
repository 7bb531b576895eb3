# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--input-value: an input becomes a constant of its declared type, the model computes what it did with that value, and what follows from it is folded."""
from __future__ import annotations

import json
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import runtimes
import tool
from model_checks import all_nodes

# A sample rate and a state, as voice activity detectors have them: the rate chooses a branch.
BY_RATE = """<ir_version: 8, opset_import: ["" : 17]>
g (float[batch,N] input, float[2,batch,4] state, int64 sr) => (float[batch,M] output, float[2,batch,4] next) <int64 wide = {16000}, int64[1] axes = {1}, int64[1] start = {0}, int64[1] half = {2}> {
    is_wide = Equal (sr, wide)
    output = If (is_wide) <then_branch = a () => (float[batch,N] p) { p = Relu (input) }, else_branch = b () => (float[batch,K] q) { cut = Slice (input, start, half, axes)  q = Neg (cut) }>
    next = Identity (state)
}"""


def binary(text: str) -> bytes:
    return onnx.parser.parse_model(text).SerializeToString()


def fixed(content: bytes, *arguments: str) -> onnx.ModelProto:
    out = onnx.load_model_from_string(tool.lowered(content, arguments))
    onnx.checker.check_model(out, full_check=True)
    return out


def names(values: Sequence[onnx.ValueInfoProto]) -> list[str]:
    return [value.name for value in values]


def operators(model: onnx.ModelProto) -> list[str]:
    return [node.op_type for node in all_nodes(model)]


def identity_of(kind: int, shape: Sequence[Any] | None, *, ir_version: int = 8, opset: int = 17, default: np.ndarray | None = None, name: str = "x") -> bytes:
    value = helper.make_tensor_value_info
    initializers = [] if default is None else [numpy_helper.from_array(default, name)]
    graph = helper.make_graph([helper.make_node("Identity", [name], ["y"]), helper.make_node("Identity", ["z"], ["w"])], "g", [value(name, kind, shape), value("z", 1, ["n"])], [value("y", kind, None), value("w", 1, ["n"])], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version).SerializeToString()


@pytest.mark.parametrize("rate", [16000, 8000])
def test_a_rate_that_chooses_a_branch(rate: int) -> None:
    content = binary(BY_RATE)
    rng = np.random.default_rng(0)
    feed = {"input": rng.normal(size=(1, 5)).astype(np.float32), "state": rng.normal(size=(2, 1, 4)).astype(np.float32)}
    expected = runtimes.in_onnxruntime(content)({**feed, "sr": np.array(rate)})
    folded = fixed(content, "--input-value", f"sr={rate}")
    assert names(folded.graph.input) == ["input", "state"]
    assert operators(folded) == (["Relu", "Identity"] if rate == 16000 else ["Slice", "Neg", "Identity"])
    # OpenVINO reads both branches of an If, and its target has the If become the one that is taken.
    for_openvino = fixed(content, "--input-value", f"sr={rate}", "--target", "openvino")
    assert "If" not in operators(for_openvino)
    for model in (folded, for_openvino):
        got = runtimes.in_onnxruntime(model.SerializeToString())(feed)
        for name, array in expected.items():
            np.testing.assert_array_equal(got[name], array)
    got = runtimes.in_openvino(for_openvino.SerializeToString())(feed)
    np.testing.assert_array_equal(got["output"], expected["output"])


def test_a_shape_that_only_one_branch_takes() -> None:
    """As Silero's models have it, of which each rate takes another number of samples: a runtime infers the shapes of both branches when it loads the model, finds what follows from them, and refuses the model for the branch that is not taken."""
    content = binary("""<ir_version: 8, opset_import: ["" : 16]> by_rate (float[batch,N] input, int64 sr) => (float[one,batch,two] output)
    <int64 wide = {16000}, int64[1] axis = {0}, int64[1] four = {4}, int64 one_number = {1}, float[1,8,4] w = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, float[1,8,2] r = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}>
    {
        is_wide = Equal (sr, wide)
        output = If (is_wide) <then_branch = a () => (float[one,batch,two] p) { frames = Unsqueeze (input, axis)  last, p = LSTM <hidden_size = 2> (frames, w, r) },
          else_branch = b () => (float[one,batch,two] q) {
            size = Shape (input)  number = Gather <axis = 0> (size, one_number)  four_number = Squeeze (four)  is_four = Equal (number, four_number)
            first = If (is_four) <then_branch = c () => (x) { x = Unsqueeze (input, axis) }, else_branch = d () => (y) { y1 = Unsqueeze (input, axis)  y = Unsqueeze (y1, axis) }>
            all, q = LSTM <hidden_size = 2> (first, w, r) }>
    }""")
    assert len(fixed(content, "--input-shape", "input:1,4").graph.node) > 0
    refused = tool.lower(content, ["--target", "onnxruntime", "--input-shape", "input:1,8"])
    assert "First input tensor must have rank 3" in refused.stderr and "add: --input-value sr=VALUE (or" in refused.stderr, refused.stderr


@pytest.mark.parametrize("kind, text, expected", [
    (TensorProto.INT64, "-5", np.int64(-5)),
    (TensorProto.INT64, "+9223372036854775807", np.int64(2**63 - 1)),
    (TensorProto.UINT64, "18446744073709551615", np.uint64(2**64 - 1)),
    (TensorProto.INT8, "-128", np.int8(-128)),
    (TensorProto.UINT8, "255", np.uint8(255)),
    (TensorProto.FLOAT, "0.1", np.float32(0.1)),
    (TensorProto.FLOAT, "16000", np.float32(16000)),
    (TensorProto.FLOAT, "-inf", np.float32(-np.inf)),
    (TensorProto.DOUBLE, "1e300", np.float64(1e300)),
    (TensorProto.FLOAT16, "0.1", np.float16(0.1)),
    (TensorProto.FLOAT16, "65504", np.float16(65504)),
    (TensorProto.FLOAT16, "1e-7", np.float16(1e-7)),
    (TensorProto.BOOL, "true", np.bool_(True)),
    (TensorProto.BOOL, "0", np.bool_(False)),
])
def test_a_scalar_of_each_type(kind: int, text: str, expected: Any) -> None:
    # The type of a Constant is the one that the declaration of the input says, and so are its bits.
    for shape in ([], None):
        out = onnx.load_model_from_string(tool.lowered(identity_of(kind, shape), ["--input-value", f"x={text}"]))
        assert names(out.graph.input) == ["z"]
        tensor = out.graph.node[0].attribute[0].t
        assert (tensor.data_type, list(tensor.dims)) == (kind, [])
        assert numpy_helper.to_array(tensor).tobytes() == np.asarray(expected).tobytes()
        got = runtimes.in_onnxruntime(out.SerializeToString())({"z": np.zeros(2, np.float32)})["y"]
        assert got.tobytes() == np.asarray(expected).tobytes() and got.shape == ()


@pytest.mark.parametrize("shape, text, expected", [
    ([3], "1,2,3", [3]), ([3], "[1, 2, 3]", [3]), ([1, 3], "1,2,3", [1, 3]), (["m"], "1,2", [2]), (["m"], "7", [1]), ([1, 1], "7", [1, 1]), (["a", 2], "1,2,3,4", [2, 2]), (["a", "b"], "7", [1, 1]),
    (None, "1,2", [2]), (None, "[7]", [1]), ([2, 0], "[]", [2, 0]), (["m"], "[]", [0]),
])
def test_a_list_fills_the_shape(shape: list | None, text: str, expected: list[int]) -> None:
    out = onnx.load_model_from_string(tool.lowered(identity_of(TensorProto.INT64, shape), ["--input-value", f"x={text}"]))
    got = runtimes.in_onnxruntime(out.SerializeToString())({"z": np.zeros(2, np.float32)})["y"]
    assert list(got.shape) == expected and got.ravel().tolist() == [int(word) for word in text.strip("[]").split(",") if word]


def test_text_in_quotes() -> None:
    content = identity_of(TensorProto.STRING, ["n"], name="a=b")
    out = onnx.load_model_from_string(tool.lowered(content, ["--input-value", 'a=b="x=1", plain']))
    assert runtimes.in_onnxruntime(out.SerializeToString())({"z": np.zeros(2, np.float32)})["y"].tolist() == ["x=1", "plain"]


def test_the_dimension_that_a_list_fills_is_known_by_its_name() -> None:
    out = onnx.load_model_from_string(tool.lowered(identity_of(TensorProto.INT64, ["n"]), ["--input-value", "x=1,2,3"]))
    assert [dim.dim_value for dim in out.graph.input[0].type.tensor_type.shape.dim] == [3]
    result = tool.lower(identity_of(TensorProto.INT64, ["n"]), ["--input-value", "x=1,2,3", "--dim", "n=4"])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "the input is declared with 4 elements, and this is 3 elements" in result.stderr


@pytest.mark.parametrize("ir_version, opset", [(3, 7), (3, 9), (4, 9), (8, 17)])
def test_an_input_with_a_default(ir_version: int, opset: int) -> None:
    """The value takes the place of the initializer. Below IR version 4 each initializer had to be an input."""
    content = identity_of(TensorProto.INT64, [2], ir_version=ir_version, opset=opset, default=np.int64([1, 2]))
    # The checker takes no Constant of integers below opset 9, unlike every runtime.
    out = onnx.load_model_from_string(tool.lowered(content, ["--input-value", "x=3,4"]))
    assert names(out.graph.input) == ["z"] and not out.graph.initializer
    np.testing.assert_array_equal(runtimes.in_onnxruntime(out.SerializeToString())({"z": np.zeros(2, np.float32)})["y"], [3, 4])


def test_with_a_shape_and_a_target_of_static_shapes(tmp_path: pathlib.Path) -> None:
    """An input that is none any more needs no shape."""
    board = tmp_path / "board.target"
    board.write_text("# A board.\nshapes static\n")
    content = identity_of(TensorProto.FLOAT, ["a", "b"])
    result = tool.lower(content, ["--target", board, "--input-value", "x=1,2,3,4"])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "give its shape, too, with --input-shape x:?,?" in result.stderr
    out = fixed(content, "--target", str(board), "--input-value", "x=1,2,3,4", "--input-shape", "x:2,2", "--dim", "n=3")
    assert names(out.graph.input) == ["z"]


def test_an_input_that_is_an_output_too() -> None:
    value = helper.make_tensor_value_info
    graph = helper.make_graph([], "g", [value("x", TensorProto.INT64, [2])], [value("x", TensorProto.INT64, [2])])
    out = fixed(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString(), "--input-value", "x=5,6")
    assert names(out.graph.output) == ["x"]
    np.testing.assert_array_equal(runtimes.in_onnxruntime(out.SerializeToString())({})["x"], [5, 6])


@pytest.mark.parametrize("arguments, complaint", [
    (["--input-value", "rs=1"], "the model has no input 'rs'; its inputs are input [batch,N], state [2,1,4], sr; did you mean 'sr'?"),
    (["--input-value", "nothing=1"], "the model has no input 'nothing'; its inputs are input [batch,N], state [2,1,4], sr\n"),
    (["--input-value", "sr=1", "--input-value", "sr=2"], "--input-value sr=2: the input has got a value already"),
    (["--input-value", "sr=1.5"], "'1.5' is no int64, of which the input is: write a whole number that the type holds"),
    (["--input-value", "sr=9223372036854775808"], "'9223372036854775808' is no int64"),
    (["--input-value", "sr=true"], "'true' is no int64"),
    (["--input-value", "state=x"], "the input is declared with"),
    (["--input-value", "sr=1,2"], "the input is declared with 1 element, and this is 2 elements"),
    (["--input-value", "sr"], "write NAME=VALUE, as in sample_rate=16000"),
    (["--input-value", "=1"], "write NAME=VALUE"),
    (["--input-value", "sr="], "there is no value after '='"),
    (["--input-value", "sr=1,,2"], "there is nothing before or after a comma"),
    (["--input-value", "sr=[1"], "the closing ] is missing"),
])
def test_mistakes(arguments: Sequence[str], complaint: str) -> None:
    result = tool.lower(binary(BY_RATE.replace("float[2,batch,4] state", "float[2,1,4] state")), arguments)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert complaint in result.stderr, result.stderr


@pytest.mark.parametrize("kind, text", [(TensorProto.UINT8, "256"), (TensorProto.UINT8, "-1"), (TensorProto.INT8, "128"), (TensorProto.FLOAT, "1e39"), (TensorProto.FLOAT16, "65520"), (TensorProto.FLOAT, "one"),
                                        (TensorProto.BOOL, "2"), (TensorProto.BOOL, "True")])
def test_a_value_that_the_type_does_not_hold(kind: int, text: str) -> None:
    result = tool.lower(identity_of(kind, []), ["--input-value", f"x={text}"])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert f"'{text}' is no {TensorProto.DataType.Name(kind).lower()}, of which the input is" in result.stderr


def test_what_is_no_tensor_of_a_known_type() -> None:
    value = helper.make_tensor_value_info
    sequence = helper.make_tensor_sequence_value_info("x", 1, None)
    for declared, complaint in ((sequence, "not declared as a tensor"), (value("x", TensorProto.COMPLEX64, []), "the input is of complex64, of which no value can be given")):
        graph = helper.make_graph([helper.make_node("Identity", ["z"], ["w"])], "g", [declared, value("z", 1, [2])], [value("w", 1, [2])])
        content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
        result = tool.lower(content, ["--input-value", "x=1"])
        tool.assert_clean_refusal(result, tool.WRONG_USAGE)
        assert complaint in result.stderr


def test_many_models_and_a_manifest(tmp_path: pathlib.Path) -> None:
    (tmp_path / "models").mkdir()
    for name in ("a", "b"):
        (tmp_path / "models" / f"{name}.onnx").write_bytes(binary(BY_RATE))
    result = tool.run([tmp_path / "models", "--output-dir", tmp_path / "all", "--input-value", "sr=16000", "--fold"])
    assert result.status == tool.DONE, str(result)
    for name in ("a", "b"):
        assert names(onnx.load(tmp_path / "all" / f"{name}.onnx").graph.input) == ["input", "state"]
    manifest = tmp_path / "jobs.jsonl"
    lines = [{"input": str(tmp_path / "models" / "a.onnx"), "output": "wide.onnx", "input_value": "sr=16000", "fold": True}, {"input": str(tmp_path / "models" / "a.onnx"), "output": "narrow.onnx", "input_value": ["sr=8000"], "fold": True}]
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = tool.run(["--manifest", manifest, "--output-dir", tmp_path / "each"])
    assert result.status == tool.DONE, str(result)
    assert operators(onnx.load(tmp_path / "each" / "wide.onnx")) == ["Relu", "Identity"]
    assert operators(onnx.load(tmp_path / "each" / "narrow.onnx")) == ["Slice", "Neg", "Identity"]
