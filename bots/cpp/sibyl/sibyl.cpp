/// Deals the hidden cards in every way that the backs allow, plays each such game to its end after
/// every move that it could make, and takes the move that ends best on average.
#include <arena/bot.hpp>
#include <cstdio>
#include <optional>

#include "search.hpp"

class Sibyl final : public arena::Bot {
public:
    Sibyl() {
        name = "sibyl";
        version = "1";
    }

    void start(const arena::Start& start) override {
        won_.assign(static_cast<std::size_t>(start.seats), {});
        scoring_.emplace(gargon::rules(start));
    }

    arena::Choice choose(arena::Question& question) override {
        for (const msgpack::object& event : question.events) remember(gargon::event(event));
        const gargon::View view = gargon::view(question);
        const auto moves = gargon::moves(question);
        Knowledge knowledge(view, won_, *scoring_);
        const auto found = Search(view, moves, knowledge, question.random).best();
        char note[80];
        std::snprintf(note, sizeof note, "%+.2f in %d games after %zu moves", found.gain,
                      found.games, moves.size());
        question.note = note;
        return found.move;
    }

private:
    /// Who has won which cards is seen by all when it happens.
    void remember(const gargon::Event& event) {
        if (const auto* won = std::get_if<gargon::Won>(&event))
            for (gargon::Card card : won->cards) won_.at(won->seat).push_back(card);
        if (const auto* fought = std::get_if<gargon::Fought>(&event))
            for (std::size_t at = 0; at < fought->seats.size(); ++at)
                if (fought->seats[at] == fought->winner)
                    won_.at(fought->winner).push_back(fought->cards[at]);
    }

    std::vector<gargon::Cards> won_;
    std::optional<Scoring> scoring_;
};

int main() {
    Sibyl bot;
    return arena::run(bot);
}
