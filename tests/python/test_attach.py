# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--attach: the nodes stay, and what a rule makes of them becomes a model-local function that ONNX Runtime executes."""
from __future__ import annotations

import json
import pathlib
import shutil

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper

import model_checks
import runtimes
import tool
from compare import assert_equal
from model_checks import all_nodes
from test_cases import CASES, ModelCase, check_numbers

STANDARD = ("", "ai.onnx", "ai.onnx.ml")
LOWERED = [case for case in CASES if case.says["expect"] == "lowered"]


def lower(case: ModelCase, model: pathlib.Path, *arguments: str) -> bytes:
    """In a copy of the case's files, which `model` lies beside."""
    for path in case.beside:
        if not (model.parent / path.name).exists():
            shutil.copy(path, model.parent)
    output = model.parent / "out.onnx"
    result = tool.run([model.name, "-o", output.name, *arguments], cwd=model.parent)
    assert result.status == tool.DONE, str(result)
    return output.read_bytes()


def functions(model: onnx.ModelProto) -> dict[tuple[str, str, str], onnx.FunctionProto]:
    found = {(function.domain, function.name, function.overload): function for function in model.functions}
    assert len(found) == len(model.functions), "two functions of one name"
    return found


def operator(node: onnx.NodeProto) -> tuple[str, str, str]:
    return node.domain, node.op_type, node.overload


def without_ir_version(model: bytes) -> bytes:
    message = onnx.load_model_from_string(model)
    message.ClearField("ir_version")
    return message.SerializeToString()


@pytest.mark.parametrize("case", LOWERED, ids=lambda case: case.name)
def test_case(case: ModelCase, tmp_path: pathlib.Path) -> None:
    """The custom nodes stay, ONNX Runtime executes the model, and lowering it gives what lowering the original gives."""
    arguments = case.says.get("arguments", [])
    model = tmp_path / "model.onnx"
    shutil.copy(case.model, model)
    attached = lower(case, model, "--attach", *arguments)
    message = onnx.load_model_from_string(attached)
    before = onnx.load(case.model, load_external_data=False)
    known = functions(message)
    custom = [node for node in all_nodes(message) if node.domain not in STANDARD]
    assert {operator(node) for node in custom} <= known.keys()
    # Where a function would not be looked for, the nodes are expanded all the same.
    own = {node.name for node in all_nodes(before) if node.domain not in STANDARD and node.name and node.op_type not in runtimes.operators_without_kernel()}
    assert own <= {node.name for node in all_nodes(message)}, "a custom node has gone"
    imported = {entry.domain for entry in message.opset_import}
    assert {node.domain for node in custom} <= imported
    path = tmp_path / "out.onnx"
    if any(tensor.external_data for tensor in message.graph.initializer):
        onnx.checker.check_model(path, full_check=True)
    else:
        inputs, expected = case.sets()[0]
        model_checks.assert_valid(message, {**inputs, **expected})
    # ONNX Runtime's optimizer makes a 4-bit DequantizeLinear of its own and a MatMul one node that rounds to 8 bits.
    fuses = any(node.domain == "com.microsoft" and node.op_type == "DequantizeLinear" for node in custom)
    check_numbers(case, runtimes.in_onnxruntime(str(path), optimize=not fuses))
    assert lower(case, path, "--attach", *arguments) == attached, "attaching twice is not attaching once"
    again = tmp_path / "attached.onnx"
    again.write_bytes(attached)
    lowered_later = lower(case, again, *arguments)
    # A function serves all calls, and has no weights that are made of those of one node.
    if any(node.op_type == "MatMulNBits" for node in all_nodes(before)):
        check_numbers(case, runtimes.in_onnxruntime(lowered_later))
    else:
        assert without_ir_version(lowered_later) == without_ir_version(lower(case, model, *arguments))


# What the cases do not show, on small models.


