// Reads the documents and puts the sections together.

const documents = (kind) =>
  [...document.querySelectorAll(`script[data-kind="${kind}"]`)].map((script) => JSON.parse(script.textContent));

/** The reports, and every requirement that one of them lists, in groups. */
function modelOf(reports) {
  const results = new Map();
  const requirements = new Map();
  for (const report of reports) {
    const own = new Map(report.requirements.map((result) => [result.id, result]));
    results.set(report, own);
    for (const { id, level, text } of own.values()) {
      if (!requirements.has(id)) requirements.set(id, { id, level, text, group: id.replace(/-\d+$/, "") });
    }
  }
  const groups = new Map();
  for (const requirement of requirements.values()) {
    const group = groups.get(requirement.group) ?? { name: requirement.group, requirements: [] };
    group.requirements.push(requirement);
    groups.set(requirement.group, group);
  }
  const result = (report, id) => results.get(report).get(id);
  const status = (report, id) => result(report, id)?.status ?? "ABSENT";
  const tally = (some, ids) => {
    const counts = {};
    for (const name of Object.keys(STATUSES)) {
      const n = some.reduce((total, report) => total + ids.filter(({ id }) => status(report, id) === name).length, 0);
      if (n > 0) counts[name] = n;
    }
    return counts;
  };
  return { reports, groups: [...groups.values()], requirements: [...groups.values()].flatMap((g) => g.requirements), result, status, tally };
}

function themes() {
  const button = document.getElementById("theme");
  const choices = ["auto", "light", "dark"];
  const glyphs = { auto: "◐", light: "☀", dark: "☾" };
  let chosen = "auto";
  const choose = (theme) => {
    chosen = choices.includes(theme) ? theme : "auto";
    if (chosen === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    button.replaceChildren(el("span", { "aria-hidden": "true" }, glyphs[chosen]), el("span", { class: "word" }, ` ${chosen}`));
    button.setAttribute("aria-label", `Colours: ${chosen}`);
  };
  const stored = (act) => {
    try {
      return act();
    } catch {
      return null; // a browser that keeps nothing for files
    }
  };
  choose(stored(() => localStorage.getItem("leasehold-theme")));
  button.addEventListener("click", () => {
    choose(choices[(choices.indexOf(chosen) + 1) % choices.length]);
    stored(() => localStorage.setItem("leasehold-theme", chosen));
  });
  button.hidden = false;
}

function start() {
  themes();
  const model = modelOf(documents("report"));
  const campaign = documents("campaign").map(judged)[0];
  const timelines = documents("timeline");
  const sections = [
    matrixSection(model),
    campaign ? campaignSection(campaign) : null,
    timelines.length ? timelineSection(timelines) : null,
    subjects(model),
  ].filter(Boolean);
  document.getElementById("page").append(verdict(model, campaign), ...sections);
  document.querySelector("nav").append(
    ...sections.map((part) => el("a", { href: `#${part.id}` }, part.id === "campaign" ? "Campaign" : part.querySelector("h2").textContent)),
  );
  if (model.reports.length === 1) document.title = `Certification of ${model.reports[0].subject}`;
  document.dispatchEvent(new Event("drawn"));
}

start();
