# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the tool takes ONNX Runtime to have no kernel for. A type that it has learned, and one that it has lost, are for targets/probe/kernel_gaps.py to write."""
from __future__ import annotations

import importlib.util

import numpy as np
import onnx
import onnxruntime
import pytest

import tool
from onnx import TensorProto, helper


def test_the_list_is_that_of_the_runtime() -> None:
    spec = importlib.util.spec_from_file_location("kernel_gaps", tool.REPOSITORY / "targets" / "probe" / "kernel_gaps.py")
    gaps = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gaps)
    recorded = gaps.TARGET.read_text()
    assert "\nWhere 16..  not dtype(X) in (bfloat16, int16, uint16, uint64, bool)\n" in recorded
    assert gaps.rewritten(recorded) == recorded


# Types for which ONNX Runtime has no kernel, and numbers that are exact in them.
WITHOUT_KERNEL = [
    *[(f"{op} (x)", "double") for op in ("Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cosh", "Elu", "Erf", "Gelu", "HardSwish", "LeakyRelu", "Mish", "Selu", "Sinh", "Softplus", "Softsign", "Tan")],
    *[(f"{op} (x)", "bfloat16") for op in ("Abs", "Asinh", "Exp", "Gelu", "Neg", "ReduceSum", "Relu", "Sigmoid", "Softmax", "Sqrt")],
    *[(f"{op} (x, x)", "bfloat16") for op in ("Add", "Div", "MatMul", "Max", "Mul", "Pow")],
    *[(f"{op} (x, x)", kind) for op in ("Max", "Min") for kind in ("int16", "uint16")],
    *[("Relu (x)", kind) for kind in ("int16", "int64")],
    *[("Swish (x)", kind) for kind in ("float", "double", "bfloat16")],
]


@pytest.mark.parametrize("opset", [13, 18, 26])
@pytest.mark.parametrize("node, kind", WITHOUT_KERNEL, ids=lambda value: value.replace(" ", ""))
def test_what_a_function_computes_is_computed_in_a_type_with_kernel(node: str, kind: str, opset: int) -> None:
    """The function is the model's own: what it says in standard operators is a rule like any other. It gives the number that the type above gives."""
    written_for = 26 if node.startswith("Swish") else max(opset, 20)
    text = f'<ir_version: 8, opset_import: ["" : {opset}, "d" : 1]> g ({kind}[2, 2] x) => ({kind}[] y) {{ y = d.F (x) }}'
    model = onnx.parser.parse_model(text + f' <domain: "d", opset_import: ["" : {written_for}]> F (x) => (y) {{ y = {node} }}')
    session = onnxruntime.InferenceSession(tool.lowered(model.SerializeToString()), providers=["CPUExecutionProvider"])
    assert session.get_outputs()[0].type == f"tensor({kind})"


@pytest.mark.parametrize("op", ["Acos", "Asin", "Atan", "Erf", "Tan"])
def test_a_function_of_doubles_is_as_accurate_as_doubles(op: str) -> None:
    import mpmath

    values = np.array([0.0, -0.0, 1e-300, 1e-17, -1e-8, 1e-3, 0.3, -0.5, 0.7071067811865476, 0.999999999, -1.0, 1.0, *([] if op in ("Acos", "Asin") else [1.0000001, 1.5, -2.0, 3.5, 5.9, 20.0, -700.0])])
    model = onnx.parser.parse_model(
        f'<ir_version: 8, opset_import: ["" : 18, "d" : 1]> g (double[N] x) => (double[N] y) {{ y = d.F (x) }} <domain: "d", opset_import: ["" : 18]> F (x) => (y) {{ y = {op} (x) }}'
    )
    session = onnxruntime.InferenceSession(tool.lowered(model.SerializeToString()), providers=["CPUExecutionProvider"])
    with mpmath.workdps(40):
        exact = [float(getattr(mpmath, op.lower())(mpmath.mpf(float(value)))) for value in values]
    # Some fifty additions and products, each of which may be off by 1e-16.
    np.testing.assert_allclose(session.run(None, {"x": values})[0], exact, rtol=2e-14, atol=0)
    odd = np.array([np.nan, *([np.inf, -np.inf] if op in ("Atan", "Erf") else []), *([1.5, -2.0] if op in ("Acos", "Asin") else [])])
    with np.errstate(invalid="ignore"):
        functions = {"Acos": np.arccos, "Asin": np.arcsin, "Atan": np.arctan, "Erf": lambda x: np.where(np.isnan(x), x, np.sign(x)), "Tan": np.tan}
        wanted = functions[op](odd)
    np.testing.assert_allclose(session.run(None, {"x": odd})[0], wanted, rtol=1e-15, atol=0)


