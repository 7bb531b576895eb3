#!/usr/bin/env python3

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes what is made of src/command_line/options.toml, the table of the options: the program's own table, the man page's OPTIONS, docs/options.md and the
table of the Python module. With --check it writes nothing, and fails where a file is not what would be written."""
import json
import pathlib
import re
import sys
import textwrap
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = "src/command_line/options.toml"
MADE = f"Made by scripts/{pathlib.Path(__file__).name} of {SOURCE}."
LICENCE = ("SPDX-FileCopyrightText: 2026 The onnx-lower authors", "SPDX-License-Identifier: Apache-2.0")


def long_name(option):
    return re.search(r"--([a-z-]+[a-z])", option["names"])[1]


def cpp_text(text):
    """As literals that fit into the width of a line."""
    pieces = textwrap.wrap(text, 90, drop_whitespace=False, replace_whitespace=False, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n     ".join(json.dumps(piece, ensure_ascii=False) for piece in pieces)


def cpp_table(options):
    text = "".join(f"// {line}\n" for line in LICENCE) + f"\n// {MADE}\n#pragma once\n"
    text += """
// clang-format off

namespace onnx_lower::option_table {

struct Row {
  const char* names;      // as CLI11 takes them
  const char* value;      // what stands behind the name in --help; nothing for a flag
  const char* group;      // its heading in --help
  const char* help;
  const char* completes;  // what its values are, for the shells' completions
};

"""
    for option in options:
        parts = [json.dumps(option["names"]), cpp_text(option.get("value", "")), cpp_text(option.get("group", "")), cpp_text(option["help"]), cpp_text(option.get("completes", ""))]
        text += f"inline constexpr Row {long_name(option).replace('-', '_')}{{\n     " + ",\n     ".join(parts) + "};\n"
    names = ", ".join("&" + long_name(option).replace("-", "_") for option in options)
    text += "\ninline constexpr const Row* all[] = {\n" + textwrap.indent(textwrap.fill(names, 110), "     ") + "};\n"
    return text + "\n}  // namespace onnx_lower::option_table\n"


def roff(text):
    return text.replace("-", "\\-").replace("…", "...")


def man_value(value):
    """Words in capitals stand for something, and are slanted."""
    return re.sub(r"[A-Z][A-Z_]*", lambda found: f"\\fI{found[0]}\\fR", roff(value))


def man_options(options):
    text, group = ".SH OPTIONS\n", ""
    for option in options:
        if option.get("group", "") != group:
            group = option["group"]
            text += f".SS {group}\n"
        value = option.get("value", "")
        behind = ("" if value.startswith("[") else " ") + man_value(value) if value else ""
        names = re.sub(r"\{.*\}", "", option["names"]).split(",")
        text += ".TP\n" + ", ".join(f"\\fB{roff(name)}\\fR{behind}" for name in names) + "\n" + option["manual"].strip("\n") + "\n"
    return text


def man_page(options):
    page = (ROOT / "man/onnx-lower.1").read_text()
    begin, end = page.index(".SH OPTIONS\n"), page.index(".SH EXIT STATUS\n")
    return page[:begin] + man_options(options) + page[end:]


def documentation(options):
    text = "# Options\n\nWhat `onnx-lower --help` lists, and what it is in a call of [the Python module](python.md). `man onnx-lower` says more of each.\n"
    group = None
    for option in options:
        if option.get("group", "") != group:
            group = option.get("group", "")
            text += f"\n## {group or 'Lowering'}\n\n| option | | in Python |\n| --- | --- | --- |\n"
        names = re.sub(r"\{.*\}", "", option["names"]).replace(",", ", ")
        value = option.get("value", "")
        shown = f"`{names}{'' if value.startswith('[') or not value else ' '}{value}`".replace("|", "\\|")
        keyword, kind = option.get("python", ("", ""))
        python = f"`{keyword}()`" if kind == "function" else f"`{keyword}`" if keyword else ""
        text += f"| {shown} | {option['help'].replace(chr(10), ' ').replace('|', chr(92) + '|')} | {python} |\n"
    return text


def python_table(options):
    text = "".join(f"# {line}\n" for line in LICENCE) + f'\n"""{MADE}"""\nfrom __future__ import annotations\n'
    keywords = [(long_name(option), *option["python"]) for option in options if option.get("python", ("", "function"))[1] != "function"]
    functions = {long_name(option): option["python"][0] for option in options if option.get("python", ("", ""))[1] == "function"}
    text += "\n# The name on the command line, the keyword, and how its values are written.\nKEYWORDS = (\n"
    text += "".join(f"    ({json.dumps(name)}, {json.dumps(keyword)}, {json.dumps(kind)}),\n" for name, keyword, kind in keywords)
    text += ")\n\n# Options in whose place there is a function of the module.\nFUNCTIONS = {\n"
    return text + "".join(f"    {json.dumps(name)}: {json.dumps(function)},\n" for name, function in functions.items()) + "}\n"


def main():
    options = tomllib.loads((ROOT / SOURCE).read_text())["option"]
    made = {
        "src/command_line/option_table.h": cpp_table(options),
        "man/onnx-lower.1": man_page(options),
        "docs/options.md": documentation(options),
        "python/onnx_lower/option_table.py": python_table(options),
    }
    stale = [name for name, text in made.items() if not (ROOT / name).exists() or (ROOT / name).read_text() != text]
    if "--check" in sys.argv[1:]:
        sys.exit(f"{', '.join(stale)}: not what {SOURCE} says; run scripts/{pathlib.Path(__file__).name}" if stale else 0)
    for name in stale:
        (ROOT / name).write_text(made[name])
        print(f"wrote {name}")


if __name__ == "__main__":
    main()
