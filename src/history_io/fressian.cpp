#include "history_io/fressian.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "history_io/utf8.h"

namespace assay {
namespace {

constexpr std::uint8_t kCachePacked = 0x80, kStructPacked = 0xa0, kArrays = 0xb0, kLastArray = 0xb5;
constexpr std::uint8_t kMap = 0xc0, kSet = 0xc1, kUuid = 0xc3, kRegex = 0xc4, kUri = 0xc5, kBigint = 0xc6,
                       kBigdec = 0xc7, kInst = 0xc8, kSym = 0xc9, kKey = 0xca;
constexpr std::uint8_t kGetCache = 0xcc, kPutCache = 0xcd;
constexpr std::uint8_t kBytesPacked = 0xd0, kBytesChunk = 0xd8, kBytes = 0xd9;
constexpr std::uint8_t kStringPacked = 0xda, kStringChunk = 0xe2, kString = 0xe3;
constexpr std::uint8_t kListPacked = 0xe4, kList = 0xec, kClosedList = 0xed, kOpenList = 0xee;
constexpr std::uint8_t kStructType = 0xef, kStruct = 0xf0;
constexpr std::uint8_t kTrue = 0xf5, kFalse = 0xf6, kNull = 0xf7, kInt = 0xf8, kFloat = 0xf9, kDouble = 0xfa,
                       kDouble0 = 0xfb, kDouble1 = 0xfc, kEnd = 0xfd, kReset = 0xfe;

// The text of Fressian encodes each half of a surrogate pair on its own. Returns false if it is not text.
bool join_surrogates(std::string_view from, std::string& to) {
  const auto unit = [&](std::size_t i) {
    return (static_cast<unsigned>(from[i] & 0x0f) << 12) | (static_cast<unsigned>(from[i + 1] & 0x3f) << 6) |
           static_cast<unsigned>(from[i + 2] & 0x3f);
  };
  for (std::size_t i = 0; i < from.size(); ++i) {
    const bool is_long = static_cast<unsigned char>(from[i]) == 0xed && i + 2 < from.size();
    const unsigned high = is_long ? unit(i) : 0;
    if (high < 0xd800 || high >= 0xdc00 || i + 5 >= from.size() ||
        static_cast<unsigned char>(from[i + 3]) != 0xed) {
      to += from[i];
      continue;
    }
    const unsigned low = unit(i + 3);
    if (low < 0xdc00 || low > 0xdfff) return false;
    const unsigned code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    to += static_cast<char>(0xf0 | code >> 18);
    to += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    to += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (code & 0x3f));
    i += 5;
  }
  return !first_invalid_utf8(to);
}

// The decimal digits of a big-endian number in two's complement.
std::string decimal(std::string_view bytes) {
  std::vector<unsigned> rest(bytes.begin(), bytes.end());
  for (unsigned& byte : rest) byte &= 0xff;
  const bool is_negative = !rest.empty() && rest[0] >= 0x80;
  if (is_negative) {
    unsigned carry = 1;
    for (std::size_t i = rest.size(); i-- > 0;) {
      const unsigned sum = (~rest[i] & 0xff) + carry;
      rest[i] = sum & 0xff;
      carry = sum >> 8;
    }
  }
  std::string digits;
  while (true) {
    unsigned remainder = 0;
    bool any = false;
    for (unsigned& byte : rest) {
      const unsigned part = remainder * 256 + byte;
      byte = part / 10;
      remainder = part % 10;
      any |= byte != 0;
    }
    digits.insert(digits.begin(), static_cast<char>('0' + remainder));
    if (!any) break;
  }
  return (is_negative ? "-" : "") + digits;
}

void number(double value, Form& into) {
  if (std::isfinite(value)) into.text(DatumKind::Number, fmt::format("{}", value));
  else into.text(DatumKind::Other, fmt::format("{}", value));
}

Error cut_off() { return error("a value is cut off"); }

}  // namespace

Result<std::uint8_t> FressianReader::byte() {
  if (at_end()) return cut_off();
  return static_cast<std::uint8_t>(bytes_[at_++]);
}

