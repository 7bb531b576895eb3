# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The Debian package, the archive and the container: put in place, run, and taken away again in minimal roots."""
from __future__ import annotations

import os
import pathlib
import re
import shlex
import shutil
import subprocess

import numpy as np
import onnxruntime
import pytest

import tool
from conftest import DIST, REPOSITORY, in_root, the_one
from test_wheel import VERSION

CASE = tool.TESTDATA / "cases" / "thr_attrs_dyn"
MODEL = CASE / "model.onnx"
KERNELS = "lib/onnx-lower/onnxruntime/libonnx_lower_kernels.so"
SHARE = ["man/man1/onnx-lower.1", "bash-completion/completions/onnx-lower", "zsh/site-functions/_onnx-lower", "fish/vendor_completions.d/onnx-lower.fish",
         "onnx-lower/report.schema.json", "onnx-lower/result.schema.json", "onnx-lower/rules.schema.json", "doc/onnx-lower/LICENSE", "doc/onnx-lower/copyright",
         "doc/onnx-lower/THIRD_PARTY_NOTICES", "doc/onnx-lower/CHANGELOG.md", "doc/onnx-lower/onnx-lower.cdx.json"]
FILES = {"bin/onnx-lower", "bin/onnx-lower-verify", KERNELS, *(f"share/{name}" for name in SHARE)}


def files_below(root: pathlib.Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}


def assert_kernels_work(library: pathlib.Path) -> None:
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library(str(library))
    session = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"])
    inputs, expected = dict(np.load(CASE / "inputs_0.npz")), dict(np.load(CASE / "expected_0.npz"))
    for name, value in zip(expected, session.run(list(expected), inputs)):
        np.testing.assert_array_equal(value, expected[name])


# A package's dependencies as dpkg has them on its list: what the kernel library needs, and nothing else.
INSTALLED = """Package: {name}
Status: install ok installed
Architecture: {architecture}
Version: {version}
Maintainer: nobody
Description: stands for the real one

"""


