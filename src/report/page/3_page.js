// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const search = document.getElementById("search");
const tipBox = document.getElementById("tip");
const NAMES_SHOWN = 8; // of the nodes of one kind, before a button shows more
const MOST_NAMES = 1000;

let entries = []; // what j and k go through: { element, text() }
let current = -1;

// Tooltips, by the pointer and by the keyboard.

function attachTip(element, content) {
  const show = () => {
    tipBox.replaceChildren(...[content()].flat());
    tipBox.hidden = false;
    const at = element.getBoundingClientRect();
    const own = tipBox.getBoundingClientRect();
    // Beside the element, or else below or above it.
    const beside = at.right + 14 + own.width < innerWidth;
    const below = at.bottom + 8 + own.height < innerHeight;
    const top = beside ? at.top - 8 : below ? at.bottom + 8 : at.top - own.height - 8;
    tipBox.style.left = `${beside ? at.right + 14 : Math.max(8, Math.min(at.left, innerWidth - own.width - 8))}px`;
    tipBox.style.top = `${Math.max(8, Math.min(top, innerHeight - own.height - 8))}px`;
  };
  const hide = () => { tipBox.hidden = true; };
  element.addEventListener("pointerenter", show);
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focus", show);
  element.addEventListener("blur", hide);
}

// Parts that several sections use.

function section(title, count, ...content) {
  return make("section", {}, make("h2", {}, title, count === null ? null : make("span", { class: "count" }, ` ${count.toLocaleString("en")}`)), ...content);
}

// An entry that can be opened; `fill` makes what is inside when it is opened for the first time.
function entry(summary, words, open, fill) {
  const inside = make("div", { class: "inside" });
  const element = make("details", { class: "entry" }, make("summary", {}, summary), inside);
  let filled = false;
  const open_now = () => {
    if (filled) return;
    filled = true;
    inside.append(...[fill()].flat());
  };
  element.addEventListener("toggle", () => { if (element.open) open_now(); });
  let text = null;
  entries.push({ element, text: () => (text ??= words().join("\n").toLowerCase()) });
  if (open) {
    element.open = true;
    whenSeen(element, open_now);
  }
  return element;
}

const observer = new IntersectionObserver((seen) => {
  for (const one of seen) {
    if (!one.isIntersecting) continue;
    observer.unobserve(one.target);
    one.target.whenSeen();
  }
}, { rootMargin: "600px" });
function whenSeen(element, act) {
  element.whenSeen = act;
  observer.observe(element);
}

function nameList(names) {
  const line = make("p", { class: "names" });
  const show = (most) => {
    line.replaceChildren(...names.slice(0, most).map((name) => make("code", {}, name)));
    const left = names.length - Math.min(most, names.length);
    if (left === 0) return;
    if (most >= MOST_NAMES) line.append(make("span", { class: "soft" }, `and ${left.toLocaleString("en")} more; the search finds them, and --report FILE.json has them all`));
    else line.append(make("button", { type: "button", onclick: () => show(MOST_NAMES) }, `and ${left.toLocaleString("en")} more`));
  };
  show(NAMES_SHOWN);
  return line;
}

function fact(label, number, detail) {
  return make("div", { class: "fact" }, make("div", { class: "label" }, label), make("div", { class: "number" }, number), make("div", { class: "detail" }, detail));
}

function change(before, after, text) {
  return text(before) === text(after) ? text(after) : `${text(before)} → ${text(after)}`;
}

const STATUS = {
  0: ["good", "done"],
  1: ["bad", "not all could be lowered"],
  2: ["bad", "wrong usage"],
  3: ["bad", "not a valid model or rule"],
  4: ["bad", "a file could not be read or written"],
  6: ["good", "can be lowered"],
};
function badge(status) {
  const [kind, text] = STATUS[status] || ["bad", `ended with ${status}`];
  return make("span", { class: `badge ${kind}` }, text);
}

// The sections of one model.

