#include "penstock/budget/shares.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace penstock {
namespace {

using budget::Claim;
using budget::shares;
using Threads = std::vector<int>;

TEST(Shares, one_claim_gets_what_it_wants_up_to_all_cores) {
  EXPECT_EQ(shares(4, std::vector<Claim>{{.wanted = 3}}), Threads{3});
  EXPECT_EQ(shares(4, std::vector<Claim>{{.wanted = 9}}), Threads{4});
}

TEST(Shares, what_is_guaranteed_is_given_even_if_the_cores_do_not_suffice) {
  EXPECT_EQ(shares(2, std::vector<Claim>{{}, {}, {.wanted = 2}}), (Threads{1, 1, 1}));
  EXPECT_EQ(shares(2, std::vector<Claim>{{.guaranteed = 2, .wanted = 1}, {.wanted = 2}}),
            (Threads{2, 1}));
}

TEST(Shares, what_one_does_not_want_goes_to_the_others) {
  EXPECT_EQ(shares(8, std::vector<Claim>{{.wanted = 8}, {.wanted = 1}, {.wanted = 8}}),
            (Threads{4, 1, 3}));
}

TEST(Shares, who_has_fewest_is_next_and_the_earlier_one_of_equals) {
  EXPECT_EQ(shares(5, std::vector<Claim>{{.guaranteed = 2, .wanted = 5}, {.wanted = 5}}),
            (Threads{3, 2}));
}

TEST(Shares, nobody_gets_anything_where_nobody_asks) { EXPECT_EQ(shares(4, {}), Threads{}); }

TEST(Shares, a_claim_to_nothing_is_a_claim_to_one_thread) {
  EXPECT_EQ(shares(4, std::vector<Claim>{{.guaranteed = 0, .wanted = 0}}), Threads{1});
}

}  // namespace
}  // namespace penstock
