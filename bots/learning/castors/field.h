// The other bots, as in random_bot.py, hasty.py, thresholds.py and reference.py.
#pragma once
#include "players.h"

enum Who { AT_RANDOM, HASTY, THRESHOLDS, REFERENCE, ODDS, SEARCH, KINDS_OF_BOTS };
const char *const NAMES[] = {"random", "hasty", "thresholds", "reference", "odds", "search"};

inline int highest(const float *row) { return std::max_element(row, row + ROW) - row; }

inline Action at_random(const State &s, Chance &chance) {
  int8_t place = chance.below(5);
  if (s.kind == Kind::call) return {chance.below(2) ? 'c' : 'w'};
  if (s.kind == Kind::turn) return place < 4 ? Action{'t', place} : Action{'d'};
  if (place == 4) return {s.rejectable && chance.below(2) ? 'r' : 'x'};
  if (s.drawn <= NINE) return {'k', place};
  if (s.drawn == PEEK) return {'p', place};
  if (s.drawn == DRAW) return {'P'};
  int other = (s.turn + 1 + chance.below(s.seats - 1)) % s.seats;
  return {'s', place, int8_t(ROW * other + chance.below(4))};
}

// The points of a seat's cards, given those of an unknown card, a kept card and an action card.
inline void row_of(const State &s, int seat, int viewer, float unseen, float kept, float action, float *row) {
  for (int i = 0; i < ROW; i++) {
    int at = ROW * seat + i;
    float guess = s.kept[at] ? kept : unseen;
    row[i] = !(s.known[at] >> viewer & 1) ? guess : s.cards[at] <= NINE ? s.cards[at] : action;
  }
}

inline Action peek_or(const State &s, Action other) {
  for (int i = 0; i < ROW; i++)
    if (!(s.known[ROW * s.turn + i] >> s.turn & 1)) return {'p', int8_t(i)};
  return other;
}

inline Action hasty(const State &s) {
  if (s.kind == Kind::call) return {'c'};
  if (s.kind == Kind::turn) return {'d'};
  if (s.drawn == DRAW) return {'P'};
  float row[ROW];
  for (int i = 0; i < ROW; i++) row[i] = s.known[ROW * s.turn + i] >> s.turn & 1 ? s.cards[ROW * s.turn + i] : -1;
  int worst = highest(row);
  if (s.drawn <= NINE && s.drawn < row[worst]) return {'k', int8_t(worst)};
  return {s.rejectable ? 'r' : 'x'};
}

inline Action thresholds(const State &s) {
  float row[ROW];
  row_of(s, s.turn, s.turn, 5, 5, 5, row);
  int8_t worst = highest(row);
  if (s.kind == Kind::call) return {row[0] + row[1] + row[2] + row[3] <= 10 ? 'c' : 'w'};
  if (s.kind == Kind::turn) {
    int top = s.discards[s.discarded - 1];
    return top <= 4 && row[worst] - top >= 1 ? Action{'t', worst} : Action{'d'};
  }
  if (s.drawn <= NINE && row[worst] - s.drawn >= 1) return {'k', worst};
  Action no_use{s.rejectable ? 'r' : 'x'};
  if (s.drawn == DRAW) return {'P'};
  return s.drawn == PEEK ? peek_or(s, no_use) : no_use;
}

inline Action reference(const State &s) {
  float row[ROW];
  row_of(s, s.turn, s.turn, 5, 4.5, 5, row);
  for (int i = 0; i < ROW; i++)  // an action card is never kept
    if (s.known[ROW * s.turn + i] >> s.turn & 1 && s.cards[ROW * s.turn + i] > NINE) row[i] = 5;
  int8_t worst = highest(row);
  if (s.kind == Kind::call) return {row[0] + row[1] + row[2] + row[3] <= 10 ? 'c' : 'w'};
  if (s.kind == Kind::turn) return row[worst] - s.discards[s.discarded - 1] >= 2 ? Action{'t', worst} : Action{'d'};
  Action no_use{s.rejectable ? 'r' : 'x'};
  if (s.drawn == DRAW) return {'P'};
  if (s.drawn <= NINE) return row[worst] - s.drawn >= (s.rejectable ? 3 : .5) ? Action{'k', worst} : no_use;
  if (s.drawn == PEEK) return peek_or(s, no_use);
  int8_t prey = 0;
  float least = 99;
  for (int seat = 0; seat < s.seats; seat++) {
    if (seat == s.turn) continue;
    float other[ROW];
    row_of(s, seat, s.turn, 5, 4.5, 5, other);
    for (int i = 0; i < ROW; i++)
      if (other[i] < least) least = other[i], prey = ROW * seat + i;
  }
  return row[worst] - least >= 2 ? Action{'s', worst, prey} : no_use;
}

inline Action choose(Who who, const State &s, const Brain &brain, Chance &chance) {
  switch (who) {
    case AT_RANDOM: return at_random(s, chance);
    case HASTY: return hasty(s);
    case THRESHOLDS: return thresholds(s);
    case REFERENCE: return reference(s);
    case ODDS: return by_odds(s, Numbers());
    default: return search(s, brain).action;
  }
}
