# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ATen in the default domain, where torch up to 1.10 left it: as com.microsoft::ATen."""
from definition import definition_of

cases = definition_of("com.microsoft", "ATen").cases
