/** A first bot for Gang de Castors: it keeps low cards and calls when its row is low. */

import { isSpecial, NINE, ownRow, PEEK, SWAP, topDiscard, UNKNOWN, value } from "arena-sdk/castors";
import type { Action, Position, Question, Seat, View } from "arena-sdk/castors";

const MEAN = 5; // the mean points of an unknown card
const GAIN = 1; // exchange only if it saves more points than this
const LOW = 10; // call with a row of at most this many points

/** Returns an action; `arena game show castors` lists those of each kind of question. */
export function choose(question: Question): Action {
  const { view } = question;
  const row = ownRow(view).map((card) => value(card) ?? MEAN);
  const worst = row.indexOf(Math.max(...row));
  if (question.kind === "call") {
    const points = row.reduce((total, card) => total + card, 0);
    return points <= LOW ? ["call"] : ["wait"];
  }
  if (question.kind === "turn") {
    return row[worst] - topDiscard(view) > MEAN / 2 ? ["take", worst] : ["draw"];
  }
  return use(view, row, worst);
}

/** Returns how to use the drawn card. */
function use(view: View, row: number[], worst: Position): Action {
  const card = view.drawn ?? NINE;
  if (!isSpecial(card)) {
    if (row[worst] - card > GAIN) return ["keep", worst];
    return view.rejectable ? ["reject"] : ["discard"];
  }
  if (card === SWAP) {
    const target = lowCardOfOthers(view);
    return target && row[worst] > MEAN ? ["swap", worst, ...target] : ["discard"];
  }
  if (card === PEEK) {
    const unseen = ownRow(view).indexOf(UNKNOWN);
    return unseen < 0 ? ["discard"] : ["peek", unseen];
  }
  return ["draw"];
}

/** Returns the place of a card that another seat has kept, as it may be low. */
function lowCardOfOthers(view: View): [Seat, Position] | null {
  for (const [seat, kept] of view.kept.entries()) {
    if (seat === view.seat) continue;
    for (const [position, wasKept] of kept.entries()) {
      const card = view.rows[seat][position];
      if (card === UNKNOWN ? wasKept : card < MEAN / 2) return [seat, position];
    }
  }
  return null;
}
