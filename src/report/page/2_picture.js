// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

const SVG = "http://www.w3.org/2000/svg";
const FIRST_SHOWN = 36; // nodes of a large body, before a button shows the rest
const MOST_DRAWN = 400; // as many as the report has of a body

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const measure = document.createElement("canvas").getContext("2d");
function widthOf(text, size) {
  measure.font = `${size}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif`;
  return measure.measureText(text).width;
}

// What stands in a node's box below its operator: constants that it reads, and its attributes.
function linesOf(node, constants) {
  const lines = node.inputs.filter((name) => name in constants).map((name) => cut(constants[name], 28));
  for (const [name, value] of Object.entries(node.attributes)) {
    if (lines.length === 3) {
      lines.push("…");
      break;
    }
    lines.push(cut(`${name} = ${value}`, 28));
  }
  return lines.slice(0, 4);
}

// The values of Constant nodes, which stand in the boxes of the nodes that read them.
function withConstants(nodes, constants) {
  const all = { ...constants };
  const others = [];
  for (const node of nodes) {
    const [value] = Object.values(node.attributes);
    if (node.operator === "ai.onnx::Constant" && value !== undefined && node.outputs.length === 1) all[node.outputs[0]] = value;
    else others.push(node);
  }
  return [others, all];
}

function nodeTip(node, rewrite, constants) {
  const rows = [];
  const row = (kind, name, text) => rows.push(make("tr", {}, make("th", {}, kind), make("td", { class: "mono" }, name), make("td", { class: "mono" }, text)));
  const typed = (name) => constants[name] || shownType(rewrite.types[name]);
  node.inputs.forEach((name, index) => row(index === 0 ? "reads" : "", name === "" ? "(absent)" : cut(name, 60), cut(typed(name), 80)));
  node.outputs.forEach((name, index) => row(index === 0 ? "makes" : "", name === "" ? "(unused)" : cut(name, 60), cut(shownType(rewrite.types[name]), 80)));
  Object.entries(node.attributes).forEach(([name, value], index) => row(index === 0 ? "attributes" : "", name, cut(value, 160)));
  return [make("h4", {}, shortOperator(node.operator)), make("div", { class: "soft mono" }, cut(node.name, 90)), make("table", {}, rows)];
}

// A graph of nodes as a picture; `kind` is "old" or "new". `most`: how many nodes are drawn.
function picture(nodes, rewrite, kind, most) {
  const [shown, constants] = withConstants(nodes, rewrite.constants);
  const drawn = shown.slice(0, most);
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 22, ranksep: 34, marginx: 6, marginy: 6 });
  graph.setDefaultEdgeLabel(() => ({}));
  const makers = new Map();
  const boxes = new Map();
  const box = (id, title, lines, css, tip) => {
    const width = Math.max(widthOf(title, 13) * 1.08, ...lines.map((line) => widthOf(line, 11)), 34) + 22;
    boxes.set(id, { title, lines, css, tip });
    graph.setNode(id, { width, height: 28 + 15 * lines.length });
  };
  drawn.forEach((node, index) => {
    box(`n${index}`, shortOperator(node.operator), linesOf(node, constants), kind, () => nodeTip(node, rewrite, constants));
    for (const output of node.outputs) makers.set(output, `n${index}`);
  });
  const value = (name) => {
    if (makers.has(name)) return makers.get(name);
    const id = `v${boxes.size}`;
    makers.set(name, id);
    const type = shownType(rewrite.types[name]);
    box(id, cut(name, 30), type === "" ? [] : [cut(type, 30)], "value", () => [make("h4", { class: "mono" }, cut(name, 90)), make("div", { class: "mono" }, type)]);
    return id;
  };
  const edge = (from, to, name) => graph.setEdge(from, to, {}, name);
  drawn.forEach((node, index) => {
    node.inputs.forEach((name, input) => {
      if (name !== "" && !(name in constants)) edge(value(name), `n${index}`, `${input}`);
    });
  });
  // What leaves the picture.
  for (const output of rewrite.before.outputs) {
    const maker = makers.get(output);
    if (output === "" || maker === undefined || !maker.startsWith("n")) continue;
    const id = `o${boxes.size}`;
    const type = shownType(rewrite.types[output]);
    box(id, cut(output, 30), type === "" ? [] : [cut(type, 30)], "value", () => [make("h4", { class: "mono" }, cut(output, 90)), make("div", { class: "mono" }, type)]);
    edge(maker, id, "out");
  }
  const missing = shown.length - drawn.length;
  if (missing > 0) {
    box("more", `… and ${counted(missing, "more node")}`, [], "more", null);
    const read = new Set(drawn.flatMap((node) => node.inputs));
    drawn.forEach((node, index) => {
      if (!node.outputs.some((output) => read.has(output) || rewrite.before.outputs.includes(output))) edge(`n${index}`, "more", "");
    });
  }
  dagre.layout(graph);
  return drawing(graph, boxes);
}

