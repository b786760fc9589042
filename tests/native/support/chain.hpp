#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"
#include "penstock/graph/topology.hpp"

#include "support/int_stream.hpp"

namespace penstock::support {

struct NamedOperator {
  std::string name;
  std::unique_ptr<graph::Operator> body;
};

// Operators one after another.
template <typename... Named>
graph::Topology named_chain(Named... operators) {
  graph::TopologyBuilder builder("chain");
  int upstream = graph::kSource;
  const auto append = [&](NamedOperator next) {
    const int node = builder.add(next.name, graph::Kind::kStateless, 1, 1, std::move(next.body));
    builder.connect(upstream, 0, node, 0);
    upstream = node;
  };
  (append(std::move(operators)), ...);
  builder.connect(upstream, 0, graph::kSink, 0);
  return std::move(builder).build();
}

// `batches` batches of the numbers from 0 on.
inline std::vector<std::vector<std::int64_t>> counted_batches(int batches, int rows) {
  std::vector<std::vector<std::int64_t>> made(static_cast<std::size_t>(batches));
  std::int64_t value = 0;
  for (auto& batch : made) {
    for (int row = 0; row < rows; ++row) batch.push_back(value++);
  }
  return made;
}

inline std::int64_t count_rows(engine::ProcessingElement& element) {
  std::int64_t rows = 0;
  while (const auto batch = element.next()) rows += batch->rows();
  return rows;
}

struct Model {
  const char* name;
  engine::Threading threading;
  int threads;

  [[nodiscard]] engine::Options with(engine::Options options) const {
    options.threading = threading;
    options.threads = threads;
    return options;
  }
};

inline std::vector<Model> all_models() {
  return {{"manual", engine::Threading::kManual, 1},
          {"dedicated", engine::Threading::kDedicated, 1},
          {"dynamic_of_one", engine::Threading::kDynamic, 1},
          {"dynamic_of_three", engine::Threading::kDynamic, 3},
          {"conveyor_of_one", engine::Threading::kConveyor, 1},
          {"conveyor_of_three", engine::Threading::kConveyor, 3},
          {"automatic", engine::Threading::kAutomatic, 3}};
}

inline std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace penstock::support
