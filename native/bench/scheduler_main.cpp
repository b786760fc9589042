// Penstock's threading models, a hand-written chain and the paper's scheduler, on request.
#include <array>
#include <iostream>
#include <string>

#include "bench/contenders/contenders.hpp"
#include "bench/core_distance.hpp"
#include "bench/json.hpp"
#include "bench/lifecycle.hpp"
#include "bench/serve.hpp"

namespace {

using penstock::bench::JsonObject;
using penstock::bench::Request;
using penstock::bench::RequestError;
using penstock::engine::Options;
using penstock::engine::Threading;

// kind=lifecycle operators=1000 threading=conveyor threads=2 seconds=1
std::string answer_lifecycle(Request& request) {
  constexpr std::array<std::string_view, 5> kNames{"conveyor", "dynamic", "dedicated", "manual",
                                                   "automatic"};
  constexpr std::array kThreadings{Threading::kConveyor, Threading::kDynamic, Threading::kDedicated,
                                   Threading::kManual, Threading::kAutomatic};
  Options options;
  options.threading = kThreadings.at(request.take_choice("threading", kNames));
  // As .threading("automatic") is; without, it would have all its threads from the beginning.
  options.elastic = options.threading == Threading::kAutomatic;
  options.threads = static_cast<int>(request.take_int("threads", 2, 1, 1024));
  const auto operators = static_cast<int>(request.take_int("operators", 1000, 1, 10'000));
  const double seconds = request.take_number("seconds", 1);
  request.check_all_taken();
  const auto found = penstock::bench::measure_lifecycle(operators, options, seconds);
  return JsonObject()
      .add("start_ms", found.start_ms)
      .add("stop_ms", found.stop_ms)
      .add("idle_cores", found.idle_cores)
      .line();
}

// kind=distance
std::string answer_distance(Request& request) {
  request.check_all_taken();
  return JsonObject().add("one_way_ns", penstock::bench::core_distance_ns()).line();
}

std::string answer_other(const std::string& kind, Request& request) {
  if (kind == "lifecycle") return answer_lifecycle(request);
  if (kind == "distance") return answer_distance(request);
  throw RequestError("'kind' is '" + kind +
                     "', but must be one of measure, list, lifecycle, distance");
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  penstock::bench::serve(std::cin, std::cout, penstock::bench::own_contenders(), answer_other);
  return 0;
}
