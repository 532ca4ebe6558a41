/// The conversation of a process: what is answered, what is ignored, and when it ends.
#include <gtest/gtest.h>

#include "vectors.hpp"

namespace {

Conversation first(const Bytes& said, std::size_t piece = 1 << 20) {
    return converse(
        said,
        [](arena::Line line) {
            return arena::run([](arena::Question&) -> arena::Choice { return 0; },
                              {.name = "first"}, std::move(line));
        },
        piece);
}

/// Every frame gets the right answer: a hello, an action, or none.
TEST(Conversation, EachFrameHasItsAnswer) {
    for (const Json& one : frames_to_bot()) {
        const bool opens = one["answer"] == "hello";
        const Bytes before = opens ? "" : frame("hello") + frame("start");
        const auto held = first(before + bytes(one["hex"]));
        EXPECT_EQ(held.status, 0) << one["name"];
        ASSERT_EQ(held.answers.size(), (opens ? 0u : 1u) + (one["answer"].is_null() ? 0u : 1u))
            << one["name"];
        if (!one["answer"].is_null()) {
            EXPECT_EQ(held.answers.back()["t"], one["answer"]) << one["name"];
            const Json id = opens ? Json() : one["message"]["id"];
            EXPECT_EQ(held.answers.back().value("id", Json()), id) << one["name"];
        }
    }
}

/// A pipe does not preserve the borders of frames: they may arrive byte by byte.
TEST(Conversation, FramesComeInPieces) {
    const Bytes said = frame("hello") + frame("start") + frame("act, with actions and events") +
                       frame("end") + frame("bye");
    const auto held = first(said, 1);
    ASSERT_EQ(held.answers.size(), 2u);
    EXPECT_EQ(held.answers[1], Json({{"t", "action"}, {"id", 1}, {"i", 0}}));
}

/// After bye nothing is answered any more.
TEST(Conversation, ByeIsTheLast) {
    const auto held =
        first(frame("hello") + frame("start") + frame("bye") + frame("act, with actions"));
    EXPECT_EQ(held.status, 0);
    EXPECT_EQ(held.answers.size(), 1u);
}

/// The referee reads the hello as the bot wrote it.
TEST(Conversation, HelloTellsWhatIsWanted) {
    const auto held = converse(frame("hello"), [](arena::Line line) {
        return arena::run([](arena::Question&) -> arena::Choice { return 0; },
                          {.name = "n", .version = "v", .actions = false, .events = false},
                          std::move(line));
    });
    EXPECT_EQ(held.answers.at(0), Json({{"t", "hello"},
                                        {"protocol", {1, 0}},
                                        {"name", "n"},
                                        {"version", "v"},
                                        {"actions", false},
                                        {"events", false}}));
}

/// All fields of start, question and end can be read, and a note is sent with the answer.
TEST(Conversation, ABotIsToldAll) {
    class Curious final : public arena::Bot {
    public:
        Json told = Json::array();

        void start(const arena::Start& start) override {
            told.push_back({start.number, start.game, start.seat, start.seats, start.seed,
                            start.rules.as<std::map<std::string, int>>(), start.clock.decision,
                            start.clock.bank, start.clock.start});
        }
        arena::Choice choose(arena::Question& question) override {
            told.push_back({question.id, question.kind, question.bank, question.first_event,
                            question.events.size(), question.actions.size(),
                            question.start.seat});
            question.note = "see Σ";
            return arena::Action{"take", {2}};
        }
        void fault(const arena::Fault& fault) override {
            told.push_back({fault.verdict, fault.text, fault.decision, fault.follows});
        }
        void end(const arena::End& end) override {
            told.push_back({end.scores, end.places, end.verdicts, end.events.size()});
        }
    };
    Curious bot;
    const auto held =
        converse(frame("hello") + frame("start") + frame("act, with actions and events") +
                     frame("end") + frame("fault"),
                 [&](arena::Line line) { return arena::run(bot, std::move(line)); });
    EXPECT_EQ(held.answers.at(1),
              Json({{"t", "action"}, {"id", 1}, {"a", {"take", 2}}, {"note", "see Σ"}}));

    Json start, act, end, fault;
    for (const Json& one : frames_to_bot()) {
        if (one["name"] == "start") start = one["message"];
        if (one["name"] == "act, with actions and events") act = one["message"];
        if (one["name"] == "end") end = one["message"];
        if (one["name"] == "fault") fault = one["message"];
    }
    const Json expected{
        {start["number"], start["game"], start["seat"], start["seats"], start["seed"],
         start["rules"], start["clock"]["decision"], start["clock"]["bank"],
         start["clock"]["start"]},
        {act["id"], act["kind"], act["bank"], act["first_event"], act["events"].size(),
         act["actions"].size(), start["seat"]},
        {end["scores"], end["places"], end["verdicts"], end["events"].size()},
        {fault["verdict"], fault["text"], fault["decision"], fault["follows"]}};
    EXPECT_EQ(bot.told, expected);
}

/// Random numbers depend on the seed alone, and begin anew in every game.
TEST(Conversation, TheSeedMakesTheGame) {
    const Bytes game = frame("start") + frame("act, with actions");
    std::vector<std::uint32_t> drawn;
    converse(frame("hello") + game + game + frame("start, seed 0") + frame("act, with actions"),
             [&](arena::Line line) {
                 return arena::run(
                     [&](arena::Question& question) -> arena::Choice {
                         drawn.push_back(question.random.below(1'000'000));
                         return 0;
                     },
                     {}, std::move(line));
             });
    ASSERT_EQ(drawn.size(), 3u);
    EXPECT_EQ(drawn[0], drawn[1]);
    EXPECT_NE(drawn[0], drawn[2]);
}

/// All random numbers are in their range, and every element comes up.
TEST(Conversation, ChanceIsFair) {
    arena::Random random(1);
    std::vector<int> cards{0, 1, 2, 3, 4, 5, 6}, seen(7), picked(7);
    for (int time = 0; time < 7000; ++time) {
        random.shuffle(cards);
        ++seen[static_cast<std::size_t>(cards[0])];
        ++picked[static_cast<std::size_t>(random.pick(cards))];
        const double unit = random.unit();
        ASSERT_TRUE(unit >= 0 && unit < 1);
    }
    std::sort(cards.begin(), cards.end());
    EXPECT_EQ(cards, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
    for (int count : seen) EXPECT_NEAR(count, 1000, 150);
    for (int count : picked) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