def threshold_model(ir_version: int, *nodes: onnx.NodeProto, elem_types: tuple[int, ...] = (TensorProto.FLOAT,), opset: int = 18) -> bytes:
    """Node k computes yk from xk."""
    inputs = [helper.make_tensor_value_info(f"x{k}", kind, ["n"]) for k, kind in enumerate(elem_types)]
    outputs = [helper.make_tensor_value_info(f"y{k}", kind, ["n"]) for k, kind in enumerate(elem_types)]
    graph = helper.make_graph(nodes, "graph", inputs, outputs)
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("rknn_cst", 1), helper.make_opsetid("custom", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=ir_version).SerializeToString()


def threshold(k: int, **attributes: object) -> onnx.NodeProto:
    return helper.make_node("cstThreshold", [f"x{k}"], [f"y{k}"], name=f"node{k}", domain="rknn_cst", **attributes)


def attach(model: bytes, *arguments: str) -> onnx.ModelProto:
    return onnx.load_model_from_string(tool.lowered(model, arguments or ["--attach"]))


X = np.array([-1.0, 0.0, 0.25, 0.5, np.nan], np.float32)


def check_thresholds(model: onnx.ModelProto, *wanted: tuple[float, float], dtypes: tuple = (np.float32,) * 2) -> None:
    got = runtimes.in_onnxruntime(model.SerializeToString())({f"x{k}": X.astype(dtypes[k]) for k in range(len(wanted))})
    for k, (limit, value) in enumerate(wanted):
        x = X.astype(dtypes[k])
        assert_equal(f"y{k}", got[f"y{k}"], np.where(x <= dtypes[k](limit), dtypes[k](value), x), 0, 0)


def test_nodes_that_differ_in_attributes_share_a_function() -> None:
    model = attach(threshold_model(8, threshold(0, threshold=0.0, value=7.0), threshold(1, threshold=0.25, value=-1.0), elem_types=(1, 1)))
    assert list(functions(model)) == [("rknn_cst", "cstThreshold", "")]
    assert list(model.functions[0].attribute) == ["threshold", "value"]
    check_thresholds(model, (0.0, 7.0), (0.25, -1.0))


def test_nodes_share_a_function_where_a_rule_computes_the_same_of_their_attributes() -> None:
    """The rule's body holds a mode's name, which it finds by its number: each mode has a function, whose body does not refer to the number."""
    sampler = "y{} = mmdeploy.grid_sampler <interpolation_mode = {}> (x, grid)".format
    outputs = ", ".join(f"float[1, 1, 2, 2] y{k}" for k in range(3))
    text = f"""<ir_version: 10, opset_import: ["" : 18, "mmdeploy" : 1]>
    g (float[1, 1, 4, 4] x, float[1, 2, 2, 2] grid) => ({outputs}) {{ {sampler(0, 1)} {sampler(1, 2)} {sampler(2, 1)} }}"""
    model = attach(onnx.parser.parse_model(text).SerializeToString())
    found = functions(model)
    assert [node.overload for node in model.graph.node][0::2] == [model.graph.node[0].overload] * 2
    assert {attribute.s for function in found.values() for node in function.node for attribute in node.attribute if attribute.name == "mode"} == {b"nearest", b"bicubic"}


def test_a_function_is_good_for_every_element_type() -> None:
    nodes = threshold(0, threshold=0.0, value=7.0), threshold(1, threshold=0.25, value=-1.0)
    model = attach(threshold_model(8, *nodes, elem_types=(TensorProto.FLOAT, TensorProto.DOUBLE)))
    assert list(functions(model)) == [("rknn_cst", "cstThreshold", "")]
    check_thresholds(model, (0.0, 7.0), (0.25, -1.0), dtypes=(np.float32, np.float64))


@pytest.mark.parametrize("opset", [9, 11])
def test_where_a_body_cannot_refer_to_an_attribute_it_holds_the_value(opset: int) -> None:
    """Below opset 12 a Constant cannot take its number from an attribute."""
    nodes = threshold(0, threshold=0.0, value=7.0), threshold(1, threshold=0.25, value=-1.0)
    model = attach(threshold_model(4, *nodes, elem_types=(1, 1), opset=opset))
    assert list(functions(model)) == [("rknn_cst", "cstThreshold", ""), ("rknn_cst", "cstThreshold_2", "")]
    check_thresholds(model, (0.0, 7.0), (0.25, -1.0))


