// The same windows in words, for those who cannot see the picture, or want the numbers.

const lead = (timeline) =>
  el(
    "p",
    { class: "intro" },
    `${duration(timeline.millis)} of the run `,
    el("b", {}, timeline.name),
    ", seed ",
    code(timeline.seed),
    `: ${plural(distinct(timeline.lanes.map(({ process }) => process)).length, "process", "processes")}, ${plural(timeline.faults.length, "fault")}.`,
  );

function lockRows({ name, spans }) {
  return distinct(spans.map(({ lock }) => lock))
    .sort()
    .map((lock) => {
      const of = (what) => spans.filter((span) => span.lock === lock && span.what === what);
      const length = (some) => some.reduce((total, span) => total + span.to - span.from, 0);
      const longest = (some) => some.reduce((most, span) => Math.max(most, span.to - span.from), 0);
      const shown = (some) => (some.length ? `${some.length} ×, ${millis(length(some))}, longest ${millis(longest(some))}` : "–");
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, name),
        el("td", {}, lock),
        ["waiting", "held", "lost"].map((what) => el("td", { class: "tight" }, shown(of(what)))),
      );
    });
}

function asText(timeline) {
  const events = el("ol", { class: "events" });
  const all = el("details", {}, el("summary", {}, "Everything, in the order of its beginning"), events);
  // Thousands of lines that few people want are made when they do.
  all.addEventListener("toggle", () => {
    if (events.childElementCount > 0) return;
    const lines = [
      ...timeline.faults.map((fault) => ({ from: fault.from, text: toldFault(fault) })),
      ...processes(timeline).flatMap(({ spans }) => spans.map((span) => ({ from: span.from, text: told(span) }))),
    ];
    lines.sort((a, b) => a.from - b.from);
    events.append(...lines.map(({ text }) => el("li", {}, text)));
  });
  return el(
    "details",
    { class: "words" },
    el("summary", {}, "The same in words"),
    el("p", {}, timeline.faults.length ? "Faults:" : "No faults in this window."),
    el("ul", {}, timeline.faults.map((fault) => el("li", {}, toldFault(fault)))),
    scroll(
      "Spans by process and lock",
      el(
        "table",
        { class: "list" },
        el("thead", {}, el("tr", {}, ["Process", "Lock", "Waited", "Held", "Lost"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, processes(timeline).map(lockRows)),
      ),
    ),
    all,
  );
}

const timelineSection = (timelines) =>
  section("timeline", timelines.length === 1 ? "Time line" : "Time lines", timelines.map(timelineView));
