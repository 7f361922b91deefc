#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain/crowded.h"
#include "explain/proof_cases.h"
#include "explain/words.h"
#include "explain/wrong_read.h"
#include "history/describe.h"

namespace assay {
namespace {

// Which levels a small history breaks, and the strongest ones it satisfies. A level that cannot be judged
// counts as broken when it implies a broken one.
struct Standing {
  std::vector<Level> broken, strongest;
};

Standing standing(const Part& part, std::int64_t skew, Budget& budget) {
  Checker checker(part.history, {.skew = skew, .budget = &budget});
  std::vector<Level> broken{part.level}, hold;
  for (const LevelRow& row : levels()) {
    const auto verdict = checker.judge(row.level);
    if (!verdict) continue;
    if (std::holds_alternative<Violated>(*verdict)) broken.push_back(row.level);
    if (std::holds_alternative<Holds>(*verdict)) hold.push_back(row.level);
  }
  Standing result;
  for (const LevelRow& row : levels())
    if (std::ranges::any_of(broken, [&](Level weaker) { return implies(row.level, weaker); }))
      result.broken.push_back(row.level);
  for (const Level level : hold)
    if (std::ranges::none_of(hold, [&](Level other) { return other != level && implies(other, level); }))
      result.strongest.push_back(level);
  return result;
}

void add_new(std::vector<KeyId>& keys, KeyId key) {
  if (!key.is_none() && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
}

bool is_cycle(const std::vector<Dependency>& edges) {
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].to != edges[(i + 1) % edges.size()].from) return false;
  return !edges.empty();
}

// Adds the sentences of the cases. The caller has added the question.
void add_cases(const Explanation& e, const Cases& cases, std::vector<std::string>& out) {
  for (const Cases::Case& one : cases.cases) {
    std::string text = one.supposed + ":";
    for (const std::size_t edge : one.cycle) text += " " + e.edges[edge].sentence;
    if (one.cases) text += " " + one.cases->question;
    out.push_back(std::move(text));
    if (one.cases) add_cases(e, *one.cases, out);
  }
}

void tell(Explanation& explanation, Level level, const Violated& verdict, std::int64_t skew) {
  const Words words(explanation.part, explanation.values, skew);
  const ProofLine& last = verdict.proof.back();
  if (last.kind == Rule::WrongRead) {
    auto story = tell_wrong_read(explanation.part, words, verdict.anomaly.value(), last.op);
    explanation.edges = std::move(story.edges);
    explanation.sentences = std::move(story.sentences);
    explanation.keys = {explanation.part.key(last.op)};
    return;
  }
  if (last.kind == Rule::Crowded) {
    explanation.sentences = tell_crowded(explanation.part, words, level, verdict.proof);
    for (const ProofLine& line : verdict.proof)
      if (line.kind == Rule::Candidates) add_new(explanation.keys, explanation.part.key(line.op));
    return;
  }
  Story story = tell_proof(explanation.part, words, level, verdict.proof);
  explanation.edges = std::move(story.edges);
  explanation.cases = std::move(story.cases);
  if (explanation.cases) {
    explanation.sentences.push_back(explanation.cases->question);
    add_cases(explanation, *explanation.cases, explanation.sentences);
  } else {
    explanation.has_cycle = is_cycle(explanation.edges);
    ASSAY_ASSERT(explanation.has_cycle);
    for (const Dependency& edge : explanation.edges) explanation.sentences.push_back(edge.sentence);
  }
  for (const Dependency& edge : explanation.edges) add_new(explanation.keys, edge.key);
}

bool shows_shorter_lists(const Part& part, const History& whole) {
  for (const OpId op : part.history.operations())
    if (part.history.kind(op) == OpKind::ListRead &&
        part.history.rows(op).size() < whole.rows(part.origin.operations[op.index()]).size())
      return true;
  return false;
}

}  // namespace

Explanation explain(const Checker& checker, Level level, const Violated& verdict, const Patience& patience) {
  Part part = shrink(checker, level, verdict, patience);
  const History& whole = checker.history();
  Standing levels = standing(part, checker.skew(), *patience.first);
  Explanation result{
      .level = level,
      .anomaly = part.verdict.anomaly,
      .name = anomaly_name(part.verdict),
      .part = with_names(part.history,
                         [&](TxnId t) { return whole.display(part.origin.transactions[t.index()]); }),
      .origin = part.origin.transactions,
      .minimal = part.minimal,
      .shortened_lists = shows_shorter_lists(part, whole),
      .values = values_of(part.history, whole, part.origin.operations),
      .keys = {},
      .rules_out = std::move(levels.broken),
      .still_hold = std::move(levels.strongest),
      .edges = {},
      .has_cycle = false,
      .cases = {},
      .sentences = {}};
  tell(result, part.level, part.verdict, checker.skew());
  return result;
}

std::string_view meaning(const Explanation& explanation) {
  return explanation.anomaly ? row(*explanation.anomaly).meaning
                             : "there was no time to find out which anomaly it is";
}

std::string_view name(Dependency::Kind kind) {
  constexpr std::string_view names[] = {"wr", "ww", "rw", "so", "rt"};
  return names[static_cast<std::size_t>(kind)];
}

std::string text(const Explanation& explanation, OpId op) {
  const History& h = explanation.part;
  constexpr std::size_t kMany = 8, kFirst = 3;
  if (h.kind(op) == OpKind::ReadOneOf && h.rows(op).size() > kMany) {
    std::string values;
    for (const KeyValueId value : h.rows(op).first(kFirst)) values += spell(h.pool(), h.value(value)) + " ";
    return fmt::format("one-of({},[{}... {} more])", spell(h.pool(), h.name(h.key(op))), values,
                       h.rows(op).size() - kFirst);
  }
  if (h.kind(op) != OpKind::ListRead) return describe(h, op);
  return fmt::format("r({},{})", spell(h.pool(), h.name(h.key(op))), explanation.values[op.index()]);
}

bool is_exact(const Explanation& explanation) {
  const History& h = explanation.part;
  return explanation.supposed.empty() &&
         std::ranges::all_of(h.operations(), [&](OpId op) { return h.statement(op) == op; });
}

std::string title(const Explanation& explanation) {
  const bool is_read_only = explanation.anomaly == Anomaly::ReadOnly;
  std::string text = is_read_only          ? "read-only anomaly"
                     : explanation.anomaly ? std::string(name(*explanation.anomaly))
                                           : fmt::format("violation of {}", id(explanation.level));
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (explanation.anomaly && text[0] != 'G' && !is_read_only) std::ranges::replace(text, '-', ' ');
  const Words words(explanation.part, explanation.values);
  for (std::size_t i = 0; i < explanation.keys.size(); ++i) {
    const bool is_last = i + 1 == explanation.keys.size();
    text += (i == 0 ? " on " : is_last ? " and " : ", ") + words.of(explanation.keys[i]);
  }
  if (explanation.name.ends_with("-session")) text += ", through session order";
  if (explanation.name.ends_with("-realtime")) text += ", through real time";
  return text;
}

}  // namespace assay
