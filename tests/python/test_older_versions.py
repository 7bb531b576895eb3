# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Old versions as destinations: what an older operator can say is said by it, not by what the newest one's definition is made of; and a target gets a newer opset where that has the operator."""
from __future__ import annotations

import collections
import itertools
import pathlib
import subprocess
from collections.abc import Iterable

import numpy as np
import onnx
import onnx.parser
import pytest

import runtimes
import tool

# The oldest ONNX Runtime that is at hand: its kernels are others than those of today.
OLDEST_RUNTIME = tool.REPOSITORY / "build" / "venv-oldest-runtime" / "bin" / "python"

IMAGE = "float[1,3,6,5] X"
OF_ANY_SIZE = "float[n,3,h,w] X"


def model(opset: int, body: str, inputs: str = IMAGE, constants: str = "", outputs: str = "float[a,b,c,d] Y") -> bytes:
    given = f"<{constants}>" if constants else ""
    text = f'<ir_version: {4 if opset < 10 else 8}, opset_import: ["" : {opset}, "aten" : 1]> g ({inputs}) => ({outputs}) {given} {{ {body} }}'
    return onnx.parser.parse_model(text).SerializeToString()


def lowered_to(opset: int, given: bytes) -> tuple[bytes, collections.Counter]:
    written = tool.lowered(given, ["--target-opset", opset])
    made = onnx.load_model_from_string(written)
    assert made.opset_import[0].version == opset
    return written, collections.Counter(node.op_type for node in made.graph.node if node.op_type != "Constant")


def image(shape: Iterable[int] = (1, 3, 6, 5)) -> dict[str, np.ndarray]:
    return {"X": np.random.default_rng(7).standard_normal(tuple(shape)).astype(np.float32)}


def check(given: bytes, written: bytes, feeds: dict[str, np.ndarray], bound: float = 0) -> None:
    """`bound`: of linear interpolation, whose weights are rounded at another place: a float of 6 pixels has 2e-7 of a pixel, between pixels that differ by 5 at most."""
    expected = runtimes.in_onnxruntime(given)(feeds)
    got = runtimes.in_onnxruntime(written)(feeds)
    for name, value in expected.items():
        assert got[name].shape == value.shape and got[name].dtype == value.dtype
        np.testing.assert_allclose(got[name], value, bound, bound)


LINEAR = 1e-5


def resize(opset: int, inputs: str = IMAGE, **attributes: str) -> bytes:
    scales = attributes.pop("scales", None)
    sizes = attributes.pop("sizes", None)
    said = ", ".join(f'{name} = "{value}"' for name, value in attributes.items())
    empty = "none" if opset < 13 else ""
    constants = ["float[0] none = {}"] if empty else []
    constants += [f"float[4] scales = {{{scales}}}"] if scales else [f"int64[4] sizes = {{{sizes}}}"]
    asked = "scales" if scales else f"{empty}, sizes"
    return model(opset, f"Y = Resize <{said}> (X, {empty}, {asked})", inputs, ", ".join(constants))


# The way nearest of newer versions takes the pixels that the only one of older versions takes.
SAME_PIXELS = {
    "corners": dict(coordinate_transformation_mode="asymmetric", nearest_mode="floor", scales="1, 1, 2, 3"),
    "corners, no whole factor": dict(coordinate_transformation_mode="asymmetric", nearest_mode="floor", scales="1, 1, 1.5, 2.3"),
    "corners, rounded": dict(coordinate_transformation_mode="asymmetric", scales="1, 1, 2, 2"),
    "centres": dict(scales="1, 1, 2, 3"),
    "centres, by sizes": dict(sizes="1, 3, 12, 15"),
    "centres, up": dict(nearest_mode="round_prefer_ceil", scales="1, 1, 4, 2"),
    "PyTorch's": dict(coordinate_transformation_mode="pytorch_half_pixel", sizes="1, 3, 24, 5"),
    "TensorFlow's": dict(coordinate_transformation_mode="tf_half_pixel_for_nn", nearest_mode="floor", scales="1, 1, 2, 2"),
}


