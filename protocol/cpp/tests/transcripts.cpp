/// Whole games: the rule bot, written with the SDK, gives the answers of all rule bots.
#include <gtest/gtest.h>

#include "../rule-bot/rule.hpp"
#include "vectors.hpp"

namespace {

std::vector<std::filesystem::path> transcripts() {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(vectors() / "transcripts"))
        if (entry.path().extension() == ".json") found.push_back(entry.path());
    return found;
}

class Transcript : public testing::TestWithParam<std::filesystem::path> {};

/// In every seat the answers are those of the transcript, in the same order.
TEST_P(Transcript, IsSaidAgain) {
    const Json transcript = load(GetParam());
    for (int seat = 0; seat < transcript["seats"]; ++seat) {
        Bytes said;
        std::vector<Json> expected;
        for (const Json& frame : transcript["frames"])
            if (frame["seat"] == seat) {
                const Bytes data = bytes(frame["hex"]);
                if (frame["from"] == "referee") said += data;
                else expected.push_back(message(data));
            }
        ASSERT_GT(expected.size(), 1u);
        RuleBot bot;
        const auto held =
            converse(said, [&](arena::Line line) { return arena::run(bot, std::move(line)); });
        EXPECT_EQ(held.status, 0);
        EXPECT_EQ(held.answers, expected) << "seat " << seat;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Transcript, testing::ValuesIn(transcripts()), [](const auto& one) {
    std::string name = one.param.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
