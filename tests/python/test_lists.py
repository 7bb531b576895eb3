# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Lists of known structure, for runtimes that have none: their tensors are taken one by one, and the list is dead before the target is asked about it."""
from __future__ import annotations

import numpy as np
import onnx
import pytest

import runtimes
import tool

TARGETS = ("tensorrt", "tract", "opencv", "coreml", "qnn", "ascend")
OPERATORS = {"SequenceConstruct", "SequenceEmpty", "SequenceInsert", "SequenceErase", "SequenceAt", "SequenceLength", "SplitToSequence", "ConcatFromSequence"}


def model(text: str, output: str = "float[k, m] y", opset: int = 17) -> bytes:
    return onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]> g (float[4, 3] x) => ({output})
      <int64 first = {{0}}, int64 last = {{-1}}, int64 two = {{2}}, int64[2] sizes = {{1, 3}}>
      {{ a = Relu (x)  b = Neg (x)  c = Abs (x)  {text} }}""").SerializeToString()


TEXTS = {
    "concat": "s = SequenceConstruct (a, b)  y = ConcatFromSequence <axis = 1> (s)",
    "stacked": "s = SequenceConstruct (a, b)  t = ConcatFromSequence <axis = 0, new_axis = 1> (s)  y = ReduceSum (t)",
    "at": "s = SequenceConstruct (a, b)  y = SequenceAt (s, last)",
    "inserted": "s = SequenceConstruct (a, b)  t = SequenceInsert (s, c, first)  y = ConcatFromSequence <axis = 0> (t)",
    "inserted-behind": "s = SequenceConstruct (a, b)  t = SequenceInsert (s, c)  y = ConcatFromSequence <axis = 0> (t)",
    "inserted-before-last": "s = SequenceConstruct (a, b)  t = SequenceInsert (s, c, last)  y = ConcatFromSequence <axis = 0> (t)",
    "from-nothing": "s = SequenceEmpty ()  t = SequenceInsert (s, a)  u = SequenceInsert (t, b)  v = SequenceInsert (u, c, first)  y = ConcatFromSequence <axis = 0> (v)",
    "erased": "s = SequenceConstruct (a, b, c)  e = SequenceErase (s, first)  y = ConcatFromSequence <axis = 0> (e)",
    "erased-last": "s = SequenceConstruct (a, b, c)  e = SequenceErase (s)  y = ConcatFromSequence <axis = 0> (e)",
    "all-of-them": "s = SequenceConstruct (a, b)  e = SequenceErase (s, first)  t = SequenceInsert (e, c)  y = SequenceAt (t, first)",
    "split": "s = SplitToSequence <axis = 0> (a, sizes)  p = SequenceAt (s, last)  q = SequenceAt (s, first)  y = Concat <axis = 0> (p, q)",
    "split-and-inserted": "s = SplitToSequence <axis = 0> (a, two)  t = SequenceInsert (s, b)  y = ConcatFromSequence <axis = 0> (t)",
    "named-again": "s = SequenceConstruct (a, b)  t = Identity (s)  y = ConcatFromSequence <axis = 0> (t)",
    "twice": "s = SequenceConstruct (a, b)  p = ConcatFromSequence <axis = 0> (s)  q = SequenceAt (s, first)  y = Concat <axis = 0> (p, q)",
    "nobody-reads-it": "s = SequenceConstruct (a, b)  y = Relu (c)",
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", TEXTS)
def test_lists_of_known_structure(name: str, target: str) -> None:
    content = model(TEXTS[name])
    out = tool.lowered(content, ["--target", target])
    left = OPERATORS & {node.op_type for node in onnx.load_from_string(out).graph.node}
    assert not left or target in ("coreml", "qnn", "ascend"), left
    feed = {"x": np.arange(-6, 6, dtype=np.float32).reshape(4, 3)}
    np.testing.assert_array_equal(runtimes.in_onnxruntime(out)(feed)["y"], runtimes.in_onnxruntime(content)(feed)["y"])


@pytest.mark.parametrize("target", TARGETS[:3])
def test_the_length_of_a_list(target: str) -> None:
    content = model("s = SequenceConstruct (a, b)  t = SequenceInsert (s, c)  y = SequenceLength (t)", "int64 y")
    out = tool.lowered(content, ["--target", target])
    assert not OPERATORS & {node.op_type for node in onnx.load_from_string(out).graph.node}
    assert runtimes.in_onnxruntime(out)({"x": np.zeros((4, 3), np.float32)})["y"] == 3


@pytest.mark.parametrize("name", ["concat", "inserted", "from-nothing", "erased", "split"])
def test_lists_before_there_were_any(name: str) -> None:
    out = onnx.load_from_string(tool.lowered(model(TEXTS[name], opset=13), ["--target-opset", "10"]))
    assert not OPERATORS & {node.op_type for node in out.graph.node}


@pytest.mark.parametrize("text, output", [
    ("s = SequenceConstruct (a, b)  y = Identity (s)", "seq(float[4, 3]) y"),
    ("s = SequenceConstruct (a, b)  n = ArgMax <axis = 0, keepdims = 0> (x)  i = ReduceMax <keepdims = 0> (n)  y = SequenceAt (s, i)", "float[k, m] y"),
    ("s = SplitToSequence <axis = 0> (a, two)  y = Identity (s)", "seq(float[k, m]) y")])
def test_lists_that_are_needed_are_refused(text: str, output: str) -> None:
    result = tool.lower(model(text, output), ["--target", "tract"])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert not result.stdout and "Sequence" in result.stderr


def test_without_a_target_lists_stay() -> None:
    for text in TEXTS.values():
        content = model(text)
        assert tool.lowered(content) == content


@pytest.mark.parametrize("target", TARGETS[:3])
def test_lists_that_rules_make_on_the_way(target: str) -> None:
    """torch's cat, with its tensors as inputs of the node."""
    text = 'y = ATen <operator = "cat", dim = 0> (a, b, c)'
    out = tool.lowered(model(text), ["--target", target])
    assert not OPERATORS & {node.op_type for node in onnx.load_from_string(out).graph.node}
    x = np.arange(-6, 6, dtype=np.float32).reshape(4, 3)
    np.testing.assert_array_equal(runtimes.in_onnxruntime(out)({"x": x})["y"], np.concatenate([np.maximum(x, 0), -x, np.abs(x)]))


def test_a_list_of_a_rule_does_not_keep_another_rule_from_being_tried(tmp_path) -> None:
    """The user's first form makes a list that is needed; the second makes none."""
    rules = tmp_path / "rules.onnxtxt"
    rules.write_text("""<domain: "d", opset_import: ["" : 17]> F (x) => (y) { s = SequenceConstruct (x)  i = Constant <value_int = 0> ()  j = Identity (s)  y = ConcatFromSequence <axis = 0> (j) }
<domain: "d", opset_import: ["" : 17]> F (x) => (y) { y = Identity (x) }""")
    content = onnx.parser.parse_model('<ir_version: 8, opset_import: ["": 17, "d": 1]> g (float[4, 3] x) => (float[4, 3] y) { y = d.F (x) }').SerializeToString()
    tool.lowered(content, ["--target", "tract", "--rules", rules])
