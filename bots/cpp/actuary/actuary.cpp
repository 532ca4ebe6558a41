/// Reckons, exactly as far as the pools allow, how many points its row is worth after each action
/// and the turns that follow; and calls when one more turn would help the others more than itself.
#include <arena/bot.hpp>
#include <cstdio>
#include <optional>
#include <string>

#include "odds.hpp"

namespace {

constexpr int turns_ahead = 2;
constexpr double doubt = 0.7;  // so much less than it looks does a turn bring the others: what they
                               // hold is lower than anybody else can know

/// An action, and the points to expect after it: the fewer the better.
struct Best {
    std::optional<arena::Action> action;
    double points = 1e9;

    void consider(arena::Action other, double expected) {
        if (expected < points - 1e-9) action = std::move(other), points = expected;
    }
};

class Decision {
public:
    explicit Decision(const castors::View& view)
        : view_(view), odds_(view), row_(odds_.row(view.seat)),
          turns_(view.caller < 0 ? turns_ahead : 0) {}

    Best turn() const {
        Best best;
        best.consider(castors::DrawCard{}, odds_.after(row_, turns_ + 1));
        for (int at = 0; at < castors::positions; ++at)
            best.consider(castors::Take{at}, later(at, castors::top_discard(view_)));
        return best;
    }

    Best card() const {
        Best best;
        const castors::Card drawn = view_.drawn.value();
        best.consider(castors::Discard{}, odds_.after(row_, turns_));
        if (drawn == castors::draw_card) best.consider(castors::DrawCard{}, 0);  // it costs nothing
        if (drawn == castors::swap_card) swaps(best);
        if (drawn == castors::peek_card) peeks(best);
        if (!castors::is_special(drawn))
            for (int at = 0; at < castors::positions; ++at)
                best.consider(castors::Keep{at}, later(at, drawn));
        if (view_.rejectable) best.consider(castors::Reject{}, second_card());
        return best;
    }

    /// After a call each of the others has one more turn; if nobody calls, they have two, and so
    /// the call pays when their second turn brings more than another one of its own.
    Best call() const {
        double theirs = 0;
        for (int seat = 0; seat < view_.seats(); ++seat) {
            if (seat == view_.seat) continue;
            const Points row = odds_.row(seat);
            theirs += (odds_.after(row, 1) - odds_.after(row, 2)) / (view_.seats() - 1);
        }
        const double mine = sum(row_) - odds_.after(row_, 1);
        Best best;
        best.consider(castors::Wait{}, sum(row_) - mine);
        if (mine <= theirs - doubt) best.consider(castors::Call{}, 0);
        return best;
    }

    double now() const { return sum(row_); }

private:
    double later(int position, double points) const {
        return odds_.after(with(row_, position, points), turns_);
    }

    /// What rises in another row counts as well, shared among all others.
    void swaps(Best& best) const {
        const double share = 1.0 / (view_.seats() - 1);
        for (int at = 0; at < castors::positions; ++at)
            for (int seat = 0; seat < view_.seats(); ++seat)
                for (int its = 0; its < castors::positions; ++its) {
                    if (seat == view_.seat) continue;
                    const double points = odds_.points(seat, its);
                    best.consider(castors::Swap{at, seat, its},
                                  later(at, points) - share * (row_[at] - points));
                }
    }

    /// To know a card is worth what can be done better with it known, over all that it may be.
    void peeks(Best& best) const {
        for (int at = 0; at < castors::positions; ++at) {
            if (castors::own_row(view_)[at] != castors::unknown) continue;
            const Chances likely = odds_.chances(view_.seat, at);
            double expected = 0;
            for (int card = 0; card < castors::kinds; ++card)
                if (likely[card] > 0) expected += likely[card] * later(at, odds_.points(card));
            best.consider(castors::Peek{at}, expected - 1e-6);
        }
    }

    /// What a second card would bring, in place of the first from a draw card.
    double second_card() const {
        Chances used;
        used.fill(odds_.after(row_, turns_));
        for (int card = 0; card <= castors::nine; ++card)
            for (int at = 0; at < castors::positions; ++at)
                used[card] = std::min(used[card], later(at, card));
        return odds_.expected(used);
    }

    const castors::View& view_;
    Odds odds_;
    Points row_;
    int turns_;
};

arena::Choice choose(arena::Question& question) {
    const castors::View view = castors::view(question);
    const Decision decision(view);
    const Best best = question.kind == "turn"   ? decision.turn()
                      : question.kind == "card" ? decision.card()
                                                : decision.call();
    char note[60];
    std::snprintf(note, sizeof note, "row worth %.1f", decision.now());
    question.note = note;
    return *best.action;
}

}  // namespace

int main() {
    return arena::run(choose,
                      {.name = "actuary", .version = "1", .actions = false, .events = false});
}
