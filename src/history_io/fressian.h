// Reads values in Fressian, the binary notation in which Jepsen stores its tests.
//
// Each value becomes a Form, as if it had been read as EDN. A type that no history needs (dates, exceptions)
// becomes DatumKind::Other, and its content is skipped by structure. Values refer to earlier ones of the same
// block by number, so a reader keeps those. Nesting is at most Form::kDeepest.
//
// The notation: https://github.com/Datomic/fressian/wiki, and org.fressian.impl.Codes for the numbers.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "history_io/datum.h"

namespace assay {

class FressianReader {
 public:
  // The bytes must outlive the reader.
  explicit FressianReader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t offset() const { return at_; }
  // Reads the next value, and adds it to `into`.
  Result<void> read(Form& into) { return value(into, 0); }

 private:
  struct Struct {
    std::string tag;
    std::size_t fields;
  };

  Result<std::uint8_t> byte();
  Result<std::uint64_t> big_endian(std::size_t bytes);
  Result<std::string_view> take(std::size_t bytes);
  Result<void> value(Form& into, std::size_t depth);
  Result<void> coded(std::uint8_t code, Form& into, std::size_t depth);
  Result<std::int64_t> integer(std::size_t depth);
  Result<std::size_t> count(std::size_t depth);
  Result<void> list(std::size_t size, Form& into, std::size_t depth);
  Result<void> list_to_end(bool may_be_cut, Form& into, std::size_t depth);
  Result<void> text(std::uint8_t code, Form& into, std::size_t depth);
  Result<void> bytes(std::uint8_t code, std::string& out, std::size_t depth);
  Result<void> cached(std::size_t index, Form& into) const;
  Result<void> structure(const Struct& type, Form& into, std::size_t depth);
  Result<void> collection(DatumKind kind, Form& into, std::size_t depth);
  Result<void> name(DatumKind kind, Form& into, std::size_t depth);
  Result<void> operation(Form& into, std::size_t depth);
  Result<void> numbers(Form& into, std::size_t depth);

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::deque<Form> cache_;
  std::vector<bool> is_cached_;  // by index: whether its value is complete
  std::vector<Struct> structs_;
};

}  // namespace assay
