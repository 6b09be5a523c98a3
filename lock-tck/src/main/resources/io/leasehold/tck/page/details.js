// One dialog for whatever was chosen.

const dialog = document.getElementById("details");
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close(); // outside of its box
});

function openDetails(title, lead, ...children) {
  dialog.replaceChildren(
    el(
      "div",
      { class: "sheet" },
      el(
        "header",
        {},
        el("div", {}, el("p", { class: "lead" }, lead), el("h2", { id: "details-title" }, title)),
        el("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "✕"),
      ),
      ...children,
    ),
  );
  dialog.showModal();
  dialog.scrollTop = 0;
}

const sentences = (title, items, kind) =>
  items.length === 0
    ? null
    : [
        el("h3", {}, title),
        el("ul", { class: kind ?? "sentences" }, items.map((item) => el("li", {}, item))),
      ];

const seedNote = (seed) =>
  seed === undefined ? null : [el("h3", {}, "Seed"), el("p", {}, code(seed), el("br"), el("small", {}, "draws the same random numbers again"))];

function resultDetails(model, report, requirement) {
  const result = model.result(report, requirement.id);
  const level = el("span", { class: "level" }, requirement.level);
  if (!result) {
    openDetails(requirement.id, report.subject, el("p", {}, statusBadge("ABSENT")), el("p", { class: "said" }, requirement.text));
    return;
  }
  openDetails(
    requirement.id,
    report.subject,
    el("p", {}, statusBadge(result.status), " ", level),
    el("p", { class: "said" }, result.text),
    result.reason ? [el("h3", {}, "Why"), el("p", { class: "reason" }, result.reason)] : null,
    sentences("Findings", result.findings, "findings"),
    sentences(result.checks.length === 1 ? "The check that ran" : `The ${result.checks.length} checks that ran`, result.checks),
    seedNote(result.seed),
    el("p", { class: "foot" }, `${report.level} · kit ${report.kit} · ${instant(report.started)}`),
  );
}

/** Subjects of one status, those with the same reason together. */
function reasons(model, requirement, status) {
  const byReason = new Map();
  for (const report of model.reports) {
    if (model.status(report, requirement.id) !== status) continue;
    const reason = model.result(report, requirement.id)?.reason ?? "";
    byReason.set(reason, [...(byReason.get(reason) ?? []), report.subject]);
  }
  return [...byReason].map(([reason, subjects]) =>
    el("div", { class: "because" }, reason ? el("p", { class: "reason" }, reason) : null, el("p", { class: "names" }, subjects.join(", "))),
  );
}

function requirementDetails(model, requirement) {
  openDetails(
    requirement.id,
    `${requirement.group}: ${groupTitle(requirement.group)}`,
    el("p", { class: "said" }, requirement.text),
    el("p", {}, el("span", { class: "level" }, requirement.level)),
    Object.keys(STATUSES).map((status) => {
      const found = reasons(model, requirement, status);
      return found.length === 0 ? null : [el("h3", {}, statusBadge(status)), ...found];
    }),
  );
}

const tallyBadges = (tally) =>
  el(
    "p",
    { class: "badges" },
    Object.entries(tally).map(([status, n]) => [
      badge(STATUSES[status].tone, STATUSES[status].glyph, `${count(n)} ${STATUSES[status].name}`),
      " ",
    ]),
  );

/** What did not pass, each with its reason. */
const exceptions = (model, report, requirements) => {
  const rows = requirements.filter((requirement) => model.status(report, requirement.id) !== "PASSED");
  return rows.length === 0
    ? null
    : [
        el("h3", {}, "Not passed"),
        el(
          "ul",
          { class: "exceptions" },
          rows.map((requirement) => {
            const result = model.result(report, requirement.id);
            return el(
              "li",
              {},
              el("b", {}, requirement.id),
              " ",
              statusBadge(model.status(report, requirement.id)),
              el("span", {}, requirement.text),
              result?.reason ? el("span", { class: "reason" }, result.reason) : null,
              (result?.findings ?? []).map((finding) => el("span", { class: "finding" }, finding)),
            );
          }),
        ),
      ];
};

function groupDetails(model, report, group) {
  openDetails(
    group.name,
    report.subject,
    el("p", { class: "said" }, groupTitle(group.name)),
    tallyBadges(model.tally([report], group.requirements)),
    exceptions(model, report, group.requirements),
  );
}

function subjectDetails(model, report) {
  openDetails(
    report.subject,
    "Subject",
    el("p", {}, verdictBadge(report), " ", el("span", { class: "level" }, report.level)),
    tallyBadges(model.tally([report], model.requirements)),
    facts(subjectFacts(report)),
    exceptions(model, report, model.requirements),
  );
}
