// The fault campaign: what was done, what was broken, what was found.

/** Violations of exclusion; everything else is promised in every run. */
const exclusion = (violation) => /^(OVERLAP|READER_BESIDE_WRITER|TOO_MANY_PERMITS)\b/.test(violation);

/** How many violations count against what was tested. */
const against = (run) => (run.expect === "none" ? run.violations : run.violations.filter((text) => !exclusion(text))).length;

/** How a run ended. Where a race was to be found ("race") it has to be; where exclusion is not promised ("any") it may be. */
function outcome(run) {
  const n = against(run);
  const overlaps = run.violations.filter(exclusion).length;
  if (n > 0) return { sound: false, tone: "bad", glyph: "✕", text: plural(n, "violation") };
  if (run.expect === "race") {
    return overlaps > 0
      ? { sound: true, tone: "note", glyph: "✓", text: "race found, as it must" }
      : { sound: false, tone: "bad", glyph: "✕", text: "race NOT found" };
  }
  return run.expect === "any" && overlaps > 0
    ? { sound: true, tone: "note", glyph: "✓", text: `${plural(overlaps, "overlap")}, not promised here` }
    : { sound: true, tone: "good", glyph: "✓", text: "no violation" };
}

const EXPECTED = {
  none: null,
  race: "This run goes outside of what is promised, on purpose (without the guard, with a clock that is set, …): the checker has to find the known race, so that finding nothing elsewhere means something.",
  any: "Exclusion is not promised in this run, whose servers' clocks are set; the order of tokens, and everything else, is.",
};

const byCount = (faults) =>
  Object.entries(faults).sort(([a, m], [b, n]) => Number(BigInt(n) - BigInt(m)) || (a < b ? -1 : 1));

/** The campaign with what the page says of it; a total that hides what a run found is not believed. */
function judged(document) {
  const races = document.runs.filter((run) => run.expect === "race");
  const found = sum(document.runs.map(against));
  const violations = found > BigInt(document.violations) ? found : BigInt(document.violations);
  const faults = sum(Object.values(document.faults));
  return {
    ...document,
    violations,
    races,
    total: faults,
    sound: violations === 0n && document.runs.every((run) => outcome(run).sound),
    headline: [
      [count(document.grants), "grants under faults"],
      [count(faults), "faults"],
      [count(violations), "violations", violations === 0n ? "good" : "bad"],
    ],
  };
}

function bars(faults) {
  const sorted = byCount(faults);
  const most = Number(sorted[0]?.[1] ?? 1);
  return el(
    "ul",
    { class: "bars" },
    sorted.map(([kind, n]) => {
      const bar = el("i", { "aria-hidden": "true" });
      bar.style.setProperty("--share", String(Math.max(Number(n) / Math.max(most, 1), 0.004)));
      return el("li", {}, el("span", {}, kind), bar, el("b", {}, count(n)));
    }),
  );
}

function runDetails(run) {
  const { tone, glyph, text } = outcome(run);
  openDetails(
    run.name,
    "Run of the campaign",
    el("p", {}, badge(tone, glyph, text)),
    EXPECTED[run.expect] ? el("p", { class: "said" }, EXPECTED[run.expect]) : null,
    sentences(run.expect === "none" ? "Violations" : "What was found", run.violations, "findings"),
    facts([
      ["Provider", run.provider],
      ["Topology", run.topology],
      ["Guard", run.guard],
      ["Seed", code(run.seed)],
      ["Started", instant(run.started)],
      ["Took", duration(run.tookMillis)],
      ["Operations", count(run.operations)],
      ["Grants", count(run.grants)],
      ["Refusals", count(run.refusals)],
      ["Losses", count(run.losses)],
    ]),
    el("h3", {}, `Faults: ${count(sum(Object.values(run.faults)))}`),
    bars(run.faults),
  );
}

function runs(campaign) {
  const head = ["Run", "Outcome", "Topology", "Guard", "Operations", "Grants", "Refusals", "Losses", "Faults", "Took", "Seed"];
  const numeric = new Set(["Operations", "Grants", "Refusals", "Losses", "Faults", "Took"]);
  return scroll(
    "Runs of the campaign",
    el(
      "table",
      { class: "list", id: "runs" },
      el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col", class: numeric.has(name) ? "n" : null }, name)))),
      el(
        "tbody",
        {},
        campaign.runs.map((run) => {
          const { tone, glyph, text } = outcome(run);
          return el(
            "tr",
            { class: run.expect === "none" ? null : run.expect },
            el("th", { scope: "row" }, el("button", { type: "button", class: "link", onclick: () => runDetails(run) }, run.name)),
            el("td", {}, badge(tone, glyph, text)),
            el("td", { class: "tight" }, run.topology),
            el("td", {}, run.guard),
            [run.operations, run.grants, run.refusals, run.losses, sum(Object.values(run.faults))].map((n) =>
              el("td", { class: "n" }, count(n)),
            ),
            el("td", { class: "n" }, duration(run.tookMillis)),
            el("td", {}, code(run.seed)),
          );
        }),
      ),
    ),
  );
}

function campaignSection(campaign) {
  const { races } = campaign;
  const caught = races.filter((run) => outcome(run).sound).length;
  return section(
    "campaign",
    "Fault campaign",
    el(
      "p",
      { class: "intro" },
      `${plural(campaign.runs.length, "run")} on real servers and client processes, from ${instant(campaign.started)}, ${duration(campaign.tookMillis)} in all, kit ${campaign.kit}.`,
    ),
    el(
      "div",
      { class: "figures" },
      figure(count(campaign.operations), "operations"),
      figure(count(campaign.grants), "grants"),
      figure(count(campaign.total), "faults"),
      figure(count(campaign.violations), "violations", campaign.violations === 0n ? "good" : "bad"),
      races.length ? figure(`${caught} of ${races.length}`, "known races found, as they must", caught === races.length ? "good" : "bad") : null,
    ),
    el("h3", {}, "Faults by kind"),
    bars(campaign.faults),
    el("h3", {}, "Runs"),
    runs(campaign),
  );
}
