// The standings of a ladder, renewed as its log grows. Without this the page stays as it was made.
"use strict";

const POLL = 30_000; // milliseconds between two looks without a stream, and up to a third more
const POLLS_A_STREAM = 10; // so many looks, and a stream is tried again
const WORDS = {
  live: "Live: renewed as games are played.",
  slow: "Renewed every half minute, as many people watch.",
  broken: "Not connected. It tries again by itself.",
  paused: "Paused.",
  over: "Nothing more comes.",
};
const still = matchMedia("(prefers-reduced-motion: reduce)");

const board = document.getElementById("board");
if (board && board.dataset.ladder) live(board, board.dataset.ladder);

function live(board, ladder) {
  let has = board.dataset.has;
  let source = null;
  let timer = 0;
  let polls = 0;
  let paused = false;
  let over = false;
  let order = null; // that the rows should have, while somebody reads them as they are

  const line = document.createElement("p");
  line.className = "live";
  const words = document.createElement("span");
  words.setAttribute("role", "status");
  const pause = button("Pause", () => {
    paused = !paused;
    pause.textContent = paused ? "Go on" : "Pause";
    paused ? stop("paused") : start();
  });
  const reorder = button("Show the new order", () => show(order));
  reorder.hidden = true;
  line.append(words, pause, reorder);
  board.before(line);

  function button(text, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  }

  function say(state) {
    line.dataset.state = state;
    if (words.textContent !== WORDS[state]) words.textContent = WORDS[state];
  }

  function stop(state) {
    clearTimeout(timer);
    if (source) source.close();
    source = null;
    if (state) say(state);
  }

  function start() {
    stop();
    if (paused || over || document.hidden) return; // a page that nobody sees takes nobody's place
    source = new EventSource(`${ladder}/events?after=${encodeURIComponent(has)}`);
    source.addEventListener("open", () => say("live"));
    source.addEventListener("standings", (event) => renew(event.data, event.lastEventId));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) {
        stop();
        polls = 0;
        poll();
      } else {
        say("broken");
      }
    });
  }

  async function poll() {
    if (paused || over || document.hidden) return;
    try {
      const answer = await fetch(`${ladder}/board`, { cache: "no-cache" });
      if (answer.ok) {
        const html = await answer.text();
        renew(html, (answer.headers.get("etag") || "").replace(/"/g, ""));
        if (!over) say("slow");
      } else if (answer.status === 404) {
        over = true;
        stop("over");
        return;
      } else {
        say("broken");
      }
    } catch {
      say("broken");
    }
    polls += 1;
    timer = setTimeout(polls % POLLS_A_STREAM ? poll : start, POLL * (1 + Math.random() / 3));
  }

  function renew(html, identity) {
    if (paused || (identity && identity === has)) return;
    has = identity;
    const made = new DOMParser().parseFromString(html, "text/html").body;
    const closed = made.querySelector("[data-closed]") !== null;
    const body = board.querySelector("tbody");
    const next = made.querySelector("tbody");
    if (!body || !next) {
      board.replaceChildren(...made.childNodes);
    } else {
      order = rows(body, next);
      const head = board.querySelector("thead");
      const changed = made.querySelector("thead");
      if (head.innerHTML !== changed.innerHTML) head.innerHTML = changed.innerHTML; // its scale
      const parts = [...made.children];
      [...board.children].forEach((each, at) => {
        if (each.contains(body)) return;
        if (parts[at] && each.outerHTML !== parts[at].outerHTML) each.innerHTML = parts[at].innerHTML;
      });
      if (isRead(body)) reorder.hidden = !moves(body, order);
      else show(order);
    }
    if (closed) {
      over = true;
      stop("over");
    }
  }

  // Renews the rows where they are; returns them in their new order.
  function rows(body, next) {
    const known = new Map([...body.children].map((row) => [row.id, row]));
    const found = [...next.children].map((row) => {
      const old = known.get(row.id);
      if (!old) return document.adoptNode(row);
      if (old.className !== row.className) old.className = row.className;
      [...row.children].forEach((cell, at) => {
        const was = old.children[at];
        if (was.innerHTML === cell.innerHTML) return;
        const link = was.contains(document.activeElement);
        was.innerHTML = cell.innerHTML;
        if (link) was.querySelector("a")?.focus({ preventScroll: true });
      });
      return old;
    });
    return found;
  }

  // Whether somebody points at the rows, is within them by the keyboard, or selects a text in them.
  function isRead(body) {
    const chosen = getSelection();
    return body.matches(":hover") || body.contains(document.activeElement)
      || (chosen !== null && !chosen.isCollapsed && body.contains(chosen.anchorNode));
  }

  function moves(body, order) {
    return order.length !== body.children.length || order.some((row, at) => body.children[at] !== row);
  }

  // Puts the rows in their order. What is on the screen stays there as far as that can be.
  function show(order) {
    reorder.hidden = true;
    const body = board.querySelector("tbody");
    if (!body || !order || !moves(body, order)) return;
    const before = new Map([...body.children].map((row) => [row, row.getBoundingClientRect().top]));
    const wanted = new Set(order);
    for (const row of [...body.children]) if (!wanted.has(row)) row.remove();
    order.forEach((row, at) => {
      if (body.children[at] !== row) body.insertBefore(row, body.children[at] || null);
    });
    const shifts = order
      .filter((row) => before.has(row) && before.get(row) > -row.offsetHeight && before.get(row) < innerHeight)
      .map((row) => row.getBoundingClientRect().top - before.get(row))
      .sort((a, b) => a - b);
    const shift = shifts.length ? shifts[Math.floor(shifts.length / 2)] : 0;
    if (shift && body.getBoundingClientRect().top < 0) scrollBy({ top: shift, behavior: "instant" });
    if (still.matches) return;
    for (const row of order) {
      const from = before.get(row);
      const by = from === undefined ? 0 : from - row.getBoundingClientRect().top;
      if (Math.abs(by) < 1 || Math.abs(by) > innerHeight) continue;
      row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 400, easing: "ease-out" });
    }
  }

  board.addEventListener("pointerleave", () => later());
  board.addEventListener("focusout", () => later());
  function later() {
    setTimeout(() => {
      const body = board.querySelector("tbody");
      if (!reorder.hidden && body && !isRead(body)) show(order);
    }, 300);
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop();
    else start();
  });
  start();
}
