// The files that the clients of `assay run` write while they run: a directory with one journal per client.
//
//     header.json     the first line of the history: {"assay":1,"initial":0,"note":"..."}
//     1.journal       two lines for each transaction of session 1, in order:
//                         BEGIN BEGAN COMMITTING OPS      before its commit is sent; instants in ns, or -
//                         c END | a END | u               once the outcome is known
//
// OPS has the form of the native format. If a client is killed, its last transaction has operations but no
// outcome line: its outcome is unknown. An incomplete last line means that the commit was never sent, so the
// reader drops it. Bytes of zero may follow it, because the file is extended before it is written.
//
// JournalMerge turns the directory into lines of the native format, in the order in which transactions ended.
// Memory: a window for each client.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "history_io/byte_source.h"

namespace assay {

inline constexpr std::string_view kJournalHeader = "header.json";

// Prints a transaction of a journal as a line of the native format. `outcome`: nothing if the client was
// killed before it knew. Returns when the transaction ended, or else began, if that is known.
Result<std::optional<std::int64_t>> print_journal_entry(std::string_view session, std::uint64_t number,
                                                        std::string_view operations,
                                                        std::optional<std::string_view> outcome,
                                                        std::string& line);

// Reads the journal of one client, transaction by transaction.
class JournalReader {
 public:
  JournalReader(ByteSource source, std::string session);

  // Appends the next transaction's line to `line`. Returns false at the end, and after a failure.
  bool next(std::string& line);
  std::int64_t instant() const { return instant_; }  // when the last transaction ended, if that is known
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

  // Returns the next line with its line end: first the header, then the transactions. False at the end, and
  // after a failure.
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

  std::string header_;  // empty once next() has returned it
  std::vector<JournalReader> clients_;
  std::vector<std::string> lines_;  // by client: its next line
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
  std::optional<Error> failure_;
};

// Writes the history of a directory to a file in the native format, with only the memory of the merge.
Result<void> merge_journals(const std::string& directory, const std::string& out);

}  // namespace assay