Result<std::string_view> FressianReader::take(std::size_t bytes) {
  if (bytes > bytes_.size() - at_) return cut_off();
  at_ += bytes;
  return bytes_.substr(at_ - bytes, bytes);
}

Result<std::uint64_t> FressianReader::big_endian(std::size_t bytes) {
  const auto taken = take(bytes);
  if (!taken) return taken.error();
  std::uint64_t value = 0;
  for (const char c : *taken) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

Result<void> FressianReader::value(Form& into, std::size_t depth) {
  const auto code = byte();
  if (!code) return code.error();
  return coded(*code, into, depth);
}

Result<std::int64_t> FressianReader::integer(std::size_t depth) {
  Form form;
  ASSAY_TRY(value(form, depth));
  if (!form.root().is(DatumKind::Integer)) return error("expected an integer");
  return form.root().integer();
}

Result<std::size_t> FressianReader::count(std::size_t depth) {
  const auto number = integer(depth);
  if (!number) return number.error();
  if (*number < 0 || static_cast<std::uint64_t>(*number) > bytes_.size() - at_) return cut_off();
  return static_cast<std::size_t>(*number);
}

Result<void> FressianReader::coded(std::uint8_t code, Form& into, std::size_t depth) {
  if (depth >= Form::kDeepest)
    return error(fmt::format("the data is nested more than {} deep", Form::kDeepest));
  if (code == 0xff) return into.integer(-1), Result<void>();
  if (code < 0x40) return into.integer(code), Result<void>();
  if (code < 0x80) {
    // Packed integers: the code holds the highest bits, relative to the middle of its range.
    struct Packed {
      int zero, bytes;
    };
    const Packed packed = code < 0x60   ? Packed{0x50, 1}
                          : code < 0x70 ? Packed{0x68, 2}
                          : code < 0x74 ? Packed{0x72, 3}
                          : code < 0x78 ? Packed{0x76, 4}
                          : code < 0x7c ? Packed{0x7a, 5}
                                        : Packed{0x7e, 6};
    const auto rest = big_endian(static_cast<std::size_t>(packed.bytes));
    if (!rest) return rest.error();
    const auto high = static_cast<std::uint64_t>(static_cast<std::int64_t>(code) - packed.zero);
    into.integer(static_cast<std::int64_t>(high << (8 * packed.bytes) | *rest));
    return {};
  }
  if (code < kStructPacked) return cached(code - kCachePacked, into);
  if (code < kArrays || code == kStruct) {
    std::size_t index = code - kStructPacked;
    if (code == kStruct) {
      const auto number = integer(depth + 1);
      if (!number) return number.error();
      index = static_cast<std::size_t>(*number);
    }
    if (index >= structs_.size()) return error("a value of a type that was not declared");
    return structure(Struct(structs_[index]), into, depth);
  }
  if (code <= kLastArray) return numbers(into, depth);
  if (code >= kBytesPacked && code <= kBytes) {
    std::string ignored;
    ASSAY_TRY(bytes(code, ignored, depth));
    return into.text(DatumKind::Other, "#bytes"), Result<void>();
  }
  if (code >= kStringPacked && code <= kString) return text(code, into, depth);
  if (code >= kListPacked && code < kList) return list(code - kListPacked, into, depth);
  switch (code) {
    case kMap: return structure({"map", 1}, into, depth);
    case kSet: return structure({"set", 1}, into, depth);
    case kUuid: return structure({"uuid", 1}, into, depth);
    case kRegex: return structure({"regex", 1}, into, depth);
    case kUri: return structure({"uri", 1}, into, depth);
    case kBigint: return structure({"bigint", 1}, into, depth);
    case kBigdec: return structure({"bigdec", 2}, into, depth);
    case kInst: return structure({"inst", 1}, into, depth);
    case kSym: return structure({"sym", 2}, into, depth);
    case kKey: return structure({"key", 2}, into, depth);
    case kGetCache: {
      const auto index = integer(depth + 1);
      if (!index) return index.error();
      return cached(static_cast<std::size_t>(*index), into);
    }
    case kPutCache: {
      const std::size_t index = cache_.size();
      cache_.emplace_back();
      is_cached_.push_back(false);
      Form form;
      ASSAY_TRY(value(form, depth + 1));
      if (index >= cache_.size()) return error("a value that is kept after all were forgotten");
      cache_[index] = std::move(form);
      is_cached_[index] = true;
      return cached(index, into);
    }
    case kList: {
      const auto size = count(depth + 1);
      if (!size) return size.error();
      return list(*size, into, depth);
    }
    case kClosedList: return list_to_end(false, into, depth);
    case kOpenList: return list_to_end(true, into, depth);
    case kStructType: {
      Form tag;
      ASSAY_TRY(value(tag, depth + 1));
      if (!tag.root().is_name()) return error("a type without a name");
      const auto fields = count(depth + 1);
      if (!fields) return fields.error();
      structs_.push_back({std::string(tag.root().text()), *fields});
      return structure(Struct(structs_.back()), into, depth);
    }
    case kTrue: return into.boolean(true), Result<void>();
    case kFalse: return into.boolean(false), Result<void>();
    case kNull: return into.nil(), Result<void>();
    case kInt:
    case kDouble: {
      const auto bits = big_endian(8);
      if (!bits) return bits.error();
      if (code == kInt) into.integer(static_cast<std::int64_t>(*bits));
      else number(std::bit_cast<double>(*bits), into);
      return {};
    }
    case kFloat: {
      const auto bits = big_endian(4);
      if (!bits) return bits.error();
      number(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(*bits))), into);
      return {};
    }
    case kDouble0: return number(0, into), Result<void>();
    case kDouble1: return number(1, into), Result<void>();
    case kReset:
      cache_.clear();
      is_cached_.clear();
      structs_.clear();
      return value(into, depth + 1);
    default: return error(fmt::format("an unknown code 0x{:02x}", code));
  }
}

