/** A first bot for Gargon: it plays the cards that it can hope to win with. */

import { amulets, colour, seatsAfter, value } from "arena-sdk/gargon";
import type { Action, Card, Question } from "arena-sdk/gargon";

const MAJORITY = 4; // what a won card is worth towards the bonus for the most cards of its colour
const ZERO = 8; // what a won 0 is worth, because it doubles the amulets of its colour
const PASS = 1.5; // plays that are worth less than this are not better than drawing cards

/** The index of the best legal action; `question.actions` lists them. */
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
      // Fight first where the own card is the highest.
      const mine = view.table[view.seat] ?? [];
      return Math.max(...mine.filter((card) => colour(card) === action[1]).map(value));
    }
    case "draw": {
      // Draw the colour of which most cards were won already.
      const top = view.stacks[action[1]][0];
      return (view.won[view.seat] ?? []).filter((card) => colour(card) === top).length;
    }
  }
}

/** Points that a won card brings: its amulets, and a share of the majority of its colour. */
function worth(card: Card, question: Question): number {
  return value(card) === 0 ? ZERO : MAJORITY + amulets(card, question.start.rules);
}

/** How likely a card wins: alone surely, against others the higher it is. */
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
