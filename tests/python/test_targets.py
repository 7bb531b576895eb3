# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--target: what is written is what the target's file says that the runtime takes, and the oldest ONNX Runtime that is at hand does take it."""
from __future__ import annotations

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
from onnx import TensorProto, helper

import tool

PROBE = tool.REPOSITORY / "targets" / "probe"
sys.path.insert(0, str(PROBE))
import probe  # noqa: E402
import seeds  # noqa: E402

BUILT_IN = sorted(path.stem for path in (tool.REPOSITORY / "targets").glob("*.target") if path.stem != "default")
FLOAT, FLOAT16, DOUBLE, INT8, INT64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.INT8, TensorProto.INT64


def model(nodes: list, inputs: dict, outputs: dict, *, opset: int = 18, ir_version: int = 8, others: tuple = (), initializers: tuple = ()) -> bytes:
    values = [[helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in group.items()] for group in (inputs, outputs)]
    graph = helper.make_graph(nodes, "g", *values, list(initializers))
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in others)]
    return helper.make_model(graph, opset_imports=imports, ir_version=ir_version).SerializeToString()


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
    assert [line.split()[0] for line in table.stdout.decode().splitlines()[1:]] == BUILT_IN
    listed = json.loads(tool.run(["--list-targets", "--json"]).stdout)
    assert [target["name"] for target in listed] == BUILT_IN
    for target in listed:
        first, last = target["opsets"]["ai.onnx"]
        assert first < last <= onnx.defs.onnx_opset_version() and target["title"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_plain_model_is_one_for_every_target(name: str) -> None:
    content = model([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=13, ir_version=7)
    assert tool.lowered(content, ["--target", name]) == content
    assert tool.run(["--show-target", name]).stdout == (tool.REPOSITORY / "targets" / f"{name}.target").read_bytes()


def test_a_name_without_version_is_the_newest() -> None:
    assert "1.31" in tool.run(["--show-target", "onnxruntime"]).stdout.decode().splitlines()[0]


# What follows from a target.


def test_opset_and_ir_version_follow() -> None:
    content = model([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])}, opset=22, ir_version=10)
    for name, opset, ir_version in (("onnxruntime-1.8", 14, 7), ("onnxruntime-1.17", 20, 9), ("onnxruntime-1.17,onnxruntime-1.8", 14, 7), ("onnxruntime-1.31", 22, 10)):
        out = lowered(content, name)
        assert (out.opset_import[0].version, out.ir_version) == (opset, ir_version), name
    out = lowered(content, "onnxruntime-1.17", "--target-opset", 13)
    assert out.opset_import[0].version == 13 and out.ir_version <= 9


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


