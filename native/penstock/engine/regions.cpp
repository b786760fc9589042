#include "penstock/engine/regions.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "penstock/base/check.hpp"

namespace penstock::engine {

Regions::Regions(FlowLine& line) : line_(&line) {
  for (const auto& place : line.resizables()) regions_.push_back(std::make_unique<Region>(place));
}

std::string Regions::name(int region) const { return line_->topology().node(at(region).node).name; }

elastic::ChannelRange Regions::range(int region) const {
  const auto widths = at(region).body->widths();
  return {.least = widths.least, .most = widths.most};
}

std::vector<std::chrono::nanoseconds> Regions::take_waits(int region) {
  Region& here = at(region);
  here.waited_ns.resize(static_cast<std::size_t>(here.body->parts()));
  std::vector<std::chrono::nanoseconds> waits;
  for (int channel = 0; channel < here.migration.width(); ++channel) {
    const std::int64_t now = here.body->waited_ns(channel);
    waits.emplace_back(now - std::exchange(here.waited_ns[static_cast<std::size_t>(channel)], now));
  }
  return waits;
}

void Regions::ask_for(const std::string& name, int channels) {
  std::string names;
  for (int region = 0; region < size(); ++region) {
    if (this->name(region) != name) {
      names += (names.empty() ? "'" : ", '") + this->name(region) + "'";
      continue;
    }
    const int most = range(region).most;
    if (channels < 1 || channels > most) {
      throw std::invalid_argument("region '" + name + "' has 1 to " + std::to_string(most) +
                                  " channels, but " + std::to_string(channels) + " were asked for");
    }
    at(region).asked.store(channels, std::memory_order_relaxed);
    return;
  }
  throw std::invalid_argument("there is no region '" + name + "'; there " +
                              (names.empty() ? "are none" : "is " + names));
}

bool Regions::settled() const {
  return std::ranges::all_of(regions_, [](const auto& each) { return each->migration.settled(); });
}

void Regions::take_wishes() {
  for (const auto& region : regions_) {
    if (region->asked.load(std::memory_order_relaxed) == 0) continue;
    region->migration.ask_for(region->asked.exchange(0, std::memory_order_relaxed));
    region->pinned = true;
  }
}

bool Regions::pulse_is_due() {
  take_wishes();
  return std::ranges::any_of(regions_, [](const auto& each) { return each->migration.is_due(); });
}

void Regions::fill(FlowRun& run, std::int64_t next_row) {
  for (int number = 0; number < size(); ++number) {
    Region& here = at(number);
    const auto pulse = here.migration.next_pulse();
    if (!pulse) continue;
    if (pulse->what != graph::Resizing::kTake) {
      here.moving = here.body->begin_resize(pulse->from, pulse->to);
    }
    line_->set_width(number, here.migration.width());
    line_->fill_pulse(
        run, {.node = here.node, .what = pulse->what, .moving = std::move(here.moving)}, next_row);
    return;
  }
  PENSTOCK_CHECK(false, "a run is filled with a pulse only when one is due");
}

bool Regions::admits_rows() const noexcept {
  return std::ranges::all_of(regions_,
                             [](const auto& each) { return each->migration.admits_rows(); });
}

void Regions::collect(FlowRun& run) {
  for (const auto& region : regions_) {
    if (region->node != run.pulse->node) continue;
    region->migration.came_through();
    // What was given waits for the pulse that takes; after that there is nothing left to keep.
    if (!region->migration.admits_rows()) region->moving = std::move(run.pulse->moving);
  }
  run.pulse.reset();
}

}  // namespace penstock::engine
