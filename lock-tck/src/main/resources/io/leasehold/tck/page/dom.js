// What everything else draws with. Text of documents becomes text nodes and labels, never markup,
// an address or a style.

const STATUSES = {
  PASSED: { glyph: "✓", name: "passed", tone: "good" },
  FAILED: { glyph: "✕", name: "failed", tone: "bad" },
  NOT_RUN: { glyph: "!", name: "not run", tone: "warn" },
  SKIPPED: { glyph: "–", name: "skipped", tone: "mute" },
  UNTESTABLE: { glyph: "?", name: "untestable", tone: "note" },
  ABSENT: { glyph: "·", name: "not in this report", tone: "mute" },
};

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

const SVG = document.getElementById("blank").namespaceURI;
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** A count: a number, or its digits where it may be too large for one. */
const count = (value) => BigInt(value).toLocaleString("en");
const sum = (values) => values.reduce((total, value) => total + BigInt(value), 0n);
const plural = (n, one, many) => `${count(n)} ${BigInt(n) === 1n ? one : (many ?? one + "s")}`;

const instant = (text) => new Date(text).toISOString().slice(0, 16).replace("T", " ") + " UTC";
const day = (text) => new Date(text).toISOString().slice(0, 10);

function duration(millis) {
  if (millis < 1000) return `${Math.round(millis)} ms`;
  if (millis < 60000) return `${(millis / 1000).toFixed(1)} s`;
  const minutes = Math.floor(millis / 60000);
  if (minutes < 60) return `${minutes} min ${Math.floor((millis % 60000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

const badge = (tone, glyph, ...text) =>
  el("span", { class: `badge ${tone}` }, el("span", { "aria-hidden": "true" }, glyph), " ", ...text);

function statusBadge(status) {
  const { glyph, name, tone } = STATUSES[status];
  return badge(tone, glyph, name);
}

const code = (text) => el("code", {}, text);

/** Pairs of a term and what is said of it; a pair without the latter is left out. */
const facts = (pairs) =>
  el(
    "dl",
    { class: "facts" },
    pairs
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))),
  );

const figure = (value, name, tone) =>
  el("div", { class: `figure ${tone ?? ""}` }, el("b", {}, value), el("span", {}, name));

const section = (id, title, ...children) =>
  el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);

/** A box that scrolls by itself, with the keyboard too. */
const scroll = (label, ...children) =>
  el("div", { class: "scroll tall", role: "region", "aria-label": label, tabindex: "0" }, ...children);
