#pragma once

#include <span>
#include <vector>

namespace penstock::budget {

// What one PE asks for: the cores of its task, which it has in any case, and the threads it could
// use. Who wants fewer than it has got keeps them: Spark gave them to its task.
struct Claim {
  int guaranteed = 1;
  int wanted = 1;
};

// How many threads each claim may have, in the order in which they are given: all that is
// guaranteed, and of the cores that are left one after another to whoever has fewest and wants
// more, the earlier claim first. So nobody can have more without taking it from somebody who has
// no more (max-min fair), and everybody who knows the claims comes to the same result.
[[nodiscard]] std::vector<int> shares(int cores, std::span<const Claim> claims);

}  // namespace penstock::budget
