#include "penstock/budget/shares.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace penstock::budget {

std::vector<int> shares(int cores, std::span<const Claim> claims) {
  std::vector<int> given;
  given.reserve(claims.size());
  for (const Claim& claim : claims) given.push_back(std::max(1, claim.guaranteed));
  int left = cores - std::accumulate(given.begin(), given.end(), 0);
  for (; left > 0; --left) {
    std::size_t next = claims.size();
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (given[i] >= claims[i].wanted) continue;
      if (next == claims.size() || given[i] < given[next]) next = i;
    }
    if (next == claims.size()) break;
    ++given[next];
  }
  return given;
}

}  // namespace penstock::budget
