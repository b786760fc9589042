// A role is held by one thread at a time, and its holder sees all that earlier holders wrote.

#include "penstock/queue/role_flag.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

template <typename Sync>
void a_role_has_one_holder() {
  constexpr int kTakes = 4;
  queue::RoleFlag<Sync> role;
  typename Sync::template Plain<int> takes{0};
  Crew crew;
  for (const char* name : {"a", "b", "c"}) {
    crew.add(name, [&] {
      for (int taken = 0; taken < kTakes;) {
        if (const auto held = role.try_take()) {
          ++Sync::write(takes);
          ++taken;
        } else {
          Sync::yield();
        }
      }
    });
  }
  crew.join();
  expect(Sync::read(takes) == 3 * kTakes, "every take counts once");
}

const Registered kRoleFlag({
    .name = "role_flag",
    .body = a_role_has_one_holder<SimSync>,
    .mutants = {{"never refuses", a_role_has_one_holder<Mutant<SimSync, {.deaf_flags = true}>>},
                {"no release", a_role_has_one_holder<Mutant<SimSync, {.no_release = true}>>},
                {"no acquire", a_role_has_one_holder<Mutant<SimSync, {.no_acquire = true}>>}},
});

}  // namespace
}  // namespace penstock::explorer
