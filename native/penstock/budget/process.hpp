#pragma once

#include "penstock/budget/table.hpp"

namespace penstock::budget {

// The process that calls this.
[[nodiscard]] Owner this_process();

// True only if it is known that the process has ended: its number is free, or belongs to a process
// that started at another time, or it is a zombie, which runs no thread any more.
[[nodiscard]] bool is_dead(const Owner& owner);

}  // namespace penstock::budget
