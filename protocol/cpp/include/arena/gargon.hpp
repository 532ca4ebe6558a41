/// Gargon: its cards, actions, views, events and rules in types.
#pragma once

#include <algorithm>
#include <arena/message.hpp>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace arena::gargon {

inline constexpr std::string_view name = "gargon";

// Cards

/// A card is `colour * 16 + value`; the two zeros of a colour are the same number.
using Card = int;
using Cards = std::vector<Card>;
/// Cards, or nothing if this seat cannot see them.
using Hidden = std::optional<Cards>;

inline constexpr int colours = 6;
inline constexpr int highest = 15;
inline constexpr std::array<std::string_view, colours> colour_names{"white", "blue",   "violet",
                                                                    "red",   "yellow", "green"};

constexpr int colour(Card card) { return card / 16; }
constexpr int value(Card card) { return card % 16; }
constexpr Card card(int colour, int value) { return colour * 16 + value; }
inline std::string colour_name(int colour) {
    return std::string(colour_names.at(static_cast<std::size_t>(colour)));
}
/// The name of a card: "red 9".
inline std::string card_name(Card card) {
    return colour_name(colour(card)) + " " + std::to_string(value(card));
}

/// The number of copies of a card.
constexpr int copies(Card card) { return value(card) == 0 ? 2 : 1; }

/// The number of cards of each colour.
using Counts = std::array<int, colours>;

inline Counts count(const Cards& cards) {
    Counts counts{};
    for (Card card : cards) ++counts.at(static_cast<std::size_t>(colour(card)));
    return counts;
}

/// The shape of a play: the number of cards of each of its colours, most first: {2, 1}.
using Shape = std::vector<int>;

inline Shape shape(const Cards& cards) {
    Shape found;
    for (int cards_of_it : count(cards))
        if (cards_of_it) found.push_back(cards_of_it);
    std::sort(found.begin(), found.end(), std::greater<>());
    return found;
}

// Rules

struct Rules {
    bool open_winnings = false;
    std::vector<int> amulets{5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1};  // of the values from 1
    MSGPACK_DEFINE_MAP(open_winnings, amulets)
};

/// The amulets on a card.
inline int amulets(Card card, const Rules& rules) {
    const auto index = static_cast<std::size_t>(value(card)) - 1;  // huge for a zero
    return index < rules.amulets.size() ? rules.amulets[index] : 0;
}

// Actions

struct Play {
    Cards cards;
    operator Action() const { return {"play", cards}; }
    bool operator==(const Play&) const = default;
};
struct Pass {
    int first = 0, second = 0;  // cards drawn from the stacks 0 and 1
    operator Action() const { return {"pass", {first, second}}; }
    bool operator==(const Pass&) const = default;
};
struct Battle {
    int colour = 0;
    operator Action() const { return {"battle", {colour}}; }
    bool operator==(const Battle&) const = default;
};
struct Draw {
    int stack = 0;
    operator Action() const { return {"draw", {stack}}; }
    bool operator==(const Draw&) const = default;
};
using Move = std::variant<Play, Pass, Battle, Draw>;

/// The action in its type.
inline Move move(const Action& action) {
    const auto& numbers = action.numbers;
    if (action.verb == "play") return Play{numbers};
    if (action.verb == "pass") return Pass{numbers.at(0), numbers.at(1)};
    if (action.verb == "battle") return Battle{numbers.at(0)};
    if (action.verb == "draw") return Draw{numbers.at(0)};
    throw ProtocolError("expected an action of Gargon, got \"" + action.verb + "\"");
}

/// The legal actions in their types.
inline std::vector<Move> moves(const Question& question) {
    std::vector<Move> found;
    found.reserve(question.actions.size());
    for (const Action& action : question.actions) found.push_back(move(action));
    return found;
}

// The view; `arena game show gargon` describes every field.

