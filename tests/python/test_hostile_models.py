# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models as nobody writes them. What ONNX Runtime loads is lowered, and what it refuses is refused, with the place where it is wrong; and never a crash.

Each case stands with the words that the refusal must hold, or with None: then it must be lowered. In both, ONNX Runtime is asked whether it agrees.
"""
from __future__ import annotations

import json
import pathlib
import resource
import struct
from collections.abc import Sequence

import onnx
import onnx.parser
import onnxruntime
import pytest
from onnx import AttributeProto

import tool
from wire_models import (
    BOOL,
    BYTES,
    FIXED32,
    FIXED64,
    FLOAT,
    GROUP_END,
    GROUP_START,
    INT64,
    OPSETS,
    RELU,
    VARINT,
    X,
    Y,
    field,
    float_attribute,
    function,
    given_model,
    graph,
    graph_attribute,
    group,
    node,
    opset,
    reference,
    tagged,
    tensor,
    tensor_attribute,
    tensor_type,
    value,
    varint,
)

GELU = node("FastGelu", ["x"], ["y"], domain="com.microsoft", name="gelu")


def given(*, nodes=(GELU,), **more) -> bytes:
    return given_model(nodes=nodes, **more)


def onnxruntime_loads(content: bytes) -> bool:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception:
        return False
    return True


def check(content: bytes, words: str | None, *, agrees: bool = True) -> None:
    """`agrees`: whether ONNX Runtime says the same of the model as is said of it here."""
    assert onnxruntime_loads(content) == ((words is None) == agrees), "ONNX Runtime thinks otherwise"
    result = tool.lower(content, timeout=10)
    if words is None:
        assert result.status == tool.DONE, str(result)
        assert onnxruntime_loads(result.stdout)
        return
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    assert words in result.stderr and "<stdin>" in result.stderr, result.stderr
    assert not result.stdout


# Protobuf's wire format.

TEN_BYTES = b"\xff" * 9
WIRE = {
    # A known number with another wire type is an unknown field.
    "name of a node as number": (given(nodes=[GELU + field(3, 5)]), None),
    "input of a node as number": (given(nodes=[GELU + field(1, 5)]), None),
    "attribute as number": (given(nodes=[GELU + field(5, 5)]), None),
    "attribute as fixed number": (given(nodes=[GELU + tagged(5, FIXED32, b"abcd")]), None),
    "output of a node as fixed number": (given(nodes=[GELU + tagged(2, FIXED64, b"abcdefgh")]), None),
    "node as number": (given(in_graph=field(1, 5)), None),
    "initializer as number": (given(in_graph=field(5, 5)), None),
    "graph as number": (given(rest=field(7, 5)), None),
    "graph as group": (given(rest=group(7)), None),
    "node as group": (given(in_graph=group(1, field(4, "Relu"))), None),
    "ir_version as text": (given(rest=field(1, "8")), None),
    "opset_import as number": (given(rest=field(8, 5)), None),
    "function as number": (given(rest=field(25, 5)), None),
    "dimension as number": (given(inputs=[field(1, "x") + field(2, field(1, field(1, FLOAT) + field(2, field(1, 4))))]), None),
    "type of an attribute as text": (given(nodes=[node("Elu", ["x"], ["y"], float_attribute("alpha", 1) + field(20, "x"))]), None),
    "elem_type as fixed number": (given(inputs=[field(1, "x") + field(2, field(1, tagged(1, FIXED32, b"\1\0\0\0")))]), "graph input 'x'"),
    # Groups.
    "unknown group": (given(rest=group(100, field(1, 5) + field(2, "x"))), None),
    "100 groups": (given(rest=tagged(100, GROUP_START, b"") * 100 + tagged(100, GROUP_END, b"") * 100), None),
    "101 groups": (given(rest=tagged(100, GROUP_START, b"") * 101 + tagged(100, GROUP_END, b"") * 101), "deeper than"),
    "98 groups in a node": (given(nodes=[GELU + tagged(100, GROUP_START, b"") * 98 + tagged(100, GROUP_END, b"") * 98]), None),
    "99 groups in a node": (given(nodes=[GELU + tagged(100, GROUP_START, b"") * 99 + tagged(100, GROUP_END, b"") * 99]), "'gelu' (com.microsoft::FastGelu): messages are nested deeper than 100"),
    "100,000 groups": (given(rest=tagged(100, GROUP_START, b"") * 100_000 + tagged(100, GROUP_END, b"") * 100_000), "deeper than"),
    "group closed by another": (given(rest=tagged(100, GROUP_START, b"") + tagged(101, GROUP_END, b"")), "closed by the end of another"),
    "group not closed": (given(rest=tagged(100, GROUP_START, b"")), "not closed"),
    "group only closed": (given(rest=tagged(100, GROUP_END, b"")), "has not begun"),
    # Tags, lengths, numbers.
    "field 0": (given(rest=b"\x02\x01a"), "number 0"),
    "wire type 6": (given(rest=b"\x0e\x01"), "unknown wire type"),
    "wire type 7": (given(rest=b"\x0f\x01"), "unknown wire type"),
    "tag in five bytes": (given(rest=b"\x88\x80\x80\x80\x00\x08"), None),
    "tag in six bytes": (given(rest=b"\x88\x80\x80\x80\x80\x00\x08"), "impossible number"),
    "tag of 33 bits": (given(rest=b"\x88\x80\x80\x80\x10\x08"), None),
    "largest field": (given(rest=varint((2**29 - 1) << 3) + b"\1"), None),
    "field beyond the largest": (given(rest=varint(2**29 << 3) + b"\1"), "number 0"),
    "length in five bytes": (given(rest=varint(6 << 3 | 2) + b"\x81\x80\x80\x80\x00a"), None),
    "length in six bytes": (given(rest=varint(6 << 3 | 2) + b"\x81\x80\x80\x80\x80\x00a"), "more bytes than any reader takes"),
    "length of ten bytes": (given(rest=varint(6 << 3 | 2) + varint(2**64 - 1) + b"a"), "cut short"),
    "length beyond the end": (given(rest=varint(6 << 3 | 2) + varint(2**31 - 1) + b"a"), "cut short"),
    "number in ten bytes": (given(rest=varint(5 << 3) + TEN_BYTES + b"\x01"), None),
    "number of more than 64 bits": (given(rest=varint(5 << 3) + TEN_BYTES + b"\x7f"), None),
    "number in eleven bytes": (given(rest=varint(5 << 3) + TEN_BYTES + b"\xff\x01"), "longer than 64 bits"),
    "unknown number in eleven bytes": (given(rest=varint(500 << 3) + TEN_BYTES + b"\xff\x01"), "longer than 64 bits"),
    "fixed number cut short": (given(rest=tagged(500, FIXED32, b"abc")), "cut short"),
    "long fixed number cut short": (given(rest=tagged(500, FIXED64, b"abc")), "cut short"),
    # What nobody reads but protobuf.
    "metadata of the model": (given(rest=field(14, b"\x0a\x05a")), "cut short"),
    "metadata of the graph": (given(in_graph=field(16, b"\x0a\x05a")), "cut short"),
    "metadata of a node": (given(nodes=[GELU + field(9, b"\x0a\x05a")]), "'gelu'"),
    "metadata of a tensor": (given(initializers=[tensor("w", rest=field(16, b"\x0a\x05a"))]), "cut short"),
    "metadata of a value": (given(inputs=[X + field(4, b"\x0a\x05a")]), "graph input 'x'"),
    "device configuration": (given(rest=field(26, b"\x0a\x05a")), "cut short"),
    "device configuration of a node": (given(nodes=[GELU + field(10, field(2, field(3, field(2, b"\x80"))))]), "'gelu'"),
    "quantization annotation": (given(in_graph=field(14, field(2, b"\x0a\x05a"))), "cut short"),
    "opset_import": (given(rest=field(8, b"\x0a\x05a")), "cut short"),
    "segment of a tensor": (given(initializers=[tensor("w", rest=field(3, b"\x08"))]), "cut short"),
    "shape": (given(inputs=[field(1, "x") + field(2, field(1, field(1, FLOAT) + field(2, b"\x0a\x05\x08")))]), "graph input 'x'"),
    "dimension": (given(inputs=[field(1, "x") + field(2, field(1, field(1, FLOAT) + field(2, field(1, b"\x08"))))]), "graph input 'x'"),
    "shape of an output": (given(outputs=[field(1, "y") + field(2, field(1, field(1, FLOAT) + field(2, field(1, b"\x08"))))]), "graph output 'y'"),
    "shape of a value": (given(value_infos=[field(1, "t") + field(2, field(1, field(1, FLOAT) + field(2, field(1, b"\x08"))))]), "value_info of 't'"),
    "type as attribute": (given(nodes=[node("Elu", ["x"], ["y"], float_attribute("alpha", 1) + field(14, b"\x0a\x05a"), name="elu")]), "'elu' (ai.onnx::Elu): attribute 'alpha'"),
    "ints": (given(nodes=[node("ReduceSum", ["x"], ["y"], field(1, "__a") + field(8, b"\x80") + field(20, AttributeProto.INTS), name="sum")], outputs=[value("y", FLOAT, None)]), "'sum'"),
    "floats": (given(nodes=[node("Relu", ["x"], ["y"], field(1, "__a") + field(7, b"abc") + field(20, AttributeProto.FLOATS), name="relu")]), "'relu'"),
    "dims": (given(initializers=[field(1, b"\x84") + field(2, FLOAT) + field(8, "w") + field(9, bytes(16))]), "cut short"),
    "int64_data cut short": (given(initializers=[tensor("w", (1,), INT64, None, field(7, b"\x80"))]), "within one of them"),
    "int64_data of eleven bytes": (given(initializers=[tensor("w", (1,), INT64, None, field(7, TEN_BYTES + b"\xff\x01"))]), "longer than 64 bits"),
    "float_data cut short": (given(initializers=[tensor("w", (4,), FLOAT, None, field(4, bytes(15)))]), "within an element"),
    "attribute of a function": (given(functions=[function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])], rest=field(11, b"\x0a\x05a"))]), "function d::F"),
    "value_info of a function": (given(functions=[function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])], rest=field(12, field(2, b"\x0a\x05a")))]), "function d::F"),
    "node of a function": (given(functions=[function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"], name="inner") + b"\x0a\x05a"])]), "function d::F: node 'inner' (ai.onnx::Relu)"),
    "training_info": (given(rest=field(20, field(1, b"\x0a\x05a"))), "training_info"),
    # No text has to be UTF-8.
    "doc_string that is no UTF-8": (given(rest=field(6, b"\xff\xfe")), None),
    "name that is no UTF-8": (given(nodes=[node("Relu", ["x"], ["t"]).replace(b"\x01t", b"\x01\xff"), node("FastGelu", ["t"], ["y"], domain="com.microsoft").replace(b"\x01t", b"\x01\xff")]), None),
    # Numbers that do not fit into what they are for lose their upper bits.
    "elem_type of 33 bits": (given(inputs=[value("x", 2**32 + FLOAT)]), None),
    "data_type of 33 bits": (given(initializers=[tensor("w", element_type=2**32 + FLOAT)]), None),
    "data_location that is none": (given(initializers=[tensor("w", rest=field(14, 2))]), None),
    "data_location of 33 bits": (given(initializers=[tensor("w", rest=field(14, 2**32 + 1))]), None),
}


@pytest.mark.parametrize("case", WIRE)
def test_wire_format(case: str) -> None:
    check(*WIRE[case])


@pytest.mark.parametrize("case", [case for case, (_, words) in WIRE.items() if words is None])
@pytest.mark.parametrize("mode", ["embed", "split"])
def test_wire_format_where_tensors_are_moved(case: str, mode: str, tmp_path: pathlib.Path) -> None:
    content, _ = WIRE[case]
    (tmp_path / "in.onnx").write_bytes(content)
    result = tool.run(["in.onnx", "-o", "out.onnx", "--external-data", mode], cwd=tmp_path)
    assert result.status == tool.DONE, str(result)
    assert onnxruntime_loads((tmp_path / "out.onnx").read_bytes())


def nested_ifs(depth: int) -> bytes:
    """`depth` graphs in one another."""

    def body(level: int, name: str) -> bytes:
        nodes = [node("Relu", ["x"], [name])] if level == 0 else [node("If", ["c"], [name], *branches(level))]
        return graph(nodes, [], [field(1, name)])

    def branches(level: int) -> tuple[bytes, bytes]:
        return graph_attribute("then_branch", body(level - 1, f"t{level}")), graph_attribute("else_branch", graph([node("Relu", ["x"], [f"e{level}"])], [], [field(1, f"e{level}")]))

    return given(nodes=[node("If", ["c"], ["y"], *branches(depth - 1))], inputs=[X, value("c", BOOL, ())])


def sequences(depth: int) -> bytes:
    of = tensor_type(FLOAT)
    for _ in range(depth):
        of = field(4, field(1, of))
    return field(1, "s") + field(2, of)


@pytest.mark.parametrize("depth", [2, 20, 33, 34, 35, 300])
def test_graphs_in_graphs(depth: int) -> None:
    """Each graph is three messages further inside, and protobuf takes a hundred."""
    check(nested_ifs(depth), None if depth <= 33 else "messages are nested deeper than 100 levels")


@pytest.mark.parametrize("depth", [48, 49, 100, 100_000])
def test_types_in_types(depth: int) -> None:
    check(given(inputs=[X, sequences(depth)]), "graph input 's'")


def type_of_sequences(depth: int) -> bytes:
    """A TypeProto, made from the inside out in one go."""
    heads, size = [], 0
    for _ in range(2 * depth):
        heads.append(varint((1 if len(heads) % 2 == 0 else 4) << 3 | BYTES) + varint(size))
        size += len(heads[-1])
    return b"".join(reversed(heads))


def graphs_in_attributes(depth: int) -> bytes:
    """An AttributeProto that holds a graph."""
    heads, size = [], 0
    for level in range(3 * depth):
        heads.append(varint((5, 1, 6)[level % 3] << 3 | BYTES) + varint(size))
        size += len(heads[-1])
    return field(1, "k") + field(20, AttributeProto.GRAPH) + b"".join(reversed(heads))


@pytest.mark.parametrize("attribute", [field(1, "k") + field(20, AttributeProto.TYPE_PROTO) + field(14, type_of_sequences(50_000)), graphs_in_attributes(50_000)], ids=["types", "graphs"])
def test_depth_where_nothing_is_run(attribute: bytes) -> None:
    """In an attribute of a function, which is looked at but not read as a graph is."""
    body = function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])], rest=field(11, attribute))
    check(given(functions=[body]), "messages are nested deeper than 100 levels")


# What the messages say.


def with_weight(weight: bytes, **more) -> bytes:
    return given(nodes=[node("Add", ["x", "w"], ["t"], name="add"), node("FastGelu", ["t"], ["y"], domain="com.microsoft")], initializers=[weight], **more)


def with_constant(weight: bytes) -> bytes:
    return given(nodes=[node("Constant", [], ["w"], tensor_attribute("value", weight), name="w"), node("Add", ["x", "w"], ["t"]), node("FastGelu", ["t"], ["y"], domain="com.microsoft")])


FLOATS = field(4, struct.pack("<4f", 1, 2, 3, 4))
WEIGHTS = {
    "good": (tensor("w"), None),
    "float_data": (tensor("w", raw=None, rest=FLOATS), None),
    "float_data, not packed": (tensor("w", raw=None, rest=tagged(4, FIXED32, bytes(4)) * 4), None),
    "float_data as varints": (tensor("w", raw=None, rest=tagged(4, VARINT, b"\0") * 4), "tensor 'w' has 0 elements"),
    "dims, packed": (field(1, b"\x04") + field(2, FLOAT) + field(8, "w") + field(9, bytes(16)), None),
    "raw_data twice": (tensor("w", raw=bytes(12), rest=field(9, bytes(16))), None),
    "no data": (tensor("w", raw=None), "tensor 'w' has 0 elements"),
    "too few bytes": (tensor("w", raw=bytes(12)), "tensor 'w' has 12 bytes"),
    "too many bytes": (tensor("w", raw=bytes(20)), "tensor 'w' has 20 bytes"),
    "too few elements": (tensor("w", raw=None, rest=field(4, bytes(12))), "tensor 'w' has 3 elements"),
    "negative dimension": (tensor("w", (-4,)), "negative dimension"),
    "too many elements": (tensor("w", (2**62, 4)), "more elements than 64 bits count"),
    "undefined type": (tensor("w", element_type=0), "tensor 'w' has no element type"),
    "no type": (field(1, 4) + field(8, "w") + field(9, bytes(16)), "tensor 'w' has no element type"),
    "type 99": (tensor("w", element_type=99), "tensor 'w' has the element type 99, which does not exist"),
    "type -1": (tensor("w", element_type=-1), "tensor 'w' has the element type -1, which does not exist"),
    "floats in int32_data": (tensor("w", raw=None, rest=field(5, b"\1\1\1\1")), "tensor 'w' has data in int32_data, and those of its element type, FLOAT, are in float_data"),
    "floats in double_data": (tensor("w", raw=None, rest=field(10, bytes(32))), "in double_data"),
    "floats in string_data": (tensor("w", raw=None, rest=field(6, "a") * 4), "in string_data"),
    "external without a place": (tensor("w", raw=None, rest=field(14, 1)), "not where"),
}
# Which of two data of one tensor counts, nothing says; onnx's checker refuses them, ONNX Runtime takes one.
AMBIGUOUS_WEIGHTS = {
    "raw_data and float_data": (tensor("w", rest=FLOATS), "tensor 'w' has data in raw_data and in float_data"),
    "raw_data and part of float_data": (tensor("w", rest=field(4, bytes(4))), "raw_data and in float_data"),
    "float_data and int64_data": (tensor("w", raw=None, rest=FLOATS + field(7, 1)), "in int64_data"),
}


@pytest.mark.parametrize("case", WEIGHTS)
@pytest.mark.parametrize("where", [with_weight, with_constant])
def test_tensor(case: str, where) -> None:
    weight, words = WEIGHTS[case]
    check(where(weight), words)


@pytest.mark.parametrize("case", AMBIGUOUS_WEIGHTS)
@pytest.mark.parametrize("where", [with_weight, with_constant])
def test_tensor_with_data_in_two_places(case: str, where) -> None:
    weight, words = AMBIGUOUS_WEIGHTS[case]
    check(where(weight), words, agrees=False)


def sparse(values: bytes, indices: bytes) -> bytes:
    return given(nodes=[node("Add", ["x", "w"], ["y"])], in_graph=field(15, field(1, values) + field(2, indices) + field(3, 4)))


INDEX = tensor("", (1,), INT64, bytes(8))
SPARSE = {
    "good": (sparse(tensor("w", (1,), raw=bytes(4)), INDEX), None),
    "no values": (sparse(b"", INDEX), "has no element type"),
    "values of rank 2": (sparse(tensor("w", (1, 1), raw=bytes(4)), INDEX), "sparse initializer 'w' has values of rank 2"),
    "values of type 99": (sparse(tensor("w", (1,), 99, bytes(4)), INDEX), "element type 99"),
    "cut short": (sparse(tensor("w", (1,), raw=bytes(4)), INDEX + b"\x0a\x05a"), "cut short"),
}


@pytest.mark.parametrize("case", SPARSE)
def test_sparse_initializer(case: str) -> None:
    check(*SPARSE[case])


MODEL = {
    "no opset import": (given(opsets=()), "imports no operator set"),
    "no opset import, nothing custom": (given(nodes=[RELU], opsets=()), "imports no operator set"),
    "opset import twice": (given(opsets=(*OPSETS, ("", 18))), None),
    "ai.onnx spelt out": (given(opsets=(("ai.onnx", 18), ("com.microsoft", 1))), None),
    "version 0": (given(nodes=[RELU], opsets=(("", 0),)), "version 0 of ai.onnx"),
    "ir_version 0": (given(ir_version=0), None),
    "no ir_version": (given()[2:], "no ir_version"),
    "no graph": (field(1, 8) + field(8, opset("", 18)), "no graph"),
}


@pytest.mark.parametrize("case", MODEL)
def test_model(case: str) -> None:
    check(*MODEL[case])


@pytest.mark.parametrize(
    "opsets, words",
    [
        ((*OPSETS, ("", 17)), "it imports ai.onnx twice, in the versions 18 and 17"),
        ((("", 17), *OPSETS), "it imports ai.onnx twice, in the versions 17 and 18"),
        ((*OPSETS, ("ai.onnx", 17)), "it imports ai.onnx twice, in the versions 18 and 17"),
        ((*OPSETS, ("d", 2)), "it imports d twice, in the versions 1 and 2"),
    ],
)
def test_domain_imported_in_two_versions(opsets: tuple, words: str) -> None:
    """ONNX says that the highest one counts, ONNX Runtime takes the last one."""
    check(given(opsets=opsets), words, agrees=False)


F = tagged(2, FIXED32, struct.pack("<f", 2))
TYPE_FLOAT = field(20, AttributeProto.FLOAT)
CALL = node("F", ["x"], ["y"], domain="d")
FUNCTIONS = {
    "good": (given(nodes=[CALL], functions=[function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])])]), None),
    "no opset import": (given(nodes=[CALL], functions=[function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])], ())]), "function d::F: the node (ai.onnx::Relu) that makes 'b' is of an operator set that the function does not import"),
    "no opset import, and not called": (given(functions=[function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])], ())]), "function d::F"),
    "version 999": (given(nodes=[CALL], functions=[function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])], (("", 999),))]), "function d::F imports version 999 of ai.onnx"),
    "attribute without a name": (given(nodes=[node("F", ["x"], ["y"], F + TYPE_FLOAT, domain="d", name="call")], functions=[function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])])]), "node 'call' (d::F): attribute '': it has no name"),
    "input without a name": (given(nodes=[CALL], functions=[function("F", [""], ["b"], [node("Relu", [""], ["b"])])]), "function d::F: an input has no name"),
}


@pytest.mark.parametrize("case", FUNCTIONS)
def test_function(case: str) -> None:
    check(*FUNCTIONS[case])


def test_function_that_imports_a_domain_in_two_versions() -> None:
    body = function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])], (("", 18), ("", 17)))
    check(given(nodes=[CALL], functions=[body]), "function d::F imports ai.onnx twice, in the versions 18 and 17", agrees=False)


# What values are declared to be.


def declared(name: str, type_: bytes) -> bytes:
    return field(1, name) + field(2, type_)


def key_map(keys: int) -> bytes:
    return field(5, field(1, keys) + field(2, tensor_type(FLOAT)))


NO_ELEMENT_TYPE = field(1, b"")
INPUT_TYPES = {
    "sequence": (declared("s", field(4, field(1, tensor_type(FLOAT)))), None),
    "optional": (declared("s", field(9, field(1, tensor_type(FLOAT)))), None),
    "map": (declared("s", key_map(INT64)), None),
    "sparse tensor": (declared("s", field(8, field(1, FLOAT))), None),
    "in two parts": (declared("s", field(1, field(1, FLOAT)) + field(1, field(2, field(1, field(1, 4))))), None),
    "of two kinds": (declared("s", field(4, b"") + tensor_type(FLOAT)), None),
    "none": (field(1, "s"), "graph input 's' does not say of what type it is"),
    "an empty one": (declared("s", b""), "graph input 's' does not say"),
    "a denotation": (declared("s", field(6, "IMAGE")), "graph input 's' does not say"),
    "no element type": (declared("s", NO_ELEMENT_TYPE), "graph input 's' leaves an element type undefined"),
    "undefined": (value("s", 0), "graph input 's' leaves an element type undefined"),
    "99": (value("s", 99), "graph input 's' has the element type 99, which does not exist"),
    "-1": (value("s", -1), "graph input 's' has the element type -1"),
    "sequence of nothing": (declared("s", field(4, b"")), "graph input 's' leaves"),
    "sequence of undefined": (declared("s", field(4, field(1, tensor_type(0)))), "graph input 's' leaves"),
    "sequence of 99": (declared("s", field(4, field(1, tensor_type(99)))), "graph input 's' has the element type 99"),
    "optional of nothing": (declared("s", field(9, b"")), "graph input 's' leaves"),
    "map without keys": (declared("s", field(5, field(2, tensor_type(FLOAT)))), "graph input 's' leaves"),
    "map with float keys": (declared("s", key_map(FLOAT)), "graph input 's' is a map with keys of the type FLOAT"),
    "undefined sparse tensor": (declared("s", field(8, field(1, 0))), "graph input 's' leaves"),
    "no name": (field(2, tensor_type(FLOAT)), "a graph input has no name"),
}


@pytest.mark.parametrize("case", INPUT_TYPES)
def test_type_of_an_input(case: str) -> None:
    type_, words = INPUT_TYPES[case]
    check(given(inputs=[X, type_]), words)


MIDDLE = dict(nodes=[node("Relu", ["x"], ["t"]), node("Neg", ["t"], ["y"])])
DECLARATIONS = {
    "dimension -1": (given(inputs=[value("x", FLOAT, (-1,))]), None),
    "dimensions whose product does not fit": (given(inputs=[value("x", FLOAT, (2**62, 2**62))], outputs=[value("y", FLOAT, (2**62, 2**62))]), None),
    "value": (given(**MIDDLE, value_infos=[value("t")]), None),
    "value twice": (given(**MIDDLE, value_infos=[value("t"), value("t")]), None),
    "value without type": (given(**MIDDLE, value_infos=[field(1, "t")]), None),
    "value without name": (given(**MIDDLE, value_infos=[field(2, tensor_type(99))]), None),
    "empty value": (given(**MIDDLE, value_infos=[b""]), None),
    "value of 99": (given(**MIDDLE, value_infos=[value("t", 99)]), "value 't' has the element type 99"),
    "value of 99 of a custom node": (given(nodes=[node("FastGelu", ["x"], ["t"], domain="com.microsoft"), node("Neg", ["t"], ["y"])], value_infos=[value("t", 99)]), "value 't' has the element type 99"),
    "undefined value": (given(**MIDDLE, value_infos=[value("t", 0)]), "the type that is declared of 't' leaves an element type undefined"),
    "value of 99 that nothing is": (given(value_infos=[value("unused", 99)]), None),
    "undefined value that nothing is": (given(nodes=[RELU], value_infos=[value("unused", 0)]), None),
    "value of 99 of an input": (given(value_infos=[value("x", 99)]), None),
    "undefined value of an input": (given(nodes=[RELU], value_infos=[value("x", 0)]), None),
    "value of 99 of an output": (given(value_infos=[value("y", 99)]), None),
    "value of 99 of an initializer": (with_weight(tensor("w"), value_infos=[value("w", 99)]), None),
    "output without type": (given(outputs=[field(1, "y")]), None),
    "output of 99": (given(outputs=[value("y", 99)]), "graph output 'y' has the element type 99"),
    "undefined output": (given(nodes=[RELU], outputs=[value("y", 0)]), "'y' leaves an element type undefined"),
    "input with default": (with_weight(tensor("w"), inputs=[X, value("w")]), None),
    "input with default, no type": (with_weight(tensor("w"), inputs=[X, field(1, "w")]), None),
    "input with default, empty type": (with_weight(tensor("w"), inputs=[X, field(1, "w") + field(2, b"")]), None),
    "input with default, any size": (with_weight(tensor("w"), inputs=[X, value("w", FLOAT, ("n",))]), None),
    "input with default, size -1": (with_weight(tensor("w"), inputs=[X, value("w", FLOAT, (-1,))]), None),
    "input with default, no shape": (with_weight(tensor("w"), inputs=[X, value("w", FLOAT, None)]), None),
    "input with default of another type": (with_weight(tensor("w"), inputs=[X, value("w", INT64)]), "graph input 'w' is INT64, and its initializer is FLOAT"),
    "input with default of another size": (with_weight(tensor("w"), inputs=[X, value("w", FLOAT, (5,))]), "graph input 'w' has the shape [5], and its initializer has [4]"),
    "input with default of another rank": (with_weight(tensor("w"), inputs=[X, value("w", FLOAT, (1, 4))]), "graph input 'w' has the shape [1, 4]"),
}


@pytest.mark.parametrize("case", DECLARATIONS)
def test_declaration(case: str) -> None:
    check(*DECLARATIONS[case])


def test_types_that_exporters_leave_open_of_custom_nodes() -> None:
    """ONNX Runtime does not load these, and it does when the node is lowered."""
    custom = dict(nodes=[node("FastGelu", ["x"], ["t"], domain="com.microsoft"), node("Neg", ["t"], ["y"])])
    for content in (
        given(**custom, value_infos=[value("t", 0)]),
        given(**custom, value_infos=[declared("t", NO_ELEMENT_TYPE)]),
        given(**custom, value_infos=[value("t", 0)], outputs=[value("y", 0)]),
        given(outputs=[declared("y", NO_ELEMENT_TYPE)]),
    ):
        assert not onnxruntime_loads(content)
        assert onnxruntime_loads(tool.lowered(content))


def in_branch(*nodes: bytes, outputs=(field(1, "a"),), **more) -> bytes:
    branches = graph_attribute("then_branch", graph(nodes, [], outputs, **more)), graph_attribute("else_branch", graph([node("Relu", ["x"], ["b"])], [], [field(1, "b")]))
    return given(nodes=[node("If", ["c"], ["y"], *branches, name="branch")], inputs=[X, value("c", BOOL, ())])


BODIES = {
    "good": (in_branch(node("Relu", ["x"], ["a"])), None),
    "no name": (in_branch(node("Relu", ["x"], ["a"]), name=""), "a graph of node 'branch' (ai.onnx::If) has no name"),
    "output of 99": (in_branch(node("Relu", ["x"], ["a"]), outputs=[value("a", 99)]), "'branch' (ai.onnx::If): the type of graph output 'a' has the element type 99"),
    "undefined output": (in_branch(node("Relu", ["x"], ["a"]), outputs=[value("a", 0)]), "'a' leaves an element type undefined"),
    "value of 99": (in_branch(node("Relu", ["x"], ["t"]), node("Neg", ["t"], ["a"]), value_infos=[value("t", 99)]), "value 't' has the element type 99"),
    "initializer of 99": (in_branch(node("Add", ["x", "w"], ["a"]), initializers=[tensor("w", element_type=99)]), "node 'branch' (ai.onnx::If): attribute 'then_branch': tensor 'w' has the element type 99"),
    "attribute without type": (in_branch(node("Elu", ["x"], ["a"], field(1, "alpha"), name="elu")), "'branch' (ai.onnx::If): node 'elu' (ai.onnx::Elu): attribute 'alpha' does not say"),
}


@pytest.mark.parametrize("case", BODIES)
def test_graph_in_a_node(case: str) -> None:
    check(*BODIES[case])


# Attributes.


def elu(*attributes: bytes) -> bytes:
    return given(nodes=[node("Elu", ["x"], ["t"], *attributes, name="elu"), node("FastGelu", ["t"], ["y"], domain="com.microsoft")])


ALPHA = field(1, "alpha")
OTHER = "node 'elu' (ai.onnx::Elu): attribute 'alpha' says that it is FLOAT, and holds something else"
ATTRIBUTES = {
    "good": (elu(ALPHA + F + TYPE_FLOAT), None),
    "a zero, left out": (elu(ALPHA + TYPE_FLOAT), None),
    "an empty list besides": (elu(ALPHA + F + TYPE_FLOAT + field(7, b"")), None),
    "reference to nothing": (elu(ALPHA + F + TYPE_FLOAT + field(21, "")), None),
    "private": (elu(float_attribute("__mark", 1)), None),
    "no type": (elu(ALPHA + F), "attribute 'alpha' does not say of what type it is"),
    "type 0": (elu(ALPHA + F + field(20, 0)), "attribute 'alpha' does not say"),
    "type 99": (elu(ALPHA + F + field(20, 99)), "attribute 'alpha' does not say"),
    "private without type": (elu(field(1, "__mark")), "attribute '__mark' does not say"),
    "private of a bad tensor": (elu(tensor_attribute("__mark", b"")), "node 'elu' (ai.onnx::Elu): attribute '__mark': tensor '' has no element type"),
    "another type": (elu(ALPHA + F + field(20, AttributeProto.INT)), "attribute 'alpha'"),
    "f and i": (elu(ALPHA + F + field(3, 1) + TYPE_FLOAT), OTHER),
    "f and floats": (elu(ALPHA + F + field(7, bytes(4)) + TYPE_FLOAT), OTHER),
    "f and s": (elu(ALPHA + F + field(4, "") + TYPE_FLOAT), OTHER),
    "f and strings": (elu(ALPHA + F + field(9, "") + TYPE_FLOAT), OTHER),
    "f and a graph": (elu(ALPHA + F + field(6, field(2, "g")) + TYPE_FLOAT), OTHER),
    "f and a type": (elu(ALPHA + F + field(14, b"") + TYPE_FLOAT), OTHER),
    "twice": (elu(ALPHA + F + TYPE_FLOAT, ALPHA + F + TYPE_FLOAT), "node 'elu' (ai.onnx::Elu) has the attribute 'alpha' twice"),
    "private ones twice": (elu(*(float_attribute(f"__{k % 20}", 1) for k in range(21))), "has the attribute '__0' twice"),
    "no name": (elu(F + TYPE_FLOAT), "node 'elu' (ai.onnx::Elu): attribute '': it has no name"),
    "a list, left out": (given(nodes=[node("ReduceSum", ["x"], ["y"], field(1, "axes") + field(20, AttributeProto.INTS))], outputs=[field(1, "y")], opsets=(("", 11),)), None),
    "no tensor": (given(nodes=[node("Constant", [], ["y"], field(1, "value") + field(20, AttributeProto.TENSOR))], outputs=[field(1, "y")]), "attribute 'value' says that it is TENSOR, and holds none"),
    "no graph": (given(nodes=[node("If", ["c"], ["y"], field(1, "then_branch") + field(20, AttributeProto.GRAPH), field(1, "else_branch") + field(20, AttributeProto.GRAPH))], inputs=[value("c", BOOL, ())]), "attribute 'then_branch' says that it is GRAPH, and holds none"),
    "constant without value": (given(nodes=[node("Constant", [], ["y"], name="c")], outputs=[field(1, "y")]), "node 'c' (ai.onnx::Constant) has no value"),
    "output without name": (given(nodes=[GELU, node("Relu", ["x"], [""], name="none")]), "node 'none' (ai.onnx::Relu) gives its output 'Y' no name"),
    "no op_type": (given(nodes=[GELU, field(1, "x") + field(2, "z") + field(3, "none")]), "has no op_type"),
}


@pytest.mark.parametrize("case", ATTRIBUTES)
def test_attribute(case: str) -> None:
    check(*ATTRIBUTES[case])


@pytest.mark.parametrize("content", [elu(reference("alpha", "k", AttributeProto.FLOAT)), elu(ALPHA + F + field(21, "k") + TYPE_FLOAT), in_branch(node("Elu", ["x"], ["a"], reference("alpha", "k", AttributeProto.FLOAT), name="elu"))])
def test_reference_outside_of_functions(content: bytes) -> None:
    """ONNX Runtime takes the attribute for one that has its type's zero, which nobody can have meant."""
    check(content, "node 'elu' (ai.onnx::Elu): attribute 'alpha': it refers to the attribute 'k' of a function, and stands in none", agrees=False)


