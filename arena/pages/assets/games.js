// Filters the games: those of this page first, then those of older pages, which are loaded one by one.
const $ = (id) => document.getElementById(id);
const ENOUGH = 100;
const form = $("filters"), body = $("data"), found = $("found"), more = $("more");
const own = [...body.rows];
const older = [...document.querySelectorAll("#older a")].map((link) => link.href);
const numberOf = (row) => Number(row.cells[0].textContent);
let search = 0;

// The rows of an older page, which tells them in a frame; a page from disk may load no other way.
function load(address) {
  return new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.hidden = true;
    const end = (html) => {
      removeEventListener("message", hear);
      frame.remove();
      const parsed = new DOMParser().parseFromString(`<table><tbody>${html}</tbody></table>`, "text/html");
      done([...parsed.querySelectorAll("tr")].map((row) => document.adoptNode(row)));
    };
    const hear = (event) => { if (event.source === frame.contentWindow) end(event.data); };
    addEventListener("message", hear);
    frame.addEventListener("load", () => setTimeout(end, 2000, ""));
    frame.src = address;
    document.body.append(frame);
  });
}
function fits(row, wanted) {
  const bots = row.dataset.bots.trim().split(" "), ends = row.dataset.ends.trim().split(" ");
  const places = row.dataset.places.trim().split(" ");
  if (wanted.size && bots.length !== Number(wanted.size)) return false;
  const seats = wanted.bot ? bots.flatMap((name, seat) => name === wanted.bot ? [seat] : []) : [...bots.keys()];
  return seats.some((seat) => (!wanted.place || places[seat] === wanted.place)
    && (!wanted.end || (wanted.end === "fault" ? ends[seat] !== "finished" : ends[seat] === wanted.end)));
}
function* rows() {
  yield Promise.resolve(own);
  for (const address of older) yield load(address);
}
async function filter() {
  const mine = ++search;
  const wanted = Object.fromEntries(new FormData(form));
  const active = Object.values(wanted).some(Boolean);
  $("older").hidden = active;
  more.hidden = true;
  history.replaceState(null, "", active ? `#${new URLSearchParams(Object.entries(wanted).filter(([, value]) => value))}` : location.pathname + location.search);
  if (!active) { found.textContent = ""; body.replaceChildren(...own); return; }
  body.replaceChildren();
  let count = 0, enough = ENOUGH, last = Infinity;
  for (const page of rows()) {
    const loaded = await page;
    if (mine !== search) return;
    for (const row of loaded) {
      if (numberOf(row) >= last) continue;
      last = numberOf(row);
      if (fits(row, wanted)) { body.append(row); count++; }
    }
    found.textContent = `${count} found down to game ${last}`;
    if (count >= enough && last) {
      more.hidden = false;
      await new Promise((go) => { more.onclick = go; });
      if (mine !== search) return;
      more.hidden = true;
      enough = count + ENOUGH;
    }
  }
  found.textContent = `${count} found in all games`;
}
function follow() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const each of form.elements) if (each.name) each.value = given.get(each.name) || "";
  filter();
}
form.addEventListener("change", filter);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", follow);
form.hidden = false;
follow();
