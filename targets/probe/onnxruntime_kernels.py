# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Prints the operators of com.microsoft that the ONNX Runtime beside this Python has kernels for in a provider (as onnxruntime_kernels.py CPUExecutionProvider), each kernel with its types by the schema's type variables, and what inputs and attributes
the operators have, as JSON."""
import json
import sys

from onnxruntime.capi import onnxruntime_pybind11_state as runtime

if __name__ == "__main__":
    kernels = [kernel for kernel in runtime.get_all_opkernel_def() if kernel.provider == sys.argv[1] and kernel.domain == "com.microsoft"]
    schemas = {schema.name: schema for schema in runtime.get_all_operator_schema() if schema.domain == "com.microsoft"}
    print(json.dumps({"kernels": [[kernel.op_name, kernel.type_constraints] for kernel in kernels],
                      "schemas": {name: [schema.max_input, list(schema.attributes)] for name, schema in schemas.items()}}))
