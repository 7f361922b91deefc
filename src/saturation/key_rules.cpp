#include "saturation/key_rules.h"

namespace assay {

// Rule `missed`. `find_read` returns the read's index in ReadFacts::reads, which is seldom needed.
template <class FindRead>
bool KeyRules::look_at_read(KeyId key, TxnId writer, TxnId reader, FindRead find_read) {
  s_.find_seen(key, writer, reader);
  if (s_.found.empty()) return true;
  if (!writer.is_none()) {
    s_.put_found_before(writer, [&] { return s_.facts.reads[find_read()].op; });
    return true;
  }
  stale_ = StaleRead{find_read(), s_.last_found()};
  return false;
}

bool KeyRules::look_at_readers(KeyId key, VersionId version, TxnId writer) {
  const auto readers = s_.versions.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (!look_at_read(key, writer, readers[i], [&] { return s_.versions.reads_of(version)[i]; }))
      return false;
  return true;
}

bool KeyRules::look_at_read(const ReadFact& read) {
  return look_at_read(read.key, read.writer, read.reader, [&] { return s_.facts.place(read); });
}

// Rules `exclusive` and `overwritten`.
void KeyRules::look_at_write(KeyId key, VersionId version, TxnId writer) {
  s_.find_earlier(key, writer, earlier_[version.index()]);
  if (s_.found.empty()) return put_after_readers(s_.facts.initial_version(key), writer);
  const TxnId last = earlier_[version.index()] = s_.last_found();
  for (const RuleState::Writer& earlier : s_.found) {
    if (!s_.is_needed(earlier.txn, last)) continue;
    if (s_.rules.exclusive)
      s_.imply(s_.points.commit(earlier.txn), s_.points.snapshot(writer),
               [] { return EdgeCause{Rule::Exclusive}; });
    put_after_readers(earlier.version, writer);
  }
}

void KeyRules::put_after_readers(VersionId version, TxnId writer) {
  const auto readers = s_.versions.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (!s_.rules.total && !s_.facts.writes_key(readers[i], s_.facts.key(version))) continue;
    s_.put_reader_before(readers[i], writer,
                         [&] { return s_.facts.reads[s_.versions.reads_of(version)[i]].op; });
  }
  if (!s_.rules.total) return;
  open_.each_settled(version, [&](const OpenRead& read) {
    s_.put_reader_before(read.reader, writer, [&] { return read.op; });
  });
}

}  // namespace assay
