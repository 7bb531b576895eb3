# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Functions written with onnxscript and called from a symbolic, so that the legacy exporter puts them into the model. torch 2.2 or newer."""
import onnxscript
import torch
from onnxscript import opset14, opset15, opset17, opset18
from saving import legacy, share
from torch import nn

custom = onnxscript.values.Opset(domain="custom-onnx-script", version=1)
numbers = onnxscript.values.Opset(domain="numbers.lib", version=1)


# As the tutorial has it: the body imports opset 14, CastLike is of 15.
@onnxscript.script(custom)
def Selu(X):
    alpha = 1.67326
    gamma = 1.0507
    alphaX = opset14.CastLike(alpha, X)
    gammaX = opset14.CastLike(gamma, X)
    neg = gammaX * (alphaX * opset14.Exp(X) - alphaX)
    pos = gammaX * X
    zero = opset14.CastLike(0, X)
    return opset14.Where(X <= zero, neg, pos)


@onnxscript.script(numbers, default_opset=opset15)
def Scaled(X, factor: float = 3.0):
    return X * opset15.CastLike(opset15.Constant(value_float=factor), X)


@onnxscript.script(numbers, default_opset=opset17)
def Twice(X, factor: float = 1.5):
    inner = Scaled(X, factor=factor)
    return Scaled(inner)


@onnxscript.script(numbers, default_opset=opset18)
def Chosen(X, limit: float = 0.5):
    top = opset18.ReduceMax(X, keepdims=0)
    if top > limit:
        result = Scaled(X, factor=limit)
    else:
        result = opset18.Neg(X)
    return result


@onnxscript.script(numbers, default_opset=opset18)
def Accumulated(X, times):
    total = opset18.Identity(X)
    for i in range(times):
        total = Scaled(total, factor=0.5) + X
    return total


def onto(function):
    return lambda g, *inputs: g.onnxscript_op(function, *inputs)


def selu_of_the_tutorial(x):
    return 1.0507 * torch.where(x <= 0, 1.67326 * torch.exp(x) - 1.67326, x)


class SeluModel(nn.Module):
    def forward(self, x):
        return torch.selu(x)


class Function(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, which):
        return FORWARD[which](x)

    @staticmethod
    def symbolic(g, x, which):
        return SYMBOLIC[which](g, x).setType(x.type())


FORWARD = {
    "selu": selu_of_the_tutorial,
    "scaled": lambda x: x * 3.0,
    "scaled_given": lambda x: x * 0.25,
    "twice": lambda x: x * 1.5 * 3.0,
    "twice_given": lambda x: x * 0.5 * 3.0,
    "chosen": lambda x: x * 0.5 if bool(x.max() > 0.5) else -x,
    "chosen_given": lambda x: x * 2.5 if bool(x.max() > 2.5) else -x,
}
SYMBOLIC = {
    "selu": lambda g, x: g.onnxscript_op(Selu, x),
    "scaled": lambda g, x: g.onnxscript_op(Scaled, x),
    "scaled_given": lambda g, x: g.onnxscript_op(Scaled, x, factor_f=0.25),
    "twice": lambda g, x: g.onnxscript_op(Twice, x),
    "twice_given": lambda g, x: g.onnxscript_op(Twice, x, factor_f=0.5),
    "chosen": lambda g, x: g.onnxscript_op(Chosen, x),
    "chosen_given": lambda g, x: g.onnxscript_op(Chosen, x, limit_f=2.5),
}


class Call(nn.Module):
    def __init__(self, *which):
        super().__init__()
        self.which = which

    def forward(self, x):
        for which in self.which:
            x = Function.apply(x, which)
        return x


class SeluInBranches(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            y = torch.selu(x)
        else:
            y = torch.selu(-x) + torch.selu(x * 0.5)
        return y


def sample(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(*shape, generator=generator) * 4 - 2).to(dtype)


def main():
    x = sample(2, 3)
    for opset in share((9, 11, 13, 14, 15, 16, 17, 18)):
        torch.onnx.register_custom_op_symbolic("aten::selu", onto(Selu), opset)
        near = dict(rtol=1e-5, atol=1e-5, about="the function's constants are those of the tutorial, rounded")
        legacy(f"selu_op{opset}", SeluModel(), [(x,), (x * 10,)], opset=opset, **near)
        signs = [(x.abs(),), (-x.abs(),)]
        legacy(f"selu_in_branches_op{opset}", torch.jit.script(SeluInBranches()), signs, opset=opset, **near)
        torch.onnx.unregister_custom_op_symbolic("aten::selu", opset)
    for dtype in (torch.float64, torch.float16):
        half = dtype == torch.float16
        given = [(sample(2, 3, dtype=dtype),)]
        legacy(f"selu_{str(dtype)[6:]}_op15", Call("selu"), given, opset=15, rtol=4e-3 if half else 1e-6, atol=4e-3 if half else 1e-6)
    for opset in share((15, 17, 18, 20)):
        for which in FORWARD:
            # This exporter writes the function that is called, but not those which that one calls.
            incomplete = which.startswith(("twice", "chosen"))
            lost = dict(expect="refused", names=["Scaled"]) if incomplete else {}
            legacy(f"function_{which}_op{opset}", Call(which), [(x,), (-x.abs(),)], opset=opset, rtol=1e-5, atol=1e-6, **lost)
        legacy(f"function_several_op{opset}", Call("scaled", "selu", "scaled_given", "scaled"), [(x,)], opset=opset, rtol=1e-5, atol=1e-5)
    axes = dict(input_names=["x"], dynamic_axes={"x": [0, 1]})
    legacy("function_dynamic_op18", Call("scaled", "selu"), [(x,), (sample(4, 1),)], opset=18, export=axes, rtol=1e-5, atol=1e-5)


if __name__ == "__main__":
    main()
