#include "dependency/list_facts.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

bool has_lists(const History& h) {
  for (const KeyId key : h.keys())
    if (h.is_list(key)) return true;
  return false;
}

bool contains(Lists::List list, KeyValueId element) { return std::ranges::find(list, element) != list.end(); }

KeyValueId first_repetition(Lists::List list) {
  std::vector<KeyValueId> sorted(list.begin(), list.end());
  std::ranges::sort(sorted);
  const auto found = std::ranges::adjacent_find(sorted);
  return found == sorted.end() ? KeyValueId::none() : *found;
}

template <class Visit>
void for_each_list_read(const History& h, const CountedTransactions& counted, Visit visit) {
  for (const TxnId t : h.transactions())
    if (counted.counts[t.index()])
      for (const OpId op : h.operations(t))
        if (h.kind(op) == OpKind::ListRead) visit(t, op);
}

}  // namespace

Lists::Lists(const History& history, const Versions& versions) : h_(history) {
  if (!has_lists(h_)) return;
  elements_.resize(h_.key_value_count());
  seen_in_.assign(versions.writes.size(), 0);
  for (const TxnId t : h_.transactions()) index_appends(t, versions);
}

void Lists::index_appends(TxnId t, const Versions& versions) {
  const bool aborted = h_.outcome(t) == Outcome::Aborted;
  std::vector<KeyValueId> last(versions.written_by(t).size());  // by key that t writes: its last element
  for (const OpId op : h_.operations(t)) {
    if (h_.kind(op) != OpKind::Append) continue;
    const KeyValueId value = h_.value(op);
    Element& element = elements_[value.index()];
    if (aborted) {
      element.aborted = t;
      continue;
    }
    const auto written = versions.written_by(t);
    const auto place =
        static_cast<std::size_t>(std::ranges::lower_bound(written, h_.key(op)) - written.begin());
    const KeyValueId before = std::exchange(last[place], value);
    if (!before.is_none()) elements_[before.index()].next = value;
    if (!element.writer.is_none()) {
      element.repeated = has_repeated_ = true;  // read_facts() refuses lists that show it
      continue;
    }
    element.writer = t;
    element.version = versions.versions_by(t)[place];
    element.is_first = before.is_none();
  }
}

std::optional<Lists::Wrong> Lists::wrong_end(TxnId reader, List list, List own) const {
  if (list.size() >= own.size() && std::ranges::equal(list.last(own.size()), own)) return std::nullopt;
  if (const KeyValueId twice = first_repetition(list); !twice.is_none())
    return Wrong{Anomaly::DuplicateElements, writer(twice)};
  const auto shown = std::ranges::count_if(own, [&](KeyValueId element) { return contains(list, element); });
  if (shown == 0) return Wrong{Anomaly::NotOwnWrite, reader};
  const bool all = static_cast<std::size_t>(shown) == own.size();
  // All own elements are shown, and others after them, whose writer comes after the reader.
  if (all && !contains(own, list.back())) return Wrong{Anomaly::G1c, writer(list.back())};
  return Wrong{Anomaly::NotOwnLastWrite, reader};
}

std::optional<Lists::Wrong> Lists::wrong_blocks(TxnId reader, List list, List own,
                                                const std::vector<bool>& refuted) {
  const List external = list.first(list.size() - own.size());
  if (has_whole_blocks(reader, external, refuted)) return std::nullopt;
  if (const KeyValueId twice = first_repetition(list); !twice.is_none())
    return Wrong{Anomaly::DuplicateElements, writer(twice)};
  return name_wrong_blocks(reader, external, refuted);
}

bool Lists::has_whole_blocks(TxnId reader, List external, const std::vector<bool>& refuted) {
  ++lists_seen_;
  for (std::size_t i = 0; i < external.size();) {
    const Element* element = &elements_[external[i++].index()];
    if (!element->is_first || element->writer == reader || refuted[element->writer.index()]) return false;
    if (std::exchange(seen_in_[element->version.index()], lists_seen_) == lists_seen_) return false;
    for (KeyValueId next = element->next; !next.is_none(); next = elements_[next.index()].next)
      if (i == external.size() || external[i++] != next) return false;
  }
  return true;
}

bool Lists::shows_first_of(List list, const Element& element) const {
  return std::ranges::any_of(list, [&](KeyValueId value) {
    const Element& shown = elements_[value.index()];
    return shown.is_first && shown.version == element.version;
  });
}

