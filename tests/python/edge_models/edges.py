# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Shapes, axes, types and elements at the edges of what an operator takes, and the table of what draws a node of each operator."""
from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

from contrib_nodes import Draw, node
from definition import Case

HUGE = 2**63 - 1
# Element types that ONNX Runtime's Python takes and gives.
FEEDABLE = {f"tensor({name})": dtype for name, dtype in {
    "float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_, "string": np.str_, "int8": np.int8, "int16": np.int16, "int32": np.int32,
    "int64": np.int64, "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64}.items()}  # fmt: skip


class Edges(Draw):
    """What a node of an operator at an opset is drawn with."""

    def __init__(self, seed: Sequence[int], operator: str, opset: int) -> None:
        super().__init__(seed)
        self.operator, self.opset = operator, opset

    # Sizes.

    def length(self) -> int:
        return self.one_of(0, 1, 1, 2, 2, 3, 3, 4, 5) if self.chance(0.5) else self.size(1, 4)

    def shape(self, low: int = 0, high: int = 7) -> tuple[int, ...]:
        """Of rank low to high, mostly of a small one; with a dimension of size 0 now and then."""
        rank = min(max(self.one_of(0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7), low), high)
        return tuple(self.length() if rank < 5 else self.one_of(1, 1, 2, 2, 3, 0 if self.chance(0.1) else 1) for _ in range(rank))

    def filled(self, low: int = 0, high: int = 5, longest: int = 4) -> tuple[int, ...]:
        """A shape without a dimension of size 0."""
        return self.dims(self.size(low, high), 1, longest)

    def broadcast(self, shape: Sequence[int]) -> tuple[int, ...]:
        """A shape that goes with the other one: some of its last dimensions, of which some are 1."""
        first = self.size(0, len(shape)) if self.chance(0.5) else 0
        return tuple(1 if self.chance(0.3) else size for size in shape[first:])

    def axis(self, rank: int) -> int:
        """Counted from the end every other time, at older opsets less often: there it is not said that this can be done."""
        axis = self.size(0, max(rank, 1) - 1)
        return axis - rank if rank and self.chance(0.5 if self.opset >= 11 else 0.1) else axis

    def axes(self, rank: int, low: int = 0) -> list[int]:
        chosen = self.generator.permutation(rank)[: self.size(min(low, rank), rank)]
        return [int(axis) - (rank if self.chance(0.4 if self.opset >= 11 else 0.05) else 0) for axis in chosen]

    # Types.

    def type(self, parameter: str = "T", *without: Any) -> Any:
        """Of those that the operator takes at this opset and ONNX Runtime has a kernel for; float32 every other time."""
        types = [dtype for dtype in types_of(self.operator, self.opset, parameter) if dtype not in without]
        if not types:
            return np.float32
        return np.float32 if np.float32 in types and self.chance(0.4) else self.one_of(*types)

    # Elements.

    def specials(self, dtype: Any) -> list[Any]:
        if np.dtype(dtype).kind == "f":
            info = np.finfo(dtype)
            return [math.nan, math.inf, -math.inf, -0.0, 0.0, info.smallest_subnormal, -info.smallest_subnormal, info.tiny / 2, info.tiny, info.max, -info.max, 1.0, -1.0,
                    0.5, -0.5, 1.5, 2.5, -1.5, 1 + info.eps]  # fmt: skip
        info = np.iinfo(dtype)
        return [info.min, info.max, info.min + 1, info.max - 1, 0, 1, info.max // 2]

    def values(self, *shape: int, dtype: Any = np.float32) -> np.ndarray:  # type: ignore[override]
        """Ordinary numbers, those at an edge of the type, or a few of these among others."""
        if np.dtype(dtype).kind in "bU":
            return super().values(*shape, dtype=dtype)
        found = super().values(*shape, dtype=dtype)
        if self.chance(0.35):
            return found
        edges = np.array(self.specials(dtype)).astype(dtype) if np.dtype(dtype).kind == "f" else np.array(self.specials(dtype), dtype=object).astype(dtype)
        chosen = self.generator.random(shape) < self.one_of(0.1, 0.3, 1.0)
        return np.where(chosen, edges[self.generator.integers(0, len(edges), shape)], found).astype(dtype)

    def summable(self, *shape: int, dtype: Any = np.float32) -> np.ndarray:
        """What may be added up in any order: small numbers, with infinities and what is not a number among them; or integers."""
        found = super().values(*shape, dtype=dtype)
        if np.dtype(dtype).kind == "f" and self.chance(0.4):
            special = np.array(self.one_of([math.nan], [math.inf], [-math.inf], [-0.0, 0.0], [math.inf, -math.inf], [math.nan, math.inf], [np.finfo(dtype).smallest_subnormal]), dtype)
            chosen = self.generator.random(shape) < self.one_of(0.1, 0.5)
            found = np.where(chosen, special[self.generator.integers(0, len(special), shape)], found).astype(dtype)
        return found

    def parameter(self, *usual: float) -> float:
        """A number for an attribute."""
        return float(np.float32(self.one_of(*usual, 0.0, -0.0, 1.0, -1.0, self.scalar(-3, 3), 1e-30, 3e38, math.inf, -math.inf, math.nan) if self.chance(0.4) else self.one_of(*usual)))

    def listed(self, values: Iterable[int], dtype: Any = np.int64) -> np.ndarray:
        return np.array([int(value) for value in values], dtype)


def few(edges: Edges, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """With the same element at several places, and none that is no number."""
    some = edges.values(3, dtype=dtype)
    if np.dtype(dtype).kind == "f":
        some = np.nan_to_num(some)
    return some[edges.integers(0, 2, *shape)]


@functools.lru_cache(maxsize=None)
def types_of(operator: str, opset: int, parameter: str) -> tuple[Any, ...]:
    schema = onnx.defs.get_schema(operator, opset, "")
    allowed = next((constraint.allowed_type_strs for constraint in schema.type_constraints if constraint.type_param_str == parameter), [])
    having = kernel_types().get(operator, [])
    kernels = {name for first, last, types in having if first <= opset <= last for name in types.get(parameter, allowed)}
    return tuple(FEEDABLE[name] for name in sorted(set(allowed) & (kernels or set(allowed))) if name in FEEDABLE)


@functools.lru_cache(maxsize=1)
def kernel_types() -> dict[str, list[tuple[int, int, dict[str, list[str]]]]]:
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_opkernel_def

    found: dict[str, list[tuple[int, int, dict[str, list[str]]]]] = {}
    for kernel in get_all_opkernel_def():
        if kernel.domain == "" and kernel.provider == "CPUExecutionProvider":
            found.setdefault(kernel.op_name, []).append((*kernel.version_range, kernel.type_constraints))
    return found


# How near the result has to be.
EXACT = "exact"  # it is moved, compared, counted, or an integer
ROUNDED = "rounded"  # each element on its own
SUMS = "sums"  # of several elements, in any order

Recipe = Callable[[Edges], Case]
RECIPES: dict[str, tuple[Recipe, str]] = {}


def draws(*operators: str, near: str = EXACT) -> Callable[[Recipe], Recipe]:
    """Says of which operators a function draws nodes; Edges.operator tells it which one is meant."""

    def register(recipe: Recipe) -> Recipe:
        for operator in operators:
            RECIPES[operator] = (recipe, near)
        return recipe

    return register


def first_opset(operator: str) -> int:
    return max(7, min(schema.since_version for schema in schemas_by_name()[operator]))


@functools.lru_cache(maxsize=1)
def schemas_by_name() -> dict[str, list[onnx.defs.OpSchema]]:
    found: dict[str, list[onnx.defs.OpSchema]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            found.setdefault(schema.name, []).append(schema)
    return found


def tensor_type(dtype: Any) -> int:
    return onnx.TensorProto.STRING if dtype is np.str_ else helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


__all__ = ["Case", "EXACT", "Edges", "HUGE", "RECIPES", "ROUNDED", "SUMS", "draws", "few", "first_opset", "node", "tensor_type"]