Result<void> FressianReader::list(std::size_t size, Form& into, std::size_t depth) {
  into.open(DatumKind::Vector);
  for (std::size_t i = 0; i < size; ++i) ASSAY_TRY(value(into, depth + 1));
  into.close();
  return {};
}

Result<void> FressianReader::list_to_end(bool may_be_cut, Form& into, std::size_t depth) {
  into.open(DatumKind::Vector);
  while (!may_be_cut || !at_end()) {
    const auto code = byte();
    if (!code) return code.error();
    if (*code == kEnd) break;
    ASSAY_TRY(coded(*code, into, depth + 1));
  }
  into.close();
  return {};
}

Result<void> FressianReader::text(std::uint8_t code, Form& into, std::size_t depth) {
  std::string raw;
  while (true) {
    std::size_t size = code - kStringPacked;
    if (code >= kStringChunk) {
      const auto given = count(depth + 1);
      if (!given) return given.error();
      size = *given;
    }
    const auto part = take(size);
    if (!part) return part.error();
    raw += *part;
    if (code != kStringChunk) break;
    const auto next = byte();
    if (!next) return next.error();
    code = *next;
    if (code < kStringPacked || code > kString) return error("a text that does not end");
  }
  std::string joined;
  const bool is_text = join_surrogates(raw, joined);
  into.text(is_text ? DatumKind::String : DatumKind::Other, is_text ? joined : "#text");
  return {};
}

Result<void> FressianReader::bytes(std::uint8_t code, std::string& out, std::size_t depth) {
  while (true) {
    std::size_t size = code - kBytesPacked;
    if (code >= kBytesChunk) {
      const auto given = count(depth + 1);
      if (!given) return given.error();
      size = *given;
    }
    const auto part = take(size);
    if (!part) return part.error();
    out += *part;
    if (code != kBytesChunk) return {};
    const auto next = byte();
    if (!next) return next.error();
    code = *next;
    if (code != kBytesChunk && code != kBytes) return error("bytes that do not end");
  }
}

