# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What is linked in or compiled in is listed with its licence and in the bill of materials, and nothing else is."""
from __future__ import annotations

import fnmatch
import json
import pathlib
import re
import subprocess
import zipfile

import pytest

import tool
from conftest import REPOSITORY, TOOLS, the_one
from test_wheel import VERSION

BUILD = tool.REPOSITORY / "build"
COMPONENTS = json.loads((REPOSITORY / "third_party" / "components.json").read_text())


def test_the_notices_are_up_to_date() -> None:
    done = subprocess.run([REPOSITORY / "scripts" / "make_third_party_notices", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_licence_is_apache() -> None:
    text = (REPOSITORY / "LICENSE").read_text()
    assert text == (REPOSITORY / "LICENSES" / "Apache-2.0.txt").read_text() and "Version 2.0, January 2004" in text and len(text) > 11000


def test_components_have_their_texts() -> None:
    folders = {path.name for path in (REPOSITORY / "third_party").iterdir() if path.is_dir()}
    assert folders == {component["name"] for component in COMPONENTS}


def component_of(path: str, kind: str) -> str | None:
    """The first that claims the path; the last but one, the C library, has what is left of the system's headers."""
    for component in COMPONENTS:
        for pattern in component.get(kind, []):
            if fnmatch.fnmatchcase(pathlib.PurePath(path).name, pattern) if kind == "libraries" else pattern in path:
                return component["name"]
    return None


def linked_files(target: str) -> set[str]:
    """What the linker reads for a target besides our own objects."""
    commands = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", target], capture_output=True, text=True, check=True).stdout
    command = commands.splitlines()[-1].removeprefix(": && ").removesuffix(" && :")
    assert f" -o {target} " in command
    traced = subprocess.run(command.replace(f" -o {target} ", " -Wl,--trace -o /dev/null "), shell=True, cwd=BUILD, capture_output=True, text=True)
    assert traced.returncode == 0, traced.stderr
    files = {re.sub(r"^\((.*)\)\w+\.o$|\(.*$", lambda match: match[1] or "", line.strip()) for line in traced.stdout.splitlines()}
    return {file for file in files if "CMakeFiles/" not in file and ".dir/" not in file}


def test_everything_that_is_linked_is_listed() -> None:
    files = linked_files("onnx-lower")
    assert any(file.endswith("libc.a") for file in files), "it is linked statically"
    found = {file: component_of(file, "libraries") for file in files}
    assert None not in found.values(), found
    # Of a newer fmt than Debian 12's only the headers are used, which the test of what is compiled in sees.
    assert set(found.values()) | {"fmt"} == {"protobuf", "onnx", "fmt", "gcc", "glibc"}


def test_what_is_linked_into_the_verifying_program_is_listed() -> None:
    files = linked_files("onnx-lower-verify")
    found = {file: component_of(file, "libraries") for file in files if not re.search(r"\.so[.\d]*$|/Scrt1\.o$", file)}
    assert None not in found.values(), found
    # The C library is linked dynamically, but for what it links into every program.
    assert set(found.values()) | {"fmt", "glibc"} == {"fmt", "zlib", "gcc", "glibc"}


def included_files() -> dict[str, set[str]]:
    """The headers from elsewhere that each of our parts was compiled with."""
    included: dict[str, set[str]] = {"onnx-lower": set(), "onnx-lower-verify": set(), "libonnx_lower_kernels.so": set()}
    part = None
    for line in subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout.splitlines():
        if line and not line.startswith(" "):
            ours = re.match(r"CMakeFiles/(onnx-lower|onnx_lower_core|onnx_lower_rules|onnx_lower_fmt|onnx-lower-verify|onnx_lower_verify_parts|onnx_lower_kernels)\.dir/", line)
            others = {"onnx_lower_kernels": "libonnx_lower_kernels.so", "onnx-lower-verify": "onnx-lower-verify", "onnx_lower_verify_parts": "onnx-lower-verify"}
            part = others.get(ours[1], "onnx-lower") if ours else None
        elif part and line.strip():
            path = pathlib.Path(BUILD, line.strip())
            if not path.is_relative_to(REPOSITORY) or path.is_relative_to(BUILD / "_deps") or path.is_relative_to(BUILD / "onnxruntime-headers"):
                included[part].add(str(path))
    return included


def test_everything_that_is_compiled_in_is_listed() -> None:
    for part, files in included_files().items():
        # Linux's own headers for programs hold numbers and layouts, and say that using them makes nothing a derived work.
        found = {file: component_of(file, "headers") for file in files if not re.match(r"(/usr/include/([\w-]+/)?(linux|asm|asm-generic)|/usr/lib/linux/uapi)/", file)}
        assert None not in found.values(), {file for file, component in found.items() if component is None}
        listed = {component["name"] for component in COMPONENTS if part in component["in"] and component["headers"]}
        # glibc's headers alone make nothing a part of a library that is linked dynamically.
        assert set(found.values()) | {"glibc"} == listed | {"glibc"}


@pytest.mark.parametrize("wheel,components", [("*manylinux*.whl", 10), ("*musllinux*.whl", 9)])
def test_bill_of_materials(wheel: str, components: int, tmp_path: pathlib.Path) -> None:
    with zipfile.ZipFile(the_one(wheel)) as archive:
        text = archive.read(f"onnx_lower-{VERSION}.dist-info/sboms/onnx-lower.cdx.json").decode()
    (tmp_path / "bom.json").write_text(text)
    validate = ("import sys; from cyclonedx.schema import SchemaVersion; from cyclonedx.validation.json import JsonStrictValidator; "
                "print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()))")
    done = subprocess.run([TOOLS / "python", "-c", validate, tmp_path / "bom.json"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "None\n", done.stdout + done.stderr
    bom = json.loads(text)
    versions = {component["name"]: component["version"] for component in bom["components"]}
    licences = {component["name"]: component["licenses"][0]["expression"] for component in bom["components"]}
    assert licences == {component["name"]: component["license"] for component in COMPONENTS if component["name"] in versions} and len(versions) == components
    assert all(re.fullmatch(r"\d+(\.\d+)+", version) for version in versions.values()), versions
    told = dict(line.split() for line in tool.run(["--version"]).stdout.decode().splitlines())
    assert (versions["onnx"], versions["protobuf"]) == (told["onnx"], told["protobuf"])
    assert set(bom["dependencies"][0]["dependsOn"]) == set(versions)
