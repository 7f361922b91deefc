#include "report/json.h"

#include <set>

#include "report/part_text.h"
#include "report/sources.h"

namespace assay {
namespace {

std::string_view word(Outcome outcome) {
  constexpr std::string_view words[] = {"committed", "aborted", "unknown"};
  return words[static_cast<std::size_t>(outcome)];
}

std::string_view word(OpKind kind) {
  switch (kind) {
    case OpKind::Append: return "append";
    case OpKind::ListRead: return "list-read";
    case OpKind::Read:
    case OpKind::ReadOneOf:
    case OpKind::Scan:
    case OpKind::Select: return "read";
    default: return "write";
  }
}

Json ids(const std::vector<Level>& levels) {
  Json result = Json::array();
  for (const Level level : levels) result.push_back(id(level));
  return result;
}

class Violation {
 public:
  Violation(const Findings& findings, const Explanation& explanation)
      : findings_(findings), e_(explanation), h_(e_.part) {
    for (const Dependency& edge : e_.edges) note(edge);
    if (e_.cases) note(*e_.cases);
  }

  Json json() {
    Json keys = Json::array();
    for (const KeyId key : e_.keys) keys.push_back(h_.display(key));
    Json edges = Json::array(), cycle = Json::array();
    for (std::size_t i = 0; i < e_.edges.size(); ++i) {
      edges.push_back(edge(e_.edges[i], i));
      if (e_.has_cycle) cycle.push_back(edges.back()["id"]);
    }
    const Json parted = e_.cases ? cases(*e_.cases) : Json();
    std::vector<std::string> sentences = e_.supposed;
    sentences.insert(sentences.end(), e_.sentences.begin(), e_.sentences.end());
    return {{"level", id(e_.level)},
            {"anomaly", e_.name},
            {"title", title(e_)},
            {"meaning", meaning(e_)},
            {"minimal", e_.minimal},
            {"shortened_lists", e_.shortened_lists},
            {"rules_out", ids(e_.rules_out)},
            {"still_hold", ids(e_.still_hold)},
            {"keys", keys},
            {"sentences", sentences},
            {"transactions", transactions()},
            {"edges", edges},
            {"cycle", cycle},
            {"cases", parted},
            {"assumed", e_.supposed},
            {"subhistory",
             {{"hist", part_text(h_, "hist")}, {"jsonl", part_text(h_, "jsonl")}, {"exact", is_exact(e_)}}}};
  }

 private:
  // Notes the transactions and operations that an edge, or its reason, depends on.
  void note(const Dependency& edge) {
    for (const TxnId t : {edge.from, edge.to}) transactions_.insert(t);
    for (const OpId op : edge.operations) operations_.insert(op);
    if (!edge.reason || !noted_.insert(edge.reason.get()).second) return;
    for (const OpId op : edge.reason->reads) operations_.insert(op);
    for (const Dependency& step : edge.reason->steps) note(step);
  }

  void note(const Cases& parted) {
    operations_.insert(parted.read);
    for (const Cases::Case& one : parted.cases)
      if (one.cases) note(*one.cases);
  }

  Json transactions() const {
    const Sources sources(h_);
    Json result = Json::array();
    for (const TxnId t : h_.transactions()) {
      Json operations = Json::array();
      bool matters = transactions_.contains(t) || !tells_cycles();
      for (const OpId op : h_.operations(t)) {
        operations.push_back(operation(op, sources));
        matters |= operations_.contains(op);
      }
      result.push_back({{"id", h_.display(t)},
                        {"session", h_.display(h_.session(t))},
                        {"position", findings_.history().position(e_.origin[t.index()]) + 1},
                        {"outcome", word(h_.outcome(t))},
                        {"matters", matters},
                        {"operations", operations}});
    }
    return result;
  }

  Json operation(OpId op, const Sources& sources) const {
    const bool one_key = is_one_key(h_.kind(op));
    const auto from = sources.of(op);
    return {{"text", text(e_, op)},
            {"kind", word(h_.kind(op))},
            {"key", one_key ? Json(h_.display(h_.key(op))) : Json()},
            {"value", one_key ? Json(e_.values[op.index()]) : Json()},
            {"from", from ? Json(*from) : Json()},
            {"matters", operations_.contains(op) || !tells_cycles()}};
  }

