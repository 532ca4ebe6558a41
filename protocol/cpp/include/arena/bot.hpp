/// The base class of bots, and the loop that runs them. A bot's main program includes this header.
#pragma once

#include <arena/message.hpp>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

namespace arena {

/// The version of the protocol: major, minor.
inline constexpr int protocol_version[] = {1, 0};

/// The base class of bots. A bot can also be a function that is passed to `run`.
///
/// With `wants_actions` every question has the list of legal actions, with `wants_events` the
/// events. The referee does not compute what a bot does not want.
class Bot {
public:
    std::string name, version;
    bool wants_actions = true, wants_events = true;

    Bot() = default;
    virtual ~Bot() = default;

    /// Called when a game begins. Forget the last game. `start` is valid until the next start.
    virtual void start(const Start&) {}

    /// Returns an action, or its index in `question.actions`.
    virtual Choice choose(Question& question) = 0;

    /// Called when this bot has failed and is out of the game.
    virtual void fault(const Fault& fault) {
        std::cerr << "fault: " << fault.verdict << ": " << fault.text << '\n';
    }

    /// Called when a game has ended. Nothing of it may influence the next game.
    virtual void end(const End&) {}
};

/// The description of a bot that is a function.
struct About {
    std::string name = {}, version = {};
    bool actions = true, events = true;
};

namespace detail {

struct Hello {
    const Bot& bot;

    template <class Stream>
    void msgpack_pack(msgpack::packer<Stream>& packer) const {
        packer.pack_map(6);
        packer.pack("t").pack("hello");
        packer.pack("protocol").pack(protocol_version);
        packer.pack("name").pack(bot.name).pack("version").pack(bot.version);
        packer.pack("actions").pack(bot.wants_actions).pack("events").pack(bot.wants_events);
    }
};

struct Answer {
    const Question& question;
    const Choice& choice;

    template <class Stream>
    void msgpack_pack(msgpack::packer<Stream>& packer) const {
        packer.pack_map(question.note.empty() ? 3 : 4);
        packer.pack("t").pack("action").pack("id").pack(question.id);
        choice.pack_into(packer);
        if (!question.note.empty()) packer.pack("note").pack(question.note);
    }
};

struct Error {
    std::string t, text;
    MSGPACK_DEFINE_MAP(t, text)
};

/// The games of one process of a bot, one after the other.
class Session {
public:
    Session(Bot& bot, Line& line) : bot_(bot), line_(line) {}

    int run() {
        try {
            while (auto message = line_.receive())
                if (!take(*message)) break;
            return status_;
        } catch (const std::exception& error) {
            std::cerr << bot_.name << ": " << error.what() << '\n';
        } catch (...) {
            std::cerr << bot_.name << ": " << not_an_exception << '\n';
        }
        return 1;
    }

private:
    static constexpr const char* not_an_exception = "something was thrown that is no exception";

    /// Handles a message; false if it was the last.
    bool take(const msgpack::object& message) {
        std::string_view t;
        msgpack::object protocol;
        read_map(message, [&](std::string_view key, const msgpack::object& value) {
            if (key == "t" && value.type == msgpack::type::STR)
                t = {value.via.str.ptr, value.via.str.size};
            else if (key == "protocol")
                protocol = value;
        });
        if (t == "act" && start_) return answer(Question(message, *start_));
        if (t == "start") bot_.start(start_.emplace(message));
        else if (t == "end" && start_) bot_.end(End(message, *start_));
        else if (t == "fault") bot_.fault(message.as<Fault>());
        else if (t == "hello") return hello(protocol);
        return t != "bye";
    }

    bool hello(const msgpack::object& protocol) {
        const auto spoken = protocol.as<std::vector<int>>();
        if (!spoken.empty() && spoken[0] == protocol_version[0]) {
            line_.send(Hello{bot_});
            return true;
        }
        return give_up("this bot speaks protocol " + std::to_string(protocol_version[0]) +
                       ", not " + (spoken.empty() ? "none" : std::to_string(spoken[0])));
    }

    bool answer(Question question) {
        std::optional<Choice> choice;
        try {
            choice = bot_.choose(question);
        } catch (const std::exception& error) {
            return give_up(error.what());
        } catch (...) {
            return give_up(not_an_exception);
        }
        line_.send(Answer{question, *choice});
        return true;
    }

    /// Sends the referee, in place of an answer, the reason why there is none.
    bool give_up(const std::string& why) {
        std::cerr << bot_.name << ": " << why << '\n';
        line_.send(Error{"error", why});
        status_ = 1;
        return false;
    }

    Bot& bot_;
    Line& line_;
    std::optional<Start> start_;
    int status_ = 0;
};

class Function final : public Bot {
public:
    Function(std::function<Choice(Question&)> choose, About about) : choose_(std::move(choose)) {
        name = std::move(about.name);
        version = std::move(about.version);
        wants_actions = about.actions;
        wants_events = about.events;
    }
    Choice choose(Question& question) override { return choose_(question); }

private:
    std::function<Choice(Question&)> choose_;
};

}  // namespace detail

/// Plays until the referee says goodbye or closes the connection; returns the exit code for main.
///
/// By default the protocol uses stdin and stdout, and prints go to stderr.
inline int run(Bot& bot, Line line = Line::take_stdio()) {
    return detail::Session(bot, line).run();
}

/// The same for a bot that is a function: `run(choose, {.name = "first", .version = "1"})`.
inline int run(std::function<Choice(Question&)> choose, About about = {},
               Line line = Line::take_stdio()) {
    detail::Function bot(std::move(choose), std::move(about));
    return run(bot, std::move(line));
}

}  // namespace arena
