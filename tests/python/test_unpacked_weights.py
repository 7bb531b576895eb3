# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Weights that standard nodes unpack from codes of a few bits, as exporters leave the packings of GPTQ, AWQ and HQQ: products of them get weights of a few bits, with the same numbers."""
from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable

import numpy as np
import onnx
import pytest
import runtimes
import tool
from onnx import TensorProto, helper, numpy_helper

pytestmark = pytest.mark.on_disk

FLOATS = {np.float32: TensorProto.FLOAT, np.float16: TensorProto.FLOAT16}
AWQ_ORDER = [0, 4, 1, 5, 2, 6, 3, 7]


class Unpacking:
    """Nodes that unpack weights (K, N) from constants, and what the weights are, which NumPy computes from the codes and not from the nodes."""

    def __init__(self, k: int = 128, n: int = 64, group: int = 32, bits: int = 4, dtype: type = np.float32, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.k, self.n, self.group, self.bits, self.dtype = k, n, group, bits, dtype
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}
        self.codes = self.random.integers(0, 1 << bits, (k, n))
        self.zeros = self.random.integers(1, 1 << bits, (k // group, n))
        self.scales = (self.random.random((k // group, n)) / 8 + 0.01).astype(dtype)
        self.gemm: dict[str, object] | None = None  # its attributes, if the product is one

    def weights(self) -> np.ndarray:
        zeros, scales = (np.repeat(part, self.group, axis=0) for part in (self.zeros, self.scales))
        # Of float16, a product is rounded once.
        return ((self.codes - zeros).astype(np.float32) * scales.astype(np.float32)).astype(self.dtype)

    def constant(self, value: object, dtype: type = np.int64) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(value, dtype)
        return name

    def op(self, op_type: str, *inputs: str, **attributes: object) -> str:
        self.nodes.append(helper.make_node(op_type, list(inputs), [f"v{len(self.nodes)}"], **attributes))
        return self.nodes[-1].output[0]

    def words(self, codes: np.ndarray, axis: int, dtype: type = np.int32, order: list[int] | None = None) -> np.ndarray:
        """The codes along an axis, joined to words: the first one in the lowest bits, or each where the order says."""
        width = np.dtype(dtype).itemsize * 8
        per = width // self.bits
        codes = np.moveaxis(codes, axis, -1).reshape(*np.moveaxis(codes, axis, -1).shape[:-1], -1, per).astype(np.uint64)
        words = np.zeros(codes.shape[:-1], np.uint64)
        for index in range(per):
            words |= codes[..., index] << np.uint64(self.bits * (index if order is None else order[index]))
        return np.moveaxis(words, -1, axis).astype(f"uint{width}").view(dtype)

    def shifts(self, shape: list[int], dtype: type) -> str:
        return self.constant(np.arange(0, 32, self.bits).reshape(shape), dtype)

    def shifted_with_sign(self, words: str, shape: list[int], dtype: type = np.int32) -> str:
        """As PyTorch's exporter shifts integers with a sign to the right: as ones without, and ones come from above where the number is negative."""
        unsigned = np.dtype(f"u{np.dtype(dtype)}")
        to = helper.np_dtype_to_tensor_dtype(unsigned)
        back = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        masks = ~(np.array(~unsigned.type(0)) >> np.arange(0, 32, self.bits).astype(unsigned)).reshape(shape)
        negative = self.op("Less", words, self.constant(0, dtype))
        shifted = self.op("BitShift", self.op("Cast", words, to=to), self.shifts(shape, unsigned.type), direction="RIGHT")
        filled = self.op("BitwiseOr", shifted, self.constant(masks, unsigned.type))
        return self.op("Where", negative, self.op("Cast", filled, to=back), self.op("Cast", shifted, to=back))

    def floor_divided(self, words: str, shape: list[int]) -> str:
        """As PyTorch's older exporter does it."""
        negative = self.op("Cast", self.op("Less", words, self.constant(0, np.int32)), to=TensorProto.INT32)
        powers = self.op("Cast", self.op("Pow", self.constant(2, np.float32), self.shifts(shape, np.float32)), to=TensorProto.INT32)
        return self.op("Sub", self.op("Div", self.op("Add", words, negative), powers), negative)

    def masked(self, value: str, dtype: type = np.int8) -> str:
        return self.op("BitwiseAnd", value, self.constant((1 << self.bits) - 1, dtype))

    def small(self, value: str) -> str:
        return self.op("Cast", value, to=TensorProto.INT16 if self.bits == 8 else TensorProto.INT8)

    def scaled(self, codes: str, zeros: str, scales: str) -> str:
        return self.op("Mul", self.op("Cast", self.op("Sub", codes, zeros), to=FLOATS[self.dtype]), scales)

    def model(self, weights: str, opset: int = 21) -> onnx.ModelProto:
        inputs = ["x", weights]
        if self.gemm is not None:
            self.constants["bias"] = self.random.standard_normal(self.n).astype(self.dtype)
            inputs.append("bias")
        product = helper.make_node("MatMul" if self.gemm is None else "Gemm", inputs, ["y"], "product", **(self.gemm or {}))
        tensors = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        graph = helper.make_graph([*self.nodes, product], "unpacking", [helper.make_tensor_value_info("x", FLOATS[self.dtype], ["rows", self.k])],
                                  [helper.make_tensor_value_info("y", FLOATS[self.dtype], ["rows", self.n])], tensors)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)

    def assert_computed(self, lowered: bytes | str, openvino: bool = True) -> None:
        """The product of the identity are the weights, number for number; and that of others to what sums are rounded to."""
        bias = self.constants.get("bias", np.zeros(self.n, self.dtype))
        one = np.eye(self.k, dtype=self.dtype)
        runners = [runtimes.in_onnxruntime(lowered), runtimes.in_onnxruntime(lowered, optimize=False)] + ([runtimes.in_openvino(lowered)] if openvino else [])
        # Whether float16 is rounded between a product and a sum is the runtime's choice.
        for run in runners[:2] if self.dtype == np.float32 or self.gemm is None else []:
            np.testing.assert_array_equal(run({"x": one})["y"], self.weights() + bias)
        x = self.random.standard_normal((3, self.k)).astype(self.dtype)
        expected = x.astype(np.float64) @ self.weights().astype(np.float64) + bias
        # Sums of 128 to 512 products in float32, or of what float16 holds.
        tolerance = (2e-6 if self.dtype == np.float32 else 2e-3) * np.abs(expected).max() * np.sqrt(self.k)
        for run in runners:
            np.testing.assert_allclose(run({"x": x})["y"].astype(np.float64), expected, rtol=0, atol=tolerance)


def gptq(of: Unpacking, *, groups: str = "blocks", shift: str = "where", plus_one: str = "before") -> str:
    """AutoGPTQ's and GPTQModel's: words (K / 8, N), zero points less by 1 in words (groups, N / 8)."""
    per = 32 // of.bits
    shifted = of.shifted_with_sign if shift == "where" else of.floor_divided
    words = of.op("Unsqueeze", of.constant(of.words(of.codes, 0), np.int32), of.constant([1]))
    if shift == "where":
        words = of.op("Expand", words, of.constant([of.k // per, per, of.n]))
    codes = of.masked(of.small(shifted(words, [1, per, 1])), np.int16 if of.bits == 8 else np.int8)
    small = np.int16 if of.bits == 8 else np.int8
    if plus_one == "folded":
        zeros = of.constant(of.zeros, small)
    elif plus_one == "folded, wide":
        codes, zeros = of.op("Cast", codes, to=TensorProto.INT64), of.constant(of.zeros)
    else:
        less = of.zeros if plus_one == "none" else of.zeros - 1
        packed = of.op("Unsqueeze", of.constant(of.words(less, 1), np.int32), of.constant([2]))
        zeros = of.small(shifted(packed, [1, 1, per]))
        if plus_one == "within":
            zeros = of.op("Add", zeros, of.constant(1, small))
        zeros = of.masked(zeros, small)
        if plus_one == "before":
            zeros = of.op("Add", zeros, of.constant(1, small))
    if groups == "blocks":
        codes = of.op("Reshape", codes, of.constant([-1, of.group, of.n]))
        zeros = of.op("Reshape", zeros, of.constant([-1, 1, of.n]))
        scales = of.op("Reshape", of.constant(of.scales, of.dtype), of.constant([-1, 1, of.n]))
        return of.op("Reshape", of.scaled(codes, zeros, scales), of.constant([of.k, of.n]))
    index = np.arange(of.k) // of.group
    gather = (lambda value: of.op("Gather", value, of.constant(index))) if groups == "gather" else (lambda value: of.op("GatherND", value, of.constant(index[:, None])))
    zeros = of.op("Reshape", zeros, of.constant(of.scales.shape))
    return of.scaled(of.op("Reshape", codes, of.constant([of.k, of.n])), gather(zeros), gather(of.constant(of.scales, of.dtype)))


def awq(of: Unpacking, *, indices: type = np.int64, masked: str = "after") -> str:
    """AutoAWQ's: words (K, N / 8), whose codes are in another order."""
    def unpacked(values: np.ndarray) -> str:
        words = of.op("Unsqueeze", of.constant(of.words(values, 1, order=AWQ_ORDER), np.int32), of.constant([2]))
        wide = of.op("Cast", words, to=TensorProto.INT64)
        codes = of.op("Reshape", of.small(of.shifted_with_sign(wide, [1, 1, 8], np.int64)), of.constant([len(values), of.n]))
        codes = of.masked(codes) if masked == "before" else codes
        columns = np.arange(of.n).reshape(-1, 8)[:, AWQ_ORDER].reshape(-1)
        if indices == np.int32:
            codes = of.op("Transpose", of.op("GatherND", of.op("Transpose", codes, perm=[1, 0]), of.constant(columns[:, None], np.int32)), perm=[1, 0])
        else:
            codes = of.op("Gather", codes, of.constant(columns), axis=1)
        return codes if masked == "before" else of.masked(codes)

    def repeated(value: str) -> str:
        groups = of.k // of.group
        apart = of.op("Expand", of.op("Unsqueeze", value, of.constant([1])), of.constant([groups, of.group, of.n]))
        return of.op("Reshape", apart, of.constant([of.k, of.n]))

    return of.scaled(unpacked(of.codes), repeated(unpacked(of.zeros)), repeated(of.constant(of.scales, of.dtype)))


def stacked(of: Unpacking, *, transposed: str = "Transpose") -> str:
    """Two codes in a byte, the first one in its lower half, of weights (N, K) in groups along K, less 8."""
    of.zeros = np.full_like(of.zeros, 8)
    data = of.constant(of.words(of.codes.T.reshape(-1, of.group), 1, np.uint8), np.uint8)
    low = of.masked(data, np.uint8)
    high = of.op("BitShift", data, of.constant(4, np.uint8), direction="RIGHT")
    last = of.constant([-1])
    codes = of.op("Reshape", of.op("Concat", of.op("Unsqueeze", low, last), of.op("Unsqueeze", high, last), axis=-1), of.constant([-1, of.group]))
    number = of.op("Cast", of.op("Sub", of.op("Cast", codes, to=TensorProto.INT8), of.constant(8, np.int8)), to=FLOATS[of.dtype])
    scaled = of.op("Mul", number, of.constant(of.scales.T.reshape(-1, 1), of.dtype))
    weights = of.op("Reshape", scaled, of.constant([of.n, of.k]))
    if transposed == "Gemm":
        of.gemm = {"transB": 1}
        return weights
    return of.op("Transpose", weights, perm=[1, 0])


def hqq(of: Unpacking) -> str:
    """The upper halves of all bytes, and then the lower ones; zero points are numbers of floating point."""
    of.zeros = (of.random.random(of.zeros.shape) * 15).astype(of.dtype)
    codes = of.codes.T.reshape(-1, of.group)
    rows = len(codes) // 2
    data = of.constant(codes[:rows] << 4 | codes[rows:], np.uint8)
    high = of.op("BitShift", data, of.constant(4, np.uint8), direction="RIGHT")
    number = of.op("Cast", of.op("Concat", of.masked(high, np.uint8), of.masked(data, np.uint8), axis=0), to=FLOATS[of.dtype])
    centred = of.op("Sub", number, of.constant(of.zeros.T.reshape(-1, 1), of.dtype))
    scaled = of.op("Mul", centred, of.constant(of.scales.T.reshape(-1, 1), of.dtype))
    of.gemm = {"transB": 1}
    return of.op("Reshape", scaled, of.constant([of.n, of.k]))


def divided(of: Unpacking) -> str:
    """By arithmetic, of words without a sign; the zero points are one number for all."""
    per = 32 // of.bits
    of.zeros = np.full_like(of.zeros, 5)
    words = of.op("Unsqueeze", of.constant(of.words(of.codes, 0, np.uint32), np.uint32), of.constant([1]))
    powers = of.constant((1 << np.arange(0, 32, of.bits)).reshape(per, 1), np.uint32)
    codes = of.op("Mod", of.op("Div", words, powers), of.constant(1 << of.bits, np.uint32))
    number = of.op("Cast", of.op("Reshape", codes, of.constant([-1, of.group, of.n])), to=TensorProto.FLOAT)
    zeros = of.op("Cast", of.constant(np.full((of.k // of.group, 1, of.n), 5), np.uint8), to=TensorProto.FLOAT)
    scales = of.constant(of.scales.reshape(-1, 1, of.n), of.dtype)
    return of.op("Reshape", of.op("Mul", scales, of.op("Sub", number, zeros)), of.constant([of.k, of.n]))


def upper_halves(of: Unpacking, *, zero: int = 8, scales: str = "float") -> str:
    """The upper half of a byte by its mask, which is shifted then; a code for each byte."""
    of.zeros = np.full_like(of.zeros, zero)
    data = of.constant(of.codes << 4 | of.random.integers(0, 16, of.codes.shape), np.uint8)
    codes = of.op("BitShift", of.op("BitwiseAnd", data, of.constant(0xF0, np.uint8)), of.constant(4, np.uint8), direction="RIGHT")
    blocks = of.op("Reshape", of.op("Sub", of.op("Cast", codes, to=TensorProto.FLOAT), of.constant(zero, np.float32)), of.constant([-1, of.group, of.n]))
    if scales == "float16":
        of.scales = of.scales.astype(np.float16)
    scale = of.op("Cast", of.constant(of.scales[:, None], of.scales.dtype.type), to=TensorProto.FLOAT)
    return of.op("Reshape", of.op("Mul", blocks, scale), of.constant([of.k, of.n]))


def bytes_as_they_are(of: Unpacking, dtype: type = np.int8, zeros: str = "none") -> str:
    """A code for each byte, (N, K) with a scale for each row, as quantizers of weights alone write it."""
    least = np.iinfo(dtype).min
    of.codes = of.codes + least
    of.zeros = np.full_like(of.zeros, 0) if zeros == "none" else of.zeros + least
    number = of.op("Cast", of.constant(of.codes.T, dtype), to=FLOATS[of.dtype])
    if zeros == "constant":
        number = of.op("Sub", number, of.op("Cast", of.constant(of.zeros.T, dtype), to=FLOATS[of.dtype]))
    of.gemm = {"transB": 1}
    return of.op("Mul", number, of.constant(of.scales.T, of.dtype))


Form = Callable[[Unpacking], str]
FORMS: dict[str, tuple[Form, dict[str, object]]] = {
    "gptq": (gptq, {}),
    "gptq, plus 1 within 4 bits": (lambda of: gptq(of, plus_one="within"), {}),
    "gptq, zero points that were folded": (lambda of: gptq(of, plus_one="folded"), {}),
    "gptq, version 2": (lambda of: gptq(of, plus_one="none", groups="rows"), {}),
    "gptq, rows by groups": (lambda of: gptq(of, groups="gather"), {}),
    "gptq, older exporter": (lambda of: gptq(of, shift="floor"), {}),
    "gptq, 8 bits": (gptq, {"bits": 8}),
    "gptq, float16": (gptq, {"dtype": np.float16}),
    "gptq, one group": (gptq, {"group": 128}),
    "gptq, large": (gptq, {"k": 512, "n": 272, "group": 128}),
    "gptq, odd": (gptq, {"n": 40, "group": 16}),
    "awq": (awq, {}),
    "awq, indices of a wrong type": (lambda of: awq(of, indices=np.int32), {}),
    "awq, masked before": (lambda of: awq(of, masked="before"), {"dtype": np.float16}),
    "bytes": (stacked, {}),
    "bytes, of Gemm": (lambda of: stacked(of, transposed="Gemm"), {"group": 64}),
    "by division": (divided, {}),
    "upper halves": (upper_halves, {}),
    "one zero point for all": (lambda of: upper_halves(of, zero=3), {"n": 33}),
    "scales of float16": (lambda of: upper_halves(of, scales="float16"), {}),
    "gptq, zero points of 64 bits": (lambda of: gptq(of, plus_one="folded, wide"), {}),
}


def with_one_group(form: Form) -> tuple[Form, dict[str, object]]:
    return form, {"bits": 8, "group": 256, "k": 256}


BYTES: dict[str, tuple[Form, dict[str, object]]] = {
    "with a sign": with_one_group(bytes_as_they_are),
    "without": with_one_group(lambda of: bytes_as_they_are(of, np.uint8)),
    "zero points with a sign": with_one_group(lambda of: bytes_as_they_are(of, zeros="constant")),
    "zero points without": with_one_group(lambda of: bytes_as_they_are(of, np.uint8, zeros="constant")),
}


def types_of(model: onnx.ModelProto) -> set[int]:
    return {tensor.data_type for tensor in model.graph.initializer}


@pytest.mark.parametrize("name", FORMS)
def test_numbers(name: str) -> None:
    form, sizes = FORMS[name]
    of = Unpacking(**sizes)
    lowered = tool.lowered(of.model(form(of)).SerializeToString())
    model = onnx.load_model_from_string(lowered)
    onnx.checker.check_model(model, full_check=True)
    operators = [node.op_type for node in model.graph.node]
    assert [op for op in operators if op not in ("Constant", "Cast")] == ["DequantizeLinear", "MatMul", *(["Add"] if of.gemm else [])]
    has_middle = (of.zeros == 1 << of.bits - 1).all()
    expected = {(4, False): TensorProto.UINT4, (4, True): TensorProto.INT4, (8, False): TensorProto.UINT8}[of.bits, bool(has_middle)]
    assert types_of(model) == {expected, helper.np_dtype_to_tensor_dtype(of.scales.dtype)}
    of.assert_computed(lowered)
    assert tool.lowered(lowered) == lowered


@pytest.mark.parametrize("opset", [18, 20])
@pytest.mark.parametrize("name", FORMS)
def test_numbers_where_there_are_no_blocks(name: str, opset: int) -> None:
    form, sizes = FORMS[name]
    of = Unpacking(**sizes)
    run = tool.lower(of.model(form(of), opset).SerializeToString())
    model = onnx.load_model_from_string(run.stdout)
    assert types_of(model) & {TensorProto.INT8, TensorProto.UINT8} and "BitwiseAnd" not in {node.op_type for node in model.graph.node}
    of.assert_computed(run.stdout)
    assert ("are stored in 4 bits and written in 8; --target-opset 21 keeps 4" in run.stderr) == (of.bits == 4)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", BYTES)
def test_codes_that_are_bytes_already(name: str, dtype: type) -> None:
    """In blocks of 128, for which runtimes have kernels; below opset 21 they stay as they are."""
    form, sizes = BYTES[name]
    of = Unpacking(dtype=dtype, **sizes)
    given = of.model(form(of))
    lowered = tool.lowered(given.SerializeToString())
    model = onnx.load_model_from_string(lowered)
    assert [node.op_type for node in model.graph.node] == ["DequantizeLinear", "MatMul", "Add"]
    assert model.graph.node[0].attribute[1].i == 128
    of.assert_computed(lowered)
    given.opset_import[0].version = 20
    assert tool.lowered(given.SerializeToString()) == given.SerializeToString()


@pytest.mark.parametrize("dtype", FLOATS)
def test_zero_points_that_are_no_integers(dtype: type) -> None:
    """They are subtracted by arithmetic, which OpenVINO computes wrongly of codes that nodes unpack."""
    of = Unpacking(dtype=dtype)
    given = of.model(hqq(of)).SerializeToString()
    lowered = tool.lowered(given)
    model = onnx.load_model_from_string(lowered)
    assert TensorProto.UINT8 in types_of(model) and {"BitShift", "DequantizeLinear"}.isdisjoint(node.op_type for node in model.graph.node)
    if dtype == np.float32:
        of.assert_computed(lowered)
    # Whether a difference of float16 is rounded before it is scaled is the runtime's choice.
    one = {"x": np.eye(of.k, dtype=dtype)}
    for optimize in (False, True):
        np.testing.assert_array_equal(runtimes.in_onnxruntime(lowered, optimize=optimize)(one)["y"], runtimes.in_onnxruntime(given, optimize=optimize)(one)["y"])


def without(of: Unpacking, weights: str, change: Callable[[onnx.ModelProto], None] = lambda model: None, opset: int = 21) -> None:
    """What is no weight of few bits stays as it is."""
    model = of.model(weights, opset)
    change(model)
    lowered = onnx.load_model_from_string(tool.lowered(model.SerializeToString()))
    assert [node.op_type for node in lowered.graph.node] == [node.op_type for node in model.graph.node]


def test_zero_points_that_are_no_codes() -> None:
    """A code of 15 plus 1 is 16, for which a zero point of 4 bits has no place; and a constant may say anything."""
    of = Unpacking()
    of.zeros[0, 0] = 16
    without(of, gptq(of))
    of = Unpacking()
    of.zeros[-1, -1] = -1
    without(of, gptq(of, plus_one="folded"))


@pytest.mark.parametrize("change", ["groups out of order", "a scale for each", "an input", "transA", "alpha", "division of negative words", "three bits", "mask with a gap"])
def test_what_stays(change: str) -> None:
    of = Unpacking()
    if change == "groups out of order":
        weights = gptq(of, groups="gather")
        index = next(name for name, value in of.constants.items() if value.shape == (of.k,))
        of.constants[index] = of.random.permutation(of.constants[index])
    elif change == "a scale for each":
        of = Unpacking(group=1)
        weights = gptq(of)
    elif change == "division of negative words":
        weights = divided(of)
        for node in of.nodes[:3]:
            for name in node.input:
                if name in of.constants and of.constants[name].dtype == np.uint32:
                    of.constants[name] = of.constants[name].view(np.int32)
    elif change in ("three bits", "mask with a gap"):
        weights = upper_halves(of)
        mask = next(name for name, value in of.constants.items() if value.shape == () and value == 0xF0)
        of.constants[mask] = np.uint8(0x70 if change == "three bits" else 0xD0)
    elif change in ("transA", "alpha"):
        weights = stacked(of, transposed="Gemm")
        of.gemm |= {"transA": 1} if change == "transA" else {"alpha": 2.0}
    else:
        weights = gptq(of)
    words = next(name for name, value in of.constants.items() if value.size > 1000)

    def make_input(model: onnx.ModelProto) -> None:
        tensor = next(tensor for tensor in model.graph.initializer if tensor.name == words)
        model.graph.input.append(helper.make_tensor_value_info(words, tensor.data_type, tensor.dims))

    without(of, weights, make_input if change == "an input" else lambda model: None)


def test_weights_that_something_else_reads() -> None:
    """What unpacks them stays for that."""
    of = Unpacking()
    weights = gptq(of)
    model = of.model(weights)
    model.graph.output.append(helper.make_tensor_value_info(weights, TensorProto.FLOAT, [of.k, of.n]))
    lowered = tool.lowered(model.SerializeToString())
    operators = [node.op_type for node in onnx.load_model_from_string(lowered).graph.node]
    assert "DequantizeLinear" in operators and "BitShift" in operators
    of.assert_computed(lowered, openvino=False)
    np.testing.assert_array_equal(runtimes.in_onnxruntime(lowered)({"x": np.eye(of.k, dtype=np.float32)})[weights], of.weights())


def test_a_target_gets_the_opset_that_has_small_weights() -> None:
    of = Unpacking()
    given = of.model(gptq(of), 20).SerializeToString()
    for name in ("onnxruntime-1.32", "openvino-2026.4"):
        run = tool.lower(given, ["--target", name])
        assert run.status == tool.DONE, run
        assert "opset 21 is written, as 'product' (MatMul) has weights of 4 bits, which take 8 at opset 20; --target-opset 20 writes that one" in run.stderr
        model = onnx.load_model_from_string(run.stdout)
        assert model.opset_import[0].version == 21 and TensorProto.UINT4 in types_of(model)
        of.assert_computed(run.stdout)
    run = tool.lower(given, ["--target", "onnxruntime-1.32", "--target-opset", "20"])
    assert TensorProto.UINT8 in types_of(onnx.load_model_from_string(run.stdout)) and "warning" not in run.stderr
    run = tool.lower(given, ["--target", "onnxruntime-1.17"])
    assert TensorProto.UINT8 in types_of(onnx.load_model_from_string(run.stdout)) and "note: the weights" not in run.stderr
    of.assert_computed(run.stdout)


def test_a_target_that_lacks_what_unpacks(tmp_path: pathlib.Path) -> None:
    """Nothing needs it any more; but where the weights stay as they are, it is refused."""
    target = tmp_path / "some.target"
    target.write_text("opset 21\nBitShift never\nBitwiseOr never\nWhere never\n")
    of = Unpacking()
    lowered = tool.lowered(of.model(gptq(of)).SerializeToString(), ["--target", target])
    of.assert_computed(lowered)
    of = Unpacking()
    of.zeros[0, 0] = 16
    tool.assert_clean_refusal(tool.lower(of.model(gptq(of)).SerializeToString(), ["--target", target]), tool.NOT_LOWERED)


def test_an_operator_of_the_user(tmp_path: pathlib.Path) -> None:
    """A rule of the user may give one of the nodes another meaning, and a node that is kept stays."""
    of = Unpacking()
    given = of.model(gptq(of)).SerializeToString()
    assert "BitShift" in [node.op_type for node in onnx.load_model_from_string(tool.lowered(given, ["--keep", "ai.onnx::BitShift"])).graph.node]


@pytest.mark.parametrize("mode", ["keep", "embed", "split"])
@pytest.mark.parametrize("form", [gptq, awq])
def test_wherever_the_elements_lie(tmp_path: pathlib.Path, form: Form, mode: str) -> None:
    of = Unpacking(512, 1024, 128)
    model = of.model(form(of))
    path = tmp_path / "in.onnx"
    onnx.save(model, path, save_as_external_data=True, location="w.bin", size_threshold=64)
    run = tool.run([path, "-o", tmp_path / "out.onnx", "--external-data", mode])
    assert run.status == tool.DONE, run
    of.assert_computed(str(tmp_path / "out.onnx"))
    (tmp_path / "w.bin").write_bytes((tmp_path / "w.bin").read_bytes()[:100_000])
    tool.assert_clean_refusal(tool.run([path, "-o", tmp_path / "out2.onnx"]))


def test_constants_of_nodes() -> None:
    of = Unpacking()
    model = of.model(gptq(of))
    for tensor in model.graph.initializer:
        model.graph.node.insert(0, helper.make_node("Constant", [], [tensor.name], value=tensor))
    del model.graph.initializer[:]
    lowered = tool.lowered(model.SerializeToString())
    assert TensorProto.UINT4 in types_of(onnx.load_model_from_string(lowered))
    of.assert_computed(lowered)


def test_what_is_told(tmp_path: pathlib.Path) -> None:
    of = Unpacking()
    tool.lowered(of.model(gptq(of), 20).SerializeToString(), ["--report", tmp_path / "report.json"])
    said = json.loads((tmp_path / "report.json").read_text())
    assert [(node["node"], node["operator"]) for node in said["lowered"]] == [("product", "ai.onnx::MatMul")]
    assert {node["node"] for node in said["folded"]} >= {f"v{index}" for index in range(len(of.nodes))}
    assert said["widened_weights"] == {"products": 1, "node": "product", "operator": "MatMul", "bits": 4, "target_opset": 21}


class Large(Unpacking):
    """Words that nobody made of codes: 67 MB."""

    def __init__(self) -> None:
        super().__init__(32, 32)
        self.k, self.n, self.group = 8192, 16384, 128
        self.codes, self.zeros, self.scales = (np.broadcast_to(np.float32(1), (rows, self.n)) for rows in (self.k, self.k // self.group, self.k // self.group))

    def words(self, codes: np.ndarray, axis: int, dtype: type = np.int32, order: list[int] | None = None) -> np.ndarray:
        shape = list(codes.shape)
        shape[axis] //= 8
        return np.full(shape, 0x31415926, dtype)


@pytest.mark.parametrize("form", [gptq, awq])
def test_memory_does_not_grow_with_the_weights(tmp_path: pathlib.Path, form: Form) -> None:
    of = Large()
    onnx.save(of.model(form(of)), tmp_path / "in.onnx", save_as_external_data=True, location="w.bin")
    # A process that is forked from a large one counts as large: this one is small.
    measured = [sys.executable, "-c", "import resource, subprocess, sys; subprocess.check_call(sys.argv[1:]); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"]
    run = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx"], within=measured)
    assert run.status == tool.DONE, run
    assert int(run.stdout) < (48 << 10) * (8 if tool.SANITIZED else 1)
    assert (tmp_path / "out.onnx.lowered.data").stat().st_size > 67_000_000


def more_dimensions(of: Unpacking, op_type: str) -> str:
    """A constant beside codes of one column that has as many columns as the weights: there are as many codes then."""
    data = of.constant(of.codes[:, :1], np.uint8)
    full = of.constant(np.full((of.k, of.n), {"BitwiseAnd": 15, "Mod": 16, "Sub": 8, "Add": 3, "Less": 0}[op_type]), np.uint8)
    codes = of.masked(data, np.uint8)
    if op_type == "Less":
        codes = of.op("Where", of.op("Less", codes, full), codes, codes)
    elif op_type == "Mod":
        codes = of.op("Mod", data, full)
    elif op_type != "Sub":
        codes = of.op(op_type, codes, full)
    number = of.op("Cast", codes, to=TensorProto.FLOAT)
    if op_type == "Sub":
        number = of.op("Sub", number, of.op("Cast", full, to=TensorProto.FLOAT))
    return of.op("Mul", number, of.constant(0.5, np.float32))


def shifts_of_two_axes(of: Unpacking) -> str:
    """Which say where a code lies by the sum of nothing that one axis alone decides."""
    words = of.constant(of.random.integers(0, 1 << 32, (of.k // 4, 2, 1, of.n)), np.uint32)
    shifted = of.op("BitShift", words, of.constant([[[0], [4]], [[8], [20]]], np.uint32), direction="RIGHT")
    codes = of.op("Reshape", of.op("BitwiseAnd", shifted, of.constant(15, np.uint32)), of.constant([of.k, of.n]))
    return of.op("Mul", of.op("Cast", codes, to=TensorProto.FLOAT), of.constant(0.5, np.float32))


def sign_of_lower_bits(of: Unpacking) -> str:
    """Of what is masked first and cut off to a byte nothing is left."""
    high = of.op("BitwiseAnd", of.constant(of.random.integers(0, 1 << 16, (of.k, of.n)), np.uint16), of.constant(0xFF00, np.uint16))
    small = of.op("Cast", of.op("Cast", of.op("Cast", high, to=TensorProto.INT16), to=TensorProto.INT8), to=TensorProto.INT16)
    codes = of.op("BitwiseAnd", of.op("Div", small, of.constant(256, np.int16)), of.constant(15, np.int16))
    return of.op("Mul", of.op("Cast", codes, to=TensorProto.FLOAT), of.constant(0.5, np.float32))


def bound_without_a_sign(of: Unpacking) -> str:
    """Everything lies below the greatest number of 64 bits, which is no -1."""
    codes = of.op("BitwiseAnd", of.constant(of.codes, np.uint8), of.constant(15, np.uint8))
    less = of.op("Less", of.op("Cast", codes, to=TensorProto.UINT64), of.constant(np.full((of.k, of.n), 2**64 - 1, np.uint64), np.uint64))
    chosen = of.op("Where", less, codes, of.op("BitShift", codes, of.constant(2, np.uint8), direction="RIGHT"))
    return of.op("Mul", of.op("Cast", chosen, to=TensorProto.FLOAT), of.constant(0.5, np.float32))


AWKWARD: dict[str, Form] = {
    **{f"{op_type} with a constant of more dimensions": lambda of, op_type=op_type: more_dimensions(of, op_type) for op_type in ("BitwiseAnd", "Mod", "Sub", "Add", "Less")},
    "shifts of two axes": shifts_of_two_axes,
    "sign of lower bits": sign_of_lower_bits,
    "bound without a sign": bound_without_a_sign,
}


@pytest.mark.parametrize("opset", [18, 21])
@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_nodes(name: str, opset: int) -> None:
    """Whatever becomes of them, the numbers are those of onnx's reference, which knows no weights of few bits."""
    from onnx.reference import ReferenceEvaluator

    of = Unpacking(32, 16)
    given = of.model(AWKWARD[name](of), opset)
    one = {"x": np.eye(of.k, dtype=np.float32)}
    expected = ReferenceEvaluator(given).run(None, one)[0]
    lowered = tool.lowered(given.SerializeToString())
    np.testing.assert_array_equal(ReferenceEvaluator(onnx.load_model_from_string(lowered)).run(None, one)[0], expected)


@pytest.mark.parametrize("op_type", ["BitShift", "Div", "BitwiseAnd"])
def test_constants_without_elements(op_type: str) -> None:
    of = Unpacking(32, 16)
    data = of.masked(of.constant(of.codes, np.uint8), np.uint8)
    attributes = {"direction": "RIGHT"} if op_type == "BitShift" else {}
    codes = of.op(op_type, data, of.constant(np.zeros((0, 1, 1), np.uint8), np.uint8), **attributes)
    without(of, of.op("Mul", of.op("Cast", codes, to=TensorProto.FLOAT), of.constant(0.5, np.float32)))


@pytest.mark.parametrize("form", [divided, gptq])
def test_one_column(form: Form) -> None:
    of = Unpacking(128, 1 if form is divided else 8)
    lowered = tool.lowered(of.model(form(of)).SerializeToString())
    assert {TensorProto.UINT4, TensorProto.INT4} & types_of(onnx.load_model_from_string(lowered))
    of.assert_computed(lowered)


def test_two_bits() -> None:
    """OpenVINO reads no model with integers of 2 bits: by default these become bytes, and by no nodes."""
    of = Unpacking(bits=2)
    lowered = tool.lowered(of.model(gptq(of), 24).SerializeToString())
    assert types_of(onnx.load_model_from_string(lowered)) == {TensorProto.UINT8, TensorProto.FLOAT}
    of.assert_computed(lowered)
    model = of.model(gptq(of := Unpacking(bits=2)), 25)
    model.ir_version = 13
    lowered = onnx.load_model_from_string(tool.lowered(model.SerializeToString()))
    assert [node.op_type for node in lowered.graph.node] == ["DequantizeLinear", "MatMul"] and types_of(lowered) == {TensorProto.UINT8, TensorProto.FLOAT}


def test_nothing_is_left_of_what_was_lowered() -> None:
    """TensorRT has none of these nodes, which are lowered before the product is."""
    of = Unpacking()
    of.zeros[:] = 8
    lowered = onnx.load_model_from_string(tool.lowered(of.model(gptq(of, plus_one="within")).SerializeToString(), ["--target", "tensorrt-10.15"]))
    assert [node.op_type for node in lowered.graph.node] == ["DequantizeLinear", "MatMul"]
    assert types_of(lowered) == {TensorProto.INT4, TensorProto.FLOAT}


WITH_ZERO_POINTS = ["gptq", "gptq, 8 bits", "gptq, float16", "awq", "one zero point for all", "by division"]


@pytest.mark.parametrize("name", WITH_ZERO_POINTS)
def test_a_target_without_zero_points(name: str) -> None:
    """TensorRT for RTX: the sums of each block of what is multiplied are multiplied with the zero points."""
    form, sizes = FORMS[name]
    of = Unpacking(**sizes)
    lowered = tool.lowered(of.model(form(of)).SerializeToString(), ["--target", "tensorrt-rtx"])
    model = onnx.load_model_from_string(lowered)
    assert types_of(model) <= {TensorProto.INT8 if of.bits == 8 else TensorProto.INT4, FLOATS[of.dtype], TensorProto.INT64}
    assert [node.op_type for node in model.graph.node].count("DequantizeLinear") == 2
    x = of.random.standard_normal((3, of.k)).astype(of.dtype)
    expected = x.astype(np.float64) @ of.weights().astype(np.float64)
    # Two products of the greatest codes, each of which is rounded, where there was one.
    tolerance = (1e-5 if of.dtype == np.float32 else 1e-2) * np.abs(expected).max() * np.sqrt(of.k)
    for run in (runtimes.in_onnxruntime(lowered), runtimes.in_onnxruntime(lowered, optimize=False)):
        np.testing.assert_allclose(run({"x": x})["y"].astype(np.float64), expected, rtol=0, atol=tolerance)


def test_long_axes() -> None:
    """A small model may claim any number of elements."""
    of = Unpacking(32, 16)
    value = of.masked(of.constant([[1]], np.uint8), np.uint8)
    for index in range(100):
        value = of.op("Expand", value, of.constant([1 << 22, 1 << 22 - index % 2]))
    without(of, of.op("Mul", of.op("Cast", value, to=TensorProto.FLOAT), of.constant(0.5, np.float32)))
