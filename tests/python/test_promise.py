# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Exit status 0 promises a model that loads and computes what the given one does; everything else is refused without an output, in words that say where."""
from __future__ import annotations

import dataclasses
import pathlib
import re

import numpy as np
import onnx
import onnx.checker
import onnx.helper
import onnx.parser
import pytest

import runtimes
import tool
from compare import assert_equal

CONTRIB = '<ir_version: 8, opset_import: ["" : 18, "com.microsoft" : 1, "acme" : 1, "d" : 1]> '
ACME = CONTRIB + "g (float[2, 3] x) => (float[2, 3] y) { y = acme.F (x) } "
RULE = '<domain: "acme", opset_import: ["" : 18]> F (x) => (y) '
D = '<domain: "d", opset_import: ["" : 18, "d" : 1]> '
OF_D = CONTRIB + "g (float[4] x) => (float[4] y) { t = Relu (x)  y = d.F (t) } " + D


@dataclasses.dataclass
class Trial:
    name: str
    model: str
    arguments: tuple[object, ...] = ()
    rule: str = ""
    weights: tuple[onnx.TensorProto, ...] = ()
    inputs: dict[str, np.ndarray] | None = None
    # Part of the message with which it is refused; where there is none, it is lowered.
    refusal: str = ""
    warning: str = ""
    # Whether ONNX Runtime runs the model as it is given.
    runs: bool = True


def packed(name: str, element_type: int, *dims: int) -> onnx.TensorProto:
    count = int(np.prod(dims, dtype=int))
    return onnx.helper.make_tensor(name, element_type, dims, np.arange(count) % 7, raw=False)


def floats(*values: float) -> onnx.TensorProto:
    return onnx.helper.make_tensor("s", onnx.TensorProto.FLOAT, [] if len(values) == 1 else [len(values)], values)


INT4, UINT4 = onnx.TensorProto.INT4, onnx.TensorProto.UINT4
OF_4_BITS = '<ir_version: 10, opset_import: ["" : 21, "com.microsoft" : 1]> '
TO_17 = ("--target-opset", 17)
ROTARY = 'g (float[n, 32] x, int64[4] s, int64[1] p, float[16, 4] c) => (float[a, b, c, d] y) { r = Reshape (x, s)  e = Cast <to = 1> (r)  y = com.microsoft.RotaryEmbedding <interleaved = 0> (e, p, c, c) }'
ROTARY_INPUTS = {"x": np.arange(64, dtype=np.float32).reshape(2, 32) / 9, "s": np.array([1, 2, 4, 8]), "p": np.array([3]), "c": np.arange(64, dtype=np.float32).reshape(16, 4) / 64}

