// What one client writes down: a line when all operations of a transaction are answered and its commit is
// about to be sent, and a line when the outcome is known (history_io/journal.h says how they look).
//
// Nothing here is shared between clients. Cost: about 20 ns an operation, and no system call.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/column.h"
#include "collect/database.h"
#include "collect/journal_file.h"
#include "history/history.h"

namespace assay {

class ClientRecorder {
 public:
  // Without a journal nothing is written down, to measure what that costs.
  ClientRecorder(std::optional<JournalFile> journal, const KeyNames& names, const RowTable* rows = nullptr)
      : journal_(std::move(journal)),
        names_(names),
        named_(!names.name(StoreKey(0)).empty()),
        two_columns_(rows != nullptr && rows->has_two_columns()) {}

  void begin(std::int64_t instant);
  std::int64_t begin_instant() const { return instants_.begin.value_or(0); }
  void began(std::int64_t instant) { instants_.began = instant; }
  void read(StoreKey key, std::int64_t value) { operation("[\"r\",", key, value); }
  void write(StoreKey key, std::int64_t value) { operation("[\"w\",", key, value); }
  void append(StoreKey key, std::int64_t element) { operation("[\"append\",", key, element); }
  void read_list(StoreKey key, std::span<const std::int64_t> elements);
  // An operation on rows. An insert that met a row did nothing, and is left out. A database may show two
  // rows with one key; an operation lists each key once, so the second follows as a read of its own.
  void answered(const Asked& asked, const RowAnswer& answer);
  // Before the commit is sent.
  Result<void> committing(std::int64_t instant);
  // Of a transaction whose commit was sent, or not.
  Result<void> end(Outcome outcome, std::int64_t instant);
  Result<void> close() { return journal_ ? journal_->close() : Result<void>(); }

 private:
  void open_operation(std::string_view opening, StoreKey key);
  void operation(std::string_view opening, StoreKey key, std::int64_t value);
  void row_operation(std::string_view opening, StoreKey key, std::int64_t row);
  void filter(std::string_view opening, const RowFilter& filter);
  void close_with(std::span<const StoreWrite> rows);
  void close_found(std::span<const StoreWrite> rows);
  Result<void> write_operations();

  std::optional<JournalFile> journal_;
  const KeyNames& names_;
  const bool named_;        // keys have names
  const bool two_columns_;  // in a row
  Instants instants_;
  bool written_ = false;                   // the operations of this transaction are in the journal
  Column<char> operations_;                // [["r",1,2],...
  std::vector<StoreWrite> found_, again_;  // scratch
  std::string line_;
};

}  // namespace assay
