// Loops in the shapes in which people write them. Where `co_await` stands decides how a compiler
// lays the coroutine out, and GCC 12 does so wrongly for those without a variable.

#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "loop/loops.hpp"

namespace penstock {
namespace {

using loop::Loop;
using loop::LoopOperator;
using loop::Ports;
using loops::Emitted;
using loops::Ints;
using loops::process;
using loops::with_ports;
using support::make_int_batch;

// All of them pass the rows of port 0 on, one by one.
tuple::Batch next(Ports& ports) { return ports.in(0).take(1); }
tuple::Batch one_row() { return make_int_batch({7}); }
bool both(bool one, bool other) { return one && other; }
bool given(bool answer, const tuple::Batch& rows) { return answer && rows.rows() == 1; }

Loop while_without_variable(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    co_await ports.out().push(next(ports));
  }
}

Loop while_with_variable_inside(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    tuple::Batch rows = next(ports);
    co_await ports.out().push(std::move(rows));
  }
}

Loop while_with_variable_outside(Ports& ports) {
  std::string name = "a text that is too long to be kept in place";
  while (co_await ports.all({0, 1})) co_await ports.out().push(next(ports));
  name += ".";
}

Loop while_with_variable_as_condition(Ports& ports) {
  while (const auto wait = co_await ports.all({0, 1})) co_await ports.out().push(next(ports));
}

Loop while_that_awaits_only_there(Ports& ports) {
  while (co_await ports.any({0, 1}, {1, 1})) (void)ports.out().push(next(ports));
}

Loop while_of_two_waits(Ports& ports) {
  while (co_await ports.any({0, 1}) && co_await ports.all({0, 1})) {
    co_await ports.out().push(next(ports));
  }
}

Loop if_in_a_loop_without_end(Ports& ports) {
  for (;;) {
    if (!co_await ports.all({0, 1})) co_return;
    co_await ports.out().push(next(ports));
  }
}

Loop if_with_else(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    if (co_await ports.any({0, 0})) {
      co_await ports.out().push(next(ports));
    } else {
      co_return;
    }
  }
}

// As many values of conditions as need more than the room of one pointer.
Loop many_ifs(Ports& ports) {
  for (;;) {
    if (!co_await ports.all({0, 1})) co_return;
    if (!co_await ports.any({0, 1})) co_return;
    if (!co_await ports.all({0, 1})) co_return;
    if (!co_await ports.any({0, 1})) co_return;
    if (!co_await ports.all({0, 1})) co_return;
    if (!co_await ports.any({0, 1})) co_return;
    if (!co_await ports.all({0, 1})) co_return;
    if (!co_await ports.any({0, 1})) co_return;
    if (!co_await ports.all({0, 1})) co_return;
    co_await ports.out().push(next(ports));
  }
}

Loop for_with_variable(Ports& ports) {
  for (int count = 0; co_await ports.all({0, 1}); ++count) {
    if (count < 5) co_await ports.out().push(next(ports));
  }
}

Loop do_while(Ports& ports) {
  do {
    co_await ports.out().push(ports.in(0).take());
  } while (co_await ports.all({0, 1}));
}

Loop either_wait(Ports& ports) {
  while (ports.in(0).rows() > 1 ? static_cast<bool>(co_await ports.all({0, 1}))
                                : static_cast<bool>(co_await ports.any({0, 1}))) {
    co_await ports.out().push(next(ports));
  }
}

Loop either_push(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    ports.in(0).rows() > 1 ? co_await ports.out().push(next(ports))
                           : co_await ports.out().push(ports.in(0).take());
  }
}

Loop switch_of_wait(Ports& ports) {
  for (;;) {
    switch (static_cast<int>(co_await ports.all({0, 1}) == loop::Wait::kDone)) {
      case 0:
        co_return;
      default:
        co_await ports.out().push(next(ports));
    }
  }
}

