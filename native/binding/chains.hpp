#pragma once

#include <string>
#include <utility>
#include <vector>

#include "penstock/region/channel.hpp"

#include "binding/operator_handle.hpp"

namespace penstock::binding {

// Operators one behind the other, by name.
using Chain = std::vector<std::pair<std::string, OperatorHandle*>>;

[[nodiscard]] inline std::vector<region::Channel::Member> members_of(const Chain& described) {
  std::vector<region::Channel::Member> members;
  members.reserve(described.size());
  for (const auto& [name, body] : described) {
    members.push_back({.name = name, .body = body->take()});
  }
  return members;
}

[[nodiscard]] inline std::vector<region::Channel> channels_of(const std::vector<Chain>& described) {
  std::vector<region::Channel> channels;
  channels.reserve(described.size());
  for (const auto& members : described) channels.emplace_back(members_of(members));
  return channels;
}

}  // namespace penstock::binding
