# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""An autograd function without symbolic, exported as usual and with ONNX_FALLTHROUGH. torch 2.2."""
import torch
from record import record, sample

a, b = sample(2, 3), sample(2, 3, seed=1)


class Blend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, weight):
        return a * weight + b * (1 - weight)


class Net(torch.nn.Module):
    def forward(self, a, b):
        return Blend.apply(a, b, 0.25)


torch.onnx.export(Net(), (a, b), "autograd_function_inlined.onnx", opset_version=13, input_names=["a", "b"], output_names=["y"])
torch.onnx.export(Net(), (a, b), "autograd_function_without_symbolic.onnx", opset_version=13, input_names=["a", "b"],
                  output_names=["y"], operator_export_type=torch.onnx.OperatorExportTypes.ONNX_FALLTHROUGH)

for file in ("autograd_function_inlined.onnx", "autograd_function_without_symbolic.onnx"):
    record(file, Net(), (a, b), (sample(2, 3, seed=2), sample(2, 3, seed=3)))
