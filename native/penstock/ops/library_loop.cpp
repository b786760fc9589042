#include "penstock/ops/library_loop.hpp"

#include <exception>
#include <span>
#include <stdexcept>
#include <utility>

#include "penstock/loop/ports.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::ops {

namespace {

using loop::Loop;
using loop::Need;
using loop::Ports;

// What is known of a column that a library made, before anybody reads it.
void check_column(const ArrowArray& column, const tuple::Field& field, std::int64_t rows) {
  const bool bytes = field.kind == tuple::Kind::kBytes;
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("it pushes " + tuple::describe(field) + " with " + why);
  };
  if (column.length < rows) {
    refuse(std::to_string(column.length) + " values for " + std::to_string(rows) + " rows");
  }
  const std::int64_t buffers = bytes ? 3 : 2;
  if (column.n_buffers != buffers) {
    refuse(std::to_string(column.n_buffers) + " buffers, but it has " + std::to_string(buffers));
  }
  for (std::int64_t at = 1; at < buffers; ++at) {
    if (column.buffers[at] == nullptr) refuse("no buffer " + std::to_string(at));
  }
}

// Whether these are all columns, as they come: then there is nothing to select.
bool are_all(std::span<const int> columns, const tuple::Batch& batch) {
  if (std::cmp_not_equal(columns.size(), batch.columns())) return false;
  for (int at = 0; const int column : columns) {
    if (column != at++) return false;
  }
  return true;
}

// The library's side of the ports, as C functions that let nothing be thrown through the library.
class Host {
 public:
  Host(Ports& ports, const LibraryLoop& library) : ports_(&ports), library_(&library) {
    face_.rows = [](penstock_loop_host* host, std::int64_t port) -> std::int64_t {
      Host& self = of(host);
      return self.has(port) ? self.ports_->in(static_cast<int>(port)).rows() : -1;
    };
    face_.closed = [](penstock_loop_host* host, std::int64_t port) -> std::int32_t {
      Host& self = of(host);
      return !self.has(port) || self.ports_->in(static_cast<int>(port)).closed() ? 1 : 0;
    };
    face_.take = [](penstock_loop_host* host, std::int64_t port, std::int64_t rows,
                    ArrowArray* taken) {
      return of(host).guarded([&](Host& self) { self.take(port, rows, *taken); });
    };
    face_.push = [](penstock_loop_host* host, std::int64_t port, ArrowArray* rows) {
      return of(host).guarded([&](Host& self) { self.push(port, *rows); });
    };
    face_.wait = [](penstock_loop_host* host, std::int32_t any, const penstock_need* needs,
                    std::int64_t count) {
      Host& self = of(host);
      self.asked_ = true;
      self.any_ = any != 0;
      self.needs_.clear();
      for (std::int64_t at = 0; at < count; ++at) {
        self.needs_.push_back({.port = static_cast<int>(needs[at].port), .rows = needs[at].rows});
      }
    };
    face_.format = [](penstock_loop_host* host, std::int32_t output, std::int64_t port,
                      std::int64_t column) { return of(host).format(output != 0, port, column); };
    face_.stopped = [](penstock_loop_host* host) -> std::int32_t {
      return of(host).ports_->stop_requested() ? 1 : 0;
    };
    face_.fail = [](penstock_loop_host* host, const char* why) { of(host).why_ = why; };
  }

  [[nodiscard]] penstock_loop_host* face() noexcept { return &face_; }
  [[nodiscard]] bool any() const noexcept { return any_; }
  [[nodiscard]] const std::vector<Need>& needs() const noexcept { return needs_; }

  // Whether it said what it waits for since this was asked last.
  [[nodiscard]] bool asked() noexcept { return std::exchange(asked_, false); }

  [[noreturn]] void fail() {
    // What was not the library's fault leaves as it came.
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    fail(why_);
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error("library loop '" + library_->where + "': " + why);
  }

 private:
  struct Face : penstock_loop_host {
    Host* self;
  };

  static Host& of(penstock_loop_host* host) noexcept {
    return *static_cast<Face*>(host)->self;  // NOLINT(*-static-cast-downcast): C knows no more
  }

