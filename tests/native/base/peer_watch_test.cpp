#include "penstock/base/peer_watch.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <netinet/in.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "penstock/base/activity.hpp"
#include "penstock/base/tcp_peer.hpp"

namespace penstock::base {
namespace {

using PeerWatchDeathTest = testing::Test;

constexpr std::chrono::milliseconds kAtOnce{0};
constexpr std::chrono::milliseconds kNever = std::chrono::hours(1);

// Two ends of a connection.
class Connection {
 public:
  Connection() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()), 0); }
  explicit Connection(std::array<int, 2> ends) : ends_(ends) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  Connection(Connection&&) = delete;
  Connection& operator=(Connection&&) = delete;
  ~Connection() {
    close(ends_[0]);
    close_other();
  }
  void close_other() {
    if (ends_[1] != -1) close(ends_[1]);
    ends_[1] = -1;
  }
  [[nodiscard]] int own() const { return ends_[0]; }
  [[nodiscard]] int other() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{};
};

std::array<int, 2> tcp_ends(int family) {
  sockaddr_storage address{};
  address.ss_family = static_cast<sa_family_t>(family);
  socklen_t size = sizeof(sockaddr_in);
  if (family == AF_INET6) {
    sockaddr_in6 loopback{};
    loopback.sin6_family = AF_INET6;
    loopback.sin6_addr = in6addr_loopback;
    size = sizeof(loopback);
    std::memcpy(&address, &loopback, size);
  }
  auto* const at = reinterpret_cast<sockaddr*>(&address);  // NOLINT(*-reinterpret-cast)
  const int server = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(bind(server, at, size), 0);
  EXPECT_EQ(listen(server, 1), 0);
  EXPECT_EQ(getsockname(server, at, &size), 0);
  EXPECT_EQ(connect(client, at, size), 0);
  const int accepted = accept(server, nullptr, nullptr);
  close(server);
  return {accepted, client};
}

bool has_ipv6() { return std::filesystem::exists("/proc/net/if_inet6"); }

class TcpConnection : public Connection {
 public:
  explicit TcpConnection(int family) : Connection(tcp_ends(family)) {}
};

void fill(int end) {
  std::array<char, 65536> bytes{};
  while (send(end, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) continue;
}

std::ptrdiff_t entries(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

[[noreturn]] void never_return() {
  for (;;) pause();
}

TEST(PeerWatchDeathTest, work_that_does_not_end_is_named_and_ends_with_the_process) {
  const auto work = [] {
    Connection connection;
    const PeerWatch watch({.socket = connection.own(), .patience = kAtOnce, .on_closed = {}});
    const Activity activity("logins", "parse", {.first = 1200, .count = 34});
    std::thread([] {
      const Activity other("logins", "look up", {.first = 7, .count = 1});
      never_return();
    }).detach();
    connection.close_other();
    never_return();
  };
  EXPECT_EXIT(work(), testing::ExitedWithCode(1),
              "penstock: Spark gave up the task of process [0-9]+, and what it runs did not end "
              "within 0 ms of that: the process ends\n"
              "(.*\n)*penstock: operator 'parse' of flow 'logins' has not returned in input rows "
              "1200 to 1233, in process ");
}

TEST(PeerWatchDeathTest, a_half_that_was_shut_down_counts_as_closed) {
  const auto work = [] {
    const Connection connection;
    const PeerWatch watch({.socket = connection.own(), .patience = kAtOnce, .on_closed = {}});
    shutdown(connection.other(), SHUT_WR);
    never_return();
  };
  EXPECT_EXIT(work(), testing::ExitedWithCode(1), "Spark gave up the task");
}

// Spark's rows that a stuck worker does not read keep the end of the connection behind them.
TEST(PeerWatchDeathTest, a_tcp_connection_that_was_closed_behind_much_that_nobody_reads_is_seen) {
  const auto work = [](int family) {
    TcpConnection connection(family);
    const PeerWatch watch({.socket = connection.own(), .patience = kAtOnce, .on_closed = {}});
    fill(connection.other());
    connection.close_other();
    never_return();
  };
  EXPECT_EXIT(work(AF_INET), testing::ExitedWithCode(1), "Spark gave up the task");
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6";
  EXPECT_EXIT(work(AF_INET6), testing::ExitedWithCode(1), "Spark gave up the task");
}

TEST(tcp_peer, is_not_closed_while_it_is_there_however_much_it_sent) {
  TcpConnection connection(AF_INET);
  EXPECT_FALSE(closed_unseen(connection.own()));
  fill(connection.other());
  EXPECT_FALSE(closed_unseen(connection.own()));
  connection.close_other();
  EXPECT_TRUE(closed_unseen(connection.own()));
}

TEST(tcp_peer, of_what_is_no_tcp_connection_nothing_is_known) {
  Connection connection;
  fill(connection.other());
  connection.close_other();
  EXPECT_FALSE(closed_unseen(connection.own()));
  EXPECT_FALSE(closed_unseen(-1));
}

TEST(peer_watch, work_that_ends_in_time_after_it_was_told_goes_on_living) {
  Connection connection;
  std::atomic<bool> told{false};
  PeerWatch watch({.socket = connection.own(), .patience = kNever, .on_closed = [&] {
                     told.store(true);
                     told.notify_all();
                   }});
  EXPECT_FALSE(watch.closed());
  connection.close_other();
  told.wait(false);
  watch.end();
  EXPECT_TRUE(watch.closed());
}

TEST(peer_watch, who_is_there_and_sends_is_not_taken_for_gone_and_nothing_is_left_in_the_end) {
  const Connection connection;
  const auto descriptors = entries("/proc/self/fd");
  const auto threads = entries("/proc/self/task");
  std::atomic<bool> told{false};
  {
    PeerWatch watch(
        {.socket = connection.own(), .patience = kAtOnce, .on_closed = [&] { told.store(true); }});
    // Neither what was sent and not read, nor a full buffer, is an end.
    fill(connection.own());
    fill(connection.other());
    watch.end();
    EXPECT_FALSE(watch.closed());
    watch.end();
  }
  EXPECT_FALSE(told.load());
  EXPECT_EQ(entries("/proc/self/fd"), descriptors);
  EXPECT_EQ(entries("/proc/self/task"), threads);
}

// Of a process that an operator forks: there the thread does not exist, and nobody may wait for it.
TEST(PeerWatchDeathTest, its_copy_in_a_forked_process_ends_at_once) {
  const Connection connection;
  PeerWatch watch({.socket = connection.own(), .patience = kNever, .on_closed = {}});
  const auto end_copy = [&] {
    watch.end();
    _exit(0);
  };
  EXPECT_EXIT(end_copy(), testing::ExitedWithCode(0), "");
}

TEST(peer_watch, what_cannot_be_watched_is_an_error) {
  EXPECT_THROW(PeerWatch({.socket = -1, .patience = kAtOnce, .on_closed = {}}), std::system_error);
}

}  // namespace
}  // namespace penstock::base
