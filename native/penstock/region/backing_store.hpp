#pragma once

#include <utility>
#include <vector>

#include "penstock/region/keyed_state.hpp"

namespace penstock::region {

// Where packages are between the channel that gave them and the one that takes them (G13). Used by
// one thread at a time.
class BackingStore {
 public:
  BackingStore() = default;
  BackingStore(const BackingStore&) = delete;
  BackingStore& operator=(const BackingStore&) = delete;
  BackingStore(BackingStore&&) = delete;
  BackingStore& operator=(BackingStore&&) = delete;
  virtual ~BackingStore() = default;

  // `member` is the operator's place in its channel, and `schema` that of its packages.
  virtual void save(int member, const tuple::Schema& schema, Package package) = 0;
  // All that were saved for a channel, whoever gave them (A21). They are no longer there then.
  [[nodiscard]] virtual std::vector<Package> retrieve(int member, int to) = 0;
};

// Within a process nothing has to leave memory.
class MemoryStore final : public BackingStore {
 public:
  void save(int member, const tuple::Schema& /*schema*/, Package package) override {
    const auto at = static_cast<std::size_t>(member);
    if (packages_.size() <= at) packages_.resize(at + 1);
    packages_[at].push_back(std::move(package));
  }
  [[nodiscard]] std::vector<Package> retrieve(int member, int to) override {
    std::vector<Package> found;
    const auto at = static_cast<std::size_t>(member);
    if (at >= packages_.size()) return found;
    std::vector<Package> left;
    for (Package& package : packages_[at]) {
      (package.to == to ? found : left).push_back(std::move(package));
    }
    packages_[at] = std::move(left);
    return found;
  }

 private:
  std::vector<std::vector<Package>> packages_;  // by member
};

}  // namespace penstock::region
