#include "history/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/hash.h"

namespace assay {
namespace {

// A number in normal form: sign, digits without leading or trailing zeros, and the power of ten of the last
// digit.
struct NormalNumber {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<NormalNumber> parse_number(std::string_view text) {
  NormalNumber number;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    number.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  std::size_t i = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) number.digits += text[i];
  if (i < text.size() && text[i] == '.') {
    const std::size_t point = i++;
    for (; i < text.size() && is_digit(text[i]); ++i) number.digits += text[i];
    number.exponent = -static_cast<std::int64_t>(i - point - 1);
  }
  if (number.digits.empty()) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && text[i] == '+') ++i;
    std::int64_t exponent = 0;
    const auto [end, failure] = std::from_chars(text.data() + i, text.data() + text.size(), exponent);
    if (failure != std::errc() || exponent > 999999 || exponent < -999999) return std::nullopt;
    i = static_cast<std::size_t>(end - text.data());
    number.exponent += exponent;
  }
  if (i != text.size()) return std::nullopt;

  const std::size_t leading = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, leading);
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  if (number.digits.empty()) return NormalNumber{};
  return number;
}

// The one spelling of each number: plain digits while that is short, otherwise scientific notation.
std::string spell(const NormalNumber& number) {
  const auto size = static_cast<std::int64_t>(number.digits.size());
  std::string text = number.negative ? "-" : "";
  const std::int64_t point = size + number.exponent;  // digits before the decimal point
  if (number.exponent >= 0 && point <= 40) {
    text += number.digits + std::string(static_cast<std::size_t>(number.exponent), '0');
  } else if (number.exponent < 0 && point > 0) {
    text += number.digits.substr(0, static_cast<std::size_t>(point)) + "." +
            number.digits.substr(static_cast<std::size_t>(point));
  } else if (number.exponent < 0 && point > -20) {
    text += "0." + std::string(static_cast<std::size_t>(-point), '0') + number.digits;
  } else {
    text += fmt::format("{}e{}", number.digits, number.exponent);
  }
  return text;
}

}  // namespace

std::optional<Scalar> ScalarPool::number(std::string_view text) {
  std::int64_t integer = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (failure == std::errc() && end == text.data() + text.size()) return Scalar::integer(integer);

  const auto number = parse_number(text);
  if (!number) return std::nullopt;
  const std::string normal = spell(*number);
  if (normal.empty() || normal == "-") return Scalar::integer(0);
  const auto [end2, failure2] = std::from_chars(normal.data(), normal.data() + normal.size(), integer);
  if (failure2 == std::errc() && end2 == normal.data() + normal.size()) return Scalar::integer(integer);
  return intern(ScalarKind::Decimal, normal);
}

Scalar ScalarPool::string(std::string_view text) { return intern(ScalarKind::String, text); }

Scalar ScalarPool::intern(ScalarKind kind, std::string_view text) {
  const auto next = static_cast<std::uint32_t>(text_end_.size());
  const std::uint32_t found = text_index_.find_or_insert(
      hash_bytes(text), next, [&](std::uint32_t i) { return this->text(std::uint64_t{i}) == text; });
  if (found == next) {
    std::ranges::copy(text, characters_.append_for_overwrite(text.size()));
    text_end_.push_back(characters_.size());
  }
  return {kind, found};
}

std::string_view ScalarPool::text(std::uint64_t number) const {
  const std::uint64_t begin = number == 0 ? 0 : text_end_[number - 1];
  return {characters_.data() + begin, text_end_[number] - begin};
}

std::string_view ScalarPool::text(Scalar scalar) const {
  ASSAY_REQUIRE(scalar.kind == ScalarKind::String || scalar.kind == ScalarKind::Decimal);
  return text(scalar.bits);
}

namespace {

std::uint64_t hash_row(std::span<const RowField> fields, std::uint32_t shape) {
  std::uint64_t hash = shape;
  for (const RowField& f : fields) hash = mix(hash ^ static_cast<std::uint64_t>(f.value.kind), f.value.bits);
  return hash;
}

}  // namespace

Scalar ScalarPool::row(std::span<RowField> fields) {
  const std::uint32_t shape = sort_and_find_shape(fields);
  return row(fields, shape, hash_row(fields, shape));
}

// Most rows have the columns of the row before, already sorted, so try that shape first.
std::uint32_t ScalarPool::sort_and_find_shape(std::span<RowField> fields) {
  ASSAY_REQUIRE(!is_sealed_);
  const auto has_columns = [&](std::uint32_t shape) {
    return std::ranges::equal(fields, columns(shape), {}, &RowField::column);
  };
  if (last_shape_ + 1 < shape_begin_.size() && has_columns(last_shape_)) return last_shape_;
  std::sort(fields.begin(), fields.end(),
            [this](const RowField& a, const RowField& b) { return text(a.column) < text(b.column); });
  std::uint64_t hash = fields.size();
  for (const RowField& f : fields) hash = mix(hash, f.column.bits);
  const auto next = static_cast<std::uint32_t>(shape_begin_.size() - 1);
  last_shape_ = shape_index_.find_or_insert(hash, next, has_columns);
  if (last_shape_ == next) {
    for (const RowField& f : fields) columns_.push_back(f.column);
    shape_begin_.push_back(static_cast<std::uint32_t>(columns_.size()));
  }
  return last_shape_;
}