@pytest.mark.parametrize("source", ["s = SequenceConstruct (x)  t = SequenceAt (s, i)", "o = Optional (x)  t = OptionalGetElement (o)", "s = SequenceConstruct (x, x)  t = ConcatFromSequence <axis = 0> (s)"])
def test_types_that_only_inference_knows(source: str) -> None:
    model = onnx.parser.parse_model(
        f'<ir_version: 8, opset_import: ["" : 18, "d" : 1]> g (double[2] x, int64 i) => (double[N] y) {{ {source}  y = d.F (t) }} <domain: "d", opset_import: ["" : 18]> F (x) => (y) {{ y = Atan (x) }}'
    )
    session = onnxruntime.InferenceSession(tool.lowered(model.SerializeToString()), providers=["CPUExecutionProvider"])
    values = np.array([0.25, -3.0])
    wanted = np.arctan(values if "Concat" not in source else np.concatenate([values, values]))
    np.testing.assert_allclose(session.run(None, {"x": values, "i": np.array(0)})[0], wanted, rtol=2e-14, atol=0)


@pytest.mark.parametrize("element_type", ["int16", "uint16", "uint64", "bool"])
@pytest.mark.parametrize("opset", [9, 16, 22])
def test_a_rule_may_choose_between_values_of_any_type(element_type: str, opset: int, tmp_path) -> None:
    (tmp_path / "rule.onnxtxt").write_text('<domain: "d", opset_import: ["" : 16]>\nChoose (c, x, z) => (y) { y = Where (c, x, z) }\n')
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(element_type))
    values = [helper.make_tensor_value_info("c", TensorProto.BOOL, [2, 1])] + [helper.make_tensor_value_info(name, kind, [3]) for name in "xz"]
    graph = helper.make_graph([helper.make_node("Choose", ["c", "x", "z"], ["y"], domain="d")], "g", values, [helper.make_tensor_value_info("y", kind, [2, 3])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("d", 1)], ir_version=8)
    onnx.save(model, tmp_path / "in.onnx")
    result = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--rules", tmp_path / "rule.onnxtxt"])
    assert result.status == tool.DONE, str(result)
    session = onnxruntime.InferenceSession(tmp_path / "out.onnx", providers=["CPUExecutionProvider"])
    largest = True if element_type == "bool" else np.iinfo(element_type).max
    feed = {"c": np.array([[True], [False]]), "x": np.array([0, 1, largest], element_type), "z": np.array([largest, 0, 1], element_type)}
    y = session.run(None, feed)[0]
    assert y.dtype == feed["x"].dtype
    np.testing.assert_array_equal(y, np.where(feed["c"], feed["x"], feed["z"]))


@pytest.mark.parametrize("kind", ["float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"])
def test_floats_of_8_bits_keep_their_values_where_only_the_newer_version_has_a_kernel(kind: str) -> None:
    """ONNX Runtime reshapes them from version 21 on. All 256 of them go in, infinities and what is no number too, which a Cast that saturates would lose."""
    element_type = getattr(TensorProto, kind.upper())
    numbers = helper.make_tensor("numbers", element_type, [256], bytes(range(256)), raw=True)
    shape = helper.make_tensor("shape", TensorProto.INT64, [2], [16, 16])
    nodes = [helper.make_node("Reshape", ["numbers", "shape"], ["r"]), helper.make_node("Cast", ["r"], ["y"], to=TensorProto.FLOAT)]
    graph = helper.make_graph(nodes, "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [16, 16])], [numbers, shape])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10).SerializeToString()
    before, after = (onnxruntime.InferenceSession(given, providers=["CPUExecutionProvider"]).run(None, {})[0] for given in (model, tool.lowered(model, ["--target-opset", "19"])))
    np.testing.assert_array_equal(after, before)


@pytest.mark.parametrize("in_function", [False, True])
@pytest.mark.parametrize("opset", [*range(7, 16), 17, 18, 19])
def test_a_mean_and_variance_of_half_precision_at_opsets_at_which_onnx_runtime_has_the_function_alone(opset: int, in_function: bool) -> None:
    """At 9, 10, 13 and 18 it takes the function of the schema, whose constants are floats, and refuses what it makes of it."""
    text = '<ir_version: 8, opset_import: ["" : 17%s]> g (float16[2, 3, 2, 4] x) => (float16[2, 3, 2, 4] y) { %s }'
    node = "y = MeanVarianceNormalization <axes = [0, 1]> (x)"
    if in_function:
        text = text % (', "d" : 1', "y = d.F (x)") + f' <domain: "d", opset_import: ["" : 17]> F (x) => (y) {{ {node} }}'
    else:
        text = text % ("", node)
    out = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--target-opset", str(opset)])
    x = np.random.default_rng(5).standard_normal([2, 3, 2, 4]).astype(np.float16)
    found = onnxruntime.InferenceSession(out, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]
    exact = x.astype(np.float64)
    expected = (exact - exact.mean((0, 1), keepdims=True)) / exact.std((0, 1), keepdims=True)
    assert found.dtype == np.float16
    np.testing.assert_allclose(found, expected, rtol=2e-3, atol=1e-3)
    if opset in (11, 12, 14, 15, 17, 19):
        assert [node.op_type for node in onnx.load_from_string(out).graph.node] == ["MeanVarianceNormalization"]


# What ONNX Runtime executes by the function of the schema at these opsets only, as it has no kernel for that type.
BY_FUNCTION = [
    *[(f"{op} (x)", "double", (18,)) for op in ("Elu <alpha = 0.7>", "HardSigmoid <alpha = 0.3>", "HardSwish", "Mish", "Selu", "Softplus", "Softsign", "ThresholdedRelu <alpha = 0.5>")],
    ("LeakyRelu <alpha = 0.2> (x)", "double", (16, 17, 18)),
    *[("PRelu (x, x)", kind, (16, 17, 18)) for kind in ("double", "int32", "uint32", "int64")],
    ("Relu (x)", "int64", (18,)),
    *[("ReduceLogSumExp (x)", kind, (18,)) for kind in ("uint32", "uint64")],
    *[("Swish <alpha = 0.8> (x)", kind, (24,)) for kind in ("float", "double", "float16")],
    *[("Attention (x, x, x)", "double", (23, 24))],
]


@pytest.mark.parametrize("node, kind, opsets", BY_FUNCTION, ids=lambda value: str(value).replace(" ", ""))
def test_a_node_that_is_a_function_at_its_own_opset_runs_at_every_other(node: str, kind: str, opsets: tuple[int, ...]) -> None:
    """Whatever opset it is written for; and it stays what it is where the function is still taken."""
    numbers = np.array([-3, -1, 0, 1, 2, 4]) if not kind.startswith("u") else np.array([0, 1, 2, 3, 4, 5])
    x = numbers.astype({"float": "float32", "double": "float64"}.get(kind, kind)).reshape([1, 1, 2, 3])
    for opset in opsets:
        model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> g ({kind}[1, 1, 2, 3] x) => ({kind}[] y) {{ y = {node} }}').SerializeToString()
        expected = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]
        for target in range(9, 27):
            out = tool.lowered(model, ["--target-opset", str(target)])
            found = onnxruntime.InferenceSession(out, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]
            assert found.dtype == expected.dtype
            # Some operators are a few in other words, each of which rounds. The function of Attention has its scale as a float, and that of HardSwish its sixth,
            # where what HardSwish becomes has all digits of a double.
            rounding = 1e-6 if node.startswith("Attention") else 3e-8 if node.startswith("HardSwish") else 4 * np.finfo(x.dtype).eps if x.dtype.kind == "f" else 0
            np.testing.assert_allclose(found, expected, rtol=rounding, atol=1e-15, err_msg=f"{opset} to {target}")
            if target in opsets and onnx.defs.get_schema(node.split()[0], opset).since_version == onnx.defs.get_schema(node.split()[0], target).since_version:
                assert [one.op_type for one in onnx.load_from_string(out).graph.node] == [node.split()[0]]


