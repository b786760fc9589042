#pragma once

#include <memory>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/loop/loop.hpp"
#include "penstock/loop/loop_operator.hpp"
#include "penstock/loop/ports.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::bench::loops {

// One int64 column.
[[nodiscard]] tuple::Schema one_column();
// So many rows that count up from `first`.
[[nodiscard]] tuple::Batch counted(std::int64_t first, std::int64_t rows);

// Ways to write the same operator: pairs of rows of two ports, as many as there are whenever there
// are some at both. As a driver loop (C-Stream, Listing 2) inside of the engine:
[[nodiscard]] loop::Loop barrier_loop(loop::Ports& ports);
[[nodiscard]] std::unique_ptr<graph::Operator> make_loop_barrier(loop::LoopOperator::Wake wake);
// The same in a library, by what Penstock ships for that:
[[nodiscard]] std::unique_ptr<graph::Operator> make_library_barrier(loop::LoopOperator::Wake wake);
// And by events (Listing 3, which forgets to submit what it made, A41): with buffers of its own,
// but without locks, because the engine runs it one tuple at a time.
[[nodiscard]] std::unique_ptr<graph::Operator> make_event_barrier();

// A loop that passes on what comes, tuple by tuple.
[[nodiscard]] std::unique_ptr<graph::Operator> make_passing_loop();

}  // namespace penstock::bench::loops
