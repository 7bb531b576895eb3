# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""cstSoftmax in the default domain: rknn_cst::cstSoftmax."""
from definition import definition_of

define = definition_of("rknn_cst", "cstSoftmax").define
cases = definition_of("rknn_cst", "cstSoftmax").cases
