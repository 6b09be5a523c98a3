// The verdict, and where each subject was certified.

const verdictBadge = (report) =>
  report.certified ? badge("good", "✓", "certified") : badge("bad", "✕", "not certified");

const subjectFacts = (report) => [
  ["Provider", code(report.provider)],
  ["Kit", report.kit],
  ["JDK", report.jdk],
  ["System", report.os],
  ["Started", instant(report.started)],
  ["Took", duration(report.tookMillis)],
  ["Seed", code(report.seed)],
];

const distinct = (values) => [...new Set(values)];

function levels(reports, alone) {
  return distinct(reports.map((report) => report.level))
    .map((level) => [level, reports.filter((report) => report.level === level).length])
    .sort(([, a], [, b]) => b - a)
    .map(([level, n]) => (alone ? `level ${level}` : `${n} at level ${level}`))
    .join(", ");
}

function verdict(model, campaign) {
  const { reports } = model;
  const certified = reports.filter((report) => report.certified);
  const all = certified.length === reports.length;
  const sound = all && (!campaign || campaign.sound);
  const headline =
    reports.length === 1
      ? `${reports[0].subject} is ${all ? "" : "not "}certified`
      : all
        ? `All ${reports.length} subjects are certified`
        : `${certified.length} of ${reports.length} subjects are certified`;
  const days = distinct(reports.map((report) => day(report.started))).sort();
  const when = days.length === 1 ? days[0] : `${days[0]} to ${days[days.length - 1]}`;
  const tally = model.tally(reports, model.requirements);
  return el(
    "header",
    { class: `verdict ${sound ? "good" : "bad"}`, id: "verdict" },
    el("div", { class: "seal", "aria-hidden": "true" }, sound ? "✓" : "✕"),
    el(
      "div",
      {},
      el("p", { class: "lead" }, "Certification of lock providers"),
      el("h1", {}, headline),
      el(
        "p",
        { class: "under" },
        [levels(certified.length ? certified : reports, reports.length === 1), `kit ${distinct(reports.map((report) => report.kit)).join(", ")}`, when]
          .map((text) => el("span", {}, text)),
      ),
      campaign && !campaign.sound
        ? el("p", { class: "alarm" }, badge("bad", "✕", "The fault campaign found what must not be: see below."))
        : null,
      el(
        "div",
        { class: "figures" },
        figure(count(model.requirements.length), "requirements"),
        Object.entries(tally).map(([status, n]) =>
          figure(count(n), status === "PASSED" ? "results passed" : STATUSES[status].name, STATUSES[status].tone),
        ),
        campaign ? campaign.headline.map(([value, name, tone]) => figure(value, name, tone)) : null,
      ),
    ),
  );
}

function subjects(model) {
  const head = ["Subject", "Verdict", "Level", "Passed", "Started", "Took", "Kit", "JDK", "System", "Seed", "Provider"];
  return section(
    "subjects",
    "Subjects",
    el("p", { class: "intro" }, "What was certified, where, and with which seed. A seed repeats the random numbers of its run."),
    scroll(
      "Subjects",
      el(
        "table",
        { class: "list" },
        el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col", class: name === "Passed" || name === "Took" ? "n" : null }, name)))),
        el(
          "tbody",
          {},
          model.reports.map((report) => {
            const passed = model.tally([report], model.requirements).PASSED ?? 0;
            return el(
              "tr",
              {},
              el(
                "th",
                { scope: "row" },
                el("button", { type: "button", class: "link", onclick: () => subjectDetails(model, report) }, report.subject),
              ),
              el("td", {}, verdictBadge(report)),
              el("td", { class: "tight" }, report.level),
              el("td", { class: "n" }, `${passed} of ${report.requirements.length}`),
              el("td", { class: "tight" }, instant(report.started)),
              el("td", { class: "n" }, duration(report.tookMillis)),
              el("td", { class: "tight" }, report.kit),
              el("td", { class: "tight" }, report.jdk),
              el("td", { class: "tight" }, report.os),
              el("td", {}, code(report.seed)),
              el("td", { class: "widest" }, code(report.provider)),
            );
          }),
        ),
      ),
    ),
  );
}
