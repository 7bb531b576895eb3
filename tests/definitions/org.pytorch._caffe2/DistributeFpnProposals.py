# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""org.pytorch._caffe2::DistributeFpnProposals: another name for _caffe2::DistributeFpnProposals.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("_caffe2", "DistributeFpnProposals").define
cases = definition_of("_caffe2", "DistributeFpnProposals").cases