def test_a_version_that_no_runtime_executes_is_refused_where_the_own_one_runs() -> None:
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 21]> g (float[2] x) => (float[] y) { y = RandomNormalLike (x) }').SerializeToString()
    result = tool.run(["-", "-o", "-", "--target-opset", "22"], stdin=model)
    assert result.status == tool.NOT_LOWERED
    assert "ONNX Runtime or OpenVINO does not take RandomNormalLike of version 22; at opset 21, which the model imports, both do" in str(result)
    kept = onnx.load_from_string(tool.lowered(model, ["--target-opset", "22", "--keep", "ai.onnx::RandomNormalLike"]))
    assert kept.opset_import[0].version == 22 and kept.graph.node[0].op_type == "RandomNormalLike"


# And what it has no kernel of and takes as no function either.
WITHOUT_EITHER = [
    *[(f"{op} (x)", kind) for op in ("ReduceLogSum", "ReduceLogSumExp") for kind in ("uint32", "uint64")],
    ("ReduceSumSquare (x)", "uint32"),
    *[(f"{op} (x)", "double") for op in ("Gelu", "GlobalLpPool")],
    ("GlobalLpPool (x)", "float"),
    *[(f"{op} (x, x)", "double") for op in ("Max", "Min")],
    ("Clip <max = 2.0> (x)", "double"),
]


@pytest.mark.parametrize("node, kind", [*[(node, kind) for node, kind, _ in BY_FUNCTION], *WITHOUT_EITHER], ids=lambda value: str(value).replace(" ", ""))
def test_the_target_knows_at_which_opsets_it_has_a_kernel_or_a_function(node: str, kind: str) -> None:
    """What it refuses at some opsets, no rule says there in others."""
    op_type = node.split()[0]
    for opset in range(7, 27):
        if not onnx.defs.has(op_type, opset, "") or "Clip" in node and opset > 10:
            continue
        model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> g ({kind}[1, 1, 2, 3] x) => ({kind}[] y) {{ y = {node} }}')
        schema = onnx.defs.get_schema(op_type, opset, "")
        if f"tensor({kind})" in schema.inputs[0].types:
            result = tool.lower(model.SerializeToString(), ["--target", "onnxruntime-1.31"])
            assert result.status == tool.DONE or "onnxruntime-1.31 takes it only where" in str(result)
            if result.status == tool.DONE:
                onnxruntime.InferenceSession(result.stdout, providers=["CPUExecutionProvider"])
