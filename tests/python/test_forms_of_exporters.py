# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--target, on models as exporters write them: versions, ranks and company in which the tests of single operators do not have a node."""
from __future__ import annotations


import pathlib

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


@pytest.mark.parametrize("of, kind, expected", [
    ("LinearRegressor <coefficients = [1.0, 2.0]>", "double", [[5]]), ("Imputer <imputed_value_int64s = [1], replaced_value_int64 = 2>", "int32", [[1, 1]]),
    ("OneHotEncoder <cats_int64s = [1, 2]>", "int32", [[[1, 0], [0, 1]]])])
def test_types_of_which_onnx_runtime_has_no_kernel(of: str, kind: str, expected: list) -> None:
    content = parsed(f'<ir_version: 6, opset_import: ["": 11, "ai.onnx.ml": 1]> g ({kind}[1, 2] x) => ({kind if of[0] == "I" else "float"} y) {{ y = ai.onnx.ml.{of} (x) }}')
    with pytest.raises(Exception, match="NOT_IMPLEMENTED"):
        runtimes.in_onnxruntime(content)
    found = runtimes.in_onnxruntime(tool.lowered(content, ["--target", "onnxruntime-1.31"]))({"x": np.array([[1, 2]], {"double": np.float64, "int32": np.int32}[kind])})["y"]
    assert found.tolist() == expected


# Equations, of which a runtime knows some by their text.


ATTENTION = """<ir_version: 7, opset_import: ["": 13]> g (float[1, 5, 8, 4] q, float[1, 6, 8, 4] k, float[1, 6, 8, 4] v) => (float[1, 5, 8, 4] o) {
  kv = Einsum <equation = "nshd,nshv->nhdv"> (k, v)
  s = ReduceSum <keepdims = 0> (k, axis)
  z = Einsum <equation = "nlhd,nhd->nlh"> (q, s)
  o = Einsum <equation = "nlhd, nhdv, nlh->nlhv"> (q, kv, z)
}""".replace(" {", " <int64[1] axis = {1}> {", 1)


@pytest.mark.parametrize("target, stay", [("ascend", ["abcd,abce->acde"]), ("qnn", [])])
def test_equations_that_a_runtime_does_not_know(target: str, stay: list[str]) -> None:
    content = parsed(ATTENTION)
    out = lowered(content, "--target", target)
    assert [node.attribute[0].s.decode() for node in out.graph.node if node.op_type == "Einsum"] == stay
    rng = np.random.default_rng(1)
    feed = {name: rng.standard_normal(size).astype(np.float32) for name, size in (("q", (1, 5, 8, 4)), ("k", (1, 6, 8, 4)), ("v", (1, 6, 8, 4)))}
    # The products are added in another order.
    assert_same_numbers(content, out, feed, rtol=1e-5)


@pytest.mark.parametrize("target, equation, spelled", [
    ("ascend", "bhqk, bhkd -> bhqd", "abcd,abde->abce"), ("ascend", "ij,kj->ik", "ab,cb->ac"), ("qnn", "bhqd,bhkd->bhqk", "abcd,abed->abce"), ("qnn", "IJ,JK->IK", "ab,bc->ac"),
    ("ascend", "abc,cd->abd", "abc,cd->abd"), ("qnn", "bhwc,hkc->bhwk", "abcd,bed->abce"), ("ascend", "bhqd,bhkd->bhqk", None), ("qnn", "ij,ji->j", None), ("qnn", "ij,jk", None)])
def test_equations_in_the_letters_of_a_runtime(target: str, equation: str, spelled: str | None) -> None:
    first, second = (len(term.split("->")[0].replace(" ", "")) for term in equation.split(","))
    content = parsed(f'<ir_version: 7, opset_import: ["": 13]> g (float[{", ".join("3" * first)}] x, float[{", ".join("3" * second)}] y) => (float z) {{ z = Einsum <equation = "{equation}"> (x, y) }}')
    model = onnx.load_from_string(content)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    content = model.SerializeToString()
    out = lowered(content, "--target", target)
    assert [node.attribute[0].s.decode() for node in out.graph.node if node.op_type == "Einsum"] == ([spelled] if spelled else [])
    rng = np.random.default_rng(2)
    assert_same_numbers(content, out, {"x": rng.standard_normal((3,) * first).astype(np.float32), "y": rng.standard_normal((3,) * second).astype(np.float32)}, rtol=1e-5)


