# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""cstDualResidual (x * alpha - y, y * alpha - x) from an autograd function with a symbolic of two outputs. Any torch."""
import torch
from saving import legacy, share
from torch import nn


class DualResidual(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, alpha):
        return x * alpha - y, y * alpha - x

    @staticmethod
    def symbolic(g, x, y, alpha):
        return g.op("rknn_cst::cstDualResidual", x, y, alpha_f=alpha, outputs=2)


class Lost(DualResidual):
    @staticmethod
    def forward(ctx, x, y, alpha):
        return x * alpha - y, y * alpha - x

    @staticmethod
    def symbolic(g, x, y, alpha):
        return g.op("rknn_cst::cstDualResidual", x, y, outputs=2)


class Both(nn.Module):
    def __init__(self, function=DualResidual, alpha=0.5):
        super().__init__()
        self.function, self.alpha = function, alpha

    def forward(self, x, y):
        return self.function.apply(x, y, self.alpha)


class One(Both):
    """Only one output is used."""

    def __init__(self, which):
        super().__init__()
        self.which = which

    def forward(self, x, y):
        return self.function.apply(x, y, self.alpha)[self.which]


class Chain(Both):
    """The first result feeds the second node, which gets one value twice."""

    def forward(self, x, y):
        first, second = self.function.apply(x, y, self.alpha)
        third, fourth = self.function.apply(first, first, self.alpha + 1)
        return first, torch.relu(second) + third, fourth


def sample(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(*shape, generator=generator) * 4 - 2).to(dtype)


def main():
    pair = (sample(2, 3), sample(2, 3, seed=1))
    exact = dict(rtol=1e-6, atol=1e-6)
    for opset in share((9, 11, 13, 16, 18)):
        legacy(f"dual_op{opset}", Both(), [pair], opset=opset, **exact)
    for which in (0, 1):
        legacy(f"dual_only_{which}_op13", One(which), [pair], opset=13, **exact)
    for opset in share((10, 14, 17)):
        legacy(f"dual_chain_op{opset}", Chain(), [pair], opset=opset, **exact)
    lost = ["--set", "rknn_cst::cstDualResidual.alpha=0.5"]
    legacy("dual_lost_op12", Both(Lost), [pair], opset=12, arguments=lost, **exact)
    legacy("dual_lost_refused_op12", Both(Lost), [pair], opset=12, expect="refused", names=["cstDualResidual", "alpha"])
    dynamic = {"x0": {0: "batch"}, "x1": {0: "batch"}}
    several = [pair, (sample(5, 3), sample(5, 3, seed=2)), (torch.zeros(0, 3), torch.zeros(0, 3))]
    legacy("dual_dynamic_op14", Both(), several, opset=14, dynamic=None, export=dict(input_names=["x0", "x1"], dynamic_axes=dynamic), **exact)
    legacy("dual_broadcast_op13", Both(), [(sample(2, 3), sample(3))], opset=13, **exact)
    legacy("dual_float64_op13", Both(), [tuple(one.double() for one in pair)], opset=13, rtol=1e-12, atol=1e-12)
    legacy("dual_float16_op13", Both(), [tuple(one.half() for one in pair)], opset=13, rtol=2e-3, atol=2e-3)
    legacy("dual_int64_op13", Both(alpha=2), [(torch.tensor([1, -2, 3]), torch.tensor([5, 6, 7]))], opset=13)


if __name__ == "__main__":
    main()
