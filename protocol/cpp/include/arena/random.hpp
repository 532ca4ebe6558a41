/// Random numbers that are the same for the same seed.
#pragma once

#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

namespace arena {

/// SplitMix64. It works with the standard library, for example with std::shuffle, but only its own
/// members give the same results with every standard library.
class Random {
public:
    using result_type = std::uint64_t;

    explicit Random(std::uint64_t seed) : state_(seed) {}

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    result_type operator()() {
        std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        return mixed ^ mixed >> 31;
    }

    /// A random integer from 0 to one below the bound, all equally likely. The bound must not be 0.
    std::uint32_t below(std::uint32_t bound) {
        const std::uint32_t unfair = -bound % bound;  // this many values would favour low results
        std::uint64_t product;
        do product = ((*this)() >> 32) * bound;
        while (static_cast<std::uint32_t>(product) < unfair);
        return static_cast<std::uint32_t>(product >> 32);
    }

    /// A random number from 0 up to, but not including, 1.
    double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

    /// A random element of a list, which must not be empty.
    template <class List>
    auto& pick(List&& list) {
        return *(std::begin(list) + below(static_cast<std::uint32_t>(std::size(list))));
    }

    /// Shuffles a list.
    template <class List>
    void shuffle(List& list) {
        for (auto left = static_cast<std::uint32_t>(std::size(list)); left > 1; --left)
            std::swap(*(std::begin(list) + (left - 1)), *(std::begin(list) + below(left)));
    }

private:
    std::uint64_t state_;
};

}  // namespace arena
