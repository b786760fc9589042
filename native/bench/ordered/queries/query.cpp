#include "bench/ordered/queries/query.hpp"

#include <array>

#include "bench/ordered/queries/plain.hpp"
#include "bench/ordered/queries/steps.hpp"

namespace penstock::bench::queries {

std::span<const Query> queries() {
  static constexpr std::array kQueries{
      Query{.name = "q1", .make_input = make_sales, .make_steps = q1_steps, .plain = plain_q1},
      Query{.name = "q2", .make_input = make_clicks, .make_steps = q2_steps, .plain = plain_q2},
      Query{.name = "q3", .make_input = make_clicks, .make_steps = q3_steps, .plain = plain_q3},
      Query{.name = "q4", .make_input = make_clicks, .make_steps = q4_steps, .plain = plain_q4},
      Query{.name = "q15", .make_input = make_sales, .make_steps = q15_steps, .plain = plain_q15},
      Query{.name = "fan", .make_input = make_clicks, .make_steps = fan_steps, .plain = plain_fan},
  };
  return kQueries;
}

}  // namespace penstock::bench::queries
