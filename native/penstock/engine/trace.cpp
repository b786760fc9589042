#include "penstock/engine/trace.hpp"

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace penstock::engine {

namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 16U;

std::string last_error() {
  return errno == 0 ? "the write failed" : std::generic_category().message(errno);
}

}  // namespace

Trace::Trace(std::string path, const std::string& flow, std::int64_t start_ns)
    : path_(std::move(path)), start_ns_(start_ns), process_(static_cast<int>(getpid())) {
  errno = 0;
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (!file_) {
    throw TraceError("the trace '" + path_ + "' of flow '" + flow +
                     "' cannot be written: " + last_error() +
                     "; choose a file in a folder that exists and may be written to");
  }
  buffer_.reserve(2 * kFlushBytes);
  buffer_ += '[';
  begin_event("M", "process_name", 0);
  begin_args();
  add_text("name", "flow " + flow);
  end_args();
}

void Trace::visit(const Visit& visit, std::string_view operator_name, std::uint64_t serial) {
  name_worker(visit.worker);
  begin_event("X", operator_name, visit.worker);
  add_time("ts", visit.start_ns - start_ns_);
  add_time("dur", visit.end_ns - visit.start_ns);
  begin_args();
  add_number("serial", static_cast<std::int64_t>(serial));
  add_number("tuples", visit.tuples);
  add_number("rows_in", visit.rows_in);
  add_number("rows_out", visit.rows_out);
  end_args();
}

void Trace::number(std::string_view name, std::int64_t value, std::int64_t at_ns) {
  begin_event("C", name, 0);
  add_time("ts", at_ns - start_ns_);
  begin_args();
  add_number("value", value);
  end_args();
}

void Trace::finish() noexcept {
  // After a fork the file is the parent's.
  if (!file_.is_open() || static_cast<int>(getpid()) != process_) return;
  buffer_ += "\n]\n";
  flush();
  file_.close();
  if (!file_ && problem_.empty()) problem_ = last_error();
}

void Trace::name_worker(int worker) {
  const auto index = static_cast<std::size_t>(worker);
  if (index >= named_.size()) named_.resize(index + 1);
  if (named_[index]) return;
  named_[index] = true;
  begin_event("M", "thread_name", worker);
  begin_args();
  add_text("name", worker == 0 ? "feeder" : "worker " + std::to_string(worker));
  end_args();
}

void Trace::begin_event(std::string_view phase, std::string_view name, int worker) {
  buffer_ += std::exchange(first_, false) ? "\n" : ",\n";
  buffer_ += '{';
  add_text("ph", phase);
  add_text("name", name);
  add_number("pid", process_);
  add_number("tid", worker);
}

// Chrome counts in microseconds; three decimals keep every nanosecond.
void Trace::add_time(std::string_view key, std::int64_t ns) {
  constexpr std::int64_t kNsPerUs = 1000;
  constexpr std::size_t kDecimals = 3;
  const auto decimals = std::to_string(ns % kNsPerUs);
  add_number(key, ns / kNsPerUs);
  buffer_ += '.';
  buffer_.append(kDecimals - decimals.size(), '0');
  buffer_ += decimals;
}

void Trace::add_number(std::string_view key, std::int64_t value) {
  add_key(key);
  buffer_ += std::to_string(value);
}

void Trace::add_text(std::string_view key, std::string_view text) {
  add_key(key);
  buffer_ += '"';
  buffer_ += json_escaped(text);
  buffer_ += '"';
}

void Trace::add_key(std::string_view key) {
  if (buffer_.back() != '{') buffer_ += ',';
  buffer_ += '"';
  buffer_ += key;
  buffer_ += "\":";
}

void Trace::begin_args() {
  add_key("args");
  buffer_ += '{';
}

void Trace::end_args() {
  buffer_ += '}';
  end_event();
}

void Trace::end_event() {
  buffer_ += '}';
  if (buffer_.size() >= kFlushBytes) flush();
}

void Trace::flush() {
  errno = 0;
  if (problem_.empty()) {
    file_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    file_.flush();
    if (!file_) problem_ = last_error();
  }
  buffer_.clear();
}

std::string json_escaped(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string escaped;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      escaped += '\\';
      escaped += character;
    } else if (byte < 0x20U) {
      escaped += "\\u00";
      escaped += kHex[byte >> 4U];
      escaped += kHex[byte & 0xFU];
    } else {
      escaped += character;
    }
  }
  return escaped;
}

}  // namespace penstock::engine
