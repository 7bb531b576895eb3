# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models whose tensors lie in other files: how to make them, and what they hold, read without onnx.load, which knows only some of the places."""
from __future__ import annotations

import pathlib
from collections.abc import Iterator, Sequence

import onnx
from google.protobuf.message import Message
from onnx import TensorProto, helper, numpy_helper


def all_tensors(message: Message) -> Iterator[TensorProto]:
    """Every tensor in a message, in the order of the fields."""
    if isinstance(message, TensorProto):
        yield message
        return
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for one in value if field.is_repeated else [value]:
                yield from all_tensors(one)


def entries(tensor: TensorProto) -> dict[str, str]:
    return {entry.key: entry.value for entry in tensor.external_data}


def is_external(tensor: TensorProto) -> bool:
    return tensor.data_location == TensorProto.EXTERNAL


def place(tensor: TensorProto, location: str, offset: int | None = None, length: int | None = None) -> TensorProto:
    """The same tensor with its elements elsewhere. Nothing is written."""
    for field in ("raw_data", "float_data", "double_data", "int32_data", "int64_data", "uint64_data", "external_data"):
        tensor.ClearField(field)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))
    return tensor


def elements(tensor: TensorProto, folder: pathlib.Path) -> bytes | list[bytes]:
    """A tensor's elements as onnx reads them. Files are read here: onnx refuses those of two names, which tests look at."""
    if tensor.data_type == TensorProto.STRING:
        return list(tensor.string_data)
    whole = TensorProto()
    whole.CopyFrom(tensor)
    if is_external(tensor):
        where = entries(tensor)
        with open(folder / where["location"], "rb") as file:
            file.seek(int(where.get("offset", 0)))
            whole.raw_data = file.read(int(where["length"]) if "length" in where else -1)
        whole.ClearField("data_location")
        whole.ClearField("external_data")
    return numpy_helper.to_array(whole).tobytes()


def content(path: pathlib.Path) -> list[tuple]:
    """What a model's tensors are and hold."""
    model = onnx.load(path, load_external_data=False)
    return [(t.name, t.data_type, tuple(t.dims), t.doc_string, elements(t, path.parent)) for t in all_tensors(model)]


def without_elements(model: onnx.ModelProto) -> onnx.ModelProto:
    """What has to be the same wherever the elements are."""
    rest = onnx.ModelProto()
    rest.CopyFrom(model)
    for tensor in all_tensors(rest):
        for field in ("raw_data", "float_data", "double_data", "int32_data", "int64_data", "uint64_data", "external_data", "data_location"):
            tensor.ClearField(field)
    return rest


def model_of(tensors: list[TensorProto], nodes: Sequence[onnx.NodeProto] = (), opset: int = 18, ir_version: int = 10, imports: Sequence = ()) -> onnx.ModelProto:
    """A model with these initializers, and with nodes that make `y` of `x`: without any given, one Relu."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"]) for name in "xy")
    graph = helper.make_graph(nodes or [helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), *imports], ir_version=ir_version)
