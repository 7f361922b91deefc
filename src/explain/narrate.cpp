#include "explain/narrate.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "history/describe.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

using Kind = ProofLine::Kind;

class Narrator {
 public:
  Narrator(const History& history, const Proof& proof) : h_(history) {
    std::set<KeyValueId> read;
    for (const ProofLine& line : proof)
      if (!line.op.is_none()) read.insert(value_read(line.op));
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t))
        if (is_item_write(h_.kind(op)) && read.contains(h_.value(op))) writers_[h_.value(op)].insert(t);
  }

  std::string sentence(const ProofLine& line) const {
    const auto on = [&] { return h_.display(h_.key(line.op)); };
    switch (line.kind) {
      case Kind::Session:
        return fmt::format("{} comes before {} in session {}", name(line.a), name(line.b), h_.display(h_.session(line.b)));
      case Kind::Reads: return fmt::format("{} did {}, which {} wrote", reader(line), did(line), writer(line));
      case Kind::Own: return fmt::format("{} took its snapshot before it committed", name(line.a));
      case Kind::Path: return fmt::format("so, by {}, the first comes before the last", numbers(line));
      case Kind::Missed:
        return fmt::format("{} comes before {}: both write {}, {} was there when {} did {}", name(line.a), writer(line), on(),
                           name(line.a), reader(line), did(line));
      case Kind::Overwritten:
        return fmt::format("{} did {} before {} overwrote it", reader(line), did(line), name(line.a));
      case Kind::Exclusive:
        return fmt::format("{} took its snapshot after {} committed: both write {}, and {} commits first", name(line.b),
                           name(line.a), on(), name(line.a));
      case Kind::Observed:
        return fmt::format("{} did {}, which shows that {} appended before {}", reader(line), did(line), name(line.a), name(line.b));
      case Kind::Realtime:
        return fmt::format("{} before {}: the clocks say so", point(line.first()), point(line.second()));
      case Kind::Candidates:
        return fmt::format("{} did {}, which one of those who wrote it wrote", reader(line), did(line));
      case Kind::Implies:
        return fmt::format("if {} did {} as {} wrote it, that took effect", reader(line), did(line), name(line.a));
      case Kind::Suppose: return fmt::format("suppose {} before {}", point(line.first()), point(line.second()));
      case Kind::From:
        return fmt::format("suppose {} did {} as {} wrote it", reader(line), did(line), name_or_initial(line.a));
      case Kind::NotFrom:
        return fmt::format("suppose it is not from {} that {} did {}", name_or_initial(line.a), reader(line), did(line));
      case Kind::Counts: return fmt::format("suppose {} took effect", name(line.a));
      case Kind::Absent: return fmt::format("suppose {} did not take effect", name(line.a));
      case Kind::Unit: return fmt::format("of what {} leaves open, only one is left", line.clause);
      case Kind::Refute: return fmt::format("{} form a cycle", numbers(line));
      case Kind::Stale:
        return fmt::format("{} did {}, the initial value, although {}, which writes {}, was there", reader(line), did(line),
                           name(line.a), on());
      case Kind::Falsified: return fmt::format("all that {} leaves open is excluded", line.clause);
      case Kind::WrongRead: return fmt::format("{} did {}", reader(line), did(line));
    }
    return {};
  }

 private:
  std::string name(TxnId t) const { return "transaction " + h_.display(t); }
  std::string name_or_initial(TxnId t) const { return t.is_none() ? "the initial transaction" : name(t); }
  std::string point(Point p) const {
    return fmt::format("{} {}", name(p.txn), p.commit ? "committed" : "took its snapshot");
  }
  std::string did(const ProofLine& line) const { return describe(h_, line.op); }
  std::string reader(const ProofLine& line) const { return name(transaction_of(h_, line.op)); }
  std::string writer(const ProofLine& line) const {
    const auto found = writers_.find(value_read(line.op));
    if (found == writers_.end()) return "the initial transaction";
    return found->second.size() == 1 ? name(*found->second.begin()) : "the one it is from";
  }
  std::string numbers(const ProofLine& line) const { return fmt::format("{}", fmt::join(line.lines, ", ")); }

  // None for an empty list.
  KeyValueId value_read(OpId op) const {
    if (h_.kind(op) != OpKind::ListRead) return h_.value(op);
    return h_.rows(op).empty() ? KeyValueId::none() : h_.rows(op).back();
  }

  const History& h_;
  std::map<KeyValueId, std::set<TxnId>> writers_;
};

}  // namespace

std::vector<std::string> narrate(const History& history, const Proof& proof) {
  const Narrator narrator(history, proof);
  std::vector<std::string> result;
  for (const ProofLine& line : proof)
    if (line.kind != Kind::Own) result.push_back(fmt::format("{:>3}. {}", line.id, narrator.sentence(line)));
  return result;
}

}  // namespace assay
