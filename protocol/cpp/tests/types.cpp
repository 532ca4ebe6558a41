/// Typed views, actions, events and rules: they have everything that the games send.
#include <gtest/gtest.h>

#include <arena/castors.hpp>
#include <arena/gargon.hpp>
#include <arena/testing.hpp>

#include "vectors.hpp"

namespace castors = arena::castors;
namespace gargon = arena::gargon;

namespace {

template <class Value>
Json packed(const Value& value) {
    msgpack::sbuffer out;
    msgpack::pack(out, value);
    return Json::from_msgpack(out.data(), out.data() + out.size());
}

/// A typed event, packed again: with its name, and without what is hidden.
template <class Event>
Json packed_event(const Event& event, const Json& name) {
    Json found = std::visit(
        [](const auto& typed) {
            if constexpr (std::is_same_v<std::decay_t<decltype(typed)>, std::monostate>)
                return Json{{"unknown", true}};
            else
                return packed(typed);
        },
        event);
    found["event"] = name;
    for (auto field = found.begin(); field != found.end();)
        field = field->is_null() ? found.erase(field) : std::next(field);
    return found;
}

/// Reads a question in the types of its game and compares them with what was sent.
class Reader final : public arena::Bot {
public:
    int views = 0, events = 0;

    void start(const arena::Start& start) override {
        if (start.game == gargon::name) same(start.rules, gargon::rules(start));
        else same(start.rules, castors::rules(start));
    }
    arena::Choice choose(arena::Question& question) override {
        ++views;
        if (question.start.game == gargon::name) read(question, gargon::view, gargon::moves);
        else read(question, castors::view, castors::moves);
        tell(question.events, question.start);
        return 0;
    }
    void end(const arena::End& end) override { tell(end.events, end.start); }

private:
    template <class Value>
    void same(const msgpack::object& sent, const Value& typed) {
        EXPECT_EQ(packed(sent), packed(typed));
    }
    template <class ViewOf, class MovesOf>
    void read(const arena::Question& question, ViewOf view, MovesOf moves) {
        same(question.view, view(question));
        const auto typed = moves(question);
        ASSERT_EQ(typed.size(), question.actions.size());
        for (std::size_t at = 0; at < typed.size(); ++at)
            EXPECT_EQ(arena::Choice(typed[at]), arena::Choice(question.actions[at]));
    }
    void tell(const arena::Events& told, const arena::Start& start) {
        for (const msgpack::object& sent : told) {
            ++events;
            const Json raw = packed(sent);
            EXPECT_EQ(raw, start.game == gargon::name
                               ? packed_event(gargon::event(sent), raw["event"])
                               : packed_event(castors::event(sent), raw["event"]));
        }
    }
};

/// Every view, action, event and rule of every transcript is unchanged after a round trip.
TEST(Types, LackNothing) {
    for (const auto& entry : std::filesystem::directory_iterator(vectors() / "transcripts")) {
        const Json transcript = load(entry.path());
        for (int seat = 0; seat < transcript["seats"]; ++seat) {
            Bytes said;
            for (const Json& frame : transcript["frames"])
                if (frame["seat"] == seat && frame["from"] == "referee")
                    said += bytes(frame["hex"]);
            Reader reader;
            const auto held = converse(
                said, [&](arena::Line line) { return arena::run(reader, std::move(line)); });
            EXPECT_EQ(held.status, 0) << entry.path();
            EXPECT_GT(reader.views, 0);
            EXPECT_GT(reader.events, reader.views);
        }
    }
}

/// Asking for the view of the wrong game is an error that names both.
TEST(Types, AViewOfAnotherGameIsRefused) {
    const arena::Asked asked("castors", castors::View{.kind = "turn"});
    EXPECT_EQ(castors::view(asked.question).kind, "turn");
    try {
        gargon::view(asked.question);
        ADD_FAILURE() << "it was read";
    } catch (const arena::ProtocolError& error) {
        EXPECT_STREQ(error.what(), "expected a view of Gargon, got one of castors");
    }
}

/// Cards of Gargon have a colour, a value, a name and amulets.
TEST(Types, CardsOfGargon) {
    EXPECT_EQ(gargon::colour(57), 3);
    EXPECT_EQ(gargon::value(57), 9);
    EXPECT_EQ(gargon::card(3, 9), 57);
    EXPECT_EQ(gargon::card_name(57), "red 9");
    const gargon::Rules rules;
    std::vector<int> found;
    for (int value = 0; value <= 15; ++value)
        found.push_back(gargon::amulets(gargon::card(5, value), rules));
    EXPECT_EQ(found, (std::vector<int>{0, 5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0}));
    EXPECT_EQ(gargon::copies(gargon::card(2, 0)), 2);
    EXPECT_EQ(gargon::copies(gargon::card(2, 1)), 1);
    EXPECT_EQ(gargon::colour_name(4), "yellow");
}

/// A play has a shape, and seats have an order in a round.
TEST(Types, PlaysOfGargon) {
    EXPECT_EQ(gargon::shape({57, 66, 70}), (gargon::Shape{2, 1}));
    EXPECT_EQ(gargon::shape({3}), (gargon::Shape{1}));
    gargon::View view;
    view.hands.resize(4);
    view.seat = 3;
    view.starter = 2;
    EXPECT_EQ(gargon::seats_after(view), (std::vector<int>{0, 1}));
    view.starter = 0;
    EXPECT_EQ(gargon::seats_after(view), std::vector<int>{});
}

/// Cards of Gang de Castors have a value or are special.
TEST(Types, CardsOfCastors) {
    EXPECT_EQ(castors::value(9), 9);
    EXPECT_EQ(castors::value(castors::peek_card), std::nullopt);
    EXPECT_EQ(castors::value(castors::unknown), std::nullopt);
    EXPECT_TRUE(castors::is_special(10));
    EXPECT_FALSE(castors::is_special(9));
    EXPECT_EQ(castors::card_name(12), "draw");
    EXPECT_EQ(castors::card_name(0), "0");
}

/// An unknown place may have any card of its pool; a card that was kept is a value card.
TEST(Types, OddsOfCastors) {
    castors::View view;
    view.rows = {{3, -1, -1, castors::swap_card}};
    view.row_pools = {{0, 0, 1, 0}};
    view.kept = {{false, false, true, false}};
    view.discards = {7, 4};
    EXPECT_EQ(castors::own_row(view)[0], 3);
    EXPECT_EQ(castors::top_discard(view), 4);
    view.pools = {{2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0}};  // two 0, a 9, a swap
    EXPECT_DOUBLE_EQ(castors::odds(castors::pile_pool(view))[0], 0.5);
    EXPECT_DOUBLE_EQ(castors::mean_value(view.pools[0]), 3);
    view.pools.push_back({0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});  // the pile has a 4
    EXPECT_DOUBLE_EQ(castors::expected_points(view, 0, 0), 3);  // it is known
    EXPECT_DOUBLE_EQ(castors::expected_points(view, 0, 1), 3);  // its own pool, not the pile's
    EXPECT_DOUBLE_EQ(castors::expected_points(view, 0, 2), 4);
    EXPECT_DOUBLE_EQ(castors::expected_points(view, 0, 3), 4);  // it is replaced from the pile
    EXPECT_EQ(castors::mean_value(castors::Pool{}), 0);
}

}  // namespace
