#include "bench/serve.hpp"

#include <array>
#include <vector>

#include "bench/answer_lines.hpp"
#include "bench/json.hpp"
#include "bench/measure.hpp"

namespace penstock::bench {

namespace {

constexpr int kMostOperators = 100'000;
constexpr int kMostThreads = 1024;
constexpr long kMostTuples = 1'000'000'000'000;
constexpr long kMostRuns = 1'000'000;

[[nodiscard]] std::string list(std::span<const ContenderEntry> contenders) {
  std::string names;
  for (const ContenderEntry& entry : contenders) {
    names += (names.empty() ? "" : ", ") + json_text(entry.name);
  }
  return "{\"contenders\": [" + names + "]}";
}

[[nodiscard]] Task take_task(Request& request) {
  Task task;
  task.shape.depth = static_cast<int>(request.take_int("depth", 1, 1, kMostOperators));
  task.shape.width =
      static_cast<int>(request.take_int("width", 1, 1, kMostOperators / task.shape.depth));
  task.cost = static_cast<int>(request.take_int("cost", 1, 0, 1'000'000));
  task.warm = static_cast<std::uint64_t>(request.take_int("warm", 0, 0, kMostTuples));
  task.tuples =
      task.warm + static_cast<std::uint64_t>(request.take_int("tuples", 1, 1, kMostTuples));
  task.rate = request.take_number("rate", 0);
  constexpr std::array<std::string_view, 2> kInterfaces{"tuple", "batch"};
  task.interface =
      request.take_choice("interface", kInterfaces) == 0 ? Interface::kTuple : Interface::kBatch;
  return task;
}

[[nodiscard]] Setup take_setup(Request& request) {
  return {.threads = static_cast<int>(request.take_int("threads", 1, 1, kMostThreads)),
          .run_length = static_cast<int>(request.take_int("run", kLongestRun, 1, kLongestRun)),
          .window = static_cast<std::size_t>(request.take_int("window", 0, 0, kMostRuns)),
          .capacity = static_cast<std::size_t>(request.take_int("capacity", 0, 0, kMostRuns))};
}

[[nodiscard]] std::string answer_measure(std::span<const ContenderEntry> contenders,
                                         Request& request) {
  std::vector<std::string_view> names;
  for (const ContenderEntry& entry : contenders) names.push_back(entry.name);
  const ContenderEntry& contender = contenders[request.take_choice("contender", names)];
  const Task task = take_task(request);
  const Setup setup = take_setup(request);
  request.check_all_taken();
  const Measured found = measure(contender, task, setup);
  JsonObject answer;
  answer.add("tuples", found.tuples)
      .add("seconds", found.seconds)
      .add("tuples_per_s", static_cast<double>(found.tuples) / found.seconds)
      .add("cpu_s", found.cpu_seconds)
      .add("context_switches", found.context_switches)
      .add("lost", found.lost)
      .add("duplicated", found.duplicated)
      .add("out_of_order", found.out_of_order)
      // As text: JSON's numbers are often read as floating point.
      .add("checksum", std::to_string(found.checksum));
  if (found.latency_us && found.delay_us) {
    answer.add("p50_us", found.latency_us->p50)
        .add("p99_us", found.latency_us->p99)
        .add("source_late_p99_us", found.delay_us->p99);
  }
  return answer.line();
}

[[nodiscard]] std::string answer(Request& request, std::span<const ContenderEntry> contenders,
                                 OtherKinds other_kinds) {
  const std::string kind = request.take("kind", "measure");
  if (kind == "measure") return answer_measure(contenders, request);
  if (kind == "list") {
    request.check_all_taken();
    return list(contenders);
  }
  if (other_kinds != nullptr) return other_kinds(kind, request);
  throw RequestError("'kind' is '" + kind + "', but must be one of measure, list");
}

}  // namespace

void serve(std::istream& in, std::ostream& out, std::span<const ContenderEntry> contenders,
           OtherKinds other_kinds) {
  answer_lines(in, out, [contenders, other_kinds](Request& request) {
    return answer(request, contenders, other_kinds);
  });
}

}  // namespace penstock::bench
