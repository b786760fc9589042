#include "penstock/base/tcp_peer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace penstock::base {

namespace {

using Address = decltype(inet_diag_sockid::idiag_src);

struct End {
  sa_family_t family = AF_UNSPEC;
  in_port_t port = 0;
  Address address{};
};

struct Request {
  nlmsghdr header;
  inet_diag_req_v2 body;
};

template <typename To>
To as(const sockaddr_storage& from) noexcept {
  To to{};
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

template <typename Ask>
std::optional<End> end_of(int socket, Ask ask) noexcept {
  sockaddr_storage found{};
  socklen_t size = sizeof(found);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): that is how it is declared
  if (ask(socket, reinterpret_cast<sockaddr*>(&found), &size) != 0) return std::nullopt;
  End end{.family = found.ss_family};
  if (found.ss_family == AF_INET) {
    const auto address = as<sockaddr_in>(found);
    end.port = address.sin_port;
    std::memcpy(&end.address, &address.sin_addr, sizeof(address.sin_addr));
  } else if (found.ss_family == AF_INET6) {
    const auto address = as<sockaddr_in6>(found);
    end.port = address.sin6_port;
    std::memcpy(&end.address, &address.sin6_addr, sizeof(address.sin6_addr));
  } else {
    return std::nullopt;
  }
  return end;
}

// The state of the connection whose own end is `from`: one look into the kernel's table, whatever
// the number of connections. What is asked is answered before send() returns.
std::optional<unsigned> state_of(const End& from, const End& to) noexcept {
  const int kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (kernel == -1) return std::nullopt;
  Request request{};
  request.header = {.nlmsg_len = sizeof(request),
                    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                    .nlmsg_flags = NLM_F_REQUEST,
                    .nlmsg_seq = 0,
                    .nlmsg_pid = 0};
  request.body.sdiag_family = static_cast<std::uint8_t>(from.family);
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = ~0U;
  request.body.id.idiag_sport = from.port;
  request.body.id.idiag_dport = to.port;
  std::memcpy(&request.body.id.idiag_src, &from.address, sizeof(Address));
  std::memcpy(&request.body.id.idiag_dst, &to.address, sizeof(Address));
  std::memset(&request.body.id.idiag_cookie, 0xff, sizeof(request.body.id.idiag_cookie));
  alignas(nlmsghdr) std::array<std::byte, 1024> answer{};
  const bool asked = send(kernel, &request, sizeof(request), 0) == sizeof(request);
  const auto size = asked ? recv(kernel, answer.data(), answer.size(), MSG_DONTWAIT) : -1;
  close(kernel);
  if (size < 0 || static_cast<std::size_t>(size) < NLMSG_HDRLEN + sizeof(inet_diag_msg)) {
    return std::nullopt;
  }
  nlmsghdr header{};
  std::memcpy(&header, answer.data(), sizeof(header));
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;
  inet_diag_msg found{};
  std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof(found));
  return found.idiag_state;
}

}  // namespace

bool closed_unseen(int socket) noexcept {
  int unread = 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how ioctl is declared
  if (ioctl(socket, FIONREAD, &unread) != 0 || unread == 0) return false;
  const auto own = end_of(socket, getsockname);
  const auto other = end_of(socket, getpeername);
  if (!own || !other) return false;
  const auto state = state_of(*other, *own);
  return state && (*state == TCP_FIN_WAIT1 || *state == TCP_FIN_WAIT2 || *state == TCP_CLOSING);
}

}  // namespace penstock::base
