# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Calls of functions of the model, and the functions."""
from __future__ import annotations

import numpy as np
import onnx
from onnx import helper, parser

from drawn_graphs import FLOAT, Function, FunctionScope, Scope, Unfit, Value
from random_operators.making import ANY, like, makes, some_nodes


FUNCTION_NAMES = [("local", "F"), ("local", "G"), ("pkg.onnxscript.torch_lib", "aten_add"), ("custom", "my_function"), ("local", "Relu"), ("custom", "my_add"), ("custom", "F")]


@makes(5)
def call(scope: Scope):
    drawing = scope.drawing
    if drawing.ir_version < 8 or scope.depth > 3:
        raise Unfit("functions")
    fitting = []
    for function in drawing.functions:
        # A function's own opset says what it can call; it may not come to call itself.
        if scope.function is not None and function.level >= 3:
            continue
        arguments = [best_argument(scope, parameter) for parameter in function.parameters]
        if all(arguments):
            fitting.append((function, arguments))
    if fitting and scope.chance(0.5):
        function, arguments = scope.choice(fitting)
    else:
        function, arguments = new_function(scope)
    attributes = {}
    defaults = {attribute.name for attribute in function.proto.attribute_proto}
    for name, given in function.attributes.items():
        if name not in defaults or scope.chance(0.5):
            attributes[name] = given
    results: list[Value | None] = list(function.results)
    if len(results) > 1 and scope.chance(0.3):
        results[scope.random.randrange(len(results))] = None
    if scope.function is not None:
        scope.function.level = max(scope.function.level, function.level + 1)
    scope.emit(function.proto.name, arguments, results, function.proto.domain, function.proto.overload, **attributes)


def best_argument(scope: Scope, parameter: Value) -> Value | None:
    kind = lambda value: (value.type, value.shape, value.items, value.is_optional)
    found = [value for value in scope.visible() if kind(value) == kind(parameter) and value.bound <= parameter.bound and value.error <= parameter.error]
    return scope.choice(found) if found else None


def new_function(scope: Scope) -> tuple[Function, list[Value]]:
    drawing = scope.drawing
    if len(drawing.functions) > 5:
        raise Unfit("functions enough")
    arguments = [scope.read_sequence() if scope.chance(0.05) else scope.read(ANY) for _ in range(scope.random.randint(0, 3))]
    domain, name = scope.choice(FUNCTION_NAMES)
    overload = scope.choice(["", "", "one", "two"]) if drawing.ir_version >= 10 else ""
    if (domain, name, overload) in drawing.function_keys or domain == "custom" and name == "my_add" and drawing.custom:
        raise Unfit("taken")
    drawing.function_keys.add((domain, name, overload))
    opset = drawing.opset if scope.chance(0.6) else scope.random.randint(max(7, drawing.opset - 4), min(26, drawing.opset + 3))
    body = FunctionScope(drawing, opset, arguments)
    some_nodes(body, 4)
    own = [value for value in body.values if value not in body.parameters and not value.is_optional]
    if not own:
        own = [body.emit("Identity", [value], [value])[0] for value in [body.read(ANY)]]
    outputs = scope.random.sample(own, scope.random.randint(1, min(3, len(own))))
    proto = helper.make_function(
        domain,
        name,
        [value.name for value in body.parameters],
        [value.name for value in outputs],
        body.nodes,
        [helper.make_opsetid("", opset), *(helper.make_opsetid(one, 1) for one in sorted(body.domains - {""}))],
        doc_string=scope.choice(["", "said"]),
    )
    if overload:
        proto.overload = overload
    for given in body.attributes.values():
        # Defaults came with IR version 9.
        if drawing.ir_version >= 9 and scope.chance(0.4):
            proto.attribute_proto.append(given)
        else:
            proto.attribute.append(given.name)
    function = Function(proto, body.parameters, outputs, dict(body.attributes), body.level)
    drawing.functions.append(function)
    return function, arguments


@makes(0.5)
def call_with_absent_inputs(scope: Scope):
    """Limits that the call leaves out, and the body hands on to an operator that can do without."""
    drawing = scope.drawing
    if drawing.ir_version < 8 or scope.opset < 12 or ("local", "Limits", "") in drawing.function_keys:
        raise Unfit("functions")
    drawing.function_keys.add(("local", "Limits", ""))
    proto = parser.parse_function(f'<domain: "local", opset_import: ["" : {scope.opset}]> Limits (x, low, high) => (y, z) {{ y = Clip (x, low, high)  t = Neg (x)  z = Clip (t, , high) }}')
    drawing.functions.append(Function(proto, [Value("none of this", onnx.TensorProto.UNDEFINED, ())], [], {}, 0))
    for _ in range(scope.random.randint(1, 2)):
        value = scope.read([FLOAT])
        limits = [scope.constant(np.array(limit, np.float32)) if scope.chance(0.5) else None for limit in (-1, 2)]
        given = like(value, bound=max(value.bound, 2), exact=True)
        scope.emit("Limits", [value, *limits], [given, given], "local")