Lists::Wrong Lists::name_wrong_blocks(TxnId reader, List external, const std::vector<bool>& refuted) const {
  for (const KeyValueId value : external) {
    const Element& element = elements_[value.index()];
    if (element.writer == reader) return {Anomaly::FutureRead, reader};
    if (element.writer.is_none())
      return element.aborted.is_none() ? Wrong{Anomaly::ThinAir, {}} : Wrong{Anomaly::G1a, element.aborted};
    if (refuted[element.writer.index()]) return {Anomaly::G1a, element.writer};
  }
  // Every element has a writer that may have committed, so a part of a block is missing or misplaced.
  KeyValueId expected;
  TxnId of;
  for (const KeyValueId value : external) {
    const Element& element = elements_[value.index()];
    if (expected.is_none()) {
      if (!element.is_first)
        return {shows_first_of(external, element) ? Anomaly::IncompatibleOrder : Anomaly::G1b,
                element.writer};
    } else if (value != expected) {
      if (!contains(external, expected)) return {Anomaly::G1b, of};
      return {element.writer == of ? Anomaly::IncompatibleOrder : Anomaly::G0, of};
    }
    expected = element.next;
    of = element.writer;
  }
  return {Anomaly::G1b, of};
}

std::vector<OpId> Lists::longest_reads(const CountedTransactions& counted) const {
  std::vector<OpId> longest(h_.key_count());
  for_each_list_read(h_, counted, [&](TxnId, OpId op) {
    OpId& best = longest[h_.key(op).index()];
    if (best.is_none() || h_.rows(op).size() > h_.rows(best).size()) best = op;
  });
  return longest;
}

VersionId Lists::follow(const Versions& versions, OpId read, std::vector<bool>& shown,
                        const Visit& visit) const {
  VersionId before = versions.initial_version(h_.key(read));
  for (const KeyValueId element : h_.rows(read)) {
    const VersionId after = version(element);
    if (after == before) continue;
    visit({read, before, after, true});
    shown[after.index()] = true;
    before = after;
  }
  return before;
}

void Lists::observe(ReadFacts& facts) const {
  if (elements_.empty()) return;
  const std::vector<OpId> longest = longest_reads(facts);
  for_each_list_read(h_, facts, [&](TxnId t, OpId op) {
    const OpId best = longest[h_.key(op).index()];
    const List list = h_.rows(op);
    const auto differ = std::ranges::mismatch(list, h_.rows(best));
    if (differ.in1 != list.end())
      facts.wrong.push_back(
          {Anomaly::IncompatibleOrder, t, op, writer(*differ.in1), best, writer(*differ.in2)});
  });

  std::vector<VersionId> last(h_.key_count());  // by key: the last version that its longest read shows
  std::vector<bool> shown(facts.writes.size());
  for (const KeyId key : h_.keys())
    if (const OpId read = longest[key.index()]; !read.is_none())
      last[key.index()] =
          follow(facts, read, shown, [&](const VersionOrder& order) { facts.observed.push_back(order); });
  for (std::size_t v = 0; v < facts.writes.size(); ++v) {
    const VersionId before = last[facts.writes[v].index()];
    const TxnId writer = facts.version_writer[v];
    if (before.is_none() || facts.is_initial(before) || shown[v]) continue;
    if (!facts.counts[writer.index()] && !facts.may_count_only(writer)) continue;
    facts.observed.push_back({longest[facts.writes[v].index()], before, VersionId(v), false});
  }
  if (!facts.may_count.empty()) observe_possible(facts, longest);
}

// Skips a list that is a prefix of the longest list of transactions that count: it shows nothing new.
void Lists::observe_possible(ReadFacts& facts, const std::vector<OpId>& longest) const {
  std::vector<std::pair<KeyId, VersionId>> by_key;
  for (std::size_t v = 0; v < facts.writes.size(); ++v)
    if (const TxnId writer = facts.version_writer[v];
        facts.counts[writer.index()] || facts.may_count_only(writer))
      by_key.push_back({facts.writes[v], VersionId(v)});
  std::ranges::sort(by_key);
  std::vector<bool> shown(facts.writes.size());
  for (const TxnId t : h_.transactions()) {
    if (!facts.may_count_only(t)) continue;
    const auto add = [&](const VersionOrder& order) { facts.possibly_observed.push_back({t, order}); };
    for (const OpId op : h_.operations(t)) {
      if (h_.kind(op) != OpKind::ListRead || h_.rows(op).empty()) continue;
      const OpId best = longest[h_.key(op).index()];
      if (!best.is_none() && std::ranges::mismatch(h_.rows(op), h_.rows(best)).in1 == h_.rows(op).end())
        continue;
      const VersionId last = follow(facts, op, shown, add);
      for (const auto& [key, version] :
           std::ranges::equal_range(by_key, h_.key(op), {}, &std::pair<KeyId, VersionId>::first)) {
        if (!shown[version.index()]) add({op, last, version, false});
        shown[version.index()] = false;
      }
    }
  }
}

}  // namespace assay
