# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Decision trees of ai.onnx.ml, lowered for a target that has none, beside ONNX Runtime's kernels of them."""
from __future__ import annotations

import pathlib
import time

import numpy as np
import onnx
import openvino
import pytest
from onnx import TensorProto, helper

import random_trees
import tool
from test_targets import computed, lowered, operators, written

OPERATORS = ("TreeEnsembleClassifier", "TreeEnsembleRegressor", "TreeEnsemble")
# Their numbers are proved here.
LOWERED = (*OPERATORS, "ZipMap")
WITHOUT_TREES = "opset 7..26\nopset ai.onnx.ml none\nir 3..13\n"
# The bit that a sum of 40 votes in another order differs in, and that exp and the division of a transform are rounded by.
ROUNDING = {"rtol": 1e-5, "atol": 1e-5}
# PROBIT subtracts two numbers that are nearly equal where a score is near a half, which leaves about 11 of 24 bits.
PROBIT = {"rtol": 2e-3, "atol": 2e-3}


def assert_same(drawn: random_trees.Drawn, found: list[np.ndarray], seed: int) -> None:
    node = drawn.model.graph.node[0]
    transform = next(helper.get_attribute_value(attribute) for attribute in node.attribute if attribute.name == "post_transform")
    for name, one, other in zip(node.output, computed(drawn.model, {"x": drawn.rows}), found, strict=True):
        assert one.shape == other.shape and one.dtype == other.dtype, (seed, name)
        if name == "label":
            # Which of two scores is greater is known where both are exact.
            assert not drawn.exact or np.array_equal(one, other), seed
        else:
            np.testing.assert_allclose(other, one, **(PROBIT if transform in (b"PROBIT", 4) else ROUNDING), err_msg=f"seed {seed}")


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("first", range(0, 170, 34))
def test_random_trees(op: str, first: int, tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, WITHOUT_TREES)
    refused = 0
    for seed in range(first, first + 34):
        drawn = random_trees.drawn(seed, op)
        result = tool.lower(drawn.model.SerializeToString(), ["--target", path])
        if result.status == tool.NOT_LOWERED:
            assert "nothing defines the second of the two scores" in result.stderr, (seed, str(result))
            refused += 1
            continue
        assert result.status == tool.DONE, (seed, str(result))
        out = onnx.load_from_string(result.stdout)
        onnx.checker.check_model(out, full_check=True)
        assert all(node.domain == "" for node in out.graph.node)
        assert_same(drawn, computed(out, {"x": drawn.rows}), seed)
    assert refused <= 3, "PROBIT of two classes is one of sixty"


@pytest.mark.parametrize("target", ["without_comparisons", "without_gathers"])
@pytest.mark.parametrize("op", OPERATORS)
def test_random_trees_by_products(op: str, target: str) -> None:
    """Where values are not compared, of which many nodes cannot be: extremes of votes, double, votes of some rows only, and transforms that choose. Rows with NaN are what the user is warned of."""
    seeds, compared = range(2000, 2020), 0
    for seed in seeds:
        drawn = random_trees.drawn(seed, op)
        drawn.rows = np.where(np.isnan(drawn.rows), 1, drawn.rows).astype(drawn.rows.dtype)
        result = tool.lower(drawn.model.SerializeToString(), ["--target", tool.TESTDATA / "targets" / f"{target}.target"])
        if result.status == tool.NOT_LOWERED:
            continue
        assert result.status == tool.DONE, (seed, str(result))
        compared += 1
        assert drawn.rows.dtype.kind == "f" or "no feature is NaN" not in result.stderr, (seed, str(result))
        out = onnx.load_from_string(result.stdout)
        onnx.checker.check_model(out, full_check=True)
        assert all(node.domain == "" for node in out.graph.node)
        assert_same(drawn, computed(out, {"x": drawn.rows}), seed)
    assert compared >= len(seeds) // 10, f"{compared} are lowered"


