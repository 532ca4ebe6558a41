// A wish of a host: what became of it is shown as soon as it is known.
"use strict";

const shown = document.getElementById("wish-state");

async function look() {
  try {
    const answer = await fetch(shown.dataset.from);
    if (answer.ok && !answer.redirected) {
      const html = await answer.text();
      if (html !== look.last) shown.innerHTML = html;
      look.last = html;
    }
  } catch {
    // The site may be starting again; the next look finds it.
  }
  if (shown.querySelector("[data-waiting]")) setTimeout(look, 1000);
}

setTimeout(look, 500);
