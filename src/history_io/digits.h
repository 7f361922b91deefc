// Parses decimal digits, eight at a time: numbers are most of the text of a history.
//
// It loads eight characters as one word. Subtracting '0' from each leaves the digits, and the first byte that
// is not a digit ends the number. A shift moves the digits to the end of the word, with zeros before them.
// Then three multiplications combine pairs, fours and eights of digits.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace assay {

// Returns how many digits are at `text`, and stores their number. Returns 0 if it does not fit in 63 bits or
// has more than 19 digits. Eight bytes after the digits must be readable.
inline std::size_t parse_digits(const char* text, std::uint64_t& number) {
  static constexpr std::uint64_t kPowerOfTen[] = {1,      10,      100,      1000,     10000,
                                                  100000, 1000000, 10000000, 100000000};
  number = 0;
  for (std::size_t digits = 0; digits <= 16; digits += 8) {
    std::uint64_t word;
    std::memcpy(&word, text + digits, 8);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    word ^= 0x3030303030303030u;
    // Sets the high bit of each byte above 9. A carry only affects bytes after the first such byte.
    const std::uint64_t others = ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
    const auto here = static_cast<std::size_t>(std::countr_zero(others)) / 8;  // 8 if all are digits
    if (here > 0) {
      word <<= 64 - 8 * here;
      word = word * 10 + (word >> 8);
      word = (((word & 0x000000ff000000ffu) * 0x000f424000000064u) +
              ((word >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u)) >>
             32;
      number = number * kPowerOfTen[here] + (word & 0xffffffffu);
    }
    if (here < 8) return digits + here > 19 || number > INT64_MAX ? 0 : digits + here;
  }
  return 0;
}

}  // namespace assay
