# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--verify: models that are the same pass, and faults that are planted into one are found and named."""
from __future__ import annotations

import json
import pathlib
import subprocess
from collections.abc import Callable

import jsonschema
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper, parser

import tool
from test_cases import CASES, ModelCase

RUNTIME = pathlib.Path(onnxruntime.__file__).parent / "capi"
WITH_RUNTIME = ["--onnxruntime", RUNTIME]


def verify(*arguments: object, **options) -> tool.Run:
    return tool.run(["--verify", *WITH_RUNTIME, *arguments], **options)


def both(folder: pathlib.Path, original: onnx.ModelProto, output: onnx.ModelProto) -> list[pathlib.Path]:
    paths = [folder / "a.onnx", folder / "b.onnx"]
    for path, model in zip(paths, (original, output)):
        onnx.save(model, path)
    return paths


# A network that has something of each kind in which the faults below are planted.
NETWORK = """
<ir_version: 9, opset_import: ["" : 18]>
g (float[N, 3, 16, 16] x, int64[N, 5] ids) => (float[N, 4] y, int64[N] best, uint8[N, 4] codes)
<float slope = {0.1}, int64[1] zero = {0}, int64[1] three = {3}, int64[1] one = {1},
 int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}, float scale = {0.05}, uint8 point = {128}, float hundredth = {0.01}, float hundred = {100.0}, int64[2] flat = {0, -1}> {
  padded = Pad (x, pads)
  pooled = MaxPool <kernel_shape = [3, 3], strides = [2, 2]> (padded)
  scaled = Mul (pooled, slope)
  lower = LeakyRelu <alpha = 0.2> (scaled)
  flattened = Reshape (lower, flat)
  dense = MatMul (flattened, w)
  rounded = Round (dense)
  rest = Sub (dense, rounded)
  rows = Gather <axis = 0> (table, ids)
  early = Slice (rows, zero, three, one)
  mean = ReduceMean <keepdims = 0> (early, one)
  sum = Add (rest, mean)
  y = Softmax <axis = 1> (sum)
  best = ArgMax <axis = 1, keepdims = 0> (y)
  large = Mul (dense, hundred)
  whole = Cast <to = 6> (large)
  back = Cast <to = 1> (whole)
  small = Mul (back, hundredth)
  codes = QuantizeLinear (small, scale, point)
}
"""


def network() -> onnx.ModelProto:
    model = parser.parse_model(NETWORK)
    random = np.random.default_rng(5)
    for name, shape in (("table", (8, 4)), ("late", (8, 4)), ("w", (192, 4))):
        model.graph.initializer.append(numpy_helper.from_array(random.normal(size=shape).astype(np.float32), name))
    for _index, node in enumerate(model.graph.node):
        node.name = f"node_of_{node.output[0]}"
    return model


def node_of(model: onnx.ModelProto, value: str) -> onnx.NodeProto:
    return next(node for node in model.graph.node if value in node.output)


def set_constant(model: onnx.ModelProto, name: str, change: Callable[[np.ndarray], np.ndarray]) -> None:
    tensor = next(tensor for tensor in model.graph.initializer if tensor.name == name)
    changed = change(numpy_helper.to_array(tensor).copy())
    tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(changed), name))


def set_attribute(model: onnx.ModelProto, value: str, name: str, new: object) -> None:
    node = node_of(model, value)
    kept = [attribute for attribute in node.attribute if attribute.name != name]
    del node.attribute[:]
    node.attribute.extend([*kept, helper.make_attribute(name, new)])


def swap_inputs(model: onnx.ModelProto, value: str) -> None:
    node = node_of(model, value)
    node.input[0], node.input[1] = node.input[1], node.input[0]


def drop(model: onnx.ModelProto, value: str) -> None:
    """Another node hands its input on in its place."""
    node = node_of(model, value)
    node.op_type = "Identity"
    del node.input[1:], node.attribute[:]


def set_op(model: onnx.ModelProto, value: str, op_type: str) -> None:
    node_of(model, value).op_type = op_type


