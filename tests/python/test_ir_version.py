# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The IR version and the opset imports of the output: what an older runtime refuses first."""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnx.helper
import onnx.parser
import pytest

import runtimes
import tool

BODY = "g (float[2] x) => (float[2] y) { y = com.microsoft.QuickGelu (x) }"


def parsed(header: str, body: str = BODY) -> onnx.ModelProto:
    return onnx.parser.parse_model(f"<{header}> {body}")


def ir_version(model: onnx.ModelProto, *arguments: object) -> int:
    return onnx.load_model_from_string(tool.lowered(model.SerializeToString(), arguments)).ir_version


def imports(model: onnx.ModelProto, *arguments: object) -> dict[str, int]:
    return {opset.domain: opset.version for opset in onnx.load_model_from_string(tool.lowered(model.SerializeToString(), arguments)).opset_import}


CONTRIB = 'opset_import: ["" : 21, "com.microsoft" : 1]'


@pytest.mark.parametrize("opset", range(13, 22))
def test_target_opset_lowers_it_to_that_of_the_release_that_brought_the_opset(opset: int) -> None:
    releases = {row[3]: row[1] for row in reversed(onnx.helper.VERSION_TABLE) if len(row) >= 4 for row in [("", row[1], "", row[2])]}
    assert ir_version(parsed(f"ir_version: 12, {CONTRIB}"), "--target-opset", opset) == releases[opset]


def test_it_is_never_raised_by_target_opset() -> None:
    assert ir_version(parsed('ir_version: 7, opset_import: ["" : 14, "com.microsoft" : 1]'), "--target-opset", 21) == 7


def test_without_target_opset_it_is_the_inputs() -> None:
    assert ir_version(parsed(f"ir_version: 11, {CONTRIB}")) == 11


def test_ir_version_overrides_the_opsets() -> None:
    model = parsed(f"ir_version: 12, {CONTRIB}")
    assert ir_version(model, "--ir-version", 9) == 9
    assert ir_version(model, "--target-opset", 13, "--ir-version", 8) == 8


def test_the_output_still_computes_and_what_the_older_version_lacks_is_reported(tmp_path: Path) -> None:
    model = parsed(f"ir_version: 12, {CONTRIB}", "g (float[2] x) => (float[2] y) { t = Relu (x)  y = com.microsoft.QuickGelu (t) }")
    model.graph.node[0].metadata_props.add(key="k", value="v")
    report = tmp_path / "report.json"
    outcome = tool.lower(model.SerializeToString(), ["--target-opset", 17, "-v", "--report", report])
    assert outcome.status == tool.DONE
    after = onnx.load_model_from_string(outcome.stdout)
    assert after.ir_version == 8
    assert not any(node.metadata_props for node in after.graph.node)
    assert json.loads(report.read_text())["dropped_fields"] == ["metadata_props of 1 node"]
    assert "ir_version 8 has no metadata_props of 1 node: left out" in outcome.stderr
    feeds = {"x": np.array([1.5, -2], np.float32)}
    np.testing.assert_array_equal(runtimes.in_onnxruntime(outcome.stdout)(feeds)["y"], runtimes.in_onnxruntime(model.SerializeToString())(feeds)["y"])


def test_the_models_own_configurations_go_and_nothing_beside_them() -> None:
    model = parsed(f"ir_version: 11, {CONTRIB}")
    model.producer_name, model.doc_string = "someone", "what for"
    model.configuration.add(name="two", num_devices=2)
    model.metadata_props.add(key="k", value="v")
    outcome = tool.lower(model.SerializeToString(), ["--ir-version", 9, "-v"])
    after = onnx.load_model_from_string(outcome.stdout)
    assert not after.configuration
    assert (after.producer_name, after.doc_string, [prop.key for prop in after.metadata_props]) == ("someone", "what for", ["k"])
    assert "the model's device configurations" in outcome.stderr
    assert onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--ir-version", 11])).configuration == model.configuration


FUNCTION = '<domain: "d", opset_import: ["" : 21]> F (a) => (b) { b = Relu (a) }'


def test_functions_that_stay_keep_it_at_8() -> None:
    model = parsed('ir_version: 10, opset_import: ["" : 21, "d" : 1]', "g (float[2] x) => (float[2] y) { y = d.F (x) } " + FUNCTION)
    assert ir_version(model, "--keep", "d::F", "--target-opset", 13) == 8
    assert ir_version(model, "--target-opset", 13) == 7


