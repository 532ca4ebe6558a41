// Draws what Python has written down. There are no rules here: every step says what lies where.
const $ = (id) => document.getElementById(id);
const make = (tag, name, ...inside) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...inside);
  return made;
};
const DASHES = ["", "9 5", "2 4", "9 4 2 4", "16 5", "5 8", "2 8", "14 4 2 4 2 4"];

let data, steps, viewers, seats, faces, suits, seatZones, sharedZones, facts; // of the game that is shown
let perSeat, shared, last, sights;
let viewer = 0, now = 0, timer = 0;
// What follows on a game, if anything does: `result` is called at its last step, `over` when it was played to
// there, and `next` when it is to be left.
let after = null;

function read(game) {
  data = game;
  ({ steps, viewers, seats, faces, suits, seatZones, sharedZones, facts } = data);
  perSeat = 3 + seatZones.length;
  shared = seats.length * perSeat;
  last = steps.length - 1;
  // What each viewer sees at each step: steps hold only what has changed.
  sights = viewers.map((_, at) => {
    let zones = [];
    return steps.map((step) => {
      zones = zones.slice();
      for (const [zone, mask, value] of step.z) if (mask >> at & 1) zones[zone] = value;
      return zones;
    });
  });
  let decision = -1, period = 0, decider = -1;
  for (const step of steps) {
    if (step.d !== undefined) { decision = step.d; decider = step.s; }
    if (step.p !== undefined) period = step.p;
    Object.assign(step, { decision, period, decider });
  }
}
const sees = (seat) => viewers[viewer] === null || viewers[viewer] === seat;
const told = (variants) => (variants.find(([mask]) => mask >> viewer & 1) || [0, []])[1];
const seatName = (seat) => `seat ${seat} ${seats[seat].name}`;
const bidi = (text, name) => make("bdi", name, text);
const chip = (seat) => make("b", "seat", String(seat));

function card(value, inline) {
  const [face, mark, foot] = typeof value === "number" ? [value, "", ""] : value;
  const [text, suit, name] = faces[face];
  const made = make("span", `card q${suit} ${mark}${text ? "" : " back"}${text.length > 2 ? " long" : ""}`);
  made.title = name;
  if (text) made.append(inline ? text : make("b", "", text));
  const symbol = suit >= 0 && suits[suit][1];
  if (symbol && inline) made.classList.add("with-" + symbol);
  else if (symbol) made.append(make("i", symbol));
  if (foot === undefined || foot === "") return made;
  const whole = make("span", "footed", made, make("small", "", foot));
  return whole;
}
const faceOf = (value) => typeof value === "number" ? value : value[0];
const plainOf = (segments) => segments.map((s) => typeof s === "number" ? faces[s][2]
  : typeof s === "string" ? s : `seat ${s[0]}`).join("");
function sentence(segments, named) {
  const made = make("span", "line");
  for (const s of segments) {
    const before = made.lastChild;
    if (typeof s === "number") made.append(card(s, true));
    else if (typeof s === "string") {
      const stop = /^[,;:.]/.test(s) && before && before.nodeType === 1 && before.classList.contains("card");
      if (stop) made.append(make("span", "unbroken", before, s[0]), s.slice(1));
      else made.append(s);
    }
    else { made.append(chip(s[0])); if (named) made.append(" ", bidi(seats[s[0]].name, "who")); }
  }
  return made;
}

// The table