@pytest.mark.parametrize(("name", "newer", "older"), [
    (name, newer, older) for name, newer, older in itertools.product(SAME_PIXELS, (11, 13, 19), (10, 9, 8, 7))
    if newer == 11 or name != "TensorFlow's"  # gone from 13 on
])
def test_nearest_is_upsample(name: str, newer: int, older: int) -> None:
    given = resize(newer, mode="nearest", **SAME_PIXELS[name])
    written, operators = lowered_to(older, given)
    # OpenVINO's Upsample takes other pixels where the factor is no whole number.
    expected = {"Resize": 1} if older == 10 else {"Gather": 2, "Identity": 1} if "no whole" in name else {"Upsample": 1}
    assert operators == expected
    check(given, written, image())
    if newer == 13:
        np.testing.assert_array_equal(runtimes.in_openvino(written)(image())["Y"], runtimes.in_onnxruntime(given)(image())["Y"])


@pytest.mark.parametrize("older", [10, 9, 8, 7])
def test_nearest_of_other_pixels(older: int) -> None:
    """By a constant list of pixels along each axis, if the sizes are known."""
    for attributes in (dict(scales="1, 1, 2.5, 3"), dict(nearest_mode="floor", scales="1, 1, 2, 2"), dict(coordinate_transformation_mode="align_corners", sizes="1, 3, 11, 8"),
                       dict(coordinate_transformation_mode="asymmetric", nearest_mode="ceil", scales="1, 1, 2, 2"), dict(sizes="1, 3, 4, 3")):
        given = resize(13, mode="nearest", **attributes)
        written, operators = lowered_to(older, given)
        assert operators == {"Gather": 2, "Identity": 1} or operators == {"Gather": 2}
        check(given, written, image())


@pytest.mark.parametrize("older", [10, 9, 8, 7])
@pytest.mark.parametrize("by", ["scales", "sizes"])
@pytest.mark.parametrize("size", [(1, 3, 6, 5), (2, 3, 1, 4)])
def test_linear_from_centres(by: str, older: int, size: tuple[int, ...]) -> None:
    """By one operator that interpolates, of an image with a border."""
    for factors, mode in itertools.product(((2, 2), (3, 5), (4, 3), (1, 2)), ("half_pixel", "pytorch_half_pixel")):
        asked = dict(scales=f"1, 1, {factors[0]}, {factors[1]}") if by == "scales" else dict(sizes=f"{size[0]}, 3, {factors[0] * size[2]}, {factors[1] * size[3]}")
        of = OF_ANY_SIZE if by == "scales" else f"float[{','.join(map(str, size))}] X"
        given = resize(13, of, mode="linear", coordinate_transformation_mode=mode, **asked)
        written, operators = lowered_to(older, given)
        assert operators.total() <= 4 and operators["Upsample" if older < 10 else "Resize"] == 1, operators
        check(given, written, image(size), LINEAR)
        np.testing.assert_allclose(runtimes.in_openvino(written)(image(size))["Y"], runtimes.in_onnxruntime(given)(image(size))["Y"], LINEAR, LINEAR)


@pytest.mark.parametrize("older", [10, 9, 8, 7])
def test_linear_from_corners(older: int) -> None:
    for attributes in (dict(sizes="1, 3, 12, 10"), dict(sizes="1, 3, 7, 23"), dict(scales="1, 1, 2.5, 1")):
        given = resize(11, mode="linear", coordinate_transformation_mode="align_corners", **attributes)
        written, operators = lowered_to(older, given)
        assert operators.total() <= 2 and operators["Upsample" if older < 10 else "Resize"] == 1, operators
        check(given, written, image(), LINEAR)


