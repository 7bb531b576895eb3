# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torchvision's deform_conv2d with a symbolic, as the tutorials have it, that drops stride, padding and dilation. torch 2.15, without torchvision.

torchvision's operator is defined here by what it computes, with grid_sample."""
import torch
from record import record, sample
from torch import nn
from torch.nn import functional

library = torch.library.Library("torchvision", "DEF")
library.define(
    "deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, int stride_h, int stride_w, "
    "int pad_h, int pad_w, int dilation_h, int dilation_w, int groups, int offset_groups, bool use_mask) -> Tensor"
)


def compute(x, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask):
    assert groups == offset_groups == 1 and not use_mask
    batch, channels, height, width = x.shape
    kernel_h, kernel_w = weight.shape[2:]
    out_h, out_w = offset.shape[2:]
    moved = offset.view(batch, kernel_h * kernel_w, 2, out_h, out_w)
    columns = []
    for k in range(kernel_h * kernel_w):
        rows = torch.arange(out_h).view(1, -1, 1) * stride_h - pad_h + (k // kernel_w) * dilation_h + moved[:, k, 0]
        cols = torch.arange(out_w).view(1, 1, -1) * stride_w - pad_w + (k % kernel_w) * dilation_w + moved[:, k, 1]
        grid = torch.stack([(2 * cols + 1) / width - 1, (2 * rows + 1) / height - 1], -1)
        columns.append(functional.grid_sample(x, grid, align_corners=False))
    columns = torch.stack(columns, 2).view(batch, -1, out_h * out_w)
    return (weight.view(len(weight), -1) @ columns).view(batch, -1, out_h, out_w) + bias.view(1, -1, 1, 1)


library.impl("deform_conv2d", compute, "CompositeExplicitAutograd")


class DeformConv2d(nn.Module):
    def __init__(self, channels, out_channels, padding):
        super().__init__()
        self.offset, self.padding = nn.Conv2d(channels, 18, 3, padding=padding), padding
        self.weight = nn.Parameter(sample(out_channels, channels, 3, 3, seed=3))
        self.bias = nn.Parameter(sample(out_channels, seed=4))

    def forward(self, x):
        offset, mask = self.offset(x), torch.zeros(len(x), 1)
        numbers = (1, 1, self.padding, self.padding, 1, 1, 1, 1, False)
        return torch.ops.torchvision.deform_conv2d(x, self.weight, offset, mask, self.bias, *numbers)


torch.manual_seed(0)
x = sample(1, 2, 6, 6)


def deform_conv2d(g, input, weight, offset, mask, bias, *numbers):
    return g.op("custom::deform_conv2d", input, weight, offset, bias)


torch.onnx.register_custom_op_symbolic("torchvision::deform_conv2d", deform_conv2d, 17)
model = DeformConv2d(2, 4, padding=1)
torch.onnx.export(model, (x,), "deform_conv2d_without_attributes.onnx", opset_version=17, dynamo=False,
                  input_names=["x"], output_names=["y"])

record("deform_conv2d_without_attributes.onnx", model, (x,), (sample(1, 2, 6, 6, seed=1),))
