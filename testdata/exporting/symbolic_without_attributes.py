# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The same symbolic, as the tutorials have it: without the numbers. torch 2.15."""
import torch
from record import record, sample
from torch import nn

torch.manual_seed(0)
x = sample(2, 4)


def threshold(g, x, threshold, value):
    return g.op("rknn_cst::cstThreshold", x)


torch.onnx.register_custom_op_symbolic("aten::threshold", threshold, 17)
model = nn.Sequential(nn.Linear(4, 3), nn.Threshold(0.1, 20.0), nn.Linear(3, 3), nn.Threshold(-0.5, 0.0))
torch.onnx.export(model, (x,), "symbolic_without_attributes.onnx", opset_version=17, dynamo=False,
                  input_names=["x"], output_names=["y"], dynamic_axes={"x": [0]})

record("symbolic_without_attributes.onnx", model, (x,), (sample(5, 4, seed=1),))
