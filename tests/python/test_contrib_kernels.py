# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Random nodes of com.microsoft, lowered, beside ONNX Runtime's own kernels.

The environment variable CONTRIB_NODES says how many nodes of each operator are tried, 20 if it is not there; the same number always gives the same node. With more than 20,
OpenVINO runs all of them, and not every fourth.
"""
from __future__ import annotations

import collections
import os

import numpy as np
import onnx
import pytest

import contrib_nodes
import model_checks
import one_node_model
import runtimes
import tool
from compare import assert_equal
from definition import Case

FEW = 20
NODES = int(os.environ.get("CONTRIB_NODES", FEW))

# What OpenVINO says of models that it cannot run, whatever the tool writes.
OPENVINO_LIMITS = ("with dynamic rank", "Doesn't support dynamic weights shape")


# Outputs that a kernel wants in the memory of an input.
IN_PLACE = {"SparseAttention": {"out1": "in3", "out2": "in4"}}


def in_kernel(operator: str, model: bytes, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    if operator not in IN_PLACE:
        return runtimes.in_onnxruntime(model)(feeds)
    import onnxruntime

    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(np.copy(feeds[name])) for name in feeds}
    for entry in session.get_inputs():
        binding.bind_ortvalue_input(entry.name, values[entry.name])
    names = [entry.name for entry in session.get_outputs()]
    for name in names:
        if name in IN_PLACE[operator]:
            binding.bind_ortvalue_output(name, values[IN_PLACE[operator][name]])
        else:
            binding.bind_output(name)
    session.run_with_iobinding(binding)
    return {name: np.copy(value) for name, value in zip(names, binding.copy_outputs_to_cpu())}


class Refused(Exception):
    """The tool refuses the node."""


def original(case: Case) -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """The model of the node, and what the kernel gives; graph outputs are declared as they come."""
    count = case.outputs or 1
    untyped = one_node_model.build(case, case.opsets[0], [np.float32(0)] * count)
    for output in untyped.graph.output:
        output.ClearField("type")
    results = in_kernel(case.op_type, untyped.SerializeToString(), one_node_model.feeds(case, case.inputs))
    arrays = [results.get(f"out{index}", np.float32(0)) for index in range(count)]
    return one_node_model.build(case, case.opsets[0], arrays), results


def check_in_openvino(case: Case, lowered: bytes, wanted: dict[str, np.ndarray]) -> None:
    """It fuses, reorders and approximates, so that the last bits differ where ONNX Runtime is exact."""
    try:
        results = runtimes.in_openvino(lowered)(one_node_model.feeds(case, case.inputs))
    except Exception as error:
        if any(limit in str(error) for limit in OPENVINO_LIMITS):
            return
        raise
    for name, want in wanted.items():
        # What lies between two steps of a quantized value may be rounded to the other one: so it came out in 2 nodes of 30,000.
        is_quantized = np.asarray(want).dtype in (np.int8, np.uint8)
        assert_equal(f"OpenVINO, {name}", results[name], want, 0 if is_quantized else max(case.rtol, 1e-4), 1 if is_quantized else max(case.atol, 5e-5), any_dtype=True)


def check(case: Case, *, openvino: bool) -> None:
    model, wanted = original(case)
    outcome = tool.lower(model.SerializeToString())
    if outcome.status == tool.NOT_LOWERED:
        tool.assert_clean_refusal(outcome)
        raise Refused(outcome.stderr)
    assert outcome.status == tool.DONE, str(outcome)
    after = onnx.load_model_from_string(outcome.stdout)
    model_checks.assert_standard(after)
    model_checks.assert_same_interface(model, after)
    results = runtimes.in_onnxruntime(outcome.stdout)(one_node_model.feeds(case, case.inputs))
    for name, want in wanted.items():
        assert_equal(f"ONNX Runtime, {name}", results[name], want, case.rtol, case.atol)
    if openvino and "openvino" not in case.cannot and not runtimes.openvino_limit(model) and not runtimes.openvino_limit(after):
        check_in_openvino(case, outcome.stdout, wanted)


@pytest.mark.parametrize("operator", sorted(contrib_nodes.kernels() & set(contrib_nodes.GENERATORS)))
def test_random_nodes(operator: str) -> None:
    failures, refusals = [], collections.Counter()
    for number in range(NODES):
        case = contrib_nodes.drawn(operator, number)
        try:
            check(case, openvino=NODES > FEW or number % 4 == 0)
        except Refused as refusal:
            refusals[str(refusal)] += 1
        except Exception as error:  # the other nodes are tried all the same
            failures.append(f"{case.name} at opset {case.opsets[0]}, {case.attributes}: {type(error).__name__}: {error}")
    assert not failures, f"{len(failures)} of {NODES} nodes:\n" + "\n".join(failures)
    assert refusals.total() <= NODES / 2, f"{refusals.total()} of {NODES} nodes are refused: {refusals.most_common(3)}"
    unexplained = [refusal for refusal in refusals if not any(reason in refusal for reason in contrib_nodes.REFUSALS)]
    assert not unexplained, f"refused for another reason than that something is not known, or new: {unexplained}"


def test_every_operator_with_kernel_and_rule_is_drawn() -> None:
    rules = {op_type for domain, op_type in tool.built_in_rules() if domain == "com.microsoft"}
    drawn = set(contrib_nodes.GENERATORS)
    assert contrib_nodes.kernels() & rules <= drawn
    assert drawn <= rules, "some are for kernels of newer versions of ONNX Runtime only, but all are for rules"


# OpenVINO mixes up sequence and heads where there are as many of both, of some arrangements of nodes.


@pytest.mark.parametrize("operator", sorted(contrib_nodes.SIZED))
def test_every_size_of_sequence_and_heads(operator: str) -> None:
    failures = []
    for length in range(1, 10):
        for heads in range(1, 10):
            case = contrib_nodes.SIZED[operator](length, heads)
            try:
                check(case, openvino=True)
            except Exception as error:  # the other sizes are tried all the same
                failures.append(f"{length} steps, {heads} heads: {type(error).__name__}: {error}")
    assert not failures, f"{len(failures)} of 81 sizes:\n" + "\n".join(failures)


def _random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


# The operator and its attributes; its inputs, in which B is the number of sentences and S their length, or the numbers of a constant.
OF_NO_SENTENCES = {
    "MultiHeadAttention": ("MultiHeadAttention", {"num_heads": 2}, [("B", "S", 12), ("B", "S", 12), ("B", "S", 18)]),
    "MultiHeadAttention-keys-in-heads": ("MultiHeadAttention", {"num_heads": 2}, [("B", "S", 12), ("B", 2, "S", 6), ("B", 2, "S", 6)]),
    "Attention": ("Attention", {"num_heads": 3}, [("B", "S", 5), _random(5, 36), _random(36)]),
    "Attention-wide-values": ("Attention", {"num_heads": 3, "qkv_hidden_sizes": [12, 12, 18]}, [("B", "S", 5), _random(5, 42), _random(42)]),
    "QAttention": ("QAttention", {"num_heads": 3}, [("B", "S", 5, np.uint8), np.arange(180, dtype=np.uint8).reshape(5, 36), _random(36), np.float32(0.02), np.float32(0.01)]),
    "RotaryEmbedding": ("RotaryEmbedding", {}, [("B", "S", 12), ("B", "S", np.int64), _random(4, 2), _random(4, 2)]),
    "RotaryEmbedding-interleaved": ("RotaryEmbedding", {"interleaved": 1}, [("B", 3, "S", 4), ("B", "S", np.int64), _random(4, 2), _random(4, 2)]),
    "RotaryEmbedding-part": ("RotaryEmbedding", {"num_heads": 3, "rotary_embedding_dim": 4}, [("B", "S", 24), ("B", "S", np.int64), _random(4, 2), _random(4, 2)]),
    "MRotaryEmbedding": ("MRotaryEmbedding", {"num_heads": 3, "mrope_section": [1, 1, 0]}, [("B", "S", 12), (3, "B", "S", np.int64), _random(4, 2), _random(4, 2)]),
}


@pytest.mark.parametrize("declared", ["numbers", "names"])
@pytest.mark.parametrize("case", OF_NO_SENTENCES)
def test_no_sentences(case: str, declared: str) -> None:
    """A Reshape cannot find out what is left of a tensor without elements: it has to be told."""
    op_type, attributes, parts = OF_NO_SENTENCES[case]
    for batch, length in ((2, 3), (0, 3)):
        values, constants, feed = [], [], {}
        for index, part in enumerate(parts):
            name = f"in{index}"
            if isinstance(part, tuple):
                dtype = part[-1] if isinstance(part[-1], type) else np.float32
                dims = [dim for dim in part if not isinstance(dim, type)]
                shape = [{"B": batch, "S": length}.get(dim, dim) for dim in dims]
                values.append(onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape if declared == "numbers" else dims))
                feed[name] = _random(*shape) if dtype == np.float32 else (np.arange(np.prod(shape)).reshape(shape) % 4).astype(dtype)
            else:
                constants.append(onnx.numpy_helper.from_array(np.asarray(part), name))
        node = onnx.helper.make_node(op_type, [f"in{index}" for index in range(len(parts))], ["out"], domain="com.microsoft", **attributes)
        output = onnx.helper.make_tensor_value_info("out", onnx.TensorProto.FLOAT, None)
        imports = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("com.microsoft", 1)]
        content = onnx.helper.make_model(onnx.helper.make_graph([node], "g", values, [output], constants), opset_imports=imports, ir_version=8).SerializeToString()
        if batch > 0:
            computed = runtimes.in_onnxruntime(content)(feed)["out"]
        wanted = computed[:batch]  # some kernels crash without sentences
        for arguments in ([], ["--target-opset", "11"]):
            found = runtimes.in_onnxruntime(tool.lowered(content, arguments))(feed)["out"]
            assert found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