# What is planted, the node after which the models differ, and what the message says of it.
FAULTS = {
    "changed constant": (lambda model: set_constant(model, "slope", lambda array: array * np.float32(1.001)), "scaled", "the constant 'slope', has other elements"),
    "one weight of many": (lambda model: set_constant(model, "w", lambda array: np.where(np.arange(array.size).reshape(array.shape) == 77, array + np.float32(0.01), array)), "dense", "the constant 'w', has other elements"),
    "swapped inputs": (lambda model: swap_inputs(model, "rest"), "rest", "its input 1 is 'dense', and 'rounded' in the output"),
    "wrong axis": (lambda model: set_attribute(model, "y", "axis", 0), "y", "its attribute 'axis' has another value"),
    "dropped node": (lambda model: drop(model, "lower"), "lower", "in the output ai.onnx::Identity makes 'lower'"),
    "wrong attribute": (lambda model: set_attribute(model, "lower", "alpha", 0.21), "lower", "its attribute 'alpha' has another value"),
    "lost attribute": (lambda model: node_of(model, "lower").attribute.pop(), "lower", "its attribute 'alpha' is not in the output"),
    "other rounding": (lambda model: set_op(model, "rounded", "Floor"), "rounded", "Floor makes 'rounded'"),
    "rounded towards zero, not down": (lambda model: set_op(model, "rounded", "Ceil"), "rounded", "Ceil makes 'rounded'"),
    "transposed weight": (lambda model: set_constant(model, "w", lambda array: array.T.reshape(array.shape)), "dense", "the constant 'w', has other elements"),
    "slice of one more": (lambda model: set_constant(model, "three", lambda array: array + 1), "early", "the constant 'three', has other elements"),
    "pads at one side only": (lambda model: set_constant(model, "pads", lambda array: np.array([0, 0, 2, 2, 0, 0, 0, 0])), "padded", "the constant 'pads', has other elements"),
    "padding of another kind": (lambda model: set_attribute(model, "padded", "mode", "edge"), "padded", "its attribute 'mode' is only in the output"),
    "cast that saturates": (lambda model: set_attribute(model, "whole", "to", TensorProto.INT8), "whole", "its attribute 'to' has another value"),
    "scale of codes": (lambda model: set_constant(model, "scale", lambda array: array * np.float32(1.1)), "codes", "the constant 'scale', has other elements"),
    "zero point of codes": (lambda model: set_constant(model, "point", lambda array: array + np.uint8(2)), "codes", "the constant 'point', has other elements"),
    "another table": (lambda model: node_of(model, "rows").input.__setitem__(0, "late"), "rows", "its input 1 is 'table', and 'late' in the output"),
    "mean for sum": (lambda model: set_op(model, "mean", "ReduceSum"), "mean", "ReduceSum makes 'mean'"),
    "first for last of equals": (lambda model: set_op(model, "best", "ArgMin"), "best", "ArgMin makes 'best'"),
}


def test_a_model_is_the_same_as_itself(tmp_path: pathlib.Path) -> None:
    run = verify(*both(tmp_path, network(), network()))
    assert run.status == 0, run
    assert run.stderr == f"{tmp_path}/b.onnx: the same as {tmp_path}/a.onnx in ONNX Runtime {onnxruntime.__version__} (3 outputs, 3 runs; no difference)\n"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_named(fault: str, tmp_path: pathlib.Path) -> None:
    plant, value, difference = FAULTS[fault]
    output = network()
    plant(output)
    run = verify(*both(tmp_path, network(), output))
    assert run.status == tool.DIFFERENT, run
    assert f"first after node 'node_of_{value}'" in run.stderr, run
    assert difference in run.stderr, run


THRESHOLD = """
<ir_version: 8, opset_import: ["" : 17, "rknn_cst" : 1]>
g (float[N, 8] x) => (float[N, 8] y) {
  a = Mul (x, x)
  t = rknn_cst.cstThreshold <threshold: float = 0.1, value: float = 0.0> (a)
  y = Exp (t)
}
"""


def written(folder: pathlib.Path, text: str, name: str = "in.onnx") -> pathlib.Path:
    path = folder / name
    onnx.save(parser.parse_model(text), path)
    return path


