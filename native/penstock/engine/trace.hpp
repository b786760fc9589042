#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/engine/visit.hpp"

namespace penstock::engine {

// The trace file cannot be written; the text names it.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file of Chrome trace events, which Perfetto and chrome://tracing show: what each thread ran
// when, and numbers over time. Events are written as they come, so memory is bounded, and as an
// array, so that even a process that is killed leaves something that can be shown.
//
// For one thread, the feeder. Names are UTF-8.
class Trace {
 public:
  // Throws TraceError. Times are counted from `start_ns`.
  Trace(std::string path, const std::string& flow, std::int64_t start_ns);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  Trace(Trace&&) = delete;
  Trace& operator=(Trace&&) = delete;
  ~Trace() { finish(); }

  void visit(const Visit& visit, std::string_view operator_name, std::uint64_t serial);
  void number(std::string_view name, std::int64_t value, std::int64_t at_ns);

  // Completes the file; nothing is written afterwards.
  void finish() noexcept;

  // Why the file is not complete; empty when all is well. A flow does not fail for its trace.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  void name_worker(int worker);
  void begin_event(std::string_view phase, std::string_view name, int worker);
  void add_time(std::string_view key, std::int64_t ns);
  void add_number(std::string_view key, std::int64_t value);
  void add_text(std::string_view key, std::string_view text);
  void add_key(std::string_view key);
  void begin_args();
  void end_args();
  void end_event();
  void flush();

  std::string path_;
  std::ofstream file_;
  std::string buffer_;
  std::string problem_;
  std::vector<bool> named_;  // by worker
  std::int64_t start_ns_;
  int process_;
  bool first_ = true;
};

// `text` as it stands between the quotes of a JSON string.
[[nodiscard]] std::string json_escaped(std::string_view text);

}  // namespace penstock::engine
