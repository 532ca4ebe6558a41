/** The book: what every card of every row counts on average, and what each exchange would gain. */

import {
  DRAW,
  expectedPoints,
  meanValue,
  NINE,
  odds,
  PEEK,
  pilePool,
  pool,
  ROW,
  SWAP,
  UNKNOWN,
} from "arena-sdk/castors";

const LEADER = 0.35; // how much of another seat's loss is worth to us
const PEEKED = 0.5; // what it is worth to know a card, times how much it may vary
const EAGER = 1; // calls when ahead by more than this

export class Book {
  constructor(view) {
    this.view = view;
    this.odds = odds(pilePool(view));
    this.rows = view.rows.map((row, seat) => row.map((_, at) => this.points(seat, at)));
    this.own = this.rows[view.seat];
    this.worst = Math.max(...this.own);
  }

  /** What a card of a row counts on average: low if another seat has drawn and kept it. */
  points(seat, at) {
    const { kept, rows } = this.view;
    if (rows[seat][at] === UNKNOWN && kept[seat][at]) return keptValue(pool(this.view, seat, at));
    return expectedPoints(this.view, seat, at);
  }

  /** Where a value card would gain most in our row. */
  exchange(card) {
    return card <= NINE
      ? { position: this.own.indexOf(this.worst), gain: this.worst - card }
      : { position: 0, gain: -Infinity };
  }

  /** The best exchange of a card of ours for one of another seat. */
  swap() {
    let best = { gain: -Infinity };
    this.rows.forEach((row, seat) => {
      if (seat === this.view.seat) return;
      row.forEach((points, theirs) => {
        const gain = (this.worst - points) * (1 + LEADER * this.threat(seat));
        if (gain > best.gain) {
          best = { position: this.own.indexOf(this.worst), seat, theirs, gain };
        }
      });
    });
    return best;
  }

  /** A card of ours to look at: the one that varies most. */
  peek() {
    let best = { position: 0, gain: -1 };
    for (let position = 0; position < ROW; position++) {
      if (this.view.rows[this.view.seat][position] !== UNKNOWN) continue;
      const gain = PEEKED * deviation(pool(this.view, this.view.seat, position));
      if (gain > best.gain) best = { position, gain };
    }
    return best;
  }

  /** What drawing a card from the pile gains on average. */
  gainOfDrawing() {
    return this.odds.reduce((sum, chance, card) => sum + chance * this.gainOf(card, 1), 0);
  }

  /** What a card from the pile gains, used as well as it can be. */
  gainOf(card, depth) {
    if (card <= NINE) return Math.max(0, this.exchange(card).gain);
    if (card === SWAP) return Math.max(0, (this.gainOfSwap ??= this.swap().gain));
    if (card === PEEK) return Math.max(0, this.peek().gain);
    return card === DRAW && depth ? this.gainOfTwo(depth - 1) : 0;
  }

  /** What a draw card gains: the first card, or a second where that is more. */
  gainOfTwo(depth = 0) {
    const gains = this.odds.map((_, card) => this.gainOf(card, depth));
    const second = gains.reduce((sum, gain, card) => sum + this.odds[card] * gain, 0);
    return gains.reduce((sum, gain, card) => sum + this.odds[card] * Math.max(gain, second), 0);
  }

  /** By how much our row beats the best of the others, if these have one more turn. */
  lead() {
    const sums = this.rows.map((row) => row.reduce((sum, points) => sum + points, 0));
    const own = sums[this.view.seat];
    const others = sums.filter((_, seat) => seat !== this.view.seat);
    return Math.min(...others) - own - EAGER;
  }

  /** How much it matters what another seat has: most if it leads. */
  threat(seat) {
    const { totals } = this.view;
    return totals[seat] <= Math.min(...totals) ? 1 : 0.5;
  }
}

/** The mean of the value cards of a pool, the low ones counting more: those are kept. */
function keptValue(cards) {
  const likely = cards.map((count, card) => (card <= NINE ? count * (NINE + 1 - card) ** 2 : 0));
  return meanValue(likely);
}

function deviation(cards) {
  const mean = meanValue(cards);
  const squares = cards.map((_, card) => (card - mean) ** 2);
  const count = cards.slice(0, NINE + 1).reduce((sum, number) => sum + number, 0);
  const sum = cards.slice(0, NINE + 1).reduce((all, number, card) => all + number * squares[card], 0);
  return count ? Math.sqrt(sum / count) : 0;
}
