# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""RNN, GRU, LSTM, Scan and Loop for a target that has none of them: step by step, where the number of steps is known. What is written computes what ONNX Runtime's own kernels compute of the
original."""
from __future__ import annotations

import pathlib
import re

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import tool

FLOAT, INT32, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL
REPEATING = {"RNN", "GRU", "LSTM", "Scan", "Loop"}
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FUNCTIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}
ACTIVATIONS = ["Relu", "Tanh", "Sigmoid", "LeakyRelu", "HardSigmoid", "Elu", "Softsign", "Softplus", "ThresholdedRelu", "ScaledTanh", "Affine"]


@pytest.fixture(name="board")
def _board(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "board.target"
    path.write_text("# A board without loops.\n" + "".join(f"{op}  never\n" for op in sorted(REPEATING | {"If"})))
    return path


def lowered(content: bytes, board: pathlib.Path, *arguments: object) -> onnx.ModelProto:
    # Also for the ONNX Runtime in which it is run here, which lacks some types of some operators.
    made = onnx.load_from_string(tool.lowered(content, ["--target", f"{board},onnxruntime-1.31", *arguments]))
    # Of the Constants of opset 7 and 8, onnx's inference takes floating-point numbers only.
    onnx.checker.check_model(made, full_check=made.opset_import[0].version >= 9)
    assert not REPEATING & {node.op_type for node in made.graph.node}
    return made


def run(model: onnx.ModelProto | bytes, feed: dict) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    content = model if isinstance(model, bytes) else model.SerializeToString()
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"]).run(None, feed)


def model_of(nodes: list, inputs: dict, outputs: dict, constants: dict, opset: int) -> bytes:
    values = [[helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in group.items()] for group in (inputs, outputs)]
    graph = helper.make_graph(nodes, "g", *values, [numpy_helper.from_array(value, name) for name, value in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8).SerializeToString()


# Recurrent operators.


def recurrent(seed: int, op: str, dtype: type = np.float32) -> tuple[bytes, dict]:
    """A model of one node of a drawn form, and numbers for its inputs."""
    random = np.random.default_rng(seed)
    flip = lambda chance=0.5: bool(random.random() < chance)
    steps, batch, width, size = (int(random.integers(1, high)) for high in (6, 4, 5, 5))
    direction = str(random.choice(["forward", "reverse", "bidirectional"]))
    sides = 2 if direction == "bidirectional" else 1
    rows = GATES[op] * size
    draw = lambda *shape: random.standard_normal(shape).astype(dtype)
    values = {"X": draw(steps, batch, width), "W": draw(sides, rows, width) / 2, "R": draw(sides, rows, size) / 2}
    if flip():
        values["B"] = draw(sides, 2 * rows)
    if flip(0.3):
        values["sequence_lens"] = random.integers(0, steps + 1, batch).astype(np.int32)
    if flip():
        values["initial_h"] = draw(sides, batch, size)
    attributes: dict = {"direction": direction, "hidden_size": size}
    if op == "LSTM":
        if flip():
            values["initial_c"] = draw(sides, batch, size)
        if flip(0.4):
            values["P"] = draw(sides, 3 * size)
        if flip(0.3):
            attributes["input_forget"] = 1
    if op == "GRU":
        attributes["linear_before_reset"] = int(flip())
    if flip(0.3):
        attributes["clip"] = 0.7
    if flip(0.4):
        attributes["activations"] = [str(random.choice(ACTIVATIONS)) for _ in range(FUNCTIONS[op] * sides)]
        takes = [name for name in attributes["activations"] if name not in ("Relu", "Tanh", "Sigmoid", "Softsign", "Softplus")]
        if takes:
            attributes["activation_alpha"] = [round(float(each), 2) for each in random.uniform(0.1, 0.9, len(takes))]
        both = [name for name in takes if name in ("HardSigmoid", "ScaledTanh", "Affine")]
        if both:
            attributes["activation_beta"] = [round(float(each), 2) for each in random.uniform(0.1, 0.9, len(both))]
    formal = ["X", "W", "R", "B", "sequence_lens", "initial_h", *(["initial_c", "P"] if op == "LSTM" else [])]
    names = [name if name in values else "" for name in formal]
    while not names[-1]:
        names.pop()
    outputs = {name: shape for name, shape in [("Y", [steps, sides, batch, size]), ("Y_h", [sides, batch, size]), ("Y_c", [sides, batch, size])][:3 if op == "LSTM" else 2] if flip(0.7)}
    outputs = outputs or {"Y": [steps, sides, batch, size]}
    made = [name if name in outputs else "" for name in ("Y", "Y_h", "Y_c")[:3 if op == "LSTM" else 2]]
    while not made[-1]:
        made.pop()
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    free = [name for name in values if name == "X" or flip(0.3)]
    opset = int(random.choice([7, 11, 14, 17, 22]))
    content = model_of([helper.make_node(op, names, made, **attributes)],
                       {name: (INT32 if name == "sequence_lens" else kind, list(values[name].shape)) for name in free},
                       {name: (kind, shape) for name, shape in outputs.items()},
                       {name: value for name, value in values.items() if name not in free}, opset)
    return content, {name: values[name] for name in free}


@pytest.mark.parametrize("op", ["RNN", "GRU", "LSTM"])
def test_recurrent_operators_compute_the_same(op: str, board: pathlib.Path) -> None:
    for seed in range(40):
        content, feed = recurrent(seed, op)
        made = lowered(content, board)
        for expected, got in zip(run(content, feed), run(made, feed)):
            # Each step rounds, in another order than the kernel; its rational approximation of tanh and sigmoid is good to some 1e-6.
            np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-5, err_msg=f"{op} {seed}")


def test_batch_first(board: pathlib.Path) -> None:
    """ONNX Runtime has no kernel for it: the same with the time first, whose inputs and outputs are turned."""
    for op in GATES:
        random = np.random.default_rng(1)
        rows, turn = GATES[op] * 3, lambda value: value.transpose(1, 0, 2)
        draw = lambda *shape: random.standard_normal(shape).astype(np.float32)
        values = {"X": draw(2, 4, 5), "W": draw(2, rows, 5), "R": draw(2, rows, 3), "initial_h": draw(2, 2, 3)}
        attributes = {"direction": "bidirectional", "hidden_size": 3}
        inputs, outputs = ["X", "W", "R", "", "", "initial_h"], ["Y", "Y_h"]
        constants = {name: values[name] for name in ("W", "R")}
        batch_first = model_of([helper.make_node(op, inputs, outputs, layout=1, **attributes)], {name: (FLOAT, values[name].shape) for name in ("X", "initial_h")},
                               {"Y": (FLOAT, (2, 4, 2, 3)), "Y_h": (FLOAT, (2, 2, 3))}, constants, 14)
        time_first = model_of([helper.make_node(op, inputs, outputs, **attributes)], {"X": (FLOAT, (4, 2, 5)), "initial_h": (FLOAT, (2, 2, 3))}, {"Y": (FLOAT, (4, 2, 2, 3)), "Y_h": (FLOAT, (2, 2, 3))},
                              constants, 14)
        y, h = run(time_first, {"X": turn(values["X"]), "initial_h": turn(values["initial_h"])})
        got = run(lowered(batch_first, board), {name: values[name] for name in ("X", "initial_h")})
        np.testing.assert_allclose(got[0], y.transpose(2, 0, 1, 3), rtol=2e-5, atol=2e-5)
        np.testing.assert_allclose(got[1], turn(h), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("dtype", [np.float64, np.float16])
def test_other_types(dtype: type, board: pathlib.Path) -> None:
    """ONNX Runtime has kernels for float: of the same numbers."""
    for op in GATES:
        for seed in range(100, 106):
            content, feed = recurrent(seed, op, dtype)
            narrow = onnx.load_from_string(content)
            for value in [*narrow.graph.input, *narrow.graph.output]:
                if value.type.tensor_type.elem_type != INT32:
                    value.type.tensor_type.elem_type = FLOAT
            for constant in narrow.graph.initializer:
                array = numpy_helper.to_array(constant)
                constant.CopyFrom(numpy_helper.from_array(array if array.dtype == np.int32 else array.astype(np.float32), constant.name))
            expected = run(narrow, {name: value if value.dtype == np.int32 else value.astype(np.float32) for name, value in feed.items()})
            # Half precision has 11 binary digits, and a state goes through a handful of sums in each of five steps.
            tolerance = 2e-5 if dtype == np.float64 else 3e-2
            for one, other in zip(expected, run(lowered(content, board), feed)):
                assert other.dtype == dtype
                np.testing.assert_allclose(other.astype(np.float64), one, rtol=tolerance, atol=tolerance, err_msg=f"{op} {seed}")


def test_a_bidirectional_stack_of_constants_is_written_without_movements(board: pathlib.Path) -> None:
    """The weights of each direction are written as they are multiplied: runtimes that fold no constants take them so."""
    random = np.random.default_rng(0)
    draw = lambda *shape: random.standard_normal(shape).astype(np.float32)
    nodes, constants = [], {"shape": np.int64([0, 0, -1])}
    for layer, width in enumerate([4, 6]):
        weights = {f"W{layer}": draw(2, 12, width), f"R{layer}": draw(2, 12, 3), f"B{layer}": draw(2, 24), f"h{layer}": np.zeros((2, 1, 3), np.float32)}
        constants.update(weights)
        nodes += [helper.make_node("LSTM", ["x" if layer == 0 else "rows0", *list(weights)[:3], "", f"h{layer}", f"h{layer}"], [f"y{layer}"], hidden_size=3, direction="bidirectional"),
                  helper.make_node("Transpose", [f"y{layer}"], [f"turned{layer}"], perm=[0, 2, 1, 3]), helper.make_node("Reshape", [f"turned{layer}", "shape"], [f"rows{layer}"])]
    content = model_of(nodes, {"x": (FLOAT, [5, 1, 4])}, {"rows1": (FLOAT, [5, 1, 6])}, constants, 17)
    made = lowered(content, board)
    feed = {"x": draw(5, 1, 4)}
    np.testing.assert_allclose(run(made, feed)[0], run(content, feed)[0], rtol=2e-5, atol=2e-5)
    assert sum(node.op_type == "Transpose" for node in made.graph.node) == 2 and not any(node.op_type in ("Slice", "Gather") for node in made.graph.node)


def gru(steps: int | str, opset: int = 14) -> bytes:
    random = np.random.default_rng(0)
    weights = {"W": random.standard_normal((1, 9, 4)).astype(np.float32), "R": random.standard_normal((1, 9, 3)).astype(np.float32)}
    return model_of([helper.make_node("GRU", ["X", "W", "R"], ["Y"], name="gru", hidden_size=3)], {"X": (FLOAT, [steps, 1, 4])}, {"Y": (FLOAT, [steps, 1, 1, 3])}, weights, opset)


def test_one_product_before_the_steps(board: pathlib.Path) -> None:
    made = lowered(gru(7), board)
    products = [node for node in made.graph.node if node.op_type == "MatMul"]
    # That of the input, and two of the state in each step but the first one, whose state is of zeros.
    assert len(products) == 1 + 2 * 6 and products[0].input[0] == "X"
    # The weights are stored as they are multiplied, once: those of the new state apart, as they multiply the state when it is reset.
    assert sorted(list(tensor.dims) for tensor in made.graph.initializer) == [[3, 3], [3, 6], [4, 9]]
    assert not any(node.op_type == "Transpose" for node in made.graph.node)


def test_the_limit(board: pathlib.Path) -> None:
    assert tool.lower(gru(64), ["--target", board]).status == tool.DONE
    refused = tool.lower(gru(65), ["--target", board])
    assert refused.status == tool.NOT_LOWERED and "  add: --unroll 65 (it has as many steps, and up to 64 are written one by one)\n" in refused.stderr, str(refused)
    assert tool.lower(gru(65), ["--target", board, "--unroll", "65"]).status == tool.DONE
    never = tool.lower(gru(2), ["--target", board, "--unroll", "0"])
    assert never.status == tool.NOT_LOWERED and "--unroll 2" in never.stderr
    for wrong in ("-1", "many", "65537", "1.5"):
        result = tool.lower(gru(2), ["--target", board, "--unroll", wrong])
        assert result.status == tool.WRONG_USAGE and f"--unroll {wrong}: write a number from 0 to 65536" in result.stderr


def test_an_open_number_of_steps(board: pathlib.Path) -> None:
    refused = tool.lower(gru("steps"), ["--target", board])
    assert refused.status == tool.NOT_LOWERED and "  the number of its steps is not known\n" in refused.stderr
    (advice,) = re.findall(r"  add: (\S+ \S+) \(or the sizes", refused.stderr)
    assert advice == "--dim steps=1"
    assert tool.lower(gru("steps"), ["--target", board, "--dim", "steps=5"]).status == tool.DONE


def test_without_a_target_nothing_is_unrolled() -> None:
    made = onnx.load_from_string(tool.lowered(gru(3), []))
    assert [node.op_type for node in made.graph.node] == ["GRU"]


# Scan and Loop.

SCANS = {
    "sums": """<ir_version: 8, opset_import: ["" : 17]> g (float[5,2] x, float[2] begin) => (float[2] last, float[5,2] all)
{
    last, all = Scan <num_scan_inputs = 1, body = b (float[2] state, float[2] row) => (float[2] next, float[2] made) { next = Add (state, row)  made = Identity (next) }> (begin, x)
}""",
    "axes and directions": """<ir_version: 8, opset_import: ["" : 17]> g (float[2,4,3] x, float[4,2] y, float[2] begin, float[2] other) => (float[2] last, float[2] end, float[2,3,4] a, float[4,2] b)
{
    last, end, a, b = Scan <num_scan_inputs = 2, scan_input_axes = [1, -2], scan_input_directions = [0, 1], scan_output_axes = [-1, 0], scan_output_directions = [1, 0],
        body = c (float[2] s, float[2] t, float[2,3] row, float[2] number) => (float[2] s2, float[2] t2, float[2,3] made, float[2] second)
        { s2 = Add (s, number)  t2 = Mul (t, s2)  axis = Constant <value = int64[1] {1}> ()  column = Unsqueeze (s2, axis)  made = Add (row, column)  second = Identity (t) }> (begin, other, x, y)
}""",
    "from outside": """<ir_version: 8, opset_import: ["" : 11]> g (float[3,2] x, float[2] begin, float[2] outer) => (float[2] last, float[3] all)
{
    twice = Add (outer, outer)
    last, all = Scan <num_scan_inputs = 1, body = b (float[2] state, float[2] row) => (float[2] next, float made)
        { sum = Add (state, twice)  next = Mul (sum, row)  made = ReduceSum <keepdims = 0> (next) }> (begin, x)
}""",
    "without states": """<ir_version: 8, opset_import: ["" : 15]> g (float[3,2] x) => (float[3,2] all)
{
    all = Scan <num_scan_inputs = 1, body = b (float[2] row) => (float[2] made) { made = Exp (row) }> (x)
}""",
    "of a batch, at 8": """<ir_version: 3, opset_import: ["" : 8]> g (float[2,3,2] x, float[2,2] begin) => (float[2,2] last, float[2,3,2] all)
{
    last, all = Scan <num_scan_inputs = 1, directions = [1], body = b (float[2] state, float[2] row) => (float[2] next, float[2] made) { next = Add (state, row)  made = Mul (next, row) }> ("", begin, x)
}""",
    "in a scan": """<ir_version: 8, opset_import: ["" : 18]> g (float[2,3] x, float begin) => (float last, float[2,3] all)
{
    last, all = Scan <num_scan_inputs = 1, body = b (float state, float[3] row) => (float next, float[3] made)
        { next, made = Scan <num_scan_inputs = 1, body = c (float s, float e) => (float n, float m) { n = Add (s, e)  m = Mul (n, state) }> (state, row) }> (begin, x)
}""",
}

LOOPS = {
    "counted": """<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] last, float[3,2] all, int64[3] numbers)
    <int64 trips = {3}, bool going = {1}>
{
    last, all, numbers = Loop <body = b (int64 i, bool going_in, float[2] state) => (bool going_out, float[2] next, float[2] made, int64 number)
        { going_out = Identity (going_in)  next = Add (state, state)  made = Identity (state)  number = Identity (i) }> (trips, going, x)
}""",
    "without a condition": """<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[4,2] all)
    <int64 trips = {4}>
{
    last, all = Loop <body = b (int64 i, bool going, float[2] state) => (bool yes, float[2] next, float[2] next) { yes = Constant <value = bool {1}> ()  next = Add (state, x) }> (trips, "", x)
}""",
    "as long as a shape": """<ir_version: 8, opset_import: ["" : 13]> g (float[5,2] x) => (float[5,2] all)
    <float[2] begin = {0.0, 0.0}>
{
    shape = Shape (x)
    zero = Constant <value = int64 {0}> ()
    trips = Gather (shape, zero)
    last, all = Loop <body = b (int64 i, bool going, float[2] state) => (bool going, float[2] next, float[2] made) { row = Gather (x, i)  next = Add (state, row)  made = Mul (next, row) }> (trips, "", begin)
}""",
    "as long as a state counts": """<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] last, float[3,2] all)
    <int32 first = {1}, int32 step = {2}, int32 limit = {7}>
{
    going = Less (first, limit)
    n, last, all = Loop <body = b (int64 i, bool before, int32 k, float[2] state) => (bool after, int32 k2, float[2] next, float[2] made)
        { k2 = Add (k, step)  after = Less (k2, limit)  number = Cast <to = 1> (k)  next = Mul (state, number)  made = Identity (next) }> ("", going, first, x)
}""",
    "while a count is below a number": """<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] last, float[n,2] all)
    <int64 most = {9}>
{
    last, all = Loop <body = b (int64 i, bool before, float[2] state) => (bool after, float[2] next, float[2] next)
        { four = Constant <value = int64 {4}> ()  below = Less (i, four)  after = Identity (below)  next = Add (state, x) }> (most, "", x)
}""",
    "as long as a state counts, and at most for ever": """<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] last, float[4,2] all)
    <int64 first = {0}, int64 most = {9223372036854775807}, bool yes = {1}>
{
    n, last, all = Loop <body = b (int64 i, bool before, int64 k, float[2] state) => (bool after, int64 k2, float[2] next, float[2] made)
        { one = Constant <value = int64 {1}> ()  four = Constant <value = int64 {4}> ()  k2 = Add (k, one)  after = Less (k2, four)  next = Mul (state, x)  made = Add (next, x) }> (most, yes, first, x)
}""",
    "a state that grows": """<ir_version: 8, opset_import: ["" : 13, "own" : 1]> g (float[1,2] x) => (float[n,2] last)
    <int64 trips = {3}>
{
    last = Loop <body = b (int64 i, bool going, float[m,2] state) => (bool going, float[k,2] next) { row = own.Slice_of (state, x)  next = Concat <axis = 0> (state, row) }> (trips, "", x)
}
<domain: "own", opset_import: ["" : 13]> Slice_of (s, t) => (r) { r = Add (t, t) }""",
    "no iteration": """<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] last, float[n,2] all)
    <int64 trips = {0}>
{
    last, all = Loop <body = b (int64 i, bool going, float[2] state) => (bool going, float[2] next, float[2] next) { next = Add (state, state) }> (trips, "", x)
}""",
    "in a loop": """<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] last, float[2,2,2] all)
    <int64 trips = {2}>
{
    last, all = Loop <body = b (int64 i, bool going, float[2] state) => (bool going, float[2] next, float[2,2] rows)
        { next, rows = Loop <body = c (int64 j, bool yes, float[2] inner) => (bool yes, float[2] more, float[2] row)
            { number = Add (i, j)  real = Cast <to = 1> (number)  more = Add (inner, real)  row = Mul (more, x) }> (trips, "", state) }> (trips, "", x)
}""",
    "swapped states": """<ir_version: 8, opset_import: ["" : 13]> g (float[2] x, float[2] y) => (float[2] a, float[2] b)
    <int64 trips = {3}>
{
    a, b = Loop <body = c (int64 i, bool going, float[2] s, float[2] t) => (bool going, float[2] t, float[2] s) { unused = Add (s, t) }> (trips, "", x, y)
}""",
    "with weights": """<ir_version: 8, opset_import: ["" : 13]> g (float[1,2] x) => (float[1,2] last)
    <int64 trips = {3}>
{
    last = Loop <body = b (int64 i, bool going, float[1,2] state) => (bool going, float[1,2] next) <float[2,2] w = {1.0, 2.0, 3.0, 4.0}>
        { v = Constant <value = float[2] {0.5, 0.25}> ()  product = MatMul (state, w)  next = Add (product, v) }> (trips, "", x)
}""",
}


def drawn(model: onnx.ModelProto) -> dict:
    random = np.random.default_rng(0)
    return {value.name: random.standard_normal([dim.dim_value for dim in value.type.tensor_type.shape.dim]).astype(np.float32) for value in model.graph.input}


@pytest.mark.parametrize("text", [*SCANS.values(), *LOOPS.values()], ids=[*SCANS, *LOOPS])
def test_iterations(text: str, board: pathlib.Path) -> None:
    model = onnx.parser.parse_model(text)
    feed = drawn(model)
    for expected, got in zip(run(model, feed), run(lowered(model.SerializeToString(), board), feed)):
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


EARLY = """<ir_version: 8, opset_import: ["" : 13]> g (float[2] x, float limit) => (float[2] last)
    <int64 trips = {5}>
{
    last = Loop <body = b (int64 i, bool before, float[2] state) => (bool after, float[2] next)
        { next = Add (state, x)  sum = ReduceSum <keepdims = 0> (next)  after = Less (sum, limit) }> (trips, "", x)
}"""


def test_a_loop_that_may_end_early(board: pathlib.Path) -> None:
    """Every iteration is computed, and a Where keeps the state of the last one that counts."""
    model = onnx.parser.parse_model(EARLY)
    made = lowered(model.SerializeToString(), board)
    assert not any(node.op_type == "If" for node in made.graph.node)
    for limit in (-1, 0, 3, 5, 7, 100):
        feed = {"x": np.float32([1, 0.5]), "limit": np.array(limit, np.float32)}
        np.testing.assert_array_equal(run(made, feed)[0], run(model, feed)[0])


def test_a_loop_that_may_end_early_and_collects(board: pathlib.Path) -> None:
    text = EARLY.replace("(float[2] last)", "(float[2] last, float[n,2] all)").replace("last = Loop", "last, all = Loop").replace("float[2] next)", "float[2] next, float[2] next)")
    model = onnx.parser.parse_model(text)
    # How many rows there are is for the run to tell, which no Where does.
    refused = tool.lower(model.SerializeToString(), ["--target", board])
    assert refused.status == tool.NOT_LOWERED
    board.write_text(board.read_text().replace("If  never\n", ""))
    made = lowered(model.SerializeToString(), board)
    for limit in (-1, 3, 5, 100):
        feed = {"x": np.float32([1, 0.5]), "limit": np.array(limit, np.float32)}
        for expected, got in zip(run(model, feed), run(made, feed)):
            np.testing.assert_array_equal(got, expected)


def test_a_loop_of_unknown_length(board: pathlib.Path) -> None:
    text = EARLY.replace('(trips, "", x)', '("", yes, x)').replace("<int64 trips = {5}>", "<bool yes = {1}>")
    refused = tool.lower(onnx.parser.parse_model(text).SerializeToString(), ["--target", board])
    assert refused.status == tool.NOT_LOWERED and "nothing tells before the run how many iterations it makes" in refused.stderr, str(refused)
    long = tool.lower(onnx.parser.parse_model(EARLY.replace("{5}", "{70}")).SerializeToString(), ["--target", board])
    assert long.status == tool.NOT_LOWERED and "  add: --unroll 70 (" in long.stderr, str(long)
