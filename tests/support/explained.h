// What every explanation must be: what it says is looked up in the history, and its part is judged again.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "certify/reads.h"
#include "check/check.h"
#include "explain/explain.h"
#include "history/describe.h"
#include "support/evidence.h"
#include "verdict/operation_place.h"

namespace assay::test {

class ExplanationCheck {
 public:
  ExplanationCheck(const History& whole, Level level, const Violated& verdict, const Explanation& e,
                   std::int64_t skew = 0)
      : whole_(whole), level_(level), verdict_(verdict), e_(e), h_(e.part), skew_(skew) {}

  // What is wrong, or nothing.
  std::vector<std::string> problems() {
    names();
    part();
    if (e_.sentences.empty()) problem("it says nothing");
    if (e_.has_cycle) cycle(e_.edges);
    else if (e_.cases) cases(*e_.cases);
    else if (verdict_.proof.back().kind != Rule::WrongRead && !is_counted())
      problem("there is no cycle, no wrong read, and nothing was counted");
    for (const Dependency& edge : e_.edges) dependency(edge);
    return problems_;
  }

 private:
  template <class... Args>
  void problem(fmt::format_string<Args...> form, Args&&... args) {
    problems_.push_back(fmt::format(form, std::forward<Args>(args)...));
  }

  void names() {
    if (e_.name != anomaly_name(verdict_))
      problem("it is called {}, not {}", e_.name, anomaly_name(verdict_));
    if (e_.level != level_ || std::ranges::find(e_.rules_out, level_) == e_.rules_out.end())
      problem("it does not rule the level out");
    if (!e_.minimal) problem("time was up");
  }

  void part() {
    const auto again = judge(level_);
    if (!again || !std::holds_alternative<Violated>(*again))
      return problem("its part does not break the level");
    if (const auto certified = certify(h_, level_, *again, skew_); !certified)
      problem("{}", certified.error().describe());
    for (const Level level : e_.still_hold) {
      const auto verdict = judge(level);
      if (!verdict || !std::holds_alternative<Holds>(*verdict)) problem("{} does not hold", id(level));
    }
    for (const TxnId t : h_.transactions()) transaction(t, e_.origin[t.index()]);
  }

  Result<Verdict> judge(Level level) const { return Checker(h_, {.skew = skew_}).judge(level); }

  // Named as in the whole history, with operations of the same transaction there, in its order.
  void transaction(TxnId t, TxnId origin) {
    if (h_.display(t) != whole_.display(origin))
      problem("{} is called {}", whole_.display(origin), h_.display(t));
    if (h_.display(h_.session(t)) != whole_.display(whole_.session(origin)))
      problem("{} is in another session", h_.display(t));
    auto next = whole_.operations(origin).first;
    for (const OpId op : h_.operations(t)) {
      while (next < whole_.operations(origin).last && !is_part_of(op, next)) next = OpId(next.index() + 1);
      if (next == whole_.operations(origin).last)
        return problem("{} did no {}", h_.display(t), describe(h_, op));
      next = OpId(next.index() + 1);
    }
  }
  bool is_part_of(OpId op, OpId original) const {
    if (h_.kind(op) != whole_.kind(original)) return false;
    return h_.kind(op) == OpKind::ListRead ? h_.display(h_.key(op)) == whole_.display(whole_.key(original))
                                           : describe(h_, op) == describe(whole_, original);
  }

  // More transactions read the key and then wrote it than wrote what they read, or had it from the start.
  bool is_counted() const {
    if (e_.keys.size() != 1 || e_.sentences.size() != 3) return false;
    const Reads reads = Reads::of_what_must_have_happened(h_, level_);
    std::set<TxnId> updates, writers;
    for (const OpId op : h_.operations()) {
      const TxnId t = reads.transaction(op);
      const bool is_update = h_.key(op) == e_.keys[0] && reads.kind(op) == Reads::Kind::External &&
                             reads.counts(t) && reads.writes(t, e_.keys[0]);
      if (!is_update) continue;
      updates.insert(t);
      for (const TxnId writer : reads.possible_writers(op)) writers.insert(writer);
    }
    // What the order of others excludes is in the certificate, which was checked.
    return updates.size() > writers.size() || e_.sentences[1].starts_with("What else is known of the order");
  }

