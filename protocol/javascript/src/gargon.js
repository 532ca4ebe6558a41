/** Gargon: helpers for its cards. */

export const COLOURS = ["white", "blue", "violet", "red", "yellow", "green"];
export const HIGHEST = 15;

export function colour(card) {
  return card >> 4;
}

export function value(card) {
  return card & 15;
}

export function card(colour, value) {
  return (colour << 4) | value;
}

export function colourName(colour) {
  return COLOURS[colour];
}

export function cardName(card) {
  return `${COLOURS[card >> 4]} ${card & 15}`;
}

export function copies(card) {
  return (card & 15) === 0 ? 2 : 1;
}

export function shape(cards) {
  const counts = new Map();
  for (const card of cards) {
    counts.set(card >> 4, (counts.get(card >> 4) ?? 0) + 1);
  }
  return [...counts.values()].sort((one, other) => other - one);
}

export function amulets(card, rules) {
  return rules.amulets[(card & 15) - 1] ?? 0;
}

export function seatsAfter(view) {
  const seats = view.hands.length;
  const after = [];
  for (let seat = (view.seat + 1) % seats; seat !== view.starter; seat = (seat + 1) % seats) {
    after.push(seat);
  }
  return after;
}
