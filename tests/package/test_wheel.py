# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The wheels and the source distribution: what they hold, where they run, and the way of a newcomer."""
from __future__ import annotations

import email
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile

import pytest

import tool
from conftest import DIST, REPOSITORY, TOOLS, Environment, in_root, make_environment, pythons, the_one

VERSION = re.search(r"project\(onnx_lower\s+VERSION ([\d.]+)", (REPOSITORY / "CMakeLists.txt").read_text())[1]
MODEL = tool.TESTDATA / "cases" / "thr_attrs_dyn" / "model.onnx"
WHEELS = ["*manylinux*.whl", "*musllinux*.whl"]


def names_in(wheel: pathlib.Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


@pytest.mark.parametrize("pattern", WHEELS)
def test_contents(pattern: str) -> None:
    names = names_in(the_one(pattern))
    data, info = f"onnx_lower-{VERSION}.data", f"onnx_lower-{VERSION}.dist-info"
    module = {f"onnx_lower/{path.name}" for path in (REPOSITORY / "python" / "onnx_lower").iterdir() if path.is_file()}
    assert {"onnx_lower/py.typed", "onnx_lower/__init__.py"} <= module
    share = {"man/man1/onnx-lower.1", "bash-completion/completions/onnx-lower", "zsh/site-functions/_onnx-lower", "fish/vendor_completions.d/onnx-lower.fish",
             "onnx-lower/report.schema.json", "onnx-lower/result.schema.json", "onnx-lower/rules.schema.json"}
    expected = module | {f"{data}/scripts/onnx-lower"} | {f"{data}/data/share/{name}" for name in share}
    expected |= {f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "licenses/LICENSE", "licenses/THIRD_PARTY_NOTICES", "sboms/onnx-lower.cdx.json")}
    if "many" in pattern:
        expected |= {"onnx_lower/libonnx_lower_kernels.so", f"{data}/scripts/onnx-lower-verify"}
    assert names == expected


@pytest.mark.parametrize("pattern", WHEELS)
def test_tags_and_metadata(pattern: str) -> None:
    wheel = the_one(pattern)
    with zipfile.ZipFile(wheel) as archive:
        metadata = email.message_from_bytes(archive.read(f"onnx_lower-{VERSION}.dist-info/METADATA"))
        about = email.message_from_bytes(archive.read(f"onnx_lower-{VERSION}.dist-info/WHEEL"))
    assert metadata["Version"] == VERSION and metadata["License-Expression"] == "Apache-2.0" and metadata["Requires-Python"] == ">=3.9"
    assert metadata.get_all("License-File") == ["LICENSE", "THIRD_PARTY_NOTICES"] and not metadata.get_all("Requires-Dist")
    assert about["Root-Is-Purelib"] == "false"
    assert {tag.split("-")[0:2] == ["py3", "none"] for tag in about.get_all("Tag")} == {True}


# Releases are built on Debian 12, whose glibc is 2.36, and need 2.28. What is built on a newer Debian may need what that has.
GLIBC = int(os.confstr("CS_GNU_LIBC_VERSION").split(".")[1])
NEWEST_GLIBC = 28 if GLIBC <= 36 else GLIBC


