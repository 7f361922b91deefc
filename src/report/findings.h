// The results for one history: the one type that every printer of this folder takes.
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
  std::string searcher{};              // if several searches ran: the one that answered
  std::optional<std::size_t> story{};  // index in Findings::stories, if it was explained
  std::optional<Section> evidence{};   // the section of the certificate, if the history has rows
};

// A level that this history cannot be judged at, and the reason.
struct Refused {
  Level level;
  Error why;
};

struct Stage {
  std::string name;
  double seconds;
};

struct Findings {
  std::string file;    // as the user typed it
  std::string format;  // id
  std::shared_ptr<const History> judged;
  std::vector<Finding> levels;       // in the order of the request
  std::vector<Explanation> stories;  // several violated levels may share one
  std::vector<Stage> stages;
  std::int64_t skew = 0;  // nanoseconds, for levels that use real time
  std::vector<Refused> refused{};
  std::vector<std::string> notes{};  // caveats about the verdicts; sentences without full stops

  const History& history() const { return *judged; }
};

inline std::string_view word(const Verdict& verdict) {
  constexpr std::string_view words[] = {"holds", "violated", "undecided"};
  return words[verdict.index()];
}

// The levels that the story explains, as in "ser, si".
std::string levels_of(const Findings& findings, std::size_t story);

}  // namespace assay
