// Decimal digits, eight at a time: numbers are most of the text of a history.
//
// A word of eight characters is read at once. Subtracting '0' from each leaves the digits, and the first byte
// that is none ends the number. Shifting moves them to the end of the word, where zeros stand before
// them; then pairs, fours and eights of digits are joined by three multiplications.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace assay {

// How many digits stand at `text`, and the number they spell. 0 also when it does not fit 63 bits, or when
// there are more than 19. Eight bytes behind the digits must be readable.
inline std::size_t parse_digits(const char* text, std::uint64_t& number) {
  static constexpr std::uint64_t kPowerOfTen[] = {1,      10,      100,      1000,     10000,
                                                  100000, 1000000, 10000000, 100000000};
  number = 0;
  for (std::size_t digits = 0; digits <= 16; digits += 8) {
    std::uint64_t word;
    std::memcpy(&word, text + digits, 8);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    word ^= 0x3030303030303030u;
    // The high bit of each byte above 9; a carry only reaches the bytes behind the first of them.
    const std::uint64_t others = ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
    const auto here = static_cast<std::size_t>(std::countr_zero(others)) / 8;  // 8 when there are none
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
