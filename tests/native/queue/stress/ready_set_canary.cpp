// Must be reported by ThreadSanitizer: a ready set whose taker does not see what was written
// before the port was put in.

#include "penstock/base/thread.hpp"
#include "penstock/queue/ready_set.hpp"

#include "explorer/mutant.hpp"

int main() {
  using penstock::base::RealSync;
  // Without fences too: in a sanitizer build they are an operation that orders everything.
  using Broken = penstock::explorer::Mutant<RealSync, {.no_fences = true, .no_release = true}>;
  penstock::queue::ReadySet<Broken> ready(100);
  int message = 0;
  const penstock::base::Thread putting({.name = "putter"}, [&] {
    message = 1;
    ready.set(70);
  });
  while (!ready.take_next(0)) RealSync::yield();
  return message == 1 ? 0 : 1;
}
