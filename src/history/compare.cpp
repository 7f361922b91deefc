#include "history/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "history/describe.h"

namespace assay {
namespace {

std::string describe_instants(const Instants& at) {
  std::string text;
  for (const auto& instant : {at.begin, at.began, at.committing, at.end})
    text += instant ? fmt::format(" {}", *instant) : std::string(" -");
  return text;
}

std::string_view name(InstantKind kind) {
  return kind == InstantKind::Positions ? "positions" : "nanoseconds";
}

class Comparer {
 public:
  Comparer(const History& a, const History& b, Comparison what) : a_(a), b_(b), what_(what) {}

  std::optional<std::string> run() {
    if (what_.note) differ("the note", a_.note(), b_.note());
    if (what_.instants && (a_.has_instants() || b_.has_instants()))
      differ("the kind of instants", name(a_.instant_kind()), name(b_.instant_kind()));
    differ("the number of sessions", a_.session_count(), b_.session_count());
    for (std::size_t s = 0; !difference_ && s < a_.session_count(); ++s) session(SessionId(s));
    initial_values(a_, b_);
    initial_values(b_, a_);
    return difference_;
  }

 private:
  template <class T>
  void differ(std::string_view what, const T& a, const T& b) {
    if (!difference_ && a != b) difference_ = fmt::format("{}: {} against {}", what, a, b);
  }

  void session(SessionId s) {
    const std::string where = "session " + a_.display(s);
    if (what_.names) differ("a session's name", a_.display(s), b_.display(s));
    const auto as = a_.transactions(s), bs = b_.transactions(s);
    differ("the number of transactions in " + where, as.size(), bs.size());
    for (std::size_t i = 0; !difference_ && i < as.size(); ++i) transaction(as[i], bs[i]);
  }

  void transaction(TxnId s, TxnId t) {
    const std::string where = "of transaction " + a_.display(s);
    if (what_.names) differ("the name " + where, a_.display(s), b_.display(t));
    differ("the outcome " + where, static_cast<int>(a_.outcome(s)), static_cast<int>(b_.outcome(t)));
    if (what_.instants)
      differ("the instants " + where, describe_instants(a_.instants(s)), describe_instants(b_.instants(t)));
    const auto as = a_.operations(s), bs = b_.operations(t);
    differ("the number of operations " + where, as.size(), bs.size());
    for (std::size_t i = 0; !difference_ && i < as.size(); ++i)
      differ(fmt::format("operation {} {}", i + 1, where), describe(a_, as[i]), describe(b_, bs[i]));
  }

  // Compares the initial values of the keys of `from` that `to` also has.
  void initial_values(const History& from, const History& to) {
    if (difference_) return;
    const auto text = [](const History& h, KeyId k) {
      const KeyValueId kv = h.initial_value(k);
      return kv.is_none() ? std::string("nothing") : h.pool().to_json(h.value(kv));
    };
    std::vector<std::pair<std::string, KeyId>> known;
    for (const KeyId k : to.keys()) known.emplace_back(to.pool().to_json(to.name(k)), k);
    std::sort(known.begin(), known.end());
    for (const KeyId k : from.keys()) {
      const std::string name = from.pool().to_json(from.name(k));
      const auto found = std::lower_bound(known.begin(), known.end(), std::pair(name, KeyId(0)));
      if (found != known.end() && found->first == name)
        differ("the initial value of key " + name, text(from, k), text(to, found->second));
    }
  }

  const History &a_, &b_;
  Comparison what_;
  std::optional<std::string> difference_;
};

}  // namespace

std::optional<std::string> first_difference(const History& a, const History& b, Comparison what) {
  return Comparer(a, b, what).run();
}

}  // namespace assay