FORMS = threshold(0, threshold=0.0, value=7.0), threshold(1, threshold_f=0.25, value_f=-1.0)


@pytest.mark.parametrize("ir_version", [4, 8, 9])
def test_forms_have_names_of_their_own_below_ir_version_10(ir_version: int) -> None:
    model = attach(threshold_model(ir_version, *FORMS, elem_types=(1, 1)))
    assert list(functions(model)) == [("rknn_cst", "cstThreshold", ""), ("rknn_cst", "cstThreshold_2", "")]
    assert [operator(node) for node in model.graph.node] == list(functions(model))
    assert model.ir_version == max(ir_version, 8)
    check_thresholds(model, (0.0, 7.0), (0.25, -1.0))


@pytest.mark.parametrize("ir_version", [10, 13])
def test_forms_are_overloads_from_ir_version_10_on(ir_version: int) -> None:
    model = attach(threshold_model(ir_version, *FORMS, elem_types=(1, 1)))
    assert list(functions(model)) == [("rknn_cst", "cstThreshold", ""), ("rknn_cst", "cstThreshold", "2")]
    assert [operator(node) for node in model.graph.node] == list(functions(model))
    assert model.ir_version == ir_version
    check_thresholds(model, (0.0, 7.0), (0.25, -1.0))


def test_a_name_that_another_operator_has_is_not_taken() -> None:
    other = helper.make_node("cstThreshold_2", ["x2"], ["y2"], domain="rknn_cst")
    model = attach(threshold_model(8, *FORMS, other, elem_types=(1, 1, 1)), "--attach", "--keep", "rknn_cst::cstThreshold_2")
    assert [name for _, name, _ in functions(model)] == ["cstThreshold", "cstThreshold_3"]


def test_only_what_is_named_stays() -> None:
    add = helper.make_node("my_add", ["x1", "x1"], ["y1"], domain="custom")
    model = threshold_model(8, threshold(0, threshold=0.0, value=7.0), add, elem_types=(1, 1))
    for argument in ("--attach=rknn_cst", "--attach=rknn_cst::cstThreshold"):
        attached = attach(model, argument)
        assert list(functions(attached)) == [("rknn_cst", "cstThreshold", "")]
        assert [node.op_type for node in attached.graph.node if node.domain] == ["cstThreshold"]
        assert [entry.domain for entry in attached.opset_import] == ["", "rknn_cst"]
    assert [name for _, name, _ in functions(attach(model, "--attach=rknn_cst", "--attach=custom"))] == ["cstThreshold", "my_add"]


def test_a_lost_attribute_is_given_to_the_node() -> None:
    model = attach(threshold_model(8, threshold(0)), "--attach", *(f"--set=rknn_cst::cstThreshold.{setting}" for setting in ("threshold=0.0", "value=7.0")))
    assert {attribute.name: attribute.f for attribute in model.graph.node[0].attribute} == {"threshold": 0.0, "value": 7.0}
    check_thresholds(model, (0.0, 7.0))


def test_nodes_of_the_default_domain_are_expanded() -> None:
    graph = helper.make_graph(
        [helper.make_node("CastLike", ["x", "y"], ["z"])],
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.INT64, [2]), helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, [2])],
    )
    model = attach(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7).SerializeToString())
    assert not model.functions and [node.op_type for node in model.graph.node] == ["Cast"]


def test_what_cannot_be_lowered_cannot_be_attached() -> None:
    result = tool.lower(threshold_model(8, threshold(0)), ["--attach"])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "--set rknn_cst::cstThreshold.threshold=" in result.stderr and not result.stdout