# OpenVINO: conditions of several dimensions, and lists in their usual company.


@pytest.mark.parametrize("shape", [(1, 1), (1, 1, 1), (1,)])
@pytest.mark.parametrize("prefix", ["", "if/"])
def test_conditions_of_several_dimensions_in_openvino(shape: tuple[int, ...], prefix: str) -> None:
    dims = ", ".join(map(str, shape))
    content = parsed(f"""<ir_version: 7, opset_import: ["": 13]> g (float[{dims}] x, float[2] v) => (float[2] y) <float none = {{0.0}}> {{
      c = Less (none, x)  "{prefix}given" = Abs (v)
      y = If (c) <then_branch = t () => (float[2] a) {{ a = Neg ("{prefix}given") }}, else_branch = e () => (float[2] b) {{ b = Exp ("{prefix}given") }}>
    }}""")
    out = lowered(content, "--target", "openvino")
    assert ("Reshape" in operators(out)) == (len(shape) > 1)
    for number in (1, -1):
        feed = {"x": np.full(shape, number, np.float32), "v": np.array([1, -2], np.float32)}
        assert_same_numbers(content, out, feed, run=runtimes.in_openvino, rtol=1e-6)


def with_list(begin: str, body: str, end: str, output: str = "float[k, 4] y") -> bytes:
    """Of rows of x, which a Loop takes one after the other, what exporters make with a list."""
    return parsed(f"""<ir_version: 8, opset_import: ["": 17]> g (float[n, 4] x) => ({output}) <int64[1] axis = {{0}}, int64 first = {{0}}, bool yes = {{1}}> {{
      shape = Shape (x)  n = Gather <axis = 0> (shape, first)
      begin = {begin}
      list = Loop (n, yes, begin) <body = b (int64 i, bool go, seq(float[]) given) => (bool goes, seq(float[]) made) {{
        goes = Identity (go)  row = Gather <axis = 0> (x, i)  positive = Relu (row)  rows = Unsqueeze (positive, axis)
        {body}
      }}>
      {end}
    }}""")


@pytest.mark.parametrize("begin, body, end", [
    ("SequenceEmpty <dtype = 1> ()", "made = SequenceInsert (given, rows)", "y = ConcatFromSequence <axis = 0> (list)"),
    ("SequenceEmpty ()", "made = SequenceInsert (given, positive)", "y = ConcatFromSequence <axis = 0, new_axis = 1> (list)")])
def test_lists_to_which_a_loop_adds_in_openvino(begin: str, body: str, end: str) -> None:
    content = with_list(begin, body, end)
    assert tool.lowered(content, ["--target", "openvino-2026.4"]) == content
    assert_same_numbers(content, onnx.load_from_string(content), {"x": np.arange(-3, 9, dtype=np.float32).reshape(3, 4)}, run=runtimes.in_openvino)


@pytest.mark.parametrize("begin, body, end, output", [
    ("SequenceConstruct (x)", "made = SequenceInsert (given, rows)", "y = ConcatFromSequence <axis = 0> (list)", "float[k, 4] y"),
    ("SequenceEmpty <dtype = 1> ()", "more = SequenceInsert (given, rows)  made = SequenceInsert (more, rows)", "y = ConcatFromSequence <axis = 0> (list)", "float[k, 4] y"),
    ("SequenceEmpty <dtype = 1> ()", "made = SequenceInsert (given, rows, first)", "y = ConcatFromSequence <axis = 0> (list)", "float[k, 4] y"),
    ("SequenceEmpty <dtype = 1> ()", "made = SequenceInsert (given, rows)", "y = SequenceLength (list)", "int64 y"),
    ("SequenceEmpty <dtype = 1> ()", "made = SequenceInsert (given, rows)", "y = SequenceAt (list, first)", "float[1, 4] y")])
