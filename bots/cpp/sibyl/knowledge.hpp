/// What a seat knows of all cards, and worlds that agree with it.
#pragma once

#include "world.hpp"

class Knowledge {
public:
    Knowledge(const gargon::View& view, const std::vector<gargon::Cards>& won,
              const Scoring& scoring)
        : view_(view), known_(scoring) {
        known_.seats = view.seats();
        known_.starter = view.starter;
        known_.hands[view.seat] = hand_of(view.hand);
        gargon::Cards seen = view.hand;
        const auto see = [&](const gargon::Cards& cards) {
            seen.insert(seen.end(), cards.begin(), cards.end());
        };
        see(view.discards);
        for (int seat = 0; seat < view.seats(); ++seat) {
            known_.won[seat] = hand_of(won[seat]);
            see(won[seat]);
            if (!view.table[seat]) continue;
            known_.table[seat] = hand_of(*view.table[seat]);
            see(*view.table[seat]);
        }
        if (view.shape)
            for (int cards : *view.shape) known_.shape = known_.shape * 10 + cards;
        for (int seat : view.drawing) known_.drawing[known_.drawers++] = seat;
        std::array<int, 96> copies{};
        for (gargon::Card card = 0; card < 96; ++card) copies[card] = gargon::copies(card);
        for (gargon::Card card : seen) --copies[card];
        for (gargon::Card card = 0; card < 96; ++card)
            for (int copy = 0; copy < copies[card]; ++copy)
                unseen_[gargon::colour(card)].push_back(card);
    }

    /// A world in which every card that this seat cannot see lies where its back is seen.
    World world(arena::Random& random) {
        for (gargon::Cards& cards : unseen_) random.shuffle(cards);
        std::array<int, gargon::colours> next{};
        const auto deal = [&](int colour) { return unseen_[colour][next[colour]++]; };
        World dealt = known_;
        for (int seat = 0; seat < view_.seats(); ++seat)
            for (int colour = 0; colour < gargon::colours; ++colour) {
                if (seat != view_.seat)
                    for (int n = view_.hands[seat][colour]; n > 0; --n)
                        add(dealt.hands[seat], deal(colour));
                if (!view_.table[seat])
                    for (int n = view_.played[seat][colour]; n > 0; --n)
                        add(dealt.table[seat], deal(colour));
            }
        for (int stack = 0; stack < 2; ++stack)
            for (int colour : view_.stacks[stack]) {
                Stack& to = dealt.stacks[stack];
                to.cards[to.size++] = static_cast<std::uint8_t>(deal(colour));
            }
        return dealt;
    }

    const World& known() const { return known_; }

private:
    const gargon::View& view_;
    World known_;
    std::array<gargon::Cards, gargon::colours> unseen_;
};
