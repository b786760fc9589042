#pragma once

#include <memory>
#include <string>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/loop/loop_operator.hpp"
#include "penstock/ops/tag.hpp"
#include "penstock/tuple/field.hpp"

#include "penstock_loop.h"

namespace penstock::ops {

// A driver loop in a library of the user's.
struct LibraryLoop {
  struct In {
    std::vector<int> columns;  // of the port, those that it reads
    std::vector<tuple::Field> fields;
  };
  struct Out {
    std::vector<tuple::Field> fields;
    std::unique_ptr<const Tag> tag;  // none if there is one output
  };

  std::string where;  // "libmine.so:barrier", for what goes wrong
  penstock_loop functions;
  std::shared_ptr<const void> owner;  // the library
  std::vector<In> inputs;
  std::vector<Out> outputs;
};

// All rules of waiting are LoopOperator's: the library's coroutine says what it waits for, and one
// here waits for that in its place. `options` has one output.
[[nodiscard]] std::unique_ptr<graph::Operator> make_library_loop(
    loop::LoopOperator::Options options, LibraryLoop library);

}  // namespace penstock::ops
