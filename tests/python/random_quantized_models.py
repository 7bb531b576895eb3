# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Random networks of a few layers with pairs of QuantizeLinear and DequantizeLinear between them, as tools for quantization write them: `random_quantized_model(seed)` gives the same one each time.

The codes of a network are of int8 or uint8, with or without zero points, those of weights too, with one scale or one for each channel. Scales are what the numbers need that come to the place.
Weights have codes of seven bits (`reduce_range` in ONNX Runtime's tools): a processor without AVX-VNNI adds two products of uint8 and int8 in sixteen bits, and what does not fit is lost, in every runtime."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SIZE = 8  # of images, in both directions
CHANNELS = 4
OPERATORS = ("Conv", "Conv", "Conv", "depthwise", "ConvTranspose", "Add", "Sub", "Mul", "Concat", "Relu", "Clip", "LeakyRelu", "Sigmoid", "HardSigmoid", "MaxPool", "AveragePool", "Resize", "Pad", "Slice",
             "Transpose", "MatMul", "Softmax", "ReduceMean", "shuffle")


class Drawing:
    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.codes, self.codes_of_weights = (np.int8 if self.chance(share) else np.uint8 for share in (0.5, 0.7))
        self.is_symmetric = self.chance(0.5)
        self.opset = int(self.random.choice([13, 17, 19]))
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.feed = {name: self.random.normal(size=(1, CHANNELS, SIZE, SIZE)).astype(np.float32) for name in ("image", "other")}
        self.numbers = dict(self.feed)

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def constant(self, value: np.ndarray | np.generic) -> str:
        name = f"c{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def node(self, op_type: str, inputs: Sequence[str], **attributes: object) -> str:
        name = f"{op_type.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [name], **attributes))
        return name

    def model(self, outputs: Sequence[str]) -> onnx.ModelProto:
        """What the outputs need, and no more."""
        needed, nodes = set(outputs), []
        for node in reversed(self.nodes):
            if needed.intersection(node.output):
                needed.update(node.input)
                nodes.insert(0, node)
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape) for name, value in self.feed.items() if name in needed]
        given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, self.numbers[name].shape if name in self.numbers else None) for name in outputs]
        return helper.make_model(helper.make_graph(nodes, "quantized", inputs, given, [tensor for tensor in self.initializers if tensor.name in needed]), opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)

    def compute(self, name: str) -> None:
        """As the model says it, without what ONNX Runtime makes of such pairs."""
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(self.model([name]).SerializeToString(), options)
        self.numbers[name] = session.run(None, {given.name: self.feed[given.name] for given in session.get_inputs()})[0]

    def quantized(self, name: str) -> str:
        low, high = min(float(self.numbers[name].min()), 0), max(float(self.numbers[name].max()), 0)
        if self.codes == np.int8 and self.is_symmetric:
            step, zero = max(-low, high) / 127, 0
        else:
            step = (high - low) / 255
            zero = round(-low / step) - (128 if self.codes == np.int8 else 0) if step else 0
        parameters = [self.constant(np.float32(max(step, 1e-6))), self.constant(self.codes(zero))]
        found = self.node("DequantizeLinear", [self.node("QuantizeLinear", [name, *parameters]), *parameters])
        self.compute(found)
        return found

    def weights(self, *shape: int, axis: int = 0) -> str:
        numbers = self.random.normal(size=shape).astype(np.float32)
        low, attributes = -64 if self.codes_of_weights == np.int8 else 0, {}
        if self.codes_of_weights == np.int8 and self.chance(0.5):
            steps = (np.abs(numbers).max(axis=tuple(other for other in range(len(shape)) if other != axis)) / 63).astype(np.float32)
            zero, attributes = np.zeros(shape[axis], np.int8), {"axis": axis}
            codes = np.rint(numbers / steps.reshape([-1 if other == axis else 1 for other in range(len(shape))]))
        else:
            steps = np.asarray((numbers.max() - numbers.min()) / 127, np.float32)
            zero = np.asarray(np.rint(-numbers.min() / steps) + low, self.codes_of_weights)
            codes = np.rint(numbers / steps) + zero
        return self.node("DequantizeLinear", [self.constant(value) for value in (np.clip(codes, low, low + 127).astype(self.codes_of_weights), steps, zero)], **attributes)

    def layer(self, op: str, x: str, other: str) -> str:
        channels, width = self.numbers[x].shape[1], self.numbers[x].shape[3]
        if op == "Conv":
            kernel, outputs = int(self.random.choice([1, 3])), int(self.random.choice([4, 8]))
            bias = [self.constant(self.random.normal(size=outputs).astype(np.float32))] if self.chance(0.5) else []
            return self.node("Conv", [x, self.weights(outputs, channels, kernel, kernel), *bias], pads=[kernel // 2] * 4)
        if op == "depthwise":
            return self.node("Conv", [x, self.weights(channels, 1, 3, 3)], pads=[1] * 4, group=channels)
        if op == "ConvTranspose":
            return self.node(op, [x, self.weights(channels, CHANNELS, 3, 3, axis=1)], pads=[1] * 4)
        if op == "MatMul":
            return self.node(op, [x, self.weights(width, width, axis=1)])
        if op in ("Add", "Sub", "Mul"):
            return self.node(op, [x, other])
        if op == "Concat":
            return self.node(op, [x, other], axis=1)
        if op == "Clip":
            return self.node(op, [x, self.constant(np.float32(0)), self.constant(np.float32(6))])
        if op in ("MaxPool", "AveragePool"):
            return self.node(op, [x], kernel_shape=[3, 3], pads=[1] * 4, **({"count_include_pad": int(self.random.integers(2))} if op == "AveragePool" else {}))
        if op == "HardSigmoid":
            return self.node("Mul", [x, self.node(op, [x], alpha=1 / 6, beta=0.5)])
        if op == "Resize":
            half = self.node("MaxPool", [x], kernel_shape=[2, 2], strides=[2, 2])
            return self.node(op, [half, "", self.constant(np.float32([1, 1, 2, 2]))], mode=str(self.random.choice(["nearest", "linear"])), coordinate_transformation_mode="asymmetric")
        if op == "Pad":
            wider = self.node(op, [x, self.constant(np.int64([0, 0, 1, 1, 0, 0, 1, 1]))])
            return self.node("Slice", [wider, *(self.constant(np.int64(ends)) for ends in ([0, 0], [SIZE, SIZE], [2, 3]))])
        if op == "Slice":
            return self.node(op, [x, *(self.constant(np.int64([number])) for number in (0, channels // 2, 1))])
        if op == "Transpose":
            return self.node(op, [x], perm=[0, 1, 3, 2])
        if op == "Softmax":
            return self.node(op, [x], axis=1)
        if op == "ReduceMean":
            mean = self.node("GlobalAveragePool", [x]) if self.opset >= 18 else self.node(op, [x], axes=[2, 3], keepdims=1)
            return self.node("Add", [x, mean])
        if op == "shuffle":
            apart = self.node("Reshape", [x, self.constant(np.int64([1, 2, -1, *self.numbers[x].shape[2:]]))])
            return self.node("Reshape", [self.node("Transpose", [apart], perm=[0, 2, 1, 3, 4]), self.constant(np.int64([1, -1, *self.numbers[x].shape[2:]]))])
        return self.node(op, [x])


def random_quantized_model(seed: int) -> tuple[onnx.ModelProto, dict[str, np.ndarray], np.ndarray]:
    """The model, its inputs, and what it makes of them."""
    drawing = Drawing(seed)
    values = [drawing.quantized(name) if drawing.chance(0.8) else name for name in drawing.feed]
    for _ in range(int(drawing.random.integers(2, 7))):
        x = values[int(drawing.random.integers(len(values)))]
        alike = [value for value in values if drawing.numbers[value].shape == drawing.numbers[x].shape]
        op = str(drawing.random.choice(OPERATORS))
        # Halves of an odd number of channels are none.
        made = drawing.layer("Relu" if op in ("Slice", "shuffle") and drawing.numbers[x].shape[1] % 2 else op, x, alike[int(drawing.random.integers(len(alike)))])
        drawing.compute(made)
        values = [*values[-3:], drawing.quantized(made) if drawing.chance(0.85) else made]
    model = drawing.model([values[-1]])
    return model, {given.name: drawing.feed[given.name] for given in model.graph.input}, drawing.numbers[values[-1]]
