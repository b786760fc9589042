#pragma once

#include <string>
#include <utility>
#include <vector>

#include "penstock/region/channel.hpp"

#include "binding/operator_handle.hpp"

namespace penstock::binding {

// Operators one behind the other, by name.
using Chain = std::vector<std::pair<std::string, OperatorHandle*>>;

[[nodiscard]] inline std::vector<region::Channel> channels_of(const std::vector<Chain>& described) {
  std::vector<region::Channel> channels;
  channels.reserve(described.size());
  for (const auto& members : described) {
    std::vector<region::Channel::Member> chain;
    chain.reserve(members.size());
    for (const auto& [name, body] : members) chain.push_back({.name = name, .body = body->take()});
    channels.emplace_back(std::move(chain));
  }
  return channels;
}

}  // namespace penstock::binding
