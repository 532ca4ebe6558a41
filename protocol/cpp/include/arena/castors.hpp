/// Gang de Castors: its cards, actions, views, events and rules in types.
#pragma once

#include <arena/message.hpp>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace arena::castors {

inline constexpr std::string_view name = "castors";

// Cards

/// 0 to 9 are value cards, 10 to 12 special cards. In a row, -1 is a card that this seat cannot
/// know.
using Card = int;

inline constexpr Card unknown = -1, nine = 9, swap_card = 10, peek_card = 11, draw_card = 12;
inline constexpr int kinds = 13;
inline constexpr int positions = 4;

constexpr bool is_special(Card card) { return card > nine; }
/// The points of a value card; empty for a special or an unknown card.
constexpr std::optional<int> value(Card card) {
    if (card < 0 || is_special(card)) return std::nullopt;
    return card;
}
/// The name of a card: "5", or "swap".
inline std::string card_name(Card card) {
    if (card == swap_card) return "swap";
    if (card == peek_card) return "peek";
    if (card == draw_card) return "draw";
    return card == unknown ? "unknown" : std::to_string(card);
}

// Rules

struct Rules {
    int laps = 100;
    MSGPACK_DEFINE_MAP(laps)
};

// Actions

struct DrawCard {
    operator Action() const { return {"draw", {}}; }
    bool operator==(const DrawCard&) const = default;
};
struct Take {
    int position = 0;
    operator Action() const { return {"take", {position}}; }
    bool operator==(const Take&) const = default;
};
struct Keep {
    int position = 0;
    operator Action() const { return {"keep", {position}}; }
    bool operator==(const Keep&) const = default;
};
struct Swap {
    int position = 0, other = 0, other_position = 0;
    operator Action() const { return {"swap", {position, other, other_position}}; }
    bool operator==(const Swap&) const = default;
};
struct Peek {
    int position = 0;
    operator Action() const { return {"peek", {position}}; }
    bool operator==(const Peek&) const = default;
};
struct Discard {
    operator Action() const { return {"discard", {}}; }
    bool operator==(const Discard&) const = default;
};
struct Reject {
    operator Action() const { return {"reject", {}}; }
    bool operator==(const Reject&) const = default;
};
struct Call {
    operator Action() const { return {"call", {}}; }
    bool operator==(const Call&) const = default;
};
struct Wait {
    operator Action() const { return {"wait", {}}; }
    bool operator==(const Wait&) const = default;
};
using Move = std::variant<DrawCard, Take, Keep, Swap, Peek, Discard, Reject, Call, Wait>;

/// The action in its type.
inline Move move(const Action& action) {
    const auto& numbers = action.numbers;
    if (action.verb == "draw") return DrawCard{};
    if (action.verb == "take") return Take{numbers.at(0)};
    if (action.verb == "keep") return Keep{numbers.at(0)};
    if (action.verb == "swap") return Swap{numbers.at(0), numbers.at(1), numbers.at(2)};
    if (action.verb == "peek") return Peek{numbers.at(0)};
    if (action.verb == "discard") return Discard{};
    if (action.verb == "reject") return Reject{};
    if (action.verb == "call") return Call{};
    if (action.verb == "wait") return Wait{};
    throw ProtocolError("expected an action of Gang de Castors, got \"" + action.verb + "\"");
}

/// The legal actions in their types.
inline std::vector<Move> moves(const Question& question) {
    std::vector<Move> found;
    found.reserve(question.actions.size());
    for (const Action& action : question.actions) found.push_back(move(action));
    return found;
}

// The view; `arena game show castors` describes every field.

template <class Item>
using Row = std::array<Item, positions>;

/// The number of each card.
using Pool = std::array<int, kinds>;

struct View {
    int seat = 0, turn = 0;
    std::string kind{};
    int deal = 0, deals = 0, dealer = 0, moves = 0, caller = -1;
    std::vector<Row<Card>> rows{};
    std::vector<Row<int>> known_by{};
    std::vector<Row<bool>> kept{};
    std::vector<Card> discards{};  // the top card last
    int pile = 0;
    std::optional<Card> drawn{};
    bool rejectable = false;
    std::vector<Pool> pools{};  // the last is that of the pile
    std::vector<Row<int>> row_pools{};
    int drawn_pool = -1;
    std::vector<int> totals{};
    MSGPACK_DEFINE_MAP(seat, turn, kind, deal, deals, dealer, moves, caller, rows, known_by, kept,
                       discards, pile, drawn, rejectable, pools, row_pools, drawn_pool, totals)

    int seats() const { return static_cast<int>(rows.size()); }
};

/// This seat's own row, as far as it knows it.
inline const Row<Card>& own_row(const View& view) {
    return view.rows.at(static_cast<std::size_t>(view.seat));
}
/// The open card, which can be taken unless it is special.
inline Card top_discard(const View& view) { return view.discards.back(); }

// Odds

/// The cards that may be at a place of a row, as counts: the card itself if it is known, else the
/// rest of the pool from which it came.
inline Pool pool(const View& view, int seat, int position) {
    const auto s = static_cast<std::size_t>(seat), p = static_cast<std::size_t>(position);
    const Card card = view.rows.at(s).at(p);
    Pool cards{};
    if (card != unknown) {
        cards.at(static_cast<std::size_t>(card)) = 1;
        return cards;
    }
    cards = view.pools.at(static_cast<std::size_t>(view.row_pools[s][p]));
    if (view.kept.at(s).at(p)) cards[swap_card] = cards[peek_card] = cards[draw_card] = 0;
    return cards;
}

