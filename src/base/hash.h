// The hash function of all tables: multiplies 64 by 64 bits and folds the 128-bit product. It is fast, and
// good enough that linear probing stays short on keys that are consecutive integers.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay {

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xe7037ed1a0b428dbu);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t h = bytes.size();
  while (bytes.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    h = mix(h, word);
    bytes.remove_prefix(8);
  }
  std::uint64_t tail = 0;
  if (!bytes.empty()) std::memcpy(&tail, bytes.data(), bytes.size());
  return mix(h, tail ^ 0xa0761d6478bd642fu);
}

}  // namespace assay
