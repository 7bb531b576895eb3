# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A symbolic that hands its numbers on as they come: as values of the graph. torch 2.15."""
import torch
from record import record, sample
from torch import nn

torch.manual_seed(0)
x = sample(2, 4)


def threshold(g, x, threshold, value):
    return g.op("rknn_cst::cstThreshold", x, threshold, value)


torch.onnx.register_custom_op_symbolic("aten::threshold", threshold, 17)
model = nn.Sequential(nn.Linear(4, 3), nn.Threshold(0.1, 20.0))
torch.onnx.export(model, (x,), "symbolic_with_inputs.onnx", opset_version=17, dynamo=False,
                  input_names=["x"], output_names=["y"], dynamic_axes={"x": [0]})

record("symbolic_with_inputs.onnx", model, (x,), (sample(5, 4, seed=1),))
