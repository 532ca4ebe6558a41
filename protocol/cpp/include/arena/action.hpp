/// Actions: a verb and integers, as the protocol carries them, and what a bot can answer.
#pragma once

#include <arena/line.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace arena {

/// An action of any game: {"take", {2}}. The games' headers have types for their actions.
struct Action {
    std::string verb;
    std::vector<int> numbers;

    bool operator==(const Action&) const = default;

    template <class Stream>
    void msgpack_pack(msgpack::packer<Stream>& packer) const {
        packer.pack_array(static_cast<std::uint32_t>(1 + numbers.size()));
        packer.pack(verb);
        for (int number : numbers) packer.pack(number);
    }

    void msgpack_unpack(const msgpack::object& packed) {
        if (packed.type != msgpack::type::ARRAY || packed.via.array.size == 0)
            throw msgpack::type_error();
        const msgpack::object* first = packed.via.array.ptr;
        first->convert(verb);
        numbers.resize(packed.via.array.size - 1);
        for (int& number : numbers) (++first)->convert(number);
    }
};

/// An array of a message whose elements are decoded on access.
template <class Element>
class Listed {
public:
    class Iterator {
    public:
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        explicit Iterator(const msgpack::object* at) : at_(at) {}
        Element operator*() const { return at_->as<Element>(); }
        Iterator& operator++() { return ++at_, *this; }
        Iterator operator++(int) { return Iterator(at_++); }
        bool operator==(const Iterator&) const = default;

    private:
        const msgpack::object* at_ = nullptr;
    };

    Listed() = default;
    explicit Listed(const msgpack::object& array) : array_(array) {
        if (array.type != msgpack::type::ARRAY) throw msgpack::type_error();
    }

    std::size_t size() const { return raw().size; }
    bool empty() const { return size() == 0; }
    Element operator[](std::size_t index) const { return *Iterator(raw().ptr + index); }
    Iterator begin() const { return Iterator(raw().ptr); }
    Iterator end() const { return Iterator(raw().ptr + raw().size); }

    /// The array as a msgpack object.
    msgpack::object_array raw() const {
        return array_.type == msgpack::type::ARRAY ? array_.via.array : msgpack::object_array{};
    }

private:
    msgpack::object array_;
};

/// The legal actions, in canonical order.
using Actions = Listed<Action>;

/// The events; `gargon::Event` and `castors::Event` are their types.
using Events = Listed<msgpack::object>;

/// A bot's answer: an action, or the index of one in the list of legal actions.
class Choice {
public:
    template <std::integral Index>
        requires(!std::same_as<Index, bool>)
    Choice(Index index) : chosen_(static_cast<std::int64_t>(index)) {}

    Choice(Action action) : chosen_(std::move(action)) {}

    template <class Typed>
        requires std::convertible_to<Typed, Action>
    Choice(const Typed& action) : chosen_(static_cast<Action>(action)) {}

    template <class... Typed>
    Choice(const std::variant<Typed...>& action)
        : chosen_(std::visit([](const auto& typed) { return Action(typed); }, action)) {}

    bool operator==(const Choice&) const = default;

    /// Writes the choice into an answer: a key and its value.
    template <class Stream>
    void pack_into(msgpack::packer<Stream>& packer) const {
        packer.pack(std::holds_alternative<Action>(chosen_) ? "a" : "i");
        std::visit([&](const auto& chosen) { packer.pack(chosen); }, chosen_);
    }

private:
    std::variant<std::int64_t, Action> chosen_;
};

}  // namespace arena