def test_a_lowered_model_is_verified_before_it_is_written(tmp_path: pathlib.Path) -> None:
    model, output, report = written(tmp_path, THRESHOLD), tmp_path / "out.onnx", tmp_path / "report.json"
    run = tool.run([model, "-o", output, "--verify", *WITH_RUNTIME, "--report", report])
    assert run.status == tool.DONE and output.exists(), run
    assert run.stderr.splitlines()[-1].startswith(f"{output}: the same as {model} in ONNX Runtime"), run
    verified = json.loads(report.read_text())["verified"]
    jsonschema.validate(json.loads(report.read_text()), json.loads((tool.REPOSITORY / "schemas" / "report.schema.json").read_text()))
    assert verified["same"] and verified["runs"] == 3 and verified["original_as"], verified
    assert verified["outputs"][0]["name"] == "y" and verified["input_shapes"] == ["x: 2x8"], verified


WRONG_RULE = """
<domain: "ai.onnx", opset_import: ["" : 17]>
Mul (x, y) => (z) { z = Add (x, y) }
"""


def test_a_wrong_rule_is_named_and_no_output_is_written(tmp_path: pathlib.Path) -> None:
    """A rule of the user's that lowers a standard operator wrongly; the runtime knows that operator itself."""
    model = written(tmp_path, '<ir_version: 8, opset_import: ["" : 17]> g (float[N, 8] x) => (float[N, 8] y) { a = Relu (x) b = Mul (a, x) y = Exp (b) }')
    rule, output, report = tmp_path / "rule.onnxtxt", tmp_path / "out.onnx", tmp_path / "report.json"
    rule.write_text(WRONG_RULE)
    run = tool.run([model, "-o", output, "--rules", rule, "--verify", *WITH_RUNTIME, "--report", report])
    assert run.status == tool.DIFFERENT and not output.exists(), run
    assert f"first after node 'b' (ai.onnx::Mul) of the original, lowered by {rule}:3" in run.stderr, run
    said = json.loads(report.read_text())
    jsonschema.validate(said, json.loads((tool.REPOSITORY / "schemas" / "report.schema.json").read_text()))
    assert said["exit_status"] == tool.DIFFERENT and not said["verified"]["same"]
    first = said["verified"]["first_difference"]
    assert (first["node"], first["operator"], first["value"], first["lowered_by"]) == ("b", "ai.onnx::Mul", "b", f"lowered by {rule}:3")


def test_a_model_is_not_written_over_itself_where_it_differs(tmp_path: pathlib.Path) -> None:
    model = written(tmp_path, '<ir_version: 8, opset_import: ["" : 17]> g (float[N, 8] x) => (float[N, 8] y) { y = Mul (x, x) }')
    (tmp_path / "rule.onnxtxt").write_text(WRONG_RULE)
    before = model.read_bytes()
    run = tool.run([model, "-o", model, "--rules", tmp_path / "rule.onnxtxt", "--verify", *WITH_RUNTIME])
    assert run.status == tool.DIFFERENT and model.read_bytes() == before, run


