#include "dependency/time_edges.h"

#include <algorithm>

#include "isolation/real_time.h"

namespace assay {
namespace {

struct Timed {
  std::int64_t at;  // of a source: its latest instant; of a target: its earliest
  std::uint32_t node;
};

class TimeChain {
 public:
  TimeChain(const History& history, const ReadFacts& facts, const PointRules& rules, KnownGraph& known)
      : h_(history),
        facts_(facts),
        rules_(rules),
        points_(history.transaction_count(), rules.two_points),
        known_(known) {}

  void add_sources(bool commits) {
    each(commits, [&](const Bounds& at, std::uint32_t node) {
      if (at.latest) sources_.push_back({*at.latest, node});
    });
  }

  void add_targets(bool commits) {
    each(commits, [&](const Bounds& at, std::uint32_t node) {
      if (at.earliest) targets_.push_back({*at.earliest, node});
    });
  }

  // Targets that the same sources precede share a time, which comes after these sources.
  void link() {
    std::ranges::sort(sources_, {}, &Timed::at);
    std::ranges::sort(targets_, {}, &Timed::at);
    known_.clocks.push_back(static_cast<std::uint32_t>(known_.nodes));
    std::size_t before = 0, linked = 0;  // sources that precede the target; sources that have their edge
    for (const Timed& target : targets_) {
      while (before < sources_.size() &&
             precedes({{}, sources_[before].at}, {target.at, {}}, rules_.real_time.skew))
        ++before;
      if (before == 0) continue;
      if (before > linked) {
        const auto time = static_cast<std::uint32_t>(known_.nodes++);
        if (linked > 0) known_.add(time - 1, time, {Rule::Realtime});
        for (; linked < before; ++linked) add_source(sources_[linked].node, time);
      }
      known_.add(static_cast<std::uint32_t>(known_.nodes - 1), target.node, {Rule::Realtime});
    }
  }

 private:
  template <class Visit>
  void each(bool commits, Visit visit) const {
    for (const TxnId t : h_.transactions())
      if (facts_.counts[t.index()] || facts_.may_count_only(t))
        visit(bounds(h_, t, commits, rules_), commits ? points_.commit(t) : points_.snapshot(t));
  }

  void add_source(std::uint32_t node, std::uint32_t time) {
    const TxnId t = points_.txn(node);
    if (facts_.counts[t.index()]) known_.add(node, time, {Rule::Realtime});
    else known_.if_counts.push_back({t, {node, time}, {Rule::Realtime}});
  }

  const History& h_;
  const ReadFacts& facts_;
  const PointRules& rules_;
  const Points points_;
  KnownGraph& known_;
  std::vector<Timed> sources_, targets_;
};

}  // namespace

void add_real_time(const History& history, const ReadFacts& facts, const PointRules& rules,
                   KnownGraph& known) {
  if (!rules.real_time.any()) return;
  for (const bool to_commits : {true, false}) {
    if (!rules.two_points && !to_commits) continue;
    TimeChain chain(history, facts, rules, known);
    bool any = false;
    for (const bool from_commits : {true, false}) {
      if ((!rules.two_points && !from_commits) || !has_real_time(rules, from_commits, to_commits)) continue;
      chain.add_sources(from_commits);
      any = true;
    }
    if (!any) continue;
    chain.add_targets(to_commits);
    chain.link();
  }
  known.clocks.push_back(static_cast<std::uint32_t>(known.nodes));
}

}  // namespace assay