function facts(report) {
  const { before, after } = report.cost;
  const lowered = report.rewrites.reduce((sum, rewrite) => sum + rewrite.nodes, 0);
  const refused = report.unlowered.reduce((sum, group) => sum + group.nodes.length, 0);
  const unknown = Object.values(after.not_counted).reduce((sum, count) => sum + count, 0);
  const held = before.held_bytes === before.weight_bytes && after.held_bytes === after.weight_bytes ? "" : `in memory ${change(before.held_bytes, after.held_bytes, bytes)}`;
  const cards = [
    fact("Nodes", change(report.nodes_before, report.nodes_after, (count) => count.toLocaleString("en")), `${counted(lowered, "node")} lowered${refused ? `, ${refused.toLocaleString("en")} refused` : ""}`),
    fact("Weights", change(before.weight_bytes, after.weight_bytes, bytes), held),
  ];
  const unknownBefore = Object.values(before.not_counted).reduce((sum, count) => sum + count, 0);
  if (before.multiplications + after.multiplications > 0)
    cards.push(
      unknown + unknownBefore === 0
        ? fact("Multiplications", change(before.multiplications, after.multiplications, large), "of convolutions and products of matrices")
        : fact("Multiplications", large(after.multiplications), `${unknown ? `and those of ${counted(unknown, "node")}, not known; ` : ""}before: ${large(before.multiplications)}${unknownBefore ? `, and those of ${counted(unknownBefore, "node")}, not known` : ""}`),
    );
  cards.push(fact("Lowered in", `${report.milliseconds.toFixed(1)} ms`, `onnx-lower ${report.versions["onnx-lower"]}`));
  return make("div", { class: "facts" }, cards);
}

// How many bits an element of the held value has in the file.
function bits(grown) {
  const elements = ((/\[([\d,]+)\]/.exec(grown.type) || ["", ""])[1]).split(",").reduce((product, dim) => product * Number(dim), 1);
  const each = (grown.bytes * 8) / elements;
  return each < 32 && Number.isInteger(each) ? `, ${counted(each, "bit")} each` : "";
}

function costs(report) {
  const rows = report.cost.after.grown_weights.map((grown) =>
    make("tr", {}, make("td", { class: "mono" }, grown.weight), make("td", { class: "number" }, `${bytes(grown.bytes)}${bits(grown)}`), make("td", { class: "mono" }, grown.type), make("td", { class: "number" }, bytes(grown.held_bytes)), make("td", { class: "number" }, `${(grown.held_bytes / grown.bytes).toPrecision(2)} ×`)));
  const slower = (report.slower || []).map((one) => make("tr", {}, make("td", {}, make("code", {}, one.node)), make("td", {}, shortOperator(one.operator)), make("td", {}, one.runtime), make("td", { class: "number" }, `${one.times} ×`), make("td", {}, one.which || "")));
  const parts = [];
  if (slower.length > 0) parts.push(section("Slower than a kernel", slower.length, table(["Node", "Operator", "In", "Times as long", ""], slower, [3])));
  if (rows.length > 0) parts.push(section("Weights that become larger when the model is loaded", rows.length, table(["Weight", "In the file", "Held as", "In memory", ""], rows, [1, 3, 4])));
  return parts;
}

function table(heads, rows, numbers) {
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, heads.map((head, index) => make("th", { class: numbers.includes(index) ? "number" : "" }, head)))), make("tbody", {}, rows)));
}

const VERDICTS = { as_it_is: ["good", "as it is"], after_lowering: ["warn", "after lowering"], refused: ["bad", "refused"] };
function targets(report) {
  if (!report.targets || report.targets.length === 0) return [];
  const rows = report.targets.map((target) => {
    const [kind, text] = VERDICTS[target.verdict] || ["", target.verdict];
    const warnings = target.warnings || [];
    const remark = target.verdict === "refused" ? target.obstacle : target.verdict === "after_lowering" ? change(target.nodes_before, target.nodes_after, (count) => count.toLocaleString("en")) + " nodes" : "";
    return make("tr", {}, make("td", { class: "nowrap" }, target.target), make("td", {}, make("span", { class: `badge ${kind}` }, text)), make("td", {}, remark), make("td", { class: "soft" }, warnings.map((warning) => make("div", {}, warning))));
  });
  return [section("Where it runs", report.targets.length, table(["Target", "", "", "Warnings"], rows, []))];
}

function refusals(report) {
  if (report.unlowered.length === 0) return [];
  const list = report.unlowered.map((group, index) =>
    entry(
      [make("h3", {}, shortOperator(group.operator)), make("span", { class: "badge bad" }, counted(group.nodes.length, "node")), make("span", { class: "soft" }, `${group.code}: ${group.title}`)],
      () => [group.operator, group.code, group.title, group.message, ...group.nodes],
      index < 8,
      () => [make("pre", {}, group.message), nameList(group.nodes)],
    ));
  return [section("Refused", report.unlowered.reduce((sum, group) => sum + group.nodes.length, 0), list)];
}