TRIALS = [
    Trial("a rule for float, and a float16", ACME.replace("float[", "float16["), rule=RULE + "{ k = Constant <value_float = 2.0> ()  y = Mul (x, k) }", refusal="have FLOAT16 and FLOAT", runs=False),
    Trial("an attribute of another type", ACME, rule=RULE + "{ y = Elu <alpha = 1> (x) }", refusal="attribute 'alpha' is INT, and the operator wants FLOAT", runs=False),
    Trial("an attribute that there is not", ACME, rule=RULE + "{ y = Relu <bogus = 1> (x) }", refusal="has no attribute 'bogus'", runs=False),
    Trial("a cast to no type", ACME, rule=RULE + "{ y = Cast <to = 0> (x) }", refusal="attribute 'to' is 0, which is no element type", runs=False),
    Trial("a stride of nothing", ACME, rule=RULE + "{ y = MaxPool <kernel_shape = [2], strides = [0]> (x) }", refusal="attribute 'strides' has a number that is not above zero", runs=False),
    Trial("blocks of a negative size", ACME, rule=RULE + "{ y = DepthToSpace <blocksize = -2> (x) }", refusal="attribute 'blocksize' has a number that is not above zero", runs=False),
    Trial("too many inputs", ACME, rule=RULE + "{ y = Relu (x, x) }", refusal="it has 2 inputs, and the operator takes 1", runs=False),
    Trial("an axis that the input does not have", ACME, rule=RULE + "{ y = Softmax <axis = 5> (x) }", refusal="ai.onnx::Softmax, line 1) cannot be lowered", runs=False),
    Trial("a product of sizes that do not fit", ACME, rule=RULE + "{ y = MatMul (x, x) }", refusal="Incompatible dimensions for matrix multiplication", runs=False),
    Trial("a function with a permutation of too many axes", OF_D + "F (a) => (b) { b = Transpose <perm = [1, 0]> (a) }", refusal="ai.onnx::Transpose", runs=False),
    Trial("a branch with an input", ACME, rule=RULE + "{ c = Constant <value = bool {1}> ()  y = If (c) <then_branch = t (q) => (p) { p = Neg (x) }, else_branch = e () => (r) { r = Abs (x) }> }", refusal="has 1 input, and the node needs one with 0", runs=False),
    Trial("two sizes of one image", ACME, rule=RULE + "{ s = Constant <value_floats = [1.0, 1.0]> ()  z = Constant <value_ints = [2, 3]> ()  y = Resize (x, , s, z) }", refusal="'scales' and 'sizes', and not both", runs=False),
    Trial("a remainder of neither kind", ACME, rule=RULE + "{ y = Mod <fmod = 2> (x, x) }", refusal="attribute 'fmod' is not between 0 and 1", runs=False),
    Trial("what is quantized without a zero point", ACME, rule=RULE + "{ s = Constant <value_float = 0.5> ()  y = QuantizeLinear (x, s) }", warning="'y' is declared as float[2,3]", runs=False),
    Trial("the next form where the first one does not fit the shapes", ACME, rule=RULE + "{ y = Softmax <axis = 2> (x) } " + RULE + "{ y = Neg (x) }", runs=False),
    Trial("the next form where one is no good", ACME, rule=RULE + "{ y = Relu <bogus = 1> (x) } " + RULE + "{ y = Neg (x) }", runs=False),
    Trial("an opset that does not exist", ACME, rule=RULE.replace("18", "999") + "{ y = Relu (x) }", refusal="opset 999 of ai.onnx does not exist", runs=False),
    Trial("a function with too many inputs", OF_D + "F (a) => (b) { b = Relu (a, a) }", refusal="it has 2 inputs, and the operator takes 1", runs=False),
    Trial("a function with an unknown attribute", OF_D + "F (a) => (b) { b = Relu <bogus = 1> (a) }", refusal="has no attribute 'bogus'", runs=False),
    Trial("a function without a needed attribute", OF_D + "F (a) => (b) { b = Concat (a) }", refusal="lacks the attribute 'axis'", runs=False),
    Trial("a node without the inputs that its rule speaks of", CONTRIB + "g () => (float[a, b, c] y, int32[a] z) { y, z = com.microsoft.EmbedLayerNormalization () }", refusal="lacks 'word_embedding'", runs=False),
    Trial("a value_info of another rank", CONTRIB + "g (float[2, 2, 2] x) => (float[a, b, c] y) <float[2, 3] q> { q = Relu (x)  y = com.microsoft.FusedMatMul <transA = 1> (q, q) }", warning="'q' is declared as float[2,3]"),
    Trial(
        "a value_info of a rank that nothing proves",
        CONTRIB + "g (float[A] x, int64[B] s) => (float[] y) <float[2, 3] q> { q = Reshape (x, s)  y = com.microsoft.FusedMatMul <transA = 1> (q, q) }",
        inputs={"x": np.arange(8, dtype=np.float32), "s": np.array([2, 2, 2])},
    ),
    Trial(
        "a name that stands for another type in another branch",
        '<ir_version: 8, opset_import: ["" : 18]> g (float[2] x, int64[2] k, bool c) => (float[2] y) { y = If (c) <then_branch: graph = a () => (float[2] r) {'
        " t = If (c) <then_branch: graph = aa () => (int64[2] p) { p = Neg (k) }, else_branch: graph = ab () => (int64[2] q) { q = Abs (k) }>  r = Cast <to = 1> (t) },"
        " else_branch: graph = b () => (float[2] t) { t = Identity (x) }> }",
        rule='<domain: "ai.onnx", opset_import: ["" : 18]> Identity (x) => (y) { o = Optional (x)  y = OptionalGetElement (o) }',
        inputs={"x": np.array([1.5, -2], np.float32), "k": np.array([3, -4]), "c": np.array(False)},
    ),
    Trial("int4 between nodes of an older opset", OF_4_BITS + "g (float[4, 6] x) => (float[4, 6] y) { q = Cast <to = 22> (x)  y = Cast <to = 1> (q) }", TO_17, refusal="ai.onnx::Cast"),
    Trial("float8 at an older opset", OF_4_BITS.replace("21", "19") + "g (float[4, 6] x) => (float[4, 6] y) { q = Cast <to = 17> (x)  y = Cast <to = 1> (q) }", TO_17, refusal="ai.onnx::Cast"),
    Trial("int4 out of a Reshape", OF_4_BITS + "g (float[4, 4] x, int64[2] shape) => (float[a, b] y) { t = Reshape (w, shape)  d = DequantizeLinear (t, s)  y = MatMul (x, d) }", TO_17, weights=(packed("w", INT4, 4, 6), floats(0.5)), refusal="cannot be lowered", runs=False),
    Trial("int4 out of a Transpose", OF_4_BITS + "g (float[4, 6] x) => (float[4, 4] y) { t = Transpose <perm = [1, 0]> (w)  d = DequantizeLinear (t, s)  y = MatMul (x, d) }", TO_17, weights=(packed("w", INT4, 4, 6), floats(0.5)), refusal="cannot be lowered", runs=False),
    Trial("an int4 constant", OF_4_BITS + "g (float[4, 4] x) => (float[4, 6] y) { d = com.microsoft.DequantizeLinear (w, s)  y = Add (d, d) }", TO_17, weights=(packed("w", INT4, 4, 6), floats(0.5))),
    Trial("a uint4 constant with a scale for each row", OF_4_BITS + "g (float[4, 6] x) => (float[4, 6] y) { d = com.microsoft.DequantizeLinear <axis = 0> (w, s)  y = Add (d, x) }", TO_17, weights=(packed("w", UINT4, 4, 6), floats(0.5, 1, 2, 4))),
    Trial("a rank that only the model's own version of Reshape tells", CONTRIB.replace("18", "17") + ROTARY, ("--target-opset", 13), inputs=ROTARY_INPUTS),
    Trial("the same with allowzero, which 13 lacks", CONTRIB.replace("18", "17") + ROTARY.replace("Reshape (", "Reshape <allowzero = 0> ("), ("--target-opset", 13), inputs=ROTARY_INPUTS),
    Trial("scales in blocks", OF_4_BITS + "g (float[3, 4] x) => (float[3, 6] y) <float[2, 6] s = {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}, int8[4, 6] w = {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}> { d = DequantizeLinear <axis = 0, block_size = 2> (w, s)  y = MatMul (x, d) }", TO_17),
    *(Trial(f"{kind} quantized and back, at opset {opset}", OF_4_BITS + f"g (float[n, 4] x) => (float[n, 4] y) <float s = {{0.0001}}, {kind} z = {{{zero}}}> {{ q = QuantizeLinear (x, s, z)  y = DequantizeLinear (q, s, z) }}", ("--target-opset", opset)) for kind, zero in (("int8", 0), ("uint8", 128), ("int16", 0), ("uint16", 32768)) for opset in (13, 22)),
    *(
        Trial(f"what a function gives is typed behind --attach: {body}", CONTRIB + "g (float[2, 3] x, float[2, 3] z) => (float[2, 3] y) { " + call + "  y = com.microsoft.FastGelu (a) } " + D.replace("18", "13") + body, ("--attach",))
        for call, body in (
            ("a = d.F (x)", "F (v) => (w) { w = Identity (v) }"),
            ("a = d.F <value: float = 2.0> (x)", "F <value> (v) => (w) { w = Relu (v) }"),
            ("a, b = d.F (x, z)", "F (v, q) => (x1, w) { x1 = Sign (q)  w = Relu (v) }"),
        )
    ),
]


def newer(opset: int, graph: str) -> str:
    return f'<ir_version: {onnx.helper.find_min_ir_version_for([onnx.helper.make_opsetid("", opset)])}, opset_import: ["" : {opset}]> g {graph}'


