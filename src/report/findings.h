// What was found out about one history: the one value that every printer of this folder takes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explain/explanation.h"
#include "verdict/certificate.h"
#include "verdict/verdict.h"

namespace assay {

struct Finding {
  Level level;
  Verdict verdict;
  double seconds;
  std::string searcher{};  // which of several searches answered, where there were several
  std::optional<std::size_t>
      story{};  // of a violated level, where it was asked for: its place in Findings::stories
  std::optional<Section> evidence{};  // where the history has rows or predicates: what a certificate says
};

// A level that this history cannot be judged at.
struct Refused {
  Level level;
  Error why;
};

struct Stage {
  std::string name;
  double seconds;
};

struct Findings {
  std::string file;    // as the user named it
  std::string format;  // id
  std::shared_ptr<const History> judged;
  std::vector<Finding> levels;       // in the order in which they were asked for
  std::vector<Explanation> stories;  // each once, though several levels may fall with it
  std::vector<Stage> stages;
  std::int64_t skew = 0;  // nanoseconds, of the levels of real time
  std::vector<Refused> refused{};
  std::vector<std::string>
      notes{};  // what a reader of the verdicts must know, a sentence each without its full stop

  const History& history() const { return *judged; }
};

inline std::string_view word(const Verdict& verdict) {
  constexpr std::string_view words[] = {"holds", "violated", "undecided"};
  return words[verdict.index()];
}

// The levels whose story it is, as "ser, si".
std::string levels_of(const Findings& findings, std::size_t story);

}  // namespace assay
