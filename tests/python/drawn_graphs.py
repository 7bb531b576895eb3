# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Graphs and functions that are being drawn at random, for random_models.py.

Each value knows its element type and shape, how large its elements may be, and how far rounding may have moved them. Operators that are not continuous read only
values that no rounding has touched, so that what a model gives can be compared as exactly as the arithmetic allows.
"""
from __future__ import annotations

import contextlib
import dataclasses
import functools
import random
from collections.abc import Iterator, Sequence

import ml_dtypes
import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper

FLOAT, DOUBLE, FLOAT16, BFLOAT16 = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16
INT8, INT16, INT32, INT64 = TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64
UINT8, UINT16, UINT32, UINT64 = TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64
BOOL, STRING = TensorProto.BOOL, TensorProto.STRING
SIGNED = (INT8, INT16, INT32, INT64)
UNSIGNED = (UINT8, UINT16, UINT32, UINT64)
FLOATS = (FLOAT, DOUBLE, FLOAT16)
# What the runtime's Python interface takes as an input and gives as an output.
FEEDABLE = (*FLOATS, *SIGNED, *UNSIGNED, BOOL, STRING)
# The distance of 1 to the next number.
EPSILON = {FLOAT: 2.0**-23, DOUBLE: 2.0**-52, FLOAT16: 2.0**-10, BFLOAT16: 2.0**-7}

# Names that a tool may well invent itself, and names that are legal though nobody expects them.
NAMES = ["x", "y", "t", "a", "b", "X", "Y", "low", "tx", "vx", "n/low", "n/t", "n_t", "t_1", "y_0", "y_1", "ä", "a b", "0", "::", "node:n", "axes", "cond", "ten", "n/x", "n/y", "out", "min"]
NODE_NAMES = ["", "", "n", "n_1", "low", "t", "/block/threshold", "ü", "x", "call"]


class Unfit(Exception):
    """The operator does not exist here, or nothing that it could read does."""


@dataclasses.dataclass(frozen=True)
class Value:
    name: str
    type: int  # a TensorProto.DataType, of the items where it is a sequence
    shape: tuple[int, ...]
    bound: float = 0.0  # no element of a float type is larger
    error: float = 0.0  # how far rounding may have moved an element; then 0 means a multiple of 1/4
    items: int | None = None  # of a sequence, all of this shape
    is_optional: bool = False

    @property
    def is_tensor(self) -> bool:
        return self.items is None and not self.is_optional

    @property
    def is_exact(self) -> bool:
        return self.error == 0

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def named(self, name: str) -> Value:
        return dataclasses.replace(self, name=name)

    def type_proto(self, dimensions: Sequence[int | str | None] | None) -> onnx.TypeProto:
        proto = helper.make_tensor_type_proto(self.type, dimensions)
        if self.items is not None:
            proto = helper.make_sequence_type_proto(proto)
        return helper.make_optional_type_proto(proto) if self.is_optional else proto


@functools.lru_cache(maxsize=None)
def exists(op_type: str, opset: int, domain: str = "") -> bool:
    try:
        return not onnx.defs.get_schema(op_type, opset, domain).deprecated
    except onnx.defs.SchemaError:
        return False


class Drawing:
    """What is being drawn: the random numbers, the model's own properties, and what all of its graphs share."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.arrays = np.random.default_rng(seed)
        self.opset = self.random.randint(7, 26)
        # IR version 3 knows no initializer that is no input, and functions come with 8.
        newest = 13 if self.opset > 24 else 12
        self.ir_version = self.random.choice([3, *range(4, newest + 1), *[max(8, 10)] * 4])
        self.custom = self.opset >= 9 and self.chance(0.4)
        self.nodes_left = self.random.choice([0, 1, 3, 5, 8, 12, 16, 20])
        self.functions: list[Function] = []
        self.function_keys: set[tuple[str, str, str]] = set()
        self.domains: set[str] = set()
        self.main = Scope(self, self.opset)
        self.inputs: list[onnx.ValueInfoProto] = []
        self.feeds: dict[str, object] = {}
        self.overridden: dict[str, object] = {}
        # Names that a graph got while graphs inside were being made: these must not take them, neither before nor after.
        self.lifted: set[str] = set()
        self.every_name: set[str] = set()

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def array(self, element_type: int, shape: Sequence[int]) -> np.ndarray:
        """Elements that every type holds exactly: multiples of 1/4 up to 4, and small numbers."""
        shape = tuple(shape)
        if element_type == STRING:
            return np.array([self.random.choice(["", "a", "B", "a b", "ä", "1.5", "-2"]) for _ in range(int(np.prod(shape)))], object).reshape(shape)
        if element_type == BOOL:
            return np.asarray(self.arrays.integers(0, 2, shape)).astype(bool)
        if element_type in EPSILON:
            return np.asarray(self.arrays.integers(-16, 17, shape) / 4).astype(ml_dtypes.bfloat16 if element_type == BFLOAT16 else helper.tensor_dtype_to_np_dtype(element_type))
        low = 0 if element_type in UNSIGNED else -6
        return np.asarray(self.arrays.integers(low, 7, shape)).astype(helper.tensor_dtype_to_np_dtype(element_type))

    def main_input(self, array: np.ndarray, element_type: int) -> Value:
        """A new input of the model, which every graph but a function's may read."""
        bound = float(np.max(np.abs(array.astype(np.float64)), initial=0)) if element_type in EPSILON else 0.0
        value = Value(self.main.fresh(lifted=True), element_type, array.shape, bound)
        self.inputs.append(self.info(value))
        self.feeds[value.name] = array
        self.main.values.append(value)
        return value

    def list_input(self, element_type: int) -> Value:
        shape, items = self.shape(2), self.random.randint(1, 3)
        arrays = [self.array(element_type, shape) for _ in range(items)]
        value = Value(self.main.fresh(lifted=True), element_type, shape, 4.0 if element_type in EPSILON else 0.0, items=items)
        self.inputs.append(self.info(value))
        self.feeds[value.name] = arrays
        self.main.values.append(value)
        return value

    def shape(self, most: int = 3) -> tuple[int, ...]:
        rank = self.random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4][: 2 * most + 1])
        return tuple(0 if self.chance(0.02) else self.random.randint(1, 4) for _ in range(rank))

    def dimensions(self, value: Value) -> list[int | str | None] | None:
        """What a declaration says of a shape: everything, names, or nothing."""
        kind = self.random.choice(["static", "static", "names", "names", "unknown", "unranked"])
        if kind == "unranked" and value.shape:
            return None
        if kind == "static":
            return list(value.shape)
        # A name says that dimensions are equal, so it is taken for one length only.
        return [None if kind == "unknown" or self.chance(0.1) else f"d{length}" if self.chance(0.8) else length for length in value.shape]

    def info(self, value: Value, ranked: bool = False) -> onnx.ValueInfoProto:
        """A declaration; of a scalar's shape it says everything, since ONNX Runtime wants it of some inputs."""
        dimensions = self.dimensions(value)
        return helper.make_value_info(value.name, value.type_proto([None] * len(value.shape) if ranked and dimensions is None else dimensions))


