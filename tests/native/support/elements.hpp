#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"

#include "support/int_batch.hpp"

namespace penstock::support {

// For tests that run a flow in every way there is.
struct Model {
  const char* name;
  engine::Threading threading;
};

inline constexpr std::array kModels{
    Model{"manual", engine::Threading::kManual},
    Model{"dedicated", engine::Threading::kDedicated},
    Model{"dynamic", engine::Threading::kDynamic},
    Model{"conveyor", engine::Threading::kConveyor},
    Model{"automatic", engine::Threading::kAutomatic},
};

template <typename Test>
std::string name_of_model(const Test& test) {
  return test.param.name;
}

// The first column of all that a flow makes.
inline std::vector<std::int64_t> read_all(engine::ProcessingElement& element) {
  std::vector<std::int64_t> made;
  while (auto batch = element.next()) {
    const auto values = read_column(std::move(*batch));
    made.insert(made.end(), values.begin(), values.end());
  }
  return made;
}

}  // namespace penstock::support
