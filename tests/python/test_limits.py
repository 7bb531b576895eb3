# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Each limit of docs/limits.md: one below it is taken, one above it is refused with the exit status and the words that stand there."""
from __future__ import annotations

import dataclasses
import json
import pathlib
import re

import onnx
import pytest

import tool
from wire_models import FLOAT, INT64, X, field, given_model, node, tensor, tensor_type

pytestmark = pytest.mark.on_disk


@dataclasses.dataclass
class Limit:
    status: int
    words: str


def documented() -> dict[str, Limit]:
    rows = re.findall(r"^\| (.+?) \| .+? \| (\d) \| `(.+?)` \|$", (tool.REPOSITORY / "docs" / "limits.md").read_text(), re.MULTILINE)
    return {what.split(" (")[0].split(", ")[0]: Limit(int(status), words) for what, status, words in rows}


LIMITS = documented()


def from_bytes(content: bytes, *arguments: object):
    return lambda folder: tool.run(["-", "-o", folder / "out.onnx", *arguments], stdin=content)


def from_text(text: str, *arguments: object):
    def run(folder: pathlib.Path) -> tool.Run:
        (folder / "in.onnxtxt").write_text(text)
        return tool.run([folder / "in.onnxtxt", "-o", folder / "out.onnx", *arguments])

    return run


def checked_rule(text: str):
    def run(folder: pathlib.Path) -> tool.Run:
        (folder / "rule.onnxtxt").write_text(text)
        return tool.run(["--check-rules", folder / "rule.onnxtxt"])

    return run


