// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

"use strict";

// Makes an element. What comes from a model only ever becomes text, never markup.
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function bytes(count) {
  if (count < 1000) return counted(count, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let unit = -1;
  do {
    count /= 1000;
    ++unit;
  } while (count >= 999.5 && unit + 1 < units.length);
  return `${count >= 100 ? count.toFixed(0) : count.toPrecision(3)} ${units[unit]}`;
}

function large(count) {
  const units = ["", " thousand", " million", " billion", " trillion"];
  let unit = 0;
  while (count >= 999.5 && unit + 1 < units.length) {
    count /= 1000;
    ++unit;
  }
  return unit === 0 ? String(count) : `${count >= 100 ? count.toFixed(0) : count.toPrecision(3)}${units[unit]}`;
}

function shortOperator(name) {
  return name.startsWith("ai.onnx::") ? name.slice("ai.onnx::".length) : name;
}

// A type as ONNX's textual syntax writes it, where "float[]" is a tensor of any shape.
function shownType(type) {
  return type === undefined ? "" : type.replace("[]", " of any shape");
}

function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

// The folder that all paths begin with, with its slash.
function commonFolder(paths) {
  if (paths.length < 2) return "";
  let common = paths[0].slice(0, paths[0].lastIndexOf("/") + 1);
  while (common !== "" && !paths.every((path) => path.startsWith(common))) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  return common;
}

function cut(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
