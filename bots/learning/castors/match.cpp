// Plays the bots against each other, far faster than a ladder: ./match WEIGHTS SEATS BLOCKS SEED
//
// In a block, randomly chosen bots play the same deals from every seat. It prints skills, as a ladder
// does, the shares of the others that were beaten, with 95 % intervals, the mean points of a deal,
// how often and with how many points each bot calls, and how often it has beaten each other bot.
// Build: g++ -O3 -march=native -ffast-math -o match match.cpp
#include "field.h"

struct Mean {
  double sum = 0, squares = 0, count = 0;
  void add(double x) { sum += x, squares += x * x, count++; }
  double mean() const { return count ? sum / count : 0; }
  double error() const { return count ? 1.96 * sqrt((squares / count - mean() * mean()) / count) : 0; }
};

class Match {
 public:
  Match(const Brain &brain, int seats, uint64_t seed)
      : brain_(brain), seats_(seats), chance_{seed * 7919 + 88172645463325252ULL} {
    for (int i = 0; i < 20; i++) chance_.next();
  }

  void play_block() {
    Who group[BOTS];
    for (int i = 0; i < BOTS; i++) group[i] = Who(i);
    for (int i = BOTS - 1; i > 0; i--) std::swap(group[i], group[chance_.below(i + 1)]);
    uint64_t deck = chance_.next();
    double shares[BOTS] = {};
    bool plays[BOTS] = {};
    for (int rotation = 0; rotation < seats_; rotation++) {
      Who who[MOST];
      for (int seat = 0; seat < seats_; seat++) who[seat] = group[(seat + rotation) % seats_];
      count(play(who, deck), who, shares);
    }
    for (int i = 0; i < seats_; i++) {
      plays[group[i]] = true;
      share_[group[i]].add(shares[group[i]]);
    }
    if (plays[SEARCH] && plays[ODDS]) lead_.add(shares[SEARCH] - shares[ODDS]);
  }

  void print() {
    double skill[BOTS] = {}, slope[BOTS];
    fit(skill, slope);
    printf("%d seats, %.0f games, %.2f laps a deal\n", seats_, games_, laps_.mean());
    for (int i = BOTS - 1; i >= 0; i--) {
      printf("%-11s %+.2f ±%.2f  share %5.2f ±%.2f  points %.2f  calls %4.1f %%, with %.2f  beats", NAMES[i], skill[i],
             share_[i].error() / slope[i], 100 * share_[i].mean(), 100 * share_[i].error(), points_[i].mean(),
             100 * called_[i].mean(), called_with_[i].mean());
      for (int j = 0; j < BOTS; j++) printf(" %4.1f", met_[i][j] ? 100 * won_[i][j] / met_[i][j] : 0);
      printf("\n");
    }
    printf("search - odds: skill %+.3f, share where both play %+.2f ±%.2f\n", skill[SEARCH] - skill[ODDS],
           100 * lead_.mean(), 100 * lead_.error());
  }

 private:
  static const int BOTS = KINDS_OF_BOTS;

  State play(const Who *who, uint64_t deck) {
    State s{};
    Chance cards{deck};
    s.chance = &cards;
    s.seats = seats_;
    s.deals = seats_ > 2 ? seats_ : 4;
    s.traces.begin(seats_);
    for (; s.deal < s.deals; s.deal++) {
      cards.state = deck + 1000003 * s.deal;  // the same cards whatever was played before
      for (int i = 0; i < 9; i++) cards.next();
      play_deal(s, who);
      laps_.add(s.moves / double(seats_));
      for (int seat = 0; seat < seats_; seat++) {
        s.totals[seat] += s.counted[seat];
        points_[who[seat]].add(s.points[seat]);
        called_[who[seat]].add(s.caller == seat);
        if (s.caller == seat) called_with_[who[seat]].add(s.points[seat]);
      }
    }
    games_++;
    return s;
  }

  void play_deal(State &s, const Who *who) {
    s.open();
    while (s.kind != Kind::over) {
      s.apply(choose(who[s.turn], s, brain_, chance_));
      if (s.moves > 100 * seats_) s.close();
    }
  }

  void count(const State &s, const Who *who, double *shares) {
    for (int i = 0; i < seats_; i++)
      for (int j = 0; j < seats_; j++) {
        if (i == j) continue;
        double beat = s.totals[i] < s.totals[j] ? 1 : s.totals[i] == s.totals[j] ? .5 : 0;
        shares[who[i]] += beat / (seats_ - 1) / seats_;
        won_[who[i]][who[j]] += beat;
        met_[who[i]][who[j]]++;
      }
  }

  // The skills with which the expected points equal the points won, and the slope of a share.
  void fit(double *skill, double *slope) {
    const double width = sqrt(2.) * 25 / 6;
    for (int round = 0; round < 500; round++)
      for (int i = 0; i < BOTS; i++) {
        double off = 0, all = 0;
        slope[i] = 0;
        for (int j = 0; j < BOTS; j++) {
          double z = (skill[i] - skill[j]) / width;
          off += won_[i][j] - met_[i][j] * .5 * erfc(-z * M_SQRT1_2);
          slope[i] += met_[i][j] * exp(-z * z / 2) / sqrt(2 * M_PI) / width;
          all += met_[i][j];
        }
        skill[i] += off / slope[i];
        slope[i] /= all;
      }
    double middle = 0;
    for (int i = 0; i < BOTS; i++) middle += skill[i] / BOTS;
    for (int i = 0; i < BOTS; i++) skill[i] -= middle;
  }

  const Brain &brain_;
  int seats_;
  Chance chance_;
  double games_ = 0, won_[BOTS][BOTS] = {}, met_[BOTS][BOTS] = {};
  Mean share_[BOTS], points_[BOTS], called_[BOTS], called_with_[BOTS], lead_, laps_;
};

int main(int count, char **words) {
  Brain brain;
  int seats = count == 5 ? atoi(words[2]) : 0;
  if (seats < 2 || seats > MOST || !brain.read(words[1])) {
    fprintf(stderr, "usage: match WEIGHTS SEATS BLOCKS SEED\n");
    return 2;
  }
  Match match(brain, seats, strtoull(words[4], nullptr, 10));
  for (int block = 0; block < atoi(words[3]); block++) match.play_block();
  match.print();
}
