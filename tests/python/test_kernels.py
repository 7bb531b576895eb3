# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The native kernels: on the cases of the definitions and on whole models, with bad inputs, and in the oldest runtime that they serve."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper

import definition
import kernels
import one_node_model
import tool
from compare import assert_equal
from definition import Case, Definition
from test_cases import CASES, ModelCase

OLDEST_RUNTIME = pathlib.Path(os.environ.get("ONNX_LOWER_OLDEST_RUNTIME", tool.REPOSITORY / "build" / "venv-oldest-runtime" / "bin" / "python"))

def with_attributes(model: onnx.ModelProto, case: Case) -> onnx.ModelProto:
    """The model with what a case gives by --set on its node."""
    for name, value in case.set.items():
        model.graph.node[-1].attribute.append(one_node_model.attribute(name, value))
    return model


def native_cases() -> list[tuple[Definition, Case]]:
    found = []
    for operator in definition.all_definitions():
        for case in operator.cases():
            if (case.domain, case.op_type) in kernels.served() and not case.refuse and "kernel" not in case.cannot:
                found.append((operator, case))
    return found


NATIVE_CASES = native_cases()


@pytest.mark.parametrize("operator, case", NATIVE_CASES, ids=lambda value: value.name)
def test_definition(operator: Definition, case: Case) -> None:
    expected = [operator.expected(case, inputs) for inputs in case.input_lists()]
    for opset in {case.opsets[0], case.opsets[-1]}:
        model = with_attributes(one_node_model.build(case, opset, expected[0]), case)
        run = kernels.natively(model.SerializeToString())
        for inputs, wanted in zip(case.input_lists(), expected):
            got = run(one_node_model.feeds(case, inputs))
            for name, want in one_node_model.results(case, wanted).items():
                assert_equal(f"opset {opset}, {name}", got[name], want, case.rtol, case.atol)


def test_every_kernel_has_a_case() -> None:
    untested = kernels.served() - {(case.domain, case.op_type) for _, case in NATIVE_CASES}
    assert kernels.served() and not untested, f"no case for {sorted(untested)}"


def test_marks_are_shown() -> None:
    lines = tool.run(["--list-rules"]).stdout.decode().splitlines()
    column = lines[0].index("KERNEL")
    marked = {tuple(line.split()[0].split("::")) for line in lines[1:] if line[column:].startswith("yes")}
    assert marked == kernels.served()


# Whole models


def is_native(case: ModelCase) -> bool:
    model = onnx.load(case.model, load_external_data=False)
    nodes = kernels.served_nodes(model)
    custom = [node for node in kernels.all_nodes(model) if node.domain not in ("", "ai.onnx") or node in nodes]
    return bool(nodes) and len(custom) == len(nodes) and not model.functions


# Of an incomplete type is an output of these models, or an input or output of a subgraph, and ONNX Runtime refuses them; the tool mends that.
UNTYPED = ("branch_list_", "thr_in_loop_if_undefined", "thr_in_while_unshaped")
NATIVE_MODELS = [case for case in CASES if is_native(case) and not case.name.startswith(UNTYPED)]


def give(model: onnx.ModelProto, arguments: list[str]) -> None:
    """Gives the nodes what `--set DOMAIN::OP.name=value` says."""
    for setting in (value for flag, value in zip(arguments, arguments[1:]) if flag == "--set"):
        domain, op_type, name, value = re.fullmatch(r"([^:]*)::(\w+)\.(\w+)=(.*)", setting).groups()
        numbers = [float(number) if "." in number else int(number) for number in value.split(",")]
        for node in kernels.served_nodes(model):
            if (node.domain, node.op_type) == (domain, op_type):
                node.attribute.append(helper.make_attribute(name, numbers if len(numbers) > 1 else numbers[0]))


@pytest.mark.parametrize("case", NATIVE_MODELS, ids=lambda case: case.name)
def test_whole_model(case: ModelCase) -> None:
    model = onnx.load(case.model)
    give(model, case.says.get("arguments", []))
    if case.says["expect"] == "refused":
        with pytest.raises(Exception) as refusal:
            kernels.natively(model.SerializeToString())
        assert all(name in str(refusal.value) for name in case.says["names"] if not name.startswith("--"))
        return
    run = kernels.natively(model.SerializeToString(), threads=2)
    for inputs, expected in case.sets():
        got = run(inputs)
        for name, want in expected.items():
            assert_equal(name, got[name], want, case.says.get("rtol", 0), case.says.get("atol", 0))


