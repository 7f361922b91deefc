#include "collect/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace assay {

// A pair of sockets, not of pipes: writing to one whose reader is gone is an error and no signal.
Result<ChildProcess> ChildProcess::start(const std::string& command) {
  int in[2], out[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0) return error("no socket can be made");
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return error("no pipe can be made");
  }
  ChildProcess process;
  process.child_ = fork();
  if (process.child_ == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) std::signal(signal, SIG_DFL);
    dup2(in[1], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(in[1]);
  close(out[1]);
  process.to_ = in[0];
  process.from_ = out[0];
  if (process.child_ < 0) return error("no process can be started");
  setpgid(process.child_, process.child_);
  return process;
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(child_, other.child_);
  std::swap(to_, other.to_);
  std::swap(from_, other.from_);
  std::swap(received_, other.received_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (to_ >= 0) close(to_);
  if (from_ >= 0) close(from_);
  if (child_ <= 0) return;
  kill(-child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

bool ChildProcess::send(std::string_view line) const {
  std::string bytes = std::string(line) + '\n';
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t sent = ::send(to_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::optional<std::string> ChildProcess::receive(std::chrono::milliseconds time) {
  const auto give_up = std::chrono::steady_clock::now() + time;
  while (true) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(give_up - std::chrono::steady_clock::now());
    pollfd input{from_, POLLIN, 0};
    if (left.count() <= 0) return std::nullopt;
    if (poll(&input, 1, static_cast<int>(left.count())) <= 0) continue;  // a signal, or time is up
    char room[1 << 12];
    const ssize_t got = read(from_, room, sizeof room);
    if (got <= 0) return std::nullopt;
    received_.append(room, static_cast<std::size_t>(got));
  }
}

bool ChildProcess::ends_within(std::chrono::milliseconds time) {
  close(std::exchange(to_, -1));
  const auto give_up = std::chrono::steady_clock::now() + time;
  while (waitpid(child_, nullptr, WNOHANG) != child_) {
    if (std::chrono::steady_clock::now() >= give_up) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  child_ = -1;
  return true;
}

}  // namespace assay
