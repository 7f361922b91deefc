#include "explain/proof_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "base/contract.h"
#include "explain/proof_outline.h"

namespace assay {
namespace {

using Kind = ProofLine::Kind;
using Steps = std::vector<Dependency>;

// What the suppositions of a clause stand for where it is used.
struct Frame {
  struct Meaning {
    CommitOrder supposed;
    LineId known = 0;  // the line that says so; 0: it is only supposed
    const Frame* frame = nullptr;
  };
  std::vector<Meaning> meanings;
};

class Teller {
 public:
  Teller(const History& history, const Words& words, Level level, const Proof& proof)
      : h_(history), words_(words), outline_(history, level, proof) {}

  Steps tell() { return contradiction(outline_.last(), nullptr); }

 private:
  // --- Cycles ---

  Steps contradiction(LineId id, const Frame* frame) {
    const ProofLine& line = outline_.line(id);
    switch (line.kind) {
      case Kind::Refute: return without_missed(steps(line.lines, frame));
      case Kind::Stale: {
        Steps cycle = steps(line.lines, frame);
        cycle.push_back(anti_dependency(line.op, line.a, {}));
        return without_missed(std::move(cycle));
      }
      case Kind::Falsified: return contradiction(line.clause, used(id, frame));
      default: ASSAY_ASSERT(false); return {};
    }
  }

  // The frame in which a Unit or Falsified line uses its clause.
  const Frame* used(LineId id, const Frame* frame) {
    Frame next;
    for (const auto& [supposed, known] : outline_.used(id)) next.meanings.push_back({supposed, known, frame});
    return &frames_.emplace_back(std::move(next));
  }

  // A before W, because R read from W what A wrote too, and W before A by the rest of the cycle: then R
  // missed A.
  Steps without_missed(Steps cycle) {
    for (;;) {
      auto missed = std::ranges::find_if(cycle, [&](const Dependency& d) {
        return d.kind == Dependency::Kind::Ww && d.reason && !d.reason->missed.is_none();
      });
      if (missed == cycle.end()) return cycle;
      std::ranges::rotate(cycle, missed);
      const Dependency order = std::move(cycle.front());
      cycle.erase(cycle.begin());
      Steps shorter = order.reason->steps;
      shorter.push_back(anti_dependency(order.reason->missed, order.from, std::move(cycle)));
      cycle = std::move(shorter);
    }
  }

  // --- Edges ---

  Steps steps(const std::vector<LineId>& lines, const Frame* frame) {
    Steps result;
    for (const LineId line : lines) add(line, frame, result);
    return result;
  }

  void add(LineId id, const Frame* frame, Steps& out) {
    const ProofLine& line = outline_.line(id);
    switch (line.kind) {
      case Kind::Own: return;
      case Kind::Path:
        for (const LineId part : line.lines) add(part, frame, out);
        return;
      case Kind::Suppose:
        if (const Frame::Meaning* known = meaning(frame, {line.a, line.b}))
          return add(known->known, known->frame, out);
        break;
      default: break;
    }
    const bool shared = !outline_.is_supposing(id);
    if (const auto told = told_.find(id); shared && told != told_.end()) return out.push_back(told->second);
    out.push_back(dependency(line, frame));
    ++told_steps_;
    if (shared) told_.emplace(id, out.back());
  }

  static const Frame::Meaning* meaning(const Frame* frame, CommitOrder supposed) {
    if (frame == nullptr) return nullptr;
    for (const Frame::Meaning& m : frame->meanings)
      if (m.supposed == supposed && m.known != 0) return &m;
    return nullptr;
  }

  Dependency dependency(const ProofLine& line, const Frame* frame) {
    switch (line.kind) {
      case Kind::Session:
        return {.kind = Dependency::Kind::So,
                .from = line.a,
                .to = line.b,
                .sentence = words_.session_order(line.a, line.b)};
      case Kind::Reads: return read_dependency(line.op);
      case Kind::Missed: return missed(line, frame);
      case Kind::Overwritten: return anti_dependency(line.op, line.a, steps(line.lines, frame));
      case Kind::Exclusive: return exclusive(line, frame);
      case Kind::Observed: return observed(line);
      case Kind::Suppose: return supposed({line.a, line.b});
      case Kind::Unit: return refuted(line.clause, outline_.left(line.id), used(line.id, frame));
      default: {  // a refuted supposition
        const CommitOrder order = outline_.left(line.id);
        Frame only_supposed{{{CommitOrder{order.b, order.a}}}};
        return refuted(line.id, order, &frames_.emplace_back(std::move(only_supposed)));
      }
    }
  }

  Dependency read_dependency(OpId read) const {
    const TxnId reader = outline_.reader(read), writer = outline_.writer(read);
    return {.kind = Dependency::Kind::Wr,
            .from = writer,
            .to = reader,
            .key = h_.key(read),
            .operations = {last_write(writer, h_.key(read)), read},
            .sentence = words_.read_from(read, writer)};
  }

  // `order`: how the writer of the version comes before the one that overwrote it; empty for the initial
  // version.
  Dependency anti_dependency(OpId read, TxnId overwriting, Steps order) const {
    const TxnId writer = outline_.writer(read);
    const KeyId key = h_.key(read);
    const OpId write = h_.is_list(key) ? first_write(overwriting, key) : last_write(overwriting, key);
    Dependency result{.kind = Dependency::Kind::Rw,
                      .from = outline_.reader(read),
                      .to = overwriting,
                      .key = key,
                      .operations = {read, write},
                      .sentence = words_.read_older(read, writer, write)};
    if (!writer.is_none()) result.operations.push_back(last_write(writer, key));
    if (order.empty()) return result;
    const bool is_of_writers =
        order.size() == 1 && order[0].kind == Dependency::Kind::Ww && order[0].key == result.key;
    result.inferred = !is_of_writers || order[0].inferred;
    if (is_of_writers && !order[0].supposed) {
      result.reason = order[0].reason;
      if (!order[0].inferred) result.operations.push_back(order[0].operations.back());
    } else {
      result.reason = reason({.sentence = words_.wrote_before(writer, overwriting, result.key) + ".",
                              .steps = std::move(order)});
    }
    return result;
  }

