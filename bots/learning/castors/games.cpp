// Writes games of the bots as lines of JSON, with which a test checks that the bot in Python judges
// and plays as it does here: ./games WEIGHTS OUT GAMES SEED
//
// A line has the seats, the cards of every deal in order, all actions, and for each action of the
// search its worth, null if the search had no choice. Games with a reshuffle are left out.
// Build: g++ -O3 -ffast-math -o games games.cpp
#include <string>

#include "field.h"

const int SPARE = 8;  // cards that may be needed at the end of a deal

std::string json(Action a) {
  std::string own = std::to_string(a.own), other = std::to_string(a.other / ROW);
  switch (a.verb) {
    case 't': return "[\"take\"," + own + "]";
    case 'k': return "[\"keep\"," + own + "]";
    case 'p': return "[\"peek\"," + own + "]";
    case 's': return "[\"swap\"," + own + "," + other + "," + std::to_string(a.other % ROW) + "]";
    case 'x': return "[\"discard\"]";
    case 'r': return "[\"reject\"]";
    case 'c': return "[\"call\"]";
    case 'w': return "[\"wait\"]";
    default: return "[\"draw\"]";
  }
}

std::string deck(const State &s) {
  std::string found = "[";
  for (int at = 0; at < ROW * s.seats; at++) found += std::to_string(s.cards[at]) + ",";
  found += std::to_string(s.discards[0]);
  if (s.drawn >= 0) found += "," + std::to_string(s.drawn);  // an action card was turned up
  for (int at = s.piled - 1; at >= 0; at--) found += "," + std::to_string(s.pile[at]);
  return found + "]";
}

// A game as a line of JSON; empty if there was a reshuffle.
std::string game(int seats, const Brain &brain, Chance &chance) {
  State s{};
  s.chance = &chance;
  s.seats = seats;
  s.deals = seats > 2 ? seats : 4;
  s.traces.begin(seats);
  std::string decks, actions, worths;
  for (; s.deal < s.deals; s.deal++) {
    s.open();
    decks += (s.deal ? "," : "") + deck(s);
    while (s.kind != Kind::over) {
      bool searches = s.turn == 0 || chance.below(3) == 0;
      Choice found = search(s, brain);
      Action action = searches ? found.action : choose(Who(s.turn % SEARCH), s, brain, chance);
      if (!actions.empty()) actions += ",", worths += ",";
      actions += json(action);
      worths += searches && found.worth >= 0 ? std::to_string(found.worth) : "null";
      s.apply(action);
      if (s.piled < SPARE) return "";
    }
    for (int i = 0; i < seats; i++) s.totals[i] += s.counted[i];
  }
  return "{\"seats\":" + std::to_string(seats) + ",\"decks\":[" + decks + "],\"actions\":[" + actions +
         "],\"worths\":[" + worths + "]}\n";
}

int main(int count, char **words) {
  Brain brain;
  FILE *file = nullptr;
  if (count != 5 || !brain.read(words[1]) || !(file = fopen(words[2], "w"))) {
    fprintf(stderr, "usage: games WEIGHTS OUT GAMES SEED\n");
    return 2;
  }
  Chance chance{strtoull(words[4], nullptr, 10) * 7919 + 88172645463325252ULL};
  for (int i = 0; i < 20; i++) chance.next();
  for (int left = atoi(words[3]); left > 0;) {
    std::string line = game(2 + left % 5, brain, chance);
    fputs(line.c_str(), file);
    left -= !line.empty();
  }
  fclose(file);
}
