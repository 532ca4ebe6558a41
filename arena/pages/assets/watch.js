// Shows finished games, one after the other, at a pace to look at. What is shown of a game is in replay.js.
const about = JSON.parse($("programme").textContent);
const NEXT_IN = 8_000; // milliseconds for which a result is shown
const LOOK = 15_000; // between two looks for another game, and up to a third more
const WORDS = {
  on: "Finished games, the newest first. The result comes at the end.",
  closed: "The ladder is closed, and these were its last games. Play shows them again.",
  paused: "You have seen the newest games. The ladder is paused by its host; the next game is shown when it is finished.",
  waiting: "You have seen the newest games. The next one is shown as soon as it is finished.",
  broken: "Not connected. It tries again by itself.",
  hidden: "The games of this ladder are not shown any more.",
};
const framed = parent !== window;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const seen = new Set();
let { games, closed, paused, current } = about;
let asks = 0; // what was asked for before does not count any more
let resumes = false;

const inWordsOf = (bots) => bots.length < 2 ? bots.join("") : `${bots.slice(0, -1).join(", ")} and ${bots.at(-1)}`;

function say(words, first = "") {
  $("line").replaceChildren(...(first ? [make("b", "", first), " "] : []), words);
}

// What the interface has; null if it cannot be had now, undefined if it is not there.
async function ask(path) {
  try {
    const answer = await fetch(path);
    if (answer.ok) return await answer.json();
    return answer.status === 404 || answer.status === 409 ? undefined : null;
  } catch {
    return null;
  }
}

async function renew() {
  const found = await ask(about.interface);
  if (found) ({ games, closed, paused } = found);
  return found;
}

function drawList() {
  $("games").replaceChildren(...games.map(({ key, row }) => {
    const link = make("a", seen.has(key) ? "seen" : "", `Game ${row.number}`);
    link.href = `?game=${key}`;
    if (key === current) link.setAttribute("aria-current", "true");
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      bring(key, !framed);
    });
    return make("li", "", link, " ", bidi(inWordsOf(row.bots)));
  }));
}

// The result, which is told once the game has come to its end

function inSentence() {
  const first = seats.filter((seat) => seat.place === 1);
  const one = first.length === 1;
  return `${inWordsOf(first.map((seat) => seat.name))} ${one ? "is" : "are"} first, with ${first[0].points} points${one ? "" : " each"}${data.lowWins ? ", the fewest" : ""}.`;
}
function result() {
  if (document.body.classList.contains("result")) return; // it is told already
  document.body.classList.add("result");
  say("", inSentence());
}
function over() {
  const soon = `The next game follows in ${NEXT_IN / 1000} seconds.`;
  say(soon, inSentence());
  $("status").textContent = `The game is over. ${inSentence()} ${seats.map((seat) => `${seat.name} ${seat.points}`).join(", ")}. ${soon}`;
  playing(setTimeout(next, NEXT_IN));
}

// One game after the other

function begin(key, game, plays) {
  current = key;
  seen.add(key);
  say(WORDS.on);
  document.body.classList.remove("result");
  document.body.classList.add("veiled");
  open(game);
  document.title = `${about.ladder}: ${data.game}, game ${data.number}`;
  $("link").href = `${about.page}?game=${key}`;
  $("link").textContent = "Link to this game";
  drawList();
  $("status").textContent = `Game ${data.number}. ${seats.map((seat, number) => `Seat ${number}: ${seat.name}`).join(", ")}.`;
  if (!plays || now === last) return;
  history.replaceState(null, "", `?game=${key}`); // a step is named where somebody has stopped
  play();
}

async function bring(key, isChosen) {
  const asked = ++asks;
  stop();
  const game = await ask(`${about.interface}/${key}`);
  if (asked !== asks) return;
  if (game === undefined && games.every((each) => each.key !== key)) {
    say("There is no such game.");
  } else if (!game) {
    say(WORDS.broken);
    playing(setTimeout(bring, later(), key, isChosen));
  } else {
    if (isChosen) history.pushState(null, "", `?game=${key}`);
    else history.replaceState(null, "", `?game=${key}`);
    begin(key, game, true);
  }
}
const later = () => LOOK * (1 + Math.random() / 3);

async function next() {
  const asked = ++asks;
  stop();
  const found = await renew();
  if (asked !== asks) return;
  if (found === undefined) { say(WORDS.hidden); return; }
  const other = games.find(({ key }) => !seen.has(key));
  if (other) { bring(other.key, false); return; }
  drawList();
  if (closed) {
    say(WORDS.closed);
    seen.clear();
    return;
  }
  say(found === null ? WORDS.broken : paused ? WORDS.paused : WORDS.waiting);
  playing(setTimeout(next, later()));
}

after = { result, over, next };
KEYS.n = next;
on("next-game", next);
$("link").addEventListener("click", async (event) => {
  if (!navigator.clipboard || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  try {
    await navigator.clipboard.writeText($("link").href);
    $("link").textContent = "The link is copied";
  } catch {
    location.assign($("link").href);
  }
});
addEventListener("popstate", () => {
  const key = new URLSearchParams(location.search).get("game") || about.current;
  if (key !== current) bring(key, false);
});
// What nobody sees does not go on, and asks for nothing.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    resumes = timer !== 0;
    if (timer) stop();
  } else if (resumes) {
    resumes = false;
    if (now === last) next();
    else play();
  }
});
if (framed) {
  document.body.classList.add("framed");
  const tell = () => parent.postMessage({ height: document.documentElement.offsetHeight }, location.origin);
  new ResizeObserver(tell).observe(document.body);
}
const starts = !still.matches && !location.hash;
resumes = starts && document.hidden;
begin(current, JSON.parse($("replay").textContent), starts && !document.hidden);
