# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The man page and the shells' completions name exactly the options that --help does."""
import re
import shutil
import subprocess

import pytest
import tool

MAN_PAGE = tool.REPOSITORY / "man" / "onnx-lower.1"
COMPLETIONS = tool.REPOSITORY / "completions"

LONG_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def options_of_help():
    done = tool.run(["--help"])
    assert done.status == tool.DONE
    # A line of the table begins with the option; elsewhere in the text options are only mentioned.
    table = [line for line in done.stdout.decode().splitlines() if line.startswith("  -")]
    options = {option for line in table for option in LONG_OPTION.findall(line)}
    assert {"--output", "--help"} <= options
    return options


def test_man_page():
    text = re.sub(r"\\f[BIR]", "", MAN_PAGE.read_text()).replace("\\-", "-")
    described = {option for entry in text.split(".TP\n")[1:] for option in LONG_OPTION.findall(entry.splitlines()[0])}
    assert described == options_of_help()


@pytest.mark.parametrize("file", ["onnx-lower.bash", "_onnx-lower"])
def test_completion(file):
    assert set(LONG_OPTION.findall((COMPLETIONS / file).read_text())) == options_of_help()


def test_fish_completion():
    names = re.findall(r" -l ([a-z-]+)", (COMPLETIONS / "onnx-lower.fish").read_text())
    assert {f"--{name}" for name in names} == options_of_help()


def test_bash_completion_completes():
    bash = shutil.which("bash")
    if not bash:
        pytest.skip("bash is not installed")
    script = f"source {COMPLETIONS}/onnx-lower.bash; COMP_WORDS=(onnx-lower --allow-u); COMP_CWORD=1; _onnx_lower; echo ${{COMPREPLY[@]}}"
    assert subprocess.run([bash, "-c", script], capture_output=True, text=True).stdout.strip() == "--allow-unlowered"


def test_man_page_has_no_mistakes():
    if not shutil.which("groff"):
        pytest.skip("groff is not installed")
    done = subprocess.run(["groff", "-man", "-ww", "-z", str(MAN_PAGE)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
