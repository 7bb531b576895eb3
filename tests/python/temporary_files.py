# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Where the files of the tests lie: in memory where there is room, since most tests write many small files and wait for none of them to be on a disk."""
from __future__ import annotations

import os
import shutil

_MEMORY = "/dev/shm"

# None for where Python puts temporary files.
IN_MEMORY = _MEMORY if os.path.isdir(_MEMORY) and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > 4 << 30 else None
