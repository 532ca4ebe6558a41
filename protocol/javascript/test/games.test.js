/** The helpers for cards mean what the games' rules say. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as castors from "../src/castors.js";
import * as gargon from "../src/gargon.js";

test("gargon: a card is a colour and a value", () => {
  assert.equal(gargon.colour(37), 2);
  assert.equal(gargon.value(37), 5);
  assert.equal(gargon.card(2, 5), 37);
  assert.equal(gargon.cardName(37), "violet 5");
  assert.equal(gargon.colourName(5), "green");
  assert.deepEqual([32, 37].map(gargon.copies), [2, 1]);
});

test("gargon: shapes, most cards of a colour first", () => {
  assert.deepEqual(gargon.shape([53, 66, 70]), [2, 1]);
  assert.deepEqual(gargon.shape([1, 20, 40]), [1, 1, 1]);
  assert.deepEqual(gargon.shape([5]), [1]);
});

test("gargon: amulets are those of the rules, none on 0 and above 12", () => {
  const rules = { open_winnings: false, amulets: [5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1] };
  assert.deepEqual([0, 1, 3, 12, 13, 15, 16 + 4].map((card) => gargon.amulets(card, rules)), [
    0, 5, 4, 1, 0, 0, 3,
  ]);
});

test("gargon: who plays after a seat in a round", () => {
  const view = (seat, starter) => ({ seat, starter, hands: [[], [], [], []] });
  assert.deepEqual(gargon.seatsAfter(view(1, 1)), [2, 3, 0]);
  assert.deepEqual(gargon.seatsAfter(view(3, 1)), [0]);
  assert.deepEqual(gargon.seatsAfter(view(0, 1)), []);
});

test("castors: values and special cards", () => {
  assert.deepEqual([0, 9, 10, -1].map(castors.value), [0, 9, null, null]);
  assert.deepEqual([9, 10, 11, 12, -1].map(castors.isSpecial), [false, true, true, true, false]);
  assert.deepEqual([5, 10, 11, 12, -1].map(castors.cardName), [
    "5",
    "swap",
    "peek",
    "draw",
    "unknown",
  ]);
});

test("castors: the odds of unknown cards, and what they count at the end", () => {
  const pile = [2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 0, 0];
  const old = [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1];
  const view = {
    seat: 1,
    rows: [
      [-1, -1, 3, 11],
      [7, -1, -1, 0],
    ],
    row_pools: [
      [0, 1, 1, 1],
      [1, 1, 0, 1],
    ],
    pools: [old, pile],
    discards: [4, 12],
  };
  assert.deepEqual(castors.odds(pile)[10], 0.5);
  assert.equal(castors.meanValue(pile), 4.5);
  assert.deepEqual(castors.pilePool(view), pile);
  assert.deepEqual(castors.ownRow(view), [7, -1, -1, 0]);
  assert.equal(castors.topDiscard(view), 12);
  const row = (seat) => [0, 1, 2, 3].map((at) => castors.expectedPoints(view, seat, at));
  assert.deepEqual(row(0), [8, 4.5, 3, 4.5]);
  assert.deepEqual(row(1), [7, 4.5, 8, 0]);
});
