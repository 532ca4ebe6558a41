/// my-bot: the program that the referee runs. What it plays is in strategy.hpp.
#include <arena/bot.hpp>

#include "strategy.hpp"

int main() { return arena::run(choose, {.name = "my-bot", .version = "1", .events = false}); }
