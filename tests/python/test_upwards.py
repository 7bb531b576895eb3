# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models of old opsets, written for newer ones: for each version of each operator that changed since opset 7, what ONNX Runtime computes with the old model is what it computes with the new."""
from __future__ import annotations

import functools
import itertools
import json
import pathlib
import re

import numpy as np
import onnx
import pytest

import old_operators
import runtimes
import tool
from old_operators import OldNode

# What a target cannot say, and what is said of it.
REFUSED = {("Scan", 8): "its sequences have lengths of their own"}

# ONNX Runtime 1.31 has kernels of these for older opsets only. GlobalLpPool and RoiAlign are said in other operators from there on; the others are refused.
NO_KERNEL_FROM_22_ON = {"GlobalLpPool", "MaxRoiPool", "RandomNormalLike", "RandomUniformLike", "RoiAlign"}
REFUSED_FROM_22_ON = {"MaxRoiPool", "RandomNormalLike", "RandomUniformLike"}

# Those that draw at random or take and give no tensors; lowered models of all kinds are in the other tests.
WITHOUT_A_NODE = {"Attention", "Bernoulli", "Multinomial", "Optional", "OptionalGetElement", "OptionalHasElement", "RandomNormal", "RandomUniform"}

NEWER = (11, 13, 17, 21, old_operators.NEWEST)


@functools.lru_cache(maxsize=1)
def old_models() -> dict[str, tuple[OldNode, int, bytes, dict[str, np.ndarray]]]:
    """By name: the node, its opset, its model and what ONNX Runtime computes with it."""
    models = {}
    for node in old_operators.every_node():
        for opset in node.opsets():
            if opset >= 22 and node.op_type in NO_KERNEL_FROM_22_ON:
                continue
            model = node.model(opset).SerializeToString()
            models[f"{node.name}_{opset}"] = node, opset, model, runtimes.in_onnxruntime(model)(node.feeds())
    return models


def check(node: OldNode, model: bytes, expected: dict[str, np.ndarray]) -> None:
    got = runtimes.in_onnxruntime(model)(node.feeds())
    for name in node.names_compared():
        for one, other in zip(*([value] if not isinstance(value, list) else value for value in (got[name], expected[name])), strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            if one.dtype.kind == "O":
                assert (one == other).all()
            else:
                # What is said in other operators may round in another order.
                np.testing.assert_allclose(one, other, 1e-5, 1e-6)


@pytest.mark.parametrize("target", NEWER)
def test_newer_opset(target: int, tmp_path: pathlib.Path) -> None:
    given, report = tmp_path / "given", tmp_path / "report.jsonl"
    given.mkdir()
    asked = {name: entry for name, entry in old_models().items() if entry[1] < target}
    for name, (_, _, model, _) in asked.items():
        (given / f"{name}.onnx").write_bytes(model)
    result = tool.run([given, "--output-dir", tmp_path / "made", "--target-opset", target, "--report", report, "-q"], timeout=300)
    assert result.status in (tool.DONE, tool.SOME_FAILED), str(result)
    records = [json.loads(line) for line in report.read_text().splitlines()]
    outcomes = {pathlib.Path(record["input"]).stem: record for record in records if "input" in record}
    assert outcomes.keys() == asked.keys()
    faults = []
    for name, (node, opset, _, expected) in asked.items():
        error = outcomes[name]["error"] or ""
        reason = REFUSED.get((node.op_type, opset))
        lacks_kernel = target >= 22 and node.op_type in REFUSED_FROM_22_ON
        if lacks_kernel:
            reason = f"does not take {node.op_type} of version 22; at opset {opset}, which the model imports, both do"
        if outcomes[name]["exit_status"] != tool.DONE:
            if reason is None or reason not in error:
                faults.append(f"{name}: {error}")
        elif lacks_kernel:
            faults.append(f"{name} is not refused")
        else:
            try:
                check(node, (tmp_path / "made" / f"{name}.onnx").read_bytes(), expected)
            except Exception as error:
                faults.append(f"{name}: {error}")
    assert not faults, "\n".join(faults)


def test_every_operator_that_changed_has_nodes() -> None:
    assert old_operators.operators_that_changed() - {node.op_type for node in old_operators.every_node()} == WITHOUT_A_NODE


def test_versions_are_met() -> None:
    """Each version of an operator from 7 on is that of some node, unless it only took more element types."""
    met: dict[str, set[int]] = {}
    for node, opset, _, _ in old_models().values():
        met.setdefault(node.op_type, set()).add(onnx.defs.get_schema(node.op_type, opset).since_version)
    lacking = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and schema.name in met and 7 <= schema.since_version < old_operators.NEWEST and not schema.deprecated:
            if schema.since_version not in met[schema.name]:
                lacking.setdefault(schema.name, set()).add(schema.since_version)
    assert lacking.keys() <= NO_KERNEL_FROM_22_ON, lacking


def test_page() -> None:
    """docs/operators.md says how many these are."""
    page = (tool.REPOSITORY / "docs" / "operators.md").read_text()
    said = re.search(r"(\d+) models of one node", page)
    assert said and int(said[1]) == len(old_models()), f"the page speaks of {said and said[1]} models; they are {len(old_models())}"


@pytest.mark.parametrize("shape", [[2, 3, 4], ["a", "b", "c"], None])
def test_softmax_in_openvino(shape: list | None) -> None:
    """At 11 and 12 it computes a Softmax along one axis alone: one of an older opset, and with its target one of 11, is written as one of rows."""
    x = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)
    declared = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name in "xy"]
    ways = [(7, ["--target-opset", 11]), (7, ["--target-opset", 12]), (11, ["--target", "openvino-2026.4", "--target-opset", 11, *([] if shape else ["--input-shape", "x:?,?,?"])])]
    for axis, (opset, options) in itertools.product((0, 1, 2), ways):
        node = onnx.helper.make_node("Softmax", ["x"], ["y"], axis=axis)
        model = onnx.helper.make_model(onnx.helper.make_graph([node], "old", declared[:1], declared[1:]), opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=6)
        expected = runtimes.in_onnxruntime(model.SerializeToString())({"x": x})["y"]
        lowered = tool.lowered(model.SerializeToString(), options)
        for run in (runtimes.in_onnxruntime, runtimes.in_openvino) if shape or "--target" in options else (runtimes.in_onnxruntime,):
            np.testing.assert_allclose(run(lowered)({"x": x})["y"], expected, 1e-5, 1e-6)