function fresh(value, before) {
  // The positions of cards that did not lie here a step before.
  if (!before) return new Set();
  const left = before.map(faceOf), found = new Set();
  value.forEach((each, at) => {
    const place = left.indexOf(faceOf(each));
    if (place < 0) found.add(at); else left.splice(place, 1);
  });
  return found;
}
function cards(value, before, style) {
  const made = make("div", `cards ${style}`);
  if (style === "cards" && value.length > 10) made.classList.add("small");
  if (value.length > 44) made.classList.add("many");
  const isNew = style === "row" && before
    ? new Set(value.flatMap((each, at) => before.length === value.length
      && faceOf(each) !== faceOf(before[at]) ? [at] : []))
    : style === "strip" ? new Set() : fresh(value, before);
  value.forEach((each, at) => {
    const drawn = card(each);
    if (isNew.has(at)) drawn.classList.add("new");
    made.append(drawn);
  });
  return made;
}
function cells(value, before, heads) {
  const made = make("div", "cells");
  value.forEach((cell, at) => {
    const suit = suits.findIndex(([name]) => name === heads[at]);
    const top = make("div", "top", make("span", `card tiny q${suit}`, make("i", suits[suit] ? suits[suit][1] : "")),
      make("b", "", cell[0] || "–"));
    const whole = make("div", "cell" + (cell[0] ? "" : " none"), top);
    for (const line of cell.slice(1)) whole.append(make("div", "", line));
    if (before && JSON.stringify(before[at]) !== JSON.stringify(cell)) whole.classList.add("new");
    made.append(whole);
  });
  return made;
}
function zoneBody([, style, , heads], value, before) {
  return style === "cells" ? cells(value || [], before, heads) : cards(value || [], before, style);
}
function drawTable() {
  const zones = sights[viewer][now], before = now ? sights[viewer][now - 1] : undefined;
  const table = $("table");
  table.replaceChildren();
  const rows = make("div", "panel rows");
  const heads = make("div", "heads row-of");
  heads.append(make("span", "", `Seat, ${data.plotted === "Points" ? "points" : "points of all deals"}`));
  for (const [title] of seatZones) heads.append(make("span", "", title));
  if (seatZones.length) rows.append(heads);
  seats.forEach((seat, number) => {
    const at = number * perSeat;
    const points = zones[at], then = before && before[at];
    const score = make("div", "score", make("b", "points", points === null || points === undefined ? "?" : String(points)));
    if (typeof points === "number" && typeof then === "number" && points !== then)
      score.append(make("span", "delta", (points > then ? "+" : "−") + Math.abs(points - then)));
    score.append(make("span", "state", zones[at + 1] || ""));
    const row = make("div", "row-of seat-row", make("div", "who-is", make("div", "name", chip(number), " ", bidi(seat.name)), score));
    if (steps[now].by === number) row.classList.add("by");
    seatZones.forEach((zone, column) => {
      const value = zones[at + 3 + column];
      const body = zoneBody(zone, value, before && before[at + 3 + column]);
      body.classList.add("zone-" + column);
      body.dataset.zone = `${number}.${column}`;
      row.append(body);
    });
    rows.append(row);
  });
  table.append(rows);
  if (sharedZones.length) {
    const middle = make("div", "middle");
    sharedZones.forEach((zone, number) => {
      const value = zones[shared + number] || [];
      const body = zoneBody(zone, value, before && before[shared + number]);
      body.dataset.zone = `shared.${number}`;
      const single = value.length === 1 && typeof value[0] !== "number";
      const whole = make("div", `panel shared of-${zone[1]}`, make("h3", "", zone[0] + (single ? "" : `: ${value.length}`)), body);
      whole.style.flexBasis = `min(100%, ${zone[2]}px)`;
      middle.append(whole);
    });
    table.append(middle);
  }
  if (facts.length) table.append(drawFacts(zones, before));
}
function drawFacts(zones, before) {
  const made = make("table", "panel facts");
  made.append(make("caption", "", "What is seen; what has just changed is marked"));
  facts.forEach(([key, words], at) => {
    const value = zones[shared + at], then = before && before[shared + at];
    if (value === undefined || value === null) return;
    const cell = make("td", "value", bidi(value));
    const row = make("tr", "", make("th", "", key, make("small", "", words)), cell);
    if (before && value !== then) {
      row.className = "new";
      if (then !== undefined && then !== null) cell.append(make("small", "", "was ", bidi(then)));
    }
    made.append(row);
  });
  return made;
}
function inWords() {
  const zones = sights[viewer][now], list = make("ul");
  const named = (value) => value.map((each) => faces[faceOf(each)][2] + (each[2] ? ` (${each[2]})` : "")).join(", ") || "nothing";
  const zoneWords = ([title, style, , heads], value) => style === "cells"
    ? `${title}: ` + (value.flatMap((cell, at) => cell[0] ? [`${heads[at]} ${cell.join(", ")}`] : []).join("; ") || "nothing")
    : `${title}: ${named(value)}`;
  seats.forEach((seat, number) => {
    const at = number * perSeat, points = zones[at];
    const item = make("li", "", `Seat ${number}, `, bidi(seat.name), `: ${points ?? "hidden"} points. ${zones[at + 1] || ""} `);
    seatZones.forEach((zone, column) => item.append(`${zoneWords(zone, zones[at + 3 + column] || [])}. `));
    list.append(item);
  });
  sharedZones.forEach((zone, number) => list.append(make("li", "", zoneWords(zone, zones[shared + number] || []))));
  facts.forEach(([key], at) => {
    const value = zones[shared + at];
    if (value !== undefined && value !== null) list.append(make("li", "", `${key}: `, bidi(value)));
  });
  $("words").lastElementChild.replaceChildren(list);
}