def test_lists_of_which_openvino_forgets_tensors(begin: str, body: str, end: str, output: str) -> None:
    """It is wrong, or does not load it."""
    content = with_list(begin, body, end, output)
    tool.assert_clean_refusal(tool.lower(content, ["--target", "openvino-2026.4"]), tool.NOT_LOWERED)


@pytest.mark.parametrize("text", ["s = SequenceConstruct (a, b)  t = SequenceInsert (s, c, first)  y = ConcatFromSequence <axis = 0> (t)",
                                  "s = SequenceEmpty ()  t = SequenceInsert (s, a)  u = SequenceInsert (t, b)  y = ConcatFromSequence <axis = 0> (u)",
                                  "s = SequenceConstruct (a, b)  e = SequenceErase (s, first)  t = SequenceInsert (e, c)  y = SequenceAt (t, first)"])
def test_lists_outside_of_loops_in_openvino(text: str) -> None:
    content = parsed(f"""<ir_version: 8, opset_import: ["": 17]> g (float[3, 2] x) => (float[k, 2] y) <int64 first = {{0}}> {{ a = Relu (x)  b = Neg (x)  c = Abs (x)  {text} }}""")
    assert tool.lowered(content, ["--target", "openvino-2026.4"]) == content
    assert_same_numbers(content, onnx.load_from_string(content), {"x": np.arange(-3, 3, dtype=np.float32).reshape(3, 2)}, run=runtimes.in_openvino)


# Imports, as exporters write them.


@pytest.mark.parametrize("target", ONNX_RUNTIMES)
@pytest.mark.parametrize("within", ["graph", "function"])
def test_imports_of_com_microsoft_that_no_runtime_loads(target: str, within: str) -> None:
    """torch stamped the opset of the model on it."""
    node = "FusedMatMul <alpha = 2.0> (x, w)"
    text = '<ir_version: 7, opset_import: ["": 14, "com.microsoft": 14, "f": 1]> g (float[2, 4] x, float[4, 3] w) => (float[2, 3] y) '
    if within == "graph":
        text = text.replace(', "f": 1', "") + f"{{ y = com.microsoft.{node} }}"
    else:
        text = text.replace("ir_version: 7", "ir_version: 8") + f'{{ y = f.F (x, w) }} <domain: "f", opset_import: ["": 14, "com.microsoft": 14]> F (x, w) => (y) {{ y = com.microsoft.{node} }}'
    content = parsed(text)
    with pytest.raises(Exception, match="com.microsoft"):
        runtimes.in_onnxruntime(content)
    out = lowered(content, "--target", target)
    # Where a runtime tells of no kernels of its own, there is a MatMul.
    imports = {entry.domain: entry.version for entry in (*out.opset_import, *(entry for function in out.functions for entry in function.opset_import))}
    assert imports[""] == 14 and imports.get("com.microsoft", 1) == 1
    x, w = np.arange(8, dtype=np.float32).reshape(2, 4), np.arange(12, dtype=np.float32).reshape(4, 3)
    np.testing.assert_array_equal(runtimes.in_onnxruntime(out.SerializeToString())({"x": x, "w": w})["y"], 2 * x @ w)


@pytest.mark.parametrize("imports", [(17, 17), (17, 17, 17)])
def test_an_opset_that_is_imported_several_times(imports: tuple[int, ...]) -> None:
    model = onnx.load_from_string(parsed("""<ir_version: 8, opset_import: ["": 17]> g (float[2, 3] x) => (float[3, 2] z)
      <int64[2] s = {3, 2}, float[2] w = {1.0, 2.0}> { y = Reshape <allowzero = 0> (x, s)  z = LayerNormalization <axis = -1> (y, w) }"""))
    del model.opset_import[:]
    model.opset_import.extend(onnx.helper.make_opsetid("", version) for version in imports)
    content = model.SerializeToString()
    assert tool.lowered(content) == content
    out = lowered(content, "--target-opset", 13)
    assert [(entry.domain, entry.version) for entry in out.opset_import] == [("", 13)]
    # The mean and the variance are computed by other nodes.
    assert_same_numbers(content, out, {"x": np.arange(6, dtype=np.float32).reshape(2, 3) ** 2}, rtol=1e-6)


