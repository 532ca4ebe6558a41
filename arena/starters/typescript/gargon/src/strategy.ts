/** A first bot for Gargon: it plays the cards with the highest expected points. */

import { amulets, colour, seatsAfter, value } from "arena-sdk/gargon";
import type { Action, Card, Question } from "arena-sdk/gargon";

const MAJORITY = 4; // value of a won card for the bonus for most cards of its colour
const ZERO = 8; // value of a won 0, as it doubles the amulets of its colour
const PASS = 1.5; // draw cards rather than play for less than this

/** Returns the index of the best legal action; `question.actions` lists them. */
export function choose(question: Question): number {
  const rates = question.actions.map((action) => rate(action, question));
  return rates.indexOf(Math.max(...rates));
}

function rate(action: Action, question: Question): number {
  const { view } = question;
  switch (action[0]) {
    case "play": {
      const [, ...cards] = action;
      return sum(cards.map((card) => worth(card, question) * chance(card, question)));
    }
    case "pass":
      return PASS + 0.1 * (action[1] + action[2]);
    case "battle": {
      // Fight first in the colour of its highest card.
      const mine = view.table[view.seat] ?? [];
      return Math.max(...mine.filter((card) => colour(card) === action[1]).map(value));
    }
    case "draw": {
      // Draw the colour in which most cards were won already.
      const top = view.stacks[action[1]][0];
      return (view.won[view.seat] ?? []).filter((card) => colour(card) === top).length;
    }
  }
}

/** Points that a won card brings: its amulets, and a share of the majority of its colour. */
function worth(card: Card, question: Question): number {
  return value(card) === 0 ? ZERO : MAJORITY + amulets(card, question.start.rules);
}

/** The probability that a card wins: 1 if it is alone, else higher for higher cards. */
function chance(card: Card, { view }: Question): number {
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

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