def test_an_input_given_twice_is_two_inputs_of_the_function() -> None:
    """(x, k, k) and (x, k, k2) are calls of one function, which uses all of its inputs."""
    nodes = [
        helper.make_node("cstThreshold", ["x", "k", "k"], ["y0"], domain="rknn_cst"),
        helper.make_node("cstThreshold", ["x", "k", "k2"], ["y1"], domain="rknn_cst"),
    ]
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"] if name in ("x", "y0", "y1") else []) for name in ("x", "k", "k2", "y0", "y1")]
    graph = helper.make_graph(nodes, "graph", infos[:3], infos[3:])
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("rknn_cst", 1)]
    content = helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()
    model = attach(content)
    assert list(functions(model)) == [("rknn_cst", "cstThreshold", "")]
    assert list(model.graph.node) == nodes
    used = {name for node in model.functions[0].node for name in node.input}
    assert set(model.functions[0].input) <= used
    k, k2 = np.array(0.25, np.float32), np.array(7, np.float32)
    got = runtimes.in_onnxruntime(model.SerializeToString())({"x": X, "k": k, "k2": k2})
    assert_equal("y0", got["y0"], np.where(k >= X, k, X), 0, 0)
    assert_equal("y1", got["y1"], np.where(k >= X, k2, X), 0, 0)
    lowered_later, lowered = (onnx.load_model_from_string(tool.lowered(bytes_)) for bytes_ in (model.SerializeToString(), content))
    assert lowered_later == lowered


def test_a_function_that_does_not_run_is_replaced_under_its_name() -> None:
    """It calls an operator that no runtime knows."""
    function = helper.make_function("my", "f", ["x"], ["y"], [helper.make_node("cstThreshold", ["x"], ["y"], domain="rknn_cst", threshold=0.0, value=7.0)],
                                    [helper.make_opsetid("rknn_cst", 1)])  # fmt: skip
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"]) for name in ("x0", "y0")]
    graph = helper.make_graph([helper.make_node("f", ["x0"], ["y0"], name="call", domain="my")], "graph", infos[:1], infos[1:])
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("my", 1), helper.make_opsetid("rknn_cst", 1)]
    model = attach(helper.make_model(graph, opset_imports=imports, functions=[function], ir_version=8).SerializeToString())
    assert list(functions(model)) == [("my", "f", "")] and [operator(node) for node in model.graph.node] == [("my", "f", "")]
    check_thresholds(model, (0.0, 7.0))


@pytest.mark.parametrize("op_type, case", [("BiasAdd", "float32"), ("QLinearReduceMean", "keep-uint8")])
def test_what_onnxruntime_knows_and_has_no_kernel_for_is_expanded(op_type: str, case: str) -> None:
    """It would refuse the node, and not look at the function."""
    path = tool.TESTDATA / "golden" / "com.microsoft" / op_type / f"{case}.in.onnxtxt"
    attached = tool.run([path, "-o", "-", "--attach"])
    assert attached.status == tool.DONE, str(attached)
    assert attached.stdout == tool.run([path, "-o", "-"]).stdout
    runtimes.in_onnxruntime(attached.stdout)
    named = tool.run([path, "-o", "-", f"--attach=com.microsoft::{op_type}"])
    assert onnx.load_model_from_string(named.stdout).functions, str(named)


def test_messages_and_report(tmp_path: pathlib.Path) -> None:
    report = tmp_path / "report.json"
    model = threshold_model(7, *FORMS, elem_types=(1, 1))
    result = tool.lower(model, ["--attach", "--attach=nobody::Nothing", "-v", "--report", report])
    assert "attached 2 functions to 2 nodes (rknn_cst::cstThreshold 2); 2 -> 14 nodes" in result.stderr
    assert "--attach=nobody::Nothing fits no node" in result.stderr
    assert "ir_version is now 8" in result.stderr and "-> a function of 6 nodes" in result.stderr
    said = json.loads(report.read_text())
    assert said["attached_functions"] == 2 and said["ir_version"] == 8 and said["unused_attachments"] == ["nobody::Nothing"]
    assert said["settings"]["attach"] == ["*", "nobody::Nothing"] and [node["attached"] for node in said["lowered"]] == [True, True]


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["--attach", "--target", "openvino"], "it executes no model-local functions"),
        (["--attach", "--expand"], "do not go together"),
        (["--attach=ai.onnx::Foo"], "standard domain"),
        (["--attach=custom::"], "DOMAIN::OP"),
        (["--attach", "rknn_cst"], "--attach=rknn_cst"),
    ],
)
def test_wrong_usage(arguments: list[str], complaint: str) -> None:
    result = tool.lower(threshold_model(8, *FORMS, elem_types=(1, 1)), arguments)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert complaint in result.stderr