@dataclasses.dataclass
class Function:
    proto: onnx.FunctionProto
    parameters: list[Value]
    results: list[Value]
    attributes: dict[str, AttributeProto]  # what the calls give; those with a default may be left out
    level: int  # of functions that it calls


class Scope:
    """A graph that is being made: its nodes, and the values that they may read."""

    def __init__(self, drawing: Drawing, opset: int, outer: Scope | None = None) -> None:
        self.drawing = drawing
        self.opset = opset
        self.outer = outer
        self.depth = outer.depth + 1 if outer else 0
        self.function: FunctionScope | None = outer.function if outer else None
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[TensorProto] = []
        self.sparse_initializers: list[onnx.SparseTensorProto] = []
        self.used: set[str] = set(outer.used) if outer else set()
        self.node_names: set[str] = set()
        self.values: list[Value] = []

    # --- chance

    @property
    def random(self) -> random.Random:
        return self.drawing.random

    def chance(self, probability: float) -> bool:
        return self.drawing.chance(probability)

    def choice(self, options: Sequence):
        return self.random.choice(options)

    # --- names and values

    def fresh(self, lifted: bool = False) -> str:
        base = self.choice(NAMES)
        name, number = base, 0
        while name in (self.drawing.every_name if lifted else self.used) or name in self.drawing.lifted:
            number += 1
            name = f"{base}_{number}"
        self.used.add(name)
        self.drawing.every_name.add(name)
        if lifted:
            self.drawing.lifted.add(name)
        return name

    def node_name(self) -> str:
        name = self.choice(NODE_NAMES)
        if name in self.node_names:
            return ""
        self.node_names.add(name)
        return name

    def visible(self) -> Iterator[Value]:
        yield from self.values
        if self.outer is not None:
            yield from self.outer.visible()

    def read(self, types: Sequence[int], *, rank: int | None = None, least_rank: int = 0, shape: tuple[int, ...] | None = None, exact: bool = False, bound: float = 1e4, filled: bool = False) -> Value:
        """A tensor that is there, or a new one."""

        def fits(value: Value) -> bool:
            return (
                value.is_tensor
                and value.type in types
                and (rank is None or len(value.shape) == rank)
                and len(value.shape) >= least_rank
                and (shape is None or value.shape == shape)
                and (not exact or value.is_exact)
                and value.bound <= bound
                and (not filled or value.size > 0)
            )

        if not types:
            raise Unfit("no type")
        found = [value for value in self.visible() if fits(value)]
        if found and self.chance(0.85):
            return self.choice(found)
        if shape is None:
            if rank is None:
                rank = max(least_rank, len(self.drawing.shape()))
            shape = tuple(0 if not filled and self.chance(0.02) else self.random.randint(1, 4) for _ in range(rank))
        return self.new(self.choice(types), shape)

    def read_sequence(self) -> Value:
        found = [value for value in self.visible() if value.items is not None and not value.is_optional]
        if not found:
            raise Unfit("no sequence is there")
        return self.choice(found)

    def new(self, element_type: int, shape: Sequence[int]) -> Value:
        """A new tensor: a graph input or a constant."""
        array = self.drawing.array(element_type, shape)
        if element_type in FEEDABLE and self.function is None and self.chance(0.5):
            return self.drawing.main_input(array, element_type)
        return self.constant(array, element_type, may_change=True)

    def constant(self, array: object, element_type: int | None = None, may_change: bool = False) -> Value:
        """In one of the ways in which a model holds a constant. `may_change`: as a default of a graph input it may be given other elements."""
        array = np.asarray(array)
        if element_type is None:
            element_type = STRING if array.dtype.kind in "OU" else helper.np_dtype_to_tensor_dtype(array.dtype)
        bound = float(np.max(np.abs(array.astype(np.float64)), initial=0)) if element_type in EPSILON else 0.0
        on_grid = element_type not in EPSILON or bool(np.all(array.astype(np.float64) * 4 % 1 == 0))
        value = Value("", element_type, array.shape, bound, 0.0 if on_grid else EPSILON[element_type] * max(bound, 1))
        tensor = self.tensor(array, element_type)
        in_function_itself = self.function is self
        if in_function_itself or self.chance(0.3) and (self.opset >= 9 or element_type in FLOATS):
            return self.constant_node(value, tensor)
        if self.drawing.ir_version < 4 and self.function is not None:
            return self.constant_node(value, tensor)
        owner = self.drawing.main if self.drawing.ir_version < 4 or self.function is None and self.chance(0.5) else self
        if owner is not self and self.outer is not None and not owner.can_define_from(self):
            return self.constant_node(value, tensor)
        tensor.name = owner.fresh(lifted=owner is not self)
        value = value.named(tensor.name)
        if owner.is_sparse_material(array, element_type):
            owner.add_sparse(tensor, array)
        else:
            owner.initializers.append(tensor)
            if owner is self.drawing.main and (self.drawing.ir_version < 4 or self.chance(0.15)):
                self.drawing.inputs.append(helper.make_tensor_value_info(tensor.name, element_type, array.shape))
                # Before IR version 4 the runtime takes them for constants.
                if may_change and self.drawing.ir_version >= 4 and self.chance(0.5):
                    self.drawing.overridden[tensor.name] = np.asarray(np.flip(array))
        owner.values.append(value)
        return value

    def can_define_from(self, inner: Scope) -> bool:
        """A name of this graph that its graphs inside, as far as they are made, do not have."""
        scope: Scope | None = inner
        while scope is not None and scope is not self:
            if scope is scope.function:
                return False
            scope = scope.outer
        return scope is self

    def tensor(self, array: np.ndarray, element_type: int) -> TensorProto:
        if element_type == STRING:
            return helper.make_tensor("", STRING, array.shape, [str(text).encode() for text in array.flatten()])
        if self.chance(0.3) and element_type not in (BFLOAT16,):
            return helper.make_tensor("", element_type, array.shape, array.flatten())  # in the field of its type
        return numpy_helper.from_array(array)

    def is_sparse_material(self, array: np.ndarray, element_type: int) -> bool:
        return self is self.drawing.main and self.drawing.ir_version >= 5 and element_type in (FLOAT, DOUBLE) and array.ndim > 0 and array.size > 0 and self.chance(0.05)

    def add_sparse(self, tensor: TensorProto, array: np.ndarray) -> None:
        flat = array.flatten()
        positions = np.flatnonzero(flat).astype(np.int64)
        self.sparse_initializers.append(helper.make_sparse_tensor(numpy_helper.from_array(flat[positions], tensor.name), numpy_helper.from_array(positions), array.shape))

    def constant_node(self, value: Value, tensor: TensorProto) -> Value:
        if self.opset < 9 and value.type not in FLOATS:
            raise Unfit("Constant makes floats")
        attributes: dict[str, object] = {"value": tensor}
        if self.opset >= 12 and len(value.shape) <= 1 and value.size > 0 and self.chance(0.4):
            kind = {FLOAT: "float", INT64: "int", STRING: "string"}.get(value.type)
            if kind is not None:
                items = list(tensor.string_data) if value.type == STRING else numpy_helper.to_array(tensor).flatten().tolist()
                attributes = {f"value_{kind}s": items} if value.shape else {f"value_{kind}": items[0]}
        return self.emit("Constant", [], [value], **attributes)[0]

    # --- nodes

    def emit(self, op_type: str, inputs: Sequence[Value | None], results: Sequence[Value | None], domain: str = "", overload: str = "", least_inputs: int = 0, **attributes: object) -> list[Value]:
        """Adds a node. A result that is None gets no name; the others are returned with theirs."""
        if not domain and not exists(op_type, self.opset):
            raise Unfit(op_type)
        names = [value.name if value is not None else "" for value in inputs]
        while len(names) > least_inputs and not names[-1]:
            names.pop()
        outputs = [value.named(self.fresh()) if value is not None else None for value in results]
        node = helper.make_node(op_type, names, [value.name if value else "" for value in outputs], name=self.node_name(), domain=domain)
        if overload:
            node.overload = overload
        if self.drawing.ir_version >= 10 and self.chance(0.05):
            node.metadata_props.add(key="origin", value="line 7")
        for name, given in attributes.items():
            node.attribute.append(self.attribute(op_type, name, given))
        self.nodes.append(node)
        made = [value for value in outputs if value is not None]
        self.values += made
        self.drawing.domains.add(domain)
        if self.function is not None:
            self.function.domains.add(domain)
        return made

    def attribute(self, op_type: str, name: str, given: object) -> AttributeProto:
        attribute = given if isinstance(given, AttributeProto) else helper.make_attribute(name, given, attr_type=AttributeProto.INTS if given == [] else None)
        attribute.name = name
        if self.function is not None and attribute.type not in (AttributeProto.GRAPH, AttributeProto.GRAPHS) and not attribute.ref_attr_name and self.chance(0.35):
            return self.function.handed_in(attribute)
        return attribute

    # --- graphs inside

    @contextlib.contextmanager
    def graph_inside(self) -> Iterator[Scope]:
        inside = Scope(self.drawing, self.opset, self)
        yield inside
        self.used |= inside.used  # a graph may not define later what a graph inside has defined

    def graph(self, name: str, inputs: Sequence[Value], outputs: Sequence[Value], ranked: bool = False) -> onnx.GraphProto:
        infos = [[self.drawing.info(value, ranked) for value in values] for values in (inputs, outputs)]
        return helper.make_graph(self.nodes, name, *infos, self.initializers, sparse_initializer=self.sparse_initializers)

    def own(self, value: Value) -> Value:
        """The same value, made by a node of this graph."""
        return self.emit("Identity", [value], [value])[0]


