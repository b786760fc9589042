#include "penstock/schedule/port.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <memory>

#include "penstock/schedule/line.hpp"

namespace penstock {
namespace {

using Port = schedule::Port<schedule::Run>;
using Look = schedule::PortLook<schedule::Run>;

class PortLook : public testing::Test {
 protected:
  PortLook() {
    for (int i = 0; i < 2; ++i) ports_.push_back(std::make_unique<Port>(2));
  }

  void put(std::size_t port, int runs) {
    auto producer = ports_[port]->queue.try_produce();
    for (schedule::Run* run = &run_; runs > 0; --runs) ASSERT_TRUE(producer->try_push(run));
  }

  schedule::Run run_;
  Look::Ports ports_;
  Look look_{ports_};
};

TEST_F(PortLook, a_port_has_work_when_a_run_waits_in_it_and_there_is_room_behind) {
  EXPECT_FALSE(look_(0));
  put(0, 1);
  EXPECT_TRUE(look_(0));
  put(1, 2);
  EXPECT_FALSE(look_(0)) << "the next one is full";
  EXPECT_TRUE(look_(1)) << "behind the last one there is always room";
}

TEST_F(PortLook, a_port_that_is_served_has_no_work_for_others) {
  put(0, 1);
  ports_[0]->served = true;
  EXPECT_FALSE(look_(0));
  EXPECT_TRUE(look_.state(0).served);
}

TEST_F(PortLook, its_state_tells_what_waits_here_and_behind) {
  put(0, 2);
  ASSERT_TRUE(ports_[0]->queue.try_consume()->try_pop());
  put(1, 1);
  const auto first = look_.state(0);
  EXPECT_EQ(first.taken, 1U);
  EXPECT_EQ(first.waiting, 1U);
  EXPECT_EQ(first.behind, 1U);
  EXPECT_EQ(first.room, 1U);
  EXPECT_FALSE(first.last);
  EXPECT_TRUE(look_.state(1).last);
}

}  // namespace
}  // namespace penstock
