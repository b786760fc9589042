#include "penstock/base/parent_watch.hpp"

#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>

namespace penstock::base {

namespace {

// Adopted by init, and the leader of our group (the daemon makes itself that) is gone. Init as
// parent alone proves nothing: in a container the JVM may well be process 1.
bool orphaned() { return getppid() == 1 && kill(getpgrp(), 0) != 0 && errno == ESRCH; }

}  // namespace

void die_with_parent() {
  const pid_t parent = getppid();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how prctl is declared
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    throw std::system_error(errno, std::generic_category(), "prctl(PR_SET_PDEATHSIG)");
  }
  // The signal is sent only for deaths after the call, so one before it must be looked for.
  if (getppid() != parent || orphaned()) {
    kill(getpid(), SIGKILL);
  }
}

}  // namespace penstock::base