@pytest.mark.parametrize("older", [10, 9, 8, 7])
def test_other_interpolation(older: int) -> None:
    """By a constant matrix along each axis, if the sizes are known."""
    for attributes in (dict(mode="cubic", scales="1, 1, 2, 2"), dict(mode="linear", scales="1, 1, 2.5, 1.5"), dict(mode="linear", sizes="1, 3, 4, 3"),
                       dict(mode="cubic", coordinate_transformation_mode="align_corners", sizes="1, 3, 9, 4"), dict(mode="linear", coordinate_transformation_mode="align_corners", sizes="1, 3, 3, 4")):
        given = resize(13, **attributes)
        written, operators = lowered_to(older, given)
        assert operators["MatMul"] == 2 and operators.total() <= 3
        check(given, written, image(), LINEAR)
    antialiased = model(18, 'Y = Resize <mode = "cubic", antialias = 1, axes = [2, 3], exclude_outside = 1> (X, , , sizes)', constants="int64[2] sizes = {4, 3}")
    written, operators = lowered_to(older, antialiased)
    assert operators["MatMul"] == 2
    check(antialiased, written, image(), LINEAR)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_resize_and_upsample_as_each_other(mode: str) -> None:
    for scales in ("1, 1, 2, 3", "1, 1, 1.5, 1"):
        constants = f"float[4] s = {{{scales}}}"
        for given in (model(10, f'Y = Resize <mode = "{mode}"> (X, s)', constants=constants), model(9, f'Y = Upsample <mode = "{mode}"> (X, s)', constants=constants),
                      model(8, f'Y = Upsample <mode = "{mode}", scales = [{scales.replace("1,", "1.0,")}]> (X)'.replace("3]", "3.0]").replace(", 1]", ", 1.0]").replace(" 2,", " 2.0,"))):
            for older in (10, 9, 8, 7):
                written, operators = lowered_to(older, given)
                assert operators == {"Upsample" if older < 10 else "Resize": 1}
                check(given, written, image())


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("older", [9, 8])
def test_a_resize_that_is_no_upsample(mode: str, older: int) -> None:
    """What makes something smaller, or by scales that are known only when the model runs, is still lowered."""
    smaller = model(10, f'Y = Resize <mode = "{mode}"> (X, s)', constants="float[4] s = {1, 1, 0.5, 0.4}")
    check(smaller, lowered_to(older, smaller)[0], image(), 0 if mode == "nearest" else LINEAR)
    if (mode, older) == ("nearest", 8):
        return  # the pixels of a first step down are of unknown rank there
    at_run_time = model(10, f'Y = Resize <mode = "{mode}"> (X, s)', f"{IMAGE}, float[4] s")
    written, _ = lowered_to(older, at_run_time)
    for scales in ([1, 1, 2, 3], [1, 1, 0.5, 2]):
        check(at_run_time, written, image() | {"s": np.array(scales, np.float32)}, 0 if mode == "nearest" else LINEAR)


# As torch writes the widths of a Pad.
WIDTHS = """zeros = ConstantOfShape <value = int64[1] {0}> (four) joined = Concat <axis = 0> (given, zeros) pairs = Reshape (joined, in_pairs)
            back = Slice (pairs, last, first, rows, step) turned = Transpose <perm = [1, 0]> (back) flat = Reshape (turned, in_line) pads = Cast <to = 7> (flat)"""
CONSTANTS = """int64[1] four = {4}, int64[4] given = {1, 2, 1, 0}, int64[2] in_pairs = {-1, 2}, int64[1] last = {-1}, int64[1] first = {-9223372036854775807}, int64[1] rows = {0}, int64[1] step = {-1},
               int64[1] in_line = {-1}"""


@pytest.mark.parametrize("older", [10, 9, 8])
@pytest.mark.parametrize("mode", ["reflect", "edge", "constant"])
def test_widths_that_nodes_compute_of_constants(mode: str, older: int) -> None:
    given = model(11, f'{WIDTHS} Y = Pad <mode = "{mode}"> (X, pads)', OF_ANY_SIZE, CONSTANTS)
    written, operators = lowered_to(older, given)
    assert operators == {"Pad": 1}
    check(given, written, image())


def test_other_parameters_that_were_attributes() -> None:
    bounds = "float low = {-0.5}, float high = {0.5}"
    for given, older, operators in (
            (model(11, "Y = Clip (X, low, high)", constants=bounds), 7, {"Clip": 1}),
            (model(11, "Y = Clip (X, low)", constants="float low = {-0.5}"), 7, {"Clip": 1}),
            (model(11, "Y = Clip (X, , high)", constants="float high = {0.5}"), 7, {"Clip": 1}),
            (model(11, "shape = Shape (X) end = Slice (shape, three, four) Y = Slice (X, one, end, three)", constants="int64[1] three = {3}, int64[1] four = {4}, int64[1] one = {1}"), 9, {"Slice": 1}),
            (model(13, "none = Shape (X) one = Slice (none, zero, first) Y = Squeeze (X, one)", "float[1,1,6,5] X", "int64[1] zero = {0}, int64[1] first = {1}", "float[a,b,c] Y"), 11, {"Squeeze": 1})):
        written, found = lowered_to(older, given)
        assert found == operators
        check(given, written, image((1, 1, 6, 5) if "Squeeze" in operators else (1, 3, 6, 5)))


