/// A game of Gargon with all its cards, and a quick way to play it to its end.
#pragma once

#include <algorithm>
#include <arena/random.hpp>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "cards.hpp"

constexpr int most_seats = 5;

/// One of the stacks: its cards, and how many of them were drawn.
struct Stack {
    std::array<std::uint8_t, 36> cards;
    int size = 0, drawn = 0;

    int left() const { return size - drawn; }
};

/// A way to play: cards by colour, or none and a pass.
struct Turn {
    Hand cards{};
    bool passes = false;
    double rate = 0;
};

/// Cards of one colour that could be played.
struct Option {
    double rate = -1e9;
    int colour = -1;
    Bits cards = 0;
};

/// What is known of how a seat's cards stand.
struct Outlook {
    std::array<double, gargon::colours> rivals;  // how many cards are to be beaten in a colour
    Bits allowed;                                // colours that may be played
};

class World {
public:
    int seats = 0, starter = 0;
    std::array<Hand, most_seats> hands{}, table{}, won{};
    std::array<Stack, 2> stacks;
    int shape = 0;  // of the round, a digit for each colour, most first; 0 before it is known
    std::array<int, most_seats> drawing{};
    int drawers = 0;

    explicit World(const Scoring& scoring) : scoring_(&scoring) {}

    /// Seats from this place in the round on play or pass; the battles; and all rounds to the end.
    void play_on(int place, arena::Random& random) {
        for (;;) {
            for (; place < seats; ++place) take_turn(place, random);
            if (!settle_round(random)) return;
            place = 0;
        }
    }

    /// From battles that have begun to the end. `first` is the colour that is fought next, or -1.
    void fight_on(int first, arena::Random& random) {
        for (int at = 0; at < drawers; ++at) draw(drawing[at], random);
        drawers = 0;
        if (first >= 0) fight(first, random);
        if (settle_round(random)) play_on(0, random);
    }

    std::array<int, most_seats> points() const { return scoring_->points(won, seats); }

    void put_down(int seat, const Hand& cards) {
        for (int colour = 0; colour < gargon::colours; ++colour) {
            hands[seat][colour] &= ~cards[colour];
            table[seat][colour] |= cards[colour];
        }
        if (!shape) shape = shape_of(cards);
    }

    void draw_from(int stack, int seat) {
        Stack& from = stacks[stack];
        add(hands[seat], from.cards[from.drawn++]);
    }

    /// The outlook of a seat at its place in the round, by what lies there and the others' backs.
    Outlook outlook(int place) const {
        const int seat = (starter + place) % seats;
        Outlook found{};
        Bits lying = 0;
        for (int other = 0; other < seats; ++other) {
            const int later = (other - starter + seats) % seats > place;
            for (int colour = 0; colour < gargon::colours; ++colour) {
                const Bits cards = table[other][colour];
                if (cards) lying |= Bits{1} << colour;
                if (other == seat) continue;
                found.rivals[colour] += std::popcount(cards);
                if (later && hands[other][colour]) found.rivals[colour] += may_come;
            }
        }
        found.allowed = place == seats - 1 ? lying : 0b111111;
        return found;
    }

    /// What a card is worth to a seat at such odds.
    double rate(int seat, int colour, Bits card, double rivals) const {
        const int value = value_of(card);
        const Bits mine = won[seat][colour];
        double worth = value ? majority + (scoring_->amulets(value) << std::popcount(mine & 3))
                             : zero + scoring_->sum(mine) * 0.7;
        return worth * chance(value, rivals) - keep;
    }

    /// How likely a card wins against so many others.
    static double chance(int value, double rivals) {
        static const auto table = [] {
            std::array<std::array<double, 32>, 16> found;
            for (int v = 0; v < 16; ++v)
                for (int halves = 0; halves < 32; ++halves)
                    found[v][halves] = std::pow(v / 16.0, halves / 2.0);
            return found;
        }();
        return table[value][std::min(31, static_cast<int>(rivals * 2))];
    }

    static constexpr double majority = 4, zero = 5, keep = 1.5, pass = 0.5, may_come = 0.5;

private:
    static int shape_of(const Hand& cards) {
        int found = 0;
        for (Bits of_colour : cards)
            if (of_colour) found = found * 10 + std::popcount(of_colour);
        return found == 12 ? 21 : found;
    }