  void cycle(const std::vector<Dependency>& edges) {
    if (edges.empty()) return problem("a cycle is empty");
    chain(edges, edges.front().from, "the cycle");
  }

  // Each has a contradiction of its own, and of a read every writer that may have been there is a case.
  void cases(const Cases& parted) {
    if (parted.question.empty() || parted.cases.size() < 2) problem("no case: {}", parted.question);
    for (const Cases::Case& one : parted.cases) {
      std::vector<Dependency> edges;
      for (const std::size_t edge : one.cycle) edges.push_back(e_.edges.at(edge));
      if (one.cases) cases(*one.cases);
      else cycle(edges);
    }
    const Reads reads = Reads::of_what_must_have_happened(h_, level_);
    if (parted.cases.size() != reads.possible_writers(parted.read).size())
      problem("not one case for each writer: {}", parted.question);
  }

  void chain(const std::vector<Dependency>& steps, TxnId end, std::string_view what) {
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (const TxnId next = i + 1 < steps.size() ? steps[i + 1].from : end; steps[i].to != next)
        problem("{} is broken after: {}", what, steps[i].sentence);
  }

  void dependency(const Dependency& d) {
    if (d.from == d.to) problem("{} comes before itself", h_.display(d.from));
    if (d.sentence.empty() || d.sentence.back() != '.') problem("no sentence: {}", d.sentence);
    if (d.inferred && !d.reason) problem("nothing is said for: {}", d.sentence);
    using enum Dependency::Kind;
    switch (d.kind) {
      case So:
        if (h_.session(d.from) != h_.session(d.to) || h_.position(d.from) >= h_.position(d.to))
          problem("not true: {}", d.sentence);
        break;
      case Wr:
        expect(d, writes(d.from, d.key) && reads(d.to, d.key) &&
                      shows(d.operations[1], h_.value(d.operations[0])));
        break;
      case Rw: expect(d, reads(d.from, d.key) && writes(d.to, d.key) && is_older(d)); break;
      case Rt: expect(d, !h_.instants(d.to).end || h_.instants(d.from).begin <= h_.instants(d.to).end); break;
      case Ww: expect(d, d.key.is_none() || (writes(d.from, d.key) && writes(d.to, d.key))); break;
    }
    if (d.reason && seen_.insert(d.reason.get()).second) reason(*d.reason);
  }

  // Another version than the one that was read: by its value, unless somebody else wrote that too.
  bool is_older(const Dependency& d) const {
    if (!shows(d.operations[0], h_.value(d.operations[1]))) return true;
    const Reads reads = Reads::of_what_must_have_happened(h_, level_);
    return h_.kind(d.operations[0]) == OpKind::Read && reads.possible_writers(d.operations[0]).size() > 1;
  }

  void expect(const Dependency& d, bool is_true) {
    if (!is_true) problem("not true: {}", d.sentence);
  }

  // Steps of a refutation go round; those of a rule lead somewhere.
  void reason(const Reason& why) {
    if (why.steps.empty()) problem("no step leads to: {}", why.sentence);
    for (const Dependency& step : why.steps) dependency(step);
    if (why.steps.empty()) return;
    chain(why.steps, why.steps.back().to, "the path of a reason");
  }

  bool writes(TxnId t, KeyId key) const {
    return std::ranges::any_of(std::vector<OpId>(all(t)),
                               [&](OpId op) { return is_item_write(h_.kind(op)) && h_.key(op) == key; });
  }
  bool reads(TxnId t, KeyId key) const {
    return std::ranges::any_of(std::vector<OpId>(all(t)),
                               [&](OpId op) { return !is_item_write(h_.kind(op)) && h_.key(op) == key; });
  }
  std::vector<OpId> all(TxnId t) const {
    std::vector<OpId> result;
    for (const OpId op : h_.operations(t)) result.push_back(op);
    return result;
  }
  bool shows(OpId read, KeyValueId value) const {
    if (h_.kind(read) == OpKind::ListRead)
      return std::ranges::find(h_.rows(read), value) != h_.rows(read).end();
    return h_.value(read) == value;
  }

  const History& whole_;
  Level level_;
  const Violated& verdict_;
  const Explanation& e_;
  const History& h_;
  std::int64_t skew_;
  std::vector<std::string> problems_;
  std::set<const Reason*> seen_;
};

}  // namespace assay::test