/// The rest of the pool of the pile.
inline const Pool& pile_pool(const View& view) { return view.pools.back(); }

/// The probability of each card of a pool.
inline std::array<double, kinds> odds(const Pool& pool) {
    const int all = std::accumulate(pool.begin(), pool.end(), 0);
    std::array<double, kinds> chances{};
    for (std::size_t card = 0; card < pool.size() && all; ++card)
        chances[card] = static_cast<double>(pool[card]) / all;
    return chances;
}

/// The mean of the value cards of a pool, 0 if it has none. That of the pile is also the mean cost
/// of a special card in a row.
inline double mean_value(const Pool& pool) {
    int cards = 0, points = 0;
    for (Card card = 0; card <= nine; ++card) {
        cards += pool[static_cast<std::size_t>(card)];
        points += card * pool[static_cast<std::size_t>(card)];
    }
    return cards ? static_cast<double>(points) / cards : 0;
}

/// The mean points of a card of a row at the end, when special cards are replaced.
inline double expected_points(const View& view, int seat, int position) {
    const auto s = static_cast<std::size_t>(seat), p = static_cast<std::size_t>(position);
    const Card card = view.rows.at(s).at(p);
    if (card == unknown) return mean_value(pool(view, seat, position));
    return is_special(card) ? mean_value(pile_pool(view)) : card;
}

// Events; a field that is private to another seat is empty.

struct Deal {
    int deal = 0, dealer = 0;
    Card card = 0;
    MSGPACK_DEFINE_MAP(deal, dealer, card)
};
struct Looked {
    int seat = 0;
    std::vector<int> positions;
    std::optional<std::vector<Card>> cards;
    MSGPACK_DEFINE_MAP(seat, positions, cards)
};
struct Took {
    int seat = 0;
    Card card = 0;
    int position = 0;
    Card discarded = 0;
    MSGPACK_DEFINE_MAP(seat, card, position, discarded)
};
struct Drew {
    int seat = 0;
    std::optional<Card> card;
    MSGPACK_DEFINE_MAP(seat, card)
};
struct Kept {
    int seat = 0, position = 0;
    Card discarded = 0;
    MSGPACK_DEFINE_MAP(seat, position, discarded)
};
struct Discarded {
    int seat = 0;
    Card card = 0;
    MSGPACK_DEFINE_MAP(seat, card)
};
struct Rejected {
    int seat = 0;
    Card card = 0;
    MSGPACK_DEFINE_MAP(seat, card)
};
struct Swapped {
    int seat = 0, position = 0, other = 0, other_position = 0;
    MSGPACK_DEFINE_MAP(seat, position, other, other_position)
};
struct Peeked {
    int seat = 0, position = 0;
    std::optional<Card> card;
    MSGPACK_DEFINE_MAP(seat, position, card)
};
struct Drawing {
    int seat = 0;
    MSGPACK_DEFINE_MAP(seat)
};
struct Reshuffled {
    int pile = 0;
    MSGPACK_DEFINE_MAP(pile)
};
struct Called {
    int seat = 0;
    MSGPACK_DEFINE_MAP(seat)
};
struct Replaced {
    int seat = 0, position = 0;
    std::vector<Card> cards;
    MSGPACK_DEFINE_MAP(seat, position, cards)
};
struct Counted {
    std::vector<std::vector<Card>> rows;
    std::vector<int> points, totals;
    MSGPACK_DEFINE_MAP(rows, points, totals)
};
/// An event; `std::monostate` if this header does not know it.
using Event =
    std::variant<std::monostate, Deal, Looked, Took, Drew, Kept, Discarded, Rejected, Swapped,
                 Peeked, Drawing, Reshuffled, Called, Replaced, Counted>;

inline Event event(const msgpack::object& packed) {
    std::string_view which;
    read_map(packed, [&](std::string_view key, const msgpack::object& value) {
        if (key == "event") value.convert(which);
    });
    if (which == "deal") return packed.as<Deal>();
    if (which == "looked") return packed.as<Looked>();
    if (which == "took") return packed.as<Took>();
    if (which == "drew") return packed.as<Drew>();
    if (which == "kept") return packed.as<Kept>();
    if (which == "discarded") return packed.as<Discarded>();
    if (which == "rejected") return packed.as<Rejected>();
    if (which == "swapped") return packed.as<Swapped>();
    if (which == "peeked") return packed.as<Peeked>();
    if (which == "drawing") return packed.as<Drawing>();
    if (which == "reshuffled") return packed.as<Reshuffled>();
    if (which == "called") return packed.as<Called>();
    if (which == "replaced") return packed.as<Replaced>();
    if (which == "counted") return packed.as<Counted>();
    return {};
}

/// The view of a question, in its type.
inline View view(const Question& question) {
    if (question.start.game != name)
        throw ProtocolError("expected a view of Gang de Castors, got one of " +
                            question.start.game);
    return question.view.as<View>();
}

inline Rules rules(const Start& start) { return start.rules.as<Rules>(); }

}  // namespace arena::castors
