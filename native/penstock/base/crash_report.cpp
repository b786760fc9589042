#include "penstock/base/crash_report.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "penstock/base/activity.hpp"

namespace penstock::base {

namespace {

struct Crash {
  int signal;
  std::string_view name;
};

constexpr std::array<Crash, 5> kCrashes{{{.signal = SIGSEGV, .name = "SIGSEGV"},
                                         {.signal = SIGBUS, .name = "SIGBUS"},
                                         {.signal = SIGFPE, .name = "SIGFPE"},
                                         {.signal = SIGILL, .name = "SIGILL"},
                                         {.signal = SIGABRT, .name = "SIGABRT"}}};

// A signal handler has no other way to know.
// NOLINTBEGIN(*-non-const-global-variables)
std::array<struct sigaction, kCrashes.size()> previous{};  // by place in kCrashes
std::atomic<int> log_file{-1};
std::atomic<bool> told{false};
std::atomic<int> answers{0};
// NOLINTEND(*-non-const-global-variables)

// A line of text that is put together without allocating.
class Line {
 public:
  Line& operator<<(std::string_view text) noexcept {
    const std::size_t count = std::min(text.size(), room());
    std::copy_n(text.begin(), count, text_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += count;
    return *this;
  }
  Line& operator<<(std::int64_t number) noexcept {
    constexpr std::size_t kDigits = 20;
    constexpr std::uint64_t kTen = 10;
    std::array<char, kDigits> digits{};
    auto first = digits.size();
    auto rest = static_cast<std::uint64_t>(number < 0 ? 0 : number);
    do {
      digits.at(--first) = static_cast<char>('0' + rest % kTen);
      rest /= kTen;
    } while (rest != 0);
    return *this << std::string_view(digits.data() + first, digits.size() - first);
  }
  void write_to(int file) const noexcept {
    [[maybe_unused]] const auto written = write(file, text_.data(), size_);
  }

 private:
  [[nodiscard]] std::size_t room() const noexcept { return text_.size() - size_; }

  std::array<char, 1024> text_{};
  std::size_t size_ = 0;
};

// Only what POSIX allows in a signal handler.
void tell(const Activity& at, std::string_view what, std::string_view signal = {}) noexcept {
  Line line;
  line << "penstock: operator '" << at.name() << "' of flow '" << at.flow() << "' " << what;
  if (!signal.empty()) line << " (" << signal << ")";
  const auto rows = at.rows();
  if (rows.count == 1) line << " at input row " << rows.first;
  if (rows.count > 1) {
    line << " in input rows " << rows.first << " to " << rows.first + rows.count - 1;
  }
  line << ", in process " << static_cast<std::int64_t>(getpid()) << "\n";
  line.write_to(STDERR_FILENO);
  const int log = log_file.load(std::memory_order_relaxed);
  if (log != -1) line.write_to(log);
}

void on_crash(int signal) noexcept {
  const int error = errno;
  const auto* const crash = std::ranges::find(kCrashes, signal, &Crash::signal);
  // Whoever comes next may send it back to us, if it thinks that we were there before it.
  const bool first = !told.exchange(true);
  if (crash == kCrashes.end() || !first) {
    struct sigaction fatal{};
    fatal.sa_handler = SIG_DFL;  // NOLINT(*-union-access): that is how it is declared
    sigaction(signal, &fatal, nullptr);
  } else {
    if (const Activity* const at = Activity::now()) tell(*at, "crashed", crash->name);
    sigaction(signal, &previous.at(static_cast<std::size_t>(crash - kCrashes.begin())), nullptr);
  }
  errno = error;
  // It is blocked until we return, and then it comes to the handler that was there before.
  raise(signal);
}

void on_look(int /*signal*/) noexcept {
  const int error = errno;
  if (const Activity* const at = Activity::now()) tell(*at, "has not returned");
  answers.fetch_add(1);
  errno = error;
}

// Sends a signal to every other thread of this process; how many there are.
int signal_others(int signal) {
  const auto self = syscall(SYS_gettid);  // NOLINT(*-vararg)
  int sent = 0;
  std::error_code error;
  std::filesystem::directory_iterator threads("/proc/self/task", error);
  for (; !error && threads != std::filesystem::directory_iterator(); threads.increment(error)) {
    const std::string name = threads->path().filename().string();
    long thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (thread == 0 || thread == self) continue;
    if (syscall(SYS_tgkill, getpid(), thread, signal) == 0) ++sent;  // NOLINT(*-vararg)
  }
  return sent;
}

// A stack for signal handlers alone, for the length of a thread's life.
class SignalStack {
 public:
  SignalStack() {
    stack_t there{};
    // NOLINTNEXTLINE(bugprone-signed-bitwise): that is how the flags are declared
    if (sigaltstack(nullptr, &there) != 0 || (there.ss_flags & SS_DISABLE) == 0) return;
    const std::size_t bytes = std::max(kLeastBytes, static_cast<std::size_t>(SIGSTKSZ));
    // A thread without one only tells less.
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): make_unique would throw
    memory_.reset(new (std::nothrow) std::byte[bytes]);
    if (memory_ == nullptr) return;
    stack_t ours{};
    ours.ss_sp = memory_.get();
    ours.ss_size = bytes;
    if (sigaltstack(&ours, nullptr) != 0) memory_.reset();
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  SignalStack(SignalStack&&) = delete;
  SignalStack& operator=(SignalStack&&) = delete;
  ~SignalStack() {
    if (memory_ == nullptr) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

 private:
  static constexpr std::size_t kLeastBytes = std::size_t{16} << 10U;

  std::unique_ptr<std::byte[]> memory_;  // NOLINT(*-avoid-c-arrays)
};

}  // namespace

void report_crashes(int log) {
  log_file.store(log, std::memory_order_relaxed);
  for (std::size_t i = 0; i < kCrashes.size(); ++i) {
    struct sigaction there{};
    sigaction(kCrashes.at(i).signal, nullptr, &there);
    if (there.sa_handler == on_crash) continue;  // NOLINT(*-union-access)
    struct sigaction ours{};
    ours.sa_handler = on_crash;  // NOLINT(*-union-access)
    ours.sa_flags = SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    previous.at(i) = there;
    if (sigaction(kCrashes.at(i).signal, &ours, nullptr) != 0) {
      throw std::system_error(errno, std::generic_category(), "sigaction");
    }
  }
}

void report_activities() {
  constexpr auto kPatience = std::chrono::milliseconds(200);
  constexpr auto kNap = std::chrono::milliseconds(1);
  struct sigaction ours{};
  ours.sa_handler = on_look;  // NOLINT(*-union-access)
  // NOLINTNEXTLINE(bugprone-signed-bitwise): that is how the flags are declared
  ours.sa_flags = SA_ONSTACK | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  // Of the signals that may be taken, the one that does least to a thread that has its own handler.
  if (sigaction(SIGURG, &ours, nullptr) != 0) return;
  const int asked = signal_others(SIGURG);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  // One that is inside the kernel, or blocks signals, does not answer.
  while (answers.load() < asked && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kNap);
  }
}

void keep_stack_for_crash() { thread_local const SignalStack stack; }

}  // namespace penstock::base
