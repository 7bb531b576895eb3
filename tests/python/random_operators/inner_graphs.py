# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""If, Loop and Scan, whose graphs read values from outside."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from drawn_graphs import BOOL, DOUBLE, EPSILON, FEEDABLE, FLOAT, INT64, Scope, Unfit, Value
from random_operators.making import makes, some_nodes


def inner_nodes(scope: Scope) -> None:
    some_nodes(scope, 3)


def result_of(inside: Scope, wanted: Value | None, types: Sequence[int] = FEEDABLE) -> Value:
    """What a graph inside gives: a value of its own, of the type and shape that are wanted."""
    own = [value for value in inside.values if value.is_tensor and value.type in types and any(value.name in node.output for node in inside.nodes)]
    if wanted is None:
        if own and inside.chance(0.9):
            return inside.choice(own)
        return inside.own(inside.read(types))
    fitting = [value for value in own if (value.type, value.shape) == (wanted.type, wanted.shape)]
    if fitting:
        return inside.choice(fitting)
    value = inside.read([wanted.type], shape=wanted.shape)
    return inside.own(value)


def truth(scope: Scope) -> Value:
    if scope.chance(0.3):
        return scope.constant(np.array(scope.chance(0.5)))
    value = scope.read([BOOL], shape=())
    return value


@makes(2.5)
def conditional(scope: Scope):
    if scope.depth > 3:
        raise Unfit("deep enough")
    condition = truth(scope)
    graphs, results = [], []
    wanted: list[Value | None] = [None] * scope.random.choice([1, 1, 1, 2])
    used = set(scope.used)
    inner: set[str] = set()
    for branch in ("then_branch", "else_branch"):
        scope.used = set(used)  # the branches do not see each other, and may have the same names
        with scope.graph_inside() as inside:
            inner_nodes(inside)
            given = [result_of(inside, one) for one in wanted]
            if len({value.name for value in given}) < len(given):
                given = [inside.own(value) for value in given]
            graphs.append(inside.graph(branch, [], given))
        inner |= scope.used
        results.append(given)
        wanted = list(given)
    scope.used = inner
    given = [Value("", one.type, one.shape, max(one.bound, other.bound), max(one.error, other.error)) for one, other in zip(*results)]
    scope.emit("If", [condition], given, then_branch=graphs[0], else_branch=graphs[1])


@makes(1.5)
def loop(scope: Scope):
    """Trips and condition are each there or not; values are carried, captured, and collected."""
    if scope.depth > 3 or scope.opset < 8 and scope.function:
        raise Unfit("deep enough")
    trips = scope.random.randint(1, 3)
    carried = [scope.read([FLOAT, INT64, DOUBLE]) for _ in range(scope.random.randint(0 if scope.opset >= 11 else 1, 2))]
    with_condition = scope.chance(0.5)
    condition = scope.constant(np.array(True)) if with_condition else None
    with scope.graph_inside() as inside:
        iteration, going = Value(inside.fresh(), INT64, ()), Value(inside.fresh(), BOOL, ())
        # Each time round, rounding adds up.
        parameters = [Value(inside.fresh(), value.type, value.shape, value.bound * 2**trips + trips, value.error * 4**trips) for value in carried]
        inside.values += [iteration, going, *parameters]
        inner_nodes(inside)
        still = inside.emit("Identity", [going], [going])[0]
        given = []
        for value, parameter in zip(carried, parameters):
            if value.type in EPSILON:
                fitting = [one for one in inside.values if one.is_tensor and (one.type, one.shape) == (value.type, value.shape) and one.bound <= parameter.bound and one.error <= parameter.error and one is not parameter]
                given.append(inside.own(inside.choice(fitting) if fitting else parameter))
            else:
                given.append(inside.own(result_of(inside, value)))
        collected = [inside.own(result_of(inside, None, [FLOAT, INT64, BOOL])) for _ in range(scope.random.randint(0 if carried else 1, 1))]
        graph = inside.graph("body", [iteration, going, *parameters], [still, *given, *collected])
    results = [Value("", value.type, value.shape, parameter.bound, parameter.error) for value, parameter in zip(carried, parameters)]
    results += [Value("", value.type, (trips, *value.shape), value.bound, value.error) for value in collected]
    # None of them is left out: ONNX Runtime 1.31 crashes on that.
    count = scope.constant(np.array(trips, np.int64))
    scope.emit("Loop", [count, condition, *carried], results, least_inputs=2, body=graph)


@makes(0.5)
def loop_over_a_list(scope: Scope):
    """A sequence that grows with each trip."""
    if scope.opset < 13 or scope.depth > 3:
        raise Unfit("sequences")
    value = scope.read_sequence()
    trips = scope.random.randint(1, 3)
    with scope.graph_inside() as inside:
        iteration, going = Value(inside.fresh(), INT64, ()), Value(inside.fresh(), BOOL, ())
        carried = value.named(inside.fresh())
        inside.values += [iteration, going]
        inner_nodes(inside)
        added = inside.read([value.type], shape=value.shape)
        still = inside.emit("Identity", [going], [going])[0]
        longer = inside.emit("SequenceInsert", [carried, added], [value])[0]
        graph = inside.graph("body", [iteration, going, carried], [still, longer])
    given = Value("", value.type, value.shape, max(value.bound, added.bound), max(value.error, added.error), (value.items or 0) + trips)
    scope.emit("Loop", [scope.constant(np.array(trips, np.int64)), None, value], [given], body=graph)


@makes(0.7)
def scan(scope: Scope):
    if scope.opset < 9 or scope.depth > 3:
        raise Unfit("Scan")
    value = scope.read([FLOAT, INT64], least_rank=1, filled=True)
    state = scope.read([value.type], shape=value.shape[1:], exact=True)
    length = value.shape[0]
    with scope.graph_inside() as inside:
        before, item = (Value(inside.fresh(), value.type, value.shape[1:], bound, value.error) for bound in (state.bound + length * value.bound, value.bound))
        inside.values += [before, item]
        inner_nodes(inside)
        after = inside.emit("Add", [before, item], [Value("", value.type, value.shape[1:], before.bound, 0)])[0]
        each = inside.own(result_of(inside, None, [FLOAT, INT64]))
        graph = inside.graph("body", [before, item], [after, each], ranked=True)
    if value.error or state.bound + length * value.bound > 1e3:
        raise Unfit("rounding adds up")
    scope.emit(
        "Scan",
        [state, value],
        [Value("", value.type, value.shape[1:], state.bound + length * value.bound), Value("", each.type, (length, *each.shape), each.bound, each.error)],
        body=graph,
        num_scan_inputs=1,
        **({"scan_input_directions": [1]} if scope.chance(0.3) else {}),
    )