  Json edge(const Dependency& edge, std::size_t number) {
    told_.clear();  // a reason that occurs twice under one edge is printed once
    Json result = step(edge);
    result["id"] = edge_id(number);
    result["on_cycle"] = tells_cycles();
    return result;
  }

  static std::string edge_id(std::size_t number) { return "e" + std::to_string(number + 1); }
  bool tells_cycles() const { return e_.has_cycle || e_.cases; }

  Json cases(const Cases& parted) const {
    Json all = Json::array();
    for (const Cases::Case& one : parted.cases) {
      Json cycle = Json::array();
      for (const std::size_t edge : one.cycle) cycle.push_back(edge_id(edge));
      all.push_back(
          {{"supposed", one.supposed}, {"cycle", cycle}, {"cases", one.cases ? cases(*one.cases) : Json()}});
    }
    return {{"question", parted.question}, {"cases", all}};
  }

  Json step(const Dependency& d) {
    return {{"from", h_.display(d.from)},
            {"to", h_.display(d.to)},
            {"kind", name(d.kind)},
            {"key", d.key.is_none() ? Json() : Json(h_.display(d.key))},
            {"inferred", d.inferred},
            {"supposed", d.supposed},
            {"sentence", d.sentence},
            {"reason", d.reason && told_.insert(d.reason.get()).second ? reason(*d.reason) : Json()}};
  }

  Json reason(const Reason& why) {
    Json reads = Json::array(), steps = Json::array();
    for (const OpId op : why.reads)
      for (const TxnId t : h_.transactions())
        if (const auto all = h_.operations(t); all.first <= op && op < all.last)
          reads.push_back({{"transaction", h_.display(t)},
                           {"operation", op.index() - all.first.index()},
                           {"text", text(e_, op)}});
    for (const Dependency& d : why.steps) steps.push_back(step(d));
    Json supposed = nullptr;
    if (why.supposed)
      supposed = h_.display(why.supposed->first) + " before " + h_.display(why.supposed->second);
    return {{"sentence", why.sentence}, {"reads", reads}, {"supposed", supposed}, {"steps", steps}};
  }

  const Findings& findings_;
  const Explanation& e_;
  const History& h_;
  std::set<TxnId> transactions_;
  std::set<OpId> operations_;
  std::set<const Reason*> noted_, told_;
};

}  // namespace

Json violation(const Findings& findings, std::size_t story) {
  return Violation(findings, findings.stories[story]).json();
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string as_json(const Findings& findings) {
  Json results = Json::array();
  for (const Finding& finding : findings.levels) {
    Json result{
        {"level", id(finding.level)}, {"verdict", word(finding.verdict)}, {"seconds", finding.seconds}};
    if (const auto* violated = std::get_if<Violated>(&finding.verdict))
      result["anomaly"] = anomaly_name(*violated);
    if (const auto* open = std::get_if<Undecided>(&finding.verdict)) result["reason"] = open->why;
    if (finding.story) {
      Json explanation = violation(findings, *finding.story), names = Json::array();
      for (const Json& transaction : explanation["transactions"]) names.push_back(transaction["id"]);
      result["transactions"] = std::move(names);
      result["cycle"] = explanation["sentences"];
      result["explanation"] = std::move(explanation);
    }
    results.push_back(std::move(result));
  }
  Json refused = Json::array();
  for (const Refused& one : findings.refused)
    refused.push_back({{"level", id(one.level)}, {"reason", one.why.describe()}});
  const History& h = findings.history();
  return dump({{"schema", 1},
               {"history", findings.file},
               {"transactions", h.transaction_count()},
               {"operations", h.operation_count()},
               {"results", results},
               {"not_judged", refused},
               {"notes", findings.notes},
               {"remarks", h.remarks()}});
}

}  // namespace assay
