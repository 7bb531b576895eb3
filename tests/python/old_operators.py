# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Nodes as older opsets write them, with inputs: for each operator whose meaning, inputs or attributes changed since opset 7, of each of its versions."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import onnx
from onnx import helper

NEWEST = 26


@dataclasses.dataclass
class OldNode:
    name: str
    op_type: str
    inputs: list[np.ndarray | None]
    attributes: dict
    first: int  # the opsets that take it so
    last: int
    outputs: int = 1
    constants: tuple[int, ...] = ()  # inputs that are initializers
    absent_outputs: tuple[int, ...] = ()
    compared: tuple[int, ...] | None = None  # the outputs that mean something; None: all

    def opsets(self) -> list[int]:
        """One for each version of the operator that is meant."""
        versions = {max(7, schema.since_version) for schema in onnx.defs.get_all_schemas_with_history() if schema.name == self.op_type and schema.domain == ""}
        return sorted(version for version in versions | {self.first} if self.first <= version <= self.last)

    def model(self, opset: int) -> onnx.ModelProto:
        names = ["" if value is None else f"input_{i}" for i, value in enumerate(self.inputs)]
        outputs = ["" if i in self.absent_outputs else f"output_{i}" for i in range(self.outputs)]
        node = helper.make_node(self.op_type, names, outputs, name="node", **self.attributes)
        given = [helper.make_tensor_value_info(names[i], helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
                 for i, value in enumerate(self.inputs) if value is not None and i not in self.constants]
        constants = [onnx.numpy_helper.from_array(self.inputs[i], names[i]) for i in self.constants]
        graph = helper.make_graph([node], "old", given, [helper.make_empty_tensor_value_info(name) for name in outputs if name], constants)
        imports = [helper.make_opsetid("", opset)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=max(4, helper.find_min_ir_version_for(imports)))
        # Types of outputs: what the runtimes want of a model of IR version 3 and 4 alike.
        inferred = onnx.shape_inference.infer_shapes(model)
        return inferred if all(value.type.WhichOneof("value") for value in inferred.graph.output) else model

    def feeds(self) -> dict[str, np.ndarray]:
        return {f"input_{i}": value for i, value in enumerate(self.inputs) if value is not None and i not in self.constants}

    def names_compared(self) -> list[str]:
        return [f"output_{i}" for i in (range(self.outputs) if self.compared is None else self.compared) if i not in self.absent_outputs]


def _graph(text: str) -> onnx.GraphProto:
    return onnx.parser.parse_graph(text)


def every_node() -> Iterator[OldNode]:
    random = np.random.default_rng(0)
    count = 0

    def floats(*shape: int, dtype: type = np.float32) -> np.ndarray:
        return random.normal(size=shape).astype(dtype)

    def ints(*values: int) -> np.ndarray:
        return np.int64(values)

    def old(op_type: str, first: int, last: int, *inputs: np.ndarray | None, outputs: int = 1, constants: tuple[int, ...] = (),
            absent_outputs: tuple[int, ...] = (), compared: tuple[int, ...] | None = None, **attributes: object) -> OldNode:
        nonlocal count
        count += 1
        return OldNode(f"{op_type}-{count}", op_type, [None if value is None else np.asarray(value) for value in inputs], attributes, first, last, outputs, constants, absent_outputs, compared)

    x, image = floats(2, 3, 4), floats(1, 2, 5, 6)
    everywhere = (7, NEWEST - 1)
    for op_type in ("Softmax", "LogSoftmax", "Hardmax"):
        yield old(op_type, *everywhere, x)
        for axis in (0, 1, 2):
            yield old(op_type, *everywhere, x, axis=axis)
        for axis in (-1, -2):
            yield old(op_type, 11, NEWEST - 1, x, axis=axis)
        yield old(op_type, *everywhere, image, axis=2)
        yield old(op_type, *everywhere, image[0, 0, 0], axis=0)
    reductions = ("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare")
    for op_type in reductions:
        data = np.abs(x) + 0.5 if op_type == "ReduceLogSum" else x
        last = 12 if op_type == "ReduceSum" else 17
        yield old(op_type, 7, last, data)
        yield old(op_type, 7, last, data, axes=[1])
        yield old(op_type, 7, last, data, axes=[0, 2], keepdims=0)
        yield old(op_type, 11, last, data, axes=[-1])
        yield old(op_type, 7, last, np.arange(24, dtype=np.int32).reshape(2, 3, 4) + 1, axes=[1])
        yield old(op_type, last + 1, NEWEST - 1, data, ints(1), keepdims=0)
        yield old(op_type, last + 1, NEWEST - 1, data, noop_with_empty_axes=1)
    for op_type in ("ArgMax", "ArgMin"):
        for keep in (0, 1):
            yield old(op_type, *everywhere, x, axis=1, keepdims=keep)
        yield old(op_type, 11, NEWEST - 1, x, axis=-1)
        yield old(op_type, 12, NEWEST - 1, np.float32([[1, 3, 3], [2, 2, 0]]), axis=1, select_last_index=1)
    for op_type in ("Add", "Sub", "Mul", "Div"):
        yield old(op_type, *everywhere, x, floats(4) + 3)
        yield old(op_type, *everywhere, np.int32([[7, -7], [5, 9]]), np.int32([2, 3]))
    yield old("Pow", *everywhere, np.abs(x), floats(4))
    yield old("Pow", 12, NEWEST - 1, x, ints(2, 3, 1, 0))
    for op_type in ("Greater", "Less"):
        yield old(op_type, *everywhere, x, floats(4))
    for op_type in ("GreaterOrEqual", "LessOrEqual"):
        yield old(op_type, 12, NEWEST - 1, x, floats(4))
    yield old("Equal", *everywhere, ints(1, 2, 3), ints(1, 0, 3))
    yield old("Equal", 11, NEWEST - 1, x, x)
    for op_type in ("Max", "Min", "Mean", "Sum"):
        yield old(op_type, 7, NEWEST - 1, x, floats(2, 3, 4), floats(2, 3, 4))
        yield old(op_type, 8, NEWEST - 1, x, floats(4), floats(3, 1))
        yield old(op_type, *everywhere, x)
    for op_type in ("Abs", "Ceil", "Exp", "Floor", "Neg", "Relu", "Sigmoid", "Tanh", "Sin", "Cos", "Atan", "Softplus", "Softsign", "Identity", "Elu", "LeakyRelu",
                    "Selu", "HardSigmoid", "ThresholdedRelu", "HardSwish", "Mish", "Celu", "Erf", "Sign", "Round", "Sinh", "Cosh", "Asinh", "IsNaN", "Shape", "Size", "NonZero"):
        first = {"ThresholdedRelu": 10, "HardSwish": 14, "Mish": 18, "Celu": 12, "Erf": 9, "Sign": 9, "Round": 11, "Sinh": 9, "Cosh": 9, "Asinh": 9, "IsNaN": 9, "NonZero": 9}
        yield old(op_type, first.get(op_type, 7), NEWEST - 1, x)
    for op_type in ("Acos", "Asin", "Tan"):
        yield old(op_type, *everywhere, x / 10)
    for op_type in ("Acosh", "Log", "Sqrt", "Reciprocal"):
        yield old(op_type, 9 if op_type == "Acosh" else 7, NEWEST - 1, np.abs(x) + 1)
    yield old("Atanh", 9, NEWEST - 1, x / 10)
    yield old("IsInf", 10, NEWEST - 1, np.float32([1, np.inf, -np.inf]), detect_negative=0)
    yield old("Clip", 7, 10, x, min=-0.5, max=0.25)
    yield old("Clip", 7, 10, x, max=0.25)
    yield old("Clip", 7, 10, x)
    yield old("Clip", 11, NEWEST - 1, x, np.float32(-0.5), None)
    yield old("Clip", 12, NEWEST - 1, np.arange(9), np.int64(2), np.int64(5))
    for to in (1, 6, 9, 10, 11):  # float, int32, bool, float16, double
        yield old("Cast", *everywhere, x * 3, to=to)
    yield old("Cast", 9, NEWEST - 1, np.array(["1.5", "-2", "inf"], dtype=object), to=1)
    yield old("Cast", 9, NEWEST - 1, ints(1, -2, 30), to=8)
    yield old("CastLike", 15, NEWEST - 1, x, np.float64([1]))
    yield old("Concat", *everywhere, x, floats(2, 1, 4), axis=1)
    yield old("Concat", 11, NEWEST - 1, x, floats(2, 3, 1), axis=-1)
    yield old("Compress", 9, NEWEST - 1, x, np.array([True, False, True]), axis=1)
    yield old("Compress", 9, NEWEST - 1, x, np.array([True, False, True]))
    yield old("Compress", 11, NEWEST - 1, x, np.array([True, False, True]), axis=-2)
    yield old("Constant", *everywhere, value=onnx.numpy_helper.from_array(x))
    for name, value in (("value_float", 1.5), ("value_floats", [1.5, 2.5]), ("value_int", 3), ("value_ints", [1, 2]), ("value_string", "a"), ("value_strings", ["a", "b"])):
        yield old("Constant", 12, NEWEST - 1, **{name: value})
    yield old("ConstantOfShape", 9, NEWEST - 1, ints(2, 3))
    yield old("ConstantOfShape", 9, NEWEST - 1, ints(2, 3), value=onnx.numpy_helper.from_array(np.int32([5])))
    weight = floats(3, 2, 3, 3)
    yield old("Conv", *everywhere, image, weight, floats(3), pads=[1, 1, 0, 1], strides=[2, 1])
    yield old("Conv", *everywhere, image, weight, auto_pad="SAME_UPPER", strides=[1, 2])
    yield old("ConvTranspose", *everywhere, image, floats(2, 3, 3, 3), strides=[2, 2], output_padding=[1, 0])
    yield old("ConvTranspose", *everywhere, image, floats(2, 3, 3, 3), auto_pad="SAME_LOWER", strides=[2, 2])
    yield old("CumSum", 11, NEWEST - 1, x, np.int32(1), exclusive=1, reverse=1)
    yield old("DFT", 17, 19, floats(1, 8, 1), axis=1, onesided=1)
    yield old("DFT", 17, 19, floats(1, 4, 8, 2), axis=2, inverse=1)
    yield old("DFT", 17, 19, floats(1, 8, 1), np.int64(6))
    yield old("DFT", 20, NEWEST - 1, floats(1, 8, 1), None, np.int64(1), onesided=1)
    yield old("DeformConv", 19, NEWEST - 1, image, weight, floats(1, 18, 3, 4))
    for mode in ("DCR", "CRD"):
        yield old("DepthToSpace", 11, NEWEST - 1, floats(1, 8, 2, 3), blocksize=2, mode=mode)
    yield old("DepthToSpace", *everywhere, floats(1, 8, 2, 3), blocksize=2)
    yield old("SpaceToDepth", *everywhere, floats(1, 2, 4, 6), blocksize=2)
    quantized = np.arange(-12, 12, dtype=np.int8).reshape(2, 3, 4)
    yield old("DequantizeLinear", 10, NEWEST - 1, quantized, np.float32(0.1), np.int8(3))
    yield old("DequantizeLinear", 10, NEWEST - 1, quantized, np.float32(0.1))
    yield old("DequantizeLinear", 13, NEWEST - 1, quantized, np.float32([0.1, 0.2, 0.3]), np.int8([1, 2, 3]), axis=1)
    yield old("QuantizeLinear", 10, NEWEST - 1, x, np.float32(0.1), np.uint8(100))
    yield old("QuantizeLinear", 10, NEWEST - 1, x, np.float32(0.1))
    yield old("QuantizeLinear", 13, NEWEST - 1, x, np.float32([0.1, 0.2, 0.3]), np.int8([1, 2, 3]), axis=1)
    one, ten = np.float32(0.1), np.uint8(10)
    yield old("QLinearMatMul", 10, NEWEST - 1, np.uint8([[1, 2], [30, 4]]), one, ten, np.uint8([[10, 20], [3, 40]]), one, ten, one, ten)
    yield old("Det", 11, NEWEST - 1, floats(2, 3, 3))
    yield old("Dropout", 7, 11, x, ratio=0.3)
    yield old("Dropout", 7, 11, x, outputs=2, compared=(0,))  # there is no mask outside training below 12
    yield old("Dropout", 12, NEWEST - 1, x, np.float32(0.3), outputs=2)
    yield old("Einsum", 12, NEWEST - 1, x, floats(2, 4, 5), equation="bij,bjk->bik")
    yield old("Expand", 8, NEWEST - 1, floats(3, 1), ints(2, 1, 4))
    yield old("EyeLike", 9, NEWEST - 1, floats(3, 4), k=1)
    for axis in (0, 1, 2):
        yield old("Flatten", *everywhere, x, axis=axis)
    yield old("Flatten", 11, NEWEST - 1, x, axis=-1)
    for op_type, gates, more in (("RNN", 1, {}), ("GRU", 3, {"linear_before_reset": 0}), ("GRU", 3, {"linear_before_reset": 1}), ("LSTM", 4, {})):
        outputs = 3 if op_type == "LSTM" else 2
        for direction, both in (("forward", 1), ("reverse", 1), ("bidirectional", 2)):
            sequence = [floats(3, 2, 4), floats(both, gates * 5, 4), floats(both, gates * 5, 5), floats(both, gates * 10)]
            yield old(op_type, *everywhere, *sequence, hidden_size=5, direction=direction, outputs=outputs, **more)
        yield old(op_type, *everywhere, *sequence, np.int32([3, 2]), floats(2, 2, 5), hidden_size=5, direction="bidirectional", clip=0.8, outputs=outputs, **more)
    yield old("LSTM", *everywhere, floats(3, 2, 4), floats(1, 20, 4), floats(1, 20, 5), None, None, None, None, floats(1, 15), hidden_size=5, outputs=3)
    yield old("Gather", *everywhere, x, ints(2, 0), axis=1)
    yield old("Gather", 11, NEWEST - 1, x, ints(-1, 0), axis=-1)
    yield old("GatherElements", 11, NEWEST - 1, x, np.int64(random.integers(-3, 3, (2, 2, 4))), axis=1)
    yield old("GatherND", 11, NEWEST - 1, x, np.int64([[0, 1], [1, 2]]))
    yield old("GatherND", 12, NEWEST - 1, x, np.int64([[1], [2]]), batch_dims=1)
    yield old("Gemm", *everywhere, floats(3, 4), floats(5, 4), floats(5), transB=1, alpha=0.5, beta=2.0)
    yield old("Gemm", 11, NEWEST - 1, floats(3, 4), floats(4, 5))
    for op_type in ("GlobalAveragePool", "GlobalMaxPool"):
        yield old(op_type, *everywhere, image)
    yield old("GlobalLpPool", *everywhere, image, p=3)
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            yield old("GridSample", 16, 19, image, np.tanh(floats(1, 3, 4, 2)) * 1.2, mode=mode, padding_mode=padding, align_corners=1)
    yield old("GridSample", 16, 19, image, np.tanh(floats(1, 3, 4, 2)))
    for mode in ("linear", "nearest", "cubic"):
        yield old("GridSample", 20, NEWEST - 1, image, np.tanh(floats(1, 3, 4, 2)), mode=mode)
    yield old("GroupNormalization", 21, NEWEST - 1, floats(2, 6, 5), floats(6), floats(6), num_groups=2)
    yield old("GroupNormalization", 18, 20, floats(2, 6, 3, 4), floats(3), floats(3), num_groups=3)
    yield old("GroupNormalization", 18, 20, floats(2, 6, 5), floats(2), floats(2), num_groups=2, epsilon=0.1)
    yield old("GroupNormalization", 18, 20, floats(2, 6, 5), floats(6), floats(6), num_groups=6)
    yield old("InstanceNormalization", *everywhere, image, floats(2), floats(2), epsilon=0.01)
    yield old("LRN", *everywhere, floats(1, 5, 3, 3), size=3)
    yield old("LpNormalization", *everywhere, x, axis=1, p=1)
    yield old("LpPool", 7, NEWEST - 1, image, kernel_shape=[2, 3], strides=[1, 2], p=1)
    yield old("LpPool", 11, NEWEST - 1, image, kernel_shape=[2, 3], pads=[1, 1, 0, 1])
    yield old("MatMul", *everywhere, x, floats(4, 5))
    yield old("MeanVarianceNormalization", 9, NEWEST - 1, image)
    yield old("MeanVarianceNormalization", 9, NEWEST - 1, image, axes=[0, 2, 3])
    for counts in (0, 1):
        yield old("AveragePool", *everywhere, image, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=counts)
        yield old("AveragePool", 10, NEWEST - 1, image, kernel_shape=[3, 2], strides=[2, 2], ceil_mode=1, pads=[1, 0, 1, 0], count_include_pad=counts)
    yield old("AveragePool", *everywhere, image, kernel_shape=[3, 3], auto_pad="SAME_UPPER", strides=[2, 2])
    yield old("MaxPool", *everywhere, image, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])
    yield old("MaxPool", 8, NEWEST - 1, image, kernel_shape=[3, 3], strides=[2, 2], outputs=2)
    yield old("MaxPool", 8, NEWEST - 1, image, kernel_shape=[2, 2], storage_order=1, outputs=2)
    yield old("MaxPool", 10, NEWEST - 1, image, kernel_shape=[2, 2], dilations=[2, 2], ceil_mode=1, strides=[2, 2])
    yield old("MaxRoiPool", *everywhere, image, np.float32([[0, 0, 0, 4, 4]]), pooled_shape=[2, 2])
    yield old("MaxUnpool", 9, NEWEST - 1, np.float32([[[[1, 2], [3, 4]]]]), np.int64([[[[0, 3], [8, 15]]]]), kernel_shape=[2, 2], strides=[2, 2])
    yield old("Mod", 10, NEWEST - 1, np.int32([7, -7, 5]), np.int32([3, 3, -3]))
    yield old("Mod", 10, NEWEST - 1, np.float32([7.5, -7.5, 5]), np.float32([3, 3, -3]), fmod=1)
    for reduction in ("none", "sum", "mean"):
        yield old("NegativeLogLikelihoodLoss", 12, NEWEST - 1, floats(3, 4), ints(0, 3, 2), floats(4), reduction=reduction)
        yield old("SoftmaxCrossEntropyLoss", 12, NEWEST - 1, floats(3, 4), ints(0, 3, 2), floats(4), reduction=reduction, ignore_index=3)
    boxes = np.float32([[[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 2, 1, 3]]])
    yield old("NonMaxSuppression", 10, NEWEST - 1, boxes, np.float32([[[0.9, 0.8, 0.7]]]), ints(3), np.float32([0.5]), np.float32([0.1]))
    yield old("NonMaxSuppression", 10, NEWEST - 1, boxes, np.float32([[[0.9, 0.8, 0.7]]]))
    yield old("OneHot", 9, NEWEST - 1, ints(0, 2, 1), np.int64(3), np.float32([0.5, 2]))
    yield old("OneHot", 9, 10, ints(0, 2, 5), np.int64(3), np.float32([0, 1]), axis=0)
    yield old("OneHot", 11, NEWEST - 1, ints(0, -1, 5), np.int64(3), np.float32([0, 1]))
    yield old("PRelu", *everywhere, x, floats(4))
    yield old("PRelu", *everywhere, image, floats(2, 1, 1))
    for mode in ("constant", "reflect", "edge"):
        yield old("Pad", 7, 10, x, pads=[0, 1, 2, 0, 0, 1], mode=mode)
        yield old("Pad", 11, NEWEST - 1, x, ints(0, 1, 2, 0, 0, 1), mode=mode)
    yield old("Pad", 7, 10, x, pads=[0, 1, -2, 0, 0, 1], value=2.5)
    yield old("Pad", 11, NEWEST - 1, x, ints(0, 1, 2, 0, 0, 1), np.float32(2.5))
    yield old("Range", 11, NEWEST - 1, np.int64(1), np.int64(9), np.int64(3))
    yield old("Reshape", *everywhere, x, ints(0, -1))
    yield old("Resize", 10, 10, image, np.float32([1, 1, 2, 1.5]), mode="nearest")
    yield old("Resize", 10, 10, image, np.float32([1, 1, 0.5, 0.6]), mode="nearest")
    yield old("Resize", 10, 10, image, np.float32([1, 1, 0.5, 1.5]), mode="nearest")
    yield old("Resize", 10, 10, image, np.float32([1, 1, 0.5, 0.6]), mode="nearest", constants=(1,))
    yield old("Resize", 10, 10, image, np.float32([1, 1, 2, 1.5]), mode="linear")
    yield old("Resize", 10, 10, image, np.float32([1, 1, 2, 1.5]), mode="linear", constants=(1,))
    none = np.zeros(0, np.float32)
    for how in ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"):
        for mode in ("nearest", "linear", "cubic"):
            yield old("Resize", 11, NEWEST - 1, image, none, np.float32([1, 1, 2, 1.5]), mode=mode, coordinate_transformation_mode=how)
    yield old("Resize", 11, 12, image, none, np.float32([1, 1, 2, 3]), coordinate_transformation_mode="tf_half_pixel_for_nn")
    for mode in ("linear", "cubic"):
        yield old("Resize", 11, 12, image, none, np.float32([1, 1, 2, 1]), mode=mode, coordinate_transformation_mode="tf_half_pixel_for_nn")
    yield old("Resize", 11, 12, image, none, none, ints(1, 2, 7, 9), mode="linear", constants=(1, 2))
    yield old("Resize", 11, 12, image, none, none, ints(1, 2, 7, 9), mode="linear", constants=(1, 2, 3))
    yield old("Resize", 11, 12, image, np.float32([0, 0, 0.2, 0.1, 1, 1, 0.7, 1.2]), none, ints(1, 2, 4, 4), constants=(2,), mode="linear", coordinate_transformation_mode="tf_crop_and_resize")
    yield old("Resize", 13, NEWEST - 1, image, None, None, ints(1, 2, 7, 9), nearest_mode="ceil")
    yield old("Upsample", 7, 8, image, scales=[1.0, 1.0, 2.0, 3.0])
    yield old("Upsample", 7, 8, image, scales=[1.0, 1.0, 2.0, 1.5], mode="linear")
    yield old("Upsample", 9, 9, image, np.float32([1, 1, 2, 3]))
    yield old("Upsample", 9, 9, image, np.float32([1, 1, 2, 1.5]), mode="linear", constants=(1,))
    yield old("ReverseSequence", 10, NEWEST - 1, floats(4, 3), ints(2, 4, 1), time_axis=0, batch_axis=1)
    rois = np.float32([[0.3, 0.4, 3.2, 3.6], [1, 1, 4, 4]])
    for mode in ("avg", "max"):
        yield old("RoiAlign", 10, NEWEST - 1, image, rois, ints(0, 0), output_height=2, output_width=2, sampling_ratio=2, mode=mode)
    yield old("RoiAlign", 10, 15, image, rois * 2, ints(0, 0), output_height=3, output_width=2, spatial_scale=0.5)
    body = _graph("body (float[3] sum, float[3] row) => (float[3] next, float[3] result) { next = Add (sum, row)  result = Identity (next) }")
    yield old("Scan", 8, 8, None, floats(2, 3), floats(2, 4, 3), num_scan_inputs=1, body=body, outputs=2)
    of_its_opset = _graph("body (float[3] sum, float[3] row) => (float[3] next, float[3] result) { all = Add (sum, row)  next = Clip <min = -1.0, max = 1.0> (all)  result = Slice <starts = [-3], ends = [9]> (all) }")
    yield old("Scan", 8, 8, None, floats(2, 3), floats(2, 4, 3), num_scan_inputs=1, body=of_its_opset, outputs=2)
    yield old("Scan", 8, 8, ints(2, 4), floats(2, 3), floats(2, 4, 3), num_scan_inputs=1, body=body, outputs=2)
    yield old("Scan", 9, NEWEST - 1, floats(3), floats(4, 3), num_scan_inputs=1, body=body, outputs=2)
    yield old("Scan", 9, NEWEST - 1, floats(3), floats(3, 4), num_scan_inputs=1, scan_input_axes=[1], scan_output_axes=[1], scan_input_directions=[1], body=body, outputs=2)
    step = _graph("body (int64 i, bool on, float[3] sum) => (bool go, float[3] next, float[3] result) { go = Identity (on)  next = Add (sum, sum)  result = Identity (next) }")
    yield old("Loop", *everywhere, np.int64(3), np.array(True), floats(3), body=step, outputs=2)
    then, other = _graph("then () => (float[1] y) { y = Constant <value = float[1] {1.0}> () }"), _graph("other () => (float[1] z) { z = Constant <value = float[1] {2.0}> () }")
    yield old("If", *everywhere, np.array(True), then_branch=then, else_branch=other)
    places = np.int64([[0, 2], [1, 0], [2, 1]])
    yield old("Scatter", 9, 10, floats(3, 4), places, floats(3, 2), axis=1)
    yield old("Scatter", 9, 10, floats(3, 4), places, floats(3, 2))
    yield old("ScatterElements", 11, NEWEST - 1, floats(3, 4), places - 3, floats(3, 2), axis=1)
    yield old("ScatterElements", 16, NEWEST - 1, floats(3, 4), places, floats(3, 2), axis=1, reduction="add")
    yield old("ScatterND", 11, NEWEST - 1, floats(3, 4), np.int64([[0], [2]]), floats(2, 4))
    yield old("ScatterND", 16, NEWEST - 1, floats(3, 4), np.int64([[0], [0]]), floats(2, 4), reduction="mul")
    yield old("Shape", 15, NEWEST - 1, x, start=1)
    yield old("Slice", 7, 9, x, starts=[0, 1], ends=[2, 100])
    yield old("Slice", 7, 9, x, starts=[-2, 1], ends=[-1, 3], axes=[2, 1])
    yield old("Slice", 10, NEWEST - 1, x, ints(0, 3), ints(2, 0), ints(1, 2), ints(1, -2))
    yield old("Slice", 11, NEWEST - 1, x, ints(0), ints(2), ints(-1))
    yield old("Split", 7, 12, floats(6, 4), outputs=3)
    yield old("Split", 7, 12, floats(6, 4), split=[2, 4], outputs=2)
    yield old("Split", 11, 12, floats(6, 4), axis=-1, split=[1, 3], outputs=2)
    yield old("Split", 13, 17, floats(6, 4), outputs=3)
    yield old("Split", 13, NEWEST - 1, floats(6, 4), ints(2, 4), outputs=2)
    yield old("Squeeze", 7, 12, floats(1, 3, 1, 4), axes=[0, 2])
    yield old("Squeeze", *everywhere, floats(1, 3, 1, 4))
    yield old("Squeeze", 11, 12, floats(1, 3, 1, 4), axes=[-2])
    yield old("Unsqueeze", 7, 12, floats(3, 4), axes=[0, 2])
    yield old("Unsqueeze", 11, 12, floats(3, 4), axes=[-1])
    yield old("Unsqueeze", 13, NEWEST - 1, floats(3, 4), ints(-1))
    yield old("Tile", *everywhere, x, ints(1, 2, 1))
    yield old("TopK", 7, 9, floats(3, 6), k=2, axis=1, outputs=2)
    yield old("TopK", 7, 9, floats(3, 6), k=2, outputs=2)
    yield old("TopK", 10, NEWEST - 1, floats(3, 6), ints(2), axis=0, outputs=2)
    yield old("TopK", 11, NEWEST - 1, floats(3, 6), ints(2), largest=0, sorted=1, outputs=2)
    yield old("Transpose", *everywhere, x, perm=[2, 0, 1])
    yield old("Unique", 11, NEWEST - 1, ints(3, 1, 3, 2), outputs=4)
    yield old("Where", 9, NEWEST - 1, x > 0, x, floats(4))
    yield old("BitShift", 11, NEWEST - 1, np.uint8([1, 2, 200]), np.uint8([1, 2, 3]), direction="RIGHT")
    statistics = [np.float32([1, 2]), np.float32([0.5, 1]), np.float32([0.1, -1]), np.float32([2, 0.5])]
    yield old("BatchNormalization", *everywhere, image, *statistics)
    yield old("BatchNormalization", 7, 8, image, *statistics, spatial=1, epsilon=0.01, momentum=0.5)
    yield old("BatchNormalization", 7, 8, image, *(floats(2, 5, 6) if i != 3 else np.abs(floats(2, 5, 6)) + 0.1 for i in range(4)), spatial=0)
    yield old("BatchNormalization", 9, 13, image, *statistics, momentum=0.5)
    for op_type in ("RandomNormalLike", "RandomUniformLike"):
        yield old(op_type, *everywhere, x, seed=1.0)
    yield old("SplitToSequence", 11, NEWEST - 1, floats(6, 2), ints(2, 4), constants=(1,))


def operators_that_changed() -> set[str]:
    """Those of ai.onnx with a version between 8 and the newest, beside an older one that opset 7 or a later one has."""
    versions: dict[str, set[int]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            versions.setdefault(schema.name, set()).add(schema.since_version)
    return {name for name, since in versions.items() if len(since) > 1 and any(7 < version <= NEWEST for version in since) and min(since) < NEWEST}
