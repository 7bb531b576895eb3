# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Where a C++ source may be mutated, by clang's syntax tree."""
from __future__ import annotations

import dataclasses
import json
import pathlib
import re
import shlex
from collections.abc import Iterator

from clang.cindex import Cursor, CursorKind, Index, TranslationUnit, TypeKind

BINARY = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&",
}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
COMPOUND = {"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "/=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<="}
# Calls that only save time, so that no test can miss them.
ONLY_FASTER = re.compile(r"[\w.()>-]+(\.|->)(reserve|shrink_to_fit|prefetch|map_pages|unmap_pages|leave_tensor)\b|(::)?(madvise|posix_fadvise|posix_madvise)\b")
# What says only how fast: what is hashed to the same number is compared, and memory comes in small or large pages.
ONLY_FASTER_FILES = ("src/model_file/large_page_allocator.cpp",)
ONLY_FASTER_FUNCTIONS = re.compile(r"(\w+_)?hash(_\w+)?|expect")


@dataclasses.dataclass(frozen=True)
class Candidate:
    """The bytes [start, end) of a file, and what stands there in the mutant."""
    file: str
    start: int
    end: int
    line: int
    kind: str
    original: str
    mutated: str
    statement: bool = False  # else an expression
    occurrence: int = 0      # among those of the file that are else the same

    @property
    def key(self) -> str:
        """The same as long as the source says the same, wherever it stands."""
        return "\0".join((self.file, self.kind, self.original, self.mutated, str(self.occurrence)))


class Source:
    def __init__(self, file: str, path: pathlib.Path) -> None:
        self.file, self.path, self.text = file, path, path.read_bytes()
        self.found: list[Candidate] = []

    def between(self, start: int, end: int) -> str:
        return self.text[start:end].decode()

    def of(self, cursor: Cursor) -> str:
        return self.between(cursor.extent.start.offset, cursor.extent.end.offset)

    def add(self, kind: str, start: int, end: int, mutated: str, statement: bool = False) -> None:
        self.found.append(Candidate(self.file, start, end, self.text.count(b"\n", 0, start) + 1, kind, self.between(start, end), mutated, statement))


def is_number(cursor: Cursor) -> bool:
    kind = cursor.type.get_canonical().kind
    return TypeKind.BOOL.value <= kind.value <= TypeKind.LONGDOUBLE.value or kind == TypeKind.ENUM


def expression(source: Source, cursor: Cursor, children: list[Cursor]) -> None:
    """What may be changed in an expression itself."""
    start, end, text = cursor.extent.start.offset, cursor.extent.end.offset, source.of(cursor)
    kind = cursor.kind
    if kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2 or kind == CursorKind.CALL_EXPR and len(children) == 3:
        left, right = children[0], children[-1]
        operator = source.between(left.extent.end.offset, right.extent.start.offset).strip()
        other = (COMPOUND if kind == CursorKind.COMPOUND_ASSIGNMENT_OPERATOR else BINARY).get(operator)
        if other is None or left.extent.start.offset != start or right.extent.end.offset != end:
            return
        if kind == CursorKind.CALL_EXPR and operator not in COMPARISONS:
            return
        if operator in ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^") and not is_number(cursor):
            return
        source.add("operator", start, end, f"{source.of(left)} {other} {source.of(right)}")
    elif kind == CursorKind.UNARY_OPERATOR and len(children) == 1:
        inside = source.of(children[0])
        if children[0].extent.start.offset == start and not text.endswith(("++", "--")):
            return  # one that clang has added, for != by ==
        if text.startswith("!"):
            source.add("negation", start, end, f"static_cast<bool>({inside})")
        elif text.startswith("-") and not text.startswith("--"):
            source.add("sign", start, end, inside)
        elif text.startswith(("++", "--")):
            source.add("step", start, end, ("--" if text.startswith("++") else "++") + inside)
        elif text.endswith(("++", "--")):
            source.add("step", start, end, inside + ("--" if text.endswith("++") else "++"))
    elif kind == CursorKind.CXX_BOOL_LITERAL_EXPR:
        source.add("constant", start, end, {"true": "false", "false": "true"}.get(text, text))
    elif kind == CursorKind.INTEGER_LITERAL:
        if number := re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlLzZ]*)", text):
            value = int(number[1], 0 if number[1].lower().startswith("0x") else 10)
            source.add("constant", start, end, f"{0 if value == 1 else value + 1}{number[2]}")
    elif kind == CursorKind.CONDITIONAL_OPERATOR and len(children) == 3:
        condition(source, children[0])


def condition(source: Source, cursor: Cursor) -> None:
    """What has a mutant already that says the same is left alone."""
    text, children = source.of(cursor), list(cursor.get_children())
    operator = source.between(children[0].extent.end.offset, children[-1].extent.start.offset).strip() if len(children) > 1 else ""
    if operator not in ("==", "!=") and not (text.startswith("!") and cursor.kind == CursorKind.UNARY_OPERATOR):
        source.add("condition", cursor.extent.start.offset, cursor.extent.end.offset, f"!({text})")


def condition_of(source: Source, cursor: Cursor, children: list[Cursor]) -> None:
    """if (...) and while (...), where the condition declares nothing."""
    head = re.match(r"(if|while)\s*\(", source.of(cursor))
    if not head:
        return
    start = cursor.extent.start.offset + head.end()
    for child in children[:-1]:
        after = child.extent.end.offset
        if child.kind.is_expression() and child.extent.start.offset >= start and re.match(rb"\s*\)", source.text[after:]):
            condition(source, child)
            return


