/** What has been seen in a game: every card that was turned up, and who won how many of a colour. */

import { card, colour, COLOURS, copies, HIGHEST, value } from "arena-sdk/gargon";

export class Seen {
  constructor(seats) {
    this.turnedUp = [];
    this.counts = Array.from({ length: seats }, () => COLOURS.map(() => 0));
  }

  hear(event) {
    if (event.event === "revealed") {
      for (const cards of event.table) this.turnedUp.push(...cards);
    } else if (event.event === "won") {
      for (const won of event.cards) this.counts[event.seat][colour(won)]++;
    } else if (event.event === "fought" && event.winner >= 0) {
      const won = event.cards[event.seats.indexOf(event.winner)];
      this.counts[event.winner][colour(won)]++;
    }
  }

  /** By colour, the values of all cards that may be in others' hands, on the table or in stacks. */
  unseen(view) {
    const known = new Map();
    for (const one of [...this.turnedUp, ...view.hand, ...(view.table[view.seat] ?? [])]) {
      known.set(one, (known.get(one) ?? 0) + 1);
    }
    return COLOURS.map((_, chosen) => {
      const values = [];
      for (let high = 0; high <= HIGHEST; high++) {
        const one = card(chosen, high);
        for (let left = copies(one) - (known.get(one) ?? 0); left > 0; left--) {
          values.push(value(one));
        }
      }
      return values;
    });
  }
}
