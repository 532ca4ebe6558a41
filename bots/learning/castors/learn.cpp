// Learns the weights of castors-search by playing: ./learn OUT SECONDS SEED
//
// Search bots with the current weights play against the other bots, with at most one random move per
// deal. After each turn of a search bot, what it sees is kept. Four networks are trained with what
// followed: the cards that were hidden, the points of the rows at the end of the deal, the squared
// errors of these predictions, and the points of the next deal. SECONDS are processor time.
// Build: g++ -O3 -march=native -ffast-math -o learn learn.cpp
#include <ctime>
#include <vector>

#include "field.h"

const int SIZES[] = {2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6};  // few seats give few examples
const int BATCH = 1024;
const double STRAY = .05, STRAY_CALL = .15, WARM_UP = .01, AS_ON_LADDERS = .7, LOOKED_AT = .3;

// Trains a network towards the right outputs by Adam, with a decreasing rate.
template <int INPUTS, int UNITS>
class Trainer {
 public:
  explicit Trainer(Network<INPUTS, UNITS> &network) : network_(network) {}

  void begin(Chance &chance, float middle) {
    float *w = network_.weights();
    for (int i = 0; i < COUNT; i++)
      w[i] = (chance.unit() + chance.unit() + chance.unit() + chance.unit() - 2) / 2;
    w[COUNT - 1] = middle;
  }

  void move_towards(const float *x, float target, double gone) {
    float inner[UNITS], off = network_(x, inner) - target;
    float *second = gradient_ + UNITS * INPUTS + UNITS;
    for (int i = 0; i < UNITS; i++) {
      if (inner[i] <= 0) continue;
      second[i] += off * inner[i];
      float back = off * network_.second[i];
      gradient_[UNITS * INPUTS + i] += back;
      for (int j = 0; j < INPUTS; j++) gradient_[i * INPUTS + j] += back * x[j];
    }
    gradient_[COUNT - 1] += off;
    error_ += off * off;
    seen_++;
    if (++in_batch_ == BATCH) step(gone);
  }

  double error() {
    double found = 10 * sqrt(error_ / seen_);
    error_ = seen_ = 0;
    return found;
  }

 private:
  static const int COUNT = Network<INPUTS, UNITS>::COUNT;

  void step(double gone) {
    steps_++;
    float rate = .003 * (1 - gone) * (1 - gone) + 5e-6;
    float bias1 = 1 - pow(.9, std::min(steps_, 1000L)), bias2 = 1 - pow(.999, std::min(steps_, 20000L));
    for (int i = 0; i < COUNT; i++) {
      float g = gradient_[i] / in_batch_;
      gradient_[i] = 0;
      mean_[i] = .9f * mean_[i] + .1f * g;
      square_[i] = .999f * square_[i] + .001f * g * g;
      network_.weights()[i] -= rate * (mean_[i] / bias1) / (sqrtf(square_[i] / bias2) + 1e-8f);
    }
    in_batch_ = 0;
  }

  Network<INPUTS, UNITS> &network_;
  double error_ = 0;
  long seen_ = 0, steps_ = 0, in_batch_ = 0;
  float gradient_[COUNT] = {}, mean_[COUNT] = {}, square_[COUNT] = {};
};

template <int COUNT>
struct Example {
  float features[COUNT];
  int seat;
};

class Learner {
 public:
  explicit Learner(uint64_t seed)
      : chance_{seed * 7919 + 88172645463325252ULL},
        cards_(brain_.cards),
        rows_(brain_.rows),
        spread_(brain_.spread),
        form_(brain_.form) {
    for (int i = 0; i < 20; i++) chance_.next();
    cards_.begin(chance_, .5);
    rows_.begin(chance_, 1.2);
    spread_.begin(chance_, .2);
    form_.begin(chance_, 1.5);
  }

  void learn(double seconds) {
    clock_t began = clock();
    for (long game = 0; gone_ < 1; game++) {
      if (game % 20 == 0) gone_ = double(clock() - began) / CLOCKS_PER_SEC / seconds;
      play();
      if (game % 10000 == 9999) {
        printf("%3.0f %%  %ld games  error of a card %.3f, of a row %.3f points\n", 100 * gone_, game + 1,
               cards_.error(), rows_.error());
        fflush(stdout);
      }
    }
  }

  void write(const char *path) { brain_.write(path); }

