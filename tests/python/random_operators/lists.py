# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators on text, on sequences, and on what may not be there."""
from __future__ import annotations

import numpy as np

from drawn_graphs import BOOL, EPSILON, FLOAT, INT64, STRING, Scope, Unfit, Value, exists
from random_operators.making import axis_of, broadcast, makes, moved, pair, result, together


@makes(0.5)
def text(scope: Scope):
    kind = scope.choice(["StringConcat", "StringNormalizer", "RegexFullMatch"])
    if kind == "StringConcat":
        one, other = pair(scope, [STRING])
        scope.emit(kind, [one, other], [result(STRING, together(one, other))])
    elif kind == "StringNormalizer":
        if scope.opset < 10:
            raise Unfit(kind)
        value = scope.read([STRING], rank=1, filled=True)
        scope.emit(kind, [value], [moved(value, value.shape)], case_change_action=scope.choice(["UPPER", "LOWER"]), is_case_sensitive=1, locale="C")
    else:
        value = scope.read([STRING])
        scope.emit(kind, [value], [result(BOOL, value.shape)], pattern="a.*")


@makes(0.3)
def list_from_outside(scope: Scope):
    """A sequence that is an input of the model."""
    if scope.opset < 11 or scope.function is not None:
        raise Unfit("sequences")
    scope.drawing.list_input(scope.choice([FLOAT, INT64]))


def sequence_of(value: Value, items: int) -> Value:
    return Value("", value.type, value.shape, value.bound, value.error, items)


@makes(1)
def sequences(scope: Scope):
    if scope.opset < 11:
        raise Unfit("sequences")
    kind = scope.choice(["SequenceConstruct", "SequenceAt", "SequenceAt", "SequenceInsert", "SequenceErase", "SequenceLength", "ConcatFromSequence", "SplitToSequence", "SequenceEmpty", "Identity"])
    if kind == "SequenceConstruct":
        first = scope.read([FLOAT, INT64, STRING])
        values = [first] + [scope.read([first.type], shape=first.shape) for _ in range(scope.random.randint(0, 2))]
        whole = Value("", first.type, first.shape, max(value.bound for value in values), max(value.error for value in values))
        scope.emit(kind, values, [sequence_of(whole, len(values))])
        return
    if kind == "SplitToSequence":
        value = scope.read([FLOAT, INT64], least_rank=1, filled=True)
        axis = axis_of(scope, len(value.shape))
        keep = scope.chance(0.5)
        whole = axis % len(value.shape)
        shape = value.shape[:whole] + ((1,) if keep else ()) + value.shape[whole + 1 :]
        scope.emit(kind, [value], [sequence_of(moved(value, shape), value.shape[axis])], axis=axis, **({} if keep and scope.chance(0.5) else {"keepdims": int(keep)}))
        return
    if kind == "SequenceEmpty":
        item = scope.read([FLOAT, INT64])
        empty = scope.emit(kind, [], [sequence_of(item, 0)], **({"dtype": item.type} if item.type != FLOAT or scope.chance(0.5) else {}))[0]
        scope.emit("SequenceInsert", [empty, item], [sequence_of(item, 1)])
        return
    value = scope.read_sequence()
    item = Value("", value.type, value.shape, value.bound, value.error)
    items = value.items or 0
    if kind == "SequenceLength":
        scope.emit(kind, [value], [result(INT64, ())])
    elif kind == "SequenceInsert":
        added = scope.read([value.type], shape=value.shape)
        place = [scope.constant(np.array(scope.random.randint(-items, items), scope.choice([np.int64, np.int32])))] if scope.chance(0.6) else []
        scope.emit(kind, [value, added, *place], [Value("", value.type, value.shape, max(value.bound, added.bound), max(value.error, added.error), items + 1)])
    elif kind == "Identity":
        if scope.opset < 14:
            raise Unfit("Identity of a sequence")
        scope.emit(kind, [value], [value])
    elif items == 0:
        raise Unfit("an empty sequence")
    elif kind == "SequenceAt":
        scope.emit(kind, [value, scope.constant(np.array(scope.random.randint(-items, items - 1), np.int64))], [item])
    elif kind == "SequenceErase":
        place = [scope.constant(np.array(scope.random.randint(0, items - 1), np.int64))] if scope.chance(0.6) else []
        scope.emit(kind, [value, *place], [sequence_of(item, items - 1)])
    else:
        new_axis = int(scope.chance(0.5)) if item.shape else 1
        shape = list(item.shape)
        if new_axis:
            shape.insert(0, items)
        else:
            shape[0] *= items
        scope.emit(kind, [value], [moved(item, shape)], axis=0, **({"new_axis": 1} if new_axis else {}))


@makes(0.3)
def sequence_map(scope: Scope):
    """A function of the standard with a graph for an attribute."""
    if not exists("SequenceMap", scope.opset) or scope.function is not None and scope.drawing.ir_version < 8:
        raise Unfit("SequenceMap")
    value = scope.read_sequence()
    if value.type not in EPSILON or not value.items:
        raise Unfit("other lists")
    with scope.graph_inside() as inside:
        item = Value(inside.fresh(), value.type, value.shape, value.bound, value.error)
        inside.values.append(item)
        other = inside.read([value.type], shape=broadcast(scope, value.shape)) if scope.chance(0.5) else item
        made = inside.emit("Add", [item, other], [result(value.type, value.shape, item.bound + other.bound, item.error + other.error, exact=True)])[0]
    scope.emit("SequenceMap", [value], [sequence_of(made, value.items)], body=inside.graph("body", [item], [made]))


@makes(0.4)
def optionals(scope: Scope):
    if scope.opset < 15:
        raise Unfit("Optional")
    value = scope.read([FLOAT, INT64])
    optional = scope.emit("Optional", [value], [Value("", value.type, value.shape, value.bound, value.error, is_optional=True)])[0]
    if scope.chance(0.7):
        scope.emit("OptionalGetElement", [optional], [moved(value, value.shape)])
    if scope.chance(0.5):
        scope.emit("OptionalHasElement", [optional], [result(BOOL, ())])