class FunctionScope(Scope):
    """The body of a function that is being made."""

    def __init__(self, drawing: Drawing, opset: int, parameters: Sequence[Value]) -> None:
        super().__init__(drawing, opset)
        self.function = self
        self.depth = 1
        self.domains: set[str] = set()
        self.attributes: dict[str, AttributeProto] = {}
        self.level = 0
        self.parameters = [value.named(self.fresh()) for value in parameters]
        self.values += self.parameters

    def handed_in(self, attribute: AttributeProto) -> AttributeProto:
        """A reference to an attribute of the function, which the calls give."""
        same = [name for name, other in self.attributes.items() if other.type == attribute.type and content(other) == content(attribute)]
        name = self.choice(same) if same else self.new_attribute(attribute)
        return AttributeProto(name=attribute.name, type=attribute.type, ref_attr_name=name)

    def new_attribute(self, attribute: AttributeProto) -> str:
        name, number = self.choice([attribute.name, "alpha", "axis", "k"]), 0
        while name in self.attributes:
            number += 1
            name = f"k{number}"
        given = AttributeProto()
        given.CopyFrom(attribute)
        given.name = name
        self.attributes[name] = given
        return name


def content(attribute: AttributeProto) -> bytes:
    copy = AttributeProto()
    copy.CopyFrom(attribute)
    copy.name = ""
    return copy.SerializeToString(deterministic=True)
