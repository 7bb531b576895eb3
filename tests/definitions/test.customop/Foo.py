# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""test.customop::Foo: as custom::Foo.

Source: the Foo of ONNX Runtime's custom operator tests.
"""
from definition import definition_of

define = definition_of("custom", "Foo").define
cases = definition_of("custom", "Foo").cases
