# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Where what is released lies, and environments in which it is installed.

ONNX_LOWER_DIST names the folder that scripts/make_dist has made (default: build/dist), ONNX_LOWER_PACKAGE_TOOLS the programs of build/venv-package.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / "tests" / "python"))

DIST = pathlib.Path(os.environ.get("ONNX_LOWER_DIST", REPOSITORY / "build" / "dist")).resolve()
TOOLS = pathlib.Path(os.environ.get("ONNX_LOWER_PACKAGE_TOOLS", REPOSITORY / "build" / "venv-package" / "bin")).absolute()


def the_one(pattern: str) -> pathlib.Path:
    found = list(DIST.glob(pattern))
    assert len(found) == 1, f"there is not one {pattern} in {DIST}, which scripts/make_dist makes: {found}"
    return found[0]


def in_root(root: pathlib.Path, *command: str, folder: str = "/") -> subprocess.CompletedProcess[str]:
    """Runs a command with another root, in namespaces of its own, so that nobody has to be root; and who is it already, in a chroot, gets no users of his own."""
    users = [] if os.getuid() == 0 else ["--map-root-user"]
    return subprocess.run(["unshare", *users, "--net", "--root", root, f"--wd={folder}", *command], capture_output=True, text=True, timeout=60)


def pythons() -> dict[str, str]:
    """The Pythons that can be had here, by their versions: the one that runs this, and those on the PATH and of pyenv."""
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    folders = [pathlib.Path(folder) for folder in os.get_exec_path()]
    folders += sorted(pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")).glob("versions/*/bin"))
    for folder in folders:
        for path in folder.glob("python3.*"):
            version = re.fullmatch(r"python3\.(\d+)", path.name)
            if not version or int(version[1]) < 9 or f"3.{version[1]}" in found:
                continue
            # pyenv's shims stand for versions that are not there, too.
            asked = subprocess.run([path, "-c", "import ensurepip, sys; print('3.%d' % sys.version_info[1])"], capture_output=True, text=True)
            if asked.returncode == 0 and asked.stdout.strip() == f"3.{version[1]}":
                found[f"3.{version[1]}"] = str(path)
    return dict(sorted(found.items(), key=lambda item: int(item[0].split(".")[1])))


@dataclasses.dataclass
class Environment:
    """A virtual environment with the wheel, and nothing else but what it was lent."""

    folder: pathlib.Path

    @property
    def python(self) -> pathlib.Path:
        return self.folder / "bin" / "python"

    @property
    def site_packages(self) -> pathlib.Path:
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found

    def lend(self, site_packages: str) -> None:
        """Makes the packages of another environment importable, behind its own."""
        (self.site_packages / "lent.pth").write_text(site_packages + "\n")

    def run(self, *arguments: object, **options) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name not in ("ONNX_LOWER", "PYTHONPATH")}
        environment.update(options.pop("env", {}))
        return subprocess.run([self.python, *map(str, arguments)], capture_output=True, text=True, env=environment, timeout=120, **options)


def make_environment(folder: pathlib.Path, python: str, wheel: pathlib.Path) -> Environment:
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    environment = Environment(folder)
    # This environment's pip serves all of them.
    done = subprocess.run([sys.executable, "-m", "pip", "--python", environment.python, "install", "--quiet", "--no-index", "--no-deps", wheel], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return environment


@pytest.fixture(scope="session")
def wheel() -> pathlib.Path:
    return the_one("*manylinux*.whl")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: pathlib.Path) -> Environment:
    """The wheel in a fresh environment of this Python, with the runtimes of the tests' own environment."""
    environment = make_environment(tmp_path_factory.mktemp("installed") / "venv", sys.executable, wheel)
    environment.lend(sysconfig.get_path("purelib"))
    return environment


@pytest.fixture(scope="session")
def onnx_lower(installed: Environment):
    """The module, as the wheel has installed it."""
    sys.path.insert(0, str(installed.site_packages))
    named = os.environ.pop("ONNX_LOWER", None)  # the program that was installed, and no other
    import onnx_lower

    assert pathlib.Path(onnx_lower.__file__).is_relative_to(installed.site_packages)
    yield onnx_lower
    sys.path.remove(str(installed.site_packages))
    if named is not None:
        os.environ["ONNX_LOWER"] = named
