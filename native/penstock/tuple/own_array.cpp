#include "penstock/tuple/own_array.hpp"

#include <memory>
#include <span>
#include <utility>

namespace penstock::tuple {

OwnArray::Parts::~Parts() {
  // A child whose release is null was moved out by the consumer.
  for (ArrowArray& node : nodes) {
    if (node.release != nullptr) node.release(&node);
  }
}

OwnArray::OwnArray(std::int64_t length, std::size_t children)
    : parts_(std::make_unique<Parts>()), length_(length) {
  if (children == 0) return;
  parts_->nodes.reserve(children);
  parts_->children.reserve(children);
}

void* OwnArray::add_bytes(std::int64_t size) {
  const auto padded = (static_cast<std::size_t>(size) / kAlignment + 1) * kAlignment;
  std::size_t room = padded + kAlignment;
  // Aligned here: the allocator would cut off what lies before, and that costs more than it saves.
  std::unique_ptr<std::byte, Free> bytes(static_cast<std::byte*>(::operator new(room)));
  void* aligned = bytes.get();
  std::align(kAlignment, padded, aligned, room);
  next_buffer() = aligned;
  parts_->buffers[parts_->count - 1] = std::move(bytes);
  return aligned;
}

void OwnArray::add_child(ArrowArray child) {
  try {
    parts_->nodes.push_back(child);
  } catch (...) {
    child.release(&child);
    throw;
  }
}

void OwnArray::set_dictionary(ArrowArray dictionary) {
  add_child(dictionary);
  parts_->has_dictionary = true;
}

ArrowArray OwnArray::finish(std::int64_t nulls) && {
  Parts& parts = *parts_;
  for (ArrowArray& node : parts.nodes) parts.children.push_back(&node);
  ArrowArray made{.length = length_, .null_count = nulls};
  made.n_buffers = static_cast<std::int64_t>(parts.count);
  made.buffers = parts.pointers.data();
  made.n_children = std::ssize(parts.children) - (parts.has_dictionary ? 1 : 0);
  made.children = parts.children.data();
  made.dictionary = parts.has_dictionary ? parts.children.back() : nullptr;
  made.release = release;
  made.private_data = parts_.release();
  return made;
}

Batch OwnArray::finish_batch() && {
  ArrowArray whole = std::move(*this).finish(0);
  try {
    return Batch::adopt(whole);
  } catch (...) {
    if (whole.release != nullptr) whole.release(&whole);
    throw;
  }
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
ArrowArray OwnArray::borrow(const ArrowArray& source, const Batch& owner) {
  OwnArray shell(source.length);
  shell.parts_->owner = owner;
  for (const auto* child : std::span(source.children, static_cast<std::size_t>(source.n_children)))
    shell.add_child(borrow(*child, owner));
  if (source.dictionary != nullptr) shell.set_dictionary(borrow(*source.dictionary, owner));
  ArrowArray made = std::move(shell).finish(source.null_count);
  made.offset = source.offset;
  made.n_buffers = source.n_buffers;
  made.buffers = source.buffers;
  return made;
}

void OwnArray::release(ArrowArray* array) {
  array->release = nullptr;
  delete static_cast<Parts*>(array->private_data);  // NOLINT(cppcoreguidelines-owning-memory)
}

}  // namespace penstock::tuple