def statement(source: Source, cursor: Cursor, parents: list[Cursor]) -> None:
    """A statement whose value nobody uses is left out; what returns a value returns another."""
    start, end = cursor.extent.start.offset, cursor.extent.end.offset
    semicolon = re.match(rb"\s*;", source.text[end:])
    if not semicolon:
        return
    end += semicolon.end()
    text = source.between(start, end)
    if cursor.kind == CursorKind.RETURN_STMT and (values := list(cursor.get_children())):
        value = values[0]
        if value.type.get_canonical().kind == TypeKind.BOOL:
            if value.kind != CursorKind.CXX_BOOL_LITERAL_EXPR and source.of(value) not in ("true", "false"):
                source.add("return", start, end, f"return !({source.of(value)});", True)
            return
        function = next((parent for parent in reversed(parents) if parent.kind in FUNCTIONS), None)
        if function is None or function.kind != CursorKind.LAMBDA_EXPR and function.result_type.get_canonical().kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE):
            return
        if source.of(value) not in ("{}", "0", "nullptr", "std::nullopt", "false", "true", '""', "*this"):
            source.add("return", start, end, "return {};", True)
        return
    removable = (CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT, CursorKind.RETURN_STMT)
    if not (cursor.kind.is_expression() or cursor.kind in removable) or ONLY_FASTER.match(text):
        return
    if re.match(rb"\s*default:\s*break;", source.text[end:]):
        return  # what follows it does nothing either
    # What comes after the last statement of a function is undefined if it does not leave.
    if text.startswith("throw") and not any(parent.kind == CursorKind.IF_STMT for parent in parents[-2:]):
        return
    source.add("statement", start, end, ";", True)


FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION,
             CursorKind.FUNCTION_TEMPLATE, CursorKind.LAMBDA_EXPR)
# Constants of the compiler, which cannot depend on the environment.
CONSTANT = (CursorKind.STATIC_ASSERT, CursorKind.ENUM_DECL, CursorKind.CASE_STMT)
BODIES = (CursorKind.COMPOUND_STMT, CursorKind.IF_STMT, CursorKind.FOR_STMT, CursorKind.CXX_FOR_RANGE_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT)


def visit(source: Source, cursor: Cursor, parents: list[Cursor]) -> None:
    children = list(cursor.get_children())
    if cursor.kind in FUNCTIONS and ONLY_FASTER_FUNCTIONS.fullmatch(cursor.spelling):
        return
    if cursor.kind in CONSTANT:
        # Only what a case does is not constant.
        if cursor.kind == CursorKind.CASE_STMT and children:
            visit(source, children[-1], [*parents, cursor])
        return
    if cursor.kind == CursorKind.VAR_DECL and re.match(r"(inline |static )*constexpr\b", source.of(cursor)):
        return
    expression(source, cursor, children)
    if cursor.kind in (CursorKind.IF_STMT, CursorKind.WHILE_STMT):
        condition_of(source, cursor, children)
    if parents and parents[-1].kind in BODIES:
        in_body = parents[-1].kind == CursorKind.COMPOUND_STMT or re.match(rb"\s*;", source.text[cursor.extent.end.offset:])
        if in_body:
            statement(source, cursor, parents)
    for child in children:
        visit(source, child, [*parents, cursor])


def compile_arguments(entry: dict) -> list[str]:
    """Those that clang needs to read the file, without GCC's precompiled header, which it cannot read."""
    words = shlex.split(entry["command"])
    kept = ["-std=c++20"]
    for index, word in enumerate(words):
        if word.startswith(("-I", "-D")):
            kept.append(word)
        elif word == "-isystem":
            kept += [word, words[index + 1]]
    return kept


def candidates_of(root: pathlib.Path, build: pathlib.Path, folders: list[str]) -> Iterator[Candidate]:
    """All of the files below the folders of root; build holds compile_commands.json, and gets clang's own precompiled header."""
    commands = [entry for entry in json.loads((build / "compile_commands.json").read_text())
                if any(pathlib.Path(entry["file"]).is_relative_to(root / folder) for folder in folders)]
    index = Index.create()
    precompiled = build / "clang.pch"
    index.parse(str(root / "cmake" / "precompiled.h"), args=[*compile_arguments(commands[0]), "-x", "c++-header"], options=TranslationUnit.PARSE_INCOMPLETE).save(str(precompiled))
    sources: dict[str, Source] = {}
    for entry in commands:
        path = pathlib.Path(entry["file"])
        unit = index.parse(str(path), args=[*compile_arguments(entry), "-include-pch", str(precompiled)])
        fatal = [str(diagnostic) for diagnostic in unit.diagnostics if diagnostic.severity >= 3 and diagnostic.location.file]
        if fatal:
            raise SystemExit(f"clang cannot read {path}:\n" + "\n".join(fatal))
        new: dict[str, Source] = {}

        def top(cursor: Cursor) -> None:
            for child in cursor.get_children():
                if child.location.file is None:
                    continue
                at = pathlib.Path(child.location.file.name)
                if not at.is_relative_to(root):
                    continue
                name = str(at.relative_to(root))
                if name in sources or name in ONLY_FASTER_FILES or not any(at.is_relative_to(root / folder) for folder in folders):
                    continue
                if child.kind == CursorKind.NAMESPACE:
                    top(child)
                else:
                    visit(new.setdefault(name, Source(name, at)), child, [])

        top(unit.cursor)
        sources.update(new)
    for source in sources.values():
        seen: dict[str, int] = {}
        places: set[tuple] = set()
        for candidate in sorted(source.found, key=lambda found: (found.start, -found.end, found.mutated)):
            # Implicit nodes of the tree stand for the same text.
            if (place := (candidate.start, candidate.end, candidate.mutated)) in places or candidate.original == candidate.mutated:
                continue
            places.add(place)
            count = seen[candidate.key] = seen.get(candidate.key, -1) + 1
            yield dataclasses.replace(candidate, occurrence=count)
