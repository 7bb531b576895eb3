# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A function written with onnxscript, which the TorchScript exporter puts into the model. torch 2.15."""
import torch
from record import record, sample
from torch import nn

x = sample(2, 3)

import onnxscript
from onnxscript import opset14 as op

custom = onnxscript.values.Opset(domain="custom-onnx-script", version=1)


@onnxscript.script(custom)
def Selu(X):
    alpha = 1.67326
    gamma = 1.0507
    alphaX = op.CastLike(alpha, X)
    gammaX = op.CastLike(gamma, X)
    neg = gammaX * (alphaX * op.Exp(X) - alphaX)
    pos = gammaX * X
    zero = op.CastLike(0, X)
    return op.Where(X <= zero, neg, pos)


def selu(g, X):
    return g.onnxscript_op(Selu, X).setType(X.type())


torch.onnx.register_custom_op_symbolic("aten::selu", selu, 14)
torch.onnx.export(nn.SELU(), (x,), "onnxscript_function.onnx", opset_version=14, dynamo=False,
                  input_names=["x"], output_names=["y"])

record("onnxscript_function.onnx", nn.SELU(), (x,), (sample(2, 3, seed=1),))
