// The search bot's view and its evaluation, as in evaluation.py, search.py and plausible.py.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "rules.h"

const int FEATURES = 42, HIDDEN = 48, SPREADS = 12, FORMS = 8, ABOUT = 10, SIGNS = 16, GUESSES = 16;
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
  float top, mean, points[ROW * MOST], shown[ROW * MOST], later[MOST];
  bool known[ROW * MOST], seen[ROW * MOST];  // by its owner, by the deciding seat
};

inline Leaf leaf(const State &s, int seat) {
  Leaf found{s.seats, seat, s.caller, s.turn, s.moves, float(s.discards[s.discarded - 1]), MIDDLE};
  int everybody = (1 << s.seats) - 1;
  float laps = float(s.moves) / s.seats;
  for (int at = 0; at < ROW * s.seats; at++) {
    float value = s.cards[at] <= NINE ? s.cards[at] : 5;
    float guess = likely(origin(s, at), laps);
    found.shown[at] = s.known[at] == everybody ? value : guess;
    found.points[at] = s.known[at] >> seat & 1 ? value : guess;
    found.seen[at] = s.known[at] >> seat & 1;
    found.known[at] = s.known[at] >> at / ROW & 1;
  }
  return found;
}

template <int INPUTS, int UNITS>
struct Network {  // in the order of the file
  static const int COUNT = UNITS * INPUTS + 2 * UNITS + 1;
  float first[UNITS][INPUTS], bias[UNITS], second[UNITS], last;

  float *weights() { return &first[0][0]; }
  float operator()(const float *x, float *inner) const {
    float sum = last;
    for (int i = 0; i < UNITS; i++) {
      float z = bias[i];
      for (int j = 0; j < INPUTS; j++) z += first[i][j] * x[j];
      inner[i] = z > 0 ? z : 0;
      sum += second[i] * inner[i];
    }
    return sum;
  }
};

struct Brain {
  Network<SIGNS, GUESSES> cards;   // points of a hidden card, in tens
  Network<FEATURES, HIDDEN> rows;  // points of a row at the end, in tens
  Network<FEATURES, SPREADS> spread;  // squared error of `rows`, in squares of tens
  Network<FORMS, ABOUT> form;         // points of a player in a deal to come, in tens

  bool read(const char *path) {
    FILE *file = fopen(path, "r");
    bool good = file;
    for (int i = 0; good && i < cards.COUNT; i++) good = fscanf(file, "%f", cards.weights() + i) == 1;
    for (int i = 0; good && i < rows.COUNT; i++) good = fscanf(file, "%f", rows.weights() + i) == 1;
    for (int i = 0; good && i < spread.COUNT; i++) good = fscanf(file, "%f", spread.weights() + i) == 1;
    for (int i = 0; good && i < form.COUNT; i++) good = fscanf(file, "%f", form.weights() + i) == 1;
    if (file) fclose(file);
    return good;
  }
  void write(const char *path) {
    FILE *file = fopen(path, "w");
    for (int i = 0; i < cards.COUNT; i++) fprintf(file, "%.6g\n", cards.weights()[i]);
    for (int i = 0; i < rows.COUNT; i++) fprintf(file, "%.6g\n", rows.weights()[i]);
    for (int i = 0; i < spread.COUNT; i++) fprintf(file, "%.6g\n", spread.weights()[i]);
    for (int i = 0; i < form.COUNT; i++) fprintf(file, "%.6g\n", form.weights()[i]);
    fclose(file);
  }
};

inline void odds(const State &s, int seat, double *found) {
  double total = s.piled;
  for (int card = 0; card < KINDS; card++) found[card] = 0;
  for (int i = 0; i < s.piled; i++) found[s.pile[i]]++;
  for (int at = 0; at < ROW * s.seats; at++)
    if (!(s.known[at] >> seat & 1)) found[s.cards[at]]++, total++;
  for (int card = 0; card < KINDS; card++) found[card] /= total;
}

// The mean of the cards that this seat has not seen.
inline float mean_of_unseen(const State &s, int seat) {
  double p[KINDS], mean = 0;
  odds(s, seat, p);
  for (int card = 0; card < KINDS; card++) mean += p[card] * (card <= NINE ? card : MIDDLE);
  return mean;
}

// The public information about a hidden card.
inline void signs(const State &s, int at, float mean, float *found) {
  const Traces &t = s.traces;
  int owner = at / ROW, author = t.author[at], came = origin(s, at);
  float n = s.seats;
  const float all[SIGNS] = {
      float(came == UNSEEN),
      float(came == HELD),
      float(came == KEPT),
      float(came == STOLEN),
      float(came == GIVEN),
      std::min(s.moves / n, 10.f) / 10,
      std::min((s.moves - t.since[at]) / n, 10.f) / 10,
      t.threw[at] / 10.f,
      t.stayed[at] / 10.f,
      t.left[at] / 10.f,
      t.oddness(author),
      t.throws(author),
      t.haste(owner),
      mean / 10,
      float(s.seats == 2),
      n / 6,
  };
  memcpy(found, all, sizeof all);
}

