#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <sys/types.h>

#include "penstock/base/thread.hpp"

namespace penstock::base {

// Ends this process when whoever is at the other end of a connection closed it and the work for
// him does not end within `patience` from then on. For Spark's Python workers: Spark does not kill
// a worker whose task it gave up at once, and inside an operator that never returns nobody would
// ever look at the connection (G5).
//
// Its one thread sleeps in the kernel until something happens, and needs neither a lock nor the
// GIL.
class PeerWatch {
 public:
  struct Options {
    int socket = -1;  // connected, of type SOCK_STREAM; stays the caller's
    std::chrono::milliseconds patience{};
    // Lets the work end if it can: called once the other end was closed, by the watch's thread.
    std::function<void()> on_closed;
  };

  // Throws std::system_error where there is no thread or descriptor to be had.
  explicit PeerWatch(Options options);
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;
  PeerWatch(PeerWatch&&) = delete;
  PeerWatch& operator=(PeerWatch&&) = delete;
  ~PeerWatch() { end(); }

  // The work has ended: from now on nothing happens any more, and the thread is gone. May be called
  // twice, by one thread.
  void end() noexcept;

  // Whether the other end was closed while it was watched. From any thread.
  [[nodiscard]] bool closed() const noexcept { return closed_.load(); }

 private:
  // Closed with it.
  class Descriptor {
   public:
    Descriptor(int number, const char* call);
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor();
    [[nodiscard]] int number() const noexcept { return number_; }

   private:
    int number_;
  };

  void watch() noexcept;
  [[nodiscard]] bool closed_first() const noexcept;
  [[nodiscard]] bool ended_in_time() const noexcept;
  [[noreturn]] void end_process() const noexcept;

  Options options_;
  Descriptor socket_;  // a copy: the number may mean something else once Spark has closed its own
  Descriptor ended_;
  std::atomic<bool> closed_{false};
  pid_t process_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace penstock::base
