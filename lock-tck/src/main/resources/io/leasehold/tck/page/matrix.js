// Requirements down, subjects across; groups open and close, cells open their details.

const GROUPS = {
  SAFE: "exclusion",
  "LIVE-A": "no deadlock",
  "LIVE-B": "fault tolerance",
  FENCE: "fencing tokens",
  LEASE: "leases",
  OWN: "ownership",
  STOP: "interruption, cancellation, close",
  API: "what callers see",
  CFG: "input and URLs",
  SEC: "security",
  OBS: "what can be seen",
  FAIR: "fair locks",
  RW: "read-write locks",
  SEM: "semaphores",
  MULTI: "several locks at once",
  INSP: "inspection and release by force",
};
const groupTitle = (name) => (Object.hasOwn(GROUPS, name) ? GROUPS[name] : "further requirements");

function resultCell(model, report, requirement) {
  const status = model.status(report, requirement.id);
  const { glyph, name, tone } = STATUSES[status];
  return el(
    "td",
    {},
    el(
      "button",
      {
        type: "button",
        class: `cell ${tone}`,
        tabindex: "-1",
        title: `${report.subject} · ${requirement.id}: ${name}`,
        "aria-label": `${requirement.id}, ${report.subject}: ${name}`,
        "data-status": status,
        onclick: () => resultDetails(model, report, requirement),
      },
      glyph,
    ),
  );
}

/** How many of a group passed; where something is wrong, how many are. */
function groupCell(model, report, group) {
  const tally = model.tally([report], group.requirements);
  const wrong = ["FAILED", "NOT_RUN"].find((status) => tally[status]);
  const passed = tally.PASSED ?? 0;
  const shown = wrong ? `${STATUSES[wrong].glyph}${tally[wrong]}` : passed ? count(passed) : "–";
  const told = Object.entries(tally).map(([status, n]) => `${n} ${STATUSES[status].name}`).join(", ");
  const button = el(
    "button",
    {
      type: "button",
      class: `cell sum ${wrong ? STATUSES[wrong].tone : passed ? "good" : "mute"}`,
      tabindex: "-1",
      title: `${report.subject} · ${group.name}: ${told}`,
      "aria-label": `${group.name}, ${report.subject}: ${told}`,
      onclick: () => groupDetails(model, report, group),
    },
    shown,
  );
  button.style.setProperty("--share", String(passed / group.requirements.length));
  return el("td", {}, button);
}

function groupBody(model, group) {
  const toggle = el(
    "button",
    { type: "button", class: "toggle", tabindex: "-1", "aria-expanded": "false" },
    el("span", { class: "arrow", "aria-hidden": "true" }, "▸"),
    el("b", {}, group.name),
    el("span", { class: "what" }, groupTitle(group.name)),
    el("span", { class: "of" }, count(group.requirements.length)),
  );
  const rows = group.requirements.map((requirement) => {
    const row = el(
      "tr",
      { class: "result", "data-id": requirement.id },
      el(
        "th",
        { scope: "row" },
        el(
          "button",
          { type: "button", class: "requirement", tabindex: "-1", onclick: () => requirementDetails(model, requirement) },
          el("b", {}, requirement.id),
          requirement.level === "MUST" ? null : el("span", { class: "level" }, requirement.level),
          el("span", { class: "what" }, requirement.text),
        ),
      ),
      model.reports.map((report) => resultCell(model, report, requirement)),
    );
    return { row, requirement };
  });
  const body = el(
    "tbody",
    { "data-group": group.name },
    el("tr", { class: "group" }, el("th", { scope: "rowgroup" }, toggle), model.reports.map((report) => groupCell(model, report, group))),
    rows.map(({ row }) => row),
  );
  const view = { group, body, rows, toggle, open: false };
  return view;
}

/** One stop for the Tab key; the arrows go from cell to cell. */
function arrows(table) {
  const places = (row) => [...row.querySelectorAll("button")].filter((button) => button.offsetParent !== null);
  let current = table.querySelector("button");
  current.tabIndex = 0;
  const go = (button) => {
    current.tabIndex = -1;
    current = button;
    current.tabIndex = 0;
  };
  table.addEventListener("focusin", (event) => event.target.tagName === "BUTTON" && go(event.target));
  table.addEventListener("keydown", (event) => {
    const rows = [...table.rows].filter((row) => places(row).length > 0);
    const row = event.target.closest("tr");
    const column = event.target.parentNode.cellIndex;
    const at = (other) => places(other).find((b) => b.parentNode.cellIndex >= column) ?? places(other)[0];
    const beside = (step) => places(row)[places(row).indexOf(event.target) + step];
    const above = (step) => rows[rows.indexOf(row) + step];
    const moves = {
      ArrowRight: () => beside(1),
      ArrowLeft: () => beside(-1),
      ArrowDown: () => above(1) && at(above(1)),
      ArrowUp: () => above(-1) && at(above(-1)),
      Home: () => places(row)[0],
      End: () => places(row).at(-1),
      PageDown: () => at(rows[Math.min(rows.indexOf(row) + 10, rows.length - 1)]),
      PageUp: () => at(rows[Math.max(rows.indexOf(row) - 10, 0)]),
    };
    if (!Object.hasOwn(moves, event.key)) return;
    event.preventDefault();
    moves[event.key]()?.focus();
  });
  return () => {
    if (current.offsetParent === null) go(table.querySelector("tbody:not([hidden]) button") ?? table.querySelector("button"));
  };
}

