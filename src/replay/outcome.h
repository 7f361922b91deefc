// What came of running transactions: what each of them was told, and what they left.
//
// Two runs are compared to find out whether one could be taken for the other. Values that no two runs share
// (of sequences, clocks, random UUIDs) are blurred before: each is replaced by a mark. That makes more runs
// equal and never fewer, so it cannot make an anomaly out of none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay::replay {

struct Told {
  bool committed = false;
  std::string why;                 // it did not commit
  std::string state;               // SQLSTATE, when the server said so
  std::vector<std::string> lines;  // `bank.sql:12: v = '1'`: variables at gates, results, notices
};

struct Outcome {
  std::vector<Told> told;                                  // by call
  std::map<std::string, std::vector<std::string>> tables;  // rows, sorted
};

// Where sequences begin: values from here on are recognised as theirs. One for each width of integer.
struct SequenceStart {
  static constexpr long long kBig = 7'000'000'000, kInteger = 1'500'000'000, kSmall = 20'000,
                             kMost = 1'000'000;
  static constexpr long long kMostSmall = 10'000;
};

class Blur {
 public:
  // `small`: there are sequences of 16 bits.
  Blur(bool small, std::string today) : small_(small), today_(std::move(today)) {}
  std::string operator()(const std::string& text) const;
  Outcome operator()(Outcome outcome) const;

 private:
  std::size_t uuid(std::string_view text) const;   // how long it is; 0: there is none here
  std::size_t clock(std::string_view text) const;  // likewise: a date or a moment close to now
  bool of_sequence(std::string_view digits) const;

  bool small_;
  std::string today_;  // 2026-11-18
};

// The first thing that differs, in words, for `calls` by name; nothing when the runs are alike.
std::optional<std::string> difference(const Outcome& seen, const Outcome& other,
                                      const std::vector<std::string>& calls);

}  // namespace assay::replay
