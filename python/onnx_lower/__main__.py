# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""python -m onnx_lower: the program onnx-lower itself, in the place of this process."""
import os
import sys

from onnx_lower.tool import executable

if __name__ == "__main__":
    os.execv(executable(), ["onnx-lower", *sys.argv[1:]])
