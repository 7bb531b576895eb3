# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes a target file from the table of operators that a runtime's makers publish: from_table.py NAME DOCUMENT.

DOCUMENT is the page as text, with a table in Markdown: an operator in the first column, or several with a "/" between, and perhaps columns "Supported" (Y or N), "Supported Types", and one with notes;
or a list of names, one in each line. It is not kept here; NAME.notes says where it was found. NAME.notes also holds the head of the target file, and behind a line "operators" the lines that no table can say:

    OPERATOR [VERSIONS]  CONDITION  # what the document says, in short

A line of an operator that the table has is what its note says, beside the element types of the table; every operator with a note must have one, so that no note of a newer document is missed.
A line "# Also: int64 where int32" in the head says that the page takes the one for the other, "# Section: ## Operators" which of the page's tables is meant, and "# Column: WebGL" that a column of that
name alone says what is supported, by element types or by versions of ai.onnx ("7-9, 11+"); a list that the head gives a name (`let`) stands for its types. "always" there says that the note is none for a condition. A line of an operator that the table lacks stands in the target file as it is. Where the head says `types float (double)`, a double is
taken wherever a float is."""
from __future__ import annotations

import argparse
import pathlib
import re

import onnx

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {
    "FP32": "float", "FP16": "float16", "BF16": "bfloat16", "FP8": "float8e4m3fn", "FP4": "float4e2m1", "INT4": "int4", "INT8": "int8", "UINT8": "uint8", "INT32": "int32", "INT64": "int64", "BOOL": "bool",
    "float": "float", "int": "int32", "short": "float16",
}
LISTS = {
    "floats": ("float", "float16", "bfloat16"),
    "numbers": ("float", "float16", "bfloat16", "int32", "int64"),
    "elements": ("float", "float16", "bfloat16", "int32", "int64", "bool"),
}
# Their inputs are of any types, which their bodies decide.
CONTROL_FLOW = {"If", "Loop", "Scan"}


def plain(cell: str) -> str:
    """Without the marks of a link, or of what stands out."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").strip("* ")


class Row:
    def __init__(self, name: str, cells: list[str], header: list[str], column: str) -> None:
        of_column = dict(zip(header[1:], cells[1:] + [""] * len(header)))
        domain, _, op_type = name.replace("ai.onnx.", "ai.onnx:").rpartition(":")
        self.domain = "" if domain in ("", "ai.onnx") else domain.rstrip(":")
        self.op_type = op_type
        self.versions: list[range] = []
        if column:
            said = next(cell for title, cell in of_column.items() if title.startswith(column.lower()))
            of_column = {title: cell for title, cell in of_column.items() if title.startswith("note")}
            is_versions = re.fullmatch(r"[\d+, -]*\d[+ ]*", said) is not None
            self.versions = versions_in(said) if is_versions else []
            of_column["supported"] = "N" if said in ("", "Not supported") else "Y"
            of_column["supported types"] = "" if is_versions or said == "-" else said
        self.is_supported = of_column.pop("supported", "Y") == "Y"
        self.types = [word.strip() for word in of_column.pop("supported types", "").split(",") if word.strip()]
        self.note = " ".join(of_column.values()).strip()


def versions_in(cell: str) -> list[range]:
    """Of ai.onnx, as in "7-9, 11+"."""
    found = []
    for part in cell.replace(" ", "").split(","):
        first, dash, last = part.rstrip("+").partition("-")
        found.append(range(int(first), 1000 if part.endswith("+") else int(last if dash else first) + 1))
    return found


def names_in(cell: str) -> list[str]:
    return [name.strip() for name in re.sub(r"\(.*?\)", "", plain(cell)).split("/")]