def test_what_a_wanted_version_cannot_hold_is_refused() -> None:
    model = parsed('ir_version: 10, opset_import: ["" : 21, "d" : 1]', "g (float[2] x) => (float[2] y) { y = d.F (x) } " + FUNCTION)
    outcome = tool.lower(model.SerializeToString(), ["--keep", "d::F", "--ir-version", 7])
    assert outcome.status == tool.NOT_LOWERED and not outcome.stdout
    assert "ir_version 7 cannot hold function d::F, which came with 8; write --ir-version 8" in outcome.stderr


INSIDE = 'g (float[2] x, bool c) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] r) <%s> { %s }, else_branch = e () => (float[2] s) { s = Identity (x) }> }'


def test_an_initializer_of_a_graph_inside_keeps_it_at_4() -> None:
    """At version 3 ONNX Runtime wants each among the inputs of its graph, of which a branch has none."""
    model = parsed('ir_version: 7, opset_import: ["" : 8]', INSIDE % ("float[2] w = {1, 2}", "r = Add (x, w)"))
    out = tool.lowered(model.SerializeToString(), ["--target-opset", 8])
    assert onnx.load_model_from_string(out).ir_version == 4
    got = runtimes.in_onnxruntime(out)({"x": np.array([3, 4], np.float32), "c": np.array(True)})
    np.testing.assert_array_equal(got["y"], [4, 6])
    outcome = tool.lower(model.SerializeToString(), ["--ir-version", 3])
    assert outcome.status == tool.NOT_LOWERED and not outcome.stdout
    assert "ir_version 3 cannot hold initializer 'w', which is no graph input, which came with 4; write --ir-version 4" in outcome.stderr


def test_a_type_of_a_graph_inside_keeps_it_up() -> None:
    model = parsed('ir_version: 10, opset_import: ["" : 21, "d" : 1]', INSIDE % ("int4[2] w = {1, 2}", "r = d.F (x, w)"))
    assert ir_version(model, "--keep", "d::F", "--target-opset", 17) == 10


def test_a_type_that_the_older_version_lacks_is_refused() -> None:
    model = parsed('ir_version: 10, opset_import: ["" : 21]', "g (int4[2] x) => (int4[2] y) { y = Identity (x) }")
    outcome = tool.lower(model.SerializeToString(), ["--ir-version", 9])
    assert outcome.status == tool.NOT_LOWERED
    assert "ir_version 9 cannot hold 'x', which is of type INT4, which came with 10; write --ir-version 10" in outcome.stderr


@pytest.mark.parametrize("text", ["2", "99", "-1", "x"])
def test_versions_that_are_none(text: str) -> None:
    outcome = tool.lower(parsed(f"ir_version: 12, {CONTRIB}").SerializeToString(), [f"--ir-version={text}"])
    assert outcome.status == tool.WRONG_USAGE
    assert f"--ir-version {text}: " in outcome.stderr


UNUSED = 'opset_import: ["" : 21, "ai.onnx.ml" : 5, "com.acme" : 3]'


def test_imports_that_nothing_uses_go() -> None:
    model = parsed(f"ir_version: 10, {UNUSED}", "g (float[2] x) => (float[2] y) { y = Relu (x) }")
    assert imports(model, "--target-opset", 17) == {"": 17}


def test_an_import_of_ml_that_is_used_stays() -> None:
    model = parsed(f"ir_version: 10, {UNUSED}", "g (float[1, 2] x) => (float[1, 2] y) { y = ai.onnx.ml.Scaler <offset = [0.0], scale = [2.0]> (x) }")
    assert imports(model, "--target-opset", 17) == {"": 17, "ai.onnx.ml": 5}


INT4 = onnx.helper.make_tensor("w", onnx.TensorProto.INT4, [2, 3], np.arange(6), raw=False)
SCALES = onnx.helper.make_tensor("s", onnx.TensorProto.FLOAT, [], [0.5])


@pytest.mark.parametrize("external", [False, True])
def test_a_4_bit_constant_that_became_bytes_does_not_stay(external: bool, tmp_path: Path) -> None:
    model = parsed('ir_version: 10, opset_import: ["" : 21, "com.microsoft" : 1]', "g (float[2, 3] x) => (float[2, 3] y) { t = com.microsoft.DequantizeLinear (w, s)  y = Add (x, t) }")
    model.graph.initializer.extend([INT4, SCALES])
    model.graph.value_info.extend(onnx.helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in (("w", onnx.TensorProto.INT4, [2, 3]), ("t", onnx.TensorProto.FLOAT, [2, 3])))
    path = tmp_path / "in.onnx"
    onnx.save(model, path, save_as_external_data=external, size_threshold=0, convert_attribute=False)
    for how in ("keep", "embed", "split"):
        output = tmp_path / f"{how}.onnx"
        result = tool.run([path, "-o", output, "--target-opset", 17, "--external-data", how])
        assert result.status == tool.DONE, str(result)
        after = onnx.load(output)
        assert after.ir_version == 8
        assert "w" not in {tensor.name for tensor in after.graph.initializer}
        assert [info.name for info in after.graph.value_info] == ["t"]
        got = runtimes.in_onnxruntime(str(output))({"x": np.zeros((2, 3), np.float32)})["y"]
        np.testing.assert_array_equal(got, np.arange(6, dtype=np.float32).reshape(2, 3) / 2)