 private:
  void play() {
    State s{};
    s.chance = &chance_;
    s.seats = SIZES[chance_.below(sizeof SIZES / sizeof *SIZES)];
    s.deals = s.seats > 2 ? s.seats : 4;
    s.traces.begin(s.seats);
    seat_players(s.seats);
    forms_.clear();
    for (; s.deal < s.deals; s.deal++) {
      size_t before = forms_.size();
      play_deal(s);
      for (size_t i = 0; i < before; i++)
        form_.move_towards(forms_[i].features, s.counted[forms_[i].seat] / 10.f, gone_);
      forms_.erase(forms_.begin(), forms_.begin() + before);
      for (int seat = 0; seat < s.seats; seat++) s.totals[seat] += s.counted[seat];
    }
  }

  void seat_players(int seats) {
    Who kinds[KINDS_OF_BOTS];
    for (int i = 0; i < KINDS_OF_BOTS; i++) kinds[i] = Who(i);
    for (int i = KINDS_OF_BOTS - 1; i > 0; i--) std::swap(kinds[i], kinds[chance_.below(i + 1)]);
    bool ladder = chance_.unit() < AS_ON_LADDERS, any = false;
    for (int i = 0; i < seats; i++) {
      who_[i] = ladder ? kinds[i] : Who(REFERENCE + chance_.below(3));
      any |= who_[i] == SEARCH;
    }
    if (!any) who_[chance_.below(seats)] = SEARCH;
  }

  void play_deal(State &s) {
    examples_.clear();
    strayed_ = false;
    s.open();
    while (s.kind != Kind::over) {
      int seat = s.turn, moves = s.moves;
      bool called = s.kind == Kind::call, searches = who_[seat] == SEARCH;
      Who who = searches && gone_ < WARM_UP ? ODDS : who_[seat];
      s.apply(stray(s, choose(who, s, brain_, chance_)));
      bool turn_over = s.kind != Kind::over && s.kind != Kind::call && (called || s.moves > moves);
      if (searches && turn_over) keep(s, seat);
      if (s.moves > 40 * s.seats) s.close();
    }
    float inner[HIDDEN];
    for (auto &example : examples_) {
      float off = brain_.rows(example.features, inner) - s.counted[example.seat] / 10.f;
      spread_.move_towards(example.features, std::min(off * off, 4.f), gone_);
      rows_.move_towards(example.features, s.points[example.seat] / 10, gone_);
    }
  }

  // At most one move of a deal is random, so that good play follows it.
  Action stray(const State &s, Action action) {
    double limit = s.kind == Kind::call ? STRAY_CALL : STRAY;
    if (strayed_ || who_[s.turn] != SEARCH || chance_.unit() >= limit) return action;
    strayed_ = true;
    examples_.clear();
    int8_t own = chance_.below(ROW), other = chance_.below(ROW * s.seats);
    if (s.kind == Kind::call) return {action.verb == 'c' ? 'w' : 'c'};
    if (s.kind == Kind::turn) return chance_.below(2) ? Action{'d'} : Action{'t', own};
    if (chance_.below(2)) return {'x'};
    if (s.drawn <= NINE) return {'k', own};
    return s.drawn == SWAP && other / ROW != s.turn ? Action{'s', own, other} : action;
  }

  void keep(const State &s, int seat) {
    Leaf l = believed(s, seat, brain_);
    float found[MOST][FEATURES], x[SIGNS];
    features(s, l, found);
    for (int row = 0; row < l.seats; row++) {
      Example<FEATURES> example;
      memcpy(example.features, found[row], sizeof found[row]);
      example.seat = row;
      examples_.push_back(example);
    }
    for (int o = 0; o < s.seats; o++) {
      if (chance_.unit() > LOOKED_AT) continue;
      forms_.push_back({{}, o});
      form(s, o, seat, forms_.back().features);
    }
    for (int at = 0; at < ROW * s.seats; at++) {
      if (s.known[at] >> seat & 1 || chance_.unit() > LOOKED_AT) continue;
      signs(s, at, l.mean, x);
      cards_.move_towards(x, s.cards[at] <= NINE ? s.cards[at] / 10.f : .5f, gone_);
    }
  }

  Chance chance_;
  Brain brain_{};
  Trainer<SIGNS, GUESSES> cards_;
  Trainer<FEATURES, HIDDEN> rows_;
  Trainer<FEATURES, SPREADS> spread_;
  Trainer<FORMS, ABOUT> form_;
  Who who_[MOST];
  double gone_ = 0;
  std::vector<Example<FEATURES>> examples_;
  std::vector<Example<FORMS>> forms_;
  bool strayed_ = false;
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
