// Plays the field against each other: ./match WEIGHTS SEATS BLOCKS SEED
//
// In a block, bots chosen by chance play the same deals from every seat. Printed are the shares of
// the others that were beaten and the skills, with 95 % intervals, and means by deal.
// Build: g++ -O3 -march=native -ffast-math -o match match.cpp
#include "field.h"

struct Mean {
  double sum = 0, squares = 0, count = 0;
  void add(double x) { sum += x, squares += x * x, count++; }
  double mean() const { return count ? sum / count : 0; }
  double error() const { return count ? 1.96 * sqrt((squares / count - mean() * mean()) / count) : 0; }
};

int main(int count, char **words) {
  Brain brain;
  if (count != 5 || !brain.read(words[1])) {
    fprintf(stderr, "usage: match WEIGHTS SEATS BLOCKS SEED\n");
    return 2;
  }
  int n = atoi(words[2]), blocks = atoi(words[3]), seed = atoi(words[4]);
  const int K = KINDS_OF_BOTS;
  Mean share[K], points[K], called[K], row[K], order, laps;
  double won[K][K] = {}, met[K][K] = {};
  Chance chance{seed * 7919 + 88172645463325252ULL};
  for (int i = 0; i < 20; i++) chance.next();
  for (int block = 0; block < blocks; block++) {
    Who group[K];
    for (int i = 0; i < K; i++) group[i] = Who(i);
    for (int i = K - 1; i > 0; i--) std::swap(group[i], group[chance.below(i + 1)]);
    uint64_t deck = chance.next();
    double sum[K] = {};
    for (int rotation = 0; rotation < n; rotation++) {
      State s{};
      Chance cards{deck};
      s.chance = &cards;
      s.seats = n;
      s.deals = n > 2 ? n : 4;
      s.traces.begin(n);
      for (; s.deal < s.deals; s.deal++) {
        cards.state = deck + 1000003 * s.deal;
        for (int i = 0; i < 9; i++) cards.next();
        s.open();
        while (s.kind != Kind::over) {
          Who who = group[(s.turn + rotation) % n];
          Action a = choose(who, s, brain, chance);
          if (a.verb == 'c') {
            double mine = 0;
            for (int i = 0; i < ROW; i++) {
              int card = s.cards[ROW * s.turn + i];
              mine += card <= NINE ? card : 5;
            }
            row[who].add(mine);
          }
          s.apply(a);
          if (s.moves > 100 * n) s.close();
        }
        laps.add(s.moves / double(n));
        for (int i = 0; i < n; i++) {
          s.totals[i] += s.counted[i];
          points[group[(i + rotation) % n]].add(s.points[i]);
          called[group[(i + rotation) % n]].add(s.caller == i);
        }
      }
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          if (i == j) continue;
          Who me = group[(i + rotation) % n], other = group[(j + rotation) % n];
          double beat = s.totals[i] < s.totals[j] ? 1 : s.totals[i] == s.totals[j] ? .5 : 0;
          sum[me] += beat / (n - 1) / n;
          won[me][other] += beat;
          met[me][other]++;
        }
    }
    for (int i = 0; i < n; i++) share[group[i]].add(sum[group[i]]);
    bool both = false, one = false;
    for (int i = 0; i < n; i++) both |= group[i] == SEARCH, one |= group[i] == ODDS;
    if (both && one) order.add(sum[SEARCH] - sum[ODDS]);
  }
  double skill[K] = {};
  const double width = sqrt(2.) * 25 / 6;
  double slope[K];
  for (int round = 0; round < 500; round++)
    for (int i = 0; i < K; i++) {
      double off = 0, all = 0;
      slope[i] = 0;
      for (int j = 0; j < K; j++) {
        double z = (skill[i] - skill[j]) / width;
        off += won[i][j] - met[i][j] * .5 * erfc(-z * M_SQRT1_2);
        slope[i] += met[i][j] * exp(-z * z / 2) / sqrt(2 * M_PI) / width;
        all += met[i][j];
      }
      skill[i] += off / slope[i];
      slope[i] /= all;
    }
  double middle = 0;
  for (int i = 0; i < K; i++) middle += skill[i] / K;
  printf("%d seats, %d games, %.2f laps a deal\n", n, blocks * n, laps.mean());
  for (int i = K - 1; i >= 0; i--) {
    printf("%-11s %+.2f ±%.2f  share %5.2f ±%.2f  points %.2f  calls %4.1f %%, with %.2f  beats", NAMES[i],
           skill[i] - middle, share[i].error() / slope[i], 100 * share[i].mean(), 100 * share[i].error(),
           points[i].mean(), 100 * called[i].mean(), row[i].mean());
    for (int j = 0; j < K; j++) printf(" %4.1f", met[i][j] ? 100 * won[i][j] / met[i][j] : 0);
    printf("\n");
  }
  printf("search - odds: skill %+.3f, share where both play %+.2f ±%.2f\n", skill[SEARCH] - skill[ODDS], 100 * order.mean(), 100 * order.error());
}