function heads(model) {
  const family = (report) => report.subject.split(/[^A-Za-z0-9]/)[0];
  return el(
    "thead",
    {},
    el(
      "tr",
      {},
      el("td", { class: "corner" }, el("span", {}, "Requirement")),
      model.reports.map((report, i) =>
        el(
          "th",
          { scope: "col", class: i > 0 && family(report) !== family(model.reports[i - 1]) ? "family" : null },
          el(
            "button",
            {
              type: "button",
              tabindex: "-1",
              title: report.subject,
              "aria-label": `${report.subject}: ${report.certified ? "certified" : "not certified"}`,
              onclick: () => subjectDetails(model, report),
            },
            el("span", { class: `mark ${report.certified ? "good" : "bad"}`, "aria-hidden": "true" }, report.certified ? "✓" : "✕"),
            el("span", { class: "name" }, report.subject),
          ),
        ),
      ),
    ),
  );
}

function matrixSection(model) {
  const views = model.groups.map((group) => groupBody(model, group));
  const table = el("table", { class: "matrix", role: "grid", "aria-label": "Requirements and subjects" }, heads(model), views.map(({ body }) => body));
  table.style.setProperty("--columns", String(model.reports.length));
  const tally = model.tally(model.reports, model.requirements);
  const chosen = new Set();
  const text = el("input", { type: "search", id: "filter-text", placeholder: "id or words…", autocomplete: "off" });
  const subject = el("input", { type: "search", id: "filter-subject", placeholder: "jedis, cluster…", autocomplete: "off" });
  const found = el("p", { class: "found", role: "status" });

  const shownColumns = () => {
    const wanted = subject.value.trim().toLowerCase();
    return model.reports.map((report) => report.subject.toLowerCase().includes(wanted));
  };
  const says = (requirement, words, columns) => {
    const own = [requirement.id, requirement.text, requirement.level];
    const told = model.reports
      .filter((_, i) => columns[i])
      .map((report) => model.result(report, requirement.id))
      .flatMap((result) => (result ? [result.reason ?? "", ...result.findings, ...result.checks] : []));
    const all = [...own, ...told].join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const apply = () => {
    const words = text.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const columns = shownColumns();
    const searching = words.length > 0 || chosen.size > 0;
    for (const row of table.rows) {
      columns.forEach((shown, i) => (row.cells[i + 1].hidden = !shown));
    }
    let n = 0;
    for (const view of views) {
      let any = false;
      for (const { row, requirement } of view.rows) {
        const statuses = model.reports.filter((_, i) => columns[i]).map((report) => model.status(report, requirement.id));
        const fits =
          (chosen.size === 0 || statuses.some((status) => chosen.has(status))) && (words.length === 0 || says(requirement, words, columns));
        row.hidden = !fits || !(searching || view.open);
        any ||= fits;
        n += fits ? 1 : 0;
      }
      view.body.hidden = !any;
      view.toggle.setAttribute("aria-expanded", String(searching || view.open));
    }
    for (const cell of table.querySelectorAll("[data-status]")) {
      cell.classList.toggle("dim", chosen.size > 0 && !chosen.has(cell.dataset.status));
    }
    const m = columns.filter(Boolean).length;
    found.textContent = `${plural(n, "requirement")} × ${plural(m, "subject")}${n && m ? "" : ": nothing fits"}`;
    settle();
  };
  const open = (which) => {
    views.forEach((view) => (view.open = which(view)));
    apply();
  };
  views.forEach((view) =>
    view.toggle.addEventListener("click", () => {
      view.open = !view.open;
      apply();
    }),
  );
  const chips = Object.keys(STATUSES)
    .filter((status) => tally[status] || status === "FAILED")
    .map((status) =>
      el(
        "button",
        {
          type: "button",
          class: `chip ${tally[status] ? STATUSES[status].tone : "mute"}`,
          "aria-pressed": "false",
          "data-filter": status,
          onclick: (event) => {
            const pressed = chosen.has(status) ? !chosen.delete(status) : Boolean(chosen.add(status));
            event.currentTarget.setAttribute("aria-pressed", String(pressed));
            apply();
          },
        },
        el("span", { "aria-hidden": "true" }, STATUSES[status].glyph),
        ` ${STATUSES[status].name} `,
        el("small", {}, count(tally[status] ?? 0)),
      ),
    );
  text.addEventListener("input", apply);
  subject.addEventListener("input", apply);
  const settle = arrows(table);
  const wrong = (view) => model.reports.some((r) => view.group.requirements.some(({ id }) => ["FAILED", "NOT_RUN"].includes(model.status(r, id))));
  const part = section(
    "matrix",
    "Requirements",
    el("p", { class: "intro" }, "Choose a cell, a subject or a requirement for what was checked and why something was skipped. A row of a group tells how many of it passed."),
    el(
      "div",
      { class: "filters" },
      el("label", {}, el("span", {}, "Requirement"), text),
      model.reports.length > 1 ? el("label", {}, el("span", {}, "Subject"), subject) : null,
      el("div", { class: "chips", role: "group", "aria-label": "Only with status" }, chips),
      el(
        "div",
        { class: "chips", role: "group", "aria-label": "Groups" },
        el("button", { type: "button", class: "chip", id: "open-all", onclick: () => open(() => true) }, "Open all"),
        el("button", { type: "button", class: "chip", id: "close-all", onclick: () => open(() => false) }, "Close all"),
      ),
    ),
    found,
    el("div", { class: `scroll matrix-box ${model.reports.length > 8 ? "" : model.reports.length > 2 ? "few" : "few fewest"}` }, table),
  );
  // Before it is in the page nothing has a place; afterwards something has the focus.
  document.addEventListener("drawn", () => settle());
  open(views.some(wrong) ? wrong : (view) => view === views[0] || model.reports.length === 1);
  return part;
}
