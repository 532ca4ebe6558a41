/// The rule bot of section 11 of the protocol, which plays the same in every language.
#pragma once

#include <arena/bot.hpp>

class RuleBot final : public arena::Bot {
public:
    RuleBot() {
        name = "rule";
        version = "1";
    }

    void start(const arena::Start& start) override {
        x_ = start.seed ? start.seed : 1;
        asked_ = 0;
    }

    arena::Choice choose(arena::Question& question) override {
        x_ ^= x_ << 13;
        x_ ^= x_ >> 17;
        x_ ^= x_ << 5;
        const std::size_t index = x_ % question.actions.size();
        if (++asked_ % 2) return index;
        return question.actions[index];
    }

private:
    std::uint32_t x_ = 1;
    unsigned asked_ = 0;
};
