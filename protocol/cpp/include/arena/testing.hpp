/// Questions for the tests of a bot.
#pragma once

#include <arena/message.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

/// The seat of a bot, for a question in a test.
struct Table {
    int seat = 0, seats = 3;
    std::uint32_t seed = 1;
};

/// A question as the referee would ask it, made from a typed view and typed actions.
///
///     arena::Asked asked("gargon", view, {gargon::Draw{0}, gargon::Draw{1}});
///     choose(asked.question);
class Asked {
public:
    template <class View, class Rules = std::map<std::string, int>>
    Asked(std::string_view game, const View& view, const std::vector<Action>& actions = {},
          const Rules& rules = {}, const Table& table = {})
        : start_(packed([&](auto& map) {
              map.pack_map(6);
              map.pack("number").pack(0).pack("game").pack(game).pack("rules").pack(rules);
              map.pack("seat").pack(table.seat).pack("seats").pack(table.seats);
              map.pack("seed").pack(table.seed);
          })),
          act_(packed([&](auto& map) {
              map.pack_map(5);
              map.pack("id").pack(1).pack("kind").pack(view.kind).pack("view").pack(view);
              map.pack("bank").pack(10'000).pack("actions").pack(actions);
          })),
          start(start_.get()),
          question(act_.get(), start) {}

private:
    template <class Write>
    static msgpack::object_handle packed(Write&& write) {
        msgpack::sbuffer out;
        msgpack::packer<msgpack::sbuffer> packer(out);
        write(packer);
        return msgpack::unpack(out.data(), out.size());
    }

    msgpack::object_handle start_, act_;

public:
    Start start;
    Question question;
};

}  // namespace arena