function warnings(report) {
  const list = [];
  for (const one of report.doubtful) list.push(`${one.node} (${shortOperator(one.operator)}) comes out wrong in ${one.target}: ${one.reason}`);
  for (const one of report.contradictions) list.push(`${one.value} is declared as ${one.declared}, and is ${one.inferred}`);
  for (const one of report.computed_as_float) list.push(`${one.target} computes ${counted(one.values, "value")} of type ${one.element_type} as float, ${one.value} the first of them`);
  for (const op of report.functions_beside_kernels) list.push(`${op} was lowered by the model's function of this name; a runtime may have a kernel for it`);
  for (const rewrite of report.rewrites) for (const remark of rewrite.remarks) list.push(`${rewrite.operator}: ${remark}`);
  for (const setting of report.unused_settings) list.push(`--set ${setting} fits no node`);
  for (const keep of report.unused_keeps) list.push(`--keep ${keep} fits no node`);
  if (list.length === 0) return [];
  const shown = 50;
  return [section("To look at", list.length, make("ul", {}, list.slice(0, shown).map((text) => make("li", {}, text)), list.length > shown ? make("li", { class: "soft" }, `and ${list.length - shown} more`) : null))];
}

function operators(report) {
  const { before, after } = report.cost;
  const names = [...new Set([...Object.keys(before.operators), ...Object.keys(after.operators)])];
  if (names.length === 0) return [];
  const of = (cost, name) => cost.operators[name] || 0;
  const difference = (name) => Math.abs(of(after, name) - of(before, name));
  names.sort((one, other) => difference(other) - difference(one) || of(after, other) - of(after, one) || (one < other ? -1 : 1));
  const rows = names.map((name) => {
    const delta = of(after, name) - of(before, name);
    return make("tr", {}, make("td", {}, shortOperator(name)), make("td", { class: "number" }, of(before, name).toLocaleString("en")), make("td", { class: "number" }, of(after, name).toLocaleString("en")), make("td", { class: `number ${delta > 0 ? "up" : delta < 0 ? "down" : "soft"}` }, delta === 0 ? "" : `${delta > 0 ? "+" : "−"}${Math.abs(delta).toLocaleString("en")}`));
  });
  const first = 16;
  const body = table(["Operator", "Before", "After", ""], rows.slice(0, first), [1, 2, 3]);
  const more = rows.length > first ? make("button", { type: "button", onclick: () => { body.querySelector("tbody").append(...rows.slice(first)); more.remove(); } }, `and ${rows.length - first} more`) : null;
  return [section("Operators", names.length, body, more)];
}

function ruleText(report, rewrite) {
  const text = report.rule_texts[rewrite.operator] || "";
  const line = Number((/:(\d+)$/.exec(rewrite.rule) || [0, 1])[1]);
  const lines = text.split("\n");
  if (line <= 1 || line > lines.length) return text.trimEnd();
  let begin = line - 1;
  while (begin > 0 && lines[begin - 1].trim() !== "") --begin;
  let end = line;
  while (end < lines.length && lines[end].trim() !== "}") ++end;
  return lines.slice(begin, end + 1).join("\n").trimEnd();
}

function pictures(report, rewrite) {
  const hold = make("div", { class: "picture" });
  const made = rewrite.after.filter((node) => node.operator !== "ai.onnx::Constant").length;
  const caption = make("figcaption", {}, rewrite.attached ? `its function, of ${counted(rewrite.nodes_made, "node")}` : counted(rewrite.nodes_made, "node"));
  const draw = (most) => {
    hold.replaceChildren(picture(rewrite.after, rewrite, "new", most));
    if (made > most) hold.append(make("button", { type: "button", onclick: () => draw(MOST_DRAWN) }, `draw ${made > MOST_DRAWN ? `${MOST_DRAWN} of ${made}` : `all ${made}`} nodes`));
  };
  draw(made > FIRST_SHOWN + 4 ? FIRST_SHOWN : MOST_DRAWN);
  const before = make("div", { class: "picture" }, picture([rewrite.before], { ...rewrite, constants: rewrite.constants }, "old", 1));
  return make("div", { class: "pictures" }, make("figure", {}, before, make("figcaption", {}, "1 node")), make("span", { class: "arrow", "aria-label": "becomes" }, "→"), make("figure", {}, hold, caption));
}

