/// Cards of one colour as bits, so that counting, finding the highest and scoring are quick.
#pragma once

#include <arena/gargon.hpp>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace gargon = arena::gargon;

/// Bits 0 and 1 are the two zeros, bits 2 to 16 the values 1 to 15.
using Bits = std::uint32_t;

/// By colour.
using Hand = std::array<Bits, gargon::colours>;

constexpr Bits both_zeros = 0b11;

inline Bits highest(Bits cards) { return std::bit_floor(cards); }
inline int value_of(Bits card) { return card > both_zeros ? std::bit_width(card) - 2 : 0; }

/// Adds a card; which of the two zeros it is does not matter.
inline void add(Bits& cards, int value) {
    if (value) cards |= Bits{1} << (value + 1);
    else cards |= cards & 1 ? 2 : 1;
}
inline void add(Hand& hand, gargon::Card card) {
    add(hand[gargon::colour(card)], gargon::value(card));
}
inline Hand hand_of(const gargon::Cards& cards) {
    Hand hand{};
    for (gargon::Card card : cards) add(hand, card);
    return hand;
}

inline bool empty(const Hand& hand) {
    Bits any = 0;
    for (Bits cards : hand) any |= cards;
    return !any;
}

/// Points at the end, under the rules of a game.
class Scoring {
public:
    explicit Scoring(const gargon::Rules& rules) : sums_(1 << 15) {
        for (std::size_t values = 0; values < sums_.size(); ++values)
            for (int value = 1; value <= 15; ++value)
                if (values >> (value - 1) & 1) sums_[values] += gargon::amulets(value, rules);
        for (int value = 0; value <= 15; ++value) amulets_[value] = gargon::amulets(value, rules);
    }

    int amulets(int value) const { return amulets_[value]; }

    /// The amulets on won cards of one colour, without what zeros make of them.
    int sum(Bits cards) const { return sums_[cards >> 2]; }

    /// The points of every seat.
    template <class Piles>
    std::array<int, 5> points(const Piles& won, int seats) const {
        std::array<int, 5> found{};
        for (int colour = 0; colour < gargon::colours; ++colour) {
            int most = 1, tied = 0;
            for (int seat = 0; seat < seats; ++seat) {
                const Bits cards = won[seat][colour];
                found[seat] += sum(cards) << std::popcount(cards & both_zeros);
                const int count = std::popcount(cards);
                if (count > most) most = count, tied = 1;
                else if (count == most) ++tied;
            }
            for (int seat = 0; seat < seats; ++seat)
                if (std::popcount(won[seat][colour]) == most) found[seat] += tied == 1 ? 10 : 5;
        }
        return found;
    }

private:
    std::vector<int> sums_;
    std::array<int, 16> amulets_{};
};
