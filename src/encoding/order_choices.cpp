#include "encoding/order_choices.h"

namespace assay {

Var OrderChoices::order(TxnId a, TxnId b) {
  const auto [found, is_new] = order_.try_emplace(unordered_pair(a, b), 0);
  if (!is_new) return found->second;
  causes_.clear();
  add_side(a, b, if_true_);
  add_side(b, a, if_false_);
  return found->second = choices_.add({Rule::Suppose, a, b}, if_true_, if_false_, causes_);
}

// Collects the edges that follow from c(first) < c(second). causes_ collects the causes of both sides.
void OrderChoices::add_side(TxnId first, TxnId second, std::vector<Edge>& edges) {
  edges.clear();
  const bool excludes =
      rules_.exclusive && (facts_.conditional.empty() || facts_.write_common_key(first, second));
  edges.push_back({points_.commit(first), excludes ? points_.snapshot(second) : points_.commit(second)});
  causes_.push_back({excludes ? Rule::Exclusive : Rule::Suppose});
  if (!rules_.total) return;
  for (const VersionId version : facts_.versions_by(first)) {
    if (!facts_.writes_key(second, facts_.writes[version.index()])) continue;
    for (const std::uint32_t i : versions_.reads_of(version)) {
      const ReadFact& read = facts_.reads[i];
      if (read.reader == second) continue;
      edges.push_back({points_.snapshot(read.reader), points_.commit(second)});
      causes_.push_back({Rule::Overwritten, read.op});
    }
  }
}

Lit OrderChoices::commits_before(TxnId a, TxnId b) {
  const Var var = order(a, b);
  return Lit(var, choices_[var].first == a);
}

Lit OrderChoices::is_apart(TxnId first, TxnId second) {
  const auto [found, is_new] = apart_.try_emplace(pair(first, second), 0);
  if (is_new)
    found->second =
        choices_.add({Rule::Exclusive, first, second}, Edge{points_.commit(first), points_.snapshot(second)},
                     EdgeCause{Rule::Exclusive});
  return Lit(found->second, true);
}

Lit OrderChoices::reads_before(TxnId reader, OpId op, std::uint32_t number, TxnId overwriting) {
  const auto [found, is_new] = reads_before_.try_emplace(pair(reader, overwriting), 0);
  if (is_new)
    found->second = choices_.add({Rule::Overwritten, reader, overwriting, number},
                                 Edge{points_.snapshot(reader), points_.commit(overwriting)},
                                 EdgeCause{Rule::Overwritten, op}, false);
  return Lit(found->second, true);
}

}  // namespace assay
