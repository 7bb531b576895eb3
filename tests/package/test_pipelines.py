# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The steps of action.yml, of the examples for GitLab and Jenkins, and the pre-commit hook, run as they stand in their files, with the shells that the services use.

The services themselves are not there: what they would give (variables, files, expressions) is given by this test, and the wheel comes from build/dist.
"""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import onnx
import pytest
import yaml

import tool
from conftest import DIST, REPOSITORY, TOOLS, Environment

CASES = tool.TESTDATA / "cases"
GOOD, LOST, ASSUMED, PLAIN = (CASES / name / "model.onnx" for name in ("thr_attrs_dyn", "thr_noattr_dyn", "dcn_lossy_dyn", "misc_plain"))
# pip takes the wheel from here, as it would take it from the package index.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(DIST), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def clean_environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}
    # The Python that a job would find first.
    kept["PATH"] = f"{pathlib.Path(sys.executable).parent}:{kept['PATH']}"
    return {**kept, **OFFLINE, **more}


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    """A checkout with models, one of which has a blank in its name."""
    folder = tmp_path / "checkout"
    (folder / "models" / "more").mkdir(parents=True)
    shutil.copy(GOOD, folder / "models" / "good one.onnx")
    shutil.copy(PLAIN, folder / "models" / "more" / "plain.onnx")
    shutil.copy(ASSUMED, folder / "models" / "more" / "assumed.onnx")
    return folder


# GitHub.


@dataclasses.dataclass
class Job:
    """A job with one step, which uses the action."""

    project: pathlib.Path
    inputs: dict[str, str]
    temporary: pathlib.Path
    log: str = ""
    summary: str = ""
    failed: bool = False
    outputs: dict[str, str] = dataclasses.field(default_factory=dict)

    def evaluated(self, text: str, steps: dict[str, dict[str, str]]) -> str:
        def value(found: re.Match[str]) -> str:
            context, *names = found[1].split(".")
            if context == "inputs":
                return self.inputs[names[0]]
            if context == "runner" and names == ["temp"]:
                return str(self.temporary)
            if context == "steps" and names[1] == "outputs":
                return steps.get(names[0], {}).get(names[2], "")
            raise AssertionError(f"this test does not know {found[0]}")

        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", value, text)

    def applies(self, condition: str, steps: dict[str, dict[str, str]]) -> bool:
        known = re.fullmatch(r"always\(\) && steps\.(\w+)\.outputs\.(\w+) != ''", condition)
        assert known or condition == "success()", f"this test does not know {condition}"
        return bool(steps.get(known[1], {}).get(known[2])) if known else not self.failed


def run_action(project: pathlib.Path, temporary: pathlib.Path, installed: Environment | None = None, **inputs: str) -> Job:
    """Every step, or all but the first, of which `installed` is what it leaves."""
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    unknown = set(inputs) - {name.replace("-", "_") for name in action["inputs"]}
    assert not unknown
    given = {}
    for name, declared in action["inputs"].items():
        value = inputs.get(name.replace("-", "_"), declared.get("default"))
        assert value is not None or not declared.get("required")
        given[name] = str(value)
    temporary.mkdir(exist_ok=True)
    job = Job(project, given, temporary)
    steps: dict[str, dict[str, str]] = {}
    if installed:
        (temporary / "onnx-lower").mkdir()
        (temporary / "onnx-lower" / "venv").symlink_to(installed.folder)
    for number, step in enumerate(action["runs"]["steps"]):
        if installed and step["name"] == "Install onnx-lower":
            continue
        assert set(step) <= {"name", "id", "if", "shell", "env", "run"} and step["shell"] == "bash"
        if not job.applies(step.get("if", "success()"), steps):
            continue
        files = {name: temporary / f"{name}-{number}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.touch()
        own = {name: job.evaluated(str(value), steps) for name, value in step.get("env", {}).items()}
        environment = clean_environment(**{name: str(path) for name, path in files.items()}, **own)
        script = temporary / f"step-{number}.sh"
        assert "${{" not in step["run"], "what a model is called must not become part of a script"
        script.write_text(step["run"])
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120)
        job.log += done.stdout
        job.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        if "id" in step:
            steps[step["id"]] = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        job.failed |= done.returncode != 0
    job.outputs = {name: job.evaluated(output["value"], steps) for name, output in action.get("outputs", {}).items()}
    return job


def annotations(job: Job) -> list[tuple[str, str]]:
    return re.findall(r"^::(error|warning) ([^\n]*)", job.log, re.MULTILINE)


def test_github_lowers(project: pathlib.Path, tmp_path: pathlib.Path) -> None:
    job = run_action(project, tmp_path / "runner", models="models/**/*.onnx")
    assert not job.failed, job.log
    assert sorted(str(path.relative_to(project)) for path in (project / "lowered").rglob("*.onnx")) == [
        "lowered/models/good one.onnx", "lowered/models/more/assumed.onnx", "lowered/models/more/plain.onnx"]
    assert (project / "lowered" / "models" / "good one.onnx").read_bytes() == tool.lowered(GOOD.read_bytes())
    assert job.outputs["failed"] == "0" and len(list(pathlib.Path(job.outputs["reports"]).iterdir())) == 3
    ((kind, text),) = annotations(job)
    assert kind == "warning" and "file=models/more/assumed.onnx" in text and "which no known shape contradicts" in text
    assert "| models/good one.onnx | :white_check_mark: done | 1 → 4 | rknn_cst::cstThreshold 1 |  |" in job.summary


def test_github_tells_what_cannot_be_lowered(project: pathlib.Path, tmp_path: pathlib.Path, installed: Environment) -> None:
    shutil.copy(LOST, project / "models" / "a,lost:one.onnx")
    (project / "models" / "nonsense.onnx").write_bytes(b"nonsense")
    job = run_action(project, tmp_path / "runner", installed, models="models/*.onnx\n\nmodels/nobody*.onnx\n")
    assert job.failed and job.outputs["failed"] == "3"
    # The others are done all the same.
    assert [path.name for path in (project / "lowered" / "models").iterdir()] == ["good one.onnx"]
    errors = [text for kind, text in annotations(job) if kind == "error"]
    assert len(errors) == 3 and "no file matches models/nobody*.onnx" in errors[0]
    assert errors[1].startswith("file=models/a%2Clost%3Aone.onnx,title=rknn_cst%3A%3AcstThreshold cannot be lowered::node '/m/cstThreshold' (rknn_cst::cstThreshold) cannot be lowered (OL005)%0A")
    assert errors[1].endswith("%0A  add: --set rknn_cst::cstThreshold.threshold=VALUE --set rknn_cst::cstThreshold.value=VALUE%0A  or:  --set rknn_cst::cstThreshold.param=VALUE")
    assert "file=models/nonsense.onnx" in errors[2]
    assert "| models/a,lost:one.onnx | :x: failed | 1 → 1 |  | rknn_cst::cstThreshold 1 |" in job.summary
    assert "add: --set rknn_cst::cstThreshold.threshold=VALUE" in job.summary


def test_github_checks_with_arguments(project: pathlib.Path, tmp_path: pathlib.Path, installed: Environment) -> None:
    shutil.copy(LOST, project / "models" / "lost.onnx")
    job = run_action(project, tmp_path / "runner", installed, models="models/lost.onnx", command="check", arguments="--set=rknn_cst::cstThreshold.param=[0.5,20]\n--target\nonnxruntime\n")
    assert not job.failed and not (project / "lowered").exists() and job.outputs["failed"] == "0", job.log
    report = json.loads(next(pathlib.Path(job.outputs["reports"]).iterdir()).read_text())
    assert report["settings"]["set"] == ["rknn_cst::cstThreshold.param=[0.5,20]"] and report["settings"]["check"]


def test_github_is_told_wrongly(project: pathlib.Path, tmp_path: pathlib.Path, installed: Environment) -> None:
    job = run_action(project, tmp_path / "runner", installed, models="models/*.onnx", command="nonsense")
    assert job.failed and "command is 'nonsense'" in annotations(job)[0][1]
    job = run_action(project, tmp_path / "runner2", installed, models="models/good*.onnx", arguments="--nonsense")
    assert job.failed and job.outputs["failed"] == "1" and "unknown option --nonsense" in job.log and "no report" in job.summary


def test_names_are_no_commands(project: pathlib.Path, tmp_path: pathlib.Path, installed: Environment) -> None:
    """What a model, a node or an argument is called does not run, nor does it break the log's commands."""
    shutil.copy(LOST, project / "models" / "$(touch bad)`touch bad`;touch bad.onnx")
    job = run_action(project, tmp_path / "runner", installed, models="models/*bad.onnx", arguments="--set=$(touch bad)")
    assert job.failed and not list(project.rglob("bad"))


