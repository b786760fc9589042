#pragma once

#include <memory>
#include <optional>
#include <stdexcept>

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::tuple {

// The maker of a stream reported an error instead of a batch.
class StreamError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The batches that come in, pulled one by one. Pulled by one thread only: what is behind it may
// be Spark's iterator, which belongs to the Python worker's main thread.
class InputStream {
 public:
  // Takes the stream over; `stream` is left released.
  explicit InputStream(ArrowArrayStream& stream);
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;
  InputStream(InputStream&&) = delete;
  InputStream& operator=(InputStream&&) = delete;
  ~InputStream() { close(); }

  // Empty at the end of the input, which does not prove that the input was complete: Spark ends
  // it in the same way when an upstream task failed.
  [[nodiscard]] std::optional<Batch> next();

  // Gives the stream back to its maker. Nothing comes after that.
  void close() noexcept;

 private:
  ArrowArrayStream stream_;
};

// Where the batches that go out come from.
class BatchSource {
 public:
  BatchSource() = default;
  BatchSource(const BatchSource&) = delete;
  BatchSource& operator=(const BatchSource&) = delete;
  BatchSource(BatchSource&&) = delete;
  BatchSource& operator=(BatchSource&&) = delete;
  virtual ~BatchSource() = default;

  // Empty at the end; whatever it throws reaches the consumer of the stream as an error.
  [[nodiscard]] virtual std::optional<Batch> next() = 0;
};

// Writes to `out` a stream of everything `source` has; the stream keeps the source alive.
void export_stream(std::shared_ptr<BatchSource> source, Schema schema, ArrowArrayStream& out);

}  // namespace penstock::tuple
