#include "verdict/past_views.h"

#include "history/statement_replay.h"
#include "verdict/pasts.h"

namespace assay {
namespace {

class PastViews {
 public:
  PastViews(const History& history, const Items& items, const WeakOrder& order,
            const std::function<void(Invisible, TxnId)>& broken)
      : h_(history),
        order_(order),
        broken_(broken),
        pasts_(order),
        unborn_(history, items.completion.truths) {}

  Result<void> run() {
    ASSAY_TRY(pasts_.follow(order_.order, [](TxnId) { return Result<void>(); }));
    members_.resize(pasts_.chain_count());
    for (const SessionId session : h_.sessions())
      for (const TxnId t : h_.transactions(session))
        if (order_.at.contain(t)) members_[pasts_.chain(t)].push_back(t);
    for (const SessionId session : h_.sessions()) look(session);
    return {};
  }

 private:
  struct View {
    StatementReplay replay;
    std::vector<std::size_t> taken;  // by chain: how many of its members are in it
  };

  void look(SessionId session) {
    View view{unborn_, std::vector<std::size_t>(pasts_.chain_count())};
    for (const TxnId t : h_.transactions(session)) {
      if (!order_.at.contain(t) || !has_statement(t)) continue;
      if (h_.outcome(t) == Outcome::Committed) {
        look(t, view);
      } else {  // the session goes on without it, and need not have seen what it saw
        View own = view;
        look(t, own);
      }
    }
  }

  bool has_statement(TxnId t) const {
    return std::ranges::any_of(h_.operations(t), [&](OpId op) { return is_statement(h_.kind(op)); });
  }

  void look(TxnId t, View& view) {
    const std::uint32_t* past = pasts_.clock(t);
    for (std::size_t chain = 0; chain < members_.size(); ++chain) {
      std::size_t& taken = view.taken[chain];
      for (; taken < members_[chain].size() && pasts_.place(members_[chain][taken]) <= past[chain]; ++taken) {
        const TxnId writer = members_[chain][taken];
        view.replay.commit_where(
            writer, [&](TxnId current) { return order_.at.of(current) <= order_.at.of(writer); });
      }
    }
    view.replay.run(t, [&](OpId op) {
      view.replay.each_broken(op, [&](KeyId key, bool) {
        broken_({op, key}, view.replay.table().row(key).writer);
      });
    });
  }

  const History& h_;
  const WeakOrder& order_;
  const std::function<void(Invisible, TxnId)>& broken_;
  Pasts pasts_;
  const StatementReplay unborn_;             // the table as it is initially
  std::vector<std::vector<TxnId>> members_;  // by chain
};

}  // namespace

Result<void> look_at_pasts(const History& history, const Items& items, const WeakOrder& order,
                           const std::function<void(Invisible, TxnId)>& broken) {
  return PastViews(history, items, order, broken).run();
}

}  // namespace assay
