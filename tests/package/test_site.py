# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The site that `make docs` makes: it is made without a warning, every link leads somewhere, and nothing is loaded from elsewhere."""
from __future__ import annotations

import html.parser
import os
import pathlib
import re
import subprocess
import urllib.parse

import pytest

from conftest import REPOSITORY

MKDOCS = pathlib.Path(os.environ.get("ONNX_LOWER_DOCS_TOOLS", REPOSITORY / "build" / "venv-docs" / "bin")).absolute() / "mkdocs"


class Document(html.parser.HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.anchors.update(value for name in ("id", "name") if (value := given.get(name)))
        if tag == "a" and (target := given.get("href")) is not None:
            self.links.append(target)
        elif tag == "link" and "canonical" not in (given.get("rel") or ""):
            self.loaded.append(given.get("href") or "")
        elif tag in ("img", "script", "source", "iframe") and "src" in given:
            self.loaded.append(given["src"] or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[pathlib.Path, Document]:
    folder = tmp_path_factory.mktemp("site")
    assert MKDOCS.exists(), f"there is no {MKDOCS}: scripts/make_venv build/venv-docs tests/requirements-docs.txt makes it"
    done = subprocess.run([MKDOCS, "build", "--strict", "--quiet", "--site-dir", folder], cwd=REPOSITORY, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    assert done.returncode == 0 and not done.stderr, done.stderr
    return {path: Document(path.read_text()) for path in folder.rglob("*.html") if path.name != "404.html"}


def test_every_page_is_there(site: dict[pathlib.Path, Document]) -> None:
    names = {path.stem for path in site}
    assert names >= {"index", "CHANGELOG", "CONTRIBUTING", "SECURITY", "definitions", *(path.stem for path in (REPOSITORY / "docs").glob("*.md"))}


def test_links_lead_somewhere(site: dict[pathlib.Path, Document]) -> None:
    followed = 0
    for page, document in site.items():
        for link in document.links + document.loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ("http", "https"):
                continue
            assert not parts.scheme and not parts.netloc, f"{page.name}: {link}"
            target = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            assert target.exists(), f"{page.name}: {link} leads nowhere"
            if parts.fragment and target in site:
                assert urllib.parse.unquote(parts.fragment) in site[target].anchors, f"{page.name}: {link} has no such place"
            followed += 1
    assert followed > 500


def test_nothing_is_loaded_from_elsewhere(site: dict[pathlib.Path, Document]) -> None:
    for page, document in site.items():
        assert not [path for path in document.loaded if "//" in path], page


def test_repository_links() -> None:
    """As the files stand in the repository, their links lead somewhere, too."""
    for page in [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md"), REPOSITORY / "testdata" / "README.md", REPOSITORY / "tests" / "definitions" / "README.md"]:
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for path in re.findall(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)", text):
            assert (page.parent / path).exists(), f"{page.name} links to {path}, which is not there"
