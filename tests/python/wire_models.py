# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models written byte by byte, so that they can say what no library would write. A message is the concatenation of its fields."""
from __future__ import annotations

import struct
from collections.abc import Sequence

from onnx import AttributeProto, TensorProto

from wire_variants import BYTES, FIXED32, FIXED64, VARINT, tagged, varint

__all__ = ["BYTES", "FIXED32", "FIXED64", "VARINT", "tagged", "varint"]
GROUP_START, GROUP_END = 3, 4
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def field(number: int, content: bytes | str | int) -> bytes:
    """A number as a varint, anything else with its length before it."""
    if isinstance(content, int):
        return tagged(number, VARINT, varint(content))
    return tagged(number, BYTES, content.encode() if isinstance(content, str) else content)


def group(number: int, content: bytes = b"") -> bytes:
    return tagged(number, GROUP_START, content) + tagged(number, GROUP_END, b"")


def node(op_type: str, inputs: Sequence[str], outputs: Sequence[str], *attributes: bytes, domain: str = "", name: str = "", rest: bytes = b"") -> bytes:
    return (
        b"".join(field(1, one) for one in inputs)
        + b"".join(field(2, one) for one in outputs)
        + (field(3, name) if name else b"")
        + field(4, op_type)
        + b"".join(field(5, one) for one in attributes)
        + (field(7, domain) if domain else b"")
        + rest
    )


def float_attribute(name: str, value: float) -> bytes:
    return field(1, name) + tagged(2, FIXED32, struct.pack("<f", value)) + field(20, AttributeProto.FLOAT)


def tensor_attribute(name: str, tensor: bytes) -> bytes:
    return field(1, name) + field(5, tensor) + field(20, AttributeProto.TENSOR)


def graph_attribute(name: str, graph: bytes) -> bytes:
    return field(1, name) + field(6, graph) + field(20, AttributeProto.GRAPH)


def reference(name: str, of_function: str, attribute_type: int) -> bytes:
    return field(1, name) + field(21, of_function) + field(20, attribute_type)


def tensor_type(element_type: int, dims: Sequence[int | str] | None = (4,)) -> bytes:
    shape = b"" if dims is None else field(2, b"".join(field(1, field(1 if isinstance(dim, int) else 2, dim)) for dim in dims))
    return field(1, field(1, element_type) + shape)


def value(name: str, element_type: int = FLOAT, dims: Sequence[int | str] | None = (4,)) -> bytes:
    return field(1, name) + field(2, tensor_type(element_type, dims))


def tensor(name: str, dims: Sequence[int] = (4,), element_type: int = FLOAT, raw: bytes | None = bytes(16), rest: bytes = b"") -> bytes:
    return b"".join(field(1, dim) for dim in dims) + field(2, element_type) + (field(8, name) if name else b"") + (b"" if raw is None else field(9, raw)) + rest


def graph(nodes: Sequence[bytes], inputs: Sequence[bytes], outputs: Sequence[bytes], initializers: Sequence[bytes] = (), value_infos: Sequence[bytes] = (), name: str = "g") -> bytes:
    return (
        b"".join(field(1, one) for one in nodes)
        + (field(2, name) if name else b"")
        + b"".join(field(5, one) for one in initializers)
        + b"".join(field(11, one) for one in inputs)
        + b"".join(field(12, one) for one in outputs)
        + b"".join(field(13, one) for one in value_infos)
    )


def opset(domain: str, version: int) -> bytes:
    return (field(1, domain) if domain else b"") + field(2, version)


OPSETS = (("", 18), ("com.microsoft", 1), ("d", 1))


def function(name: str, inputs: Sequence[str], outputs: Sequence[str], nodes: Sequence[bytes], opsets: Sequence[tuple[str, int]] = (("", 18),), attributes: Sequence[str] = (), rest: bytes = b"") -> bytes:
    return (
        field(1, name)
        + b"".join(field(4, one) for one in inputs)
        + b"".join(field(5, one) for one in outputs)
        + b"".join(field(6, one) for one in attributes)
        + b"".join(field(7, one) for one in nodes)
        + b"".join(field(9, opset(*one)) for one in opsets)
        + field(10, "d")
        + rest
    )


def model(main: bytes, opsets: Sequence[tuple[str, int]] = OPSETS, functions: Sequence[bytes] = (), ir_version: int = 8, rest: bytes = b"") -> bytes:
    return field(1, ir_version) + field(7, main) + b"".join(field(8, opset(*one)) for one in opsets) + b"".join(field(25, one) for one in functions) + rest


X, Y = value("x"), value("y")
RELU = node("Relu", ["x"], ["y"], name="relu")


def given_model(*, nodes: Sequence[bytes] = (RELU,), inputs: Sequence[bytes] = (X,), outputs: Sequence[bytes] = (Y,), initializers: Sequence[bytes] = (), value_infos: Sequence[bytes] = (), in_graph: bytes = b"", **of_model) -> bytes:
    """A model that is good but for what is given. `in_graph` and `rest`: more fields of the graph, and of the model."""
    return model(graph(nodes, inputs, outputs, initializers, value_infos) + in_graph, **of_model)
