# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--input-shape and --dim: the inputs get the dimensions, what follows from them is declared, and the model computes what it did."""
from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Sequence

import numpy as np
import onnx
import pytest
from onnx import parser

import runtimes
import tool

MODEL = """<ir_version: 8, opset_import: ["" : 17, "custom" : 1]>
g (float[N,3,H,W] x, float[N,K] z, float[K] k) => (float[N,a,b] y, float[c,K] w, float u)
<float[N,3,b] mid, float[2] k = {1, 2}>
{
  s = Shape (x)
  two = Constant <value_ints = [0, 1]> ()
  head = Gather (s, two)
  end = Constant <value_ints = [-1]> ()
  shape = Concat <axis = 0> (head, end)
  mid = Reshape (x, shape)
  y = Mul (mid, mid)
  w = Add (z, k)
  u = custom.Unknown (z)
}
"""
KNOWN = MODEL.replace("  u = custom.Unknown (z)\n", "  u = ReduceSum <keepdims = 0> (z)\n")


def binary(text: str) -> bytes:
    return parser.parse_model(text).SerializeToString()


def shaped(text: str, *arguments: str) -> onnx.ModelProto:
    return onnx.load_model_from_string(tool.lowered(binary(text), arguments))


def dims(info: onnx.ValueInfoProto) -> list[int | str]:
    assert info.type.tensor_type.HasField("shape"), info.name
    return [dim.dim_value if dim.HasField("dim_value") else dim.dim_param or "?" for dim in info.type.tensor_type.shape.dim]


def shapes(infos: Sequence[onnx.ValueInfoProto]) -> dict[str, list[int | str]]:
    return {info.name: dims(info) for info in infos}


FEED = {"x": np.arange(2 * 3 * 4 * 5, dtype=np.float32).reshape(2, 3, 4, 5), "z": np.arange(4, dtype=np.float32).reshape(2, 2)}


@pytest.mark.parametrize("fold", [(), ("--fold",)])
def test_what_follows_is_declared_and_the_numbers_stay(fold: Sequence[str]) -> None:
    model = shaped(KNOWN, "--input-shape", "x:2,3,4,5", "--dim", "K=2", *fold)
    assert shapes(model.graph.input) == {"x": [2, 3, 4, 5], "z": [2, 2], "k": [2]}
    assert shapes(model.graph.output) == {"y": [2, 3, 20], "w": [2, 2], "u": []}
    inner = shapes(model.graph.value_info)
    assert inner["mid"] == [2, 3, 20]
    made = {name for node in model.graph.node for name in node.output}
    assert set(inner) == made - {"y", "w", "u"}, "what is declared is what is there"
    onnx.checker.check_model(model, full_check=True)
    without = KNOWN.replace(", \"custom\" : 1", "")  # which ONNX Runtime does not know
    after = runtimes.in_onnxruntime(model.SerializeToString())(FEED)
    for name, before in runtimes.in_onnxruntime(binary(without))(FEED).items():
        np.testing.assert_array_equal(after[name], before)


def test_with_fold_no_computation_on_shapes_is_left() -> None:
    model = shaped(KNOWN, "--input-shape", "x:2,3,4,5", "--fold")
    assert {node.op_type for node in model.graph.node} == {"Constant", "Reshape", "Mul", "Add", "ReduceSum"}


def test_dimensions_may_stay() -> None:
    model = shaped(KNOWN, "--input-shape", "x:?,3,4,?")
    assert shapes(model.graph.input)["x"] == ["N", 3, 4, "W"]
    assert shapes(model.graph.output)["w"] == ["N", "K"]


def test_a_name_is_the_same_everywhere() -> None:
    model = shaped(KNOWN, "--dim=N=2")
    assert shapes(model.graph.input) == {"x": [2, 3, "H", "W"], "z": [2, "K"], "k": ["K"]}
    assert shapes(model.graph.output)["y"][:2] == [2, 3]


