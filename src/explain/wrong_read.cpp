#include "explain/wrong_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "verdict/operation_place.h"

namespace assay {
namespace {

std::vector<KeyValueId> values_read(const History& h, OpId op) {
  if (h.kind(op) == OpKind::Read) return {h.value(op)};
  if (h.kind(op) != OpKind::ListRead && h.kind(op) != OpKind::ReadOneOf) return {};
  return {h.rows(op).begin(), h.rows(op).end()};
}

class Surroundings {
 public:
  explicit Surroundings(const History& history) : h_(history) {}

  // Adds what the transaction did to the key, and the writers of what it read there.
  void add(TxnId t, KeyId key) {
    std::set<KeyValueId> read;
    for (const OpId op : h_.operations(t))
      if (is_one_key(h_.kind(op)) && h_.key(op) == key) note(t, op, read);
    add_writers(t, read);
  }

  Selection selection() const {
    return {{transactions_.begin(), transactions_.end()}, {operations_.begin(), operations_.end()}};
  }

 private:
  void note(TxnId t, OpId op, std::set<KeyValueId>& read) {
    transactions_.insert(t);
    operations_.insert(op);
    for (const KeyValueId value : values_read(h_, op)) read.insert(value);
  }

  void add_writers(TxnId reader, const std::set<KeyValueId>& read) {
    std::vector<TxnId> unknown;
    for (const TxnId t : h_.transactions()) {
      if (t == reader) continue;
      std::set<KeyId> keys;
      for (const OpId op : h_.operations(t))
        if (is_item_write(h_.kind(op)) && read.contains(h_.value(op))) keys.insert(h_.key(op));
      if (keys.empty()) continue;
      for (const OpId op : h_.operations(t))
        if (is_item_write(h_.kind(op)) && keys.contains(h_.key(op))) note(t, op, ignored_);
      if (h_.outcome(t) == Outcome::Unknown && whole_.insert(t).second) unknown.push_back(t);
    }
    for (const TxnId t : unknown) {
      std::set<KeyValueId> read_too;
      for (const OpId op : h_.operations(t)) note(t, op, read_too);
      add_writers(t, read_too);
    }
  }

  const History& h_;
  std::set<TxnId> transactions_, whole_;
  std::set<OpId> operations_;
  std::set<KeyValueId> ignored_;
};

class Teller {
 public:
  Teller(const History& history, const Words& words, Anomaly anomaly, OpId read)
      : h_(history), words_(words), anomaly_(anomaly), read_(read), reader_(transaction_of(history, read)) {}

  WrongReadStory tell() {
    find_writers();
    say(main_sentence());
    for (const OpId write : writes_)
      if (h_.outcome(transaction_of(h_, write)) == Outcome::Unknown && anomaly_ == Anomaly::G1a)
        say(fmt::format("The outcome of {} is unknown, but it cannot have committed: {}.", writer_of(write),
                        what_is_wrong_with(write)));
    return std::move(story_);
  }

 private:
  void say(std::string sentence) { story_.sentences.push_back(Words::sentence(std::move(sentence))); }
  std::string writer_of(OpId write) const { return words_.of(transaction_of(h_, write)); }

  void find_writers() {
    const auto values = values_read(h_, read_);
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t)) {
        if (t == reader_ || !is_item_write(h_.kind(op)) ||
            std::ranges::find(values, h_.value(op)) == values.end())
          continue;
        if (anomaly_ == Anomaly::G1a && h_.outcome(t) == Outcome::Committed) continue;
        writes_.push_back(op);
        story_.edges.push_back({.kind = Dependency::Kind::Wr,
                                .from = t,
                                .to = reader_,
                                .key = h_.key(read_),
                                .operations = {op, read_},
                                .sentence = words_.read_from(read_, t)});
      }
  }

