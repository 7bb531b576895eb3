# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A symbolic registered for an operator of torch, which keeps its numbers. torch 2.15."""
import torch
from record import record, sample
from torch import nn

torch.manual_seed(0)
x = sample(2, 4)

import torch.onnx.symbolic_helper as helper


@helper.parse_args("v", "f", "f")
def threshold(g, x, threshold, value):
    return g.op("rknn_cst::cstThreshold", x, threshold_f=threshold, value_f=value)


torch.onnx.register_custom_op_symbolic("aten::threshold", threshold, 17)
model = nn.Sequential(nn.Linear(4, 3), nn.Threshold(0.1, 20.0))
torch.onnx.export(model, (x,), "symbolic_with_attributes.onnx", opset_version=17, dynamo=False,
                  input_names=["x"], output_names=["y"], dynamic_axes={"x": [0]})

record("symbolic_with_attributes.onnx", model, (x,), (sample(5, 4, seed=1),))