  Dependency missed(const ProofLine& line, const Frame* frame) {
    const KeyId key = h_.key(line.op);
    const TxnId writer = outline_.writer(line.op), reader = outline_.reader(line.op);
    const std::string order = words_.wrote_before(line.a, writer, key);
    Dependency result = write_order(line.a, writer, key, order + ".");
    result.reason = reason({.sentence = fmt::format("{}, for otherwise {} would have seen {}.", order,
                                                    words_.of(reader), words_.of(last_write(line.a, key))),
                            .reads = {line.op},
                            .supposed = Reason::Order{writer, line.a},
                            .missed = line.op,
                            .steps = steps(line.lines, frame)});
    return result;
  }

  Dependency exclusive(const ProofLine& line, const Frame* frame) {
    const KeyId key = h_.key(line.op);
    const std::string order = words_.wrote_before(line.a, line.b, key);
    Dependency result = write_order(line.a, line.b, key, order + ".");
    Steps path = steps(line.lines, frame);
    if (path.size() == 1 && path[0].kind == Dependency::Kind::Ww && path[0].key == key) return path[0];
    const std::string sentence =
        fmt::format("{}: both write {}, and {} took its snapshot before {} committed.", order, words_.of(key),
                    words_.of(line.a), words_.of(line.b));
    result.reason =
        reason({.sentence = sentence, .supposed = Reason::Order{line.b, line.a}, .steps = std::move(path)});
    return result;
  }

  Dependency observed(const ProofLine& line) const {
    const KeyId key = h_.key(line.op);
    const OpId first = first_write(line.a, key), second = first_write(line.b, key);
    return {.kind = Dependency::Kind::Ww,
            .from = line.a,
            .to = line.b,
            .key = key,
            .operations = {first, second, line.op},
            .sentence = words_.shown(line.op, first, second)};
  }

  Dependency supposed(CommitOrder order) const {
    Dependency result = write_order(order.a, order.b, common_key(order, {}), "");
    result.sentence = fmt::format("Suppose {}.", words_.wrote_before(order.a, order.b, result.key));
    result.inferred = false;
    result.supposed = true;
    return result;
  }

  // The order is what is left, since the other one, in this frame, ends in the contradiction of the clause.
  Dependency refuted(LineId clause, CommitOrder order, const Frame* frame) {
    Steps cycle = told_steps_ < kMostSteps ? contradiction(clause, frame) : Steps{};
    const KeyId key = common_key(order, cycle);
    const std::string claim = words_.wrote_before(order.a, order.b, key);
    Dependency result = write_order(order.a, order.b, key, claim + ".");
    result.reason =
        reason({.sentence = fmt::format("{}: the other way round, there would be a cycle.", claim),
                .supposed = Reason::Order{order.b, order.a},
                .steps = std::move(cycle)});
    return result;
  }

  Dependency write_order(TxnId first, TxnId second, KeyId key, std::string sentence) const {
    Dependency result{.kind = Dependency::Kind::Ww, .from = first, .to = second, .key = key};
    if (!key.is_none()) result.operations = {last_write(first, key), last_write(second, key)};
    result.inferred = true;
    result.sentence = Words::sentence(std::move(sentence));
    return result;
  }

  // With the reads behind its steps, and behind the reasons of these.
  std::shared_ptr<const Reason> reason(Reason why) const {
    const auto add = [&](const std::vector<OpId>& operations) {
      for (const OpId op : operations)
        if (!is_item_write(h_.kind(op)) && std::ranges::find(why.reads, op) == why.reads.end())
          why.reads.push_back(op);
    };
    for (const Dependency& step : why.steps) {
      add(step.operations);
      if (step.reason) add(step.reason->reads);
    }
    why.sentence = Words::sentence(std::move(why.sentence));
    return std::make_shared<const Reason>(std::move(why));
  }

  // --- Operations ---

  OpId first_write(TxnId t, KeyId key) const {
    for (const OpId op : h_.operations(t))
      if (is_item_write(h_.kind(op)) && h_.key(op) == key) return op;
    ASSAY_ASSERT(false);
    return OpId::none();
  }

  OpId last_write(TxnId t, KeyId key) const {
    OpId last;
    for (const OpId op : h_.operations(t))
      if (is_item_write(h_.kind(op)) && h_.key(op) == key) last = op;
    ASSAY_ASSERT(!last.is_none());
    return last;
  }

  // A key that both write; one that the steps are about, if there is one.
  KeyId common_key(CommitOrder order, const Steps& steps) const {
    const auto is_common = [&](KeyId key) {
      return !key.is_none() && outline_.writes(order.a, key) && outline_.writes(order.b, key);
    };
    for (const Dependency& step : steps)
      if (is_common(step.key)) return step.key;
    for (const KeyId key : h_.keys())
      if (is_common(key)) return key;
    return KeyId::none();
  }

  const History& h_;
  const Words& words_;
  ProofOutline outline_;
  std::deque<Frame> frames_;
  std::map<LineId, Dependency> told_;  // of lines that rest on no supposition
  std::size_t told_steps_ = 0;
};

}  // namespace

std::vector<Dependency> tell_proof(const History& history, const Words& words, Level level,
                                   const Proof& proof) {
  return Teller(history, words, level, proof).tell();
}

}  // namespace assay