def test_text_and_standard_input_are_verified(tmp_path: pathlib.Path) -> None:
    text = tmp_path / "in.onnxtxt"
    text.write_text(THRESHOLD)
    for arguments, stdin in (([text, "-o", tmp_path / "out.onnx"], b""), (["-", "-o", "-"], parser.parse_model(THRESHOLD).SerializeToString())):
        run = tool.run([*arguments, "--verify", *WITH_RUNTIME], stdin=stdin)
        assert run.status == tool.DONE and f"{'<stdout>' if stdin else tmp_path / 'out.onnx'}: the same as {'<stdin>' if stdin else text}" in run.stderr, run
    assert "the lowered model: the same as" in tool.run(["--check", text, "--verify", *WITH_RUNTIME]).stderr
    # Of a file, which is mapped and has no path, as of a pipe.
    model = tool.REPOSITORY / "testdata" / "cases" / "thr_attrs_dyn" / "model.onnx"
    with open(model, "rb") as content:
        done = subprocess.run([tool.TOOL, "-", "-o", tmp_path / "from_file.onnx", "--verify", *WITH_RUNTIME], stdin=content, capture_output=True, text=True)
    assert done.returncode == tool.DONE and "the same as <stdin>" in done.stderr, done.stderr


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_inputs_come_from_a_file(save: Callable, tmp_path: pathlib.Path) -> None:
    """The models differ only above 100, where no drawn input is."""
    a, b = both(tmp_path, *(parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> g (float[N, 4] x) => (float[N, 4] y) <float top = {{{top}}}, float low = {{-3e38}}> {{ y = Clip (x, low, top) }}') for top in ("100.0", "200.0")))
    assert verify(a, b).status == tool.DONE
    save(tmp_path / "inputs.npz", x=np.asfortranarray(np.arange(40, dtype=np.float32).reshape(10, 4) * 5))
    run = verify(a, b, "--verify-inputs", tmp_path / "inputs.npz")
    assert run.status == tool.DIFFERENT and "'y': 19 of 40 elements differ, by up to 95" in run.stderr, run


@pytest.mark.parametrize(("array", "name", "message"), [
    (np.zeros((2, 4)), "x", "'x' is of NumPy's type f8, and the model's input is float: write astype('f4')"),
    (np.zeros((2, 4), np.float32), "z", "the model has no input 'z'"),
    (np.zeros((2, 4), ">f4"), "x", "its elements are big-endian"),
    (np.zeros((2, 4), object), "x", "it holds Python objects"),
])
def test_a_file_of_inputs_that_does_not_fit_is_refused(array: np.ndarray, name: str, message: str, tmp_path: pathlib.Path) -> None:
    model = written(tmp_path, '<ir_version: 8, opset_import: ["" : 17]> g (float[N, 4] x) => (float[N, 4] y) { y = Relu (x) }')
    np.savez(tmp_path / "inputs.npz", **{name: array})
    run = verify(model, model, "--verify-inputs", tmp_path / "inputs.npz")
    assert run.status == tool.WRONG_USAGE and message in run.stderr, run


def test_a_broken_file_of_inputs_is_refused(tmp_path: pathlib.Path) -> None:
    """Cut short anywhere, with any byte changed: a message, and never a crash."""
    model = written(tmp_path, '<ir_version: 8, opset_import: ["" : 17]> g (float[N, 4] x) => (float[N, 4] y) { y = Relu (x) }')
    np.savez_compressed(tmp_path / "good.npz", x=np.ones((2, 4), np.float32))
    good = (tmp_path / "good.npz").read_bytes()
    broken = [b"", b"no archive", *(good[:size] for size in range(10, len(good), 40)), *(good[:place] + b"\xff" + good[place + 1:] for place in range(0, len(good), 12))]
    for content in broken:
        (tmp_path / "broken.npz").write_bytes(content)
        run = verify(model, model, "--runs", 1, "--verify-inputs", tmp_path / "broken.npz")
        assert run.status in (tool.DONE, tool.WRONG_USAGE), (content, run)


def test_indices_masks_and_lengths_fit_what_reads_them(tmp_path: pathlib.Path) -> None:
    """Through Cast, Unsqueeze, Reshape and functions; a number that does not fit is an error of the runtime, or a wrong result."""
    model = written(tmp_path, """
<ir_version: 9, opset_import: ["" : 18, "mine" : 1]>
g (int32[N, S] ids, int64[N] label, int64[N, S] deep, float[N, S] attention_mask, int64[N] lengths, int64[2] shape, int64 count, int64[1] divisor, float[N, 5] scores)
  => (float[N, S, 2] a, float[N, 7] b, float[N, S, 3] c, bool all_masks, float[N, 5] d, float e, int64[1] f, float[N, 1] g, float h, float[N, 5] i)
<float[6, 2] table = {0,1,2,3,4,5,6,7,8,9,10,11}, float[3, 3] small = {0,1,2,3,4,5,6,7,8}, int64 depth = {7}, float[2] values = {0.0, 1.0}, int64[1] one = {1}, float zero = {0.0}, float unit = {1.0}, int64[1] ten = {10}> {
  wide = Cast <to = 7> (ids)
  deeper = Unsqueeze (wide, one)
  flat = Squeeze (deeper, one)
  a = Gather (table, flat)
  b = OneHot (label, depth, values)
  c = mine.rows (small, deep)
  is_zero = Equal (attention_mask, zero)
  is_unit = Equal (attention_mask, unit)
  either = Or (is_zero, is_unit)
  whole = Cast <to = 6> (either)
  least = ReduceMin <keepdims = 0> (whole)
  all_masks = Cast <to = 9> (least)
  transposed = Transpose <perm = [1, 0]> (scores)
  reversed = ReverseSequence <time_axis = 0, batch_axis = 1> (transposed, lengths)
  d = Transpose <perm = [1, 0]> (reversed)
  summed = ReduceSum <keepdims = 0> (scores)
  reshaped = Reshape (scores, shape)
  e = ReduceSum <keepdims = 0> (reshaped)
  top, where = TopK (scores, divisor)
  g = ReduceSum <keepdims = 1> (top, one)
  f = Div (ten, divisor)
  range_end = Cast <to = 1> (count)
  h = Add (range_end, summed)
  i = Sqrt (scores)
}
<domain: "mine", opset_import: ["" : 18]>
rows (data, index) => (chosen) { chosen = Gather <axis = 0> (data, index) }
""")
    run = verify(model, model, "--runs", 5)
    assert run.status == tool.DONE, run


EACH_TYPE = ["float", "double", "float16", "bfloat16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool", "string"]


@pytest.mark.parametrize("element_type", EACH_TYPE)
def test_inputs_of_each_type_are_made_and_compared(element_type: str, tmp_path: pathlib.Path) -> None:
    has_sequences = element_type != "bfloat16"  # of which ONNX has none before opset 24
    inputs, outputs, copy = (f", seq({element_type}[2]) s", f", seq({element_type}[2]) t", "t = Identity (s)") if has_sequences else ("", "", "")
    model = written(tmp_path, f'<ir_version: 9, opset_import: ["" : 18]> g ({element_type}[N, 4] x{inputs}) => ({element_type}[N, 4] y{outputs}) {{ y = Identity (x) {copy} }}')
    run = verify(model, model)
    assert run.status == tool.DONE, run


@pytest.mark.parametrize(("element_type", "within", "beyond"), [("float", 1e-5, 1e-3), ("double", 1e-13, 1e-11), ("float16", 4e-3, 4e-2), ("int32", 0, 1)])
def test_the_tolerance_follows_from_the_element_type(element_type: str, within: float, beyond: float, tmp_path: pathlib.Path) -> None:
    def model(factor: float) -> onnx.ModelProto:
        made = parser.parse_model(f'<ir_version: 9, opset_import: ["" : 18]> g ({element_type}[N, 64] x) => ({element_type}[N, 64] y) {{ y = Mul (x, k) }}')
        dtype = {"float": np.float32, "double": np.float64, "float16": np.float16, "int32": np.int32}[element_type]
        made.graph.initializer.append(numpy_helper.from_array(np.array(1 + factor, dtype), "k"))
        return made

    a, b = both(tmp_path, model(0), model(within))
    assert verify(a, b).status == tool.DONE
    a, b = both(tmp_path, model(0), model(beyond))
    run = verify(a, b)
    assert run.status == tool.DIFFERENT, run
    assert ("exactly the same" if element_type == "int32" else f"for {element_type})") in run.stderr


def test_nan_equals_nan_and_an_infinity_itself(tmp_path: pathlib.Path) -> None:
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[N] x) => (float[N] y, float[N] z) <float zero = {{0.0}}> {{ a = Sub (zero, x) b = Neg (x) y = {op} (a) z = Div (x, zero) }}'
    a, b = both(tmp_path, parser.parse_model(text.format(op="Log")), parser.parse_model(text.format(op="Log").replace("Log (a)", "Log (b)")))
    assert verify(a, b).status == tool.DONE
    a, b = both(tmp_path, parser.parse_model(text.format(op="Log")), parser.parse_model(text.format(op="Sqrt")))
    run = verify(a, b)
    assert run.status == tool.DIFFERENT, run


def test_random_numbers_are_said_and_not_compared(tmp_path: pathlib.Path) -> None:
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[N, 4] x) => (float[N, 4] y, float[N, 4] z) { noise = RandomNormalLike (x) y = Add (x, noise) z = Mul (x, x) }'
    model = written(tmp_path, text)
    run = verify(model, model)
    assert run.status == tool.DONE and "(1 output, 3 runs; no difference; y not compared, as random numbers go into it)" in run.stderr, run
    only = written(tmp_path, text.replace(", float[N, 4] z)", ")"), "only.onnx")
    run = verify(only, only)
    assert run.status == tool.DONE and "all outputs depend on random numbers (y), so that none is compared" in run.stderr, run