def rows(document: str, heading: str, column: str = "") -> list[Row]:
    """Of the tables under the heading, or in the whole document; of a list of names, a row without a note for each."""
    if heading:
        document = re.split(r"^#+ ", f"\n{document}".split(f"\n{heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line.strip() for line in document.splitlines()]
    if not any(line.startswith("|") for line in lines):
        return [Row(line, [line], ["operator"], "") for line in lines if re.fullmatch(r"[\w.:]+", line)]
    found: list[Row] = []
    header: list[str] = []
    for line in lines:
        if not line.startswith("|"):
            header = []
            continue
        cells = [plain(cell.strip()) for cell in line.strip("|").split("|")]
        if cells[0].lower() in ("operator", "operators", "name"):
            header = [cell.lower() for cell in cells]
        elif header and not set(cells[0]) <= set("-: "):
            found += [Row(name, cells, header, column) for name in names_in(cells[0])]
    return found


def schemas_by_name() -> dict[str, list[onnx.defs.OpSchema]]:
    found: dict[str, list[onnx.defs.OpSchema]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            found.setdefault(schema.name, []).append(schema)
    return {name: sorted(schemas, key=lambda schema: schema.since_version) for name, schemas in found.items()}


def allowed_types(schema: onnx.defs.OpSchema, parameter: onnx.defs.OpSchema.FormalParameter) -> set[str]:
    for constraint in schema.type_constraints:
        if constraint.type_param_str == parameter.type_str:
            return {name.removeprefix("tensor(").removesuffix(")") for name in constraint.allowed_type_strs}
    return {parameter.type_str.removeprefix("tensor(").removesuffix(")")}


def typed_parameter(names: list[str], schemas: list[onnx.defs.OpSchema], highest: int) -> str:
    """The input or output whose element type a table means: the first that can have most of the types."""
    schema = [schema for schema in schemas if schema.since_version <= highest][-1]
    parameters = [(parameter, "input", place) for place, parameter in enumerate(schema.inputs)] + [(parameter, "output", place) for place, parameter in enumerate(schema.outputs)]
    parameter, kind, place = max(parameters, key=lambda one: len(allowed_types(schema, one[0]) & set(names)))
    # Older versions may name it otherwise.
    spellings = {getattr(old, f"{kind}s")[place].name for old in schemas if len(getattr(old, f"{kind}s")) > place}
    return parameter.name if len(spellings) == 1 else f"{kind}_{place}"


def lists_in(head: str) -> dict[str, tuple[str, ...]]:
    """Those that the head gives a name."""
    return {name: tuple(members.split(", ")) for name, members in re.findall(r"^let (\w+) = \((.*?)\)", head, re.MULTILINE)}


def lists_of(head: str) -> dict[str, tuple[str, ...]]:
    more = ("double",) if "\ntypes float (double)" in head else ()
    return {**{name: (*members, *more) for name, members in LISTS.items()}, **lists_in(head)}


def versions_text(row: Row, schemas: list[onnx.defs.OpSchema], opsets: range) -> str:
    """Which versions of the operator a line is about, where the table takes not all that a model of these opsets may hold."""
    if not row.versions:
        return ""

    def of_opset(opset: int) -> int:
        return max((schema.since_version for schema in schemas if schema.since_version <= opset), default=0)

    held = {of_opset(opset) for opset in opsets} - {0}
    taken = sorted({of_opset(opset) for opset in opsets if any(opset in versions for versions in row.versions)} - {0})
    return "" if set(taken) == held or not taken else f" {taken[0]}" if len(taken) == 1 else f" {taken[0]}..{taken[-1]}"


def types_condition(row: Row, by_hand: str, schemas: list[onnx.defs.OpSchema], highest: int, lists: dict[str, tuple[str, ...]], also: dict[str, str]) -> str:
    """The table's types, and those that a note under it says stand for one of them, unless a condition by hand says the types of the same parameter."""
    if not row.types or row.op_type in CONTROL_FLOW or by_hand == "never":
        return ""
    names = [TYPES[word] for word in dict.fromkeys(row.types)]
    names += [name for name, other in also.items() if other in names and name not in names]
    parameter = typed_parameter(names, schemas, highest)
    if f"dtype({parameter})" in by_hand:
        return ""
    if "float" in names and "double" in lists["floats"]:
        names.append("double")
    known = next((name for name, members in lists.items() if set(members) == set(names)), None)
    if known:
        return f"dtype({parameter}) in {known}"
    return f"dtype({parameter}) == {names[0]}" if len(names) == 1 else f"dtype({parameter}) in ({', '.join(names)})"


def is_alternative(condition: str) -> bool:
    """Whether "or" binds its parts."""
    depth = 0
    for word in re.findall(r"[()]|\w+", condition):
        depth += (word == "(") - (word == ")")
        if word == "or" and depth == 0:
            return True
    return False


def target_text(notes: str, document: str) -> str:
    head, _, by_hand_text = notes.partition("\noperators\n")
    heading, column = (next((line.removeprefix(word).strip() for line in head.splitlines() if line.startswith(word)), "") for word in ("# Section: ", "# Column: "))
    also = dict(re.findall(r"^# Also: (\w+) where (\w+)$", head, re.MULTILINE))
    lowest, highest = (int(number or 1) for number in re.search(r"^opset (\d*)\.\.(\d+)", head, re.MULTILINE).groups())
    by_hand: dict[str, list[tuple[str, str, str]]] = {}
    for line in by_hand_text.splitlines():
        if not line or line.startswith("#"):
            continue
        said, _, comment = line.partition("  # ")
        name, versions, condition = re.fullmatch(r"(\S+)((?: [\d.]+)?)  (.*)", said.rstrip()).groups()
        by_hand.setdefault(name, []).append((versions, condition, comment.strip()))
    schemas, lists = schemas_by_name(), lists_of(head)
    spelled = {name.lower(): name for name in schemas}
    lines: dict[str, list[str]] = {}
    unknown: list[str] = []
    for row in rows(document, heading, column):
        if row.domain == "" and row.op_type.lower() not in spelled:
            unknown.append(row.op_type)
            continue
        row.op_type = spelled[row.op_type.lower()] if row.domain == "" else row.op_type
        name = f"{row.domain}::{row.op_type}" if row.domain else row.op_type
        if name in lines or not row.is_supported or (row.domain == "" and schemas[row.op_type][0].since_version > highest):
            continue
        said = by_hand.pop(name, [])
        if row.note and not said:
            raise SystemExit(f"{name}: its note is new: {row.note}")
        for versions, condition, comment in said or [("", "always", "")]:
            parts = [types_condition(row, condition, schemas[row.op_type], highest, lists, also) if row.domain == "" else "", "" if condition == "always" else condition]
            if parts[0] and is_alternative(condition):
                parts[1] = f"({condition})"
            text = " and ".join(part for part in parts if part) or "always"
            versions = versions or versions_text(row, schemas.get(row.op_type, []), range(lowest, highest + 1))
            lines.setdefault(name, []).append(f"{name}{versions}  {text}" + (f"  # {comment}" if comment else ""))
    for name, said in by_hand.items():
        lines[name] = [f"{name}{versions}  {condition}" + (f"  # {comment}" if comment else "") for versions, condition, comment in said]
    texts = [line for name in sorted(lines, key=lambda name: ("::" in name, name)) for line in lines[name]]
    used = [f"let {name} = ({', '.join(members)})" for name, members in lists.items() if name not in lists_in(head) and any(re.search(rf"\bin {name}\b", line) for line in texts)]
    head = "\n".join(line for line in head.splitlines() if not line.startswith(("# Section: ", "# Column: ", "# Also: ")))
    if unknown:
        head = head.replace("\n\nsource documents", f"\n# Of the table, these are no operators of ONNX: {', '.join(sorted(unknown))}.\n\nsource documents", 1)
    return re.sub(r"\n\n\n+", "\n\n", head.rstrip() + "\n" + "\n".join(used) + "\n\n" + "\n".join(texts) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="of the target, as tensorrt-10.15")
    parser.add_argument("document", type=pathlib.Path)
    arguments = parser.parse_args()
    text = target_text((HERE / f"{arguments.name}.notes").read_text(), arguments.document.read_text())
    (HERE.parent / f"{arguments.name}.target").write_text(text)


if __name__ == "__main__":
    main()
