# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What must hold for every model, tried on generated ones."""
from __future__ import annotations

import random

import numpy as np
import onnx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import generated_models
import model_checks
import plain_interpreter
import runtimes
import tool
import wire_variants
from compare import assert_equal

# Failures are found again by the same examples: the tests are the same in every run.
many = settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
few = settings(many, max_examples=40)
seeds = st.integers(0, 2**32 - 1)


def inputs_of(model: onnx.ModelProto) -> list[dict[str, np.ndarray]]:
    initializers = {tensor.name for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in initializers]
    generator = np.random.default_rng(0)
    return [{name: (generator.integers(-8, 9, length) / 4).astype(np.float32) for name in names} for length in (4, 1)]


def assert_same_numbers(original: onnx.ModelProto, lowered: bytes) -> None:
    run = runtimes.in_onnxruntime(lowered)
    for inputs in inputs_of(original):
        got = run(inputs)
        for name, want in plain_interpreter.run(original, inputs).items():
            assert_equal(name, got[name], want)


@many
@given(generated_models.models())
def test_lowered_models_are_right(model: onnx.ModelProto) -> None:
    lowered = tool.lowered(model.SerializeToString())
    after = onnx.load_model_from_string(lowered)
    model_checks.assert_standard(after)
    model_checks.assert_valid(after)
    model_checks.assert_no_duplicate_names(after)
    model_checks.assert_same_interface(model, after)
    assert_same_numbers(model, lowered)


def shuffle(nodes, generator: random.Random) -> None:
    shuffled = list(nodes)
    generator.shuffle(shuffled)
    for node in shuffled:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                shuffle(attribute.g.node, generator)
    copies = [onnx.NodeProto.FromString(node.SerializeToString()) for node in shuffled]
    del nodes[:]
    nodes.extend(copies)


@many
@given(generated_models.models(), seeds)
def test_nodes_may_stand_in_any_order(model: onnx.ModelProto, seed: int) -> None:
    """As runtimes take them, and as onnxruntime.transformers.float16 leaves them. ONNX wants each node behind those that it uses, and so it is written."""
    shuffled = onnx.ModelProto.FromString(model.SerializeToString())
    generator = random.Random(seed)
    shuffle(shuffled.graph.node, generator)
    for function in shuffled.functions:
        shuffle(function.node, generator)
    lowered = tool.lowered(shuffled.SerializeToString())
    after = onnx.load_model_from_string(lowered)
    model_checks.assert_standard(after)
    model_checks.assert_valid(after)
    model_checks.assert_same_interface(model, after)
    assert_same_numbers(model, lowered)
    assert tool.lowered(lowered) == lowered


@many
@given(generated_models.models())
def test_attached_models_are_right(model: onnx.ModelProto) -> None:
    """With their custom nodes, functions that call functions, and bodies; attaching what is attached changes nothing."""
    attached = tool.lowered(model.SerializeToString(), ["--attach"])
    after = onnx.load_model_from_string(attached)
    model_checks.assert_valid(after)
    model_checks.assert_same_interface(model, after)
    assert_same_numbers(model, attached)
    assert tool.lowered(attached, ["--attach"]) == attached
    assert_same_numbers(model, tool.lowered(attached))


@many
@given(generated_models.models())
def test_deterministic_and_idempotent(model: onnx.ModelProto) -> None:
    lowered = tool.lowered(model.SerializeToString())
    assert tool.lowered(model.SerializeToString()) == lowered, "the second run gives other bytes"
    assert tool.lowered(lowered) == lowered, "lowering what is lowered changes it"


@many
@given(generated_models.models(custom=False), seeds)
def test_standard_models_pass_byte_for_byte(model: onnx.ModelProto, seed: int) -> None:
    used = {entry.domain for entry in model.opset_import} == {""}
    for content in (model.SerializeToString(), wire_variants.scrambled(model, random.Random(seed), unknown=0.3)):
        lowered = tool.lowered(content)
        if used:
            assert lowered == content
        else:
            assert [entry.domain for entry in onnx.load_model_from_string(lowered).opset_import] == [""], "an unused custom opset_import is left"
            assert tool.lowered(lowered) == lowered


