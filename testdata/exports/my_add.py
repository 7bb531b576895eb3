# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""my_add (2a + b) in the ways in which exporters write it: symbolic, registered TorchScript operator, autograd function without symbolic. Any torch."""
import torch
from saving import legacy, share
from torch import nn


def my_add(a, b):
    return 2 * a + b


class InDomain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, domain):
        return my_add(a, b)

    @staticmethod
    def symbolic(g, a, b, domain):
        return g.op(f"{domain}::my_add", a, b)


class Standard(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return my_add(a, b)

    @staticmethod
    def symbolic(g, a, b):
        return g.op("Add", g.op("Mul", a, g.op("Constant", value_t=torch.tensor(2, dtype=torch.float32))), b)


class NoSymbolic(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return my_add(a, b)


library = torch.library.Library("my_ops", "DEF")
library.define("my_add(Tensor a, Tensor b) -> Tensor")
library.impl("my_add", my_add, "CompositeExplicitAutograd" if torch.__version__ >= "2" else "CPU")
torch.onnx.register_custom_op_symbolic("my_ops::my_add", lambda g, a, b: g.op("my_ops::my_add", a, b).setType(a.type()), 9)


class Call(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, a, b):
        return self.function(a, b)


class Registered(nn.Module):
    def forward(self, a, b):
        return torch.relu(torch.ops.my_ops.my_add(a, b))


class InLoop(nn.Module):
    def forward(self, a, b):
        for _ in range(int(b.size(0))):
            a = torch.ops.my_ops.my_add(a, b)
        return a


class InBranches(nn.Module):
    def forward(self, a, b):
        if bool(a.sum() > 0):
            y = torch.ops.my_ops.my_add(a, b)
        else:
            y = torch.ops.my_ops.my_add(b, a) * 0.5
            if bool(b.sum() > 0):
                y = torch.ops.my_ops.my_add(y, a)
        return y


def sample(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(*shape, generator=generator) * 4 - 2).to(dtype)


def main():
    pair = (sample(2, 3), sample(2, 3, seed=1))
    near = dict(rtol=1e-6, atol=1e-6)
    for opset in share((9, 12, 15, 17, 18, 20)):
        for domain in ("custom", "my_ops"):
            legacy(f"my_add_{domain}_op{opset}", Call(lambda a, b: InDomain.apply(a, b, domain)), [pair], opset=opset, **near)
        legacy(f"my_add_registered_op{opset}", Registered(), [pair], opset=opset, **near)
        signs = [pair, (-abs(pair[0]), pair[1].abs()), (-abs(pair[0]), -pair[1].abs())]
        legacy(f"my_add_in_loop_op{opset}", torch.jit.script(InLoop()), signs, opset=opset, **near)
        legacy(f"my_add_in_branches_op{opset}", torch.jit.script(InBranches()), signs, opset=opset, **near)
    legacy("my_add_standard_op13", Call(Standard.apply), [pair], opset=13, pass_through=True, **near)
    for dtype in (torch.float64, torch.float16, torch.int32, torch.int64):
        values = tuple((one * 4).to(dtype) for one in pair)
        legacy(f"my_add_{str(dtype)[6:]}_op13", Call(lambda a, b: InDomain.apply(a, b, "custom")), [values], opset=13, rtol=2e-3 if dtype == torch.float16 else 1e-6, atol=2e-3 if dtype == torch.float16 else 1e-6)
    axes = dict(input_names=["a", "b"], dynamic_axes={"a": [0, 1], "b": [1]})
    sets = [(sample(2, 3), sample(1, 3)), (sample(4, 5), sample(1, 5)), (torch.zeros(0, 3), sample(1, 3))]
    legacy("my_add_dynamic_op11", Call(lambda a, b: InDomain.apply(a, b, "custom")), sets, opset=11, export=axes, **near)
    refused = dict(expect="refused", names=["PythonOp"])
    legacy("my_add_no_symbolic", Call(NoSymbolic.apply), [pair], opset=13, operator_export_type="ONNX_FALLTHROUGH", **refused)


if __name__ == "__main__":
    main()
