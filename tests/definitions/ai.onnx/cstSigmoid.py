# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""cstSigmoid in the default domain: rknn_cst::cstSigmoid."""
from definition import definition_of

define = definition_of("rknn_cst", "cstSigmoid").define
cases = definition_of("rknn_cst", "cstSigmoid").cases
