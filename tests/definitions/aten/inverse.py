# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::inverse: another name for aten::linalg_inv.

Source: PyTorch's documentation of torch.inverse.
"""
from definition import definition_of

define = definition_of("aten", "linalg_inv").define
cases = definition_of("aten", "linalg_inv").cases
