# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The dynamo exporter of torch 2.2, whose table is a registry of onnxscript functions. torch 2.2."""
import torch
from record import record, sample

x = sample(2, 3)
library = torch.library.Library("acme", "DEF")
library.define("scale_and_cap(Tensor x, float factor, float limit) -> Tensor")
library.impl("scale_and_cap", lambda x, factor, limit: (x * factor).clamp_max(limit), "CompositeExplicitAutograd")

import onnxscript
from onnxscript import opset18 as op

acme = onnxscript.values.Opset(domain="acme.functions", version=1)


@onnxscript.script(acme)
def ScaleAndCap(x, factor: float, limit: float):
    return op.Min(x * op.CastLike(op.Constant(value_float=factor), x), op.CastLike(op.Constant(value_float=limit), x))


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.acme.scale_and_cap(x, 2.5, 3.0)


registry = torch.onnx.OnnxRegistry()
registry.register_op(ScaleAndCap, namespace="acme", op_name="scale_and_cap")
program = torch.onnx.dynamo_export(Net(), x, export_options=torch.onnx.ExportOptions(onnx_registry=registry))

program.save("dynamo_registry.onnx")
record("dynamo_registry.onnx", Net(), (x,), (sample(2, 3, seed=1, low=-9, high=9),))
