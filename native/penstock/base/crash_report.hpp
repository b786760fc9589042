#pragma once

namespace penstock::base {

// From now on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) of a thread that is at something
// (base/activity) writes a line that names it to standard error, and to `log` unless that is -1.
// Then whoever was to handle the signal before does so: by default the process ends as it would
// have. To be called again where somebody else may have taken the signals since.
void report_crashes(int log = -1);

// Lets every other thread that is at something write a line that names it, to where a crash would
// be told. For a process that ends right after: it takes SIGURG away from whoever had it.
void report_activities();

// Lets the calling thread tell of a crash also when its stack has run out. Until it ends.
void keep_stack_for_crash();

}  // namespace penstock::base
