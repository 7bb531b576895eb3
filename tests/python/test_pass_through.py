# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A model that has nothing to lower: its output has the same bytes, or the summary says what else was written; and where it runs, or would run."""
from __future__ import annotations

import onnx
import pytest
from onnx import TensorProto, helper

import runtimes
import tool


def model(nodes: list[onnx.NodeProto], imports: list[tuple[str, int]], kind: int = TensorProto.FLOAT, ir_version: int = 8) -> bytes:
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", kind, [2, 3])], [helper.make_tensor_value_info("y", kind, [2, 3])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(*entry) for entry in imports], ir_version=ir_version).SerializeToString()


RELU = helper.make_node("Relu", ["x"], ["y"])
IN_DISORDER = [helper.make_node("Neg", ["m"], ["y"]), helper.make_node("Relu", ["x"], ["m"])]


@pytest.mark.parametrize("content, arguments, words", [
    (model([RELU], [("", 17)]), (), ""),
    (model([RELU], [("", 17), ("unused", 1)]), (), "no longer imports unused"),
    (model([RELU], [("", 17), ("unused", 1), ("com.microsoft", 1)]), (), "no longer imports unused, com.microsoft"),
    (model([RELU], [("com.microsoft", 1)]), (), "imports ai.onnx 18 now"),
    (model([RELU], [("", 17)]), ("--target-opset", "13"), "imports ai.onnx 13 now"),
    (model(IN_DISORDER, [("", 17)]), (), "moved nodes behind those whose values they use"),
    (model([RELU], [("", 17)]), ("--ir-version", "7"), "ir_version is now 7")],
    ids=["same", "unused", "two-unused", "none-of-onnx", "target-opset", "disorder", "ir-version"])
def test_the_same_bytes_or_the_summary_says_what_changed(content: bytes, arguments: tuple[str, ...], words: str) -> None:
    result = tool.lower(content, arguments)
    assert result.status == tool.DONE and "nothing to lower" in result.stderr, result
    if words:
        assert f"; {words}" in result.stderr, result
        assert result.stdout != content
    else:
        assert result.stdout == content
    again = tool.lower(result.stdout, arguments)
    assert again.stdout == result.stdout


@pytest.mark.parametrize("op_type", ["Abs", "Neg", "Relu"])
def test_a_model_that_only_some_runtimes_take(op_type: str) -> None:
    """ONNX Runtime, which is meant without a target, has no kernel; the note's option makes a model that it loads."""
    content = model([helper.make_node(op_type, ["x"], ["y"])], [("", 13)], TensorProto.BFLOAT16)
    with pytest.raises(Exception, match="NOT_IMPLEMENTED"):
        runtimes.in_onnxruntime(content)
    result = tool.lower(content)
    assert result.status == tool.DONE and result.stdout == content
    note = next(line for line in result.stderr.splitlines() if line.startswith("note: onnxruntime-"))
    assert "--target onnxruntime writes what onnxruntime-" in note
    runtimes.in_onnxruntime(tool.lowered(content, ["--target", "onnxruntime"]))


def test_no_note_where_one_of_them_takes_it() -> None:
    assert "note:" not in tool.lower(model([RELU], [("", 17)])).stderr


# Imports that a model lacks.


@pytest.mark.parametrize("domain, op_type, attributes", [("com.microsoft", "Gelu", {}), ("ai.onnx.ml", "Normalizer", {"norm": "L2"}), ("", "Relu", {})], ids=["com.microsoft", "ai.onnx.ml", "default"])
@pytest.mark.parametrize("arguments", [(), ("--target-opset", "13"), ("--target", "onnxruntime"), ("--fold",)])
def test_a_domain_that_is_used_and_not_imported(domain: str, op_type: str, attributes: dict, arguments: tuple[str, ...]) -> None:
    """What is written loads: the version is the newest that all nodes, or --target-opset, allow."""
    content = model([helper.make_node(op_type, ["x"], ["y"], domain=domain, **attributes)], [("", 17)] if domain else [("unused", 1)])
    runtimes.in_onnxruntime(tool.lowered(content, arguments))


@pytest.mark.parametrize("arguments", [(), ("--target-opset", "13")])
def test_a_domain_that_nobody_knows_and_the_model_does_not_import(arguments: tuple[str, ...]) -> None:
    result = tool.lower(model([helper.make_node("Foo", ["x"], ["y"], domain="acme.nobody", name="foo")], [("", 17)]), arguments)
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "acme.nobody::Foo" in result.stderr and "--keep acme.nobody::Foo" in result.stderr