IMAGE = np.arange(8, dtype=np.float64).reshape(1, 1, 2, 2, 2)
POINTS = np.linspace(-1.2, 1.2, 12).reshape(1, 2, 2, 1, 3)
MAP = np.float32([[[2, 0, 1], [1, 1, -1]]])
NUMBERS = np.float32([[1, -2, 3], [4, 5, -6]])
CODES = np.uint8([[1, 7, 255], [128, 0, 33]])
QUARTERS = np.float32([[1.05, -2.75, 3.33, 12.7], [0.15, 0.25, -0.35, 300]])
# Nodes of the model itself, at opsets that have the operator, and have it for fewer types or shapes.
TRIALS += [
    *(
        Trial(f"{name}, at {opset}", model, ("--target-opset", opset), inputs=inputs)
        for opset in (17, 13, 11, 9)
        for name, model, inputs in (
            ("a power of another type", newer(15, "(double[n] x, float16[n] e) => (double[n] y) { y = Pow (x, e) }"), {"x": np.float64([2, 3]), "e": np.float16([3, 0.5])}),
            (
                "statistics of another type",
                newer(15, "(float16[n, 2] x, float16[2] s, float[2] m, float[2] v) => (float16[n, 2] y) { y = BatchNormalization (x, s, s, m, v) }"),
                {"x": np.float16([[1, 2]]), "s": np.float16([2, 3]), "m": np.float32([0.5, 1]), "v": np.float32([1, 4])},
            ),
            (
                "scale and bias of another type",
                newer(15, "(float[n, 2] x, float16[2] s, float[2] m) => (float[n, 2] y) { y = BatchNormalization (x, s, s, m, m) }"),
                {"x": np.float32([[1, 2]]), "s": np.float16([2, 3]), "m": np.float32([0.5, 1])},
            ),
            ("limits of double", newer(14, "(double[n] x, double a, double b) => (double[n] y) { y = Clip (x, a, b) }"), {"x": np.float64([-2, 0.5, 2]), "a": np.array(-1.0), "b": np.array(1.0)}),
            ("depth of int8", newer(14, "(int8[1, 4, 1, 2] x) => (int8[1, 1, 2, 4] y) { y = DepthToSpace <blocksize = 2> (x) }"), {"x": np.arange(8, dtype=np.int8).reshape(1, 4, 1, 2)}),
            ("the nearest of double", newer(20, '(double[1, 1, a, b] x, double[1, c, d, 2] p) => (double[1, 1, c, d] y) { y = GridSample <mode = "nearest"> (x, p) }'), {"x": IMAGE[:, :, 0], "p": POINTS[:, 0, :, :, :2]}),
            (
                "the nearest of a volume",
                newer(20, '(float[1, 1, a, b, c] x, float[1, d, e, f, 3] p) => (float[1, 1, d, e, f] y) { y = GridSample <mode = "nearest"> (x, p) }'),
                {"x": IMAGE.astype(np.float32), "p": POINTS.astype(np.float32)},
            ),
            ("a grid of as many dimensions as its map has", newer(20, "(float[n, a, b] t, int64[k] s) => (float[] y) { y = AffineGrid (t, s) }"), {"t": MAP, "s": np.array([1, 1, 2, 3])}),
            ("a volume as its map says", newer(20, "(float[n, a, b] t, int64[k] s) => (float[] y) { y = AffineGrid <align_corners = 1> (t, s) }"), {"t": np.ones((2, 3, 4), np.float32), "s": np.array([2, 1, 2, 3, 4])}),
            *(
                (f"{op} of any rank {attributes}", newer(26, f"(float[] x) => (float[] y) <int64 axis = {{-1}}> {{ y = {op} <{attributes}> (x, axis) }}"), {"x": NUMBERS})
                for op in ("CumSum", "CumProd")
                for attributes in ("exclusive = 0", "exclusive = 1, reverse = 1")
            ),
            *(
                (f"{op} along {axes or 'no'} axes or along none", newer(18, f"(float[2, 3] x) => (float[c, d] y) <int64[{1 if axes else 0}] axes = {{{axes}}}> {{ y = {op} <noop_with_empty_axes = 1> (x, axes) }}"), {"x": NUMBERS})
                for op in ("ReduceMax", "ReduceMean", "ReduceProd", "ReduceSum", "ReduceL1", "ReduceLogSumExp")
                for axes in ("-1", "")
            ),
            *(
                (f"codes as {made} by scales of {of}", newer(23, f"(uint8[2, n] x, {of}{of_rows} s, uint8{of_rows} z) => ({made}[2, n] y) {{ y = DequantizeLinear <axis = 0, output_dtype = {number}> (x, s, z) }}"), {"x": CODES, "s": np.full(rows, 0.1, kind), "z": np.full(rows, 3, np.uint8)})
                for of, kind in (("float", np.float32), ("float16", np.float16))
                for made, number in (("float", 1), ("float16", 10))
                for of_rows, rows in (("", ()), ("[2]", (2,)))
            ),
            *(
                (f"{of} divided in {precision}", newer(23, f"({of}[n] x, {of} s, uint8 z) => (uint8[n] y) {{ y = QuantizeLinear <precision = {number}> (x, s, z) }}"), {"x": np.linspace(-10, 15, 999).astype(kind), "s": np.array(0.1, kind), "z": np.array(100, np.uint8)})
                for of, kind, precision, number in (("float", np.float32, "float16", 10), ("float16", np.float16, "float", 1))
            ),
            ("16 bits of float16", newer(21, "(float16[n] x, float16 s, uint16 z) => (uint16[n] y) { y = QuantizeLinear (x, s, z) }"), {"x": np.linspace(-70, 900, 999).astype(np.float16), "s": np.array(1 / 32, np.float16), "z": np.array(3001, np.uint16)}),
            *(
                (f"codes of {kind} with {name}{zero and ' and zero points'}", newer(21, f"(float[2, n] x, float{dims} s{zero}) => ({kind}[2, n] y) {{ y = QuantizeLinear <axis = {axis}, output_dtype = {number}{blocks}> (x, s{', z' if zero else ''}) }}"), {"x": QUARTERS, "s": np.array(scale, np.float32)} | ({"z": np.full(np.shape(scale), 5, dtype)} if zero else {}))
                for kind, number, dtype in (("int8", 3, np.int8), ("uint16", 4, np.uint16))
                for name, axis, dims, scale, blocks in (
                    ("one scale", 0, "", 0.1, ""),
                    ("a scale for each row", 0, "[2]", [0.1, 0.2], ""),
                    ("scales in blocks", -1, "[2, k]", [[0.1, 0.2], [0.3, 0.4]], ", block_size = 2"),
                )
                for zero in ("", f", {kind}{dims} z")
            ),
        )
    ),
    *(
        Trial(f"points of what may be an image or a volume, {len(sizes)} dimensions, at {opset}", newer(20, "(float[] x, float[] p) => (float[] y) { y = GridSample (x, p) }"), ("--target-opset", opset),
              inputs={"x": np.arange(2 * np.prod(sizes), dtype=np.float32).reshape(1, 2, *sizes) % 7, "p": np.linspace(-1.2, 1.2, 3 * len(sizes), dtype=np.float32).reshape(1, 3, *[1] * (len(sizes) - 1), -1)})
        for opset in (17, 13)
        for sizes in ((3, 4), (2, 3, 4))
    ),
]