# What a refusal says of the next step.


def test_a_refusal_that_narrower_types_would_make_up_for(tmp_path: pathlib.Path) -> None:
    board = tmp_path / "board.target"
    board.write_text("# A board.\nSub not dtype(A) == double\nMul not dtype(A) == double\n")
    content = parsed("""<ir_version: 6, opset_import: ["": 11]> g (float[H, W, 3] x) => (float[4, 4, 3] y)
      <int64[1] none = {0}, int64[1] two = {2}, double[2] crop = {4.0, 4.0}, double[2] half = {0.5, 0.5}, int64[2] size = {4, 4}, int64[2] axes = {0, 1}> {
      shape = Shape (x)  sizes = Slice (shape, none, two, none)  exact = Cast <to = 11> (sizes)  more = Sub (exact, crop)  halves = Mul (more, half)
      begin = Cast <to = 7> (halves)  end = Add (begin, size)  y = Slice (x, begin, end, axes) }""")
    refused = tool.lower(content, ["--target", board])
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    assert refused.stderr.count("  add: --allow-narrowing (double is then computed in float, and larger integers in int32)\n") == 2
    out = lowered(content, "--target", board, "--allow-narrowing")
    assert_same_numbers(content, out, {"x": np.arange(10 * 7 * 3, dtype=np.float32).reshape(10, 7, 3)})


def test_a_refusal_that_narrower_types_do_not_make_up_for() -> None:
    content = parsed('<ir_version: 6, opset_import: ["": 11]> g (double[2] x) => (double[n] y) { y = Unique (x) }')
    refused = tool.lower(content, ["--target", "tensorrt"])
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    assert "--allow-narrowing" not in refused.stderr


# RKNN: what the log of a build says that the board does not compute.


SHAPE = "float[1, 3, 4, 5]"


@pytest.mark.parametrize("node", [
    *(f"{op} (x)" for op in ("Atan", "Asinh", "Cosh", "Sinh", "Tan", "Sign", "Ceil", "Celu", "Selu", "Shrink", "Softsign", "Mish", "MeanVarianceNormalization")),
    *(f"{op} (small)" for op in ("Acos", "Asin", "Atanh")), "Acosh (above)", "Min (x, above)", "Mean (x, small, above)", "Trilu (x)", "ReduceL1 (x, axis)", "ReduceLogSum (above, axis)",
    "ReduceProd (x, axis)", "ReduceSumSquare (x, axis)", "ReduceProd <keepdims = 0> (x, axis)", "LpPool <kernel_shape = [2, 2]> (x)", "GlobalLpPool (x)",
    "Where (nan, x, above)", "Where (either, x, above)", "Where (one, x, above)", "ScatterElements <axis = 2> (x, places, updates)", "Compress <axis = 1> (x, kept)"])
def test_what_a_board_has_no_lowering_of(node: str) -> None:
    content = parsed(f"""<ir_version: 8, opset_import: ["": 18]> g ({SHAPE} x, float[1, 3, 2, 5] updates) => (float y)
      <int64[1] axis = {{2}}, float[1] five = {{5.0}}, float[1] ten = {{10.0}}, bool[3] kept = {{1, 0, 1}}> {{
      small = Div (x, ten)  above = Add (small, five)
      places = Constant <value = int64[1, 3, 2, 5] {{{", ".join(map(str, [0, 1, 2, 3, 0, 3, 2, 1, 0, 3] * 3))}}}> ()
      nan = IsNaN (x)  more = Greater (x, small)  less = Less (x, five)  either = Or (more, less)  one = Xor (more, less)
      y = {node}
    }}""")
    model = onnx.load_from_string(content)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    content = model.SerializeToString()
    out = lowered(content, "--target", "rknn-toolkit2-2.5")
    refused = {line.split()[0] for line in (tool.REPOSITORY / "targets" / "rknn-toolkit2-2.5.target").read_text().splitlines() if line.split()[1:2] == ["never"]}
    assert {"Atan", "Xor"} < refused and not refused & set(operators(out))
    rng = np.random.default_rng(5)
    x = rng.uniform(-9, 9, (1, 3, 4, 5)).astype(np.float32)
    # Polynomials and sums are rounded in another order.
    assert_same_numbers(content, out, {"x": x, "updates": rng.standard_normal((1, 3, 2, 5)).astype(np.float32)}, rtol=2e-6)


