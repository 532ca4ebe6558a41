// The players: the search that learns, and a bot like odds.py with its own parameters.
#pragma once
#include "evaluation.h"

struct Choice {
  double worth;
  Action action;
};

inline Leaf replaced(const State &s, const Leaf &now, int at, float card, float shown) {
  Leaf l = now;
  l.top = s.known[at] >> now.seat & 1 ? float(s.cards[at]) : now.points[at];
  l.points[at] = card;
  l.shown[at] = shown;
  l.known[at] = l.seen[at] = true;
  return l;
}

inline double peeked(const State &s, const Leaf &now, int at, const Brain &brain, const double *p) {
  double sum = 0, total = 0;
  Origin came = origin(s, at);
  for (int card = 0; card < KINDS; card++) {
    double weight = p[card] * (came == GIVEN    ? card < 5 ? .2 : 1.7
                               : came == STOLEN ? card < 5 ? 1 : card < NINE ? .4 : 0
                                                : 1);
    if (weight <= 0) continue;
    Leaf l = now;
    l.top = PEEK;
    l.points[at] = card <= NINE ? card : 5;
    l.known[at] = l.seen[at] = true;
    sum += weight * ended(s, l, brain);
    total += weight;
  }
  return total ? sum / total : 0;
}

// The best use of a card other than a draw card, without rejecting it.
inline Choice use(const State &s, const Leaf &now, int card, const Brain &brain, const double *p) {
  Leaf l = now;
  l.top = card;
  Choice best{ended(s, l, brain), {'x'}};
  auto consider = [&](double worth, Action action) {
    if (worth > best.worth) best = {worth, action};
  };
  for (int own = 0; own < ROW; own++) {
    int at = ROW * now.seat + own;
    if (card <= NINE && now.points[at] > card - 1) {
      l = replaced(s, now, at, card, likely(KEPT, 0));
      consider(ended(s, l, brain), {'k', int8_t(own)});
    } else if (card == SWAP) {
      for (int q = 0; q < ROW * s.seats; q++) {
        if (q / ROW == now.seat || now.points[q] >= now.points[at] + 1) continue;
        l = now;
        l.top = SWAP;
        std::swap(l.points[at], l.points[q]);
        std::swap(l.shown[at], l.shown[q]);
        std::swap(l.seen[at], l.seen[q]);
        if (l.shown[q] > 3) l.shown[q] = likely(GIVEN, 0);
        l.known[at] = s.known[q] >> now.seat & 1;
        l.known[q] = s.known[at] >> q / ROW & 1;
        consider(ended(s, l, brain), {'s', int8_t(own), int8_t(q)});
      }
    } else if (card == PEEK && !(s.known[at] >> now.seat & 1)) {
      consider(peeked(s, now, at, brain, p), {'p', int8_t(own)});
    }
  }
  return best;
}

// The best move; the worth of one without alternatives is -1.
inline Choice search(const State &s, const Brain &brain) {
  Leaf now = believed(s, s.turn, brain);
  if (s.kind == Kind::call) {
    bool calls = false;
    double worth = ended(s, now, brain, &calls);
    return {worth, {calls ? 'c' : 'w'}};
  }
  if (s.kind == Kind::card && s.drawn == DRAW) return {-1, {'P'}};
  now.moves++;
  double p[KINDS], uses[DRAW], mean = 0;
  odds(s, s.turn, p);
  auto look = [&] {
    for (int card = 0; card < DRAW; card++) {
      uses[card] = p[card] > 0 ? use(s, now, card, brain, p).worth : 0;
      mean += p[card] * uses[card] / (1 - p[DRAW] + 1e-9);
    }
  };
  if (s.kind == Kind::card) {
    Choice best = use(s, now, s.drawn, brain, p);
    if (s.rejectable) look();
    return s.rejectable && mean > best.worth ? Choice{mean, {'r'}} : best;
  }
  Choice best{-1, {'d'}};
  int top = s.discards[s.discarded - 1];
  for (int own = 0; own < ROW; own++) {
    int at = ROW * s.turn + own;
    if (now.points[at] <= top) continue;
    Leaf l = replaced(s, now, at, top, top);
    double worth = ended(s, l, brain);
    if (worth > best.worth) best = {worth, {'t', int8_t(own)}};
  }
  if (best.worth < 0) return best;
  look();
  double better = 0;
  for (int card = 0; card < DRAW; card++)
    better += p[card] * std::max(mean, uses[card]) / (1 - p[DRAW] + 1e-9);
  double pile = (1 - p[DRAW]) * mean + p[DRAW] * better;
  return best.worth > pile ? best : Choice{pile, {'d'}};
}

struct Numbers {
  double low = 7, ahead = 7, future = 1, least = .5, envy = .03;
};

inline Action by_odds(const State &s, const Numbers &numbers) {
  int seat = s.turn, worst = 0;
  Leaf now = leaf(s, seat);
  float *mine = now.points + ROW * seat, sums[MOST] = {}, total = 0;
  for (int at = 0; at < ROW * s.seats; at++) sums[at / ROW] += now.points[at], total += now.points[at];
  for (int i = 0; i < ROW; i++)
    if (mine[i] > mine[worst]) worst = i;
  if (s.kind == Kind::call) {
    double others = (total - sums[seat]) / (s.seats - 1);
    return {sums[seat] <= numbers.low || sums[seat] <= others - numbers.ahead ? 'c' : 'w'};
  }
  double p[KINDS], pile = 0;
  odds(s, seat, p);
  for (int card = 0; card <= NINE; card++) pile += p[card] * std::max(0., double(mine[worst]) - card);
  pile /= 1 - p[DRAW] + 1e-9;
  if (s.kind == Kind::turn) {
    double saved = mine[worst] - s.discards[s.discarded - 1];
    return saved >= pile + (s.caller < 0 ? numbers.future : 0) ? Action{'t', int8_t(worst)} : Action{'d'};
  }
  Action no_use{s.rejectable ? 'r' : 'x'};
  if (s.drawn == DRAW) return {'P'};
  if (s.drawn <= NINE) {
    double needed = std::max(s.rejectable ? pile : 0, numbers.least);
    return mine[worst] - s.drawn > needed ? Action{'k', int8_t(worst)} : no_use;
  }
  if (s.drawn == PEEK) {
    for (int i = 0; i < ROW; i++)
      if (!(s.known[ROW * seat + i] >> seat & 1)) return {'p', int8_t(i)};
    return no_use;
  }
  int prey = -1;
  double price = 99;
  for (int at = 0; at < ROW * s.seats; at++) {
    double asked = now.points[at] + numbers.envy * (sums[at / ROW] - total / s.seats);
    if (at / ROW != seat && asked < price) price = asked, prey = at;
  }
  bool saves = mine[worst] - now.points[prey] >= numbers.least;
  return saves ? Action{'s', int8_t(worst), int8_t(prey)} : no_use;
}
