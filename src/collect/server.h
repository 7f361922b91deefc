// A database server of our own: in a temporary directory, reached through a socket file in it, gone
// afterwards.
//
// A keeper process stands between us and the server. It sets up the data directory, starts the server, and
// holds one end of a pipe. When we end, in whatever way, even by SIGKILL, the pipe closes: the keeper stops
// the server and removes the directory. A server that dies before is started again. The server itself is
// killed by the kernel should the keeper die. The keeper is in a session of its own, so Ctrl-C reaches only
// us.
//
// Servers refuse to run as root, so root becomes the user that the package made, or nobody. Nothing listens
// on the network. Start it before any thread: it forks.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace assay {

class Server {
 public:
  // "postgres" or "mariadb"; returns when it answers.
  static Result<Server> start(std::string_view kind);

  Server(Server&& other) noexcept { *this = std::move(other); }
  Server& operator=(Server&& other) noexcept;
  ~Server();  // returns when nothing is left

  const std::string& url() const { return url_; }
  void kill_server();  // with SIGKILL; the keeper starts it again

 private:
  Server() = default;

  std::string url_;
  pid_t keeper_ = -1;
  int line_ = -1;  // closing it tells the keeper to clean up
};

}  // namespace assay
