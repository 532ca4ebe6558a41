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

/// The view of seat 0 of two with this row.
castors::View view(const std::string& kind, const castors::Row<int>& row) {
    castors::View seen;
    seen.kind = kind;
    seen.rows = {row, {-1, -1, -1, -1}};
    seen.kept.resize(2);
    seen.row_pools.resize(2);
    seen.discards = {7};
    seen.pools = {{4, 4, 4, 4, 4, 4, 4, 4, 4, 9, 9, 7, 5}};
    return seen;
}

arena::Choice chosen(const castors::View& seen) {
    arena::Asked asked(castors::name, seen);
    return choose(asked.question);
}

int main() {
    using namespace castors;
    View open = view("turn", {2, -1, 8, 3});
    open.discards = {9, 1};
    expect("an open 1 goes where the 8 lies", chosen(open), Take{2});
    expect("an open 7 is no help; it draws", chosen(view("turn", {2, -1, -1, 3})), DrawCard{});

    View drew = view("card", {9, -1, -1, 3});
    drew.drawn = 0;
    expect("a drawn 0 goes where the 9 lies", chosen(drew), Keep{0});

    View swap = view("card", {9, 1, 1, 3});
    swap.drawn = swap_card;
    swap.kept[1][1] = true;
    expect("what another seat has drawn and kept is better than a 9", chosen(swap), Swap{0, 1, 1});

    expect("a row of six points is low enough", chosen(view("call", {0, 1, 2, 3})), Call{});
    expect("a row of sixteen is not", chosen(view("call", {-1, 1, -1, 5})), Wait{});

    if (failures == 0) std::cout << "6 tests passed\n";
    return failures != 0;
}