function rewrites(report) {
  if (report.rewrites.length === 0) return [];
  const order = [...report.rewrites].sort((one, other) => other.nodes - one.nodes);
  const list = order.map((rewrite, index) => {
    const rule = make("span", { class: "rule-name mono", tabindex: "0" }, rewrite.rule);
    const text = ruleText(report, rewrite);
    if (text !== "") attachTip(rule, () => make("pre", {}, text));
    return entry(
      [make("h3", {}, shortOperator(rewrite.operator)), make("span", { class: "badge" }, counted(rewrite.nodes, "node")), make("span", { class: "soft" }, rewrite.attached ? "gets a function of" : "→", ` ${counted(rewrite.nodes_made, "node")}${rewrite.nodes > 1 ? " each" : ""} by`), rule],
      () => [rewrite.operator, rewrite.rule, ...rewrite.after.map((node) => node.operator), ...rewrite.names],
      index < 12,
      () => [
        pictures(report, rewrite),
        ...rewrite.remarks.map((remark) => make("p", { class: "soft" }, remark)),
        nameList(rewrite.names),
        text === "" ? null : make("details", {}, make("summary", { class: "soft" }, "the rule's text"), make("pre", {}, text)),
      ].filter(Boolean),
    );
  });
  return [section("Rewrites", order.length, list)];
}

const FOLDED = { constant: "known before the model runs: became constants", then_branch: "their condition is known: became their then_branch", else_branch: "their condition is known: became their else_branch", nothing: "read by lowered or folded nodes only: dropped" };
function folded(report) {
  if (report.folded.length === 0) return [];
  const list = report.folded.map((group) =>
    entry([make("h3", {}, shortOperator(group.operator)), make("span", { class: "badge" }, counted(group.nodes.length, "node")), make("span", { class: "soft" }, FOLDED[group.into] || group.into)], () => [group.operator, ...group.nodes], false, () => nameList(group.nodes)));
  return [section("Folded", report.folded.reduce((sum, group) => sum + group.nodes.length, 0), list)];
}

