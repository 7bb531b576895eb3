# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The man page, and what the shells complete: all of it is made of the table of the options, or asked of the program."""
import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import subprocess
import sys

import onnx
import onnx.parser
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


def test_everything_is_made_of_the_table():
    """The program's table, the man page, docs/options.md, and the keywords of the Python module."""
    done = subprocess.run([sys.executable, tool.REPOSITORY / "scripts" / "make_option_tables.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# What the shells ask.


def asked(*words, cwd=None):
    """What is wanted, and the words that the program offers in the place of the last one."""
    done = subprocess.run([tool.TOOL, "--complete", str(len(words) - 1), *words], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0 and not done.stderr, done.stderr
    kind, *offered = done.stdout.splitlines()
    return kind, [line.split("\t")[0] for line in offered]


@pytest.fixture
def folder(tmp_path):
    """With a model that has custom nodes, some in a branch, and inputs with named dimensions."""
    branch = "g (float[batch,n] {0}) => (float[batch,n] {0}) {{ {0} = acme.vision.Inner (x) }}"
    model = onnx.parser.parse_model('''
        <ir_version: 8, opset_import: ["" : 17, "acme.vision" : 1, "rknn_cst" : 1]>
        g (float[batch,n] x, float[batch,n,3] other, bool c, float[2] w) => (float[batch,n] y) <float[2] w = {1, 2}> {
          t = rknn_cst.cstThreshold <threshold = 0.5> (x)
          z = If (c) <then_branch = THEN, else_branch = ELSE>
          e = Erf (z)
          y = Add (t, e)
        }'''.replace("THEN", branch.format("a").replace("g (float[batch,n] a)", "g ()")).replace("ELSE", branch.format("b").replace("g (float[batch,n] b)", "g ()")))
    onnx.save(model, tmp_path / "m.onnx")
    (tmp_path / "no.onnx").write_text("no model")
    return tmp_path


CUSTOM = ["acme.vision", "acme.vision::Inner", "rknn_cst", "rknn_cst::cstThreshold"]


@pytest.mark.parametrize("words,kind,offered", [
    (["m.onnx", "--keep", ""], "words", CUSTOM),
    (["m.onnx", "--keep", "rk"], "words", CUSTOM[2:]),
    (["-q", "m.onnx", "--attach=acme.vision::"], "words", ["--attach=acme.vision::Inner"]),
    (["m.onnx", "--without", ""], "words", sorted([*CUSTOM, "Add", "Erf", "If"])),
    (["m.onnx", "--without", "Erf,A"], "words", ["Erf,Add"]),
    (["m.onnx", "--dim", ""], "nospace", ["batch=", "n="]),
    (["m.onnx", "-o", "out.onnx", "--input-shape", ""], "nospace", ["c:", "other:", "x:"]),
    (["m.onnx", "--input-value=o"], "nospace", ["--input-value=other="]),
    (["m.onnx", "--set", "r"], "nospace", ["rknn_cst::cstThreshold."]),
    (["m.onnx", "--as", "E"], "nospace", ["Erf="]),
    (["--keep", ""], "words", []),
    (["no.onnx", "--keep", ""], "words", []),
    (["-o", "m.onnx", "--keep", ""], "words", []),  # this is not the model that is read
    (["--target", "onnxruntime-w"], "words", ["onnxruntime-web"]),
    (["--external-data", ""], "words", ["embed", "keep", "split"]),
    (["--color=a"], "words", ["--color=always", "--color=auto"]),
    (["--allow-u"], "words", ["--allow-unlowered"]),
    (["--explain", "OL00"], "words", [f"OL00{number}" for number in range(1, 10)]),
    (["--show-rule", "rknn_cst::cstThr"], "words", ["rknn_cst::cstThreshold"]),
    (["--output-dir", ""], "folders", []),
    (["--rules", ""], "files", []),
    ([""], "files", []),
    (["m.onnx", "--jobs", ""], "words", []),
    (["--nonsense=x"], "words", []),
])
def test_what_the_program_offers(folder, words, kind, offered):
    assert asked(*words, cwd=folder) == (kind, offered)


def test_targets_and_options_are_offered():
    listed = json.loads(tool.run(["--list-targets", "--json"]).stdout)
    assert asked("--target", "")[1] == sorted({"any", *(target["name"].rpartition("-")[0] for target in listed)})
    versions = [target["name"] for target in listed if target["name"].startswith("onnxruntime-1")]
    assert asked("--target", "tract,onnxruntime-1")[1] == [f"tract,{name}" for name in sorted(versions)]
    assert {word for word in asked("-")[1] if word.startswith("--")} == options_of_help()


def test_offers_are_quick(folder):
    """What is asked while a person types: with all that is read of a model of 10,000 nodes."""
    nodes = [onnx.helper.make_node("Relu", [f"t{i}"], [f"t{i + 1}"]) for i in range(10_000)] + [onnx.helper.make_node("Op", ["t10000"], ["y"], domain="acme")]
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(nodes, "g", [value("t0", 1, ["n"])], [value("y", 1, ["n"])])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("acme", 1)]), folder / "large.onnx")
    for words in (["large.onnx", "--keep", ""], ["large.onnx", "--dim", ""], ["--target", ""], ["-"], ["--show-rule", "acme"]):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(5):
            asked(*words, cwd=folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # The CPU's time, since others share the machine.
        assert (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 5 < 0.03, words


@pytest.mark.parametrize("line,offered", [
    ("onnx-lower m.onnx --keep ", CUSTOM),
    ("onnx-lower m.onnx --keep acme.vision::I", "onnx-lower m.onnx --keep acme.vision::Inner "),
    ("onnx-lower m.onnx --keep=rknn_cst::c", "onnx-lower m.onnx --keep=rknn_cst::cstThreshold "),
    ("onnx-lower m.onnx --dim b", "onnx-lower m.onnx --dim batch="),
    ("onnx-lower m.onnx --input-shape o", "onnx-lower m.onnx --input-shape other:"),
    ("onnx-lower --target open", ["opencv", "openvino"]),
    ("onnx-lower --allow-u", "onnx-lower --allow-unlowered "),
    ("onnx-lower m.o", "onnx-lower m.onnx "),
])
def test_bash_completes(folder, line, offered):
    """In a bash with a terminal, to which the line and a tab are typed."""
    master, slave = pty.openpty()
    environment = {**os.environ, "PATH": f"{pathlib.Path(tool.TOOL).resolve().parent}:{os.environ['PATH']}", "TERM": "dumb", "PS1": "> ", "INPUTRC": "/dev/null"}
    shell = subprocess.Popen(["bash", "--norc", "--noprofile", "-i"], stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment, start_new_session=True)
    os.close(slave)

    def read_until(end):
        text = ""
        while not text.rstrip(" ").endswith(end.rstrip(" ")) and select.select([master], [], [], 30)[0]:
            text += os.read(master, 65536).decode()
        return text

    try:
        os.write(master, f"bind 'set enable-bracketed-paste off'; bind 'set show-all-if-ambiguous on'; source {COMPLETIONS}/onnx-lower.bash; echo re''ady\n".encode())
        read_until("ready\r\n> ")
        # The word that ends what is typed after the tab says that bash has answered.
        os.write(master, f"{line}\t".encode())
        if isinstance(offered, str):
            shown = read_until(offered)
            os.write(master, b"END")
            shown += read_until("END")
            assert shown.replace("\r", "").endswith(offered + "END"), shown
        else:
            os.write(master, b"END")
            shown = read_until("END")
            assert set(offered) <= set(shown.split()), shown
    finally:
        shell.kill()
        shell.wait()
        os.close(master)


def test_man_page_has_no_mistakes():
    if not shutil.which("groff"):
        pytest.skip("groff is not installed")
    done = subprocess.run(["groff", "-man", "-ww", "-z", str(MAN_PAGE)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