@pytest.mark.parametrize("older", [10, 9, 8, 7])
def test_order_of_depth(older: int) -> None:
    given = model(11, 'Y = DepthToSpace <mode = "CRD", blocksize = 2> (X)', "float[n,12,h,w] X")
    written, operators = lowered_to(older, given)
    assert operators == {"Gather": 1, "DepthToSpace": 1}
    check(given, written, image((2, 12, 3, 2)))


def test_inputs_of_one_shape() -> None:
    for operator in ("Max", "Mean", "Min", "Sum"):
        given = model(8, f"Z = Neg (X) Y = {operator} (X, Z, X)")
        written, operators = lowered_to(7, given)
        assert operators == {"Neg": 1, operator: 1}
        check(given, written, image())
    for operator, expected in (("Sum", {"Add": 2}), ("Mean", {"Add": 2, "Div": 1})):
        given = model(8, f"Y = {operator} (X, a, X)", OF_ANY_SIZE, "float[5] a = {1, 2, 3, 4, 5}")
        written, operators = lowered_to(7, given)
        assert operators == expected
        check(given, written, image(), LINEAR)


@pytest.mark.parametrize("target", ["rten", "coreml"])
@pytest.mark.parametrize("body", [
    (6, "Y = Dropout <is_test = 1, ratio = 0.3> (X)"), (6, "Y, mask = Dropout <is_test = 1> (X)"), (7, "Y = Dropout <ratio = 0.3> (X)"), (7, "Y, mask = Dropout (X)"), (10, "Y, mask = Dropout <ratio = 0.3> (X)"),
    (11, "Y = Dropout (X)")
])
def test_dropout_outside_training(target: str, body: tuple[int, str]) -> None:
    written = onnx.load_model_from_string(tool.lowered(model(*body), ["--target", target]))
    assert [node.op_type for node in written.graph.node if "Y" in node.output] == ["Identity"] and all(node.op_type != "Dropout" for node in written.graph.node)
    feeds = image()
    np.testing.assert_array_equal(runtimes.in_onnxruntime(written.SerializeToString())(feeds)["Y"], feeds["X"])


@pytest.mark.parametrize("mode", ["reflect", "edge"])
@pytest.mark.parametrize("target", ["coreml", "mnn"])
def test_widths_that_are_attributes_where_there_is_no_such_pad(target: str, mode: str) -> None:
    given = model(10, f'Y = Pad <mode = "{mode}", pads = [0, 0, 1, 2, 0, 0, 3, 0]> (X)')
    written = tool.lowered(given, ["--target", target])
    if target == "coreml" or mode == "reflect":
        assert all(node.op_type != "Pad" for node in onnx.load_model_from_string(written).graph.node)
    check(given, written, image())


GRID = "float[1,3,6,5] X, float[1,4,4,2] grid"
SAMPLE = "Y = aten.grid_sampler <interpolation_mode = 0, padding_mode = 0, align_corners = 0> (X, grid)"


@pytest.mark.parametrize(("target", "opset"), [("onnxruntime", 16), ("openvino", 16), ("rten", 16), ("mnn", 16)])
def test_a_newer_opset_where_it_has_the_operator(target: str, opset: int, tmp_path: pathlib.Path) -> None:
    result = tool.lower(model(11, SAMPLE, GRID), ["--target", target])
    assert result.status == tool.DONE, str(result)
    written = onnx.load_model_from_string(result.stdout)
    assert [node.op_type for node in written.graph.node] == ["GridSample"]
    assert written.opset_import[0].version == opset
    assert f"opset {opset} is written, as 'Y' (grid_sampler) becomes " in result.stderr and "--target-opset 11 writes that one" in result.stderr
    feeds = image() | {"grid": np.random.default_rng(3).uniform(-1.2, 1.2, (1, 4, 4, 2)).astype(np.float32)}
    plain = runtimes.in_onnxruntime(tool.lowered(model(11, SAMPLE, GRID)))(feeds)["Y"]
    np.testing.assert_allclose(runtimes.in_onnxruntime(result.stdout)(feeds)["Y"], plain, 1e-5, 1e-5)


