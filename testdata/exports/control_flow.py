# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Custom nodes in the bodies that torch.jit.script gives: If, Loop, and both in one another, down to four levels. Any torch."""
import torch
from saving import VERSION, legacy, share
from torch import nn


def threshold_as_custom(g, x, threshold, value):
    number = torch.onnx.symbolic_helper._maybe_get_scalar
    read = lambda v: float(number(v))
    return g.op("rknn_cst::cstThreshold", x, threshold_f=read(threshold), value_f=read(value)).setType(x.type())


def threshold_as_list(g, x, threshold, value):
    number = torch.onnx.symbolic_helper._maybe_get_scalar
    return g.op("rknn_cst::cstThreshold", x, param_f=[float(number(threshold)), float(number(value))])


class Branch(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            y = torch.threshold(x, 0.25, 3.0)
        else:
            y = x * 2
        return y


class Repeat(nn.Module):
    def forward(self, x, n):
        y = x
        for i in range(int(n)):
            y = torch.threshold(y, 0.1, 0.2) + x
        return y


class While(nn.Module):
    def forward(self, x):
        y = x
        k = 0
        while k < 5 and bool(y.sum() < 10.0):
            y = torch.threshold(y, 0.5, 1.5) + 0.25
            k += 1
        return y, torch.tensor(k)


class Nested(nn.Module):
    def forward(self, x, n):
        total = torch.zeros_like(x)
        for i in range(int(n)):
            if bool(x.sum() > 0):
                step = torch.threshold(x, 0.0, 1.0)
                for j in range(i):
                    if j % 2 == 0:
                        step = torch.threshold(step + x, 0.3, 0.1)
                    else:
                        step = step * 0.5
            else:
                step = torch.threshold(-x, 0.2, 0.4)
            total = total + step
        return total


class Growing(nn.Module):
    """The carried value changes its shape, so that nothing inside has a known one."""

    def forward(self, x, n):
        y = x
        for i in range(int(n)):
            y = torch.cat([y, torch.threshold(x, 0.0, float(7))], 0)
        return y


class Captured(nn.Module):
    """The branch uses values of two outer scopes and of a layer's weights."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x, n):
        outer = self.layer(x)
        y = torch.zeros_like(outer)
        for i in range(int(n)):
            inner = outer * float(i)
            if bool(inner.sum() > 0):
                y = y + torch.threshold(inner, 0.1, 0.3) + outer
            else:
                y = y - torch.threshold(outer, 0.1, 0.3)
        return y


def sample(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(*shape, generator=generator) * 4 - 2


def main():
    torch.manual_seed(0)
    x, positive, negative, n = sample(2, 3), sample(2, 3).abs(), -sample(2, 3).abs(), torch.tensor(4)
    modules = {
        "branch": (Branch(), [(positive,), (negative,)]),
        "repeat": (Repeat(), [(x, n), (x, torch.tensor(0))]),
        "while": (While(), [(x,), (positive * 10,)]),
        "nested": (Nested(), [(positive, n), (negative, n), (x, torch.tensor(1))]),
        "growing": (Growing(), [(x, n), (x, torch.tensor(0))]),
        "captured": (Captured(), [(positive, n), (negative, n)]),
    }
    forms = {"attributes": threshold_as_custom, "list": threshold_as_list}
    opsets = [opset for opset in share((9, 11, 12, 13, 14, 16, 17, 18, 19, 20)) if opset <= {(1, 13): 17, (2, 2): 19}.get(VERSION, 20)]
    for number, opset in enumerate(opsets):
        form = sorted(forms)[(number + VERSION[1]) % 2]
        torch.onnx.register_custom_op_symbolic("aten::threshold", forms[form], opset)
        for name, (module, sets) in modules.items():
            legacy(f"{name}_{form}_op{opset}", torch.jit.script(module.eval()), sets, opset=opset, rtol=1e-5, atol=1e-6)
        torch.onnx.unregister_custom_op_symbolic("aten::threshold", opset)
    if VERSION <= (2, 2):
        for opset in share((9, 11, 13, 15, 17)):
            for name, (module, sets) in modules.items():
                legacy(f"{name}_fallthrough_op{opset}", torch.jit.script(module.eval()), sets, opset=opset, operator_export_type="ONNX_FALLTHROUGH", rtol=1e-5, atol=1e-6)


if __name__ == "__main__":
    main()
