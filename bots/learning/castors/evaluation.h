// What the searching bot sees and how it judges it, as in evaluation.py, search.py and plausible.py.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "rules.h"

const int FEATURES = 30, HIDDEN = 32;
const int WEIGHTS = HIDDEN * FEATURES + 2 * HIDDEN + 1;
enum Origin { UNSEEN, HELD, KEPT, STOLEN, GIVEN };

inline Origin origin(const State &s, int at) {
  if (s.known[at] >> at / ROW & 1) return s.kept[at] ? KEPT : HELD;
  return s.known[at] ? s.kept[at] ? STOLEN : GIVEN : UNSEEN;
}

inline float likely(Origin came, float laps) {
  switch (came) {
    case HELD: return std::max(3.5f, 4.7f - .25f * laps);
    case KEPT: return std::max(2.2f, 2.9f - .15f * laps);
    case STOLEN: return 2.9f;
    case GIVEN: return 6.4f;
    default: return 4.95f;
  }
}

struct Leaf {
  int seats, seat, caller, following, moves;
  float top, points[ROW * MOST], shown[ROW * MOST];
  bool known[ROW * MOST];
};

inline Leaf leaf(const State &s, int seat) {
  Leaf found{s.seats, seat, s.caller, s.turn, s.moves, float(s.discards[s.discarded - 1])};
  int everybody = (1 << s.seats) - 1;
  float laps = float(s.moves) / s.seats;
  for (int at = 0; at < ROW * s.seats; at++) {
    float value = s.cards[at] <= NINE ? s.cards[at] : 5;
    float guess = likely(origin(s, at), laps);
    found.shown[at] = s.known[at] == everybody ? value : guess;
    found.points[at] = s.known[at] >> seat & 1 ? value : guess;
    found.known[at] = s.known[at] >> at / ROW & 1;
  }
  return found;
}

inline void features(const Leaf &l, float out[][FEATURES]) {
  int n = l.seats;
  float sums[MOST], lowest[MOST], total = 0;
  for (int s = 0; s < n; s++) {
    sums[s] = 0;
    lowest[s] = 99;
    for (int at = ROW * s; at < ROW * s + ROW; at++) {
      sums[s] += l.points[at];
      lowest[s] = std::min(lowest[s], l.shown[at]);
    }
    total += sums[s];
  }
  for (int s = 0; s < n; s++) {
    float row[ROW], hidden = 0, low = 0, prey = 99, least = 99, most = 0;
    for (int i = 0; i < ROW; i++) {
      row[i] = l.points[ROW * s + i];
      hidden += !l.known[ROW * s + i];
      low += std::max(0.f, 4.5f - l.shown[ROW * s + i]);
    }
    std::sort(row, row + ROW, [](float a, float b) { return a > b; });
    for (int o = 0; o < n; o++)
      if (o != s) {
        prey = std::min(prey, lowest[o]);
        least = std::min(least, sums[o]);
        most = std::max(most, sums[o]);
      }
    bool called = l.caller >= 0;
    int wait = (s - l.following + n) % n, left = called ? (l.caller - l.following + n) % n : n;
    bool to_come = !called || wait < left, next_up = wait == 0 && to_come;
    float gain = l.top <= NINE ? std::max(0.f, row[0] - l.top) : 0;
    const float found[FEATURES] = {
        sums[s] / 20,
        row[0] / 10,
        row[1] / 10,
        row[2] / 10,
        row[3] / 10,
        hidden / 2,
        low / 8,
        (4.5f - lowest[s]) / 5,
        std::max(0.f, row[0] - prey) / 10,
        std::max(0.f, row[1] - prey) / 10,
        least / 20,
        (total - sums[s]) / (n - 1) / 20,
        most / 20,
        float(called),
        float(called && to_come),
        float(s == l.caller),
        called ? left / 6.f : 0,
        called ? 0 : float(wait) / n,
        float(next_up),
        next_up ? gain / 10 : 0,
        float(next_up && l.top > NINE),
        to_come && called ? row[0] / 10 : 0,
        std::min(l.moves / float(n), 12.f) / 6,
        float(l.moves < n - 1),
        float(s == l.seat),
        n / 6.f,
        float(n == 2),
        float(n == 3),
        float(wait == 1 && to_come),
        called ? sums[s] / 20 : 0,
    };
    memcpy(out[s], found, sizeof found);
  }
}

struct Network {  // in the order of the file
  float first[HIDDEN][FEATURES], bias[HIDDEN], second[HIDDEN], last;

  float *weights() { return &first[0][0]; }
  float points(const float *x, float *inner) const {
    float sum = last;
    for (int i = 0; i < HIDDEN; i++) {
      float z = bias[i];
      for (int j = 0; j < FEATURES; j++) z += first[i][j] * x[j];
      inner[i] = z > 0 ? z : 0;
      sum += second[i] * inner[i];
    }
    return sum;
  }
};
static_assert(sizeof(Network) == WEIGHTS * sizeof(float));

inline double beaten(const State &s, const Leaf &l, const float *ends, double variance) {
  double deviation = sqrt(variance + 75. * (s.deals - s.deal - 1)), sum = 0;
  for (int o = 0; o < l.seats; o++)
    if (o != l.seat) {
      double lead = s.totals[o] + ends[o] - s.totals[l.seat] - ends[l.seat];
      sum += .5 * erfc(-lead / deviation * M_SQRT1_2);
    }
  return sum / (l.seats - 1);
}

inline double worth(const State &s, const Leaf &l, const Network &network) {
  float x[MOST][FEATURES], ends[MOST], inner[HIDDEN];
  features(l, x);
  for (int o = 0; o < l.seats; o++) ends[o] = network.points(x[o], inner) * 10;
  return beaten(s, l, ends, 45);
}

// The worth of ending the turn like this, calling where that is better.
inline double ended(const State &s, Leaf &l, const Network &network, bool *calls = nullptr) {
  l.following = (l.seat + 1) % l.seats;
  if (l.caller == l.following) {
    float ends[MOST] = {};
    for (int at = 0; at < ROW * l.seats; at++) ends[at / ROW] += l.points[at];
    return beaten(s, l, ends, 20);
  }
  double wait = worth(s, l, network), call = -1;
  if (l.caller < 0 && l.moves >= l.seats) {
    l.caller = l.seat;
    call = worth(s, l, network);
    l.caller = -1;
  }
  if (calls) *calls = call > wait;
  return std::max(call, wait);
}

inline void odds(const State &s, int seat, double *found) {
  double total = s.piled;
  for (int card = 0; card < KINDS; card++) found[card] = 0;
  for (int i = 0; i < s.piled; i++) found[s.pile[i]]++;
  for (int at = 0; at < ROW * s.seats; at++)
    if (!(s.known[at] >> seat & 1)) found[s.cards[at]]++, total++;
  for (int card = 0; card < KINDS; card++) found[card] /= total;
}