def model_of(trial: Trial) -> onnx.ModelProto:
    model = onnx.parser.parse_model(trial.model)
    model.graph.initializer.extend(trial.weights)
    return model


def is_valid(model: onnx.ModelProto) -> bool:
    """ONNX Runtime takes graph outputs without a shape, and onnx does not."""
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError:
        return False
    return True


def inputs_for(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)
    inputs = {}
    for value in model.graph.input:
        dims = [dim.dim_value or 2 for dim in value.type.tensor_type.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        inputs[value.name] = random.normal(size=dims).astype(dtype) if dtype.kind == "f" else np.ones(dims, dtype)
    return inputs


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_the_output_is_the_model_or_there_is_none(trial: Trial, tmp_path: pathlib.Path) -> None:
    model, output = model_of(trial), tmp_path / "out.onnx"
    arguments = list(trial.arguments)
    if trial.rule:
        (tmp_path / "rule.onnxtxt").write_text(trial.rule)
        arguments += ["--rules", tmp_path / "rule.onnxtxt"]
    result = tool.run(["-", "-o", output, *arguments], stdin=model.SerializeToString())
    if trial.refusal:
        tool.assert_clean_refusal(result)
        assert trial.refusal in result.stderr, str(result)
        assert not output.exists()
        return
    assert result.status == tool.DONE, str(result)
    assert trial.warning in result.stderr
    assert trial.warning or "warning" not in result.stderr, str(result)
    if is_valid(model):
        onnx.checker.check_model(onnx.load(output), full_check=True)
    inputs = trial.inputs or inputs_for(model)
    got = runtimes.in_onnxruntime(str(output))(inputs)
    if not trial.runs:
        return
    for name, want in runtimes.in_onnxruntime(model.SerializeToString())(inputs).items():
        # Other orders of the same float32 operations.
        assert_equal(name, got[name], want, 1e-5, 1e-6)


def test_a_chain_of_subgraphs_that_no_reader_takes(tmp_path: pathlib.Path) -> None:
    """Each function is an If that calls the next; ONNX Runtime runs the functions, but takes no file with 250 graphs in one another."""
    text = CONTRIB + "g (float[4] x, bool c) => (float[4] y) { y = d.F0 (x, c) } "
    for index in range(250):
        inner = f"d.F{index + 1} (a, c)" if index < 249 else "Neg (a)"
        text += D + f"F{index} (a, c) => (b) {{ b = If (c) <then_branch = g () => (t) {{ t = {inner} }}, else_branch = h () => (e) {{ e = Relu (a) }}> }} "
    output = tmp_path / "out.onnx"
    result = tool.run(["-", "-o", output], stdin=onnx.parser.parse_model(text).SerializeToString())
    assert result.status == tool.NOT_LOWERED and not output.exists()
    assert "nest" in result.stderr


LOOP = "g (int64 n, float[2] x) => (float[k, 2] y) { y = d.F (n, x) } "
LOOP_BODY = "F (n, x) => (y) { y = Loop (n) <body = b (int64 i, bool k) => (bool k2, float[2] s) { k2 = Identity (k)  s = Relu (x) }> }"


def test_optional_inputs_that_a_schema_wants_are_written(tmp_path: pathlib.Path) -> None:
    """ONNX Runtime runs a Loop without a condition in a function, and in a graph only one that leaves it out by an empty name."""
    model = onnx.parser.parse_model(CONTRIB + LOOP + D + LOOP_BODY)
    lowered = tool.lowered(model.SerializeToString())
    onnx.checker.check_model(onnx.load_model_from_string(lowered), full_check=True)
    inputs = {"n": np.array(3), "x": np.array([-1, 2], np.float32)}
    assert_equal("y", runtimes.in_onnxruntime(lowered)(inputs)["y"], np.tile(np.array([0, 2], np.float32), (3, 1)))


KEPT_FUNCTIONS = {
    "Relu": ("b = Relu (a)", [9, 13, 17, 25]), "HardSwish": ("s = Softmax <axis = 0> (a) b = HardSwish (s)", [9, 13, 17, 25]),
    "Reshape": ("s = Shape <start = 0> (a) b = Reshape <allowzero = 1> (a, s)", [13, 15, 17, 25]),
    "QuickGelu": ("b = com.microsoft.QuickGelu (a)", [13, 15, 17, 25]), "two": ("c = d.G (a) b = Neg (c)", [11, 17, 25]),
    "without ai.onnx": ("b = com.microsoft.QuickGelu (a)", [13, 15, 17, 25]),
}


FUNCTION_OF_D = '<domain: "d", opset_import: ["" : 18, "d" : 1]>'


@pytest.mark.parametrize("name", KEPT_FUNCTIONS)
def test_a_function_that_stays_follows_the_model_to_another_opset(name: str) -> None:
    """Runtimes inline it, and take its nodes for those of the model's own opset."""
    body, opsets = KEPT_FUNCTIONS[name]
    imports = 'opset_import: ["" : 21, "d" : 1, "com.microsoft" : 1]'
    own_imports = 'opset_import: ["com.microsoft" : 1]' if name == "without ai.onnx" else imports
    text = f"<ir_version: 10, {imports}> g (float[2] x) => (float[2] y) {{ y = d.F (x) }} <domain: \"d\", {own_imports}> F (a) => (b) {{ {body} }}"
    if name == "two":
        text += ' <domain: "d", opset_import: ["" : 21]> G (a) => (b) { b = HardSwish (a) }'
    model = onnx.parser.parse_model(text)
    feed = {"x": np.array([-1.5, 2], np.float32)}
    expected = runtimes.in_onnxruntime(model.SerializeToString())(feed)["y"]
    for opset in opsets:
        content = tool.lowered(model.SerializeToString(), ["--keep", "d::F", "--keep", "d::G", "--target-opset", opset])
        after = onnx.load_from_string(content)
        assert {opset} == {entry.version for part in (after, *after.functions) for entry in part.opset_import if not entry.domain}
        onnx.checker.check_model(after, full_check=True)
        np.testing.assert_allclose(runtimes.in_onnxruntime(content)(feed)["y"], expected, rtol=1e-6)
    # What cannot be said there of all types that it is called with is refused.
    if min(opsets) == 13:
        twice = onnx.parser.parse_model(text.replace("y = d.F (x)", "h = Cast <to = 11> (x)  w = d.F (h)  y = d.F (x)")).SerializeToString()
        tool.assert_clean_refusal(tool.lower(twice, ["--keep", "d::F", "--target-opset", 13]), tool.NOT_LOWERED)
        tool.lowered(twice, ["--keep", "d::F", "--target-opset", 15])


@pytest.mark.parametrize("op, count, opset", [("Pad", 4, 13), ("Dropout", 3, 11)])
def test_absent_inputs_that_an_older_version_lacks_go(op: str, count: int, opset: int) -> None:
    inputs = "float[2] x, int64[2] p" if op == "Pad" else "float[2] x"
    model = onnx.parser.parse_model(f"{CONTRIB} g ({inputs}) => (float[n] y) {{ y = {op} ({'x, p' if op == 'Pad' else 'x'}) }}")
    model.graph.node[0].input.extend([""] * (count - len(model.graph.node[0].input)))
    content = tool.lowered(model.SerializeToString(), ["--target-opset", opset])
    onnx.checker.check_model(onnx.load_model_from_string(content), full_check=True)
    feed = {"x": np.array([1, 2], np.float32)} | ({"p": np.array([1, 0])} if op == "Pad" else {})
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)(feed)["y"], [0, 1, 2] if op == "Pad" else [1, 2])


