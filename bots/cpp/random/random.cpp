/// Plays some legal action, by chance: what the others are measured against, and how fast the
/// language answers.
#include <arena/bot.hpp>

int main() {
    return arena::run(
        [](arena::Question& question) -> arena::Choice {
            return question.random.below(static_cast<std::uint32_t>(question.actions.size()));
        },
        {.name = "random", .version = "1", .events = false});
}
