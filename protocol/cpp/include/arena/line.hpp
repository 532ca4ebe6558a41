/// The connection to the referee: frames over two file descriptors. Prints go to stderr.
#pragma once

#ifndef MSGPACK_NO_BOOST
#define MSGPACK_NO_BOOST  // msgpack itself needs nothing but the standard library
#endif
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <msgpack.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace arena {

/// Thrown for a message, received or to be sent, that violates the protocol.
class ProtocolError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A file descriptor that is closed with its last owner.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

/// Sends and receives messages; it owns both descriptors.
class Line {
public:
    static constexpr std::size_t header = 4;
    static constexpr std::size_t largest = 1 << 20;
    static constexpr std::size_t deepest = 16;

    Line(int source, int sink) : source_(source), sink_(sink) { buffer_.resize(chunk); }

    /// Reserves stdin and stdout for the protocol; later prints go to stderr.
    static Line take_stdio() {
        Line line(copy_of(STDIN_FILENO), copy_of(STDOUT_FILENO));
        Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        if (::dup2(nothing.number(), STDIN_FILENO) < 0) fail("stdin");
        if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) fail("stdout");
        return line;
    }

    /// Sends one message: any value that msgpack packs as a map.
    template <class Message>
    void send(const Message& message) {
        out_.clear();
        out_.write("\0\0\0\0", header);
        msgpack::pack(out_, message);
        const std::size_t body = out_.size() - header;
        if (body > largest) throw too_large("a message", body, "can be sent");
        for (std::size_t at = 0; at < header; ++at)
            out_.data()[at] = static_cast<char>(body >> 8 * (header - 1 - at));
        write_all(out_.data(), out_.size());
    }

    /// Returns the next message, a map, or nothing if the referee has closed the connection. The
    /// message, and everything that points into it, is valid until the next call.
    std::optional<msgpack::object> receive() {
        if (!fill(header)) return std::nullopt;
        const std::size_t body = length();
        if (body > largest) throw too_large("a frame", body, "are allowed");
        if (!fill(header + body)) return std::nullopt;
        const char* data = buffer_.data() + begin_ + header;
        begin_ += header + body;
        return decode(data, body);
    }

private:
    static constexpr std::size_t chunk = 1 << 16;

    static int copy_of(int descriptor) {
        const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
        if (copy < 0) fail("stdin or stdout");
        return copy;
    }

    [[noreturn]] static void fail(const char* what) {
        throw std::system_error(errno, std::generic_category(), what);
    }

    static ProtocolError too_large(const char* what, std::size_t body, const char* may) {
        return ProtocolError(std::string(what) + " of " + std::to_string(body) +
                             " bytes; at most " + std::to_string(largest) + " " + may);
    }

    std::size_t length() const {
        std::size_t found = 0;
        for (std::size_t at = 0; at < header; ++at)
            found = found << 8 | static_cast<unsigned char>(buffer_[begin_ + at]);
        return found;
    }

    /// Reads until this many bytes are there; false if the connection ends before.
    bool fill(std::size_t wanted) {
        if (begin_ == end_) begin_ = end_ = 0;
        if (begin_ + wanted > buffer_.size()) {
            std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
            if (wanted > buffer_.size()) buffer_.resize(wanted);
        }
        while (end_ - begin_ < wanted) {
            const ssize_t got =
                ::read(source_.number(), buffer_.data() + end_, buffer_.size() - end_);
            if (got == 0) return false;
            if (got > 0)
                end_ += static_cast<std::size_t>(got);
            else if (errno != EINTR)
                fail("reading from the referee");
        }
        return true;
    }

    void write_all(const char* data, std::size_t size) {
        while (size > 0) {
            const ssize_t sent = ::write(sink_.number(), data, size);
            if (sent >= 0) {
                data += sent;
                size -= static_cast<std::size_t>(sent);
            } else if (errno != EINTR) {
                fail("writing to the referee");
            }
        }
    }

    msgpack::object decode(const char* data, std::size_t size) {
        // Texts stay in the buffer, which does not change until the next call.
        static constexpr auto in_place = [](msgpack::type::object_type, std::size_t, void*) {
            return true;
        };
        static const msgpack::unpack_limit limit(largest, largest, largest, largest, 0, deepest);
        zone_.clear();
        std::size_t parsed = 0;
        msgpack::object message;
        try {
            message = msgpack::unpack(zone_, data, size, parsed, +in_place, nullptr, limit);
        } catch (const msgpack::unpack_error& error) {
            throw ProtocolError(std::string("a frame that is not msgpack as allowed: ") +
                                error.what());
        }
        if (parsed != size) throw ProtocolError("a frame with bytes after its map");
        if (message.type != msgpack::type::MAP)
            throw ProtocolError("a frame that does not hold a map");
        return message;
    }

    Descriptor source_, sink_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;
    msgpack::zone zone_{chunk};
    msgpack::sbuffer out_;
};

}  // namespace arena
