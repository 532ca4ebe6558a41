/// Errors, and what the author sees of them.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>

#include "vectors.hpp"

namespace {

Bytes up_to_a_question() { return frame("hello") + frame("start") + frame("act, with actions"); }

/// An exception of the bot is reported to the referee in place of the answer, and on stderr.
TEST(Errors, AnExceptionIsTold) {
    testing::internal::CaptureStderr();
    const auto held = converse(up_to_a_question(), [](arena::Line line) {
        return arena::run(
            [](arena::Question&) -> arena::Choice { throw std::runtime_error("no idea"); },
            {.name = "puzzled"}, std::move(line));
    });
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "puzzled: no idea\n");
    EXPECT_EQ(held.status, 1);
    EXPECT_EQ(held.answers.at(1), Json({{"t", "error"}, {"text", "no idea"}}));
}

/// Another major version is refused with a text.
TEST(Errors, AnotherMajorVersionIsRefused) {
    testing::internal::CaptureStderr();
    const auto body = Json::to_msgpack({{"t", "hello"}, {"protocol", {2, 0}}});
    const Bytes hello = Bytes("\0\0\0", 3) + static_cast<char>(body.size()) +
                        Bytes(body.begin(), body.end());
    const auto held = converse(hello, [](arena::Line line) {
        return arena::run([](arena::Question&) -> arena::Choice { return 0; }, {},
                          std::move(line));
    });
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(held.status, 1);
    EXPECT_EQ(held.answers.at(0),
              Json({{"t", "error"}, {"text", "this bot speaks protocol 1, not 2"}}));
}

/// Bytes that are not a frame end the process with a reason.
TEST(Errors, WhatIsNoFrameIsSaidOnStderr) {
    testing::internal::CaptureStderr();
    const auto held = converse("Hello, bot", [](arena::Line line) {
        return arena::run([](arena::Question&) -> arena::Choice { return 0; }, {.name = "strict"},
                          std::move(line));
    });
    EXPECT_EQ(held.status, 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "strict: a frame of 1214606444 bytes; at most 1048576 are allowed\n");
}

/// Prints of the bot and of its libraries go to stderr; stdout carries frames and nothing else.
TEST(Errors, PrintsDoNotReachTheReferee) {
    int in[2], out[2], log[2];
    ASSERT_TRUE(!::pipe(in) && !::pipe(out) && !::pipe(log));
    const pid_t bot = ::fork();
    if (bot == 0) {
        ::dup2(in[0], 0), ::dup2(out[1], 1), ::dup2(log[1], 2);
        for (int* ends : {in, out, log}) ::close(ends[0]), ::close(ends[1]);
        const int status = arena::run([](arena::Question&) -> arena::Choice {
            std::cout << "one " << std::flush;
            std::printf("two ");
            std::fflush(stdout);
            return std::getchar() == EOF ? 1 : 0;  // stdin is empty, not the protocol's
        });
        ::_exit(status);
    }
    ::close(in[0]), ::close(out[1]), ::close(log[1]);
    const Bytes said = up_to_a_question();
    EXPECT_EQ(::write(in[1], said.data(), said.size()), static_cast<ssize_t>(said.size()));
    ::close(in[1]);
    const auto all = [](int source) {
        Bytes found;
        char part[4096];
        for (ssize_t got; (got = ::read(source, part, sizeof part)) > 0;)
            found.append(part, static_cast<std::size_t>(got));
        ::close(source);
        return found;
    };
    const auto answers = messages(all(out[0]));
    EXPECT_EQ(all(log[0]), "one two ");
    int status = 1;
    ::waitpid(bot, &status, 0);
    EXPECT_EQ(status, 0);
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_EQ(answers[1], Json({{"t", "action"}, {"id", 1}, {"i", 1}}));
}

/// A signal that interrupts a read does not end the bot.
TEST(Errors, SignalsDoNotInterrupt) {
    struct sigaction quiet {};
    quiet.sa_handler = [](int) {};
    ASSERT_EQ(::sigaction(SIGUSR1, &quiet, nullptr), 0);
    const pthread_t reader = ::pthread_self();
    std::atomic<bool> done = false;
    std::thread disturber([&] {
        while (!done) {
            ::pthread_kill(reader, SIGUSR1);
            std::this_thread::yield();
        }
    });
    const auto held = converse(
        up_to_a_question(),
        [](arena::Line line) {
            return arena::run([](arena::Question&) -> arena::Choice { return 0; }, {},
                              std::move(line));
        },
        1);
    done = true;
    disturber.join();
    EXPECT_EQ(held.status, 0);
    EXPECT_EQ(held.answers.size(), 2u);
}

}  // namespace
