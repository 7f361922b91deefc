#include "report/timeline.h"

#include <algorithm>
#include <map>

#include "history/describe.h"
#include "report/escape.h"
#include "report/sources.h"

namespace assay {
namespace {

constexpr std::size_t kLongestOperation = 100;

class Timeline {
 public:
  explicit Timeline(const Findings& findings) : findings_(findings), h_(findings.history()), sources_(h_) {
    for (std::size_t story = 0; story < findings.stories.size(); ++story)
      for (const TxnId t : findings.stories[story].origin) stories_[t].push_back(story);
  }

  Json json() {
    by_position_ = lists_sessions_one_after_another();
    choose();
    const bool time = std::ranges::all_of(chosen_, [&](TxnId t) { return h_.instants(t).begin.has_value(); });
    if (time) find_end_of_time();
    Json sessions = Json::array();
    for (const SessionId s : h_.sessions()) {
      Json row = Json::array();
      for (const TxnId t : h_.transactions(s))
        if (std::ranges::binary_search(chosen_, t)) row.push_back(transaction(t, time));
      if (!row.empty()) sessions.push_back({{"id", h_.display(s)}, {"transactions", std::move(row)}});
    }
    return {{"axis", time ? "time" : "order"},
            {"left_out", h_.transaction_count() - chosen_.size()},
            {"sessions", sessions}};
  }

 private:
  bool lists_sessions_one_after_another() const {
    std::size_t changes = 0;
    for (std::size_t i = 1; i < h_.transaction_count(); ++i)
      changes += h_.session(TxnId(i)) != h_.session(TxnId(i - 1));
    return h_.session_count() > 1 && changes + 1 == h_.session_count();
  }

  std::int64_t place(TxnId t) const {
    return by_position_ ? h_.position(t) : static_cast<std::int64_t>(t.index());
  }

  void choose() {
    std::vector<std::int64_t> centres;
    for (const auto& [t, unused] : stories_) centres.push_back(place(t));
    std::ranges::sort(centres);
    if (centres.empty()) centres.push_back(0);
    const auto distance = [&](TxnId t) {
      const auto after = std::ranges::lower_bound(centres, place(t));
      std::int64_t nearest = INT64_MAX;
      if (after != centres.end()) nearest = *after - place(t);
      if (after != centres.begin()) nearest = std::min(nearest, place(t) - *std::prev(after));
      return stories_.contains(t) ? -1 : nearest;
    };
    std::vector<std::pair<std::int64_t, TxnId>> all;
    for (const TxnId t : h_.transactions()) all.emplace_back(distance(t), t);
    std::ranges::sort(all);
    std::size_t bytes = 0;
    for (const auto& [unused, t] : all) {
      if (chosen_.size() == kMostTransactions) break;
      for (const std::string& operation : operations(t)) bytes += operation.size() + 3;
      bytes += 100;
      if (bytes > kMostBytes && !chosen_.empty()) break;
      chosen_.push_back(t);
    }
    std::ranges::sort(chosen_);
  }

  std::vector<std::string> operations(TxnId t) const {
    std::vector<std::string> result;
    for (const OpId op : h_.operations(t)) {
      const auto from = sources_.of(op);
      result.push_back(shortened(describe(h_, op), kLongestOperation) + (from ? " from " + *from : ""));
    }
    return result;
  }

  void find_end_of_time() {
    first_ = INT64_MAX;
    for (const TxnId t : chosen_) {
      first_ = std::min(first_, *h_.instants(t).begin);
      last_ = std::max({last_, *h_.instants(t).begin, h_.instants(t).end.value_or(INT64_MIN)});
    }
  }

  Json transaction(TxnId t, bool time) const {
    const Instants at = h_.instants(t);
    const std::int64_t start = time ? *at.begin - first_ : place(t);
    const std::int64_t end = time ? at.end.value_or(last_) - first_ : start + 1;
    const auto stories = stories_.find(t);
    constexpr std::string_view outcomes[] = {"committed", "aborted", "unknown"};
    return {{"id", h_.display(t)},
            {"outcome", outcomes[static_cast<std::size_t>(h_.outcome(t))]},
            {"start", start},
            {"end", end},
            {"violations", stories == stories_.end() ? Json::array() : Json(stories->second)},
            {"operations", operations(t)}};
  }

  const Findings& findings_;
  const History& h_;
  Sources sources_;
  std::map<TxnId, std::vector<std::size_t>> stories_;  // by transaction: the explanations that contain it
  bool by_position_ = false;
  std::vector<TxnId> chosen_;
  std::int64_t first_ = 0, last_ = INT64_MIN;
};

}  // namespace

Json timeline(const Findings& findings) { return Timeline(findings).json(); }

}  // namespace assay
