#include "penstock/tuple/stream.hpp"

#include <cerrno>
#include <string>
#include <utility>

namespace penstock::tuple {

InputStream::InputStream(ArrowArrayStream& stream)
    : stream_(std::exchange(stream, ArrowArrayStream{})) {
  if (stream_.release == nullptr)
    throw std::invalid_argument("the Arrow stream was released already");
}

std::optional<Batch> InputStream::next() {
  if (stream_.release == nullptr) return std::nullopt;
  ArrowArray array{};
  if (const int code = stream_.get_next(&stream_, &array); code != 0) {
    const char* said = stream_.get_last_error(&stream_);
    throw StreamError(said != nullptr ? said : "error " + std::to_string(code));
  }
  if (array.release == nullptr) return std::nullopt;
  return Batch::adopt(array);
}

void InputStream::close() noexcept {
  if (stream_.release != nullptr) stream_.release(&stream_);
  stream_ = ArrowArrayStream{};
}

namespace {

struct Exported {
  std::shared_ptr<BatchSource> source;
  Schema schema;
  std::string last_error;
};

Exported& exported(ArrowArrayStream* stream) {
  return *static_cast<Exported*>(stream->private_data);
}

// No exception may cross the C boundary: each becomes an error code and a text.
template <typename Body>
int guarded(ArrowArrayStream* stream, Body body) noexcept {
  try {
    body(exported(stream));
    return 0;
  } catch (const std::exception& error) {
    exported(stream).last_error = error.what();
  } catch (...) {
    exported(stream).last_error = "an unknown error";
  }
  return EIO;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(stream, [out](const Exported& self) { self.schema.export_to(*out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded(stream, [out](const Exported& self) {
    *out = ArrowArray{};  // a released array is how the interface says "the end"
    if (auto batch = self.source->next()) std::move(*batch).export_to(*out);
  });
}

const char* get_last_error(ArrowArrayStream* stream) { return exported(stream).last_error.c_str(); }

void release(ArrowArrayStream* stream) {
  delete &exported(stream);  // NOLINT(cppcoreguidelines-owning-memory)
  stream->release = nullptr;
}

}  // namespace

void export_stream(std::shared_ptr<BatchSource> source, Schema schema, ArrowArrayStream& out) {
  out = ArrowArrayStream{
      .get_schema = get_schema,
      .get_next = get_next,
      .get_last_error = get_last_error,
      .release = release,
      .private_data =
          new Exported{.source = std::move(source), .schema = std::move(schema), .last_error = {}}};
}

}  // namespace penstock::tuple
