/// Tests of the bot's choices: run them with `make test`.
#include <arena/testing.hpp>
#include <iostream>

#include "strategy.hpp"

int failures = 0;

void expect(const char* what, const arena::Choice& chosen, const arena::Choice& expected) {
    if (chosen == expected) return;
    std::cerr << "failed: " << what << '\n';
    ++failures;
}

/// The view of seat 0 of three, the starter.
gargon::View view(const std::string& kind) {
    gargon::View seen;
    seen.kind = kind;
    seen.hand = {3, 15, 34};  // white 3, white 15, violet 2
    seen.hands = {{2, 0, 1, 0, 0, 0}, {4, 0, 0, 3, 3, 0}, {2, 0, 0, 4, 0, 4}};
    seen.played.resize(3);
    seen.table = {gargon::Cards{}, std::nullopt, std::nullopt};
    seen.stacks = {{{4, 0}, {1, 5}}};
    seen.won = {gargon::Cards{}, std::nullopt, std::nullopt};
    return seen;
}

arena::Choice chosen(const gargon::View& seen, const std::vector<arena::Action>& actions) {
    arena::Asked asked(gargon::name, seen, actions, gargon::Rules{});
    return choose(asked.question);
}

int main() {
    using namespace gargon;
    expect("nobody else holds violet, so the violet 2 wins its five amulets",
           chosen(view("play"), {Play{{3}}, Play{{15}}, Play{{34}}}), 2);

    View fight = view("battle");
    fight.table = {Cards{3, 77}, Cards{4}, Cards{66}};
    expect("yellow 13 fights before white 3", chosen(fight, {Battle{0}, Battle{4}}), 1);

    View draw = view("draw");
    draw.won[0] = {20, 21};
    expect("with blue cards won, blue is drawn", chosen(draw, {Draw{0}, Draw{1}}), 1);

    if (failures == 0) std::cout << "3 tests passed\n";
    return failures != 0;
}