Scalar ScalarPool::row(std::span<const RowField> fields, std::uint32_t shape, std::uint64_t hash) {
  const auto next = static_cast<std::uint32_t>(shape_.size());
  const std::uint32_t found = row_index_.find_or_insert(hash, next, [&](std::uint32_t i) {
    if (shape_[i] != shape) return false;
    const RowFields there = this->fields(i);
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (there[f].value != fields[f].value) return false;
    return true;
  });
  if (found == next) {
    shape_.push_back(shape);
    cells_begin_.push_back(cell_bits_.size());
    for (const RowField& f : fields) {
      cell_kinds_.push_back(f.value.kind);
      cell_bits_.push_back(f.value.bits);
    }
  }
  return {ScalarKind::Row, found};
}

// Looking a row up takes three steps, and each misses the cache in a large history: the slot of the index,
// where the row's cells begin, and the cells. So each step is prefetched several rows ahead.
void ScalarPool::rows(std::span<RowField> fields, std::span<const std::uint32_t> ends,
                      std::vector<Scalar>& into) {
  constexpr std::size_t kAhead = 6;
  std::vector<std::uint64_t> hashes(ends.size());
  std::vector<std::uint32_t> shapes(ends.size());
  const auto begin = [&](std::size_t i) { return i == 0 ? 0 : ends[i - 1]; };
  const auto part = [&](std::size_t i) { return fields.subspan(begin(i), ends[i] - begin(i)); };
  const auto there = [&](std::size_t i) -> std::optional<std::uint32_t> {  // a candidate for row i
    if (i >= ends.size()) return std::nullopt;
    const std::uint32_t row = row_index_.peek(hashes[i]);
    return row < shape_.size() ? std::optional(row) : std::nullopt;
  };
  for (std::size_t i = 0; i < ends.size(); ++i) {
    shapes[i] = sort_and_find_shape(part(i));
    hashes[i] = hash_row(part(i), shapes[i]);
  }
  for (std::size_t i = 0; i < std::min(3 * kAhead, ends.size()); ++i) row_index_.fetch(hashes[i]);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i + 3 * kAhead < ends.size()) row_index_.fetch(hashes[i + 3 * kAhead]);
    if (const auto row = there(i + 2 * kAhead)) {
      __builtin_prefetch(&shape_[*row]);
      __builtin_prefetch(&cells_begin_[*row]);
    }
    if (const auto row = there(i + kAhead)) {
      __builtin_prefetch(&cell_kinds_[cells_begin_[*row]]);
      __builtin_prefetch(&cell_bits_[cells_begin_[*row]]);
    }
    into.push_back(row(part(i), shapes[i], hashes[i]));
  }
}

RowFields ScalarPool::fields(Scalar row) const {
  ASSAY_REQUIRE(row.kind == ScalarKind::Row);
  return fields(static_cast<std::uint32_t>(row.bits));
}

Scalar ScalarPool::import(Scalar scalar, const ScalarPool& from) {
  switch (scalar.kind) {
    case ScalarKind::Null:
    case ScalarKind::Boolean:
    case ScalarKind::Integer: return scalar;
    case ScalarKind::Decimal:
    case ScalarKind::String: return intern(scalar.kind, from.text(scalar));
    case ScalarKind::Row: {
      std::vector<RowField> fields;
      for (const RowField f : from.fields(scalar))
        fields.push_back({import(f.column, from), import(f.value, from)});
      return row(std::move(fields));
    }
  }
  return scalar;
}

void ScalarPool::print_json(Scalar scalar, std::string& out) const {
  switch (scalar.kind) {
    case ScalarKind::Null: out += "null"; break;
    case ScalarKind::Boolean: out += scalar.bits ? "true" : "false"; break;
    case ScalarKind::Integer: {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof digits, scalar.as_integer()).ptr;
      out.append(digits, end);
      break;
    }
    case ScalarKind::Decimal: out += text(scalar); break;
    case ScalarKind::String: print_json_string(text(scalar), out); break;
    case ScalarKind::Row: {
      const char* separator = "{";
      for (const RowField f : fields(scalar)) {
        out += separator;
        print_json_string(text(f.column), out);
        out += ':';
        print_json(f.value, out);
        separator = ",";
      }
      out += fields(scalar).empty() ? "{}" : "}";
      break;
    }
  }
}

std::string ScalarPool::to_json(Scalar scalar) const {
  std::string out;
  print_json(scalar, out);
  return out;
}

void print_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else out += c;
    }
  }
  out += '"';
}

}  // namespace assay