@pytest.mark.parametrize("name", ["thr_attrs_dyn", "knn_5in_op13", "dcn_attrs_mask_bias"])
def test_kernels_go_before_attached_functions(name: str, tmp_path: pathlib.Path) -> None:
    (case,) = [case for case in CASES if case.name == name]
    attached = tmp_path / "attached.onnx"
    result = tool.run([case.model, "-o", attached, "--attach"])
    assert result.status == tool.DONE, str(result)
    # Without a kernel, ONNX Runtime puts the function's body in the node's place; what it runs can be read.
    seen = tmp_path / "seen.onnx"
    kernels.session(str(attached), seen=seen)
    operators = [(node.domain, node.op_type) for node in onnx.load(seen).graph.node]
    assert [node for node in onnx.load(attached).graph.node if (node.domain, node.op_type) in kernels.served()]
    assert any(operator in kernels.served() for operator in operators), operators
    got = kernels.natively(str(attached))(case.sets()[0][0])
    for output, want in case.sets()[0][1].items():
        assert_equal(output, got[output], want, case.says.get("rtol", 0), case.says.get("atol", 0))


# Bad input


def knn(*arrays: np.ndarray, nsample: object = np.int64(2)) -> Case:
    return Case("knn", domain="custom", op_type="knnquery", inputs=[nsample, *arrays])


def grid(*arrays: np.ndarray | None) -> Case:
    return Case("grid", domain="custom", op_type="torch_cluster_grid", inputs=arrays)


def convolution(change: dict[int, object] | None = None, **attributes) -> Case:
    """A deformable convolution that is right but for the inputs in `change`: functions of what is right, or other arrays."""
    inputs = definition.definition_of("custom", "deform_conv2d").operands(1, groups=2, offset_groups=2)
    for index, value in (change or {}).items():
        inputs[index] = value(inputs[index]) if callable(value) else value
    return Case("dcn", domain="custom", op_type="deform_conv2d", inputs=inputs, attributes=attributes)


def elementwise(op_type: str, *arrays: np.ndarray | None, domain: str = "custom", **attributes) -> Case:
    return Case("elementwise", domain=domain, op_type=op_type, inputs=arrays, attributes=attributes)


XYZ, TWO, ENDS = np.zeros((5, 3), np.float32), np.zeros((2, 3), np.float32), np.int32([3, 5])
LINE, THREE, NUMBER = np.float32([1, 2]), np.float32([1, 2, 3]), np.float32(1)