def test_models_with_other_inputs_or_outputs_are_refused(tmp_path: pathlib.Path) -> None:
    def model(inputs: str, outputs: str, nodes: str) -> onnx.ModelProto:
        return parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> g ({inputs}) => ({outputs}) {{ {nodes} }}')

    plain = model("float[4] x", "float[4] y", "y = Relu (x)")
    for other, status, message in (
        (model("float[4] x", "float[4] z", "z = Relu (x)"), tool.DIFFERENT, "has no output 'y', which"),
        (model("float[4] x", "float[4] y, float[4] z", "y = Relu (x) z = Exp (x)"), tool.DIFFERENT, "has the output 'z', which"),
        (model("float[4] w", "float[4] y", "y = Relu (w)"), tool.INVALID_INPUT, "has no input 'x', which"),
        (model("float[4] x, float[4] w", "float[4] y", "y = Add (x, w)"), tool.INVALID_INPUT, "has the input 'w', which"),
        (model("double[4] x", "double[4] y", "y = Relu (x)"), tool.INVALID_INPUT, "the type of the input 'x' is not the one"),
        (model("float[4] x", "float[4] y", "y = nowhere.Relu (x)"), tool.DIFFERENT, "b.onnx: ONNX Runtime"),
    ):
        if other.graph.node[0].domain == "nowhere":
            other.opset_import.append(helper.make_opsetid("nowhere", 1))
        run = verify(*both(tmp_path, plain, other))
        assert run.status == status and message in run.stderr, run


