# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A hook of mkdocs: the pages that lie elsewhere in the repository, and the files to which pages link.

The pages are read on the site as they are in the repository, so their links are paths of the repository. Here they become the site's: a page for a page, a copy below files/ for
another file, and for a folder its name alone. A path that is not there is an error.
"""
from __future__ import annotations

import pathlib
import posixpath
import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
# Of the site, by the pages of the repository.
PAGES = {"README.md": "index.md", "CHANGELOG.md": "CHANGELOG.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "SECURITY.md": "SECURITY.md", "tests/definitions/README.md": "definitions.md"}
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>[^)#:\s]*)(?P<anchor>#[^)\s]*)?\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def is_docs(path: str) -> bool:
    return path.startswith("docs/")


def repository_path(page: str) -> str:
    """Of a page of the site, as the repository has it."""
    return next((path for path, name in PAGES.items() if name == page), f"docs/{page}")


def rewritten(markdown: str, page: str, copied: set[str]) -> str:
    """The page's text with the site's links; `copied` gets the files that belong to it."""
    here = posixpath.dirname(repository_path(page))

    def link(found: re.Match[str]) -> str:
        if not found["path"]:
            return found[0]
        path = posixpath.normpath(posixpath.join(here, found["path"]))
        target = REPOSITORY / path
        if not target.exists():
            raise PluginError(f"{repository_path(page)} links to {found['path']}, which is not there")
        if target.is_dir():
            return found["text"]
        if path in PAGES:
            to = PAGES[path]
        elif is_docs(path):
            to = path.removeprefix("docs/")
        else:
            copied.add(path)
            to = f"files/{path}"
        return f"{found['image']}[{found['text']}]({posixpath.relpath(to, posixpath.dirname(page) or '.')}{found['anchor'] or ''})"

    # Nothing in a block of code is a link.
    parts, end = [], 0
    for block in CODE.finditer(markdown):
        parts += [LINK.sub(link, markdown[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, LINK.sub(link, markdown[end:])])


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path, name in PAGES.items():
        files.append(File.generated(config, name, content=(REPOSITORY / path).read_text(encoding="utf-8")))
    copied: set[str] = set()
    for file in files.documentation_pages():
        rewritten(file.content_string, file.src_uri, copied)
    for path in sorted(copied):
        # Under a name that no browser takes for a page.
        files.append(File.generated(config, f"files/{path}", content=(REPOSITORY / path).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return rewritten(markdown, page.file.src_uri, set())