Loop arguments_of_a_call(Ports& ports) {
  while (both(static_cast<bool>(co_await ports.all({0, 1})),
              static_cast<bool>(co_await ports.any({0, 1})))) {
    co_await ports.out().push(next(ports));
  }
}

Loop argument_beside_rows(Ports& ports) {
  while (given(static_cast<bool>(co_await ports.all({0, 1})), one_row())) {
    co_await ports.out().push(next(ports));
  }
}

Loop inside_try(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    try {
      co_await ports.out().push(next(ports));
      throw 1;
    } catch (int) {
    }
  }
}

Loop parameter_by_value(Ports& ports, tuple::Batch held) {
  while (co_await ports.all({0, 1})) {
    if (held.rows() == 1) co_await ports.out().push(next(ports));
  }
}

Loop lambda(Ports& ports) {
  static constexpr auto kLoop = [](Ports& of) -> Loop {
    while (co_await of.all({0, 1})) co_await of.out().push(next(of));
  };
  return kLoop(ports);
}

struct Shape {
  const char* name;
  LoopOperator::Body body;
};

class LoopShape : public testing::TestWithParam<Shape> {};

void expect_all_rows(const LoopOperator::Body& written, std::chrono::nanoseconds quantum) {
  auto options = with_ports({"left", "right"});
  options.quantum.length = quantum;
  LoopOperator body(std::move(options), written);
  Emitted output;
  const int pauses = process(body, make_int_batch({1, 2, 3}), output);
  process(body, make_int_batch({4}), output);
  process(body, make_int_batch({5}), output);
  body.finish(output);
  while (body.paused()) body.resume(output);
  EXPECT_EQ(output.values[0], (Ints{1, 2, 3, 4, 5}));
  EXPECT_TRUE(pauses == 0 || quantum.count() == 0);
  EXPECT_FALSE(body.completed());
}

TEST_P(LoopShape, sees_every_row_once_and_lets_all_go) {
  const int before = support::live_batches;
  expect_all_rows(GetParam().body, std::chrono::hours(1));
  expect_all_rows(GetParam().body, std::chrono::hours(0));  // is interrupted wherever it may be
  EXPECT_EQ(support::live_batches, before);
}

TEST_P(LoopShape, lets_all_go_when_it_is_left_in_the_middle) {
  const int before = support::live_batches;
  {
    LoopOperator body(with_ports({"left", "right"}), GetParam().body);
    Emitted output;
    process(body, make_int_batch({1, 2}), output);
    EXPECT_EQ(output.values[0], (Ints{1, 2}));
  }
  EXPECT_EQ(support::live_batches, before);
}

INSTANTIATE_TEST_SUITE_P(
    Written, LoopShape,
    testing::Values(Shape{"while_without_variable", while_without_variable},
                    Shape{"while_with_variable_inside", while_with_variable_inside},
                    Shape{"while_with_variable_outside", while_with_variable_outside},
                    Shape{"while_with_variable_as_condition", while_with_variable_as_condition},
                    Shape{"while_that_awaits_only_there", while_that_awaits_only_there},
                    Shape{"while_of_two_waits", while_of_two_waits},
                    Shape{"if_in_a_loop_without_end", if_in_a_loop_without_end},
                    Shape{"if_with_else", if_with_else}, Shape{"many_ifs", many_ifs},
                    Shape{"for_with_variable", for_with_variable}, Shape{"do_while", do_while},
                    Shape{"either_wait", either_wait}, Shape{"either_push", either_push},
                    Shape{"switch_of_wait", switch_of_wait},
                    Shape{"arguments_of_a_call", arguments_of_a_call},
                    Shape{"argument_beside_rows", argument_beside_rows},
                    Shape{"inside_try", inside_try},
                    Shape{"parameter_by_value",
                          [](Ports& ports) { return parameter_by_value(ports, one_row()); }},
                    Shape{"lambda", lambda}),
    [](const auto& shape) { return std::string(shape.param.name); });

}  // namespace
}  // namespace penstock