@pytest.mark.parametrize("target", ["coreml-1.24", "rknn-toolkit-1.7", "opencv-4.14"])
def test_boosted_trees_on_devices_without_comparisons(target: str) -> None:
    """Splits are met exactly, and by the floats next to them, the smallest float included."""
    text = (MIXED % ("int64[8] label,", "")).replace('classlabels_strings = ["a", "b"]', "classlabels_int64s = [0, 1]").replace("float[n, 2]", "float[8, 2]")
    given = onnx.parser.parse_model(text.replace("nodes_values = [0.5, 0.0, 0.0]", "nodes_values = [0.0, 0.0, 0.0]"))
    result = tool.lower(given.SerializeToString(), ["--target", target])
    assert result.status == tool.DONE and "no feature is NaN" in result.stderr, str(result)
    out = onnx.load_from_string(result.stdout)
    smallest = np.float32(1.17549435e-38)
    x = np.float32([[9, split] for split in (0, -0.0, smallest, -smallest, 1, -1, np.inf, -np.inf)])
    for one, other in zip(computed(out, {"x": x}), computed(given, {"x": x}), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("op", OPERATORS)
def test_random_trees_in_openvino(op: str) -> None:
    core = openvino.Core()
    for seed in range(1000, 1016):
        drawn = random_trees.drawn(seed, op)
        # OpenVINO computes double in float, in which numbers beside a split are equal to it.
        if drawn.model.graph.input[0].type.tensor_type.elem_type == TensorProto.DOUBLE:
            continue
        result = tool.lower(drawn.model.SerializeToString(), ["--target", "openvino-2026.4"])
        if result.status == tool.NOT_LOWERED and "nothing defines the second of the two scores" in result.stderr:
            continue
        compiled = core.compile_model(core.read_model(result.stdout), "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
        # Trees of one leaf read no features, and OpenVINO drops an input that nothing reads.
        results = compiled({"x": drawn.rows} if compiled.inputs else {})
        assert_same(drawn, [np.array(results[output]) for output in compiled.outputs], seed)


@pytest.mark.parametrize("op", OPERATORS)
def test_trees_stay_without_a_target(op: str) -> None:
    content = random_trees.drawn(3, op).model.SerializeToString()
    assert tool.lowered(content) == content


def large(trees: int, depth: int) -> onnx.ModelProto:
    """Full trees, with nodes numbered level by level."""
    rng = np.random.default_rng(0)
    inner, all_nodes = 2**depth - 1, 2 ** (depth + 1) - 1
    own = np.tile(np.arange(all_nodes), trees)
    is_inner = own < inner
    leaves = np.flatnonzero(~is_inner)
    attributes = {"nodes_treeids": np.repeat(np.arange(trees), all_nodes), "nodes_nodeids": own, "nodes_featureids": np.where(is_inner, rng.integers(0, 20, own.size), 0), "nodes_truenodeids": np.where(is_inner, 2 * own + 1, 0),
                  "nodes_falsenodeids": np.where(is_inner, 2 * own + 2, 0), "target_treeids": np.repeat(np.arange(trees), all_nodes)[leaves], "target_nodeids": own[leaves], "target_ids": np.zeros(leaves.size, np.int64)}
    node = helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1, nodes_modes=["BRANCH_LT" if each else "LEAF" for each in is_inner],
                            nodes_values=rng.standard_normal(own.size).astype(np.float32), target_weights=(rng.integers(-64, 65, leaves.size) / 64).astype(np.float32), **{name: values.tolist() for name, values in attributes.items()})
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 20])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 1])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)], ir_version=8)


def test_a_thousand_trees(tmp_path: pathlib.Path) -> None:
    """The lowered model grows with the nodes of the trees, and has as many nodes of its own as one tree would give."""
    given = large(1000, 8)
    started = time.process_time()
    out = lowered(given.SerializeToString(), written(tmp_path, WITHOUT_TREES))
    assert len(operators(out)) == len(operators(lowered(large(1, 8).SerializeToString(), tmp_path / "board.target")))
    assert out.ByteSize() < 1.2 * given.ByteSize()
    x = np.random.default_rng(1).standard_normal((50, 20)).astype(np.float32)
    np.testing.assert_array_equal(computed(out, {"x": x})[0], computed(given, {"x": x})[0])
    assert time.process_time() - started < 60


MIXED = """<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]>
g (float[n, 2] x) => (%s float[n, 2] p) {
  label, p = ai.onnx.ml.TreeEnsembleClassifier <classlabels_strings = ["a", "b"], class_ids = [0, 0], class_nodeids = [1, 2], class_treeids = [0, 0], class_weights = [0.25, 0.75], nodes_falsenodeids = [2, 0, 0], nodes_featureids = [1, 0, 0],
    nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_nodeids = [0, 1, 2], nodes_treeids = [0, 0, 0], nodes_truenodeids = [1, 0, 0], nodes_values = [0.5, 0.0, 0.0]> (x)
  %s
}"""