def test_nodes_that_stay_as_they_are_keep_what_is_declared_of_them() -> None:
    result = tool.lower(binary(MODEL.replace("float u)", "float[N,7] u)")), ["--dim", "N=2", "--allow-unlowered"])
    assert result.status == tool.DONE, str(result)
    assert shapes(onnx.load_model_from_string(result.stdout).graph.output)["u"] == [2, 7]


def test_an_input_without_a_shape_gets_one() -> None:
    model = onnx.load_model_from_string(binary(KNOWN))
    model.graph.input[0].type.tensor_type.ClearField("shape")
    out = onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--input-shape", "x:2,3,4,5"]))
    assert shapes(out.graph.input)["x"] == [2, 3, 4, 5] and shapes(out.graph.output)["y"] == [2, 3, 20]


def test_a_dimension_of_minus_one_is_open(tmp_path: pathlib.Path) -> None:
    """Paddle's exporter declares it for what it does not know; a target of static shapes asks for it."""
    model = onnx.load_model_from_string(binary('<ir_version: 8, opset_import: ["" : 17]> g (float[N,3] x) => (float[N,3] y) { y = Neg (x) }'))
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -1
    out = onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--input-shape", "x:2,3"]))
    assert shapes([*out.graph.input, *out.graph.output]) == {"x": [2, 3], "y": [2, 3]}
    target = tmp_path / "static.target"
    target.write_text("opset ai.onnx 7..17\nir 3..8\nshapes static\n")
    result = tool.lower(model.SerializeToString(), ["--target", str(target)])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "add: --input-shape x:1,3 (or" in result.stderr, result.stderr


def test_a_scalar_and_a_name_with_a_colon() -> None:
    model = onnx.helper.make_model(onnx.helper.make_graph(
        [onnx.helper.make_node("Add", ["a:0", "b:0"], ["y"])], "g",
        [onnx.helper.make_tensor_value_info("a:0", 1, None), onnx.helper.make_tensor_value_info("b:0", 1, ["n=m"])], [onnx.helper.make_tensor_value_info("y", 1, None)]))
    out = onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--input-shape", "a:0:", "--dim", "n=m=3"]))
    assert shapes(out.graph.input) == {"a:0": [], "b:0": [3]} and shapes(out.graph.output) == {"y": [3]}


def test_lists_of_tensors_follow() -> None:
    out = shaped('<ir_version: 8, opset_import: ["" : 17]> g (float[N] x) => (seq(float[N]) y) { y = SequenceConstruct (x) }', "--dim", "N=3")
    assert [dim.dim_value for dim in out.graph.output[0].type.sequence_type.elem_type.tensor_type.shape.dim] == [3]


def test_a_rule_sees_the_shapes() -> None:
    """The lowering of a global pooling to a window of the input's size needs to know that size."""
    text = '<ir_version: 8, opset_import: ["" : 17, "org.pytorch.aten" : 1]> g (float[N,2,H,W] x) => (float[N,2,a,b] y) { y = org.pytorch.aten.ATen <operator = "adaptive_avg_pool2d"> (x, size) }'
    text = text.replace("{ y", "{ size = Constant <value_ints = [2, 2]> ()\n y")
    tool.assert_clean_refusal(tool.lower(binary(text)), tool.NOT_LOWERED)
    model = shaped(text, "--input-shape", "x:1,2,4,6")
    assert shapes(model.graph.output)["y"] == [1, 2, 2, 2]
    x = np.arange(48, dtype=np.float32).reshape(1, 2, 4, 6)
    expected = x.reshape(1, 2, 2, 2, 2, 3).mean(axis=(3, 5))
    np.testing.assert_allclose(runtimes.in_onnxruntime(model.SerializeToString())({"x": x})["y"], expected, rtol=1e-6)


