#pragma once

namespace penstock::base {

// Whether the other end of a TCP connection within this machine closed it, or its half of it,
// although that cannot be read yet: the kernel tells so only behind everything that was sent, and
// while nobody reads that never comes through. False where nothing is known, as for other sockets.
[[nodiscard]] bool closed_unseen(int socket) noexcept;

}  // namespace penstock::base
