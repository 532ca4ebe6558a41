/// Frames: all widths are read, other bytes are refused, and partial frames are completed.
#include <gtest/gtest.h>

#include "vectors.hpp"

namespace {

/// A message that the SDK has read, converted to JSON through its own packing.
Json read(const msgpack::object& object) {
    msgpack::sbuffer out;
    msgpack::pack(out, object);
    return Json::from_msgpack(out.data(), out.data() + out.size());
}

/// Whether bytes or structure are wrong; only the referee checks the types of values.
bool concerns_structure(const Json& one) {
    const std::string name = one["name"], error = one["error"];
    return !name.starts_with("a key that") &&
           (error.starts_with("expected a frame") ||
            error.starts_with("expected one msgpack map") ||
            error.starts_with("expected at most 16 levels"));
}

/// The frames that test a referee apply to this receiver, too.
TEST(Frames, AreReadAsTheArenaReadsThem) {
    for (const Json& one : load(vectors() / "frames.json")) {
        const std::string name = one["name"];
        converse(bytes(one["hex"]), [&](arena::Line line) {
            if (one["verdict"] == "ok") {
                const auto found = line.receive();
                EXPECT_EQ(found ? read(*found) : Json(), one["message"]) << name;
            } else if (one["verdict"] == "incomplete") {
                EXPECT_FALSE(line.receive()) << name;
            } else if (concerns_structure(one)) {
                EXPECT_THROW(line.receive(), arena::ProtocolError) << name;
            }
            return 0;
        });
    }
}

/// A length above 1 MiB is refused at once, before the body arrives.
TEST(Frames, TooLargeAreRefusedWithTheirSize) {
    converse(Bytes("\x00\x10\x00\x01", 4), [](arena::Line line) {
        try {
            line.receive();
            ADD_FAILURE() << "it was taken";
        } catch (const arena::ProtocolError& error) {
            EXPECT_STREQ(error.what(), "a frame of 1048577 bytes; at most 1048576 are allowed");
        }
        return 0;
    });
}

/// A message of our own above 1 MiB is refused, and nothing of it is sent.
TEST(Frames, TooLargeAreNotSent) {
    const std::map<std::string, std::string> large{{"t", std::string(1 << 20, 'x')}};
    const auto held = converse("", [&](arena::Line line) {
        EXPECT_THROW(line.send(large), arena::ProtocolError);
        line.send(std::map<std::string, std::string>{{"t", "small"}});
        return 0;
    });
    EXPECT_EQ(held.answers, std::vector<Json>{Json({{"t", "small"}})});
}

/// A frame of exactly 1 MiB is read whole, and so is the frame after it.
TEST(Frames, TheLargestIsRead) {
    const std::string text((1 << 20) - 8, 'x');  // 1 of map, 2 of key, 5 of text
    const auto body = Json::to_msgpack({{"t", text}});
    ASSERT_EQ(body.size(), std::size_t{1} << 20);
    const Bytes large = Bytes("\x00\x10\x00\x00", 4) + Bytes(body.begin(), body.end());
    converse(large + large + bytes("00000007" "81a174a3627965"), [&](arena::Line line) {
        for (int time = 0; time < 2; ++time) {
            const auto found = line.receive();
            EXPECT_TRUE(found && read(*found)["t"] == text);
        }
        const auto last = line.receive();
        EXPECT_TRUE(last && read(*last)["t"] == "bye");
        EXPECT_FALSE(line.receive());
        return 0;
    });
}

}  // namespace
