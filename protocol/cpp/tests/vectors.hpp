/// The golden files, and conversations with a bot over real pipes.
#pragma once

#include <arena/bot.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

using Json = nlohmann::json;
using Bytes = std::string;

inline std::filesystem::path vectors() {
    const char* elsewhere = std::getenv("ARENA_VECTORS");
    return elsewhere ? elsewhere : ARENA_VECTORS_HERE;
}

inline Json load(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file.string() + ": cannot be read; set ARENA_VECTORS");
    return Json::parse(in);
}

inline Bytes bytes(const std::string& hex) {
    Bytes found;
    for (std::size_t at = 0; at < hex.size(); at += 2)
        found += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
    return found;
}

/// The golden frames to a bot.
inline const Json& frames_to_bot() {
    static const Json frames = load(vectors() / "to_bot.json");
    return frames;
}

inline Bytes frame(const std::string& name) {
    for (const Json& one : frames_to_bot())
        if (one["name"] == name) return bytes(one["hex"]);
    throw std::runtime_error("no frame called " + name);
}

/// The message of a frame, read by a different library than the SDK's.
inline Json message(const Bytes& frame) {
    return Json::from_msgpack(frame.begin() + arena::Line::header, frame.end());
}

/// All messages in these bytes, which must be whole frames.
inline std::vector<Json> messages(const Bytes& said) {
    std::vector<Json> found;
    for (std::size_t at = 0; at < said.size();) {
        std::size_t size = arena::Line::header;
        for (std::size_t byte = 0; byte < arena::Line::header; ++byte)
            size += std::size_t{static_cast<unsigned char>(said.at(at + byte))} << 8 * (3 - byte);
        found.push_back(message(said.substr(at, size)));
        at += size;
    }
    return found;
}

/// What the referee receives over two pipes.
struct Conversation {
    int status = 0;
    std::vector<Json> answers;
};

/// Sends these bytes as the referee, this many at a time, and closes; `play` is the bot's side.
template <class Play>
Conversation converse(const Bytes& said, Play&& play, std::size_t piece = 1 << 20) {
    std::signal(SIGPIPE, SIG_IGN);  // the bot may close before everything is sent
    int to_bot[2], from_bot[2];
    if (::pipe(to_bot) || ::pipe(from_bot)) throw std::runtime_error("no pipes");
    Bytes answers;
    std::thread speaker([&] {
        for (std::size_t at = 0; at < said.size();) {
            const ssize_t sent =
                ::write(to_bot[1], said.data() + at, std::min(piece, said.size() - at));
            if (sent < 0) break;
            at += static_cast<std::size_t>(sent);
            if (piece == 1) std::this_thread::yield();
        }
        ::close(to_bot[1]);
    });
    std::thread listener([&] {
        char part[4096];
        for (ssize_t got; (got = ::read(from_bot[0], part, sizeof part)) > 0;)
            answers.append(part, static_cast<std::size_t>(got));
        ::close(from_bot[0]);
    });
    Conversation held;
    held.status = play(arena::Line(to_bot[0], from_bot[1]));
    speaker.join();
    listener.join();
    held.answers = messages(answers);
    return held;
}
