// What the clients of `assay run` leave on disk while they run: a directory with one journal per client.
//
//     header.json     the first line of the history: {"assay":1,"initial":0,"note":"..."}
//     1.journal       two lines for each transaction of session 1, in order:
//                         BEGIN BEGAN COMMITTING OPS      before its commit is sent; instants in ns, or -
//                         c END | a END | u               once the outcome is known
//
// OPS is spelled as in the native format. A client that was killed leaves transactions whose operations are
// there and whose outcome is not: unknown. A last line without its end was never finished, so its commit was
// never sent: it is left out. Bytes of zero may follow it (the file grows ahead of what is written).
//
// JournalMerge turns the directory into lines of the native format in the order in which transactions
// ended. Memory: a window for each client.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "history_io/byte_source.h"

namespace assay {

inline constexpr std::string_view kJournalHeader = "header.json";

// What one client wrote, transaction by transaction.
class JournalReader {
 public:
  JournalReader(ByteSource source, std::string session);

  // Appends the next transaction's line to `line`; false at the end, and after a failure.
  bool next(std::string& line);
  std::int64_t instant() const { return instant_; }  // at which that one ended, as far as is known
  const std::optional<Error>& failure() const { return failure_; }

 private:
  bool next_line(std::string& line);
  bool fail(std::string what);

  ByteSource source_;
  std::string session_;
  std::uint64_t transactions_ = 0, lines_ = 0;
  std::string operations_, outcome_;
  std::int64_t instant_ = 0;
  std::optional<Error> failure_;
};

class JournalMerge {
 public:
  static Result<JournalMerge> open(const std::string& directory, Budget* budget = nullptr);

  // The next line with its end: the header, then the transactions. False at the end and after a failure.
  bool next(std::string& line);
  const std::optional<Error>& failure() const { return failure_; }

 private:
  struct Waiting {
    std::int64_t instant;
    std::size_t client;
    friend bool operator>(const Waiting& a, const Waiting& b) {
      return std::pair(a.instant, a.client) > std::pair(b.instant, b.client);
    }
  };

  JournalMerge() = default;
  bool advance(std::size_t client);

  std::string header_;  // until it was given
  std::vector<JournalReader> clients_;
  std::vector<std::string> lines_;  // the next one of each client
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
  std::optional<Error> failure_;
};

// Writes the history of a directory to a file in the native format, with no more memory than the merge needs.
Result<void> merge_journals(const std::string& directory, const std::string& out);

}  // namespace assay