@pytest.mark.parametrize("arguments, complaint", [
    (["--input-shape", "q:1"], "the model has no input 'q'; its inputs are x ["),
    (["--input-shape", "x:1,2"], "the input has 4 dimensions: x [N,3,H,W]"),
    (["--input-shape", "x:1,4,?,?"], "the model is made for inputs of N,3,H,W: dimension 1 is 3 there"),
    (["--input-shape", "x:1,a"], "'a' is no dimension"),
    (["--input-shape", "x:1,,2"], "'' is no dimension"),
    (["--input-shape", "x:-1,3,4,5"], "'-1' is no dimension"),
    (["--input-shape", "x"], "write NAME:1,3,224,224"),
    (["--dim", "N=2", "--dim", "N=3"], "its dimension 'N' cannot be both 2 and 3"),
    (["--dim", "N=2", "--input-shape", "x:3,3,4,4"], "its dimension 'N' cannot be both 2 and 3"),
    (["--dim", "Q=2"], "no dimension of its inputs has this name; there are N, H, W, K"),
    (["--dim", "N"], "write NAME=N"),
    (["--dim", "=3"], "write NAME=N"),
    (["--dim", "N=99999999999999999999"], "write NAME=N"),
])
def test_mistakes(arguments: Sequence[str], complaint: str) -> None:
    result = tool.lower(binary(KNOWN), arguments)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert complaint in result.stderr, result.stderr


def test_models_that_are_static_already_need_no_name() -> None:
    """Of many models that share their options, some have nothing left to fix."""
    static = '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu (x) }'
    assert shapes(shaped(static, "--dim", "batch=1").graph.output) == {"y": [2]}


