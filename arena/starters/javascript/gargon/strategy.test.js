/** Tests of the bot's choices: run them with `npm test`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Question, Start } from "arena-sdk";

import { choose } from "./strategy.js";

/** A question to seat 0 of three, the starter; changes replace fields of the view. */
function question(kind, actions, changes = {}) {
  const rules = { open_winnings: false, amulets: [5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1] };
  const view = {
    seat: 0,
    starter: 0,
    hand: [3, 15, 34], // white 3, white 15, violet 2
    hands: [
      [2, 0, 1, 0, 0, 0],
      [4, 0, 0, 3, 3, 0],
      [2, 0, 0, 4, 0, 4],
    ],
    played: Array.from({ length: 3 }, () => [0, 0, 0, 0, 0, 0]),
    table: [[], null, null],
    stacks: [
      [4, 0],
      [1, 5],
    ],
    won: [[], null, null],
    ...changes,
  };
  const clock = { decision: 100, bank: 10000, start: 10000 };
  const start = new Start({
    number: 0,
    game: "gargon",
    rules,
    seat: 0,
    seats: 3,
    seed: 1,
    clock,
  });
  return new Question({ id: 1, kind, view, actions, bank: 10000 }, start);
}

test("plays what nobody can fight: the violet 2 wins its five amulets", () => {
  const plays = [
    ["play", 3],
    ["play", 15],
    ["play", 34],
  ];
  assert.equal(choose(question("play", plays)), 2);
});

test("fights with the highest card first: yellow 13 before white 3", () => {
  const battles = [
    ["battle", 0],
    ["battle", 4],
  ];
  assert.equal(choose(question("battle", battles, { table: [[3, 77], [4], [66]] })), 1);
});

test("draws the colour that it collects", () => {
  const draws = [
    ["draw", 0],
    ["draw", 1],
  ];
  assert.equal(choose(question("draw", draws, { won: [[20, 21], null, null] })), 1);
});