def test_auditwheel_agrees() -> None:
    """Of a wheel for glibc 2.28 or older, what ONNX Runtime's own wheels need, if it is built where releases are."""
    wheel = the_one("*manylinux*.whl")
    shown = subprocess.run([TOOLS / "auditwheel", "show", wheel], capture_output=True, text=True, env={**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"})
    assert shown.returncode == 0, shown.stderr
    (tag,) = re.findall(r'platform\s+tag:\s+"(manylinux_2_\d+_\w+)"', shown.stdout)
    assert tag in wheel.name and int(tag.split("_")[2]) <= NEWEST_GLIBC


def test_what_loads_a_runtime_starts_with_old_glibc(tmp_path: pathlib.Path) -> None:
    """Whatever has been built here, it asks for no newer version of a function than others have had for years."""
    with zipfile.ZipFile(the_one("*manylinux*.whl")) as archive:
        path = archive.extract(f"onnx_lower-{VERSION}.data/scripts/onnx-lower-verify", tmp_path)
    shown = subprocess.run(["readelf", "--version-info", "--dynamic", path], capture_output=True, text=True, check=True).stdout
    assert max(int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", shown)) <= 17
    # Where glibc is older than 2.34, these have functions that are now in libc.
    assert {"libpthread.so.0", "libdl.so.2", "libc.so.6"} <= set(re.findall(r"\(NEEDED\).*\[(.*)\]", shown)) and "libstdc++" not in shown and "libgcc" not in shown


def test_twine_agrees() -> None:
    files = [the_one("onnx_lower-*.tar.gz"), *map(the_one, WHEELS)]
    done = subprocess.run([TOOLS / "twine", "check", "--strict", *files], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count("PASSED") == 3, done.stdout


@pytest.mark.parametrize("pattern", WHEELS)
def test_the_program_is_static(pattern: str, tmp_path: pathlib.Path) -> None:
    with zipfile.ZipFile(the_one(pattern)) as archive:
        path = archive.extract(f"onnx_lower-{VERSION}.data/scripts/onnx-lower", tmp_path)
    shown = subprocess.run(["readelf", "--file-header", "--program-headers", "--dynamic", path], capture_output=True, text=True, check=True).stdout
    assert "DYN (Position-Independent Executable file)" in shown and "(DEBUG)" in shown
    assert "INTERP" not in shown and "(NEEDED)" not in shown


def test_the_program_needs_nothing(tmp_path: pathlib.Path) -> None:
    """It runs in a root with no other file than itself and a model: on any Linux."""
    with zipfile.ZipFile(the_one("*musllinux*.whl")) as archive:
        (tmp_path / "onnx-lower").write_bytes(archive.read(f"onnx_lower-{VERSION}.data/scripts/onnx-lower"))
    (tmp_path / "onnx-lower").chmod(0o755)
    (tmp_path / "in.onnx").write_bytes(MODEL.read_bytes())
    done = in_root(tmp_path, "/onnx-lower", "in.onnx", "-o", "out.onnx")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.onnx").read_bytes() == tool.lowered(MODEL.read_bytes())


@pytest.mark.parametrize("tag,minors", [("manylinux_2", range(17, NEWEST_GLIBC + 1)), ("musllinux_1", range(3))])
def test_pip_chooses_the_wheel(tag: str, minors: range, tmp_path: pathlib.Path) -> None:
    """What pip takes on other systems, which it knows by all the tags that they can run: those of glibc, and Alpine's."""
    machine = os.uname().machine
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-index", "--find-links", DIST, "--no-deps", "--only-binary=:all:", "--dest", tmp_path]
    command += [f"--platform={tag}_{minor}_{machine}" for minor in reversed(minors)]
    done = subprocess.run([*command, f"onnx-lower=={VERSION}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [tag in path.name for path in tmp_path.iterdir()] == [True]


CALLS = f"""
import sys, onnx_lower
given = open({str(MODEL)!r}, "rb").read()
lowered = onnx_lower.lower(given).model
onnx_lower.lower({str(MODEL)!r}, "out.onnx")
assert open("out.onnx", "rb").read() == lowered and len(lowered) > len(given)
assert onnx_lower.check(given, set={{"a::B.c": [1.5, 2]}}, keep="rknn_cst").complete
try:
    onnx_lower.lower(b"nonsense")
except onnx_lower.InvalidInputError as error:
    assert error.report.exit_status == 3
else:
    raise AssertionError
assert len(onnx_lower.rules()) > 300 and "onnx" not in sys.modules
print(onnx_lower.__version__)
"""


@pytest.mark.parametrize("version", pythons())
def test_on_every_python(version: str, tmp_path: pathlib.Path, wheel: pathlib.Path) -> None:
    environment = make_environment(tmp_path / "venv", pythons()[version], wheel)
    done = environment.run("-W", "ignore::UserWarning", "-c", CALLS, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.strip() == VERSION, done.stderr
    assert subprocess.run([environment.folder / "bin" / "onnx-lower", "--version"], capture_output=True, text=True).stdout.startswith(f"onnx-lower {VERSION}\n")
    assert (environment.folder / "share" / "man" / "man1" / "onnx-lower.1").is_file()


@pytest.mark.parametrize("options", [["--target"], ["--prefix"]])
def test_other_ways_to_install(options: list[str], tmp_path: pathlib.Path, wheel: pathlib.Path) -> None:
    """The module finds the program where pip has put it."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", *options, tmp_path / "there", wheel]
    assert subprocess.run(install, capture_output=True).returncode == 0
    (module,) = (tmp_path / "there").rglob("onnx_lower/__init__.py")
    environment = {**os.environ, "PYTHONPATH": str(module.parent.parent)}
    environment.pop("ONNX_LOWER", None)
    done = subprocess.run([sys.executable, "-c", "import onnx_lower; print(onnx_lower.executable()); onnx_lower.rules()"], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == str(tmp_path / "there" / "bin" / "onnx-lower"), done.stderr


def test_musl_has_no_kernel_library(tmp_path: pathlib.Path) -> None:
    environment = tmp_path / "site"
    with zipfile.ZipFile(the_one("*musllinux*.whl")) as archive:
        archive.extractall(environment)
    done = subprocess.run([sys.executable, "-c", "import onnx_lower; onnx_lower.kernel_library()"], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(environment)})
    assert "FileNotFoundError" in done.stderr and "musl" in done.stderr


NEWCOMER = """
import numpy as np, onnx, onnx_lower, onnxruntime, openvino
model = onnx.parser.parse_model('''
<ir_version: 8, opset_import: ["" : 17, "rknn_cst" : 1]>
network (float[4] x) => (float[4] y) { y = rknn_cst.cstThreshold <threshold = 0.5, value = 20.0> (x) }
''')
onnx.save(onnx_lower.lower(model).model, "portable.onnx")
x = np.float32([-1, 0.5, 0.75, 2])
expected = np.float32([20, 20, 0.75, 2])
session = onnxruntime.InferenceSession("portable.onnx", providers=["CPUExecutionProvider"])
np.testing.assert_array_equal(session.run(None, {"x": x})[0], expected)
compiled = openvino.Core().compile_model("portable.onnx", "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
np.testing.assert_array_equal(compiled([x])[0], expected)
"""


def test_the_way_of_a_newcomer(tmp_path: pathlib.Path, wheel: pathlib.Path) -> None:
    """A fresh environment, one pip install, a model that both runtimes take: in seconds."""
    begin = time.monotonic()
    environment = make_environment(tmp_path / "venv", sys.executable, wheel)
    import onnxruntime

    environment.lend(str(pathlib.Path(onnxruntime.__file__).parent.parent))
    done = environment.run("-c", NEWCOMER, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - begin < 60


VERIFY = """
import onnx, onnx.parser, onnx_lower, sys
model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17, "rknn_cst" : 1]> g (float[4] x) => (float[4] y) { y = rknn_cst.cstThreshold <threshold = 0.5, value = 20.0> (x) }')
onnx.save(model, "in.onnx")
onnx_lower.lower("in.onnx", "out.onnx")
found = onnx_lower.verify("in.onnx", "out.onnx", runs=1)
assert found.same and found.outputs[0].differing == 0, found.message
print(found.original_as)
lowered = onnx.load("out.onnx")
for node in lowered.graph.node:
    for attribute in node.attribute:
        if attribute.t.float_data or attribute.t.raw_data or attribute.f:
            attribute.CopyFrom(onnx.helper.make_attribute(attribute.name, 0.75))
onnx.save(lowered, "other.onnx")
found = onnx_lower.verify("in.onnx", "other.onnx", dim={})
assert not found and found.first_difference, found.message
"""


def test_verify_in_an_environment_with_onnxruntime(tmp_path: pathlib.Path, wheel: pathlib.Path) -> None:
    """The wheel has all that it needs but a runtime; its kernels, which are not made by the rules, run the original."""
    environment = make_environment(tmp_path / "venv", sys.executable, wheel)
    import onnxruntime

    environment.lend(str(pathlib.Path(onnxruntime.__file__).parent.parent))
    done = environment.run("-c", VERIFY, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "native kernels" in done.stdout, done.stdout


def test_types(installed: Environment, tmp_path: pathlib.Path) -> None:
    """mypy --strict agrees with the module, and with its callers."""
    (tmp_path / "caller.py").write_text('''
import pathlib

import onnx
import onnx_lower

a: str = onnx_lower.lower("a.onnx", "b.onnx").model
b: pathlib.Path = onnx_lower.lower(pathlib.Path("a.onnx"), "b.onnx", set={"a::B.c": [1, 2]}, rules=["x.onnxtxt"]).model
c: bytes = onnx_lower.lower(b"", attach=True, keep="a::B").model
d: onnx.ModelProto = onnx_lower.lower(onnx.ModelProto(), rules=[onnx.FunctionProto()], timeout=3).model
e: bool = onnx_lower.check(b"").complete
f: str = onnx_lower.kernel_library()
g: list[onnx_lower.Rule] = onnx_lower.rules()
''')
    (tmp_path / "wrong.py").write_text('import onnx_lower\na: bytes = onnx_lower.lower("a.onnx", "b.onnx").model\nonnx_lower.lower(b"", nonsense=1)\n')
    mypy = [TOOLS / "mypy", "--strict", "--python-executable", installed.python, "--cache-dir", tmp_path / "cache"]
    checked = subprocess.run([*mypy, "caller.py"], capture_output=True, text=True, cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    wrong = subprocess.run([*mypy, "wrong.py"], capture_output=True, text=True, cwd=tmp_path)
    assert wrong.returncode == 1 and "Found 2 errors" in wrong.stdout, wrong.stdout
    own = subprocess.run([*mypy, "-p", "onnx_lower"], capture_output=True, text=True, cwd=tmp_path)
    assert own.returncode == 0, own.stdout


def test_the_source_distribution_is_complete(tmp_path: pathlib.Path) -> None:
    """Every file of the repository, and no other; the wheels here were built from it."""
    with tarfile.open(the_one("onnx_lower-*.tar.gz")) as archive:
        packed = {name.split("/", 1)[1] for name in archive.getnames()}
    if shutil.which("git") and (REPOSITORY / ".git").exists():
        # Also what is about to be committed.
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
        assert packed == {name for name in listed.split("\0") if name and (REPOSITORY / name).exists()} | {"PKG-INFO"}


def test_checksums() -> None:
    done = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=DIST, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    listed = {line.split()[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
    assert listed == {path.name for path in DIST.iterdir()} - {"SHA256SUMS"} and len(listed) == 5


def test_the_version_stands_in_one_place() -> None:
    """What repeats it, repeats it rightly."""
    assert tool.run(["--version"]).stdout.decode().startswith(f"onnx-lower {VERSION}\n")
    assert f"default: {VERSION}" in (REPOSITORY / "action.yml").read_text()
    for example in ("gitlab-ci.yml", "Jenkinsfile"):
        assert re.findall(r"ONNX_LOWER_VERSION\W+([\d.]+)", (REPOSITORY / "examples" / "pipelines" / example).read_text()) == [VERSION]
    pipelines = (REPOSITORY / "docs" / "pipelines.md").read_text()
    assert set(re.findall(r"(?:onnx-lower==|onnx-lower@v|rev: v)([\d.]+\d)", pipelines)) == {VERSION}
    assert f"## {VERSION}\n" in (REPOSITORY / "CHANGELOG.md").read_text()
    with zipfile.ZipFile(the_one("*manylinux*.whl")) as archive:
        bom = json.loads(archive.read(f"onnx_lower-{VERSION}.dist-info/sboms/onnx-lower.cdx.json"))
    assert bom["metadata"]["component"]["version"] == VERSION