# GitLab and Jenkins.


def assert_lowered_in_part(project: pathlib.Path) -> None:
    assert (project / "lowered" / "good one.onnx").read_bytes() == tool.lowered(GOOD.read_bytes())
    assert not (project / "lowered" / "lost.onnx").exists()
    suite = ElementTree.parse(project / "onnx-lower.xml").getroot()
    assert suite.attrib["tests"] == "2" and suite.attrib["failures"] == "1"
    results = {case.attrib["name"]: case.find("failure") for case in suite}
    assert results["models/good one.onnx"] is None and "add: --set" in results["models/lost.onnx"].text


@pytest.fixture
def one_is_lost(project: pathlib.Path) -> pathlib.Path:
    shutil.copy(LOST, project / "models" / "lost.onnx")
    return project


def test_gitlab(one_is_lost: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (job,) = yaml.safe_load((REPOSITORY / "examples" / "pipelines" / "gitlab-ci.yml").read_text()).values()
    environment = clean_environment(**job["variables"])
    # GitLab runs all the lines as one script that ends at the first that fails.
    script = tmp_path / "script.sh"
    script.write_text("set -eo pipefail\n" + "\n".join(job["before_script"] + job["script"]))
    done = subprocess.run(["bash", script], cwd=one_is_lost, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr
    assert_lowered_in_part(one_is_lost)
    reports = job["artifacts"]["reports"]
    (finding,) = json.loads((one_is_lost / reports["codequality"]).read_text())
    assert finding["location"]["path"] == "models/lost.onnx" and finding["severity"] == "major" and len(finding["fingerprint"]) == 64
    assert (one_is_lost / reports["junit"]).exists() and all((one_is_lost / path).is_dir() for path in job["artifacts"]["paths"])
    (one_is_lost / "models" / "lost.onnx").unlink()
    for folder in ("lowered", "reports"):
        shutil.rmtree(one_is_lost / folder)
    script.write_text("set -eo pipefail\n" + "\n".join(job["script"]))
    assert subprocess.run(["bash", script], cwd=one_is_lost, env=environment, capture_output=True, timeout=120).returncode == 0


def test_jenkins(one_is_lost: pathlib.Path) -> None:
    pipeline = (REPOSITORY / "examples" / "pipelines" / "Jenkinsfile").read_text()
    environment = clean_environment(**dict(re.findall(r"^ *(\w+) = '([^']*)'$", pipeline, re.MULTILINE)))
    scripts = re.findall(r"sh '''\n(.*?)'''", pipeline, re.DOTALL)
    assert len(scripts) == 2
    # Jenkins's sh stops at the first command that fails, and shows each.
    statuses = [subprocess.run(["sh", "-xe", "-c", script], cwd=one_is_lost, env=environment, capture_output=True, timeout=120).returncode for script in scripts]
    assert statuses == [0, 1]
    assert_lowered_in_part(one_is_lost)


# Reports.


def test_pipeline_report_needs_something_to_write(installed: Environment, tmp_path: pathlib.Path) -> None:
    done = installed.run("-m", "onnx_lower.pipeline_report", tmp_path / "nowhere.json")
    assert done.returncode == 2 and "nothing to write" in done.stderr


def test_a_report_that_is_not_there_is_a_failure(installed: Environment, tmp_path: pathlib.Path) -> None:
    (tmp_path / "empty.json").touch()
    done = installed.run("-m", "onnx_lower.pipeline_report", "nowhere.json", "empty.json", "--github", "--junit", "tests.xml", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.count("::error ") == 2 and ":x: no report" in done.stdout
    assert ElementTree.parse(tmp_path / "tests.xml").getroot().attrib["failures"] == "2"


def test_what_the_tool_warns_of(installed: Environment, tmp_path: pathlib.Path) -> None:
    """Each of its warnings is an annotation, in its words."""
    model = onnx.parser.parse_model("""
        <ir_version: 9, opset_import: ["" : 17, "rknn_cst" : 1, "com.microsoft" : 1]>
        network (float[4] x) => (float[4] y) {
          large = rknn_cst.cstThreshold <threshold = 0.5, value = 20.0> (x)
          y = com.microsoft.QuickGelu (large)
        }
        <domain: "com.microsoft", opset_import: ["" : 17]> QuickGelu (x) => (y) { y = Neg (x) }
    """)
    model.graph.value_info.append(onnx.helper.make_tensor_value_info("large", onnx.TensorProto.FLOAT16, [4]))
    onnx.save(model, tmp_path / "model.onnx")
    run = tool.run(["model.onnx", "-o", "out.onnx", "--report", "r.json", "--set", "a::B.c=1"], cwd=tmp_path)
    warned = re.findall(r"^warning: model.onnx: (.*)$", run.stderr, re.MULTILINE)
    assert len(warned) == 3, str(run)
    done = installed.run("-m", "onnx_lower.pipeline_report", "r.json", "--github", cwd=tmp_path)
    assert sorted(re.findall(r"^::warning .*?::(.*)$", done.stdout, re.MULTILINE)) == sorted(warned)


def test_strange_names_in_reports(installed: Environment, tmp_path: pathlib.Path) -> None:
    """Neither markup, nor a control character, nor a line that is a command."""
    name = "a|b<script>\n::error::c\x01%0A"
    report = json.loads((tool.run(["--check", LOST, "--report", "-"])).stdout)
    report["input"] = report["unlowered"][0]["node"] = name
    (tmp_path / "r.json").write_text(json.dumps(report))
    summary = tmp_path / "summary"
    done = installed.run("-m", "onnx_lower.pipeline_report", tmp_path / "r.json", "--github", "--junit", tmp_path / "t.xml", "--code-quality", tmp_path / "q.json",
                         env={"GITHUB_STEP_SUMMARY": str(summary)})
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1 and done.stdout.startswith("::error file=a|b<script>%0A%3A%3Aerror%3A%3Ac\x01%250A,title=")
    assert "<script>" not in summary.read_text() and "a\\|b" in summary.read_text()
    assert ElementTree.parse(tmp_path / "t.xml").getroot()[0].attrib["name"] == "a|b<script>\n::error::c�%0A"
    assert json.loads((tmp_path / "q.json").read_text())[0]["location"]["path"] == name


# pre-commit.


@pytest.fixture
def repository(project: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """The checkout as a git repository, and beside it `hook`, one with what the hook needs."""
    hook = tmp_path / "hook"
    for name in (".pre-commit-hooks.yaml", "CMakeLists.txt", "scripts/pre_commit_check"):
        (hook / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, hook / name)
    for folder in (hook, project):
        git(folder, "init", "--quiet")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "-m", "first")
    return project


def git(folder: pathlib.Path, *arguments: str) -> str:
    identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True, env=clean_environment()).stdout


def pre_commit(repository: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = clean_environment(PRE_COMMIT_HOME=str(repository.parent / "cache"))
    return subprocess.run([TOOLS / "pre-commit", *arguments], cwd=repository, capture_output=True, text=True, env=environment, timeout=120)


def test_pre_commit_try_repo(repository: pathlib.Path) -> None:
    hook = str(repository.parent / "hook")
    # What is staged counts, and nothing else.
    shutil.copy(LOST, repository / "models" / "lost.onnx")
    nothing_staged = pre_commit(repository, "try-repo", hook, "onnx-lower-check")
    assert nothing_staged.returncode == 0 and "no files to check" in nothing_staged.stdout, nothing_staged.stdout + nothing_staged.stderr
    git(repository, "add", "models/lost.onnx")
    refused = pre_commit(repository, "try-repo", hook, "onnx-lower-check", "--verbose")
    assert refused.returncode == 1 and "models/lost.onnx: node '/m/cstThreshold' (rknn_cst::cstThreshold) cannot be lowered" in refused.stdout
    assert "--set rknn_cst::cstThreshold.threshold=VALUE" in refused.stdout and '{"input"' not in refused.stdout


def test_pre_commit_with_a_configuration(repository: pathlib.Path) -> None:
    """As docs/pipelines.md has it, with arguments; the hook is installed once, and several models are one run."""
    hook = repository.parent / "hook"
    shown = re.search(r"```yaml\n(repos:\n.*?)```", (REPOSITORY / "docs" / "pipelines.md").read_text(), re.DOTALL)[1]
    config = yaml.safe_load(shown)
    config["repos"][0].update(repo=str(hook), rev=git(hook, "rev-parse", "HEAD").strip())
    config["repos"][0]["hooks"][0]["args"].append("--set=rknn_cst::cstThreshold.param=[0.5,20]")
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    shutil.copy(LOST, repository / "models" / "lost.onnx")
    shutil.copy(LOST, repository / "models" / "lost too.onnx")
    git(repository, "add", "--all")
    for _ in range(2):
        done = pre_commit(repository, "run")
        assert done.returncode == 0 and "Passed" in done.stdout, done.stdout
    (repository / "models" / "lost too.onnx").write_bytes(b"nonsense")
    git(repository, "add", "--all")
    assert pre_commit(repository, "run").returncode == 1
    (installed,) = (repository.parent / "cache").glob("repo*/.onnx-lower/bin/onnx-lower")
    assert installed.is_file()