def test_function_of_a_domain_that_is_not_imported() -> None:
    """Exporters forget the import; what stays in the model needs it."""
    given = onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["" : 17]>
        main (float[n] x) => (float[n] y) { y = l.Minus (x) }
        <domain: "l", opset_import: ["" : 17]>
        Minus (x) => (y) { y = Neg (x) }
    """)
    attached = onnx.load_model_from_string(tool.lowered(given.SerializeToString(), ["--attach"]))
    assert [node.op_type for node in attached.graph.node] == ["Minus"]
    x = np.float32([1, -2])
    assert_equal("y", runtimes.in_onnxruntime(attached.SerializeToString())({"x": x})["y"], -x)


def test_calls_that_do_not_fit_the_models_own_function() -> None:
    """ONNX Runtime takes no call with fewer outputs than the function has; the calls that fit keep theirs."""
    head = '<ir_version: 8, opset_import: ["" : 17, "l" : 1]> main (float[n] x) => (float[n] y, float[n] z)'
    function = '<domain: "l", opset_import: ["" : 17]> Both (a) => (b, c) { b = Neg (a)\n c = Exp (a) }'
    x = np.float32([1, -2])
    given = onnx.parser.parse_model(head + "{ y = l.Both (x)\n t, z = l.Both (x) }" + function)
    attached = tool.lowered(given.SerializeToString(), ["--attach"])
    message = onnx.load_model_from_string(attached)
    assert [node.op_type for node in message.graph.node] == ["Both_2", "Both"] and message.functions[0] == given.functions[0]
    got = runtimes.in_onnxruntime(attached)({"x": x})
    assert_equal("y", got["y"], -x)
    assert_equal("z", got["z"], np.exp(x), rtol=1e-6)  # exp is not rounded correctly
    assert tool.lowered(attached, ["--attach"]) == attached
    given = onnx.parser.parse_model(head + "{ y, z = l.Both (x, x) }" + function)
    tool.assert_clean_refusal(tool.lower(given.SerializeToString(), ["--attach"]), tool.NOT_LOWERED)


def test_function_that_does_not_import_the_domain_of_what_it_calls() -> None:
    """So onnxscript writes a function that calls another of its own domain. It gets a body that runs."""
    given = onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["" : 17, "l" : 1]>
        main (float[n] x) => (float[n] y) { y = l.Outer (x) }
        <domain: "l", opset_import: ["" : 17]>
        Outer (x) => (y) { t = l.Minus (x) y = Exp (t) }
        <domain: "l", opset_import: ["" : 17]>
        Minus (x) => (y) { y = Neg (x) }
    """)
    attached = tool.lowered(given.SerializeToString(), ["--attach"])
    message = onnx.load_model_from_string(attached)
    assert [node.op_type for node in message.graph.node] == ["Outer"] and list(functions(message)) == [("l", "Outer", "")]
    x = np.float32([1, -2])
    assert_equal("y", runtimes.in_onnxruntime(attached)({"x": x})["y"], np.exp(-x), rtol=1e-6)  # exp is not rounded correctly


NESTED = """
<ir_version: 8, opset_import: ["" : 14, "d" : 1]>
graph (float[2] x, int64 n) => (float[2] y) { y = d.F (x, n) }
<domain: "d", opset_import: ["" : 14, "d" : 1]>
F (x, n) => (y) {
  c = Constant <value: tensor = bool {1}> ()
  y = Loop (n, c, x) <body = b (int64 i, bool k, v) => (k2, w) {
    k2 = Identity (k)
    w = d.G (v)
  }>
}
<domain: "d", opset_import: ["" : 14]>
G (x) => (y) {
  c = Constant <value_float: float = 2.0> ()
  one = Constant <value_int: int = 1> ()
  cx = CastLike (c, x)
  oneLong = Cast <to = 7> (one)
  onex = CastLike (oneLong, x)
  h = Mul (cx, onex)
  y = Mul (x, h)
}
"""


