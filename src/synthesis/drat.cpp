#include "synthesis/drat.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace assay::synthesis {
namespace {

// Words of a text, with the line they stand on.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  std::string_view next() {
    while (!rest_.empty() && is_blank(rest_[0])) {
      if (rest_[0] == '\n') ++line_;
      rest_.remove_prefix(1);
    }
    std::size_t size = 0;
    while (size < rest_.size() && !is_blank(rest_[size])) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }
  void skip_line() { rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size())); }
  std::size_t line() const { return line_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  std::string_view rest_;
  std::size_t line_ = 1;
};

Result<Clause> read_clause(Words& words, std::string_view first) {
  Clause clause;
  for (std::string_view word = first;; word = words.next()) {
    int literal = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), literal);
    if (word.empty() || problem != std::errc() || end != word.data() + word.size() || literal == INT32_MIN)
      return error(fmt::format("line {}: a literal or 0 is expected, not '{}'", words.line(), word));
    if (literal == 0) return clause;
    clause.push_back(literal);
  }
}

// Clauses with two watched literals, a trail, and nothing else.
class Propagation {
 public:
  void add(Clause clause) {
    std::ranges::sort(clause);
    clause.erase(std::ranges::unique(clause).begin(), clause.end());
    for (const int literal : clause) reserve(literal);
    const std::size_t number = clauses_.size();
    numbers_[clause].push_back(number);
    // Watch what is not false yet, so that the invariant holds from the start.
    std::ranges::stable_partition(clause, [&](int literal) { return value(literal) >= 0; });
    clauses_.push_back(clause);
    if (clause.size() >= 2) {
      watch(clause[0], number);
      watch(clause[1], number);
    }
    if (clause.empty() || value(clause[0]) < 0) contradiction_ = true;
    else if (clause.size() == 1 || value(clause[1]) < 0) assign(clause[0]);
    if (!contradiction_ && !propagate()) contradiction_ = true;
    settled_ = trail_.size();
  }

  void remove(Clause clause) {
    std::ranges::sort(clause);
    const auto found = numbers_.find(clause);
    if (found == numbers_.end() || found->second.empty() || clause.size() < 2) return;
    const std::size_t number = found->second.back();
    // A clause that made a literal true stays: without it what follows from it would hang in the air.
    if (is_reason(number)) return;
    found->second.pop_back();
    clauses_[number].clear();
  }

  bool contradiction() const { return contradiction_; }

  // Whether the clauses contradict each other once every literal of this one is false.
  bool follows(const Clause& clause) {
    if (contradiction_) return true;
    bool conflict = false;
    for (const int literal : clause) {
      reserve(literal);
      if (value(literal) > 0) conflict = true;
      else if (value(literal) == 0) assign(-literal);
    }
    if (!conflict) conflict = !propagate();
    while (trail_.size() > settled_) {
      values_[index(trail_.back())] = values_[index(-trail_.back())] = 0;
      trail_.pop_back();
    }
    next_ = settled_;
    return conflict;
  }

 private:
  static std::size_t index(int literal) {
    return 2 * static_cast<std::size_t>(literal < 0 ? -literal : literal) + (literal < 0 ? 1 : 0);
  }
  void reserve(int literal) {
    const std::size_t needed = index(literal < 0 ? literal : -literal) + 1;
    if (values_.size() >= needed) return;
    values_.resize(needed);
    watches_.resize(needed);
  }
  int value(int literal) const { return values_[index(literal)]; }
  void watch(int literal, std::size_t clause) { watches_[index(literal)].push_back(clause); }
  void assign(int literal) {
    if (value(literal) != 0) return;
    values_[index(literal)] = 1;
    values_[index(-literal)] = -1;
    trail_.push_back(literal);
  }
  bool is_reason(std::size_t number) const {
    const Clause& clause = clauses_[number];
    return std::ranges::count_if(clause, [&](int literal) { return value(literal) > 0; }) == 1 &&
           std::ranges::count_if(clause, [&](int literal) { return value(literal) < 0; }) + 1 ==
               static_cast<std::ptrdiff_t>(clause.size());
  }

  bool propagate() {
    while (next_ < trail_.size()) {
      const int falsified = -trail_[next_++];
      std::vector<std::size_t>& watching = watches_[index(falsified)];
      std::size_t kept = 0;
      for (std::size_t i = 0; i < watching.size(); ++i) {
        Clause& clause = clauses_[watching[i]];
        if (clause.empty()) continue;
        if (clause[0] == falsified) std::swap(clause[0], clause[1]);
        const auto other =
            std::find_if(clause.begin() + 2, clause.end(), [&](int literal) { return value(literal) >= 0; });
        if (value(clause[0]) <= 0 && other != clause.end()) {
          std::iter_swap(clause.begin() + 1, other);
          watch(clause[1], watching[i]);
          continue;
        }
        watching[kept++] = watching[i];
        if (value(clause[0]) < 0) {
          while (++i < watching.size()) watching[kept++] = watching[i];
          watching.resize(kept);
          return false;
        }
        assign(clause[0]);
      }
      watching.resize(kept);
    }
    return true;
  }

  std::vector<Clause> clauses_;
  std::map<Clause, std::vector<std::size_t>> numbers_;
  std::vector<std::vector<std::size_t>> watches_;
  std::vector<std::int8_t> values_;
  std::vector<int> trail_;
  std::size_t next_ = 0, settled_ = 0;
  bool contradiction_ = false;
};

}  // namespace

Result<void> check_drat(const std::vector<Clause>& formula, std::string_view proof) {
  Propagation known;
  for (const Clause& clause : formula) known.add(clause);
  Words words(proof);
  for (std::string_view word = words.next(); !word.empty() && !known.contradiction(); word = words.next()) {
    const bool deletes = word == "d";
    const std::size_t line = words.line();
    auto clause = read_clause(words, deletes ? words.next() : word);
    if (!clause) return std::move(clause).error();
    if (deletes) {
      known.remove(std::move(clause).value());
      continue;
    }
    if (!known.follows(*clause)) return error(fmt::format("line {}: the clause does not follow", line));
    known.add(std::move(clause).value());
  }
  if (!known.contradiction()) return error("the proof ends without a contradiction");
  return {};
}

std::string to_dimacs(const std::vector<Clause>& formula,
                      const std::vector<std::pair<std::size_t, std::string>>& comments) {
  int variables = 0;
  for (const Clause& clause : formula)
    for (const int literal : clause) variables = std::max(variables, std::abs(literal));
  std::string text = fmt::format("p cnf {} {}\n", variables, formula.size());
  auto comment = comments.begin();
  for (std::size_t i = 0; i < formula.size(); ++i) {
    for (; comment != comments.end() && comment->first <= i; ++comment)
      text += fmt::format("c {}\n", comment->second);
    for (const int literal : formula[i]) text += fmt::format("{} ", literal);
    text += "0\n";
  }
  return text;
}

Result<std::vector<Clause>> parse_dimacs(std::string_view text) {
  std::vector<Clause> formula;
  Words words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "c" || word == "p") {
      words.skip_line();
      continue;
    }
    auto clause = read_clause(words, word);
    if (!clause) return std::move(clause).error();
    formula.push_back(std::move(clause).value());
  }
  return formula;
}

}  // namespace assay::synthesis
