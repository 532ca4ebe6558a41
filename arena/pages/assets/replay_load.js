// Opens the game of a page: one that is in it, or one that it loads.
// What a page beside this one has to tell; null if there is none. A page from disk may load no other way.
function toldBy(address) {
  return new Promise((done) => {
    const frame = make("iframe");
    frame.hidden = true;
    const end = (text) => { removeEventListener("message", hear); frame.remove(); done(text); };
    const hear = (event) => { if (event.source === frame.contentWindow) end(event.data); };
    addEventListener("message", hear);
    frame.addEventListener("load", () => setTimeout(end, 2000, null));
    frame.src = address;
    document.body.append(frame);
  });
}
// The game is in the page, or beside it in a file of its own that the address names: ?game=12.
async function load() {
  const inside = $("replay").textContent;
  if (inside) return JSON.parse(inside);
  const name = new URLSearchParams(location.search).get("game") || "";
  const text = /^[\w-]+$/.test(name) ? await toldBy(`${$("replay").dataset.folder}${name}.html`) : null;
  if (text) return JSON.parse(text);
  $("plain").classList.add("failed");
  $("plain").append(make("p", "", `There is no game ${name} here. Of any game in a log, arena replay html makes a page.`));
  return null;
}
const found = await load();
if (found === null) await new Promise(() => {}); // all that can be said is said
open(found);
