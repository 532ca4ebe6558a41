/// A first bot for Gargon: it plays the cards with the highest expected points.
#pragma once

#include <algorithm>
#include <arena/gargon.hpp>
#include <cmath>
#include <vector>

namespace gargon = arena::gargon;

inline constexpr double majority = 4;  // value of a won card for the bonus for most cards
inline constexpr double zero = 8;      // value of a won 0, as it doubles the amulets of its colour
inline constexpr double pass = 1.5;    // draw cards rather than play for less than this

/// Rates actions in one position.
class Rating {
public:
    explicit Rating(const arena::Question& question)
        : view_(gargon::view(question)), rules_(gargon::rules(question.start)) {}

    /// The value of the cards, each times its chance to win.
    double operator()(const gargon::Play& play) const {
        double sum = 0;
        for (gargon::Card card : play.cards) sum += worth(card) * chance(card);
        return sum;
    }

    double operator()(const gargon::Pass& drawn) const {
        return pass + 0.1 * (drawn.first + drawn.second);
    }

    /// Fight first in the colour of its highest card.
    double operator()(const gargon::Battle& battle) const {
        int best = 0;
        for (gargon::Card card : *view_.table[view_.seat])
            if (gargon::colour(card) == battle.colour) best = std::max(best, gargon::value(card));
        return best;
    }

    /// Draw the colour in which most cards were won already.
    double operator()(const gargon::Draw& draw) const {
        const int top = view_.stacks[draw.stack].front();
        return gargon::count(*view_.won[view_.seat])[top];
    }

private:
    /// Points that a won card brings: its amulets, and a share of the majority of its colour.
    double worth(gargon::Card card) const {
        if (gargon::value(card) == 0) return zero;
        return majority + gargon::amulets(card, rules_);
    }

    /// The probability that a card wins: 1 if it is alone, else higher for higher cards.
    double chance(gargon::Card card) const {
        const int colour = gargon::colour(card);
        double rivals = 0;
        for (int other = 0; other < view_.seats(); ++other)
            if (other != view_.seat) rivals += view_.played[other][colour];
        for (int other : gargon::seats_after(view_))
            if (view_.hands[other][colour]) rivals += 0.5;  // it may choose this colour
        return std::pow(gargon::value(card) / 16.0, rivals);
    }

    gargon::View view_;
    gargon::Rules rules_;
};

/// The best legal action: the first of the best rated.
inline arena::Choice choose(arena::Question& question) {
    const Rating rating(question);
    std::vector<double> rates;
    for (const gargon::Move& move : gargon::moves(question))
        rates.push_back(std::visit(rating, move));
    return std::max_element(rates.begin(), rates.end()) - rates.begin();
}
