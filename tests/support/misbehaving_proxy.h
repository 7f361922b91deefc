// A database server that misbehaves: it stands between clients and a real server, and does to them what
// networks, poolers and clusters do, more often than these.
//
//     late error   a row arrives, then an error that ends the transaction. The real server's transaction is
//                  ended, too: PostgreSQL's has failed, MariaDB's is rolled back, as Galera does it.
//     cut request  the connection ends in the middle of what the client sends
//     cut answer   the connection ends in the middle of what the server sends
//     delay        a message waits for some milliseconds
//     duplicate    a message of the server arrives twice
//
// It misbehaves towards a connection from the first transaction that its client begins, so that a client
// can always connect and prepare its statements. Whatever it does, a client can know what became of its
// transaction, or that it does not know.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"

namespace assay::test {

// How often, of the messages to which it can happen.
struct Habits {
  double late_error = 0, cut_request = 0, cut_answer = 0, delay = 0, duplicate = 0, duplicate_row = 0;
};

struct Misdeeds {
  std::atomic<int> late_errors = 0, cut_requests = 0, cut_answers = 0, delays = 0, duplicates = 0;
};

class MisbehavingProxy {
 public:
  enum class Protocol { Postgresql, Mariadb };

  // The server listens on that socket file; the proxy listens on loopback.
  MisbehavingProxy(Protocol protocol, std::string server_socket, const Habits& habits, std::uint64_t seed);
  ~MisbehavingProxy();

  int port() const { return port_; }
  void behave() { behaves_ = true; }  // from now on
  const Misdeeds& misdeeds() const { return misdeeds_; }

 private:
  void listen_until_the_end();

  const Protocol protocol_;
  const std::string server_socket_;
  const Habits habits_;
  const std::uint64_t seed_;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> behaves_ = false, ends_ = false;
  Misdeeds misdeeds_;
  std::vector<std::jthread> connections_;
  std::jthread listening_;
};

}  // namespace assay::test