// The story

function faultOf(fault) {
  const made = make("div", "fault", make("b", "", fault.verdict), " ", chip(fault.seat));
  if (!sees(fault.seat)) return made;
  if (fault.text) made.append(" ", bidi(fault.text));
  for (const key of ["figures", "stderr", "sent", "received"]) {
    if (!fault[key]) continue;
    const pre = make("pre", "", bidi(fault[key]));
    pre.tabIndex = 0;
    const box = make("details", "", make("summary", "", key), pre);
    made.append(box);
  }
  return made;
}
const time = (micros) => micros < 1e3 ? `${micros} µs` : micros < 1e6 ? `${(micros / 1e3).toFixed(1)} ms` : `${(micros / 1e6).toFixed(2)} s`;
function entry(step, at) {
  const made = make("div", "step");
  made.dataset.step = at;
  if (step.d !== undefined) {
    made.append(make("span", "number", String(step.d)));
  }
  for (const fault of step.faults || []) made.append(faultOf(fault));
  for (const line of step.told) made.append(sentence(told(line), false));
  if (step.d !== undefined && sees(step.s)) {
    const aside = [step.default ? "by default" : "", step.micros ? time(step.micros) : ""].filter(Boolean).join(", ");
    if (aside) made.lastElementChild.append(" ", make("span", "aside", aside));
    if (step.action) made.append(make("div", "aside", "action ", bidi(step.action)));
    if (step.note) made.append(make("div", "note", "“", bidi(step.note), "”"));
  }
  return made;
}
function drawStory() {
  const story = $("story");
  const list = steps.map(entry);
  story.replaceChildren(make("h2", "", "Story"), ...list);
}
function drawSaid() {
  const step = steps[now];
  const said = $("said");
  said.replaceChildren();
  for (const fault of step.faults || []) {
    const words = make("span", "line fault-line", make("b", "", fault.verdict), " ", chip(fault.seat));
    if (sees(fault.seat)) words.append(" ", bidi(fault.text || ""));
    said.append(words);
  }
  for (const line of step.told) said.append(sentence(told(line), true));
  if (step.words) said.append(make("span", "aside", step.words));
  if (step.note && sees(step.s)) said.append(make("span", "note", "“", bidi(step.note), "”"));
  said.scrollTop = 0;
  const words = [...(step.faults || []).map((f) => `${f.verdict}, ${seatName(f.seat)}`),
    ...step.told.map((line) => plainOf(told(line)))].join(". ");
  if (!timer) $("status").textContent = `Step ${now}: ${words}`;
  const place = [data.period ? `${data.period} ${step.period}` : "", step.decision >= 0 ? `decision ${step.decision}` : "",
    `step ${now} of ${last}`].filter(Boolean).join(" · ");
  $("where").textContent = place;
  $("slider").setAttribute("aria-valuetext", place);
}

// The timeline