def test_a_target_of_static_shapes(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "board.target"
    target.write_text("# A board.\nshapes static\nshapes declared\n")
    result = tool.lower(binary(KNOWN), ["--target", target])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "'x', 'z' have others\n  add: --dim N=1 --dim H=1 --dim W=1 --dim K=1 (or" in result.stderr, "an input with an initializer may be left out"
    out = onnx.load_model_from_string(tool.lowered(binary(KNOWN), ["--target", str(target), "--input-shape", "x:2,3,4,5", "--dim", "K=2"]))
    assert shapes(out.graph.output) == {"y": [2, 3, 20], "w": [2, 2], "u": []}


def test_a_target_of_known_ranks(tmp_path: pathlib.Path) -> None:
    """OpenVINO is asked, too: it takes no input of any number of dimensions, whatever reads it."""
    board = tmp_path / "board.target"
    board.write_text("# A board.\nshapes ranked\n")
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph([onnx.helper.make_node("Add", ["x", "z"], ["y"])], "g", [value("x", 1, None), value("z", 1, ["N"])], [value("y", 1, None)])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
    for target in (board, "openvino-2026.4", "openvino-2024.6", "openvino-2023.3"):
        result = tool.lower(model, ["--target", target])
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert "how many dimensions" in result.stderr and "add: --input-shape x:1 (or" in result.stderr
    feed = {"x": np.float32([[1, -2], [-3, 4], [5, -6]]), "z": np.float32([1, 2])}
    with pytest.raises(RuntimeError, match="rank"):
        runtimes.in_openvino(model)(feed)
    ranked = tool.lowered(model, ["--target", "openvino", "--input-shape", "x:?,2"])
    np.testing.assert_array_equal(runtimes.in_openvino(ranked)(feed)["y"], feed["x"] + feed["z"])


def test_a_target_that_wants_shapes_of_outputs(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "board.target"
    target.write_text("# A board.\nshapes declared\n")
    model = onnx.load_model_from_string(binary('<ir_version: 8, opset_import: ["" : 17]> g (float[2,3] x) => (y) { h = Relu (x)\n y = Transpose (h) }'))
    model.graph.output[0].type.tensor_type.elem_type = 1
    out = onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--target", str(target)]))
    assert shapes(out.graph.output) == {"y": [3, 2]} and not out.graph.value_info
    without = onnx.load_model_from_string(tool.lowered(model.SerializeToString()))
    assert not without.graph.output[0].type.tensor_type.HasField("shape")


def test_a_target_that_wants_shapes_inside(tmp_path: pathlib.Path) -> None:
    """Of what goes into bodies and out of them, and not of the model's outputs. PyTorch 2.2 writes an output of a branch with a type that is of no kind."""
    target = tmp_path / "board.target"
    target.write_text("# A board.\nshapes declared inside\n")
    value = onnx.helper.make_tensor_value_info
    body = onnx.helper.make_graph([onnx.helper.make_node("Add", ["sum", "row"], ["next"]), onnx.helper.make_node("Identity", ["next"], ["out"])], "b",
                                  [onnx.ValueInfoProto(name="sum"), onnx.ValueInfoProto(name="row")], [onnx.ValueInfoProto(name="next"), onnx.ValueInfoProto(name="out")])  # fmt: skip
    scan = onnx.helper.make_node("Scan", ["start", "rows"], ["last", "all"], num_scan_inputs=1, body=body)
    graph = onnx.helper.make_graph([scan], "g", [value("start", 1, [3]), value("rows", 1, [2, 3])], [value("last", 1, None), value("all", 1, None)])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    out = onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--target", str(target)]))
    inside = out.graph.node[0].attribute[0].g if out.graph.node[0].attribute[0].HasField("g") else out.graph.node[0].attribute[1].g
    assert shapes(inside.input) == {"sum": [3], "row": [3]}
    assert shapes(inside.output) == {"next": [3], "out": [3]}
    assert not any(output.type.tensor_type.HasField("shape") for output in out.graph.output)
    assert "expected shapes static" in tool.lower(model.SerializeToString(), ["--target", written_badly(tmp_path)]).stderr
    untyped = onnx.ValueInfoProto(name="a")
    untyped.type.SetInParent()
    branches = {"then_branch": onnx.helper.make_graph([onnx.helper.make_node("Neg", ["x"], ["a"])], "t", [], [untyped]), "else_branch": onnx.helper.make_graph([onnx.helper.make_node("Abs", ["x"], ["b"])], "e", [], [value("b", 1, [3])])}
    graph = onnx.helper.make_graph([onnx.helper.make_node("If", ["c"], ["y"], **branches)], "g", [value("c", 9, []), value("x", 1, [3])], [value("y", 1, [3])])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    out = onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--target", str(target)]))
    assert all(list(shapes(attribute.g.output).values()) == [[3]] for attribute in out.graph.node[0].attribute)


def written_badly(folder: pathlib.Path) -> pathlib.Path:
    path = folder / "wrong.target"
    path.write_text("# A board.\nshapes declared outside\n")
    return path


def test_many_models_share_the_options(tmp_path: pathlib.Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.onnx").write_bytes(binary(KNOWN))
    first = tool.run([tmp_path / "in", "--output-dir", tmp_path / "out", "--dim", "N=2"])
    assert first.status == tool.DONE, str(first)
    assert shapes(onnx.load(tmp_path / "out" / "a.onnx").graph.input)["z"] == [2, "K"]
    again = tool.run([tmp_path / "in", "--output-dir", tmp_path / "out", "--dim", "N=3"])
    assert [json.loads(line)["status"] for line in again.stdout.splitlines()] != ["up_to_date"]
    assert shapes(onnx.load(tmp_path / "out" / "a.onnx").graph.input)["z"] == [3, "K"]


def test_a_node_that_is_refused_for_two_reasons_is_told_of_once(tmp_path: pathlib.Path) -> None:
    """The target does not take it, and it does not take the inputs that are given."""
    target = tmp_path / "board.target"
    target.write_text("# A board.\nConcat  never\n")
    content = binary('<ir_version: 8, opset_import: ["" : 13]> g (float[a,b] x, float[3,4] w) => (float[e,f] y) { [join] y = Concat <axis = 0> (x, w) }')
    result = tool.lower(content, ["--input-shape", "x:2,5", "--target", target])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert result.stderr.count("node 'join'") == 1
    assert "the inputs that are given do not go with it" in result.stderr and re.search("(does not take|has no) Concat", result.stderr)