@pytest.mark.parametrize("axes", ["2", "-3", "0, 2"])
def test_an_axis_that_pad_does_not_have(axes: str) -> None:
    count = axes.count(",") + 1
    text = f"{CONTRIB} g (float[2,3] x, int64[{2 * count}] p) => (float[a,b] y) <int64[{count}] axes = {{{axes}}}, float zero = {{0.0}}> {{ y = Pad (x, p, zero, axes) }}"
    result = tool.lower(onnx.parser.parse_model(text).SerializeToString(), ["--target-opset", 17])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert f"axis {axes.split(', ')[-1]} is out of range" in result.stderr


@pytest.mark.parametrize("opset", [13, 18, 23])
def test_scales_without_elements_go_where_only_scales_or_sizes_may_be_given(opset: int) -> None:
    """ONNX Runtime sees that they are empty only where they are a constant."""
    text = '<ir_version: 6, opset_import: ["" : 11]> g (float[1,1,2,2] x, float[0] r, float[0] s) => (float[1,1,4,2] y) <int64[4] sizes = {1, 1, 4, 2}> { y = Resize (x, r, s, sizes) }'
    content = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--target-opset", opset])
    nothing = np.zeros(0, np.float32)
    x = np.array([[1, 2], [3, 4]], np.float32)
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)({"x": x[None, None], "r": nothing, "s": nothing})["y"][0, 0], np.repeat(x, 2, axis=0))


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("other, shape, is_taken", [
    ("q = Concat <axis = 0> (x, x)", "float[8]", False), ("q = Unsqueeze <axes = [0]> (x)", "float[1,4]", False),
    ("r = Concat <axis = 0> (x, x)  q = If (c) <then_branch = t () => (p2) { p2 = Neg (r) }, else_branch = e () => (q2) { q2 = Relu (r) }>", "float[8]", False),
    ("q = Neg (x)", "float[4]", True), ("q = Slice (x, b, e)", "float[k]", True),
])
def test_branches_of_different_shapes(other: str, shape: str, is_taken: bool, declared: bool) -> None:
    """Below 11 the branches of an If make the same shapes, which ONNX Runtime wants to see when it loads the model."""
    one, two = ("float[4] p", f"{shape} q") if declared else ("p", "q")
    branches = f"then_branch = f () => ({one}) {{ p = Relu (x) }}, else_branch = g () => ({two}) {{ {other} }}"
    text = f'<ir_version: 6, opset_import: ["" : 11]> g (bool c, float[4] x, int64[1] b, int64[1] e) => (y) {{ y = If (c) <{branches}> }}'
    given = onnx.parser.parse_model(text).SerializeToString()
    for opset in (9, 10):
        result = tool.lower(given, ["--target-opset", opset])
        if is_taken and not (opset == 9 and "Slice" in other):
            runtimes.in_onnxruntime(result.stdout)
        elif not is_taken:
            tool.assert_clean_refusal(result, tool.NOT_LOWERED)
            assert "its branches make results of different shapes, which version 1 of the operator does not take" in result.stderr
            assert result.stderr.strip().endswith(f"--target-opset 11 in place of {opset}"), result.stderr


@pytest.mark.parametrize("body, kind", [("y = SequenceConstruct (x, x)", "seq"), ("t = Neg (x) y = SequenceConstruct (t)", "seq"), ("y = Optional (x)", "optional")])
def test_an_output_that_is_no_tensor_is_declared_as_what_it_is(body: str, kind: str) -> None:
    """The model says that it is one, as exporters do of what a custom node gives."""
    text = ACME + f'<domain: "acme", opset_import: ["" : 18]> F (x) => (y) {{ {body} }}'
    result = tool.lower(onnx.parser.parse_model(text).SerializeToString())
    assert result.status == tool.DONE, str(result)
    assert f"'y' is declared as float[2,3], and its node makes {kind}(float[2,3]), which counts" in result.stderr
    import onnxruntime

    assert onnxruntime.InferenceSession(result.stdout).get_outputs()[0].type == f"{kind}(tensor(float))"