BAD = {
    "knn-samples-zero": (knn(XYZ, ENDS, nsample=np.int64(0)), "nsample (input 0) is 0, not positive"),
    "knn-samples-negative": (knn(XYZ, ENDS, nsample=np.int64(-3)), "nsample (input 0) is -3, not positive"),
    "knn-samples-many": (knn(XYZ, ENDS, nsample=np.int64([1, 2])), "nsample (input 0) has 2 elements"),
    "knn-points-rank": (knn(XYZ[0], ENDS), "xyz (input 1) has rank 1 instead of 2"),
    "knn-coordinates": (knn(XYZ[:, :2], ENDS), "dimension 1 of xyz (input 1) is 2, not 3"),
    "knn-offset-rank": (knn(XYZ, ENDS[None]), "offset (input 2) has rank 2 instead of 1"),
    "knn-offset-decreases": (knn(XYZ, np.int32([4, 3])), "element 1 of offset (input 2) is 3, before the end of the batch before it, 4"),
    "knn-offset-negative": (knn(XYZ, np.int32([-1, 5])), "element 0 of offset (input 2) is -1"),
    "knn-offset-beyond": (knn(XYZ, np.int32([3, 6])), "element 1 of offset (input 2) is 6, but input 1 has only 5 points"),
    "knn-query-in-no-batch": (knn(XYZ, np.int32([3])), "query 3 of 5 (input 1) is in no batch"),
    "knn-new-query-in-no-batch": (knn(XYZ, ENDS, TWO, np.int32([1, 1])), "query 1 of 2 (input 3) is in no batch: the last one ends at 1 (input 4)"),
    "knn-new-offset-beyond": (knn(XYZ, ENDS, TWO, np.int32([1, 3])), "element 1 of new_offset (input 4) is 3, but input 3 has only 2 points"),
    "knn-batches": (knn(XYZ, ENDS, TWO, np.int32([2])), "offset (input 2) has 2 batches, but new_offset (input 4) has 1"),
    "knn-no-new-offset": (knn(XYZ, ENDS, TWO), "new_xyz (input 3) and new_offset (input 4) must be given together"),
    "knn-new-coordinates": (knn(XYZ, ENDS, TWO[:, :1], np.int32([1, 2])), "dimension 1 of new_xyz (input 3) is 1, not 3"),
    "knn-attribute": (Case("knn", domain="custom", op_type="knnquery", inputs=[XYZ, ENDS], attributes={"nsample": 0}), "attribute 'nsample' is 0"),
    "grid-size-zero": (grid(XYZ, np.float32([1, 0, 1])), "element 1 of size (input 1) is zero"),
    "grid-sizes": (grid(XYZ, LINE), "size (input 1) has 2 elements, where the points of pos (input 0) have 3 dimensions"),
    "grid-starts": (grid(XYZ, THREE, LINE), "start (input 2) has 2 elements"),
    "grid-ends": (grid(XYZ, THREE, None, LINE), "end (input 3) has 2 elements"),
    "grid-size-rank": (grid(XYZ, THREE[None]), "size (input 1) has rank 2 instead of 1"),
    "grid-scalar": (grid(NUMBER, LINE[:1]), "pos (input 0) has rank 0"),
    "grid-nan": (grid(np.float32([[0, 0], [1, np.nan]]), LINE, LINE, LINE), "dimension 1 of point 1 of pos (input 0) is nan voxels away"),
    "grid-infinite": (grid(np.float32([[0, np.inf]]), LINE, LINE), "dimension 1 of point 0 of pos (input 0) is inf voxels away"),
    "dcn-image-rank": (convolution({0: lambda image: image[0]}), "the image (input 0) has rank 3 instead of 4"),
    "dcn-mask-rank": (convolution({3: lambda mask: mask[0]}), "the mask (input 3) has rank 3 instead of 4"),
    "dcn-bias-rank": (convolution({4: lambda bias: bias[None]}), "the bias (input 4) has rank 2 instead of 1"),
    "dcn-channels": (convolution({1: lambda weight: weight[:, :1].repeat(3, 1)}), "the number of channels of the image (input 0), 4, is no multiple of that of the weight (input 1), 3"),
    "dcn-groups": (convolution(groups=4), "groups is 4, but the number of channels"),
    "dcn-groups-zero": (convolution(groups=0), "groups is 0, not positive"),
    "dcn-outputs": (convolution({1: lambda weight: weight[:3]}), "dimension 0 of the weight (input 1), 3 outputs, does not divide into 2 groups"),
    "dcn-offset-channels": (convolution({2: lambda offset: offset[:, :35]}), "dimension 1 of the offset (input 2), 35, is no multiple of"),
    "dcn-offset-groups": (convolution(offset_groups=1), "offset_groups is 1, but dimension 1 of the offset (input 2), 36, is 2 times"),
    "dcn-offset-groups-channels": (convolution({2: lambda offset: offset.repeat(2, 1)[:, :54], 3: lambda mask: mask.repeat(2, 1)[:, :27]}), "4 channels, does not divide into 3 offset groups"),
    "dcn-offset-batch": (convolution({2: lambda offset: offset[:1]}), "dimension 0 of the offset (input 2) is 1, not 2"),
    "dcn-offset-height": (convolution({2: lambda offset: offset[:, :, 1:]}, stride=1, padding=0, dilation=1), "make a height of 5 from 7 with a kernel of 3, where dimension 2 of the offset (input 2) is 4"),
    "dcn-offset-width": (convolution({2: lambda offset: offset[..., 1:]}, stride=1, padding=0, dilation=1), "make a width of 4 from 6 with a kernel of 3, where dimension 3 of the offset (input 2) is 3"),
    "dcn-mask-channels": (convolution({3: lambda mask: mask[:, 1:]}), "dimension 1 of the mask (input 3) is 17, not 18"),
    "dcn-mask-height": (convolution({3: lambda mask: mask[:, :, 1:]}), "dimension 2 of the mask (input 3) is 4, not 5"),
    "dcn-bias": (convolution({4: lambda bias: bias[1:]}), "dimension 0 of the bias is 3, not 4"),
    "dcn-stride": (convolution(stride=[1, 0]), "the stride of the width is 0, not positive"),
    "dcn-padding": (convolution(padding=-1), "the padding of the height is negative"),
    "dcn-stride-list": (convolution(stride=[1, 1, 1]), "attribute 'stride' has 3 elements"),
    "dcn-stride-twice": (convolution(stride=1, stride_h=1), "stride is given both as a list and as single numbers"),
    "dcn-small-image": (convolution({0: lambda image: image[:, :, :2], 2: lambda offset: offset[:, :, :0], 3: lambda mask: mask[:, :, :0]}), "make a height of 0 from 2"),
    "dcn-no-mask": (convolution({3: None}, use_mask=1), "use_mask is set, and there is no mask"),
    "add-shapes": (elementwise("my_add", THREE[None], LINE), "dimension 0 of b (input 1) is 2, where the inputs before it have 3"),
    "mixed-shapes": (elementwise("Mixed", THREE, np.int64([1]), np.int8([1, 2])), "dimension 0 of c (input 2) is 2"),
    "bound-rank": (elementwise("OptSum", THREE, THREE, None, LINE), "hi (input 3) has rank 1 instead of 0"),
    "threshold-lost": (elementwise("cstThreshold", THREE, domain="rknn_cst", value=1.0), "attribute 'threshold' is missing"),
    "threshold-param": (elementwise("cstThreshold", THREE, domain="rknn_cst", param=[1.0]), "attribute 'param' has 1 elements instead of two"),
    "threshold-twice": (elementwise("cstThreshold", THREE, domain="rknn_cst", param=[1.0, 2.0], value=1.0), "attribute 'param' gives once more"),
    "threshold-suffix-twice": (elementwise("cstThreshold", THREE, domain="rknn_cst", threshold=1.0, threshold_f=1.0), "attribute 'threshold_f' gives once more"),
    "threshold-value": (elementwise("cstThreshold", np.uint8([1]), domain="rknn_cst", threshold=1.0, value=-1.0), "value is -1, which the element type of x (input 0) cannot hold"),
    "residual-lost": (elementwise("cstDualResidual", THREE, THREE, domain="rknn_cst"), "attribute 'alpha' is missing"),
}


