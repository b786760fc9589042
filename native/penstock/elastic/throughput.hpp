#pragma once

#include <string>

namespace penstock::elastic {

// Throws std::invalid_argument, naming the value, unless it is finite and not negative.
void check_throughput(double throughput);

// A throughput, or another measured number, in a sentence: four digits are all that noise leaves.
[[nodiscard]] std::string number(double value);

}  // namespace penstock::elastic