def test_labels_of_strings_are_lowered_where_strings_are_taken(tmp_path: pathlib.Path) -> None:
    given = onnx.parser.parse_model(MIXED % ("string[n] label,", ""))
    x = np.float32([[9, 0.5], [9, np.nextafter(np.float32(0.5), np.float32(1))], [0, np.nan]])
    out = lowered(given.SerializeToString(), written(tmp_path, WITHOUT_TREES))
    for one, other in zip(computed(out, {"x": x}), computed(given, {"x": x}), strict=True):
        np.testing.assert_array_equal(one, other)
    result = tool.lower(given.SerializeToString(), ["-v", "--target", "mnn-3.6"])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "dtype(data) is string" in result.stderr


def test_labels_and_maps_that_nothing_uses_are_left_out() -> None:
    """As exporters of scikit-learn write them, with the maps cut off."""
    given = onnx.parser.parse_model(MIXED % ("", 'z = ai.onnx.ml.ZipMap <classlabels_strings = ["a", "b"]> (p)'))
    out = lowered(given.SerializeToString(), "mnn-3.6")
    assert all(node.domain == "" for node in out.graph.node)
    x = np.float32([[9, 0.5], [9, 3]])
    np.testing.assert_array_equal(computed(out, {"x": x})[0], computed(given, {"x": x})[0])


def test_maps_that_are_used_are_refused() -> None:
    given = onnx.parser.parse_model((MIXED % ("", 'z = ai.onnx.ml.ZipMap <classlabels_strings = ["a", "b"]> (p)')).replace("float[n, 2] p) {", "float[n, 2] p, seq(map(string, float)) z) {"))
    result = tool.lower(given.SerializeToString(), ["--target", "mnn-3.6"])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "zipmap" in result.stderr


def test_a_transform_that_onnx_and_onnxruntime_number_differently(tmp_path: pathlib.Path) -> None:
    for seed in range(200):
        drawn = random_trees.drawn(seed, "TreeEnsemble")
        values = {attribute.name: helper.get_attribute_value(attribute) for attribute in drawn.model.graph.node[0].attribute}
        if values["post_transform"] in (1, 2) and values["n_targets"] > 1:
            break
    path = written(tmp_path, WITHOUT_TREES)
    result = tool.lower(drawn.model.SerializeToString(), ["--target", path])
    said = f"--set ai.onnx.ml::TreeEnsemble.post_transform={3 - values['post_transform']}"
    assert result.status == tool.DONE and said in result.stderr, str(result)
    other = tool.lower(drawn.model.SerializeToString(), ["--target", path, *said.split()])
    assert other.status == tool.DONE and other.stdout != result.stdout


@pytest.mark.parametrize("old, new, reason", [
    ("nodes_truenodeids = [1, 0, 0]", "nodes_truenodeids = [0, 0, 0]", "below itself"),
    ("nodes_truenodeids = [1, 0, 0]", "nodes_truenodeids = [7, 0, 0]", "names node 7 of tree 0"),
    ("nodes_nodeids = [0, 1, 2]", "nodes_nodeids = [0, 1, 1]", "is there twice"),
    ("nodes_featureids = [1, 0, 0]", "nodes_featureids = [2, 0, 0]", "feature 2, and its input has 2"),
    ("class_ids = [0, 0]", "class_ids = [0, 2]", "class_ids has 2"),
    ('"BRANCH_LEQ"', '"BRANCH_MEMBER"', "does not know the mode"),
    ("nodes_values = [0.5, 0.0, 0.0]", "nodes_values = [0.5]", "nodes_values has 1 elements, and not 3"),
    ("nodes_values = [0.5, 0.0, 0.0]", 'nodes_values = [0.5, 0.0, 0.0], post_transform = "SQUARE"', "does not know the post_transform"),
    ("nodes_values = [0.5, 0.0, 0.0]", "nodes_values = [0.5, 0.0, 0.0], base_values = [1.0, 2.0, 3.0]", "3 base values for 2 classes"),
])
def test_what_is_no_tree(old: str, new: str, reason: str, tmp_path: pathlib.Path) -> None:
    text = MIXED % ("string[n] label,", "")
    assert old in text
    content = onnx.parser.parse_model(text.replace(old, new)).SerializeToString()
    result = tool.lower(content, ["--target", written(tmp_path, WITHOUT_TREES)])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert reason in result.stderr, str(result)
