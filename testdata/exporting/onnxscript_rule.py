# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A rule for acme::scale_and_cap, the operator of torchscript_op.py, written with onnxscript. torch 2.15 and onnxscript 0.7."""
import onnx
import onnxscript
from onnxscript import opset18 as op
from record import note_maker

acme = onnxscript.values.Opset(domain="acme", version=1)


@onnxscript.script(acme)
def scale_and_cap(x, factor, limit):
    return op.Min(x * op.CastLike(factor, x), op.CastLike(limit, x))


functions = [scale_and_cap.to_function_proto()]
onnx.save(onnx.helper.make_model(onnx.helper.make_graph([], "rules", [], []), functions=functions), "acme_rules.onnx")

note_maker("acme_rules.onnx")