def dpkg(root: pathlib.Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    own = ["unshare", "--map-auto", "--map-root-user"] if os.getuid() != 0 else []
    return subprocess.run([*own, "dpkg", f"--root={root}", "--log=/dev/null", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def test_debian_package(tmp_path: pathlib.Path) -> None:
    """Installed into a root that holds nothing else, used, and removed without a trace."""
    package = the_one("onnx-lower_*.deb")
    field = lambda name: subprocess.run(["dpkg-deb", "--field", package, name], capture_output=True, text=True, check=True).stdout.strip()
    assert (field("Package"), field("Version")) == ("onnx-lower", VERSION)
    needs = dict(re.findall(r"([\w+-]+) \(>= ([\w.]+)\)", field("Depends")))
    assert set(needs) == {"libc6", "libgcc-s1", "libstdc++6"}

    root = tmp_path / "root"
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "tmp"):
        (root / folder).mkdir(parents=True)
    refused = dpkg(root, "--install", package)
    assert refused.returncode != 0 and "depends on libc6" in refused.stderr
    dpkg(root, "--purge", "onnx-lower")
    status = root / "var/lib/dpkg/status"
    status.write_text("".join(INSTALLED.format(name=name, version=version, architecture=field("Architecture")) for name, version in needs.items()))
    before = files_below(root)

    done = dpkg(root, "--install", package)
    assert done.returncode == 0, done.stderr
    assert files_below(root / "usr") == FILES
    (root / "in.onnx").write_bytes(MODEL.read_bytes())
    lowered = in_root(root, "/usr/bin/onnx-lower", "/in.onnx", "-o", "/out.onnx")
    assert lowered.returncode == 0, lowered.stderr
    assert (root / "out.onnx").read_bytes() == tool.lowered(MODEL.read_bytes())
    assert_kernels_work(root / "usr" / KERNELS)
    assert dpkg(root, "--verify", "onnx-lower").stdout == ""

    for name in ("in.onnx", "out.onnx"):
        (root / name).unlink()
    done = dpkg(root, "--purge", "onnx-lower")
    assert done.returncode == 0, done.stderr
    # dpkg keeps a copy of its list.
    assert files_below(root) - {"var/lib/dpkg/status-old", "var/lib/dpkg/lock", "var/lib/dpkg/lock-frontend", "var/lib/dpkg/triggers/Lock", "var/lib/dpkg/triggers/Unincorp"} <= before
    assert not (root / "usr").exists()


def test_archive(tmp_path: pathlib.Path) -> None:
    archive = the_one("onnx-lower-*.tar.gz")
    shutil.unpack_archive(archive, tmp_path)
    (folder,) = tmp_path.iterdir()
    assert folder.name == f"onnx-lower-{VERSION}-linux-{os.uname().machine}" and archive.name == f"{folder.name}.tar.gz"
    assert files_below(folder) == FILES
    done = subprocess.run([folder / "bin" / "onnx-lower", MODEL, "-o", tmp_path / "out.onnx"], capture_output=True, text=True)
    assert done.returncode == 0 and (tmp_path / "out.onnx").read_bytes() == tool.lowered(MODEL.read_bytes()), done.stderr
    assert_kernels_work(folder / KERNELS)


# The container: `Containerfile`.


def instructions() -> list[tuple[str, str]]:
    text = (REPOSITORY / "Containerfile").read_text().replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def test_the_last_stage_of_the_container_runs(tmp_path: pathlib.Path) -> None:
    """It is made as the file says, of what the first stage installs, which is what the archive holds; and its entry point lowers a model."""
    stages: list[list[tuple[str, str]]] = []
    for name, arguments in instructions():
        if name == "FROM":
            stages.append([])
        stages[-1].append((name, arguments))
    assert len(stages) == 2
    (base,) = [arguments for name, arguments in stages[0] if name == "FROM"]
    _image, as_, stage = base.split()
    assert as_ == "AS"
    installed = tmp_path / "installed"
    shutil.unpack_archive(the_one("onnx-lower-*.tar.gz"), installed)
    (prefix,) = installed.iterdir()

    root = tmp_path / "root"
    root.mkdir()
    entry_point, folder = [], "/"
    for name, arguments in stages[1]:
        if name == "FROM":
            assert arguments == "scratch"
        elif name == "COPY":
            option, *sources, target = arguments.split()
            assert option == f"--from={stage}"
            for source in sources:
                destination = root / target.lstrip("/") / (pathlib.Path(source).name if target.endswith("/") else "")
                destination.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(prefix / pathlib.Path(source).relative_to("/onnx-lower"), destination)
        elif name == "WORKDIR":
            folder = arguments
            (root / folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif name == "ENTRYPOINT":
            entry_point = [word.strip('" ') for word in arguments.strip("[]").split(",")]
        else:
            assert name == "LABEL", f"this test does not know {name}"
    assert len(files_below(root)) == 3, "the program, and two texts of licences"
    (root / folder.lstrip("/") / "in.onnx").write_bytes(MODEL.read_bytes())
    done = in_root(root, *entry_point, "in.onnx", "-o", "out.onnx", folder=folder)
    assert done.returncode == 0, done.stderr
    assert (root / folder.lstrip("/") / "out.onnx").read_bytes() == tool.lowered(MODEL.read_bytes())


def test_the_first_stage_of_the_container_is_tried_by_a_script() -> None:
    """scripts/try_in_root runs its steps in a root of that distribution; here only that they are what the repository has."""
    steps = [arguments for name, arguments in instructions() if name == "RUN"]
    assert steps
    for word in (word for step in steps for word in shlex.split(step)):
        if word.startswith("scripts/"):
            assert (REPOSITORY / word).exists(), word


@pytest.mark.parametrize("file", ["onnx-lower_*.deb", "onnx-lower-*.tar.gz"])
def test_packages_are_listed_with_their_checksums(file: str) -> None:
    assert the_one(file).name in (DIST / "SHA256SUMS").read_text()