def test_a_value_that_is_fixed_is_given_to_the_original(tmp_path: pathlib.Path) -> None:
    model = written(tmp_path, '<ir_version: 8, opset_import: ["" : 17]> g (float[N, 4] x, int64 k) => (float[N, 4] y) { f = Cast <to = 1> (k) y = Mul (x, f) }')
    run = tool.run([model, "-o", tmp_path / "out.onnx", "--input-value", "k=3", "--dim", "N=7", "--verify", *WITH_RUNTIME])
    assert run.status == tool.DONE, run


def test_weights_in_other_files_are_verified_and_localised(tmp_path: pathlib.Path) -> None:
    """Also by relative paths, from another folder, for models above the limit of protobuf's messages have their weights there."""
    for name, change in (("one", 0), ("two", 1)):
        model = network()
        set_constant(model, "w", lambda array: array + np.float32(change))
        (tmp_path / name).mkdir()
        onnx.save_model(model, tmp_path / name / "m.onnx", save_as_external_data=True, location="weights.bin", size_threshold=16)
    run = verify("m.onnx", "../two/m.onnx", cwd=tmp_path / "one")
    assert run.status == tool.DIFFERENT and "first after node 'node_of_dense'" in run.stderr and "the constant 'w', has other elements" in run.stderr, run
    assert verify("one/m.onnx", "one/m.onnx", cwd=tmp_path).status == tool.DONE
    run = tool.run(["one/m.onnx", "-o", "moved.onnx", "--target", "openvino", "--verify", *WITH_RUNTIME], cwd=tmp_path)
    assert run.status == tool.DONE, run


def test_no_runtime_is_said_with_the_places_and_what_to_do(tmp_path: pathlib.Path) -> None:
    model = written(tmp_path, '<ir_version: 8, opset_import: ["" : 17]> g (float[4] x) => (float[4] y) { y = Relu (x) }')
    (tmp_path / "lib/python3.11/site-packages/onnxruntime/capi").mkdir(parents=True)
    nothing = {"PATH": "/nonexistent", "VIRTUAL_ENV": str(tmp_path)}
    run = tool.run(["--verify", model, model], env=nothing)
    assert run.status == tool.FILE_ERROR, run
    assert f"{tmp_path}/lib/python3.11/site-packages/onnxruntime/capi (without libonnxruntime.so, which the package has from 1.19 on)" in run.stderr, run
    assert "pip install onnxruntime" in run.stderr and "--onnxruntime PATH" in run.stderr, run
    (tmp_path / "text.so").write_bytes(b"no library" * 100)
    for given, message in ((tmp_path, "the folder holds no libonnxruntime.so"), (tmp_path / "none", "there is no such file or folder"), (tmp_path / "text.so", "invalid ELF header")):
        run = tool.run(["--verify", model, model, "--onnxruntime", given], env=nothing)
        assert run.status == tool.FILE_ERROR and message in run.stderr, run