def test_an_unused_4_bit_constant_goes_with_what_is_declared_of_it() -> None:
    model = parsed('ir_version: 10, opset_import: ["" : 21]', "g (float[2] x) => (float[2] y) { t = Relu (x)  y = Relu (t) }")
    model.graph.initializer.append(INT4)
    model.graph.value_info.extend(onnx.helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in (("w", onnx.TensorProto.INT4, [2, 3]), ("t", onnx.TensorProto.FLOAT, [2])))
    after = onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--target-opset", 17]))
    assert after.ir_version == 8
    assert not after.graph.initializer
    assert [info.name for info in after.graph.value_info] == ["t"]


def test_what_keeps_it_up_is_said(tmp_path: Path) -> None:
    graph = "g (float[2] x) => (float[2] y) { y = d.F:o (x) }"
    model = parsed('ir_version: 10, opset_import: ["" : 21, "d" : 1]', f'{graph} <domain: "d", overload: "o", opset_import: ["" : 21]> F (a) => (b) {{ b = Relu (a) }}')
    path, report = tmp_path / "model.onnx", tmp_path / "report.json"
    path.write_bytes(model.SerializeToString())
    arguments = ("-o", tmp_path / "lowered.onnx", "--keep", "d::F", "--report", report, "--verbose")
    for opset, reason in ((13, "the overload 'o' of function d::F"), (21, None)):
        result = tool.run([path, *arguments, "--target-opset", opset])
        assert result.status == tool.DONE, result.stderr
        assert json.loads(report.read_text())["ir_version_needed_by"] == reason
        assert (f"ir_version is not lower because of {reason}" in result.stderr) == (reason is not None)


def test_a_4_bit_constant_that_stays_keeps_it_at_10() -> None:
    model = parsed('ir_version: 10, opset_import: ["" : 21, "d" : 1]', "g (float[2, 3] x) => (float[2, 3] y) { y = d.F (x, w) }")
    model.graph.initializer.append(INT4)
    assert ir_version(model, "--keep", "d::F", "--target-opset", 17) == 10


def test_what_functions_say_of_their_nodes_goes_too(tmp_path: Path) -> None:
    body = "".join(f"t{k + 1} = Neg (t{k}) " for k in range(20))
    model = parsed('ir_version: 11, opset_import: ["" : 21, "d" : 1]', f'g (float[2] x) => (float[2] y) {{ y = d.F (x) }} <domain: "d", opset_import: ["" : 21]> F (t0) => (t20) {{ {body} }}')
    for node in (*model.graph.node, *model.functions[0].node):
        node.metadata_props.add(key="k", value="v")
    path, output = tmp_path / "in.onnx", tmp_path / "out.onnx"
    path.write_bytes(model.SerializeToString())
    result = tool.run([path, "-o", output, "--ir-version", 9, "--verbose"])
    assert result.status == tool.DONE and "ir_version 9 has no metadata_props of 20 nodes: left out" in result.stderr, result.stderr
    assert [len(node.metadata_props) for node in onnx.load(output).graph.node] == [0] * 20
    x = np.array([1, -2], np.float32)
    np.testing.assert_array_equal(runtimes.in_onnxruntime(str(output))({"x": x})["y"], x)


def test_what_else_a_type_says_is_no_element_type() -> None:
    model = parsed('ir_version: 10, opset_import: ["" : 21, "com.microsoft" : 1]')
    # Read as fields, it would say that the elements are INT4.
    model.graph.input[0].type.denotation = f"\x08{chr(onnx.TensorProto.INT4)}"
    assert ir_version(model, "--target-opset", 17) == 8


def test_a_wanted_opset_overrides_that_of_the_target() -> None:
    model = parsed('ir_version: 7, opset_import: ["" : 13, "com.microsoft" : 1]')
    assert imports(model, "--target", "onnxruntime-1.8", "--target-opset", 17)[""] == 17
