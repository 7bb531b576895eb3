# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes the models that the benchmark runs on: models.py FOLDER NODES CUSTOM_NODES, models.py FOLDER --blocks NODES, or models.py FOLDER --ranks, --external or --big."""
import pathlib
import random
import struct
import sys

import onnx
from onnx import TensorProto, helper

OPSETS = [helper.make_opsetid("", 18), helper.make_opsetid("rknn_cst", 1)]
# Names as long as exporters make them: they are half of a large graph.
BODY = ("Relu", "Sigmoid", "Neg", "Abs", "Tanh", "Identity", "HardSwish", "Softplus", "Elu")

# cstThreshold as a model-local function, for the tools that can only inline.
FUNCTION = """
<domain: "rknn_cst", opset_import: ["" : 18]>
cstThreshold <threshold, value> (x) => (y) {
  t = Constant <value_float: float = @threshold> ()
  v = Constant <value_float: float = @value> ()
  low = LessOrEqual (x, t)
  y = Where (low, v, x)
}
"""

# An activation as onnxscript writes it, once for tensors of all types: most nodes of many exports are calls of such functions.
ACTIVATION = """
<domain: "pkg.activations", opset_import: ["" : 18]>
Selu (x) => (y) {
  a = Constant <value: tensor = float {1.67326}> ()
  g = Constant <value: tensor = float {1.0507}> ()
  alpha = CastLike (a, x)
  gamma = CastLike (g, x)
  grown = Exp (x)
  scaled = Mul (alpha, grown)
  below = Sub (scaled, alpha)
  negative = Mul (gamma, below)
  positive = Mul (gamma, x)
  none = Constant <value: tensor = int64 {0}> ()
  zero = CastLike (none, x)
  is_negative = LessOrEqual (x, zero)
  y = Where (is_negative, negative, positive)
}
"""


def chain(nodes, custom_nodes):
    """The nodes of a chain of unary operators in which every so manyth one is a cstThreshold."""
    step = nodes // custom_nodes
    value = "input"
    for i in range(nodes):
        layer = f"/layers.{i // 100}/block.{i % 100}"
        op_type = "cstThreshold" if i % step == step - 1 else BODY[i % len(BODY)]
        output = "output" if i == nodes - 1 else f"{layer}/{op_type}_output_0"
        node = onnx.NodeProto(op_type=op_type, name=f"{layer}/{op_type}", input=[value], output=[output])
        if op_type == "cstThreshold":
            node.domain = "rknn_cst"
            node.attribute.append(helper.make_attribute("threshold", 0.1))
            node.attribute.append(helper.make_attribute("value", 20.0))
        yield node
        value = output


def chain_model(nodes, custom_nodes):
    x = helper.make_tensor_value_info("input", TensorProto.FLOAT, ["n", 64, 56, 56])
    y = helper.make_tensor_value_info("output", TensorProto.FLOAT, ["n", 64, 56, 56])
    graph = helper.make_graph([], "main_graph", [x], [y])
    graph.node.extend(chain(nodes, custom_nodes))
    return helper.make_model(graph, opset_imports=OPSETS, ir_version=10, producer_name="bench")


def write_chain(folder, nodes, custom_nodes):
    model = chain_model(nodes, custom_nodes)
    onnx.save(model, folder / f"{nodes}.onnx")
    model.functions.append(onnx.parser.parse_function(FUNCTION))
    onnx.save(model, folder / f"{nodes}.functions.onnx")


class Block:
    """A residual block of thirty nodes: three small initializers, a cstThreshold, a cstDualResidual and a call of a function among standard operators."""
    NODES = 30

    def __init__(self, graph, index, numbers):
        self.graph, self.name = graph, f"/encoder/layers.{index}"
        self.numbers = numbers
        self.count = 0

    def node(self, op_type, inputs, outputs=1, domain="", **attributes):
        name = f"{self.name}/{op_type}_{self.count}"
        self.count += 1
        made = [f"{name}_output_{index}" for index in range(outputs)]
        node = self.graph.node.add(op_type=op_type, name=name, domain=domain, input=inputs, output=made)
        node.attribute.extend(helper.make_attribute(*attribute) for attribute in attributes.items())
        return made if outputs > 1 else made[0]

    def weight(self, name):
        row = struct.pack("<16f", *(self.numbers.uniform(-1, 1) for _ in range(16)))
        self.graph.initializer.add(name=f"{self.name}.{name}", data_type=TensorProto.FLOAT, dims=[16], raw_data=row)
        return f"{self.name}.{name}"

    def add(self, x):
        scale, bias, shift = (self.weight(name) for name in ("scale", "bias", "shift"))
        value = self.node("Mul", [x, scale])
        for _ in range(3):
            value = self.node("Add", [self.node("Tanh", [self.node("Abs", [self.node("Sub", [value, bias])])]), x])
            value = self.node("Mul", [self.node("Sigmoid", [self.node("Neg", [value])]), scale])
        value = self.node("cstThreshold", [value], domain="rknn_cst", threshold=self.numbers.uniform(0, 1), value=0.5)
        value = self.node("Add", self.node("cstDualResidual", [value, x], 2, "rknn_cst", alpha=self.numbers.uniform(0, 1)))
        value = self.node("Selu", [self.node("Relu", [value])], domain="pkg.activations")
        while self.count < self.NODES - 1:
            value = self.node("Softplus", [value])
        return self.node("Add", [value, shift])