  template <typename Work>
  std::int32_t guarded(Work work) noexcept {
    thrown_ = nullptr;
    try {
      work(*this);
      return 0;
    } catch (const std::invalid_argument& error) {
      message_ = error.what();
    } catch (const std::out_of_range& error) {
      message_ = error.what();
    } catch (const std::exception& error) {
      message_ = error.what();
      thrown_ = std::current_exception();
    }
    face_.message = message_.c_str();
    return 1;
  }

  [[nodiscard]] bool has(std::int64_t port) const noexcept {
    return port >= 0 && std::cmp_less(port, library_->inputs.size());
  }

  void take(std::int64_t port, std::int64_t rows, ArrowArray& taken) {
    if (!has(port)) throw std::out_of_range("there is no input port " + std::to_string(port));
    tuple::Batch batch = ports_->in(static_cast<int>(port)).take(rows);
    const auto& columns = library_->inputs[static_cast<std::size_t>(port)].columns;
    if (!are_all(columns, batch)) batch = batch.select(columns);
    std::move(batch).export_to(taken);
  }

  void push(std::int64_t port, ArrowArray& rows) {
    tuple::Batch batch = tuple::Batch::adopt(rows);
    if (port < 0 || std::cmp_greater_equal(port, library_->outputs.size())) {
      throw std::out_of_range("there is no output port " + std::to_string(port));
    }
    const auto& out = library_->outputs[static_cast<std::size_t>(port)];
    if (std::cmp_not_equal(batch.columns(), out.fields.size())) {
      throw std::invalid_argument("it pushes " + std::to_string(batch.columns()) +
                                  " columns to output port " + std::to_string(port) +
                                  ", which has " + std::to_string(out.fields.size()));
    }
    for (std::size_t at = 0; at < out.fields.size(); ++at) {
      const tuple::ColumnSlice column = batch.column(static_cast<int>(at));
      check_column(*column.array, out.fields[at], batch.rows());
    }
    if (out.tag != nullptr) batch = out.tag->tagged(batch);
    (void)ports_->out().push(std::move(batch));
  }

  [[nodiscard]] const char* format(bool output, std::int64_t port,
                                   std::int64_t column) const noexcept {
    const std::size_t ports = output ? library_->outputs.size() : library_->inputs.size();
    if (port < 0 || std::cmp_greater_equal(port, ports)) return nullptr;
    const auto at = static_cast<std::size_t>(port);
    const auto& fields = output ? library_->outputs[at].fields : library_->inputs[at].fields;
    if (column < 0 || std::cmp_greater_equal(column, fields.size())) return nullptr;
    return fields[static_cast<std::size_t>(column)].format.c_str();
  }

  Face face_{{}, this};
  Ports* ports_;
  const LibraryLoop* library_;
  bool asked_ = false;
  bool any_ = false;
  std::vector<Need> needs_;
  std::string message_;
  std::string why_;
  std::exception_ptr thrown_;
};

// Both outlive it: they are the operator's.
// NOLINTNEXTLINE(*-avoid-reference-coroutine-parameters)
Loop drive(Ports& ports, const LibraryLoop& library) {
  Host host(ports, library);
  const std::unique_ptr<void, void (*)(void*)> running(library.functions.create(host.face()),
                                                       library.functions.destroy);
  if (running == nullptr) host.fail();
  for (bool done = false;;) {
    const std::int32_t stand = library.functions.resume(running.get(), done ? 1 : 0);
    if (stand == PENSTOCK_LOOP_ENDED) co_return;
    if (stand != PENSTOCK_LOOP_WAITS) host.fail();
    if (!host.asked()) host.fail("it awaits something that is no wait of its ports");
    // A wait for rows of the same tuple interrupts nobody, and the library's pushes cannot.
    co_await ports.rest();
    const std::span<const Need> needs(host.needs());
    if (host.any()) {
      done = static_cast<bool>(co_await ports.any(needs));
    } else {
      done = static_cast<bool>(co_await ports.all(needs));
    }
  }
}

}  // namespace

std::unique_ptr<graph::Operator> make_library_loop(loop::LoopOperator::Options options,
                                                   LibraryLoop library) {
  return std::make_unique<loop::LoopOperator>(
      std::move(options), [held = std::make_shared<const LibraryLoop>(std::move(library))](
                              Ports& ports) { return drive(ports, *held); });
}

}  // namespace penstock::ops