def test_other_operators_of_newer_opsets() -> None:
    """And what stands beside them is written for that opset, too."""
    deformed = "Y = mmcv.MMCVModulatedDeformConv2d <stride = [1, 1], padding = [1, 1], dilation = [1, 1], groups = 1, deform_groups = 1> (Z, offsets, mask, weights, bias)"
    rng = np.random.default_rng(5)
    feeds = {name: rng.uniform(-1, 1, dims).astype(np.float32) for name, dims in
             {"X": (1, 3, 6, 5), "offsets": (1, 18, 6, 5), "mask": (1, 9, 6, 5), "weights": (4, 3, 3, 3), "bias": (4,)}.items()}
    inputs = ", ".join(f"float[{','.join(map(str, value.shape))}] {name}" for name, value in feeds.items())
    given = model(11, f"Z = Softmax <axis = 1> (X) {deformed}", inputs).replace(b"aten", b"mmcv")
    result = tool.lower(given, ["--target", "onnxruntime-1.31"])
    written = onnx.load_model_from_string(result.stdout)
    assert written.opset_import[0].version == 19 and "DeformConv" in {node.op_type for node in written.graph.node}
    assert "--target-opset 11 writes that one" in result.stderr
    # Products are summed in another order.
    np.testing.assert_allclose(runtimes.in_onnxruntime(result.stdout)(feeds)["Y"], runtimes.in_onnxruntime(tool.lowered(given))(feeds)["Y"], 1e-5, 1e-6)

    bits = model(11, "Y = aten.bitwise_and (X, X)", "int32[4] X", outputs="int32[4] Y")
    for target, opset in (("onnxruntime", 18), ("openvino", 18), ("rten", 11)):
        written = onnx.load_model_from_string(tool.lowered(bits, ["--target", target]))
        assert written.opset_import[0].version == opset and (len(written.graph.node) == 1) == (opset == 18)


@pytest.mark.parametrize("arguments", [[], ["--target-opset", 11], ["--target", "onnxruntime", "--target-opset", 13], ["--target", "onnxruntime-1.8"]])
def test_the_opset_stays(arguments: list) -> None:
    """Without a target, where the user says which opset to write, and where the target has no newer one with the operator."""
    result = tool.lower(model(11, SAMPLE, GRID), arguments)
    assert result.status == tool.DONE, str(result)
    written = onnx.load_model_from_string(result.stdout)
    assert written.opset_import[0].version == (13 if 13 in arguments else 11) and "is written, as" not in result.stderr
    assert "GridSample" not in {node.op_type for node in written.graph.node}


def test_in_the_oldest_runtime(tmp_path: pathlib.Path) -> None:
    script = "import sys, numpy, onnxruntime\nfor path in sys.argv[2:]:\n    print(numpy.savez(path + '.npz', onnxruntime.InferenceSession(path, providers=['CPUExecutionProvider']).run(None, {'X': numpy.load(sys.argv[1])})[0]))"
    feeds = image()
    np.save(tmp_path / "X.npy", feeds["X"])
    paths, expected = [], []
    for number, (attributes, older) in enumerate(itertools.product([dict(mode="nearest", **each) for each in SAME_PIXELS.values() if "tf_half" not in each.get("coordinate_transformation_mode", "")] + [
            dict(mode="linear", scales="1, 1, 2, 3"), dict(mode="linear", coordinate_transformation_mode="align_corners", sizes="1, 3, 12, 10"), dict(mode="cubic", scales="1, 1, 2, 2")], (10, 9, 7))):
        given = resize(13, **attributes)
        path = tmp_path / f"{number}.onnx"
        path.write_bytes(lowered_to(older, given)[0])
        paths.append(str(path))
        expected.append(runtimes.in_onnxruntime(given)(feeds)["Y"])
    subprocess.run([OLDEST_RUNTIME, "-c", script, tmp_path / "X.npy", *paths], check=True, timeout=120)
    for path, value in zip(paths, expected, strict=True):
        np.testing.assert_allclose(np.load(path + ".npz")["arr_0"], value, LINEAR, LINEAR)
