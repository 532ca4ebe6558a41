/// What cards may lie where, and what points a row is worth after some more turns.
#pragma once

#include <algorithm>
#include <arena/castors.hpp>
#include <array>
#include <numeric>

namespace castors = arena::castors;

/// The points to expect of a row, place by place.
using Points = castors::Row<double>;

inline double sum(const Points& row) { return std::accumulate(row.begin(), row.end(), 0.0); }

inline Points with(Points row, int position, double points) {
    row[position] = points;
    return row;
}

/// How likely each card is.
using Chances = std::array<double, castors::kinds>;

class Odds {
public:
    explicit Odds(const castors::View& view)
        : view_(view), pile_(scaled(castors::pile_pool(view), [](int) { return 1.0; })),
          replaced_(castors::mean_value(castors::pile_pool(view))) {
        for (int seat = 0; seat < view.seats(); ++seat)
            for (int position = 0; position < castors::positions; ++position)
                if (seat != view.seat) lowest_ = std::min(lowest_, points(seat, position));
    }

    /// The points of a card in a row; a special one is replaced when the deal ends.
    double points(castors::Card card) const { return castors::is_special(card) ? replaced_ : card; }

    double points(int seat, int position) const {
        const Chances likely = chances(seat, position);
        double expected = 0;
        for (int card = 0; card < castors::kinds; ++card) expected += likely[card] * points(card);
        return expected;
    }

    Points row(int seat) const {
        Points found;
        for (int position = 0; position < castors::positions; ++position)
            found[position] = points(seat, position);
        return found;
    }

    /// What may lie at a place. Others keep low cards, and leave lying what they know to be low.
    Chances chances(int seat, int position) const {
        const castors::Pool pool = castors::pool(view_, seat, position);
        const bool other = seat != view_.seat;
        const bool kept = other && view_.kept[seat][position];
        const bool seen = other && view_.known_by[seat][position] >> seat & 1;
        return scaled(pool, [&](int card) {
            if (kept) return std::max(0.1, 1 - card / 7.0);
            if (seen) return castors::is_special(card) ? 0.6 : 1 - card / 18.0;
            return 1.0;
        });
    }

    const Chances& pile() const { return pile_; }

    /// The points of a row to expect after so many more turns, each used as well as can be.
    double after(const Points& row, int turns) const {
        if (turns == 0) return sum(row);
        const double unchanged = after(row, turns - 1);
        const auto highest = std::max_element(row.begin(), row.end());
        const int worst = static_cast<int>(highest - row.begin());
        Chances used;
        for (int card = 0; card < castors::kinds; ++card) {
            const double points = card == castors::swap_card ? lowest_ : card;
            const bool lower = card <= castors::swap_card && points < *highest;
            used[card] = lower ? after(with(row, worst, points), turns - 1) : unchanged;
        }
        return expected(used);
    }

    /// The mean over the pile of what each card leads to; a draw card gives two chances.
    double expected(Chances used) const {
        double second = 0, first = 0, all = 0;
        for (int card = 0; card < castors::kinds; ++card) second += pile_[card] * used[card];
        for (int card = 0; card < castors::kinds; ++card)
            first += pile_[card] * std::min(used[card], second);
        used[castors::draw_card] = std::min(first, second);
        for (int card = 0; card < castors::kinds; ++card) all += pile_[card] * used[card];
        return all;
    }

private:
    template <class Weight>
    static Chances scaled(const castors::Pool& pool, Weight&& weight) {
        Chances found{};
        double all = 0;
        for (int card = 0; card < castors::kinds; ++card)
            all += found[card] = pool[card] * weight(card);
        if (all > 0)
            for (double& chance : found) chance /= all;
        return found;
    }

    const castors::View& view_;
    Chances pile_;
    double replaced_;
    double lowest_ = castors::nine;  // of the others' cards
};
