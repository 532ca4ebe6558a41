/** A first bot for Gargon: it plays the cards with the highest expected points. */

import { amulets, colour, seatsAfter, value } from "arena-sdk/gargon";

const MAJORITY = 4; // value of a won card for the bonus for most cards of its colour
const ZERO = 8; // value of a won 0, as it doubles the amulets of its colour
const PASS = 1.5; // draw cards rather than play for less than this

const RATES = { play: ratePlay, pass: ratePass, battle: rateBattle, draw: rateDraw };

/** Returns the index of the best legal action; `question.actions` lists them. */
export function choose(question) {
  const rates = question.actions.map(([verb, ...numbers]) => RATES[verb](numbers, question));
  return rates.indexOf(Math.max(...rates));
}

/** The value of the cards, each times its chance to win. */
function ratePlay(cards, { view, start }) {
  return sum(cards.map((card) => worth(card, start.rules) * chance(card, view)));
}

/** More cards are better than fewer. */
function ratePass(amounts) {
  return PASS + 0.1 * sum(amounts);
}

/** Fight first in the colour of its highest card. */
function rateBattle([chosen], { view }) {
  const mine = view.table[view.seat];
  return Math.max(...mine.filter((card) => colour(card) === chosen).map(value));
}

/** Draw the colour in which most cards were won already. */
function rateDraw([stack], { view }) {
  const top = view.stacks[stack][0];
  return view.won[view.seat].filter((card) => colour(card) === top).length;
}

/** Points that a won card brings: its amulets, and a share of the majority of its colour. */
function worth(card, rules) {
  return value(card) === 0 ? ZERO : MAJORITY + amulets(card, rules);
}

/** The probability that a card wins: 1 if it is alone, else higher for higher cards. */
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
