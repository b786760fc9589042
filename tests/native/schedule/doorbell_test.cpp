#include "penstock/schedule/doorbell.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

using schedule::Doorbell;

constexpr auto kNever = [] { return false; };

int* nothing() { return nullptr; }

TEST(Doorbell, work_found_at_the_second_look_is_returned_without_sleeping) {
  Doorbell<> doorbell;
  int work = 0;
  EXPECT_EQ(doorbell.worker_sleep([&] { return &work; }, kNever), &work);
  EXPECT_EQ(doorbell.feeder_sleep([&] { return &work; }, kNever), &work);
}

TEST(Doorbell, who_has_a_reason_to_stay_up_takes_no_work) {
  Doorbell<> doorbell;
  int taken = 0;
  const auto take = [&] {
    ++taken;
    return &taken;
  };
  EXPECT_EQ(doorbell.worker_sleep(take, [] { return true; }), nullptr);
  EXPECT_EQ(doorbell.feeder_sleep(take, [] { return true; }), nullptr);
  EXPECT_EQ(taken, 0);
}

TEST(Doorbell, a_worker_that_is_rung_for_while_it_lies_down_gets_up_again) {
  Doorbell<> doorbell;
  const auto rung_for_meanwhile = [&] {
    doorbell.ring_worker();
    return nothing();
  };
  EXPECT_EQ(doorbell.worker_sleep(rung_for_meanwhile, kNever), nullptr);
}

TEST(Doorbell, the_feeder_is_rung_for_when_no_worker_sleeps) {
  Doorbell<> doorbell;
  const auto rung_for_meanwhile = [&] {
    doorbell.ring_worker();
    return nothing();
  };
  EXPECT_EQ(doorbell.feeder_sleep(rung_for_meanwhile, kNever), nullptr);
}

TEST(Doorbell, the_feeder_gets_up_for_what_it_alone_can_do) {
  Doorbell<> doorbell;
  const auto rung_for_meanwhile = [&] {
    doorbell.ring_feeder();
    return nothing();
  };
  EXPECT_EQ(doorbell.feeder_sleep(rung_for_meanwhile, kNever), nullptr);
}

TEST(Doorbell, ringing_for_all_wakes_workers_and_the_feeder) {
  Doorbell<> doorbell;
  const auto rung_for_meanwhile = [&] {
    doorbell.ring_all();
    return nothing();
  };
  EXPECT_EQ(doorbell.worker_sleep(rung_for_meanwhile, kNever), nullptr);
  EXPECT_EQ(doorbell.feeder_sleep(rung_for_meanwhile, kNever), nullptr);
}

TEST(Doorbell, ringing_when_nobody_sleeps_is_forgotten) {
  Doorbell<> doorbell;
  doorbell.ring_worker();
  doorbell.ring_feeder();
  int looks = 0;
  const auto look = [&] {
    // Nobody but this look can end the sleep.
    if (++looks == 1) doorbell.ring_worker();
    return nothing();
  };
  (void)doorbell.worker_sleep(look, kNever);
  EXPECT_EQ(looks, 1);
}

}  // namespace
}  // namespace penstock
