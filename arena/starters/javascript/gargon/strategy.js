/** A first bot for Gargon: it plays the cards that it can hope to win with. */

import { amulets, colour, seatsAfter, value } from "arena-sdk/gargon";

const MAJORITY = 4; // what a won card is worth towards the bonus for the most cards of its colour
const ZERO = 8; // what a won 0 is worth, because it doubles the amulets of its colour
const PASS = 1.5; // plays that are worth less than this are not better than drawing cards

const RATES = { play: ratePlay, pass: ratePass, battle: rateBattle, draw: rateDraw };

/** The index of the best legal action; `question.actions` lists them. */
export function choose(question) {
  const rates = question.actions.map(([verb, ...numbers]) => RATES[verb](numbers, question));
  return rates.indexOf(Math.max(...rates));
}

/** What the cards are worth, each times the chance that it wins. */
function ratePlay(cards, { view, start }) {
  return sum(cards.map((card) => worth(card, start.rules) * chance(card, view)));
}

/** More cards are better than fewer. */
function ratePass(amounts) {
  return PASS + 0.1 * sum(amounts);
}

/** Fight first where the own card is the highest. */
function rateBattle([chosen], { view }) {
  const mine = view.table[view.seat];
  return Math.max(...mine.filter((card) => colour(card) === chosen).map(value));
}

/** Draw the colour of which most cards were won already. */
function rateDraw([stack], { view }) {
  const top = view.stacks[stack][0];
  return view.won[view.seat].filter((card) => colour(card) === top).length;
}

/** Points that a won card brings: its amulets, and a share of the majority of its colour. */
function worth(card, rules) {
  return value(card) === 0 ? ZERO : MAJORITY + amulets(card, rules);
}

/** How likely a card wins: alone surely, against others the higher it is. */
function chance(card, view) {
  const waiting = seatsAfter(view);
  let rivals = 0;
  for (let seat = 0; seat < view.hands.length; seat++) {
    if (seat === view.seat) continue;
    rivals += view.played[seat][colour(card)];
    // it has yet to play, and may choose this colour
    if (waiting.includes(seat) && view.hands[seat][colour(card)]) rivals += 0.5;
  }
  return (value(card) / 16) ** rivals;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
