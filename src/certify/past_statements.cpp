// cc and psi: checks that each invisible read without a read line is explained by the newest version of its
// key in the reader's past. Such a read adds no constraint: its writer is in the past already, and no newer
// writer of the key is.
//
// The past of a transaction includes the pasts of the committed ones before it in its session. So each
// session has one table, and a transaction that enters the past writes its versions to the table where they
// are newer. A transaction of unknown outcome uses a copy of the table, since the session continues without
// it.
#include <algorithm>

#include "certify/pasts.h"
#include "certify/statements.h"
#include "certify/version_table.h"

namespace assay {
namespace {

class PastStatements {
 public:
  PastStatements(const History& history, const ItemHistory& items, const WeakOrder& order)
      : h_(history), items_(items), order_(order), pasts_(order), initially_(history, items.outcomes) {}

  Result<void> run() {
    ASSAY_TRY(pasts_.follow(order_.order, [](TxnId) { return Result<void>(); }));
    chains_.resize(pasts_.chain_count());
    for (const SessionId session : h_.sessions())
      for (const TxnId t : h_.transactions(session))
        if (order_.at.contain(t)) chains_[pasts_.chain(t)].push_back(t);
    for (const SessionId session : h_.sessions()) ASSAY_TRY(look_at(session));
    return {};
  }

 private:
  struct Past {
    VersionTable table;
    std::vector<std::size_t> added;  // by chain: how many of its transactions are in the table
  };

  Result<void> look_at(SessionId session) {
    Past past{initially_, std::vector<std::size_t>(chains_.size())};
    for (const TxnId t : h_.transactions(session)) {
      const auto has_statement = [&] {
        return std::ranges::any_of(h_.operations(t), [&](OpId op) { return ranges_over_rows(h_.kind(op)); });
      };
      if (!order_.at.contain(t) || !has_statement()) continue;
      if (h_.outcome(t) == Outcome::Committed) {
        ASSAY_TRY(run_on(past, t));
      } else {
        Past own = past;
        ASSAY_TRY(run_on(own, t));
      }
    }
    return {};
  }

  Result<void> run_on(Past& past, TxnId t) const {
    const std::uint32_t* clock = pasts_.clock(t);
    for (std::size_t chain = 0; chain < chains_.size(); ++chain)
      for (std::size_t& next = past.added[chain];
           next < chains_[chain].size() && pasts_.place(chains_[chain][next]) <= clock[chain]; ++next) {
        const TxnId writer = chains_[chain][next];
        past.table.commit_over(writer,
                               [&](TxnId there) { return order_.at.of(there) <= order_.at.of(writer); });
      }
    std::optional<Invisible> wrong;
    past.table.run(t, [&](OpId op) {
      past.table.each_wrong(op, [&](KeyId key, bool) {
        if (!wrong && !items_.has_read_line({op, key})) wrong = {op, key};
      });
    });
    return wrong ? Result<void>(needs_read_line(h_, order_.level, *wrong)) : Result<void>();
  }

  const History& h_;
  const ItemHistory& items_;
  const WeakOrder& order_;
  Pasts pasts_;
  const VersionTable initially_;
  std::vector<std::vector<TxnId>> chains_;
};

}  // namespace

Result<void> certify_past_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order) {
  return PastStatements(history, items, order).run();
}

}  // namespace assay
