# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators under other names: domains that exporters use for the same, a domain that an export has lost, and nodes Plugin, which hold the operator's name and attributes."""
from __future__ import annotations

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import model_checks
import runtimes
import tool

SUPPRESSION = {"background_class": -1, "box_coding": 0, "class_agnostic": 1, "iou_threshold": 0.5, "max_output_boxes": 5, "plugin_version": "1", "score_activation": 0, "score_threshold": 0.1}
DEFORMABLE = {"stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "deformable_groups": 1}


def model(node: onnx.NodeProto, inputs: dict[str, list], outputs: dict[str, tuple[int, list]], *, opset: int = 17, imports: bool = True) -> bytes:
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in inputs.items()],
                              [helper.make_tensor_value_info(name, kind, dims) for name, (kind, dims) in outputs.items()])
    domains = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(node.domain, 1)] if node.domain and imports else [])
    return helper.make_model(graph, opset_imports=domains, ir_version=8).SerializeToString()


def suppression(domain: str, **options: bool) -> bytes:
    node = helper.make_node("EfficientNMS_TRT", ["boxes", "scores"], ["n", "b", "s", "c"], domain=domain, name="nms", **SUPPRESSION)
    return model(node, {"boxes": [1, 20, 4], "scores": [1, 20, 3]},
                 {"n": (TensorProto.INT32, [1, 1]), "b": (TensorProto.FLOAT, [1, 5, 4]), "s": (TensorProto.FLOAT, [1, 5]), "c": (TensorProto.INT32, [1, 5])}, **options)


def convolution(op_type: str, domain: str, **attributes: object) -> bytes:
    node = helper.make_node(op_type, ["x", "offset", "mask", "w", "bias"], ["y"], domain=domain, name="conv")
    node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
    return model(node, {"x": [1, 4, 6, 6], "offset": [1, 18, 6, 6], "mask": [1, 9, 6, 6], "w": [5, 4, 3, 3], "bias": [5]}, {"y": (TensorProto.FLOAT, [1, 5, 6, 6])})


@pytest.mark.parametrize("imports", [True, False])
@pytest.mark.parametrize("domain", ["trt.plugins", "trt", "nvidia"])
def test_domains_that_mean_the_same(domain: str, imports: bool) -> None:
    result = tool.lower(suppression(domain, imports=imports))
    assert result.status == tool.DONE and f"; read {domain}::EfficientNMS_TRT as TRT::EfficientNMS_TRT; " in result.stderr, result
    assert result.stdout == tool.lowered(suppression("TRT"))


@pytest.mark.parametrize("domain, op_type", [("mmcv", "TRTBatchedNMS"), ("trt.plugins", "DCNv2"), ("nvidia", "ROIAlign_TRT")])
def test_each_operator_of_the_family_is_found(domain: str, op_type: str) -> None:
    """Its rule is asked, whatever that says of a node without inputs."""
    result = tool.lower(model(helper.make_node(op_type, ["x"], ["y"], domain=domain), {"x": [1, 4]}, {"y": (TensorProto.FLOAT, [1, 4])}))
    assert result.status == tool.NOT_LOWERED and "there is no rule" not in result.stderr, result


def test_a_domain_that_an_export_lost() -> None:
    """TRTBatchedNMS is mmdeploy's alone."""
    node = helper.make_node("MultiScaleDeformableAttn", ["x"], ["y"])
    result = tool.lower(model(node, {"x": [1, 4]}, {"y": (TensorProto.FLOAT, [1, 4])}))
    assert result.status == tool.NOT_LOWERED and "npu::MultiScaleDeformableAttn" in result.stderr and "--as" not in result.stderr, result


@pytest.mark.parametrize("op_type, words", [("relu", "--as relu=ai.onnx::Relu"), ("Swish_", "Swish")])
def test_what_may_mean_several_keeps_the_hint(op_type: str, words: str) -> None:
    result = tool.lower(model(helper.make_node(op_type, ["x"], ["y"]), {"x": [1, 4]}, {"y": (TensorProto.FLOAT, [1, 4])}))
    assert result.status == tool.NOT_LOWERED and words in result.stderr, result