function settings(report) {
  const given = Object.entries(report.settings).filter(([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0));
  return [section("How it was run", null, table(["", ""], given.map(([name, value]) => make("tr", {}, make("td", {}, name.replaceAll("_", " ")), make("td", { class: "mono" }, Array.isArray(value) ? value.join(", ") : String(value)))), []))];
}

function showReport(report) {
  entries = [];
  current = -1;
  const way = report.output === null ? baseName(report.input) : `${baseName(report.input)} → ${baseName(report.output)}`;
  document.title = `${baseName(report.input)} – onnx-lower`;
  const what = document.getElementById("what");
  what.title = report.output === null ? report.input : `${report.input} → ${report.output}`;
  what.replaceChildren(badge(report.exit_status), " ", way);
  main.replaceChildren(
    ...[
      facts(report),
      report.error === null ? null : make("pre", {}, report.error),
      ...targets(report),
      ...refusals(report),
      ...warnings(report),
      ...costs(report),
      ...rewrites(report),
      ...operators(report),
      ...folded(report),
      ...settings(report),
    ].filter(Boolean),
  );
  filter();
}

// Many models.

const OUTCOMES = { lowered: ["good", "lowered"], unchanged: ["", "unchanged"], up_to_date: ["", "up to date"], failed: ["bad", "failed"] };

function showIndex() {
  entries = [];
  current = -1;
  document.title = "onnx-lower";
  const counts = {};
  for (const model of data.models) counts[model.status] = (counts[model.status] || 0) + 1;
  const folder = commonFolder(data.models.map((model) => model.input));
  document.getElementById("what").replaceChildren(counted(data.models.length, "model"), folder === "" ? "" : ` of ${folder}`);
  const refusedOperators = new Map();
  for (const model of data.models) for (const [op, count] of Object.entries(model.unlowered || {})) refusedOperators.set(op, [(refusedOperators.get(op) || [0, 0])[0] + count, (refusedOperators.get(op) || [0, 0])[1] + 1]);
  const rows = data.models.map((model, index) => {
    const [kind, text] = OUTCOMES[model.status] || ["", model.status];
    const done = Object.entries(model.lowered || {}).map(([op, count]) => `${shortOperator(op)} ${count}`).join(", ");
    const refused = Object.entries(model.unlowered || {}).map(([op, count]) => `${shortOperator(op)} ${count}`).join(", ");
    const name = model.report ? make("a", { href: `#model-${index}` }, model.input.slice(folder.length)) : make("span", { tabindex: "0" }, model.input.slice(folder.length));
    const row = make("tr", { class: "entry-row" }, make("td", {}, name), make("td", {}, make("span", { class: `badge ${kind}` }, text)), make("td", { class: "number" }, model.nodes_before === undefined ? "" : change(model.nodes_before, model.nodes_after, (count) => count.toLocaleString("en"))), make("td", {}, cut(done, 160)), make("td", {}, cut(refused || (model.error ? model.error.split("\n")[0] : ""), 200)));
    entries.push({ element: row, text: () => `${model.input}\n${model.status}\n${done}\n${refused}\n${model.error || ""}`.toLowerCase() });
    return row;
  });
  const summary = make("div", { class: "facts" }, Object.entries(OUTCOMES).map(([status, [, text]]) => fact(text, (counts[status] || 0).toLocaleString("en"), counts[status] === 1 ? "model" : "models")));
  const worst = [...refusedOperators].sort((one, other) => other[1][1] - one[1][1]).slice(0, 20).map(([op, [nodes, models]]) => make("tr", {}, make("td", {}, shortOperator(op)), make("td", { class: "number" }, nodes.toLocaleString("en")), make("td", { class: "number" }, models.toLocaleString("en"))));
  main.replaceChildren(
    ...[
      summary,
      worst.length === 0 ? null : section("Operators that no rule lowered", refusedOperators.size, table(["Operator", "Nodes", "Models"], worst, [1, 2])),
      section("Models", data.models.length, table(["Model", "", "Nodes", "Lowered", "Refused"], rows, [2])),
    ].filter(Boolean),
  );
  filter();
}

function show() {
  const chosen = /^#model-(\d+)$/.exec(location.hash);
  const model = data.models && chosen ? data.models[Number(chosen[1])] : null;
  if (!data.models) showReport(data);
  else if (model && model.report) showReport(model.report);
  else showIndex();
  scrollTo(0, 0);
}

// Search and keys.

function filter() {
  const wanted = search.value.trim().toLowerCase();
  let found = 0;
  for (const { element, text } of entries) {
    const fits = wanted === "" || text().includes(wanted);
    element.hidden = !fits;
    if (fits) ++found;
  }
  for (const part of main.querySelectorAll("section")) {
    const own = part.querySelectorAll(".entry, .entry-row");
    part.hidden = wanted !== "" && (own.length === 0 || [...own].every((element) => element.hidden));
  }
  for (const element of main.querySelectorAll(".facts")) element.hidden = wanted !== "";
  const nothing = document.getElementById("nothing");
  nothing.hidden = wanted === "" || found > 0;
  nothing.textContent = `Nothing fits "${search.value.trim()}". Escape shows everything again.`;
}

function go(step) {
  const shown = entries.filter(({ element }) => !element.hidden);
  if (shown.length === 0) return;
  const at = current < 0 ? (step > 0 ? 0 : shown.length - 1) : Math.max(0, Math.min(shown.length - 1, shown.findIndex((one) => one === entries[current]) + step));
  entries.forEach(({ element }) => element.classList.remove("current"));
  const { element } = shown[at];
  current = entries.indexOf(shown[at]);
  element.classList.add("current");
  (element.querySelector("summary, a, [tabindex]") || element).focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}

search.addEventListener("input", () => { current = -1; filter(); });
document.getElementById("keys").addEventListener("click", () => document.getElementById("help").showModal());
addEventListener("hashchange", show);
addEventListener("scroll", () => { tipBox.hidden = true; }, { passive: true });
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
  const typing = document.activeElement === search;
  if (event.key === "Escape") {
    tipBox.hidden = true;
    search.value = "";
    filter();
    if (typing) main.focus();
  } else if (typing) {
    if (event.key === "Enter") {
      current = -1;
      go(1);
    }
  } else if (event.key === "/") {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === "j") go(1);
  else if (event.key === "k") go(-1);
  else if (event.key === "u" && data.models) location.hash = "";
  else if (event.key === "?") document.getElementById("help").showModal();
});

show();
// For scripts/view_reports: when the page had been drawn, in milliseconds since it was opened.
requestAnimationFrame(() => setTimeout(() => { document.documentElement.dataset.drawn = String(Math.round(performance.now())); }));