function drawing(graph, boxes) {
  // Lines may lead around what dagre takes for the whole picture.
  const margin = 6;
  const points = graph.edges().flatMap((key) => graph.edge(key).points);
  const corners = graph.nodes().map((id) => graph.node(id)).flatMap(({ x, y, width, height }) => [{ x: x - width / 2, y: y - height / 2 }, { x: x + width / 2, y: y + height / 2 }]);
  const all = [...points, ...corners];
  const least = (of) => all.reduce((most, point) => Math.min(most, of(point)), Infinity);
  const left = least(({ x }) => x) - margin;
  const top = least(({ y }) => y) - margin;
  const width = margin - least(({ x }) => -x) - left;
  const height = margin - least(({ y }) => -y) - top;
  const lines = svg("g");
  const touching = new Map();
  for (const key of graph.edges()) {
    const { points } = graph.edge(key);
    const path = svg("path", { class: "edge", d: curve(points) });
    const last = points[points.length - 1];
    const before = points[points.length - 2];
    const angle = (Math.atan2(last.y - before.y, last.x - before.x) * 180) / Math.PI;
    const head = svg("path", { class: "head", d: "M0,0L-7,-3.5L-7,3.5Z", transform: `translate(${last.x},${last.y}) rotate(${angle})` });
    lines.append(path, head);
    for (const end of [key.v, key.w]) touching.set(end, [...(touching.get(end) || []), path]);
  }
  const nodes = svg("g");
  for (const [id, { title, lines: below, css, tip }] of boxes) {
    const { x, y, width, height } = graph.node(id);
    const group = svg("g", { class: `node ${css}`, transform: `translate(${x},${y})` });
    group.append(svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: css === "value" ? 14 : 5 }));
    const text = svg("text", { class: "title", y: -height / 2 + 18 });
    text.textContent = title;
    group.append(text);
    below.forEach((line, index) => {
      const small = svg("text", { class: "line", y: -height / 2 + 33 + 15 * index });
      small.textContent = line;
      group.append(small);
    });
    if (tip !== null) {
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "img");
      group.setAttribute("aria-label", [title, ...below].join(", "));
      attachTip(group, tip);
      const light = (on) => () => (touching.get(id) || []).forEach((path) => path.classList.toggle("lit", on));
      group.addEventListener("pointerenter", light(true));
      group.addEventListener("pointerleave", light(false));
      group.addEventListener("focus", light(true));
      group.addEventListener("blur", light(false));
    }
    nodes.append(group);
  }
  return svg("svg", { width: Math.ceil(width), height: Math.ceil(height), viewBox: `${left} ${top} ${width} ${height}` }, lines, nodes);
}

// A smooth line through the points, which ends straight.
function curve(points) {
  if (points.length < 3) return `M${points.map((point) => `${point.x},${point.y}`).join("L")}`;
  let path = `M${points[0].x},${points[0].y}`;
  for (let index = 1; index < points.length - 1; ++index) {
    const here = points[index];
    const next = points[index + 1];
    const end = index === points.length - 2 ? next : { x: (here.x + next.x) / 2, y: (here.y + next.y) / 2 };
    path += `Q${here.x},${here.y} ${end.x},${end.y}`;
  }
  return path;
}
