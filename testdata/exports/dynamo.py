# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The dynamo exporter's ways to a custom node: torch.onnx.ops.symbolic, and a translation table of onnxscript functions. torch 2.15."""
import io

import onnx
import onnxscript
import torch
from onnxscript import opset18
from saving import save
from torch import nn

custom = onnxscript.values.Opset(domain="custom", version=1)
rknn = onnxscript.values.Opset(domain="rknn_cst", version=1)

# The exporter wants to know what it writes.
Formal, Attribute, tensors = onnx.defs.OpSchema.FormalParameter, onnx.defs.OpSchema.Attribute, ("T", ["tensor(float)"], "")
FLOAT = onnx.defs.OpSchema.AttrType.FLOAT
onnx.defs.register_schema(
    onnx.defs.OpSchema("my_add", "custom", 1, inputs=[Formal("a", "T"), Formal("b", "T")], outputs=[Formal("y", "T")], type_constraints=[tensors])
)
onnx.defs.register_schema(
    onnx.defs.OpSchema(
        "cstThreshold",
        "rknn_cst",
        1,
        inputs=[Formal("x", "T")],
        outputs=[Formal("y", "T")],
        type_constraints=[tensors],
        attributes=[Attribute("threshold", FLOAT), Attribute("value", FLOAT)],
    )
)

torch.library.define("my_ops::my_add", "(Tensor a, Tensor b) -> Tensor")
torch.library.define("my_ops::clip_low", "(Tensor x, float threshold, float value) -> Tensor")


@torch.library.impl("my_ops::my_add", "CompositeExplicitAutograd")
def my_add(a, b):
    return 2 * a + b


@torch.library.impl("my_ops::clip_low", "CompositeExplicitAutograd")
def clip_low(x, threshold, value):
    return torch.threshold(x, threshold, value)


@torch.library.register_fake("my_ops::my_add")
def my_add_fake(a, b):
    return torch.empty_like(a)


@torch.library.register_fake("my_ops::clip_low")
def clip_low_fake(x, threshold, value):
    return torch.empty_like(x)


# Functions of the table are called while the exporter traces, and leave their nodes.
def my_add_as_node(a, b):
    return custom.my_add(a, b)


def clip_low_as_node(x, threshold, value):
    return rknn.cstThreshold(x, threshold=threshold, value=value)


def my_add_in_standard(a, b):
    return opset18.Add(opset18.Mul(a, opset18.CastLike(2.0, a)), b)


def clip_low_in_standard(x, threshold, value):
    return opset18.Where(opset18.LessOrEqual(x, opset18.CastLike(opset18.Constant(value_float=threshold), x)), opset18.CastLike(opset18.Constant(value_float=value), x), x)


class Add(nn.Module):
    def forward(self, a, b):
        return torch.relu(torch.ops.my_ops.my_add(a, b))


class Clip(nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.clip_low(x, 0.1, 20.0) + x


class Symbolic(nn.Module):
    def __init__(self, name, attributes, version=None):
        super().__init__()
        self.name, self.attributes, self.version = name, attributes, version

    def forward(self, *inputs):
        x = inputs[0]
        return torch.onnx.ops.symbolic(self.name, inputs, self.attributes, dtype=x.dtype, shape=x.shape, version=self.version)


class SymbolicTwo(nn.Module):
    def forward(self, x, y):
        return torch.onnx.ops.symbolic_multi_out(
            "rknn_cst::cstDualResidual", (x, y), dict(alpha=0.5), dtypes=(x.dtype, y.dtype), shapes=(x.shape, y.shape)
        )


def sample(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(*shape, generator=generator) * 4 - 2).to(dtype)


def export(name, module, sets, expected, *, opset, table=None, dynamic=None, **case):
    file = io.BytesIO()
    try:
        program = torch.onnx.export(
            module, sets[0], opset_version=opset, dynamo=True, custom_translation_table=table, dynamic_shapes=dynamic, verbose=False, optimize=True
        )
        program.save(file)
    except Exception as error:
        print("not exported:", name, "opset", opset, type(error).__name__, str(error.__cause__ or error).strip().splitlines()[0][:150])
        return
    save(name, onnx.load_model_from_string(file.getvalue()), [(given, expected(*given)) for given in sets], exporter="dynamo", **case)


def main():
    near = dict(rtol=1e-5, atol=1e-6)
    x, y = sample(2, 3), sample(2, 3, seed=1)
    add, clip = torch.ops.my_ops.my_add.default, torch.ops.my_ops.clip_low.default
    below = lambda t: torch.threshold(t, 0.1, 20.0)
    residual = lambda a, b: (a * 0.5 - b, b * 0.5 - a)
    for opset in (18, 20, 23):
        export(f"table_my_add_node_op{opset}", Add(), [(x, y)], Add(), opset=opset, table={add: my_add_as_node}, **near)
        export(f"table_my_add_function_op{opset}", Add(), [(x, y)], Add(), opset=opset, table={add: my_add_in_standard}, pass_through=True, **near)
        export(f"table_clip_node_op{opset}", Clip(), [(x,)], Clip(), opset=opset, table={clip: clip_low_as_node}, **near)
        export(f"table_clip_function_op{opset}", Clip(), [(x,)], Clip(), opset=opset, table={clip: clip_low_in_standard}, pass_through=True, **near)
        symbolic = Symbolic("rknn_cst::cstThreshold", dict(threshold=0.1, value=20.0))
        export(f"symbolic_threshold_op{opset}", symbolic, [(x,)], below, opset=opset, **near)
        export(f"symbolic_dual_op{opset}", SymbolicTwo(), [(x, y)], residual, opset=opset, **near)
    listed = Symbolic("rknn_cst::cstThreshold", dict(param=[0.1, 20.0]))
    export("symbolic_threshold_list_op20", listed, [(x,)], below, opset=20, **near)
    export("symbolic_my_add_op20", Symbolic("my_ops::my_add", {}), [(x, y)], lambda a, b: 2 * a + b, opset=20, **near)
    export("symbolic_foo_op20", Symbolic("custom::Foo", {}), [(x, y)], lambda a, b: a + b, opset=20, **near)
    export("symbolic_asinh_op20", Symbolic("aten::asinh", {}), [(x,)], torch.asinh, opset=20, **near)
    batch = torch.export.Dim("batch")
    sets = [(x, y), (sample(5, 3), sample(5, 3, seed=2))]
    export("table_my_add_dynamic_op20", Add(), sets, Add(), opset=20, table={add: my_add_as_node}, dynamic=({0: batch}, {0: batch}), **near)
    export("symbolic_threshold_dynamic_op20", Symbolic("rknn_cst::cstThreshold", dict(threshold=0.1, value=20.0)), [(x,), (sample(4, 3),)], below, opset=20, dynamic=(({0: batch},),), **near)
    for dtype in (torch.float64, torch.float16):
        given = sample(2, 3, dtype=dtype)
        export(f"symbolic_threshold_{str(dtype)[6:]}_op20", Symbolic("rknn_cst::cstThreshold", dict(threshold=0.1, value=20.0)), [(given,)], below, opset=20)
    for name, module, given in (
        ("standard_selu", nn.SELU(), x),
        ("standard_mlp", nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 2)), x),
        ("standard_threshold", nn.Threshold(0.1, 20.0), x),
    ):
        export(f"{name}_op18", module.eval(), [(given,)], module, opset=18, pass_through=True, rtol=1e-4, atol=1e-5)
        export(f"{name}_op23", module.eval(), [(given,)], module, opset=23, pass_through=True, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    torch.manual_seed(0)
    main()