OUTPUTS = {"knnquery": [np.zeros((0, 0), np.int32), np.zeros((0, 0), np.float32)], "torch_cluster_grid": [np.zeros(0, np.int64)],
           "cstDualResidual": [THREE, THREE]}


@pytest.mark.parametrize("case, message", BAD.values(), ids=BAD)
def test_bad_input(case: Case, message: str) -> None:
    expected = OUTPUTS.get(case.op_type, [case.inputs[0]])
    # The model does not know the shapes, so that the kernel has to see what is wrong.
    model = one_node_model.build(dataclasses.replace(case, shapes="unranked"), 13, expected)
    with pytest.raises(Exception) as error:
        kernels.natively(model.SerializeToString())(one_node_model.feeds(case, case.inputs))
    assert f"{case.domain}::{case.op_type} 'node': " in str(error.value), "does not name the node"
    assert message in str(error.value)


def test_the_least_integer_is_no_step_of_minus_one() -> None:
    """Its opposite is no int32, and the processor's division stops the program."""
    case = grid(np.int32([[-(2**31)], [5]]), np.int32([-1]), np.int32([0]), np.int32([7]))
    model = one_node_model.build(case, 13, [np.zeros(2, np.int64)])
    (cluster,) = kernels.natively(model.SerializeToString())(one_node_model.feeds(case, case.inputs)).values()
    assert cluster.tolist() == [-(2**31), -5]


# Shapes


