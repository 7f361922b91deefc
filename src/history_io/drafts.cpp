#include "history_io/drafts.h"

#include <algorithm>

namespace assay {

std::size_t Drafts::begin(SessionId session, std::optional<std::int64_t> id, Outcome outcome) {
  drafts_.push_back({session, outcome, id});
  return drafts_.size() - 1;
}

void Drafts::add(std::size_t draft, OpKind kind, KeyId key, std::optional<std::int64_t> value) {
  ASSAY_REQUIRE(kind == OpKind::Read || kind == OpKind::Write);
  operations_.push_back({draft, value.value_or(0), key, kind, !value});
}

Result<void> Drafts::finish() {
  builder_.names_may_repeat();
  if (!std::ranges::is_sorted(operations_, {}, &Operation::draft))
    std::ranges::stable_sort(operations_, {}, &Operation::draft);
  auto next = operations_.begin();
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    for (; next != operations_.end() && next->draft == i; ++next) {
      const Scalar value = next->is_null ? Scalar::null() : Scalar::integer(next->value);
      if (next->kind == OpKind::Write) builder_.write(next->key, value);
      else builder_.read(next->key, value);
    }
    TransactionHead head{.session = drafts_[i].session, .outcome = drafts_[i].outcome};
    if (drafts_[i].id) head.name = Scalar::integer(*drafts_[i].id);
    ASSAY_TRY(builder_.finish(head));
  }
  return {};
}

}  // namespace assay