    void take_turn(int place, arena::Random& random) {
        const int seat = (starter + place) % seats;
        const Turn turn = choose(seat, place, random);
        if (!turn.passes) return put_down(seat, turn.cards);
        for (int drawn = 0; drawn < 3; ++drawn)
            if (!draw(seat, random)) return;
    }

    /// The best rated cards of any shape that the seat can play, or a pass.
    Turn choose(int seat, int place, arena::Random& random) const {
        const Outlook seen = outlook(place);
        std::array<Option, 3> ones;  // the best single cards, of three colours
        std::array<Option, 2> twos;  // the best pairs, of two colours
        for (int colour = 0; colour < gargon::colours; ++colour) {
            Bits cards = hands[seat][colour];
            if (!cards || !(seen.allowed >> colour & 1)) continue;
            double best = -1e9, second = -1e9;
            Bits best_card = 0, second_card = 0;
            for (; cards; cards &= cards - 1) {
                const Bits card = cards & -cards;
                const double noise = static_cast<double>(random() & 1023) / 1024.0;
                const double rated = rate(seat, colour, card, seen.rivals[colour]) + noise;
                if (rated > best) {
                    second = std::exchange(best, rated);
                    second_card = std::exchange(best_card, card);
                } else if (rated > second) {
                    second = rated;
                    second_card = card;
                }
            }
            insert(ones, Option{best, colour, best_card});
            if (second_card)
                insert(twos, Option{best + second, colour, best_card | second_card});
        }
        Turn found;
        found.passes = true;
        found.rate = place ? pass : -1e9;
        const auto consider = [&](double rated, std::initializer_list<Option> options) {
            if (rated <= found.rate) return;
            found = {{}, false, rated};
            for (const Option& option : options) found.cards[option.colour] = option.cards;
        };
        const auto fits = [this](int played) { return !shape || shape == played; };
        const auto& [a, b, c] = ones;
        if (a.cards && fits(1)) consider(a.rate, {a});
        if (b.cards && fits(11)) consider(a.rate + b.rate, {a, b});
        if (c.cards && fits(111)) consider(a.rate + b.rate + c.rate, {a, b, c});
        for (const Option& pair : twos) {
            const Option& other = a.colour == pair.colour ? b : a;
            if (pair.cards && fits(2)) consider(pair.rate, {pair});
            if (pair.cards && other.cards && fits(21))
                consider(pair.rate + other.rate, {pair, other});
        }
        return found;
    }

    template <class Options>
    static void insert(Options& best, Option option) {
        for (Option& there : best)
            if (option.rate > there.rate) std::swap(option, there);
    }

    bool draw(int seat, arena::Random& random) {
        const bool first = stacks[0].left(), second = stacks[1].left();
        if (!first && !second) return false;
        draw_from(first && second ? random() >> 63 : !first, seat);
        return true;
    }

    /// All battles of the round, and who starts the next; false if the game has ended.
    bool settle_round(arena::Random& random) {
        for (int colour = 0; colour < gargon::colours; ++colour) fight(colour, random);
        if (!stacks[0].left() || !stacks[1].left()) return false;
        shape = 0;
        for (int next = 1; next <= seats; ++next) {
            const int seat = (starter + next) % seats;
            if (empty(hands[seat])) continue;
            starter = seat;
            return true;
        }
        return false;
    }

    /// Battles in a colour until no cards of it are left on the table.
    void fight(int colour, arena::Random& random) {
        for (;;) {
            int fighters = 0, winner = -1;
            Bits best = 0;
            for (int seat = 0; seat < seats; ++seat) {
                const Bits cards = table[seat][colour];
                if (!cards) continue;
                ++fighters;
                if (highest(cards) > best) best = highest(cards), winner = seat;
            }
            if (!fighters) return;
            if (fighters == 1) {
                won[winner][colour] |= merged(won[winner][colour], table[winner][colour]);
                table[winner][colour] = 0;
                return;
            }
            const bool only_zeros = best <= both_zeros;
            for (int place = 0; place < seats; ++place) {
                const int seat = (starter + place) % seats;
                const Bits card = highest(table[seat][colour]);
                table[seat][colour] &= ~card;
                if (!card || only_zeros) continue;
                if (seat == winner) won[seat][colour] |= card;
                else draw(seat, random);
            }
        }
    }

    /// Won cards with more of them: a zero that comes to the same zero is the other one.
    static Bits merged(Bits there, Bits more) {
        Bits both = there | more;
        if (there & more & both_zeros) both |= both_zeros;
        return both;
    }

    const Scoring* scoring_;
};
