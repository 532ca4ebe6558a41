/// The messages of the referee to a bot.
#pragma once

#include <arena/action.hpp>
#include <arena/random.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

/// Reads the values of a map by their keys; other keys are ignored.
template <class Read>
void read_map(const msgpack::object& map, Read&& read) {
    if (map.type != msgpack::type::MAP) throw msgpack::type_error();
    const msgpack::object_kv* pair = map.via.map.ptr;
    for (const auto* end = pair + map.via.map.size; pair != end; ++pair)
        if (pair->key.type == msgpack::type::STR)
            read(std::string_view(pair->key.via.str.ptr, pair->key.via.str.size), pair->val);
}

/// Milliseconds: for each decision, for longer ones in a game, and until a process has said hello.
struct Clock {
    std::int64_t decision = 0, bank = 0, start = 0;
    MSGPACK_DEFINE_MAP(decision, bank, start)
};

/// The start of a game: the game, its rules, and this bot's seat.
///
/// `seed` is this bot's own seed for this game; `random` is a generator made from it.
class Start {
public:
    std::int64_t number = 0;
    std::string game;
    msgpack::object rules;
    int seat = 0, seats = 0;
    std::uint32_t seed = 0;
    Clock clock;
    mutable Random random{0};

    explicit Start(const msgpack::object& message) : kept_(msgpack::clone(message)) {
        read_map(kept_.get(), [this](std::string_view key, const msgpack::object& value) {
            if (key == "number") value.convert(number);
            else if (key == "game") value.convert(game);
            else if (key == "rules") rules = value;
            else if (key == "seat") value.convert(seat);
            else if (key == "seats") value.convert(seats);
            else if (key == "seed") value.convert(seed);
            else if (key == "clock") value.convert(clock);
        });
        random = Random(seed);
    }

private:
    msgpack::object_handle kept_;  // what `rules` points into
};

/// A decision to make.
///
/// `kind` is the kind of decision. `view` is what this seat sees; `gargon::view` or `castors::view`
/// reads it. `events` has what happened since the bot was last asked; `first_event` is the number
/// of the first event. `actions` has the legal actions, in canonical order, if the bot wants them.
/// `bank` is the rest of the game's bank in milliseconds. Replays show the text assigned to `note`.
///
/// A question is valid only until it has been answered.
class Question {
public:
    std::int64_t id = 0;
    std::string kind;
    msgpack::object view;
    Actions actions;
    Events events;
    std::int64_t first_event = 0;
    std::int64_t bank = 0;
    std::string note;
    const Start& start;
    Random& random;

    Question(const msgpack::object& message, const Start& game)
        : start(game), random(game.random) {
        read_map(message, [this](std::string_view key, const msgpack::object& value) {
            if (key == "id") value.convert(id);
            else if (key == "kind") value.convert(kind);
            else if (key == "view") view = value;
            else if (key == "bank") value.convert(bank);
            else if (key == "actions") actions = Actions(value);
            else if (key == "first_event") value.convert(first_event);
            else if (key == "events") events = Events(value);
        });
    }
};

/// This bot has failed and is out of the game: `text` is the reason.
struct Fault {
    std::string verdict, text, follows;
    std::int64_t decision = 0;
    MSGPACK_DEFINE_MAP(verdict, text, follows, decision)
};

/// The end of a game: scores, places and verdicts by seat, and the last events.
class End {
public:
    std::vector<std::int64_t> scores, places;
    std::vector<std::string> verdicts;
    Events events;
    std::int64_t first_event = 0;
    const Start& start;

    End(const msgpack::object& message, const Start& game) : start(game) {
        read_map(message, [this](std::string_view key, const msgpack::object& value) {
            if (key == "scores") value.convert(scores);
            else if (key == "places") value.convert(places);
            else if (key == "verdicts") value.convert(verdicts);
            else if (key == "first_event") value.convert(first_event);
            else if (key == "events") events = Events(value);
        });
    }
};

}  // namespace arena
