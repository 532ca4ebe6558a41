/** Who may fight in a colour, and with how many cards: told by the colours on the backs. */

import { seatsAfter } from "arena-sdk/gargon";

const PASSES = 0.3; // how often a seat that has yet to play passes instead

/** Those who may still have a card in the battle after so many. */
export function opposition(view, chosen, battles, unseen) {
  const fighters = []; // how likely another seat has a card in this battle
  const waiting = seatsAfter(view);
  for (let seat = 0; seat < view.hands.length; seat++) {
    if (seat === view.seat) continue;
    if (waiting.includes(seat)) fighters.push(joins(view.hands[seat], chosen, battles, view));
    else if (view.played[seat][chosen] > battles) fighters.push(1);
  }
  return new Opposition(fighters, unseen);
}

/** How likely a seat with this hand will play more than so many cards of the colour. */
function joins(hand, chosen, battles, view) {
  const all = hand.reduce((sum, count) => sum + count, 0);
  if (hand[chosen] <= battles || !all) return 0;
  const cards = view.shape ? view.shape.reduce((sum, count) => sum + count, 0) : 2;
  const one = 1 - (1 - hand[chosen] / all) ** cards;
  return (1 - PASSES) * (battles ? one * 0.3 : one);
}

class Opposition {
  constructor(fighters, unseen) {
    this.fighters = fighters;
    this.unseen = unseen;
  }

  /** How likely a card of this value beats them all, or is alone. */
  chanceAgainst(value) {
    if (!this.unseen.length) return 1;
    const lower = this.unseen.filter((other) => other < value).length / this.unseen.length;
    return this.fighters.reduce((chance, fights) => chance * (1 - fights + fights * lower), 1);
  }
}
