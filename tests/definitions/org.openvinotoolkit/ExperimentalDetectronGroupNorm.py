# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""org.openvinotoolkit::ExperimentalDetectronGroupNorm: another name for org.openvinotoolkit::GroupNorm.

Source: what the exporters of Detectron's models call it.
"""
from definition import definition_of

define = definition_of("org.openvinotoolkit", "GroupNorm").define
cases = definition_of("org.openvinotoolkit", "GroupNorm").cases