def test_grid_sampler_without_a_domain() -> None:
    def content(domain: str) -> bytes:
        node = helper.make_node("grid_sampler", ["x", "g"], ["y"], domain=domain, align_corners=1, interpolation_mode=0, padding_mode=0)
        return model(node, {"x": [1, 3, 8, 8], "g": [1, 5, 6, 2]}, {"y": (TensorProto.FLOAT, [1, 3, 5, 6])}, opset=16)

    assert tool.lowered(content("")) == tool.lowered(content("mmdeploy"))


@pytest.mark.parametrize("option", [["--keep", "trt.plugins"], ["--attach=trt.plugins"]])
def test_what_is_to_stay_keeps_its_name(option: list[str]) -> None:
    result = tool.lower(suppression("trt.plugins"), option)
    if result.status == tool.DONE:
        assert [node.domain for node in onnx.load_from_string(result.stdout).graph.node] == ["trt.plugins"]
    else:
        assert "node 'nms' (trt.plugins::EfficientNMS_TRT)" in result.stderr


def test_a_function_of_the_model_goes_before_another_domain() -> None:
    function = helper.make_function("trt.plugins", "EfficientNMS_TRT", ["x"], ["y"], [helper.make_node("Relu", ["x"], ["y"])], [helper.make_opsetid("", 17)])
    content = onnx.load_from_string(model(helper.make_node("EfficientNMS_TRT", ["x"], ["y"], domain="trt.plugins"), {"x": [1, 4]}, {"y": (TensorProto.FLOAT, [1, 4])}))
    content.functions.append(function)
    assert [node.op_type for node in onnx.load_from_string(tool.lowered(content.SerializeToString())).graph.node] == ["Relu"]


def test_a_model_under_its_usual_name_has_no_note() -> None:
    assert "; read " not in tool.lower(suppression("TRT")).stderr


@pytest.mark.parametrize("domain", ["", "trt", "TRT"])
def test_plugins_are_what_they_name(domain: str) -> None:
    result = tool.lower(convolution("Plugin", domain, name="DCNv2", info=json.dumps(DEFORMABLE)))
    assert result.status == tool.DONE and " as " in result.stderr, result
    after, other = onnx.load_from_string(result.stdout), onnx.load_from_string(tool.lowered(convolution("DCNv2", domain or "TRT", **DEFORMABLE)))
    model_checks.assert_standard(after)
    assert after.graph == other.graph


def test_attributes_beside_what_a_plugin_holds() -> None:
    told = {key: value for key, value in DEFORMABLE.items() if key != "stride"}
    out = tool.lowered(convolution("Plugin", "", name="DCNv2", info=json.dumps(told), stride=[1, 1]))
    assert onnx.load_from_string(out).graph == onnx.load_from_string(tool.lowered(convolution("DCNv2", "TRT", **DEFORMABLE))).graph


@pytest.mark.parametrize("attributes", [{"name": "DCNv2", "info": "[1, 2"}, {"name": "DCNv2", "info": "[1]"}, {"info": "{}"}, {"name": "Unknown", "info": "{}"}, {"name": "DCNv2", "info": '{"stride": {"a": 1}}'}])
def test_plugins_that_name_nothing(attributes: dict[str, str]) -> None:
    tool.assert_clean_refusal(tool.lower(convolution("Plugin", "", **attributes)), tool.NOT_LOWERED)


def test_numbers_of_a_plugin() -> None:
    """Without offsets and with a mask of ones, it is a convolution."""
    run = runtimes.in_onnxruntime(tool.lowered(convolution("Plugin", "", name="DCNv2", info=json.dumps(DEFORMABLE))))
    numbers = np.random.default_rng(3)
    x, w, bias = (numbers.standard_normal(shape).astype(np.float32) for shape in ((1, 4, 6, 6), (5, 4, 3, 3), (5,)))
    found = run({"x": x, "offset": np.zeros((1, 18, 6, 6), np.float32), "mask": np.ones((1, 9, 6, 6), np.float32), "w": w, "bias": bias})["y"]
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    expected = sum(np.einsum("nchw,oc->nohw", padded[:, :, i : i + 6, j : j + 6], w[:, :, i, j]) for i in range(3) for j in range(3)) + bias[:, None, None]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
