#include "explain/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "history/describe.h"
#include "isolation/real_time.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

bool begins_like_a_number(std::string_view name) {
  return name.empty() || name[0] == '-' || (name[0] >= '0' && name[0] <= '9');
}

constexpr std::size_t kLongList = 12;

std::string list_value(const History& part, OpId op, const History& whole, OpId origin) {
  const auto rows = whole.rows(origin);
  std::string text;
  const auto add = [&](std::string_view word) { text += (text.empty() ? "" : " ") + std::string(word); };
  auto kept = part.rows(op).begin();  // the elements left in the part have the same order
  for (const KeyValueId element : rows) {
    const std::string word = spell(whole.pool(), whole.value(element));
    const bool is_kept = kept != part.rows(op).end() && spell(part.pool(), part.value(*kept)) == word;
    if (is_kept) ++kept;
    if (is_kept || rows.size() <= kLongList) add(word);
    else if (!text.ends_with("...")) add("...");
  }
  return "[" + text + "]";
}

std::string one_of_value(const History& part, OpId op) {
  std::string text;
  for (const KeyValueId value : part.rows(op))
    text += (text.empty() ? "" : "|") + spell(part.pool(), part.value(value));
  return text;
}

}  // namespace

std::vector<std::string> values_of(const History& part, const History& whole, std::span<const OpId> origin) {
  std::vector<std::string> values;
  for (const OpId op : part.operations()) {
    const OpKind kind = part.kind(op);
    if (kind == OpKind::ReadOneOf) values.push_back(one_of_value(part, op));
    else if (kind == OpKind::ListRead) values.push_back(list_value(part, op, whole, origin[op.index()]));
    else values.push_back(is_one_key(kind) ? spell(part.pool(), part.value(part.value(op))) : "");
  }
  return values;
}

std::string Words::of(TxnId t) const {
  const std::string name = h_.display(t);
  return begins_like_a_number(name) ? "transaction " + name : name;
}

std::string Words::of(KeyId key) const {
  const std::string name = spell(h_.pool(), h_.name(key));
  return begins_like_a_number(name) ? "key " + name : name;
}

std::string Words::of(OpId op) const { return of(h_.key(op)) + "=" + value(op); }

std::string Words::sentence(std::string text) {
  if (text.starts_with("transaction ")) text[0] = 'T';
  return text;
}

std::string Words::session_order(TxnId first, TxnId second) const {
  return sentence(fmt::format("{} comes before {} in session {}.", of(first), of(second),
                              h_.display(h_.session(second))));
}

std::string Words::met(OpId read) const {
  const std::string key = of(h_.key(read));
  const auto matched = h_.matched(read);
  if (!matched) {
    const auto rows = h_.rows(read);
    const bool no_row = rows.size() == 1 && h_.value(rows[0]).is_null();
    return no_row ? fmt::format("met no row {}", key)
                  : fmt::format("met {} with one of {}", key, value(read));
  }
  const KeyBounds bounds = h_.bounds(read);
  const std::string among =
      h_.predicate(read).empty()
          ? fmt::format("from {} to {}", spell(h_.pool(), bounds.low), spell(h_.pool(), bounds.high))
          : fmt::format("where {}", describe(h_, h_.predicate(read)));
  return fmt::format("{} {} among the rows {}", *matched ? "found" : "did not find", key, among);
}

std::string Words::read_from(OpId read, TxnId writer) const {
  if (h_.kind(read) == OpKind::ReadOneOf)
    return sentence(fmt::format("{} {}: it met what {} had left there.", of(transaction_of(h_, read)),
                                met(read), of(writer)));
  const char* form =
      h_.kind(read) == OpKind::ListRead ? "{} read {}, which shows what {} appended." : "{} read {} from {}.";
  return sentence(fmt::format(fmt::runtime(form), of(transaction_of(h_, read)), of(read), of(writer)));
}

std::string Words::read_older(OpId read, TxnId writer, OpId overwriting) const {
  const std::string reader = of(transaction_of(h_, read)), other = of(transaction_of(h_, overwriting));
  if (h_.kind(read) == OpKind::ListRead)
    return sentence(fmt::format("{} read {}, without {}, which {} appended.", reader, of(read),
                                value(overwriting), other));
  if (h_.kind(read) == OpKind::ReadOneOf) {
    const std::string left =
        value(overwriting) == "null" ? "deleted it" : fmt::format("made it {}", value(overwriting));
    return sentence(fmt::format(
        "{} {}; it met {}, before {} {}.", reader, met(read),
        writer.is_none() ? "its initial state" : fmt::format("what {} had left", of(writer)), other, left));
  }
  const std::string whose = writer.is_none() ? ", the initial value," : fmt::format(" from {},", of(writer));
  return sentence(fmt::format("{} read {}{} which {} overwrote with {}.", reader, of(read), whose, other,
                              value(overwriting)));
}

