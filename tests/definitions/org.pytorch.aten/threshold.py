# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""org.pytorch.aten::threshold: aten::threshold, as torch.onnx writes it with ONNX_FALLTHROUGH.

Source: torch.onnx with ONNX_FALLTHROUGH.
"""
from definition import definition_of

define = definition_of("aten", "threshold").define
cases = definition_of("aten", "threshold").cases
