# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmcv::grid_sampler: another name for mmdeploy::grid_sampler.

Source: mmcv's exporter, before mmdeploy.
"""
from definition import definition_of

define = definition_of("mmdeploy", "grid_sampler").define
cases = definition_of("mmdeploy", "grid_sampler").cases
