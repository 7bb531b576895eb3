# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_scatter::scatter_add: another name for torch_scatter::scatter_sum.

Source: scatter_add of torch_scatter 2.1.
"""
from definition import definition_of

define = definition_of("torch_scatter", "scatter_sum").define
cases = definition_of("torch_scatter", "scatter_sum").cases