def test_function_in_a_loop_of_a_function() -> None:
    """CastLike is of opset 15, so that they do not run as they are; and some of the casts change nothing."""
    model = onnx.parser.parse_model(NESTED)
    attached = attach(model.SerializeToString())
    at_once, later = (onnx.load_model_from_string(tool.lowered(each.SerializeToString(), [])) for each in (model, attached))
    for made in (attached, at_once, later):
        got = runtimes.in_onnxruntime(made.SerializeToString())({"x": np.array([1.5, -2.0], np.float32), "n": np.array(3)})
        np.testing.assert_array_equal(got["y"], [12.0, -16.0])
    # In the Loop of the attached function stand the casts themselves, where their names are used already: there they stay.
    bodies = [next(attribute.g for node in made.graph.node if node.op_type == "Loop" for attribute in node.attribute) for made in (at_once, later)]
    fewer, more = ([node.op_type for node in body.node] for body in bodies)
    assert (fewer.count("Cast"), more.count("Cast")) == (1, 3)
    assert [op for op in more if op != "Cast"] == [op for op in fewer if op != "Cast"]


def test_attributes_that_reach_a_native_rule_by_another(tmp_path: pathlib.Path) -> None:
    """OpenVINO's ReduceL2 of opset 17 goes wrong, so that the schema's function stands for it, with the keepdims of each node."""
    (tmp_path / "rule.onnxtxt").write_text("""
        <domain: "acme", opset_import: ["" : 18]>
        Norm <keep: int> (x) => (y) {
          axes = Constant <value_ints = [1]> ()
          y = ReduceL2 <keepdims: int = @keep, noop_with_empty_axes = 1> (x, axes)
        }""")
    model = onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
        main (float[2,2] x) => (float[n] y, float[n,m] z) {
          y = acme.Norm <keep = 0> (x)
          z = acme.Norm <keep = 1> (x)
        }""")
    arguments = ["--rules", str(tmp_path / "rule.onnxtxt")]
    for options in (arguments, [*arguments, "--attach"]):
        got = runtimes.in_onnxruntime(tool.lowered(model.SerializeToString(), options))({"x": np.array([[3, 4], [5, 12]], np.float32)})
        np.testing.assert_array_equal(got["y"], np.float32([5, 13]))
        np.testing.assert_array_equal(got["z"], np.float32([[5], [13]]))


def test_an_input_of_few_bits_that_a_function_would_not_read() -> None:
    """ONNX Runtime takes such an input only where a node of the function says its types; at 13 no node reads int4, and the weights are part of the body."""
    text = '<ir_version: 10, opset_import: ["" : 21, "trt" : 1]> g (float[4] s) => (float[4, 4] y) { y = trt.TRT_INT4DequantizeLinear <axis = 1> (w, s) }'
    model = onnx.parser.parse_model(text)
    codes = np.arange(16) % 7
    model.graph.initializer.append(helper.make_tensor("w", TensorProto.INT4, [4, 4], codes, raw=False))
    scales = np.float32([0.5, 1, 2, 4])
    for opset, calls in ((21, 1), (13, 0)):
        made = tool.lowered(model.SerializeToString(), ["--attach", "--target-opset", opset])
        assert len(onnx.load_model_from_string(made).functions) == calls
        got = runtimes.in_onnxruntime(made)({"s": scales})["y"]
        np.testing.assert_array_equal(got, codes.reshape(4, 4).astype(np.float32) * scales)


@pytest.mark.parametrize("body", ["F (a) => (a) { }", "F (a) => (b, b) { b = Neg (a) }", "F (a) => (b, a) { b = Neg (a) }", "F (a) => (b) { b = d.G:other (a) }", "F (a) => (b) { b = d.H (a) }"])
def test_a_function_that_onnxruntime_does_not_load_is_made_anew(body: str) -> None:
    """It takes no input for an output, no value for two, and no call of fewer outputs, and finds no overload from within a function."""
    outputs = ["y", "z"] if "b, " in body else ["y"]
    text = f"""<ir_version: 10, opset_import: ["" : 18, "d" : 1]>
        g (float[2] x) => ({", ".join(f"float[2] {name}" for name in outputs)}) {{ {", ".join(outputs)} = d.F (x) }}
        <domain: "d", opset_import: ["" : 18, "d" : 1]> {body}
        <domain: "d", overload: "other", opset_import: ["" : 18]> G (a) => (b) {{ b = Neg (a) }}
        <domain: "d", opset_import: ["" : 18]> H (a) => (b, c) {{ b = Neg (a)  c = Abs (a) }}"""
    model = onnx.parser.parse_model(text).SerializeToString()
    attached = tool.lowered(model, ["--attach"])
    x = np.float32([1, -2])
    got = runtimes.in_onnxruntime(attached)({"x": x})
    assert_equal("y", got["y"], x if "=> (a)" in body else -x)
    if len(outputs) > 1:
        assert_equal("z", got["z"], x if "(b, a)" in body else -x)
    assert [operator(node) for node in onnx.load_model_from_string(attached).graph.node] == [("d", "F", "")]
    assert tool.lowered(attached, ["--attach"]) == attached


def test_functions_are_not_folded_the_second_time_either() -> None:
    """What an attached function computes of its constants it computes after another run, too."""
    text = """<ir_version: 8, opset_import: ["" : 17, "d" : 1]>
        g (float[3] x) => (float[3] y, int64[2] z) { y, z = d.F (x) }
        <domain: "d", opset_import: ["" : 16, "rknn_cst" : 1]>
        F (x) => (y, z) {
          one = Constant <value_ints = [1, 2]> ()
          z = Add (one, one)
          y = rknn_cst.cstThreshold <threshold = 0.5, value = 2.0> (x)
        }"""
    attached = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--attach", "--fold"])
    got = runtimes.in_onnxruntime(attached)({"x": np.float32([0, 1, 2])})
    np.testing.assert_array_equal(got["z"], [2, 4])
    assert tool.lowered(attached, ["--attach", "--fold"]) == attached


def test_a_function_that_is_made_again_is_the_one_that_is_there() -> None:
    """A runtime has conditions for the MaxPool, so that its function is made anew each time, with the attributes that refer to those of the function behind the others."""
    model = onnx.parser.parse_model("""<ir_version: 9, opset_import: ["": 17, "d": 1, "e": 1, "f": 1]>
        g (float[1, 1, 4, 4] x) => (float[1, 1, a, b] y) { z = d.Outer <ceil = 1> (x)  y = f.Plain (z) }
        <domain: "d", opset_import: ["": 17]> Outer <ceil> (x) => (y) { y = e.Inner <ceil = @ceil, kernel = [2, 2]> (x) }
        <domain: "e", opset_import: ["": 17]> Inner <ceil, kernel> (x) => (y) { y = MaxPool <ceil_mode = @ceil, kernel_shape = @kernel> (x) }
        <domain: "f", opset_import: ["": 17]> Plain (x) => (y) { y = Relu (x) }""").SerializeToString()
    once = tool.lowered(model, ["--attach", "--target", "onnxruntime-1.17"])
    assert [function.name for function in onnx.load_model_from_string(once).functions][0] == "Outer"
    assert tool.lowered(once, ["--attach", "--target", "onnxruntime-1.17"]) == once


def test_a_call_that_hands_a_graph_to_its_function_is_expanded() -> None:
    """The graph captures a value, and has a custom node of its own."""
    text = """<ir_version: 8, opset_import: ["" : 17, "d" : 1, "rknn_cst" : 1]>
        g (bool c, float[2] x) => (float[2] y) {
          low = Neg (x)
          y = d.F <chosen = g () => (float[2] r) { r = rknn_cst.cstThreshold <threshold = 0.5, value = 2.0> (low) }> (c)
        }
        <domain: "d", opset_import: ["" : 17]> F <chosen> (c) => (y) { low = Not (c)  y = If <then_branch : graph = @chosen, else_branch : graph = @chosen> (low) }"""
    attached = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--attach"])
    for condition in (True, False):
        got = runtimes.in_onnxruntime(attached)({"c": np.array(condition), "x": np.float32([1, -3])})
        assert_equal("y", got["y"], np.float32([2, 3]))
    assert tool.lowered(attached, ["--attach"]) == attached
