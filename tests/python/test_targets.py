# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--target: what is written is what the target's file says that the runtime takes, and the oldest ONNX Runtime that is at hand does take it."""
from __future__ import annotations

import argparse
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import model_checks
import runtimes
import tool

PROBE = tool.REPOSITORY / "targets" / "probe"
sys.path.insert(0, str(PROBE))
import element_types
import measure
import probe
import random_models_in_target
import seeds

sys.path.insert(0, str(tool.REPOSITORY / "targets" / "documents"))
import from_table

BUILT_IN = sorted(path.stem for path in (tool.REPOSITORY / "targets").glob("*.target") if path.stem != "default")
FROM_DOCUMENTS = ["ascend-8.0", "coreml-1.24", "onnxjs-0.1", "qnn-2.5", "rknn-toolkit-1.7", "sentis-2.1", "tensorrt-10.15", "tensorrt-8.6"]
FLOAT, FLOAT16, DOUBLE, INT8, INT64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.INT8, TensorProto.INT64


def model(nodes: list, inputs: dict, outputs: dict, *, opset: int = 18, ir_version: int = 8, others: tuple = (), initializers: tuple = (), functions: tuple = ()) -> bytes:
    values = [[helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in group.items()] for group in (inputs, outputs)]
    graph = helper.make_graph(nodes, "g", *values, list(initializers))
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in others)]
    return helper.make_model(graph, opset_imports=imports, ir_version=ir_version, functions=functions).SerializeToString()


def lowered(content: bytes, target: object, *arguments: object) -> onnx.ModelProto:
    return onnx.load_from_string(tool.lowered(content, ["--target", target, *arguments]))


def written(folder: pathlib.Path, text: str) -> pathlib.Path:
    path = folder / "board.target"
    path.write_text("# A board.\n" + text)
    return path


def operators(of: onnx.ModelProto) -> list[str]:
    return [node.op_type for node in of.graph.node]


def computed(of: onnx.ModelProto, feed: dict) -> list[np.ndarray]:
    return onnxruntime.InferenceSession(of.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feed)


# What is built in.


def test_list() -> None:
    table = tool.run(["--list-targets"])
    assert table.status == tool.DONE
    lines = [line.split(maxsplit=4) for line in table.stdout.decode().splitlines()]
    assert lines[0] == ["TARGET", "OPSET", "IR", "SOURCE", "RUNTIME"] and [line[0] for line in lines[1:]] == BUILT_IN
    listed = json.loads(tool.run(["--list-targets", "--json"]).stdout)
    assert [target["name"] for target in listed] == BUILT_IN
    for target in listed:
        first, last = target["opsets"]["ai.onnx"]
        assert first <= last <= onnx.defs.onnx_opset_version() and target["title"]
        text = (tool.REPOSITORY / "targets" / f"{target['name']}.target").read_text()
        assert (target["static_shapes"], target["declared_shapes"]) == ("\nshapes static\n" in text, "\nshapes declared\n" in text)
        assert (target["filled_inputs"], target["ranked_shapes"]) == ("\ninputs filled\n" in text, "\nshapes ranked\n" in text)
    assert {(target["static_shapes"], target["declared_shapes"]) for target in listed} == {(False, False), (True, False), (False, True)}
    sources = {target["name"]: target["source"] for target in listed}
    assert sources == {line[0]: line[3] for line in lines[1:]} and {name for name, source in sources.items() if source == "documents"} == set(FROM_DOCUMENTS)
    assert set(sources.values()) == {"probe", "documents"}


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_plain_model_is_one_for_every_target(name: str) -> None:
    listed = next(target for target in json.loads(tool.run(["--list-targets", "--json"]).stdout) if target["name"] == name)
    opset, ir_version = (min(plain, found[1] or plain) for plain, found in ((13, listed["opsets"]["ai.onnx"]), (7, listed["ir_versions"])))
    content = model([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=opset, ir_version=ir_version)
    assert tool.lowered(content, ["--target", name]) == content
    # As a user's file it is read to its end, with all conditions.
    assert tool.lowered(content, ["--target", tool.REPOSITORY / "targets" / f"{name}.target"]) == content
    assert tool.run(["--show-target", name]).stdout == (tool.REPOSITORY / "targets" / f"{name}.target").read_bytes()


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_target_says_what_its_file_says(name: str) -> None:
    """It is read line by line, as nodes ask."""
    path = tool.REPOSITORY / "targets" / f"{name}.target"
    special = {line.split()[1] for line in path.read_text().splitlines() if line.startswith(("made ", "rather ", "right "))}
    for op in special:
        for seed in seeds_of(op, {})[:2]:
            content = seed.model.SerializeToString()
            by_name, by_file = (tool.lower(content, ["--target", target]) for target in (name, path))
            assert (by_name.status, by_name.stdout) == (by_file.status, by_file.stdout), seed.name


def test_a_name_without_version_is_the_newest() -> None:
    assert "1.32" in tool.run(["--show-target", "onnxruntime"]).stdout.decode().splitlines()[0]


@pytest.mark.parametrize("target, opset, stays", [("onnxruntime-1.32", 24, True), ("onnxruntime-1.32", 28, False), ("onnxruntime-1.31", 24, False)])
def test_a_function_of_the_schema_stays_at_its_own_opset_alone(target: str, opset: int, stays: bool) -> None:
    """ONNX Runtime 1.32 runs the Swish of opset 24 by the schema's function, in models of opset 24 only; 1.31 does not."""
    content = model([helper.make_node("Swish", ["x"], ["y"])], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])}, opset=opset)
    out = lowered(content, target)
    assert ("Swish" in operators(out)) == stays
    assert stays or "Sigmoid" in operators(out)


def test_a_version_without_a_kernel_becomes_other_operators() -> None:
    """ONNX Runtime 1.32 loads models of opset 28, and has no kernel for its QuantizeLinear."""
    text = '<ir_version: 13, opset_import: ["" : 28]> g (float[3] x) => (uint8[3] y) <float s = {0.5}, uint8 z = {3}> { y = QuantizeLinear (x, s, z) }'
    out = lowered(onnx.parser.parse_model(text).SerializeToString(), "onnxruntime-1.32")
    assert "QuantizeLinear" not in operators(out) or out.opset_import[0].version < 28


# On a GPU.


def test_a_node_without_a_kernel_on_the_gpu_becomes_nodes_with_one_or_stays() -> None:
    """Asinh and GRU run on the CPU there. Nothing says a tree in other operators, and it is taken."""
    x = np.float32([-30, -0.5, 0, 1e-4, 2])
    content = model([helper.make_node("Asinh", ["x"], ["y"])], {"x": (FLOAT, [5])}, {"y": (FLOAT, [5])})
    out = lowered(content, "onnxruntime-cuda")
    assert "Asinh" not in operators(out)
    np.testing.assert_allclose(computed(out, {"x": x})[0], np.arcsinh(x.astype(np.float64)), rtol=3e-7)
    assert operators(lowered(content, "onnxruntime")) == ["Asinh"]
    text = b'<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]> g (string[2] x) => (int64[2] y) { y = ai.onnx.ml.LabelEncoder <keys_strings = ["a"], values_int64s = [1]> (x) }'
    tree = onnx.parser.parse_model(text.decode()).SerializeToString()
    assert operators(lowered(tree, "onnxruntime-cuda")) == ["LabelEncoder"]


@pytest.mark.parametrize("zero_point, stays", [(np.int8(3), True), (np.int8([3]), True), (np.arange(5, dtype=np.int8), False)], ids=["scalar", "one", "each column"])
def test_a_product_of_int8_has_one_zero_point_on_the_gpu(zero_point: np.ndarray, stays: bool) -> None:
    """Its kernel fails in the run with others; products of uint8 have none, and the CPU's takes them."""
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ([4, 3], [3, 5]))
    initializers = (numpy_helper.from_array(b, "b"), numpy_helper.from_array(np.array(zero_point), "z"))
    content = model([helper.make_node("MatMulInteger", ["a", "b", "", "z"], ["y"])], {"a": (INT8, [4, 3])}, {"y": (TensorProto.INT32, [4, 5])}, initializers=initializers)
    out = lowered(content, "onnxruntime-cuda")
    assert ("MatMulInteger" in operators(out) and len(out.graph.node) == 1) == stays
    np.testing.assert_array_equal(computed(out, {"a": a})[0], a.astype(np.int32) @ (b.astype(np.int32) - zero_point))


# What follows from a target.


def test_opset_and_ir_version_follow() -> None:
    content = model([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=22, ir_version=10)
    for name, opset, ir_version in (("onnxruntime-1.8", 14, 7), ("onnxruntime-1.17", 20, 9), ("onnxruntime-1.17,onnxruntime-1.8", 14, 7), ("onnxruntime-1.31", 22, 10)):
        out = lowered(content, name)
        assert (out.opset_import[0].version, out.ir_version) == (opset, ir_version), name
    out = lowered(content, "onnxruntime-1.17", "--target-opset", 13)
    assert out.opset_import[0].version == 13 and out.ir_version <= 9
    assert lowered(content, "onnxruntime-1.8", "--target-opset", 15).opset_import[0].version == 15


def loop_without_condition() -> onnx.NodeProto:
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Neg", ["s"], ["t"])]
    body = helper.make_graph(nodes, "b", [value("i", INT64, []), value("c", TensorProto.BOOL, []), value("s", FLOAT, [2])], [value("d", TensorProto.BOOL, []), value("t", FLOAT, [2])])
    return helper.make_node("Loop", ["m", "", "x"], ["y"], body=body)


@pytest.mark.parametrize("target, node, opset", [("opencv-5.0", helper.make_node("Gelu", ["x"], ["y"], approximate="tanh"), 20), ("onnxruntime-1.8", loop_without_condition(), 13)], ids=["Gelu", "Loop"])
def test_what_a_runtime_takes_no_notice_of_or_crashes_on(target: str, node: onnx.NodeProto, opset: int) -> None:
    """OpenCV computes every Gelu by erf; ONNX Runtime 1.8 crashes on a Loop that has no condition."""
    content = model([node], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=opset, initializers=(numpy_helper.from_array(np.array(3), "m"),))
    out = lowered(content, target)
    assert not any(one.op_type == "Gelu" or (one.op_type == "Loop" and not one.input[1]) for one in out.graph.node)
    feed = {"x": np.float32([-0.5, 1.5])}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5)


def of_text(text: str, opset: int, ir_version: int = 8) -> bytes:
    return onnx.parser.parse_model(f'<ir_version: {ir_version}, opset_import: ["" : {opset}]> g {text}').SerializeToString()


def assert_same_without(op: str, content: bytes, target: object, feed: dict) -> onnx.ModelProto:
    """What is lowered for the target has no such node, and computes the same."""
    out = lowered(content, target)
    assert op not in operators(out)
    for one, other in zip(computed(out, feed), computed(onnx.load_from_string(content), feed)):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    return out


@pytest.mark.parametrize("target", ["onnxruntime-1.8", "onnxruntime-1.20", "openvino-2026.4"])
@pytest.mark.parametrize("opset", [15, 18])
def test_optionals_of_which_it_is_known_what_is_in_them(target: str, opset: int) -> None:
    """Old ONNX Runtime fails where it computes one of a constant before the model runs, and OpenVINO has none."""
    content = of_text("""(float[2] x, bool b) => (float[2] y, bool h, float[2] z) <float[2] c = {1, 2}> {
      o = Optional (x)
      p = Optional (c)
      y = OptionalGetElement (o)
      h = OptionalHasElement (p)
      z = If (b) <then_branch = t () => (float[2] u) { u = OptionalGetElement (p) }, else_branch = e () => (float[2] v) { v = Neg (x) }>
    }""", opset)
    for b in (True, False):
        out = assert_same_without("Optional", content, target, {"x": np.float32([-1, 3]), "b": np.array(b)})
    assert not any(node.op_type.startswith("Optional") for node in model_checks.all_nodes(out))


@pytest.mark.parametrize("target", [name for name in BUILT_IN if name.startswith("onnxruntime-")])
@pytest.mark.parametrize("opset", [9, 11, 14])
@pytest.mark.parametrize(("declared", "axis"), [("3,4,2", 0), ("n,m,k", 1), ("n,m,k", -2), ("3,4,2", 2), ("n,m,k", -1), ("", 0)])
def test_strings_that_are_gathered(declared: str, axis: int, opset: int, target: str) -> None:
    """Of each part behind the axis ONNX Runtime copies the first string alone."""
    words = np.array([f"word {place}" for place in range(24)], object).reshape(3, 4, 2)
    content = of_text(f"(string[{declared}] x, int64[a,b] i) => (string[] y) {{ y = Gather <axis = {axis}> (x, i) }}", opset, 7)
    out = lowered(content, target)
    for data in [words] if "3" in declared else [words, words[:, :, :0] if axis in (0, 1) else words[:0]]:
        places = np.int64([[1, 0], [-1, 1]])
        found = computed(out, {"x": data, "i": places})[0]
        np.testing.assert_array_equal(found, np.take(data, places, axis))
    is_last = axis == -1 or axis == 2
    assert (operators(out) == ["Gather"]) == is_last


@pytest.mark.parametrize("attribute", ["value_float = 1.5", "value_floats = [1.5, 2.0]", "value_int = 3", "value_ints = [3, 4]"])
@pytest.mark.parametrize("opset", [12, 13])
@pytest.mark.parametrize("target", ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"])
def test_constants_of_version_12_in_openvino(attribute: str, opset: int, target: str) -> None:
    """It looks for a tensor there, and in strings of all versions."""
    kind = "float" if "float" in attribute else "int64"
    content = of_text(f"(float[2] x) => (float[2] y) {{ c = Constant <{attribute}> () d = Cast <to = 1> (c) y = Add (x, d) }}".replace("float[2] y", f"float[2] y, {kind}{'[2]' if '[' in attribute else ''} c"), opset)
    out = lowered(content, target)
    assert [node.attribute[0].name for node in out.graph.node if node.op_type == "Constant"] == ["value" if opset == 12 else attribute.split()[0]]
    x = np.float32([1, 2])
    expected = computed(onnx.load_from_string(content), {"x": x})
    for found in (computed(out, {"x": x}), list(runtimes.in_openvino(out.SerializeToString())({"x": x}).values())):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)


def test_strings_as_constants_in_openvino() -> None:
    content = of_text('(float[2] x) => (float[2] y, string c, string[2] d) { y = Abs (x) c = Constant <value_string = "a"> () d = Constant <value_strings = ["b", "c"]> () }', 14)
    assert [node.attribute[0].name for node in lowered(content, "openvino-2026.4").graph.node[1:]] == ["value", "value"]
    found = runtimes.in_openvino(tool.lowered(content, ["--target", "openvino-2026.4"]))({"x": np.float32([-1, 2])})
    assert found["c"].tolist() == "a" and found["d"].tolist() == ["b", "c"]


@pytest.mark.parametrize(("op", "opset"), [("ReduceSum", 13), *((op, 18) for op in ("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSumSquare"))])
def test_reductions_whose_axes_are_not_counted_in_openvino(op: str, opset: int) -> None:
    """It wants to know how many they are; and what has no rank before the model runs, its CPU plugin does not take from any operator."""
    text = "(float[2,3,2] x, int64[n] axes) => (float[a,b,c] y) { r = %s <keepdims = %d> (x, axes) y = Relu (r) }"
    content = of_text(text % (op, 1), opset)
    out = lowered(content, "openvino-2026.4").SerializeToString()
    run = runtimes.in_openvino(out)
    x = np.arange(1, 13, dtype=np.float32).reshape(2, 3, 2)
    for axes in ([1], [0, -1], [2, 1, 0]):
        feed = {"x": x, "axes": np.int64(axes)}
        np.testing.assert_allclose(run(feed)["y"], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5)
    tool.assert_clean_refusal(tool.lower(of_text(text % (op, 0), opset), ["--target", "openvino-2026.4"]), tool.NOT_LOWERED)


def test_an_optional_that_is_an_output_of_the_model(tmp_path: pathlib.Path) -> None:
    kind = helper.make_optional_type_proto(helper.make_tensor_type_proto(FLOAT, [2]))
    nodes = [helper.make_node("Optional", ["x"], ["o"]), helper.make_node("OptionalGetElement", ["o"], ["y"])]
    path = written(tmp_path, "Optional never\nOptionalGetElement never\n")
    alone = helper.make_model(helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", FLOAT, [2])], [helper.make_tensor_value_info("y", FLOAT, [2])]), opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    assert not {"Optional", "OptionalGetElement"} & set(operators(lowered(alone.SerializeToString(), path)))
    alone.graph.output.append(helper.make_value_info("o", kind))
    tool.assert_clean_refusal(tool.lower(alone.SerializeToString(), ["--target", path]), tool.NOT_LOWERED)


def test_an_optional_that_is_handed_on() -> None:
    """Nothing else can stand for it where it comes out of a branch."""
    content = of_text("""(float[2] x, bool b) => (bool h) {
      o = Optional (x)
      p = If (b) <then_branch = t () => (optional(float[2]) u) { u = Identity (o) }, else_branch = e () => (optional(float[2]) v) { v = Identity (o) }>
      h = OptionalHasElement (p)
    }""", 16)
    assert "Optional" in operators(lowered(content, "onnxruntime-1.20"))
    result = tool.lower(content, ["--target", "openvino-2026.4"])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "what reads it is not all OptionalGetElement and OptionalHasElement" in result.stderr


@pytest.mark.parametrize("target, text, shape", [
    ("onnxruntime-1.14", "Transpose <perm: ints = []> (x)", []), ("openvino-2024.6", "Transpose (x)", [3]), ("openvino-2023.3", "Transpose <perm = [0]> (x)", [3]),
])
def test_nothing_is_transposed(target: str, text: str, shape: list) -> None:
    size = "[3]" if shape else "[]"
    content = of_text(f"(float{size} x) => (float{size} y) {{ a = {text} y = Neg (a) }}", 13)
    assert_same_without("Transpose", content, target, {"x": np.arange(3, dtype=np.float32) if shape else np.array(2, np.float32)})


@pytest.mark.parametrize("target", ["onnxruntime-1.8", "onnxruntime-1.20"])
def test_lengths_of_0(target: str) -> None:
    content = of_text("(float[N, M] x, int64[N] n) => (float[N, M] y) { y = ReverseSequence <batch_axis = 0, time_axis = 1> (x, n) }", 13, 7)
    x, n = np.arange(12, dtype=np.float32).reshape(3, 4), np.int64([0, 3, 4])
    out = lowered(content, target)
    assert operators(out) == ["Constant", "Max", "ReverseSequence"] and lowered(out.SerializeToString(), target) == out
    np.testing.assert_array_equal(computed(out, {"x": x, "n": n})[0], [[0, 1, 2, 3], [6, 5, 4, 7], [11, 10, 9, 8]])
    assert "Max" not in operators(lowered(of_text("(float[3, 4] x) => (float[3, 4] y) <int64[3] n = {1, 3, 4}> { y = ReverseSequence <batch_axis = 0, time_axis = 1> (x, n) }", 13, 7), target))


@pytest.mark.parametrize("kind, dtype", [("int64", np.int64), ("int32", np.int32)])
@pytest.mark.parametrize("count", ["1", "N"])
@pytest.mark.parametrize("steps", [False, True])
def test_axes_that_a_slice_does_not_say(kind: str, dtype: type, count: str, steps: bool) -> None:
    """Of the axes that are not sliced ONNX Runtime 1.8 leaves nothing."""
    names = ["s", "e", "t"] if steps else ["s", "e"]
    declared = ", ".join(f"{kind}[{count}] {name}" for name in names)
    content = of_text(f"(float[4, 3] x, {declared}) => (float[M, K] y) {{ y = Slice (x, s, e{', &&, t'.replace('&&', chr(34) * 2) if steps else ''}) }}", 13, 7)
    out = lowered(content, "onnxruntime-1.8")
    assert all(node.input[3] for node in out.graph.node if node.op_type == "Slice")
    feed = dict(zip(names, (np.array([value], dtype) for value in (1, 4, 2))))
    np.testing.assert_array_equal(computed(out, {"x": np.arange(12, dtype=np.float32).reshape(4, 3), **feed})[0], np.arange(12).reshape(4, 3)[1 : 4 : 2 if steps else 1])


def test_axes_that_an_old_slice_does_not_say() -> None:
    content = of_text("(float[4, 3] x) => (float[2, 3] y) { y = Slice <starts = [1], ends = [3]> (x) }", 8, 4)
    out = assert_same_without("", content, "onnxruntime-1.8", {"x": np.arange(12, dtype=np.float32).reshape(4, 3)})
    assert [attribute.name for attribute in out.graph.node[-1].attribute if attribute.name == "axes"] == ["axes"]


@pytest.mark.parametrize("opset", [11, 13])
def test_parts_without_elements(opset: int) -> None:
    sizes = "<split = [2, 0, 1]> (x)" if opset < 13 else "(x, s)"
    content = of_text(f"(float[3] x) => (float[2] a, float[0] b, float[1] c) <int64[3] s = {{2, 0, 1}}> {{ a, b, c = Split {sizes} }}", opset)
    assert_same_without("Split", content, "openvino-2024.6", {"x": np.float32([1, 2, 3])})


@pytest.mark.parametrize("text, op, inputs", [("QuantizeLinear (x, s)", "QuantizeLinear", 3), ("Gemm (x, x)", "Gemm", 3)])
def test_inputs_that_the_oldest_runtime_does_not_do_without(text: str, op: str, inputs: int) -> None:
    kind = "uint8" if op == "QuantizeLinear" else "float"
    content = of_text(f"(float[2, 2] x) => ({kind}[2, 2] y) <float s = {{0.5}}> {{ y = {text} }}", 13, 7)
    out = assert_same_without("", content, "onnxruntime-1.8", {"x": np.float32([[1, 2], [3, 4]])})
    assert [len(node.input) for node in out.graph.node if node.op_type == op] == [inputs]


@pytest.mark.parametrize("indices", [np.int64, np.int32, np.uint8])
@pytest.mark.parametrize("depth", [np.int64, np.int32, np.float32])
@pytest.mark.parametrize("values", [np.float32, np.float64, np.int8, np.int32, np.int64, np.bool_])
def test_types_of_one_hot(indices: type, depth: type, values: type) -> None:
    """ONNX Runtime has kernels of few of them together, so that what it is given is one of these."""
    feed = {"i": np.array([2, 0, 5], indices), "d": np.array(3, depth), "v": np.array([0, 1], values)}
    kinds = {name: helper.np_dtype_to_tensor_dtype(value.dtype) for name, value in feed.items()}
    content = model([helper.make_node("OneHot", ["i", "d", "v"], ["y"])], {name: (kinds[name], value.shape) for name, value in feed.items()}, {"y": (kinds["v"], [3, 3])}, opset=13)
    found = computed(lowered(content, "onnxruntime-1.31"), feed)[0]
    assert found.dtype == values
    np.testing.assert_array_equal(found, np.array([[0, 0, 1], [1, 0, 0], [0, 0, 0]], values))


@pytest.mark.parametrize("target", ["onnxruntime-1.8", "onnxruntime-1.14"])
def test_limits_of_integers_for_old_runtimes(target: str) -> None:
    content = of_text("(uint32[3] x, uint32 low, uint32 high) => (uint32[3] y) { y = Clip (x, low, high) }", 13, 7)
    assert_same_without("Clip", content, target, {"x": np.uint32([1, 5, 9]), "low": np.array(2, np.uint32), "high": np.array(6, np.uint32)})


def test_what_is_said_of_nodes_that_rules_make_alone(tmp_path: pathlib.Path) -> None:
    """It says nothing of those of the model, be they taken or not."""
    content = model([helper.make_node("FastGelu", ["x"], ["y"], domain="com.microsoft")], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, others=("com.microsoft",))
    line = "com.microsoft::FastGelu always\n"
    assert operators(lowered(content, written(tmp_path, line))) == ["FastGelu"]
    assert "FastGelu" not in operators(lowered(content, written(tmp_path, "nodes made\n" + line)))


def test_a_condition_on_an_output_is_asked_of_each_node(tmp_path: pathlib.Path) -> None:
    """Two nodes have the same inputs and attributes, and the second has one more output."""
    windows = dict(kernel_shape=[2, 2], strides=[2, 2])
    outputs = {name: (kind, [1, 1, 2, 2]) for name, kind in (("y", FLOAT), ("z", FLOAT), ("places", INT64))}
    content = model([helper.make_node("MaxPool", ["x"], ["y"], **windows), helper.make_node("MaxPool", ["x"], ["z", "places"], **windows)], {"x": (FLOAT, [1, 1, 4, 4])}, outputs)
    result = tool.lower(content, ["--target", written(tmp_path, "MaxPool not present(Indices)\n")])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "node 'z' (ai.onnx::MaxPool) cannot be lowered" in result.stderr and "node 'y'" not in result.stderr
    assert "board takes it only where not present(Indices), and Indices is present" in result.stderr


def test_what_nothing_needs_and_the_runtime_does_not_take(tmp_path: pathlib.Path) -> None:
    """Runtimes leave such nodes out, but some look at them first."""
    board = written(tmp_path, "RegexFullMatch never\nIdentity always\n")
    content = of_text("""(string[2] s, float[2] x, bool b) => (float[2] y) <string[2] t = {"a", "b"}> {
      m = RegexFullMatch <pattern = "a"> (s)
      n = Not (m)
      k = If (b) <then_branch = h () => (bool[2] u) { u = And (m, n) }, else_branch = e () => (bool[2] v) { v = Identity (n) }>
      y = If (b) <then_branch = f () => (float[2] w) { q = RegexFullMatch <pattern = "b"> (t) w = Neg (x) }, else_branch = g () => (float[2] z) { z = Identity (x) }>
    }""", 20, 9)
    out = lowered(content, board)
    assert sorted(node.op_type for node in model_checks.all_nodes(out)) == ["Identity", "If", "Neg"] and not out.graph.initializer
    assert [value.name for value in out.graph.input] == ["s", "x", "b"]
    for b in (True, False):
        feed = {"s": np.array(["a", "c"], object), "x": np.float32([1, 2]), "b": np.array(b)}
        np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])
    assert tool.lowered(content) == content
    # What is taken stays, but for nodes that hold graphs.
    taken = lowered(content, written(tmp_path, "opset 7..26\n"))
    assert operators(taken) == ["RegexFullMatch", "Not", "If"] and len(list(model_checks.all_nodes(taken))) == 6
    inside = helper.make_function("d", "F", ["s", "x"], ["y"], [
        helper.make_node("RegexFullMatch", ["s"], ["m"], pattern="a"), helper.make_node("Not", ["m"], ["n"]), helper.make_node("Neg", ["x"], ["y"]),
    ], [helper.make_opsetid("", 20)])  # fmt: skip
    call = model([helper.make_node("F", ["s", "x"], ["y"], domain="d")], {"s": (TensorProto.STRING, [2]), "x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=20, ir_version=9, others=("d",), functions=(inside,))
    assert operators(lowered(call, board)) == ["Neg"]
    board = written(tmp_path, "RegexFullMatch never\nLoop present(cond)\n")
    for needed in (
        "(string[2] s) => (bool[2] n) { m = RegexFullMatch <pattern = \"a\"> (s) n = Not (m) }",
        # A rule takes this body for its own, with all that it reads.
        """(string[2] s, int64 k, float[2] x) => (float[2] y) {
          m = RegexFullMatch <pattern = "a"> (s)
          y = Loop (k, "", x) <body = b (int64 i, bool c, float[2] v) => (bool d, float[2] w) { n = Not (m) d = Identity (c) w = Neg (v) }>
        }""",
    ):
        tool.assert_clean_refusal(tool.lower(of_text(needed, 20, 9), ["--target", board]), tool.NOT_LOWERED)


@pytest.mark.parametrize("size, recognized", [(4, False), (15, False), (16, True)])
@pytest.mark.parametrize("own, opset", [(False, 23), (True, 23), (True, 17), (True, 11)])
def test_root_mean_squares_of_few_elements(size: int, recognized: bool, own: bool, opset: int) -> None:
    """OpenVINO 2024 crashes on what it recognizes as an RMSNormalization of fewer than 16: the mean of a power."""
    nodes = "y = RMSNormalization (x, s)" if not own else "p = Pow (x, two) m = ReduceMean (p, last) e = Add (m, few) r = Sqrt (e) d = Div (x, r) y = Mul (d, s)"
    if opset < 18:
        nodes = nodes.replace("ReduceMean (p, last)", "ReduceMean <axes = [-1]> (p)")
    content = of_text(f"(float[2,{size}] x, float[{size}] s) => (float[2,{size}] y) <float two = {{2}}, float few = {{0.00001}}, int64[1] last = {{-1}}> {{ {nodes} }}", opset, 10)
    out = lowered(content, "openvino-2024.6")
    makers = {name: node.op_type for node in out.graph.node for name in node.output}
    assert any(node.op_type == "ReduceMean" and makers.get(node.input[0]) == "Pow" for node in out.graph.node) == recognized
    feed = {"x": np.random.default_rng(0).normal(size=(2, size)).astype(np.float32), "s": np.arange(size, dtype=np.float32)}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5)


@pytest.mark.parametrize("limits", [2, 3])
@pytest.mark.parametrize("constant", [False, True])
def test_limits_of_suppression_without_dimensions(limits: int, constant: bool) -> None:
    """tract wants them with one, as onnx's tests have them, and not as its text says."""
    boxes = np.float32([[[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101]]])
    feed = {"boxes": boxes, "scores": np.float32([[[0.9, 0.75, 0.6, 0.95, 0.5, 0.3]]])}
    given = {"most": np.array(3, np.int64), "overlap": np.array(0.5, np.float32), "least": np.array(0.4, np.float32)}
    given = dict(list(given.items())[:limits])
    inputs = {"boxes": (FLOAT, [1, "n", 4]), "scores": (FLOAT, [1, 1, "n"]), **({} if constant else {name: (helper.np_dtype_to_tensor_dtype(value.dtype), []) for name, value in given.items()})}
    initializers = tuple(numpy_helper.from_array(value, name) for name, value in given.items()) if constant else ()
    content = model([helper.make_node("NonMaxSuppression", ["boxes", "scores", *given], ["y"])], inputs, {"y": (INT64, ["k", 3])}, opset=13, initializers=initializers)
    out = lowered(content, "tract-0.23")
    assert operators(out).count("Reshape") == limits
    fed = feed if constant else {**feed, **given}
    np.testing.assert_array_equal(computed(out, fed)[0], computed(onnx.load_from_string(content), fed)[0])


@pytest.mark.parametrize("target, attribute, value", [("onnxruntime-1.8", "value_ints", [3, 4]), ("onnxruntime-1.8", "value_floats", [0.5, 2.0]), ("opencv-5.0", "value_int", 3), ("opencv-5.0", "value_float", 0.5)])
def test_constants_that_are_no_tensors(target: str, attribute: str, value: object) -> None:
    """ONNX Runtime 1.8 reads one number of a list, and what lies behind it; OpenCV gives a single one a dimension."""
    nodes = [helper.make_node("Constant", [], ["c"], **{attribute: value}), helper.make_node("Cast", ["c"], ["f"], to=FLOAT), helper.make_node("Add", ["x", "f"], ["y"])]
    out = lowered(model(nodes, {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=13), target)
    assert [one.attribute[0].name for one in out.graph.node if one.op_type == "Constant"] == ["value"]
    np.testing.assert_array_equal(computed(out, {"x": np.float32([1, 2])})[0], np.float32([1, 2]) + np.float32(value))


TYPED = [(TensorProto.BOOL, [True, False]), (TensorProto.FLOAT16, [1.5, -2.0]), (TensorProto.INT8, [3, -2]), (TensorProto.UINT32, [3, 2**31]), (TensorProto.UINT64, [3, 2**63]), (TensorProto.FLOAT, [0.5, 7.0])]


def test_a_constant_as_raw_data(tmp_path: pathlib.Path) -> None:
    """Alone in a model without initializers, and in a function that stays."""
    constant = helper.make_node("Constant", [], ["c"], value=helper.make_tensor("value", TensorProto.BOOL, [2], [True, False]))
    path = written(tmp_path, "types raw (bool)\n")
    out = lowered(model([constant, helper.make_node("And", ["x", "c"], ["y"])], {"x": (TensorProto.BOOL, [2])}, {"y": (TensorProto.BOOL, [2])}), path)
    assert out.graph.node[0].attribute[0].t.raw_data == b"\x01\x00"
    function = helper.make_function("d", "F", ["a"], ["b"], [constant, helper.make_node("And", ["a", "c"], ["b"])], [helper.make_opsetid("", 18)])
    out = lowered(model([helper.make_node("F", ["x"], ["y"], domain="d")], {"x": (TensorProto.BOOL, [2])}, {"y": (TensorProto.BOOL, [2])}, others=("d",), functions=(function,)), path, "--keep", "d::F")
    assert out.functions[0].node[0].attribute[0].t.raw_data == b"\x01\x00"


def test_constants_in_all_graphs_of_a_node_as_raw_data(tmp_path: pathlib.Path) -> None:
    """And nowhere else in the model."""
    body = loop([helper.make_node("Constant", [], ["k"], value=helper.make_tensor("value", TensorProto.BOOL, [2], [True, False])),
                 helper.make_node("Cast", ["k"], ["f"], to=FLOAT), helper.make_node("Add", ["before", "f"], ["after"])], states={"before": "after"}, collected={})
    content = model([helper.make_node("Loop", ["m", "", "start"], ["y"], body=body)], {"start": (FLOAT, [2]), "m": (INT64, [])}, {"y": (FLOAT, [2])})
    out = lowered(content, written(tmp_path, "types raw (bool)\n"))
    (constant,) = (node for node in out.graph.node[0].attribute[0].g.node if node.op_type == "Constant")
    assert constant.attribute[0].t.raw_data == b"\x01\x00"


def test_two_types_of_half_precision_in_one_node() -> None:
    """ONNX Runtime takes no such Pow. The result has the type of the base, whichever the exponent has."""
    out = lowered(of_text("(float16[4] x, bfloat16[4] w) => (float16[4] y) { y = Pow (x, w) }", 18), "onnxruntime-1.17")
    last = out.graph.node[-1]
    assert operators(out) == ["Cast", "Cast", "Pow", "Cast"] and last.attribute[0].i == FLOAT16
    assert out.graph.output[0].type.tensor_type.elem_type == FLOAT16


def test_half_precision_in_several_types_of_one_node(tmp_path: pathlib.Path) -> None:
    """The operator itself, in float, and not what a rule makes of it."""
    names = ("x", "scale", "b", "mean", "var")
    shapes = {"x": [2, 3, 4], **dict.fromkeys(names[1:], [3])}
    content = model([helper.make_node("BatchNormalization", [*names], ["y"])], {name: (FLOAT16, shape) for name, shape in shapes.items()}, {"y": (FLOAT16, [2, 3, 4])})
    out = lowered(content, written(tmp_path, "BatchNormalization dtype(X) == float and dtype(scale) == float and dtype(input_mean) == float\n"))
    assert sorted(operators(out)) == ["BatchNormalization", *["Cast"] * 6]


@pytest.mark.parametrize("split", [False, True])
def test_tensors_as_raw_data(split: bool, tmp_path: pathlib.Path) -> None:
    """Initializers, Constants of the model, those in a graph of a node, and those that a rule makes; of the types that are named, and of no other."""
    path = written(tmp_path, "types raw (bool, float16, int8, uint32, uint64)\nNot never\n")
    rule = tmp_path / "not.onnxtxt"
    rule.write_text('<domain: "d", opset_import: ["" : 18]>\nNegated (x) => (y) { f = Constant <value = bool[2] {0, 0}> ()  y = Equal (x, f) }\n')
    tensors = [helper.make_tensor(f"t{kind}", kind, [2], values) for kind, values in TYPED]
    constants = [helper.make_node("Constant", [], [f"c{kind}"], value=helper.make_tensor("value", kind, [2], values)) for kind, values in TYPED]
    inside = helper.make_tensor("value", TensorProto.BOOL, [2], [False, True])
    branches = {name: helper.make_graph([helper.make_node("Constant", [], [name], value=inside)], name, [], [helper.make_tensor_value_info(name, TensorProto.BOOL, [2])]) for name in ("then_branch", "else_branch")}
    nodes = [*constants, helper.make_node("If", ["c"], ["i"], **branches), helper.make_node("Negated", ["i"], ["n"], domain="d")]
    outputs = {"n": (TensorProto.BOOL, [2])}
    for kind, _ in TYPED:
        nodes += [helper.make_node("Concat", [f"t{kind}", f"c{kind}"], [f"j{kind}"], axis=0), helper.make_node("Cast", [f"j{kind}"], [f"y{kind}"], to=TensorProto.DOUBLE)]
        outputs[f"y{kind}"] = (DOUBLE, [4])
    content = model(nodes, {"c": (TensorProto.BOOL, [])}, outputs, others=("d",), initializers=tensors)
    (tmp_path / "in.onnx").write_bytes(content)
    result = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--target", path, "--rules", rule, *(["--external-data", "split"] if split else [])])
    assert result.status == tool.DONE, str(result)
    out = onnx.load(tmp_path / "out.onnx")
    found = {}
    for tensor in [*out.graph.initializer, *(attribute.t for node in out.graph.node for attribute in node.attribute if attribute.type == onnx.AttributeProto.TENSOR),
                   *(node.attribute[0].t for attribute in next(node for node in out.graph.node if node.op_type == "If").attribute for node in attribute.g.node)]:  # fmt: skip
        found.setdefault(tensor.data_type, []).append(tensor.HasField("raw_data"))
    assert found == {TensorProto.BOOL: [True] * 5, **{kind: [kind != FLOAT] * 2 for kind, _ in TYPED[1:]}}
    y = dict(zip(outputs, computed(out, {"c": np.array(True)})))
    np.testing.assert_array_equal(y["n"], [True, False])
    for kind, values in TYPED:
        np.testing.assert_array_equal(y[f"y{kind}"], np.float64([*values, *values]))


@pytest.mark.parametrize("newest", [1, 3])
def test_the_opset_of_another_standard_domain_follows(newest: int, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, f"opset ai.onnx.ml 1..{newest}\n")
    nodes = [helper.make_node("Binarizer", ["x"], ["y"], domain="ai.onnx.ml", threshold=0.5)]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", FLOAT, [2])], [helper.make_tensor_value_info("y", FLOAT, [2])])
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 4)], ir_version=8)
    out = lowered(content.SerializeToString(), path)
    assert {given.domain: given.version for given in out.opset_import}["ai.onnx.ml"] == newest
    x = np.float32([0.25, 0.75])
    np.testing.assert_array_equal(computed(out, {"x": x})[0], [0, 1])


def test_an_older_opset_whose_operator_the_runtime_has() -> None:
    """ONNX Runtime 1.31 has kernels for the RoiAlign of opset 16 and for random numbers up to opset 21, and none for those of opset 22."""
    rng = np.random.default_rng(0)
    x = rng.random((1, 2, 8, 8), np.float32)
    rois, batches = np.float32([[0, 0, 7, 7], [1, 2, 5, 6]]), np.zeros(2, np.int64)
    nodes = [helper.make_node("RoiAlign", ["x", "rois", "batches"], ["r"], output_height=3, output_width=3, sampling_ratio=2),
             helper.make_node("RandomNormalLike", ["r"], ["noise"], scale=1e-30), helper.make_node("Add", ["r", "noise"], ["y"])]  # fmt: skip
    inputs = {"x": (FLOAT, x.shape), "rois": (FLOAT, rois.shape), "batches": (INT64, batches.shape)}
    written = {opset: model(nodes, inputs, {"y": (FLOAT, None)}, opset=opset, ir_version=8) for opset in (16, 22)}
    made = lowered(written[22], "onnxruntime-1.31")
    assert made.opset_import[0].version == 21
    feed = {"x": x, "rois": rois, "batches": batches}
    np.testing.assert_array_equal(computed(made, feed)[0], computed(onnx.load_from_string(written[16]), feed)[0])
    # Where another operator is refused for good, the opset stays what it was.
    kept = model([helper.make_node("Swish", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=24)
    assert lowered(kept, "onnxruntime-1.31").opset_import[0].version == 24


@pytest.mark.parametrize("newest", [1, 2])
def test_the_version_of_another_standard_domain_follows(newest: int, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, f"opset 13..17\nopset ai.onnx.ml 1..{newest}\n")
    for node in ('Normalizer <norm = "L2"> (x)', "LabelEncoder <keys_floats = [1.0], values_floats = [2.0]> (x)"):
        text = f'<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]> g (float[1, 2] x) => (float[1, 2] y) {{ y = ai.onnx.ml.{node} }}'
        content = onnx.parser.parse_model(text).SerializeToString()
        out = lowered(content, path)
        if "Label" in node and newest == 1:
            assert [entry.domain for entry in out.opset_import] == [""]  # version 1 has no keys that are numbers
        else:
            assert {entry.domain: entry.version for entry in out.opset_import} == {"": 17, "ai.onnx.ml": newest}
        feed = {"x": np.array([[1, 2]], np.float32)}
        np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


def test_a_runtimes_own_operators_stay() -> None:
    nodes = [helper.make_node("FusedMatMul", ["a", "b"], ["y"], domain="com.microsoft", alpha=2.0, transB=1)]
    content = model(nodes, {"a": (FLOAT, [2, 3]), "b": (FLOAT, [4, 3])}, {"y": (FLOAT, [2, 4])}, others=("com.microsoft",))
    feed = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.ones((4, 3), np.float32)}
    stays, goes = lowered(content, "onnxruntime"), lowered(content, "any")
    assert operators(stays) == ["FusedMatMul"] and "FusedMatMul" not in operators(goes)
    assert [entry.domain for entry in stays.opset_import] == ["", "com.microsoft"]
    np.testing.assert_allclose(computed(stays, feed)[0], computed(goes, feed)[0], rtol=1e-6)
    # Only where all targets take it, and for the types that they do.
    assert "FusedMatMul" not in operators(lowered(content, "onnxruntime,openvino"))
    other = model(nodes, {"a": (FLOAT16, [2, 3]), "b": (FLOAT16, [4, 3])}, {"y": (FLOAT16, [2, 4])}, others=("com.microsoft",))
    assert "FusedMatMul" not in operators(lowered(other, "onnxruntime"))


def test_a_users_rule_goes_before_a_kernel(tmp_path: pathlib.Path) -> None:
    (tmp_path / "rule.onnxtxt").write_text('<domain: "com.microsoft", opset_import: ["" : 18]>\nGelu (x) => (y) { y = Relu (x) }\n')
    content = model([helper.make_node("Gelu", ["x"], ["y"], domain="com.microsoft")], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, others=("com.microsoft",))
    assert operators(lowered(content, "onnxruntime")) == ["Gelu"]
    assert operators(lowered(content, "onnxruntime", "--rules", tmp_path / "rule.onnxtxt")) == ["Relu"]


# Conditions.


def test_never(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Softsign", ["x"], ["y"])], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])})
    assert operators(lowered(content, "any")) == ["Softsign"]
    out = lowered(content, written(tmp_path, "Softsign never\n"))
    assert "Softsign" not in operators(out)
    x = np.array([-2, 0, 3], np.float32)
    np.testing.assert_allclose(computed(out, {"x": x})[0], x / (1 + np.abs(x)), rtol=1e-6)


def test_an_attribute_that_several_targets_ask_for_is_written_once(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Softmax", ["x"], ["y"])], {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, [2, 3])})
    boards = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        boards.append(written(tmp_path / name, "Softmax attribute(axis)\nSoftmax attribute(axis) and axis == -1\n"))
    out = lowered(content, ",".join(map(str, boards)))
    assert [(attribute.name, attribute.i) for attribute in out.graph.node[0].attribute] == [("axis", -1)]
    x = np.array([[1, 2, 3], [3, 2, 1]], np.float32)
    np.testing.assert_allclose(computed(out, {"x": x})[0], np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True), rtol=1e-6)


def test_others_never(tmp_path: pathlib.Path) -> None:
    """Only what a line speaks of is taken then, at the versions that it speaks of."""
    content = model([helper.make_node("Softsign", ["x"], ["y"])], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])})
    body = "others never\nConstant always\nCast always\nCastLike always\nAbs always\nAdd dtype(A) == float\n"
    assert operators(lowered(content, written(tmp_path, body + "Softsign always\n"))) == ["Softsign"]
    out = lowered(content, written(tmp_path, body + "Div 14 always\n"))
    assert set(operators(out)) <= {"Constant", "CastLike", "Cast", "Abs", "Add", "Div"} and "Softsign" not in operators(out)
    x = np.array([-2, 0, 3], np.float32)
    np.testing.assert_allclose(computed(out, {"x": x})[0], x / (1 + np.abs(x)), rtol=1e-6)
    for line in ("Div 7..13 always", "Div never"):
        result = tool.lower(content, ["-v", "--target", written(tmp_path, f"{body}{line}\n")])
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert re.search("board (has no Softsign|does not take Softsign of version 1)", result.stderr) and re.search("board (has no Div|does not take Div of version 14)", result.stderr)
    assert operators(lowered(content, written(tmp_path, "others always\n"))) == ["Softsign"]


def test_a_form_whose_body_is_not_taken_declines(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Softsign", ["x"], ["y"])], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])})
    result = tool.lower(content, ["-v", "--target", written(tmp_path, "Softsign never\nDiv never\n")])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert re.search("board (has no Softsign|does not take Softsign of version 1)", result.stderr) and re.search("board (has no|does not take) Div", result.stderr)


@pytest.mark.parametrize("opset", [11, 12, 13, 17, 21])
@pytest.mark.parametrize("op, attributes", [
    *((op, attributes) for op in ("Softmax", "LogSoftmax", "Hardmax") for attributes in ({}, {"axis": 0}, {"axis": 1}, {"axis": 2})),
    ("ArgMax", {}), ("ArgMax", {"axis": 1, "keepdims": 0}), ("ArgMin", {"axis": 2}), ("ArgMin", {"axis": -1, "keepdims": 0}),
])
def test_what_a_refused_operator_means_at_its_version(op: str, attributes: dict, opset: int, tmp_path: pathlib.Path) -> None:
    """Below 13, Softmax and its like go over all dimensions from the axis on, which is 1 by default."""
    kind = INT64 if op.startswith("Arg") else FLOAT
    content = model([helper.make_node(op, ["x"], ["y"], **attributes)], {"x": (FLOAT, [2, 3, 4])}, {"y": (kind, None)}, opset=opset)
    out = lowered(content, written(tmp_path, f"{op} never\n"))
    assert op not in operators(out)
    x = np.random.default_rng(1).integers(-3, 3, (2, 3, 4)).astype(np.float32)
    np.testing.assert_allclose(computed(out, {"x": x})[0], computed(onnx.load_from_string(content), {"x": x})[0], rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int8, np.int32, np.int64, np.uint8])
def test_to_bool_without_a_cast(dtype: type, tmp_path: pathlib.Path) -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    content = model([helper.make_node("Cast", ["x"], ["y"], to=TensorProto.BOOL)], {"x": (kind, [6])}, {"y": (TensorProto.BOOL, [6])})
    out = lowered(content, written(tmp_path, "Cast not to == 9\n"))
    x = np.array([0, 1, 3, 0, 2, 0]).astype(dtype)
    if np.dtype(dtype).kind == "f":
        x[:4] = [0.25, -0.0, np.nan, -0.5]
    np.testing.assert_array_equal(computed(out, {"x": x})[0], x.astype(bool))
    assert [node.attribute[0].i for node in out.graph.node if node.op_type == "Cast"] in ([], [kind])


@pytest.mark.parametrize("attributes, split, parts", [
    ({"axis": 1}, np.int64([2, 3]), [(0, 2), (2, 5)]), ({"axis": -1}, np.int64(2), [(0, 2), (2, 4), (4, 5)]), ({"axis": 1}, None, [(i, i + 1) for i in range(5)]),
    ({"axis": 1, "keepdims": 0}, None, [(i, i + 1) for i in range(5)]), ({"axis": 1, "keepdims": 0}, np.int64(5), [(0, 5)])])
def test_lists_that_are_taken_apart(attributes: dict, split: np.ndarray | None, parts: list, tmp_path: pathlib.Path) -> None:
    positions = [numpy_helper.from_array(np.int64(position), f"at{position}") for position in (0, -1)]
    sizes = [] if split is None else [numpy_helper.from_array(split, "split")]
    nodes = [helper.make_node("SplitToSequence", ["x", *(tensor.name for tensor in sizes)], ["list"], **attributes), helper.make_node("SequenceAt", ["list", "at0"], ["first"]),
             helper.make_node("SequenceAt", ["list", "at-1"], ["last"]), helper.make_node("SequenceConstruct", ["last", "first"], ["turned"]),
             helper.make_node("ConcatFromSequence", ["turned"], ["all"], axis=0)]
    content = model(nodes, {"x": (FLOAT, [2, 5])}, dict.fromkeys(("first", "last", "all"), (FLOAT, None)), opset=13, initializers=(*positions, *sizes))
    out = lowered(content, written(tmp_path, "SplitToSequence never\nSequenceAt never\nConcatFromSequence never\n"))
    x = np.arange(10, dtype=np.float32).reshape(2, 5)
    squeezes = split is None and attributes.get("keepdims") == 0
    first, last = (x[:, begin] if squeezes else x[:, begin:end] for begin, end in (parts[0], parts[-1]))
    if first.shape != last.shape:  # ONNX Runtime finds it out by itself
        content, out = (onnx.utils.Extractor(of).extract_model(["x"], ["first", "last"]) for of in (onnx.load_from_string(content), out))
    results = computed(out, {"x": x})
    for found, expected in zip(results, [first, last, np.concatenate([last, first])] if first.shape == last.shape else [first, last]):
        np.testing.assert_array_equal(found, expected)
    assert not [name for name in operators(out) if "Sequence" in name]


def test_what_holds_for_made_nodes_only(tmp_path: pathlib.Path) -> None:
    nodes = [helper.make_node("sgn", ["x"], ["s"], domain="aten"), helper.make_node("Greater", ["s", "x"], ["y"])]
    content = model(nodes, {"x": (FLOAT, [3])}, {"y": (TensorProto.BOOL, [3])}, others=("aten",))
    out = lowered(content, written(tmp_path, "made Greater never\n"))
    assert operators(out).count("Greater") == 1 and operators(out)[-1] == "Greater"
    assert operators(lowered(content, written(tmp_path, "made Less never\n"))).count("Greater") == 3
    x = np.float32([-2, 0.5, np.nan])
    assert computed(out, {"x": x})[0].tolist() == [True, True, False]


@pytest.mark.parametrize("op", ["Greater", "GreaterOrEqual"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_comparisons_the_other_way_round(op: str, dtype: type, tmp_path: pathlib.Path) -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    a, b = (values.ravel().astype(dtype) for values in np.meshgrid([np.nan, np.inf, -np.inf, 0, -0.0, 1, -1], [np.nan, np.inf, -np.inf, 0, -0.0, 1, -1]))
    content = model([helper.make_node(op, ["a", "b"], ["c"])], {"a": (kind, [49]), "b": (kind, [49])}, {"c": (TensorProto.BOOL, [49])})
    out = lowered(content, written(tmp_path, "Greater not dtype(A) in (float, double, float16)\nGreaterOrEqual never\n"))
    assert not [name for name in operators(out) if name.startswith("Greater")]
    np.testing.assert_array_equal(computed(out, {"a": a, "b": b})[0], a > b if op == "Greater" else a >= b)


@pytest.mark.parametrize("line, taken", [
    ("Floor dtype(X) == float", True),
    ("Floor dtype(X) in halves", False),
    ("Floor rank(X) <= 1", False),
    ("Floor not dim(X, 0) == 3", True),
    ("Floor constant(X)", False),
    ("Floor 13.. always", True),
    ("Floor ..12 never", True),
    ("Floor 13 never", True),  # at an older opset
    ("Floor never", False),
    ("Floor dtype(Y) == float", True),
    ("Floor input_1", None),
])
def test_conditions(line: str, taken: bool | None, tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Floor", ["x"], ["y"])], {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, [2, 3])})
    result = tool.lower(content, ["--target", written(tmp_path, f"let halves = (float16, bfloat16)\n{line}\n")])
    if taken is None:
        tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    else:
        assert result.status == (tool.DONE if taken else tool.NOT_LOWERED), str(result)
        assert taken or "board" in result.stderr


def test_the_version_that_a_node_means(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Abs version() < 13\n")
    for opset, stays in ((12, True), (13, False), (18, False)):
        content = model([helper.make_node("Abs", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=opset, ir_version=7)
        assert ("Abs" in operators(lowered(content, path))) == stays


def test_what_is_not_known_counts_as_taken(tmp_path: pathlib.Path) -> None:
    graph = helper.make_graph([helper.make_node("Cast", ["n"], ["x"], to=FLOAT), helper.make_node("Reshape", ["x", "shape"], ["r"]), helper.make_node("Abs", ["r"], ["y"])], "g",
                              [helper.make_tensor_value_info("n", INT64, None), helper.make_tensor_value_info("shape", INT64, [None])], [helper.make_tensor_value_info("y", FLOAT, None)])
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8).SerializeToString()
    path = written(tmp_path, "Abs rank(X) <= 1\nReshape constant(shape)\n")
    assert tool.lower(content, ["--target", path]).status == tool.NOT_LOWERED, "shape is an input of the graph"
    assert tool.lower(content, ["--target", written(tmp_path, "Abs rank(X) <= 1\n")]).status == tool.DONE


def test_what_is_computed_from_elements_is_no_constant(tmp_path: pathlib.Path) -> None:
    """A runtime may find out what Shape says; of what is computed from the elements of an input it cannot."""
    path = written(tmp_path, "Reshape constant(shape)\n")
    nodes = {"elements": [helper.make_node("Abs", ["n"], ["shape"])], "shapes": [helper.make_node("Shape", ["n"], ["s"]), helper.make_node("Abs", ["s"], ["shape"])],
             "a type": [helper.make_node("Constant", [], ["c"], value_ints=[6]), helper.make_node("CastLike", ["c", "n"], ["shape"])]}  # fmt: skip
    for of, made in nodes.items():
        content = model([*made, helper.make_node("Reshape", ["x", "shape"], ["y"])], {"x": (FLOAT, [2, 3]), "n": (INT64, [6] if of == "shapes" else [1])}, {"y": (FLOAT, ["N"])})
        result = tool.lower(content, ["--target", path])
        assert (result.stdout == content) == (of != "elements"), of
        assert of != "elements" or (result.status == tool.NOT_LOWERED and "shape is not a constant" in result.stderr)


@pytest.mark.parametrize("numbers, taken", [(np.float32([0, 2]), True), (np.float32([0, -2]), False), (np.float32(-0.0), False), (np.float32([1, np.inf]), False), (np.float64([1]), True), (np.int64([1, 0]), True), (np.int64(-1), False), (None, False)])
def test_signs_of_constants(numbers: np.ndarray | None, taken: bool, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "PRelu nonnegative(slope)\n")
    kind = FLOAT if numbers is None else helper.np_dtype_to_tensor_dtype(numbers.dtype)
    constants = () if numbers is None else (numpy_helper.from_array(numbers, "slope"),)
    inputs = {"x": (kind, [2]), **({"slope": (FLOAT, [2])} if numbers is None else {})}
    content = model([helper.make_node("PRelu", ["x", "slope"], ["y"])], inputs, {"y": (kind, [2])}, initializers=constants)
    result = tool.lower(content, ["--target", path])
    assert (result.status == tool.DONE and result.stdout == content) == taken, str(result)
    if taken:
        cast = model([helper.make_node("CastLike", ["slope", "x"], ["s"]), helper.make_node("PRelu", ["x", "s"], ["y"])], inputs, {"y": (kind, [2])}, initializers=constants)
        assert tool.lowered(cast, ["--target", path]) == cast


@pytest.mark.parametrize("shape, taken", [("given", False), ("constant", True), ("computed", True)])
def test_what_is_known_before_the_model_runs(shape: str, taken: bool, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Reshape known(shape)\nUnsqueeze always\n")
    nodes = [helper.make_node("Size", ["x"], ["size"]), helper.make_node("Unsqueeze", ["size", "first"], ["computed"]), helper.make_node("Reshape", ["x", shape], ["y"])]
    content = model(nodes, {"x": (FLOAT, [2, 3]), "given": (INT64, [1])}, {"y": (FLOAT, ["n"])},
                    initializers=(onnx.numpy_helper.from_array(np.array([6]), "constant"), onnx.numpy_helper.from_array(np.array([0]), "first")))
    assert (tool.lower(content, ["--target", path]).status == tool.DONE) == taken


def test_types_of_the_models_outputs(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Floor not model_output(int64)\n")
    for kind, taken in ((INT64, False), (TensorProto.INT32, True), (0, True)):
        nodes = [helper.make_node("Floor", ["x"], ["y"]), helper.make_node("Cast", ["x"], ["n"], to=kind or INT64)]
        content = model(nodes, {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])})
        made = onnx.load_from_string(content)
        made.graph.output.append(onnx.ValueInfoProto(name="n") if kind == 0 else helper.make_tensor_value_info("n", kind, [2]))
        assert (tool.lower(made.SerializeToString(), ["--target", path]).status == tool.DONE) == taken
    assert tool.lower(content, ["--target", written(tmp_path, "Floor model_output(numbers)\n")]).status == tool.INVALID_INPUT


def test_values_that_are_outputs_of_the_model(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Floor not model_output(Y)\n")
    nodes = [helper.make_node("Floor", ["x"], ["f"]), helper.make_node("Abs", ["f"], ["y"])]
    for outputs, taken in (({"y": (FLOAT, [2])}, True), ({"y": (FLOAT, [2]), "f": (FLOAT, [2])}, False)):
        result = tool.lower(model(nodes, {"x": (FLOAT, [2])}, outputs), ["--target", path])
        assert (result.status == tool.DONE) == taken, str(result)
    assert "Y is an output of the model" in result.stderr
    assert "Abs" not in operators(lowered(model(nodes, {"x": (FLOAT, [2])}, outputs), written(tmp_path, "Abs not model_output(X)\n")))


def test_what_makes_a_value(tmp_path: pathlib.Path) -> None:
    """A runtime joins a cast with what stands before it, and loses it."""
    path = written(tmp_path, "Cast not made_by(input, Gather, Shape)\n")
    sizes = [helper.make_node("Constant", [], ["i"], value_int=1), helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Gather", ["s", "i"], ["n"]), helper.make_node("Cast", ["n"], ["y"], to=FLOAT)]
    made = lowered(model(sizes, {"x": (FLOAT, ["N", "M"])}, {"y": (FLOAT, [])}), path)
    assert operators(made) == ["Constant", "Shape", "Gather", "Constant", "Reshape", "Cast"]
    assert computed(made, {"x": np.zeros((2, 3), np.float32)})[0] == 3
    for before in ([helper.make_node("Gather", ["k", "x"], ["n"])], [helper.make_node("Shape", ["x"], ["n"])], []):
        nodes = [*before, helper.make_node("Cast", ["n" if before else "x"], ["y"], to=FLOAT)]
        content = model(nodes, {"x": (INT64, ["N"]), "k": (INT64, [4])}, {"y": (FLOAT, ["N"])})
        assert tool.lowered(content, ["--target", path]) == content
    for wrong in ("made_by(input)", "made_by(input, )", "made_by(inputs, Gather)", "made_by(input, Gather"):
        assert tool.lower(content, ["--target", written(tmp_path, f"Cast {wrong}\n")]).status == tool.INVALID_INPUT


def test_what_reads_a_value(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Floor not read_by(Y, Neg, Exp)\n")
    floor = helper.make_node("Floor", ["x"], ["f"])
    for behind, taken in ((["Neg", "Exp"], False), (["Neg", "Abs"], True), (["Exp", "Neg"], True), (["Neg"], True)):
        names = ["f", *[f"b{index}" for index in range(len(behind) - 1)], "y"]
        nodes = [floor, *[helper.make_node(op, [names[index]], [names[index + 1]]) for index, op in enumerate(behind)]]
        result = tool.lower(model(nodes, {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}), ["--target", path])
        assert (result.status == tool.DONE) == taken, str(result)
    # What else reads an input of the node.
    path = written(tmp_path, "Floor not read_by(X, Neg)\n")
    for op, taken in (("Neg", False), ("Abs", True)):
        content = model([floor, helper.make_node(op, ["x"], ["n"])], {"x": (FLOAT, [2])}, {"f": (FLOAT, [2]), "n": (FLOAT, [2])})
        assert (tool.lower(content, ["--target", path]).status == tool.DONE) == taken
    # Whether anything does, also in a subgraph.
    inside = helper.make_graph([helper.make_node("Neg", ["f"], ["n"])], "b", [], [helper.make_tensor_value_info("n", FLOAT, [2])])
    for nodes, outputs, taken in (([], {"f": (FLOAT, [2])}, True), ([helper.make_node("Neg", ["f"], ["n"])], {"n": (FLOAT, [2])}, False),
                                  ([helper.make_node("If", ["c"], ["n"], then_branch=inside, else_branch=inside)], {"n": (FLOAT, [2])}, False)):
        content = model([floor, *nodes], {"x": (FLOAT, [2]), "c": (TensorProto.BOOL, [])}, outputs)
        assert (tool.lower(content, ["--target", written(tmp_path, "Floor not read_by(Y)\n")]).status == tool.DONE) == taken
    # What nothing needs reads nothing.
    unneeded = [helper.make_node("Neg", ["f"], ["k"]), helper.make_node("If", ["c"], ["m"], then_branch=inside, else_branch=inside), helper.make_node("Abs", ["x"], ["y"])]
    content = model([floor, *unneeded], {"x": (FLOAT, [2]), "c": (TensorProto.BOOL, [])}, {"y": (FLOAT, [2])})
    assert tool.lower(content, ["--target", written(tmp_path, "Floor not read_by(Y)\n")]).status == tool.DONE
    for wrong in ("read_by()", "read_by(Y, )", "read_by(Z, Neg)"):
        assert tool.lower(content, ["--target", written(tmp_path, f"Floor {wrong}\n")]).status == tool.INVALID_INPUT


OF_ACME = '<domain: "acme", opset_import: ["" : 18, "acme" : 1]>'
UNNEEDED = {
    # The nodes of a graph with an output y, functions, and the nodes that are left.
    "custom node that no rule lowers": ("y = Abs (x) d = acme.Unknown (x) e = Neg (d)", "", ["Abs"]),
    "custom node of which a rule makes a Loop": ("y = Abs (x) c = Cast <to = 7> (x) d = aten.gcd (c, c)", "", ["Abs", "Cast"]),
    "output of a call, and what reads it": ("y, d = acme.F (x) e = Neg (d)", OF_ACME + """ F (a) => (b, c) { b = Abs (a) p = Exp (a) t = Constant <value = bool {1}> ()
        c = If (t) <then_branch = g () => (float[2] r) { r = Exp (p) }, else_branch = h () => (float[2] s) { s = Identity (p) }> }""", ["Abs"]),
    "output of a call in a function": ("y = acme.G (x)", OF_ACME + " G (a) => (b) { b, c = acme.F (a) }" + OF_ACME + " F (a) => (b, c) { b = Abs (a) k = Neg (a) c = Exp (k) }", ["Abs"]),
    "node in a graph that a function makes": ("y = acme.F (x, t)", OF_ACME + """ F (a, t) => (b) {
        b = If (t) <then_branch = g () => (float[2] r) { r = Abs (a) d = Exp (r) }, else_branch = h () => (float[2] s) { s = Identity (a) }> }""", ["If", "Abs", "Identity"]),
    "needed output of a call behind an unread one": ("d, y = acme.G (x)", OF_ACME + " G (a) => (b, c) { b = acme.F (a) c = Neg (b) }" + OF_ACME + " F (a) => (b) { b = Abs (a) }", ["Abs", "Neg"]),
}


@pytest.mark.parametrize("kind", UNNEEDED)
def test_what_nothing_needs_is_left_out(kind: str, tmp_path: pathlib.Path) -> None:
    """A second run would find it among the model's own nodes, and leave it out."""
    nodes, functions, left = UNNEEDED[kind]
    content = onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["" : 18, "acme" : 1, "aten" : 1]> g (float[2] x, bool t) => (float[2] y) {{ {nodes} }} {functions}""").SerializeToString()
    out = lowered(content, written(tmp_path, ""))
    assert sorted(node.op_type for node in model_checks.all_nodes(out)) == sorted(left)
    assert lowered(out.SerializeToString(), written(tmp_path, "")) == out
    x = np.float32([-3, 2])
    np.testing.assert_array_equal(computed(out, {"x": x, "t": np.array(True)})[0], -np.abs(x) if "Neg" in left else np.abs(x))


@pytest.mark.parametrize("text, holds", [
    ("n = Abs (x)", True), ("n = Mul (x, x)", True), ("s = Shape (x) n = Cast <to = 1> (s)", True), ("a = Abs (x) n = Add (a, one)", True), ("a = Abs (x) b = Exp (y) n = Concat <axis = 0> (a, b)", True),
    ("a = Sigmoid (x) n = Sub (one, a)", True), ("a = Abs (x) b = Reshape (a, all) n = Where (c, b, one)", True), ("a = Abs (x) b = Neg (a) n = Neg (b)", True), ("a = Relu (x) n = Div (a, two)", True),
    ("s = Size (x) f = Cast <to = 1> (s) d = Sub (f, zero) e = Div (d, one) i = Cast <to = 7> (e) n = Cast <to = 1> (i)", True), ("r = Range (zero, two, one) n = Floor (r)", True), ("a = Abs (x) n = Max (x, a)", True),
    ("v, i = TopK (x, all_one) n = Cast <to = 1> (i)", True), ("b = Less (x, y) n = Cast <to = 1> (b)", True),
    ("n = Neg (x)", False), ("n = Mul (x, y)", False), ("a = Abs (x) n = Sub (a, one)", False), ("a = Abs (x) n = Where (c, a, x)", False), ("a = Abs (x) n = Concat <axis = 0> (a, x)", False), ("a = Abs (x) n = Min (x, a)", False),
    ("a = Abs (x) n = Div (a, x)", False), ("v, i = TopK (x, all_one) n = Identity (v)", False), ("a = Exp (x) b = Exp (y) n = Sub (a, b)", False), ("w = Where (c, one, two) m = ReduceMax <keepdims = 0> (w) r = Range (m, zero, below) n = Floor (r)", False),
    ("i = Cast <to = 6> (x) j = Mul (i, i) n = Cast <to = 1> (j)", False), ("a = Abs (x) n = Mul (a, below)", False), ("w = Where (c, one, two) n = Sub (one, w)", False)])
def test_what_is_not_negative(text: str, holds: bool, tmp_path: pathlib.Path) -> None:
    """How a value is made may tell; a square of integers may overflow, and is no witness. What is said to have no minus sign has none when it runs."""
    content = onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["" : 18]> g (float[2] x, float[2] y, bool[2] c) => (float[M] z, float[N] n) {{
      one = Constant <value = float {{1.0}}> () two = Constant <value = float {{2.0}}> () zero = Constant <value = float {{0.0}}> () below = Constant <value = float {{-1.0}}> () all = Constant <value = int64[1] {{-1}}> () all_one = Constant <value = int64[1] {{1}}> ()
      {text} z = Floor (n) }}""").SerializeToString()
    path = written(tmp_path, "Floor nonnegative(X)\n")
    assert (tool.lower(content, ["--target", path]).status == tool.DONE) == holds
    if holds:
        for x in (np.float32([-3, 2]), np.float32([0, -1e30])):
            found = computed(onnx.load_from_string(content), {"x": x, "y": np.float32([5, -7]), "c": np.array([True, False])})
            assert all((value >= 0).all() for value in found)


def test_dimensions_that_nodes_compute_of_shapes(tmp_path: pathlib.Path) -> None:
    """A Reshape to them has these dimensions, and a -1 among them what is left, if the others are known."""
    for rows, end, known in ((2, 1, True), (2, -1, True), ("n", -1, False)):
        nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Concat", ["s", "end"], ["grown"], axis=0), helper.make_node("Reshape", ["x", "grown"], ["r"]), helper.make_node("Floor", ["r"], ["y"])]
        content = model(nodes, {"x": (FLOAT, [rows, 3])}, {"y": (FLOAT, None)}, opset=11, initializers=(numpy_helper.from_array(np.array([end]), "end"),))
        result = tool.lower(content, ["--target", written(tmp_path, "Floor surely (dim(X, 0) == 2 and dim(X, 2) == 1)\n")])
        assert (result.status == tool.DONE) == known, str(result)


@pytest.mark.parametrize("opset", [11, 12, 18])
def test_floats_whose_bits_a_runtime_compares(opset: int, tmp_path: pathlib.Path) -> None:
    """-0 is 0, and NaN is not NaN; where there is no way to say so, the node stays."""
    path = written(tmp_path, "rather Equal not dtype(A) in (float, float16, double)\n")
    content = model([helper.make_node("Equal", ["a", "b"], ["y"])], {"a": (FLOAT, [8]), "b": (FLOAT, [8])}, {"y": (TensorProto.BOOL, [8])}, opset=opset)
    out = lowered(content, path)
    assert operators(out) == (["LessOrEqual", "GreaterOrEqual", "And"] if opset >= 12 else ["Equal"])
    feed = {"a": np.float32([-0.0, 0, 1, np.nan, np.inf, -np.inf, np.nan, 2]), "b": np.float32([0, -0.0, 1, np.nan, np.inf, np.inf, 1, 3])}
    np.testing.assert_array_equal(computed(out, feed)[0], feed["a"] == feed["b"])


@pytest.mark.parametrize("shapes, stretched", [(([3], [2, 1]), True), (([2, 1], [3]), True), (([1], [3]), False), (([3], [3]), False), (([2, 3], [3]), False), (([2, 1, 3], [1, 4, 1]), True), (([], [2, 3]), False), ((["N"], [2, 1]), False), ((["N", 3], [2, 4, 1, 1]), True), (([2, "N"], [3]), False)])
def test_inputs_that_are_both_broadcast(shapes: tuple, stretched: bool, tmp_path: pathlib.Path) -> None:
    """Where a runtime compares these wrongly, one is brought to the shape of both first."""
    path = written(tmp_path, "Greater not stretched(A) or not stretched(B)\nLess never\n")
    content = model([helper.make_node("Greater", ["a", "b"], ["y"])], {"a": (FLOAT, shapes[0]), "b": (FLOAT, shapes[1])}, {"y": (TensorProto.BOOL, None)})
    out = lowered(content, path)
    assert operators(out) == (["Shape", "Expand", "Greater"] if stretched else ["Greater"])
    rng = np.random.default_rng(5)
    feed = {name: np.array(-rng.integers(1, 4, [3 if size == "N" else size for size in shape]), np.float32) for name, shape in zip("ab", shapes)}
    np.testing.assert_array_equal(computed(out, feed)[0], feed["a"] > feed["b"])


def test_what_is_surely_so(tmp_path: pathlib.Path) -> None:
    """What is not known of a node counts as taken, but where the file asks to know it."""
    for condition, taken in (("dim(X, 0) == 2", [True, False, True]), ("surely dim(X, 0) == 2", [True, False, False]), ("not surely (rank(X) == 1 and dim(X, 0) == 2)", [False, True, True])):
        path = written(tmp_path, f"Floor {condition}\n")
        for size, is_taken in zip((2, 3, "N"), taken):
            content = model([helper.make_node("Floor", ["x"], ["y"])], {"x": (FLOAT, [size])}, {"y": (FLOAT, [size])})
            assert (tool.lower(content, ["--target", path]).status == tool.DONE) == is_taken, (condition, size)


def test_what_is_computed_of_shapes(tmp_path: pathlib.Path) -> None:
    """Its dimensions and its signs are known, though it is no constant."""
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Size", ["s"], ["rank"]), helper.make_node("Range", ["begin", "rank", "one"], ["axes"]), helper.make_node("ReduceMax", ["x", "axes"], ["y"])]
    for condition, taken in (("surely dim(axes, 0) == rank(data)", [True, False]), ("positive(axes)", [False, True]), ("nonnegative(axes)", [True, True])):
        path = written(tmp_path, f"opset 18..18\nReduceMax {condition}\n")
        for begin, is_taken in zip((0, 1), taken):
            constants = tuple(numpy_helper.from_array(np.array(value, np.int64), name) for name, value in (("begin", begin), ("one", 1)))
            content = model(nodes, {"x": (FLOAT, [2, 3, 4])}, {"y": (FLOAT, None)}, initializers=constants, opset=18)
            assert (tool.lower(content, ["--target", path]).stdout == content) == is_taken, (condition, begin)


CONDITIONS = {  # of an If, and whether it is known before the model runs, and true
    "c = Constant <value = bool {1}> ()": True,
    "r = Size (s) k = Constant <value_int = 2> () c = Equal (r, k)": True,
    "r = Size (s) k = Constant <value_int = 4> () c = Equal (r, k)": False,
    "c = Identity (given)": None,
    "r = Size (x) k = Constant <value_int = 6> () c = Equal (r, k)": None,
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_branch_that_is_known_to_be_taken(condition: str, tmp_path: pathlib.Path) -> None:
    """It stands for the If where a runtime would rather have that; what the other branch holds need not be taken then, nor be right."""
    path = written(tmp_path, "rather If not known(cond)\n")
    text = f"""<ir_version: 8, opset_import: ["" : 18]> g (float[2,N] x, int64[2] s, bool given) => (float[2,N] y) {{ {condition}
      y = If (c) <then_branch = t () => (float[2,N] a) {{ a = Abs (x) }}, else_branch = e () => (float[2,N] b) {{ b = Neg (x) }}> }}"""
    given = onnx.parser.parse_model(text)
    out = lowered(given.SerializeToString(), path)
    expected = CONDITIONS[condition]
    if expected is None:
        assert out == given
    else:
        assert operators(out) == ["Abs" if expected else "Neg"]
        feed = {"x": np.float32([[-1, 2, 3], [4, -5, 6]]), "s": np.int64([2, 3]), "given": np.array(False)}
        names = {value.name for value in out.graph.input}
        np.testing.assert_array_equal(computed(out, {name: value for name, value in feed.items() if name in names})[0], computed(given, feed)[0])
    # The same where it has no If.
        assert operators(lowered(given.SerializeToString(), written(tmp_path, "If never\n"))) == operators(out)
    # Without the wish nothing is folded.
    assert lowered(given.SerializeToString(), written(tmp_path, "Floor never\n")) == given


def test_a_branch_that_another_call_takes_stays_in_a_function(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "functions yes\nrather If not known(cond)\n")
    given = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18, "my" : 1]> g (float[2,3] x, float[2,3,4] z) => (float[2,3] a, float[2,3,4] b) { a = my.F (x) b = my.F (z) }
      <domain: "my", opset_import: ["" : 18]> F (x) => (y) { s = Shape (x) r = Size (s) k = Constant <value_int = 2> () c = Equal (r, k) y = If (c) <then_branch = t () => (p) { p = Abs (x) }, else_branch = e () => (q) { q = Neg (x) }> }""")
    feed = {"x": -np.ones([2, 3], np.float32), "z": -np.ones([2, 3, 4], np.float32)}
    for arguments, expected in (([], ["Abs", "Neg"]), (["--attach"], ["F", "F"])):
        out = lowered(given.SerializeToString(), path, *arguments)
        assert operators(out) == expected
        for found, right in zip(computed(out, feed), computed(given, feed)):
            np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("op, attributes", [("Cast", {"to": INT64}), ("Erf", {})])
def test_what_is_kept_apart_by_an_identity(op: str, attributes: dict, tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Div", ["x", "k"], ["d"]), helper.make_node(op, ["d"], ["y"], **attributes)], {"x": (FLOAT, [4]), "k": (FLOAT, [])}, {"y": (attributes.get("to", FLOAT), [4])})
    made = lowered(content, written(tmp_path, f"{op} not made_by(input, Div)\n"))
    assert operators(made) == ["Div", "Identity", op]
    feed = {"x": np.float32([-3, -0.5, 0.5, 3]), "k": np.array(0.7, np.float32)}
    np.testing.assert_array_equal(computed(made, feed)[0], computed(onnx.load_from_string(content), feed)[0])


# As onnxruntime.quantization writes them: which types of codes a runtime has a kernel of.
QUANTIZED = {
    "onnxruntime-1.31": lambda op, x, w: not (op in ("QLinearConv", "QLinearMatMul") and (x, w) == ("int8", "uint8")),
    "onnxruntime-1.17": lambda op, x, w: (x, w) == ("uint8", "uint8") if op == "ConvInteger" else (x, w) != ("int8", "uint8"),
    "onnxruntime-1.8": lambda op, x, w: (x, w) == ("uint8", "uint8") if op == "ConvInteger" else x == "uint8",
    "opencv-5.0": lambda op, x, w: not op.endswith("Integer"),
    "mnn-3.6": lambda op, x, w: False,
}


@pytest.mark.parametrize("target", QUANTIZED)
@pytest.mark.parametrize("codes", [("uint8", "uint8"), ("uint8", "int8"), ("int8", "uint8"), ("int8", "int8")], ids="-".join)
@pytest.mark.parametrize("op", ["ConvInteger", "MatMulInteger", "QLinearConv", "QLinearMatMul"])
@pytest.mark.parametrize("channels", [2, 300])
def test_quantized_products(channels: int, op: str, codes: tuple[str, str], target: str) -> None:
    """In integers or, where the runtime multiplies none, in floats, whose sums are exact however many there are."""
    rng = np.random.default_rng(0)
    x_type, w_type = map(np.dtype, codes)
    kinds = [helper.np_dtype_to_tensor_dtype(dtype) for dtype in (x_type, w_type)]

    def drawn(dtype: np.dtype, *shape: int) -> np.ndarray:
        # A processor without AVX-VNNI adds two products of uint8 and int8 in sixteen bits: signed codes have seven bits then, and nothing is lost.
        lost = 2 if dtype.kind == "i" and x_type != w_type else 1
        return rng.integers(np.iinfo(dtype).min // lost, np.iinfo(dtype).max // lost, shape, dtype, endpoint=True)

    is_conv = "Conv" in op
    x, w = (drawn(x_type, 1, channels, 3, 2), drawn(w_type, 3, channels, 2, 1)) if is_conv else (drawn(x_type, 2, 5, channels), drawn(w_type, channels, 3))
    x_zero, w_zero = x_type.type(3), w_type.type(0)
    steps, weights = x.astype(np.int64) - 3, w.astype(np.int64)
    sums = sum(np.einsum("nchw,oc->nohw", steps[:, :, i : i + 2], weights[:, :, i, 0]) for i in range(2)) if is_conv else steps @ weights
    constants = [numpy_helper.from_array(value, name) for value, name in ((w, "w"), (x_zero, "x_zero"), (w_zero, "w_zero"))]
    if op.startswith("Q"):
        scales = np.float32([0.5, 0.25, 0.125 * 2 ** np.ceil(np.log2(np.abs(sums).max() / 100))])
        constants += [numpy_helper.from_array(scale, name) for scale, name in zip(scales, ("x_scale", "w_scale", "y_scale"), strict=True)] + [numpy_helper.from_array(x_type.type(7), "y_zero")]
        node = helper.make_node(op, ["x", "x_scale", "x_zero", "w", "w_scale", "w_zero", "y_scale", "y_zero"], ["y"])
        expected, kind = np.clip(np.rint(sums * (0.125 / scales[2])) + 7, np.iinfo(x_type).min, np.iinfo(x_type).max).astype(x_type), kinds[0]
    else:
        node, expected, kind = helper.make_node(op, ["x", "w", "x_zero", "w_zero"], ["y"]), sums.astype(np.int32), TensorProto.INT32
    content = model([node], {"x": (kinds[0], x.shape)}, {"y": (kind, None)}, opset=13, ir_version=7, initializers=constants)
    arguments = ["--input-shape", f"x:{','.join(map(str, x.shape))}"] if target.startswith("opencv") else []
    out = lowered(content, target, *arguments)
    assert (op in operators(out)) == QUANTIZED[target](op, *codes)
    if op not in operators(out) or QUANTIZED["onnxruntime-1.31"](op, *codes):
        np.testing.assert_array_equal(computed(out, {"x": x})[0], expected)


@pytest.mark.parametrize("target", ["openvino-2023.3", "openvino-2024.6"])
@pytest.mark.parametrize("scales", [1, 4])
@pytest.mark.parametrize("kind", [np.uint8, np.int8])
def test_weights_of_bytes_without_a_sign(kind: type, scales: int, target: str) -> None:
    """OpenVINO multiplied by them wrongly, or did not load them, and it knows them by a difference of floats, too. 2024.6 multiplies one row wrongly by int8 of one scale."""
    codes, zeros = np.arange(90, 102).astype(kind).reshape(3, 4), np.arange(95, 95 + scales).astype(kind)
    steps = np.float32([0.5, 0.25, 2, 1])[:scales]
    if scales == 1:
        zeros, steps = zeros[0], steps[0]
    constants = [numpy_helper.from_array(value, name) for name, value in (("codes", codes), ("steps", steps), ("zeros", zeros))]
    nodes = [helper.make_node("DequantizeLinear", ["codes", "steps", "zeros"], ["w"], axis=1), helper.make_node("MatMul", ["x", "w"], ["y"])]
    content = model(nodes, {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, [2, 4])}, opset=17, initializers=constants)
    out = lowered(content, target)
    if kind == np.int8 and (scales > 1 or target != "openvino-2024.6"):
        assert operators(out) == ["DequantizeLinear", "MatMul"]
        return
    assert [helper.get_node_attr_value(node, "to") for node in out.graph.node if node.op_type == "Cast" and node.input[0] == "codes"] == [TensorProto.INT32]
    x = np.float32([[1, 2, 3], [4, -5, 6]])
    np.testing.assert_array_equal(computed(out, {"x": x})[0], x @ ((codes.astype(np.float32) - zeros) * steps))


@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino-2026.4"])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("of_rows", [False, True])
def test_rows_of_a_quantized_table_for_openvino(of_rows: bool, axis: int | None, target: str) -> None:
    """It gathers them with the scales of other columns, or of no columns at all, where each column has its own."""
    codes, scales = np.arange(-100, 92).astype(np.int8).reshape(12, 16), (np.arange(16) + 1).astype(np.float32) / 8
    scale = scales[3] if axis is None else scales[: codes.shape[axis]]
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in (("codes", codes), ("scale", scale))]
    nodes = [helper.make_node("DequantizeLinear", ["codes", "scale"], ["table"], **({} if axis is None else {"axis": axis})), helper.make_node("Gather", ["table", "x"], ["y"], axis=0 if of_rows else 1)]
    content = model(nodes, {"x": (INT64, [4])}, {"y": (FLOAT, [4, 16] if of_rows else [12, 4])}, opset=17, initializers=constants)
    out = lowered(content, target)
    x = np.int64([2, 7, 0, 11])
    expected = (codes * (scale[:, None] if axis == 0 else scale)).astype(np.float32)
    expected = expected[x] if of_rows else expected[:, x]
    for found in (computed(out, {"x": x})[0], runtimes.in_openvino(out.SerializeToString())({"x": x})["y"]):
        np.testing.assert_array_equal(found, expected)
    assert (operators(out) == ["DequantizeLinear", "Gather"]) == (axis != 1)


WEIGHTS_OF_FEW_BITS = {
    # Whether DequantizeLinear of 4 bits stays: with one scale, with one for each column, and in blocks.
    "mnn-3.6": (False, False, False), "opencv-5.0": (False, False, False), "openvino-2023.3": (False, False, False), "openvino-2024.6": (False, True, False), "openvino-2026.4": (True, True, True),
    "onnxruntime-1.20": (True, True, True), "onnxruntime-1.31": (True, True, True), "rten-0.27": (False, False, False), "tract-0.23": (False, False, False),
}


def assert_nearly(out: onnx.ModelProto, x: np.ndarray, expected: np.ndarray, *, may_round: bool) -> None:
    """Where ONNX Runtime joins a product with DequantizeLinear, it may make bytes of x, each wrong by up to a 254th of the greatest."""
    np.testing.assert_allclose(computed(out, {"x": x})[0], expected, rtol=0, atol=0.02 * np.abs(expected).max() if may_round else 0)


@pytest.mark.parametrize("target", WEIGHTS_OF_FEW_BITS)
@pytest.mark.parametrize("scales", ["one", "columns", "blocks"])
@pytest.mark.parametrize("kind", [TensorProto.INT4, TensorProto.UINT4])
def test_weights_of_four_bits(kind: int, scales: str, target: str) -> None:
    """Runtimes without integers of 4 bits get them in bytes. OpenVINO 2024.6 has them, and is wrong about one scale, and about blocks however they are said."""
    codes = np.arange(64 * 6).reshape(64, 6) * 7 % 16 - (8 if kind == TensorProto.INT4 else 0)
    shape = {"one": (), "columns": (6,), "blocks": (4, 6)}[scales]
    steps = ((np.arange(np.prod(shape, dtype=int)) % 5 + 1) / 8).astype(np.float32).reshape(shape)
    constants = [helper.make_tensor("codes", kind, codes.shape, codes.ravel().tolist()), numpy_helper.from_array(steps, "steps")]
    attributes = {"one": {}, "columns": {"axis": 1}, "blocks": {"axis": 0, "block_size": 16}}[scales]
    nodes = [helper.make_node("DequantizeLinear", ["codes", "steps"], ["w"], **attributes), helper.make_node("MatMul", ["x", "w"], ["y"])]
    content = model(nodes, {"x": (FLOAT, [3, 64])}, {"y": (FLOAT, [3, 6])}, opset=21, ir_version=10, initializers=constants)
    out = lowered(content, target, *(["--input-shape", "x:3,64"] if target.startswith("opencv") else []))
    stays = WEIGHTS_OF_FEW_BITS[target][["one", "columns", "blocks"].index(scales)]
    assert ("DequantizeLinear" in operators(out)) == stays
    if not stays:
        assert not [tensor for tensor in out.graph.initializer if tensor.data_type == kind]
    x = np.arange(3 * 64).reshape(3, 64).astype(np.float32) % 9 - 4
    expected = x @ (codes * (steps.repeat(16, 0) if scales == "blocks" else steps)).astype(np.float32)  # of these numbers every sum is exact
    assert_nearly(out, x, expected, may_round=stays)


def test_weights_of_four_bits_in_mnn(tmp_path: pathlib.Path) -> None:
    """MNN itself, which has neither the type nor, with its target, the operator."""
    python = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
    x, codes = np.float32([[1, -2, 3, 0.5], [2, 2, -1, 4]]), np.arange(-8, 4).reshape(4, 3)
    sample = []
    for name, steps, attributes in (("one", np.float32(0.5), {}), ("columns", np.float32([1, 0.5, 2]), {"axis": 1}), ("blocks", np.float32([[1, 2, 4], [0.5, 0.25, 1]]), {"axis": 0, "block_size": 2})):
        constants = [helper.make_tensor("codes", TensorProto.INT4, codes.shape, codes.ravel().tolist()), numpy_helper.from_array(np.asarray(steps), "steps")]
        nodes = [helper.make_node("DequantizeLinear", ["codes", "steps"], ["w"], **attributes), helper.make_node("MatMul", ["x", "w"], ["y"])]
        content = model(nodes, {"x": (FLOAT, [2, 4])}, {"y": (FLOAT, [2, 3])}, opset=21, ir_version=10, initializers=constants)
        sample.append(seeds.Seed(name, onnx.load_from_string(content), [x], [x @ (codes * (steps.repeat(2, 0) if name == "blocks" else steps)).astype(np.float32)]))
    arguments = argparse.Namespace(name="mnn-3.6", runtime="mnn", python=python, tool=tool.TOOL, work=tmp_path)
    assert random_models_in_target.report(arguments, tmp_path / "asked", dict(enumerate(sample))) == {}


@pytest.mark.parametrize("target", ["tract-0.23", "rten-0.27"])
def test_blocks_of_bytes_where_they_are_refused(target: str) -> None:
    codes, steps = np.arange(-6, 6).astype(np.int8).reshape(4, 3), np.float32([[1, 2, 4], [0.5, 0.25, 1]])
    constants = [numpy_helper.from_array(value, name) for name, value in (("codes", codes), ("steps", steps))]
    nodes = [helper.make_node("DequantizeLinear", ["codes", "steps"], ["w"], axis=0, block_size=2), helper.make_node("Add", ["x", "w"], ["y"])]
    out = lowered(model(nodes, {"x": (FLOAT, [4, 3])}, {"y": (FLOAT, [4, 3])}, opset=21, ir_version=10, initializers=constants), target)
    assert "DequantizeLinear" not in operators(out)
    np.testing.assert_array_equal(computed(out, {"x": np.zeros((4, 3), np.float32)})[0], codes * steps.repeat(2, 0))


@pytest.mark.parametrize("target", ["onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20", "onnxruntime-1.31"])
@pytest.mark.parametrize("kind, scales", [(np.int8, 1), (np.int8, 3), (np.uint8, 3)])
def test_absent_zero_point_of_weights(kind: type, scales: int, target: str) -> None:
    """ONNX Runtime up to 1.20 took the codes behind a Transpose for uint8, since nothing says otherwise, and a product of several scales did not load. An 8-bit zero says it."""
    codes, steps = np.arange(1, 13).astype(kind).reshape(3, 4), np.float32([0.5, 0.25, 2])[:scales]
    if kind == np.int8:
        codes -= 6
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in (("codes", codes), ("steps", steps if scales > 1 else steps[0]))]
    nodes = [helper.make_node("DequantizeLinear", ["codes", "steps"], ["w"], axis=0), helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]), helper.make_node("MatMul", ["x", "t"], ["y"])]
    out = lowered(model(nodes, {"x": (FLOAT, [2, 4])}, {"y": (FLOAT, [2, 3])}, opset=13, ir_version=7, initializers=constants), target)
    decoded = next(node for node in out.graph.node if node.op_type == "DequantizeLinear")
    assert len(decoded.input) == (2 if target == "onnxruntime-1.31" else 3)
    x = np.float32([[1, 2, 3, -1], [4, -5, 6, 2]])
    assert_nearly(out, x, x @ (codes * steps[:, None]).astype(np.float32).T, may_round=True)


def test_absent_zero_point_in_the_oldest_runtime(tmp_path: pathlib.Path) -> None:
    """The same in a runtime that is wrong about it."""
    python, module, target = runtime_of("oldest onnxruntime")
    x, codes = np.float32([[1, 2, 3, -1]]), (np.arange(12) - 6).astype(np.int8).reshape(3, 4)
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in (("codes", codes), ("steps", np.float32(0.5)))]
    nodes = [helper.make_node("DequantizeLinear", ["codes", "steps"], ["w"]), helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]), helper.make_node("MatMul", ["x", "t"], ["y"])]
    content = model(nodes, {"x": (FLOAT, [1, 4])}, {"y": (FLOAT, [1, 3])}, opset=13, ir_version=7, initializers=constants)
    asked = seeds.Seed("weights", onnx.load_from_string(content), [x], [(x @ (codes * np.float32(0.5)).T).astype(np.float32)], rtol=1e-2)  # it may make bytes of x
    arguments = argparse.Namespace(name=target, runtime=module, python=python, tool=tool.TOOL, work=tmp_path)
    assert random_models_in_target.report(arguments, tmp_path / "asked", {0: asked}) == {}


@pytest.mark.parametrize("target", ["onnxruntime-1.31", "openvino-2026.4"])
@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize("is_of_rows", [False, True])
def test_scales_along_what_a_product_adds_up(is_of_rows: bool, is_transposed: bool, target: str) -> None:
    """Both runtimes take a scale for each row of the weights for one for each column: where it is not, the weights are dequantized before the product."""
    codes = (np.arange(64) - 30).astype(np.int8).reshape(8, 8)
    steps = (np.arange(8) + 1).astype(np.float32) / 4
    axis = 0 if is_of_rows else 1
    decoded = codes * (steps[:, None] if is_of_rows else steps)
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in (("codes", codes), ("steps", steps), ("step", np.float32(1 / 16)), ("zero", np.uint8(128)))]
    nodes = [*quantized("x", "step", "zero"), helper.make_node("DequantizeLinear", ["codes", "steps"], ["w"], axis=axis)]
    if is_transposed:
        nodes.append(helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]))
    nodes.append(helper.make_node("MatMul", ["x_d", "t" if is_transposed else "w"], ["y"]))
    out = lowered(model(nodes, {"x": (FLOAT, [2, 8])}, {"y": (FLOAT, [2, 8])}, opset=17, initializers=constants), target)
    assert operators(out).count("DequantizeLinear") == (1 if is_of_rows != is_transposed else 2)
    x = np.arange(16).reshape(2, 8).astype(np.float32) / 16 - 0.5
    expected = (x @ (decoded.T if is_transposed else decoded)).astype(np.float32)
    np.testing.assert_allclose(computed(out, {"x": x})[0], expected, rtol=1e-5)  # ONNX Runtime sums up codes, and multiplies by both steps behind it
    np.testing.assert_allclose(runtimes.in_openvino(out.SerializeToString())({"x": x})["y"], expected, rtol=1e-5)


# Which inputs and attributes of a recurrent operator a runtime minds. What says no more than goes without saying is left out for the others, and lengths are said otherwise.
RECURRENT = {
    "openvino-2023.3": {"whole", "shorter", "clip", "after reset"}, "openvino-2024.6": {"whole", "shorter", "clip", "after reset"}, "openvino-2026.4": {"whole", "shorter", "clip", "after reset"},
    "tract-0.23": {"after reset"}, "rten-0.27": set(), "opencv-5.0": {"after reset"},
}


@pytest.mark.parametrize("target", RECURRENT)
@pytest.mark.parametrize("op, what", [*itertools.product(("GRU", "LSTM"), ("nothing", "whole", "shorter", "clip")), ("GRU", "after reset"), ("GRU", "before reset")])
def test_what_recurrent_operators_say(op: str, what: str, target: str) -> None:
    gates, steps, hidden = {"GRU": 3, "LSTM": 4}[op], 5, 3
    rng = np.random.default_rng(7)
    feed = {"x": rng.normal(size=(steps, 2, 4)).astype(np.float32)}
    constants = {"w": rng.normal(size=(1, gates * hidden, 4)), "r": rng.normal(size=(1, gates * hidden, hidden)), "b": rng.normal(size=(1, 2 * gates * hidden)), "lengths": [steps, steps if what == "whole" else 3]}
    inputs = ["x", "w", "r", "b", *(["lengths"] if what in ("whole", "shorter") else [])]
    attributes = {"hidden_size": hidden, **({"clip": 0.5} if what == "clip" else {}), **({"linear_before_reset": 0 if what == "after reset" else 1} if op == "GRU" else {})}
    tensors = [numpy_helper.from_array(np.asarray(value).astype(np.int32 if name == "lengths" else np.float32), name) for name, value in constants.items() if name in inputs]
    content = model([helper.make_node(op, inputs, ["y", "h"], **attributes)], {"x": (FLOAT, [steps, 2, 4])}, {"y": (FLOAT, [steps, 1, 2, hidden]), "h": (FLOAT, [1, 2, hidden])}, opset=14, initializers=tensors)
    result = tool.lower(content, ["--target", target, "--unroll", 0, *(["--input-shape", f"x:{steps},2,4"] if target.startswith("opencv") else [])])
    taken = what in ("nothing", "whole", "shorter", "before reset") or what in RECURRENT[target]
    assert result.status == (tool.DONE if taken else tool.NOT_LOWERED), str(result)
    if taken:
        out = onnx.load_from_string(result.stdout)
        (node,) = [node for node in out.graph.node if node.op_type == op]
        assert ("lengths" in node.input) == (what in ("shorter", "whole") and what in RECURRENT[target])
        for found, expected in zip(computed(out, feed), computed(onnx.load_from_string(content), feed)):
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_peepholes_for_openvino() -> None:
    """They are what it lacks, and not the lengths of sequences, with which onnx's test has them."""
    rng = np.random.default_rng(7)
    tensors = [numpy_helper.from_array(rng.normal(size=shape).astype(np.float32), name) for name, shape in (("w", (1, 12, 4)), ("r", (1, 12, 3)), ("p", (1, 9)))]
    for inputs, taken in ((["x", "w", "r", "", "n"], True), (["x", "w", "r", "", "", "", "", "p"], False)):
        used = [tensor for tensor in tensors if tensor.name in inputs]
        content = model([helper.make_node("LSTM", inputs, ["y"], hidden_size=3)], {"x": (FLOAT, [5, 2, 4]), "n": (TensorProto.INT32, [2])}, {"y": (FLOAT, [5, 1, 2, 3])}, opset=14, initializers=used)
        result = tool.lower(content, ["--target", "openvino-2026.4", "--unroll", 0])
        assert result.status == (tool.DONE if taken else tool.NOT_LOWERED), str(result)
        if taken:
            feed = {"x": rng.normal(size=(5, 2, 4)).astype(np.float32), "n": np.int32([5, 3])}
            np.testing.assert_allclose(runtimes.in_openvino(result.stdout)(feed)["y"], computed(onnx.load_from_string(content), feed)[0], rtol=0, atol=1e-6)  # the states are below 1


def convolution(op: str, axes: int, attributes: dict, *, says_kernel: bool = True, kernel: tuple = (2, 3, 2), size: tuple = (5, 6, 4)) -> tuple[bytes, dict]:
    """One whose result another node reads, since MNN hands out one of three dimensions with four."""
    rng = np.random.default_rng(11)
    w = rng.normal(size=(4, 4, *kernel[:axes])).astype(np.float32)
    if says_kernel:
        attributes = {"kernel_shape": kernel[:axes], **attributes}
    nodes = [helper.make_node(op, ["x", "w"], ["c"], **attributes), helper.make_node("Neg", ["c"], ["y"])]
    x = rng.normal(size=(1, 4, *size[:axes])).astype(np.float32)
    content = model(nodes, {"x": (FLOAT, x.shape)}, {"y": (FLOAT, [None] * x.ndim)}, opset=13, initializers=[numpy_helper.from_array(w, "w")])
    return content, {"x": x}


@pytest.mark.parametrize("op, auto_pad, targets", [("Conv", "SAME_LOWER", ("mnn-3.6", "opencv-5.0", "rten-0.27")), ("Conv", "SAME_UPPER", ()), ("ConvTranspose", "SAME_LOWER", ("mnn-3.6", "opencv-5.0", "rten-0.27", "tract-0.23")),
                                                   ("ConvTranspose", "SAME_UPPER", ("opencv-5.0", "tract-0.23")), ("ConvTranspose", "VALID", ("rten-0.27",))])
@pytest.mark.parametrize("strides, dilations", [((1, 1), (1, 1)), ((2, 1), (1, 2)), ((2, 3), (1, 1))])
def test_padding_that_follows_from_sizes(op: str, auto_pad: str, targets: tuple, strides: tuple, dilations: tuple) -> None:
    """Several runtimes reckon it otherwise, or refuse it. ONNX Runtime knows what it is."""
    if op == "Conv" and strides != (1, 1) and dilations != (1, 1):
        dilations = (1, 1)  # together with strides ONNX Runtime refuses them in a Conv that is padded to the same size
    content, feed = convolution(op, 2, {"auto_pad": auto_pad, "strides": strides, "dilations": dilations})
    expected = computed(onnx.load_from_string(content), feed)[0]
    for target in ("mnn-3.6", "opencv-5.0", "rten-0.27", "tract-0.23"):
        out = lowered(content, target, *(["--input-shape", "x:1,4,5,6"] if target.startswith("opencv") else []))
        (node,) = [node for node in out.graph.node if node.op_type == op]
        is_counted = target in targets or op == "Conv" and auto_pad == "SAME_UPPER" and target == "opencv-5.0" and max(strides) > 1
        assert ("auto_pad" in [attribute.name for attribute in node.attribute]) != is_counted, target
        np.testing.assert_array_equal(computed(out, feed)[0], expected)


def test_convolutions_in_mnn(tmp_path: pathlib.Path) -> None:
    """MNN itself: padding at the lower end, three axes without kernel_shape, and one axis transposed."""
    python = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
    sample = []
    for name, op, axes, attributes, says_kernel in (("lower", "Conv", 2, {"auto_pad": "SAME_LOWER", "strides": [2, 1]}, True), ("lower, transposed", "ConvTranspose", 2, {"auto_pad": "SAME_LOWER", "strides": [1, 1]}, True),
                                                   ("three axes", "Conv", 3, {"pads": [0, 1, 0, 1, 1, 0]}, False), ("one axis, transposed", "ConvTranspose", 1, {"strides": [2]}, True)):
        content, feed = convolution(op, axes, attributes, says_kernel=says_kernel)
        sample.append(seeds.Seed(name, onnx.load_from_string(content), [feed["x"]], computed(onnx.load_from_string(content), feed), rtol=1e-4, atol=1e-4))
    arguments = argparse.Namespace(name="mnn-3.6", runtime="mnn", python=python, tool=tool.TOOL, work=tmp_path)
    assert random_models_in_target.report(arguments, tmp_path / "asked", dict(enumerate(sample))) == {}


# Sizes, kernels, strides and pads with which, rounded up, the last window begins in the padding or reaches beyond it.
ROUNDED_UP = [(5, 2, 2, 0), (7, 2, 3, 1), (5, 2, 3, 1), (6, 2, 4, 1), (8, 3, 4, 1), (7, 3, 5, 1), (6, 3, 2, 1)]


def rounded_up(op: str, size: int, kernel: int, stride: int, pad: int, attributes: dict) -> tuple[bytes, dict]:
    content = model([helper.make_node(op, ["x"], ["y"], kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4, ceil_mode=1, **attributes)], {"x": (FLOAT, [1, 2, size, size])}, {"y": (FLOAT, [1, 2, None, None])}, opset=13)
    return content, {"x": np.random.default_rng(2).normal(size=(1, 2, size, size)).astype(np.float32)}


@pytest.mark.parametrize("op, attributes", [("MaxPool", {}), ("AveragePool", {}), ("AveragePool", {"count_include_pad": 1})])
def test_windows_that_begin_in_the_padding(op: str, attributes: dict, tmp_path: pathlib.Path) -> None:
    """OpenVINO, OpenCV and MNN count them where sizes are rounded up, and ONNX Runtime does not; some also share out what rounding up adds."""
    sample = []
    for window in ROUNDED_UP:
        content, feed = rounded_up(op, *window, attributes)
        expected = computed(onnx.load_from_string(content), feed)[0]
        for target in ("openvino-2023.3", "openvino-2024.6", "openvino-2026.4", "opencv-5.0", "mnn-3.6"):
            out = lowered(content, target)
            assert not any(attribute.i for node in out.graph.node for attribute in node.attribute if attribute.name == "ceil_mode")
            if target != "mnn-3.6" or not attributes:  # it counts no padding, and gets a convolution
                assert set(operators(out)) <= {op, "Pad", "Constant"}
            np.testing.assert_allclose(computed(out, feed)[0], expected, rtol=1e-6)
        np.testing.assert_allclose(runtimes.in_openvino(lowered(content, "openvino-2026.4").SerializeToString())(feed)["y"], expected, rtol=1e-6)
        sample.append(seeds.Seed(str(window), onnx.load_from_string(content), [feed["x"]], [expected], rtol=1e-5, atol=1e-6))
    python = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
    arguments = argparse.Namespace(name="mnn-3.6", runtime="mnn", python=python, tool=tool.TOOL, work=tmp_path)
    assert random_models_in_target.report(arguments, tmp_path / "asked", dict(enumerate(sample))) == {}


# Nodes that come out wrong in a runtime, or do not load there: a model's text, its opset, what it is given, and what targets are asked about. Those of OpenVINO 2026.4 run in it.
MISTAKEN = {
    "slopes along the last axis": ("(float[2,3,4,3] x) => (float[2,3,4,3] y) <float[3] s = {0.1, 0.5, -2}> { y = PRelu (x, s) }", 16, [(2, 3, 4, 3)], ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"]),
    "slopes beside unknown sizes": ("(float[n,c,h,w] x) => (float[n,c,h,w] y) <float[3] s = {0.1, 0.5, -2}> { y = PRelu (x, s) }", 16, [(2, 3, 4, 3)], ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"]),
    "a bias that is no integer": ("(float[1,5,2,2] x) => (float[1,5,2,2] y) { y = LRN <size = 3, bias = 0.1, alpha = 0.5> (x) }", 13, [(1, 5, 2, 2)], ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"]),
    "a value that the run pads with": ("(float[2,3] x, float v) => (float[2,6] y) <int64[4] p = {0, 1, 0, 2}> { y = Pad (x, p, v) }", 13, [(2, 3), ()], ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"]),
    "the upper side of what is transposed": ("(float[1,1,h,w] x) => (float[1,1,a,b] y) <float[1,1,3,3] k = {1,2,3,4,5,6,7,8,9}> { y = ConvTranspose <auto_pad = \"SAME_UPPER\", strides = [2, 2]> (x, k) }", 11, [(1, 1, 5, 5)], ["openvino-2024.6", "openvino-2026.4"]),
    "the lower side of what is transposed": ("(float[1,1,5,5] x) => (float[1,1,10,10] y) <float[1,1,3,3] k = {1,2,3,4,5,6,7,8,9}> { y = ConvTranspose <auto_pad = \"SAME_LOWER\", strides = [2, 2]> (x, k) }", 11, [(1, 1, 5, 5)], ["openvino-2023.3", "openvino-2024.6"]),
    "the axis of a transform": ("(float[1,4,6,2] x) => (float[1,4,6,2] y) <int64 a = {2}> { y = DFT (x, , a) }", 20, [(1, 4, 6, 2)], ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"]),
    "an axis of a transform that counts from the end": ("(float[1,4,6,2] x) => (float[1,4,6,2] y) <int64 a = {-2}> { y = DFT (x, , a) }", 20, [(1, 4, 6, 2)], ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"]),
    "axes of a picture that count from the end": ("(float[1,1,2,2] x) => (float[1,1,4,6] y) <float[2] s = {2, 3}> { y = Resize <axes = [-2, -1], mode = \"nearest\"> (x, , s) }", 18, [(1, 1, 2, 2)], ["onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20", "openvino-2026.4"]),
    "a scale of all axes": ("(float[2,3,4] x, float[3,4] s) => (float[2,3,4] y) { y = LayerNormalization (x, s) }", 17, [(2, 3, 4), (3, 4)], ["onnxruntime-1.8", "onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20", "openvino-2023.3", "openvino-2026.4"]),
    "a scale of fewer axes": ("(float[2,3,4] x, float[4] s) => (float[2,3,4] y) { y = LayerNormalization <axis = 1> (x, s) }", 17, [(2, 3, 4), (4,)], ["onnxruntime-1.8", "onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20", "openvino-2023.3", "openvino-2026.4"]),
    "nothing to reduce over": ("(float[2,3] x) => (float[2,3] y) { y = ReduceL1 <noop_with_empty_axes = 1> (x) }", 18, [(2, 3)], ["onnxruntime-1.8", "onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20", "openvino-2024.6", "openvino-2026.4"]),
    "an empty list of axes": ("(float[2,3] x) => (float[2,3] y) <int64[0] a = {}> { y = ReduceL2 <noop_with_empty_axes = 1> (x, a) }", 18, [(2, 3)], ["onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20", "openvino-2024.6", "openvino-2026.4"]),
    "no sum": ("(float[2,3] x) => (float[2,3] y) { y = ReduceSum <noop_with_empty_axes = 1> (x) }", 13, [(2, 3)], ["onnxruntime-1.8", "onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20"]),
    "a mean with what rounding up adds": ("(float[1,1,8,8] x) => (float[1,1,5,5] y) { y = AveragePool <ceil_mode = 1, count_include_pad = 1, kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> (x) }", 13, [(1, 1, 8, 8)], ["onnxruntime-1.8", "onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20"]),
    "a window that is longer than its axis": ("(float[1,1,5,1] x) => (float[1,1,3,1] y, int64[1,1,3,1] i) { y, i = MaxPool <ceil_mode = 1, kernel_shape = [2, 2], strides = [2, 2]> (x) }", 12, [(1, 1, 5, 1)], ["openvino-2026.4"]),
    "half of a transform back": ("(float[1,4,2] x) => (float[1,6,1] y) { y = DFT <inverse = 1, onesided = 1> (x) }", 20, [(1, 4, 2)], ["onnxruntime-1.17", "onnxruntime-1.20"]),
}


@pytest.mark.parametrize("what", MISTAKEN)
def test_nodes_that_runtimes_mistake(what: str) -> None:
    """Each target that is named would compute something else, or not load it: the node becomes another, which the newest ONNX Runtime computes the same by."""
    text, opset, shapes, targets = MISTAKEN[what]
    content = of_text(text, opset)
    given = onnx.load_from_string(content)
    random = np.random.default_rng(5)
    feed = {value.name: random.normal(size=shape).astype(np.float32) for value, shape in zip(given.graph.input, shapes, strict=True)}
    expected = computed(given, feed)
    for target in targets:
        out = lowered(content, target)
        assert [node.SerializeToString() for node in out.graph.node] != [node.SerializeToString() for node in given.graph.node], target
        for one, other in zip(computed(out, feed), expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5, err_msg=target)
        if target == "openvino-2026.4":
            found = runtimes.in_openvino(out.SerializeToString())(feed)
            for value, other in zip(given.graph.output, expected, strict=True):
                np.testing.assert_allclose(found[value.name], other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("op, targets", [("MaxPool", ["onnxruntime-1.17", "onnxruntime-1.20", "onnxruntime-1.31"]), ("AveragePool", ["onnxruntime-1.20"])])
@pytest.mark.parametrize("ceil_mode", [0, 1])
def test_windows_behind_a_pad(op: str, targets: list[str], ceil_mode: int) -> None:
    """ONNX Runtime joins a Pad of zeros with the window behind it, whose own padding is no zeros."""
    content = of_text(f"(float[1,1,8,8] x) => (float[1,1,p,q] y) <int64[8] d = {{0,0,1,1,0,0,1,1}}> {{ z = Pad (x, d) y = {op} <ceil_mode = {ceil_mode}, kernel_shape = [3, 3], strides = [2, 2]> (z) }}", 13)
    x = -np.abs(np.random.default_rng(6).normal(size=(1, 1, 8, 8))).astype(np.float32)
    session = onnxruntime.SessionOptions()
    session.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    expected = onnxruntime.InferenceSession(content, session, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]
    for target in targets:
        out = lowered(content, target)
        assert operators(out)[-2:] == ["Reshape", op]
        np.testing.assert_allclose(computed(out, {"x": x})[0], expected, rtol=1e-6)


def floats(*shape: int, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def with_constants(nodes: list, feed: dict, constants: dict, kind: int, shape: list, opset: int = 13) -> tuple[bytes, dict]:
    """A model of one output, y, of these values and constants."""
    inputs = {name: (helper.np_dtype_to_tensor_dtype(value.dtype), value.shape) for name, value in feed.items()}
    return model(nodes, inputs, {"y": (kind, shape)}, opset=opset, initializers=[numpy_helper.from_array(value, name) for name, value in constants.items()]), feed


def behind_a_convolution(op: str, constant: np.ndarray) -> tuple[bytes, dict]:
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"]), helper.make_node(op, ["k", "c"], ["y"])]
    return with_constants(nodes, {"x": floats(1, 2, 4, 5)}, {"w": floats(3, 2, 2, 2), "k": np.abs(constant) + np.float32(1)}, FLOAT, [None] * 4)


def node_with(op: str, feed: dict, constants: dict, kind: int, rank: int, opset: int = 13, **attributes) -> tuple[bytes, dict]:
    """A node whose inputs are these values, in their order, and these constants."""
    return with_constants([helper.make_node(op, [*feed, *constants], ["y"], **attributes)], feed, constants, kind, [None] * rank, opset)


INT_DATA = np.array([[3, -4, 12], [0, 6, 8]], np.int64)
SCATTERED = {"data": floats(3, 4), "indices": np.array([[-1, 0], [1, -2], [0, 3]], np.int64), "updates": floats(3, 2, seed=4)}

# What each runtime computes wrongly, or does not take, as it is, and the operators of what is written of it.
SAID_OTHERWISE = {
    **{f"mnn {op} in front": ("mnn-3.6", behind_a_convolution(op, floats(1, 1, 1, 1)), ["Conv", "Constant", "Reshape", op]) for op in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Pow")},
    "mnn softmax": ("mnn-3.6", node_with("Softmax", {"x": floats(2, 3, 4)}, {}, FLOAT, 3, 9), ["Softmax"]),
    "mnn gemm": ("mnn-3.6", node_with("Gemm", {"a": floats(3, 2)}, {"b": floats(3, 4), "c": floats(4)}, FLOAT, 2, alpha=0.5, transA=1), ["Transpose", "Gemm"]),
    "mnn one hot": ("mnn-3.6", node_with("OneHot", {"i": np.array([[0, -1, 2], [-3, 1, 5]], np.int64)}, {"d": np.array(3, np.int64), "v": np.array([2, 5], np.float32)}, FLOAT, 3), None),
    "mnn scattered": ("mnn-3.6", node_with("ScatterElements", SCATTERED, {}, FLOAT, 2, axis=-1), None),
    "mnn noop": ("mnn-3.6", node_with("ReduceMean", {"x": floats(2, 3)}, {}, FLOAT, 2, 18, noop_with_empty_axes=1), ["Identity"]),
    "mnn lp pool": ("mnn-3.6", node_with("LpPool", {"x": floats(1, 2, 6, 6)}, {}, FLOAT, 4, kernel_shape=[3, 1], pads=[0, 0, 2, 0]), None),
    "mnn sum of integers": ("mnn-3.6", node_with("ReduceLogSum", {"x": np.abs(INT_DATA)}, {}, INT64, 2, axes=[1]), None),
    "opencv scattered": ("opencv-5.0", node_with("ScatterElements", SCATTERED | {"indices": np.abs(SCATTERED["indices"])}, {}, FLOAT, 2, axis=-1), None),
    "opencv scattered, constants": ("opencv-5.0", node_with("Scatter", {"x": floats(2, 3)}, {"i": np.array([[1], [0]], np.int64), "u": floats(2, 1)}, FLOAT, 2, 9, axis=-1), ["Scatter"]),
    "opencv greatest": ("opencv-5.0", node_with("Max", {"a": floats(1), "b": floats(2, 3), "c": floats(2, 3, seed=4), "d": floats(2, 3, seed=5)}, {}, FLOAT, 2), ["Max", "Max", "Max"]),
    "opencv norm of integers": ("opencv-5.0", node_with("ReduceL2", {"x": INT_DATA}, {}, INT64, 2, axes=[1]), None),
    "opencv sum of integers": ("opencv-5.0", node_with("ReduceProd", {"x": INT_DATA}, {}, INT64, 2, axes=[0, 1]), ["ReduceProd", "ReduceProd"]),
    "opencv size": ("opencv-5.0", node_with("Size", {"x": floats(2, 3)}, {}, INT64, 0), None),
    "tract difference": ("tract-0.23", behind_a_convolution("Sub", floats(3, 1, 1)), ["Conv", "Neg", "Add"]),
    "tract quotient": ("tract-0.23", behind_a_convolution("Div", floats(1, 3, 1, 1)), ["Conv", "Neg", "Neg", "Div"]),
    "tract rest": ("tract-0.23", node_with("Mod", {"a": np.array([7, -7, 5], np.int64), "b": np.array([[2, 3, 4], [-2, -3, 6]], np.int64)}, {}, INT64, 2), None),
    "tract squares": ("tract-0.23", node_with("ReduceSumSquare", {"x": INT_DATA}, {}, INT64, 2, axes=[1]), ["Neg", "Mul", "Constant", "ReduceSum", "Neg"]),
    "tract norm of integers": ("tract-0.23", node_with("ReduceL2", {"x": INT_DATA}, {}, INT64, 2, axes=[1]), None),
    "tract logarithm of integers": ("tract-0.23", node_with("ReduceLogSum", {"x": np.abs(INT_DATA)}, {}, INT64, 2, axes=[1]), None),
    **{f"{target} output_shape": (target, node_with("ConvTranspose", {"x": floats(1, 2, 4, 3)}, {"w": floats(2, 1, 3, 2)}, FLOAT, 4, output_shape=[8, 6], strides=[2, 2], kernel_shape=[3, 2], group=2), ["ConvTranspose"]) for target in ("mnn-3.6", "opencv-5.0", "tract-0.23")},
    "mnn compress": ("mnn-3.6", node_with("Compress", {"x": floats(3, 4)}, {"k": np.array([True, False, True])}, FLOAT, 2, axis=-2), ["Compress"]),
    "tract slice": ("tract-0.23", node_with("Slice", {"x": floats(3, 4, 5)}, {}, FLOAT, 3, 9, axes=[-1, -2], starts=[1, 0], ends=[4, 2]), None),
}
# What they take, and an earlier line had refused.
LEFT = {
    "opencv places": ("opencv-5.0", with_constants([helper.make_node("MaxPool", ["x"], ["p", "y"], kernel_shape=[2, 2], strides=[2, 2])], {"x": floats(1, 2, 4, 4)}, {}, INT64, [None] * 4)),
    "opencv convolution": ("opencv-5.0", with_constants([helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 0, 0], strides=[2, 2])], {"x": floats(1, 2, 4, 5)}, {"w": floats(3, 2, 1, 1)}, FLOAT, [None] * 4)),
    "mnn product": ("mnn-3.6", node_with("Gemm", {"a": floats(3, 2), "b": floats(3, 4)}, {}, FLOAT, 2, transA=1)),
    "mnn padding": ("mnn-3.6", node_with("Pad", {"x": floats(3, 2)}, {}, FLOAT, 2, 9, mode="reflect", pads=[1, 0, 1, 1])),
}


@pytest.mark.parametrize("case", SAID_OTHERWISE)
def test_what_comes_out_wrong_as_it_is(case: str, tmp_path: pathlib.Path) -> None:
    target, (content, feed), expected_operators = SAID_OTHERWISE[case]
    given = onnx.load_from_string(content)
    out = lowered(content, target)
    assert operators(out) != operators(given) or case in ("mnn softmax", "mnn compress", "tract slice", "opencv scattered, constants") or case.endswith("output_shape")
    if expected_operators is not None:
        assert operators(out) == expected_operators
    expected = computed(given, feed)[0]
    assert not any(attribute.name == "output_shape" or (attribute.name == "axis" and attribute.i < 0 and target != "mnn-3.6") for node in out.graph.node for attribute in node.attribute)
    np.testing.assert_allclose(computed(out, feed)[0], expected, rtol=1e-5, atol=1e-6)
    if target == "mnn-3.6":
        python = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
        arguments = argparse.Namespace(name="mnn-3.6", runtime="mnn", python=python, tool=tool.TOOL, work=tmp_path)
        assert random_models_in_target.report(arguments, tmp_path / "asked", {0: seeds.Seed(case, given, list(feed.values()), [expected], rtol=1e-4, atol=1e-5)}) == {}


@pytest.mark.parametrize("target", ["mnn-3.6", "opencv-5.0"])
def test_linear_resizing_of_opset_10(target: str) -> None:
    """They take the centres for the corners; from 11 on the node says what it means."""
    content, feed = node_with("Resize", {"x": floats(1, 2, 4, 5)}, {"s": np.array([1, 1, 2, 2], np.float32)}, FLOAT, 4, 10, mode="linear")
    assert tool.lower(content, ["--target", target]).status == tool.NOT_LOWERED
    out = lowered(content, target, "--target-opset", 11)
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)


def test_what_a_runtime_takes_after_all(tmp_path: pathlib.Path) -> None:
    for target, (content, _) in LEFT.values():
        assert operators(lowered(content, target)) == operators(onnx.load_from_string(content))
    python = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
    arguments = argparse.Namespace(name="mnn-3.6", runtime="mnn", python=python, tool=tool.TOOL, work=tmp_path)
    sample = [seeds.Seed(name, onnx.load_from_string(content), list(feed.values()), computed(onnx.load_from_string(content), feed), rtol=1e-4, atol=1e-5) for name, (target, (content, feed)) in LEFT.items() if target == "mnn-3.6"]
    assert random_models_in_target.report(arguments, tmp_path / "asked", dict(enumerate(sample))) == {}


@pytest.mark.parametrize("is_constant", [False, True])
def test_indices_that_count_from_the_end(is_constant: bool, tmp_path: pathlib.Path) -> None:
    """Most runtimes take them for others in GatherND, and some in GatherElements."""
    data = np.random.default_rng(3).normal(size=(3, 4)).astype(np.float32)
    sample = []
    for op, attributes, indices in (("GatherND", {}, [[-1, -2], [0, -1]]), ("GatherND", {}, [[-1], [2]]), ("GatherND", {"batch_dims": 1}, [[-1], [0], [-2]]), ("GatherElements", {"axis": 1}, [[-1, -2, 0, 1], [0, -1, 3, 2], [1, -4, 0, 0]])):
        places = np.array(indices, np.int64)
        inputs = {"x": (FLOAT, [3, 4])} | ({} if is_constant else {"i": (INT64, places.shape)})
        expected_rank = {"GatherND": {(2, 2): 1, (2, 1): 2, (3, 1): 1}, "GatherElements": {(3, 4): 2}}[op][places.shape]
        content = model([helper.make_node(op, ["x", "i"], ["y"], **attributes)], inputs, {"y": (FLOAT, [None] * expected_rank)}, opset=13, initializers=[numpy_helper.from_array(places, "i")] if is_constant else [])
        feed = {"x": data} | ({} if is_constant else {"i": places})
        expected = computed(onnx.load_from_string(content), feed)[0]
        for target in ("openvino-2023.3", "openvino-2024.6", "opencv-5.0", "mnn-3.6", "tract-0.23"):
            out = lowered(content, target)
            assert op not in operators(out) or (op == "GatherElements" and target[:4] in ("open", "trac")), target
            np.testing.assert_array_equal(computed(out, feed)[0], expected)
        sample.append(seeds.Seed(f"{op} {indices}", onnx.load_from_string(content), list(feed.values()), [expected], rtol=1e-5, atol=1e-6))
    # Those that are known not to be negative stay.
    places = model([helper.make_node("NonZero", ["x"], ["n"]), helper.make_node("Transpose", ["n"], ["i"]), helper.make_node("GatherND", ["x", "i"], ["y"])], {"x": (FLOAT, [3, 4])}, {"y": (FLOAT, [None])}, opset=13)
    assert "GatherND" in operators(lowered(places, "openvino-2024.6"))
    python = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
    arguments = argparse.Namespace(name="mnn-3.6", runtime="mnn", python=python, tool=tool.TOOL, work=tmp_path)
    assert random_models_in_target.report(arguments, tmp_path / "asked", dict(enumerate(sample))) == {}


def recurrent(op: str, direction: str, has_states: bool) -> onnx.ModelProto:
    """Of sequences of several lengths, how many of which is open; weights are constants."""
    rng = np.random.default_rng(12)
    gates, directions, hidden = {"LSTM": 4, "GRU": 3, "RNN": 1}[op], 2 if direction == "bidirectional" else 1, 4
    constants = {"w": (directions, gates * hidden, 3), "r": (directions, gates * hidden, hidden), "b": (directions, 2 * gates * hidden)}
    states = ["h", "c"][:2 if op == "LSTM" else 1] if has_states else []
    outputs = {"y": [None] * 4, "y_h": [None] * 3} | ({"y_c": [None] * 3} if op == "LSTM" else {})
    node = helper.make_node(op, ["x", "w", "r", "b", "lengths", *states], list(outputs), hidden_size=hidden, direction=direction)
    inputs = {"x": (FLOAT, ["steps", "n", 3]), "lengths": (TensorProto.INT32, ["n"])} | {name: (FLOAT, [directions, "n", hidden]) for name in states}
    initializers = [numpy_helper.from_array(rng.normal(size=shape).astype(np.float32), name) for name, shape in constants.items()]
    return onnx.load_from_string(model([node], inputs, {name: (FLOAT, shape) for name, shape in outputs.items()}, opset=14, initializers=initializers))


@pytest.mark.parametrize("has_states", [False, True])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("op", ["LSTM", "GRU", "RNN"])
def test_sequences_of_several_lengths_in_openvino(op: str, direction: str, has_states: bool) -> None:
    """It takes no notice of the lengths where only the run tells how many there are, as torch exports packed sequences. One may be empty."""
    given = recurrent(op, direction, has_states)
    rng = np.random.default_rng(13)
    feed = {"x": rng.normal(size=(5, 4, 3)).astype(np.float32), "lengths": np.int32([5, 0, 3, 1])}
    feed |= {value.name: rng.normal(size=(2 if direction == "bidirectional" else 1, 4, 4)).astype(np.float32) for value in given.graph.input if value.name in "hc"}
    expected = computed(given, feed)
    for target in ("openvino-2023.3", "openvino-2024.6", "openvino-2026.4"):
        out = lowered(given.SerializeToString(), target)
        assert all(len(node.input) < 5 or not node.input[4] for node in out.graph.node if node.op_type == op)
        for one, other in zip(computed(out, feed), expected):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    in_openvino = runtimes.in_openvino(out.SerializeToString())(feed)
    for value, other in zip(given.graph.output, expected):
        np.testing.assert_allclose(in_openvino[value.name], other, rtol=1e-4, atol=1e-5)
    # Where it is known how many there are, it minds them.
    given.graph.input[0].type.tensor_type.shape.dim[1].dim_value = 4
    assert operators(lowered(given.SerializeToString(), "openvino-2026.4")) == [op]


@pytest.mark.parametrize("change, message", [({"clip": 0.5}, "do not keep what they hold"), ({"activations": ["HardSigmoid", "Tanh", "Tanh"]}, "need not be 0 or 1")])
def test_cells_that_do_not_stop(change: dict, message: str, tmp_path: pathlib.Path) -> None:
    """Then the state of a cell behind the end of a sequence is lost; the other outputs are not."""
    path = written(tmp_path, "LSTM not present(sequence_lens)\n")
    given = recurrent("LSTM", "forward", False)
    given.graph.node[0].attribute.extend(helper.make_attribute(name, value) for name, value in change.items())
    result = tool.lower(given.SerializeToString(), ["--target", path])
    assert result.status == tool.NOT_LOWERED and message in result.stderr
    del given.graph.output[2], given.graph.node[0].output[2]
    feed = {"x": np.random.default_rng(14).normal(size=(5, 3, 3)).astype(np.float32), "lengths": np.int32([2, 5, 4])}
    for one, other in zip(computed(lowered(given.SerializeToString(), path), feed), computed(given, feed)):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("op", ["Conv", "AveragePool", "MaxPool"])
def test_three_axes_for_rten(op: str) -> None:
    attributes = {"kernel_shape": [2, 1, 2], "strides": [1, 1, 1]}
    content, feed = convolution(op, 3, {}) if op == "Conv" else (model([helper.make_node(op, ["x"], ["y"], **attributes)], {"x": (FLOAT, [1, 2, 4, 3, 4])}, {"y": (FLOAT, [1, 2, 3, 3, 3])}, opset=13), {})
    result = tool.lower(content, ["--target", "rten-0.27"])
    if op != "MaxPool":  # what averages are said by is a convolution
        assert result.status == tool.NOT_LOWERED and "rank(X) <= 4" in result.stderr
        return
    feed = {"x": np.arange(96).reshape(1, 2, 4, 3, 4).astype(np.float32)}
    out = onnx.load_from_string(result.stdout)
    assert op not in operators(out)
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-6)


def quantized(value: str, scale: str, zero: str) -> list[onnx.NodeProto]:
    """A value through codes and back: `value`_d."""
    return [helper.make_node("QuantizeLinear", [value, scale, zero], [f"{value}_q"]), helper.make_node("DequantizeLinear", [f"{value}_q", scale, zero], [f"{value}_d"])]


MOVES = {"MaxPool": "MaxPool <kernel_shape = [2, 2]> (d)", "Reshape": "Reshape (d, sizes)", "Transpose": "Transpose (d)", "Squeeze": "Squeeze (d, axis)", "Unsqueeze": "Unsqueeze (d, axis)", "Slice": "Slice (d, axis, end, axis)"}


@pytest.mark.parametrize("arguments", [["--target-opset", 21], ["--target-opset", 23], ["--target-opset", 21, "--target", "onnxruntime-1.31"]])
@pytest.mark.parametrize("zero", [0, 3])
@pytest.mark.parametrize("moves", MOVES)
def test_codes_with_a_sign_at_newer_opsets(moves: str, zero: int, arguments: list) -> None:
    """ONNX Runtime quantizes once more behind what only moves numbers, and then does not load them: `output_dtype INT8 does not match y_zero_point type UINT8`."""
    text = f"""(float[1,2,4,4] x) => (float[] y) <float s = {{0.5}}, int8 z = {{{zero}}}, int64[2] sizes = {{4, 8}}, int64[1] axis = {{0}}, int64[1] end = {{1}}> {{
      q = QuantizeLinear (x, s, z) d = DequantizeLinear (q, s, z) m = {MOVES[moves]} %s }}"""
    content = of_text(text % "y = Relu (m)", 13)
    x = np.linspace(-70, 70, 32, dtype=np.float32).reshape(1, 2, 4, 4)
    out = onnx.load_from_string(tool.lowered(content, arguments))
    np.testing.assert_array_equal(computed(out, {"x": x})[0], computed(onnx.load_from_string(content), {"x": x})[0])
    # What is quantized behind it stays as it is.
    again = of_text(text % "p = QuantizeLinear (m, s, z) y = DequantizeLinear (p, s, z)", 13)
    assert operators(onnx.load_from_string(tool.lowered(again, arguments))) == operators(onnx.load_from_string(again))


@pytest.mark.parametrize("target", ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"])
@pytest.mark.parametrize("kind", [np.int8, np.uint8])
@pytest.mark.parametrize("where", ["before", "behind", "both"])
def test_codes_with_a_sign_beside_a_concat(where: str, kind: type, target: str) -> None:
    """OpenVINO moves what quantizes through the Concat, and what a Conv makes of it is wrong by a third."""
    rng = np.random.default_rng(0)
    zero, weights = kind(0 if kind == np.int8 else 128), rng.integers(-100, 100, (4, 4, 3, 3)).astype(np.int8)
    constants = [numpy_helper.from_array(value, name) for name, value in (("one", np.float32(0.02)), ("other", np.float32(0.03)), ("zero", zero), ("step", np.float32(0.01)), ("none", np.int8(0)), ("codes", weights))]
    is_before, is_behind = where != "behind", where != "before"
    nodes = [*quantized("x", "one", "zero"), *quantized("z", "other", "zero")] if is_before else []
    nodes.append(helper.make_node("Concat", ["x_d", "z_d"] if is_before else ["x", "z"], ["both"], axis=1))
    nodes += quantized("both", "other", "zero") if is_behind else []
    nodes += [helper.make_node("DequantizeLinear", ["codes", "step", "none"], ["w"]), helper.make_node("Conv", ["both_d" if is_behind else "both", "w"], ["y"], pads=[1] * 4)]
    content = model(nodes, {"x": (FLOAT, [1, 2, 6, 6]), "z": (FLOAT, [1, 2, 6, 6])}, {"y": (FLOAT, [1, 4, 6, 6])}, opset=14, initializers=constants)
    out = lowered(content, target)
    assert operators(out).count("QuantizeLinear") == (0 if kind == np.int8 else operators(onnx.load_from_string(content)).count("QuantizeLinear"))
    feed = {name: rng.normal(size=(1, 2, 6, 6)).astype(np.float32) for name in "xz"}
    expected = computed(onnx.load_from_string(content), feed)[0]
    np.testing.assert_allclose(computed(out, feed)[0], expected, rtol=0, atol=1e-5 * np.abs(expected).max())
    if target == "openvino-2026.4":
        # Up to a code that is the next one.
        run = runtimes.in_openvino(out.SerializeToString())
        np.testing.assert_allclose(run(feed)["y"], expected, rtol=0, atol=0.05 * np.abs(expected).max())


@pytest.mark.parametrize("target", ["openvino-2023.3", "openvino-2024.6", "openvino-2026.4"])
@pytest.mark.parametrize("kind", [np.int8, np.uint8])
def test_transposed_convolutions_with_codes_for_openvino(kind: type, target: str) -> None:
    """It multiplies by the codes of weights as if their zero point were 0."""
    rng = np.random.default_rng(0)
    codes = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, (4, 4, 3, 3)).astype(kind)
    constants = [numpy_helper.from_array(value, name) for name, value in (("scale", np.float32(0.02)), ("none", np.int8(0)), ("step", np.float32(0.01)), ("zero", kind(20)), ("codes", codes))]
    nodes = [*quantized("x", "scale", "none"), helper.make_node("DequantizeLinear", ["codes", "step", "zero"], ["w"]), helper.make_node("ConvTranspose", ["x_d", "w"], ["y"], pads=[1] * 4)]
    content = model(nodes, {"x": (FLOAT, [1, 4, 6, 6])}, {"y": (FLOAT, [1, 4, 6, 6])}, opset=17, initializers=constants)
    out = lowered(content, target)
    feed = {"x": rng.normal(size=(1, 4, 6, 6)).astype(np.float32)}
    expected = computed(onnx.load_from_string(content), feed)[0]
    np.testing.assert_allclose(computed(out, feed)[0], expected, rtol=0, atol=1e-5 * np.abs(expected).max())
    assert operators(out).count("DequantizeLinear") == 1
    if target == "openvino-2026.4":
        np.testing.assert_allclose(runtimes.in_openvino(out.SerializeToString())(feed)["y"], expected, rtol=0, atol=0.02 * np.abs(expected).max())


@pytest.mark.parametrize("counted", [0, 1])
def test_means_of_codes_for_openvino(counted: int) -> None:
    """It dequantizes the means and not what goes into them, padding included, so that a zero of the padding is moved by the zero point."""
    constants = [numpy_helper.from_array(value, name) for name, value in (("scale", np.float32(0.02)), ("zero", np.uint8(50)))]
    nodes = [*quantized("x", "scale", "zero"), helper.make_node("AveragePool", ["x_d"], ["y"], kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=counted)]
    content = model(nodes, {"x": (FLOAT, [1, 2, 6, 6])}, {"y": (FLOAT, [1, 2, 6, 6])}, opset=17, initializers=constants)
    out = lowered(content, "openvino-2026.4")
    feed = {"x": np.random.default_rng(0).normal(size=(1, 2, 6, 6)).astype(np.float32)}
    expected = computed(onnx.load_from_string(content), feed)[0]
    for found in (computed(out, feed)[0], runtimes.in_openvino(out.SerializeToString())(feed)["y"]):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert (operators(out) == operators(onnx.load_from_string(content))) == (counted == 0)


def test_greatest_codes_for_mnn() -> None:
    """What reads the codes of its MaxPool gets others."""
    content = model([helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2])], {"x": (TensorProto.UINT8, [1, 2, 4, 4])}, {"y": (TensorProto.UINT8, [1, 2, 3, 3])})
    out = lowered(content, "mnn-3.6")
    assert operators(out) == ["Cast", "MaxPool", "Cast"]
    x = np.random.default_rng(0).integers(0, 256, (1, 2, 4, 4)).astype(np.uint8)
    np.testing.assert_array_equal(computed(out, {"x": x})[0], computed(onnx.load_from_string(content), {"x": x})[0])


def test_scales_that_opencv_does_not_know_before() -> None:
    """As a conversion to float16 writes them: a Cast of a constant, whose result is put in its place."""
    nodes = [helper.make_node("Cast", ["half"], ["scales"], to=FLOAT), helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear")]
    content = model(nodes, {"x": (FLOAT, [1, 2, 4, 4])}, {"y": (FLOAT, [1, 2, 8, 8])}, opset=13, ir_version=7, initializers=(numpy_helper.from_array(np.float16([1, 1, 2, 2]), "half"),))
    assert operators(lowered(content, "openvino-2026.4")) == ["Cast", "Resize"]
    out = lowered(content, "opencv-5.0")
    assert operators(out) == ["Constant", "Resize"]
    x = np.random.default_rng(0).normal(size=(1, 2, 4, 4)).astype(np.float32)
    np.testing.assert_allclose(computed(out, {"x": x})[0], computed(onnx.load_from_string(content), {"x": x})[0], rtol=0, atol=1e-6)


@pytest.mark.parametrize("target", ["mnn-3.6", "rten-0.27"])
@pytest.mark.parametrize("opset", [13, 19, 22])
def test_windows_of_every_version_have_their_strides(opset: int, target: str) -> None:
    """Also of those that no model of the probe was written for."""
    node = helper.make_node("AveragePool", ["x"], ["y"], kernel_shape=[3, 3], pads=[1] * 4)
    out = lowered(model([node], {"x": (FLOAT, [1, 2, 6, 6])}, {"y": (FLOAT, [1, 2, 6, 6])}, opset=opset), target)
    assert list(helper.get_node_attr_value(out.graph.node[0], "strides")) == [1, 1]


def test_products_with_rows_of_a_table_of_bytes() -> None:
    """OpenVINO 2024.6 takes them for weights of uint8, too."""
    table, codes = np.arange(12, dtype=np.uint8).reshape(4, 3), np.arange(-3, 3, dtype=np.int8).reshape(3, 2)
    constants = [numpy_helper.from_array(value, name) for name, value in (("table", table), ("codes", codes), ("one", np.float32(1)), ("x_zero", np.uint8(3)), ("w_zero", np.int8(1)), ("y_zero", np.uint8(100)))]
    nodes = [helper.make_node("Gather", ["table", "x"], ["rows"]), helper.make_node("QLinearMatMul", ["rows", "one", "x_zero", "codes", "one", "w_zero", "one", "y_zero"], ["y"])]
    content = model(nodes, {"x": (INT64, [2])}, {"y": (TensorProto.UINT8, [2, 2])}, opset=17, initializers=constants)
    assert "QLinearMatMul" in operators(lowered(content, "openvino-2026.4"))
    out = lowered(content, "openvino-2024.6")
    assert "QLinearMatMul" not in operators(out)
    expected = (table[[3, 0]].astype(int) - 3) @ (codes.astype(int) - 1) + 100
    np.testing.assert_array_equal(computed(out, {"x": np.int64([3, 0])})[0], expected)


def test_what_tract_joins() -> None:
    """A Softmax and what quantizes it: its numbers are others then."""
    constants = [numpy_helper.from_array(np.float32(1 / 255), "scale"), numpy_helper.from_array(np.uint8(0), "zero")]
    nodes = [helper.make_node("Softmax", ["x"], ["weights"]), helper.make_node("QuantizeLinear", ["weights", "scale", "zero"], ["codes"]), helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["other"])]
    content = model(nodes, {"x": (FLOAT, [2, 3])}, {"codes": (TensorProto.UINT8, [2, 3]), "other": (TensorProto.UINT8, [2, 3])}, initializers=constants)
    out = lowered(content, "tract-0.23")
    assert operators(out).count("QuantizeLinear") == 1
    feed = {"x": np.float32([[0, 1, 2], [-0.5, 0.25, 8]])}
    for one, other in zip(computed(out, feed), computed(onnx.load_from_string(content), feed), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("op, constants, attributes", [("CumSum", [np.int64(1)], {}), ("TopK", [np.int64([2])], {}), ("ArgMax", [], {"axis": 1}), ("ArgMin", [], {"axis": 1}), ("Sign", [], {}), ("Neg", [], {})])
def test_what_tract_does_not_compute_of_shapes(op: str, constants: list, attributes: dict) -> None:
    """An int64 that a Cast makes is of its type for shapes. torch's dynamo exporter writes such a CumSum where positions are counted."""
    given = [numpy_helper.from_array(value, f"constant_{index}") for index, value in enumerate(constants)]
    nodes = [helper.make_node("Cast", ["x"], ["whole"], to=INT64), helper.make_node(op, ["whole", *(value.name for value in given)], ["result", *["places"] * (op == "TopK")], **attributes),
             helper.make_node("Cast", ["result"], ["y"], to=FLOAT)]
    content = model(nodes, {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, None)}, opset=18, initializers=given)
    out = lowered(content, "tract-0.23")
    assert ("CastLike" in operators(out)) == (op != "Neg")
    feed = {"x": np.float32([[1, 5, -2], [0, -3, 4]])}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("axis", [-1, 0, 1])
@pytest.mark.parametrize("kind, values", [(FLOAT, np.float32([0.5, 2])), (INT64, np.int64([0, 1]))])
def test_places_as_truths_for_tract(kind: int, values: np.ndarray, axis: int) -> None:
    """It crashes on a place outside, and wants constants. Switch Transformers choose their experts so."""
    constants = [numpy_helper.from_array(np.int64(4), "depth"), numpy_helper.from_array(values, "values")]
    content = model([helper.make_node("OneHot", ["x", "depth", "values"], ["y"], axis=axis)], {"x": (INT64, [2, None])}, {"y": (kind, [None, None, None])}, opset=17, initializers=constants)
    out = lowered(content, "tract-0.23")
    assert "OneHot" not in operators(out)
    feed = {"x": np.int64([[0, 3, -1], [4, -4, -5]])}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("shape, apart", [([0, 0, -1], True), ([3, 2, 8], False)])
def test_reshapes_that_opencv_would_join(shape: list, apart: bool) -> None:
    """A zero would be the dimension of what goes into the first then."""
    nodes = [helper.make_node("Reshape", ["x", "first"], ["split"]), helper.make_node("Reshape", ["split", "second"], ["y"])]
    numbers = (numpy_helper.from_array(np.int64([3, 2, 2, 2, 2]), "first"), numpy_helper.from_array(np.int64(shape), "second"))
    content = model(nodes, {"x": (FLOAT, [3, 4, 2, 2])}, {"y": (FLOAT, [3, 2, 8])}, initializers=numbers)
    out = lowered(content, "opencv-5.0")
    assert operators(out) == ["Reshape", *["Identity"] * apart, "Reshape"]
    x = np.arange(48, dtype=np.float32).reshape(3, 4, 2, 2)
    np.testing.assert_array_equal(computed(out, {"x": x})[0], x.reshape(3, 2, 8))


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("biased", ["", "behind", "before"])
def test_attention_that_opencv_would_join(masked: bool, biased: str) -> None:
    """Of heads that are split behind a sum, as torch's exporter writes BERT, and with its operands exchanged ONNX Runtime: it makes one layer of them that knows of no mask."""
    rng = np.random.default_rng(5)
    constants = [numpy_helper.from_array(rng.standard_normal((8, 8)).astype(np.float32), f"w{i}") for i in range(3)] + [numpy_helper.from_array(rng.standard_normal(8).astype(np.float32), "b")]
    nodes = []
    for i, perm in enumerate(([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])):
        nodes += [helper.make_node("MatMul", ["x", f"w{i}"], [f"p{i}"]), helper.make_node("Add", [f"p{i}", "b"] if biased == "behind" else ["b", f"p{i}"], [f"s{i}"]) if biased else helper.make_node("Identity", [f"p{i}"], [f"s{i}"]),
                  helper.make_node("Reshape", [f"s{i}", "split"], [f"r{i}"]), helper.make_node("Transpose", [f"r{i}"], [f"t{i}"], perm=perm)]
    nodes += [helper.make_node("MatMul", ["t0", "t1"], ["products"]), helper.make_node("Div", ["products", "root"], ["scores"])]
    nodes += [helper.make_node("Add", ["scores", "mask"], ["sums"])] if masked else []
    nodes += [helper.make_node("Softmax", ["sums" if masked else "scores"], ["weights"], axis=-1), helper.make_node("MatMul", ["weights", "t2"], ["y"])]
    constants += [numpy_helper.from_array(np.array([0, 0, 2, 4]), "split"), numpy_helper.from_array(np.float32(2), "root")]
    content = model(nodes, {"x": (FLOAT, ["n", "k", 8]), "mask": (FLOAT, ["n", 1, 1, "k"])}, {"y": (FLOAT, ["n", 2, "k", 4])}, initializers=constants)
    out = lowered(content, "opencv-5.0")
    before_quotient = operators(out)[operators(out).index("Div") - 1]
    assert before_quotient == ("Identity" if biased else "MatMul")
    feed = {"x": rng.standard_normal((2, 3, 8)).astype(np.float32), "mask": np.where(np.arange(3) < [[2], [3]], 0, -1e4).astype(np.float32).reshape(2, 1, 1, 3)}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("op", ["Add", "Sub", "Mul", "Div"])
@pytest.mark.parametrize("one, other, joined", [
    ([2, 3, 4, 2, 5], [1, 1, 4, 1, 5], 4), ([2, 3, 4, 2, 5], [2, 3, 4, 2, 5], 1), ([5], [2, 3, 4, 2, 5], 2), ([], [2, 3, 4, 2, 5], 1), ([1, 2, 3, 1, 4, 5], [1, 2, 3, 1, 1, 1], 2),
    ([2, 1, 4, 1, 5], [1, 3, 4, 2, 5], None), ([2, 0, 4, 2, 5], [5], None), (["n", 3, 4, 2, 5], [5], None),
])
def test_sums_and_products_of_many_dimensions(one: list, other: list, joined: int | None, op: str, tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node(op, ["a", "b"], ["y"])], {"a": (FLOAT, one), "b": (FLOAT, other)}, {"y": (FLOAT, None)})
    path = written(tmp_path, f"{op} rank(A) <= 4 and rank(B) <= 4\n")
    if joined is None:
        tool.assert_clean_refusal(tool.lower(content, ["--target", path]), tool.NOT_LOWERED)
        return
    out = lowered(content, path)
    made, = (node for node in out.graph.node if node.op_type == op)
    shapes = {value.name: value.type.tensor_type.shape.dim for value in onnx.shape_inference.infer_shapes(out, data_prop=True).graph.value_info}
    assert [len(shapes[name]) for name in made.input] == [joined, joined]
    rng = np.random.default_rng(7)
    feed = {"a": rng.uniform(1, 2, one).astype(np.float32), "b": rng.uniform(1, 2, other).astype(np.float32)}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("op", ["Add", "Sub", "Mul", "Div"])
def test_constants_of_many_dimensions_for_rknn(op: str) -> None:
    """What is computed of constants and of shapes is a constant to it, too."""
    nodes = [helper.make_node("Shape", ["x"], ["sizes"]), helper.make_node("Cast", ["sizes"], ["numbers"], to=FLOAT), helper.make_node("Cos", ["numbers"], ["angles"]),
             helper.make_node(op, ["x", "angles"], ["y"])]
    given = model(nodes, {"x": (FLOAT, [2, 3, 4, 2, 5])}, {"y": (FLOAT, [2, 3, 4, 2, 5])})
    out = lowered(given, "rknn-toolkit2-2.5")
    assert operators(out)[-1] == "Reshape"
    feed = {"x": np.random.default_rng(8).uniform(1, 2, [2, 3, 4, 2, 5]).astype(np.float32)}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(given), feed)[0])
    of_two_inputs = model([helper.make_node(op, ["x", "z"], ["y"])], {"x": (FLOAT, [2, 3, 4, 2, 5]), "z": (FLOAT, [5])}, {"y": (FLOAT, [2, 3, 4, 2, 5])})
    assert operators(lowered(of_two_inputs, "rknn-toolkit2-2.5")) == [op]


@pytest.mark.parametrize("op, inputs", [("Log", 1), ("Div", 2)])
def test_outputs_without_dimensions_for_rknn(op: str, inputs: int) -> None:
    """It gives them one, but for those of a few operators, as Squeeze."""
    nodes = [helper.make_node("ReduceSum", ["x"], ["total"], keepdims=0), helper.make_node(op, ["total"] * inputs, ["y"])]
    content = model(nodes, {"x": (FLOAT, [3])}, {"y": (FLOAT, [])})
    out = lowered(content, "rknn-toolkit2-2.5")
    assert operators(out)[-1] == "Squeeze"
    inside = model([*nodes, helper.make_node("Unsqueeze", ["y", "first"], ["z"])], {"x": (FLOAT, [3])}, {"z": (FLOAT, [1])}, initializers=(numpy_helper.from_array(np.int64([0]), "first"),))
    assert "Squeeze" not in operators(lowered(inside, "rknn-toolkit2-2.5"))
    feed = {"x": np.float32([1, 2, 3])}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-6)


@pytest.mark.parametrize("how", ["initializer", "constant", "in a branch"])
@pytest.mark.parametrize("kind", [TensorProto.STRING, TensorProto.INT4])
def test_unread_tensors_of_a_type_that_is_lacking(how: str, kind: int, tmp_path: pathlib.Path) -> None:
    """A runtime reads all tensors of a model; no node reads this one."""
    tensor = helper.make_tensor("c", kind, [2], [b"a", b"b"] if kind == TensorProto.STRING else [1, 2])
    constant = helper.make_node("Constant", [], ["c"], value=tensor)
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    if how == "in a branch":
        branches = {name: branch(name, [*[constant] * (op == "Neg"), helper.make_node(op, ["x"], [name])], [name]) for name, op in (("then_branch", "Relu"), ("else_branch", "Neg"))}
        nodes = [helper.make_node("If", ["b"], ["y"], **branches)]
    elif how == "constant":
        nodes = [constant, *nodes]
    content = model(nodes, {"x": (FLOAT, [2]), "b": (TensorProto.BOOL, [])}, {"y": (FLOAT, [2])}, opset=21, ir_version=10, initializers=(tensor,) if how == "initializer" else ())
    out = lowered(content, written(tmp_path, "types not in (string, int4)\n"))
    assert "Constant" not in str(out) and not out.graph.initializer
    assert tool.lowered(content, ["--target", written(tmp_path, "types not in (bfloat16)\n")]) == content


@pytest.mark.parametrize("at", ["input", "output"])
def test_inputs_and_outputs_of_a_type_that_is_lacking(at: str, tmp_path: pathlib.Path) -> None:
    nodes = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Cast", ["x"], ["z"], to=FLOAT16)]
    content = model(nodes, {"x": (FLOAT, [2]), **({"u": (FLOAT16, [2])} if at == "input" else {})}, {"y": (FLOAT, [2]), **({"z": (FLOAT16, [2])} if at == "output" else {})})
    result = tool.lower(content, ["--target", written(tmp_path, "types not in (float16)\n")])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert f"board has no float16, which is the element type of the {at} '{'u' if at == 'input' else 'z'}'" in result.stderr


def test_a_model_without_nodes(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "nodes some\n")
    content = model([], {"x": (FLOAT, [2])}, {"x": (FLOAT, [2])})
    result = tool.lower(content, ["--target", path])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "board takes no model without nodes" in result.stderr
    content = model([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])})
    assert tool.lowered(content, ["--target", path]) == content


@pytest.mark.parametrize("op, inputs, made", [("Sum", 2, {"Add": 1}), ("Sum", 4, {"Add": 3}), ("Mean", 1, {"Div": 1}), ("Mean", 3, {"Add": 2, "Div": 1}), ("Max", 3, {"Max": 2}), ("Min", 4, {"Min": 3})])
def test_two_at_a_time(op: str, inputs: int, made: dict, tmp_path: pathlib.Path) -> None:
    names = ["a", "b", "c", "d"][:inputs]
    content = model([helper.make_node(op, names, ["y"])], {name: (FLOAT, [3] if name == "b" else [2, 3]) for name in names}, {"y": (FLOAT, [2, 3])})
    out = lowered(content, written(tmp_path, f"{op}  {'never' if op in ('Sum', 'Mean') else 'not present(input_2)'}\n"))
    assert {one: operators(out).count(one) for one in set(operators(out)) - {"Constant", "CastLike"}} == made
    rng = np.random.default_rng(4)
    feed = {name: rng.standard_normal([3] if name == "b" else [2, 3]).astype(np.float32) for name in names}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-6)


def test_raw_data_that_is_rather_wanted(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("And", ["x", "c"], ["y"])], {"x": (TensorProto.BOOL, [2])}, {"y": (TensorProto.BOOL, [2])}, initializers=(helper.make_tensor("c", TensorProto.BOOL, [2], [True, False]),))
    out = lowered(content, written(tmp_path, "rather types raw (bool)\n"))
    assert out.graph.initializer[0].raw_data == b"\x01\x00"


@pytest.mark.parametrize("target, nodes, opset, made", [
    ("mnn-3.6", [helper.make_node("Pow", ["x", "i"], ["y"])], 18, {"Cast", "Pow"}),
    ("mnn-3.6", [helper.make_node("LayerNormalization", ["x", "x"], ["y"], axis=0)], 18, {"ReduceMean", "Sqrt"}),
    ("mnn-3.6", [helper.make_node("Dropout", ["x"], ["y"])], 18, {"Identity"}),
    ("opencv-5.0", [helper.make_node("Clip", ["i", "one"], ["c"]), helper.make_node("Cast", ["c"], ["y"], to=FLOAT)], 18, {"Less", "Where"}),
    ("opencv-5.0", [helper.make_node("Sum", ["x", "x", "x"], ["y"])], 18, {"Add"}),
    ("rten-0.27", [helper.make_node("Dropout", ["x"], ["y"])], 18, {"Identity"}),
    ("tract-0.23", [helper.make_node("Mean", ["x", "x"], ["y"])], 18, {"Add", "Div"}),
    ("tract-0.23", [helper.make_node("Upsample", ["x", "ones"], ["y"], mode="nearest")], 9, set()),
])
def test_what_random_models_showed(target: str, nodes: list, opset: int, made: set, tmp_path: pathlib.Path) -> None:
    numbers = (numpy_helper.from_array(np.int64(1), "one"), numpy_helper.from_array(np.float32([1, 1]), "ones"))
    content = model(nodes, {"x": (FLOAT, [2, 3]), "i": (INT64, [2, 3])}, {"y": (FLOAT, [2, 3])}, opset=opset, initializers=numbers)
    out = lowered(content, target)
    assert made <= set(operators(out)) and nodes[0].op_type not in set(operators(out)) - made
    feed = {"x": np.float32([[1, 2, 3], [4, 6, 5]]), "i": np.int64([[0, 1, 2], [3, 2, 1]])}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)


def test_a_choice_between_numbers_for_rknn() -> None:
    """At one of one element it crashes."""
    nodes = [helper.make_node("ReduceSum", ["x"], ["total"], keepdims=0), helper.make_node("ReduceMax", ["x"], ["greatest"], keepdims=0), helper.make_node("Greater", ["total", "greatest"], ["which"]),
             helper.make_node("Where", ["which", "total", "greatest"], ["y"])]
    content = model(nodes, {"x": (FLOAT, [3])}, {"y": (FLOAT, [])}, opset=13)
    out = lowered(content, "rknn-toolkit2-2.5")
    assert operators(out).count("Expand") == 3
    for feed in ({"x": np.float32([1, 2, 3])}, {"x": np.float32([-1, -2, 3])}):
        np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("sizes", [None, [8, 8, 4]])
def test_attention_with_one_projection_for_rknn(biased: bool, sizes: list | None) -> None:
    """It stumbles over what one projection is split into, or mixes it up: the weights are split instead. A model's own split is refused."""
    rng = np.random.default_rng(3)
    width = sum(sizes or [8, 8, 8])
    weights = [numpy_helper.from_array(rng.standard_normal((6, width)).astype(np.float32), "w"), *[numpy_helper.from_array(rng.standard_normal(width).astype(np.float32), "b")] * biased]
    inputs = ["x", "w", "b" if biased else "", "mask"]
    node = helper.make_node("Attention", inputs, ["y"], domain="com.microsoft", num_heads=2, **({"qkv_hidden_sizes": sizes} if sizes else {}))
    content = model([node], {"x": (FLOAT, [2, 3, 6]), "mask": (TensorProto.INT32, [2, 3])}, {"y": (FLOAT, [2, 3, (sizes or [8])[-1]])}, initializers=tuple(weights), others=("com.microsoft",))
    out = lowered(content, "rknn-toolkit2-2.5")
    assert operators(out).count("MatMul") == 5
    feed = {"x": rng.standard_normal((2, 3, 6)).astype(np.float32), "mask": np.int32([[1, 1, 0], [1, 1, 1]])}
    by_default = tool.lowered(content)
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(by_default), feed)[0], rtol=1e-5, atol=1e-6)
    tool.assert_clean_refusal(tool.lower(by_default, ["--target", "rknn-toolkit2-2.5"]), tool.NOT_LOWERED)


def test_half_turns_for_rknn() -> None:
    """With one word, as in a step of a decoder, it does not come to an end over the Neg."""
    nodes = [helper.make_node("Slice", ["x", "two", "end", "axis"], ["second"]), helper.make_node("Neg", ["second"], ["minus"]), helper.make_node("Slice", ["x", "zero", "two", "axis"], ["first"]),
             helper.make_node("Concat", ["minus", "first"], ["y"], axis=3)]
    constants = [numpy_helper.from_array(np.array([number]), name) for name, number in (("zero", 0), ("two", 2), ("end", 4), ("axis", 3))]
    given = model(nodes, {"x": (FLOAT, [2, 4, 1, 4])}, {"y": (FLOAT, [2, 4, 1, 4])}, initializers=constants)
    out = lowered(given, "rknn-toolkit2-2.5")
    assert "Neg" not in operators(out) and "Mul" in operators(out)
    feed = {"x": np.arange(32, dtype=np.float32).reshape(2, 4, 1, 4)}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(given), feed)[0])


@pytest.mark.parametrize("target", ["onnxruntime-1.31", "onnxruntime-web-1.30", "opencv-5.0"])
@pytest.mark.parametrize("batch, sentences, stays", [("n", 1, False), (3, 1, False), (1, 1, True), ("n", "n", True), (3, 3, True)])
def test_rotary_angles_of_one_sentence_for_all(batch: object, sentences: object, stays: bool, target: str) -> None:
    """As torch's exporter writes them, and the operator does not say."""
    content = model([helper.make_node("RotaryEmbedding", ["x", "cos", "sin"], ["y"])], {"x": (FLOAT, [batch, 2, 5, 4]), "cos": (FLOAT, [sentences, 5, 2]), "sin": (FLOAT, [sentences, 5, 2])},
                    {"y": (FLOAT, [batch, 2, 5, 4])}, opset=23, ir_version=10)
    out = lowered(content, target)
    assert ("RotaryEmbedding" in operators(out)) == stays
    rng = np.random.default_rng(6)
    x, angles = rng.standard_normal((1 if batch == 1 else 3, 2, 5, 4)).astype(np.float32), rng.standard_normal((1 if sentences == 1 else 3, 5, 2)).astype(np.float32)
    cos, sin = np.cos(angles), np.sin(angles)
    one, other = x[..., :2], x[..., 2:]
    expected = np.concatenate([one * cos[:, None] - other * sin[:, None], one * sin[:, None] + other * cos[:, None]], -1)
    np.testing.assert_allclose(computed(out, {"x": x, "cos": cos, "sin": sin})[0], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("shape, attributes, reason", [
    ([2, 3, 3, 3], {}, None), ([2, 3, 3], {"strides": [2]}, None), ([2, 3, 3, 3], {"auto_pad": "SAME_UPPER", "strides": [2, 2]}, None),
    ([2, 3, 3, 3], {"output_shape": [10, 8], "strides": [3, 2]}, None), ([2, 3, 3, 3], {"auto_pad": "SAME_LOWER"}, None),
    ([2, 3, 3, 3, 3], {}, "rank(X) is 5"),
])
def test_transposed_convolutions_of_rten(shape: list, attributes: dict, reason: str | None) -> None:
    """It does not count the dimensions, and has none of three, nor to a size that is asked for."""
    weights = numpy_helper.from_array(np.arange(np.prod(shape), dtype=np.float32).reshape(shape), "w")
    size = [1, 2, *([4] * (len(shape) - 2))]
    content = model([helper.make_node("ConvTranspose", ["x", "w"], ["y"], **attributes)], {"x": (FLOAT, size)}, {"y": (FLOAT, None)}, initializers=[weights])
    if reason is not None:
        result = tool.lower(content, ["--target", "rten-0.27"])
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert reason in result.stderr
        return
    out = lowered(content, "rten-0.27")
    assert {attribute.name: helper.get_attribute_value(attribute) for attribute in out.graph.node[0].attribute}["kernel_shape"] == shape[2:]
    feed = {"x": np.arange(np.prod(size), dtype=np.float32).reshape(size)}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


def test_opsets_of_models_of_some_kind(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "opset 7..20\nopset 15..19 where model_output(int64)\n")
    for kind, opset, expected in ((INT64, 11, 15), (INT64, 20, 19), (INT64, 17, 17), (FLOAT, 11, 11), (FLOAT, 20, 20)):
        made = lowered(model([helper.make_node("Abs", ["x"], ["y"])], {"x": (kind, [2])}, {"y": (kind, [2])}, opset=opset), path)
        assert made.opset_import[0].version == expected
    for wrong in ("opset 15.. where rank(x) == 1", "opset where model_output(int64)", "opset 15..20 where", "opset 15..20 where given"):
        assert tool.lower(model([], {}, {}), ["--target", written(tmp_path, wrong + "\n")]).status == tool.INVALID_INPUT


REDUCTIONS = ["ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"]


@pytest.mark.parametrize("opset", [11, 18])
@pytest.mark.parametrize("op", REDUCTIONS)
def test_reductions_in_steps(op: str, opset: int, tmp_path: pathlib.Path) -> None:
    """For a runtime that reduces at most two axes, and leaves them there."""
    path = written(tmp_path, f"{op} keepdims == 1 and not length(axes) >= 3 and not dim(axes, 0) >= 3\n")
    data = np.linspace(0.5, 2, 2 * 3 * 4 * 2, dtype=np.float32).reshape(2, 3, 4, 2)
    for axes, keepdims in (([1], 0), ([0, -1], 0), ([3, 0, 1], 1), ([-2, 0, 3], 0), ([0, 1, 2, 3], 0)):
        as_input = opset == 18
        node = helper.make_node(op, ["x", "axes"] if as_input else ["x"], ["y"], keepdims=keepdims, **({} if as_input else {"axes": axes}))
        constants = (numpy_helper.from_array(np.int64(axes), "axes"),) if as_input else ()
        content = model([node], {"x": (FLOAT, [2, 3, 4, 2])}, {"y": (FLOAT, None)}, opset=opset, initializers=constants)
        result = tool.lower(content, ["--target", path, "--target-opset", opset])
        if len(axes) > 2 and opset == 11 and op == "ReduceLogSum":
            assert result.status == tool.NOT_LOWERED
            continue
        made = onnx.load_from_string(result.stdout)
        assert op not in operators(made) or operators(made).count(op) == (len(axes) + 1) // 2  # ONNX says some as functions
        np.testing.assert_allclose(computed(made, {"x": data})[0], computed(onnx.load_from_string(content), {"x": data})[0], rtol=1e-5)


@pytest.mark.parametrize("opset", [11, 18])
@pytest.mark.parametrize("op", REDUCTIONS)
def test_axes_one_after_the_other(op: str, opset: int, tmp_path: pathlib.Path) -> None:
    """The last first, for a runtime that does not reduce two; and all axes, which nothing names, for one that leaves them there."""
    path = written(tmp_path, f"{op} keepdims == 1 and not length(axes) >= 2 and not dim(axes, 0) >= 2\n")
    data = np.linspace(0.5, 2, 2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)
    constants = (numpy_helper.from_array(np.int64([0, 2]), "axes"),) if opset == 18 else ()
    node = helper.make_node(op, ["x", "axes"][:1 + len(constants)], ["y"], keepdims=1, **({} if constants else {"axes": [0, 2]}))
    content = model([node], {"x": (FLOAT, [2, 3, 4])}, {"y": (FLOAT, [1, 3, 1])}, opset=opset, initializers=constants)
    result = tool.lower(content, ["--target", path, "--target-opset", opset])
    if op == "ReduceLogSum" and opset == 11:
        assert result.status == tool.NOT_LOWERED
    else:
        made = onnx.load_from_string(result.stdout)
        assert op not in operators(made) or operators(made).count(op) == 2  # ONNX says some as functions
        np.testing.assert_allclose(computed(made, {"x": data})[0], computed(onnx.load_from_string(content), {"x": data})[0], rtol=1e-5)
    content = model([helper.make_node(op, ["x"], ["y"], keepdims=0)], {"x": (FLOAT, [2, 3, 4])}, {"y": (FLOAT, [])}, opset=opset)
    made = lowered(content, path)
    np.testing.assert_allclose(computed(made, {"x": data})[0], computed(onnx.load_from_string(content), {"x": data})[0], rtol=1e-5)


@pytest.mark.parametrize("groups, offset_groups", [(1, 1), (2, 2), (1, 2), (2, 1)])
@pytest.mark.parametrize("masked", [False, True])
def test_one_gather_of_all_pixels(groups: int, offset_groups: int, masked: bool, tmp_path: pathlib.Path) -> None:
    """Deformable convolution for a runtime that is wrong where two nodes gather from one tensor: what it computes are the numbers of the other form."""
    rng = np.random.default_rng(3)
    feed = {"x": rng.normal(size=(2, 4, 6, 7)), "w": rng.normal(size=(4, 4 // groups, 3, 2)), "o": rng.normal(scale=2, size=(2, 12 * offset_groups, 3, 4)), "b": rng.normal(size=4),
            "m": rng.random((2, 6 * offset_groups, 3, 4))}
    feed = {name: value.astype(np.float32) for name, value in feed.items() if name != "m" or masked}
    feed["o"].flat[:4] = np.nan, np.inf, -1e30, 1  # outside, and exactly on a pixel
    names = ["x", "w", "o", "b", "m"][:len(feed)]
    node = helper.make_node("DeformConv", names, ["y"], group=groups, offset_group=offset_groups, strides=[2, 2], pads=[1, 0, 1, 1], kernel_shape=[3, 2])
    content = model([node], {name: (FLOAT, list(value.shape)) for name, value in feed.items()}, {"y": (FLOAT, None)}, opset=19)
    one = lowered(content, written(tmp_path, "DeformConv never\nmade Gather not made_by(indices, Split)\n"))
    tables = [node.input[0] for node in one.graph.node if node.op_type == "Gather" and "/table" in node.input[0]]
    assert len(tables) == 1
    other = lowered(content, written(tmp_path, "DeformConv never\n"))
    assert sum(node.op_type == "Gather" for node in other.graph.node) > 20
    np.testing.assert_allclose(computed(one, feed)[0], computed(other, feed)[0], rtol=1e-4, atol=1e-5)


def test_all_axes_of_one_element(tmp_path: pathlib.Path) -> None:
    """Which Squeeze names nowhere."""
    nodes = [helper.make_node("Squeeze", ["x"], ["y"])]
    made = lowered(model(nodes, {"x": (FLOAT, [1, 3, 1])}, {"y": (FLOAT, [3])}, opset=11), written(tmp_path, "Squeeze attribute(axes)\n"))
    assert helper.get_attribute_value(made.graph.node[0].attribute[0]) == [0, 2]
    unknown = model(nodes, {"x": (FLOAT, [1, "N", 1])}, {"y": (FLOAT, None)}, opset=11)
    assert tool.lower(unknown, ["--target", written(tmp_path, "Squeeze attribute(axes)\n")]).status == tool.NOT_LOWERED


# What pleases a runtime without another node.


def test_outputs_that_nothing_uses_lose_their_names(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "LayerNormalization not present(Mean) and not present(InvStdDev)\n")
    norm = helper.make_node("LayerNormalization", ["x", "scale"], ["y", "mean", "deviation"])
    values = {"x": (FLOAT, [2, 4]), "scale": (FLOAT, [4])}
    out = lowered(model([norm], values, {"y": (FLOAT, [2, 4])}), path)
    assert operators(out) == ["LayerNormalization"] and list(out.graph.node[0].output) == ["y"]
    feed = {"x": np.arange(8, dtype=np.float32).reshape(2, 4), "scale": np.ones(4, np.float32)}
    used = model([norm], values, {"y": (FLOAT, [2, 4]), "mean": (FLOAT, [2, 1])})
    both = lowered(used, path)
    assert "LayerNormalization" not in operators(both)
    for one, other in zip(computed(both, feed), computed(onnx.load_from_string(used), feed)):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_a_first_output_that_nothing_uses_loses_its_name_where_it_is_optional(tmp_path: pathlib.Path) -> None:
    values = {"x": (FLOAT, [4, 1, 3]), "w": (FLOAT, [1, 2, 3]), "r": (FLOAT, [1, 2, 2])}
    content = model([helper.make_node("RNN", ["x", "w", "r"], ["all", "last"], hidden_size=2)], values, {"last": (FLOAT, [1, 1, 2])})
    out = lowered(content, written(tmp_path, "RNN not present(Y)\n"))
    assert operators(out) == ["RNN"] and list(out.graph.node[0].output) == ["", "last"]
    feed = {name: np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape) for name, (_, shape) in values.items()}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


def test_defaults_are_written_out_where_they_must_be(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Softmax", ["x"], ["y"])], {"x": (FLOAT, [2, 4])}, {"y": (FLOAT, [2, 4])})
    out = lowered(content, written(tmp_path, "Softmax attribute(axis)\n"))
    assert operators(out) == ["Softmax"] and {attribute.name: attribute.i for attribute in out.graph.node[0].attribute} == {"axis": -1}


@pytest.mark.parametrize("auto_pad, line, written_out", [
    ("NOTSET", "MaxPool attribute(strides)", {"strides": [1, 1]}), ("NOTSET", "MaxPool attribute(pads) and attribute(dilations)", {"pads": [0, 0, 0, 0], "dilations": [1, 1]}),
    ("SAME_UPPER", "MaxPool attribute(strides)", {"strides": [1, 1]}),
])
def test_how_a_window_moves_is_written_out(auto_pad: str, line: str, written_out: dict, tmp_path: pathlib.Path) -> None:
    """Their defaults are not in the schema: they go by the number of axes."""
    given = {"kernel_shape": [2, 2], "auto_pad": auto_pad}
    content = model([helper.make_node("MaxPool", ["x"], ["y"], **given)], {"x": (FLOAT, [1, 1, 3, 3])}, {"y": (FLOAT, None)})
    out = lowered(content, written(tmp_path, line + "\n"))
    node, = out.graph.node
    assert {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute} == {**given, "auto_pad": auto_pad.encode(), **written_out}
    feed = {"x": np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("declared, written_out", [([2, 1, 2], [2]), ([2, 1, None], None), (None, None)])
def test_a_window_of_weights_is_written_out(declared: list | None, written_out: list | None, tmp_path: pathlib.Path) -> None:
    """Its default are the sizes of the weights, where these are known; where not, the runtime does not know them either."""
    content = model([helper.make_node("Conv", ["x", "w"], ["y"])], {"x": (FLOAT, [1, 1, 5]), "w": (FLOAT, declared)}, {"y": (FLOAT, [1, 2, 4])})
    path = written(tmp_path, "Conv attribute(kernel_shape) or attribute(pads) and attribute(strides)\n")
    if written_out is None:
        tool.assert_clean_refusal(tool.lower(content, ["--target", path]), tool.NOT_LOWERED)
        return
    out = lowered(content, path)
    assert {attribute.name: helper.get_attribute_value(attribute) for attribute in out.graph.node[0].attribute} == {"kernel_shape": written_out}
    feed = {"x": np.arange(5, dtype=np.float32).reshape(1, 1, 5), "w": np.array([1, 2, 3, 5], np.float32).reshape(2, 1, 2)}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


# Types.


@pytest.mark.parametrize("kind, op, line", [
    (INT8, "Add", "Add not dtype(A) == int8"), (INT8, "Max", "Max not dtype(data_0) in (int8, int32)"), (TensorProto.UINT16, "Less", "Less dtype(A) in (float, int64)"),
    (FLOAT16, "Mul", "Mul dtype(A) == float"), (TensorProto.BOOL, "Equal", "Equal not dtype(A) == bool"), (TensorProto.UINT32, "Sub", "Sub not dtype(A) == uint32"),
])
def test_a_wider_type_in_place_of_one_that_is_lacking(kind: int, op: str, line: str, tmp_path: pathlib.Path) -> None:
    result = TensorProto.BOOL if op in ("Less", "Equal") else kind
    content = model([helper.make_node(op, ["a", "b"], ["y"])], {"a": (kind, [6]), "b": (kind, [6])}, {"y": (result, [6])})
    out = lowered(content, written(tmp_path, line + "\n"))
    assert operators(out).count("Cast") >= 2 and op in operators(out)
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    a, b = (np.array(values).astype(dtype) for values in ([1, 0, 5, 1, 100, 0], [0, 0, 7, 1, 27, 1]))
    numpy_op = {"Add": np.add, "Max": np.maximum, "Less": np.less, "Mul": np.multiply, "Equal": np.equal, "Sub": np.subtract}[op]
    found = computed(out, {"a": a, "b": b})[0]
    assert found.dtype == helper.tensor_dtype_to_np_dtype(result)
    np.testing.assert_array_equal(found, numpy_op(a, b))


@pytest.mark.parametrize("op", ["Add", "Reshape", "Cast"])
def test_a_type_that_a_runtime_has_none_of(op: str, tmp_path: pathlib.Path) -> None:
    """Whatever the operator: no cast helps, which would be of that type itself."""
    attributes = {"to": FLOAT} if op == "Cast" else {}
    second = {"Add": ["x"], "Reshape": ["shape"]}.get(op, [])
    content = model([helper.make_node(op, ["x", *second], ["y"], **attributes)], {"x": (TensorProto.BFLOAT16, [2, 2])}, {"y": (FLOAT if attributes else TensorProto.BFLOAT16, [2, 2])},
                    initializers=(numpy_helper.from_array(np.array([2, 2]), "shape"),))
    for target in (written(tmp_path, "types not in (bfloat16)\n"), "tract"):
        result = tool.lower(content, ["--target", target])
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert "is bfloat16" in result.stderr, result.stderr
    # What is of another type stays as it is.
    plain = model([helper.make_node("Add", ["x", "x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])})
    assert tool.lowered(plain, ["--target", written(tmp_path, "types not in (bfloat16)\n")]) == plain


def test_the_elements_of_a_sequence_keep_their_type(tmp_path: pathlib.Path) -> None:
    """No Cast gives it back: SequenceAt would make float of what has to be float16."""
    content = of_text("(float16[2] x) => (float16[2] y) <int64 zero = {0}> { s = SequenceConstruct (x) y = SequenceAt (s, zero) }", 18)
    result = tool.lower(content, ["--target", written(tmp_path, "SequenceConstruct not dtype(inputs) == float16\n")])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)


@pytest.mark.parametrize("dtype", [None, FLOAT, FLOAT16])
def test_a_result_whose_type_an_attribute_may_say(dtype: int | None, tmp_path: pathlib.Path) -> None:
    """DequantizeLinear makes what output_dtype says, and without it what its scale is of."""
    attributes = {} if dtype is None else {"output_dtype": dtype}
    content = model([helper.make_node("DequantizeLinear", ["x", "scale"], ["y"], **attributes)], {"x": (INT8, [3])}, {"y": (dtype or FLOAT16, [3])},
                    initializers=(numpy_helper.from_array(np.float16(0.1), "scale"),), opset=23, ir_version=11)
    out = lowered(content, written(tmp_path, "DequantizeLinear not dtype(x_scale) == float16\n"))
    assert "DequantizeLinear" in operators(out)
    found = computed(out, {"x": np.array([-1, 0, 7], np.int8)})[0]
    expected = np.array([-1, 0, 7], np.float32) * np.float32(np.float16(0.1))
    assert found.dtype == helper.tensor_dtype_to_np_dtype(dtype or FLOAT16)
    np.testing.assert_array_equal(found, expected.astype(found.dtype))


@pytest.mark.parametrize("op", ["ReduceMax", "ReduceMin"])
@pytest.mark.parametrize("kind, computed_in", [
    *((kind, other) for kind in (INT8, TensorProto.UINT8) for other in ("int32", "int64", "float", "opset 11")),
    *((kind, other) for kind in (TensorProto.INT32, TensorProto.UINT32) for other in ("int64", "double")),
    *((TensorProto.BOOL, other) for other in ("uint8", "int32", "float", "opset 11")),
])
def test_the_extreme_of_nothing_is_that_of_the_type(op: str, kind: int, computed_in: str, tmp_path: pathlib.Path) -> None:
    """The greatest of no numbers is the least of the element type, as ONNX says it, and not that of the type in which a runtime, or opset 11, computes it."""
    axes = helper.make_tensor("axes", INT64, [1], [1])
    node = helper.make_node(op, ["x", "axes"], ["y"], keepdims=0)
    content = model([node], {"x": (kind, [2, None])}, {"y": (kind, [2])}, opset=20, ir_version=9, initializers=[axes])
    if computed_in == "opset 11":
        out = onnx.load_from_string(tool.lowered(content, ["--target-opset", "11"]))
    else:
        out = lowered(content, written(tmp_path, f"{op} dtype(data) == {computed_in}\n"))
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    least, greatest = (False, True) if kind == TensorProto.BOOL else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    nothing, numpy_op = (least, np.max) if op == "ReduceMax" else (greatest, np.min)
    for numbers in ([[], []], [[1, 0, 1], [least, least, greatest]], [[least], [greatest]]):
        x = np.array(numbers).astype(dtype)
        found = computed(out, {"x": x})[0]
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, numpy_op(x, axis=1, initial=nothing))


@pytest.mark.parametrize("shape, keepdims", [([0], 0), ([0, 3], 0), ([0, 3], 1), ([0, 0, 2], 0)])
@pytest.mark.parametrize("kind", [FLOAT, INT64])
def test_the_sum_of_nothing_is_zero(kind: int, shape: list, keepdims: int, tmp_path: pathlib.Path) -> None:
    """For a runtime that says what memory holds: it sums a row of zeros."""
    content = model([helper.make_node("ReduceSum", ["x"], ["y"], keepdims=keepdims)], {"x": (kind, shape)}, {"y": (kind, [1] * len(shape) * keepdims)}, opset=13, ir_version=8)
    out = lowered(content, written(tmp_path, "ReduceSum not dim(data, 0) == 0\n"))
    assert "Concat" in operators(out)
    found = computed(out, {"x": np.zeros(shape, helper.tensor_dtype_to_np_dtype(kind))})[0]
    assert found.shape == (1,) * (len(shape) * keepdims) and not found.any() and found.dtype == helper.tensor_dtype_to_np_dtype(kind)


def test_nothing_is_bounded_that_is_of_something(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("ReduceMax", ["x"], ["y"], axes=[1])], {"x": (INT8, [None, 3])}, {"y": (INT8, [None, 1])}, opset=13)
    assert operators(lowered(content, written(tmp_path, "ReduceMax dtype(data) == int32\n"))) == ["Cast", "ReduceMax", "Cast"]


def test_a_window_that_lies_in_the_padding(tmp_path: pathlib.Path) -> None:
    window = {"kernel_shape": [2], "dilations": [3], "pads": [1, 1]}
    content = model([helper.make_node("MaxPool", ["x"], ["y"], **window)], {"x": (INT8, [1, 1, None])}, {"y": (INT8, [1, 1, None])}, opset=13)
    out = lowered(content, written(tmp_path, "MaxPool dtype(X) == float\n"))
    assert "Cast" in operators(out)
    for size in (2, 3, 5):
        feed = {"x": np.arange(-5, size - 5, dtype=np.int8).reshape(1, 1, size)}
        np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


def test_a_shape_has_no_type(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Shape", ["x"], ["y"]), helper.make_node("Size", ["x"], ["z"])], {"x": (TensorProto.UINT8, [None, 3])}, {"y": (INT64, [2]), "z": (INT64, [])})
    out = lowered(content, written(tmp_path, "Shape dtype(data) == int32\nSize dtype(data) == int32\n"))
    assert "Cast" in operators(out) and set(operators(out)) <= {"Cast", "Shape", "Size", "ReduceProd"}
    assert [value.tolist() for value in computed(out, {"x": np.ones((2, 3), np.uint8)})] == [[2, 3], 6]


def test_narrower_types_are_asked_for(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Cos", ["x"], ["y"])], {"x": (DOUBLE, [3])}, {"y": (DOUBLE, [3])})
    path = written(tmp_path, "Cos dtype(input) == float\n")
    tool.assert_clean_refusal(tool.lower(content, ["--target", path]), tool.NOT_LOWERED)
    result = tool.lower(content, ["--target", path, "--allow-narrowing"])
    assert result.status == tool.DONE and "warning" in result.stderr and "double" in result.stderr and "do without --allow-narrowing" in result.stderr, str(result)
    x = np.array([0.1, 1, 2])
    np.testing.assert_allclose(computed(onnx.load_from_string(result.stdout), {"x": x})[0], np.cos(x), rtol=1e-6)


def test_types_do_not_lead_back_to_each_other(tmp_path: pathlib.Path) -> None:
    """int64 is computed in int32 where that is allowed, and int32 in int64: where neither is taken, the next type is tried, and where none is, that is said at once."""
    content = model([helper.make_node("NonZero", ["x"], ["y"])], {"x": (INT64, [3])}, {"y": (INT64, [1, None])})
    result = tool.lower(content, ["--target", written(tmp_path, "NonZero dtype(X) in (float, float16)\n"), "--allow-narrowing"], timeout=10)
    assert result.status == tool.DONE and operators(onnx.load_from_string(result.stdout)) == ["Cast", "NonZero"], str(result)
    result = tool.lower(content, ["--target", written(tmp_path, "NonZero dtype(X) == bool\n"), "--allow-narrowing"], timeout=10)
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "board takes it only where dtype(X) == bool" in result.stderr


def test_two_types_where_one_is_wanted_stay_wrong(tmp_path: pathlib.Path) -> None:
    (tmp_path / "rule.onnxtxt").write_text('<domain: "d", opset_import: ["" : 18]>\nF (x) => (y) {\n  h = Cast <to = 10> (x)\n  y = Add (h, x)\n}\n')
    content = model([helper.make_node("F", ["x"], ["y"], domain="d")], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])}, others=("d",))
    tool.assert_clean_refusal(tool.lower(content, ["--rules", tmp_path / "rule.onnxtxt"]), tool.NOT_LOWERED)


# Rules for what a runtime lacks of an operator that the opset has: onnx's tests of the operator, of which the runtime takes nothing, or not those.

LACKING = {
    **{op: f"{op} never" for op in ("Acos", "And", "Asin", "Atan", "Ceil", "Or", "Sign", "Tan", "Xor")},
    "Abs": "Abs never", "BatchNormalization": "BatchNormalization never", "BitShift": "BitShift never", "ConstantOfShape": "ConstantOfShape never", "EyeLike": "EyeLike never", "Exp": "Exp never", "GRU": 'GRU direction == "forward" and layout == 0',
    "GridSample": "GridSample 20.. never", "LSTM": 'LSTM direction == "forward" and layout == 0', "LinearAttention": "LinearAttention never\nScan never",
    "Less": "Less not dtype(A) in (float, float16, double)", "Max": "Max present(input_1) and not dtype(data_0) in (int8, int16, uint8, uint16)", "MatMul": "MatMul rank(A) >= 2 and rank(B) >= 2", "Min": "Min present(input_1) and not dtype(data_0) in (int8, int16, uint8, uint16)", "Neg": "Neg never", "Pow": "Pow dtype(X) == double or dtype(X) == dtype(Y)", "RNN": 'RNN direction == "forward" and layout == 0', "Shape": "Shape start == 0 and not attribute(end)",
    "Not": "Not never", "ReduceSumSquare": "ReduceSumSquare never", "Size": "Size never",
}
# What a runtime takes as a constant only: then the shape that the test declares for the result says the rest.
AS_DECLARED = {
    "AffineGrid": "constant(size)", "CenterCropPad": "constant(shape)", "Compress": "constant(condition)", "ConstantOfShape": "constant(input)", "Expand": "constant(shape)", "NonZero": "never", "Pad": "constant(pads)",
    "Range": "constant(limit)", **dict.fromkeys(("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Squeeze", "Unsqueeze"), "constant(axes)"), "Reshape": "constant(shape)", "Resize": "constant(scales) and constant(sizes)", "Slice": "constant(starts) and constant(ends)", "Split": "constant(split)", "Tile": "constant(repeats)", "TopK": "constant(K)",
}
# Operators of constants of double.
CONSTANTS_OF_DOUBLE = {**dict.fromkeys(("Add", "Sub", "Mul", "Div", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"), ("A", "B")), "Where": ("X", "Y"), "Pow": ("X", "Y"), "Max": ("data_0", "input_1"), "Min": ("data_0", "input_1")}
# Every operator with a rule that is asked for only by a target: its numbers are proved here, by onnx's own tests or by the tests below.
ONLY_FOR_TARGETS = {*LACKING, *AS_DECLARED, *CONSTANTS_OF_DOUBLE, *REDUCTIONS, "Cast", "ConcatFromSequence", "Conv", "ConvTranspose", "Erf", "Gather", "GlobalAveragePool", "GlobalMaxPool", "HardSigmoid", "If", "InstanceNormalization", "LRN", "Log", "Loop", "Mean", "NonMaxSuppression", "Optional", "OptionalGetElement", "OptionalHasElement", "PRelu", "QLinearConv", "Reciprocal", "ReverseSequence", "SequenceAt", "SequenceErase", "SequenceInsert", "SequenceLength", "Sign", "Softplus", "SplitToSequence", "Sqrt", "Sum", "Tanh", "Transpose"}
# ONNX Runtime does not take what these say as it is; and what gathers four pixels says nothing of sixteen, or of eight.
NOT_SAID = {"GridSample": ("bicubic", "volumetric"), "BitShift": ("uint64",)}
# Nor are these; and by scales that leave no whole size, ONNX Runtime aligns the corners of another.
NOT_SAID_AS_DECLARED = {"ReduceMax": ("empty_set",), "ReduceMin": ("empty_set",), "TopK": ("uint64",), "Resize": ("downsample_scales_linear_align_corners", "downsample_scales_cubic_align_corners")}


def seeds_of(op: str, left_out: dict[str, tuple[str, ...]]) -> list[seeds.Seed]:
    """ONNX's own tests of an operator, but those in whose names there is such a word."""
    return [seed for seed in seeds.backend_tests() if seed.node.op_type == op and seed.compares and not any(word in seed.name for word in left_out.get(op, ()))]


def assert_passes(seed: seeds.Seed, out: onnx.ModelProto) -> None:
    found = computed(out, {value.name: array for value, array in zip(seed.model.graph.input, seed.inputs)})
    for one, other in zip(found, seed.outputs, strict=True):
        assert one.dtype == other.dtype, seed.name
        np.testing.assert_allclose(one, other, rtol=max(seed.rtol, 1e-5), atol=max(seed.atol, 1e-6), err_msg=seed.name)


@pytest.mark.parametrize("op", LACKING)
def test_what_a_runtime_lacks(op: str, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "opset 7..26\nopset ai.onnx.ml none\nir 3..13\n" + LACKING[op] + "\n")
    changed = 0
    for seed in seeds_of(op, NOT_SAID):
        out = lowered(seed.model.SerializeToString(), path)
        changed += [node.op_type for node in out.graph.node] != [op]
        assert_passes(seed, out)
    assert changed, "the tests of the operator hold what the runtime does not take"


NO_COMPARISONS = "".join(f"{op} never\n" for op in ("And", "Equal", "Greater", "GreaterOrEqual", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Where"))


@pytest.mark.parametrize("lacking", ["", "Ceil never\n", "Ceil never\nFloor never\n"])
def test_signs_where_nothing_is_compared(lacking: str, tmp_path: pathlib.Path) -> None:
    x = np.float32([-np.inf, -2, -0.25, -1.2e-38, -1e-45, -0.0, 0, 1e-45, 1.2e-38, 0.25, 1, 3e38, np.inf, np.nan])
    content = model([helper.make_node("Sign", ["x"], ["y"])], {"x": (FLOAT, x.shape)}, {"y": (FLOAT, x.shape)}, opset=17, ir_version=8)
    out = lowered(content, written(tmp_path, NO_COMPARISONS + "Sign never\n" + lacking))
    assert "Sign" not in operators(out)
    np.testing.assert_array_equal(computed(out, {"x": x})[0], np.sign(x))


@pytest.mark.parametrize("op", ["Greater", "Less", "LessOrEqual", "GreaterOrEqual", "Equal"])
def test_comparisons_where_there_are_none(op: str, tmp_path: pathlib.Path) -> None:
    """Of numbers that are not NaN, no two of which are the same infinity, by a Cast. Its result is used once as it is, and once in two other operators of truths."""
    numbers = np.float32([-np.inf, -2, -1e-45, -0.0, 0, 1e-45, 1, np.nextafter(np.float32(1), np.float32(2)), 3e38])
    x, y = (side.ravel() for side in np.meshgrid(numbers, numbers[1:]))
    nodes = [helper.make_node(op, ["x", "y"], ["z"]), helper.make_node("Not", ["z"], ["n"]), helper.make_node("Or", ["n", "z"], ["o"])]
    content = model(nodes, {"x": (FLOAT, x.shape), "y": (FLOAT, x.shape)}, dict.fromkeys("zno", (TensorProto.BOOL, x.shape)), opset=17, ir_version=8)
    result = tool.lower(content, ["--target", written(tmp_path, NO_COMPARISONS)])
    assert result.status == tool.DONE and "is NaN" in result.stderr, str(result)
    z, n, o = computed(onnx.load_from_string(result.stdout), {"x": x, "y": y})
    wanted = {"Greater": x > y, "Less": x < y, "LessOrEqual": x <= y, "GreaterOrEqual": x >= y, "Equal": x == y}[op]
    np.testing.assert_array_equal(z, wanted)
    np.testing.assert_array_equal(n, ~wanted)
    assert o.all()


@pytest.mark.parametrize("kind", [FLOAT, DOUBLE])
def test_exponentials_beyond_the_bounds_of_a_runtime(kind: int, tmp_path: pathlib.Path) -> None:
    """Numbers whose exponentials a bounded Exp does not reach, and those that it does not know. The base is rounded: as far off is the result as if the exponent, of at most 100 here, were rounded."""
    content = model([helper.make_node("Exp", ["x"], ["y"])], {"x": (kind, [12])}, {"y": (kind, [12])}, opset=17, ir_version=8)
    out = lowered(content, written(tmp_path, "rather Exp not dtype(input) in (float, float16, double)\n"))
    assert operators(out)[-1] == "Pow" and "Exp" not in operators(out)
    x = np.array([-np.inf, -1000, -80, -5.5, -1, -0.0, 0, 1, 88.5, 1000, np.inf, np.nan], helper.tensor_dtype_to_np_dtype(kind))
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(computed(out, {"x": x})[0], np.exp(x), rtol=100 * float(np.finfo(x.dtype).eps))


@pytest.mark.parametrize("kind", [FLOAT, DOUBLE, TensorProto.FLOAT16])
@pytest.mark.parametrize("opset, keepdims", [(13, 1), (18, 1), (18, 0)])
def test_the_greatest_of_nothing_but_infinity_below(kind: int, opset: int, keepdims: int, tmp_path: pathlib.Path) -> None:
    """Where the model asks whether it is that, and a runtime says the lowest number: who knows, says the greatest of all elements."""
    path = written(tmp_path, "rather ReduceMax not read_by(reduced, Equal) and not read_by(reduced, IsInf)\n")
    x = np.array([[-np.inf, -np.inf, -np.inf], [-np.inf, 2, 1], [np.inf, -np.inf, 0]], helper.tensor_dtype_to_np_dtype(kind))
    greatest = np.max(x, axis=1, keepdims=bool(keepdims))
    constants = (numpy_helper.from_array(np.array(-np.inf, x.dtype), "least"), *([numpy_helper.from_array(np.int64([1]), "axes")] if opset == 18 else []))
    reduce = helper.make_node("ReduceMax", ["x", "axes"], ["m"], keepdims=keepdims) if opset == 18 else helper.make_node("ReduceMax", ["x"], ["m"], axes=[1], keepdims=keepdims)
    for reader in ("Equal", "Less"):
        content = model([reduce, helper.make_node(reader, ["m", "least"], ["y"])], {"x": (kind, x.shape)}, {"m": (kind, greatest.shape), "y": (TensorProto.BOOL, greatest.shape)}, initializers=constants, opset=opset, ir_version=8)
        out = lowered(content, path)
        assert ("ReduceMin" in operators(out)) == (reader == "Equal")
        found = computed(out, {"x": x})
        np.testing.assert_array_equal(found[0], greatest)
        np.testing.assert_array_equal(found[1], greatest == -np.inf if reader == "Equal" else np.zeros(greatest.shape, bool))


def test_a_loop_of_as_many_iterations_as_there_have_been(tmp_path: pathlib.Path) -> None:
    """None at first: it stands in a branch then, and a Loop that makes as many as the model is told does not."""
    path = written(tmp_path, "right Loop not iteration(M) or positive(M)\n")
    text = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x, int64 n) => (float[2] y) <bool go = {1}> {
  y = Loop (n, go, x) <body = outer (int64 i, bool c, float[2] a) => (bool d, float[2] b) {
    d = Identity (c)
    e = Loop (%s, go, a) <body = inner (int64 j, bool p, float[2] q) => (bool r, float[2] s) {
      r = Identity (p)
      s = Add (q, x)
    }>
    b = Neg (e)
  }>
}"""
    for count, is_in_branch in (("i", True), ("n", False)):
        given = onnx.parser.parse_model(text % count)
        out = lowered(given.SerializeToString(), path)
        body = out.graph.node[-1].attribute[0].g
        assert ("If" in [node.op_type for node in body.node]) == is_in_branch
        for n in (0, 1, 4):
            feed = {"x": np.float32([1, -2]), "n": np.array(n, np.int64)}
            np.testing.assert_array_equal(computed(out, feed)[0], computed(given, feed)[0])
        assert tool.lowered(out.SerializeToString(), ["--target", path]) == out.SerializeToString()


def test_names_of_dimensions_become_numbers(tmp_path: pathlib.Path) -> None:
    """Where a runtime asks for declared shapes; what is not known keeps its name."""
    nodes = [helper.make_node("Abs", ["x"], ["y"]), helper.make_node("Abs", ["v"], ["w"])]
    content = model(nodes, {"x": (FLOAT, [2, 3]), "v": (FLOAT, ["N", 3])}, {"y": (FLOAT, ["y_dim_0", 3]), "w": (FLOAT, ["M", 3])})
    out = lowered(content, written(tmp_path, "shapes declared\n"))
    dims = [[dim.dim_value or dim.dim_param for dim in value.type.tensor_type.shape.dim] for value in out.graph.output]
    assert dims == [[2, 3], ["M", 3]]
    assert tool.lowered(content, ["--target", written(tmp_path, "Exp never\n")]) == content


@pytest.mark.parametrize("declared", [-1, 0, 3, 70, 149])
@pytest.mark.parametrize("first", [("Compress", [5]), ("Relu", [4])])
def test_shapes_that_come_through_many_nodes(declared: int, first: tuple, tmp_path: pathlib.Path) -> None:
    """Which do not change them: from what is before all of them, or from what is declared of one of them where that is not known."""
    kinds = [("Relu", {}), ("Identity", {}), ("Cast", {"to": DOUBLE}), ("Neg", {}), ("Cast", {"to": FLOAT}), ("Kept", {"domain": "d"})]
    nodes = [helper.make_node(first[0], ["x", "c"][:2 if first[0] == "Compress" else 1], ["v0"])]
    for index in range(150):
        kind, attributes = kinds[index % 6]
        nodes.append(helper.make_node(kind, [f"v{index}"], [f"v{index + 1}"], **attributes))
    nodes.append(helper.make_node("Relu", ["v150"], ["y"]))
    function = helper.make_function("d", "Kept", ["a"], ["b"], [helper.make_node("Abs", ["a"], ["p"]), helper.make_node("Add", ["p", "a"], ["q"]), helper.make_node("Clip", ["q"], ["b"])], [helper.make_opsetid("", 18)])
    given = onnx.load_from_string(model(nodes, {"x": (FLOAT, [4]), "c": (TensorProto.BOOL, [4])}, {"y": (FLOAT, ["N"])}, others=("d",), functions=(function,)))
    if declared >= 0:
        kind = DOUBLE if declared % 6 in (3, 4) else FLOAT
        given.graph.value_info.append(helper.make_tensor_value_info(f"v{declared}", kind, [5 if first[0] == "Compress" else 4]))
    out = lowered(given.SerializeToString(), written(tmp_path, "shapes declared\n"))
    [dim] = out.graph.output[0].type.tensor_type.shape.dim
    assert (dim.dim_value or dim.dim_param) == ("N" if first[0] == "Compress" and declared < 0 else first[1][0])


def test_nodes_that_are_alike_but_for_what_a_condition_asks(tmp_path: pathlib.Path) -> None:
    """Of one operator: attributes that are given or not, inputs that are present or not, element types; each of them twice."""
    nodes, outputs, taken = [], {}, set()
    for given, present, kind, again in itertools.product((False, True), (False, True), (FLOAT, FLOAT16), (1, 2)):
        name = f"y{len(nodes)}"
        attributes = {"epsilon": 1e-5 * again} if given else {}
        letter = "x" if kind == FLOAT else "h"
        nodes.append(helper.make_node("LayerNormalization", [letter, f"s{letter}", *([f"b{letter}"] if present else [])], [name], **attributes))
        outputs[name] = (kind, [2, 3])
        if (not given and present) or (kind == FLOAT and not present):
            taken.add(name)
    inputs = {"x": (FLOAT, [2, 3]), "sx": (FLOAT, [3]), "bx": (FLOAT, [3]), "h": (FLOAT16, [2, 3]), "sh": (FLOAT16, [3]), "bh": (FLOAT16, [3])}
    out = lowered(model(nodes, inputs, outputs), written(tmp_path, "LayerNormalization not attribute(epsilon) and present(B) or dtype(X) == float and not present(B)\n"))
    stay = {node.output[0] for node in out.graph.node if node.op_type == "LayerNormalization"}
    assert stay & set(outputs) == taken


def branch(name: str, nodes: list, outputs: list) -> onnx.GraphProto:
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(output, FLOAT, None) for output in outputs])


def test_both_branches_and_a_choice(tmp_path: pathlib.Path) -> None:
    """Values of one name in both branches, one from outside, an If within, and an operator that has to be lowered; results of several shapes stay with their If, which the runtime does not take."""
    path = written(tmp_path, "If never\nAcosh never\n")
    inner = helper.make_node("If", ["other"], ["m"], then_branch=branch("t2", [helper.make_node("Neg", ["x"], ["q"])], ["q"]), else_branch=branch("e2", [helper.make_node("Acosh", ["x"], ["k"])], ["k"]))
    one = branch("t", [inner, helper.make_node("Abs", ["m"], ["n"]), helper.make_node("Identity", ["x"], ["l"])], ["n", "l"])
    two = branch("e", [helper.make_node("Add", ["x", "x"], ["m"]), helper.make_node("Mul", ["m", "x"], ["n"])], ["n", "m"])
    nodes = [helper.make_node("If", ["c"], ["y", "z"], then_branch=one, else_branch=two)]
    content = model(nodes, {"c": (TensorProto.BOOL, []), "other": (TensorProto.BOOL, []), "x": (FLOAT, [2, 3])}, {"y": (FLOAT, None), "z": (FLOAT, None)})
    out = lowered(content, path)
    assert "If" not in operators(out) and operators(out).count("Where") >= 3
    x = np.arange(6, dtype=np.float32).reshape(2, 3) + 1.5
    for condition in (True, False):
        for other in (True, False):
            feed = {"c": np.array(condition), "other": np.array(other), "x": x}
            for found, expected in zip(computed(out, feed), computed(onnx.load_from_string(content), feed)):
                np.testing.assert_allclose(found, expected, rtol=1e-6)
    other_shape = branch("e", [helper.make_node("Transpose", ["x"], ["n"])], ["n"])
    nodes = [helper.make_node("If", ["c"], ["y"], then_branch=branch("t", [helper.make_node("Neg", ["x"], ["n"])], ["n"]), else_branch=other_shape)]
    result = tool.lower(model(nodes, {"c": (TensorProto.BOOL, []), "x": (FLOAT, [2, 3])}, {"y": (FLOAT, None)}), ["--target", path])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "(ai.onnx::If)" in result.stderr


def choice(shape: list, other_shape: list, *, inside: str = "") -> bytes:
    """One If, of which each branch adds to an input of its own; in the graph of a Loop, if `inside` says so."""
    parts = [branch(name, [helper.make_node("Constant", [], [f"{name}_c"], value_float=value), helper.make_node("Add", [read, f"{name}_c"], [f"{name}_r"])], [f"{name}_r"]) for name, value, read in (("t", 10.0, "x"), ("e", 1.0, "z"))]
    node = helper.make_node("If", ["c"], ["chosen"], name="choice", then_branch=parts[0], else_branch=parts[1])
    inputs = {"x": (FLOAT, shape), "z": (FLOAT, other_shape), "c": (TensorProto.BOOL, [])}
    if not inside:
        return model([node, helper.make_node("Abs", ["chosen"], ["y"])], inputs, {"y": (FLOAT, None)})
    body = helper.make_graph([node, helper.make_node("Identity", ["going"], ["on"])], "b", [helper.make_tensor_value_info("i", INT64, []), helper.make_tensor_value_info("going", TensorProto.BOOL, [])],
                             [helper.make_tensor_value_info("on", TensorProto.BOOL, []), helper.make_tensor_value_info("chosen", FLOAT, None)])
    return model([helper.make_node("Loop", ["m", ""], ["y"], body=body)], {**inputs, "m": (INT64, [])}, {"y": (FLOAT, None)})


@pytest.mark.parametrize("inside", ["", "Loop"])
def test_branches_of_shapes_that_only_the_run_knows(inside: str, tmp_path: pathlib.Path) -> None:
    """OpenVINO gave what the branch of its first run had left, until 2025. Dimensions of one name are the same in both branches."""
    for target in (written(tmp_path, "right If static(outputs)\n"), "openvino-2024.6", "openvino-2023.3"):
        def of(content: bytes, target: object = target) -> tuple[onnx.ModelProto, dict, str]:
            (tmp_path / "in.onnx").write_bytes(content)
            result = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--target", target, "--report", tmp_path / "report.json"])
            assert result.status == tool.DONE, str(result)
            return onnx.load(tmp_path / "out.onnx"), json.loads((tmp_path / "report.json").read_text()), result.stderr

        out, report, words = of(choice([2, 3], [2, 3], inside=inside))
        assert "If" in all_operators(out) and not report["doubtful"] and "wrong" not in words
        content = choice(["n", 3], ["n", 3], inside=inside)
        out, report, words = of(content)
        assert "If" not in all_operators(out) and "Where" in all_operators(out) and not report["doubtful"]
        for condition in (True, False):
            feed = {"x": np.ones((2, 3), np.float32), "z": np.zeros((2, 3), np.float32), "c": np.array(condition), **({"m": np.array(2)} if inside else {})}
            np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])
        for shapes in (["n", 3], ["m", 3]), ([None, 3], [None, 3]), ([2, 3], [3, 3]):
            out, report, words = of(choice(*shapes, inside=inside))
            assert "If" in all_operators(out)
            name = str(target) if isinstance(target, str) else "board"
            assert [(found["node"], found["operator"], found["target"]) for found in report["doubtful"]] == [("choice", "ai.onnx::If", name)]
            assert f"'choice' (ai.onnx::If) stays and comes out wrong in {name}: outputs has no known shape" in words


def all_operators(of: onnx.ModelProto) -> set[str]:
    def inside(graph: onnx.GraphProto) -> set[str]:
        return {node.op_type for node in graph.node}.union(*(inside(attribute.g) for node in graph.node for attribute in node.attribute if attribute.HasField("g")))

    return inside(of.graph)


def test_what_a_target_computes_as_float(tmp_path: pathlib.Path) -> None:
    weights = numpy_helper.from_array(np.array([1.5, 2.5]), "w")
    content = model([helper.make_node("Mul", ["x", "w"], ["y"])], {"x": (DOUBLE, [2])}, {"y": (DOUBLE, [2])}, initializers=(weights,))
    floats = model([helper.make_node("Abs", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])})
    for target in (written(tmp_path, "types float (double, int64)\n"), "openvino"):
        name = "board" if target != "openvino" else "openvino-2026.4"
        report = tmp_path / "report.json"
        (tmp_path / "in.onnx").write_bytes(content)
        result = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--target", target, "--report", report])
        assert result.status == tool.DONE
        assert f"'x' and 2 more of type double: {name} computes as float, to about seven digits, and what is above 3.4e38 comes out as the largest float" in result.stderr
        assert json.loads(report.read_text())["computed_as_float"] == [{"target": name, "element_type": "double", "value": "x", "values": 3}]
        (tmp_path / "in.onnx").write_bytes(floats)
        result = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--target", target, "--report", report])
        assert "warning" not in result.stderr and json.loads(report.read_text())["computed_as_float"] == []
    (tmp_path / "in.onnx").write_bytes(content)
    assert "warning" not in tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx"]).stderr


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.bool_])
@pytest.mark.parametrize("condition", [True, False])
def test_conditions_of_loops_that_are_no_constants(dtype: type, condition: bool, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Loop not constant(cond)\n")
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    states = [helper.make_tensor_value_info(name, kind, [2]) for name in ("before", "after")]
    body = helper.make_graph([helper.make_node("Identity", ["going"], ["on"]), helper.make_node("Or" if dtype == np.bool_ else "Add", ["before", "x"], ["after"])], "b",
                             [helper.make_tensor_value_info("i", INT64, []), helper.make_tensor_value_info("going", TensorProto.BOOL, []), states[0]], [helper.make_tensor_value_info("on", TensorProto.BOOL, []), states[1]])
    start = np.array([0, 1]).astype(dtype) if dtype != np.float32 else np.array([np.nan, -np.inf], np.float32)
    nodes = [helper.make_node("Loop", ["m", "c", "start"], ["y"], body=body)]
    constants = (numpy_helper.from_array(np.array(condition), "c"), numpy_helper.from_array(np.array(3), "m"))
    content = model(nodes, {"x": (kind, [2]), "start": (kind, [2])}, {"y": (kind, [2])}, initializers=constants)
    out = lowered(content, path)
    assert operators(out)[-2:] == ["Loop", "Identity"] and out.graph.node[-2].input[1] != "c"
    feed = {"x": np.array([1, 0]).astype(dtype), "start": start}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_slopes_of_hard_swish(dtype: type, tmp_path: pathlib.Path) -> None:
    """What rules make of a HardSwish below 14, and a HardSigmoid of the model that says the same."""
    path = written(tmp_path, "made HardSigmoid never\n")
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    x = np.concatenate([np.linspace(-4, 4, 801), [-np.inf, np.inf, -1e4, 1e4, -3, 3]]).astype(dtype)
    hard = np.clip(x.astype(np.float64) / 6 + 0.5, 0, 1)
    out = lowered(model([helper.make_node("HardSwish", ["x"], ["y"])], {"x": (kind, x.shape)}, {"y": (kind, x.shape)}, opset=14), path, "--target-opset", "13")
    assert "Clip" in operators(out) and not {"HardSwish", "HardSigmoid"} & set(operators(out))
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(computed(out, {"x": x})[0], (x * hard).astype(dtype), rtol=4 * np.finfo(dtype).eps, atol=3 * np.finfo(dtype).eps)  # a rounding each, of numbers up to 6
    made = lowered(model([helper.make_node("HardSigmoid", ["x"], ["y"], alpha=1 / 6, beta=0.5)], {"x": (kind, x.shape)}, {"y": (kind, x.shape)}), written(tmp_path, "HardSigmoid never\n"))
    np.testing.assert_allclose(computed(made, {"x": x})[0], hard.astype(dtype), rtol=0, atol=2 * np.finfo(dtype).eps)


def test_a_loop_that_is_written_otherwise_keeps_what_its_body_means(tmp_path: pathlib.Path) -> None:
    """Axes are an input of ReduceMax from opset 18 on."""
    path = written(tmp_path, "Loop not constant(cond)\n")
    content = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]> g (float[2,3] x) => (float[2,3] y) {
        m = Constant <value = int64 {2}> () c = Constant <value = bool {1}> () axes = Constant <value = int64[1] {1}> ()
        y = Loop (m, c, x) <body = b (int64 i, bool going, float[2,3] before) => (bool on, float[2,3] after) {
            on = Identity (going) greatest = ReduceMax (before, axes) after = Sub (before, greatest) }> }""").SerializeToString()
    x = np.array([[1, 2, 4], [8, 4, 2]], np.float32)
    np.testing.assert_array_equal(computed(lowered(content, path), {"x": x})[0], computed(onnx.load_from_string(content), {"x": x})[0])


@pytest.mark.parametrize("size, declared, made", [(7, 7, "Split"), (4, 4, "Split"), (1, 1, "Slice"), (6, 6, None), (7, "n", None)])
def test_parts_of_several_sizes(size: int, declared: object, made: str | None, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Split 18.. dim(input, axis) % num_outputs == 0\n")
    names = ["a", "b", "c"]
    content = model([helper.make_node("Split", ["x"], names, num_outputs=3)], {"x": (FLOAT, [declared, 2])}, {name: (FLOAT, [None, 2]) for name in names}, opset=18)
    if made is None:
        assert tool.lowered(content, ["--target", path]) == content
        return
    out = lowered(content, path)
    assert operators(out)[-1] == made and not any(attribute.name == "num_outputs" for node in out.graph.node for attribute in node.attribute)
    x = np.arange(2 * size, dtype=np.float32).reshape(size, 2)
    for found, expected in zip(computed(out, {"x": x}), [x[:-(-size // 3)], x[-(-size // 3):2 * -(-size // 3)], x[2 * -(-size // 3):]]):
        np.testing.assert_array_equal(found, expected)


RATHER = "rather Loop (not present(M) or positive(M)) and (not present(cond) or positive(cond))\n"


def loop(body_nodes: list, *, states: dict, collected: dict, prefix: str = "") -> onnx.GraphProto:
    """A body that goes on as long as it may; `states` are its states by what becomes of them."""
    inputs = [helper.make_tensor_value_info(prefix + "i", INT64, []), helper.make_tensor_value_info(prefix + "going", TensorProto.BOOL, []), *(helper.make_tensor_value_info(name, FLOAT, [2]) for name in states)]
    outputs = [helper.make_tensor_value_info(prefix + "on", TensorProto.BOOL, []), *(helper.make_tensor_value_info(name, FLOAT, [2]) for name in states.values()),
               *(helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in collected.items())]
    return helper.make_graph([helper.make_node("Identity", [prefix + "going"], [prefix + "on"]), *body_nodes], prefix + "b", inputs, outputs)


@pytest.mark.parametrize("rounds, condition", [(0, True), (3, True), (3, False), (None, False), (2, None), (0, None)])
def test_loops_that_may_make_no_iteration(rounds: int | None, condition: bool | None, tmp_path: pathlib.Path) -> None:
    """A custom node inside, a value from outside, and a Loop in the Loop."""
    path = written(tmp_path, RATHER)
    inner = loop([helper.make_node("Add", ["inner", "x"], ["inner_after"])], states={"inner": "inner_after"}, collected={}, prefix="inner_")
    stop = [helper.make_node("Constant", [], ["two"], value=numpy_helper.from_array(np.array(2))), helper.make_node("Less", ["i", "two"], ["on"])]
    nodes = [*(stop if rounds is None else []), helper.make_node("cstThreshold", ["before"], ["kept"], domain="rknn_cst", threshold=-5.0, value=0.0),
             helper.make_node("Loop", ["i", "", "kept"], ["after"], body=inner), helper.make_node("Mul", ["after", "x"], ["product"])]
    body = loop(nodes, states={"before": "after"}, collected={"product": [2]})
    if rounds is None:
        del body.node[0]
    content = model([helper.make_node("Loop", ["" if rounds is None else "m", "" if condition is None else "c", "start"], ["y", "z"], body=body)],
                    {"x": (FLOAT, [2]), "start": (FLOAT, [2]), "m": (INT64, []), "c": (TensorProto.BOOL, [])}, {"y": (FLOAT, [2]), "z": (FLOAT, None)}, others=("rknn_cst",))
    out, plain = lowered(content, path), onnx.load_from_string(tool.lowered(content))
    assert operators(out)[-1] == "If" and operators(plain) == ["Loop"]
    then_branch = next(attribute.g for attribute in out.graph.node[-1].attribute if attribute.name == "then_branch")
    assert [node.op_type for node in then_branch.node] == ["Loop"] and "If" in [node.op_type for node in then_branch.node[0].attribute[0].g.node]
    feed = {"x": np.float32([2, 3]), "start": np.float32([-7, 1]), "m": np.array(rounds or 0), "c": np.array(bool(condition))}
    for found, expected in zip(computed(out, feed), computed(plain, feed)):
        np.testing.assert_array_equal(found, expected)
        assert found.shape == expected.shape
    for target in ("onnxruntime", path):
        assert tool.lowered(out.SerializeToString(), ["--target", target]) == out.SerializeToString()


CONDITIONS_OF_LOOPS = [
    ("c = Greater (m, zero)", True), ("c = Less (zero, m)", True), ("d = Greater (m, zero) c = And (e, d)", True), ("d = Greater (m, one) f = And (d, e) c = Identity (f)", True),
    ("n = Cast <to = 11> (m) c = Greater (n, nil)", True), ("n = Identity (m) c = Greater (n, zero)", True),
    ("c = Greater (m, below)", False), ("c = Greater (zero, m)", False), ("c = Less (m, zero)", False), ("c = Greater (k, zero)", False), ("d = Greater (m, zero) c = Or (e, d)", False),
    ("d = Greater (m, zero) c = Not (d)", False), ("n = Sub (m, below) c = Greater (n, zero)", False), ("n = Cast <to = 6> (m) c = Greater (n, small)", False), ("c = Identity (e)", False)]
# Integers have been compared since opset 9.
COMPARES_INTEGERS = ("(m, ", ", m)", "(n, zero)", "(n, small)", "(k, ")


@pytest.mark.parametrize("condition, stays, opset", [(condition, stays, opset) for opset in (8, 11, 18) for condition, stays in CONDITIONS_OF_LOOPS
                                                     if opset >= 9 or not any(name in condition for name in COMPARES_INTEGERS)])
def test_a_loop_in_a_branch_that_makes_an_iteration(condition: str, stays: bool, opset: int, tmp_path: pathlib.Path) -> None:
    """It is in the branch that is taken where there is one, whoever put it there; so that what was lowered stays as it is."""
    path = written(tmp_path, RATHER)
    loop_of = "y{0} = Loop (m, , x) <body = b{0} (int64 i{0}, bool go{0}, float[2] a{0}) => (bool on{0}, float[2] s{0}) {{ on{0} = Identity (go{0}) s{0} = Add (a{0}, x) }}>"
    text = f"""<ir_version: 8, opset_import: ["" : {opset}]> g (float[2] x, int64 m, int64 k, bool e) => (float[2] y) {{
      zero = Constant <value = int64 {{0}}> () one = Constant <value = int64 {{1}}> () below = Constant <value = int64 {{-1}}> () nil = Constant <value = double {{0.0}}> () small = Constant <value = int32 {{0}}> ()
      {condition} y = If (c) <then_branch = t () => (float[2] y1) {{ {loop_of.format(1)} }}, else_branch = u () => (float[2] w) {{ w = Identity (x) }}> }}"""
    given = onnx.parser.parse_model(text)
    once = lowered(given.SerializeToString(), path)
    branches = {attribute.name: attribute.g for attribute in once.graph.node[-1].attribute}
    assert ([node.op_type for node in branches["then_branch"].node] == ["Loop"]) == stays
    twice = lowered(once.SerializeToString(), path)
    assert twice.SerializeToString() == once.SerializeToString()
    for m in (-1, 0, 1, 3):
        feed = {"x": np.float32([1, -2]), "m": np.array(m), "k": np.array(1 - m), "e": np.array(m != 3)}
        np.testing.assert_array_equal(computed(once, feed)[0], computed(given, feed)[0])
    # The other branch says nothing.
    swapped = onnx.parser.parse_model(text.replace("then_branch", "?").replace("else_branch", "then_branch").replace("?", "else_branch"))
    branches = {attribute.name: attribute.g for attribute in lowered(swapped.SerializeToString(), path).graph.node[-1].attribute}
    assert "If" in [node.op_type for node in branches["else_branch"].node]


@pytest.mark.parametrize("rounds", [0, 3])
def test_a_loop_that_a_function_brings_is_put_into_a_branch(rounds: int, tmp_path: pathlib.Path) -> None:
    given = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18, "d" : 1]> g (float[2] x, int64 m) => (float[2] y) { t = d.F (x, m)  y = Neg (t) }
      <domain: "d", opset_import: ["" : 18]> F (x, m) => (y) {
        y = Loop (m, , x) <body = b (int64 i, bool go, float[2] a) => (bool on, float[2] s) { on = Identity (go)  s = Add (a, a) }> }""")
    content = tool.lowered(given.SerializeToString(), ["--target", written(tmp_path, RATHER)])
    out = onnx.load_from_string(content)
    assert operators(out)[-2:] == ["If", "Neg"] and "Loop" not in operators(out)
    feed = {"x": np.float32([1, -2]), "m": np.array(rounds)}
    np.testing.assert_array_equal(computed(out, feed)[0], -feed["x"] * 2**rounds)
    assert tool.lowered(content, ["--target", written(tmp_path, RATHER)]) == content


@pytest.mark.parametrize("rounds", [0, 3])
def test_a_loop_that_only_collects(rounds: int, tmp_path: pathlib.Path) -> None:
    """It carries nothing from one iteration to the next."""
    body = loop([helper.make_node("Mul", ["x", "x"], ["square"])], states={}, collected={"square": [2]})
    content = model([helper.make_node("Loop", ["m", ""], ["y"], body=body)], {"x": (FLOAT, [2]), "m": (INT64, [])}, {"y": (FLOAT, [None, 2])})
    out = lowered(content, written(tmp_path, RATHER))
    assert operators(out)[-1] == "If" and "Loop" not in operators(out)
    found = computed(out, {"x": np.float32([2, 3]), "m": np.array(rounds)})[0]
    np.testing.assert_array_equal(found, np.full((rounds, 2), [4, 9], np.float32))


def test_loops_that_make_an_iteration_stay(tmp_path: pathlib.Path) -> None:
    """And those of which it is not known what they would give without one."""
    path = written(tmp_path, RATHER)
    body = loop([helper.make_node("Add", ["before", "x"], ["after"])], states={"before": "after"}, collected={})
    constants = (numpy_helper.from_array(np.array(3), "m"), numpy_helper.from_array(np.array(True), "c"))
    content = model([helper.make_node("Loop", ["m", "c", "start"], ["y"], body=body)], {"x": (FLOAT, [2]), "start": (FLOAT, [2])}, {"y": (FLOAT, [2])}, initializers=constants)
    assert tool.lowered(content, ["--target", path]) == content
    body = helper.make_graph([helper.make_node("Identity", ["going"], ["on"]), helper.make_node("Reshape", ["x", "shape"], ["part"])], "b",
                             [helper.make_tensor_value_info("i", INT64, []), helper.make_tensor_value_info("going", TensorProto.BOOL, [])],
                             [helper.make_tensor_value_info("on", TensorProto.BOOL, []), helper.make_tensor_value_info("part", FLOAT, None)])
    content = model([helper.make_node("Loop", ["m", ""], ["y"], body=body)], {"x": (FLOAT, [2]), "shape": (INT64, ["n"]), "m": (INT64, [])}, {"y": (FLOAT, None)})
    assert tool.lowered(content, ["--target", path]) == content


def test_an_opset_for_models_that_are_lowered(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "opset 7..28\nopset lowered 7..17\nReduceMax 18.. not present(axes)\n")
    inputs, outputs = {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, None)}
    for opset, nodes, written_at in [(20, [helper.make_node("Relu", ["x"], ["y"])], 20), (20, [helper.make_node("ReduceMax", ["x"], ["y"])], 20),
                                     (20, [helper.make_node("ReduceMax", ["x", "axes"], ["y"])], 17), (13, [helper.make_node("ReduceMax", ["x"], ["y"])], 13),
                                     (20, [helper.make_node("cstThreshold", ["x"], ["y"], domain="rknn_cst", threshold=-5.0, value=0.0)], 17)]:
        content = model(nodes, inputs, outputs, opset=opset, others=("rknn_cst",) if nodes[0].domain else (), initializers=(numpy_helper.from_array(np.array([1]), "axes"),) if "axes" in nodes[0].input else ())
        out = lowered(content, path)
        assert out.opset_import[0].version == written_at
        if written_at == opset:
            assert out.SerializeToString() == content
    assert lowered(content, path, "--target-opset", 19).opset_import[0].version == 19


@pytest.mark.parametrize("op", sorted({*AS_DECLARED} - {"Range"}))
def test_what_only_the_declared_shape_tells(op: str, tmp_path: pathlib.Path) -> None:
    lines = [f"{name} {condition}" for name, condition in AS_DECLARED.items()]
    path = written(tmp_path, "\n".join(["opset 7..26", "opset ai.onnx.ml none", "ir 3..13", "Loop never", *lines, ""]))
    changed = 0
    for seed in seeds_of(op, NOT_SAID_AS_DECLARED):
        result = tool.lower(seed.model.SerializeToString(), ["--target", path])
        assert result.status == tool.DONE, str(result)
        out = onnx.load_from_string(result.stdout)
        changed += "that the model declares; if that is not so, correct the declaration" in result.stderr
        assert_passes(seed, out)
    assert changed, "a test asks for what is no constant"


@pytest.mark.parametrize("numbers", [np.array([1, 8, 2]), np.array([1, -4, -2], np.int32), np.array([0.5, 3, 0.7], np.float32)])
def test_ranges_of_declared_length(numbers: np.ndarray, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Range constant(limit)\nConstantOfShape constant(input)\nLoop never\n")
    expected, kind = np.arange(*numbers), helper.np_dtype_to_tensor_dtype(numbers.dtype)
    content = model([helper.make_node("Range", ["a", "b", "c"], ["y"])], {name: (kind, []) for name in "abc"}, {"y": (kind, [expected.size])})
    found = computed(lowered(content, path), {name: np.array(number) for name, number in zip("abc", numbers)})[0]
    assert found.dtype == numbers.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_declared_shapes_that_tell_nothing(tmp_path: pathlib.Path) -> None:
    """What the axes of a reduction are, where the shapes leave several; and where they contradict each other, or say nothing."""
    path = written(tmp_path, "ReduceSum constant(axes)\nReshape constant(shape)\nExpand constant(shape)\n")

    def summed(given: list, result: list | None, **attributes: int) -> bytes:
        return model([helper.make_node("ReduceSum", ["x", "axes"], ["y"], **attributes)], {"x": (FLOAT, given), "axes": (INT64, [1])}, {"y": (FLOAT, result)})

    x = np.arange(2 * 2 * 2, dtype=np.float32).reshape(2, 2, 2)
    out = lowered(summed([2, 2, 2], [2, 2], keepdims=0), path)
    for axis in (0, 1, 2, -1, -3):
        np.testing.assert_array_equal(computed(out, {"x": x, "axes": np.array([axis])})[0], x.sum(axis))
    for content in (summed([2, 2, 2], [2, 3, 1]), summed([2, 2, 2], None), summed(["n", 2, 2], ["m", 2], keepdims=0), summed([2, 2, 2], [2, 2, 2])):
        tool.assert_clean_refusal(tool.lower(content, ["--target", path]), tool.NOT_LOWERED)


@pytest.mark.parametrize("op, given, result, others, reason", [
    ("SplitToSequence", [10**13, 2], None, (), "is 10000000000000, more than any size can be"),
    ("SplitToSequence", [1025], None, (), "it has 1025 parts"),
    ("SplitToSequence", [2, 2], None, (np.zeros([0, 1], np.int64),), "its split has 2 dimensions"),
    ("SplitToSequence", [2, 2], None, (np.zeros([0], np.int64),), "it has 0 parts"),
    ("NonZero", [2**40, 2**40], [2, 5], (), "is 1099511627776, more than any size can be"),
    ("NonZero", [2**30, 2**30, 2**30], [3, 5], (), "its input has too many elements"),
    ("NonZero", [2**20, 2], [2, 5], (), "a constant of [2097152] elements is more than it writes"),
    ("NonZero", [2, 2], [2, 5], (), "the declared shape has more elements than can be taken"),
])
def test_sizes_beyond_what_is_written(op: str, given: list, result: list | None, others: tuple, reason: str, tmp_path: pathlib.Path) -> None:
    """What a declaration or a constant claims costs neither memory nor a crash, and is never reckoned with where it overflows."""
    inputs = {"x": (FLOAT, given)}
    constants = [numpy_helper.from_array(array, f"constant{i}") for i, array in enumerate(others)]
    kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None)) if op == "SplitToSequence" else (INT64 if op == "NonZero" else FLOAT)
    declared = helper.make_value_info("y", kind) if op == "SplitToSequence" else helper.make_tensor_value_info("y", kind, result)
    node = helper.make_node(op, [*inputs, *(tensor.name for tensor in constants)], ["y"])
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info(name, *one) for name, one in inputs.items()], [declared], constants)
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8).SerializeToString()
    found = tool.lower(content, ["--target", written(tmp_path, f"{op} never\n"), "-v"])
    tool.assert_clean_refusal(found, tool.NOT_LOWERED)
    assert reason in found.stderr


@pytest.mark.parametrize("axis", [2**63 - 1, -(2**63), 2**32 - 1, 2**31 - 1, -(2**31), -3, 2])
def test_an_axis_beyond_the_dimensions(axis: int, tmp_path: pathlib.Path) -> None:
    """The shapes that are asked for are not inferred by counting from it."""
    content = model([helper.make_node("LayerNormalization", ["x", "scale"], ["y", "mean", "deviation"], axis=axis)], {"x": (FLOAT, [2, 3]), "scale": (FLOAT, [3])},
                    {"y": (FLOAT, None), "mean": (FLOAT, None), "deviation": (FLOAT, None)})
    result = tool.lower(content, ["--target", written(tmp_path, "shapes declared\n")])
    assert result.status in (tool.DONE, tool.NOT_LOWERED), str(result)


@pytest.mark.parametrize("op", CONSTANTS_OF_DOUBLE)
def test_constants_of_double_that_are_float_to_a_runtime(op: str, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "".join(f"{name} dtype({one}) != double or not constant({one}) and not constant({other})\n" for name, (one, other) in CONSTANTS_OF_DOUBLE.items()))
    tiny = np.finfo(np.float64).tiny
    for numbers in ([0.1, np.pi, -1 / 3, 0, 1e-20, 1e20, 16777217], [1e300, 5e-324, -1.2345678901234567e-200, np.finfo(np.float64).max, 3 * tiny, np.inf, -0.1], [0.5]):
        constant = np.array(numbers)
        x = np.array([0.1, 3, -1 / 3, 0, 1e-20, 1e-300, 2][: constant.size])
        inputs = ["c", "x", "k"] if op == "Where" else ["x", "k"]
        kind = TensorProto.BOOL if op.startswith(("Less", "Greater", "Equal")) else DOUBLE
        feed = {"x": x, **({"c": np.array([True, False] * 4)[: x.size]} if op == "Where" else {})}
        content = model([helper.make_node(op, inputs, ["y"])], {name: (TensorProto.BOOL if name == "c" else DOUBLE, [x.size]) for name in feed}, {"y": (kind, [x.size])}, initializers=(numpy_helper.from_array(constant, "k"),))
        out = lowered(content, path)
        assert "Cast" in operators(out) and "k" not in {name for node in out.graph.node for name in node.input}
        np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


def test_constants_of_double_that_are_gathered(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, "Gather dtype(data) != double or not constant(data)\n")
    table = numpy_helper.from_array(np.array([[0.1, -1 / 3], [1e300, 16777217]]), "k")
    content = model([helper.make_node("Gather", ["k", "x"], ["y"], axis=1)], {"x": (INT64, [3])}, {"y": (DOUBLE, [2, 3])}, initializers=(table,))
    out = lowered(content, path)
    assert "Cast" in operators(out) and "k" not in {name for node in out.graph.node for name in node.input}
    feed = {"x": np.int64([1, 0, -1])}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("op, how", [("Unsqueeze", [0]), ("Reshape", [1, 2]), ("Expand", [3, 2])])
def test_constants_of_double_in_another_shape(op: str, how: list, tmp_path: pathlib.Path) -> None:
    name = "input" if op == "Expand" else "data"
    path = written(tmp_path, f"{op} dtype({name}) != double or not constant({name})\n")
    constants = (numpy_helper.from_array(np.array([0.1, -1 / 3]), "k"), numpy_helper.from_array(np.int64(how), "how"))
    content = model([helper.make_node(op, ["k", "how"], ["s"]), helper.make_node("Mul", ["s", "x"], ["y"])], {"x": (DOUBLE, [2])}, {"y": (DOUBLE, None)}, initializers=constants)
    out = lowered(content, path)
    # What becomes of the constant is known, and takes its place.
    assert operators(out) == ["Constant", "Mul"] and not out.graph.initializer
    feed = {"x": np.array([3, 1e-300])}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.uint32, np.uint64])
def test_exponents_of_a_type_that_is_lacking(dtype: type) -> None:
    """ONNX Runtime 1.31 takes exponents that are floating-point, int32 or int64."""
    exponents = np.array([0, 1, 2, 5, 30], dtype)
    content = model([helper.make_node("Pow", ["x", "e"], ["y"])], {"x": (FLOAT, [5]), "e": (helper.np_dtype_to_tensor_dtype(exponents.dtype), [5])}, {"y": (FLOAT, [5])})
    x = np.float32([0, -3, 1.5, -2, 1.25])
    np.testing.assert_allclose(computed(lowered(content, "onnxruntime-1.31"), {"x": x, "e": exponents})[0], x ** exponents.astype(np.float64), rtol=1e-6)


def test_the_byte_of_a_truth_value() -> None:
    content = model([helper.make_node("BitCast", ["x"], ["y"], to=TensorProto.UINT8)], {"x": (TensorProto.BOOL, [2])}, {"y": (TensorProto.UINT8, [2])}, opset=26, ir_version=13)
    assert computed(lowered(content, "onnxruntime-1.31"), {"x": np.array([True, False])})[0].tolist() == [1, 0]


@pytest.mark.parametrize("kind", [TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32])
@pytest.mark.parametrize("direction", ["LEFT", "RIGHT"])
def test_shifts_of_all_distances(kind: int, direction: str, tmp_path: pathlib.Path) -> None:
    """ONNX Runtime's own kernel is for unsigned integers; so Python's integers say what is right."""
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(kind))
    bits, info = dtype.itemsize * 8, np.iinfo(dtype)
    numbers = np.array([info.min, info.min + 1, 0, 1, 5, info.max // 3, info.max], dtype)
    distances = np.array([0, 1, 2, bits - 2, bits - 1, bits, min(bits + 9, info.max), *([-1, -bits] if info.min else [])], dtype)
    content = model([helper.make_node("BitShift", ["x", "y"], ["z"], direction=direction)], {"x": (kind, [7, 1]), "y": (kind, [len(distances)])}, {"z": (kind, [7, len(distances)])}, opset=28, ir_version=13)
    out = lowered(content, written(tmp_path, "opset 13..20\nBitShift never\n"))
    assert "BitShift" not in operators(out)

    def shifted(number: int, distance: int) -> int:
        if not 0 <= distance < bits:
            return -1 if direction == "RIGHT" and number < 0 else 0
        if direction == "RIGHT":
            return number >> distance
        low = number << distance & (1 << bits) - 1
        return low - (1 << bits) if info.min and low >> (bits - 1) else low

    expected = [[shifted(int(number), int(distance)) for distance in distances] for number in numbers]
    assert computed(out, {"x": numbers[:, None], "y": distances})[0].tolist() == expected


@pytest.mark.parametrize("op, gates", [("RNN", 1), ("GRU", 3), ("LSTM", 4)])
@pytest.mark.parametrize("direction", ["reverse", "bidirectional"])
@pytest.mark.parametrize("has_lengths", [False, True])
def test_recurrent_operators_backward(op: str, gates: int, direction: str, has_lengths: bool, tmp_path: pathlib.Path) -> None:
    """Sequences of different lengths, states and biases: as ONNX Runtime's own kernel."""
    rng = np.random.default_rng(7)
    steps, batch, size, hidden, directions = 4, 3, 2, 5, 2 if direction == "bidirectional" else 1
    shapes = {"x": [steps, batch, size], "w": [directions, gates * hidden, size], "r": [directions, gates * hidden, hidden], "b": [directions, 2 * gates * hidden], "h": [directions, batch, hidden]}
    feed = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    inputs = {name: (FLOAT, shape) for name, shape in shapes.items()}
    if has_lengths:
        feed["lengths"] = np.array([4, 1, 3], np.int32)
        inputs["lengths"] = (TensorProto.INT32, [batch])
    node = helper.make_node(op, ["x", "w", "r", "b", "lengths" if has_lengths else "", "h"], ["y", "last"], direction=direction, hidden_size=hidden)
    content = model([node], inputs, {"y": (FLOAT, [steps, directions, batch, hidden]), "last": (FLOAT, [directions, batch, hidden])})
    out = lowered(content, written(tmp_path, f'{op} direction == "forward"\n'))
    assert operators(out).count(op) == directions
    for one, other in zip(computed(out, feed), computed(onnx.load_from_string(content), feed), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("op, gates, outputs", [("RNN", 1, 2), ("GRU", 3, 2), ("LSTM", 4, 3)])
@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("read", [0, 1])
def test_recurrent_operators_in_full(op: str, gates: int, outputs: int, direction: str, read: int, tmp_path: pathlib.Path) -> None:
    """OpenCV is wrong about a GRU whose last state has no name, and MNN wants names and a bias of an LSTM."""
    rng = np.random.default_rng(7)
    steps, batch, size, hidden, directions = 4, 3, 2, 5, 2 if direction == "bidirectional" else 1
    shapes = {"x": [steps, batch, size], "w": [directions, gates * hidden, size], "r": [directions, gates * hidden, hidden]}
    feed = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    node = helper.make_node(op, ["x", "w", "r"], [*[""] * read, "y"], direction=direction, hidden_size=hidden)
    content = model([node], {name: (FLOAT, shape) for name, shape in shapes.items()}, {"y": (FLOAT, [steps, directions, batch, hidden] if read == 0 else [directions, batch, hidden])})
    out = lowered(content, written(tmp_path, f"{op} present(B) and present(Y) and present(Y_h)\n"))
    made = [node for node in out.graph.node if node.op_type == op]
    assert made and all(all(node.output) and len(node.output) == outputs and node.input[3] for node in made)
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("op, gates", [("RNN", 1), ("GRU", 3), ("LSTM", 4)])
@pytest.mark.parametrize("layout", [0, 1])
@pytest.mark.parametrize("given", ["none", "first", "second"])
def test_recurrent_operators_with_states(op: str, gates: int, layout: int, given: str, tmp_path: pathlib.Path) -> None:
    """OpenCV runs a GRU without one once, and fails then; an LSTM wants both or none."""
    rng = np.random.default_rng(7)
    steps, batch, size, hidden = 4, 3, 2, 5
    state = [batch, 2, hidden] if layout else [2, batch, hidden]
    shapes = {"x": [batch, steps, size] if layout else [steps, batch, size], "w": [2, gates * hidden, size], "r": [2, gates * hidden, hidden], "s": state}
    feed = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    states = {"none": ["", ""], "first": ["s", ""], "second": ["", "s"]}[given] if op == "LSTM" else [""]
    inputs = ["x", "w", "r", "", "", *states]
    while not inputs[-1]:
        inputs.pop()
    node = helper.make_node(op, inputs, ["", "y"], direction="bidirectional", hidden_size=hidden, layout=layout)
    path = written(tmp_path, f"{op} present(initial_h)" + (" and present(initial_c)" if op == "LSTM" else "") + "\n")
    content = model([node], {name: (FLOAT, shape) for name, shape in shapes.items()}, {"y": (FLOAT, state)})
    out = lowered(content, path, "--unroll", 0)
    assert op in operators(out)
    expected = model([helper.make_node(op, ["x", "w", "r"] if inputs[-1] == "r" else inputs, ["", "y"], direction="bidirectional", hidden_size=hidden)],
                     {name: (FLOAT, shape) for name, shape in shapes.items()}, {"y": (FLOAT, state)})
    if layout == 0:  # of the other ONNX Runtime has no kernel
        np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(expected), feed)[0], rtol=1e-5, atol=1e-6)
    unknown = model([helper.make_node(op, inputs, ["", "y"], direction="forward", hidden_size=hidden, layout=layout)], {"x": (FLOAT, [None, steps, None] if layout else [steps, None, None]), **{name: (FLOAT, [None] * 3) for name in "wrs"}}, {"y": (FLOAT, None)})
    result = tool.lower(unknown, ["--target", path, "--unroll", 0])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "the shape of its initial states is not known" in result.stderr


def test_batch_normalization_of_all_ranks(tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(3)
    for shape in ([4, 3], [2, 3, 5], [2, 3, 2, 4], [2, 3, 2, 2, 2]):
        inputs = {"x": (FLOAT, shape), **{name: (FLOAT, [3]) for name in ("scale", "b", "mean", "var")}}
        feed = {name: (np.abs(rng.normal(size=size)) + 0.1).astype(np.float32) for name, (_, size) in inputs.items()}
        content = model([helper.make_node("BatchNormalization", [*inputs], ["y"], epsilon=0.01)], inputs, {"y": (FLOAT, shape)})
        out = lowered(content, written(tmp_path, "BatchNormalization never\n"))
        np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)


def test_how_rknn_wants_layer_normalization_and_one_dimensional_convolutions() -> None:
    """Asked of it: without its axis and epsilon it does not know a LayerNormalization of constants, and it dies of a Conv along one axis whose bias is computed."""
    scale = numpy_helper.from_array(np.ones(4, np.float32), "s")
    node = helper.make_node("LayerNormalization", ["x", "s"], ["y"])
    out = lowered(model([node], {"x": (FLOAT, [2, 4])}, {"y": (FLOAT, [2, 4])}, initializers=(scale,)), "rknn-toolkit2")
    assert operators(out) == ["LayerNormalization"] and {attribute.name for attribute in out.graph.node[0].attribute} >= {"axis", "epsilon"}
    conv = helper.make_node("Conv", ["x", "w", "b"], ["y"])
    for dims, status in (([8], tool.NOT_LOWERED), ([8, 8], tool.DONE)):
        content = model([conv], {"x": (FLOAT, [1, 2, *dims]), "w": (FLOAT, [3, 2, *[1 for _ in dims]]), "b": (FLOAT, [3])}, {"y": (FLOAT, [1, 3, *dims])})
        assert tool.lower(content, ["--target", "rknn-toolkit2"]).status == status


def test_zeros_are_written_out(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("ConstantOfShape", ["n"], ["y"])], {"n": (INT64, [2])}, {"y": (FLOAT, [None, None])})
    out = lowered(content, written(tmp_path, "ConstantOfShape attribute(value)\n"))
    assert operators(out) == ["ConstantOfShape"] and [attribute.name for attribute in out.graph.node[0].attribute] == ["value"]
    assert computed(out, {"n": np.array([2, 3])})[0].tolist() == [[0, 0, 0]] * 2


@pytest.mark.parametrize("kind", [FLOAT, DOUBLE, FLOAT16, INT64, TensorProto.INT32])
@pytest.mark.parametrize("op", ["Abs", "Neg"])
def test_magnitudes_and_signs_of_all_numbers(op: str, kind: int, tmp_path: pathlib.Path) -> None:
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    numbers = [0, 1, -3, 7, *([-0.0, 0.5, np.inf, -np.inf, np.nan, np.finfo(dtype).tiny / 4] if dtype.kind == "f" else [])]
    x = np.array(numbers, dtype)
    out = lowered(model([helper.make_node(op, ["x"], ["y"])], {"x": (kind, [len(x)])}, {"y": (kind, [len(x)])}), written(tmp_path, f"{op} never\n"))
    found, expected = computed(out, {"x": x})[0], {"Abs": np.abs, "Neg": np.negative}[op](x)
    assert op not in operators(out)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found[~np.isnan(expected)]), np.signbit(expected[~np.isnan(expected)]))


@pytest.mark.parametrize("shape", [[], [0], [2, 0], [3], [2, 3]])
@pytest.mark.parametrize("kind, value", [(None, 0), (FLOAT, 1.5), (INT64, -2), (TensorProto.BOOL, True)])
def test_constants_of_a_shape_without_the_operator(kind: int | None, value: object, shape: list, tmp_path: pathlib.Path) -> None:
    attributes = {} if kind is None else {"value": helper.make_tensor("v", kind, [1], [value])}
    content = model([helper.make_node("ConstantOfShape", ["n"], ["y"], **attributes)], {"n": (INT64, [len(shape)])}, {"y": (kind or FLOAT, None)})
    out = lowered(content, written(tmp_path, "ConstantOfShape never\n"))
    found = computed(out, {"n": np.array(shape, np.int64)})[0]
    assert "ConstantOfShape" not in operators(out) and found.dtype == helper.tensor_dtype_to_np_dtype(kind or FLOAT)
    np.testing.assert_array_equal(found, np.full(shape, value))


def test_nothing_true_among_no_booleans(tmp_path: pathlib.Path) -> None:
    axes = helper.make_tensor("axes", INT64, [1], [1])
    content = model([helper.make_node("ReduceMax", ["x", "axes"], ["y"])], {"x": (TensorProto.BOOL, [2, None])}, {"y": (TensorProto.BOOL, [2, 1])}, opset=20, ir_version=9, initializers=[axes])
    for arguments in (["--target", written(tmp_path, "ReduceMax dtype(data) == int32\n")], ["--target-opset", 18], ["--target-opset", 13]):
        out = onnx.load_from_string(tool.lowered(content, arguments))
        for x in (np.zeros((2, 0), bool), np.array([[False, True], [False, False]])):
            assert computed(out, {"x": x})[0].ravel().tolist() == x.any(1).tolist(), arguments


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("index", [0, 1, -1])
def test_one_index_as_a_list(axis: int, index: int, tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Gather", ["x", "i"], ["y"], axis=axis)], {"x": (FLOAT, [2, 3]), "i": (INT64, [])}, {"y": (FLOAT, None)})
    out = lowered(content, written(tmp_path, "Gather rank(indices) > 0\n"))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert operators(out).count("Gather") == 1 and len(operators(out)) > 1
    np.testing.assert_array_equal(computed(out, {"x": x, "i": np.array(index)})[0], np.take(x, index, axis))


def test_a_scalar_without_reshape(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Reshape", ["x", "none"], ["y"])], {"x": (FLOAT, [1, 1])}, {"y": (FLOAT, [])}, initializers=[helper.make_tensor("none", INT64, [0], [])])
    out = lowered(content, written(tmp_path, "Reshape not dim(shape, 0) == 0\n"))
    assert operators(out) == ["Squeeze"] and computed(out, {"x": np.array([[5]], np.float32)})[0] == 5


def test_a_cast_by_the_type_of_a_constant(tmp_path: pathlib.Path) -> None:
    for opset in (15, 19, 24):
        content = model([helper.make_node("Cast", ["x"], ["y"], to=INT64)], {"x": (FLOAT, [2])}, {"y": (INT64, [2])}, opset=opset, ir_version=10)
        out = lowered(content, written(tmp_path, "Cast to != 7\n"))
        assert operators(out) == ["Constant", "CastLike"] and computed(out, {"x": np.array([2.5, -1.5], np.float32)})[0].tolist() == [2, -1]


@pytest.mark.parametrize("rank_a, rank_b", [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1)])
def test_products_with_a_list(rank_a: int, rank_b: int, tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(5)
    shapes = [[4, 3, 2], [4, 2, 3]]
    a, b = shapes[0][-rank_a:] if rank_a > 1 else [2], shapes[1][-rank_b:] if rank_b > 1 else [2]
    feed = {"a": rng.normal(size=a).astype(np.float32), "b": rng.normal(size=b).astype(np.float32)}
    expected = np.matmul(feed["a"], feed["b"])
    content = model([helper.make_node("MatMul", ["a", "b"], ["y"])], {"a": (FLOAT, a), "b": (FLOAT, b)}, {"y": (FLOAT, list(expected.shape))})
    out = lowered(content, written(tmp_path, "MatMul rank(A) >= 2 and rank(B) >= 2\n"))
    np.testing.assert_allclose(computed(out, feed)[0], expected, rtol=1e-5, atol=1e-6)
    assert operators(out).count("MatMul") == 1


@pytest.mark.parametrize("kind", [DOUBLE, TensorProto.INT32, INT64])
def test_products_of_a_type_that_is_lacking(kind: int, tmp_path: pathlib.Path) -> None:
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    feed = {"a": np.arange(24).reshape(2, 3, 4).astype(dtype), "b": np.arange(8).reshape(4, 2).astype(dtype)}
    content = model([helper.make_node("MatMul", ["a", "b"], ["y"])], {"a": (kind, [2, 3, 4]), "b": (kind, [4, 2])}, {"y": (kind, [2, 3, 2])})
    out = lowered(content, written(tmp_path, "MatMul dtype(A) == float\n"))
    assert "MatMul" not in operators(out)
    np.testing.assert_array_equal(computed(out, feed)[0], np.matmul(feed["a"], feed["b"]))


@pytest.mark.parametrize("op", ["Abs", "Sign"])
@pytest.mark.parametrize("kind", [INT8, TensorProto.INT32, INT64])
def test_integers_where_only_floating_point_is_taken(op: str, kind: int, tmp_path: pathlib.Path) -> None:
    parameter = {"Abs": "X", "Sign": "input"}[op]
    x = np.array([-128, -3, 0, 7], helper.tensor_dtype_to_np_dtype(kind))
    out = lowered(model([helper.make_node(op, ["x"], ["y"])], {"x": (kind, [4])}, {"y": (kind, [4])}), written(tmp_path, f"{op} dtype({parameter}) in (double, float)\n"))
    assert op not in operators(out)
    assert computed(out, {"x": x})[0].tolist() == {"Abs": np.abs, "Sign": np.sign}[op](x).tolist()


def test_a_range_of_lists_of_one(tmp_path: pathlib.Path) -> None:
    nodes = [helper.make_node("Constant", [], [name], value=helper.make_tensor("v", INT64, [], [number])) for name, number in (("zero", 0), ("two", 2))]
    content = model([*nodes, helper.make_node("Range", ["zero", "n", "two"], ["y"])], {"n": (INT64, [1])}, {"y": (INT64, [None])})
    out = lowered(content, written(tmp_path, "Range not rank(limit) >= 1\n"))
    assert operators(out).count("Squeeze") == 3 and computed(out, {"n": np.array([7])})[0].tolist() == [0, 2, 4, 6]


def test_shapes_are_declared_where_they_must_be(tmp_path: pathlib.Path) -> None:
    text = """<ir_version: 8, opset_import: ["" : 18]>
    g (float[2,3] x, bool c) => (float y) {
      y = If (c) <then_branch = a () => (p) { p = Abs (x) }, else_branch = b () => (float[2,3] q) { q = Neg (x) }>
    }"""
    given = onnx.parser.parse_model(text)
    given.graph.output[0].type.tensor_type.ClearField("shape")
    content = given.SerializeToString()
    for field, is_declared in (("", False), ("shapes declared", True)):
        out = lowered(content, written(tmp_path, field + "\n"))
        values = [out.graph.output[0], *(attribute.g.output[0] for attribute in out.graph.node[0].attribute)]
        shapes = [[size.dim_value for size in value.type.tensor_type.shape.dim] for value in values]
        assert (shapes == [[2, 3]] * 3) == is_declared, shapes
    # What cannot be inferred makes the runtime refuse the model.
    unknown = model([helper.make_node("Reshape", ["x", "shape"], ["y"])], {"x": (FLOAT, [2, 3]), "shape": (INT64, ["n"])}, {"y": (FLOAT, None)})
    assert tool.lower(unknown, ["--target", written(tmp_path, "")]).status == tool.DONE
    result = tool.lower(unknown, ["--target", written(tmp_path, "shapes declared\n")])
    assert result.status == tool.NOT_LOWERED and "wants the shape of 'y' declared" in result.stderr


def test_names_of_dimensions_inside_are_dropped(tmp_path: pathlib.Path) -> None:
    """torch's exporter names those of all values, and tract holds the names against the numbers of a run. What goes in and comes out of the model keeps them."""
    given = onnx.load_from_string(model([helper.make_node("Abs", ["x"], ["a"]), helper.make_node("Neg", ["a"], ["y"])], {"x": (FLOAT, ["n", 3])}, {"y": (FLOAT, ["n", 3])}))
    given.graph.value_info.append(helper.make_tensor_value_info("a", FLOAT, ["n", 3]))
    for field, inside in (("", ["n", 3]), ("shapes unnamed inside", [None, 3])):
        out = lowered(given.SerializeToString(), written(tmp_path, field + "\n"))
        shapes = [[dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None for dim in value.type.tensor_type.shape.dim] for value in (*out.graph.input, *out.graph.value_info, *out.graph.output)]
        assert shapes == [["n", 3], inside, ["n", 3]]


def loop_and_scan(loop_outputs: list[str], loop_nodes: list) -> bytes:
    """A Loop of three iterations whose body has the two states u and v, and a Scan that hands its state on and collects what it takes."""
    kinds = {"going": (TensorProto.BOOL, []), "goes": (TensorProto.BOOL, []), "i": (INT64, [])}
    declared = {name: helper.make_tensor_value_info(name, *kinds.get(name, (FLOAT, [3]))) for name in ("i", "going", "goes", "u", "v", "w")}
    body = helper.make_graph(loop_nodes, "body", [declared[name] for name in ("i", "going", "u", "v")], [declared[name] for name in loop_outputs])
    scanned = helper.make_graph([helper.make_node("Add", ["u", "v"], ["w"])], "scanned", [declared["u"], declared["v"]], [declared[name] for name in ("u", "w", "v")])
    nodes = [helper.make_node("Loop", ["m", "c", "a", "b"], ["p", "q", "r"], body=body), helper.make_node("Scan", ["b", "x"], ["s", "t", "o"], body=scanned, num_scan_inputs=1)]
    outputs = {"p": (FLOAT, [3]), "q": (FLOAT, [3]), "r": (kinds.get(loop_outputs[3], (FLOAT,))[0], None), "s": (FLOAT, [3]), "t": (FLOAT, [2, 3]), "o": (FLOAT, [2, 3])}
    return model(nodes, {"m": (INT64, []), "c": (TensorProto.BOOL, []), "a": (FLOAT, [3]), "b": (FLOAT, [3]), "x": (FLOAT, [2, 3])}, outputs)


@pytest.mark.parametrize("outputs, nodes, copies", [
    (["going", "w", "v", "u"], [helper.make_node("Add", ["u", "v"], ["w"])], 5),
    (["goes", "w", "v", "i"], [helper.make_node("Add", ["u", "v"], ["w"]), helper.make_node("Identity", ["going"], ["goes"])], 5),
    (["going", "v", "u", "i"], [], 6),
], ids=["states", "the number of the iteration", "no nodes"])
def test_what_a_graph_takes_and_gives_is_copied(outputs: list[str], nodes: list, copies: int, tmp_path: pathlib.Path) -> None:
    """ONNX Runtime collects the number of the last iteration for all, and of a Scan what memory holds; OpenVINO refuses the model. tf2onnx writes such loops."""
    content = loop_and_scan(outputs, nodes)
    assert tool.lowered(content, ["--target", written(tmp_path, "outputs any\n")]) == content
    a, b, x = np.array([1, 2, 3], np.float32), np.array([4, -5, 6], np.float32), np.array([[1, 1, 1], [2, 4, 8]], np.float32)
    u, v, collected = a, b, []
    for i in range(3):
        values = {"u": u, "v": v, "i": np.int64(i), "w": u + v}
        u, v = values[outputs[1]], values[outputs[2]]
        collected.append(values[outputs[3]])
    expected = [u, v, np.stack(collected), b, b + x, x]
    feed = {"m": np.array(3), "c": np.array(True), "a": a, "b": b, "x": x}
    for target in (written(tmp_path, "outputs made\n"), "onnxruntime-1.31", "openvino-2026.4"):
        out = lowered(content, target)
        inside = [node.op_type for holder in out.graph.node for attribute in holder.attribute if attribute.HasField("g") for node in attribute.g.node]
        assert inside.count("Identity") == copies
        for found, wanted in zip(computed(out, feed), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)
    found = runtimes.in_openvino(out.SerializeToString())(feed)
    for name, wanted in zip("pqrsto", expected, strict=True):
        np.testing.assert_array_equal(found[name], wanted)


@pytest.mark.parametrize("shape, complaint", [((), "'x' has no dimensions"), ((2, 0), "'x' has no elements"), ((2, 3), ""), (("n", 3), "")])
def test_inputs_without_dimensions_or_elements(shape: tuple, complaint: str, tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Abs", ["x"], ["y"])], {"x": (FLOAT, shape)}, {"y": (FLOAT, shape)})
    assert tool.lower(content, ["--target", written(tmp_path, "inputs any\n")]).status == tool.DONE
    result = tool.lower(content, ["--target", written(tmp_path, "inputs filled\n")])
    assert result.status == (tool.NOT_LOWERED if complaint else tool.DONE) and complaint in result.stderr


@pytest.mark.parametrize("op, direction, activations, is_dropped", [
    ("LSTM", "forward", ["Sigmoid", "Tanh", "Tanh"], True), ("LSTM", "bidirectional", ["Sigmoid", "Tanh", "Tanh"] * 2, True), ("LSTM", "forward", ["Sigmoid", "Tanh", "Relu"], False),
    ("GRU", "reverse", ["Sigmoid", "Tanh"], True), ("RNN", "forward", ["Tanh"], True), ("RNN", "bidirectional", ["Tanh", "Relu"], False),
])
def test_activations_that_go_without_saying(op: str, direction: str, activations: list[str], is_dropped: bool, tmp_path: pathlib.Path) -> None:
    """Keras's recurrent layers name them, and MNN takes none with names."""
    rng = np.random.default_rng(7)
    gates, directions, hidden = {"LSTM": 4, "GRU": 3, "RNN": 1}[op], len(activations) // {"LSTM": 3, "GRU": 2, "RNN": 1}[op], 5
    shapes = {"x": [4, 3, 2], "w": [directions, gates * hidden, 2], "r": [directions, gates * hidden, hidden], "b": [directions, 2 * gates * hidden]}
    feed = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    node = helper.make_node(op, list("xwrb"), ["y"], direction=direction, hidden_size=hidden, activations=activations)
    content = model([node], {name: (FLOAT, shape) for name, shape in shapes.items()}, {"y": (FLOAT, [4, directions, 3, hidden])})
    result = tool.lower(content, ["--target", written(tmp_path, f"{op} not attribute(activations)\n"), "--unroll", 0])
    assert result.status == (tool.DONE if is_dropped else tool.NOT_LOWERED)
    if is_dropped:
        out = onnx.load_from_string(result.stdout)
        assert operators(out) == [op] and [attribute.name for attribute in out.graph.node[0].attribute] == ["direction", "hidden_size"]
        np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("opset", [11, 13, 18, 19])
@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])
@pytest.mark.parametrize("mode", ["linear", "cubic", "floor", "round_prefer_ceil"])
def test_a_resize_that_the_target_does_not_take(mode: str, coordinates: str, opset: int, tmp_path: pathlib.Path) -> None:
    """Axis by axis, in products and gatherings. With a region, which tf2onnx gives each Resize, and which has no meaning but for crops."""
    how = {"mode": mode} if mode in ("linear", "cubic") else {"mode": "nearest", "nearest_mode": mode}
    node = helper.make_node("Resize", ["x", "roi", "scales"], ["y"], coordinate_transformation_mode=coordinates, **how, **({"exclude_outside": 1, "cubic_coeff_a": -0.5} if mode == "cubic" else {}))
    initializers = (numpy_helper.from_array(np.zeros(0, np.float32), "roi"), numpy_helper.from_array(np.float32([1, 1, 1.5, 2]), "scales"))
    content = model([node], {"x": (FLOAT, ["n", 2, 6, 7])}, {"y": (FLOAT, ["n", 2, 9, 14])}, opset=opset, initializers=initializers)
    out = lowered(content, written(tmp_path, "Resize never\n"))
    feed = {"x": np.random.default_rng(3).standard_normal([3, 2, 6, 7]).astype(np.float32)}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("target, mode, coordinates, stays", [
    ("mnn-3.6", "linear", "half_pixel", True), ("mnn-3.6", "cubic", "half_pixel", False), ("mnn-3.6", "cubic", "align_corners", True),
    ("rten-0.27", "linear", "asymmetric", True), ("rten-0.27", "linear", "tf_half_pixel_for_nn", False), ("rten-0.27", "cubic", "asymmetric", False),
])
def test_resizes_of_tf2onnx(target: str, mode: str, coordinates: str, stays: bool) -> None:
    """All with a region that means nothing, which had made the tool refuse them."""
    initializers = (numpy_helper.from_array(np.zeros(0, np.float32), "roi"), numpy_helper.from_array(np.float32([1, 1, 2, 2]), "scales"))
    node = helper.make_node("Resize", ["x", "roi", "scales"], ["y"], mode=mode, coordinate_transformation_mode=coordinates)
    content = model([node], {"x": (FLOAT, [1, 2, 3, 4])}, {"y": (FLOAT, [1, 2, 6, 8])}, opset=11, initializers=initializers)
    assert ("Resize" in operators(lowered(content, target))) == stays


@pytest.mark.parametrize("target", ["onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20"])
def test_a_cubic_resize_behind_a_transpose(target: str) -> None:
    """These ONNX Runtimes move the Transpose of channels behind it, and then refuse its scales."""
    nodes = [helper.make_node("Transpose", ["x"], ["t"], perm=[0, 3, 1, 2]), helper.make_node("Resize", ["t", "", "scales"], ["y"], mode="cubic")]
    scales = (numpy_helper.from_array(np.float32([1, 1, 2, 2]), "scales"),)
    content = model(nodes, {"x": (FLOAT, [1, 3, 4, 2])}, {"y": (FLOAT, [1, 2, 6, 8])}, initializers=scales)
    out = lowered(content, target)
    assert "Resize" not in operators(out)
    feed = {"x": np.random.default_rng(3).standard_normal([1, 3, 4, 2]).astype(np.float32)}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-5)
    alone = model([helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="cubic")], {"x": (FLOAT, [1, 2, 3, 4])}, {"y": (FLOAT, [1, 2, 6, 8])}, initializers=scales)
    assert operators(lowered(alone, target)) == ["Resize"]


@pytest.mark.parametrize("op", ["Elu", "HardSigmoid", "Selu", "Softplus", "Softsign", "ThresholdedRelu"])
def test_functions_of_schemas_at_their_own_opset(op: str) -> None:
    """ONNX Runtime has no kernels of double of these, and takes the function of 18 at 18 only."""
    x = {"x": np.float64([-1.5, 0.5, 2])}
    models = {opset: model([helper.make_node(op, ["x"], ["y"])], {"x": (DOUBLE, [3])}, {"y": (DOUBLE, [3])}, opset=opset) for opset in (15, 17, 18, 21)}
    expected = computed(onnx.load_from_string(models[18]), x)[0]
    for opset, content in models.items():
        out = lowered(content, "onnxruntime-1.31")
        assert (operators(out) == [op]) == (opset == 18)
        np.testing.assert_allclose(computed(out, x)[0], expected, rtol=1e-12)


@pytest.mark.parametrize("target", [name for name in BUILT_IN if name.startswith("onnxruntime-") and "cuda" not in name])
@pytest.mark.parametrize("opset", [9, 12, 13, 14, 17, 18])
@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize("axes", [[0, 2, 3], [0, 1, 2, 3], [0, 1], [0]], ids=["channels", "all", "others", "one"])
def test_means_and_variances_in_onnxruntime(axes: list, kind: type, opset: int, target: str) -> None:
    """At opsets that change it, or an operator in its function, it has the function alone, which is one of floats; and until 1.14 it knows two lists of axes, of four, and takes others for one of these."""
    if opset > {"onnxruntime-1.8": 14, "onnxruntime-1.14": 18}.get(target, 26):
        return
    element_type = helper.np_dtype_to_tensor_dtype(np.dtype(kind))
    content = model([helper.make_node("MeanVarianceNormalization", ["x"], ["y"], axes=axes)], {"x": (element_type, [2, 3, 2, 4])}, {"y": (element_type, [2, 3, 2, 4])}, opset=opset, ir_version=4)
    out = lowered(content, target)
    is_old = target in ("onnxruntime-1.8", "onnxruntime-1.14")
    takes = kind == np.float32 and (not is_old or len(axes) > 2) or kind == np.float16 and not is_old and opset not in (9, 10, 13, 18)
    assert (operators(out) == ["MeanVarianceNormalization"]) == takes
    x = np.random.default_rng(5).standard_normal([2, 3, 2, 4]).astype(kind)
    exact = x.astype(np.float64)
    expected = (exact - exact.mean(tuple(axes), keepdims=True)) / exact.std(tuple(axes), keepdims=True)
    tolerance = 2e-3 if kind == np.float16 else 1e-5
    np.testing.assert_allclose(computed(out, {"x": x})[0], expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("made", [
    ("FusedGemm", 2, {"activation": "HardSigmoid", "activation_alpha": 0.3, "activation_beta": 0.0}),
    ("FusedGemm", 2, {"activation": "HardSigmoid", "activation_alpha": 0.0, "activation_beta": 0.25}),
    ("FusedConv", 2, {"activation": "HardSigmoid", "activation_params": [0.3, 0.0]}),
    ("HardSigmoid", 1, {"alpha": 0.3, "beta": 0.0}),
    ("HardSigmoid", 1, {"beta": 0.0}),
    ("Selu", 1, {"gamma": 0.0}),
    ("Selu", 1, {"alpha": -0.0, "gamma": 0.5}),
], ids=lambda made: "-".join([made[0], *map(str, made[2].values())]))
@pytest.mark.parametrize("arguments", [[], ["--target", "openvino-2026.4"], ["--target", "openvino-2024.6"], ["--target", "openvino-2023.3"]], ids=lambda arguments: arguments[-1] if arguments else "any")
def test_a_0_that_openvino_takes_for_the_default(arguments: list, made: tuple) -> None:
    """Of what a rule makes no such 0 is left; of the model's own nodes none with such a target."""
    op, count, attributes = made
    shape = [1, 3, 3] if op == "FusedConv" else [3, 3]
    domain = "" if count == 1 else "com.microsoft"
    function = helper.make_function("d", "F", ["x"], ["y"], [helper.make_node(op, ["x"], ["y"], **attributes)], [helper.make_opsetid("", 17)])
    own = count == 1 and not arguments
    node = helper.make_node("F", ["x"], ["y"], domain="d") if own else helper.make_node(op, ["x", "w"][:count], ["y"], domain=domain, **attributes)
    weights = np.random.default_rng(2).standard_normal([3, 3, 1] if op == "FusedConv" else [3, 3]).astype(np.float32)
    content = model([node], {"x": (FLOAT, shape)}, {"y": (FLOAT, shape)}, opset=17, others=("d",) if own else ("com.microsoft",), functions=(function,) if own else (),
                    initializers=[numpy_helper.from_array(weights, "w")][: count - 1])
    x = {"x": np.float32([-3, -1, -0.25, 0.125, 0.5, 1, 2, 4, 0]).reshape(shape)}
    expected = computed(onnx.load_from_string(content), x)[0]
    out = tool.lowered(content, arguments)
    np.testing.assert_allclose(runtimes.in_openvino(out)(x)["y"], expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(computed(onnx.load_from_string(out), x)[0], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("op", ["HardSigmoid", "Selu"])
def test_other_numbers_than_0_stay_in_openvino(op: str) -> None:
    content = model([helper.make_node(op, ["x"], ["y"], alpha=0.25)], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])})
    assert operators(lowered(content, "openvino-2026.4")) == [op]


@pytest.mark.parametrize("target, op, attributes, inputs, constants, output, becomes", [
    ("mnn-3.6", "OneHot", {}, {"i": (INT64, [3])}, {"depth": np.int64(5), "values": np.float32([0, 1])}, [3, 5], {"Equal", "Where"}),
    ("mnn-3.6", "GlobalAveragePool", {}, {"x": (FLOAT, [2, 3, 2, 2, 2])}, {}, [2, 3, 1, 1, 1], {"ReduceMean"}),
    ("opencv-5.0", "GlobalMaxPool", {}, {"x": (FLOAT, [2, 3, 2, 2, 2])}, {}, [2, 3, 1, 1, 1], {"ReduceMax"}),
    ("openvino-2023.3", "Trilu", {"upper": 0}, {"x": (FLOAT, [3, 4])}, {"k": np.int64([0])}, [3, 4], {"Where"}),
    ("mnn-3.6", "Einsum", {"equation": "bii->bi"}, {"x": (FLOAT, [2, 3, 3])}, {}, [2, 3], {"Gather"}),
    ("openvino-2024.6", "Einsum", {"equation": "ii->i"}, {"x": (FLOAT, [3, 3])}, {}, [3], {"Gather"}),
    ("openvino-2024.6", "Einsum", {"equation": "...ij,jk->...ik"}, {"x": (FLOAT, [2, 3, 4]), "y": (FLOAT, [4, 5])}, {}, [2, 3, 5], {"MatMul"}),
    ("tract-0.23", "Einsum", {"equation": "ij,jj->i"}, {"x": (FLOAT, [2, 3]), "y": (FLOAT, [3, 3])}, {}, [2], {"Gather", "MatMul"}),
    ("mnn-3.6", "Einsum", {"equation": "bld,dhk->blhk"}, {"x": (FLOAT, [2, 3, 4]), "y": (FLOAT, [4, 2, 5])}, {}, [2, 3, 2, 5], {"MatMul"}),
    ("mnn-3.6", "Unique", {"sorted": 0}, {"i": (INT64, [4])}, {}, ["n"], None),
])
def test_what_networks_of_other_exporters_showed(target: str, op: str, attributes: dict, inputs: dict, constants: dict, output: list, becomes: set | None) -> None:
    """tf2onnx and Paddle2ONNX write such nodes, and they came out wrong or were not loaded."""
    content = model([helper.make_node(op, [*inputs, *constants], ["out"], **attributes)], inputs, {"out": (INT64 if op == "Unique" else FLOAT, output)}, opset=17,
                    initializers=[numpy_helper.from_array(value, name) for name, value in constants.items()])
    result = tool.lower(content, ["--target", target])
    if becomes is None:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        return
    out = onnx.load_from_string(result.stdout)
    assert becomes <= set(operators(out)) and (op in becomes) == (op in operators(out))
    rng = np.random.default_rng(5)
    feed = {name: (rng.integers(0, 5, shape) if kind == INT64 else rng.standard_normal(shape).astype(np.float32)) for name, (kind, shape) in inputs.items()}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-6)


FORMS = [  # target, opset, operator, attributes, inputs, constants, what it becomes
    *(("opencv-5.0", 11, op, {"axis": 1}, {"x": [2, 3, 4]}, {}, {"Reshape"}) for op in ("Softmax", "LogSoftmax", "Hardmax")),
    ("opencv-5.0", 11, "Softmax", {"axis": -1}, {"x": [2, 3, 4]}, {}, {"Softmax"}),
    ("mnn-3.6", 11, "LogSoftmax", {"axis": 1}, {"x": [2, 3, 4]}, {}, {"Reshape"}),
    ("opencv-5.0", 13, "Conv", {"auto_pad": "SAME_UPPER", "strides": [2, 2]}, {"x": [1, 2, 5, 6]}, {"w": np.ones([3, 2, 3, 3], np.float32)}, {"Conv"}),
    ("opencv-5.0", 13, "Conv", {"pads": [1, 1, 1, 1]}, {"x": [1, 2, 5, 6]}, {"w": np.ones([3, 2, 1, 1], np.float32)}, None),
    ("opencv-5.0", 13, "Conv", {"pads": [1, 1, 1, 1]}, {"x": [1, 2, 5, 6]}, {"w": np.ones([3, 2, 1, 3], np.float32)}, {"Conv"}),
    ("opencv-5.0", 13, "AveragePool", {"kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1, "count_include_pad": 1}, {"x": [1, 2, 5, 5]}, {}, {"Pad", "AveragePool"}),
    *((target, 13, "ConvTranspose", {"output_shape": [10, 8], "strides": [3, 2]}, {"x": [1, 1, 3, 3]}, {"w": np.arange(18).reshape(1, 2, 3, 3).astype(np.float32)}, {"ConvTranspose"}) for target in ("opencv-5.0", "mnn-3.6", "tract-0.23")),
    ("opencv-5.0", 13, "Resize", {}, {"x": [1, 2, 4]}, {"roi": np.float32([]), "scales": np.float32([1, 1, 2])}, {"Gather"}),
    ("opencv-5.0", 13, "MatMul", {}, {"x": [2, 2, 3, 4]}, {"w": np.ones([2, 4, 5], np.float32)}, None),
    ("opencv-5.0", 13, "MatMul", {}, {"x": [2, 3, 4]}, {"w": np.ones([2, 4, 5], np.float32)}, {"MatMul"}),
    ("opencv-5.0", 13, "GatherElements", {"axis": 1}, {"x": [3, 4]}, {"i": np.int64([[0, 3], [2, 1]])}, {"Gather"}),
    *(("mnn-3.6", 13, op, {"axes": [1]}, {"x": [2, 3]}, {}, {op}) for op in ("ReduceL1", "ReduceL2", "ReduceSumSquare")),
    ("mnn-3.6", 13, "Gemm", {"transA": 1}, {"x": [4, 3]}, {"w": np.ones([4, 5], np.float32)}, {"Transpose", "Gemm"}),
    ("mnn-3.6", 13, "Mean", {}, {"x": [2, 3], "y": [2, 3]}, {}, {"Add"}),
    ("mnn-3.6", 13, "Pad", {}, {"x": [3, 4]}, {"p": np.int64([0, -1, 0, 1])}, {"Gather"}),
    ("mnn-3.6", 13, "Slice", {}, {"x": [1, 3, 4, 5]}, {"b": np.int64([-1]), "e": np.int64([-9]), "a": np.int64([1]), "s": np.int64([-1])}, {"Gather"}),
    ("mnn-3.6", 13, "Resize", {"mode": "linear"}, {"x": [1, 2, 3, 4, 5]}, {"roi": np.float32([]), "scales": np.float32([1, 1, 2, 2, 2])}, {"MatMul"}),
    ("mnn-3.6", 13, "Conv", {}, {"x": [1, 2, 5]}, {"w": np.ones([3, 2, 3], np.float32)}, {"Conv", "Identity"}),
    ("mnn-3.6", 13, "Where", {}, {"c": [2, 3], "x": [2, 3], "y": [3]}, {}, {"Not", "Where"}),
    ("mnn-3.6", 13, "Where", {}, {"c": [2, 3], "x": [3], "y": [2, 3]}, {}, {"Where"}),
    ("tract-0.23", 13, "Pad", {}, {"x": [3, 4]}, {"p": np.int64([0, -1, 0, 1])}, {"Gather"}),
    *(("tract-0.23", 13, "Pad", {"mode": mode}, {"x": [3, 4]}, {"p": np.int64([0, 1, 0, 1]), "v": np.float32(0)}, {"Gather"}) for mode in ("edge", "reflect")),
    ("tract-0.23", 13, "RNN", {"activations": ["Relu"], "hidden_size": 2}, {"x": [3, 1, 2]}, {"w": np.ones([1, 2, 2], np.float32), "r": np.ones([1, 2, 2], np.float32)}, None),
    ("tract-0.23", 13, "GRU", {"linear_before_reset": 1, "hidden_size": 2}, {"x": [3, 1, 1]}, {"w": np.ones([1, 6, 1], np.float32), "r": np.ones([1, 6, 2], np.float32)}, None),
    ("tract-0.23", 13, "GatherND", {}, {"x": [3, 4]}, {"i": np.int64([[-1], [0]])}, {"Gather"}),
    *((target, 16, "GridSample", {"mode": "bicubic", "padding_mode": padding}, {"x": [1, 2, 4, 5], "grid": [1, 3, 4, 2]}, {}, {becomes})
      for target, padding, becomes in (("opencv-5.0", "zeros", "Gather"), ("onnxruntime-1.14", "border", "Gather"), ("tract-0.23", "border", "Gather"), ("tract-0.23", "zeros", "GridSample"))),
]


@pytest.mark.parametrize("target, opset, op, attributes, inputs, constants, becomes", FORMS, ids=[f"{op} {target} {number}" for number, (target, _, op, *_) in enumerate(FORMS)])
def test_forms_of_nodes_that_came_out_wrong(target: str, opset: int, op: str, attributes: dict, inputs: dict, constants: dict, becomes: set | None) -> None:
    """Of the nodes of random models: the runtime crashed, refused them or computed something else."""
    rng = np.random.default_rng(5)
    feed = {name: rng.random(shape) < 0.5 if name == "c" else rng.standard_normal(shape).astype(np.float32) for name, shape in inputs.items()}
    given = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape) for name, value in feed.items()]
    graph = helper.make_graph([helper.make_node(op, [*inputs, *constants], ["out"], **attributes)], "g", given, [], [numpy_helper.from_array(value, name) for name, value in constants.items()])
    graph.output.append(helper.make_empty_tensor_value_info("out"))
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    expected = computed(content, feed)[0]
    graph.output[0].CopyFrom(helper.make_tensor_value_info("out", FLOAT, expected.shape))
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    result = tool.lower(content.SerializeToString(), ["--target", target, "--unroll", 0])
    if becomes is None:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        return
    out = onnx.load_from_string(result.stdout)
    assert becomes <= all_operators(out), all_operators(out)
    for node in out.graph.node:  # what it does not know the default of is written out, and what it pads wrongly is counted
        assert not node.op_type.startswith("ReduceL") or target != "mnn-3.6" or any(attribute.name == "keepdims" for attribute in node.attribute)
        assert not any(attribute.name == "auto_pad" for attribute in node.attribute)
    np.testing.assert_allclose(computed(out, feed)[0], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("target, text", [
    # Matrices of unknown rank are not multiplied otherwise; a product of int32 is another number than one of uint32.
    ("tract-0.23", "(uint16[] a, uint16[] b) => (uint32[] y) { y = com.microsoft.MatMulInteger16 (a, b) }"),
    ("types not in (double)", """(int64[n] a, int64[n] b) => (bool[n] y) {
        rtol = Constant <value = double {0.5}> ()  atol = Constant <value = double {0}> ()  no = Constant <value = bool {0}> ()  y = aten.isclose (a, b, rtol, atol, no)
    }"""),
    ("Cast to != 3\nQuantizeLinear dtype(y_zero_point) == uint8", "(int8[n] a, float s, float t) => (int8[n] y) { y = com.microsoft.QLinearSigmoid (a, s, , t) }"),
    ("Cast to != 3\nQuantizeLinear dtype(y_zero_point) == uint8", "(int8[n] a, float s, float t) => (int8[n] y) { y = com.microsoft.QLinearLeakyRelu (a, s, , t) }"),
    ("Cast to != 3\nQuantizeLinear dtype(y_zero_point) == uint8", "(int8[n] a, float s, float t) => (int8[n] y) { y = com.microsoft.QLinearReduceMean <axes = [0], keepdims = 1> (a, s, , t) }"),
    ("Cast to != 3\nQuantizeLinear dtype(y_zero_point) == uint8", "(int8[n] a, int8[n] b, float s, float t) => (int8[n] y) { y = com.microsoft.QLinearAdd (a, s, , b, s, , t) }"),
    ("Cast to != 3\nQuantizeLinear dtype(y_zero_point) == uint8", "(int8[n] a, int8[n] b, float s, float t) => (int8[n] y) { y = com.microsoft.QLinearMul (a, s, , b, s, , t) }"),
    ("types not in (double)", "(int64[n] a, int64[n] b) => (int64[n] y, int64[n] z) { y, z = rknn_cst.cstDualResidual <alpha = 2.0> (a, b) }"),
    ("openvino-2023.3", "(float a, float s, uint8[n] zero) => (uint8 y) { y = com.microsoft.QuantizeLinear (a, s, zero) }"),
    ("Cast never", "(int64[n] a, int64[n] b) => (float[n] y) { y = aten.div (a, b) }"),
    ("DequantizeLinear never\nCast not dtype(input) == uint8", "(uint8 a, float s, uint8[n] zero) => (float y) { y = DequantizeLinear (a, s, zero) }"),
    ("Max never\nMin never", "(uint8[n] a, uint8[n] b) => (uint8[n] y) { y = aten.fmax (a, b) }"),
    ("Cast to != 11", "(int64[n] a, double[n] b) => (double[n] y) { y = aten.xlogy (a, b) }"),
    ("Cast never", "(int32[n] a) => (int64[n] y) { d = Constant <value_int = 0> ()  y = aten.cumsum (a, d) }"),
    ("Cast never", "(int32[n] a) => (int64[n] y) { d = Constant <value_int = 0> ()  y = aten.cumprod (a, d) }"),
])
def test_forms_for_other_calls_are_not_taken_where_a_target_refuses_the_right_one(target: str, text: str, tmp_path: pathlib.Path) -> None:
    """What they compute is of another type, or other numbers."""
    content = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 12, "aten" : 1, "com.microsoft" : 1, "rknn_cst" : 1]> g {text}').SerializeToString()
    tool.assert_clean_refusal(tool.lower(content, ["--target-opset", 12, "--target", target if target[-1].isdigit() and " " not in target else written(tmp_path, target + "\n")]), tool.NOT_LOWERED)


def test_a_linear_resize_of_opset_10_takes_no_nearest_elements(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Resize", ["x", "scales"], ["y"], mode="linear")], {"x": (FLOAT, [1, 1, 2, 2]), "scales": (FLOAT, [4])}, {"y": (FLOAT, [1, 1, 4, 4])}, opset=10)
    after = lowered(content, written(tmp_path, "Resize mode == 'nearest'\n"), "--target-opset", 13)
    feed = {"x": np.float32([[[[0, 4], [8, 16]]]]), "scales": np.float32([1, 1, 2, 2])}
    np.testing.assert_array_equal(computed(after, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("text, feed, want", [
    ("(float[3] a) => (float[3] y) { x = kept.Same (a)  y = aten.sgn (x) }", {"a": np.float32([-2, np.nan, 3])}, np.float32([-1, 0, 1])),
    ("""(double[2] a) => (double[2] y) {
        x = kept.Same (a)  alpha = Constant <value = double {0.3}> ()  y, z = rknn_cst.cstDualResidual (x, x, alpha)
    }""", {"a": np.float64([1, 2])}, np.float64([1, 2]) * 0.3 - np.float64([1, 2])),
])
def test_forms_for_any_type_are_right_where_it_is_not_known(text: str, feed: dict, want: np.ndarray) -> None:
    content = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17, "aten" : 1, "kept" : 1, "rknn_cst" : 1]> g {text}').SerializeToString()
    after = onnx.load_from_string(tool.lowered(content, ["--keep", "kept"]))
    next(node for node in after.graph.node if node.domain == "kept").CopyFrom(helper.make_node("Identity", ["a"], ["x"]))
    np.testing.assert_array_equal(computed(after, feed)[0], want)


def test_an_index_out_of_range_stays_one_where_its_type_is_not_known() -> None:
    """Below opset 11 a negative one is out of range, and from 11 on it counts from the end."""
    text = """<ir_version: 5, opset_import: ["" : 10, "kept" : 1]> g (int64[2] a, float[2] values) => (float[2, 3] y) {
        x = kept.Same (a)  depth = Constant <value = int64 {3}> ()  y = OneHot (x, depth, values)
    }"""
    tool.assert_clean_refusal(tool.lower(onnx.parser.parse_model(text).SerializeToString(), ["--keep", "kept", "--target-opset", "13"]), tool.NOT_LOWERED)


@pytest.mark.parametrize("to, apart", [(INT64, True), (TensorProto.INT32, True), (FLOAT, False)])
def test_casts_of_products_in_opencv(to: int, apart: bool) -> None:
    """It drops them behind a product with a constant, as torch writes positions in MPNet and sizes in MobileViT."""
    nodes = [helper.make_node("Mul", ["x", "factor"], ["product"]), helper.make_node("Cast", ["product"], ["c"], to=to), helper.make_node("Cast", ["c"], ["whole"], to=FLOAT), helper.make_node("Add", ["whole", "factor"], ["y"])]
    content = model(nodes, {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, [2, 3])}, opset=17, initializers=[numpy_helper.from_array(np.float32(1.5), "factor")])
    out = lowered(content, "opencv-5.0")
    assert ("Identity" in operators(out)) == apart
    feed = {"x": np.float32([[1.2, 2.7, 0], [4, -1.3, 1.6]])}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("mode, shape, stays", [("linear", [2, 4, 1, 1], False), ("linear", [2, 4, 1, 5], False), ("linear", [2, 4, 5, 1], False), ("linear", [2, 4, 2, 2], True), ("nearest", [2, 4, 1, 1], True)])
def test_resizes_of_a_single_row_in_opencv(mode: str, shape: list, stays: bool) -> None:
    """Behind a convolution it makes other numbers of it, as where DeepLab spreads a mean over the image."""
    rng = np.random.default_rng(5)
    constants = [numpy_helper.from_array(rng.standard_normal([4, 4, 1, 1]).astype(np.float32), "w"), numpy_helper.from_array(np.int64([2, 4, 6, 6]), "sizes")]
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"]), helper.make_node("Resize", ["c", "", "", "sizes"], ["y"], mode=mode)]
    content = model(nodes, {"x": (FLOAT, shape)}, {"y": (FLOAT, [2, 4, 6, 6])}, opset=17, initializers=constants)
    out = lowered(content, "opencv-5.0")
    assert ("Resize" in operators(out)) == stays
    feed = {"x": rng.standard_normal(shape).astype(np.float32)}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("queries, rows, stays", [(5, 1, False), (None, 1, False), (1, 1, True), (5, 5, True), (5, None, True)])
@pytest.mark.parametrize("target", ["onnxruntime-1.31", "onnxruntime-web-1.30", "tract-0.23", "openvino-2026.4"])
def test_attention_masks_for_all_queries(target: str, queries: int | None, rows: int | None, stays: bool) -> None:
    """torch's dynamo exporter writes one of words that are padding, which has a single row."""
    shapes = {"q": (FLOAT, [2, 4, queries, 8]), "k": (FLOAT, [2, 4, 7, 8]), "v": (FLOAT, [2, 4, 7, 8]), "mask": (FLOAT, [2, 1, rows, 7])}
    content = model([helper.make_node("Attention", ["q", "k", "v", "mask"], ["y"])], shapes, {"y": (FLOAT, [2, 4, queries, 8])}, opset=23)
    out = lowered(content, target)
    is_lowered = not stays and target != "openvino-2026.4"
    assert ("Attention" not in operators(out)) == is_lowered
    if is_lowered:
        rng = np.random.default_rng(3)
        feed = {name: rng.standard_normal([size or 5 for size in shape]).astype(np.float32) for name, (_, shape) in shapes.items()}
        scores = feed["q"] @ feed["k"].swapaxes(2, 3) / np.sqrt(8) + feed["mask"]
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        np.testing.assert_allclose(computed(out, feed)[0], powers / powers.sum(-1, keepdims=True) @ feed["v"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino-2023.3", "opencv-5.0", "mnn-3.6"])
def test_a_second_run_over_a_masked_attention(target: str) -> None:
    """What asks whether a row sees something was said anew, since OpenVINO's greatest of nothing but -infinity is a number."""
    shapes = {name: (FLOAT, [2, 4, length, 8]) for name, length in (("q", 5), ("k", 7), ("v", 7))}
    content = model([helper.make_node("Attention", ["q", "k", "v", "mask"], ["y"])], {**shapes, "mask": (TensorProto.BOOL, [2, 1, 1, 7])}, {"y": (FLOAT, [2, 4, 5, 8])}, opset=23)
    once = tool.lowered(content, ["--target", target])
    assert tool.lowered(once, ["--target", target]) == once


@pytest.mark.parametrize("between, shape, stays", [([], [2, 5, 4], False), ([], [6, 4], True), (["Reshape"], [2, 3, 4], False), (["Transpose"], [2, 3, 4], False), (["Transpose", "Reshape"], [2, 3, 4], False), (["Relu"], [2, 5, 4], True)])
@pytest.mark.parametrize("target", ["onnxruntime-1.17", "onnxruntime-1.20", "onnxruntime-1.31"])
def test_batch_normalizations_of_products_in_onnx_runtime(target: str, between: list, shape: list, stays: bool) -> None:
    """It makes a Gemm of both, also of products with more than two dimensions, as in LeViT, and refuses it."""
    rng = np.random.default_rng(3)
    constants = [numpy_helper.from_array(rng.standard_normal([4, 5]).astype(np.float32), "w"), numpy_helper.from_array(np.int64([-1, 5]), "rows"), numpy_helper.from_array(np.float32([1, 2, 3, 4, 5]), "s")]
    nodes, last = [helper.make_node("MatMul", ["x", "w"], ["product"])], "product"
    for op in between:
        nodes.append(helper.make_node(op, [last, *["rows"] * (op == "Reshape")], [op], **({"perm": [0, 2, 1]} if op == "Transpose" else {})))
        last = op
    nodes.append(helper.make_node("BatchNormalization", [last, *["s"] * 4], ["y"]))
    content = model(nodes, {"x": (FLOAT, shape)}, {"y": (FLOAT, None)}, opset=17, initializers=constants if "Reshape" in between else [constants[0], constants[2]])
    out = lowered(content, target)
    assert ("BatchNormalization" in operators(out)) == (stays or target == "onnxruntime-1.31")
    feed = {"x": rng.standard_normal(shape).astype(np.float32)}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("attributes", [{}, {"axis": 1, "epsilon": 0.5}])
@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("target, zeros", [("onnxruntime-1.14", 1), ("onnxruntime-1.17", 1), ("onnxruntime-1.20", 0)])
def test_layer_normalizations_without_a_bias_in_onnx_runtime(target: str, zeros: int, constant: bool, attributes: dict) -> None:
    """Until 1.17 it looks at the bias of one that several nodes read, and crashes."""
    scale = np.float32([[1, 2, 3, 4]] * 3) if attributes else np.float32([1, 2, 3, 4])
    nodes = [helper.make_node("LayerNormalization", ["x", "scale"], ["n"], **attributes), helper.make_node("Mul", ["n", "n"], ["y"])]
    inputs = {"x": (FLOAT, [2, 3, 4]), **({} if constant else {"scale": (FLOAT, list(scale.shape))})}
    content = model(nodes, inputs, {"y": (FLOAT, [2, 3, 4])}, opset=17, initializers=[numpy_helper.from_array(scale, "scale")] * constant)
    out = lowered(content, target)
    assert operators(out).count("LayerNormalization") == 1 and operators(out).count("ConstantOfShape") == zeros
    feed = {"x": np.random.default_rng(3).standard_normal([2, 3, 4]).astype(np.float32), **({} if constant else {"scale": scale})}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)


def hard_sigmoid(alpha: float) -> list:
    return [helper.make_node("HardSigmoid", ["x"], ["gate"], alpha=alpha, beta=0.5)]


@pytest.mark.parametrize("gate, joined, apart", [(hard_sigmoid(1 / 6), {"HardSigmoid"}, set()), (hard_sigmoid(0.2), set(), {"HardSigmoid"}),
                                                 ([helper.make_node("Softplus", ["x"], ["s"]), helper.make_node("Tanh", ["s"], ["gate"])], set(), {"Clip", "Tanh"})])
@pytest.mark.parametrize("opset", [13, 18])
def test_gates_that_opencv_takes_for_activations(gate: list, joined: set, apart: set, opset: int) -> None:
    """It makes a HardSwish or a Mish of x where something else is multiplied, as by what squeezes and excites in MobileNetV3."""
    content = model([*gate, helper.make_node("Mul", ["gate", "z"], ["y"])], {"x": (FLOAT, [2, 3]), "z": (FLOAT, [2, 3])}, {"y": (FLOAT, [2, 3])}, opset=opset)
    out = lowered(content, "opencv-5.0")
    assert not joined & set(operators(out)) and apart <= set(operators(out))
    feed = {"x": np.float32([[1.2, 2.7, 0], [4, -1.3, 1.6]]), "z": np.float32([[1, 2, 3], [4, 5, 6]])}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5)


@pytest.mark.parametrize("op, opset, attributes", [("InstanceNormalization", 17, {"epsilon": 0.125}), ("GroupNormalization", 21, {"num_groups": 2, "epsilon": 0.125})])
@pytest.mark.parametrize("size", [[9], [5, 5], [3, 4, 5]])
def test_normalizations_of_signals_in_opencv(op: str, opset: int, attributes: dict, size: list) -> None:
    """Behind a convolution along one axis or three it crashes, as in Wav2Vec2 and its relatives."""
    rng = np.random.default_rng(5)
    constants = [numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name) for name, shape in (("w", [4, 4, *[1] * len(size)]), ("s", [4]), ("b", [4]))]
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"]), helper.make_node("Relu", ["c"], ["r"]), helper.make_node(op, ["r", "s", "b"], ["y"], **attributes)]
    content = model(nodes, {"x": (FLOAT, [2, 4, *size])}, {"y": (FLOAT, [2, 4, *size])}, opset=opset, initializers=constants)
    out = lowered(content, "opencv-5.0")
    if op == "InstanceNormalization":
        assert operators(out) == ["Conv", "Relu", *["Identity"] * (len(size) != 2), op]
    else:
        assert (op in operators(out)) == (len(size) == 2)
    feed = {"x": rng.standard_normal([2, 4, *size]).astype(np.float32)}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind, apart", [(np.uint8, True), (np.int8, True), (np.int64, False)])
def test_casts_of_rows_of_a_table_in_opencv(kind: type, apart: bool) -> None:
    """It drops them where the rows are constants too, as positions of networks with dynamic quantization are with --fold. A table of bytes and what is taken of it are known, and become a constant."""
    constants = [numpy_helper.from_array(np.array([[1, 2], [3, 4], [5, 6]], kind), "table"), numpy_helper.from_array(np.int64([2, 0]), "rows"), numpy_helper.from_array(np.float32(1.5), "zero")]
    nodes = [helper.make_node("Gather", ["table", "rows"], ["codes"]), helper.make_node("Cast", ["codes"], ["wide"], to=FLOAT), helper.make_node("Sub", ["wide", "zero"], ["d"]), helper.make_node("Mul", ["x", "d"], ["y"])]
    content = model(nodes, {"x": (FLOAT, [2, 2])}, {"y": (FLOAT, [2, 2])}, opset=17, initializers=constants)
    out = lowered(content, "opencv-5.0")
    assert operators(out) == (["Constant", "Sub", "Mul"] if apart else ["Gather", "Cast", "Sub", "Mul"])
    feed = {"x": np.float32([[1, 2], [3, 4]])}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


@pytest.mark.parametrize("opset", [11, 18])
@pytest.mark.parametrize("op", ["ReduceSum", "ReduceMean", "ReduceMax"])
def test_reductions_to_a_number_in_opencv(op: str, opset: int) -> None:
    """Where all axes are named, it leaves the result a dimension, and the network is refused behind it, as the condition of an If that JAX writes."""
    axes = {"axes": [0, 1]} if opset == 11 else {}
    nodes = [helper.make_node(op, ["x", *([] if axes else ["axes"])], ["s"], keepdims=0, **axes), helper.make_node("Mul", ["s", "x"], ["y"])]
    content = model(nodes, {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, [2, 3])}, opset=opset, initializers=() if axes else [numpy_helper.from_array(np.int64([0, 1]), "axes")])
    out = lowered(content, "opencv-5.0")
    for node in out.graph.node:
        assert node.op_type != op or any(attribute.name == "keepdims" and attribute.i == 1 for attribute in node.attribute) or len(node.input) == 1 and not any(attribute.name == "axes" for attribute in node.attribute)
    feed = {"x": np.random.default_rng(1).standard_normal([2, 3]).astype(np.float32)}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5)


@pytest.mark.parametrize("opset", [11, 17])
@pytest.mark.parametrize("op, attributes, is_made", [("Conv", {}, False), ("ConvTranspose", {"strides": [2], "pads": [1, 1]}, False), ("Relu", {}, True), ("LeakyRelu", {"alpha": 0.25}, True), ("Clip", {}, True), ("PRelu", {}, True),
                                                     ("Tanh", {}, True)])
def test_signals_that_come_out_of_mnn(op: str, attributes: dict, is_made: bool, opset: int) -> None:
    """Where they come out of a convolution, or of what it joins with one, they have a dimension more. Vocoders end so."""
    rng = np.random.default_rng(5)
    constants = [numpy_helper.from_array(rng.standard_normal([3, 3, 3]).astype(np.float32), "w"), numpy_helper.from_array(np.float32([[0.25], [0.5], [0.75]]), "slopes"), *(numpy_helper.from_array(np.float32(value), name) for name, value in (("least", -0.3), ("most", 0.7)))]
    others = {"Clip": ["least", "most"], "PRelu": ["slopes"], "Conv": ["w"], "ConvTranspose": ["w"]}
    nodes = [*([helper.make_node("Conv", ["x", "w"], ["c"])] if is_made else []), helper.make_node(op, ["c" if is_made else "x", *others.get(op, [])], ["y"], **attributes)]
    needed = [constant for constant in constants if any(constant.name in node.input for node in nodes)]
    content = model(nodes, {"x": (FLOAT, [2, 3, 16])}, {"y": (FLOAT, None)}, opset=opset, initializers=needed)
    out = lowered(content, "mnn-3.6")
    assert ("Identity" in operators(out)) == (not is_made)
    assert (op in operators(out)) == (not is_made or op == "Tanh")
    feed = {"x": rng.standard_normal([2, 3, 16]).astype(np.float32)}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("depth, stays", [(1, True), (2, False), (3, True)])
def test_slices_that_several_numbers_place_in_mnn(depth: int, stays: bool) -> None:
    rng = np.random.default_rng(5)
    feed = {"x": rng.standard_normal([3, 4, 5]).astype(np.float32), "i": np.array([[0, 1, 2], [2, 3, 4], [1, 0, 3]])[:, :depth].copy(), "u": rng.standard_normal([3, *(3, 4, 5)[depth:]]).astype(np.float32)}
    content = model([helper.make_node("ScatterND", ["x", "i", "u"], ["y"])], {name: (INT64 if name == "i" else FLOAT, value.shape) for name, value in feed.items()}, {"y": (FLOAT, [3, 4, 5])}, opset=13)
    result = tool.lower(content, ["--target", "mnn-3.6"])
    assert stays == (result.status == tool.DONE and operators(onnx.load_from_string(result.stdout)) == ["ScatterND"])
    if result.status == tool.DONE:
        np.testing.assert_array_equal(computed(onnx.load_from_string(result.stdout), feed)[0], computed(onnx.load_from_string(content), feed)[0])


def test_of_a_domain_without_versions_only_what_has_a_line_is_taken(tmp_path: pathlib.Path) -> None:
    """Networks of scikit-learn were written with exit status 0 for runtimes that have nothing of ai.onnx.ml."""
    nodes = [helper.make_node("Scaler", ["x"], ["z"], domain="ai.onnx.ml", offset=[1.0], scale=[2.0]), helper.make_node("Normalizer", ["z"], ["y"], domain="ai.onnx.ml", norm="L2")]
    content = model(nodes, {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, [2, 3])}, others=("ai.onnx.ml",))
    assert tool.lowered(content, ["--target", written(tmp_path, "opset 7..26\n")]) == content
    for text in ("opset ai.onnx.ml none\nai.onnx.ml::Normalizer always\n", "opset ai.onnx.ml none\nai.onnx.ml::Normalizer norm == \"L2\"\n"):
        assert [node.op_type for node in lowered(content, written(tmp_path, text)).graph.node if node.domain] == ["Normalizer"]
    for target, stay in (("openvino-2026.4", ["Normalizer"]), ("rten-0.27", []), ("mnn-3.6", [])):
        assert [node.op_type for node in lowered(content, target).graph.node if node.domain] == stay
    nodes = [helper.make_node("CategoryMapper", ["x"], ["y"], domain="ai.onnx.ml", cats_int64s=[1], cats_strings=["a"])]
    content = model(nodes, {"x": (INT64, [2])}, {"y": (TensorProto.STRING, [2])}, others=("ai.onnx.ml",))
    result = tool.lower(content, ["--target", written(tmp_path, "opset ai.onnx.ml none\n")])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "board has no CategoryMapper" in result.stderr or "board does not take CategoryMapper" in result.stderr


# Mistakes.


@pytest.mark.parametrize("text, complaint", [
    ("Absz never", "onnx has no operator ai.onnx::Absz; near it is Abs"),
    ("Abs", "expected a condition behind the operator"),
    ("Abs mode == 1", "has no attribute 'mode'"),
    ("Abs rank(data) == 1", "has no input or output 'data'"),
    ("Abs rank(X) = 1", "expected '=='"),
    ("opset 25..7", "expected the versions"),
    ("opset lowered", "expected the versions"),
    ("opset lowered none", "as in opset lowered 7..17"),
    ("right Abs never", "right is said of some nodes"),
    ("ir", "expected the IR versions"),
    ("functions perhaps", "expected functions yes"),
    ("shapes", "expected shapes static"),
    ("types bfloat16", "as in types not in (bfloat16)"),
    ("types not in (bfloat)", "as in types not in (bfloat16)"),
    ("types raw bool", "as in types raw (bool)"),
    ("types float", "as in types float (double)"),
    ("types real (double)", "as in types float (double)"),
    ("types not in (float16, )", "as in types not in (bfloat16)"),
    ("inputs empty", "expected inputs filled, or inputs any"),
    ("outputs some", "expected outputs made, or outputs any"),
    ("others", "expected others always, or others never"),
    ("source hearsay", "expected source documents, or source probe"),
    ("let floats (float)", "expected a name and a list"),
    ("let a = (float)\nlet a = (double)", "stands for a list already"),
    ("x::::y never", "is no operator"),
])
def test_a_file_that_is_wrong(text: str, complaint: str, tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Abs", ["x"], ["y"])], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])})
    result = tool.lower(content, ["--target", written(tmp_path, text + "\n")])
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    assert complaint in result.stderr and re.search(r"board\.target:\d+:\d+: error", result.stderr), result.stderr


@pytest.mark.parametrize("target, status, complaint", [
    ("onnxruntim", tool.WRONG_USAGE, "is it onnxruntime?"),
    ("", tool.WRONG_USAGE, "its value is empty"),
    ("onnxruntime,", tool.WRONG_USAGE, "no such target"),
    ("nowhere.target", tool.FILE_ERROR, "nowhere.target"),
])
def test_a_target_that_is_not_there(target: str, status: int, complaint: str) -> None:
    content = model([helper.make_node("Abs", ["x"], ["y"])], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])})
    result = tool.lower(content, ["--target", target])
    assert result.status == status and complaint in result.stderr, str(result)


def test_targets_without_a_version_in_common(tmp_path: pathlib.Path) -> None:
    (tmp_path / "new.target").write_text("# New.\nopset 22..\n")
    result = tool.lower(model([], {}, {}), ["--target", f"onnxruntime-1.8,{tmp_path / 'new.target'}"])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "no version of ONNX is taken by all of these" in result.stderr


# In real runtimes.

# Wrong in the runtime, which no condition on one node can say: rounding of sizes, a sequence of length 0, which ReverseSequence leaves unwritten.
KNOWN = {"test_maxpool_2d_ceil_output_size_reduce_by_one", "test_resize_downsample_scales_linear_align_corners", "test_resize_downsample_scales_cubic_align_corners", "test_reversesequence_batch"}
# A Split of which a part has no elements, which it does not compute rightly; and what its file does not say yet: the tests had not compared numbers that NumPy holds as scalars.
KNOWN_IN_MNN = {"test_rotary_embedding_no_position_ids_interleaved", "test_dequantizelinear", "test_onehot_negative_indices", "test_sce_mean_no_weight_ii_3d_log_prob"}


def answers_for(target: str, runtime: str, python: object, sample: list[seeds.Seed], folder: pathlib.Path) -> dict[str, str]:
    """Of those that the tool lowers for the target: what its runtime says."""
    (folder / "models").mkdir()
    for number, seed in enumerate(sample):
        onnx.save(seed.model, folder / "models" / f"{number}.onnx")
    done = tool.run([folder / "models", "--output-dir", folder / "out", "--target", target, "-j", 2], timeout=600)
    assert done.status in (tool.DONE, tool.SOME_FAILED)
    there = []
    for task in seeds.write(folder / "asked", iter(sample)):
        result = folder / "out" / f"{task['number']}.onnx"
        if result.exists():
            result.replace(folder / "asked" / result.name)
            there.append(task["number"])
    return {sample[number].name: answer for number, answer in probe.ask(str(python), runtime, folder / "asked", there).items()}


def test_the_sample_that_is_measured() -> None:
    found = [seed for seed, _ in measure.models_to_measure(None)]
    kinds = [seed.kind for seed in found]
    assert len({seed.name for seed in found}) == len(found)
    assert [kinds.count(kind) for kind in measure.KINDS] == [181, 77, 367], "docs/targets.md has figures of these"


def test_bfloat16_where_a_runtime_has_few_kernels_of_it(tmp_path: pathlib.Path) -> None:
    """NumPy has no such type, so that a probe asks only whether models of it load."""
    sample: dict[str, onnx.ModelProto] = {}
    for seed in seeds.backend_tests():
        variables = [constraint.type_param_str for constraint in seed.schema.type_constraints if "tensor(bfloat16)" in constraint.allowed_type_strs]
        if seed.node.op_type not in sample and variables and seed.compares and (changed := seeds.of_a_type_without_numbers(seed, variables, TensorProto.BFLOAT16)):
            sample[seed.node.op_type] = changed.model
    (tmp_path / "in").mkdir()
    for name, one in sample.items():
        onnx.save(one, tmp_path / "in" / f"{name}.onnx")
    done = tool.run([tmp_path / "in", "--output-dir", tmp_path / "out", "--target", "onnxruntime-1.31", "-j", 2], timeout=600)
    assert done.status in (tool.DONE, tool.SOME_FAILED)
    there = sorted((tmp_path / "out").glob("*.onnx"))
    for path in there:
        onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert len(there) > 0.95 * len(sample) > 100, f"{len(there)} of {len(sample)}"


@pytest.mark.parametrize("which", ["newest", "oldest"])
def test_element_types_that_a_runtime_has_few_kernels_of(which: str, tmp_path: pathlib.Path) -> None:
    """Integers of few bits, floats of eight, strings, complex numbers: whether a model of them loads is all that is asked."""
    python = os.environ.get("ONNX_LOWER_OLDEST_RUNTIME", tool.REPOSITORY / "build" / "venv-oldest-runtime" / "bin" / "python") if which == "oldest" else sys.executable
    version = subprocess.run([python, "-c", "import onnxruntime; print(onnxruntime.__version__)"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "in").mkdir()
    tried: set[tuple] = set()
    for seed in seeds.backend_tests():
        key = seed.node.op_type, seed.schema.since_version
        if key not in tried and not seed.node.domain and seed.node.op_type not in seeds.RANDOM and (which == "newest" or seed.model.opset_import[0].version <= 20):
            tried.add(key)
            for number, (changed, _, _) in enumerate(element_types.of_each_type(seed)):
                (tmp_path / "in" / f"{seed.name}-{number}.onnx").write_bytes(element_types.without_sizes(changed))
    done = tool.run([tmp_path / "in", "--output-dir", tmp_path / "out", "--target", "onnxruntime-" + version.rsplit(".", 1)[0], "-j", 2], timeout=600)
    assert done.status == tool.SOME_FAILED
    tasks = []
    for number, path in enumerate(sorted((tmp_path / "out").glob("*.onnx"))):
        tasks.append({"number": number, "name": path.stem, "compares": False, "inputs": [], "outputs": []})
        path.rename(tmp_path / "out" / f"{number}.onnx")
        np.savez(tmp_path / "out" / f"{number}.npz")
    (tmp_path / "out" / "tasks.json").write_text(json.dumps(tasks))
    answers = probe.ask(str(python), "onnxruntime", tmp_path / "out", [task["number"] for task in tasks])
    assert not {task["name"]: answers[task["number"]] for task in tasks if answers[task["number"]] != "taken"}
    assert len(tasks) > (150 if which == "newest" else 25), len(tasks)


FEW_BITS = {TensorProto.INT4: [-8, -1, 0, 7], TensorProto.UINT4: [0, 1, 8, 15], TensorProto.INT2: [-2, -1, 0, 1], TensorProto.UINT2: [0, 1, 2, 3]}


@pytest.mark.parametrize("kind", FEW_BITS)
@pytest.mark.parametrize("node, shape", [("Reshape (h, shape)", [4]), ("Flatten (h)", [1, 4]), ("Identity (h)", [1, 2, 2]), ("Pad (h, pads)", [1, 3, 2]), ("Squeeze (h, zero)", [2, 2]), ("Unsqueeze (h, zero)", [1, 1, 2, 2])])
def test_integers_of_few_bits_in_wider_ones(kind: int, node: str, shape: list) -> None:
    """ONNX Runtime has kernels of these for Cast, Transpose and the quantizers only."""
    text = f"""<ir_version: 13, opset_import: ["" : 25]>
    g (int8[1,2,2] x) => (int8[{",".join(map(str, shape))}] y) <int64[1] shape = {{-1}}, int64[1] zero = {{0}}, int64[6] pads = {{0, 1, 0, 0, 0, 0}}> {{
      h = Cast <to = {kind}> (x)
      r = {node}
      y = Cast <to = {INT8}> (r)
    }}"""
    x = np.array(FEW_BITS[kind], np.int8).reshape(1, 2, 2)
    expected = np.pad(x, [(0, 0), (1, 0), (0, 0)]) if "Pad" in node else x.reshape(shape)
    out = lowered(onnx.parser.parse_model(text).SerializeToString(), "onnxruntime-1.31")
    np.testing.assert_array_equal(computed(out, {"x": x})[0], expected)


def test_what_is_computed_in_place_of_bfloat16() -> None:
    """As a kernel of it would round: each result, and nothing in between."""
    steps = [("MatMul", ["x", "w"]), ("Add", ["v0", "b"]), ("Softmax", ["v1"]), ("ReduceMean", ["v2"]), ("Sub", ["v1", "v3"]), ("Erf", ["v4"])]
    rng = np.random.default_rng(1)
    feed = {"x": rng.normal(size=(3, 4)).astype(np.float32), "w": rng.normal(size=(4, 5)).astype(np.float32), "b": rng.normal(size=5).astype(np.float32)}
    inputs = {name: (FLOAT, value.shape) for name, value in feed.items()}

    def network(rounds_each: bool) -> bytes:
        """All of it in bfloat16, or in float with each result rounded."""
        given = {name: f"{name}_r" for name in feed}
        nodes = [helper.make_node("Cast", [name], [f"{name}_b"], to=TensorProto.BFLOAT16) for name in feed]
        nodes += [helper.make_node("Cast", [f"{name}_b"], [f"{name}_r"], to=FLOAT) for name in feed] if rounds_each else []
        for index, (op, names) in enumerate(steps):
            if rounds_each:
                nodes.append(helper.make_node(op, [given.get(name, name) for name in names], [f"f{index}"]))
                nodes += [helper.make_node("Cast", [f"f{index}"], [f"r{index}"], to=TensorProto.BFLOAT16), helper.make_node("Cast", [f"r{index}"], [f"v{index}"], to=FLOAT)]
            else:
                nodes.append(helper.make_node(op, [f"{name}_b" if name in feed else name for name in names], [f"v{index}"]))
        nodes.append(helper.make_node("Identity" if rounds_each else "Cast", [f"v{len(steps) - 1}"], ["y"], **({} if rounds_each else {"to": FLOAT})))
        return model(nodes, inputs, {"y": (FLOAT, [3, 5])})

    expected = computed(onnx.load_from_string(network(True)), feed)[0]
    # The same kernels compute both.
    np.testing.assert_array_equal(computed(lowered(network(False), "onnxruntime"), feed)[0], expected)


def test_the_oldest_runtime_takes_what_its_target_says(tmp_path: pathlib.Path) -> None:
    python = os.environ.get("ONNX_LOWER_OLDEST_RUNTIME", tool.REPOSITORY / "build" / "venv-oldest-runtime" / "bin" / "python")
    version = subprocess.run([python, "-c", "import onnxruntime; print(onnxruntime.__version__)"], capture_output=True, text=True, check=True).stdout
    # None of these is run as it is: the import of the opset alone is too new.
    sample = [seed for seed in seeds.backend_tests()[::7] if seed.compares and seed.model.opset_import[0].version > 20]
    answers = answers_for("onnxruntime-" + version.rsplit(".", 1)[0], "onnxruntime", python, sample, tmp_path)
    assert not {name: answer for name, answer in answers.items() if answer != "taken" and name not in KNOWN}
    assert len(sample) > 60 and len(answers) > 0.8 * len(sample), f"{len(answers)} of {len(sample)}"


def test_types_that_the_oldest_runtime_has_no_kernel_of_together(tmp_path: pathlib.Path) -> None:
    python = os.environ.get("ONNX_LOWER_OLDEST_RUNTIME", tool.REPOSITORY / "build" / "venv-oldest-runtime" / "bin" / "python")
    version = subprocess.run([python, "-c", "import onnxruntime; print(onnxruntime.__version__)"], capture_output=True, text=True, check=True).stdout
    by_name = {seed.name: seed for seed in seeds.backend_tests()}
    asked = [("test_matmulinteger", "T1", INT8), ("test_batchnorm_example", "T", DOUBLE), ("test_batchnorm_example", "T2", DOUBLE)]
    sample = [changed for name, variable, kind in asked if (changed := seeds.of_another_type(by_name[name], [variable], kind))]
    answers = answers_for("onnxruntime-" + version.rsplit(".", 1)[0], "onnxruntime", python, sample, tmp_path)
    assert len(sample) == 3 and set(answers.values()) == {"taken"}, answers


def runtime_of(described: str) -> tuple[str, str, str]:
    """The Python that has it, its module, and the name of its target."""
    oldest = os.environ.get("ONNX_LOWER_OLDEST_RUNTIME", tool.REPOSITORY / "build" / "venv-oldest-runtime" / "bin" / "python")
    python, module = str(oldest if described.startswith("oldest") else sys.executable), described.split(" ")[-1]
    version = subprocess.run([python, "-c", f"import {module}; print({module}.__version__)"], capture_output=True, text=True, check=True).stdout
    return python, module, f"{module}-{'.'.join(version.split('-')[0].split('.')[:2])}"


@pytest.mark.parametrize("runtime", ["onnxruntime", "oldest onnxruntime", "openvino"])
def test_random_quantized_models_in_their_target(runtime: str, tmp_path: pathlib.Path) -> None:
    python, module, name = runtime_of(runtime)
    models = {seed: random_models_in_target.drawn_quantized(seed) for seed in range(40)}
    arguments = argparse.Namespace(name=name, runtime=module, python=python, tool=tool.TOOL, work=tmp_path)
    assert random_models_in_target.report(arguments, tmp_path / "random", models) == {}


# OpenVINO: a body of a Scan that knows values from outside, a constant without elements that is an output, a body of a Loop that reads whether it goes on.
KNOWN_OF_RANDOM = {"openvino": {55, 83, 90, 137}}


@pytest.mark.parametrize("runtime", ["onnxruntime", "oldest onnxruntime", "openvino"])
def test_random_models_in_their_target(runtime: str, tmp_path: pathlib.Path) -> None:
    python, module, name = runtime_of(runtime)
    models = {seed: model for seed in range(140) if (model := random_models_in_target.drawn(seed)) is not None}
    arguments = argparse.Namespace(name=name, runtime=module, python=python, tool=tool.TOOL, work=tmp_path)
    problems = random_models_in_target.report(arguments, tmp_path / "random", models)
    assert {seed: problem for seed, problem in problems.items() if seed not in KNOWN_OF_RANDOM.get(runtime, ())} == {}
    assert len(models) > 120


@pytest.mark.parametrize("target", ["onnxruntime-1.31", "onnxruntime-1.8"])
@pytest.mark.parametrize("of_x", [FLOAT, DOUBLE, FLOAT16])
@pytest.mark.parametrize("of_scale", [FLOAT, DOUBLE, FLOAT16])
@pytest.mark.parametrize("of_mean", [FLOAT, DOUBLE, FLOAT16])
def test_batch_normalization_of_several_types(target: str, of_x: int, of_scale: int, of_mean: int) -> None:
    """Of doubles together with another type no ONNX Runtime has a kernel, and 1.8 none that works where the type of X is not that of the rest."""
    rng = np.random.default_rng(2)
    kinds = dict(zip("xsbmv", (of_x, of_scale, of_scale, of_mean, of_mean)))
    feed = {name: rng.random((2, 3, 4) if name == "x" else 3).astype(helper.tensor_dtype_to_np_dtype(kind)) for name, kind in kinds.items()}
    content = model([helper.make_node("BatchNormalization", list("xsbmv"), ["y"])], {name: (kind, feed[name].shape) for name, kind in kinds.items()}, {"y": (of_x, [2, 3, 4])}, opset=15)
    out = lowered(content, target)
    declared = {value.name: value.type.tensor_type.elem_type for value in out.graph.input}
    for node in out.graph.node:
        if target == "onnxruntime-1.8" and node.op_type == "BatchNormalization":
            x, _, _, mean, _ = (declared.get(name) for name in node.input)
            assert x is None or mean is None or x == mean or (x, mean) == (FLOAT16, FLOAT), "that kernel fails when it runs"
    x, s, b, m, v = (feed[name].astype(np.float64) for name in "xsbmv")
    expected = (x - m[:, None]) / np.sqrt(v[:, None] + 1e-5) * s[:, None] + b[:, None]
    np.testing.assert_allclose(computed(out, feed)[0], expected, rtol=3e-3 if FLOAT16 in kinds.values() else 1e-5, atol=3e-3 if FLOAT16 in kinds.values() else 1e-6)


@pytest.mark.parametrize("of_x, of_scale", [(FLOAT16, FLOAT), (FLOAT, FLOAT16)])
@pytest.mark.parametrize("opset", [23, 24, 25])
def test_quantization_of_several_types(of_x: int, of_scale: int, opset: int) -> None:
    """ONNX Runtime loads it, and its kernel takes one for the type of the other when it runs."""
    of = {name: helper.tensor_dtype_to_np_dtype(kind) for name, kind in (("x", of_x), ("s", of_scale))}
    feed = {"x": np.linspace(-3, 20, 99).astype(of["x"]), "s": np.array(0.125, of["s"])}
    content = model([helper.make_node("QuantizeLinear", ["x", "s"], ["y"])], {"x": (of_x, [99]), "s": (of_scale, [])}, {"y": (TensorProto.UINT8, [99])}, opset=opset)
    expected = np.clip(np.rint(feed["x"].astype(np.float64) / 0.125), 0, 255)
    np.testing.assert_array_equal(computed(lowered(content, "onnxruntime-1.31"), feed)[0], expected)


@pytest.mark.parametrize("target", [name for name in BUILT_IN if name.startswith("onnxruntime-")])
def test_truth_values_are_resized_as_numbers(target: str) -> None:
    """No build of ONNX Runtime has a kernel of them, and no test of one node asks."""
    node = helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    scales = numpy_helper.from_array(np.float32([1, 1, 2, 2]), "scales")
    content = model([node], {"x": (TensorProto.BOOL, [1, 1, 2, 2])}, {"y": (TensorProto.BOOL, [1, 1, 4, 4])}, opset=13, initializers=(scales,))
    made = lowered(content, target)
    image = np.array([[[[True, False], [False, True]]]])
    np.testing.assert_array_equal(computed(made, {"x": image})[0], image.repeat(2, 2).repeat(2, 3))


def test_mnn_takes_what_its_target_says(tmp_path: pathlib.Path) -> None:
    python = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
    sample = [seed for seed in seeds.backend_tests()[::9] if seed.compares]
    answers = answers_for("mnn-3.6", "mnn", python, sample, tmp_path)
    assert not {name: answer for name, answer in answers.items() if answer != "taken" and name not in KNOWN_IN_MNN}
    assert len(sample) > 100 and len(answers) > 0.8 * len(sample), f"{len(answers)} of {len(sample)}"


# From documents: nobody can ask these runtimes, so what is written is held against the file itself, and against ONNX Runtime.


def listed_operators(name: str) -> set[tuple[str, str]]:
    """What a file with "others never" names, and does not name only to say never."""
    lines = (tool.REPOSITORY / "targets" / f"{name}.target").read_text().splitlines()
    assert {"others never", "source documents"} <= set(lines)
    found = set()
    for line in lines:
        word, _, rest = line.partition(" ")
        if word and word != "#" and not word.islower() and not rest.strip().startswith("never"):
            domain, _, op_type = word.rpartition("::")
            found.add((domain, op_type))
    return found


@pytest.mark.parametrize("name", FROM_DOCUMENTS)
def test_what_a_document_lists_is_all_that_is_written(name: str, tmp_path: pathlib.Path) -> None:
    sample = [seed for seed in seeds.backend_tests()[::6] if seed.compares]
    (tmp_path / "in").mkdir()
    for number, seed in enumerate(sample):
        onnx.save(seed.model, tmp_path / "in" / f"{number}.onnx")
    done = tool.run([tmp_path / "in", "--output-dir", tmp_path / "out", "--target", f"{name},onnxruntime", "-j", 2], timeout=600)
    assert done.status in (tool.DONE, tool.SOME_FAILED)
    listed = listed_operators(name)
    changed = 0
    for number, seed in enumerate(sample):
        if not (tmp_path / "out" / f"{number}.onnx").exists():
            continue
        out = onnx.load(tmp_path / "out" / f"{number}.onnx")
        used = {(node.domain, node.op_type) for node in model_checks.all_nodes(out)}
        assert used <= listed, f"{seed.name}: {used - listed}"
        if operators(out) == [seed.node.op_type]:
            continue
        changed += 1
        # Where nothing is compared, trees take no NaN, of which the run warns.
        if seed.node.op_type == "TreeEnsemble" and any(np.isnan(array).any() for array in seed.inputs):
            continue
        found = computed(out, {value.name: array for value, array in zip(seed.model.graph.input, seed.inputs)})
        # Where the corners are aligned, runtimes reckon with the size that comes out, and the test with one that has a fraction.
        is_of_fractions = seed.node.op_type == "Resize" and "scales_linear_align_corners" in seed.name
        expected = computed(seed.model, {value.name: array for value, array in zip(seed.model.graph.input, seed.inputs)}) if is_of_fractions else seed.outputs
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=max(seed.rtol, 1e-5), atol=max(seed.atol, 1e-6), err_msg=seed.name)
    assert changed > 12, changed


NOTES = """# A board.
# Section: ## Operators

source documents
others never
opset 7..18

operators
Conv  rank(X) == 4 or rank(X) == 5
Cast  dtype(input) in (float, double)  # double is another matter
Pad 18  constant(pads)  # a page of its own
Relu  always  # slowly
d::Fused  never
"""
DOCUMENT = """# A board
## Other things
| Operator | Note |
|---|---|
| Tan | |
## Operators
| Operator | Supported | Supported Types | Restrictions |
|---|---|---|---|
| `ai.onnx:Argmax` | Y | FP32, INT32 |
| Abs | Y | FP32, FP16, BF16 |
| Cast | Y | FP32 | of some |
| ConstantOfShape | Y | FP32 |
| Conv | Y | FP32 | two or three dimensions |
| Det | N |
| GroupNormalization | Y | FP32 |
| Mish | Y | FP32 |
| Nothing | Y | FP32 |
| Relu | Y | FP32 | slow |
| Where | Y | FP32, BOOL |
| d:Fused | Y | | |
# The end
| Operator | Note |
| Tanh | |
"""


def test_a_target_is_made_of_a_table(tmp_path: pathlib.Path) -> None:
    text = from_table.target_text(NOTES, DOCUMENT)
    assert text == """# A board.
# Of the table, these are no operators of ONNX: Nothing.

source documents
others never
opset 7..18
let floats = (float, float16, bfloat16)

Abs  dtype(X) in floats
ArgMax  dtype(data) in (float, int32)
Cast  dtype(input) in (float, double)  # double is another matter
ConstantOfShape  dtype(output) == float
Conv  dtype(X) == float and (rank(X) == 4 or rank(X) == 5)
GroupNormalization  dtype(X) == float
Mish  dtype(X) == float
Pad 18  constant(pads)  # a page of its own
Relu  dtype(X) == float  # slowly
Where  dtype(X) in (float, bool)
d::Fused  never
"""
    (tmp_path / "board.target").write_text(text)
    content = model([helper.make_node("Abs", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])})
    assert tool.lowered(content, ["--target", tmp_path / "board.target"]) == content
    names = from_table.target_text("# A list.\n\nsource documents\nothers never\nopset 7..18\n\noperators\n", "Of names:\nAbs\nai.onnx:Tan\n")
    assert names.splitlines()[-2:] == ["Abs  always", "Tan  always"]


# What runtimes with few operators make do with.


@pytest.mark.parametrize("kind, dtype", [("float", np.float32), ("double", np.float64), ("float16", np.float16)])
@pytest.mark.parametrize("op, opset", [("Max", 13), ("Max", 12), ("Reciprocal", 13), ("Reciprocal", 7)])
def test_max_and_reciprocal_in_other_operators(op: str, opset: int, kind: str, dtype: type, tmp_path: pathlib.Path) -> None:
    second = f", {kind}[7] w" if op == "Max" else ""
    content = of_text(f"({kind}[7] x{second}) => ({kind}[7] y) {{ y = {op} (x{', w' if second else ''}) }}", opset, 4)
    out = lowered(content, written(tmp_path, f"{op} never"))
    assert op not in operators(out)
    x, w = np.array([1.5, -2, 0, -np.inf, np.inf, np.nan, 3], dtype), np.array([2, -3, -1, 5, np.nan, 1, 3], dtype)
    with np.errstate(divide="ignore"):
        want = np.maximum(x, w) if op == "Max" else 1 / x
    found = computed(out, {"x": x, "w": w} if second else {"x": x})[0]
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, want)


def test_a_power_of_a_negative_base(tmp_path: pathlib.Path) -> None:
    """For a runtime that takes the logarithm of the base, so that -2 to the third comes out as NaN."""
    board = written(tmp_path, "Pow  nonnegative(X)")
    content = of_text("(float[9, 1] x, float[8] e) => (float[9, 8] y) { y = Pow (x, e) }", 13)
    out = lowered(content, board)
    assert lowered(out.SerializeToString(), board) == out
    x, e = np.float32([[-2], [-1], [-0.5], [0], [0.5], [2], [-np.inf], [np.inf], [np.nan]]), np.float32([0, 1, 2, 3, -1, -2, 0.5, -1.5])
    with np.errstate(all="ignore"):
        want = np.power(x.astype(np.float64), e.astype(np.float64))
        # The power of an infinite magnitude that is not whole is what C's pow says: infinite or 0, and here no number, as of any negative base.
        want[6, 6:] = np.nan
    np.testing.assert_allclose(computed(out, {"x": x, "e": e})[0], want, rtol=1e-6)
    # What is not negative stays.
    plain = of_text("(float[3] x, float[3] e) => (float[3] y) { a = Abs (x) y = Pow (a, e) }", 13)
    assert lowered(plain, board).graph == onnx.load_from_string(plain).graph


@pytest.mark.parametrize("kind, text", [("float", "0.25"), ("double", "0.25"), ("int64", "7"), ("int32", "7"), ("bool", "1")])
@pytest.mark.parametrize("where", ["initializer", "attribute"])
def test_elements_that_a_runtime_reads_as_raw_data_only(kind: str, text: str, where: str, tmp_path: pathlib.Path) -> None:
    """Floats that lie packed in float_data are the same bytes, and in the wrong field all the same."""
    board = written(tmp_path, f"types raw ({kind})\n")
    tensor = f"{kind}[2] t = {{{text}, {text}}}"
    if where == "initializer":
        content = of_text(f"({kind}[2] x) => ({kind}[2] y, {kind}[2] t) <{tensor}> {{ y = Identity (x) }}", 13)
    else:
        content = of_text(f"(int64[1] s) => ({kind}[n] y) {{ y = ConstantOfShape <value = {kind}[1] {{{text}}}> (s) }}", 13)
    graph = lowered(content, board).graph
    found = graph.initializer[0] if where == "initializer" else graph.node[0].attribute[0].t
    assert found.raw_data and not (found.float_data or found.double_data or found.int64_data or found.int32_data)
    given = onnx.load_from_string(content).graph
    before = given.initializer[0] if where == "initializer" else given.node[0].attribute[0].t
    assert not before.raw_data
    np.testing.assert_array_equal(numpy_helper.to_array(found), numpy_helper.to_array(before))


CANDLE = {
    "a list": ("(float[3, 4] x) => (float[4] y) { y = ReduceMax <axes = [0], keepdims = 0> (x) }", 13, None),
    "an upsampled picture": ('(float[1, 2, 3, 4] x) => (float[1, 2, 6, 8] y) <float[4] s = {1, 1, 2, 2}> { y = Resize <mode = "nearest", nearest_mode = "floor", coordinate_transformation_mode = "asymmetric"> (x, "", s) }', 13, None),
    "an axis from the end": ("(float[3, 4] x) => (float[3] y) <int64[1] a = {-1}> { y = ReduceSum <keepdims = 0> (x, a) }", 13, None),
    "axes from the end": ("(float[3, 4, 2] x) => (float[1, 4, 1] y) <int64[2] a = {-1, 0}> { y = ReduceSum (x, a) }", 13, None),
    "greatest": ("(float[3, 4] x, float[4] w) => (float[3, 4] y) { y = Max (x, w) }", 13, {"Max"}),
    "windows without strides": ("(float[1, 2, 4, 4] x) => (float[1, 2, 3, 3] y) { y = MaxPool <kernel_shape = [2, 2]> (x) }", 13, None),
    "a softmax over all that follows": ("(float[2, 3, 4] x) => (float[2, 3, 4] y) { y = Softmax <axis = 1> (x) }", 11, None),
}


@pytest.mark.parametrize("text, opset, gone", CANDLE.values(), ids=CANDLE)
def test_what_candle_evaluates_otherwise(text: str, opset: int, gone: set | None) -> None:
    content = of_text(text, opset)
    out = lowered(content, "candle-0.11")
    if gone is not None:
        assert not gone & set(operators(out))
    constants = {node.output[0]: numpy_helper.to_array(node.attribute[0].t) for node in out.graph.node if node.op_type == "Constant"}
    for node in out.graph.node:
        assert node.op_type != "MaxPool" or any(attribute.name == "strides" for attribute in node.attribute)
        assert node.op_type != "ReduceSum" or (constants[node.input[1]] >= 0).all()
    rng = np.random.default_rng(3)
    feed = {value.name: rng.normal(size=[dim.dim_value for dim in value.type.tensor_type.shape.dim]).astype(np.float32) for value in out.graph.input}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-6)


NCNN = {
    "the greatest of three": ("(float[3, 4] x, float[3, 4] w, float[3, 4] v) => (float[3, 4] y) { y = Max (x, w, v) }", 13, ["Max", "Max"]),
    "equal parts": ("(float[3, 4] x) => (float[3, 2] y, float[3, 2] z) { y, z = Split <axis = 1> (x) }", 13, ["Constant", "Split"]),
    "axes as an input": ("(float[1, 3, 4, 2] x) => (float[1, 3, 1, 1] y) <int64[2] a = {2, 3}> { y = ReduceMean (x, a) }", 18, ["ReduceMean"]),
    "a layer that it lacks": ("(float[3, 4] x) => (float[3, 4] y) { y = Softsign (x) }", 13, ["Constant", "Abs", "Add", "Div"]),
    "axes as an attribute": ("(float[1, 3, 4, 2] x) => (float[1, 3, 1, 1] y) { y = ReduceMean <axes = [2, 3]> (x) }", 13, ["ReduceMean"]),
    "a bias in a list": ("(float[1, 2] x) => (float[1, 3] y) <float[3, 2] w = {1, 2, 3, 4, 5, 6}, float[3] b = {1, 2, 3}> { y = Gemm <transB = 1> (x, w, b) }", 13, ["Gemm"]),
    "a row of a table": ("(int64[3] x) => (float[3, 1] y) <float[9, 1] w = {1, 2, 3, 4, 5, 6, 7, 8, 9}> { y = Gather (w, x) }", 13, ["Gather"]),
}
TVM = {
    "a number as an attribute": ("(float[3] x) => (float[3] y) { c = Constant <value_float = 2.0> ()  y = Add (x, c) }", 13, ["Constant", "Add"]),
    "an operator that it lacks": ("(float[3, 4] x) => (float[3, 4] y) { y = Celu (x) }", 13, ["Constant", "Div", "Elu", "Mul"]),
    "a comparison": ("(float[3, 4] x, float[3, 4] w) => (float[3, 4] y) { c = Greater (x, w)  y = Where (c, x, w) }", 13, ["Greater", "Where"]),
}


@pytest.mark.parametrize("target, text, opset, made", [("ncnn-20261020", *case) for case in NCNN.values()] + [("tvm-0.27", *case) for case in TVM.values()], ids=[*NCNN, *TVM])
def test_what_ncnn_and_tvm_take(target: str, text: str, opset: int, made: list) -> None:
    content = of_text(text, opset)
    out = lowered(content, target)
    assert operators(out) == made
    for node in out.graph.node:
        assert node.op_type != "ReduceMean" or len(node.input) == 1
        assert node.op_type != "Constant" or node.attribute[0].name == "value"
    rng = np.random.default_rng(3)
    feed = {value.name: rng.normal(size=sizes).astype(np.float32) if value.type.tensor_type.elem_type == FLOAT else rng.integers(0, 9, sizes)
            for value in out.graph.input for sizes in [[dim.dim_value for dim in value.type.tensor_type.shape.dim]]}
    for found, wanted in zip(computed(out, feed), computed(onnx.load_from_string(content), feed)):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


BACKENDS = """# What it runs
| Name | Types on [`Cpu`](a#b) | Types on Gpu | Versions of Web | Notes |
|---|---|---|---|---|
| [Abs](https://x.y/Operators.md#Abs) | float, int | float | [6+](c#Abs-6) | |
| Add (Float / Quantize) | float, int | Not supported | [7+](c) | |
| Clip | float | float | [6-10](c#Clip-6) | |
| MaxPool | float | float | [1-7](c), [8-9](c) | no dilations |
| Mul / Sub (deprecated) | - | - | [7-12](c), [13+](c) | |
| Shape | - | - | | |
| Tan | float | Not supported | | |
"""


@pytest.mark.parametrize("column, lines", [
    ("Types on Cpu", ["Abs  dtype(X) in numbers", "Add  dtype(A) in numbers", "Clip  dtype(input) == float", "MaxPool  dtype(X) == float and dilations[0] == 1", "Mul  always", "Shape  always", "Sub  always", "Tan  dtype(input) == float"]),
    ("Types on Gpu", ["Abs  dtype(X) == float", "Clip  dtype(input) == float", "MaxPool  dtype(X) == float and dilations[0] == 1", "Mul  always", "Shape  always", "Sub  always"]),
    ("Versions of Web", ["Abs  always", "Add  always", "Clip 6  always", "MaxPool 1..8  dilations[0] == 1", "Mul  always", "Sub  always"])])
def test_a_column_of_a_table_says_what_one_backend_takes(column: str, lines: list[str]) -> None:
    notes = f"# A board.\n# Column: {column}\n\nsource documents\nothers never\nopset 7..15\nlet numbers = (float, int32)\n\noperators\nMaxPool  dilations[0] == 1\n"
    text = from_table.target_text(notes, BACKENDS)
    head, _, said = text.partition("let numbers = (float, int32)\n\n")
    assert head == "# A board.\n\nsource documents\nothers never\nopset 7..15\n" and said.splitlines() == lines


def test_a_new_note_in_a_table_is_noticed() -> None:
    with pytest.raises(SystemExit, match="Abs: its note is new: not of zero"):
        from_table.target_text(NOTES, DOCUMENT.replace("| Abs | Y | FP32, FP16, BF16 |", "| Abs | Y | FP32 | not of zero |"))


@pytest.mark.parametrize("outputs, count", [(4, 4), (6, 6), (6, 1), (6, None)], ids=["as many outputs", "more outputs", "one in a list", "one"])
@pytest.mark.parametrize("op", ["QLinearConv", "QLinearMatMul"])
def test_each_output_has_its_own_scale_in_openvino(op: str, outputs: int, count: int | None) -> None:
    """It takes the scales of a QLinearConv's outputs for those of its inputs, and refuses those of a QLinearMatMul's columns; onnxruntime.quantization writes both with per_channel=True."""
    generator = np.random.default_rng(outputs)
    # Weights of seven bits: with more, products saturate on processors without instructions for dot products of bytes.
    x, w = ((1, 4, 5, 5), (outputs, 4, 3, 3)) if op == "QLinearConv" else ((3, 4), (4, outputs))
    scales = generator.uniform(0.005, 0.03, () if count is None else count).astype(np.float32)
    constants = {
        "x_scale": np.float32(0.02), "x_zero": np.uint8(120), "w": generator.integers(-64, 64, w).astype(np.int8), "w_scale": scales, "w_zero": np.zeros_like(scales, np.int8),
        "y_scale": np.float32(0.1), "y_zero": np.uint8(110),
    }
    node = helper.make_node(op, ["x", *constants], ["y"], name="n")
    content = model([node], {"x": (TensorProto.UINT8, x)}, {"y": (TensorProto.UINT8, [None] * len(x))}, opset=13, ir_version=7,
                    initializers=tuple(numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()))
    feed = {"x": generator.integers(0, 256, x).astype(np.uint8)}
    after = lowered(content, "openvino")
    assert (op in operators(after)) == (count in (None, 1))
    want = computed(onnx.load_from_string(content), feed)[0].astype(int)
    # What lies between two steps may be rounded to the other one.
    np.testing.assert_allclose(runtimes.in_openvino(after.SerializeToString())(feed)["y"].astype(int), want, atol=1, rtol=0)


@pytest.mark.parametrize("op", ["Dropout", "Max", "Min", "Sum"])
def test_inputs_keep_their_names_in_openvino(op: str) -> None:
    """Which an operator that changes nothing, directly on one, takes from it."""
    content = model([helper.make_node(op, ["x"], ["d"]), helper.make_node("Add", ["d", "d"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=13)
    after = lowered(content, "openvino")
    assert operators(after) == ["Identity", "Add"]
    np.testing.assert_array_equal(runtimes.in_openvino(after.SerializeToString())({"x": np.float32([1, 2])})["y"], [2, 4])
    alone = lowered(model([helper.make_node(op, ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=13), "openvino")
    np.testing.assert_array_equal(runtimes.in_openvino(alone.SerializeToString())({"x": np.float32([1, 2])})["y"], [1, 2])


def test_an_option_that_overrides_a_target_beyond_what_it_reads_is_warned_of() -> None:
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu (x) }').SerializeToString()
    arguments = ["-", "-o", "-", "--target", "onnxruntime-1.17,openvino-2026.4"]
    result = tool.run([*arguments, "--target-opset", "26", "--ir-version", "12"], stdin=model)
    assert result.status == tool.DONE
    assert "--target-opset 26 is written, and onnxruntime-1.17 takes 7 to 20 only" in result.stderr
    assert "--ir-version 12 is written, and onnxruntime-1.17 takes 3 to 9 only" in result.stderr
    assert result.stderr.count("warning") == 2
    assert "warning" not in tool.run([*arguments, "--target-opset", "15", "--ir-version", "8"], stdin=model).stderr


@pytest.mark.parametrize("nodes", [
    'other = If (c) <then_branch = t () => (float[2] a) { a = Neg (x) }, else_branch = e () => (float[2] b) { b = Abs (x) }>  y = d.F (x, other)',
    """y = If (c) <then_branch = t () => (float[2] a) {
         n = If (c) <then_branch = u () => (float[2] p) { p = Abs (x) }, else_branch = v () => (float[2] q) { q = Neg (x) }>
         a = Neg (x)
       }, else_branch = e () => (float[2] n) { n = Neg (x) }>""",
    """many = Constant <value = int64 {2}> ()
       other = Loop (many, "", x) <body = b (int64 i, bool go, float[2] s) => (bool on, float[2] r) { on = Identity (go)  r = Neg (s) }>
       y = If (c) <then_branch = t () => (float[2] a) { z = d.F (other, x)  a = Neg (x) }, else_branch = e () => (float[2] n) { n = Neg (x) }>""",
])
def test_a_loop_or_a_branch_that_only_a_lowered_function_needed_goes_at_once(nodes: str) -> None:
    """And so that a second run finds no more of them: inputs that a function does not read, names that other graphs have, values that nodes without need captured."""
    text = f"""<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (bool c, float[2] x) => (float[2] y) {{ {nodes} }}
        <domain: "d", opset_import: ["" : 17]> F (x, other) => (y) {{ y = Neg (x) }}"""
    given = onnx.parser.parse_model(text).SerializeToString()
    lowered = tool.lowered(given, ["--target", "onnxruntime-1.20"])
    kinds = [node.op_type for node in model_checks.all_nodes(onnx.load_model_from_string(lowered))]
    assert kinds.count("If") == ("d.F (x, other)" not in nodes) and "Loop" not in kinds
    for condition in (True, False):
        got = runtimes.in_onnxruntime(lowered)({"c": np.array(condition), "x": np.float32([1, -2])})
        np.testing.assert_array_equal(got["y"], np.float32([-1, 2]))
    assert tool.lowered(lowered, ["--target", "onnxruntime-1.20"]) == lowered


def test_what_only_the_training_needs_stays() -> None:
    """Its graphs read values of the model's graph."""
    text = """<ir_version: 8, opset_import: ["" : 17]> g (bool c, float[2] x) => (float[2] y) {
          n = If (c) <then_branch = t () => (float[2] a) { a = Neg (x) }, else_branch = e () => (float[2] b) { b = Abs (x) }>
          y = Neg (x)
        }"""
    given = onnx.parser.parse_model(text)
    given.training_info.add().algorithm.CopyFrom(onnx.parser.parse_graph("algorithm () => (float[2] z) { z = Neg (n) }"))
    content = given.SerializeToString()
    assert tool.lowered(content, ["--target", "onnxruntime-1.20"]) == content


def rtx_types(of: onnx.ModelProto) -> set[tuple[str, str]]:
    """What TensorRT for RTX refuses wherever it stands: a Cast to uint8 whose result is no output of the model, and constants of int8 that something else than a DequantizeLinear reads."""
    outputs = {value.name for value in of.graph.output}
    constants = {tensor.name for tensor in of.graph.initializer if tensor.data_type == INT8}
    constants |= {node.output[0] for node in of.graph.node if node.op_type == "Constant" and node.attribute[0].t.data_type == INT8}
    found = set()
    for node in model_checks.all_nodes(of):
        if node.op_type == "Cast" and any(attribute.name == "to" and attribute.i == TensorProto.UINT8 for attribute in node.attribute) and node.output[0] not in outputs:
            found.add(("uint8", node.output[0]))
        if node.op_type not in ("QuantizeLinear", "DequantizeLinear"):
            found |= {("int8", name) for name in node.input if name in constants}
    return found


@pytest.mark.parametrize("target", ["tensorrt-rtx-1.7", "tensorrt-10.15"])
@pytest.mark.parametrize("zero, kind", [(128, "uint8"), (0, "uint8"), (200, "uint8"), (3, "int8"), (-128, "int8")])
def test_codes_with_zero_points_in_tensorrt(zero: int, kind: str, target: str) -> None:
    """It says "Non-zero zero point is not supported", makes int8 of uint8 without a word, and has no uint8 between two nodes."""
    content = of_text(f"""(float[2,3] x) => (float[3,2] y) <float s = {{0.1}}, {kind} z = {{{zero}}}> {{
      q = QuantizeLinear (x, s, z)
      t = Transpose (q)
      y = DequantizeLinear (t, s, z)
    }}""", 13)
    out = lowered(content, target)
    assert not {"QuantizeLinear", "DequantizeLinear"} & set(operators(out)) and not rtx_types(out)
    feed = {"x": np.float32([[-20, -0.04, 0.26], [3, 12.71, 30]])}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-6)
    assert lowered(out.SerializeToString(), target) == out


def test_codes_whose_zero_point_is_0_stay_in_tensorrt() -> None:
    content = of_text("(float[2] x) => (float[2] y) <float s = {0.1}, int8 z = {0}> { q = QuantizeLinear (x, s, z) y = DequantizeLinear (q, s, z) }", 13)
    assert operators(lowered(content, "tensorrt-rtx-1.7")) == ["QuantizeLinear", "DequantizeLinear"] == operators(lowered(content, "tensorrt-10.15"))
    # Without a zero point ONNX's codes are of uint8, and those of TensorRT of int8.
    without = of_text("(float[2] x) => (float[2] y) <float s = {0.1}> { q = QuantizeLinear (x, s) y = DequantizeLinear (q, s) }", 13)
    assert "QuantizeLinear" not in operators(lowered(without, "tensorrt-rtx-1.7"))


@pytest.mark.parametrize("to", ["FLOAT", "INT64", "BOOL"])
@pytest.mark.parametrize("of", ["float", "int64", "bool"])
def test_numbers_that_a_byte_does_not_hold_without_bytes(of: str, to: str) -> None:
    content = of_text(f"({of}[4] x) => ({to.lower()}[2,2] y) <int64[2] s = {{2, 2}}> {{ b = Cast <to = 2> (x) r = Reshape (b, s) y = Cast <to = {TensorProto.DataType.Value(to)}> (r) }}", 13)
    out = lowered(content, "tensorrt-rtx-1.7")
    assert not rtx_types(out)
    # What a float beyond a byte becomes ONNX does not say.
    x = np.array([0, 1, 255, 256] if of == "int64" else [0, 1.9, 255, 7] if of == "float" else [0, 1, 1, 0]).astype({"float": np.float32, "int64": np.int64, "bool": np.bool_}[of])
    np.testing.assert_array_equal(computed(out, {"x": x})[0], computed(onnx.load_from_string(content), {"x": x})[0])


def test_bytes_go_into_a_model_and_out_of_it() -> None:
    content = of_text("(uint8[2,3] x) => (uint8[3,2] y, uint8[2,3] z) <uint8 k = {250}> { y = Transpose (x) z = Add (x, k) }", 14)
    out = lowered(content, "tensorrt-rtx-1.7")
    assert [value.type.tensor_type.elem_type for value in [*out.graph.input, *out.graph.output]] == [TensorProto.UINT8] * 3 and not rtx_types(out)
    x = np.uint8([[0, 5, 6], [7, 100, 255]])
    for one, other in zip(computed(out, {"x": x}), [x.T, x + np.uint8(250)]):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("dims", ["3,2", "6", ""])
def test_constants_of_int8_are_codes_to_tensorrt(dims: str) -> None:
    """It says "Quantized constant is only allowed before DQ", and of one without dimensions it is not."""
    w = np.int8([-128, 127, 3, 0, -1, 5] if dims else 7).reshape([int(dim) for dim in dims.split(",") if dim])
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["a"]), helper.make_node("Cast", ["w"], ["c"], to=FLOAT)], "g",
        [helper.make_tensor_value_info("x", INT8, w.shape)], [helper.make_tensor_value_info("a", INT8, w.shape), helper.make_tensor_value_info("c", FLOAT, w.shape)], [numpy_helper.from_array(w, "w")],
    )  # fmt: skip
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8).SerializeToString()
    out = lowered(content, "tensorrt-rtx-1.7")
    assert not rtx_types(out)
    if not dims:
        assert "DequantizeLinear" not in operators(out)
    x = np.full(w.shape, 100, np.int8)
    a, c = computed(out, {"x": x})
    np.testing.assert_array_equal(a, x + w)
    np.testing.assert_array_equal(c, w.astype(np.float32))


@pytest.mark.parametrize("kind, value", [("int16", -32768), ("uint16", 65535), ("uint32", 4294967295)])
def test_constants_of_integers_that_tensorrt_lacks(kind: str, value: int) -> None:
    content = of_text(f"(float[2] x) => (float[2] y) <{kind}[2] w = {{{value}, 7}}> {{ c = Cast <to = 1> (w) y = Add (x, c) }}", 13)
    out = lowered(content, "tensorrt-rtx-1.7")
    assert not [tensor for tensor in out.graph.initializer if tensor.data_type not in (FLOAT, INT64, TensorProto.INT32)]
    np.testing.assert_array_equal(computed(out, {"x": np.zeros(2, np.float32)})[0], np.float32([value, 7]))


@pytest.mark.parametrize("op", ["ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"])
@pytest.mark.parametrize("keepdims", [0, 1])
@pytest.mark.parametrize("opset", [11, 18])
def test_numbers_that_are_reduced_in_tensorrt(op: str, keepdims: int, opset: int) -> None:
    content = of_text(f"(float x) => (float y) {{ y = {op} <keepdims = {keepdims}> (x) }}", opset)
    out = lowered(content, "tensorrt-rtx-1.7")
    assert "Reshape" in operators(out)
    np.testing.assert_allclose(computed(out, {"x": np.array(2.5, np.float32)})[0], computed(onnx.load_from_string(content), {"x": np.array(2.5, np.float32)})[0], rtol=1e-6)


@pytest.mark.parametrize("op", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("keepdims", [0, 1])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("axis", [0, -1])
def test_places_in_a_list_in_tensorrt(op: str, keepdims: int, last: int, axis: int) -> None:
    content = of_text(f"(float[n] x) => (int64[] y) {{ y = {op} <axis = {axis}, keepdims = {keepdims}, select_last_index = {last}> (x) }}", 13)
    out = lowered(content, "tensorrt-rtx-1.7")
    assert "Unsqueeze" in operators(out)
    feed = {"x": np.float32([3, 1, 7, 1, 7])}
    np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])


def test_channels_that_go_into_a_transposed_convolution_in_tensorrt() -> None:
    content = of_text("(float[1,c,h,w] x, float[3,2,2,2] k, float[2] b) => (float[] y) { y = ConvTranspose <strides = [2, 1], pads = [0, 1, 1, 0]> (x, k, b) }", 13)
    out = lowered(content, "tensorrt-rtx-1.7")
    assert "Reshape" in operators(out)
    rng = np.random.default_rng(0)
    feed = {"x": rng.normal(size=(1, 3, 4, 5)).astype(np.float32), "k": rng.normal(size=(3, 2, 2, 2)).astype(np.float32), "b": np.float32([1, 2])}
    np.testing.assert_allclose(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0], rtol=1e-5, atol=1e-6)
    assert operators(lowered(content, "tensorrt-rtx-1.7", "--input-shape", "x:1,3,4,5")) == ["ConvTranspose"]


@pytest.mark.parametrize("zero, taken", [("z = {0}", True), ("z = {3}", False), ("z = {-1}", False)])
def test_a_condition_on_zeros(zero: str, taken: bool, tmp_path: pathlib.Path) -> None:
    content = of_text(f"(int8[2] x) => (float[2] y) <float s = {{2}}, int8 {zero}> {{ y = DequantizeLinear (x, s, z) }}", 13)
    out = lowered(content, written(tmp_path, "DequantizeLinear zero(x_zero_point)\n"))
    assert (operators(out) == ["DequantizeLinear"]) == taken
    several = of_text("(int8[2] x, float[2] s) => (float[2] y) <int8[2] z = {0, 3}> { y = DequantizeLinear <axis = 0> (x, s, z) }", 13)
    assert "DequantizeLinear" not in operators(lowered(several, written(tmp_path, "DequantizeLinear zero(x_zero_point)\n")))


def test_loops_without_a_limit_that_collect_values_are_none_for_tensorrt() -> None:
    """It says "cannot infer the shape of scan output", "since no trip limit was set"."""
    text = """(float[2] x, bool k) => (float[2] y%s) {
      y%s = Loop ("", k, x) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t%s) { ten = Constant <value_float = 10.0> () r = ReduceSum <keepdims = 0> (s) d = Less (r, ten) t = Add (s, s) %s }>
    }"""
    assert "Loop" in operators(lowered(of_text(text % ("", "", "", ""), 13), "tensorrt-rtx-1.7"))
    tool.assert_clean_refusal(tool.lower(of_text(text % (", float[n,2] z", ", z", ", float[2] w", "w = Neg (t)"), 13), ["--target", "tensorrt-rtx-1.7"]), tool.NOT_LOWERED)


def test_a_known_condition_chooses_for_tensorrt() -> None:
    content = of_text("(float[2,3] x) => (float[] y) { n = Shape (x) k = Size (n) two = Constant <value_int = 2> () c = Equal (k, two) y = If (c) <then_branch = t () => (float[] u) { u = Neg (x) }, else_branch = e () => (float[] v) { v = Abs (x) }> }", 13)
    assert "If" not in operators(lowered(content, "tensorrt-rtx-1.7"))


NESTED = """(float[2] x, bool e, int64 n) => (float[2] y) <bool k = {1}> {
  y = If (e) <then_branch = t1 () => (float[2] u) {
    u = Loop (n, k, x) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t) {
      d = Identity (c)
      t = %s
    }>
  }, else_branch = e1 () => (float[2] v) { v = Abs (x) }>
}"""


def test_an_if_in_a_loop_in_an_if_is_none_for_tensorrt() -> None:
    """It says "Assertion mScopedOp2Scopes.contains(childScopedOp) failed"."""
    inner = "If (e) <then_branch = t3 () => (float[2] p) { p = Neg (s) }, else_branch = e3 () => (float[2] q) { q = Add (s, s) }>"
    content = of_text(NESTED % inner, 13)
    out = lowered(content, "tensorrt-rtx-1.7")
    assert "If" not in operators(out) and "Where" in operators(out)
    for e, n in itertools.product((True, False), (0, 1, 3)):
        feed = {"x": np.float32([-1, 2]), "e": np.array(e), "n": np.array(n, np.int64)}
        np.testing.assert_array_equal(computed(out, feed)[0], computed(onnx.load_from_string(content), feed)[0])
    assert operators(lowered(of_text(NESTED % "Neg (s)", 13), "tensorrt-rtx-1.7")) == ["If"]


@pytest.mark.parametrize("condition, taken", [("holds(Loop, If)", False), ("holds(Loop)", True), ("holds(Loop, Neg)", True), ("holds(Neg)", True), ("holds(If)", False), ("holds(Loop, Loop)", False)])
def test_a_condition_on_what_graphs_hold(condition: str, taken: bool, tmp_path: pathlib.Path) -> None:
    out = lowered(of_text(NESTED % "Neg (s)", 13), written(tmp_path, f"If {condition}\n"))
    assert ("If" in operators(out)) == taken


# What is known is put in front of a node that is not taken as it is.


def upsampling(size: str = "13") -> str:
    """torch's interpolate with a scale_factor at opset 9."""
    return f"""<ir_version: 4, opset_import: ["" : 9]>
        g (float[1,8,{size},17] x) => (float[1,8,h,w] y) <int64 c2 = {{2}}, int64 c3 = {{3}}, float two = {{2}}, float[2] ones = {{1,1}}> {{
            s1 = Shape (x)  h = Gather <axis = 0> (s1, c2)  hf = Cast <to = 1> (h)  h2 = Mul (hf, two)  hfl = Floor (h2)
            s2 = Shape (x)  w = Gather <axis = 0> (s2, c3)  wf = Cast <to = 1> (w)  w2 = Mul (wf, two)  wfl = Floor (w2)
            hu = Unsqueeze <axes = [0]> (hfl)  wu = Unsqueeze <axes = [0]> (wfl)  hw = Concat <axis = 0> (hu, wu)
            s3 = Shape (x)  sp = Slice <axes = [0], starts = [2], ends = [4]> (s3)  spf = Cast <to = 1> (sp)
            r = Div (hw, spf)  scales = Concat <axis = 0> (ones, r)
            y = Upsample <mode = "nearest"> (x, scales)
        }}"""


def test_scales_that_are_computed_of_shapes(tmp_path: pathlib.Path) -> None:
    content = onnx.parser.parse_model(upsampling()).SerializeToString()
    x = np.random.default_rng(0).normal(size=(1, 8, 13, 17)).astype(np.float32)
    expected = x.repeat(2, 2).repeat(2, 3)
    np.testing.assert_array_equal(computed(onnx.load_from_string(content), {"x": x})[0], expected)
    # A runtime that does not find out itself what the nodes before make.
    board = lowered(content, written(tmp_path, "Upsample not made_by(scales, Concat)\n"))
    assert operators(board) == ["Constant", "Upsample"]
    # One that has no Upsample: what is computed of the scales is known, too.
    ascend = lowered(content, "ascend")
    assert "Range" not in operators(ascend) and len(ascend.graph.node) < 40
    for out in (board, ascend):
        np.testing.assert_array_equal(computed(out, {"x": x})[0], expected)
    # With an open dimension nothing is known, and nothing changes.
    dynamic = onnx.parser.parse_model(upsampling("n")).SerializeToString()
    result = tool.lower(dynamic, ["--target", written(tmp_path, "Upsample not made_by(scales, Concat)\n")])
    assert result.status == tool.NOT_LOWERED or "Upsample" not in operators(onnx.load_from_string(result.stdout))


def test_a_node_whose_result_is_known_becomes_a_constant(tmp_path: pathlib.Path) -> None:
    content = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]> g (float[2,3] x) => (float[6] y) {
        s = Size (x)  one = Constant <value_ints = [1]> ()  n = Reshape (s, one)  y = Reshape (x, n) }""").SerializeToString()
    out = lowered(content, written(tmp_path, "Size never\n"))
    assert operators(out) == ["Constant", "Constant", "Reshape", "Reshape"]
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(computed(out, {"x": x})[0], x.ravel())
    # What the user keeps stays.
    assert "Size" in operators(lowered(content, written(tmp_path, "Size never\n"), "--keep", "ai.onnx::Size"))


# Conditions that decide nothing.


@pytest.mark.parametrize("name", [*BUILT_IN, "default"])
def test_each_part_of_a_condition_decides_something(name: str) -> None:
    result = tool.run(["--check-rules", tool.REPOSITORY / "targets" / f"{name}.target"])
    assert result.status == tool.DONE, str(result)


@pytest.mark.parametrize("line, part", [
    ("Resize  constant(scales) or constant(sizes)", "constant(scales) or constant(sizes)"),
    ('Resize 13..  mode == "linear" and (constant(scales) or constant(sizes)) and rank(X) == 4', "constant(scales) or constant(sizes)"),
    ("Resize 13..  present(scales) and present(sizes)", "present(scales) and present(sizes)"),
    ("Conv  present(W)", "present(W)"),
    ("Conv  dtype(X) == float and not present(X)", "present(X)"),
])
def test_a_part_that_no_node_makes_false_or_true(line: str, part: str, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, f"opset 7..20\n{line}\n")
    result = tool.run(["--check-rules", path])
    assert result.status == tool.INVALID_INPUT
    assert f"{path}:3:1: error: no node makes this" in result.stderr and part in result.stderr, result.stderr


@pytest.mark.parametrize("line", [
    "Resize  present(sizes) and constant(sizes) or not present(sizes) and constant(scales)", "Resize 11..12  constant(scales) or constant(sizes)", "Conv  not present(B) or constant(B) or rank(X) >= 4",
    "ReduceSum  constant(axes) or surely dim(axes, 0) == 0", "Clip  dtype(input) == float or constant(min) and constant(max)",
])
def test_conditions_that_decide(line: str, tmp_path: pathlib.Path) -> None:
    result = tool.run(["--check-rules", written(tmp_path, f"opset 7..20\n{line}\n")])
    assert result.status == tool.DONE, str(result)


@pytest.mark.parametrize("target", ["coreml-1.24", "ascend-8.0"])
def test_scales_that_come_with_the_inputs(target: str) -> None:
    """What is taken wants them constant. Then the Resize does not stay."""
    text = """<ir_version: 7, opset_import: ["" : 13]> g (float[1,3,4,4] x, float[1] r) => (float[1,3,p,q] y) <float[2] ones = {1,1}> {
        scales = Concat <axis = 0> (ones, r, r)  y = Resize <mode = "linear", coordinate_transformation_mode = "half_pixel"> (x, "", scales) }"""
    result = tool.lower(onnx.parser.parse_model(text).SerializeToString(), ["--target", target])
    assert result.status == tool.NOT_LOWERED or "Resize" not in operators(onnx.load_from_string(result.stdout))
    constant = text.replace(", float[1] r", "").replace("float[2] ones = {1,1}", "float[2] ones = {1,1}, float[1] r = {2}").replace("half_pixel", "asymmetric")
    assert "Resize" in operators(lowered(onnx.parser.parse_model(constant).SerializeToString(), target))


# Shapes that the model leaves open.


def choice_of_ranks(shape: str) -> bytes:
    """torch's squeeze of a dimension that may be 1."""
    return onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["" : 17]> g (float[{shape}] input, float[2] other) => (float y, float[2] z) <int64 one = {{1}}, int64[1] axes = {{1}}> {{
        s = Shape (input)  d = Gather (s, one)  is_one = Equal (d, one)
        r = If (is_one) <then_branch = a () => (float u) {{ u = Squeeze (input, axes) }}, else_branch = b () => (float v) {{ v = Identity (input) }}>
        y = Relu (r)  z = Relu (other) }}""").SerializeToString()


def without_shapes(content: bytes) -> bytes:
    """Of unknown rank, which the parser has no word for."""
    parsed = onnx.load_from_string(content)
    for value in (parsed.graph.output[0], *(output for attribute in next(node for node in parsed.graph.node if node.op_type == "If").attribute for output in attribute.g.output)):
        value.type.tensor_type.ClearField("shape")
    return parsed.SerializeToString()


def test_an_if_of_unknown_rank_for_openvino() -> None:
    content = without_shapes(choice_of_ranks("batch,n,3"))
    with pytest.raises(RuntimeError, match="If operation with dynamic rank"):
        runtimes.in_openvino(content)({"input": np.zeros((1, 1, 3), np.float32), "other": np.zeros(2, np.float32)})
    result = tool.lower(content, ["--target", "openvino-2026.4"])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "outputs has not a known number of dimensions" in result.stderr
    assert "add: --dim batch=1 --dim n=1 (or the sizes and values that it is to run with)\n" in result.stderr, result.stderr
    for sizes in ((2, 1, 3), (2, 4, 3)):
        out = lowered(content, "openvino-2026.4", "--input-shape", f"input:{','.join(map(str, sizes))}")
        assert "If" not in operators(out)
        feed = {"input": np.random.default_rng(0).normal(size=sizes).astype(np.float32), "other": np.float32([1, -1])}
        expected = computed(onnx.load_from_string(content), feed)
        for found, want in zip((runtimes.in_openvino(out.SerializeToString())(feed)[name] for name in ("y", "z")), expected, strict=True):
            np.testing.assert_array_equal(found, want)


def test_a_number_that_decides_which_ifs_are_there() -> None:
    """Of the branch that is not taken for this number, a dimension is not known."""
    content = without_shapes(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]> g (float[1,4] input, int64 rate) => (float y) <int64 wide = {16000}, int64 one = {1}, int64[1] axes = {0}, float zero = {0}> {
        is_wide = Equal (rate, wide)
        y = If (is_wide) <then_branch = a () => (float w) { w = Relu (input) }, else_branch = b () => (float r) {
            k = Greater (input, zero)  some = Compress <axis = 1> (input, k1)  s = Shape (some)  d = Gather (s, one)  is_one = Equal (d, one)
            r = If (is_one) <then_branch = c () => (float u) { u = Squeeze (some, axes) }, else_branch = e () => (float v) { v = Identity (some) }> }> }""".replace("k = Greater (input, zero)", "k = Greater (input, zero)  k1 = Reshape (k, flat)").replace("float zero = {0}", "float zero = {0}, int64[1] flat = {-1}")).SerializeToString())
    result = tool.lower(content, ["--target", "openvino-2026.4"])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "add: --input-value rate=VALUE (or" in result.stderr, result.stderr
    out = lowered(content, "openvino-2026.4", "--input-value", "rate=16000")
    x = np.float32([[1, -2, 3, -4]])
    np.testing.assert_array_equal(runtimes.in_openvino(out.SerializeToString())({"input": x})["y"], np.maximum(x, 0))


def test_shapes_that_only_folding_tells_for_openvino() -> None:
    """Padding that is computed of shapes decides a dimension, which decides the If: all of it is known, once what is computed before it is folded."""
    content = without_shapes(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]> g (float[1,2,3] input) => (float y) <int64 one = {1}, int64[1] axes = {1}, int64[1] last = {-1}, int64[1] end = {9}, int64[5] none = {0,0,0,0,0}, float half = {0.5}> {
        s = Shape (input)  n = Slice (s, last, end)  f = Cast <to = 1> (n)  h = Mul (f, half)  up = Ceil (h)  more = Cast <to = 7> (up)  pads = Concat <axis = 0> (none, more)
        p = Pad (input, pads)  q = Transpose <perm = [2, 1, 0]> (p)  t = Shape (q)  zero = Sub (one, one)  d = Gather (t, zero)  is_one = Equal (d, one)
        r = If (is_one) <then_branch = a () => (float u) { u = Squeeze (q, axes) }, else_branch = b () => (float v) { v = Identity (q) }>  y = Relu (r) }""").SerializeToString())
    out = lowered(content, "openvino-2026.4")
    assert "If" not in operators(out)
    feed = {"input": np.arange(6, dtype=np.float32).reshape(1, 2, 3)}
    np.testing.assert_array_equal(runtimes.in_openvino(out.SerializeToString())(feed)["y"], computed(onnx.load_from_string(content), feed)[0])


def test_parts_of_an_open_dimension_for_openvino() -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]> g (float[k,6] x) => (float[6] y) <int64 first = {0}> {
        s = SplitToSequence <axis = 0, keepdims = 0> (x)  y = SequenceAt (s, first) }"""
    content = onnx.parser.parse_model(text).SerializeToString()
    x = np.arange(18, dtype=np.float32).reshape(3, 6)
    with pytest.raises(RuntimeError, match="static dimension on the split axis"):
        runtimes.in_openvino(content)({"x": x})
    result = tool.lower(content, ["--target", "openvino-2026.4"])
    if result.status != tool.DONE:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert "add: --dim k=1 (or the sizes and values that it is to run with)\n" in result.stderr, result.stderr
    else:
        np.testing.assert_array_equal(runtimes.in_openvino(result.stdout)({"x": x})["y"], x[0])
    out = lowered(content, "openvino-2026.4", "--input-shape", "x:3,6")
    np.testing.assert_array_equal(runtimes.in_openvino(out.SerializeToString())({"x": x})["y"], x[0])


def test_a_gru_of_open_length_for_mnn() -> None:
    rng = np.random.default_rng(0)
    w, r, b = (numpy_helper.from_array(rng.normal(size=size).astype(np.float32), name) for name, size in (("w", (1, 12, 3)), ("r", (1, 12, 4)), ("b", (1, 24))))
    node = helper.make_node("GRU", ["x", "w", "r", "b"], ["y", "h"], hidden_size=4, linear_before_reset=1)
    content = model([node], {"x": (FLOAT, ["steps", 1, 3])}, {"y": (FLOAT, None), "h": (FLOAT, [1, 1, 4])}, opset=13, ir_version=7, initializers=(w, r, b))
    # Its steps are counted in the run; where their number is given, nothing is made of the node.
    assert operators(lowered(content, "mnn-3.6"))[-2:] == ["Compress", "GRU"]
    assert operators(lowered(content, "mnn-3.6", "--input-shape", "x:5,1,3")) == ["GRU"]


# A Transpose that a runtime moves.


@pytest.mark.parametrize("between", ["c = Cast <to = 1> (t)", "c = Relu (t)", "d = Sigmoid (t) c = Mul (d, t)", "c = Add (k, t)", "c = Pad (t, none)", "c = Softmax <axis = 1> (t)", "c = Conv (t, w)"])
@pytest.mark.parametrize("target", ["onnxruntime-1.14", "onnxruntime-1.17", "onnxruntime-1.20", "onnxruntime-1.31"])
def test_a_cubic_resize_at_some_distance_behind_a_transpose(target: str, between: str) -> None:
    content = onnx.parser.parse_model(f"""<ir_version: 7, opset_import: ["" : 14]> g (float[1,4,4,3] x) => (float[1,8,8,3] y)
        <int64[4] to = {{1,3,8,8}}, float k = {{2}}, int64[8] none = {{0,0,0,0,0,0,0,0}}, float[3,3,1,1] w = {{1,0,0,0,1,0,0,0,1}}> {{
        t = Transpose <perm = [0,3,1,2]> (x)  {between}
        r = Resize <coordinate_transformation_mode = "half_pixel", mode = "cubic"> (c, "", "", to)  y = Transpose <perm = [0,2,3,1]> (r) }}""").SerializeToString()
    out = lowered(content, target)
    assert ("Resize" in operators(out)) == (target.endswith("1.31") or "Conv" in between)
    x = np.random.default_rng(0).normal(size=(1, 4, 4, 3)).astype(np.float32)
    # The weights of a cubic interpolation are products of a few floats.
    np.testing.assert_allclose(computed(out, {"x": x})[0], computed(onnx.load_from_string(content), {"x": x})[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("between", ["c = Cast <to = 1> (t)", "c = Relu (t)", "c = Add (k, t)"])
def test_the_oldest_runtime_refuses_a_cubic_resize_behind_a_transpose(between: str, tmp_path: pathlib.Path) -> None:
    """It is asked itself: the model as it is, and what is written for it."""
    content = onnx.parser.parse_model(f"""<ir_version: 7, opset_import: ["" : 14]> g (float[1,4,4,3] x) => (float[1,8,8,3] y) <int64[4] to = {{1,3,8,8}}, float k = {{2}}> {{
        t = Transpose <perm = [0,3,1,2]> (x)  {between}
        r = Resize <coordinate_transformation_mode = "half_pixel", mode = "cubic"> (c, "", "", to)  y = Transpose <perm = [0,2,3,1]> (r) }}""").SerializeToString()
    (tmp_path / "before.onnx").write_bytes(content)
    (tmp_path / "after.onnx").write_bytes(lowered(content, "onnxruntime-1.17").SerializeToString())
    script = """import sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.log_severity_level = 4
for path in sys.argv[1:]:
    try:
        onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"]).run(None, {"x": numpy.ones((1, 4, 4, 3), numpy.float32)})
        print("runs")
    except Exception:
        print("fails")
"""
    python, _, _ = runtime_of("oldest onnxruntime")
    said = subprocess.run([python, "-c", script, tmp_path / "before.onnx", tmp_path / "after.onnx"], capture_output=True, text=True, check=True).stdout.split()
    assert said == ["fails", "runs"]


# OpenCV 4.


def test_opencv_4_has_no_and() -> None:
    """Its layers compute truths as numbers."""
    content = model([helper.make_node("And", ["a", "b"], ["y"])], {"a": (TensorProto.BOOL, [2, 2]), "b": (TensorProto.BOOL, [2, 2])}, {"y": (TensorProto.BOOL, [2, 2])})
    out = lowered(content, "opencv-4.14")
    assert "And" not in operators(out)
    a, b = np.array([[True, True], [False, False]]), np.array([[True, False], [True, False]])
    assert (computed(out, {"a": a, "b": b})[0] == (a & b)).all()


@pytest.mark.parametrize("axes, stays", [([0, 1], False), ([1], True)])
def test_opencv_4_crashes_on_a_list_of_all_axes(axes: list[int], stays: bool) -> None:
    content = model([helper.make_node("ReduceMax", ["x"], ["y"], axes=axes, keepdims=1)], {"x": (FLOAT, [3, 4])}, {"y": (FLOAT, None)}, opset=11)
    out = lowered(content, "opencv-4.14")
    given = [attribute for node in out.graph.node for attribute in node.attribute if attribute.name == "axes" and len(attribute.ints) == 2]
    assert not given and (operators(out) == ["ReduceMax"] or not stays)
    x = np.random.default_rng(4).normal(size=(3, 4)).astype(np.float32)
    np.testing.assert_array_equal(computed(out, {"x": x})[0], x.max(axis=tuple(axes), keepdims=True))


@pytest.mark.parametrize("shape, is_constant, taken", [([2, 3], False, True), ([3], True, True), ([3], False, False)])
def test_opencv_4_makes_a_column_of_a_list(shape: list[int], is_constant: bool, taken: bool) -> None:
    """Which it adds to the rows of a matrix only where it is a constant."""
    other = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    inputs = {"x": (FLOAT, [2, 3]), **({} if is_constant else {"b": (FLOAT, shape)})}
    content = model([helper.make_node("Add", ["x", "b"], ["y"])], inputs, {"y": (FLOAT, [2, 3])}, initializers=(numpy_helper.from_array(other, "b"),) if is_constant else ())
    result = tool.lower(content, ["--target", "opencv-4.14"])
    if taken:
        assert result.status == tool.DONE and operators(onnx.load_model_from_string(result.stdout)) == ["Add"]
    elif result.status == tool.DONE:  # in a form that has no list
        x = np.ones((2, 3), np.float32)
        np.testing.assert_allclose(computed(onnx.load_model_from_string(result.stdout), {"x": x, "b": other})[0], x + other)
    else:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)


@pytest.mark.parametrize("form", ["node", "initializer", "folded"])
def test_opencv_4_loads_no_constants_of_bool(form: str) -> None:
    """Neither of a node nor of an initializer, nor what --fold would make."""
    body = {"node": "b = Constant <value = bool[1,3] {1, 0, 1}> ()", "initializer": "",
            "folded": "c = Constant <value = float[1,3] {1, 0, 3}> () h = Constant <value = float[1,1] {0.5}> () b = Greater (c, h)"}[form]
    initializers = "<bool[1,3] b = {1, 0, 1}>" if form == "initializer" else ""
    content = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 13]> g (float[2,3] x) => (float[2,3] y) {initializers} {{ {body} z = Mul (x, x) y = Where (b, x, z) }}').SerializeToString()
    out = lowered(content, "opencv-4.14", "--fold")
    constants = [attribute.t for node in out.graph.node if node.op_type == "Constant" for attribute in node.attribute if attribute.name == "value"]
    assert TensorProto.BOOL not in [tensor.data_type for tensor in (*constants, *out.graph.initializer)]
    x = np.random.default_rng(5).normal(size=(2, 3)).astype(np.float32)
    np.testing.assert_array_equal(computed(out, {"x": x})[0], np.where([[True, False, True]], x, x * x))


@pytest.mark.parametrize("node", ["Constant <value = int32[2] {1, 2}> ()", "ConstantOfShape <value = int32[1] {1}> (s)", "Cast <to = 6> (s)"])
def test_types_of_outputs_that_an_attribute_gives(node: str, tmp_path: pathlib.Path) -> None:
    """Nobody declares them, and a condition on them holds nevertheless."""
    content = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 13]> g (int64[2] s) => (float[n,m] y) {{ z = {node} y = Neg (z) }}').SerializeToString()

    def is_taken(other: str) -> bool:
        result = tool.lower(content, ["--target", written(tmp_path, f"{node.split()[0]}  not dtype(output) == {other}\n")])
        return result.status == tool.DONE and operators(onnx.load_from_string(result.stdout)) == [node.split()[0], "Neg"]

    assert is_taken("int64") and not is_taken("int32")


@pytest.mark.parametrize("axis", [None, 0, 1, -1, -2])
@pytest.mark.parametrize("element", ["float", "int64", "bool"])
def test_what_a_condition_chooses_without_compress(axis: int | None, element: str, tmp_path: pathlib.Path) -> None:
    """The condition may be shorter than the axis."""
    rng = np.random.default_rng(6)
    attribute, shape = ("", "k") if axis is None else (f"<axis = {axis}>", "a, b")
    content = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 13]> g ({element}[n,4] x, bool[m] c) => ({element}[{shape}] y) {{ y = Compress {attribute} (x, c) }}').SerializeToString()
    out = lowered(content, written(tmp_path, "Compress  never\nNonZero  always\nGather  always\nReshape  always\nConstant  always\nCast  always\n"))
    assert "Compress" not in operators(out)
    x = (rng.normal(size=(5, 4)) * 3).astype({"float": np.float32, "int64": np.int64, "bool": np.bool_}[element])
    for length in (0, 3, {None: 20, 0: 5, -2: 5}.get(axis, 4)):
        chosen = rng.random(length) > 0.5
        np.testing.assert_array_equal(computed(out, {"x": x, "c": chosen})[0], np.compress(chosen, x, axis))
