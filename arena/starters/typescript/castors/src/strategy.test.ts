/** Tests of the bot's choices: run them with `npm test`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Question, Start } from "arena-sdk";
import type { Card, Question as CastorsQuestion, Rules, View } from "arena-sdk/castors";

import { choose } from "./strategy.js";

/** A question to seat 0 of two with this row; changes replace other fields of the view. */
function question(kind: string, row: Card[], changes: Partial<View> = {}): CastorsQuestion {
  const view: Partial<View> = {
    seat: 0,
    rows: [row, [-1, -1, -1, -1]],
    kept: [
      [false, false, false, false],
      [false, false, false, false],
    ],
    discards: [7],
    drawn: null,
    rejectable: false,
    ...changes,
  };
  const rules: Rules = { laps: 100 };
  const clock = { decision: 100, bank: 10000, start: 10000 };
  const start = new Start<Rules>({
    number: 0,
    game: "castors",
    rules,
    seat: 0,
    seats: 2,
    seed: 1,
    clock,
  });
  return new Question({ id: 1, kind, view, bank: 10000 }, start) as CastorsQuestion;
}

test("takes a low discard for the worst card: an open 1 goes where the 8 lies", () => {
  assert.deepEqual(choose(question("turn", [2, -1, 8, 3], { discards: [9, 1] })), ["take", 2]);
});

test("leaves a high discard: an open 7 is no help, it draws", () => {
  assert.deepEqual(choose(question("turn", [2, -1, -1, 3])), ["draw"]);
});

test("keeps a low card: a drawn 0 goes where the 9 lies", () => {
  assert.deepEqual(choose(question("card", [9, -1, -1, 3], { drawn: 0 })), ["keep", 0]);
});

test("swaps its worst card for one that another seat has drawn and kept", () => {
  const kept = [
    [false, false, false, false],
    [false, true, false, false],
  ];
  const asked = question("card", [9, 1, 1, 3], { drawn: 10, kept });
  assert.deepEqual(choose(asked), ["swap", 0, 1, 1]);
});

test("calls with a low row: six points are low enough, sixteen are not", () => {
  assert.deepEqual(choose(question("call", [0, 1, 2, 3])), ["call"]);
  assert.deepEqual(choose(question("call", [-1, 1, -1, 5])), ["wait"]);
});
