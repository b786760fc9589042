#pragma once

#include "penstock_coroutine.hpp"

namespace penstock::loop {

// Libraries of users have the same.
using penstock::Loop;

}  // namespace penstock::loop
