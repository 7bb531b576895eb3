# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""An autograd function with a symbolic of two outputs. torch 1.13."""
import torch
from record import record, sample

x, y = sample(2, 3), sample(2, 3, seed=1)


class DualResidual(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, alpha):
        return x * alpha - y, y * alpha - x

    @staticmethod
    def symbolic(g, x, y, alpha):
        return g.op("rknn_cst::cstDualResidual", x, y, alpha_f=alpha, outputs=2)


class Net(torch.nn.Module):
    def forward(self, x, y):
        return DualResidual.apply(x, y, 0.5)


torch.onnx.export(Net(), (x, y), "autograd_function.onnx", input_names=["x", "y"], output_names=["r", "s"])

record("autograd_function.onnx", Net(), (x, y), (sample(2, 3, seed=2), sample(2, 3, seed=3)))