Result<void> FressianReader::cached(std::size_t index, Form& into) const {
  if (index >= cache_.size() || !is_cached_[index]) return error("a reference to a value that is not there");
  // Jepsen keeps only names, so references never make a value much larger than its text.
  if (into.size() + cache_[index].size() > 16 * bytes_.size() + 1024)
    return error("references that repeat too much");
  add_copy(cache_[index].root(), into);
  return {};
}

Result<void> FressianReader::structure(const Struct& type, Form& into, std::size_t depth) {
  const std::string& tag = type.tag;
  const std::size_t fields = type.fields;
  if (tag == "map" && fields == 1) return collection(DatumKind::Map, into, depth);
  if ((tag == "set" || tag == "persistent-hash-set" || tag == "persistent-sorted-set") && fields == 1)
    return collection(DatumKind::Set, into, depth);
  if (tag == "key" && fields == 2) return name(DatumKind::Keyword, into, depth);
  if (tag == "sym" && fields == 2) return name(DatumKind::Symbol, into, depth);
  if (tag == "jepsen.history.Op" && fields == 7) return operation(into, depth);
  if ((tag == "vec" || tag == "atom" || tag == "byte") && fields == 1) return value(into, depth + 1);
  if (tag == "map-entry" && fields == 2) return list(2, into, depth);
  if (tag == "record" && fields == 2) {
    Form class_name;
    ASSAY_TRY(value(class_name, depth + 1));
    return value(into, depth + 1);
  }
  if (tag == "bigint" && fields == 1) {
    const auto code = byte();
    if (!code) return code.error();
    if (*code < kBytesPacked || *code > kBytes) return error("expected the bytes of a number");
    std::string raw;
    ASSAY_TRY(bytes(*code, raw, depth + 1));
    const std::string digits = decimal(raw);
    if (digits.size() <= 18) into.integer(std::stoll(digits));
    else into.text(DatumKind::Number, digits);
    return {};
  }
  if (tag == "block-ref" && fields == 1) {
    const auto block = integer(depth + 1);
    if (!block) return block.error();
    into.text(DatumKind::Other, fmt::format("#block {}", *block));
    return {};
  }
  for (std::size_t i = 0; i < fields; ++i) {
    Form ignored;
    ASSAY_TRY(value(ignored, depth + 1));
  }
  into.text(DatumKind::Other, "#" + tag);
  return {};
}

// Maps and sets are written as a list of what they contain.
Result<void> FressianReader::collection(DatumKind kind, Form& into, std::size_t depth) {
  Form content;
  ASSAY_TRY(value(content, depth + 1));
  const Datum list = content.root();
  if (!list.is_nil() && !list.is_sequence()) return error("expected the content of a map or set");
  if (kind == DatumKind::Map && !list.is_nil() && list.size() % 2 != 0)
    return error("a map has a key without a value");
  into.open(kind);
  if (list.is_sequence())
    for (const Datum element : list) add_copy(element, into);
  into.close();
  return {};
}

Result<void> FressianReader::name(DatumKind kind, Form& into, std::size_t depth) {
  Form space, own;
  ASSAY_TRY(value(space, depth + 1));
  ASSAY_TRY(value(own, depth + 1));
  if (!own.root().is(DatumKind::String)) return error("a keyword or symbol without a name");
  const bool has_space = space.root().is(DatumKind::String);
  into.text(kind, (has_space ? std::string(space.root().text()) + "/" : "") + std::string(own.root().text()));
  return {};
}

// An operation of a history, as the map that it is in EDN.
Result<void> FressianReader::operation(Form& into, std::size_t depth) {
  into.open(DatumKind::Map);
  for (const std::string_view field : {"index", "time", "type", "process", "f", "value"}) {
    into.text(DatumKind::Keyword, field);
    ASSAY_TRY(value(into, depth + 1));
  }
  Form more;
  ASSAY_TRY(value(more, depth + 1));
  if (more.root().is(DatumKind::Map))
    for (const Datum datum : more.root()) add_copy(datum, into);
  into.close();
  return {};
}

// An array: its length, then its numbers.
Result<void> FressianReader::numbers(Form& into, std::size_t depth) {
  const auto size = count(depth + 1);
  if (!size) return size.error();
  return list(*size, into, depth);
}

}  // namespace assay
