/// Which move does best when the game is played out from it, over many worlds.
#pragma once

#include <numeric>

#include "knowledge.hpp"

class Search {
public:
    struct Found {
        std::size_t move;
        double gain;
        int games;
    };

    Search(const gargon::View& view, const std::vector<gargon::Move>& moves, Knowledge& knowledge,
           arena::Random& random)
        : view_(view), moves_(moves), knowledge_(knowledge), random_(random) {}

    /// Half of the moves are dropped again and again, and the rest tried in more worlds.
    Found best() {
        std::vector<std::size_t> left = promising();
        std::vector<double> gains(moves_.size());
        int worlds = 0, games = 0;
        for (int more = first_worlds; left.size() > 1 && worlds < most_worlds; more *= 2) {
            for (int world = 0; world < more; ++world, ++worlds) {
                const World dealt = knowledge_.world(random_);
                const std::uint64_t luck = random_();  // the same for all moves
                for (std::size_t move : left) gains[move] += gain(dealt, moves_[move], luck);
                games += static_cast<int>(left.size());
            }
            std::stable_sort(left.begin(), left.end(),
                             [&](std::size_t a, std::size_t b) { return gains[a] > gains[b]; });
            left.resize((left.size() + 1) / 2);
        }
        return {left.front(), worlds ? gains[left.front()] / worlds : 0, games};
    }

private:
    static constexpr std::size_t widest = 24;
    static constexpr int first_worlds = 12, most_worlds = 400;

    /// The moves worth a try: those that rate best at first sight.
    std::vector<std::size_t> promising() const {
        std::vector<std::size_t> found(moves_.size());
        std::iota(found.begin(), found.end(), std::size_t{0});
        if (found.size() <= widest) return found;
        const World& known = knowledge_.known();
        World seen = known;  // the backs that lie on the table count as cards, whatever they are
        for (int seat = 0; seat < view_.seats(); ++seat)
            for (int colour = 0; colour < gargon::colours; ++colour) {
                if (!view_.table[seat])
                    seen.table[seat][colour] = (Bits{4} << view_.played[seat][colour]) - Bits{4};
                if (seat != view_.seat) seen.hands[seat][colour] = view_.hands[seat][colour] != 0;
            }
        const Outlook outlook = seen.outlook(place());
        std::vector<double> rates;
        for (const gargon::Move& move : moves_) {
            double rated = 1e6;  // passes are few
            if (const auto* play = std::get_if<gargon::Play>(&move)) {
                rated = 0;
                for (gargon::Card card : play->cards) {
                    Bits bit = 0;
                    add(bit, gargon::value(card));
                    const int colour = gargon::colour(card);
                    rated += known.rate(view_.seat, colour, bit, outlook.rivals[colour]);
                }
            }
            rates.push_back(rated);
        }
        std::stable_sort(found.begin(), found.end(),
                         [&](std::size_t a, std::size_t b) { return rates[a] > rates[b]; });
        found.resize(widest);
        return found;
    }

    /// How far ahead of the others the seat ends if it makes this move in this world.
    double gain(World world, const gargon::Move& move, std::uint64_t luck) const {
        arena::Random random(luck);
        const int me = view_.seat;
        if (const auto* play = std::get_if<gargon::Play>(&move)) {
            Hand cards{};
            for (gargon::Card card : play->cards) add(cards, card);
            world.put_down(me, cards);
            world.play_on(place() + 1, random);
        } else if (const auto* pass = std::get_if<gargon::Pass>(&move)) {
            for (int n = 0; n < pass->first; ++n) world.draw_from(0, me);
            for (int n = 0; n < pass->second; ++n) world.draw_from(1, me);
            world.play_on(place() + 1, random);
        } else if (const auto* draw = std::get_if<gargon::Draw>(&move)) {
            world.draw_from(draw->stack, me);
            std::rotate(world.drawing.begin(), world.drawing.begin() + 1, world.drawing.end());
            --world.drawers;
            world.fight_on(view_.fighting, random);
        } else {
            world.fight_on(std::get<gargon::Battle>(move).colour, random);
        }
        const auto points = world.points();
        double sum = 0;
        for (int other = 0; other < world.seats; ++other) {
            const double ahead = points[me] - points[other];
            if (other != me) sum += std::clamp(ahead / 10, -1.0, 1.0) + ahead / 50;
        }
        return sum / (world.seats - 1);
    }

    /// How many seats play before this one in the round.
    int place() const {
        return view_.seats() - 1 - static_cast<int>(gargon::seats_after(view_).size());
    }

    const gargon::View& view_;
    const std::vector<gargon::Move>& moves_;
    Knowledge& knowledge_;
    arena::Random& random_;
};
