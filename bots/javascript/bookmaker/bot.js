/** A bot for Gang de Castors that keeps the odds, and exchanges where it expects to gain most. */

import { run } from "arena-sdk";
import { DRAW, isSpecial, PEEK, SWAP, topDiscard } from "arena-sdk/castors";

import { Book } from "./book.js";

/** An action, with the gain that it promises as a note. */
function choose(question) {
  const book = new Book(question.view);
  const [action, gain] = { turn, card, call }[question.kind](book, question.view);
  question.note = `${action.join(" ")}: ${gain.toFixed(1)}`;
  return action;
}

function turn(book, view) {
  const open = topDiscard(view);
  const taken = book.exchange(open);
  const drawn = book.gainOfDrawing();
  return taken.gain > drawn ? [["take", taken.position], taken.gain] : [["draw"], drawn];
}

function card(book, view) {
  const drawn = view.drawn;
  const offers = [[["discard"], 0]];
  if (!isSpecial(drawn)) {
    const { position, gain } = book.exchange(drawn);
    offers.push([["keep", position], gain]);
  } else if (drawn === SWAP) {
    const { position, seat, theirs, gain } = book.swap();
    offers.push([["swap", position, seat, theirs], gain]);
  } else if (drawn === PEEK) {
    const { position, gain } = book.peek();
    offers.push([["peek", position], gain]);
  } else if (drawn === DRAW) {
    offers.push([["draw"], book.gainOfTwo()]);
  }
  if (view.rejectable) offers.push([["reject"], book.gainOfDrawing()]);
  return offers.reduce((best, offer) => (offer[1] > best[1] ? offer : best));
}

function call(book) {
  const lead = book.lead();
  return lead > 0 ? [["call"], lead] : [["wait"], -lead];
}

run(choose, { name: "bookmaker", version: "1", actions: false, events: false });
