# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The dynamo exporter: a translation table to a custom node and to standard operators, and torch.onnx.ops.symbolic. torch 2.15."""
import onnx
import torch
from record import record, sample

FormalParameter, FLOATS = onnx.defs.OpSchema.FormalParameter, [("T", ["tensor(float)"], "")]
onnx.defs.register_schema(
    onnx.defs.OpSchema(
        "cstDualResidual", "rknn_cst", 1, inputs=[FormalParameter("x", "T"), FormalParameter("y", "T")],
        outputs=[FormalParameter("r", "T"), FormalParameter("s", "T")], type_constraints=FLOATS,
        attributes=[onnx.defs.OpSchema.Attribute("alpha", onnx.defs.OpSchema.AttrType.FLOAT)],
    )
)
x, y = sample(2, 3), sample(2, 3, seed=1)
other = (sample(2, 3, seed=2), sample(2, 3, seed=3))

import onnxscript
from onnxscript import opset18 as op

rknn_cst = onnxscript.values.Opset(domain="rknn_cst", version=1)


@torch.library.custom_op("acme::dual", mutates_args=())
def dual(x: torch.Tensor, y: torch.Tensor, alpha: float) -> tuple[torch.Tensor, torch.Tensor]:
    return x * alpha - y, y * alpha - x


dual.register_fake(lambda x, y, alpha: (torch.empty_like(x), torch.empty_like(y)))


class Net(torch.nn.Module):
    def forward(self, x, y):
        return dual(x, y, 0.5)


def as_node(x, y, alpha):
    return rknn_cst.cstDualResidual(x, y, alpha=alpha)


def as_standard(x, y, alpha):
    a = op.CastLike(op.Constant(value_float=alpha), x)
    return op.Sub(op.Mul(x, a), y), op.Sub(op.Mul(y, a), x)


for file, function in (("dynamo_table_node.onnx", as_node), ("dynamo_table_standard.onnx", as_standard)):
    program = torch.onnx.export(Net(), (x, y), opset_version=18, dynamo=True, input_names=["x", "y"], output_names=["r", "s"],
                                custom_translation_table={torch.ops.acme.dual.default: function}, verbose=False)
    program.save(file)
    record(file, Net(), (x, y), other)


class Symbolic(torch.nn.Module):
    def forward(self, x):
        return torch.onnx.ops.symbolic("rknn_cst::cstThreshold", (x,), {"threshold": 0.1, "value": 20.0},
                                       dtype=x.dtype, shape=x.shape)


program = torch.onnx.export(Symbolic(), (x,), opset_version=18, dynamo=True, input_names=["x"], output_names=["y"], verbose=False)
program.save("dynamo_symbolic.onnx")
record("dynamo_symbolic.onnx", torch.nn.Threshold(0.1, 20.0), (x,), (other[0],))
