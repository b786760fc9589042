#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "explorer/explore.hpp"
#include "explorer/sim_sync.hpp"

namespace penstock::explorer {

struct NamedBody {
  std::string name;
  std::function<void()> body;
};

// A small program on simulated threads that must hold in every schedule, and the same program
// with one fault each, of which every one must be found. A scenario whose mutants are not
// found proves nothing.
struct Scenario {
  std::string name;
  std::function<void()> body;
  std::vector<NamedBody> mutants{};
  bool timeouts_allowed = false;
};

inline std::vector<Scenario>& scenarios() {
  static std::vector<Scenario> all;
  return all;
}

// One of these, as a constant of a scenario file, puts the scenario into the program.
class Registered {
 public:
  explicit Registered(Scenario scenario) { scenarios().push_back(std::move(scenario)); }
};

// Threads of a scenario, joined at the end of the scope or by join().
class Crew {
 public:
  template <std::invocable Body>
  void add(std::string name, Body body) {
    threads_.emplace_back(base::ThreadOptions{.name = std::move(name)}, std::move(body));
  }

  void join() {
    for (auto& thread : threads_) thread.join();
  }

 private:
  std::vector<SimSync::Thread> threads_;
};

}  // namespace penstock::explorer
