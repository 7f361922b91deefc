#include "collect/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "collect/database.h"
#include "collect/server_kinds.h"
#include "collect/temporary_directory.h"

namespace assay {
namespace {

constexpr auto kLongestSetUp = std::chrono::seconds(60), kLongestStart = std::chrono::seconds(30);
constexpr auto kBetweenSigns = std::chrono::milliseconds(20);
constexpr int kRoundsToStop = 250;  // of kBetweenSigns, before SIGKILL

// Whom root becomes.
struct User {
  uid_t user;
  gid_t group;
};

std::optional<User> unprivileged(const ServerKind& kind) {
  if (geteuid() != 0) return std::nullopt;
  for (const std::string_view name : kind.users)
    if (const passwd* found = getpwnam(std::string(name).c_str())) return User{found->pw_uid, found->pw_gid};
  return std::nullopt;
}

// In the child: becomes the program, with its output in the log.
[[noreturn]] void become(const std::vector<std::string>& command, const std::optional<User>& user, int input,
                         int log) {
  if (user && (setgroups(0, nullptr) != 0 || setgid(user->group) != 0 || setuid(user->user) != 0)) _exit(127);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // forgotten by setuid(), so it comes after
  dup2(input, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

// Tends one server until the line to its owner is cut.
class Keeper {
 public:
  Keeper(const ServerKind& kind, ServerCommands commands, std::string directory, int line, int status)
      : kind_(kind),
        commands_(std::move(commands)),
        directory_(std::move(directory)),
        line_(line),
        status_(status) {}

  [[noreturn]] void keep() {
    setsid();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
    log_ = open((directory_ + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    nothing_ = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing_, stream);
    const bool ready = initialise();
    if (ready) server_ = spawn(commands_.serve, nothing_);
    report(ready ? 'r' : 'f');
    wait_for_the_end();
    if (server_ > 0) stop();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
    _exit(0);
  }

 private:
  pid_t spawn(const std::vector<std::string>& command, int input) const {
    const pid_t child = fork();
    if (child != 0) return child;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
    become(command, unprivileged(kind_), input, log_);
  }

  bool initialise() const {
    const std::string script = directory_ + "/initialise";
    std::ofstream(script) << commands_.initialise_input;
    const int input = open(script.c_str(), O_RDONLY | O_CLOEXEC);
    const pid_t child = spawn(commands_.initialise, input);
    close(input);
    int status = 0;
    return child > 0 && ends_in_time(child, status) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  // One that does not, or whose owner is gone, is killed.
  bool ends_in_time(pid_t child, int& status) const {
    const auto give_up = std::chrono::steady_clock::now() + kLongestSetUp;
    pollfd line{line_, 0, 0};
    while (waitpid(child, &status, WNOHANG) == 0) {
      const bool alone = poll(&line, 1, static_cast<int>(kBetweenSigns.count())) > 0;
      if (!alone && std::chrono::steady_clock::now() < give_up) continue;
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return false;
    }
    return true;
  }

  void report(char what) const { (void)!write(status_, &what, 1); }

  // Until the line is cut, a server that died, by itself or because we were told to kill it, is started
  // again.
  void wait_for_the_end() {
    pollfd line{line_, POLLIN, 0};
    while (true) {
      char order;
      if (poll(&line, 1, static_cast<int>(kBetweenSigns.count())) > 0) {
        if (read(line_, &order, 1) <= 0) return;
        if (server_ > 0) kill(server_, SIGKILL);
      }
      if (server_ > 0 && waitpid(server_, nullptr, WNOHANG) == server_)
        server_ = spawn(commands_.serve, nothing_);
    }
  }

  void stop() const {
    kill(server_, kind_.stop_signal);
    for (int round = 0; round < kRoundsToStop; ++round) {
      if (waitpid(server_, nullptr, WNOHANG) == server_) return;
      std::this_thread::sleep_for(kBetweenSigns);
    }
    kill(server_, SIGKILL);
    waitpid(server_, nullptr, 0);
  }

  const ServerKind& kind_;
  const ServerCommands commands_;
  const std::string directory_;
  const int line_, status_;
  int log_ = -1, nothing_ = -1;
  pid_t server_ = -1;
};

Result<const ServerKind*> find_kind(std::string_view name) {
  std::string names;
  for (const ServerKind& kind : server_kinds()) {
    if (kind.name == name) return &kind;
    names += (names.empty() ? "" : " or ") + std::string(kind.name);
  }
  return error(fmt::format("no server {} can be started", name), names);
}

// The directory, with a place for the data that the server's user owns.
Result<TemporaryDirectory> make_directory(const ServerKind& kind) {
  auto directory = TemporaryDirectory::create();
  if (!directory) return directory;
  constexpr std::size_t kLongestPath = 80;  // of sockets it is 107
  if (directory->path().size() > kLongestPath)
    return error(fmt::format("{} is too long a path for a socket", directory->path()),
                 "set TMPDIR to a shorter one");
  std::error_code problem;
  std::filesystem::create_directory(directory->path() + "/data", problem);
  if (const auto user = unprivileged(kind))
    for (const std::string& path : {directory->path(), directory->path() + "/data"})
      if (chown(path.c_str(), user->user, user->group) != 0) return error("cannot give away " + path);
  return directory;
}

std::string last_lines(const std::string& file) {
  std::ifstream log(file);
  std::string line, last;
  while (std::getline(log, line))
    if (!line.empty()) last = line;
  return last.empty() ? "it said nothing" : last;
}

// Until it answers, or shows that it never will.
Result<void> wait_until_it_answers(const ServerKind& kind, const std::string& directory,
                                   const std::string& address) {
  const auto url = parse_url(address);
  const auto give_up = std::chrono::steady_clock::now() + kLongestStart;
  while (true) {
    if (const auto database = open_database(*url, {})) return {};
    if (std::chrono::steady_clock::now() > give_up)
      return error(fmt::format("{} does not answer: {}", kind.title, last_lines(directory + "/log")));
    std::this_thread::sleep_for(kBetweenSigns);
  }
}

}  // namespace

Result<Server> Server::start(std::string_view name) {
  const auto kind = find_kind(name);
  if (!kind) return kind.error();
  const std::string binary = (*kind)->find_binary();
  if (binary.empty())
    return error(fmt::format("{} is not installed", (*kind)->title),
                 fmt::format("apt-get install {}", (*kind)->package));
  auto directory = make_directory(**kind);
  if (!directory) return std::move(directory).error();

  int line[2], status[2];
  if (pipe2(line, O_CLOEXEC) != 0 || pipe2(status, O_CLOEXEC) != 0) return error("no pipe can be made");
  Server server;
  server.keeper_ = fork();
  if (server.keeper_ == 0) {
    close(line[1]);
    close(status[0]);
    Keeper(**kind, (*kind)->commands(binary, directory->path()), directory->path(), line[0], status[1])
        .keep();
  }
  close(line[0]);
  close(status[1]);
  server.line_ = line[1];
  char said = 'f';
  const bool heard = server.keeper_ > 0 && read(status[0], &said, 1) == 1;
  close(status[0]);
  if (!heard || said != 'r')
    return error(
        fmt::format("{} cannot be set up: {}", (*kind)->title, last_lines(directory->path() + "/log")));
  server.url_ = (*kind)->url(directory->path());
  ASSAY_TRY(wait_until_it_answers(**kind, directory->path(), server.url_));
  directory->release();
  return server;
}

void Server::kill_server() { (void)!write(line_, "k", 1); }

Server& Server::operator=(Server&& other) noexcept {
  std::swap(url_, other.url_);
  std::swap(keeper_, other.keeper_);
  std::swap(line_, other.line_);
  return *this;
}

Server::~Server() {
  if (line_ >= 0) close(line_);
  if (keeper_ > 0) waitpid(keeper_, nullptr, 0);
}

}  // namespace assay
