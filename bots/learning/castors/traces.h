// Public information about the players and their rows, as in traces.py.
#pragma once
#include <algorithm>
#include <cstdint>

const int NINE = 9, SWAP = 10, PEEK = 11, DRAW = 12, KINDS = 13, ROW = 4, MOST = 6, PACK = 66;
const int NONE = 10, MIDDLE = 5;

struct Traces {
  int seats;
  // for every card: the points that it replaced, the lowest points that its owner declined to put
  // in its place, the lowest open card that he left, the seat that put it there, and in which turn
  int8_t threw[ROW * MOST], stayed[ROW * MOST], left[ROW * MOST], author[ROW * MOST];
  int since[ROW * MOST];
  // for every player, in all deals: cards that he replaced and their points, turns, odd turns that
  // no player who wants to win would take, calls, and how often he might have called
  int placed[MOST], thrown[MOST], turns[MOST], odd[MOST], calls[MOST], chances[MOST];

  void begin(int players) {
    *this = Traces{};
    seats = players;
  }
  void open() {
    for (int at = 0; at < ROW * seats; at++) put(at, at / ROW, NONE, 0);
  }
  void took(int seat, int card, int at, int old, bool known, int moves) {
    odd[seat] += known ? old <= card : card > MIDDLE;
    replaced(seat, at, old, known);
    put(at, seat, old, moves);
  }
  void kept(int seat, int at, int old, bool known, int moves) {
    odd[seat] += known && old <= 2;
    replaced(seat, at, old, known);
    put(at, seat, old, moves);
  }
  void discarded(int seat, int card, bool knows_all) {
    turns[seat]++;
    if (card > NINE) return;
    odd[seat] += card <= 2 && !knows_all;
    at_most(stayed, seat, card + 1);
  }
  void drew(int seat, int open_card) { at_most(left, seat, open_card); }
  void swapped(int seat, int mine, int theirs, int moves) {
    turns[seat]++;
    threw[mine] = threw[theirs];
    stayed[mine] = stayed[theirs];
    left[mine] = left[theirs];
    author[mine] = author[theirs];
    since[mine] = moves;
    put(theirs, seat, NONE, moves);
  }
  void peeked(int seat) { turns[seat]++; }
  void might_call(int seat, bool called) {
    chances[seat]++;
    calls[seat] += called;
  }

  float oddness(int seat) const { return odd[seat] / (turns[seat] + 2.f); }
  float throws(int seat) const { return (thrown[seat] + 14) / (placed[seat] + 2.f) / 10; }
  float haste(int seat) const { return (calls[seat] + .5f) / (chances[seat] + 2); }

 private:
  void put(int at, int seat, int old, int moves) {
    threw[at] = old;
    stayed[at] = left[at] = NONE;
    author[at] = seat;
    since[at] = moves;
  }
  void at_most(int8_t *bounds, int seat, int points) {
    for (int at = ROW * seat; at < ROW * seat + ROW; at++) bounds[at] = std::min<int>(bounds[at], points);
  }
  void replaced(int seat, int at, int &old, bool known) {
    if (old > NINE) old = MIDDLE;
    turns[seat]++;
    placed[seat]++;
    thrown[seat] += old;
    at_most(stayed, seat, known ? old : MIDDLE);
  }
};
