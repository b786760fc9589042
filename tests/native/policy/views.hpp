#pragma once

#include <string_view>
#include <vector>

#include "penstock/policy/policy.hpp"

namespace penstock::support {

using policy::OperatorView;
using Views = std::vector<OperatorView>;

inline int pick(std::string_view name, const Views& views,
                const policy::Parameters& parameters = {}) {
  return policy::make(name, parameters)->pick(views, 0);
}

// An operator that cannot be run whatever a policy would like of it.
inline OperatorView busy(OperatorView view) {
  view.workers = view.most_workers;
  return view;
}

}  // namespace penstock::support