std::string Words::shown(OpId list, OpId first, OpId second) const {
  const auto rows = h_.rows(list);
  const bool shows_both = std::ranges::find(rows, h_.value(second)) != rows.end();
  return sentence(fmt::format("{} read {}, {}{} of {}{}{} of {}.", of(transaction_of(h_, list)), of(list),
                              shows_both ? "" : "with ", value(first), of(transaction_of(h_, first)),
                              shows_both ? " before " : " and without ", value(second),
                              of(transaction_of(h_, second))));
}

std::string Words::wrote_before(TxnId first, TxnId second, KeyId key) const {
  if (key.is_none()) return fmt::format("{} comes before {}", of(first), of(second));
  return fmt::format("{} {} {} before {} did", of(first), h_.is_list(key) ? "appended to" : "wrote", of(key),
                     of(second));
}

std::string Words::was_before(Point first, Point second) const {
  const auto at = [&](Point p) {
    return fmt::format("{} {}", of(p.txn), p.commit ? "committed" : "took its snapshot");
  };
  return fmt::format("{} before {}", at(first), at(second));
}

// isolation/real_time.h says which instants bound a point.
std::string Words::real_time(Point first, Point second, Level level) const {
  const PointRules rules = *point_rules(level);
  const Instants a = h_.instants(first.txn), b = h_.instants(second.txn);
  const bool was_answered = rules.two_points && !first.commit && a.began;
  const bool was_committing = rules.two_points && second.commit && b.committing;
  const std::string apart = skew_ == 0 ? "" : fmt::format(", and their clocks differ by {} at most", skew_);
  const std::string_view at = h_.instant_kind() == InstantKind::Positions ? "at event" : "at";
  return sentence(fmt::format("{} {} {} {}, before {} {} {} {}{}.", of(first.txn),
                              was_answered ? "had its first answer" : "ended", at,
                              *bounds(h_, first.txn, first.commit, rules).latest, of(second.txn),
                              was_committing ? "asked to commit" : "began", at,
                              *bounds(h_, second.txn, second.commit, rules).earliest, apart));
}

std::string Words::list(std::span<const std::string> names, bool goes_on) {
  constexpr std::size_t kMany = 8, kFirst = 5;
  const std::size_t told = names.size() > kMany ? kFirst : names.size();
  std::string text;
  for (std::size_t i = 0; i < told; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() && !goes_on ? " and " : ", ") + names[i];
  if (told < names.size()) text += fmt::format("{} {} others", goes_on ? "," : " and", names.size() - told);
  return text;
}

std::string Words::only_some(OpId read, std::span<const std::string> writers, bool is_initial) const {
  std::string which = is_initial ? "the initial one" : "";
  if (!writers.empty())
    which += fmt::format("{}{} of {}", is_initial ? " and " : "", writers.size() == 1 ? "that" : "those",
                         list(writers, false));
  const bool is_one = writers.size() + is_initial == 1;
  return fmt::format("of its versions only {} {}", which,
                     *h_.matched(read) ? (is_one ? "matches" : "match")
                     : is_one          ? "does not match"
                                       : "do not match");
}

std::string Words::several_wrote(OpId read, std::span<const TxnId> writers) const {
  std::vector<std::string> names;
  for (const TxnId t : writers)
    if (!t.is_none()) names.push_back(of(t));
  const bool is_initial = names.size() < writers.size();
  if (h_.kind(read) == OpKind::ReadOneOf && h_.matched(read))
    return sentence(fmt::format("{} {}; {}.", of(transaction_of(h_, read)), met(read),
                                only_some(read, names, is_initial)));
  std::string who = list(names, is_initial);
  if (is_initial)
    who += fmt::format("{}{} had from the start", who.empty() ? "" : " wrote and ", of(h_.key(read)));
  else who += " wrote";
  if (h_.kind(read) == OpKind::ReadOneOf)
    return sentence(fmt::format("{} {}, as {}.", of(transaction_of(h_, read)), met(read), who));
  return sentence(fmt::format("{} read {}, which {}.", of(transaction_of(h_, read)), of(read), who));
}

std::string Words::if_from(TxnId writer) const {
  if (writer.is_none()) return "If it is the initial value";
  const bool is_unknown = h_.outcome(writer) == Outcome::Unknown;
  return fmt::format("If it is from {}{}", of(writer), is_unknown ? ", which then took effect" : "");
}

}  // namespace assay
