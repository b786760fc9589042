#pragma once

namespace penstock::base {

// From now on the kernel kills this process when its parent dies; if the parent is dead already,
// the process ends here and now.
//
// For Spark's Python workers: when the daemon that forked them is killed, busy workers would run
// on for ever, because nobody closes their sockets (F1).
void die_with_parent();

}  // namespace penstock::base