@many
@given(generated_models.models(), seeds)
def test_way_of_writing_makes_no_difference(model: onnx.ModelProto, seed: int) -> None:
    """Other orders of fields, packed or unpacked numbers, messages in two parts: the result is the same model."""
    plain = onnx.load_model_from_string(tool.lowered(model.SerializeToString()))
    other = onnx.load_model_from_string(tool.lowered(wire_variants.scrambled(model, random.Random(seed), split=0.1)))
    assert plain == other


@many
@given(generated_models.models(), seeds)
def test_unknown_fields_are_kept(model: onnx.ModelProto, seed: int) -> None:
    """In whatever is not itself replaced: the model, the graph, nodes that stay."""
    content = wire_variants.scrambled(model, random.Random(seed), unknown=0.2)
    marked = content + wire_variants.tagged(4000, wire_variants.BYTES, wire_variants.UNKNOWN_TEXT + b" at the end")
    lowered = tool.lowered(marked)
    assert wire_variants.UNKNOWN_TEXT + b" at the end" in lowered
    model_checks.assert_valid(onnx.load_model_from_string(lowered))
    parsed = onnx.load_model_from_string(content)
    kept = [node for node in parsed.graph.node if not node.domain and not node.attribute and len(node.SerializeToString()) > 40]
    for node in kept:
        assert node.SerializeToString() in _reserialized_nodes(lowered), f"node '{node.name}' lost something:\n{node}"


def _reserialized_nodes(model: bytes) -> set[bytes]:
    return {node.SerializeToString() for node in onnx.load_model_from_string(model).graph.node}


@many
@given(generated_models.models())
def test_what_stays_is_not_touched(model: onnx.ModelProto) -> None:
    """Standard nodes of the main graph stay as they are and in their order; so do initializers, and everything said about the model."""
    after = onnx.load_model_from_string(tool.lowered(model.SerializeToString()))
    remaining = iter(node.SerializeToString() for node in after.graph.node)
    for node in model.graph.node:
        has_body = any(attribute.HasField("g") for attribute in node.attribute)
        if not node.domain and not has_body:
            assert node.SerializeToString() in remaining, f"node '{node.name}' was changed, dropped or moved:\n{node}"
    initializers = {tensor.SerializeToString() for tensor in after.graph.initializer}
    for tensor in model.graph.initializer:
        assert tensor.SerializeToString() in initializers
    for field in ("ir_version", "producer_name", "producer_version", "doc_string", "domain", "model_version", "metadata_props"):
        assert getattr(model, field) == getattr(after, field)
    assert model.graph.name == after.graph.name and model.graph.doc_string == after.graph.doc_string


@few
@given(generated_models.models())
def test_check_says_what_lowering_does(model: onnx.ModelProto) -> None:
    checked = tool.run(["--check", "-"], stdin=model.SerializeToString())
    lowered = tool.lower(model.SerializeToString())
    if lowered.status != tool.DONE:
        assert checked.status == lowered.status
        return
    after = onnx.load_from_string(lowered.stdout)
    imports = {entry.domain: entry.version for entry in model.opset_import}
    # An import that nothing uses may go.
    is_same = after.graph == model.graph and after.ir_version == model.ir_version and all(imports[entry.domain] == entry.version for entry in after.opset_import)
    assert checked.status == (tool.DONE if is_same else tool.NEEDS_LOWERING)


@few
@given(generated_models.models(), st.binary(min_size=1, max_size=8), seeds)
def test_damaged_models_are_refused_or_give_models(model: onnx.ModelProto, damage: bytes, seed: int) -> None:
    content = bytearray(model.SerializeToString())
    position = random.Random(seed).randrange(len(content))
    content[position : position + len(damage)] = damage
    result = tool.lower(bytes(content))
    if result.status != tool.DONE:
        tool.assert_clean_refusal(result)
        assert not result.stdout
    elif is_message(bytes(content)):
        assert is_message(result.stdout)


def is_message(content: bytes) -> bool:
    """Damage to what the tool has no reason to read, a doc string's owner say, passes through like everything else there."""
    try:
        onnx.load_model_from_string(content)
    except Exception:
        return False
    return True
