#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes rules/aten/families/schemas.h: the parameters of those of PyTorch's operators that have a rule, from PyTorch's own list.

usage: scripts/aten_schemas.py native_functions.yaml

The list is aten/src/ATen/native/native_functions.yaml of PyTorch, and torchgen/packaged/ATen/native/native_functions.yaml of its wheels.
"""
from __future__ import annotations

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "rules" / "aten"
TABLE = RULES / "families" / "schemas.h"
HEAD = """// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The parameters of PyTorch's operators, in their order and with their defaults, for the operators
// that have a rule and parameters that are no tensors. scripts/aten_schemas.py writes this file
// from PyTorch's native_functions.yaml.
#pragma once

#include <string_view>

namespace onnx_lower {

struct AtenSchema {
  std::string_view name;
  std::string_view overload;
  std::string_view parameters;
};

// Sorted by name; the overloads of an operator stand in PyTorch's order.
inline constexpr AtenSchema aten_schemas[] = {
"""
TAIL = """};

}  // namespace onnx_lower
"""


def names_with_rules() -> set[str]:
    names = set()
    for path in RULES.rglob("*"):
        if path.suffix == ".onnxtxt":
            names.add(path.stem)
        if path.suffix in (".onnxtxt", ".cpp"):
            text = path.read_text()
            names.update(re.findall(r"\baten::(\w+)", text))
            names.update(re.findall(r'\.op_type = "(\w+)"', text))
    return names


def parameters(text: str) -> list[str]:
    """Of the text between the parentheses of a schema, without what says how a tensor is aliased and which ones are named in Python."""
    text = re.sub(r"\(\w!?(?: -> [\w*|]+)?\)", "", text).replace("SymInt", "int")
    parts = re.split(r", (?![^\[]*\])", text) if text else []
    return [part for part in parts if part != "*"]


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    names, lines = names_with_rules(), []
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        found = re.match(r"- func: (\w+?)(?:\.(\w+))?\((.*)\) -> ", line)
        if not found or found[1] not in names:
            continue
        name, overload, all_parameters = found[1], found[2] or "", parameters(found[3])
        is_for_numbers = any(not re.match(r"Tensor(\?)?(\[\])? ", parameter) for parameter in all_parameters)
        if not is_for_numbers or "!" in found[3] or any(re.match(r"Dimname|Generator", parameter) for parameter in all_parameters):
            continue
        # Literals that stand behind each other are one.
        text = textwrap.wrap(", ".join(all_parameters).replace('"', "'"), 100, drop_whitespace=False)
        lines.append((name, "\n".join([f'    {{"{name}", "{overload}",', *(f'     "{part}"' for part in text)]) + "},"))
    lines.sort(key=lambda line: line[0])
    body = "\n".join(line for _, line in lines)
    TABLE.write_text(f"{HEAD}    // clang-format off\n{body}\n    // clang-format on\n{TAIL}")


if __name__ == "__main__":
    main()