@pytest.mark.parametrize("opset", [11, 12, 13])
def test_branches_of_different_shapes_stay_from_11_on(opset: int) -> None:
    text = '<ir_version: 6, opset_import: ["" : 14]> g (bool c, float[4] x) => (y) { y = If (c) <then_branch = t () => (float[4] p) { p = Neg (x) }, else_branch = e () => (float[8] q) { q = Concat <axis = 0> (x, x) }> }'
    run = runtimes.in_onnxruntime(tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--target-opset", opset]))
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(run({"c": np.array(True), "x": x})["y"], -x)
    np.testing.assert_array_equal(run({"c": np.array(False), "x": x})["y"], np.concatenate([x, x]))


def test_absent_inputs_that_came_later_go_where_nothing_else_changes() -> None:
    """Pad has axes from 18 on, and says all else as before."""
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 18]> g (float[2] x) => (float[4] y) <int64[2] p = {1, 1}> { y = Pad (x, p) }')
    model.graph.node[0].input.extend(["", ""])
    content = tool.lowered(model.SerializeToString(), ["--target-opset", 13])
    assert list(onnx.load_model_from_string(content).graph.node[0].input) == ["x", "p", ""]
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)({"x": np.array([3, 4], np.float32)})["y"], [0, 3, 4, 0])


def test_an_element_of_a_sequence_has_its_type_at_an_older_opset() -> None:
    """Max took floats only below 12."""
    model = onnx.parser.parse_model(f"{CONTRIB} g (int64[2] x, int64[2] z, int64 i, int64 j) => (int64[2] y) {{ s = SequenceConstruct (x, z)  t = SequenceAt (s, i)  u = SequenceAt (s, j)  y = Max (t, u) }}")
    content = tool.lowered(model.SerializeToString(), ["--target-opset", 11])
    assert "Max" not in {node.op_type for node in onnx.load_model_from_string(content).graph.node}
    feed = {"x": np.array([1, 5]), "z": np.array([3, 4]), "i": np.array(0), "j": np.array(1)}
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)(feed)["y"], [3, 5])


MAP = """s = SequenceConstruct (x, w)
  m = SequenceMap (s, k) <body = b (t, f) => (o) { o = Mul (t, f) }>
  y = ConcatFromSequence <axis = 0> (m)"""
SCAN = """y, all = Scan (k, x) <num_scan_inputs = 1, body = b (v, t) => (next, o) { next = Add (v, t)  o = Mul (next, t) }>"""


@pytest.mark.parametrize("body, outputs, opsets", [(MAP, "float[N, 3] y", (18, 21)), (SCAN, "float[3] y, float[N, 3] all", (9, 13, 18, 21))])
@pytest.mark.parametrize("rows", ["2", "R"])
def test_a_body_in_a_function_gets_the_types_that_it_is_called_with(body: str, outputs: str, opsets: tuple, rows: str) -> None:
    """A function says none, and a runtime infers them where it inlines it: ONNX Runtime wants to read those of a SequenceMap's body, OpenVINO those of a Scan's."""
    names = re.sub(r"float\[[^]]*\] ", "", outputs)
    text = f'''<ir_version: 8, opset_import: ["" : 18, "d" : 1]>
g (float[{rows}, 3] x, float[1, 3] w, float[3] k) => ({outputs}) {{ {names} = d.F (x, w, k) }}
<domain: "d", opset_import: ["" : 18]> F (x, w, k) => ({names}) {{ {body} }}'''
    given = onnx.parser.parse_model(text).SerializeToString()
    rng = np.random.default_rng(0)
    feed = {"x": rng.normal(size=(2, 3)).astype(np.float32), "w": rng.normal(size=(1, 3)).astype(np.float32), "k": rng.normal(size=3).astype(np.float32)}
    wanted = runtimes.in_onnxruntime(given)(feed)
    for opset in opsets:
        lowered = tool.lowered(given, ["--target-opset", str(opset)])
        for runtime in [runtimes.in_onnxruntime, *([runtimes.in_openvino] if body == SCAN else [])]:
            computed = runtime(lowered)(feed)
            for name, value in wanted.items():
                assert_equal(name, computed[name], value)


@pytest.mark.parametrize("body, kind, opset", [
    ("Equal (a, b)", np.float32, 10), ("Max (a, b)", np.int64, 11), ("Add (a, b)", np.int8, 13), ("Relu (a)", np.int64, 13), ("Clip (a)", np.int32, 11), ("d.G (a, b)", np.float32, 10)])
def test_a_function_that_stays_has_the_types_that_it_is_called_with(body: str, kind: type, opset: int) -> None:
    """Each of the operators did not take the type at that opset."""
    name = onnx.helper.tensor_dtype_to_string(onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind))).removeprefix("TensorProto.").lower()
    text = f'<ir_version: 8, opset_import: ["" : 18, "d" : 1]> g ({name}[2] x, {name}[2] z) => (y) {{ t = Identity (z) y = d.F (x, t) }} {FUNCTION_OF_D} F (a, b) => (c) {{ c = {body} }} {FUNCTION_OF_D} G (a, b) => (c) {{ c = Equal (a, b) }}'
    given = onnx.parser.parse_model(text).SerializeToString()
    content = tool.lowered(given, ["--keep", "d::F", "--keep", "d::G", "--keep", "d::H", "--target-opset", opset])
    feed = {"x": np.array([1, -2], kind), "z": np.array([1, 3], kind)}
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)(feed)["y"], runtimes.in_onnxruntime(given)(feed)["y"])


@pytest.mark.parametrize("order", ["y = d.F (x, x)  w = d.F (z, z)", "w = d.F (z, z)  y = d.F (x, x)", "w = d.H (z, z)  y = d.F (x, x)", "y = d.F (x, x)  w = d.H (z, z)"])
def test_a_function_that_stays_is_for_all_types_that_it_is_called_with(order: str) -> None:
    text = f'<ir_version: 8, opset_import: ["" : 18, "d" : 1]> g (bool[2] x, int64[2] z) => (bool[2] y, bool[2] w) {{ {order} }} {FUNCTION_OF_D} F (a, b) => (c) {{ c = Equal (a, b) }} {FUNCTION_OF_D} H (a, b) => (c) {{ c = d.F (a, b) }}'
    content = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--keep", "d::F", "--keep", "d::G", "--keep", "d::H", "--target-opset", 10])
    results = runtimes.in_onnxruntime(content)({"x": np.array([True, False]), "z": np.array([1, 3])})
    assert results["y"].all() and results["w"].all()


