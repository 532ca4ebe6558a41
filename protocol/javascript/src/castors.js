/** Gang de Castors: its cards, and the odds of hidden cards. */

export const NINE = 9;
export const SWAP = 10;
export const PEEK = 11;
export const DRAW = 12;
export const UNKNOWN = -1;
export const ROW = 4;

const SPECIAL = { [SWAP]: "swap", [PEEK]: "peek", [DRAW]: "draw" };

export function isSpecial(card) {
  return card > NINE;
}

export function value(card) {
  return card >= 0 && card <= NINE ? card : null;
}

export function cardName(card) {
  return SPECIAL[card] ?? (card === UNKNOWN ? "unknown" : String(card));
}

export function ownRow(view) {
  return view.rows[view.seat];
}

export function topDiscard(view) {
  return view.discards.at(-1);
}

export function pilePool(view) {
  return view.pools.at(-1);
}

export function pool(view, seat, position) {
  return view.pools[view.row_pools[seat][position]];
}

export function odds(pool) {
  const all = pool.reduce((sum, count) => sum + count, 0);
  return pool.map((count) => (all ? count / all : 0));
}

export function meanValue(pool) {
  let points = 0;
  let cards = 0;
  for (let card = 0; card <= NINE; card++) {
    points += card * pool[card];
    cards += pool[card];
  }
  return cards ? points / cards : 0;
}

export function expectedPoints(view, seat, position) {
  const card = view.rows[seat][position];
  if (card === UNKNOWN) return meanValue(pool(view, seat, position));
  return value(card) ?? meanValue(pilePool(view));
}
