// Who waited, held and lost what, and what was broken meanwhile: one picture for each window.

function timelineView(timeline, index) {
  const id = `line-${index}`;
  const locks = distinct(timeline.lanes.flatMap(({ spans }) => spans.map(({ lock }) => lock))).sort();
  const hue = new Map(locks.map((lock, i) => [lock, i % HUES]));
  const state = { view: "process", zoom: 1, only: null, chosen: null };
  const layouts = {};
  let drawn = null;

  const picture = el("div", { class: "picture" });
  const names = el("div", { class: "names", "aria-hidden": "true" });
  const box = el(
    "div",
    { class: "scroll line-box", tabindex: "0", role: "group", "aria-label": `Time line of ${timeline.name}. Arrow keys go from span to span, plus and minus zoom.` },
    names,
    picture,
  );
  const readout = el("p", { class: "readout", role: "status" }, "Point at a bar, tap it, or use the arrow keys, to read who, when and with which token.");

  const fit = () => Math.max(box.clientWidth - 2, 200) / timeline.millis;
  const scaleNow = () => Math.max(fit(), 0.05) * state.zoom;

  function draw() {
    const scale = scaleNow();
    const width = Math.max(timeline.millis * scale, 100);
    const { lanes, height } = (layouts[state.view] ??= lanesOf(timeline, state.view));
    const labels = labelled([...timeline.faults].sort((a, b) => a.from - b.from), scale, width);
    const top = (Math.max(-1, ...labels.map(({ line }) => line)) + 1) * LABEL + AXIS;
    const total = top + height;
    const root = svg("svg", { width, height: total, viewBox: `0 0 ${width} ${total}`, "aria-hidden": "true", focusable: "false" }, hatches(id));
    const every = tickEvery(scale);
    for (let t = 0; t <= timeline.millis; t += every) {
      root.append(svg("line", { x1: t * scale, x2: t * scale, y1: top - 6, y2: total, class: "grid" }));
      if (t * scale < width - 34) root.append(svg("text", { x: t * scale + 3, y: top - 7, class: "tick" }, every < 1000 ? `${Number((t / 1000).toFixed(3))} s` : `${t / 1000} s`));
    }
    for (const { fault, line } of labels) {
      const from = fault.from * scale;
      const wide = Math.max((fault.to - fault.from) * scale, 1.5);
      root.append(svg("rect", { x: from, y: top - 4, width: wide, height: total - top + 4, class: fault.to > fault.from ? "band" : "moment" }));
      root.append(svg("line", { x1: from, x2: from, y1: (line < 0 ? 0 : line) * LABEL + 14, y2: total, class: "edge" }));
    }
    for (const { text, x, size, line } of labels.filter((label) => label.line >= 0)) {
      root.append(svg("rect", { x, y: line * LABEL + 1, width: size - 6, height: 15, rx: 3, class: "tag" }));
      root.append(svg("path", { d: `M${x + 5} ${line * LABEL + 5}h7l-3.5 7z`, class: "flag" }));
      root.append(svg("text", { x: x + 15, y: line * LABEL + 12, class: "tag-text" }, text));
    }
    const places = [];
    for (const lane of lanes) {
      root.append(svg("line", { x1: 0, x2: width, y1: top + lane.y, y2: top + lane.y, class: "rule" }));
      for (const span of lane.spans) {
        const x = Number((span.from * scale).toFixed(2));
        const end = Math.max(span.to * scale, x + (span.what === "lost" ? 3 : 1.5));
        places.push({ span, lane, x, end, y: top + lane.y + LANE_HEAD + span.row * ROW });
      }
    }
    root.append(...drawnSpans(places, hue, id, state.only));
    const captions = svg("g", { class: "captions" });
    root.append(captions);
    const ring = svg("rect", { class: "ring", rx: 3, visibility: "hidden" });
    root.append(ring);
    picture.replaceChildren(root);
    names.replaceChildren(
      ...lanes.map((lane) => {
        const name = el("span", {}, lane.name);
        name.style.top = `${top + lane.y + 2}px`;
        return name;
      }),
    );
    drawn = { root, ring, captions, places, labels, top, scale, lanes };
    write();
    const same = state.chosen && places.find(({ span }) => span.origin === state.chosen.span.origin);
    if (same) choose(same, false);
  }

  /** Captions of what is in sight. */
  function write() {
    const from = box.scrollLeft - box.clientWidth;
    const to = box.scrollLeft + 2 * box.clientWidth;
    const near = drawn.places.filter(({ span, x, end }) => x < to && end > from && (state.only === null || state.only === span.lock));
    const texts = near.map((place) => [place, caption(place)]).filter(([, text]) => text);
    drawn.captions.replaceChildren(...texts.map(([{ x, y }, text]) => svg("text", { x: x + 4, y: y + ROW - 5 }, text)));
  }

  function choose(place, reveal) {
    state.chosen = place;
    const { ring } = drawn;
    for (const [key, value] of Object.entries({ x: place.x - 2, y: place.y - 1, width: place.end - place.x + 4, height: ROW + 1, visibility: "visible" })) {
      ring.setAttribute(key, value);
    }
    readout.replaceChildren(el("i", { class: `swatch hue-${hue.get(place.span.lock)} ${place.span.what}`, "aria-hidden": "true" }), told(place.span));
    if (reveal) {
      const left = box.scrollLeft;
      if (place.x < left || place.x > left + box.clientWidth - 40) box.scrollLeft = Math.max(0, place.x - box.clientWidth / 2);
    }
  }

  /** The bar nearest to a point, within a finger's width; or the fault whose label is there. */
  function at(event) {
    const area = drawn.root.getBoundingClientRect();
    const x = event.clientX - area.left;
    const y = event.clientY - area.top;
    const fault = drawn.labels.find((label) => label.line >= 0 && y < drawn.top - AXIS && Math.floor(y / LABEL) === label.line && x >= label.x && x <= label.x + label.size);
    if (fault) return { fault: fault.fault };
    const reach = event.pointerType === "touch" ? 14 : 5;
    const away = (place) => Math.max(place.x - x, x - place.end, 0);
    const near = drawn.places.filter((place) => y >= place.y - 1 && y < place.y + ROW && away(place) <= reach);
    near.sort((a, b) => away(a) - away(b));
    if (near.length) return { place: near[0] };
    const band = timeline.faults.find(({ from, to }) => x >= from * drawn.scale - reach && x <= to * drawn.scale + reach);
    return band ? { fault: band } : null;
  }

  const show = (event) => {
    const hit = at(event);
    if (hit?.place) choose(hit.place, false);
    else drawn.ring.setAttribute("visibility", "hidden");
    if (hit?.fault) readout.replaceChildren(el("i", { class: "swatch fault", "aria-hidden": "true" }), toldFault(hit.fault));
  };
  picture.addEventListener("pointermove", show);
  picture.addEventListener("click", show);

  const zoom = (factor) => {
    const shown = state.chosen && state.chosen.x >= box.scrollLeft && state.chosen.x <= box.scrollLeft + box.clientWidth;
    const middle = (shown ? state.chosen.x : box.scrollLeft + box.clientWidth / 2) / drawn.scale;
    state.zoom = factor === 0 ? 1 : Math.min(Math.max(state.zoom * factor, 1), 100);
    draw();
    box.scrollLeft = middle * drawn.scale - box.clientWidth / 2;
  };
  box.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") return zoom(1.6);
    if (event.key === "-") return zoom(1 / 1.6);
    if (!event.key.startsWith("Arrow") || drawn.places.length === 0) return;
    event.preventDefault();
    const { lanes, places } = drawn;
    const now = state.chosen;
    if (!now) return choose(places[0], true);
    const lane = lanes.indexOf(now.lane);
    const own = places.filter((place) => place.lane === now.lane);
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const next = own[own.findIndex(({ span }) => span === now.span) + (event.key === "ArrowRight" ? 1 : -1)];
      return next && choose(next, true);
    }
    for (let i = lane + (event.key === "ArrowDown" ? 1 : -1); i >= 0 && i < lanes.length; i += event.key === "ArrowDown" ? 1 : -1) {
      const others = places.filter((place) => place.lane === lanes[i]);
      if (others.length === 0) continue;
      return choose(others.reduce((best, place) => (Math.abs(place.x - now.x) < Math.abs(best.x - now.x) ? place : best)), true);
    }
  });

  let waiting = false;
  box.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      write();
    });
  });
  let width = 0;
  new ResizeObserver(() => {
    if (box.clientWidth !== width) {
      width = box.clientWidth;
      draw();
    }
  }).observe(box);

  return el("div", { class: "line" }, el("h3", {}, timeline.title), lead(timeline), tools(), legend(), box, readout, asText(timeline));

  function tools() {
    const views = ["process", "lock"].map((view) =>
      el(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-pressed": String(view === state.view),
          "data-view": view,
          onclick: () => {
            state.view = view;
            views.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.view === view)));
            draw();
          },
        },
        view === "process" ? "By process" : "Holders by lock",
      ),
    );
    const knob = (text, label, factor) => el("button", { type: "button", class: "chip", "aria-label": label, onclick: () => zoom(factor) }, text);
    return el(
      "div",
      { class: "chips" },
      el("span", { role: "group", "aria-label": "Lanes" }, views),
      el("span", { role: "group", "aria-label": "Zoom" }, knob("−", "Zoom out", 1 / 1.6), knob("+", "Zoom in", 1.6), knob("Whole", "Whole window", 0)),
    );
  }

  function legend() {
    const marks = { waiting: "waiting", held: "held", lost: "lost" };
    const anyKilled = timeline.lanes.some(({ spans }) => spans.some(({ killed }) => killed));
    const chips = locks.map((lock) => el("li", {}, lockChip(lock)));
    return [
      el(
        "ul",
        { class: "legend" },
        Object.entries(marks).map(([what, name]) => el("li", {}, el("i", { class: `swatch plain ${what}`, "aria-hidden": "true" }), name)),
        anyKilled ? el("li", {}, el("i", { class: "swatch killed", "aria-hidden": "true" }), "killed while it waited") : null,
        el("li", {}, el("i", { class: "swatch fault", "aria-hidden": "true" }), "fault"),
        el("li", {}, "R reading, W writing, P a permit, # its token"),
        locks.length > HUES ? null : chips,
      ),
      locks.length > HUES
        ? el("details", { class: "words" }, el("summary", {}, `${locks.length} locks; ${HUES} colours, which come again`), el("ul", { class: "legend" }, chips))
        : null,
    ];
  }

  function lockChip(lock) {
    const press = (event) => {
      state.only = state.only === lock ? null : lock;
      for (const other of event.currentTarget.closest("ul").querySelectorAll("button")) {
        other.setAttribute("aria-pressed", String(other === event.currentTarget && state.only !== null));
      }
      draw();
    };
    return el(
      "button",
      { type: "button", class: "chip", "aria-pressed": "false", title: "show this lock only", onclick: press },
      el("i", { class: `swatch held hue-${hue.get(lock)}`, "aria-hidden": "true" }),
      lock,
    );
  }
}