def test_a_form_whose_body_is_not_taken_declines(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Softsign", ["x"], ["y"])], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])})
    result = tool.lower(content, ["--target", written(tmp_path, "Softsign never\nDiv never\n")])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "board does not take Softsign of version 1" in result.stderr and "board does not take Div" in result.stderr


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


@pytest.mark.parametrize("line, taken", [
    ("Abs dtype(X) == float", True),
    ("Abs dtype(X) in halves", False),
    ("Abs rank(X) <= 1", False),
    ("Abs not dim(X, 0) == 3", True),
    ("Abs constant(X)", False),
    ("Abs 13.. always", True),
    ("Abs ..12 never", True),
    ("Abs 13 never", False),
    ("Abs dtype(Y) == float", True),
    ("Abs input_1", None),
])
def test_conditions(line: str, taken: bool | None, tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Abs", ["x"], ["y"])], {"x": (FLOAT, [2, 3])}, {"y": (FLOAT, [2, 3])})
    result = tool.lower(content, ["--target", written(tmp_path, f"let halves = (float16, bfloat16)\n{line}\n")])
    if taken is None:
        tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    else:
        assert result.status == (tool.DONE if taken else tool.NOT_LOWERED), str(result)
        assert taken or "board" in result.stderr


def test_what_is_not_known_counts_as_taken(tmp_path: pathlib.Path) -> None:
    graph = helper.make_graph([helper.make_node("Cast", ["n"], ["x"], to=FLOAT), helper.make_node("Reshape", ["x", "shape"], ["r"]), helper.make_node("Abs", ["r"], ["y"])], "g",
                              [helper.make_tensor_value_info("n", INT64, None), helper.make_tensor_value_info("shape", INT64, [None])], [helper.make_tensor_value_info("y", FLOAT, None)])
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8).SerializeToString()
    path = written(tmp_path, "Abs rank(X) <= 1\nReshape constant(shape)\n")
    assert tool.lower(content, ["--target", path]).status == tool.NOT_LOWERED, "shape is an input of the graph"
    assert tool.lower(content, ["--target", written(tmp_path, "Abs rank(X) <= 1\n")]).status == tool.DONE


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


def test_defaults_are_written_out_where_they_must_be(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Softmax", ["x"], ["y"])], {"x": (FLOAT, [2, 4])}, {"y": (FLOAT, [2, 4])})
    out = lowered(content, written(tmp_path, "Softmax attribute(axis)\n"))
    assert operators(out) == ["Softmax"] and {attribute.name: attribute.i for attribute in out.graph.node[0].attribute} == {"axis": -1}


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


def test_narrower_types_are_asked_for(tmp_path: pathlib.Path) -> None:
    content = model([helper.make_node("Cos", ["x"], ["y"])], {"x": (DOUBLE, [3])}, {"y": (DOUBLE, [3])})
    path = written(tmp_path, "Cos dtype(input) == float\n")
    tool.assert_clean_refusal(tool.lower(content, ["--target", path]), tool.NOT_LOWERED)
    result = tool.lower(content, ["--target", path, "--allow-narrowing"])
    assert result.status == tool.DONE and "warning" in result.stderr and "double" in result.stderr, str(result)
    x = np.array([0.1, 1, 2])
    np.testing.assert_allclose(computed(onnx.load_from_string(result.stdout), {"x": x})[0], np.cos(x), rtol=1e-6)


def test_two_types_where_one_is_wanted_stay_wrong(tmp_path: pathlib.Path) -> None:
    (tmp_path / "rule.onnxtxt").write_text('<domain: "d", opset_import: ["" : 18]>\nF (x) => (y) {\n  h = Cast <to = 10> (x)\n  y = Add (h, x)\n}\n')
    content = model([helper.make_node("F", ["x"], ["y"], domain="d")], {"x": (FLOAT, [3])}, {"y": (FLOAT, [3])}, others=("d",))
    tool.assert_clean_refusal(tool.lower(content, ["--rules", tmp_path / "rule.onnxtxt"]), tool.NOT_LOWERED)


# Mistakes.


@pytest.mark.parametrize("text, complaint", [
    ("Absz never", "onnx has no operator ai.onnx::Absz; near it is Abs"),
    ("Abs", "expected a condition behind the operator"),
    ("Abs mode == 1", "has no attribute 'mode'"),
    ("Abs rank(data) == 1", "has no input or output 'data'"),
    ("Abs rank(X) = 1", "expected '=='"),
    ("opset 25..7", "expected the versions"),
    ("opset com.microsoft 1", "decide nothing here"),
    ("ir", "expected the IR versions"),
    ("functions perhaps", "expected functions yes"),
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


# In a real runtime of that version.

# Wrong in the runtime, which no condition on one node can say: rounding of sizes, a batch in the first axis.
KNOWN = {"test_maxpool_2d_ceil_output_size_reduce_by_one", "test_resize_downsample_scales_linear_align_corners", "test_resize_downsample_scales_cubic_align_corners", "test_reversesequence_batch"}


def test_the_oldest_runtime_takes_what_its_target_says(tmp_path: pathlib.Path) -> None:
    python = os.environ.get("ONNX_LOWER_OLDEST_RUNTIME", tool.REPOSITORY / "build" / "venv-oldest-runtime" / "bin" / "python")
    version = subprocess.run([python, "-c", "import onnxruntime; print(onnxruntime.__version__)"], capture_output=True, text=True, check=True).stdout
    name = "onnxruntime-" + version.rsplit(".", 1)[0]
    # None of these is run as it is: the import of the opset alone is too new.
    sample = [seed for seed in seeds.backend_tests()[::7] if seed.compares and seed.model.opset_import[0].version > 20]
    folder = tmp_path / "models"
    folder.mkdir()
    for number, seed in enumerate(sample):
        onnx.save(seed.model, tmp_path / "models" / f"{number}.onnx")
    done = tool.run([folder, "--output-dir", tmp_path / "out", "--target", name, "-j", 2], timeout=600)
    assert done.status in (tool.DONE, tool.SOME_FAILED)
    asked = seeds.write(tmp_path / "asked", iter(sample))
    there = []
    for task in asked:
        result = tmp_path / "out" / f"{task['number']}.onnx"
        if result.exists():
            result.replace(tmp_path / "asked" / result.name)
            there.append(task["number"])
    answers = probe.ask(python, "onnxruntime", tmp_path / "asked", there)
    bad = {sample[number].name: answer for number, answer in answers.items() if answer != "taken" and sample[number].name not in KNOWN}
    assert not bad
    assert len(sample) > 60 and len(there) > 0.8 * len(sample), f"{len(there)} of {len(sample)}"