@pytest.mark.parametrize("order", ["y = d.F (x, x)  w = d.F (z, z)", "w = d.F (z, z)  y = d.F (x, x)", "w = d.H (z, z)  y = d.F (x, x)", "y = d.H (x, x)  w = d.H (z, z)"])
@pytest.mark.parametrize("body, opset, fits", [
    ("c = Equal (a, b)", 10, 11), ("t = Add (a, b)  u = Identity (t)  c = Equal (u, t)", 10, 11), ("c = Equal (a, b)  t = Max (a, b)", 11, 12),
    ("k = Constant <value = bool {1}> ()  c = If (k) <then_branch = t () => (p) { p = Equal (a, b) }, else_branch = e () => (q) { q = Less (a, b) }>", 10, 11),
    ("t = com.microsoft.QuickGelu (a)  c = Equal (a, t)", 10, None),
])
def test_a_function_that_stays_is_refused_where_it_does_not_take_each_type_that_it_is_called_with(body: str, opset: int, fits: int | None, order: str) -> None:
    """Equal took no floats before 11, and Max no integers before 12. QuickGelu becomes nodes that are for floats only."""
    imports = '["" : 18, "d" : 1, "com.microsoft" : 1]'
    function = f'<domain: "d", opset_import: {imports}>'
    text = f'<ir_version: 8, opset_import: {imports}> g (float[2] x, int64[2] z) => (bool[2] y, bool[2] w) {{ {order} }} {function} F (a, b) => (c) {{ {body} }} {function} H (a, b) => (c) {{ i = Identity (b)  c = d.F (a, i) }}'
    given = onnx.parser.parse_model(text).SerializeToString()
    keep = ["--keep", "d::F", "--keep", "d::H"]
    result = tool.lower(given, [*keep, "--target-opset", opset])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "without --keep, each call would get nodes of its own): input '" in result.stderr, result.stderr
    if fits is not None:
        tool.lowered(given, ["--target-opset", opset])
        results = runtimes.in_onnxruntime(tool.lowered(given, [*keep, "--target-opset", fits]))({"x": np.array([1, -2], np.float32), "z": np.array([1, 3])})
        assert results["y"].all() and results["w"].all()


@pytest.mark.parametrize("opset", [12, 14])
@pytest.mark.parametrize("op", ["ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"])
def test_no_axes_are_no_attribute(op: str, opset: int) -> None:
    """onnx's checker refused an empty list up to 1.9, and so do the runtimes of that time."""
    model = onnx.parser.parse_model(f"{CONTRIB} g (float[3,2] x) => (float[1,1] y) <int64[0] axes = {{}}> {{ y = {op} (x, axes) }}")
    content = tool.lowered(model.SerializeToString(), ["--target-opset", opset])
    assert not any(attribute.name == "axes" for node in onnx.load_from_string(content).graph.node for attribute in node.attribute)
    feed = {"x": np.array([[1, 2], [3, 0.5], [0.25, 4]], np.float32)}
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)(feed)["y"], runtimes.in_onnxruntime(model.SerializeToString())(feed)["y"])


def test_a_loop_without_carried_values_is_refused_where_its_version_wants_one() -> None:
    loop = LOOP_BODY.partition("y = ")[2].removesuffix(" }").replace("Loop (n)", "Loop (n, c)")
    model = onnx.parser.parse_model(CONTRIB + f"g (int64 n, bool c, float[2] x) => (float[k, 2] y) {{ y = {loop} }}")
    result = tool.lower(model.SerializeToString(), ["--target-opset", 10])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "version 1 of the operator takes at least 3 inputs, and the node has 2" in result.stderr
    assert result.stderr.strip().endswith("--target-opset 11 in place of 10"), result.stderr


@pytest.mark.parametrize("inner, advised", [
    ("Erf (x)", 9),
    ("Erf (x)  z = Upsample <scales = [1.0, 1.0, 2.0, 2.0]> (x)", 9),
    ("Erf (x)  z = Scan <num_scan_inputs = 1, body = b (float[2,2] i) => (float[2,2] o) { o = Identity (i) }> (n, x)", None),
])
def test_the_advised_opset_is_one_that_leads_to_a_model(inner: str, advised: int | None) -> None:
    """Erf came with 9, where the Scan of 8 with lengths of its own is no node of any operator."""
    outputs = "float[1, 1, 2, 2] y" + (", float[p, q, r, t] z" if "z =" in inner else "")
    text = inner.replace("Erf", "com.microsoft.Gelu", 1)
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 8, "com.microsoft" : 1]> g (float[1, 1, 2, 2] x, int64[1] n) => ({outputs}) {{ y = {text} }}')
    result = tool.lower(model.SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    if advised is None:
        assert "--target-opset" not in result.stderr
        return
    assert result.stderr.strip().endswith(f"--target-opset {advised}"), result.stderr
    tool.lowered(model.SerializeToString(), ["--target-opset", advised])


def test_a_list_goes_with_its_last_use_whatever_a_function_calls_its_own() -> None:
    """A list of several types is none of ONNX; here a rule takes its tensors, in a function whose input has the list's name."""
    imports = '"" : 17, "d" : 1, "aten" : 1'
    text = f'<ir_version: 8, opset_import: [{imports}]> g (float[2] a, double[2] b) => (double[4] y) {{ s = SequenceConstruct (a, b)  y = d.F (s) }}'
    given = onnx.parser.parse_model(f'{text} <domain: "d", opset_import: [{imports}]> F (s) => (y) {{ y = aten.hstack (s) }}').SerializeToString()
    content = tool.lowered(given)
    assert "SequenceConstruct" not in {node.op_type for node in onnx.load_model_from_string(content).graph.node}
    feed = {"a": np.array([1, 2], np.float32), "b": np.array([3, 4], np.float64)}
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)(feed)["y"], [1, 2, 3, 4])