def groups(count: int) -> bytes:
    return bytes([100 * 8 % 128 + 128 + 3, 100 * 8 // 128]) * count + bytes([100 * 8 % 128 + 128 + 4, 100 * 8 // 128]) * count


def sequences(depth: int) -> bytes:
    of = tensor_type(FLOAT)
    for _ in range(depth):
        of = field(4, field(1, of))
    return given_model(inputs=[X, field(1, "s") + field(2, of)])


def sparse(size: int) -> bytes:
    indices = tensor("", (1,), INT64, bytes(8))
    return given_model(in_graph=field(15, field(1, tensor("w", (1,), raw=bytes(4))) + field(2, indices) + field(3, size)))


HEADER = '<ir_version: 8, opset_import: ["" : 17, "d" : 1]>\n'
RULE = '<domain: "d", opset_import: ["" : 18]>\nF (x) => (y) {{ {} }}\n'


def text_with_brackets(depth: int) -> str:
    return HEADER + "g (float[2] x) => (float[2] y) { y = Neg <a = " + "[" * (depth - 1) + "1" + "]" * (depth - 1) + "> (x) }\n"


def rule_with_brackets(depth: int) -> str:
    return RULE.format("y = Neg <a = " + "[" * (depth - 2) + "1" + "]" * (depth - 2) + "> (x)")


def condition(depth: int) -> str:
    return '["where": "' + "not " * depth + 'rank(x) == 4"]\n' + RULE.format("y = Neg (x)")


def sum_in_condition(count: int) -> str:
    return f'["where": "rank(x) < {"+".join(["1"] * (count + 1))}"]\n' + RULE.format("y = Neg (x)")


def choices(count: int) -> str:
    """By as many conditions."""
    nodes = "".join(f" a{k} = Relu (v{k})  v{k + 1} = onnx_lower.Choose <where = \"rank(x) == {k}\"> (a{k}, v{k})" for k in range(count))
    return RULE.format(f"v0 = Neg (x) {nodes} y = Neg (v{count})")


def definitions(text: str):
    def run(folder: pathlib.Path) -> tool.Run:
        (folder / "rule.onnxtxt").write_text(f'["let": "{text}"]\n' + RULE.format("y = Neg (x)"))
        return from_text(HEADER + "g (float[2] x) => (float[2] y) { y = d.F (x) }\n", "--rules", folder / "rule.onnxtxt")(folder)

    return run


def strings(size: int) -> str:
    return f"a = ['{'s' * 1024}'] * {size // 1024}"


def numbers(lists: int) -> str:
    return "; ".join(f"a{k} = [{k}] * 65536" for k in range(lists))


def target(mentions: int):
    """Of a list of 1024 bytes."""

    def run(folder: pathlib.Path) -> tool.Run:
        (folder / "own.target").write_text(f"let floats = (float{' ' * 1017})\n" + "Relu dtype(X) in floats\n" * mentions)
        return tool.run(["-", "-o", folder / "out.onnx", "--target", folder / "own.target"], stdin=given_model())

    return run


def chain_of_functions(count: int) -> str:
    functions = "".join(f'<domain: "d", opset_import: ["" : 17, "d" : 1]>\nF{k} (a) => (b) {{ b = {"Neg" if k == count - 1 else f"d.F{k + 1}"} (a) }}\n' for k in range(count))
    return HEADER + "g (float[2] x) => (float[2] y) { y = d.F0 (x) }\n" + functions


def forms_in_one_another(count: int):
    """3 ** `count` tries lead nowhere: the attribute is another one each time, and the last operator looks at it. What fits takes none of these ways."""
    header = '<domain: "d", opset_import: ["" : 17, "d" : 1]>'
    rules = f"{header}\nF (a) => (b) {{ b = d.F0 (a) }}\n"
    rules += "".join(f'["let": "n = k * 3 + {which}"]\n{header}\nF{k} <k: int = 0> (a) => (b) {{ b = d.F{k + 1} <k = @n> (a) }}\n' for k in range(count) for which in range(3))
    rules += f'["where": "k < 0"]\n{header}\nF{count} <k: int = 0> (a) => (b) {{ b = Neg (a) }}\n'
    rules += f"{header}\nF (a) => (b) {{ b = d.G (a) }}\n"
    # So many forms that none is left of the tries of one form.
    rules += f'["where": "rank(a) == 7"]\n{header}\nH (a) => (b) {{ b = Neg (a) }}\n' + f"{header}\nG (a) => (b) {{ b = d.H (a) }}\n" * 99 + f"{header}\nG (a) => (b) {{ b = Neg (a) }}\n"

    def run(folder: pathlib.Path) -> tool.Run:
        (folder / "in.onnxtxt").write_text(HEADER + "g (float[2] x) => (float[2] y) { y = d.F (x) }\n")
        (folder / "rules.onnxtxt").write_text(rules)
        return tool.run([folder / "in.onnxtxt", "-o", folder / "out.onnx", "--rules", folder / "rules.onnxtxt"])

    return run


def functions_of_many_calls(calls: int, levels: int) -> str:
    """`calls` ** `levels` nodes."""
    functions = ""
    for level in range(levels):
        callee = "Neg" if level == levels - 1 else f"d.F{level + 1}"
        body = "".join(f"t{k + 1} = {callee} (t{k})\n" for k in range(calls))
        functions += f'<domain: "d", opset_import: ["" : 17, "d" : 1]>\nF{level} (t0) => (t{calls}) {{ {body} }}\n'
    return HEADER + "g (float[2] x) => (float[2] y) { y = d.F0 (x) }\n" + functions


def native(body: str, inputs: str, output: str, *arguments: object):
    return from_text(f'<ir_version: 8, opset_import: ["" : 18, "aten" : 1, "com.microsoft" : 1]>\ng ({inputs}) => ({output}) {{ {body} }}\n', *arguments)


def column_to_image(pad: int):
    return native(f"y = Col2Im <pads = [{pad}, 0, 0, 0]> (x, image, block)", "float[1,4,4] x, int64[2] image, int64[2] block", "float[a,b,c,d] y", "--target-opset", 17)


def unit_matrix(size: int):
    """A power of 0."""
    return native("n = Constant <value_int = 0> ()\ny = aten.linalg_matrix_power (x, n)", f"float[{size},{size}] x", "float[a,b] y")


def masked_windows(width: int):
    return native(f"y = com.microsoft.MaxpoolWithMask <kernel_shape = [1, {width}]> (x, mask)", "float[1,1,1,90000] x, int32[1,1,1,90000] mask", "float[a,b,c,d] y")


def large_output(folder: pathlib.Path) -> tool.Run:
    """2 GiB that are holes of a file, to be brought into the model."""
    size = 1 << 31
    external = field(13, field(1, "location") + field(2, "w.bin")) + field(14, 1)
    (folder / "in.onnx").write_bytes(given_model(nodes=[node("Add", ["x", "w"], ["y"])], initializers=[field(1, size // 4) + field(2, FLOAT) + field(8, "w") + external]))
    with open(folder / "w.bin", "wb") as file:
        file.truncate(size)
    return tool.run([folder / "in.onnx", "-o", folder / "out.onnx", "--external-data", "embed"])


def manifest(identity: str):
    line = f'{{"input": "in.onnx", "output": "out.onnx", "id": {identity}}}'

    def run(folder: pathlib.Path) -> tool.Run:
        (folder / "in.onnx").write_bytes(given_model())
        return tool.run(["--manifest", "-"], stdin=line.encode(), cwd=folder)

    return run


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def keys(count: int) -> str:
    return json.dumps({f"k{k}": k for k in range(count)})


def many(*arguments: object):
    def run(folder: pathlib.Path) -> tool.Run:
        (folder / "in.onnx").write_bytes(given_model())
        return tool.run([folder / "in.onnx", "--output-dir", folder / "out", *arguments])

    return run


def links(count: int):
    def run(folder: pathlib.Path) -> tool.Run:
        for k in range(count):
            (folder / f"link{k}").symlink_to(f"link{k + 1}" if k + 1 < count else "target.onnx")
        return tool.run(["-", "-o", folder / "link0"], stdin=given_model())

    return run


def calls_of_a_function_that_stays(count: int):
    kinds = ["float", "double", "float16", "int8", "int16", "int32", "int64", "uint8", "uint16"]
    calls = [f"y{a}{b} = d.F ({a}, {b})" for a in kinds for b in kinds]
    imports = '["" : 18, "d" : 1]'
    return from_text(
        f'<ir_version: 8, opset_import: {imports}>\ng ({", ".join(f"{kind}[2] {kind}" for kind in kinds)}) => (bool[1] yfloatfloat) {{ {"  ".join(calls[:count])} }}\n'
        f'<domain: "d", opset_import: {imports}>\nF (a, b) => (c) {{ s = Shape (a)  t = Shape (b)  c = Equal (s, t) }}\n', "--keep", "d::F", "--target-opset", 15)


NEWEST = onnx.defs.C.schema_version_map()[""][1]

# What is just taken (None where that would need a machine of its own), and what is not any more.
CASES = {
    "messages in one another": (from_bytes(given_model(rest=groups(100))), from_bytes(given_model(in_graph=groups(100)))),
    "types in one another": (from_bytes(sequences(47)), from_bytes(sequences(48))),
    "elements of a tensor": (
        from_bytes(given_model(initializers=[tensor("w", (2**56, 0), raw=b"")])),
        from_bytes(given_model(initializers=[tensor("w", (2**57, 0), raw=b"")])),
    ),
    "opset of a standard domain": (from_bytes(given_model(opsets=(("", NEWEST),))), from_bytes(given_model(opsets=(("", NEWEST + 1),)))),
    "IR version": (from_bytes(given_model(ir_version=onnx.IR_VERSION)), from_bytes(given_model(ir_version=onnx.IR_VERSION + 2))),
    "output in one file": (None, large_output),
    "bytes of a sparse initializer that is made dense": (None, from_bytes(sparse(2**29 + 1))),
    "brackets in one another in a model's text": (None, from_text(text_with_brackets(401))),
    "brackets in one another in a rule's text": (None, checked_rule(rule_with_brackets(101))),
    "parentheses and `not` in one another in a condition": (checked_rule(condition(50)), checked_rule(condition(52))),
    "operators and indices in one another in a condition or definition": (checked_rule(sum_in_condition(256)), checked_rule(sum_in_condition(257))),
    "forms that the choices of a form make of it": (checked_rule(choices(6)), checked_rule(choices(7))),
    "elements of a list that a condition or definition makes": (definitions("a = range(65536)"), definitions("a = range(65537)")),
    "bytes of the strings of such a list": (definitions(strings(1048576)), definitions(strings(1049600))),
    "bytes in memory of what all definitions of a rule make of one node": (definitions(numbers(4)), definitions(numbers(5))),
    "bytes of the lists of a target's file": (target(256), target(257)),
    "numbers in text": (
        from_text(HEADER + "g (float[2] x) => (float[2] y) { y = Elu <alpha = 1e38> (x) }\n"),
        from_text(HEADER + "g (float[2] x) => (float[2] y) { y = Elu <alpha = 1e39> (x) }\n"),
    ),
    "rules and functions that expand into others": (from_text(chain_of_functions(256)), from_text(chain_of_functions(300))),
    "rules that decline for a node of the model and for what others make of it": (forms_in_one_another(6), forms_in_one_another(9)),
    "nodes that rules and functions make": (from_text(functions_of_many_calls(10, 3)), from_text(functions_of_many_calls(20, 6))),
    "attributes and dimensions that a native rule reckons with": (column_to_image(2**31 - 1), column_to_image(2**31)),
    "elements of a constant that a native rule makes of such numbers": (unit_matrix(1024), unit_matrix(1025)),
    "nodes that a native rule makes of one node": (masked_windows(5_000), masked_windows(20_000)),
    "lists and objects in one another in a line of a manifest": (manifest(nested(100)), manifest(nested(101))),
    "keys of an object in a line of a manifest": (manifest(keys(1000)), manifest(keys(1001))),
    "combinations of element types with which a function is called that stays at another opset": (calls_of_a_function_that_stays(64), calls_of_a_function_that_stays(65)),
    "`--target-opset`": (from_bytes(given_model(), "--target-opset", NEWEST), from_bytes(given_model(), "--target-opset", NEWEST + 1)),
    "`--jobs`": (many("--jobs", 1024), many("--jobs", 1025)),
    "parts in `--shard`": (many("--shard", "1/1000000000"), many("--shard", "1/1000000001")),
    "`--timeout`": (many("--timeout", 999_999_999), many("--timeout", 1_000_000_000)),
    "links that an output is behind": (links(40), links(42)),
}


def test_every_limit_has_a_case() -> None:
    assert set(CASES) == set(LIMITS)


@pytest.mark.parametrize("what", [what for what, (below, _) in CASES.items() if below])
def test_below(what: str, tmp_path: pathlib.Path) -> None:
    result = CASES[what][0](tmp_path)
    assert result.status == tool.DONE, str(result)[:1000]


@pytest.mark.parametrize("what", CASES)
def test_above(what: str, tmp_path: pathlib.Path) -> None:
    result = CASES[what][1](tmp_path)
    tool.assert_clean_refusal(result, LIMITS[what].status)
    assert LIMITS[what].words in result.stderr, result.stderr[:1000]
    assert not (tmp_path / "out.onnx").exists()