struct View {
    int seat = 0, turn = 0;
    std::string kind{};
    int round = 0, starter = 0;
    std::optional<Shape> shape{};
    std::vector<bool> passed{};
    Cards hand{};
    std::vector<Counts> hands{}, played{};
    std::vector<Hidden> table{};               // empty while they lie face down
    std::array<std::vector<int>, 2> stacks{};  // colours, the top card first
    std::vector<Hidden> won{};                 // empty where they are hidden
    Cards discards{};
    int fighting = -1;
    std::vector<int> drawing{};
    MSGPACK_DEFINE_MAP(seat, turn, kind, round, starter, shape, passed, hand, hands, played, table,
                       stacks, won, discards, fighting, drawing)

    int seats() const { return static_cast<int>(hands.size()); }
};

/// The seats that play or pass after this seat in the round, in order.
inline std::vector<int> seats_after(const View& view) {
    std::vector<int> found;
    for (int seat = (view.seat + 1) % view.seats(); seat != view.starter;
         seat = (seat + 1) % view.seats())
        found.push_back(seat);
    return found;
}

// Events; a field that is private to another seat is empty.

struct Dealt {
    int seat = 0;
    std::vector<int> colours;
    Hidden cards;
    MSGPACK_DEFINE_MAP(seat, colours, cards)
};
struct Round {
    int round = 0, starter = 0;
    MSGPACK_DEFINE_MAP(round, starter)
};
struct Played {
    int seat = 0;
    std::vector<int> colours;
    Hidden cards;
    MSGPACK_DEFINE_MAP(seat, colours, cards)
};
struct Passed {
    int seat = 0;
    std::array<int, 2> amounts{};
    std::vector<int> colours;
    Hidden cards;
    MSGPACK_DEFINE_MAP(seat, amounts, colours, cards)
};
struct Revealed {
    std::vector<Cards> table;
    MSGPACK_DEFINE_MAP(table)
};
struct BattleBegan {
    int seat = 0, colour = 0;
    MSGPACK_DEFINE_MAP(seat, colour)
};
struct Fought {
    std::vector<int> seats;
    Cards cards;
    int winner = -1;
    MSGPACK_DEFINE_MAP(seats, cards, winner)
};
struct Won {
    int seat = 0;
    Cards cards;
    MSGPACK_DEFINE_MAP(seat, cards)
};
struct Drew {
    int seat = 0, stack = 0, colour = 0;
    std::optional<Card> card;
    MSGPACK_DEFINE_MAP(seat, stack, colour, card)
};
struct Scored {
    std::vector<Cards> won;
    std::vector<int> scores;
    MSGPACK_DEFINE_MAP(won, scores)
};
/// An event; `std::monostate` if this header does not know it.
using Event = std::variant<std::monostate, Dealt, Round, Played, Passed, Revealed, BattleBegan,
                           Fought, Won, Drew, Scored>;

inline Event event(const msgpack::object& packed) {
    std::string_view which;
    read_map(packed, [&](std::string_view key, const msgpack::object& value) {
        if (key == "event") value.convert(which);
    });
    if (which == "dealt") return packed.as<Dealt>();
    if (which == "round") return packed.as<Round>();
    if (which == "played") return packed.as<Played>();
    if (which == "passed") return packed.as<Passed>();
    if (which == "revealed") return packed.as<Revealed>();
    if (which == "battle") return packed.as<BattleBegan>();
    if (which == "fought") return packed.as<Fought>();
    if (which == "won") return packed.as<Won>();
    if (which == "drew") return packed.as<Drew>();
    if (which == "scored") return packed.as<Scored>();
    return {};
}

/// The view of a question, in its type.
inline View view(const Question& question) {
    if (question.start.game != name)
        throw ProtocolError("expected a view of Gargon, got one of " + question.start.game);
    return question.view.as<View>();
}

inline Rules rules(const Start& start) { return start.rules.as<Rules>(); }

}  // namespace arena::gargon