def test_reference_in_a_function() -> None:
    body = function("F", ["a"], ["b"], [node("Elu", ["a"], ["b"], reference("alpha", "k", AttributeProto.FLOAT))], attributes=["k"])
    check(given(nodes=[node("F", ["x"], ["y"], float_attribute("k", 2.0), domain="d")], functions=[body]), None)


# Messages in many parts are read in a time and memory that grow as the file does.


def resources(content: bytes, folder: pathlib.Path, *arguments: object) -> tuple[str, float, int]:
    """What became of the model, the CPU seconds, and the peak memory in bytes: as a process of the tool's own, which is not charged with Python's memory."""
    (folder / "in.onnx").write_bytes(content)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = tool.run(["in.onnx", "--output-dir", "out", "-j", 1, *arguments], cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(result.stdout)
    return report["status"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, report["peak_memory"]


def is_quick(seconds: float) -> bool:
    return seconds < (20 if tool.SANITIZED else 2)


# Time grows as the number does, and not as its square, which would make 64 of 8. Machines differ more than a limit in seconds bears.


def assert_grows_as_count(seconds, count: int) -> None:
    few, many = seconds(count // 8), seconds(count)
    assert many < 24 * few, f"{few} s for {count // 8}, {many} s for {count}"


def assert_linear(content: bytes, seconds: float, memory: int) -> None:
    assert is_quick(seconds), f"{seconds} s"
    assert tool.SANITIZED or memory < max(40 * len(content), 64 << 20), f"{memory >> 20} MB"


def chain(count: int, last: str) -> list[bytes]:
    return [node("Relu", ["x" if k == 0 else f"v{k - 1}"], [last if k == count - 1 else f"v{k}"]) for k in range(count)]


def graph_in_parts(count: int) -> bytes:
    return field(1, 8) + b"".join(field(7, field(1, one)) for one in chain(count, "y")) + field(7, field(2, "g") + field(11, X) + field(12, Y)) + field(8, opset("", 18))


def body_in_parts(count: int) -> bytes:
    parts = field(1, "then_branch") + field(20, AttributeProto.GRAPH) + b"".join(field(6, field(1, one)) for one in chain(count, "t")) + field(6, field(2, "g") + field(12, field(1, "t")))
    other = graph_attribute("else_branch", graph([node("Relu", ["x"], ["e"])], [], [field(1, "e")]))
    return given(nodes=[node("If", ["c"], ["y"], parts, other)], inputs=[X, value("c", BOOL, ())])


def tensor_in_parts(count: int) -> bytes:
    parts = field(1, "value") + field(20, AttributeProto.TENSOR) + b"".join(field(5, field(1, 1)) for _ in range(count)) + field(5, field(2, FLOAT) + field(9, bytes(4)))
    return given(nodes=[node("Constant", [], ["c"], parts), node("Add", ["x", "c"], ["y"])], outputs=[field(1, "y")])


def sparse_in_parts(count: int) -> bytes:
    parts = b"".join(field(1, field(1, 1)) for _ in range(count))
    return given(nodes=[node("Add", ["x", "w"], ["y"])], in_graph=field(15, parts + field(1, field(2, FLOAT) + field(8, "w") + field(9, bytes(4))) + field(2, INDEX) + field(3, 4)))


@pytest.mark.parametrize("write", [graph_in_parts, body_in_parts])
def test_graph_in_many_parts(write, tmp_path: pathlib.Path) -> None:
    check(write(3), None)
    content = write(50_000)
    status, seconds, memory = resources(content, tmp_path)
    assert status == "unchanged"
    assert_linear(content, seconds, memory)


@pytest.mark.parametrize("write", [tensor_in_parts, sparse_in_parts])
def test_tensor_in_many_parts(write, tmp_path: pathlib.Path) -> None:
    """Of a rank that no runtime takes."""
    content = write(50_000)
    _, seconds, memory = resources(content, tmp_path)
    assert_linear(content, seconds, memory)


# What rules make of many nodes, and what a model has many of, takes memory in proportion to the file.


def customs(count: int) -> bytes:
    nodes = [node("FastGelu", ["x" if k == 0 else f"v{k - 1}"], ["y" if k == count - 1 else f"v{k}"], domain="com.microsoft") for k in range(count)]
    return given_model(nodes=nodes, opsets=(("", 18), ("com.microsoft", 1)))


def functions_of_one_node(count: int) -> bytes:
    functions = [function(f"F{k}", ["a"], ["b"], [node("Relu", ["a"], ["b"])]) for k in range(count)]
    return given_model(functions=functions, opsets=(("", 18), ("local", 1)))


def outputs_without_types(count: int) -> bytes:
    """Whose types are inferred, each behind what a rule made."""
    nodes = [node("FastGelu", ["x"], [f"y{k}"], domain="com.microsoft") for k in range(count)]
    return given_model(nodes=nodes, outputs=[field(1, f"y{k}") for k in range(count)], opsets=(("", 18), ("com.microsoft", 1)))


def outputs_of_one_node(count: int) -> bytes:
    parts = [f"v{k}" for k in range(count)]
    nodes = [node("Split", ["x"], parts, field(1, "num_outputs") + field(3, count) + field(20, AttributeProto.INT))]
    nodes += [node("FastGelu", [part], [f"u{k}"], domain="com.microsoft") for k, part in enumerate(parts)]
    nodes.append(node("Concat", [f"u{k}" for k in range(count)], ["y"], field(1, "axis") + field(3, 0) + field(20, AttributeProto.INT)))
    return given_model(nodes=nodes, inputs=[value("x", dims=(count,))], outputs=[value("y", dims=(count,))], opsets=(("", 18), ("com.microsoft", 1)))


def tensors_of_a_list(count: int) -> bytes:
    kind = field(1, "operator") + field(4, "column_stack") + field(20, AttributeProto.STRING)
    nodes = [node("SequenceConstruct", ["x"] * count, ["list"]), node("ATen", ["list"], ["y"], kind, domain="org.pytorch.aten")]
    return given_model(nodes=nodes, inputs=[value("x", dims=(4, 1))], outputs=[value("y", dims=(4, count))], opsets=(("", 18), ("org.pytorch.aten", 1)))


def customs_by_rules_of_others(count: int) -> bytes:
    """The rule of each uses an operator of another opset, which the rule of that one expands."""
    nodes = [node("BiasGelu", ["x", "x"], ["y" if k == 0 else f"y{k}"], domain="com.microsoft") for k in range(count)]
    return given_model(nodes=nodes, opsets=(("", 18), ("com.microsoft", 1)))


def list_behind_identities(count: int) -> bytes:
    kind = field(1, "operator") + field(4, "dstack") + field(20, AttributeProto.STRING)
    nodes = [node("SequenceConstruct", ["x", "x"], ["s0"]), *(node("Identity", [f"s{k}"], [f"s{k + 1}"]) for k in range(count))]
    nodes += [node("ATen", [f"s{count}"], ["y" if k == 0 else f"y{k}"], kind, domain="org.pytorch.aten") for k in range(count)]
    return given_model(nodes=nodes, outputs=[field(1, "y")], opsets=(("", 18), ("org.pytorch.aten", 1)))


def values_of_a_loop(count: int) -> bytes:
    nodes = [node("Identity", ["ci"], ["co"]), *(node("FastGelu", [f"a{k}"], [f"b{k}"], domain="com.microsoft") for k in range(count))]
    body = graph(nodes, [value("i", INT64, ()), value("ci", BOOL, ()), *(field(1, f"a{k}") for k in range(count))], [value("co", BOOL, ()), *(field(1, f"b{k}") for k in range(count))])
    loop = node("Loop", ["m", "c", *["x"] * count], ["y" if k == 0 else f"y{k}" for k in range(count)], graph_attribute("body", body))
    return given_model(nodes=[loop], inputs=[X, value("c", BOOL, ()), value("m", INT64, ())], opsets=(("", 18), ("com.microsoft", 1)))


def list_for(operator: str):
    def write(count: int) -> bytes:
        kind = field(1, "operator") + field(4, operator) + field(20, AttributeProto.STRING)
        nodes = [node("SequenceConstruct", ["x"] * count, ["list"]), node("ATen", ["list"], ["y"], kind, domain="org.pytorch.aten")]
        return given_model(nodes=nodes, outputs=[field(1, "y")], opsets=(("", 18), ("org.pytorch.aten", 1)))

    return write


@pytest.mark.parametrize(("write", "status", "arguments"), [
    (customs, "lowered", ()), (customs, "lowered", ("--target", "openvino")), (customs, "lowered", ("--target-opset", 13)), (customs, "lowered", ("--attach",)), (customs, "lowered", ("--fold",)),
    (functions_of_one_node, "unchanged", ()), (outputs_without_types, "lowered", ()), (outputs_of_one_node, "lowered", ()), (tensors_of_a_list, "lowered", ()),
    (customs_by_rules_of_others, "lowered", ()), (list_behind_identities, "lowered", ()), (values_of_a_loop, "lowered", ()),
    # More nodes than the tool makes, and more dimensions than tensors have, before any is made.
    (list_for("block_diag"), "failed", ()), (list_for("meshgrid"), "failed", ()), (list_for("cartesian_prod"), "failed", ()),
])
def test_many_of_one_kind(write, status: str, arguments: tuple, tmp_path: pathlib.Path) -> None:
    content = write(50_000)
    became, seconds, memory = resources(content, tmp_path, *arguments)
    assert became == status
    assert_linear(content, seconds, memory)


# What is asked of each of many nodes, as of its inputs and of what reads its outputs, does not take as long as the model is.


def integer(name: str, number: int) -> bytes:
    return field(1, name) + field(3, number) + field(20, AttributeProto.INT)


def of_any_shape(names: list[str]) -> list[bytes]:
    return [value(name, dims=None) for name in names]


SCALE = tensor("s", (), raw=struct.pack("<f", 1))


def outputs_of_the_model(count: int) -> bytes:
    return given_model(nodes=[node("Shape", ["x"], [f"s{k}"]) for k in range(count)], outputs=[value(f"s{k}", INT64, (1,)) for k in range(count)])


def compared(count: int, nodes: list[bytes], value_: str, **more) -> bytes:
    nodes = [*nodes, *(node("Less", ["x", value_], [f"y{k}"]) for k in range(count))]
    return given_model(nodes=nodes, outputs=[value(f"y{k}", BOOL, None) for k in range(count)], **more)


def signs_behind_identities(count: int) -> bytes:
    return compared(count, [node("Identity", ["x" if k == 0 else f"v{k - 1}"], [f"v{k}"]) for k in range(count)], f"v{count - 1}")


def signs_behind_casts(count: int) -> bytes:
    return compared(count, [node("Cast", ["x" if k == 0 else f"v{k - 1}"], [f"v{k}"], integer("to", FLOAT)) for k in range(count)], f"v{count - 1}")


def bounds_behind_a_concat(count: int) -> bytes:
    """Of a hundred times as many values as are asked for."""
    return compared(count, [node("Concat", ["x"] * (100 * count), ["all"], integer("axis", 0))], "all")


def bounds_of_a_constant(count: int) -> bytes:
    return compared(count, [], "c", inputs=[value("x", dims=(16380,))], initializers=[tensor("c", (16380,), raw=bytes(4 * 16380))])


def constants_behind_a_concat(count: int) -> bytes:
    nodes = [node("Cast", ["c"], ["i"], integer("to", 3)), node("Concat", ["i"] * count, ["all"], integer("axis", 0))]
    nodes += [node("DequantizeLinear", ["all", "s"], [f"y{k}"]) for k in range(count)]
    return given_model(nodes=nodes, outputs=of_any_shape([f"y{k}" for k in range(count)]), initializers=[SCALE, tensor("c")])


def readers_behind_a_concat(count: int) -> bytes:
    nodes = [node("Concat", ["x", "x"], [f"c{k}"], integer("axis", 0)) for k in range(count)]
    nodes += [node("QuantizeLinear", [f"c{k}", "s", "z"], [f"q{k}"]) for k in range(count)]
    nodes += [node("DequantizeLinear", [f"q{k}", "s", "z"], [f"d{k}"]) for k in range(count)]
    nodes += [node("Concat", [f"d{k}" for k in range(count)], ["all"], integer("axis", 0)), *(node("Relu", ["all"], [f"y{k}"]) for k in range(count))]
    return given_model(nodes=nodes, outputs=of_any_shape([f"y{k}" for k in range(count)]), initializers=[SCALE, tensor("z", (), element_type=3, raw=bytes(1))])


def copies_in_both_branches(count: int) -> bytes:
    names = [f"y{k}" for k in range(count)]
    branches = [graph_attribute(f"{one}_branch", graph([node("Relu", ["x"], [one])], [], [field(1, one)] * count)) for one in ("then", "else")]
    return given_model(nodes=[node("If", ["c"], names, *branches)], inputs=[value("x", dims=("N",)), value("c", BOOL, ())], outputs=of_any_shape(names))


def of_function(count: int, inputs: list[str], outputs: list[str], nodes: list[bytes], type_: int = FLOAT) -> bytes:
    """A call of a function that no runtime takes as it is."""
    opsets = (("", 19), ("com.microsoft", 1))
    given_inputs, made = [f"x{k}" for k in range(len(inputs))], [f"y{k}" for k in range(len(outputs))]
    call = node("F", given_inputs, made, domain="d")
    values = [value(name, type_, (count,)) for name in given_inputs]
    return given_model(nodes=[call], inputs=values, outputs=of_any_shape(made), functions=[function("F", inputs, outputs, nodes, opsets)], opsets=(*opsets, ("d", 1)), ir_version=9)


def gelu(input_: str, output: str) -> bytes:
    return node("FastGelu", [input_], [output], domain="com.microsoft")


def function_of_many_inputs(count: int) -> bytes:
    names = [f"a{k}" for k in range(count)]
    return of_function(count, names, ["b"], [node("Sum", names, ["sum"]), gelu("sum", "b")])


def function_of_many_outputs(count: int) -> bytes:
    names = [f"b{k}" for k in range(count)]
    return of_function(count, ["a"], names, [gelu("a", "b"), *(node("Relu", ["b"], [name]) for name in names)])


def function_of_one_output_again_and_again(count: int) -> bytes:
    return of_function(count, ["a"], ["b"] * count, [gelu("a", "b")])


def function_whose_outputs_are_its_input(count: int) -> bytes:
    return of_function(count, ["a"], ["b"] + ["a"] * count, [gelu("a", "b")])


def function_of_many_inputs_of_8_bits(count: int) -> bytes:
    names = [f"a{k}" for k in range(count)]
    casts = [node("Cast", [name], [f"c{k}"], integer("to", FLOAT)) for k, name in enumerate(names)]
    return of_function(count, names, ["b"], [*casts, node("Sum", [f"c{k}" for k in range(count)], ["sum"]), gelu("sum", "b")], 17)


def function_of_lists(count: int) -> bytes:
    body = [node("Constant", [], ["k"], tensor_attribute("value", tensor("", (), INT64, bytes(8)))), node("SequenceAt", ["a0", "k"], ["c"]), gelu("c", "b")]
    callee = function("F", [f"a{k}" for k in range(count)], ["b"], body, (("", 18), ("com.microsoft", 1)))
    nodes = [node("SequenceConstruct", ["x"] * count, ["list"]), node("F", ["list"] * count, ["y"], domain="d")]
    return given_model(nodes=nodes, functions=[callee], opsets=(("", 18), ("com.microsoft", 1), ("d", 1)))


def calls_with_one_list(count: int) -> bytes:
    nodes = [node("SequenceConstruct", ["x"] * count, ["list"]), *(node("F", ["list", "k"], [f"y{k}"], domain="d") for k in range(count))]
    callee = function("F", ["a", "k"], ["b"], [node("SequenceAt", ["a", "k"], ["b"])])
    index = tensor("k", (), INT64, bytes(8))
    return given_model(nodes=nodes, outputs=[value(f"y{k}") for k in range(count)], initializers=[index], functions=[callee], opsets=(("", 18), ("d", 1)))


@pytest.mark.parametrize(("write", "count", "arguments"), [
    (outputs_of_the_model, 80_000, ("--target", "tract-0.23")),
    (signs_behind_identities, 8_000, ("--target", "mnn-3.6")), (signs_behind_casts, 8_000, ("--target", "mnn-3.6")),
    (bounds_behind_a_concat, 1_500, ("--target", "mnn-3.6")), (bounds_of_a_constant, 20_000, ("--target", "mnn-3.6")),
    (constants_behind_a_concat, 12_000, ("--target", "openvino-2024.6")), (readers_behind_a_concat, 25_000, ("--target", "openvino-2024.6")),
    (copies_in_both_branches, 80_000, ("--target", "openvino-2024.6")),
    (function_of_many_inputs, 120_000, ("--attach",)), (function_of_many_outputs, 120_000, ("--attach",)),
    (function_of_one_output_again_and_again, 4_000, ("--attach",)), (function_whose_outputs_are_its_input, 4_000, ("--attach",)),
    (function_of_many_inputs_of_8_bits, 40_000, ("--attach",)),
    (function_of_lists, 20_000, ("--attach",)), (calls_with_one_list, 20_000, ("--attach",)),
])
def test_much_that_is_asked_again_and_again(write, count: int, arguments: tuple, tmp_path: pathlib.Path) -> None:
    def seconds_for(number: int) -> float:
        became, seconds, _ = resources(write(number), tmp_path, *arguments)
        assert became != "failed"
        return seconds

    # A busy machine may take longer than that; the growth tells whether it is the machine.
    if not is_quick(seconds_for(count)):
        assert_grows_as_count(seconds_for, count)


def test_functions_that_call_the_next_one_twice(tmp_path: pathlib.Path) -> None:
    """They stay, and what each makes is asked for by what all that it calls make: 2^60 nodes, if each were looked at."""
    imports = '["" : 18, "d" : 1]'
    calls = "".join(f'<domain: "d", opset_import: {imports}> F{k} (a) => (b) {{ i = Cast <to = 7> (a)  f = Cast <to = 1> (a)  c = d.F{k + 1} (i)  e = d.F{k + 1} (f)  b = CastLike (c, e) }} ' for k in range(60))
    text = f'<ir_version: 8, opset_import: {imports}> g (float[2] x) => (float[2] y) {{ y = d.F0 (x) }} {calls} <domain: "d", opset_import: {imports}> F60 (a) => (b) {{ b = Relu (a) }}'
    content = onnx.parser.parse_model(text).SerializeToString()
    kept = [argument for k in range(61) for argument in ("--keep", f"d::F{k}")]
    became, seconds, memory = resources(content, tmp_path, *kept, "--target-opset", 15)
    assert became == "unchanged"
    assert_linear(content, seconds, memory)


def seconds_of(arguments: Sequence[object], status: int = tool.DONE) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = tool.run(arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.status == status, str(result)[:1000]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# So do files of rules.


def rules_of_many_operators(count: int) -> str:
    return "".join(f'<domain: "d", opset_import: ["" : 18]>\nF{k} (x) => (y) {{ y = Relu (x) }}\n' for k in range(count))


def many_rules_of_one_operator(count: int) -> str:
    return "".join(f'["where": "rank(x) == {k}"]\n<domain: "d", opset_import: ["" : 18]>\nF (x) => (y) {{ y = Relu (x) }}\n' for k in range(count))


def rule_of_many_attributes(count: int) -> str:
    """All used, one in each line."""
    declared = ",\n".join(f"a{k}: float" for k in range(count))
    nodes = "\n".join(f"v{k} = Elu <alpha = @a{k}> ({f'v{k - 1}' if k else 'x'})" for k in range(count))
    return f'<domain: "d", opset_import: ["" : 18]>\nF <{declared}> (x) => (y) {{\n{nodes}\ny = Relu (v{count - 1})\n}}\n'


@pytest.mark.parametrize(("write", "count", "arguments"), [
    (rules_of_many_operators, 20_000, ("--list-rules", "--rules")), (rules_of_many_operators, 20_000, ("--check-rules",)),
    (many_rules_of_one_operator, 15_000, ("--check-rules",)), (rule_of_many_attributes, 40_000, ("--list-rules", "--rules")),
])
def test_many_rules(write, count: int, arguments: tuple, tmp_path: pathlib.Path) -> None:
    rules = tmp_path / "rules.onnxtxt"

    def seconds(number: int) -> float:
        rules.write_text(write(number))
        return seconds_of([*arguments, rules])

    assert_grows_as_count(seconds, count)


# And what a function has many of, or a node, or the options name.

WITH_FUNCTIONS = (("", 18), ("d", 1))


def outputs_of_a_function(count: int) -> bytes:
    """That become its input."""
    outputs = [f"y{k}" for k in range(count)]
    functions = [function("F", ["a"], outputs, [node("CastLike", ["a", "a"], [output]) for output in outputs])]
    return given_model(nodes=[node("F", ["x"], outputs, domain="d")], outputs=[field(1, one) for one in outputs], opsets=WITH_FUNCTIONS, functions=functions)


def outputs_of_a_function_in_another(count: int) -> bytes:
    inner = function("G", ["a"], ["b"] + ["a"] * (count - 1), [node("Relu", ["a"], ["b"])])
    parts = [f"v{k}" for k in range(count)]
    outer = function("F", ["a"], ["b"], [node("G", ["a"], parts, domain="d"), node("Sum", parts, ["b"])], opsets=WITH_FUNCTIONS)
    return given_model(nodes=[node("F", ["x"], ["y"], domain="d")], opsets=WITH_FUNCTIONS, functions=[outer, inner])


def references_to_what_is_not_given(count: int) -> bytes:
    names = [f"k{k}" for k in range(count)]
    inner = node("G", ["a"], ["t"], *(reference(name, name, AttributeProto.FLOAT) for name in names), domain="d")
    other = graph_attribute("else_branch", graph([node("Relu", ["a"], ["e"])], [], [field(1, "e")]))
    choice = node("If", ["c"], ["b"], graph_attribute("then_branch", graph([inner], [], [field(1, "t")])), other)
    functions = [function("F", ["a", "c"], ["b"], [choice], opsets=WITH_FUNCTIONS, attributes=names), function("G", ["a"], ["b"], [node("Relu", ["a"], ["b"])])]
    return given_model(nodes=[node("F", ["x", "c"], ["y"], domain="d")], inputs=[X, value("c", BOOL, ())], opsets=WITH_FUNCTIONS, functions=functions)


def outputs_of_a_kept_node(count: int) -> bytes:
    outputs = [f"y{k}" for k in range(count)]
    nodes = [node("K", ["x"], [f"k{k}" for k in range(count)], domain="kept"), *(node("F", [f"k{k}"], [f"y{k}"], domain="d") for k in range(count))]
    functions = [function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])])]
    return given_model(nodes=nodes, outputs=[field(1, one) for one in outputs], opsets=(*WITH_FUNCTIONS, ("kept", 1)), functions=functions)


