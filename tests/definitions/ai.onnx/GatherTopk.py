# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::GatherTopk: another name for mmdeploy::GatherTopk.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("mmdeploy", "GatherTopk").define
cases = definition_of("mmdeploy", "GatherTopk").cases
