/// A first bot for Gang de Castors: it keeps low cards and calls when its row is low.
#pragma once

#include <algorithm>
#include <arena/castors.hpp>
#include <numeric>
#include <optional>

namespace castors = arena::castors;

inline constexpr double gain = 1;  // exchange only if it saves more points than this
inline constexpr double low = 10;  // call with a row of at most this many points

/// The points of the own row, place by place, and its worst place.
struct Row {
    castors::Row<double> points;
    int worst;

    explicit Row(const castors::View& view) {
        for (int at = 0; at < castors::positions; ++at)
            points[at] = castors::expected_points(view, view.seat, at);
        worst = static_cast<int>(std::max_element(points.begin(), points.end()) - points.begin());
    }
    double highest() const { return points[worst]; }
    double sum() const { return std::accumulate(points.begin(), points.end(), 0.0); }
};

/// The other seats' card that is probably lowest, if it is lower than a new card would be.
inline std::optional<castors::Swap> low_card_of_others(const castors::View& view, int mine) {
    std::optional<castors::Swap> best;
    double lowest = castors::mean_value(castors::pile_pool(view)) - gain;
    for (int seat = 0; seat < view.seats(); ++seat)
        for (int at = 0; at < castors::positions; ++at) {
            if (seat == view.seat) continue;
            double points = castors::expected_points(view, seat, at);
            const bool hidden = view.rows[seat][at] == castors::unknown;
            if (hidden && view.kept[seat][at]) points /= 2;  // it was kept because it is low
            if (points < lowest) {
                lowest = points;
                best = castors::Swap{mine, seat, at};
            }
        }
    return best;
}

/// Returns how to use the drawn card.
inline arena::Choice use(const castors::View& view, const Row& row) {
    const castors::Card card = view.drawn.value();
    if (!castors::is_special(card)) {
        if (row.highest() - card > gain) return castors::Keep{row.worst};
        if (view.rejectable) return castors::Reject{};
        return castors::Discard{};
    }
    if (card == castors::swap_card) {
        const auto swap = low_card_of_others(view, row.worst);
        const bool pays = swap && row.highest() > castors::mean_value(castors::pile_pool(view));
        return pays ? arena::Choice(*swap) : castors::Discard{};
    }
    if (card == castors::peek_card) {
        const auto& mine = castors::own_row(view);
        const auto hidden = std::find(mine.begin(), mine.end(), castors::unknown);
        if (hidden == mine.end()) return castors::Discard{};
        return castors::Peek{static_cast<int>(hidden - mine.begin())};
    }
    return castors::DrawCard{};
}

/// Returns an action; `arena game show castors` lists those of each kind of question.
inline arena::Choice choose(arena::Question& question) {
    const castors::View view = castors::view(question);
    const Row row(view);
    if (question.kind == "call") {
        if (row.sum() <= low) return castors::Call{};
        return castors::Wait{};
    }
    if (question.kind == "turn") {
        const double saved = row.highest() - castors::top_discard(view);
        const double enough = castors::mean_value(castors::pile_pool(view)) / 2;
        if (saved > enough) return castors::Take{row.worst};
        return castors::DrawCard{};
    }
    return use(view, row);
}
