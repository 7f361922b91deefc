#include "sweep/pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

namespace assay::sweep {
namespace {

bool send_all(int to, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::send(to, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int from, void* bytes, std::size_t size) {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = ::recv(from, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// In a child: answers pieces until the parent closes the connection.
[[noreturn]] void serve(int parent, const std::function<std::string(std::size_t)>& run) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);  // the parent decides what an interrupt means
  ::signal(SIGTERM, SIG_DFL);
  for (std::uint64_t piece = 0; receive_all(parent, &piece, sizeof piece);) {
    const std::string answer = run(piece);
    const std::uint64_t size = answer.size();
    if (!send_all(parent, &size, sizeof size) || !send_all(parent, answer.data(), answer.size())) break;
  }
  ::_exit(0);
}

std::string how_it_ended(int status) {
  if (!WIFSIGNALED(status))
    return fmt::format("the process that judged it ended with {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return fmt::format("the process that judged it was ended by signal {} ({}){}", signal, ::strsignal(signal),
                     signal == SIGKILL ? "; was memory short? --memory or fewer --jobs" : "");
}

struct Child {
  pid_t process = -1;
  int connection = -1;
  std::size_t piece = 0;
};

class Pool {
 public:
  explicit Pool(const Work& work) : work_(work) {}
  ~Pool() {
    for (const Child& child : children_) {
      ::kill(child.process, SIGKILL);
      bury(child);
    }
  }

  Result<void> run() {
    while (next_ < work_.pieces && children_.size() < work_.processes) ASSAY_TRY(start());
    while (!children_.empty() && !work_.stop()) ASSAY_TRY(wait());
    return {};
  }

 private:
  Result<void> start() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      return error(fmt::format("cannot connect to a child process: {}", ::strerror(errno)));
    const pid_t process = ::fork();
    if (process < 0) return error(fmt::format("cannot start a child process: {}", ::strerror(errno)));
    if (process == 0) {
      ::close(ends[0]);
      for (const Child& other : children_) ::close(other.connection);
      serve(ends[1], work_.run);
    }
    ::close(ends[1]);
    children_.push_back({process, ends[0]});
    give_piece(children_.back());
    return {};
  }

  void give_piece(Child& child) {
    child.piece = next_++;
    const std::uint64_t piece = child.piece;
    (void)send_all(child.connection, &piece, sizeof piece);  // a child that died is noticed by wait()
  }

  // Waits for an answer, or for a death.
  Result<void> wait() {
    std::vector<pollfd> ready;
    for (const Child& child : children_) ready.push_back({child.connection, POLLIN, 0});
    constexpr int kMilliseconds = 50;
    if (::poll(ready.data(), ready.size(), kMilliseconds) <= 0) return {};
    for (std::size_t i = ready.size(); i-- > 0;)  // backwards: finish() removes
      if (ready[i].revents != 0) ASSAY_TRY(hear(i));
    return {};
  }

  Result<void> hear(std::size_t place) {
    Child& child = children_[place];
    std::uint64_t size = 0;
    std::string answer;
    bool is_whole = receive_all(child.connection, &size, sizeof size);
    if (is_whole) {
      answer.resize(size);
      is_whole = receive_all(child.connection, answer.data(), size);
    }
    const std::size_t piece = child.piece;
    if (is_whole) {
      work_.done(piece, std::move(answer), {});
      if (next_ < work_.pieces) give_piece(child);
      else remove(place);
      return {};
    }
    const std::string how = how_it_ended(remove(place));
    work_.done(piece, std::nullopt, how);
    return next_ < work_.pieces ? start() : Result<void>{};
  }

  int remove(std::size_t place) {
    const int status = bury(children_[place]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(place));
    return status;
  }

  static int bury(const Child& child) {
    ::close(child.connection);
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  const Work& work_;
  std::vector<Child> children_;
  std::size_t next_ = 0;
};

}  // namespace

Result<void> run_in_processes(const Work& work) { return Pool(work).run(); }

}  // namespace assay::sweep
