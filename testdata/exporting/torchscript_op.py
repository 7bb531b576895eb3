# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""An operator of a C++ library, TORCH_LIBRARY, without a symbolic. torch 2.2, and a C++ compiler."""
import torch
from record import record, sample
from torch.utils.cpp_extension import load_inline

x = sample(2, 3)

source = """
torch::Tensor scale_and_cap(const torch::Tensor& x, double factor, double limit) { return (x * factor).clamp_max(limit); }
TORCH_LIBRARY(acme, m) { m.def("scale_and_cap", &scale_and_cap); }
"""
load_inline("acme", source, is_python_module=False)


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.acme.scale_and_cap(x, 2.5, 3.0)


torch.onnx.export(Net(), (x,), "torchscript_op.onnx", opset_version=13, input_names=["x"], output_names=["y"],
                  operator_export_type=torch.onnx.OperatorExportTypes.ONNX_FALLTHROUGH)

record("torchscript_op.onnx", Net(), (x,), (sample(2, 3, seed=1, low=-9, high=9),))
