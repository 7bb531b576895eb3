# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::grid_sampler: mmdeploy's operator, exported without its domain.

Source: ../mmdeploy/grid_sampler.py.
"""
from definition import definition_of

define = definition_of("mmdeploy", "grid_sampler").define
cases = definition_of("mmdeploy", "grid_sampler").cases
