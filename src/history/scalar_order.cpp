#include "history/scalar_order.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace assay {
namespace {

// The digits of a number from its text, starting at the first that is not 0, and that digit's power of ten.
// The digits are in two pieces because a decimal point may separate them.
class Digits {
 public:
  explicit Digits(std::string_view text) : negative_(text.starts_with('-')) {
    if (negative_) text.remove_prefix(1);
    std::int64_t exponent = 0;
    if (const std::size_t e = text.find('e'); e != text.npos) {
      std::from_chars(text.data() + e + 1, text.data() + text.size(), exponent);
      text = text.substr(0, e);
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    whole_ = without_leading_zeros(text.substr(0, point));
    fraction_ = text.substr(std::min(point + 1, text.size()));
    first_power_ = exponent + static_cast<std::int64_t>(whole_.size()) - 1;
    if (!whole_.empty()) return;
    const std::string_view significant = without_leading_zeros(fraction_);
    first_power_ -= static_cast<std::int64_t>(fraction_.size() - significant.size());
    fraction_ = significant;
  }

  int sign() const { return count() == 0 ? 0 : negative_ ? -1 : 1; }

  std::strong_ordering compare_magnitude(const Digits& other) const {
    if (first_power_ != other.first_power_) return first_power_ <=> other.first_power_;
    for (std::size_t i = 0; i < std::max(count(), other.count()); ++i)
      if (at(i) != other.at(i)) return at(i) <=> other.at(i);
    return std::strong_ordering::equal;
  }

 private:
  static std::string_view without_leading_zeros(std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
  }
  std::size_t count() const { return whole_.size() + fraction_.size(); }
  char at(std::size_t i) const {
    if (i < whole_.size()) return whole_[i];
    return i < count() ? fraction_[i - whole_.size()] : '0';
  }

  bool negative_;
  std::string_view whole_, fraction_;
  std::int64_t first_power_;
};

// A buffer for the digits of an integer.
using IntegerText = std::array<char, 24>;

Digits digits(const ScalarPool& pool, Scalar number, IntegerText& room) {
  if (!number.is_integer()) return Digits(pool.text(number));
  const char* end = std::to_chars(room.data(), room.data() + room.size(), number.as_integer()).ptr;
  return Digits({room.data(), static_cast<std::size_t>(end - room.data())});
}

}  // namespace

std::string_view name(ScalarType type) {
  switch (type) {
    case ScalarType::Null: return "null";
    case ScalarType::Boolean: return "boolean";
    case ScalarType::Number: return "number";
    case ScalarType::String: return "string";
    case ScalarType::Row: break;
  }
  return "row";
}

std::strong_ordering compare_decimals(const ScalarPool& pool, Scalar a, Scalar b) {
  IntegerText room_a, room_b;
  const Digits left = digits(pool, a, room_a), right = digits(pool, b, room_b);
  if (left.sign() != right.sign()) return left.sign() <=> right.sign();
  return left.sign() < 0 ? right.compare_magnitude(left) : left.compare_magnitude(right);
}

}  // namespace assay
