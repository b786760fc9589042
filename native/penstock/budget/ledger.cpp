#include "penstock/budget/ledger.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <new>
#include <span>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace penstock::budget {

namespace {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<std::int32_t>::is_always_lock_free,
              "only such atomics may be shared with another process");
static_assert(sizeof(Header<>) == 128 && sizeof(Slot<>) == 128, "the format of the page");

constexpr mode_t kOnlyMe = 0600;
constexpr mode_t kOthers = 0077;

// Making the page takes some microseconds, and happens once in the life of an executor.
constexpr int kTries = 100;
constexpr auto kNap = std::chrono::microseconds(200);

std::string error_text(int error) { return std::generic_category().message(error); }

struct stat status_of(int file) {
  struct stat found{};
  static_cast<void>(fstat(file, &found));
  return found;
}

}  // namespace

Ledger::Lock::Lock(const Ledger& ledger) noexcept : file_(ledger.file_) {
  while (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    file_ = -1;
    return;
  }
}

Ledger::Lock::~Lock() {
  if (file_ >= 0) flock(file_, LOCK_UN);
}

Ledger::Ledger(const std::string& path) {
  open_file(path);
  try {
    check_file(path);
    begin(path);
    map(path);
  } catch (...) {
    close(file_);
    throw;
  }
  // Known to be ready only now: another process may have been at it.
  const Header<>& head = header();
  const auto version = head.version.load(std::memory_order_relaxed);
  const auto slots = head.slots.load(std::memory_order_relaxed);
  std::string problem;
  if (head.magic.load(std::memory_order_acquire) != kMagic) {
    problem = "is no ledger of threads";
  } else if (version != kVersion || slots != kSlots) {
    problem = "has version " + std::to_string(version) + " with " + std::to_string(slots) +
              " slots, and this Penstock knows version " + std::to_string(kVersion) + " with " +
              std::to_string(kSlots) + ": use one Penstock in an executor";
  }
  if (problem.empty()) return;
  munmap(page_, kBytes);
  close(file_);
  give_up(path, problem);
}

Ledger::~Ledger() {
  munmap(page_, kBytes);
  close(file_);
}

void Ledger::open_file(const std::string& path) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how open is declared
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, kOnlyMe);
  if (file_ >= 0) return;
  if (errno == ELOOP) give_up(path, "is a link, and what it leads to may be anything");
  give_up(path, "cannot be opened: " + error_text(errno));
}

void Ledger::check_file(const std::string& path) const {
  const auto found = status_of(file_);
  if (!S_ISREG(found.st_mode)) give_up(path, "is not a plain file");
  if (found.st_uid != geteuid()) {
    give_up(path, "belongs to user " + std::to_string(found.st_uid) + ", not to " +
                      std::to_string(geteuid()));
  }
  if ((found.st_mode & kOthers) != 0) give_up(path, "may be read or written by other users");
  if (found.st_size != 0 && std::cmp_not_equal(found.st_size, kBytes)) {
    give_up(path,
            "has " + std::to_string(found.st_size) + " bytes instead of " + std::to_string(kBytes));
  }
}

// Makes the page if nobody has, or if whoever began it died: then its magic is still 0.
void Ledger::begin(const std::string& path) const {
  for (int tries = 0; tries < kTries; ++tries) {
    std::uint64_t magic = 0;
    const bool made = pread(file_, &magic, sizeof(magic), 0) == sizeof(magic) && magic != 0;
    if (made) return;
    if (const Lock lock(*this); lock) {
      make_room(path);
      return;
    }
    std::this_thread::sleep_for(kNap);
  }
  give_up(path, "is being made by a process that does not go on");
}

void Ledger::make_room(const std::string& path) const {
  fchmod(file_, kOnlyMe);  // the mask of the process may have taken more away than others' rights
  if (const int error = posix_fallocate(file_, 0, static_cast<off_t>(kBytes)); error != 0) {
    // Half a page would be taken for a damaged one.
    static_cast<void>(ftruncate(file_, 0));
    give_up(path, "cannot get its " + std::to_string(kBytes) + " bytes: " + error_text(error));
  }
  Header<> head;
  head.version = kVersion;
  head.slots = kSlots;
  const std::uint64_t magic = kMagic;
  // The magic last, and only where it is still missing: another process may have been faster.
  std::uint64_t found = 0;
  if (pread(file_, &found, sizeof(found), 0) == sizeof(found) && found != 0) return;
  const auto rest = std::as_bytes(std::span(&head, 1)).subspan(sizeof(magic));
  if (pwrite(file_, rest.data(), rest.size(), sizeof(magic)) != std::ssize(rest) ||
      pwrite(file_, &magic, sizeof(magic), 0) != sizeof(magic)) {
    give_up(path, "cannot be written: " + error_text(errno));
  }
}

void Ledger::map(const std::string& path) {
  page_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (page_ == MAP_FAILED) give_up(path, "cannot be mapped: " + error_text(errno));
}

void Ledger::give_up(const std::string& path, const std::string& problem) {
  throw LedgerError("the ledger of threads '" + path + "' " + problem);
}

Header<>& Ledger::header() const noexcept { return *std::launder(static_cast<Header<>*>(page_)); }

Table<> Ledger::table() const {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-bounds-pointer-arithmetic): that is how the page is laid
  // out
  void* const first = static_cast<std::byte*>(page_) + sizeof(Header<>);
  return {header(), std::span(std::launder(static_cast<Slot<>*>(first)), kSlots)};
}

}  // namespace penstock::budget
