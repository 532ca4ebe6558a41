/** A bot for Gargon that counts the colours on the backs, and plays where nobody can fight. */

import { Bot, run } from "arena-sdk";
import { cardName, colour, COLOURS, value } from "arena-sdk/gargon";

import { opposition } from "./opposition.js";
import { Seen } from "./seen.js";
import { Worth } from "./worth.js";

const CARD_IN_HAND = 1.6; // what one more card is worth while the game is young
const LOSS = 0.6; // of that comes back to who loses a card, because he draws another

class BackCounter extends Bot {
  name = "back-counter";
  version = "1";

  start({ seats }) {
    this.seen = new Seen(seats);
  }

  choose(question) {
    const { actions, events, kind, view } = question;
    for (const event of events) this.seen.hear(event);
    this.view = view;
    this.unseen = this.seen.unseen(view);
    this.worth = new Worth(view, this.seen.counts, question.start.rules);
    this.young = Math.min(1, Math.min(view.stacks[0].length, view.stacks[1].length) / 8);
    const rates = actions.map((action) => this[kind](action));
    const best = rates.indexOf(Math.max(...rates));
    question.note = note(actions[best], rates[best]);
    return best;
  }

  play([verb, ...numbers]) {
    const drawn = CARD_IN_HAND * this.young;
    if (verb === "pass") return drawn * (numbers[0] + numbers[1]);
    let points = -drawn * numbers.length;
    for (const chosen of new Set(numbers.map(colour))) {
      points += this.contest(numbers.filter((card) => colour(card) === chosen));
    }
    return points;
  }

  /** What these cards of one colour bring against all that may fight them. */
  contest(cards) {
    const chosen = colour(cards[0]);
    const unseen = this.unseen[chosen];
    const sorted = [...cards].sort((one, other) => value(other) - value(one));
    let points = 0;
    sorted.forEach((card, turn) => {
      const wins = opposition(this.view, chosen, turn, unseen).chanceAgainst(value(card));
      points += wins * this.worth.of(card) + (1 - wins) * LOSS * CARD_IN_HAND * this.young;
    });
    return points;
  }

  battle([, chosen]) {
    const mine = this.view.table[this.view.seat].filter((card) => colour(card) === chosen);
    return Math.max(...mine.map(value));
  }

  draw([, stack]) {
    const top = this.view.stacks[stack][0];
    const others = this.view.hands.filter((_, seat) => seat !== this.view.seat);
    const rivals = others.filter((hand) => hand[top] > 0).length;
    return this.worth.ofMajority(top) - rivals;
  }
}

function note([verb, ...numbers], rate) {
  const what = verb === "play" ? numbers.map(cardName).join(", ") : `${verb} ${numbers.join(" ")}`;
  return `${verb === "battle" ? `battle ${COLOURS[numbers[0]]}` : what}: ${rate.toFixed(1)}`;
}

run(new BackCounter());
