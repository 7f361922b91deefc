#include "watch/sources.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <thread>

#include "history_io/journal.h"

namespace assay::watch {
namespace {

constexpr std::size_t kChunk = 1 << 20;
constexpr std::size_t kLongestLine = std::size_t{1} << 28;
constexpr double kPoll = 0.02;  // seconds between looks at a file

using Take = std::function<void(std::string_view)>;

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// The part of the text up to its last whole line, and before any byte of zero.
std::string_view whole_lines(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  const std::size_t last = text.rfind('\n');
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

template <class Number>
bool take_number(std::string_view& text, Number& into) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return problem == std::errc();
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// Follows one file line by line.
class Tail {
 public:
  explicit Tail(std::string path) : path_(std::move(path)) {}

  // Returns false if there is no whole line to read.
  Result<bool> next(std::string& line) {
    if (lines_.empty()) ASSAY_TRY(fill());
    if (lines_.empty()) return false;
    const std::size_t before = lines_.size();
    line = next_line(lines_);
    offset_ += before - lines_.size();
    return true;
  }

  // What stands behind the last whole line.
  std::string rest() {
    std::string text(kChunk, '\0');
    const ssize_t got =
        fd_.get() < 0 ? 0 : ::pread(fd_.get(), text.data(), text.size(), static_cast<off_t>(offset_));
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    text.resize(std::min(text.size(), text.find('\0')));
    return text;
  }

  std::uint64_t offset() const { return offset_; }
  std::uint64_t inode() const { return inode_; }
  std::uint64_t behind() const {
    struct stat now {};
    if (fd_.get() < 0 || ::fstat(fd_.get(), &now) != 0) return 0;
    return static_cast<std::uint64_t>(now.st_size) > offset_
               ? static_cast<std::uint64_t>(now.st_size) - offset_
               : 0;
  }
  void go_on_from(std::uint64_t inode, std::uint64_t offset) {
    inode_ = inode;
    offset_ = offset;
  }
  std::optional<std::string> take_note() { return std::exchange(note_, std::nullopt); }

 private:
  Result<void> fill() {
    if (fd_.get() < 0 && !open()) return failed("cannot read");
    if (read_chunk()) return {};
    // Nothing more in this file. Is there another one under its name, or is it shorter now?
    struct stat named {};
    if (::stat(path_.c_str(), &named) != 0) return {};  // between two rotations
    if (named.st_ino != inode_) {
      note_ = fmt::format("{} was rotated", path_);
      offset_ = 0;
      if (!open()) return failed("cannot read");
    } else if (static_cast<std::uint64_t>(named.st_size) < offset_) {
      note_ = fmt::format("{} was truncated", path_);
      offset_ = 0;
    } else {
      return {};
    }
    read_chunk();
    return {};
  }

  bool open() {
    fd_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat now {};
    if (fd_.get() < 0 || ::fstat(fd_.get(), &now) != 0) return false;
    if (inode_ != 0 && inode_ != now.st_ino && offset_ > 0) {
      note_ = fmt::format("{} was rotated while nobody watched", path_);
      offset_ = 0;
    }
    inode_ = now.st_ino;
    return true;
  }

  // Reads whole lines at the offset, more at once if a line is longer than a chunk.
  bool read_chunk() {
    for (std::size_t size = kChunk; size <= kLongestLine; size *= 4) {
      buffer_.resize(size);
      const ssize_t got = ::pread(fd_.get(), buffer_.data(), size, static_cast<off_t>(offset_));
      if (got <= 0) return false;
      const std::string_view text(buffer_.data(), static_cast<std::size_t>(got));
      lines_ = whole_lines(text);
      if (!lines_.empty()) return true;
      if (text.size() < size || text.find('\0') != std::string_view::npos) return false;
    }
    return false;
  }

  Error failed(std::string_view what) const {
    Error problem = error(fmt::format("{}: {}", what, std::strerror(errno)));
    problem.file = path_;
    return problem;
  }

  std::string path_;
  Descriptor fd_;
  std::uint64_t inode_ = 0, offset_ = 0;  // of the first byte of lines_
  std::string buffer_;
  std::string_view lines_;  // whole lines that were read and not taken
  std::optional<std::string> note_;
};

class FileSource : public LineSource {
 public:
  explicit FileSource(std::string path) : tail_(std::move(path)) {}

  Result<Supply> read(std::size_t most, double seconds, const Take& take) override {
    for (double waited = 0;; waited += kPoll) {
      std::size_t taken = 0;
      for (; taken < most; ++taken) {
        const auto more = tail_.next(line_);
        if (auto said = tail_.take_note()) note(std::move(*said));
        if (!more) return more.error();
        if (!*more) break;
        take(line_);
      }
      if (taken == most) return Supply::More;
      if (taken > 0 || waited >= seconds) return Supply::CaughtUp;
      sleep_for(kPoll);
    }
  }
  void finish(const Take& take) override {
    if (const std::string rest = tail_.rest(); !rest.empty()) take(rest);
  }
  std::uint64_t bytes_behind() const override { return tail_.behind(); }
  std::string place() const override { return fmt::format("{} {}", tail_.inode(), tail_.offset()); }
  Result<void> go_on_from(std::string_view place) override {
    std::uint64_t inode = 0, offset = 0;
    if (!take_number(place, inode) || !take_number(place, offset)) return error("not a place in a file");
    tail_.go_on_from(inode, offset);
    return {};
  }

 private:
  Tail tail_;
  std::string line_;
};

class PipeSource : public LineSource {
 public:
  Result<Supply> read(std::size_t most, double seconds, const Take& take) override {
    std::size_t taken = take_lines(most, take);
    if (taken == most) return Supply::More;
    while (true) {
      pollfd ready{STDIN_FILENO, POLLIN, 0};
      const int polled = ::poll(&ready, 1, taken > 0 ? 0 : static_cast<int>(seconds * 1000));
      if (polled <= 0) return Supply::CaughtUp;  // or a signal
      text_.erase(0, begin_);
      begin_ = 0;
      const std::size_t before = text_.size();
      if (before > kLongestLine) return error("a line that is too long");
      text_.resize(before + kChunk);
      const ssize_t got = ::read(STDIN_FILENO, text_.data() + before, kChunk);
      text_.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
      if (got < 0 && errno == EINTR) return Supply::CaughtUp;
      if (got < 0) return error(fmt::format("cannot read standard input: {}", std::strerror(errno)));
      if (got == 0) return Supply::End;
      taken += take_lines(most - taken, take);
      if (taken >= most) return Supply::More;
    }
  }
  void finish(const Take& take) override {
    if (begin_ < text_.size()) take(std::string_view(text_).substr(begin_));
    begin_ = text_.size();
  }
  std::uint64_t bytes_behind() const override { return text_.size() - begin_; }
  std::string place() const override { return {}; }
  Result<void> go_on_from(std::string_view) override { return {}; }

 private:
  std::size_t take_lines(std::size_t most, const Take& take) {
    std::string_view lines = whole_lines(std::string_view(text_).substr(begin_));
    std::size_t taken = 0;
    while (taken < most && !lines.empty()) {
      const std::size_t before = lines.size();
      take(next_line(lines));
      begin_ += before - lines.size();
      ++taken;
    }
    return taken;
  }

  std::string text_;
  std::size_t begin_ = 0;
};

// A directory of journals: each client's transactions, merged in the order in which they ended. A client
// whose journal has been read to its end does not hold the others back.
class JournalSource : public LineSource {
 public:
  JournalSource(std::string directory, std::int64_t patience)
      : directory_(std::move(directory)),
        header_(directory_ + "/" + std::string(kJournalHeader)),
        patience_(patience) {}

  Result<Supply> read(std::size_t most, double seconds, const Take& take) override {
    for (double waited = 0;; waited += kPoll) {
      if (!has_header_) {
        const auto header = header_.next(line_);
        if (!header) return header.error();
        if (*header) {
          has_header_ = true;
          take(line_);
        }
      }
      find_clients();
      std::size_t taken = 0;
      for (; has_header_ && taken < most; ++taken) {
        auto client = earliest();
        if (!client) return std::move(client).error();
        if (*client == nullptr) break;
        take((*client)->line);
        (*client)->go_on();
      }
      if (taken == most) return Supply::More;
      if (taken > 0 || waited >= seconds) return Supply::CaughtUp;
      sleep_for(kPoll);
    }
  }

  // A client that was killed left operations without an outcome.
  void finish(const Take& take) override {
    for (auto& [name, client] : clients_)
      if (client.has_operations) {
        client.emit_unknown();
        if (client.has_line) take(client.line);
      }
  }
  void reached(std::int64_t latest) override { latest_ = latest; }

  std::uint64_t bytes_behind() const override {
    std::uint64_t bytes = 0;
    for (const auto& [name, client] : clients_) bytes += client.tail.behind();
    return bytes;
  }
  std::string place() const override {
    std::string text = has_header_ ? "1" : "0";
    for (const auto& [name, client] : clients_)
      text += fmt::format(" {} {} {} {} {}", name, client.tail.inode(), client.done, client.transactions_done,
                          client.skip_done ? 1 : 0);
    return text;
  }
  Result<void> go_on_from(std::string_view place) override {
    int has_header = 0;
    if (!take_number(place, has_header)) return error("not a place in journals");
    has_header_ = has_header != 0;
    while (!place.empty()) {
      place.remove_prefix(1);
      const std::string name(place.substr(0, place.find(' ')));
      place.remove_prefix(name.size());
      std::uint64_t inode = 0, offset = 0, transactions = 0;
      int skip = 0;
      if (!take_number(place, inode) || !take_number(place, offset) || !take_number(place, transactions) ||
          !take_number(place, skip))
        return error("not a place in journals");
      Client& client = add(name);
      client.tail.go_on_from(inode, offset);
      client.done = offset;
      client.transactions = client.transactions_done = transactions;
      client.skip = client.skip_done = skip != 0;
    }
    return {};
  }

 private:
  struct Client {
    std::string session;
    Tail tail;
    std::string operations, outcome, line;  // line: the next transaction
    bool has_operations = false, has_line = false;
    bool skip = false;  // the next line is an outcome that came after all
    std::int64_t instant = 0, began = INT64_MAX;
    std::uint64_t transactions = 0;
    // As far as lines were taken.
    std::uint64_t done = 0, transactions_done = 0;
    bool skip_done = false;

    Client(std::string name, const std::string& path) : session(std::move(name)), tail(path) {}

    void emit(std::optional<std::string_view> outcome_line) {
      line.clear();
      has_operations = false;
      const auto printed = print_journal_entry(session, ++transactions, operations, outcome_line, line);
      // What is no entry is passed on as it is: the judge counts and names it.
      if (!printed) line = operations;
      else instant = printed->value_or(instant);
      if (line.ends_with('\n')) line.pop_back();
      has_line = true;
    }
    void emit_unknown() { emit(std::nullopt); }
    void go_on() {
      has_line = false;
      done = tail.offset();
      transactions_done = transactions;
      skip_done = skip;
    }
  };

  Client& add(const std::string& name) {
    const auto at = clients_.find(name);
    if (at != clients_.end()) return at->second;
    return clients_.emplace(name, Client(name, directory_ + "/" + name + ".journal")).first->second;
  }

  void find_clients() {
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(directory_, problem))
      if (entry.path().extension() == ".journal") add(entry.path().stem().string());
  }

  Result<bool> fill(Client& client) {
    while (!client.has_line) {
      if (client.skip) {
        const auto skipped = client.tail.next(line_);
        if (!skipped) return skipped.error();
        if (!*skipped) return false;
        client.skip = false;
        client.go_on();
      }
      if (!client.has_operations) {
        const auto read = client.tail.next(client.operations);
        if (!read) return read.error();
        if (!*read) return false;
        client.has_operations = true;
        std::string_view begin = client.operations;
        if (!take_number(begin, client.began)) client.began = INT64_MAX;
      }
      const auto read = client.tail.next(client.outcome);
      if (auto said = client.tail.take_note()) note(std::move(*said));
      if (!read) return read.error();
      if (*read) {
        client.emit(client.outcome);
      } else if (latest_ && client.began<*latest_&& * latest_ - client.began> patience_) {
        client.emit_unknown();
        client.skip = true;
      } else {
        return false;
      }
    }
    return true;
  }

  Result<Client*> earliest() {
    Client* first = nullptr;
    for (auto& [name, client] : clients_) {
      const auto filled = fill(client);
      if (!filled) return filled.error();
      if (*filled && (first == nullptr || client.instant < first->instant)) first = &client;
    }
    return first;
  }

  std::string directory_;
  Tail header_;
  std::int64_t patience_;
  bool has_header_ = false;
  std::map<std::string, Client> clients_;
  std::optional<std::int64_t> latest_;
  std::string line_;
};

}  // namespace

Result<std::unique_ptr<LineSource>> open_source(const std::string& path, std::int64_t patience) {
  if (path == "-") return std::unique_ptr<LineSource>(std::make_unique<PipeSource>());
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem))
    return std::unique_ptr<LineSource>(std::make_unique<JournalSource>(path, patience));
  if (!std::filesystem::exists(path, problem)) {
    Error missing = error("there is no such file or directory",
                          "a file in the native format, a directory of "
                          "journals, or - for standard input");
    missing.file = path;
    return missing;
  }
  return std::unique_ptr<LineSource>(std::make_unique<FileSource>(path));
}

}  // namespace assay::watch