def named_dimensions(count: int) -> bytes:
    names = [f"d{k}" for k in range(count)]
    return given_model(inputs=[X, value("z", dims=names)])


@pytest.mark.parametrize(("write", "count", "arguments"), [
    (outputs_of_a_function, 100_000, ()), (outputs_of_a_function_in_another, 50_000, ()), (references_to_what_is_not_given, 100_000, ()), (outputs_of_a_kept_node, 100_000, ("--keep", "kept")),
    (named_dimensions, 50_000, ("--dim", "d0=1")),
])
def test_many_in_one(write, count: int, arguments: tuple, tmp_path: pathlib.Path) -> None:
    model = tmp_path / "in.onnx"

    def seconds(number: int) -> float:
        model.write_bytes(write(number))
        return seconds_of([model, "-o", tmp_path / "out.onnx", *arguments])

    assert_grows_as_count(seconds, count)


def test_many_keys_of_a_manifest(tmp_path: pathlib.Path) -> None:
    manifest = tmp_path / "models.jsonl"

    def seconds(number: int) -> float:
        manifest.write_text('{"input": "a.onnx", "output": "b.onnx", ' + ", ".join(f'"k{k}": 1' for k in range(number)) + "}\n")
        return seconds_of(["--manifest", manifest], tool.WRONG_USAGE)

    assert_grows_as_count(seconds, 40_000)


