// Learns the weights of castors-search by playing: ./learn OUT SECONDS SEED
//
// Every deal is played by searchers with the weights as they are by now and by bots of odds with
// numbers by chance, all with a few moves by chance. After half of the turns, what the mover sees
// is kept; when the deal has ended, the network is moved towards the points that came of it.
// SECONDS are processor time. Build: g++ -O3 -march=native -ffast-math -o learn learn.cpp
#include <ctime>
#include <vector>

#include "players.h"

const int BATCH = 1024;
const double STRAY = .03, STRAY_CALL = .05, SEARCHERS = .6, WARM_UP = .02;

struct Example {
  float features[FEATURES];
  int seat;
};

class Learner {
 public:
  Learner(uint64_t seed) : chance_{seed * 7919 + 88172645463325252ULL} {
    for (int i = 0; i < 20; i++) chance_.next();
    float *w = network_.weights();
    for (int i = 0; i < WEIGHTS; i++) {
      double near_zero = (chance_.unit() + chance_.unit() + chance_.unit() + chance_.unit() - 2) / 2;
      w[i] = i < WEIGHTS - 1 ? near_zero : 1.2;
    }
  }

  void learn(double seconds) {
    clock_t began = clock();
    for (long deal = 0; gone_ < 1; deal++) {
      if (deal % 100 == 0) gone_ = double(clock() - began) / CLOCKS_PER_SEC / seconds;
      State end = play();
      for (auto &example : examples_) move_towards(example, end.points[example.seat] / 10);
      if (examples_in_batch_ >= BATCH) step();
      if (deal % 20000 == 19999) {
        printf("%3.0f %%  %ld deals  error %.3f points\n", 100 * gone_, deal + 1, 10 * sqrt(error_ / rows_));
        fflush(stdout);
        error_ = rows_ = 0;
      }
    }
  }

  void write(const char *path) {
    FILE *file = fopen(path, "w");
    for (int i = 0; i < WEIGHTS; i++) fprintf(file, "%.6g\n", network_.weights()[i]);
    fclose(file);
  }

 private:
  State play() {
    State s;
    s.chance = &chance_;
    s.seats = 2 + std::max(0, chance_.below(7) - 2);  // two make the fewest examples
    s.deals = s.seats > 2 ? s.seats : 4;
    s.deal = chance_.below(s.deals);
    Numbers numbers[MOST];
    bool searches[MOST];
    for (int i = 0; i < s.seats; i++) {
      double luck = chance_.unit() + chance_.unit() + chance_.unit() - 1.5;
      s.totals[i] = 14 * s.deal + int(luck * 10 * sqrt(s.deal));
      numbers[i].low = 4 + chance_.below(6);
      numbers[i].ahead = 5 + chance_.below(6);
      searches[i] = gone_ > WARM_UP && chance_.unit() < SEARCHERS;
    }
    examples_.clear();
    s.open();
    while (s.kind != Kind::over) {
      int seat = s.turn, moves = s.moves;
      bool called = s.kind == Kind::call;
      s.apply(stray(s, searches[seat] ? search(s, network_) : by_odds(s, numbers[seat])));
      bool turn_over = s.kind != Kind::over && s.kind != Kind::call && (called || s.moves > moves);
      if (turn_over && chance_.below(2)) keep(leaf(s, seat));
      if (s.moves > 40 * s.seats) s.close();
    }
    return s;
  }

  Action stray(const State &s, Action action) {
    if (chance_.unit() >= (s.kind == Kind::call ? STRAY_CALL : STRAY)) return action;
    int8_t own = chance_.below(ROW), other = chance_.below(ROW * s.seats);
    if (s.kind == Kind::call) return {action.verb == 'c' ? 'w' : 'c'};
    if (s.kind == Kind::turn) return chance_.below(2) ? Action{'d'} : Action{'t', own};
    if (chance_.below(2)) return {'x'};
    if (s.drawn <= NINE) return {'k', own};
    return s.drawn == SWAP && other / ROW != s.turn ? Action{'s', own, other} : action;
  }

  void keep(const Leaf &l) {
    float found[MOST][FEATURES];
    features(l, found);
    for (int seat = 0; seat < l.seats; seat++) {
      Example example;
      memcpy(example.features, found[seat], sizeof found[seat]);
      example.seat = seat;
      examples_.push_back(example);
    }
  }

  void move_towards(const Example &example, float points) {
    float inner[HIDDEN], off = network_.points(example.features, inner) - points;
    float *second = gradient_ + HIDDEN * FEATURES + HIDDEN;
    for (int i = 0; i < HIDDEN; i++) {
      if (inner[i] <= 0) continue;
      second[i] += off * inner[i];
      float back = off * network_.second[i];
      gradient_[HIDDEN * FEATURES + i] += back;
      for (int j = 0; j < FEATURES; j++) gradient_[i * FEATURES + j] += back * example.features[j];
    }
    gradient_[WEIGHTS - 1] += off;
    examples_in_batch_++;
    rows_++;
    error_ += off * off;
  }

  void step() {  // Adam, slower and slower
    steps_++;
    float rate = .003 * (1 - gone_) * (1 - gone_) + 5e-6;
    float bias1 = 1 - pow(.9, std::min(steps_, 1000L)), bias2 = 1 - pow(.999, std::min(steps_, 20000L));
    for (int i = 0; i < WEIGHTS; i++) {
      float g = gradient_[i] / examples_in_batch_;
      gradient_[i] = 0;
      mean_[i] = .9f * mean_[i] + .1f * g;
      square_[i] = .999f * square_[i] + .001f * g * g;
      network_.weights()[i] -= rate * (mean_[i] / bias1) / (sqrtf(square_[i] / bias2) + 1e-8f);
    }
    examples_in_batch_ = 0;
  }

  Chance chance_;
  Network network_;
  double gone_ = 0, error_ = 0;
  long rows_ = 0, steps_ = 0, examples_in_batch_ = 0;
  std::vector<Example> examples_;
  float gradient_[WEIGHTS] = {}, mean_[WEIGHTS] = {}, square_[WEIGHTS] = {};
};

int main(int count, char **words) {
  if (count != 4 || atof(words[2]) <= 0) {
    fprintf(stderr, "usage: learn OUT SECONDS SEED\n");
    return 2;
  }
  Learner learner(strtoull(words[3], nullptr, 10));
  learner.learn(atof(words[2]));
  learner.write(words[1]);
}
