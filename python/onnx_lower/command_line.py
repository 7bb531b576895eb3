# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The options of a call, as the tool's command line has them; and what the tool says of its options, as a call has them."""
from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

from onnx_lower.option_table import FUNCTIONS, KEYWORDS

Number = Union[int, float]
AttributeValue = Union[Number, str, Sequence[Number], Sequence[str]]
Settings = Union[str, Iterable[str], Mapping[str, AttributeValue]]
"""SETTING, as --set has it, one or several; or {"DOMAIN::OP.ATTRIBUTE": value}."""


def _words(given: Union[str, Iterable[str]]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _element(value: Union[Number, str]) -> str:
    if isinstance(value, str):
        # A word that looks like a number would be one.
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    # int() and float(), because NumPy's numbers have representations of their own.
    return repr(float(value)) if isinstance(value, float) or not hasattr(value, "__index__") else repr(int(value))


def _value(value: AttributeValue) -> str:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return _element(value)
    return "[" + ",".join(map(_element, value)) + "]"


def setting_texts(settings: Settings) -> list[str]:
    """DOMAIN::OP.ATTRIBUTE=VALUE for each."""
    if isinstance(settings, Mapping):
        return [f"{name}={_value(value)}" for name, value in settings.items()]
    return _words(settings)


def _elements(value: Any) -> list[str]:
    """The elements of a value, or of a list, an array or a tensor of any number of dimensions."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [text for element in value for text in _elements(element)]
    return [str(value).lower() if isinstance(value, bool) else _element(value)]


def _value_text(value: Any) -> str:
    """As --input-value takes it."""
    elements = _elements(value)
    is_list = isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0
    return f"[{','.join(elements)}]" if is_list else elements[0]


def _shape_text(shape: Sequence[Optional[int]]) -> str:
    return ",".join("?" if size is None else str(size) for size in shape)


# What a keyword holds, and how the words of the command line are made of it.


def _flag(given: Any) -> list[str]:
    return [""] if given else []


def _single(given: Any) -> list[str]:
    return [] if given is None else [f"={given}"]


def _joined(given: Any) -> list[str]:
    return [] if given is None else [f"={','.join(_words(given))}"]


def _each(given: Any) -> list[str]:
    return [f"={word}" for word in _words(given)]


def _flag_or_each(given: Any) -> list[str]:
    return [""] if given is True else _each(given or ())


def _settings(given: Any) -> list[str]:
    return [f"={text}" for text in setting_texts(given)]


def _pairs(separator: str, text_of: Callable[[Any], str]) -> Callable[[Any], list[str]]:
    return lambda given: [f"={name}{separator}{text_of(value)}" for name, value in (given or {}).items()]


# How the keyword is written of a value on the command line. Several of one keyword are joined by `join`.


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pair(separator: str, value_of: Callable[[str], str]) -> Callable[[str], str]:
    def written(text: str) -> str:
        name, found, value = text.rpartition(separator) if separator == ":" else text.partition(separator)
        return f"{_quoted(name)}: {value_of(value)}" if found else _quoted(text)

    return written


def _as_literal(text: str) -> str:
    """A value of --input-value."""
    if text in ("true", "false"):
        return text.capitalize()
    if re.fullmatch(r"VALUE|[-+]?\d+(\.\d*)?(e[-+]?\d+)?", text):
        return text
    return f"[{', '.join(map(_as_literal, text.split(',')))}]" if "," in text else _quoted(text)


def _as_shape(text: str) -> str:
    return f"[{', '.join('None' if size == '?' else size for size in text.split(','))}]"


@dataclass(frozen=True)
class _Kind:
    words: Callable[[Any], list[str]]
    value: str
    """A pattern of what stands behind the option's name in a message; what is no such value is text that goes on."""
    written: Callable[[str], str]
    brackets: str = ""
    """Around one value or several."""


# In "--keep and --attach" or "--target may tell it" no value follows.
_NO_VALUE = r"(?!(?:and|or|in|of|for|to|with|goes|go|says|gives|give|takes|changes|may|can|is|are|has|puts|needs|lacks|which|that|where)\b)"
_OPERATOR = _NO_VALUE + r"[^\s,;()]+"
_SETTING = r"""(?:node:[^\n]*?\.\w+|[^\s=]+)=(?:"(?:[^"\\]|\\.)*"|[^\s;)]+)"""

# By the names that the table of the options has for them.
_KINDS = {
    "flag": _Kind(_flag, "", lambda _: "True"),
    "text": _Kind(_single, _NO_VALUE + r"[^\s;()]+", _quoted),
    "texts": _Kind(_joined, _NO_VALUE + r"[^\s;()]+", _quoted),
    "number": _Kind(_single, r"-?\d[\w.]*|N\b|SECONDS\b", lambda text: text),
    "list": _Kind(_each, _OPERATOR, _quoted, "[]"),
    "flag_or_list": _Kind(_flag_or_each, _OPERATOR, _quoted, "[]"),
    "settings": _Kind(_settings, _SETTING, _quoted, "[]"),
    "readings": _Kind(_pairs("=", str), r"[^\s=]+=[^\s,;()]+", _pair("=", _quoted), "{}"),
    "shapes": _Kind(_pairs(":", _shape_text), r"\S+:[\d?,]+", _pair(":", _as_shape), "{}"),
    "sizes": _Kind(_pairs("=", str), r"[^\s=]+=(?:\d+|N\b)", _pair("=", str), "{}"),
    "values": _Kind(_pairs("=", _value_text), r"[^\s=]+=[^\s;()]+", _pair("=", _as_literal), "{}"),
}


@dataclass(frozen=True)
class Option:
    """An option of the tool that is a keyword of lower(), check(), verify() or lower_many()."""

    name: str
    keyword: str
    kind: _Kind


OPTIONS = tuple(Option(name, keyword, _KINDS[kind]) for name, keyword, kind in KEYWORDS)


def arguments(options: Mapping[str, Any]) -> list[str]:
    """The words for keywords of the table."""
    given = dict(options)
    words = [f"--{option.name}{word}" for option in OPTIONS if option.keyword in given for word in option.kind.words(given.pop(option.keyword))]
    if given:
        raise TypeError(f"there is no option {', '.join(given)}; there are {', '.join(option.keyword for option in OPTIONS)}")
    return words


_BY_NAME = {option.name: option for option in OPTIONS}
_ANY_OPTION = re.compile(r"(?<![\w-])--(" + "|".join(sorted([*_BY_NAME, *FUNCTIONS], key=len, reverse=True)) + r")(?![\w-])")
# What a message echoes of a call ends with a colon, whatever it is.
_ECHO = re.compile(r"[= ](\S+?)(?=: )")

# Other ways in which messages speak of the command line.
_PHRASES = (
    (re.compile(r"\n?onnx-lower --help says more$"), ""),
    (re.compile(r"--report FILE\.json has them all"), "the report has them all"),
    (re.compile(r"--report FILE\.json has them"), "the report has them"),
    (re.compile(r"-v shows all (\d+) reasons"), r"the report's `unlowered` has all \1 reasons"),
    (re.compile(r"--external-data (\w+) or (\w+)"), r'external_data="\1" or "\2"'),
    (re.compile(r"(?<![\w-])-o OUT\b"), 'output="OUT"'),
)
# Rules that the caller gave as texts or functions are files only while the tool runs.
_MADE_RULES = re.compile(r"rules=\[[^\]]*onnx-lower-rules-[^\]]*\]")


def _value_at(option: Option, text: str, place: int) -> tuple[Optional[str], int]:
    """The value behind an option's name, or None, and where it ends."""
    if not option.kind.value:
        return None, place
    if echo := _ECHO.match(text, place):
        return (option.kind.written if re.fullmatch(option.kind.value, echo[1]) else _quoted)(echo[1]), echo.end()
    found = re.compile(f"[= ]({option.kind.value})").match(text, place)
    if found is None:
        return None, place
    value = found[1]
    while value.endswith((".", ",", ":", "'")):  # the message's own
        value = value[:-1]
    return option.kind.written(value), found.start(1) + len(value)


def _call(name: str, text: str, place: int) -> tuple[str, int]:
    """A function in the place of an option, and where what it takes ends."""
    shown = re.compile(r"[= ]([A-Z]\w*\d+(?=:)|[^\s:;,()]+::[^\s:;,()]+|\w+(?= \(writes))((?: --rules \S+)*)").match(text, place) if name in ("show-rule", "new-rule", "show-target", "explain") else None
    if shown is None:
        echo = _ECHO.match(text, place)
        return (f"onnx_lower.{FUNCTIONS[name]}({_quoted(echo[1])})", echo.end()) if echo else (f"onnx_lower.{FUNCTIONS[name]}()", place)
    rules = re.findall(r"--rules (\S+)", shown[2])
    if name == "new-rule":
        return f"onnx_lower.new_rule(model, {_quoted(shown[1])})", shown.end()
    further = f", rules=[{', '.join(map(_quoted, rules))}]" if rules else ""
    return f"onnx_lower.{FUNCTIONS[name]}({_quoted(shown[1])}{further})", shown.end()


def _keywords(text: str, place: int) -> tuple[str, int]:
    """Options that follow one another, as keywords: a keyword is there once, with all its values."""
    values: dict[str, list[str]] = {}
    kinds: dict[str, _Kind] = {}
    while True:
        found = _ANY_OPTION.match(text, place)
        assert found is not None
        option = _BY_NAME[found[1]]
        value, place = _value_at(option, text, found.end())
        if option.kind.words is _flag or (option.keyword == "attach" and value is None):
            value = "True"
        kinds[option.keyword] = option.kind
        values.setdefault(option.keyword, []).extend([] if value is None else [value])
        following = _ANY_OPTION.match(text, place + 1) if text[place : place + 1] == " " and value is not None else None
        if following is None or following[1] in FUNCTIONS:
            break
        place += 1
    written = []
    for keyword, several in values.items():
        brackets = kinds[keyword].brackets if several != ["True"] else ""
        joined = ", ".join(several)
        written.append(f"{keyword}={brackets[:1]}{joined}{brackets[1:]}" if several else keyword)
    return ", ".join(written), place


def _translated(text: str) -> str:
    told, place = "", 0
    while found := _ANY_OPTION.search(text, place):
        before = text[place : found.start()]
        is_function = found[1] in FUNCTIONS
        told += before.removesuffix("onnx-lower ") if is_function else before
        written, place = _call(found[1], text, found.end()) if is_function else _keywords(text, found.start())
        told += written
    return told + text[place:]


def in_python(text: str) -> str:
    """A message of the tool, with the module's keywords in the place of the command line's options."""
    for pattern, instead in _PHRASES:
        text = pattern.sub(instead, text)
    # A command by which the program is built has options of its own.
    parts = re.split(r"(\bcmake [^\n]*)", text)
    told = "".join(part if number % 2 else _translated(part) for number, part in enumerate(parts))
    return _MADE_RULES.sub("rules=rules", told)
