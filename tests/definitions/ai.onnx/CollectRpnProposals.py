# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::CollectRpnProposals: another name for _caffe2::CollectRpnProposals.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("_caffe2", "CollectRpnProposals").define
cases = definition_of("_caffe2", "CollectRpnProposals").cases