@pytest.mark.parametrize("container, made", [("a sequence", "s = SequenceConstruct (x, x)"), ("an optional", "s = Optional (x)")])
@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("operator", ["rknn_cst.cstThreshold <threshold = 0.5, value = 1.0>", "com.microsoft.Gelu", "d.Double"])
def test_an_operator_on_tensors_gets_no_list(operator: str, declared: bool, container: str, made: str) -> None:
    """No runtime loads what it would become, however the list comes about."""
    kind = "seq" if container == "a sequence" else "optional"
    values, nodes = (f"{kind}(float[N]) s", "") if declared else ("float[N] x", made)
    text = f'<ir_version: 8, opset_import: ["" : 18, "rknn_cst" : 1, "com.microsoft" : 1, "d" : 1]> g ({values}) => (float[N] y) {{ {nodes} y = {operator} (s) }}'
    text += ' <domain: "d", opset_import: ["" : 18]> Double (x) => (y) { y = Add (x, x) }'
    result = tool.lower(onnx.parser.parse_model(text).SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert f"cannot be {container} in version" in result.stderr, str(result)


def test_names_in_which_no_character_begins() -> None:
    """Of a long name, names of what is made repeat the beginning as far as a character ends there: here it is none of it."""
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 18, "com.microsoft" : 1]> g (float[4] x) => (float[4] y) { y = com.microsoft.FastGelu (x) }')
    model.graph.node[0].name = "N" * 300
    lowered = tool.lowered(model.SerializeToString().replace(b"N" * 300, b"\x80" * 300))
    assert b"/" in lowered and b"\x80" * 8 not in lowered