# Older opsets.


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("opset", [7, 8, 9])
def test_a_resize_of_opset_10_below(mode: str, opset: int) -> None:
    text = '<ir_version: 5, opset_import: ["": 10]> g (float[1, 2, 3, 4] x) => (float[1, 2, 6, 12] y) <float[4] s = {1.0, 1.0, 2.0, 3.0}> { y = Resize <mode = "MODE"> (x, s) }'
    content = parsed(text.replace("MODE", mode))
    out = lowered(content, "--target-opset", opset)
    assert "Upsample" in operators(out)
    assert_same_numbers(content, out, {"x": np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4) ** 2})
    smaller = content.replace(np.float32(3).tobytes(), np.float32(0.5).tobytes()).replace(b"\x08\x0c", b"\x08\x02")
    out = lowered(smaller, "--target-opset", opset)
    # The weights of two pixels are rounded in another order.
    assert_same_numbers(smaller, out, {"x": np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4) ** 2}, rtol=2e-6)


@pytest.mark.parametrize("body", ["<domain: 'f', opset_import: ['': 12]> F (x) => (y) { y = Unsqueeze <axes = [0, 0]> (x) }",
                                  "<domain: 'f', opset_import: ['': 18]> F (x) => (y) { axes = Constant <value_ints = [0, 0]> ()  y = Unsqueeze (x, axes) }"])
def test_an_axis_that_is_named_twice(body: str) -> None:
    content = parsed('<ir_version: 8, opset_import: ["": 12, "f": 1]> g (float[2] x, int64[n] s) => (float[a, b, c] y) { t = Reshape (x, s)  y = f.F (t) } ' + body.replace("'", '"'))
    refused = tool.lower(content)
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    assert "twice" in refused.stderr


# Targets that are not there.


@pytest.mark.parametrize("target, told", [
    ("opnvino-2026.3", "(is it openvino-2024.6?)"), ("onnxruntime-1.7", ", and all of onnxruntime are newer, which may take more operators: the oldest is --target onnxruntime-1.8;"),
    ("opencv-4.8", "--target opencv-4.14;"), ("snpe", "--target qnn;"), ("snpe-2.10", "--target qnn;"), ("tidl", "--target onnxruntime-1.14;"), ("hailo", "--input-shape"), ("horizon", "--input-shape"),
    ("migraphx", "--target onnxruntime;"), ("barracuda", "--target sentis;"), ("webgpu", "--target onnxruntime-web;"), ("tnsorrt", "(is it tensorrt?)"), ("ncn", "--list-targets")])
def test_what_to_give_in_place_of_a_target_that_is_not_there(target: str, told: str) -> None:
    content = parsed('<ir_version: 6, opset_import: ["": 12]> g (float[2] x) => (float[2] y) { y = Relu (x) }')
    refused = tool.lower(content, ["--target", target])
    tool.assert_clean_refusal(refused, tool.WRONG_USAGE)
    assert told in refused.stderr
    # What it names is there.
    for word in refused.stderr.replace(";", " ").replace("?)", " ").split("--target ")[2:]:
        tool.lowered(content, ["--target", word.split()[0]])


