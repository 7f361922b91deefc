#include "check/past_views.h"

#include "history/statement_replay.h"

namespace assay {
namespace {

class PastViews {
 public:
  PastViews(const History& history, const Items& items, const ExecutionView& execution, Clocks pasts,
            Budget& budget, const std::function<void(Invisible, TxnId)>& broken)
      : h_(history),
        execution_(execution),
        budget_(budget),
        broken_(broken),
        pasts_(std::move(pasts)),
        unborn_(history, items.completion.truths) {}

  void run() {
    members_.resize(pasts_.cover().chain_count());
    for (const SessionId session : h_.sessions())
      for (const TxnId t : h_.transactions(session))
        if (execution_.contains(t)) members_[pasts_.cover().chain[t.index()]].push_back(t);
    for (const SessionId session : h_.sessions()) {
      if (budget_.is_spent()) return;
      look(session);
    }
  }

 private:
  struct View {
    StatementReplay replay;
    std::vector<std::size_t> taken;  // by chain: how many of its members the table contains
  };

  void look(SessionId session) {
    View view{unborn_, std::vector<std::size_t>(members_.size())};
    for (const TxnId t : h_.transactions(session)) {
      if (budget_.is_spent()) return;
      if (!execution_.contains(t) || !has_statement(t)) continue;
      if (h_.outcome(t) == Outcome::Committed) {
        look(t, view);
      } else {  // the session continues without this transaction and what only it saw
        View own = view;
        look(t, own);
      }
    }
  }

  bool has_statement(TxnId t) const {
    return std::ranges::any_of(h_.operations(t), [&](OpId op) { return is_statement(h_.kind(op)); });
  }

  void look(TxnId t, View& view) {
    const Clocks::Reach* past = pasts_.row(t.value);
    for (std::size_t chain = 0; chain < members_.size(); ++chain) {
      std::size_t& taken = view.taken[chain];
      for (; taken < past[chain]; ++taken) {
        const TxnId writer = members_[chain][taken];
        view.replay.commit_where(
            writer, [&](TxnId current) { return execution_.at(current) <= execution_.at(writer); });
      }
    }
    view.replay.run(t, [&](OpId op) {
      view.replay.each_broken(op, [&](KeyId key, bool) {
        broken_({op, key}, view.replay.table().row(key).writer);
      });
    });
  }

  const History& h_;
  const ExecutionView& execution_;
  Budget& budget_;
  const std::function<void(Invisible, TxnId)>& broken_;
  const Clocks pasts_;
  const StatementReplay unborn_;             // the initial table
  std::vector<std::vector<TxnId>> members_;  // by chain: its transactions
};

}  // namespace

Result<void> look_at_pasts(const History& history, const Items& items, Level level, const ExecutionView& view,
                           Budget& budget, const std::function<void(Invisible, TxnId)>& broken) {
  auto pasts = past_clocks(items.history, level, view, budget);
  if (budget.is_spent()) return {};
  if (!pasts) return std::move(pasts).error();
  PastViews(history, items, view, std::move(pasts).value(), budget, broken).run();
  return {};
}

}  // namespace assay