function drawChart() {
  const chart = $("chart");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const shape = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    svg.append(made);
    return made;
  };
  svg.setAttribute("viewBox", `0 0 ${Math.max(1, last)} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  chart.replaceChildren(svg);
  const values = sights[viewer].flatMap((zones) => seats.map((_, s) => zones[s * perSeat + 2])).filter((v) => typeof v === "number");
  const high = Math.max(1, ...values), low = Math.min(0, ...values);
  const y = (value) => 94 - 88 * (value - low) / (high - low);
  const label = (text, name, x, top) => {
    const made = make("span", name, text);
    made.style.left = `${x}%`;
    if (top !== undefined) made.style.top = `${top}%`;
    chart.append(made);
    return made;
  };
  let from = 0, labelled = -99;
  for (let at = 1; at <= last + 1; at++) {
    if (at <= last && steps[at].period === steps[from].period) continue;
    if (data.period) {
      if (steps[from].period % 2 === 0) shape("rect", { class: "band", x: from, width: Math.min(at, last) - from, y: 0, height: 100 });
      const middle = (from + Math.min(at, last)) / 2 / Math.max(1, last) * 100;
      if (middle - labelled > 3.5) { label(String(steps[from].period), "period", middle); labelled = middle; }
    }
    from = at;
  }
  const ends = [];
  seats.forEach((_, seat) => {
    let path = "", open = false, end;
    sights[viewer].forEach((zones, at) => {
      const value = zones[seat * perSeat + 2];
      if (typeof value !== "number") { open = false; return; }
      path += `${open ? "V" : `M${at} `}${y(value)}H${Math.min(last, at + 1)}`;
      open = true;
      end = y(value);
    });
    if (end === undefined) return;
    shape("path", { class: "line", d: path, "stroke-dasharray": DASHES[seat % DASHES.length] });
    ends.push([end, seat]);
  });
  ends.sort((a, b) => a[0] - b[0]);
  let above = -99;
  for (const [end, seat] of ends) {
    above = Math.max(end, above + 13);
    label(String(seat), "tail", 100, Math.min(above, 100));
  }
  steps.forEach((step, at) => { if (step.faults) label("✕", "fault-mark", at / Math.max(1, last) * 100); });
  shape("path", { id: "cursor", d: "" });
  const top = make("span", "scale", `${data.plotted}, up to ${high}`);
  chart.append(values.length ? top : make("span", "scale", `${data.plotted}: hidden`));
}
function drawCursor() {
  $("cursor").setAttribute("d", `M${now} 0V100`);
  $("chart").style.setProperty("--now", `${now / Math.max(1, last) * 100}%`);
}

// Moving

function show(step) {
  const story = $("story");
  const old = story.querySelector(".now");
  if (old) old.classList.remove("now");
  now = Math.max(0, Math.min(last, step));
  if (now === last) {
    document.body.classList.remove("veiled");
    if (after) after.result();
  }
  drawTable();
  drawSaid();
  drawCursor();
  $("slider").value = now;
  if (document.activeElement !== $("decision")) $("decision").value = Math.max(0, steps[now].decision);
  const current = story.querySelector(`[data-step="${now}"]`);
  current.classList.add("now");
  const top = current.offsetTop;
  if (top < story.scrollTop || top + current.offsetHeight > story.scrollTop + story.clientHeight)
    story.scrollTop = top - story.clientHeight / 3;
  if ($("words").open) inWords();
  if (!timer) remember();
}
function remember() {
  const seat = viewers[viewer];
  try {
    history.replaceState(null, "", `#step=${now}${seat === null ? "" : `&seat=${seat}`}`);
  } catch { /* a frame without an address of its own */ }
}
function look(at) {
  viewer = at;
  $("seen").value = at;
  drawStory();
  drawChart();
  show(now);
}
function lookAs(seat) {
  const at = viewers.indexOf(seat);
  if (at >= 0) look(at);
}
function stop() {
  clearInterval(timer); // or what waits for the next game
  timer = 0;
  $("play").classList.remove("on");
  $("play").setAttribute("aria-label", "Play");
}
function playing(handle) {
  timer = handle;
  $("play").classList.add("on");
  $("play").setAttribute("aria-label", "Stop");
}
function play() {
  if (timer) { stop(); show(now); return; }
  if (now === last && after) { after.next(); return; }
  if (now === last) show(0);
  playing(setInterval(() => {
    const ends = now + 1 >= last;
    if (ends) stop();
    show(now + 1);
    if (ends && after) after.over();
  }, Number($("speed").value)));
}
const go = (step) => { if (timer) stop(); show(step); };
function seek(direction, wanted) {
  for (let at = now + direction; at >= 0 && at <= last; at += direction) if (wanted(steps[at], at)) { go(at); return; }
}
const choice = (direction) => seek(direction, (step) => step.d !== undefined && !step.default && sees(step.s));
const fault = (direction) => seek(direction, (step) => step.faults);
const begins = (step, at) => at === 0 || steps[at - 1].period !== step.period;
const turn = (direction) => data.period ? seek(direction, begins) : go(now + 10 * direction);
function follow() {
  if (!data) return;
  const found = new URLSearchParams(location.hash.slice(1));
  const seat = found.get("seat");
  const at = viewers.indexOf(seat === null ? viewers[viewer] : Number(seat));
  const decision = steps.findIndex((step) => found.has("decision") && step.d === Number(found.get("decision")));
  now = Math.max(0, Math.min(last, decision >= 0 ? decision : Number(found.get("step")) || 0));
  look(Math.max(0, at));
}
const KEYS = {
  ArrowLeft: (e) => e.shiftKey ? turn(-1) : go(now - 1),
  ArrowRight: (e) => e.shiftKey ? turn(1) : go(now + 1),
  Home: () => go(0),
  End: () => go(last),
  " ": play,
  c: () => choice(1), C: () => choice(-1),
  f: () => fault(1), F: () => fault(-1),
  a: () => lookAs(null), A: () => lookAs(null),
  "?": () => $("keys").click(),
};
document.addEventListener("keydown", (event) => {
  if (!data || event.ctrlKey || event.altKey || event.metaKey) return;
  const tag = event.target.tagName, key = event.key;
  if (tag === "SELECT" || (tag === "INPUT" && event.target.type === "number")) return;
  if (key === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
  const act = KEYS[key] || (/^[0-9]$/.test(key) ? () => lookAs(Number(key)) : null);
  if (!act) return;
  event.preventDefault();
  act(event);
});
function drawHead() {
  const title = make("h1", "", data.game, " ", make("small", "", `game ${data.number}`));
  const result = make("ul", "result");
  seats.forEach((seat, number) => result.append(make("li", "", chip(number), " ", bidi(seat.name, "who"), make("span", "outcome", ` ${seat.points}`,
    make("span", "place", ` place ${seat.place}`), seat.verdict === "finished" ? "" : make("span", "fault-line", ` ${seat.verdict}`)))));
  const list = make("dl");
  for (const [key, value] of data.about) list.append(make("dt", "", key), make("dd", "", bidi(value)));
  seats.forEach((seat, number) => list.append(make("dt", "", `Seat ${number}`), make("dd", "", bidi(`${seat.name} ${seat.version}`),
    ` (${seat.digest})`, seat.micros === null ? "" : `, thought ${time(seat.micros)}`)));
  const about = make("details", "", make("summary", "", "About this game"), list);
  const as = viewers.length === 1 && viewers[0] !== null ? make("p", "only", `As seat ${viewers[0]} saw it; the file holds nothing else.`) : "";
  $("head").replaceChildren(title, result, about, as);
}

$("slider").addEventListener("input", () => go(Number($("slider").value)));
$("seen").addEventListener("change", () => look(Number($("seen").value)));
$("speed").addEventListener("change", () => { if (timer && now < last) { stop(); play(); } });
$("decision").addEventListener("change", () => {
  const at = steps.findIndex((step) => step.d === Number($("decision").value));
  if (at >= 0) go(at);
});
const on = (id, act) => $(id).addEventListener("click", act);
on("start", () => go(0));
on("back", () => go(now - 1));
on("play", play);
on("next", () => go(now + 1));
on("end", () => go(last));
on("choice", () => choice(1));
on("choice-back", () => choice(-1));
on("fault", () => fault(1));
on("fault-back", () => fault(-1));
on("period", () => turn(1));
on("period-back", () => turn(-1));
on("keys", () => {
  $("help").hidden = !$("help").hidden;
  $("keys").setAttribute("aria-expanded", String(!$("help").hidden));
});
on("story", (event) => {
  const step = event.target.closest("[data-step]");
  if (step && !event.target.closest("details")) go(Number(step.dataset.step));
});
$("words").addEventListener("toggle", () => { if ($("words").open) inWords(); });
addEventListener("hashchange", follow);

// Shows a game, from where the address says.
function open(game) {
  if (timer) stop();
  read(game);
  document.title = `${data.game}, game ${data.number}`;
  drawHead();
  $("seen").replaceChildren(...viewers.map((seat, at) => {
    const option = make("option", "", seat === null ? "everybody" : `seat ${seat}, ${seats[seat].name}`);
    option.value = at;
    return option;
  }));
  $("slider").max = last;
  $("decision").max = steps[last].decision;
  for (const id of ["fault", "fault-back"]) $(id).disabled = !steps.some((step) => step.faults);
  const span = data.period ? data.period.toLowerCase() : "ten steps";
  $("period-name").textContent = span;
  $("periods").setAttribute("aria-label", span);
  $("period").setAttribute("aria-label", `Next ${span}`);
  $("period-back").setAttribute("aria-label", `Previous ${span}`);
  $("plain")?.remove();
  $("app").hidden = false;
  const body = document.body;
  body.dataset.seats = seats.length;
  body.classList.toggle("generic", facts.length > 0);
  body.classList.toggle("tall", seatZones.some(([, style]) => style === "row"));
  body.style.setProperty("--columns", `196px ${seatZones.map(([, , width]) => width ? `${width}px` : "minmax(0, 1fr)").join(" ")}`);
  follow();
}