  std::string main_sentence() const {
    const std::string read = h_.kind(read_) == OpKind::ReadOneOf
                                 ? fmt::format("{} {}", words_.of(reader_), words_.met(read_))
                                 : fmt::format("{} read {}", words_.of(reader_), words_.of(read_));
    switch (anomaly_) {
      case Anomaly::ThinAir:
        return fmt::format("{}, {} nobody wrote.", read,
                           is_list() ? fmt::format("of which {}", unwritten()) : "which");
      case Anomaly::G1a:
        if (writes_.empty()) break;
        return fmt::format(
            "{}{} from {}, which {}.", read,
            is_list() ? fmt::format(", {} of it", words_.value(writes_[0])) : "", writer_of(writes_[0]),
            h_.outcome(transaction_of(h_, writes_[0])) == Outcome::Aborted ? "aborted"
                                                                           : "did not take effect");
      case Anomaly::G1b:
        if (const OpId later = overwriting(); !later.is_none())
          return fmt::format("{}, but {} went on to {} {} in the same transaction.", read, writer_of(later),
                             is_list() ? "append" : "write", words_.of(later));
        break;
      case Anomaly::FutureRead: return read + " before it wrote that itself.";
      case Anomaly::NotOwnWrite:
      case Anomaly::NotOwnLastWrite:
        if (const OpId own = own_write(); !own.is_none())
          return fmt::format("{} after it had itself {} {}.", read, is_list() ? "appended" : "written",
                             words_.of(own));
        break;
      case Anomaly::NonRepeatableRead:
        if (const OpId earlier = earlier_read(); !earlier.is_none())
          return fmt::format("{} after it had read {}.", read, words_.of(earlier));
        break;
      case Anomaly::PredicateReadMiss: return read + ", which no version explains.";
      case Anomaly::DuplicateElements: return read + ", with an element twice.";
      case Anomaly::IncompatibleOrder:
        return read + ", with the appends of one transaction in another order than it made them.";
      case Anomaly::G0: return read + ", with other elements among the appends of one transaction.";
      case Anomaly::G1c: return read + ", with elements of others behind its own.";
      default: break;
    }
    return read + ", which nothing explains.";
  }

  bool is_list() const { return h_.kind(read_) == OpKind::ListRead; }

  // The elements that nobody appended, as text.
  std::string unwritten() const {
    std::set<KeyValueId> written;
    for (const OpId op : h_.operations())
      if (is_item_write(h_.kind(op))) written.insert(h_.value(op));
    std::string text;
    for (const KeyValueId value : values_read(h_, read_))
      if (!written.contains(value)) text += (text.empty() ? "" : " ") + h_.display(h_.value(value));
    return text;
  }

  // The write with which the writer of the value that was read overwrote it.
  OpId overwriting() const {
    const auto values = values_read(h_, read_);
    for (const OpId write : writes_)
      for (const OpId op : h_.operations(transaction_of(h_, write)))
        if (op > write && is_item_write(h_.kind(op)) && h_.key(op) == h_.key(write) &&
            std::ranges::find(values, h_.value(op)) == values.end())
          return op;
    return OpId::none();
  }

  OpId own_write() const {
    OpId last;
    for (const OpId op : h_.operations(reader_))
      if (op < read_ && is_item_write(h_.kind(op)) && h_.key(op) == h_.key(read_)) last = op;
    return last;
  }

  OpId earlier_read() const {
    for (const OpId op : h_.operations(reader_))
      if (op < read_ && h_.kind(op) == h_.kind(read_) && h_.key(op) == h_.key(read_)) return op;
    return OpId::none();
  }

  // Why a writer of unknown outcome cannot have committed: the wrong read that it would have done.
  std::string what_is_wrong_with(OpId write) const {
    for (const OpId op : h_.operations(transaction_of(h_, write)))
      if (!values_read(h_, op).empty()) return fmt::format("it read {}", words_.of(op));
    return "of what it read itself";
  }

  const History& h_;
  const Words& words_;
  Anomaly anomaly_;
  OpId read_;
  TxnId reader_;
  std::vector<OpId> writes_;  // the writes, by other transactions, of what was read
  WrongReadStory story_;
};

}  // namespace

Selection around_wrong_read(const History& history, OpId read) {
  Surroundings surroundings(history);
  surroundings.add(transaction_of(history, read), history.key(read));
  return surroundings.selection();
}

WrongReadStory tell_wrong_read(const History& history, const Words& words, Anomaly anomaly, OpId read) {
  return Teller(history, words, anomaly, read).tell();
}

}  // namespace assay
