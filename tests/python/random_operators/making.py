# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the families of operators share: how one is drawn, and what is known of results."""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from drawn_graphs import BFLOAT16, DOUBLE, EPSILON, FEEDABLE, FLOAT, FLOAT16, INT32, INT64, Scope, Unfit, Value

Maker = Callable[[Scope], object]
MAKERS: list[Maker] = []
WEIGHTS: list[float] = []

INTEGERS = (INT32, INT64)
NUMBERS = (FLOAT, FLOAT, FLOAT, DOUBLE, FLOAT16, INT32, INT64)
# Moving elements is defined for all types.
ANY = (FLOAT, FLOAT, FLOAT, INT64, *FEEDABLE)
# Of a float type, larger numbers lose what the comparison is about.
LARGEST = {FLOAT: 1e4, DOUBLE: 1e6, FLOAT16: 500.0, BFLOAT16: 60.0}


def makes(weight: float = 1.0) -> Callable[[Maker], Maker]:
    def register(maker: Maker) -> Maker:
        MAKERS.append(maker)
        WEIGHTS.append(weight)
        return maker

    return register


def some_node(scope: Scope) -> None:
    """One node more, or a few."""
    for _ in range(20):
        maker = scope.random.choices(MAKERS, WEIGHTS)[0]
        try:
            maker(scope)
            return
        except Unfit:
            continue


def some_nodes(scope: Scope, most: int) -> None:
    for _ in range(scope.random.randint(1, most)):
        if scope.drawing.nodes_left <= 0:
            return
        scope.drawing.nodes_left -= 1
        some_node(scope)


def result(element_type: int, shape: Sequence[int], bound: float = 0.0, error: float = 0.0, exact: bool = False) -> Value:
    """What an operator gives whose inputs' errors add up to `error`. `exact`: it makes multiples of 1/4 of multiples of 1/4."""
    shape = tuple(shape)
    if element_type not in EPSILON:
        return Value("", element_type, shape)
    if bound > LARGEST[element_type]:
        raise Unfit("too large")
    if exact and error == 0 and bound * 8 < 1 / EPSILON[element_type]:
        return Value("", element_type, shape, bound)
    # Each operator rounds a few times on its way, and a rule may round at other places.
    error += 16 * EPSILON[element_type] * max(bound, 1)
    if error > 0.05 * max(bound, 1):
        raise Unfit("rounding would be larger than the values")
    return Value("", element_type, shape, bound, error)


def like(value: Value, *, bound: float | None = None, slope: float = 1.0, exact: bool = False, shape: Sequence[int] | None = None) -> Value:
    """Of the type of an input, whose errors it makes `slope` times as large."""
    return result(value.type, value.shape if shape is None else shape, value.bound if bound is None else bound, value.error * slope, exact)


def moved(value: Value, shape: Sequence[int]) -> Value:
    """The same elements, or some of them."""
    return Value("", value.type, tuple(shape), value.bound, value.error)


def axis_of(scope: Scope, rank: int) -> int:
    return scope.random.randint(-rank, rank - 1)


def some_axes(scope: Scope, rank: int, least: int = 1) -> list[int]:
    axes = scope.random.sample(range(rank), scope.random.randint(least, rank))
    return [axis - rank if scope.chance(0.3) else axis for axis in axes]


def ints(scope: Scope, numbers: Sequence[int]) -> Value:
    return scope.constant(np.array(numbers, np.int64))


def broadcast(scope: Scope, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that goes together with another one and does not change it."""
    kept = shape[scope.random.randint(0, len(shape)) :] if scope.chance(0.4) else shape
    return tuple(1 if length != 0 and scope.chance(0.25) else length for length in kept)


def pair(scope: Scope, types: Sequence[int], **conditions) -> tuple[Value, Value]:
    """Two tensors of one type whose shapes go together, in either order; sometimes the same one twice."""
    one = scope.read(types, **conditions)
    if scope.chance(0.1):
        return one, one
    other = scope.read([one.type], shape=broadcast(scope, one.shape), **{key: value for key, value in conditions.items() if key in ("exact", "bound")})
    return (one, other) if scope.chance(0.7) else (other, one)


def together(*values: Value) -> tuple[int, ...]:
    return tuple(np.broadcast_shapes(*(value.shape for value in values)))
