# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--target: nodes as exporters write them, which came out wrong in OpenCV, tract or MNN, or were refused. MNN itself runs what is written for it."""
from __future__ import annotations

import argparse
import os
import pathlib
import sys

import numpy as np
import onnx
import pytest
from onnx import helper

import runtimes
import tool
from test_targets import computed, lowered, operators

sys.path.insert(0, str(tool.REPOSITORY / "targets" / "probe"))
import exported_forms
import random_models_in_target
import seeds


def floats(*shape: int, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def of_text(text: str, opset: int, constants: dict | None = None) -> onnx.ModelProto:
    """A model whose further constants are initializers."""
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> g {text}')
    model.graph.initializer.extend(onnx.numpy_helper.from_array(value, name) for name, value in (constants or {}).items())
    return model


def assert_right(model: onnx.ModelProto, feed: dict, target: str, folder: pathlib.Path, rtol: float = 1e-5) -> onnx.ModelProto:
    """What is written for the target computes what the model does, in ONNX Runtime and, if it is written for MNN, there."""
    expected = computed(model, feed)
    out = lowered(model.SerializeToString(), target)
    for found, wanted in zip(computed(out, feed), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=rtol, atol=1e-5)
    if target.startswith("mnn"):
        assert_right_in_mnn([seeds.Seed("model", model, list(feed.values()), expected, rtol=1e-4, atol=2e-5)], folder)
    return out


def assert_right_in_mnn(sample: list[seeds.Seed], folder: pathlib.Path) -> None:
    python = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
    arguments = argparse.Namespace(name="mnn-3.6", runtime="mnn", python=python, tool=tool.TOOL, work=folder)
    assert random_models_in_target.report(arguments, folder / "asked", dict(enumerate(sample))) == {}


@pytest.mark.parametrize("names, count", [(["Y"], 1), (["Y", "M"], 3), (["Y", "M", "S"], 3), (["Y", "", "S"], 3)], ids=lambda value: str(value))
def test_statistics_of_a_layer_in_opencv(names: list, count: int, tmp_path: pathlib.Path) -> None:
    """It leaves the mean unwritten without a name for what stands behind it."""
    shapes = {"Y": [2, 5, 4], "M": [2, 5, 1], "S": [2, 5, 1]}
    node = helper.make_node("LayerNormalization", ["x", "w"], names, axis=-1)
    value = helper.make_tensor_value_info
    graph = helper.make_graph([node], "g", [value("x", 1, [2, 5, 4])], [value(name, 1, shapes[name]) for name in names if name], [onnx.numpy_helper.from_array(floats(4), "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    out = assert_right(model, {"x": floats(2, 5, 4)}, "opencv-5.0", tmp_path)
    assert operators(out) == ["LayerNormalization"] and len(out.graph.node[0].output) == count


# Shapes of the input and of the kernel, attributes, and how many axes the convolution for OpenCV has.
KERNELS = [
    ((1, 4, 5, 21), (4, 4, 1, 9), {}, 3), ((1, 4, 21, 5), (8, 4, 9, 1), {"pads": [4, 0, 3, 0], "strides": [2, 1]}, 3), ((2, 4, 40), (6, 2, 9), {"group": 2, "dilations": [2]}, 3),
    ((1, 4, 40), (8, 1, 9), {"group": 4}, 3), ((1, 4, 5, 21), (4, 1, 1, 9), {"group": 4}, 2), ((1, 4, 6, 7), (4, 4, 3, 3), {}, 2), ((1, 4, 5, 21), (4, 4, 1, 10), {}, 2),
]


@pytest.mark.parametrize("shape, kernel, attributes, axes", KERNELS, ids=lambda value: str(value))
def test_kernels_of_nine_in_opencv(shape: tuple, kernel: tuple, attributes: dict, axes: int, tmp_path: pathlib.Path) -> None:
    """It takes any nine elements for 3 x 3, but those of a channel of its own."""
    value = helper.make_tensor_value_info
    graph = helper.make_graph([helper.make_node("Conv", ["x", "w", "b"], ["y"], **attributes)], "g", [value("x", 1, shape)], [value("y", 1, [None] * len(shape))],
                              [onnx.numpy_helper.from_array(floats(*kernel), "w"), onnx.numpy_helper.from_array(floats(kernel[0]), "b")])
    model = onnx.shape_inference.infer_shapes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8))
    out = assert_right(model, {"x": floats(*shape)}, "opencv-5.0", tmp_path, rtol=1e-4)
    node = next(node for node in out.graph.node if node.op_type == "Conv")
    kernel_shape = next((attribute.ints for attribute in node.attribute if attribute.name == "kernel_shape"), kernel[2:])
    assert len(kernel_shape) == axes


SPREAD = np.float32([[0, 200, 1], [50, 3, -50]])


@pytest.mark.parametrize("target", ["opencv-5.0", "tract-0.23", "mnn-3.6"])
@pytest.mark.parametrize("text, opset", [
    ("(float[2,3] x) => (float[2,3] y) { y = LogSoftmax <axis = -1> (x) }", 13), ("(float[2,3] x) => (float[2,3] y) { y = LogSoftmax <axis = 0> (x) }", 13),
    ("(float[2,3] x) => (float[2,3] y) { y = LogSoftmax <axis = 1> (x) }", 11), ("(float[2,3] x) => (float[2,3] y) { y = Softplus (x) }", 13),
    ("(float[2,3] x) => (float[2,1] y) { y = ReduceLogSumExp <axes = [-1]> (x) }", 13), ("(float[2,3] x) => (float[2] y) { y = ReduceLogSumExp <axes = [1], keepdims = 0> (x) }", 13),
    ("(float[2,3] x) => (float[2,1] y) <int64[1] a = {1}> { y = ReduceLogSumExp (x, a) }", 18),
])
def test_exponentials_of_numbers_that_lie_far_apart(text: str, opset: int, target: str, tmp_path: pathlib.Path) -> None:
    """The exponential of 200 is infinite, and the largest that MNN has is that of 87."""
    model = of_text(text, opset)
    out = assert_right(model, {"x": SPREAD}, target, tmp_path)
    assert operators(out) != operators(model) or target == "mnn-3.6"


def test_a_mish_stays_one() -> None:
    model = of_text("(float[2,3] x) => (float[2,3] y) { s = Softplus (x)  t = Tanh (s)  y = Mul (x, t) }", 13)
    assert operators(lowered(model.SerializeToString(), "tract-0.23")) == ["Softplus", "Tanh", "Mul"]


@pytest.mark.parametrize("arguments", [["--target", "tract-0.23"], ["--target", "opencv-5.0"], ["--target", "mnn-3.6"], ["--target-opset", 16], ["--target", "onnxruntime-1.14"]], ids=lambda value: str(value[1]))
@pytest.mark.parametrize("window", ["win", ""], ids=["window", "no window"])
def test_signals_of_two_dimensions(arguments: list, window: str) -> None:
    """torch's exporter writes them without a dimension for the real and the imaginary part."""
    node = helper.make_node("STFT", ["x", "hop", "win"] if window else ["x", "hop", "", "fl"], ["y"], onesided=1)
    value = helper.make_tensor_value_info
    constants = {"hop": np.int64(4), **({"win": np.hanning(16).astype(np.float32)} if window else {"fl": np.int64(16)})}
    graph = helper.make_graph([node], "g", [value("x", 1, [2, 64])], [value("y", 1, [2, 13, 9, 2])], [onnx.numpy_helper.from_array(np.asarray(one), name) for name, one in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    feed = {"x": floats(2, 64)}
    out = onnx.load_from_string(tool.lowered(model.SerializeToString(), arguments))
    np.testing.assert_allclose(computed(out, feed)[0], computed(model, feed)[0], rtol=1e-4, atol=1e-4)
    if arguments[1] == "tract-0.23" and window:
        assert operators(out)[-2:] == ["Unsqueeze", "STFT"]


GELUS = [f"(float[2,5,8] x) => (float[2,5,8] y) <float one = {{1}}, float half = {{0.5}}, float r = {{1.4142135}}, float i = {{0.70710678}}> {{ {text} }}" for text in (
    "d = Div (x, r)  e = Erf (d)  a = Add (e, one)  m = Mul (x, a)  y = Mul (m, half)",
    "d = Mul (x, i)  e = Erf (d)  a = Add (e, one)  m = Mul (a, x)  y = Mul (m, half)",
    "d = Div (x, r)  e = Erf (d)  a = Add (one, e)  m = Mul (x, a)  y = Mul (half, m)",
    "d = Div (x, r)  e = Erf (d)  a = Add (e, one)  h = Mul (x, half)  y = Mul (h, a)",
    "d = Div (x, r)  e = Erf (d)  a = Add (e, one)  h = Mul (a, half)  y = Mul (x, h)",
)]


@pytest.mark.parametrize("number", range(len(GELUS)))
def test_gelu_as_torch_writes_it_in_mnn(number: int, tmp_path: pathlib.Path) -> None:
    """It makes the Gelu that is approximated with tanh of some, 5e-4 away."""
    assert_right(of_text(GELUS[number], 13), {"x": 2 * floats(2, 5, 8)}, "mnn-3.6", tmp_path)


# Images, or what is left of one, beside constants of one element.
IMAGES = {
    "signal": ("(float[2,3,12] x)", "v = Conv (x, w)", {"w": floats(4, 3, 3)}, (2, 3, 12)), "row": ("(float[2,3,1,12] x)", "k = Conv (x, w)  v = Squeeze (k, two)", {"w": floats(4, 3, 1, 3), "two": np.int64([2])}, (2, 3, 1, 12)),
    "image": ("(float[2,3,5,12] x)", "v = Conv (x, w)", {"w": floats(4, 3, 2, 3)}, (2, 3, 5, 12)), "volume": ("(float[2,3,2,5,6] x)", "v = Conv <kernel_shape = [1, 1, 3]> (x, w)", {"w": floats(4, 3, 1, 1, 3)}, (2, 3, 2, 5, 6)),
}


@pytest.mark.parametrize("image", IMAGES)
def test_constants_of_one_element_beside_images_in_mnn(image: str, tmp_path: pathlib.Path) -> None:
    given, nodes, constants, shape = IMAGES[image]
    rank = 3 if image == "row" else len(shape)
    sample = []
    for op in ("Add", "Sub", "Max", "Greater", "GreaterOrEqual", "Pow"):
        for constant_rank, operands in ((1, "c, v"), (rank, "c, v"), (rank, "v, c"), (rank + 1, "c, v"), (rank + 1, "v, c")):
            base, operands = (" p = Abs (v) ", operands.replace("v", "p")) if op == "Pow" else ("", operands)
            last = "y = Cast <to = 1> (u)" if op.startswith("Greater") else "y = Abs (u)"
            model = of_text(f"{given} => (float[{','.join('?' * max(rank, constant_rank))}] y) {{ {nodes} {base} u = {op} ({operands})  {last} }}", 16, constants | {"c": np.full((1,) * constant_rank, 0.75, np.float32)})
            feed = {"x": floats(*shape)}
            sample.append(seeds.Seed(f"{op} ({operands}) {constant_rank}", model, [feed["x"]], computed(model, feed), rtol=1e-4, atol=2e-5))
    assert_right_in_mnn(sample, tmp_path)


@pytest.mark.parametrize("op, gates", [("GRU", 3), ("LSTM", 4), ("RNN", 1)])
def test_unknown_lengths_in_mnn(op: str, gates: int, tmp_path: pathlib.Path) -> None:
    """Its converter takes an open first dimension of an input for 1, and fixes the number of steps by it."""
    sample = []
    for length, batch in (("t", "1"), ("t", "2"), ("t", "b"), ("5", "b")):
        for direction in ("forward", "bidirectional"):
            for states in ([], ["h"], ["h", "c"])[: 3 if op == "LSTM" else 2]:
                count, directions = 1 if batch == "1" else 2, 2 if direction == "bidirectional" else 1
                results = {"y": f"{length},{directions},{batch}", "hn": f"{directions},{batch}", "cn": f"{directions},{batch}"}
                if op != "LSTM":
                    del results["cn"]
                declared = [", ".join(f"float[{dims},4] {name}" for name, dims in values.items()) for values in (dict.fromkeys(states, f"{directions},{batch}"), results)]
                model = of_text(f"(float[{length},{batch},3] x{', ' if states else ''}{declared[0]}) => ({declared[1]}) {{ }}", 14,
                                {"w": floats(directions, gates * 4, 3), "r": floats(directions, gates * 4, 4), "b": floats(directions, gates * 8)})
                attributes = {"linear_before_reset": 1} if op == "GRU" else {}
                model.graph.node.append(helper.make_node(op, ["x", "w", "r", "b", *(["", *states] if states else [])], list(results), hidden_size=4, direction=direction, **attributes))
                feed = {"x": floats(5, count, 3)} | {name: floats(directions, count, 4, seed=5) for name in states}
                is_counted = "Compress" in operators(lowered(model.SerializeToString(), "mnn-3.6"))
                assert is_counted == (length == "t" and (op == "GRU" or "c" in states and direction == "forward"))
                sample.append(seeds.Seed(f"{length} {batch} {direction} {states}", model, list(feed.values()), computed(model, feed), rtol=1e-4, atol=2e-5))
    assert_right_in_mnn(sample, tmp_path)


@pytest.mark.parametrize("op", ["Gather", "Add", "Cast"])
@pytest.mark.parametrize("condition", ["", "yes"])
def test_numbers_of_iterations_in_opencv(op: str, condition: str, tmp_path: pathlib.Path) -> None:
    """It hands them to the body of a Loop as lists of one number."""
    read = {"Gather": "r = Gather <axis = 0> (x, i)", "Add": "one = Constant <value_int = 1> ()  n = Add (i, one)  m = Mul (n, n)  r = Cast <to = 1> (m)", "Cast": "r = Cast <to = 1> (i)"}[op]
    model = of_text(f"""(float[3,2,4] x) => (float[2,4] z, float[3,2,4] all) <int64 three = {{3}}, float[2,4] start = {{0, 0, 0, 0, 0, 0, 0, 0}}> {{
        y, rows = Loop (three, {condition or 'no'}, start) <body = b (int64 i, bool c, float[2,4] s) => (bool d, float[2,4] t, float[2,4] u) {{ d = Identity (c)  {read}  t = Add (s, r)  u = Identity (t) }}>
        z = Neg (y)  all = Neg (rows) }}""", 13, {"yes": np.array(True)} if condition else None)
    if not condition:
        model.graph.node[0].input[1] = ""
    out = assert_right(model, {"x": floats(3, 2, 4)}, "opencv-5.0", tmp_path)
    # A Loop with a condition stands in a branch of an If.
    graphs = [attribute.g for node in out.graph.node for attribute in node.attribute if attribute.HasField("g")]
    graphs += [attribute.g for graph in graphs for node in graph.node for attribute in node.attribute if attribute.name == "body"]
    reading = [node.op_type for graph in graphs for node in graph.node if graph.input and graph.input[0].name in node.input]
    assert reading == ["Reshape"]


@pytest.mark.parametrize("text", [
    "y = Tanh (x)", "s = Softplus (x)  t = Tanh (s)  y = Mul (x, t)",
    "k = Constant <value_float = 0.044715> ()  w = Constant <value_float = 0.797885> ()  one = Constant <value_float = 1.0> ()  half = Constant <value_float = 0.5> () "
    "m = Mul (k, x)  n = Mul (x, m)  o = Mul (x, n)  s = Add (x, o)  u = Mul (w, s)  t = Tanh (u)  a = Add (one, t)  h = Mul (half, a)  y = Mul (x, h)",
])
def test_tanh_of_large_numbers_in_opencv(text: str, tmp_path: pathlib.Path) -> None:
    """Beyond 44 OpenCV makes NaN of it; and it crashes in the Gelu by tanh that jax writes."""
    x = np.linspace(-120, 120, 192, dtype=np.float32).reshape(3, 64)
    out = assert_right(of_text(f"(float[3,64] x) => (float[3,64] y) {{ {text} }}", 13), {"x": x}, "opencv-5.0", tmp_path)
    maker = {name: node.op_type for node in out.graph.node for name in node.output}
    assert [maker[node.input[0]] for node in out.graph.node if node.op_type == "Tanh"] == ["Clip"]


# Constants of many dimensions behind products: in OpenCV a Gemm is made of them, in MNN their dimensions are lost.
@pytest.mark.parametrize("target", ["opencv-5.0", "mnn-3.6"])
@pytest.mark.parametrize("shape, constant", [("2,5,7", (1, 1, 8)), ("5,7", (1, 1, 8)), ("2,3,5,7", (1, 1, 1, 8)), ("5,7", (1, 1, 1, 1)), ("2,5,7", (1, 5, 8)), ("2,5,7", (1, 8))], ids=str)
def test_constants_of_many_dimensions_behind_products(shape: str, constant: tuple, target: str, tmp_path: pathlib.Path) -> None:
    for place, operands in enumerate(("k, c", "c, k")):
        rank = max(len(shape.split(",")), len(constant))
        model = of_text(f"(float[{shape}] x) => (float[{','.join('?' * rank)}] y) {{ k = MatMul (x, w)  z = Add ({operands})  y = Abs (z) }}", 13, {"w": floats(7, 8), "c": floats(*constant)})
        folder = tmp_path / str(place)
        folder.mkdir()
        out = assert_right(model, {"x": floats(*map(int, shape.split(",")))}, target, folder, rtol=1e-4)
        is_list = constant[:2] == (1, 1) and (target.startswith("opencv") or len(constant) > len(shape.split(",")))
        assert ("Reshape" in operators(out)) == is_list


@pytest.mark.parametrize("target", ["opencv-5.0", "tract-0.23"])
@pytest.mark.parametrize("axes, shape, opset", [((0, 1), (5, 3), 13), ((1, 0), (3, 5), 13), ((0, 1), (5, 3, 2, 2), 10), ((1, 0), (3, 5, 4), 17)], ids=str)
def test_sequences_in_reverse(axes: tuple, shape: tuple, opset: int, target: str, tmp_path: pathlib.Path) -> None:
    """By a Gather of rows, where there is no such operator."""
    time, batch = axes
    for names in (shape, [f"d{axis}" if axis < 2 else size for axis, size in enumerate(shape)]):
        dims = ",".join(map(str, names))
        model = of_text(f"(float[{dims}] x, int64[{names[batch]}] n) => (float[{dims}] y) {{ y = ReverseSequence <time_axis = {time}, batch_axis = {batch}> (x, n) }}", opset)
        out = assert_right(model, {"x": floats(*shape), "n": np.arange(1, shape[batch] + 1) * 2 % (shape[time] + 1)}, target, tmp_path)
        assert "ReverseSequence" not in operators(out)


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("of_gates", [False, True])
def test_quantized_cells_where_there_is_no_loop(direction: str, of_gates: bool) -> None:
    """tract has none: the weights are in float there, and what comes in is not rounded to codes."""
    rng, directions, hidden = np.random.default_rng(7), 2 if direction == "bidirectional" else 1, 4
    scales = (directions, 4 * hidden) if of_gates else (directions,)
    constants = {"w": rng.integers(-100, 100, (directions, 3, 4 * hidden)).astype(np.int8), "r": rng.integers(-100, 100, (directions, hidden, 4 * hidden)).astype(np.int8), "b": floats(directions, 8 * hidden),
                 "ws": rng.uniform(0.004, 0.006, scales).astype(np.float32), "wz": np.zeros(scales, np.int8), "rs": rng.uniform(0.004, 0.006, scales).astype(np.float32), "rz": np.zeros(scales, np.int8)}
    node = helper.make_node("DynamicQuantizeLSTM", ["x", "w", "r", "b", "", "h", "c", "", "ws", "wz", "rs", "rz"], ["y", "hn", "cn"], domain="com.microsoft", hidden_size=hidden, direction=direction)
    value = helper.make_tensor_value_info
    graph = helper.make_graph([node], "g", [value("x", 1, [5, 2, 3]), value("h", 1, [directions, 2, 4]), value("c", 1, [directions, 2, 4])], [value("y", 1, [5, directions, 2, 4]), value("hn", 1, [directions, 2, 4]), value("cn", 1, [directions, 2, 4])],
                              [onnx.numpy_helper.from_array(one, name) for name, one in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14), helper.make_opsetid("com.microsoft", 1)], ir_version=8)
    result = tool.lower(model.SerializeToString(), ["--target", "tract-0.23", "--unroll", 0])
    assert "need not be rounded to 8 bits" in result.stderr
    out, feed = onnx.load_from_string(result.stdout), {"x": floats(5, 2, 3), "h": floats(directions, 2, 4), "c": floats(directions, 2, 4)}
    assert "LSTM" in operators(out)
    # A code of 8 bits is 1 of 255 of what comes in, which is up to 3.
    for found, wanted in zip(computed(out, feed), computed(model, feed), strict=True):
        np.testing.assert_allclose(found, wanted, atol=0.05)


@pytest.mark.parametrize("of", ["a", "c"])
@pytest.mark.parametrize("size", [(24, 30), (25, 31), (16, 40)], ids=str)
def test_bounds_that_are_computed_in_float_in_tract(of: str, size: tuple, tmp_path: pathlib.Path) -> None:
    """tract takes other lengths where they are computed of dimensions with names, as torch's CenterCrop does."""
    text = """(float[H,W,3] x) => (float[16,16,3] y) <int64[1] first = {0}, int64[1] third = {2}, float[2] crop = {16, 16}, float[2] half = {0.5, 0.5}, int64[2] sizes = {16, 16}, int64[2] axes = {0, 1}> {
        s = Shape (x)  p = Slice (s, first, third, first)  f = Cast <to = 1> (p)  l = Sub (f, crop)  m = Mul (l, half)  a = Cast <to = 7> (m)  c = Slice (a, first, third, first)  b = Add (%s, sizes)  y = Slice (x, %s, b, axes) }"""
    out = assert_right(of_text(text % (of, of), 13), {"x": floats(*size, 3)}, "tract-0.23", tmp_path)
    assert "Range" in operators(out)
    # Where the dimensions are known, so are the bounds, and it stays.
    known = onnx.load_from_string(tool.lowered(of_text(text % (of, of), 13).SerializeToString(), ["--target", "tract-0.23", "--input-shape", f"x:{size[0]},{size[1]},3"]))
    assert "Range" not in operators(known)


def test_what_the_probe_asks_as_exporters_write() -> None:
    """Each form loads in ONNX Runtime, whose numbers it is compared with, and asks about an operator that it has."""
    found = list(exported_forms.seeds_at(13))
    assert len(found) > 400 and len({seed.name for seed in found}) == len(found)
    assert {"Conv", "Add", "LSTM", "Tanh", "LogSoftmax", "Loop"} <= {seed.node.op_type for seed in found}
    assert all(seeds.features(seed)["op"] == seed.node.op_type and seed.compares for seed in found)
    assert not any(seed.node.op_type == "Mish" for seed in found), "which opset 18 brought"


COLUMNS = {3: np.float32([2, 3, 4]), 4: np.float32([2, 3, 4, 5])}


@pytest.mark.parametrize("target", ["openvino-2026.4", "openvino-2024.6", "openvino-2023.3"])
@pytest.mark.parametrize("shape", ["2,3,4", "a,b,c"])
@pytest.mark.parametrize("op, opset", [("ReduceSum", 11), ("ReduceSum", 13), ("ReduceSum", 18), *((op, opset) for op in ("ReduceMax", "ReduceMean", "ReduceL2", "ReduceProd") for opset in (13, 18))])
def test_columns_behind_a_reduction_in_openvino(op: str, opset: int, shape: str, target: str) -> None:
    """Behind one that drops the last of three axes, the numbers for the columns are taken for numbers for the rows: the axis is dropped by a Squeeze then. Not so behind an output of the model."""
    axes = ("(x, axes)", "") if opset == 18 or op == "ReduceSum" and opset == 13 else ("(x)", "axes = [-1], ")
    text = f"(float[{shape}] x) => (float[u,v] y, float[u,v] last) <int64[1] axes = {{-1}}> {{ r = {op} <{axes[1]}keepdims = 0> {axes[0]}  n = Neg (r)  y = Mul (n, columns)  last = {op} <{axes[1]}keepdims = 0> {axes[0]} }}"
    model = of_text(text if "axes = [" not in text else text.replace("<int64[1] axes = {-1}>", ""), opset, {"columns": COLUMNS[3]})
    feed = {"x": floats(2, 3, 4)}
    out = lowered(model.SerializeToString(), target)
    assert operators(out).count("Squeeze") == (1 if target != "openvino-2023.3" or opset < 18 else operators(out).count("Squeeze"))
    expected = computed(model, feed)
    for found in (computed(out, feed), list(runtimes.in_openvino(out.SerializeToString())(feed).values())):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5)


COUNTS = """(float[3] x, %(kind)s n, bool go) => (float[3] y, float[k,3] s) <%(kind)s first = {%(first)d}, %(kind)s step = {%(step)d}> {
  l = Cast <to = %(type)d> (n)
  i, y, s = Loop <body = b (int64 k, bool c, %(kind)s i, float[3] v) => (bool d, %(kind)s j, float[3] w, float[3] t) {
    j = Add (%(sum)s)
    a = Cast <to = 1> (j)
    e = Cast <to = 1> (l)
    f = %(compares)s
    g = Less (j, l)
    d = %(last)s
    w = Add (v, v)
    t = Identity (w)
  }> (%(trips)s, go, first, x)
}"""


@pytest.mark.parametrize("said", [
    {}, {"step": 3}, {"first": -2, "step": 2}, {"kind": "int32", "type": 6}, {"compares": "Greater (e, a)"}, {"compares": "LessOrEqual (a, e)", "last": "Identity (f)"}, {"sum": "step, i"},
    {"compares": "GreaterOrEqual (e, a)", "step": 4, "last": "Identity (f)"}, {"trips": "most"},
], ids=str)
def test_a_loop_that_counts_gets_its_trip_count_for_tensorrt(said: dict) -> None:
    """It infers the size of what is put together in each iteration from a trip count alone, which TensorFlow's loops do not give."""
    filled = {"kind": "int64", "type": 7, "first": 0, "step": 1, "sum": "i, step", "compares": "Less (a, e)", "last": "And (f, g)", "trips": "", **said}
    model = of_text(COUNTS % filled, 16, {"most": np.int64(2**63 - 1)} if filled["trips"] else None)
    out = lowered(model.SerializeToString(), "tensorrt-rtx-1.7")
    loop = next(node for node in out.graph.node if node.op_type == "Loop")
    assert loop.input[0] not in ("", "most") and "If" not in operators(out)
    # The trip count is exact, so that the condition never ends the Loop before it.
    counted = onnx.ModelProto.FromString(out.SerializeToString())
    counted.graph.output.append(helper.make_tensor_value_info(loop.input[0], onnx.TensorProto.INT64, None))
    for n in (-3, 0, 1, 2, 5, 9):
        for go in (True, False):
            feed = {"x": floats(3), "n": np.array(n, filled["kind"]), "go": np.array(go)}
            expected = computed(model, feed)
            *found, trips = computed(counted, feed)
            assert trips == len(expected[1])
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)


NOT_KNOWN = "nothing tells before the run how many iterations it makes"


@pytest.mark.parametrize("said, reason", [({"step": -1}, NOT_KNOWN), ({"last": "Not (f)"}, NOT_KNOWN), ({"kind": "float", "type": 1}, NOT_KNOWN), ({"trips": "n"}, "")], ids=str)
def test_a_loop_that_does_not_count(said: dict, reason: str) -> None:
    filled = {"kind": "int64", "type": 7, "first": 0, "step": 1, "sum": "i, step", "compares": "Less (a, e)", "last": "Identity (f)", "trips": "", **said}
    result = tool.lower(of_text(COUNTS % filled, 16).SerializeToString(), ["-v", "--target", "tensorrt-rtx-1.7", "--unroll", 0])
    if reason:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert reason in result.stderr
    else:
        assert result.status == tool.DONE, "it has a trip count"


@pytest.mark.parametrize("reduction", ["none", "add", "mul"])
@pytest.mark.parametrize("shape, axis", [("n,3", 0), ("2,3", 0), ("3,n", -1), ("n", 0)], ids=str)
def test_more_indices_than_data_in_opencv(shape: str, axis: int, reduction: str, tmp_path: pathlib.Path) -> None:
    """It takes no more indices along an axis than the data have elements."""
    indices = shape.replace("n", "e").replace("2,3", "5,3")
    text = f'(float[{shape}] x, int64[{indices}] i, float[{indices}] u) => (float[{shape}] y) {{ y = ScatterElements <axis = {axis}, reduction = "{reduction}"> (x, i, u) }}'
    model = of_text(text, 16)
    sizes = {"n": 2, "e": 5}
    given, wanted = ([sizes.get(size) or int(size) for size in dims.split(",")] for dims in (shape, indices))
    # Each place once where the last one would be taken.
    places = np.random.default_rng(2).integers(-2, 2, wanted)
    if reduction == "none":
        places = np.broadcast_to(np.int64([-1, 0, -1, 0, -1]).reshape([5 if size == 5 else 1 for size in wanted]), wanted).copy()
    feed = {"x": floats(*given), "i": places, "u": floats(*wanted, seed=4)}
    out = assert_right(model, feed, "opencv-5.0", tmp_path)
    # An axis that counts from the end it does not know, and a reduction along one becomes a Loop.
    assert "Concat" in operators(out) or axis < 0 and reduction != "none"
    assert lowered(out.SerializeToString(), "opencv-5.0") == out


def test_what_an_input_holds_in_a_condition(tmp_path: pathlib.Path) -> None:
    """`value_of_K`: a constant, or what is known of shapes; what is not known counts as taken."""
    target = tmp_path / "board.target"
    target.write_text("# A board.\nTopK  max(value_of_K) <= 2\nGather  not value_of_indices in (1, 2)\n")
    text = "(float[3,4] x, int64[1] k) => (float[a,b] y, int64[a,b] z) { %s  y, z = TopK (x, c) }"
    for how, holds in (("c = Constant <value = int64[1] {2}> ()", True), ("c = Constant <value = int64[1] {3}> ()", False), ("c = Identity (k)", True)):
        result = tool.lower(of_text(text % how, 13).SerializeToString(), ["--target", target])
        assert result.status == (tool.DONE if holds else tool.NOT_LOWERED)
        assert holds or "max(value_of_K) is 3, which is not <= 2" in result.stderr
    target.write_text("# A board.\nTopK  max(value_of_k) <= 2\n")
    result = tool.lower(of_text(text % "c = Identity (k)", 13).SerializeToString(), ["--target", target])
    assert "has no attribute 'value_of_k'" in result.stderr
