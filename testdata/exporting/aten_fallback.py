# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators of torch that the exporter does not know, left in the file in two ways. torch 2.2."""
import torch
from record import record, sample

x, y = sample(2, 3), sample(2, 3, seed=1)


class Net(torch.nn.Module):
    def forward(self, x, y):
        return torch.sinc(torch.hypot(x, y))


for kind in ("ONNX_FALLTHROUGH", "ONNX_ATEN_FALLBACK"):
    file = kind.lower() + ".onnx"
    torch.onnx.export(Net(), (x, y), file, opset_version=13, input_names=["x", "y"], output_names=["z"],
                      operator_export_type=getattr(torch.onnx.OperatorExportTypes, kind))
    record(file, Net(), (x, y), (sample(2, 3, seed=2), sample(2, 3, seed=3)))
