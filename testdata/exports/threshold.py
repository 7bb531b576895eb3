# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""cstThreshold as autograd functions with a symbolic write it, with the numbers kept, put into a list, or lost. Any torch."""
import numpy as np
import torch
from saving import legacy, share
from torch import nn


class Named(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, threshold, value):
        return torch.threshold(x, threshold, value)

    @staticmethod
    def symbolic(g, x, threshold, value):
        return g.op("rknn_cst::cstThreshold", x, threshold_f=threshold, value_f=value)


class Listed(Named):
    @staticmethod
    def forward(ctx, x, threshold, value):
        return torch.threshold(x, threshold, value)

    @staticmethod
    def symbolic(g, x, threshold, value):
        return g.op("rknn_cst::cstThreshold", x, param_f=[threshold, value])


class Lost(Named):
    @staticmethod
    def forward(ctx, x, threshold, value):
        return torch.threshold(x, threshold, value)

    @staticmethod
    def symbolic(g, x, threshold, value):
        return g.op("rknn_cst::cstThreshold", x)


class OtherName(Named):
    @staticmethod
    def forward(ctx, x, threshold, value):
        return torch.threshold(x, threshold, value)

    @staticmethod
    def symbolic(g, x, threshold, value):
        return g.op("rknn_cst::cst_threshold", x, threshold_f=threshold, value_f=value)


class Typed(Named):
    """With the output's type set, as careful symbolics do."""

    @staticmethod
    def forward(ctx, x, threshold, value):
        return torch.threshold(x, threshold, value)

    @staticmethod
    def symbolic(g, x, threshold, value):
        return g.op("rknn_cst::cstThreshold", x, threshold_f=threshold, value_f=value).setType(x.type())


class Threshold(nn.Module):
    def __init__(self, function, threshold=0.1, value=20.0):
        super().__init__()
        self.function, self.threshold, self.value = function, threshold, value

    def forward(self, x):
        return self.function.apply(x, self.threshold, self.value)


class Network(nn.Module):
    """Two thresholds between layers; the first one's output is a graph output too."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 6), nn.Linear(6, 2)

    def forward(self, x):
        hidden = Named.apply(self.first(x), 0.0, -0.5)
        return hidden, Listed.apply(self.second(hidden), 0.2, 0.25)


def sample(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(*shape, generator=generator) * 4 - 2).to(dtype)


def edges(dtype=torch.float32):
    return torch.tensor([[0.1, np.nan, np.inf], [-np.inf, 0.0, -0.0]], dtype=torch.float64).to(dtype)


def main():
    lost = ["--set", "rknn_cst::cstThreshold.threshold=0.1", "--set", "rknn_cst::cstThreshold.value=20"]
    sets = [(sample(2, 3),), (edges(),)]
    for opset in share((9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)):
        legacy(f"threshold_named_op{opset}", Threshold(Named), sets, opset=opset)
    for opset in share((9, 13, 17)):
        legacy(f"threshold_listed_op{opset}", Threshold(Listed), sets, opset=opset)
        legacy(f"threshold_lost_op{opset}", Threshold(Lost), sets, opset=opset, arguments=lost)
        legacy(f"threshold_other_name_op{opset}", Threshold(OtherName), sets, opset=opset)
        legacy(f"threshold_typed_op{opset}", Threshold(Typed), sets, opset=opset)
    legacy("threshold_lost_refused", Threshold(Lost), sets, opset=13, expect="refused", names=["cstThreshold", "--set"])
    dynamic = {"x0": {0: "batch", 1: "width"}, "y": {0: "batch", 1: "width"}}
    several = [(sample(2, 3),), (sample(5, 1, seed=1),), (torch.zeros(0, 3),), (edges(),)]
    for opset in share((9, 12, 16)):
        legacy(f"threshold_dynamic_op{opset}", Threshold(Named, -0.3, 7.0), several, opset=opset, dynamic=dynamic)
    for dtype in (torch.float64, torch.float16):
        name = str(dtype).split(".")[1]
        for opset in share((9, 11, 13, 15, 16, 18)):
            legacy(f"threshold_{name}_op{opset}", Threshold(Named), [(sample(2, 3, dtype=dtype),), (edges(dtype),)], opset=opset)
    for dtype in (torch.int32, torch.int64, torch.int8, torch.uint8):
        name = str(dtype).split(".")[1]
        values = torch.tensor([0, 1, 2, 5, 100]).to(dtype)
        legacy(f"threshold_{name}_op13", Threshold(Named, 1.0, 20.0), [(values,)], opset=13)
    legacy("threshold_scalar_op13", Threshold(Named), [(torch.tensor(0.05),), (torch.tensor(3.0),)], opset=13)
    torch.manual_seed(0)
    legacy("threshold_network_op11", Network().eval(), [(sample(3, 4),)], opset=11, rtol=1e-5, atol=1e-6)
    legacy("threshold_network_op17", Network().eval(), [(sample(3, 4),)], opset=17, rtol=1e-5, atol=1e-6)


if __name__ == "__main__":
    main()