@pytest.mark.parametrize("target, taken, why", [
    ("onnxruntime-1.25", "onnxruntime-1.20", ", the nearest older one"), ("onnxruntime-1.30", "onnxruntime-1.20", ", the nearest older one"), ("openvino-2025.1", "openvino-2024.6", ", the nearest older one"),
    ("tensorrt-9.3", "tensorrt-8.6", ", the nearest older one"), ("ort", "onnxruntime-1.32", ", the newest"), ("ort-1.22", "onnxruntime-1.20", ", the nearest older one"), ("trt-8.6", "tensorrt-8.6", ""),
    ("ov-2023", "openvino-2023.3", ", the newest"), ("cv", "opencv-5.0", ", the newest"), ("opencv-4", "opencv-4.14", ", the newest"), ("rknn", "rknn-toolkit2-2.5", ", the newest"),
    ("OnnxRuntime==1.14.1", "onnxruntime-1.14", ", the nearest older one"), ("tensorrt_rtx", "tensorrt-rtx-1.7", ", the newest"), ("ncnn", "ncnn-20261020", ", the newest"), ("pnnx", "ncnn-20261020", ", the newest"), ("tflite", "litert-2.1", ", the newest"), ("onnx2tf", "litert-2.1", ", the newest"), ("apache-tvm", "tvm-0.27", ", the newest"), ("tvm-0.27.0", "tvm-0.27", ", the nearest older one"), ("onnxruntime", "onnxruntime-1.32", ", the newest")])
def test_a_name_that_no_target_has_as_it_is_is_another_name_of_one(target: str, taken: str, why: str) -> None:
    """The run says which it takes, and writes what it writes for that."""
    content = parsed('<ir_version: 6, opset_import: ["": 12]> g (float[2, 3] x) => (float[2, 3] y) { y = Gelu (x) }'.replace("Gelu", "com.microsoft.Gelu").replace('"": 12', '"": 12, "com.microsoft": 1'))
    by_name = tool.lower(content, ["--target", target])
    assert f"note: --target {target}: {taken} is taken{why}\n" in by_name.stderr
    assert by_name.stdout == tool.lowered(content, ["--target", taken])
    assert "note:" not in tool.lower(content, ["--target", taken]).stderr + tool.lower(content, ["--target", target, "-q"]).stderr


# What only the initial states of a recurrent operator tell.


@pytest.mark.parametrize("op, gates", [("GRU", 3), ("LSTM", 4), ("RNN", 1)])
def test_a_batch_that_the_initial_states_tell(op: str, gates: int) -> None:
    """Of a Squeeze that names no axes OpenVINO has to know all dimensions, and does."""
    weights = [("w", (1, 2 * gates, 3)), ("r", (1, 2 * gates, 2))]
    initializers = ", ".join(f"float[{', '.join(map(str, size))}] {name} = {{{', '.join(f'{0.1 * (k % 7) - 0.3:.1f}' for k in range(int(np.prod(size))))}}}" for name, size in weights)
    content = parsed(f"""<ir_version: 6, opset_import: ["": 11]> g (float[4, batch, 3] x, float[1, 1, 2] h) => (float[a, b] y) <{initializers}> {{
      all, last = {op} <hidden_size = 2> (x, w, r, , , h)  y = Squeeze (all) }}""")
    assert tool.lowered(content, ["--target", "openvino"]) == content
    rng = np.random.default_rng(3)
    feed = {"x": rng.standard_normal((4, 1, 3)).astype(np.float32), "h": rng.standard_normal((1, 1, 2)).astype(np.float32)}
    # Both compute exponentials, and add up in another order.
    assert_same_numbers(content, onnx.load_from_string(content), feed, run=runtimes.in_openvino, rtol=1e-5)


@pytest.mark.parametrize("kind", ["uint8", "int8"])
def test_differences_that_openvino_saturates(kind: str) -> None:
    content = parsed(f'<ir_version: 8, opset_import: ["": 14]> g ({kind}[4] a, {kind}[4] b) => ({kind}[4] y) {{ y = Sub (a, b) }}')
    a, b = (np.array(numbers).astype(kind) for numbers in ([3, 200, 100, 5], [5, 100, 7, 250]))
    found = runtimes.in_openvino(lowered(content, "--target", "openvino-2026.4").SerializeToString())({"a": a, "b": b})["y"]
    np.testing.assert_array_equal(found, a - b)
