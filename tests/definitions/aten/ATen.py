# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::ATen: as com.microsoft::ATen, in the domain that the operators have in PyTorch."""
from definition import definition_of

cases = definition_of("com.microsoft", "ATen").cases