def test_the_runtime_of_an_environment_is_found(tmp_path: pathlib.Path) -> None:
    """Of a virtual environment, of conda's, of a Python on the PATH, and where the loader looks."""
    model = written(tmp_path, '<ir_version: 8, opset_import: ["" : 17]> g (float[4] x) => (float[4] y) { y = Relu (x) }')
    prefix = next(parent for parent in RUNTIME.parents if parent.name.startswith("lib")).parent
    library = next(RUNTIME.glob("libonnxruntime.so*"))
    (tmp_path / "libonnxruntime.so.1").symlink_to(library)
    for environment in ({"VIRTUAL_ENV": prefix}, {"CONDA_PREFIX": prefix}, {"PATH": prefix / "bin"}, {"LD_LIBRARY_PATH": tmp_path}):
        run = tool.run(["--verify", model, model], env={name: str(value) for name, value in environment.items()})
        assert run.status == tool.DONE, (environment, run)


def test_options_that_make_no_sense_are_refused(tmp_path: pathlib.Path) -> None:
    for arguments, message in (
        (["--verify", "a.onnx"], "give that a name (a.onnx -o OUT --verify), or the two models (--verify a.onnx OUT)"),
        (["--verfy", "a.onnx", "b.onnx"], "unknown option --verfy: did you mean --verify?"),
        (["-verify", "a.onnx", "b.onnx"], "a name of more than one letter has two dashes: --verify"),
        (["--verify", "-", "-"], "standard input is one model, not both"),
        (["a.onnx", "-o", "b.onnx", "--seed", "1"], "--seed goes with --verify"),
        (["a.onnx", "-o", "b.onnx", "--verify", "--runs", "0"], "--runs 0: write a number from 1 to 1000"),
        (["a.onnx", "-o", "b.onnx", "--verify", "--seed", "-1"], "--seed -1: write a whole number from 0 on"),
    ):
        run = tool.run(arguments, cwd=tmp_path)
        assert run.status == tool.WRONG_USAGE and message in run.stderr, run


def test_the_module_says_the_same(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONNX_LOWER", str(tool.TOOL))
    monkeypatch.syspath_prepend(str(tool.REPOSITORY / "python"))
    import onnx_lower

    output = network()
    set_attribute(output, "lower", "alpha", 0.21)
    a, b = both(tmp_path, network(), output)
    same = onnx_lower.verify(a, a, dim={"N": 3}, seed=4, runs=1)
    assert same and same.runs == 1 and same.input_shapes == ("x: 3x3x16x16", "ids: 3x5") and [value.name for value in same.outputs] == ["y", "best", "codes"], same
    found = onnx_lower.verify(str(a), b, inputs={"x": np.ones((1, 3, 16, 16), np.float32) * -1}, dim={"N": 1})
    assert not found and found.first_difference.node == "node_of_lower" and "computes other numbers" in found.message and len(repr(found)) < 200, found
    with pytest.raises(onnx_lower.FileError, match="there is no such file"):
        onnx_lower.verify(a, b, onnxruntime=tmp_path / "none")
    with pytest.raises(onnx_lower.UsageError, match="has no input 'none'"):
        onnx_lower.verify(a, b, inputs={"none": np.ones(3)})


def arguments_of(case: ModelCase, folder: pathlib.Path) -> list[object]:
    """What the case says; and its own inputs where sizes have to go together in a way that the model does not tell."""
    if case.name not in NEED_INPUTS:
        return case.says.get("arguments", [])
    inputs, _outputs = case.sets()[0]
    np.savez(folder / "inputs.npz", **inputs)
    return [*case.says.get("arguments", []), "--verify-inputs", folder / "inputs.npz"]


NEED_INPUTS = {
    "dcn_lossy_dyn",  # an offset for each cell of a convolution's output
    "gqa_position_ids_prompt",  # lengths of sequences and their sum
    "gqa_rotary_static",  # the same
    "mha_unidirectional_kv_longer",  # a bias for all of three dimensions, one behind the other
}


@pytest.mark.parametrize("case", [case for case in CASES if case.says["expect"] == "lowered" and "onnxruntime" not in case.says.get("cannot", {})], ids=lambda case: case.name)
def test_what_is_lowered_is_verified(case: ModelCase, tmp_path: pathlib.Path) -> None:
    run = tool.run([case.model, "-o", tmp_path / "out.onnx", "--verify", "--runs", 2, *WITH_RUNTIME, *arguments_of(case, tmp_path)], cwd=case.model.parent)
    assert run.status == tool.DONE, run
