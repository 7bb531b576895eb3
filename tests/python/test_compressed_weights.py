# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Weights of few bits stay weights of few bits: what is written of MatMulNBits and its kin is compared with their definitions, wherever the weights lie."""
from __future__ import annotations

import json
import pathlib
import resource

import definition
import external_tensors as external
import numpy as np
import onnx
import pytest
import runtimes
import tool
from test_verify import WITH_RUNTIME
from onnx import TensorProto, helper, numpy_helper

pytestmark = pytest.mark.on_disk

FLOATS = {np.float32: TensorProto.FLOAT, np.float16: TensorProto.FLOAT16}


class Product:
    """A MatMulNBits with random weights, and what it computes."""

    def __init__(self, n: int, k: int, *, block: int = 32, bits: int = 4, zeros: bool = False, bias: bool = False, dtype: type = np.float32, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        blocks = -(-k // block)
        self.attributes = {"K": k, "N": n, "bits": bits, "block_size": block}
        self.dtype, self.k, self.n = dtype, k, n
        self.constants = {"b": random.integers(0, 256, (n, blocks, block * bits // 8), np.uint8), "scales": (random.random((n, blocks)) / 8 + 0.01).astype(dtype),
                          "zero_points": random.integers(0, 256, (n, -(-blocks * bits // 8)), np.uint8) if zeros else None, "g_idx": None,
                          "bias": random.standard_normal(n).astype(dtype) if bias else None}
        self.x = random.standard_normal((3, k)).astype(dtype)

    def model(self, opset: int = 21, count: int = 1) -> onnx.ModelProto:
        """The product, several times beside each other with the same weights."""
        names = [name if value is not None else "" for name, value in self.constants.items()]
        while not names[-1]:
            names.pop()
        nodes = [helper.make_node("MatMulNBits", ["x", *names], [f"y{index}"], f"product{index}", domain="com.microsoft", **self.attributes) for index in range(count)]
        tensors = [numpy_helper.from_array(value, name) for name, value in self.constants.items() if value is not None]
        values = [helper.make_tensor_value_info(f"y{index}", FLOATS[self.dtype], ["rows", self.n]) for index in range(count)]
        graph = helper.make_graph(nodes, "product", [helper.make_tensor_value_info("x", FLOATS[self.dtype], ["rows", self.k])], values, tensors)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)], ir_version=13 if opset > 23 else 10)

    def expected(self) -> np.ndarray:
        return definition.definition_of("com.microsoft", "MatMulNBits").define(self.x, *self.constants.values(), **self.attributes)

    def assert_computed(self, model: bytes | str, openvino: bool = True) -> None:
        # Both compute in float32: sums of 64 to 300 products of numbers of about one, times scales of at most 1/7 and codes of at most 255.
        tolerance = (2e-5 if self.dtype == np.float32 else 4e-3) * np.abs(self.expected().astype(np.float64)).max()
        runners = [runtimes.in_onnxruntime(model), runtimes.in_onnxruntime(model, optimize=False)] + ([runtimes.in_openvino(model)] if openvino else [])
        for run in runners:
            for value in run({"x": self.x}).values():
                np.testing.assert_allclose(value.astype(np.float64), self.expected().astype(np.float64), rtol=0, atol=tolerance)


def tensors_of(model: onnx.ModelProto) -> dict[int, TensorProto]:
    """By element type."""
    return {tensor.data_type: tensor for tensor in model.graph.initializer}


def operators(model: onnx.ModelProto) -> list[str]:
    return [node.op_type for node in model.graph.node]


PRODUCTS = {
    "no-zeros": dict(n=64, k=128),
    "zeros": dict(n=64, k=128, zeros=True),
    "odd": dict(n=63, k=128),
    "odd-zeros": dict(n=63, k=96, zeros=True),
    "short-block": dict(n=40, k=120, bias=True),
    "short-block-odd": dict(n=33, k=121, block=16, zeros=True),
    "one-short-block": dict(n=5, k=16),
    "one-row": dict(n=1, k=64, zeros=True),
    "wide-block": dict(n=130, k=256, block=128, bias=True),
    "large": dict(n=515, k=288, zeros=True),
    "8-bits": dict(n=64, k=128, bits=8),
    "8-bits-zeros": dict(n=63, k=120, bits=8, zeros=True),
    "float16": dict(n=64, k=128, dtype=np.float16, bias=True),
    "float16-zeros": dict(n=31, k=128, block=16, dtype=np.float16, zeros=True),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_numbers(name: str) -> None:
    product = Product(**PRODUCTS[name])
    lowered = tool.lowered(product.model().SerializeToString())
    model = onnx.load_model_from_string(lowered)
    onnx.checker.check_model(model, full_check=True)
    assert set(operators(model)) <= {"DequantizeLinear", "MatMul", "Add", "Pad", "Constant"} and "DequantizeLinear" in operators(model)
    bits = product.attributes["bits"]
    with_sign, without = {4: (TensorProto.INT4, TensorProto.UINT4), 8: (TensorProto.INT8, TensorProto.UINT8)}[bits]
    assert (with_sign if product.constants["zero_points"] is None else without) in tensors_of(model)
    assert {tensor.name for tensor in model.graph.initializer}.isdisjoint({"b", "scales", "zero_points"})
    product.assert_computed(lowered)
    assert tool.lowered(lowered) == lowered


def test_two_bits_where_a_target_takes_them(tmp_path: pathlib.Path) -> None:
    """OpenVINO reads no model with integers of 2 bits, so that by default there are none."""
    product = Product(64, 128, bits=2)
    given = product.model(25).SerializeToString()
    assert "DequantizeLinear" not in operators(onnx.load_model_from_string(tool.lowered(given)))
    product.assert_computed(tool.lowered(given))
    target = tmp_path / "some.target"
    target.write_text("opset 25\n")
    lowered = tool.lowered(given, ["--target", target])
    assert TensorProto.INT2 in tensors_of(onnx.load_model_from_string(lowered))
    product.assert_computed(lowered, openvino=False)


@pytest.mark.parametrize("name", ["no-zeros", "odd", "short-block", "float16"])
def test_tensorrt_rtx_keeps_four_bits(name: str) -> None:
    """It reads constants of int4 in a DequantizeLinear, and nowhere else; its builder takes this form, and none of int8 that something else reads."""
    product = Product(**PRODUCTS[name])
    lowered = tool.lowered(product.model().SerializeToString(), ["--target", "tensorrt-rtx"])
    model = onnx.load_model_from_string(lowered)
    reads_codes = {node.op_type for node in model.graph.node if node.input[:1] == [tensors_of(model)[TensorProto.INT4].name]}
    assert reads_codes == {"DequantizeLinear"} and TensorProto.INT8 not in tensors_of(model)
    product.assert_computed(lowered)


@pytest.mark.parametrize("name", ["zeros", "odd-zeros", "one-row", "large", "float16-zeros", "8-bits-zeros", "short-block-odd"])
def test_tensorrt_rtx_has_no_zero_points(name: str) -> None:
    """Codes and zero points become numbers with a sign, which are multiplied apart: its builder would make numbers of floating point of the weights else."""
    product = Product(**PRODUCTS[name])
    lowered = tool.lowered(product.model().SerializeToString(), ["--target", "tensorrt-rtx"])
    model = onnx.load_model_from_string(lowered)
    kept = {TensorProto.INT4, TensorProto.INT8}
    codes = [tensor.name for tensor in model.graph.initializer if tensor.data_type in kept]
    assert len(codes) == 2 and {node.op_type for node in model.graph.node if node.input[:1] and node.input[0] in codes} == {"DequantizeLinear"}
    assert operators(model).count("MatMul") == 2 and "ReduceSum" in operators(model)
    product.assert_computed(lowered)


@pytest.mark.parametrize("opset", [13, 17, 20])
@pytest.mark.parametrize("name", [*PRODUCTS, "2-bits", "2-bits-zeros"])
def test_numbers_where_there_are_no_blocks(name: str, opset: int) -> None:
    """The codes are bytes, of which the runtime makes numbers; nothing is made of integers that are larger than a byte."""
    product = Product(**{"2-bits": dict(n=33, k=128, bits=2), "2-bits-zeros": dict(n=33, k=96, bits=2, zeros=True), **PRODUCTS}[name])
    lowered = tool.lowered(product.model(opset).SerializeToString())
    model = onnx.load_model_from_string(lowered)
    onnx.checker.check_model(model, full_check=True)
    assert set(operators(model)) <= {"Cast", "Reshape", "Unsqueeze", "Sub", "Mul", "MatMul", "Add", "Slice", "Constant"}
    codes = TensorProto.INT8 if product.constants["zero_points"] is None else TensorProto.UINT8
    assert set(tensors_of(model)) == {codes, FLOATS[product.dtype]}
    product.assert_computed(lowered)


def experts(path: pathlib.Path, opset: int, zeros: bool) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Saves a QMoE of 5 experts with all tensors in a data file; gives its inputs and what it computes."""
    random = np.random.default_rng(0)
    number, size, inner, block = 5, 96, 160, 32
    constants = {}
    for layer, rows, columns in ((1, 2 * inner, size), (2, size, inner)):
        constants[f"w{layer}"] = random.integers(0, 256, (number, rows, columns // 2), np.uint8)
        constants[f"s{layer}"] = (random.random((number, rows, columns // block)) / 64).astype(np.float32)
        constants[f"b{layer}"] = random.standard_normal((number, rows)).astype(np.float32)
    names = [*constants]
    if zeros:
        constants |= {f"z{layer}": random.integers(0, 256, (number, rows, -(-columns // block // 2)), np.uint8) for layer, rows, columns in ((1, 2 * inner, size), (2, size, inner))}
        names += ["", "", "", "z1", "z2"]
    inputs = {"x": random.standard_normal((7, size)).astype(np.float32), "scores": random.standard_normal((7, number)).astype(np.float32)}
    attributes = {"k": 2, "block_size": block, "activation_type": "swiglu", "swiglu_fusion": 1}
    node = helper.make_node("QMoE", [*inputs, *names], ["y"], domain="com.microsoft", **attributes)
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", value.shape[1]]) for name, value in inputs.items()]
    graph = helper.make_graph([node], "experts", values, [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", size])],
                              [numpy_helper.from_array(value, name) for name, value in constants.items()])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)], ir_version=10), path)
    arrays = [constants.get(name) for name in names]
    return inputs, definition.definition_of("com.microsoft", "QMoE").define(*inputs.values(), *arrays, **attributes)


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("opset", [17, 21])
def test_experts(tmp_path: pathlib.Path, opset: int, zeros: bool) -> None:
    """The weights of all experts of a layer become one matrix, those of the second layer an expert below the other."""
    inputs, expected = experts(tmp_path / "model.onnx", opset, zeros)
    output = tmp_path / "out" / "model.onnx"
    output.parent.mkdir()
    assert tool.run([tmp_path / "model.onnx", "-o", output]).status == tool.DONE
    model = onnx.load(output, load_external_data=False)
    onnx.checker.check_model(str(output), full_check=True)
    assert operators(model).count("DequantizeLinear") == (2 if opset == 21 else 0) and operators(model).count("MatMul") == 3
    codes = {(17, False): TensorProto.INT8, (17, True): TensorProto.UINT8, (21, False): TensorProto.INT4, (21, True): TensorProto.UINT4}[opset, zeros]
    assert {tensor.data_type for tensor in model.graph.initializer} == {codes, TensorProto.FLOAT}
    assert [tuple(tensor.dims) for tensor in model.graph.initializer if tensor.data_type == codes][0] == (96, 5 * 320)
    for run in (runtimes.in_onnxruntime(str(output)), runtimes.in_onnxruntime(str(output), optimize=False), runtimes.in_openvino(str(output))):
        np.testing.assert_allclose(run(inputs)["y"], expected, rtol=0, atol=2e-5 * np.abs(expected).max())


@pytest.mark.parametrize("change", ["input", "attach"])
def test_what_stays_as_it_was(change: str) -> None:
    """Where weights cannot be kept as they are, they are unpacked as before."""
    product = Product(6, 64, block=16, zeros=True)
    model = product.model()
    if change == "input":
        model.graph.input.append(helper.make_tensor_value_info("b", TensorProto.UINT8, [6, 4, 8]))
    lowered = onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--attach"] if change == "attach" else []))
    names = operators(lowered) + [node.op_type for function in lowered.functions for node in function.node]
    assert "DequantizeLinear" not in names and "Transpose" in names


@pytest.mark.parametrize("k", [64, 56])
@pytest.mark.parametrize("change", ["groups", "groups-in-order", "float-zeros"])
def test_what_has_no_blocks_becomes_bytes(change: str, k: int) -> None:
    """Columns out of the order of their groups, as GPTQ leaves them, and zero points of floating point, as HQQ does."""
    product = Product(6, k, block=16, zeros=True)
    if change.startswith("groups"):
        product.constants["g_idx"] = np.arange(k, dtype=np.int32) % 4 if change == "groups" else np.arange(k, dtype=np.int32) // 16
    if change == "float-zeros":
        product.constants["zero_points"] = np.random.default_rng(1).random((6, 4), np.float32) * 15
    lowered = tool.lowered(product.model().SerializeToString())
    model = onnx.load_model_from_string(lowered)
    assert ("DequantizeLinear" in operators(model)) == (change == "groups-in-order")
    assert set(tensors_of(model)) <= {TensorProto.UINT4 if change == "groups-in-order" else TensorProto.UINT8, TensorProto.FLOAT, TensorProto.INT32}
    product.assert_computed(lowered)


@pytest.mark.parametrize("opset", [17, 21])
@pytest.mark.parametrize("order", ["", "other"])
def test_words_of_gptq(tmp_path: pathlib.Path, opset: int, order: str) -> None:
    """The codes of words of 32 bits become ones of 4 bits, or bytes; of an external file, too."""
    words = definition.definition_of("com.microsoft", "_words")
    random = np.random.default_rng(0)
    numbers = definition.definition_of("com.microsoft", "_random").Numbers()
    constants = dict(zip("bszg", words.inputs(numbers, k=192, n=40, order=order)))
    if not order:
        constants.pop("g")
    node = helper.make_node("MatMulNBits", ["x", *constants], ["y"], domain="com.microsoft", K=192, N=40, bits=4, block_size=32, packing="gptq")
    graph = helper.make_graph([node], "gptq", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 192])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(value, name) for name, value in constants.items()])
    given = save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)], ir_version=10), tmp_path / "model.onnx")
    output = tmp_path / "out" / "model.onnx"
    output.parent.mkdir()
    assert tool.run([given, "-o", output]).status == tool.DONE
    model = onnx.load(output, load_external_data=False)
    is_kept = opset == 21 and not order
    codes = [tensor for tensor in model.graph.initializer if tuple(tensor.dims) == (192, 40)]
    assert [tensor.data_type for tensor in codes] == [TensorProto.UINT4 if is_kept else TensorProto.UINT8]
    assert ("DequantizeLinear" in operators(model)) == is_kept and "BitwiseAnd" not in operators(model)
    x = random.standard_normal((3, 192)).astype(np.float32)
    expected = x @ words.weights(*map(constants.get, "bszg"), 4, 32)
    for run in (runtimes.in_onnxruntime(str(output)), runtimes.in_onnxruntime(str(output), optimize=False), runtimes.in_openvino(str(output))):
        np.testing.assert_allclose(run({"x": x})["y"], expected, rtol=0, atol=2e-5 * np.abs(expected).max())


def test_the_ir_version_is_one_that_has_the_type() -> None:
    product = Product(33, 64, zeros=True)
    model = product.model(17)
    model.ir_version = 8
    lowered = tool.lowered(model.SerializeToString(), ["--target-opset", "21"])
    assert onnx.load_model_from_string(lowered).ir_version == 10
    product.assert_computed(lowered)
    older = tool.lowered(model.SerializeToString(), ["--target-opset", "21", "--ir-version", "9"])
    assert onnx.load_model_from_string(older).ir_version == 9 and "DequantizeLinear" not in operators(onnx.load_model_from_string(older))


def test_weights_that_two_nodes_share() -> None:
    product = Product(32, 64)
    lowered = tool.lowered(product.model(count=2).SerializeToString())
    model = onnx.load_model_from_string(lowered)
    assert operators(model) == ["DequantizeLinear", "MatMul"] * 2 and len(model.graph.initializer) == 2
    product.assert_computed(lowered)


def test_weights_that_something_else_reads() -> None:
    product = Product(32, 64)
    model = product.model()
    model.graph.node.append(helper.make_node("Identity", ["b"], ["copy"]))
    model.graph.output.append(helper.make_tensor_value_info("copy", TensorProto.UINT8, None))
    lowered = onnx.load_model_from_string(tool.lowered(model.SerializeToString()))
    assert {"b", "scales"} & {tensor.name for tensor in lowered.graph.initializer} == {"b"}


@pytest.mark.parametrize("place", ["branch", "constant", "function"])
def test_wherever_the_weights_stand(place: str) -> None:
    product = Product(33, 64, zeros=True)
    model = product.model()
    graph = model.graph
    if place == "constant":
        nodes = [helper.make_node("Constant", [], [tensor.name], value=tensor) for tensor in graph.initializer]
        graph.ClearField("initializer")
        nodes += graph.node
        graph.ClearField("node")
        graph.node.extend(nodes)
    if place == "branch":
        inner = helper.make_graph(list(graph.node), "inner", [], [helper.make_tensor_value_info("y0", TensorProto.FLOAT, None)], list(graph.initializer))
        graph.ClearField("initializer")
        graph.ClearField("node")
        graph.input.append(helper.make_tensor_value_info("c", TensorProto.BOOL, []))
        other = helper.make_graph([helper.make_node("Identity", ["x"], ["z"])], "other", [], [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)])
        graph.node.append(helper.make_node("If", ["c"], ["y0"], then_branch=inner, else_branch=other))
    if place == "function":
        nodes = [helper.make_node("Constant", [], [tensor.name], value=tensor) for tensor in graph.initializer] + list(graph.node)
        model.functions.append(helper.make_function("own", "Layer", ["x"], ["y0"], nodes, list(model.opset_import)))
        graph.ClearField("initializer")
        graph.ClearField("node")
        graph.node.append(helper.make_node("Layer", ["x"], ["y0"], domain="own"))
        model.opset_import.append(helper.make_opsetid("own", 1))
    lowered = tool.lowered(model.SerializeToString())
    feed = {"x": product.x, "c": np.array(True)}
    for run in runtimes.in_onnxruntime(lowered, optimize=False), runtimes.in_onnxruntime(lowered):
        value = run({name: feed[name] for name in [given.name for given in graph.input]})["y0"]
        np.testing.assert_allclose(value, product.expected(), rtol=0, atol=1e-4)
    if place != "function":
        assert b"DequantizeLinear" in lowered


def save(model: onnx.ModelProto, path: pathlib.Path, location: str = "w.bin") -> pathlib.Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, path, save_as_external_data=True, location=location, size_threshold=0)
    return path


def externals(path: pathlib.Path) -> dict[str, str]:
    """The locations of a model's external tensors, by their names."""
    model = onnx.load(path, load_external_data=False)
    return {tensor.name: external.entries(tensor)["location"] for tensor in external.all_tensors(model) if external.is_external(tensor)}


LARGE = dict(n=515, k=4096, zeros=True)


@pytest.mark.parametrize("mode", ["keep", "embed", "split"])
@pytest.mark.parametrize("is_external", [False, True], ids=["inline", "external"])
@pytest.mark.parametrize("place", ["beside", "elsewhere", "in place"])
def test_wherever_the_elements_lie(tmp_path: pathlib.Path, mode: str, is_external: bool, place: str) -> None:
    product = Product(**LARGE)
    given = tmp_path / "model.onnx"
    if is_external:
        save(product.model(), given, "model.onnx.data")
    else:
        given.write_bytes(product.model().SerializeToString())
    output = {"beside": tmp_path / "out.onnx", "elsewhere": tmp_path / "sub" / "model.onnx", "in place": given}[place]
    output.parent.mkdir(exist_ok=True)
    result = tool.run([given, "-o", output, "--external-data", mode])
    assert result.status == tool.DONE, result
    product.assert_computed(str(output))
    locations = set(externals(output).values())
    name = output.name + (".data" if mode == "split" else ".lowered.data")
    assert locations == (set() if mode == "embed" or (mode == "keep" and not is_external) else {name})
    before = output.read_bytes()
    assert tool.run([output, "-o", output, "--external-data", mode]).status == tool.DONE
    assert output.read_bytes() == before


def test_what_stays_external_stays_in_its_file(tmp_path: pathlib.Path) -> None:
    product = Product(64, 128)
    model = product.model()
    model.graph.initializer.append(numpy_helper.from_array(np.ones((3, 64), np.float32), "other"))
    model.graph.node.append(helper.make_node("Add", ["y0", "other"], ["z"]))
    model.graph.output.append(helper.make_tensor_value_info("z", TensorProto.FLOAT, None))
    given = save(model, tmp_path / "model.onnx")
    output = tmp_path / "sub" / "out.onnx"
    output.parent.mkdir()
    assert tool.run([given, "-o", output]).status == tool.DONE
    locations = externals(output)
    assert locations.pop("other") == "w.bin" and set(locations.values()) == {"out.onnx.lowered.data"}
    assert (output.parent / "w.bin").read_bytes() == (tmp_path / "w.bin").read_bytes()
    np.testing.assert_allclose(runtimes.in_onnxruntime(str(output))({"x": product.x})["z"], product.expected() + 1, rtol=0, atol=1e-4)


def test_a_file_of_that_name_is_not_written_over(tmp_path: pathlib.Path) -> None:
    given = save(Product(64, 128).model(), tmp_path / "model.onnx")
    other = tmp_path / "out.onnx.lowered.data"
    other.write_bytes(b"something else")
    result = tool.run([given, "-o", tmp_path / "out.onnx"])
    assert result.status == tool.FILE_ERROR and other.name in result.stderr, result
    assert other.read_bytes() == b"something else" and not (tmp_path / "out.onnx").exists()


def test_the_same_file_is_left_alone(tmp_path: pathlib.Path) -> None:
    """The content of a data file that is there is compared with what would be written."""
    given = save(Product(**LARGE).model(), tmp_path / "model.onnx")
    output = tmp_path / "out.onnx"
    assert tool.run([given, "-o", output]).status == tool.DONE
    data = tmp_path / "out.onnx.lowered.data"
    before = data.stat().st_ino
    output.unlink()
    assert tool.run([given, "-o", output]).status == tool.DONE
    assert data.stat().st_ino == before


@pytest.mark.parametrize("is_external", [False, True], ids=["inline", "external"])
def test_as_text_and_through_pipes(tmp_path: pathlib.Path, is_external: bool) -> None:
    product = Product(300, 512)
    given = tmp_path / "model.onnx"
    if is_external:
        save(product.model(), given)
    else:
        given.write_bytes(product.model().SerializeToString())
    expected = tool.run([given, "-o", "-", "--external-data", "embed"])
    assert expected.status == tool.DONE
    assert tool.run([given, "-o", "-"], cwd=tmp_path).stdout == expected.stdout
    text = tmp_path / "out.onnxtxt"
    assert tool.run([given, "-o", text]).status == tool.DONE
    assert "out.onnxtxt.lowered.data" in text.read_text()
    product.assert_computed(tool.run([text, "-o", "-", "--external-data", "embed"]).stdout)
    refused = tool.run([given, "-o", tmp_path / "other.onnxtxt", "--external-data", "embed"])
    assert refused.status == tool.INVALID_INPUT and "write an .onnx file" in refused.stderr
    product.assert_computed(expected.stdout)


def test_the_report_and_the_difference(tmp_path: pathlib.Path) -> None:
    product = Product(64, 128)
    report = tmp_path / "r.json"
    result = tool.run(["-", "-o", tmp_path / "out.onnx", "--report", report, "--diff"], stdin=product.model().SerializeToString())
    assert result.status == tool.DONE, result
    assert b"int4[128,64]" in result.stdout and b"\0" not in result.stdout
    cost = json.loads(report.read_text())["cost"]
    assert cost["after"]["held_bytes"] == cost["before"]["held_bytes"] and cost["after"]["grown_weights"] == []


def test_verify(tmp_path: pathlib.Path) -> None:
    given = save(Product(**LARGE).model(), tmp_path / "model.onnx")
    result = tool.run([given, "-o", tmp_path / "out.onnx", "--verify", *WITH_RUNTIME])
    assert result.status == tool.DONE, result


def test_many_models(tmp_path: pathlib.Path) -> None:
    for index in range(2):
        save(Product(300, 512, seed=index).model(), tmp_path / "in" / f"{index}.onnx", f"{index}.bin")
    for _ in range(2):
        assert tool.run([tmp_path / "in", "--output-dir", tmp_path / "out"]).status == tool.DONE
    for index in range(2):
        Product(300, 512, seed=index).assert_computed(str(tmp_path / "out" / f"{index}.onnx"))


def decoder(layers: int, width: int, inner: int, path: pathlib.Path) -> int:
    """Products of random weights in one data file; returns how many bytes of codes there are."""
    nodes, tensors, codes, name = [], [], 0, "x"
    with open(path.parent / "w.bin", "wb") as data:
        for layer in range(layers):
            for part, (k, n) in enumerate([(width, width)] * 4 + [(width, inner), (inner, width)]):
                label = f"l{layer}p{part}"
                for kind, element_type, dims, size in (("b", TensorProto.UINT8, [n, k // 32, 16], n * k // 2), ("s", TensorProto.FLOAT16, [n * k // 32], n * k // 16)):
                    tensor = TensorProto(name=label + kind, data_type=element_type, dims=dims, data_location=TensorProto.EXTERNAL)
                    for key, value in (("location", "w.bin"), ("offset", data.tell()), ("length", size)):
                        tensor.external_data.add(key=key, value=str(value))
                    data.write(np.random.default_rng(part).bytes(min(size, 1 << 16)) * (size // min(size, 1 << 16)))
                    tensors.append(tensor)
                    codes += size if kind == "b" else 0
                nodes.append(helper.make_node("MatMulNBits", [name, label + "b", label + "s"], [label], domain="com.microsoft", K=k, N=n, block_size=32))
                name = label
    graph = helper.make_graph(nodes, "decoder", [helper.make_tensor_value_info("x", TensorProto.FLOAT16, ["rows", width])], [helper.make_tensor_value_info(name, TensorProto.FLOAT16, None)], tensors)
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)], ir_version=10).SerializeToString())
    return codes


def test_memory_does_not_grow_with_the_weights(tmp_path: pathlib.Path) -> None:
    codes = decoder(4, 2048, 8192, tmp_path / "model.onnx")
    peaks = []
    for inputs in ([tmp_path / "model.onnx", "-o", tmp_path / "out.onnx"],):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        assert tool.run(inputs).status == tool.DONE
        peaks.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    assert codes > 90 << 20 and (peaks[0] < 64 << 10 or peaks[0] == before), peaks
    assert (tmp_path / "out.onnx.lowered.data").stat().st_size >= codes * 9 // 8


GATHERED = {"int4": TensorProto.INT4, "uint4": TensorProto.UINT4}


@pytest.mark.parametrize("zeros", ["no-zeros", "zeros", "odd-zeros"])
@pytest.mark.parametrize("kind", GATHERED)
def test_gathered_rows_stay_packed(kind: str, zeros: str) -> None:
    """A table of 4-bit numbers becomes bytes of two each, and not integers of 32 bits."""
    import ml_dtypes

    random = np.random.default_rng(1)
    low, dtype = (-8, ml_dtypes.int4) if kind == "int4" else (0, ml_dtypes.uint4)
    blocks = 3 if zeros == "odd-zeros" else 4
    data, zero_points = random.integers(low, low + 16, (10, 16 * blocks)).astype(dtype), random.integers(low, low + 16, (10, blocks)).astype(dtype)
    scales, indices = random.random((10, blocks)).astype(np.float32), random.integers(0, 10, (2, 3))
    arrays = {"data": data, "scales": scales} | ({} if zeros == "no-zeros" else {"zero_points": zero_points})
    node = helper.make_node("GatherBlockQuantized", ["data", "indices", "scales", *(["zero_points"] if len(arrays) == 3 else [])], ["y"], domain="com.microsoft", block_size=16)
    tensors = [numpy_helper.from_array(value, name) for name, value in arrays.items()]
    graph = helper.make_graph([node], "rows", [helper.make_tensor_value_info("indices", TensorProto.INT64, [2, 3])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
    lowered = tool.lowered(model.SerializeToString())
    tables = tensors_of(onnx.load_model_from_string(lowered))
    assert TensorProto.UINT8 in tables and GATHERED[kind] not in {kind for kind in tables if zeros != "odd-zeros"}
    expected = definition.definition_of("com.microsoft", "GatherBlockQuantized").define(data, indices, scales, arrays.get("zero_points"), block_size=16)
    for run in runtimes.in_onnxruntime(lowered), runtimes.in_openvino(lowered):
        # Products of codes and scales, each rounded once.
        np.testing.assert_allclose(run({"indices": indices})["y"], expected, rtol=1e-6, atol=1e-7)
