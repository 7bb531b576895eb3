# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""my_add in the default domain: custom::my_add."""
from definition import definition_of

define = definition_of("custom", "my_add").define
cases = definition_of("custom", "my_add").cases