def test_an_if_that_gives_a_sequence_is_refused_where_its_version_gives_tensors() -> None:
    """Only the declaration of the output tells."""
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 16]> g (float[4] x, bool c) => (seq(float[4]) s) {
      s = If (c) <then_branch = a () => (t) { t = SequenceConstruct (x) }, else_branch = b () => (u) { u = SequenceConstruct (x, x) }> }""")
    result = tool.lower(model.SerializeToString(), ["--target-opset", 12])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "'outputs' cannot be a sequence in version 11 of the operator" in result.stderr and "--target-opset 13" in result.stderr


@pytest.mark.parametrize("opset", [13, 19, 23])
def test_a_scale_for_each_channel_stays_where_both_versions_take_it(opset: int) -> None:
    """Below 13 a scale is one number; 21 and these are not."""
    model = onnx.parser.parse_model('<ir_version: 10, opset_import: ["" : 21]> g (uint8[2,3] x, float[3] s, uint8[3] z) => (float[2,3] y) { y = DequantizeLinear <axis = 1> (x, s, z) }')
    content = tool.lowered(model.SerializeToString(), ["--target-opset", opset])
    assert [node.op_type for node in onnx.load_model_from_string(content).graph.node] == ["DequantizeLinear"]
    feed = {"x": np.array([[1, 2, 3], [4, 5, 6]], np.uint8), "s": np.float32([0.5, 1, 2]), "z": np.array([0, 1, 2], np.uint8)}
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)(feed)["y"], [[0.5, 1, 2], [2, 4, 8]])


def test_outputs_that_are_other_values() -> None:
    """Casts that change nothing are left out, so that two outputs of a call in a function are what goes into it."""
    model = onnx.parser.parse_model(f"""{CONTRIB} g (float[4] x, float[4] w) => (float[4] y) {{ y = d.F (x, w) }}
      {D} F (a, w) => (y) {{ p, q, r = d.G (a, w)  y = Sum (p, q, r) }}
      {D} G (a, w) => (b, c, d) {{ b = Relu (a)  c = Cast <to = 1> (w)  d = Cast <to = 1> (a) }}""")
    content = tool.lowered(model.SerializeToString())
    assert [node.op_type for node in onnx.load_model_from_string(content).graph.node] == ["Relu", "Sum"]
    feed = {"x": np.float32([-2, -1, 1, 2]), "w": np.float32([8, 16, 32, 64])}
    np.testing.assert_array_equal(runtimes.in_onnxruntime(content)(feed)["y"], [6, 15, 34, 68])


@pytest.mark.parametrize("other, element_type", [("EyeLike (i)", "INT32"), ("EyeLike <dtype = 7> (x)", "INT64")])
def test_branches_of_two_types_are_refused(other: str, element_type: str) -> None:
    """Of an operator whose attribute says the type, and where it is absent, the input does."""
    model = onnx.parser.parse_model(f"""{CONTRIB} g (float[4, 4] x, int32[4, 4] i, bool c) => (float[4, 4] y) {{ y = d.F (x, i, c) }}
      {D} F (x, i, c) => (y) {{ y = If (c) <then_branch = a () => (t) {{ t = Relu (x) }}, else_branch = b () => (u) {{ u = {other} }}> }}""")
    result = tool.lower(model.SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert f"its branches give 'y' elements of two types, FLOAT and {element_type}" in result.stderr


def test_inputs_of_bodies_have_the_shapes_that_are_known() -> None:
    """Not those of what is in a list, of which each may have another; and of what has no known shape it is not said that it has no dimensions."""
    text = CONTRIB + "g ({0} x) => ({0} y) {{ y = d.F (x) }} " + D.replace("{", "{{") + "F (x) => (y) {{ y = {1} <{2}body = b (e) => (f) {{{{ f = Relu (e) }}}}> }}"
    for container, operator, attribute in (("seq(float[4])", "SequenceMap (x)", ""), ("float[2, 4]", "Scan (x)", "num_scan_inputs = 1, "), ("float[N, M]", "Scan (x)", "num_scan_inputs = 1, ")):
        model = onnx.parser.parse_model(text.format(container, operator, attribute).replace("{{", "{").replace("}}", "}"))
        if container == "float[N, M]":
            for value in (*model.graph.input, *model.graph.output):
                value.type.tensor_type.ClearField("shape")
        (node,) = onnx.load_model_from_string(tool.lowered(model.SerializeToString())).graph.node
        body = next(one.g for one in node.attribute if one.name == "body")
        tensor = body.input[0].type.tensor_type
        assert tensor.elem_type == onnx.TensorProto.FLOAT
        assert tensor.HasField("shape") == (container == "float[2, 4]"), container
        if tensor.HasField("shape"):
            assert [dim.dim_value for dim in tensor.shape.dim] == [4]


def test_a_node_of_a_function_is_judged_by_the_types_of_all_its_inputs() -> None:
    """A Pow whose exponents are of 8 bits is not for every runtime, be it that the call before had floats."""
    model = onnx.parser.parse_model(f"""{CONTRIB} g (float[4] x, float[4] e, int8[4] n) => (float[4] y, float[4] z) {{ y = d.F (x, e)  z = d.F (x, n) }}
      {D} F (a, e) => (b) {{ c = Pow (a, e)  b = Relu (c) }}""")
    content = tool.lowered(model.SerializeToString())
    assert [node.op_type for node in onnx.load_model_from_string(content).graph.node] == ["Pow", "Relu", "Cast", "Cast", "Pow", "Cast", "Relu"]
    feed = {"x": np.float32([1, 2, 3, 4]), "e": np.float32([2, 2, 2, 0.5]), "n": np.array([1, 2, 3, -1], np.int8)}
    found = runtimes.in_onnxruntime(content)(feed)
    np.testing.assert_array_equal(found["y"], [1, 4, 9, 2])
    np.testing.assert_array_equal(found["z"], [1, 4, 27, 0.25])


def test_functions_that_are_called_again_after_many_others() -> None:
    """More than are remembered at once."""
    count = 1100
    calls = " ".join(f"t{index + 1} = d.F{index % count} (t{index})" for index in range(2 * count))
    functions = "".join(f'<domain: "d", opset_import: ["" : 18]> F{index} (a) => (b) {{ c = Neg (a)  b = Abs (c) }}' for index in range(count))
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 18, "d" : 1]> g (float[4] t0) => (float[4] y) {{ {calls}  y = Relu (t{2 * count}) }} {functions}')
    content = tool.lowered(model.SerializeToString())
    assert [node.op_type for node in onnx.load_model_from_string(content).graph.node] == ["Neg", "Abs"] * 2 * count + ["Relu"]
    onnx.checker.check_model(onnx.load_model_from_string(content), full_check=True)
