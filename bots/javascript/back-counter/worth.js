/** What a card is worth to its winner: amulets, what a zero doubles, and a step to the majority. */

import { amulets, colour, COLOURS, value } from "arena-sdk/gargon";

const BONUS = 10; // for most cards of a colour
const TO_COME = 4; // amulets that a colour brings on average after a zero

export class Worth {
  constructor(view, counts, rules) {
    this.rules = rules;
    this.own = view.won[view.seat];
    this.zeros = COLOURS.map(() => 1);
    this.sums = COLOURS.map(() => 0);
    for (const card of this.own) {
      if (value(card) === 0) this.zeros[colour(card)] *= 2;
      this.sums[colour(card)] += amulets(card, rules);
    }
    this.lead = COLOURS.map((_, chosen) => {
      const others = counts.filter((_, seat) => seat !== view.seat);
      return counts[view.seat][chosen] - Math.max(...others.map((count) => count[chosen]));
    });
    const left = view.stacks[0].length + view.stacks[1].length;
    this.spread = 0.8 + left / 30; // how far leads may still move
  }

  of(card) {
    const chosen = colour(card);
    const points =
      value(card) === 0
        ? (this.sums[chosen] + TO_COME) * this.zeros[chosen]
        : amulets(card, this.rules) * this.zeros[chosen];
    return points + this.ofMajority(chosen);
  }

  /** How much nearer to the bonus one more card of this colour brings. */
  ofMajority(chosen) {
    const lead = this.lead[chosen];
    return BONUS * (this.share(lead + 1) - this.share(lead));
  }

  share(lead) {
    return 1 / (1 + Math.exp(-lead / this.spread));
  }
}
