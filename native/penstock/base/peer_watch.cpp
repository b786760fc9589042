#include "penstock/base/peer_watch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "penstock/base/crash_report.hpp"
#include "penstock/base/tcp_peer.hpp"

namespace penstock::base {

namespace {

constexpr std::size_t kStackBytes = std::size_t{128} << 10U;
// How often it looks for what nobody tells it. Two looks a second are 0.01 % of a core.
constexpr std::chrono::milliseconds kPeriod{500};

// As poll(2), but a signal does not end it: then it is asked again with what is left of the time.
template <std::size_t Count>
int poll_on(std::array<pollfd, Count>& wanted, std::chrono::milliseconds timeout) noexcept {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + timeout;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    const int ready = ::poll(wanted.data(), wanted.size(),
                             static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready >= 0 || errno != EINTR) return ready;
  }
}

}  // namespace

PeerWatch::Descriptor::Descriptor(int number, const char* call) : number_(number) {
  if (number == -1) throw std::system_error(errno, std::generic_category(), call);
}

PeerWatch::Descriptor::~Descriptor() { ::close(number_); }

PeerWatch::PeerWatch(Options options)
    : options_(std::move(options)),
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how fcntl is declared
      socket_(fcntl(options_.socket, F_DUPFD_CLOEXEC, 0), "fcntl(F_DUPFD_CLOEXEC)"),
      ended_(eventfd(0, EFD_CLOEXEC), "eventfd"),
      process_(getpid()),
      thread_(std::make_unique<Thread>(
          ThreadOptions{.name = "penstock-peer", .stack_bytes = kStackBytes},
          [this] { watch(); })) {}

void PeerWatch::end() noexcept {
  if (getpid() != process_) {
    // The copy of a forked process: the thread stayed in the other one and cannot be joined.
    [[maybe_unused]] const Thread* const left = thread_.release();
    return;
  }
  constexpr std::uint64_t kOnce = 1;
  [[maybe_unused]] const auto written = write(ended_.number(), &kOnce, sizeof(kOnce));
  thread_->join();
}

void PeerWatch::watch() noexcept {
  if (!closed_first()) return;
  closed_.store(true);
  if (options_.on_closed) options_.on_closed();
  if (!ended_in_time()) end_process();
}

// Waits for the end of the work or of the connection, whichever is first. A half that was shut down
// counts: Spark does that to a task that it gave up, and never to one whose rows it still wants.
bool PeerWatch::closed_first() const noexcept {
  std::array<pollfd, 2> wanted{{{.fd = ended_.number(), .events = POLLIN, .revents = 0},
                                {.fd = socket_.number(), .events = POLLRDHUP, .revents = 0}}};
  int ready = 0;
  while ((ready = poll_on(wanted, kPeriod)) == 0) {
    if (closed_unseen(socket_.number())) return true;
  }
  if (ready < 0) return false;
  if (wanted[0].revents != 0) return false;
  // Any other news, such as an error alone, does not say that nobody is there any more.
  return (static_cast<unsigned>(wanted[1].revents) & unsigned{POLLRDHUP | POLLHUP}) != 0;
}

bool PeerWatch::ended_in_time() const noexcept {
  std::array<pollfd, 1> wanted{{{.fd = ended_.number(), .events = POLLIN, .revents = 0}}};
  return poll_on(wanted, options_.patience) != 0;
}

void PeerWatch::end_process() const noexcept {
  std::array<char, 200> line{};
  const int size = std::snprintf(  // NOLINT(*-vararg)
      line.data(), line.size(),
      "penstock: Spark gave up the task of process %d, and what it runs did not end within %lld ms "
      "of that: the process ends\n",
      static_cast<int>(process_), static_cast<long long>(options_.patience.count()));
  [[maybe_unused]] const auto written =
      write(STDERR_FILENO, line.data(), static_cast<std::size_t>(std::max(size, 0)));
  report_activities();
  _exit(1);
}

}  // namespace penstock::base
