#pragma once

#include <concepts>
#include <type_traits>

namespace penstock::queue {

// A default value marks a free slot, and a move that threw would leave one half filled.
template <typename T>
concept Queueable = std::default_initializable<T> && std::is_nothrow_move_assignable_v<T> &&
                    std::is_nothrow_move_constructible_v<T>;

}  // namespace penstock::queue
