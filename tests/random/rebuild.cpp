#include "random/rebuild.h"

#include "history/builder.h"

namespace assay::test {
namespace {

class Rebuilder {
 public:
  Rebuilder(const History& from, const Rebuilding& how) : from_(from), how_(how) {}

  History run() && {
    for (const SessionId s : how_.sessions)
      for (const TxnId t : from_.transactions(s)) transaction(s, t);
    initial_values();
    auto result = std::move(to_).build();
    ASSAY_REQUIRE(result.has_value());
    return std::move(result).value();
  }

 private:
  KeyId key(KeyId k) { return to_.key(how_.key_name(k)); }

  Scalar value(KeyValueId kv) {
    const Scalar old = from_.value(kv);
    return old.is_integer() ? Scalar::integer(how_.value(from_.key(kv), old.as_integer()))
                            : to_.pool().import(old, from_.pool());
  }

  void transaction(SessionId s, TxnId t) {
    for (const OpId op : from_.operations(t)) operation(op);
    Instants at = from_.instants(t);
    if (how_.only_begin_and_end) at.began = at.committing = std::nullopt;
    for (auto* instant : {&at.begin, &at.began, &at.committing, &at.end})
      if (*instant) *instant = how_.instant(**instant);
    const auto finished =
        to_.finish({.session = to_.session(from_.display(s)), .outcome = how_.outcome(t), .instants = at});
    ASSAY_REQUIRE(finished.has_value());
  }

  void operation(OpId op) {
    const KeyId k = key(from_.key(op));
    switch (from_.kind(op)) {
      case OpKind::Read: return to_.read(k, value(from_.value(op)));
      case OpKind::Write: return to_.write(k, value(from_.value(op)));
      case OpKind::Append: return to_.append(k, value(from_.value(op)));
      case OpKind::ListRead: {
        std::vector<Scalar> elements;
        for (const KeyValueId kv : from_.rows(op)) elements.push_back(value(kv));
        return to_.list_read(k, elements);
      }
      default: ASSAY_REQUIRE(false && "a history of registers and lists");
    }
  }

  void initial_values() {
    to_.set_initial(std::nullopt);
    for (const KeyId k : from_.keys())
      if (const KeyValueId initial = from_.initial_value(k); !initial.is_none())
        to_.set_initial(key(k), value(initial));
  }

  const History& from_;
  const Rebuilding& how_;
  HistoryBuilder to_;
};

}  // namespace

Rebuilding as_it_is(const History& history) {
  Rebuilding how;
  for (const SessionId s : history.sessions()) how.sessions.push_back(s);
  how.key_name = [&history](KeyId k) { return history.display(k); };
  how.value = [](KeyId, std::int64_t v) { return v; };
  how.instant = [](std::int64_t i) { return i; };
  how.outcome = [&history](TxnId t) { return history.outcome(t); };
  return how;
}

History rebuild(const History& history, const Rebuilding& how) { return Rebuilder(history, how).run(); }

}  // namespace assay::test