def test_a_target_gets_the_opset_at_which_all_can_be_said(tmp_path: pathlib.Path) -> None:
    """A HardSigmoid is said in a Min and a Max, which broadcast from opset 8 on, and the number of dimensions is not known."""
    target = tmp_path / "board.target"
    target.write_text("# A board.\nopset 7..17\nir 3..8\nHardSigmoid  never\nClip  never\n")
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, None)
    y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    node = onnx.helper.make_node("HardSigmoid", ["x"], ["y"], "h")
    model = onnx.helper.make_model(onnx.helper.make_graph([node], "g", [x], [y]), opset_imports=[onnx.helper.make_opsetid("", 7)], ir_version=6).SerializeToString()
    run = tool.run(["-", "-o", "-", "--target", target], stdin=model)
    assert run.status == tool.DONE and "opset 8 is written, as 'h' (HardSigmoid) cannot be lowered at the model's" in run.stderr, run.stderr
    lowered = onnx.load_model_from_string(run.stdout)
    assert [(opset.domain, opset.version) for opset in lowered.opset_import] == [("", 8)]
    feed = {"x": np.linspace(-5, 5, 6, dtype=np.float32).reshape(2, 3)}
    expected = runtimes.in_onnxruntime(model)(feed)["y"]
    np.testing.assert_allclose(runtimes.in_onnxruntime(run.stdout)(feed)["y"], expected, 1e-6, 1e-6)
    refused = tool.run(["-", "-o", "-", "--target", target, "--target-opset", "7"], stdin=model)
    assert refused.status == tool.NOT_LOWERED and "add: --target-opset 8 in place of 7" in refused.stderr, refused.stderr


@pytest.mark.parametrize("op_type", ["Softmax", "LogSoftmax", "Hardmax"])
@pytest.mark.parametrize("size", [(0, 2, 3), (2, 0, 3), (2, 3, 0)], ids=str)
def test_softmax_of_nothing(op_type: str, size: tuple[int, ...]) -> None:
    """Without elements a shape holds a zero, which a Reshape takes for another dimension below 14."""
    x = np.zeros(size, np.float32)
    for axis, shape, target in itertools.product((0, 1, 2), (list(size), ["a", "b", "c"]), (14, 18, 21, old_operators.NEWEST)):
        declared = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name in "xy"]
        node = onnx.helper.make_node(op_type, ["x"], ["y"], axis=axis)
        model = onnx.helper.make_model(onnx.helper.make_graph([node], "old", declared[:1], declared[1:]), opset_imports=[onnx.helper.make_opsetid("", 11)], ir_version=6)
        lowered = tool.lowered(model.SerializeToString(), ["--target-opset", target])
        assert runtimes.in_onnxruntime(lowered)({"x": x})["y"].shape == size
