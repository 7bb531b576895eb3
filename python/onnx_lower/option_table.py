# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Made by scripts/make_option_tables.py of src/command_line/options.toml."""
from __future__ import annotations

# The name on the command line, the keyword, and how its values are written.
KEYWORDS = (
    ("output", "output", "text"),
    ("set", "set", "settings"),
    ("as", "read_as", "readings"),
    ("keep", "keep", "list"),
    ("allow-unlowered", "allow_unlowered", "flag"),
    ("target", "target", "texts"),
    ("without", "without", "list"),
    ("allow-narrowing", "allow_narrowing", "flag"),
    ("unroll", "unroll", "number"),
    ("target-opset", "target_opset", "number"),
    ("ir-version", "ir_version", "number"),
    ("fold", "fold", "flag"),
    ("input-shape", "input_shape", "shapes"),
    ("dim", "dim", "sizes"),
    ("input-value", "input_value", "values"),
    ("attach", "attach", "flag_or_list"),
    ("external-data", "external_data", "text"),
    ("allow-external-paths", "allow_external_paths", "flag"),
    ("rules", "rules", "list"),
    ("output-dir", "output_dir", "text"),
    ("jobs", "jobs", "number"),
    ("force", "force", "flag"),
    ("timeout", "timeout", "number"),
    ("onnxruntime", "onnxruntime", "text"),
    ("verify-inputs", "inputs", "text"),
    ("seed", "seed", "number"),
    ("runs", "runs", "number"),
)

# Options in whose place there is a function of the module.
FUNCTIONS = {
    "check": "check",
    "list-rules": "rules",
    "list-targets": "targets",
    "show-target": "show_target",
    "explain": "explain",
    "show-rule": "show_rule",
    "new-rule": "new_rule",
    "verify": "verify",
}