// How a player plays, from public information.
inline void form(const State &s, int seat, int viewer, float *found) {
  float totals = 0, played = s.deal;
  for (int o = 0; o < s.seats; o++) totals += s.totals[o];
  const float all[FORMS] = {
      s.traces.oddness(seat),
      s.traces.throws(seat),
      s.traces.haste(seat),
      (s.totals[seat] - totals / s.seats) / (played + 1) / 10,
      played / 6,
      float(seat == viewer),
      float(s.seats == 2),
      s.seats / 6.f,
  };
  memcpy(found, all, sizeof all);
}

// Like `leaf`, with the cards estimated from everything that has been seen.
inline Leaf believed(const State &s, int seat, const Brain &brain) {
  Leaf found = leaf(s, seat);
  int everybody = (1 << s.seats) - 1;
  float mean = mean_of_unseen(s, seat), x[SIGNS], inner[GUESSES];
  found.mean = mean;
  for (int at = 0; at < ROW * s.seats; at++) {
    if (s.known[at] == everybody) continue;
    signs(s, at, mean, x);
    found.shown[at] = brain.cards(x, inner) * 10;
    if (!(s.known[at] >> seat & 1)) found.points[at] = found.shown[at];
  }
  float about[FORMS];
  int deals_left = s.deals - s.deal - 1;
  for (int o = 0; o < s.seats; o++) {
    form(s, o, seat, about);
    found.later[o] = deals_left ? deals_left * 10 * brain.form(about, inner) : 0;
  }
  return found;
}

inline void features(const State &state, const Leaf &l, float out[][FEATURES]) {
  int n = l.seats;
  const Traces &t = state.traces;
  float oddness = 0, haste = 0, totals = 0;
  for (int s = 0; s < n; s++) oddness += t.oddness(s), haste += t.haste(s), totals += state.totals[s];
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
    float row[ROW], hidden = 0, unseen = 0, low = 0, prey = 99, least = 99, most = 0;
    for (int i = 0; i < ROW; i++) {
      row[i] = l.points[ROW * s + i];
      hidden += !l.known[ROW * s + i];
      unseen += !l.seen[ROW * s + i];
      low += std::max(0.f, 4.5f - l.shown[ROW * s + i]);
    }
    std::sort(row, row + ROW, [](float a, float b) { return a > b; });
    for (int o = 0; o < n; o++)
      if (o != s) {
        prey = std::min(prey, lowest[o]);
        least = std::min(least, sums[o]);
        most = std::max(most, sums[o]);
      }
    float hastiest = 0;
    for (int o = 0; o < n; o++)
      if (o != s) hastiest = std::max(hastiest, t.haste(o));
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
        t.oddness(s),
        t.throws(s),
        t.haste(s),
        (oddness - t.oddness(s)) / (n - 1),
        (haste - t.haste(s)) / (n - 1),
        hastiest,
        called ? 0 : t.haste(l.following),
        std::clamp((state.totals[s] - totals / n) / 30, -2.f, 2.f),
        std::min(state.deals - state.deal - 1, 5) / 5.f,
        l.mean / 10,
        unseen / 4,
        float(s == l.seat) * state.traces.haste(l.following),
    };
    memcpy(out[s], found, sizeof found);
  }
}

// The variance that a deal adds to the difference of two totals, and an unseen card to a row.
const double OF_A_DEAL = 80, OF_A_CARD = 7, LEAST_SPREAD = 1;

// Added to the worth of waiting, which the networks predict too low.
const double PATIENCE = .01;

inline double beaten(const State &s, const Leaf &l, const float *ends, const float *spreads) {
  double sum = 0;
  for (int o = 0; o < l.seats; o++)
    if (o != l.seat) {
      double variance = spreads[o] + spreads[l.seat] + OF_A_DEAL * (s.deals - s.deal - 1);
      double lead = s.totals[o] + ends[o] + l.later[o] - s.totals[l.seat] - ends[l.seat] - l.later[l.seat];
      sum += .5 * erfc(-lead / sqrt(variance) * M_SQRT1_2);
    }
  return sum / (l.seats - 1);
}

inline double worth(const State &s, const Leaf &l, const Brain &brain) {
  float x[MOST][FEATURES], ends[MOST], spreads[MOST], inner[HIDDEN];
  features(s, l, x);
  for (int o = 0; o < l.seats; o++) {
    ends[o] = brain.rows(x[o], inner) * 10;
    spreads[o] = std::max(LEAST_SPREAD, brain.spread(x[o], inner) * 100.);
  }
  return beaten(s, l, ends, spreads);
}

// The worth of ending the turn like this, with a call where that is better.
inline double ended(const State &s, Leaf &l, const Brain &brain, bool *calls = nullptr) {
  l.following = (l.seat + 1) % l.seats;
  if (l.caller == l.following) {
    float ends[MOST] = {}, spreads[MOST];
    for (int o = 0; o < l.seats; o++) spreads[o] = LEAST_SPREAD;
    for (int at = 0; at < ROW * l.seats; at++) {
      ends[at / ROW] += l.points[at];
      if (!l.seen[at]) spreads[at / ROW] += OF_A_CARD;
    }
    return beaten(s, l, ends, spreads);
  }
  double wait = worth(s, l, brain), call = -1;
  if (l.caller < 0 && l.moves >= l.seats) {
    l.caller = l.seat;
    call = worth(s, l, brain);
    l.caller = -1;
  }
  if (call >= 0) wait += PATIENCE;
  if (calls) *calls = call > wait;
  return std::max(call, wait);
}