def shape_of_output(case: Case, number: int = 0) -> list:
    """What a session knows of an output's shape before any run, in a model that says nothing of it itself."""
    model = one_node_model.build(case, 17, [np.zeros((), np.int32)])
    # An Identity after it, so that the output of the node is inside the graph and of a type that only inference tells.
    model.graph.node.append(helper.make_node("Identity", [model.graph.node[0].output[number]], ["end"]))
    types = {"knnquery": onnx.TensorProto.INT32, "torch_cluster_grid": onnx.TensorProto.INT64}
    model.graph.ClearField("output")
    model.graph.output.append(helper.make_tensor_value_info("end", types.get(case.op_type, onnx.TensorProto.FLOAT), None))
    return kernels.session(model.SerializeToString()).get_outputs()[0].shape


def test_shapes_are_inferred() -> None:
    x, row = np.zeros((2, 3), np.float32), np.zeros((1, 3), np.float32)
    static = dict(shapes="static")
    assert shape_of_output(dataclasses.replace(elementwise("my_add", x, row), **static)) == [2, 3]
    assert shape_of_output(dataclasses.replace(elementwise("OptSum", x, row, None, NUMBER), **static)) == [2, 3]
    assert shape_of_output(elementwise("cstThreshold", x, domain="rknn_cst", threshold=1.0, value=1.0)) == ["in0_0", "in0_1"]
    assert shape_of_output(dataclasses.replace(elementwise("cstDualResidual", x, row, domain="rknn_cst", alpha=1.0), **static)) == [2, 3]
    assert shape_of_output(dataclasses.replace(grid(XYZ, THREE), **static)) == [5]
    as_attribute = Case("knn", domain="custom", op_type="knnquery", inputs=[XYZ, ENDS, TWO, ENDS], attributes={"nsample": 4})
    assert shape_of_output(as_attribute) == ["in2_0", 4]
    assert shape_of_output(knn(XYZ, ENDS))[0] == "in1_0"
    image = convolution()
    assert shape_of_output(dataclasses.replace(image, **static)) == [2, 4, 5, 4]
    assert shape_of_output(image)[0] == "in0_0"


# The oldest runtime


def test_in_oldest_runtime(tmp_path: pathlib.Path) -> None:
    """Every definition's cases at its oldest opset, and all models, in ONNX Runtime 1.17."""
    assert OLDEST_RUNTIME.exists(), f"there is no {OLDEST_RUNTIME}: scripts/make_venv makes it, or name it in ONNX_LOWER_OLDEST_RUNTIME"
    expected: dict[str, list[tuple[dict, dict, float, float]]] = {}

    def add(model: onnx.ModelProto, runs: list[tuple[dict, dict]], rtol: float, atol: float) -> None:
        if model.ir_version > 9 or any(used.domain in ("", "ai.onnx") and used.version > 20 for used in model.opset_import):
            return  # newer than the runtime
        name = f"{len(expected):03}"
        expected[name] = [(inputs, wanted, rtol, atol) for inputs, wanted in runs]
        onnx.save(model, tmp_path / f"{name}.onnx")
        np.savez(tmp_path / f"{name}.npz", **{f"{number}/{key}": array for number, (inputs, _) in enumerate(runs) for key, array in inputs.items()})

    for operator, case in NATIVE_CASES:
        wanted = [operator.expected(case, inputs) for inputs in case.input_lists()]
        model = with_attributes(one_node_model.build(case, case.opsets[0], wanted[0]), case)
        runs = [(one_node_model.feeds(case, inputs), one_node_model.results(case, outputs)) for inputs, outputs in zip(case.input_lists(), wanted)]
        add(model, runs, case.rtol, case.atol)
    for case in NATIVE_MODELS:
        model = onnx.load(case.model)
        if case.says["expect"] != "refused":
            give(model, case.says.get("arguments", []))
            add(model, case.sets(), case.says.get("rtol", 0), case.says.get("atol", 0))

    script = pathlib.Path(__file__).with_name("run_natively.py")
    done = subprocess.run([OLDEST_RUNTIME, script, kernels.LIBRARY, tmp_path], capture_output=True, text=True, timeout=120)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, f"exit status {done.returncode} at model {lines[-1:]}: {done.stderr}"
    assert lines[0].startswith("onnxruntime 1.") and len(lines) == len(expected) + 1 > 300
    for name, runs in expected.items():
        with np.load(tmp_path / f"{name}.results.npz") as got:
            for number, (_, wanted, rtol, atol) in enumerate(runs):
                for key, want in wanted.items():
                    assert_equal(f"model {name}, {key}", got[f"{number}/{key}"], want, rtol, atol)
