// Where everything of a time line goes.

const HUES = 8;
const ROW = 16;
const LANE_HEAD = 20;
const LANE_GAP = 10;
const AXIS = 22;
const LABEL = 18;

const millis = (value) => `${Number(value.toFixed(1)).toLocaleString("en")} ms`;

function told(span) {
  const kinds = { mutex: "", read: " for reading", write: " for writing", permit: ", a permit," };
  const verbs = { waiting: "waited for", held: "held", lost: "had lost" };
  const token = span.token === undefined ? "" : `, token ${span.token}`;
  return `${span.process} ${verbs[span.what]} ${span.lock}${kinds[span.kind]} from ${millis(span.from)} to ${millis(span.to)} (${millis(span.to - span.from)})${token}${span.killed ? ", and was killed then" : ""}`;
}

const toldFault = (fault) =>
  `${fault.kind} of ${fault.target} ` + (fault.to > fault.from ? `from ${millis(fault.from)} to ${millis(fault.to)}` : `at ${millis(fault.from)}`);

/** The first of some rows in which a span has room; spans of the same key share rows. */
function pack(spans, keyOf) {
  const rows = [];
  for (const span of spans) {
    let row = rows.findIndex(({ key, end }) => key === keyOf(span) && end <= span.from + 1e-6);
    if (row < 0) row = rows.push({ key: keyOf(span), end: 0 }) - 1;
    rows[row].end = span.to;
    span.row = row;
  }
  return Math.max(rows.length, 1);
}

/** Lanes as they are given, which several clients of one process may have; those get a number. */
function processes(timeline) {
  const seen = new Map();
  return timeline.lanes.map(({ process, spans }) => {
    seen.set(process, (seen.get(process) ?? 0) + 1);
    const name = seen.get(process) > 1 ? `${process} (${seen.get(process)})` : process;
    return { name, spans: spans.map((span) => ({ ...span, process: name, origin: span })) };
  });
}

/** Lanes with their spans in the order of time: one for each process, or for the holders of each lock. */
function lanesOf(timeline, view) {
  const byTime = (a, b) => a.from - b.from || a.to - b.to;
  let lanes = processes(timeline);
  if (view === "lock") {
    const held = lanes.flatMap(({ spans }) => spans).filter(({ what }) => what !== "waiting");
    lanes = distinct(held.map(({ lock }) => lock))
      .sort()
      .map((lock) => ({ name: lock, spans: held.filter((span) => span.lock === lock) }));
  }
  let y = 0;
  for (const lane of lanes) {
    const locks = distinct(lane.spans.map(({ lock }) => lock)).sort();
    const apart = locks.length <= 4; // a row for each lock, unless that were a tower
    lane.spans.sort((a, b) => (apart ? locks.indexOf(a.lock) - locks.indexOf(b.lock) : 0) || byTime(a, b));
    lane.rows = pack(lane.spans, apart ? ({ lock }) => lock : () => "");
    lane.spans.sort(byTime);
    lane.y = y;
    y += LANE_HEAD + lane.rows * ROW + LANE_GAP;
  }
  return { lanes, height: y };
}

/** The distance of two ticks: 1, 2 or 5 of a power of ten, and wide enough for its label. */
function tickEvery(scale) {
  const least = 70 / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least);
}

/** Labels of faults in as few lines as they fit in; those for which there is no room go without. */
function labelled(faults, scale, width) {
  const lines = [];
  return faults.map((fault) => {
    const text = `${fault.kind} ${fault.target}`;
    const size = text.length * 6.6 + 22;
    const x = Math.max(0, Math.min(fault.from * scale, width - size));
    let line = lines.findIndex((end) => end <= x);
    if (line < 0) line = lines.length < 5 ? lines.push(0) - 1 : -1;
    if (line >= 0) lines[line] = x + size;
    return { fault, text, x, size, line };
  });
}

const outlines = {
  waiting: (x, y, width) => `M${x} ${y + 3}h1.5v3h${width - 1.5}v3h${1.5 - width}v3h-1.5z`,
  held: (x, y, width) => `M${x} ${y + 1}h${width}v${ROW - 3}h${-width}z`,
  lost: (x, y, width) => `M${x} ${y + 1}h${width}v${ROW - 3}h${-width}z`,
};

/** One path for each lock and state, however many spans there are: a browser draws that at once. */
function drawnSpans(places, hue, id, only) {
  const outline = new Map();
  for (const { span, x, y, end } of places) {
    const key = `${span.what} ${span.lock}`;
    const same = outline.get(key) ?? { span, parts: [], marks: [], stops: [] };
    outline.set(key, same);
    const gap = end - x > 4 ? 0.75 : 0; // neighbours of one hue stay apart
    same.parts.push(outlines[span.what](x, y, Number((end - x - gap).toFixed(2))));
    if (span.what === "lost") same.marks.push(`M${x - 4} ${y + 3}l8 8m0 -8l-8 8`);
    if (span.killed) same.stops.push(`M${Number(end.toFixed(2))} ${y}v${ROW - 1}m-3 -${ROW - 5}h6`);
  }
  return [...outline.values()].map(({ span: { what, lock }, parts, marks, stops }) => {
    const ink = `var(--lock-${hue.get(lock)})`;
    return svg(
      "g",
      { class: only !== null && only !== lock ? "spans dim" : "spans", "data-what": what },
      svg("path", { d: parts.join(""), class: what, fill: what === "lost" ? `url(#${id}-lost-${hue.get(lock)})` : ink, stroke: what === "lost" ? ink : null }),
      marks.length ? svg("path", { d: marks.join(""), class: "cross" }) : null,
      stops.length ? svg("path", { d: stops.join(""), class: "killed" }) : null,
    );
  });
}

/** What a bar has room for. */
function caption({ span, x, end }) {
  if (span.what !== "held") return null;
  const letter = { mutex: "", read: "R", write: "W", permit: "P" }[span.kind];
  const token = span.token === undefined ? "" : `#${span.token}`;
  return [`${letter} ${span.lock} ${token}`, `${letter} ${token}`, letter].map((text) => text.trim()).find((text) => text && text.length * 6.2 + 8 < end - x);
}

const hatches = (id) =>
  svg(
    "defs",
    {},
    Array.from({ length: HUES }, (_, hue) =>
      svg(
        "pattern",
        { id: `${id}-lost-${hue}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        svg("rect", { width: 2.4, height: 6, fill: `var(--lock-${hue})` }),
      ),
    ),
  );
