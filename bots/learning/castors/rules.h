// Gang de Castors for learning: as fast as possible, with simplified reshuffles and without checks.
#pragma once
#include <cstring>

#include "traces.h"

struct Chance {  // xorshift64*
  uint64_t state;
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1DULL;
  }
  int below(int n) { return int((next() >> 33) % n); }
  double unit() { return (next() >> 11) * (1.0 / 9007199254740992.0); }
};

enum class Kind { turn, card, call, over };

struct Action {
  char verb;  // draw, take, keep, x discard, swap, peek, Play a draw card, reject, call, wait
  int8_t own, other;
};

struct State {
  int seats, turn, moves, caller, drawn, deal, deals;
  int8_t cards[ROW * MOST], pile[PACK], discards[PACK];
  uint8_t known[ROW * MOST], kept[ROW * MOST];
  int piled, discarded;
  bool rejectable;
  Kind kind;
  double points[MOST];  // an action card counts as the mean of its replacement, for less noise
  int counted[MOST];    // by the rules
  int totals[MOST];
  Chance *chance;
  Traces traces;

  void shuffle(int8_t *some, int count) {
    for (int i = count - 1; i > 0; i--) std::swap(some[i], some[chance->below(i + 1)]);
  }
  void open() {
    int8_t deck[PACK];
    int k = 0;
    for (int value = 0; value < NINE; value++)
      for (int i = 0; i < 4; i++) deck[k++] = value;
    const int more[4][2] = {{NINE, 9}, {SWAP, 9}, {PEEK, 7}, {DRAW, 5}};
    for (auto &[card, count] : more)
      for (int i = 0; i < count; i++) deck[k++] = card;
    shuffle(deck, PACK);
    for (int at = 0; at < ROW * seats; at++) {
      cards[at] = deck[at];
      known[at] = at % ROW % 3 ? 0 : 1 << at / ROW;
      kept[at] = 0;
    }
    discards[0] = deck[ROW * seats];
    discarded = 1;
    piled = PACK - ROW * seats - 1;
    for (int i = 0; i < piled; i++) pile[i] = deck[PACK - 1 - i];
    traces.open();
    moves = 0;
    caller = drawn = -1;
    rejectable = false;
    turn = deal % seats;
    next_turn();
  }
  void draw(bool may_reject) {
    drawn = pile[--piled];
    rejectable = may_reject;
    kind = Kind::card;
    if (!piled) {
      int8_t top = discards[--discarded];
      memcpy(pile, discards, piled = discarded);
      shuffle(pile, piled);
      discards[0] = top;
      discarded = 1;
    }
  }
  void next_turn() {
    turn = (turn + 1) % seats;
    if (turn == caller)
      close();
    else if (discards[discarded - 1] > NINE)
      draw(false);
    else
      kind = Kind::turn;
  }
  void end_turn() {
    moves++;
    drawn = -1;
    rejectable = false;
    if (caller < 0 && moves >= seats)
      kind = Kind::call;
    else
      next_turn();
  }
  void close() {
    kind = Kind::over;
    for (int seat = 0; seat < seats; seat++) points[seat] = counted[seat] = 0;
    for (int at = 0, from = ROW * (caller < 0 ? turn : caller); at < ROW * seats; at++) {
      int place = (from + at) % (ROW * seats), card = cards[place];
      points[place / ROW] += card > NINE ? MIDDLE : card;
      while (card > NINE) {
        if (!piled) {
          memcpy(pile, discards, piled = discarded);
          shuffle(pile, piled);
          discarded = 0;
        }
        card = pile[--piled];
      }
      counted[place / ROW] += card;
    }
  }
  bool knows_all() const {
    int all = 0;
    for (int i = 0; i < ROW; i++) all += known[ROW * turn + i] >> turn & 1;
    return all == ROW;
  }
  void apply(Action a) {
    int at = ROW * turn + a.own, old = cards[at];
    bool known_to_owner = known[at] >> turn & 1;
    switch (a.verb) {
      case 'd':
        traces.drew(turn, discards[discarded - 1]);
        draw(false);
        break;
      case 't':
        traces.took(turn, discards[discarded - 1], at, old, known_to_owner, moves);
        std::swap(cards[at], discards[discarded - 1]);
        known[at] = (1 << seats) - 1;
        kept[at] = 0;
        end_turn();
        break;
      case 'k':
        traces.kept(turn, at, old, known_to_owner, moves);
        discards[discarded++] = cards[at];
        cards[at] = drawn;
        known[at] = 1 << turn;
        kept[at] = 1;
        end_turn();
        break;
      case 'x':
        traces.discarded(turn, drawn, knows_all());
        discards[discarded++] = drawn;
        end_turn();
        break;
      case 's':
        traces.swapped(turn, at, a.other, moves);
        discards[discarded++] = drawn;
        std::swap(cards[at], cards[a.other]);
        std::swap(known[at], known[a.other]);
        std::swap(kept[at], kept[a.other]);
        end_turn();
        break;
      case 'p':
        traces.peeked(turn);
        discards[discarded++] = drawn;
        known[at] |= 1 << turn;
        end_turn();
        break;
      case 'P': discards[discarded++] = drawn; draw(true); break;
      case 'r': discards[discarded++] = drawn; draw(false); break;
      case 'c':
      case 'w':
        traces.might_call(turn, a.verb == 'c');
        if (a.verb == 'c') caller = turn;
        next_turn();
        break;
    }
  }
};