def write_blocks(folder, nodes):
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 16]) for name in ("input", "output")]
    graph = helper.make_graph([], "main_graph", ends[:1], ends[1:])
    numbers = random.Random(0)
    value = "input"
    for index in range(nodes // Block.NODES):
        value = Block(graph, index, numbers).add(value)
    graph.node.add(op_type="Identity", name="/Identity", input=[value], output=["output"])
    imports = [*OPSETS, helper.make_opsetid("pkg.activations", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=8, producer_name="bench", functions=[onnx.parser.parse_function(ACTIVATION)]), folder / f"blocks_{nodes}.onnx")


def write_ranks(folder):
    """A chain with operators whose rule needs the rank of its input, which no value_info says."""
    model = chain_model(10_000, 1_000)
    model.opset_import[1].domain = "com.microsoft"
    for node in model.graph.node:
        if node.domain:
            node.op_type, node.domain = "BiasSoftmax", "com.microsoft"
            node.input.append(node.input[0])
            del node.attribute[:]
            node.attribute.append(helper.make_attribute("axis", 3))
            node.attribute.append(helper.make_attribute("is_inner_broadcast", 0))
    onnx.save(model, folder / "ranks.onnx")


def varint(number):
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def field(number, length):
    """The head of a length-delimited protobuf field."""
    return varint(number << 3 | 2) + varint(length)


def weights_model(tensors):
    """Each weight is added, then comes a cstThreshold."""
    model = chain_model(2 * tensors, tensors)
    for i, node in enumerate(model.graph.node):
        if i % 2 == 0:
            node.op_type = "Add"
            node.input.append(f"weight.{i // 2}")
    return model


def write_external(folder, tensors=40, elements=25_000_000):
    """4 GB of weights beside the model, in a file that is one hole: nobody is to read it."""
    model = weights_model(tensors)
    for i in range(tensors):
        weight = model.graph.initializer.add(name=f"weight.{i}", data_type=TensorProto.FLOAT, dims=[elements], data_location=TensorProto.EXTERNAL)
        for key, value in (("location", "external.data"), ("offset", 4 * elements * i), ("length", 4 * elements)):
            weight.external_data.add(key=key, value=str(value))
    onnx.save(model, folder / "external.onnx")
    with open(folder / "external.data", "wb") as file:
        file.truncate(4 * elements * tensors)


def write_big(folder, tensors=40, elements=12_000_000):
    """1.9 GB of weights in one file. Written on the wire, to need no memory."""
    model = weights_model(tensors)
    graph = model.graph.SerializeToString()
    model.ClearField("graph")

    weights = []
    for i in range(tensors):
        head = TensorProto(name=f"weight.{i}", data_type=TensorProto.FLOAT, dims=[elements]).SerializeToString()
        head += field(TensorProto.RAW_DATA_FIELD_NUMBER, 4 * elements)
        weights.append(field(onnx.GraphProto.INITIALIZER_FIELD_NUMBER, len(head) + 4 * elements) + head)
    graph_length = len(graph) + sum(map(len, weights)) + tensors * 4 * elements

    data = bytes(range(256)) * (4 * elements // 256 + 1)
    with open(folder / "big.onnx", "wb") as file:
        file.write(model.SerializeToString())
        file.write(field(onnx.ModelProto.GRAPH_FIELD_NUMBER, graph_length))
        file.write(graph)
        for weight in weights:
            file.write(weight)
            file.write(memoryview(data)[:4 * elements])


if __name__ == "__main__":
    destination = pathlib.Path(sys.argv[1])
    if sys.argv[2] == "--big":
        write_big(destination)
    elif sys.argv[2] == "--external":
        write_external(destination)
    elif sys.argv[2] == "--blocks":
        write_blocks(destination, int(sys.argv[3]))
    elif sys.argv[2] == "--ranks":
        write_ranks(destination)
    else:
        write_chain(destination, int(sys.argv[2]), int(sys.argv[3]))
